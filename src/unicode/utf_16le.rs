//! UTF-16LE: bytes at any alignment.

use super::machine::{lossy, strict, validate};
use super::sink::{Latin1Out, Utf16BytesOut, Utf32Out, sum_in_native_units, utf_16_out};
use super::{Buffer, Conversion, Invalid, by_kernel};
use crate::codec::utf_16::Utf16Decoder;
use crate::simd;

/// Whether UTF-16LE (bytes) is well-formed.
///
/// # Errors
///
/// The first lone surrogate or odd byte.
///
/// ```
/// use simdtext::unicode::{Invalid, validate_utf_16le};
///
/// assert_eq!(validate_utf_16le(b"\xE9\x00=\xD8\xA9\xDC"), Ok(()));
/// let error = Invalid { offset: 6, len: 2 };
/// assert_eq!(validate_utf_16le(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDC"), Err(error));
/// ```
pub fn validate_utf_16le(src: &[u8]) -> Result<(), Invalid> {
    validate(Utf16Decoder::<false>, src)
}

/// Converts UTF-16LE (bytes) to UTF-8 (bytes), up to the first lone surrogate or odd byte.
///
/// ```
/// use simdtext::unicode::{Stop, utf_16le_to_utf_8};
///
/// let mut dst = [0u8; 16];
/// let done = utf_16le_to_utf_8(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDC", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9");
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
#[inline]
pub fn utf_16le_to_utf_8(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::utf_16_to_utf_8::<_, false>(src, dst.room())
}

/// Converts UTF-16LE (bytes) to UTF-8 (bytes). Each lone surrogate or odd byte becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf_16le_to_utf_8_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf_16le_to_utf_8_lossy(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDCz\x00", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9\xEF\xBF\xBDz");
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf_16le_to_utf_8_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::utf_16_to_utf_8_lossy::<_, false>(src, dst.room())
}

/// Converts UTF-16LE (bytes) to UTF-16 (native code units), up to the first lone surrogate or
/// odd byte.
///
/// ```
/// use simdtext::unicode::{Stop, utf_16le_to_utf_16};
///
/// let mut dst = [0u16; 16];
/// let done = utf_16le_to_utf_16(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDC", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9]);
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
pub fn utf_16le_to_utf_16(src: &[u8], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    strict(Utf16Decoder::<false>, src, &mut utf_16_out(dst.room()))
}

/// Converts UTF-16LE (bytes) to UTF-16 (native code units). Each lone surrogate or odd byte
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf_16le_to_utf_16_lossy;
///
/// let mut dst = [0u16; 16];
/// let done = utf_16le_to_utf_16_lossy(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDCz\x00", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf_16le_to_utf_16_lossy(src: &[u8], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    lossy(Utf16Decoder::<false>, src, &mut utf_16_out(dst.room()))
}

/// Copies UTF-16LE (bytes), up to the first lone surrogate or odd byte.
///
/// ```
/// use simdtext::unicode::{Stop, utf_16le_to_utf_16le};
///
/// let mut dst = [0u8; 16];
/// let done = utf_16le_to_utf_16le(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDC", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC");
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
pub fn utf_16le_to_utf_16le(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(
        Utf16Decoder::<false>,
        src,
        &mut Utf16BytesOut::<false>::new(dst.room()),
    )
}

/// Copies UTF-16LE (bytes). Each lone surrogate or odd byte becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf_16le_to_utf_16le_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf_16le_to_utf_16le_lossy(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDCz\x00", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC\xFD\xFFz\x00");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf_16le_to_utf_16le_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(
        Utf16Decoder::<false>,
        src,
        &mut Utf16BytesOut::<false>::new(dst.room()),
    )
}

/// Converts UTF-16LE (bytes) to UTF-16BE (bytes), up to the first lone surrogate or odd byte.
///
/// ```
/// use simdtext::unicode::{Stop, utf_16le_to_utf_16be};
///
/// let mut dst = [0u8; 16];
/// let done = utf_16le_to_utf_16be(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDC", &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9");
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
pub fn utf_16le_to_utf_16be(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(
        Utf16Decoder::<false>,
        src,
        &mut Utf16BytesOut::<true>::new(dst.room()),
    )
}

