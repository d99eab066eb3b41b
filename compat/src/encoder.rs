//! The streaming encoder. `lengths.rs` calculates the room that its output needs.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::ops::{Index, RangeFrom};

use simdtext::{Progress, Status, Unmappable};

use crate::encoding::Kind;
use crate::lengths::LONGEST_REFERENCE;
use crate::mem::convert_utf16_to_utf8_partial;
use crate::{CoderResult, EncoderResult, Encoding};

/// Encodes a stream of text, piece by piece.
///
/// Made by [`Encoding::new_encoder`]. Give it the text in pieces of any size, and set `last` with the last one: ISO-2022-JP
/// then writes its final escape sequence.
///
/// ```
/// use simdtext_encoding_rs::{CoderResult, WINDOWS_1252};
///
/// let mut encoder = WINDOWS_1252.new_encoder();
/// let mut dst = [0; 32];
/// let (result, _, written, had_unmappables) = encoder.encode_from_utf8("3 € ≠ 4", &mut dst, true);
/// assert_eq!((result, had_unmappables), (CoderResult::InputEmpty, true));
/// assert_eq!(&dst[..written], b"3 \x80 &#8800; 4");
/// ```
pub struct Encoder {
    inner: simdtext::Encoder,
    encoding: &'static Encoding,
}

impl Encoder {
    /// An encoder to an output encoding.
    #[inline]
    pub(crate) fn new(encoding: &'static Encoding) -> Self {
        let inner = encoding.inner.encoder();
        Encoder {
            inner: inner.expect("every output encoding has an encoder"),
            encoding,
        }
    }

    /// The encoding.
    #[inline]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Whether the end of the stream still has to write an escape sequence. Only ever true in ISO-2022-JP.
    #[inline]
    pub fn has_pending_state(&self) -> bool {
        self.inner.has_pending_output()
    }

    /// Encodes `src` (UTF-8) to `dst`; unmappable characters become decimal numeric character references. Returns why it
    /// stopped, the bytes read, the bytes written, and whether anything was unmappable.
    ///
    /// Ten bytes of `dst` are kept free for a reference, and bytes past those written may be overwritten,
    /// unless the encoding is UTF-8.
    #[inline]
    pub fn encode_from_utf8(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        self.encode_with_references(src, dst, last)
    }

    /// Encodes `src` (UTF-16) to `dst`; unmappable characters become decimal numeric character references. Returns why
    /// it stopped, the code units read, the bytes written, and whether anything was unmappable.
    ///
    /// A surrogate without its other half is U+FFFD, even a leading one at the end of `src`: pieces must not
    /// be cut within a pair. Ten bytes of `dst` are kept free for a reference, and bytes past those written
    /// may be overwritten, unless the encoding is UTF-8.
    #[inline]
    pub fn encode_from_utf16(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        self.encode_with_references(src, dst, last)
    }

