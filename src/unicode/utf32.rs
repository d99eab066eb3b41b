//! UTF-32 in native code units.

use super::machine::{Utf32, lossy, strict, validate};
use super::{Buffer, Conversion, Invalid, by_kernel, short};
use crate::output::run::{DecodeRun, FromUtf32};
use crate::output::{Latin1Out, Utf8Out, Utf16BeOut, Utf16LeOut, Utf16Out, Utf32Out};
use crate::simd;

/// Whether UTF-32 (native code units) is well-formed.
///
/// # Errors
///
/// The first unit that is not a scalar value.
///
/// ```
/// use simdtext::unicode::{Invalid, validate_utf32};
///
/// assert_eq!(validate_utf32(&[0xE9, 0x1F4A9]), Ok(()));
/// let error = Invalid { offset: 2, len: 1 };
/// assert_eq!(validate_utf32(&[0xE9, 0x1F4A9, 0x110000]), Err(error));
/// ```
#[doc(alias = "validate_utf32_with_errors")]
#[inline]
pub fn validate_utf32(src: &[u32]) -> Result<(), Invalid> {
    let valid = (simd::active().utf32_valid_prefix())(src);
    if valid == src.len() {
        Ok(())
    } else {
        validate_from(src, valid)
    }
}

/// [`validate_utf32`] where `valid` units are scalar values.
#[cold]
fn validate_from(src: &[u32], valid: usize) -> Result<(), Invalid> {
    validate(Utf32, src, valid)
}

/// Converts UTF-32 (native code units) to UTF-8 (bytes), up to the first unit that is not a scalar
/// value.
///
/// ```
/// use simdtext::unicode::{Stop, utf32_to_utf8};
///
/// let mut dst = [0u8; 16];
/// let done = utf32_to_utf8(&[0xE9, 0x1F4A9, 0x110000], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9");
/// assert_eq!((done.read, done.stop), (2, Stop::Malformed { len: 1 }));
/// ```
#[doc(alias("convert_utf32_to_utf8", "convert_utf32_to_utf8_with_errors"))]
#[inline]
pub fn utf32_to_utf8(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    let room = dst.room().0;
    let written = short::utf32_to_utf8(src, room);
    by_kernel::all_or(written, src, room, |src, room| {
        by_kernel::convert(src, room, simd::active().utf32_to_utf8(), |src, room| {
            strict(Utf32, src, Utf8Out::new(room))
        })
    })
}

/// Converts UTF-32 (native code units) to UTF-8 (bytes). Each unit that is not a scalar value
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf32_to_utf8_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf32_to_utf8_lossy(&[0xE9, 0x1F4A9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9\xEF\xBF\xBDz");
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf32_to_utf8_lossy(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        simd::active().utf32_to_utf8(),
        |src, room| lossy(Utf32, src, Utf8Out::new(room)),
    )
}

/// Converts UTF-32 (native code units) to UTF-16 (native code units), up to the first unit that
/// is not a scalar value.
///
/// ```
/// use simdtext::unicode::{Stop, utf32_to_utf16};
///
/// let mut dst = [0u16; 16];
/// let done = utf32_to_utf16(&[0xE9, 0x1F4A9, 0x110000], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9]);
/// assert_eq!((done.read, done.stop), (2, Stop::Malformed { len: 1 }));
/// ```
#[doc(alias("convert_utf32_to_utf16", "convert_utf32_to_utf16_with_errors"))]
#[inline]
pub fn utf32_to_utf16(src: &[u32], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    let room = dst.room().0;
    let written = short::utf32_to_utf16(src, room);
    by_kernel::all_or(written, src, room, |src, room| {
        by_kernel::convert(src, room, simd::active().utf32_to_utf16(), |src, room| {
            strict(Utf32, src, Utf16Out::new(room))
        })
    })
}

/// Converts UTF-32 (native code units) to UTF-16 (native code units). Each unit that is not a
/// scalar value becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf32_to_utf16_lossy;
///
/// let mut dst = [0u16; 16];
/// let done = utf32_to_utf16_lossy(&[0xE9, 0x1F4A9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf32_to_utf16_lossy(src: &[u32], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        simd::active().utf32_to_utf16(),
        |src, room| lossy(Utf32, src, Utf16Out::new(room)),
    )
}

/// Converts UTF-32 (native code units) to UTF-16LE (bytes), up to the first unit that is not a
/// scalar value.
///
/// ```
/// use simdtext::unicode::{Stop, utf32_to_utf16le};
///
/// let mut dst = [0u8; 16];
/// let done = utf32_to_utf16le(&[0xE9, 0x1F4A9, 0x110000], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC");
/// assert_eq!((done.read, done.stop), (2, Stop::Malformed { len: 1 }));
/// ```
#[doc(alias("convert_utf32_to_utf16le", "convert_utf32_to_utf16le_with_errors"))]
pub fn utf32_to_utf16le(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(Utf32, src, Utf16LeOut::new(dst.room().0))
}

