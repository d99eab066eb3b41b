//! Shift_JIS (section 12.3).

use super::tables::{JIS0208_DECODE, SHIFT_JIS_ENCODE};
use super::two_byte::{kernel, kernel_lossy};
use super::{Bytes, Cuts, Decode, Emit, Encode, Growth, Item};
use crate::simd::{Exception, Katakana, Kernels, Transcoded, TwoByte, TwoByteCells, TwoByteIndex};
use crate::stream::byte_out::ByteOut;
use crate::stream::sink::Sink;
use crate::stream::source::Text;

/// The Shift_JIS decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ShiftJis;

impl Decode for ShiftJis {
    const CUTS: Cuts = Cuts::AfterAscii;

    #[inline(always)]
    fn step(self, src: &[u8], at_end: bool) -> (Item, Self) {
        (decode(src, at_end), self)
    }

    fn kernel<S: Sink>(self, kernels: &Kernels, src: &[u8], out: &mut S) -> usize {
        kernel::<Self, S>(kernels, src, out)
    }

    fn kernel_lossy<S: Sink>(self, kernels: &Kernels, src: &[u8], out: &mut S) -> Transcoded {
        kernel_lossy::<Self, S>(kernels, src, out)
    }

    #[inline(always)]
    fn wants_kernel(self, _: &[u8]) -> bool {
        true
    }

    #[inline(always)]
    fn few<S: Sink>(self, src: &[u8], out: &mut S) -> bool {
        out.put_few_of_ascii(src)
    }
}

pub(super) static INDEX: TwoByteIndex = TwoByteIndex::new(
    &JIS0208_DECODE,
    [(0x81, 0x9F), (0xE0, 0xFC)],
    [(0x40, 0x7E), (0x80, 0xFC)],
    Katakana::Alone,
);

impl TwoByte for ShiftJis {
    const INDEX: &'static TwoByteIndex = &INDEX;

    #[inline(always)]
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x81..=0x9F | 0xE0..=0xFC)
    }

    #[inline(always)]
    fn is_exception(byte: u8, next: u8) -> bool {
        // U+0080, and characters for private use.
        byte == 0x80 || (matches!(byte, 0xF0..=0xF9) && next >= 0x40)
    }

    #[inline(always)]
    fn exception(src: &[u8]) -> Exception {
        decode(src, false).into()
    }
}

#[inline(always)]
fn decode(src: &[u8], at_end: bool) -> Item {
    let lead = src[0];
    // Step 3.2, for the lead bytes of step 6.
    let lead_offset = match lead {
        0x81..=0x9F => 0x81,
        0xE0..=0xFC => 0xC1,
        // Step 4.
        0x00..=0x80 => return Item::Char(char::from(lead), 1),
        // Step 5.
        0xA1..=0xDF => {
            let code_point = 0xFF61 - 0xA1 + u32::from(lead);
            return Item::Char(char::from_u32(code_point).unwrap_or('\u{FFFD}'), 1);
        }
        // Step 7.
        0xA0 | 0xFD..=0xFF => return Item::Malformed(1),
    };
    let Some(&byte) = src.get(1) else {
        return Item::cut_short(src, at_end);
    };
    // Step 3.1.
    let offset = if byte < 0x7F { 0x40 } else { 0x41 };
    // Step 3.3.
    if !matches!(byte, 0x40..=0x7E | 0x80..=0xFC) {
        return Item::malformed_pair(byte);
    }
    let pointer = (usize::from(lead) - lead_offset) * 188 + (usize::from(byte) - offset);
    // Step 3.5.
    let code_point = INDEX.at(pointer);
    match char::from_u32(u32::from(code_point)) {
        // Step 3.6.
        Some(ch) if code_point != 0 => Item::Char(ch, 2),
        // Steps 3.4, 3.7 and 3.8.
        _ => match end_user_defined(pointer) {
            Some(ch) => Item::Char(ch, 2),
            None => Item::malformed_pair(byte),
        },
    }
}

/// Step 3.4: end-user-defined characters, which the index leaves out.
#[cold]
fn end_user_defined(pointer: usize) -> Option<char> {
    match pointer {
        8836..=10715 => char::from_u32(u32::try_from(0xE000 - 8836 + pointer).ok()?),
        _ => None,
    }
}

impl Encode for ShiftJis {
    const GROWTH: Growth = Growth {
        utf8: 1,
        utf16: 2,
        extra: 0,
    };

    #[inline(always)]
    fn step(self, ch: char) -> (Emit, Self) {
        let emit = if ch <= '\u{80}' {
            // Step 2.
            Emit::Bytes(Bytes::one(ch as u8))
        } else {
            // Step 7: the table is made from *index Shift_JIS pointer*, with its exclusions. It has
            // none of the code points of steps 3 to 6, so that these can wait until it says no.
            match SHIFT_JIS_ENCODE.get(u32::from(ch)) {
                0 => unmapped_code_point(ch),
                // Steps 9 to 13.
                bytes => Emit::Bytes(Bytes::two(bytes.to_be_bytes())),
            }
        };
        (emit, self)
    }

    fn kernel<T: Text>(self, kernels: &Kernels, text: T, out: &mut ByteOut<'_>) -> usize {
        text.two_byte_run(kernels, &CELLS, out)
    }

    #[inline(always)]
    fn wants_kernel<T: Text>(self, _: T) -> bool {
        true
    }

    #[inline(always)]
    fn few<T: Text>(self, text: T, out: &mut ByteOut<'_>) -> bool {
        text.few_of_ascii(out)
    }
}

pub(super) static CELLS: TwoByteCells = SHIFT_JIS_ENCODE.kernel_cells(0);

/// Steps 3 to 6 and step 8.
#[inline(never)]
fn unmapped_code_point(ch: char) -> Emit {
    match ch {
        '\u{A5}' => Emit::Bytes(Bytes::one(0x5C)),
        '\u{203E}' => Emit::Bytes(Bytes::one(0x7E)),
        '\u{FF61}'..='\u{FF9F}' => Emit::Bytes(Bytes::one((u32::from(ch) - 0xFF61 + 0xA1) as u8)),
        '\u{2212}' => match SHIFT_JIS_ENCODE.get(0xFF0D) {
            0 => Emit::Unmappable(ch),
            bytes => Emit::Bytes(Bytes::two(bytes.to_be_bytes())),
        },
        _ => Emit::Unmappable(ch),
    }
}