/// Converts UTF-16LE (bytes) to UTF-16BE (bytes). Each lone surrogate or odd byte becomes
/// U+FFFD.
///
/// ```
/// use simdtext::unicode::utf_16le_to_utf_16be_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf_16le_to_utf_16be_lossy(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDCz\x00", &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9\xFF\xFD\x00z");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf_16le_to_utf_16be_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(
        Utf16Decoder::<false>,
        src,
        &mut Utf16BytesOut::<true>::new(dst.room()),
    )
}

/// Converts UTF-16LE (bytes) to UTF-32 (native code units), up to the first lone surrogate or
/// odd byte.
///
/// ```
/// use simdtext::unicode::{Stop, utf_16le_to_utf_32};
///
/// let mut dst = [0u32; 16];
/// let done = utf_16le_to_utf_32(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDC", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9]);
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
pub fn utf_16le_to_utf_32(src: &[u8], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    strict(Utf16Decoder::<false>, src, &mut Utf32Out::new(dst.room()))
}

/// Converts UTF-16LE (bytes) to UTF-32 (native code units). Each lone surrogate or odd byte
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf_16le_to_utf_32_lossy;
///
/// let mut dst = [0u32; 16];
/// let done = utf_16le_to_utf_32_lossy(b"\xE9\x00=\xD8\xA9\xDC\xA9\xDCz\x00", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf_16le_to_utf_32_lossy(src: &[u8], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    lossy(Utf16Decoder::<false>, src, &mut Utf32Out::new(dst.room()))
}

/// Converts UTF-16LE (bytes) to Latin-1 (bytes), up to the first lone surrogate or odd byte or
/// character above U+00FF.
///
/// ```
/// use simdtext::unicode::{Stop, utf_16le_to_latin_1};
///
/// let mut dst = [0u8; 16];
/// let done = utf_16le_to_latin_1(b"n\x00\xE9\x00\xAC ", &mut dst);
/// assert_eq!(done.stop, Stop::Unmappable { ch: '€' });
/// assert_eq!((done.read, &dst[..done.written]), (4, &b"n\xE9"[..]));
/// ```
pub fn utf_16le_to_latin_1(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(
        Utf16Decoder::<false>,
        src,
        &mut Latin1Out::strict(dst.room()),
    )
}

/// Converts UTF-16LE (bytes) to Latin-1 (bytes). Each character above U+00FF and each lone
/// surrogate or odd byte becomes a question mark.
///
/// ```
/// use simdtext::unicode::utf_16le_to_latin_1_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf_16le_to_latin_1_lossy(b"n\x00\xE9\x00\xA9\xDCz\x00", &mut dst);
/// assert_eq!(dst[..done.written], *b"n\xE9?z");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf_16le_to_latin_1_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(
        Utf16Decoder::<false>,
        src,
        &mut Latin1Out::lossy(dst.room()),
    )
}

/// The bytes of UTF-8 that UTF-16LE becomes. A lone surrogate counts as 3, those of U+FFFD, and
/// an odd byte at the end as none.
///
/// ```
/// use simdtext::unicode::utf_8_len_of_utf_16le;
///
/// assert_eq!(utf_8_len_of_utf_16le(b"n\x00\xE9\x00=\xD8\xA9\xDC"), 7);
/// ```
#[must_use]
pub fn utf_8_len_of_utf_16le(src: &[u8]) -> usize {
    sum_in_native_units::<false>(src, simd::active().utf_8_len_of_utf_16)
}

/// The scalar values in UTF-16LE. A lone surrogate counts as one, and an odd byte at the end as
/// none.
///
/// ```
/// use simdtext::unicode::scalars_in_utf_16le;
///
/// assert_eq!(scalars_in_utf_16le(b"n\x00\xE9\x00=\xD8\xA9\xDC"), 3);
/// ```
#[must_use]
pub fn scalars_in_utf_16le(src: &[u8]) -> usize {
    sum_in_native_units::<false>(src, simd::active().scalars_in_utf_16)
}