/// Converts UTF-32 (native code units) to UTF-16LE (bytes). Each unit that is not a scalar value
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf32_to_utf16le_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf32_to_utf16le_lossy(&[0xE9, 0x1F4A9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC\xFD\xFFz\x00");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf32_to_utf16le_lossy(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf32, src, Utf16LeOut::new(dst.room().0))
}

/// Converts UTF-32 (native code units) to UTF-16BE (bytes), up to the first unit that is not a
/// scalar value.
///
/// ```
/// use simdtext::unicode::{Stop, utf32_to_utf16be};
///
/// let mut dst = [0u8; 16];
/// let done = utf32_to_utf16be(&[0xE9, 0x1F4A9, 0x110000], &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9");
/// assert_eq!((done.read, done.stop), (2, Stop::Malformed { len: 1 }));
/// ```
#[doc(alias("convert_utf32_to_utf16be", "convert_utf32_to_utf16be_with_errors"))]
pub fn utf32_to_utf16be(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(Utf32, src, Utf16BeOut::new(dst.room().0))
}

/// Converts UTF-32 (native code units) to UTF-16BE (bytes). Each unit that is not a scalar value
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf32_to_utf16be_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf32_to_utf16be_lossy(&[0xE9, 0x1F4A9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9\xFF\xFD\x00z");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf32_to_utf16be_lossy(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf32, src, Utf16BeOut::new(dst.room().0))
}

/// Copies UTF-32 (native code units), up to the first unit that is not a scalar value.
///
/// ```
/// use simdtext::unicode::{Stop, utf32_to_utf32};
///
/// let mut dst = [0u32; 16];
/// let done = utf32_to_utf32(&[0xE9, 0x1F4A9, 0x110000], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9]);
/// assert_eq!((done.read, done.stop), (2, Stop::Malformed { len: 1 }));
/// ```
#[inline]
pub fn utf32_to_utf32(src: &[u32], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        |src, room| FromUtf32.into_utf32(simd::active(), src, room),
        |src, room| strict(Utf32, src, Utf32Out::new(room)),
    )
}

/// Copies UTF-32 (native code units). Each unit that is not a scalar value becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf32_to_utf32_lossy;
///
/// let mut dst = [0u32; 16];
/// let done = utf32_to_utf32_lossy(&[0xE9, 0x1F4A9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf32_to_utf32_lossy(src: &[u32], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        |src, room| FromUtf32.into_utf32(simd::active(), src, room),
        |src, room| lossy(Utf32, src, Utf32Out::new(room)),
    )
}

/// Converts UTF-32 (native code units) to Latin-1 (bytes), up to the first unit that is not a
/// scalar value or character above U+00FF.
///
/// ```
/// use simdtext::unicode::{Stop, utf32_to_latin1};
///
/// let mut dst = [0u8; 16];
/// let done = utf32_to_latin1(&[0x6E, 0xE9, 0x20AC], &mut dst);
/// assert_eq!(done.stop, Stop::Unmappable { ch: '€' });
/// assert_eq!((done.read, &dst[..done.written]), (2, &b"n\xE9"[..]));
/// ```
#[doc(alias("convert_utf32_to_latin1", "convert_utf32_to_latin1_with_errors"))]
#[inline]
pub fn utf32_to_latin1(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        |src, room| {
            let len = (simd::active().utf32_to_latin1())(src, room);
            (len, len)
        },
        |src, room| strict(Utf32, src, Latin1Out::strict(room)),
    )
}

/// Converts UTF-32 (native code units) to Latin-1 (bytes). Each character above U+00FF and each
/// unit that is not a scalar value becomes a question mark.
///
/// ```
/// use simdtext::unicode::utf32_to_latin1_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf32_to_latin1_lossy(&[0x6E, 0xE9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"n\xE9?z");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf32_to_latin1_lossy(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf32, src, Latin1Out::lossy(dst.room().0))
}

/// The number of bytes of UTF-8 that UTF-32 becomes. A unit that is not a scalar value counts as the bytes that
/// its value would take, 4 at most.
///
/// ```
/// use simdtext::unicode::utf8_len_from_utf32;
///
/// assert_eq!(utf8_len_from_utf32(&[0x6E, 0xE9, 0x1F4A9]), 7);
/// ```
#[doc(alias = "utf8_length_from_utf32")]
#[must_use]
pub fn utf8_len_from_utf32(src: &[u32]) -> usize {
    (simd::active().utf8_len_from_utf32())(src)
}

/// The number of code units of UTF-16 that UTF-32 becomes. A unit that is not a scalar value counts as the
/// units that its value would take, 2 at most.
///
/// ```
/// use simdtext::unicode::utf16_len_from_utf32;
///
/// assert_eq!(utf16_len_from_utf32(&[0x6E, 0xE9, 0x1F4A9]), 4);
/// ```
#[doc(alias = "utf16_length_from_utf32")]
#[must_use]
pub fn utf16_len_from_utf32(src: &[u32]) -> usize {
    (simd::active().utf16_len_from_utf32())(src)
}
