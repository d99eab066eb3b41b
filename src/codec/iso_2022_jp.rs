//! ISO-2022-JP (section 12.2), the one legacy encoding with shift states.

use super::source::TextSource;
use super::tables::{JIS0208_ENCODE, entries, table, unit};
use super::{Bytes, Cuts, Decode, ESC, Emit, Encode, Growth, Item, iso_2022_jp_runs};
use crate::output::{ByteOut, Sink};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{Kernels, Transcoded};

/// Index ISO-2022-JP katakana: U+FF61 to U+FF9F to full-width katakana.
static KATAKANA: &[[u8; 2]] = entries(table!("iso_2022_jp_katakana.bin"));

/// The decoder's state between two items.
///
/// Of the standard's seven states, *trail byte*, *escape start* and *escape* last only while a
/// sequence is incomplete, so they are positions in [`Decode::step`] rather than values here.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Iso2022JpDecoder {
    /// *ISO-2022-JP decoder output state*.
    pub(super) mode: Mode,
    /// *ISO-2022-JP output*: the last byte of the immediately preceding escape sequence, which becomes
    /// malformed if another one follows; 0 = none.
    pub(super) escape: u8,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Ascii,
    Roman,
    Katakana,
    /// *Lead byte*: two bytes of JIS X 0208.
    Jis0208,
}

impl Decode for Iso2022JpDecoder {
    const CUTS: Cuts = Cuts::BeforeEscape;

    #[inline(always)]
    fn step(self, src: &[u8], at_end: bool) -> (Item, Self) {
        let byte = src[0];
        if byte == ESC {
            return self.escape_start(src, at_end);
        }
        let item = match (self.mode, byte) {
            (Mode::Jis0208, 0x21..=0x7E) => trail_byte(src, at_end),
            (Mode::Roman, 0x5C) => Item::Char('\u{A5}', 1),
            (Mode::Roman, 0x7E) => Item::Char('\u{203E}', 1),
            (Mode::Katakana, 0x21..=0x5F) => {
                let code_point = 0xFF61 - 0x21 + u32::from(byte);
                Item::Char(char::from_u32(code_point).unwrap_or('\u{FFFD}'), 1)
            }
            (_, 0x0E | 0x0F) => Item::Malformed(1),
            (Mode::Ascii | Mode::Roman, 0x00..=0x7F) => Item::Char(char::from(byte), 1),
            _ => Item::Malformed(1),
        };
        // Every branch sets ISO-2022-JP output to false.
        (item, Iso2022JpDecoder { escape: 0, ..self })
    }

    // As a call, 64 bytes take a tenth longer.
    #[inline(always)]
    fn kernel<S: Sink>(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        _: bool,
        out: &mut S,
    ) -> Transcoded {
        iso_2022_jp_runs::decode(self, kernels, src, out)
    }

    /// Into room for 16 bytes at a time, the kernel takes 1.5 times as long as [`Decode::fill`], and into
    /// room for 64 bytes 0.65 times.
    const LITTLE_ROOM: LittleRoom = LittleRoom {
        utf8: 20,
        utf16: 17,
    };

    #[inline(always)]
    fn fill<S: Sink>(&mut self, kernels: &Kernels, src: &[u8], out: &mut S) -> Fill {
        iso_2022_jp_runs::fill(self, kernels, src, out)
    }

    #[inline(always)]
    fn wants_kernel(self, src: &[u8]) -> bool {
        iso_2022_jp_runs::starts_with_run(self, src)
    }
}

impl Iso2022JpDecoder {
    /// Returns whether this is the initial state, without an immediately preceding escape sequence.
    pub(crate) fn is_initial(self) -> bool {
        self.mode == Mode::Ascii && self.escape == 0
    }

    /// Returns the state in a form that can be stored.
    #[cfg(feature = "alloc")]
    pub(crate) fn to_bytes(self) -> [u8; 2] {
        let mode = match self.mode {
            Mode::Ascii => 0,
            Mode::Roman => 1,
            Mode::Katakana => 2,
            Mode::Jis0208 => 3,
        };
        [mode, self.escape]
    }

    /// Returns the state that [`Self::to_bytes`] has stored; `None` for bytes that are not a state.
    #[cfg(feature = "alloc")]
    pub(crate) fn from_bytes([mode, escape]: [u8; 2]) -> Option<Self> {
        let (mode, escapes): (_, &[u8]) = match mode {
            0 => (Mode::Ascii, b"B"),
            1 => (Mode::Roman, b"J"),
            2 => (Mode::Katakana, b"I"),
            3 => (Mode::Jis0208, b"@B"),
            _ => return None,
        };
        let is_sound = escape == 0 || escapes.contains(&escape);
        is_sound.then_some(Iso2022JpDecoder { mode, escape })
    }

    /// Returns whether this byte is the first of two in the state.
    #[cfg(feature = "alloc")]
    pub(crate) fn is_lead(self, byte: u8) -> bool {
        self.mode == Mode::Jis0208 && matches!(byte, 0x21..=0x7E)
    }

