//! UTF-32 in native code units.

use super::machine::{Utf32, lossy, strict, validate};
use super::sink::{Latin1Out, Utf16BytesOut, Utf32Out, copy_scalars, utf_8_out, utf_16_out};
use super::{Buffer, Conversion, Invalid, by_kernel, short};
use crate::simd;

/// Whether UTF-32 (native code units) is well-formed.
///
/// # Errors
///
/// The first unit that is no scalar value.
///
/// ```
/// use simdtext::unicode::{Invalid, validate_utf_32};
///
/// assert_eq!(validate_utf_32(&[0xE9, 0x1F4A9]), Ok(()));
/// let error = Invalid { offset: 2, len: 1 };
/// assert_eq!(validate_utf_32(&[0xE9, 0x1F4A9, 0x110000]), Err(error));
/// ```
#[inline]
pub fn validate_utf_32(src: &[u32]) -> Result<(), Invalid> {
    let valid = (simd::active().utf_32_valid_prefix)(src);
    if valid == src.len() {
        Ok(())
    } else {
        validate_from(src, valid)
    }
}

/// [`validate_utf_32`] where `valid` units are scalar values.
#[cold]
fn validate_from(src: &[u32], valid: usize) -> Result<(), Invalid> {
    let rest = src.get(valid..).unwrap_or_default();
    validate(Utf32, rest).map_err(|invalid| Invalid {
        offset: valid + invalid.offset,
        ..invalid
    })
}

/// Converts UTF-32 (native code units) to UTF-8 (bytes), up to the first unit that is no scalar
/// value.
///
/// ```
/// use simdtext::unicode::{Stop, utf_32_to_utf_8};
///
/// let mut dst = [0u8; 16];
/// let done = utf_32_to_utf_8(&[0xE9, 0x1F4A9, 0x110000], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9");
/// assert_eq!((done.read, done.stop), (2, Stop::Malformed { len: 1 }));
/// ```
#[inline]
pub fn utf_32_to_utf_8(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert_short(src, dst.room(), short::utf_32_to_utf_8, |src, room| {
        by_kernel::convert(src, room, simd::active().utf_32_to_utf_8, |src, room| {
            strict(Utf32, src, &mut utf_8_out(room))
        })
    })
}

/// Converts UTF-32 (native code units) to UTF-8 (bytes). Each unit that is no scalar value
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf_32_to_utf_8_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf_32_to_utf_8_lossy(&[0xE9, 0x1F4A9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9\xEF\xBF\xBDz");
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf_32_to_utf_8_lossy(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room(),
        simd::active().utf_32_to_utf_8,
        |src, room| lossy(Utf32, src, &mut utf_8_out(room)),
    )
}

/// Converts UTF-32 (native code units) to UTF-16 (native code units), up to the first unit that
/// is no scalar value.
///
/// ```
/// use simdtext::unicode::{Stop, utf_32_to_utf_16};
///
/// let mut dst = [0u16; 16];
/// let done = utf_32_to_utf_16(&[0xE9, 0x1F4A9, 0x110000], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9]);
/// assert_eq!((done.read, done.stop), (2, Stop::Malformed { len: 1 }));
/// ```
#[inline]
pub fn utf_32_to_utf_16(src: &[u32], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room(),
        simd::active().utf_32_to_utf_16,
        |src, room| strict(Utf32, src, &mut utf_16_out(room)),
    )
}

/// Converts UTF-32 (native code units) to UTF-16 (native code units). Each unit that is no
/// scalar value becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf_32_to_utf_16_lossy;
///
/// let mut dst = [0u16; 16];
/// let done = utf_32_to_utf_16_lossy(&[0xE9, 0x1F4A9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf_32_to_utf_16_lossy(src: &[u32], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room(),
        simd::active().utf_32_to_utf_16,
        |src, room| lossy(Utf32, src, &mut utf_16_out(room)),
    )
}

/// Converts UTF-32 (native code units) to UTF-16LE (bytes), up to the first unit that is no
/// scalar value.
///
/// ```
/// use simdtext::unicode::{Stop, utf_32_to_utf_16le};
///
/// let mut dst = [0u8; 16];
/// let done = utf_32_to_utf_16le(&[0xE9, 0x1F4A9, 0x110000], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC");
/// assert_eq!((done.read, done.stop), (2, Stop::Malformed { len: 1 }));
/// ```
pub fn utf_32_to_utf_16le(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(Utf32, src, &mut Utf16BytesOut::<false>::new(dst.room()))
}

