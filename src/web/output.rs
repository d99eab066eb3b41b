//! What [`TextDecoderCommon`](super::common::TextDecoderCommon) decodes to: a `String`, or UTF-16 as
//! JavaScript has it.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use super::RangeError;
use crate::decoder::Decoder;
use crate::drive::ErrorMode;
use crate::progress::{MIN_UTF8, MIN_UTF16, Progress, Status};

/// The output of one call.
pub(super) trait Output: Sized {
    /// What the caller gets.
    type Text;

    /// Makes room for what `more` bytes become, or for a good part of it.
    fn reserve(&mut self, decoder: &Decoder, more: usize) -> Result<(), RangeError>;

    /// Decodes `src` into the room there is.
    fn decode(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        mode: ErrorMode<'_>,
    ) -> Progress;

    fn is_empty(&self) -> bool;

    /// The text, without U+FEFF at its front if `drops_bom`.
    fn text(self, drops_bom: bool) -> Self::Text;
}

impl Output for String {
    type Text = String;

    fn reserve(&mut self, _: &Decoder, more: usize) -> Result<(), RangeError> {
        self.try_reserve(more.saturating_add(MIN_UTF8))
            .map_err(|_| RangeError::Memory)
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

    fn is_empty(&self) -> bool {
        self.as_str().is_empty()
    }

    fn text(mut self, drops_bom: bool) -> String {
        if drops_bom && self.starts_with('\u{FEFF}') {
            self.drain(..'\u{FEFF}'.len_utf8());
        }
        self
    }
}

/// Code units in a buffer that keeps its capacity from call to call.
pub(super) struct Units<'a> {
    buffer: &'a mut Vec<u16>,
    /// How many code units there may be.
    limit: usize,
    /// Whether the limit is reached and the text goes on.
    full: bool,
}

impl<'a> Units<'a> {
    pub(super) fn new(buffer: &'a mut Vec<u16>, limit: usize) -> Self {
        buffer.clear();
        Units {
            buffer,
            limit,
            full: false,
        }
    }
}

impl Output for Units<'_> {
    type Text = Range<usize>;

    fn reserve(&mut self, decoder: &Decoder, more: usize) -> Result<(), RangeError> {
        if self.full {
            return Err(RangeError::Length(self.limit));
        }
        let most = decoder.max_utf16_len(more).unwrap_or(usize::MAX);
        let room = most.saturating_add(MIN_UTF16);
        let lacking = room.min(self.limit - self.buffer.len());
        self.buffer
            .try_reserve(lacking)
            .map_err(|_| RangeError::Memory)
    }

    fn decode(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        mode: ErrorMode<'_>,
    ) -> Progress {
        let most = self.limit - self.buffer.len();
        let progress = decoder.append_to_units(src, self.buffer, most, last, mode);
        let is_limit = self.buffer.capacity() >= self.limit;
        self.full = progress.status == Status::OutputFull && is_limit;
        progress
    }

    fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    fn text(self, drops_bom: bool) -> Range<usize> {
        let has_bom = self.buffer.first() == Some(&0xFEFF);
        usize::from(drops_bom && has_bom)..self.buffer.len()
    }
}
