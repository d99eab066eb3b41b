//! The streaming decoder.

use core::mem::MaybeUninit;

use crate::encoding::Encoding;
use crate::progress::{Bom, Malformed, Progress};

/// Decodes a stream of bytes, piece by piece, without allocating.
#[derive(Clone, Debug)]
pub struct Decoder {
    encoding: &'static Encoding,
}

#[expect(unused_variables, reason = "stub")]
impl Decoder {
    pub(crate) fn new(encoding: &'static Encoding, bom: Bom) -> Self {
        todo!()
    }
    /// The encoding being decoded: final once the first three bytes have been seen.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }
    /// Bytes read since the start of the stream, held ones included.
    #[must_use]
    pub fn total_read(&self) -> u64 {
        todo!()
    }
    /// Starts anew.
    pub fn reset(&mut self) {
        todo!()
    }
    /// Bytes of UTF-8 that `n` more bytes of input can become at the most (`None`: overflow).
    #[must_use]
    pub fn max_utf8_len(&self, n: usize) -> Option<usize> {
        todo!()
    }
    /// Code units that `n` more bytes of input can become at the most.
    #[must_use]
    pub fn max_utf16_len(&self, n: usize) -> Option<usize> {
        todo!()
    }
    /// Replacement.
    pub fn decode_to_utf8(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        todo!()
    }
    /// Replacement.
    pub fn decode_to_utf8_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> Progress {
        todo!()
    }
    /// Stops after each malformed sequence.
    pub fn decode_to_utf8_strict(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        todo!()
    }
    /// Stops after each malformed sequence.
    pub fn decode_to_utf8_strict_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> Progress {
        todo!()
    }
    /// Replacement, and each error is told.
    pub fn decode_to_utf8_with(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        on_error: impl FnMut(Malformed),
    ) -> Progress {
        todo!()
    }
    /// Replacement, and each error is told.
    pub fn decode_to_utf8_with_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
        on_error: impl FnMut(Malformed),
    ) -> Progress {
        todo!()
    }
    /// Replacement.
    pub fn decode_to_utf16(&mut self, src: &[u8], dst: &mut [u16], last: bool) -> Progress {
        todo!()
    }
    /// Replacement.
    pub fn decode_to_utf16_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u16>],
        last: bool,
    ) -> Progress {
        todo!()
    }
    /// Stops after each malformed sequence.
    pub fn decode_to_utf16_strict(&mut self, src: &[u8], dst: &mut [u16], last: bool) -> Progress {
        todo!()
    }
    /// Stops after each malformed sequence.
    pub fn decode_to_utf16_strict_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u16>],
        last: bool,
    ) -> Progress {
        todo!()
    }
    /// Replacement, and each error is told.
    pub fn decode_to_utf16_with(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
        on_error: impl FnMut(Malformed),
    ) -> Progress {
        todo!()
    }
    /// Replacement, and each error is told.
    pub fn decode_to_utf16_with_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u16>],
        last: bool,
        on_error: impl FnMut(Malformed),
    ) -> Progress {
        todo!()
    }
    /// Appends to `dst` within its spare capacity; never grows it. `written` counts bytes.
    #[cfg(feature = "alloc")]
    pub fn decode_to_string(
        &mut self,
        src: &[u8],
        dst: &mut alloc::string::String,
        last: bool,
    ) -> Progress {
        todo!()
    }
    /// The same, stopping after each malformed sequence.
    #[cfg(feature = "alloc")]
    pub fn decode_to_string_strict(
        &mut self,
        src: &[u8],
        dst: &mut alloc::string::String,
        last: bool,
    ) -> Progress {
        todo!()
    }
}