    /// Encodes `src` (UTF-8) and appends to `dst` within its spare capacity; unmappable characters become decimal numeric
    /// character references. Returns why it stopped, the bytes read, and whether anything was unmappable.
    ///
    /// If fewer than ten bytes are free, the output counts as full, unless the encoding is UTF-8.
    #[cfg(feature = "alloc")]
    pub fn encode_from_utf8_to_vec(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> (CoderResult, usize, bool) {
        let room = dst.capacity() - dst.len();
        if room < self.reserve() {
            return (self.result_without_room(src.is_empty(), last), 0, false);
        }
        let done = self.inner.encode_to_vec(src, dst, last, Unmappable::Ncr);
        (done.status.into(), done.read, done.errors > 0)
    }

    /// Encodes `src` (UTF-8) to `dst`, and stops after each unmappable character. Returns why it stopped, the bytes read,
    /// and the bytes written.
    ///
    /// Bytes of `dst` past those written may be overwritten, unless the encoding is UTF-8.
    #[inline]
    pub fn encode_from_utf8_without_replacement(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        let done = self.encode(src, dst, last, Unmappable::Strict);
        (done.status.into(), done.read, done.written)
    }

    /// Encodes `src` (UTF-16) to `dst`, and stops after each unmappable character. Returns why it stopped, the code units
    /// read, and the bytes written.
    ///
    /// A surrogate without its other half is U+FFFD, even a leading one at the end of `src`. Bytes of `dst`
    /// past those written may be overwritten.
    #[inline]
    pub fn encode_from_utf16_without_replacement(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
    ) -> (EncoderResult, usize, usize) {
        let done = self.encode(src, dst, last, Unmappable::Strict);
        (done.status.into(), done.read, done.written)
    }

    /// Encodes `src` (UTF-8) and appends to `dst` within its spare capacity, and stops after each unmappable character.
    /// Returns why it stopped, and the bytes read.
    #[cfg(feature = "alloc")]
    pub fn encode_from_utf8_to_vec_without_replacement(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> (EncoderResult, usize) {
        let done = self.inner.encode_to_vec(src, dst, last, Unmappable::Strict);
        (done.status.into(), done.read)
    }

    /// Encodes with ten bytes kept free, in which nothing but a reference may be written.
    #[inline]
    fn encode_with_references<S: Source + ?Sized>(
        &mut self,
        src: &S,
        dst: &mut [u8],
        last: bool,
    ) -> (CoderResult, usize, usize, bool) {
        let Some(room) = dst.len().checked_sub(self.reserve()) else {
            let result = self.result_without_room(src.units() == 0, last);
            return (result, 0, 0, false);
        };
        let done = self.encode(src, &mut dst[..room], last, Unmappable::Ncr);
        if done.status == Status::OutputFull && done.written < room {
            return self.encode_to_the_end(src, dst, room, last, &done);
        }
        (done.status.into(), done.read, done.written, done.errors > 0)
    }

    /// Goes on after `done`, at something that does not fit into the first `room` bytes, which is allowed if
    /// it is a reference.
    #[cold]
    fn encode_to_the_end<S: Source + ?Sized>(
        &mut self,
        src: &S,
        dst: &mut [u8],
        room: usize,
        last: bool,
        done: &Progress,
    ) -> (CoderResult, usize, usize, bool) {
        let (mut read, mut written) = (done.read, done.written);
        let mut had_unmappables = done.errors > 0;
        loop {
            let to = &mut dst[written..room];
            let done = self.encode(&src[read..], to, last, Unmappable::Strict);
            read += done.read;
            written += done.written;
            let Status::Unmappable { ch, .. } = done.status else {
                return (done.status.into(), read, written, had_unmappables);
            };
            written += write_reference(ch, &mut dst[written..]);
            had_unmappables = true;
            if written >= room {
                let result = self.result_without_room(read == src.units(), last);
                return (result, read, written, had_unmappables);
            }
            let to = &mut dst[written..room];
            let done = self.encode(&src[read..], to, last, Unmappable::Ncr);
            read += done.read;
            written += done.written;
            if done.status != Status::OutputFull || written == room {
                return (done.status.into(), read, written, had_unmappables);
            }
        }
    }

    #[inline]
    fn encode<S: Source + ?Sized>(
        &mut self,
        src: &S,
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        if self.encoding.kind == Kind::Utf8 {
            return src.to_utf8(dst);
        }
        src.encode(&mut self.inner, dst, last, unmappable)
    }

    fn result_without_room(&self, is_empty: bool, last: bool) -> CoderResult {
        if is_empty && !(last && self.has_pending_state()) {
            CoderResult::InputEmpty
        } else {
            CoderResult::OutputFull
        }
    }
}

/// Text to be encoded.
trait Source: Index<RangeFrom<usize>, Output = Self> {
    fn units(&self) -> usize;
    /// Encodes it to UTF-8, without changing the rest of `dst`.
    fn to_utf8(&self, dst: &mut [u8]) -> Progress;
    /// Encodes it by a call of simdtext's encoder.
    fn encode(
        &self,
        encoder: &mut simdtext::Encoder,
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress;
}

/// The result of converting `len` units to UTF-8.
fn progress_of((read, written): (usize, usize), len: usize) -> Progress {
    Progress {
        status: if read == len {
            Status::InputEmpty
        } else {
            Status::OutputFull
        },
        read,
        written,
        errors: 0,
    }
}

impl Source for str {
    #[inline]
    fn to_utf8(&self, dst: &mut [u8]) -> Progress {
        let mut len = self.len().min(dst.len());
        while !self.is_char_boundary(len) {
            len -= 1;
        }
        dst[..len].copy_from_slice(&self.as_bytes()[..len]);
        progress_of((len, len), self.len())
    }

    #[inline]
    fn units(&self) -> usize {
        self.len()
    }

    #[inline]
    fn encode(
        &self,
        encoder: &mut simdtext::Encoder,
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        encoder.encode_from_utf8(self, dst, last, unmappable)
    }
}

impl Source for [u16] {
    #[inline]
    fn to_utf8(&self, dst: &mut [u8]) -> Progress {
        progress_of(convert_utf16_to_utf8_partial(self, dst), self.len())
    }

    #[inline]
    fn units(&self) -> usize {
        self.len()
    }

    #[inline]
    fn encode(
        &self,
        encoder: &mut simdtext::Encoder,
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        let body = match self {
            // simdtext would keep it until the next call.
            [body @ .., 0xD800..=0xDBFF] if !last => body,
            _ => return encoder.encode_from_utf16(self, dst, last, unmappable),
        };
        let before = encoder.encode_from_utf16(body, dst, last, unmappable);
        if before.status != Status::InputEmpty {
            return before;
        }
        let to = &mut dst[before.written..];
        let lone = encoder.encode_from_utf16(&[0xFFFD], to, last, unmappable);
        Progress {
            status: lone.status,
            read: before.read + lone.read,
            written: before.written + lone.written,
            errors: before.errors + lone.errors,
        }
    }
}

/// Writes the decimal numeric character reference of `ch` to the front of `dst`, which has room for any, and
/// returns its length.
fn write_reference(ch: char, dst: &mut [u8]) -> usize {
    let mut reference = [b';'; LONGEST_REFERENCE];
    let mut start = LONGEST_REFERENCE - 1;
    let mut number = u32::from(ch);
    while number > 0 && start > 2 {
        start -= 1;
        reference[start] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    start -= 2;
    reference[start..start + 2].copy_from_slice(b"&#");
    let reference = &reference[start..];
    dst[..reference.len()].copy_from_slice(reference);
    reference.len()
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Encoder")
            .field("encoding", self.encoding)
            .finish_non_exhaustive()
    }
}