    /// *Escape start* and *escape*. If this is not a known sequence, only the escape byte is malformed, and
    /// the bytes after it are restored.
    #[inline(always)]
    fn escape_start(self, src: &[u8], at_end: bool) -> (Item, Self) {
        let plain = Iso2022JpDecoder { escape: 0, ..self };
        let mode = match src {
            [_] | [_, b'$' | b'('] if !at_end => return (Item::Incomplete, self),
            // Escape, steps 3 to 6.
            [_, b'(', b'B', ..] => Mode::Ascii,
            [_, b'(', b'J', ..] => Mode::Roman,
            [_, b'(', b'I', ..] => Mode::Katakana,
            [_, b'$', b'@' | b'B', ..] => Mode::Jis0208,
            _ => return (Item::Malformed(1), plain),
        };
        // Escape, step 7.
        let state = Iso2022JpDecoder {
            mode,
            escape: src[2],
        };
        let item = match (self.escape, self.mode) {
            (0, _) => Item::Nothing(3),
            (end, Mode::Jis0208) => Item::EscapeAfterEscape([ESC, b'$', end]),
            (end, _) => Item::EscapeAfterEscape([ESC, b'(', end]),
        };
        (item, state)
    }
}

/// *Trail byte*: `src` starts with a lead byte from 21 to 7E.
#[inline(always)]
fn trail_byte(src: &[u8], at_end: bool) -> Item {
    match src.get(1) {
        None => Item::cut_short(src, at_end),
        Some(&byte @ 0x21..=0x7E) => {
            let unit = iso_2022_jp_runs::INDEX.get().unit(src[0], byte);
            match char::from_u32(u32::from(unit)) {
                Some(ch) if unit != 0 => Item::Char(ch, 2),
                _ => Item::Malformed(2),
            }
        }
        // The escape sequence is read next.
        Some(&ESC) => Item::Malformed(1),
        Some(_) => Item::Malformed(2),
    }
}

/// The encoder's state: *ISO-2022-JP encoder state*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Iso2022JpEncoder {
    #[default]
    Ascii,
    Roman,
    Jis0208,
}

impl Iso2022JpEncoder {
    /// Returns the escape sequence to this state.
    pub(super) fn escape(self) -> Bytes {
        Bytes::three(match self {
            Iso2022JpEncoder::Ascii => [ESC, b'(', b'B'],
            Iso2022JpEncoder::Roman => [ESC, b'(', b'J'],
            Iso2022JpEncoder::Jis0208 => [ESC, b'$', b'B'],
        })
    }

    /// Changes to this state, in which the character is read again.
    fn switch(self) -> (Emit, Self) {
        (Emit::Escape(self.escape()), self)
    }
}

impl Encode for Iso2022JpEncoder {
    // The worst case is a switch for every character: U+00A5 (two bytes of UTF-8) and a kanji (three bytes)
    // in turn give 4 and 5 bytes; ASCII after either gives 4.
    const GROWTH: Growth = Growth {
        utf8: 4,
        utf16: 5,
        extra: 3,
    };

    #[inline(always)]
    fn step(self, ch: char) -> (Emit, Self) {
        use Iso2022JpEncoder::{Ascii, Jis0208, Roman};
        // Step 3: never the character itself, which would be read as a shift.
        if self != Jis0208 && matches!(ch, '\u{E}' | '\u{F}' | '\u{1B}') {
            return (Emit::Unmappable('\u{FFFD}'), self);
        }
        match (self, ch) {
            // Step 5.
            (Roman, '\u{A5}') => return (Emit::Bytes(Bytes::one(0x5C)), self),
            (Roman, '\u{203E}') => return (Emit::Bytes(Bytes::one(0x7E)), self),
            // Step 6, first half.
            (Roman, '\\' | '~') => return Ascii.switch(),
            // Steps 4 and 5.
            (Ascii | Roman, '\0'..='\x7F') => return (Emit::Bytes(Bytes::one(ch as u8)), self),
            // Step 6, second half.
            (Jis0208, '\0'..='\x7F') => return Ascii.switch(),
            // Step 7.
            (_, '\u{A5}' | '\u{203E}') => return Roman.switch(),
            _ => {}
        }
        // Step 10.
        let row_and_cell = match JIS0208_ENCODE.get(u32::from(ch)) {
            0 => JIS0208_ENCODE.get(compatible(ch)),
            row_and_cell => row_and_cell,
        };
        match (self, row_and_cell) {
            // Step 11: the error is reported in the ASCII or the Roman state.
            (Jis0208, 0) => Ascii.switch(),
            (_, 0) => (Emit::Unmappable(ch), self),
            // Steps 13 to 15.
            (Jis0208, _) => (Emit::Bytes(Bytes::two(row_and_cell.to_be_bytes())), self),
            // Step 12.
            _ => Jis0208.switch(),
        }
    }

    /// Step 1.
    fn finish(self) -> Option<(Bytes, Self)> {
        let ascii = Iso2022JpEncoder::Ascii;
        (self != ascii).then(|| (ascii.escape(), ascii))
    }

    fn kernel<T: TextSource>(
        &mut self,
        kernels: &Kernels,
        text: T,
        out: &mut ByteOut<'_>,
    ) -> usize {
        iso_2022_jp_runs::encode(self, kernels, text, out)
    }
}

/// Steps 8 and 9: the code point of index jis0208 to use instead.
#[inline(never)]
fn compatible(ch: char) -> u32 {
    let code_point = u32::from(ch);
    match code_point {
        0x2212 => 0xFF0D,
        0xFF61..=0xFF9F => {
            let full_width = KATAKANA.get((code_point - 0xFF61) as usize);
            full_width.map_or(0, |&entry| u32::from(unit(entry)))
        }
        _ => 0,
    }
}
