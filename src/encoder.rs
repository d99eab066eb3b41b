//! The streaming encoder.

use core::mem::MaybeUninit;

use crate::encoding::Encoding;
use crate::progress::{Progress, Unmappable};

/// Encodes a stream of text, piece by piece, without allocating.
#[derive(Clone, Debug)]
pub struct Encoder {
    encoding: &'static Encoding,
}

#[expect(unused_variables, reason = "stub")]
impl Encoder {
    pub(crate) fn new(encoding: &'static Encoding) -> Option<Self> {
        todo!()
    }
    /// The encoding.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }
    /// Input units read since the start of the stream (a held surrogate included).
    #[must_use]
    pub fn total_read(&self) -> u64 {
        todo!()
    }
    /// Starts anew.
    pub fn reset(&mut self) {
        todo!()
    }
    /// Bytes that `n` more bytes of UTF-8 can become at the most, unmappable characters not
    /// counted.
    #[must_use]
    pub fn max_len_from_utf8(&self, n: usize) -> Option<usize> {
        todo!()
    }
    /// Bytes that `n` more code units of UTF-16 can become at the most, unmappable characters
    /// not counted.
    #[must_use]
    pub fn max_len_from_utf16(&self, n: usize) -> Option<usize> {
        todo!()
    }
    /// From UTF-8.
    pub fn encode_from_utf8(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        todo!()
    }
    /// From UTF-8.
    pub fn encode_from_utf8_uninit(
        &mut self,
        src: &str,
        dst: &mut [MaybeUninit<u8>],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        todo!()
    }
    /// From UTF-16. A leading surrogate at the end of `src` is held until the next call.
    pub fn encode_from_utf16(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        todo!()
    }
    /// From UTF-16.
    pub fn encode_from_utf16_uninit(
        &mut self,
        src: &[u16],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        todo!()
    }
}
