//! The decoder of section 7. Its text is in a form from which JavaScript strings can be made.

use std::cell::Cell;
use std::collections::TryReserveError;
use std::hint::black_box;
use std::sync::Once;

use simdtext::unicode;
use simdtext::web::{self, TextDecodeOptions, TextDecoderOptions, WebError};

/// What a string is made from.
#[derive(Clone, Debug)]
pub enum Text<'a> {
    /// ASCII only.
    Ascii(&'a [u8]),
    /// Code units; surrogates are in pairs.
    Utf16(&'a [u16]),
    /// Many code units, for a string that takes ownership of them. Surrogates are in pairs.
    Owned(Vec<u16>),
}

/// The length of the longest string that V8 makes on 64-bit machines, in code units.
/// (`../../src/engine/limit.js` has the same number.)
pub(crate) const LONGEST_STRING: usize = 0x1FFF_FFE8;

/// The number of code units from which text is [`Text::Owned`]. V8 allocates blocks of more than 128 KiB
/// separately, which takes longer than copying the text does.
const LARGE: usize = (64 << 10) - 16;

/// The number of bytes of input from which text is decoded to its final place, because it would no longer be
/// in the cache when it is copied.
const LONG: usize = 1 << 18;

impl<'a> Text<'a> {
    fn of(units: &'a [u16]) -> Self {
        if cfg!(not(target_family = "wasm")) && units.len() >= LARGE {
            Text::Owned(units.to_vec())
        } else {
            Text::Utf16(units)
        }
    }

    /// The text, without U+FEFF if it begins with it.
    fn without_bom(self) -> Self {
        match self {
            Text::Utf16([0xFEFF, rest @ ..]) => Text::Utf16(rest),
            Text::Owned(mut units) if units.first() == Some(&0xFEFF) => {
                units.drain(..1);
                Text::Owned(units)
            }
            other => other,
        }
    }

    fn is_empty(&self) -> bool {
        match self {
            Text::Ascii(bytes) => bytes.is_empty(),
            Text::Utf16(units) => units.is_empty(),
            Text::Owned(units) => units.is_empty(),
        }
    }
}

/// Why there is no text.
#[derive(Clone, Copy, Debug)]
pub enum Failure {
    /// A fatal decoder found a malformed sequence.
    Malformed(simdtext::Malformed),
    /// The text is longer than a string can be.
    TooLong,
    /// There is no memory for the result.
    Memory,
}

impl Failure {
    /// As numbers: 0, the offset and the malformed bytes; 1 for [`Failure::TooLong`]; 2 for
    /// [`Failure::Memory`]. (`../../src/errors.js` turns them into errors.)
    #[must_use]
    pub fn numbers(self) -> Vec<f64> {
        match self {
            Failure::Malformed(malformed) => [0.0, malformed.offset as f64]
                .into_iter()
                .chain(malformed.bytes().iter().copied().map(f64::from))
                .collect(),
            Failure::TooLong => vec![1.0],
            Failure::Memory => vec![2.0],
        }
    }
}

impl From<TryReserveError> for Failure {
    fn from(_: TryReserveError) -> Self {
        Failure::Memory
    }
}

impl From<WebError> for Failure {
    fn from(error: WebError) -> Self {
        match error {
            WebError::Type(web::TypeError::Malformed(error)) => Failure::Malformed(error.malformed),
            WebError::Range(web::RangeError::Length(_)) => Failure::TooLong,
            // No label is looked up here, and no stream is closed.
            _ => Failure::Memory,
        }
    }
}

/// The setup of a decoder as one number: the number of the encoding in bits 0 to 5, `fatal` in bit 6,
/// `ignoreBOM` in bit 7.
#[derive(Clone, Copy, Debug)]
pub struct Setup(pub u32);

impl Setup {
    fn encoding(self) -> &'static simdtext::Encoding {
        crate::encoding(self.0 & 0x3F)
    }

    /// UTF-16 needs no decoding if it is well-formed and in this machine's byte order and alignment.
    fn units_as_they_are(self, input: &[u8]) -> Option<&[u16]> {
        let is_native = cfg!(target_endian = "little") && self.encoding() == simdtext::UTF_16LE;
        if !is_native || input.len() / 2 > LONGEST_STRING {
            return None;
        }
        let units: &[u16] = bytemuck::try_cast_slice(input).ok()?;
        unicode::validate_utf16(units).ok()?;
        let bom = usize::from(!self.ignores_bom() && units.first() == Some(&0xFEFF));
        units.get(bom..)
    }

    fn ignores_bom(self) -> bool {
        self.0 & 0x80 != 0
    }

    fn decoder(self) -> web::TextDecoder {
        let options = TextDecoderOptions::new()
            .fatal(self.0 & 0x40 != 0)
            .ignore_bom(self.ignores_bom());
        // The JavaScript side refuses replacement, the only encoding for which no decoder is made.
        web::TextDecoder::new(self.encoding().name(), options).unwrap_or_default()
    }
}

