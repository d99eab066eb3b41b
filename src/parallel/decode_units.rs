//! What is decoded to: UTF-8 in a `String`, or UTF-16 in a `Vec<u16>`.

use std::string::String;
use std::vec::Vec;

use crate::decoder::Decoder;
use crate::drive::ErrorMode;
use crate::output::{PartUnits, Spare, append_parts, append_parts_of_text};
use crate::progress::{Malformed, Progress, Status};

/// Text that is decoded to: that of a piece, and the result, which is put together of pieces.
pub(super) trait Target: Default + Send {
    type Slice: PartUnits + ?Sized;

    fn whole(&self) -> &Self::Slice;

    fn clear(&mut self);

    /// Reserves room for `units` more units.
    fn reserve(&mut self, units: usize);

    /// Drops what is left of the room.
    fn shrink(&mut self);

    /// Lets threads fill the room after the end.
    fn append<R>(&mut self, give: impl FnOnce(Spare<'_, Self::Slice>) -> R) -> R;

    /// Returns the maximum number of units that `len` more bytes can become.
    fn max_len(decoder: &Decoder, len: usize) -> Option<usize>;

    /// Decodes `src` into the room after the end.
    fn decode(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        mode: ErrorMode<'_>,
    ) -> Progress;
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
pub(super) fn decode_piece<T: Target>(
    decoder: &mut Decoder,
    piece: &[u8],
    last: bool,
    errors: Errors,
    text: &mut T,
    found: &mut PieceErrors,
) {
    text.clear();
    (found.count, found.first) = (0, None);
    found.all.clear();
    let mut rest = piece;
    loop {
        text.reserve(T::max_len(decoder, rest.len()).unwrap_or(rest.len()).max(1));
        let mut tell = |malformed| found.all.push(malformed);
        let mode = match errors {
            Errors::First => ErrorMode::keeping(&mut found.first),
            Errors::Strict => ErrorMode::Stop,
            Errors::All => ErrorMode::Tell(&mut tell),
        };
        let progress = text.decode(decoder, rest, last, mode);
        rest = &rest[progress.read..];
        found.count += progress.errors;
        match progress.status {
            Status::OutputFull => {}
            Status::Malformed(malformed) => {
                found.first = Some(malformed);
                return;
            }
            Status::InputEmpty | Status::Unmappable { .. } => break,
        }
    }
    found.first = found.first.or(found.all.first().copied());
}

impl Target for String {
    type Slice = str;

    fn whole(&self) -> &str {
        self
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn reserve(&mut self, units: usize) {
        self.reserve(units);
    }

    fn shrink(&mut self) {
        self.shrink_to_fit();
    }

    fn append<R>(&mut self, give: impl FnOnce(Spare<'_, str>) -> R) -> R {
        append_parts_of_text(self, give)
    }

    fn max_len(decoder: &Decoder, len: usize) -> Option<usize> {
        decoder.max_utf8_len(len)
    }

    fn decode(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        mode: ErrorMode<'_>,
    ) -> Progress {
        decoder.append_to_string(src, self, last, mode)
    }
}

impl Target for Vec<u16> {
    type Slice = [u16];

    fn whole(&self) -> &[u16] {
        self
    }

    fn clear(&mut self) {
        self.clear();
    }

    fn reserve(&mut self, units: usize) {
        self.reserve(units);
    }

    fn shrink(&mut self) {
        self.shrink_to_fit();
    }

    fn append<R>(&mut self, give: impl FnOnce(Spare<'_, [u16]>) -> R) -> R {
        append_parts(self, give)
    }

    fn max_len(decoder: &Decoder, len: usize) -> Option<usize> {
        decoder.max_utf16_len(len)
    }

    fn decode(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        mode: ErrorMode<'_>,
    ) -> Progress {
        decoder.append_to_units(src, self, usize::MAX, last, mode)
    }
}
