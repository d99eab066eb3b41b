//! What is decoded to: UTF-8 in a `String`, or UTF-16 in a `Vec<u16>`.

use std::string::String;
use std::vec::Vec;

use crate::decoder::Decoder;
use crate::output::{PartUnits, Spare, append_parts, append_parts_of_text};
use crate::progress::{Malformed, Progress, Status};

/// A result that is put together of pieces.
pub(super) trait Target: Default + Send {
    /// What one piece is decoded to.
    type Buffer: PieceBuffer<Slice = Self::Slice>;
    type Slice: PartUnits + ?Sized + Sync;

    /// Reserves room for `units` more units.
    fn reserve(&mut self, units: usize);

    /// Drops what is left of the room.
    fn shrink(&mut self);

    /// Lets threads fill the room after the end.
    fn append<R>(&mut self, give: impl FnOnce(Spare<'_, Self::Slice>) -> R) -> R;

    /// The result, if there was only one piece.
    fn from_buffer(buffer: Self::Buffer) -> Self;
}

/// What a piece is decoded to. It is reused for the next piece.
pub(super) trait PieceBuffer: Default + Send {
    type Slice: ?Sized;

    fn clear(&mut self);

    /// Makes room for the most that `len` more bytes can become.
    fn reserve(&mut self, decoder: &Decoder, len: usize);

    fn push_replacement(&mut self);

    fn decode(&mut self, decoder: &mut Decoder, src: &[u8], last: bool) -> Progress;

    fn decode_strict(&mut self, decoder: &mut Decoder, src: &[u8], last: bool) -> Progress;

    fn decode_with(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        on_error: impl FnMut(Malformed),
    ) -> Progress;

    fn whole(&self) -> &Self::Slice;
}

/// Which errors are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Errors {
    /// The first, and the number of all.
    First,
    /// The first, and nothing after it.
    Strict,
    /// All.
    All,
}

/// What was malformed in a piece.
#[derive(Debug, Default)]
pub(super) struct PieceErrors {
    pub(super) count: usize,
    pub(super) first: Option<Malformed>,
    /// With [`Errors::All`].
    pub(super) all: Vec<Malformed>,
}

/// Decodes one piece, with [`Errors::Strict`] only up to the first error.
pub(super) fn decode_piece<B: PieceBuffer>(
    decoder: &mut Decoder,
    piece: &[u8],
    last: bool,
    errors: Errors,
    buffer: &mut B,
    found: &mut PieceErrors,
) {
    buffer.clear();
    (found.count, found.first) = (0, None);
    found.all.clear();
    let mut rest = piece;
    loop {
        buffer.reserve(decoder, rest.len());
        let progress = match errors {
            Errors::All => {
                buffer.decode_with(decoder, rest, last, |malformed| found.all.push(malformed))
            }
            // It pays to stop only for the first malformed sequence.
            _ if found.first.is_none() => buffer.decode_strict(decoder, rest, last),
            _ => buffer.decode(decoder, rest, last),
        };
        rest = &rest[progress.read..];
        found.count += progress.errors;
        match progress.status {
            Status::Malformed(malformed) => {
                found.first = Some(malformed);
                if errors == Errors::Strict {
                    return;
                }
                buffer.push_replacement();
            }
            Status::OutputFull => {}
            Status::InputEmpty | Status::Unmappable { .. } => break,
        }
    }
    if errors == Errors::All {
        found.first = found.all.first().copied();
    }
}

impl Target for String {
    type Buffer = String;
    type Slice = str;

    fn reserve(&mut self, units: usize) {
        self.reserve(units);
    }

    fn shrink(&mut self) {
        self.shrink_to_fit();
    }

    fn append<R>(&mut self, give: impl FnOnce(Spare<'_, str>) -> R) -> R {
        append_parts_of_text(self, give)
    }

    fn from_buffer(buffer: String) -> Self {
        buffer
    }
}

impl PieceBuffer for String {
    type Slice = str;

    fn clear(&mut self) {
        self.clear();
    }

    fn reserve(&mut self, decoder: &Decoder, len: usize) {
        self.reserve(decoder.max_utf8_len(len).unwrap_or(len));
    }

    fn push_replacement(&mut self) {
        self.push(char::REPLACEMENT_CHARACTER);
    }

    fn decode(&mut self, decoder: &mut Decoder, src: &[u8], last: bool) -> Progress {
        decoder.decode_to_string(src, self, last)
    }

    fn decode_strict(&mut self, decoder: &mut Decoder, src: &[u8], last: bool) -> Progress {
        decoder.decode_to_string_strict(src, self, last)
    }

    fn decode_with(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        on_error: impl FnMut(Malformed),
    ) -> Progress {
        decoder.decode_to_string_with(src, self, last, on_error)
    }

    fn whole(&self) -> &str {
        self
    }
}

/// UTF-16 at the front of an initialised buffer.
#[derive(Debug, Default)]
pub(super) struct Utf16Buffer {
    units: Vec<u16>,
    len: usize,
}

impl Utf16Buffer {
    fn fill(&mut self, decode: impl FnOnce(&mut [u16]) -> Progress) -> Progress {
        let progress = decode(&mut self.units[self.len..]);
        self.len += progress.written;
        progress
    }
}

impl Target for Vec<u16> {
    type Buffer = Utf16Buffer;
    type Slice = [u16];

    fn reserve(&mut self, units: usize) {
        self.reserve(units);
    }

    fn shrink(&mut self) {
        self.shrink_to_fit();
    }

    fn append<R>(&mut self, give: impl FnOnce(Spare<'_, [u16]>) -> R) -> R {
        append_parts(self, give)
    }

    fn from_buffer(mut buffer: Utf16Buffer) -> Self {
        buffer.units.truncate(buffer.len);
        buffer.units
    }
}

impl PieceBuffer for Utf16Buffer {
    type Slice = [u16];

    fn clear(&mut self) {
        self.len = 0;
    }

    fn reserve(&mut self, decoder: &Decoder, len: usize) {
        let len = self.len + decoder.max_utf16_len(len).unwrap_or(len).max(1);
        if self.units.len() < len {
            self.units.resize(len, 0);
        }
    }

    fn push_replacement(&mut self) {
        if self.len == self.units.len() {
            self.units.push(0);
        }
        self.units[self.len] = 0xFFFD;
        self.len += 1;
    }

    fn decode(&mut self, decoder: &mut Decoder, src: &[u8], last: bool) -> Progress {
        self.fill(|dst| decoder.decode_to_utf16(src, dst, last))
    }

    fn decode_strict(&mut self, decoder: &mut Decoder, src: &[u8], last: bool) -> Progress {
        self.fill(|dst| decoder.decode_to_utf16_strict(src, dst, last))
    }

    fn decode_with(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        on_error: impl FnMut(Malformed),
    ) -> Progress {
        self.fill(|dst| decoder.decode_to_utf16_with(src, dst, last, on_error))
    }

    fn whole(&self) -> &[u16] {
        &self.units[..self.len]
    }
}
