//! Section 7's decoder, to text that a JavaScript string can be made of.

use std::cell::Cell;
use std::collections::TryReserveError;
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

    /// The text, without U+FEFF where it begins with one.
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
    /// As numbers: 0, the offset and the bytes of what is malformed; 1 for [`Failure::TooLong`]; 2 for
    /// [`Failure::Memory`]. (`../../src/errors.js` makes errors of them.)
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
            // No label is looked up, and no stream is closed.
            _ => Failure::Memory,
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

/// A decoder between the calls of a stream. A call may come in several pieces.
#[derive(Debug)]
pub struct TextDecoder {
    /// Takes a byte order mark for text. It can't see which pieces are of one call, and a call that
    /// throws has not seen a byte order mark, whatever its first pieces were.
    decoder: web::TextDecoder,
    removes_bom: bool,
    bom_seen: bool,
    /// What `bom_seen` was when the call began, between its pieces.
    bom_seen_before: Option<bool>,
    /// Bytes of the stream that the decoder never got: they stood after an error.
    dropped: u64,
}

impl TextDecoder {
    /// A new decoder.
    #[must_use]
    pub fn new(setup: Setup) -> Self {
        let is_unicode =
            [simdtext::UTF_8, simdtext::UTF_16BE, simdtext::UTF_16LE].contains(&setup.encoding());
        TextDecoder {
            decoder: Setup(setup.0 | 0x80).decoder(),
            removes_bom: is_unicode && !setup.ignores_bom(),
            bom_seen: false,
            bom_seen_before: None,
            dropped: 0,
        }
    }

    /// The standard's `decode(input, { stream })`, or a piece of it: `rest` bytes of its input follow in
    /// further calls, unless this one fails.
    pub fn decode<R>(
        &mut self,
        input: &[u8],
        rest: u64,
        stream: bool,
        take: impl FnOnce(Result<Text<'_>, Failure>) -> R,
    ) -> R {
        let is_last_piece = rest == 0;
        let before = self.bom_seen_before.unwrap_or(self.bom_seen);
        to_text(
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
                if result.is_err() {
                    self.dropped += rest;
                }
                if !stream && (is_last_piece || result.is_err()) {
                    // The next call begins a new stream.
                    (self.bom_seen, self.dropped) = (false, 0);
                }
                take(result)
            },
        )
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
            // The string may live long, and the text be a third of the room; in place, this costs nothing.
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
