//! The outputs of conversions, made from the buffers that callers pass.

use super::buffer::Room;
use crate::output::{Latin1Out, Nowhere, Sink, Utf8Out, Utf16BytesOut, Utf16Out, Utf32Out};

/// An output of a conversion.
pub(super) trait ConversionSink: Sink {
    /// The character that the output can't hold, if that is why it took no more.
    fn refused(&self) -> Option<char> {
        None
    }

    /// How many characters the output has replaced, if it counts them itself.
    fn replaced(&self) -> Option<usize> {
        None
    }
}

impl ConversionSink for Utf8Out<'_> {}
impl ConversionSink for Utf16Out<'_> {}
impl<const BE: bool> ConversionSink for Utf16BytesOut<'_, BE> {}
impl ConversionSink for Utf32Out<'_> {}
impl ConversionSink for Nowhere {}

impl ConversionSink for Latin1Out<'_> {
    fn refused(&self) -> Option<char> {
        Latin1Out::refused(self)
    }

    fn replaced(&self) -> Option<usize> {
        Latin1Out::replaced(self)
    }
}

pub(super) fn utf8_out(room: Room<'_, u8>) -> Utf8Out<'_> {
    Utf8Out::new(room.0)
}

pub(super) fn utf16_out(room: Room<'_, u16>) -> Utf16Out<'_> {
    Utf16Out::new(room.0)
}

pub(super) fn utf16_bytes_out<const BE: bool>(room: Room<'_, u8>) -> Utf16BytesOut<'_, BE> {
    Utf16BytesOut::new(room.0)
}

pub(super) fn utf32_out(room: Room<'_, u32>) -> Utf32Out<'_> {
    Utf32Out::new(room.0)
}

pub(super) fn latin1_out(room: Room<'_, u8>) -> Latin1Out<'_> {
    Latin1Out::strict(room.0)
}

/// Latin-1 with a question mark for each character above U+00FF.
pub(super) fn latin1_lossy_out(room: Room<'_, u8>) -> Latin1Out<'_> {
    Latin1Out::lossy(room.0)
}