/// Decodes all of `input`, and passes the text on.
pub fn decode<R>(
    setup: Setup,
    input: &[u8],
    take: impl FnOnce(Result<Text<'_>, Failure>) -> R,
) -> R {
    if setup.encoding().is_ascii_compatible() && unicode::validate_ascii(input).is_ok() {
        return take(if input.len() > LONGEST_STRING {
            Err(Failure::TooLong)
        } else {
            Ok(Text::Ascii(input))
        });
    }
    if let Some(units) = setup.units_as_they_are(input) {
        return take(Ok(Text::of(units)));
    }
    to_text(&mut setup.decoder(), input, false, take)
}

/// Returns whether these bytes are UTF-16LE without errors, from which a platform can make a string directly.
#[must_use]
pub fn is_utf16le(bytes: &[u8]) -> bool {
    unicode::validate_utf16le(bytes).is_ok()
}

/// A decoder for the calls of a stream. A call may come in several pieces.
#[derive(Debug)]
pub struct TextDecoder {
    setup: Setup,
    /// It decodes a byte order mark as text, because it can't know which pieces belong to one call, and a
    /// call that throws has not seen a byte order mark, whatever its first pieces contained.
    decoder: web::TextDecoder,
    removes_bom: bool,
    bom_seen: bool,
    /// The value of `bom_seen` when the call began, while its pieces are decoded.
    bom_seen_before: Option<bool>,
    /// How many bytes of the stream the decoder never got because they came after an error.
    dropped: u64,
}

impl TextDecoder {
    /// A new decoder.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let is_unicode =
            [simdtext::UTF_8, simdtext::UTF_16BE, simdtext::UTF_16LE].contains(&setup.encoding());
        TextDecoder {
            setup,
            decoder: Setup(setup.0 | 0x80).decoder(),
            removes_bom: is_unicode && !setup.ignores_bom(),
            bom_seen: false,
            bom_seen_before: None,
            dropped: 0,
        }
    }

    /// The standard's `decode(input, { stream })`, or a piece of it: `rest` more bytes of its input follow in
    /// further calls, unless this one fails. After a failure without `stream` the next call begins a new stream.
    pub fn decode<R>(
        &mut self,
        input: &[u8],
        rest: u64,
        stream: bool,
        take: impl FnOnce(Result<Text<'_>, Failure>) -> R,
    ) -> R {
        let is_last_piece = rest == 0;
        let before = self.bom_seen_before.unwrap_or(self.bom_seen);
        let mut failed = false;
        let taken = to_text(
            &mut self.decoder,
            input,
            stream || !is_last_piece,
            |result| {
                let result = result.map(|text| {
                    let is_first = self.removes_bom && !self.bom_seen && !text.is_empty();
                    self.bom_seen |= !text.is_empty();
                    if is_first { text.without_bom() } else { text }
                });
                let result = result.map_err(|failure| {
                    self.bom_seen = before;
                    match failure {
                        Failure::Malformed(mut malformed) => {
                            malformed.offset += self.dropped;
                            Failure::Malformed(malformed)
                        }
                        other => other,
                    }
                });
                self.bom_seen_before = (result.is_ok() && !is_last_piece).then_some(before);
                failed = result.is_err();
                if failed {
                    self.dropped += rest;
                }
                if !stream && is_last_piece {
                    // The next call begins a new stream.
                    (self.bom_seen, self.dropped) = (false, 0);
                }
                take(result)
            },
        );
        if failed && !stream {
            *self = TextDecoder::new(self.setup);
        }
        taken
    }
}

fn to_text<R>(
    decoder: &mut web::TextDecoder,
    input: &[u8],
    stream: bool,
    take: impl FnOnce(Result<Text<'_>, Failure>) -> R,
) -> R {
    let options = TextDecodeOptions::new().stream(stream);
    if cfg!(not(target_family = "wasm")) && input.len() >= LONG {
        keep_freed_memory();
        let mut buffer = Vec::new();
        let text = decoder.decode_to_utf16(input, options, &mut buffer, LONGEST_STRING);
        return take(text.map_err(Failure::from).map(|text| {
            buffer.drain(..text.start);
            // The string may live long, and the text may take only a third of the room. Shrinking happens in
            // place, at no cost.
            buffer.shrink_to_fit();
            Text::Owned(buffer)
        }));
    }
    with_buffer(|buffer| {
        let text = decoder.decode_to_utf16(input, options, buffer, LONGEST_STRING);
        take(match text {
            Ok(text) => Ok(Text::of(buffer.get(text).unwrap_or_default())),
            Err(error) => Err(Failure::from(error)),
        })
    })
}

/// Makes the GNU C library keep freed blocks of up to 64 MiB for the next text. At first it requests each
/// large block from the system and returns it at once, and most of the time is spent on fresh pages. It
/// adapts to the size of a block that is freed, up to 32 MiB.
fn keep_freed_memory() {
    static LEARNT: Once = Once::new();
    if cfg!(target_env = "gnu") {
        LEARNT.call_once(|| {
            let mut block = Vec::<u8>::new();
            // Without memory for the block, there is nothing to adapt to.
            let _ = block.try_reserve_exact(31 << 20);
            drop(black_box(block));
        });
    }
}

/// Calls a function with the thread's buffer of code units, which saves an allocation in each call.
pub(crate) fn with_buffer<R>(run: impl FnOnce(&mut Vec<u16>) -> R) -> R {
    thread_local! {
        static BUFFER: Cell<Vec<u16>> = const { Cell::new(Vec::new()) };
    }
    // The buffer is taken out, so that a call within the call finds an empty one.
    let mut buffer = BUFFER.take();
    let result = run(&mut buffer);
    if buffer.capacity() <= LONGEST_KEPT {
        BUFFER.set(buffer);
    }
    result
}

/// A buffer of more code units than this is freed after the call: each thread keeps at most 16 MiB.
const LONGEST_KEPT: usize = 8 << 20;