/// Converts UTF-32 (native code units) to UTF-16LE (bytes). Each unit that is no scalar value
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf_32_to_utf_16le_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf_32_to_utf_16le_lossy(&[0xE9, 0x1F4A9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC\xFD\xFFz\x00");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf_32_to_utf_16le_lossy(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf32, src, &mut Utf16BytesOut::<false>::new(dst.room()))
}

/// Converts UTF-32 (native code units) to UTF-16BE (bytes), up to the first unit that is no
/// scalar value.
///
/// ```
/// use simdtext::unicode::{Stop, utf_32_to_utf_16be};
///
/// let mut dst = [0u8; 16];
/// let done = utf_32_to_utf_16be(&[0xE9, 0x1F4A9, 0x110000], &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9");
/// assert_eq!((done.read, done.stop), (2, Stop::Malformed { len: 1 }));
/// ```
pub fn utf_32_to_utf_16be(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(Utf32, src, &mut Utf16BytesOut::<true>::new(dst.room()))
}

/// Converts UTF-32 (native code units) to UTF-16BE (bytes). Each unit that is no scalar value
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf_32_to_utf_16be_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf_32_to_utf_16be_lossy(&[0xE9, 0x1F4A9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9\xFF\xFD\x00z");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf_32_to_utf_16be_lossy(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf32, src, &mut Utf16BytesOut::<true>::new(dst.room()))
}

/// Copies UTF-32 (native code units), up to the first unit that is no scalar value.
///
/// ```
/// use simdtext::unicode::{Stop, utf_32_to_utf_32};
///
/// let mut dst = [0u32; 16];
/// let done = utf_32_to_utf_32(&[0xE9, 0x1F4A9, 0x110000], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9]);
/// assert_eq!((done.read, done.stop), (2, Stop::Malformed { len: 1 }));
/// ```
#[inline]
pub fn utf_32_to_utf_32(src: &[u32], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room(),
        |src, room| {
            let len = copy_scalars(simd::active(), src, room);
            (len, len)
        },
        |src, room| strict(Utf32, src, &mut Utf32Out::new(room)),
    )
}

/// Copies UTF-32 (native code units). Each unit that is no scalar value becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf_32_to_utf_32_lossy;
///
/// let mut dst = [0u32; 16];
/// let done = utf_32_to_utf_32_lossy(&[0xE9, 0x1F4A9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf_32_to_utf_32_lossy(src: &[u32], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room(),
        |src, room| {
            let len = copy_scalars(simd::active(), src, room);
            (len, len)
        },
        |src, room| lossy(Utf32, src, &mut Utf32Out::new(room)),
    )
}

/// Converts UTF-32 (native code units) to Latin-1 (bytes), up to the first unit that is no
/// scalar value or character above U+00FF.
///
/// ```
/// use simdtext::unicode::{Stop, utf_32_to_latin_1};
///
/// let mut dst = [0u8; 16];
/// let done = utf_32_to_latin_1(&[0x6E, 0xE9, 0x20AC], &mut dst);
/// assert_eq!(done.stop, Stop::Unmappable { ch: '€' });
/// assert_eq!((done.read, &dst[..done.written]), (2, &b"n\xE9"[..]));
/// ```
#[inline]
pub fn utf_32_to_latin_1(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room(),
        |src, room| {
            let len = (simd::active().utf_32_to_latin_1)(src, room);
            (len, len)
        },
        |src, room| strict(Utf32, src, &mut Latin1Out::strict(room)),
    )
}

/// Converts UTF-32 (native code units) to Latin-1 (bytes). Each character above U+00FF and each
/// unit that is no scalar value becomes a question mark.
///
/// ```
/// use simdtext::unicode::utf_32_to_latin_1_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf_32_to_latin_1_lossy(&[0x6E, 0xE9, 0x110000, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"n\xE9?z");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf_32_to_latin_1_lossy(src: &[u32], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf32, src, &mut Latin1Out::lossy(dst.room()))
}

/// The bytes of UTF-8 that UTF-32 becomes. A unit that is no scalar value counts as the bytes
/// that its value would take, 4 at the most.
///
/// ```
/// use simdtext::unicode::utf_8_len_of_utf_32;
///
/// assert_eq!(utf_8_len_of_utf_32(&[0x6E, 0xE9, 0x1F4A9]), 7);
/// ```
#[must_use]
pub fn utf_8_len_of_utf_32(src: &[u32]) -> usize {
    (simd::active().utf_8_len_of_utf_32)(src)
}

/// The code units of UTF-16 that UTF-32 becomes. A unit that is no scalar value counts as the
/// units that its value would take, 2 at the most.
///
/// ```
/// use simdtext::unicode::utf_16_len_of_utf_32;
///
/// assert_eq!(utf_16_len_of_utf_32(&[0x6E, 0xE9, 0x1F4A9]), 4);
/// ```
#[must_use]
pub fn utf_16_len_of_utf_32(src: &[u32]) -> usize {
    (simd::active().utf_16_len_of_utf_32)(src)
}
