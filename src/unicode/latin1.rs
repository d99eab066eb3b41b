//! Latin-1, true ISO-8859-1: a byte is the code point of the same value.

use core::mem::MaybeUninit;

use super::machine::{Latin1, strict};
use super::{Buffer, Conversion, by_kernel, short};
use crate::output::run::{DecodeRun, FromLatin1};
use crate::output::{Utf8Out, Utf16BytesOut, Utf16Out, Utf32Out};
use crate::simd;

/// Converts Latin-1 (bytes) to UTF-8 (bytes). Never meets anything malformed.
///
/// ```
/// use simdtext::unicode::latin1_to_utf8;
///
/// let mut dst = [0u8; 16];
/// let done = latin1_to_utf8(b"n\xE9", &mut dst);
/// assert_eq!(dst[..done.written], *b"n\xC3\xA9");
/// ```
#[doc(alias(
    "convert_latin1_to_utf8",
    "convert_latin1_to_utf8_partial",
    "convert_latin1_to_utf8_safe",
    "convert_latin1_to_str",
    "convert_latin1_to_str_partial",
))]
#[inline]
pub fn latin1_to_utf8(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        simd::active().latin1_to_utf8(),
        |src, room| strict(Latin1, src, Utf8Out::new(room)),
    )
}

/// Converts Latin-1 (bytes) to UTF-16 (native code units). Never meets anything malformed.
///
/// ```
/// use simdtext::unicode::latin1_to_utf16;
///
/// let mut dst = [0u16; 16];
/// let done = latin1_to_utf16(b"n\xE9", &mut dst);
/// assert_eq!(dst[..done.written], [0x6E, 0xE9]);
/// ```
#[doc(alias("convert_latin1_to_utf16", "copy_ascii_to_basic_latin"))]
#[inline]
pub fn latin1_to_utf16(src: &[u8], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    let room = dst.room().0;
    by_kernel::all_or(short::latin1_to_utf16(src, room), src, room, long_to_utf16)
}

/// [`latin1_to_utf16`] of what is not short.
#[inline(never)]
fn long_to_utf16(src: &[u8], room: &mut [MaybeUninit<u16>]) -> Conversion {
    let kernel = by_kernel::with_both_counts(simd::active().latin1_to_utf16());
    by_kernel::convert(src, room, kernel, |src, room| {
        strict(Latin1, src, Utf16Out::new(room))
    })
}

/// Converts Latin-1 (bytes) to UTF-16LE (bytes). Never meets anything malformed.
///
/// ```
/// use simdtext::unicode::latin1_to_utf16le;
///
/// let mut dst = [0u8; 16];
/// let done = latin1_to_utf16le(b"n\xE9", &mut dst);
/// assert_eq!(dst[..done.written], *b"n\x00\xE9\x00");
/// ```
#[doc(alias = "convert_latin1_to_utf16le")]
pub fn latin1_to_utf16le(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    to_utf16_bytes::<false>(src, dst.room().0)
}

/// Converts Latin-1 (bytes) to UTF-16BE (bytes). Never meets anything malformed.
///
/// ```
/// use simdtext::unicode::latin1_to_utf16be;
///
/// let mut dst = [0u8; 16];
/// let done = latin1_to_utf16be(b"n\xE9", &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00n\x00\xE9");
/// ```
#[doc(alias = "convert_latin1_to_utf16be")]
pub fn latin1_to_utf16be(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    to_utf16_bytes::<true>(src, dst.room().0)
}

fn to_utf16_bytes<const BE: bool>(src: &[u8], room: &mut [MaybeUninit<u8>]) -> Conversion {
    let kernel =
        |src: &[u8], room: &mut [_]| FromLatin1.into_utf16_bytes::<BE>(simd::active(), src, room);
    by_kernel::convert(src, room, kernel, |src, room| {
        strict(Latin1, src, Utf16BytesOut::<BE>::new(room))
    })
}

/// Converts Latin-1 (bytes) to UTF-32 (native code units). Never meets anything malformed.
///
/// ```
/// use simdtext::unicode::latin1_to_utf32;
///
/// let mut dst = [0u32; 16];
/// let done = latin1_to_utf32(b"n\xE9", &mut dst);
/// assert_eq!(dst[..done.written], [0x6E, 0xE9]);
/// ```
#[doc(alias = "convert_latin1_to_utf32")]
#[inline]
pub fn latin1_to_utf32(src: &[u8], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    let room = dst.room().0;
    let written = short::latin1_to_utf32(src, room);
    by_kernel::all_or(written, src, room, |src, room| {
        let kernel = by_kernel::with_both_counts(simd::active().latin1_to_utf32());
        by_kernel::convert(src, room, kernel, |src, room| {
            strict(Latin1, src, Utf32Out::new(room))
        })
    })
}

/// The number of code units of UTF-16 that Latin-1 becomes, which is that of its bytes. UTF-32 has as many.
///
/// ```
/// use simdtext::unicode::utf16_len_from_latin1;
///
/// assert_eq!(utf16_len_from_latin1(b"n\xE9"), 2);
/// ```
#[doc(alias("utf16_length_from_latin1", "utf32_length_from_latin1"))]
#[must_use]
pub const fn utf16_len_from_latin1(src: &[u8]) -> usize {
    src.len()
}

/// The number of bytes of UTF-8 that Latin-1 becomes.
///
/// ```
/// use simdtext::unicode::utf8_len_from_latin1;
///
/// assert_eq!(utf8_len_from_latin1(b"n\xE9"), 3);
/// ```
#[doc(alias = "utf8_length_from_latin1")]
#[must_use]
pub fn utf8_len_from_latin1(src: &[u8]) -> usize {
    (simd::active().utf8_len_from_latin1())(src)
}

/// Appends Latin-1 to text.
#[cfg(feature = "alloc")]
pub(crate) fn push_latin1(src: &[u8], out: &mut Utf8Out<'_>) -> Conversion {
    super::machine::run(Latin1, src, out, crate::drive::ErrorMode::Stop)
}
