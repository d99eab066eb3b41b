//! Section 7's decoder, to text that a JavaScript string can be made of.

use std::cell::Cell;
use std::hint::black_box;
use std::sync::Once;

use simdtext::unicode;
use simdtext::web::{self, TextDecodeOptions, TextDecoderOptions, WebError};

/// What a string is made of.
#[derive(Clone, Debug)]
pub enum Text<'a> {
    /// Nothing but ASCII.
    Ascii(&'a [u8]),
    /// Code units, surrogates in pairs.
    Utf16(&'a [u16]),
    /// The same, many of them, for a string that owns them.
    Owned(Vec<u16>),
}

/// The longest string that V8 makes on 64-bit machines, in code units. (`../../src/engine/limit.js` has the
/// same number.)
pub(crate) const LONGEST_STRING: usize = 0x1FFF_FFE8;

/// From how many code units on text is [`Text::Owned`]. V8 allocates more than 128 KiB apart from everything
/// else, which takes longer than copying the text does.
const LARGE: usize = (64 << 10) - 16;

/// From how many bytes of input on text is decoded to where it stays: it would not be in the cache any more
/// when it was copied.
const LONG: usize = 1 << 18;

impl<'a> Text<'a> {
    fn of(units: &'a [u16]) -> Self {
        if cfg!(not(target_family = "wasm")) && units.len() >= LARGE {
            Text::Owned(units.to_vec())
        } else {
            Text::Utf16(units)
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
}

impl Failure {
    /// As numbers: the offset and the bytes of what is malformed, or nothing.
    #[must_use]
    pub fn numbers(self) -> Vec<f64> {
        match self {
            Failure::Malformed(malformed) => std::iter::once(malformed.offset as f64)
                .chain(malformed.bytes().iter().copied().map(f64::from))
                .collect(),
            Failure::TooLong => Vec::new(),
        }
    }
}

/// How a decoder is set up, in one number: the encoding's in bits 0 to 5, `fatal` in bit 6, `ignoreBOM`
/// in bit 7.
#[derive(Clone, Copy, Debug)]
pub struct Setup(pub u32);

impl Setup {
    fn encoding(self) -> &'static simdtext::Encoding {
        crate::encoding(self.0 & 0x3F)
    }

    /// UTF-16 that is well formed, and in the order and at the place of this machine's code units, needs no
    /// decoding.
    fn units_as_they_are(self, input: &[u8]) -> Option<&[u16]> {
        let is_native = cfg!(target_endian = "little") && self.encoding() == simdtext::UTF_16LE;
        if !is_native || input.len() / 2 > LONGEST_STRING {
            return None;
        }
        let units: &[u16] = bytemuck::try_cast_slice(input).ok()?;
        unicode::validate_utf16(units).ok()?;
        let bom = usize::from(self.0 & 0x80 == 0 && units.first() == Some(&0xFEFF));
        units.get(bom..)
    }

    fn decoder(self) -> web::TextDecoder {
        let options = TextDecoderOptions::new()
            .fatal(self.0 & 0x40 != 0)
            .ignore_bom(self.0 & 0x80 != 0);
        // The JavaScript side refuses replacement, the only name that makes no decoder.
        web::TextDecoder::new(self.encoding().name(), options).unwrap_or_default()
    }
}

/// Decodes `input` as a whole, and hands the text over.
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

/// Whether these bytes are UTF-16LE without errors, for which a platform may have strings at once.
#[must_use]
pub fn is_utf16le(bytes: &[u8]) -> bool {
    unicode::validate_utf16le(bytes).is_ok()
}

/// A decoder between the calls of a stream.
#[derive(Debug)]
pub struct TextDecoder(web::TextDecoder);

impl TextDecoder {
    /// A new decoder.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        TextDecoder(setup.decoder())
    }

    /// The standard's `decode(input, { stream })`.
    pub fn decode<R>(
        &mut self,
        input: &[u8],
        stream: bool,
        take: impl FnOnce(Result<Text<'_>, Failure>) -> R,
    ) -> R {
        to_text(&mut self.0, input, stream, take)
    }
}

fn to_text<R>(
    decoder: &mut web::TextDecoder,
    input: &[u8],
    stream: bool,
    take: impl FnOnce(Result<Text<'_>, Failure>) -> R,
) -> R {
    let options = TextDecodeOptions::new().stream(stream);
    let failure = |error| match error {
        WebError::Type(web::TypeError::Malformed(error)) => Failure::Malformed(error.malformed),
        _ => Failure::TooLong,
    };
    if cfg!(not(target_family = "wasm")) && input.len() >= LONG {
        keep_freed_memory();
        let mut buffer = Vec::new();
        let text = decoder.decode_to_utf16(input, options, &mut buffer, LONGEST_STRING);
        return take(text.map_err(failure).map(|text| {
            buffer.drain(..text.start);
            // The string may live long, and the text be a third of the room; in place, this costs nothing.
            buffer.shrink_to_fit();
            Text::Owned(buffer)
        }));
    }
    with_buffer(|buffer| {
        let text = decoder.decode_to_utf16(input, options, buffer, LONGEST_STRING);
        take(match text {
            Ok(text) => Ok(Text::of(buffer.get(text).unwrap_or_default())),
            Err(error) => Err(failure(error)),
        })
    })
}

/// Has the GNU C library keep what the collector frees, up to 64 MiB, for the next text. At first it asks the
/// system for each large block and gives it back at once, and then most of the time is spent on fresh pages.
/// It learns from the size of a block that is freed, of up to 32 MiB.
fn keep_freed_memory() {
    static LEARNT: Once = Once::new();
    if cfg!(target_env = "gnu") {
        LEARNT.call_once(|| {
            let mut block = Vec::<u8>::new();
            // Where there is no memory for it, there is nothing to learn.
            let _ = block.try_reserve_exact(31 << 20);
            drop(black_box(block));
        });
    }
}

/// Runs something with the thread's buffer of code units, which saves an allocation in each call.
pub(crate) fn with_buffer<R>(run: impl FnOnce(&mut Vec<u16>) -> R) -> R {
    thread_local! {
        static BUFFER: Cell<Vec<u16>> = const { Cell::new(Vec::new()) };
    }
    // Taken out meanwhile, so that a call within the call would find an empty one.
    let mut buffer = BUFFER.take();
    let result = run(&mut buffer);
    if buffer.capacity() <= LONGEST_KEPT {
        BUFFER.set(buffer);
    }
    result
}

/// A longer buffer is given back after the call (code units): 16 MiB are kept for each thread at most.
const LONGEST_KEPT: usize = 8 << 20;
