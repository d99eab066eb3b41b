//! UTF-16BE: bytes at any alignment.

use super::machine::{lossy, strict, validate};
use super::{Buffer, Conversion, Invalid, by_kernel};
use crate::codec::utf16::Utf16;
use crate::output::run::sum_in_native_units;
use crate::output::{Latin1Out, Utf16BeOut, Utf16LeOut, Utf16Out, Utf32Out};
use crate::simd;

/// Whether UTF-16BE (bytes) is well-formed.
///
/// # Errors
///
/// The first lone surrogate or odd byte.
///
/// ```
/// use simdtext::unicode::{Invalid, validate_utf16be};
///
/// assert_eq!(validate_utf16be(b"\x00\xE9\xD8=\xDC\xA9"), Ok(()));
/// let error = Invalid { offset: 6, len: 2 };
/// assert_eq!(validate_utf16be(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9"), Err(error));
/// ```
#[doc(alias = "validate_utf16be_with_errors")]
pub fn validate_utf16be(src: &[u8]) -> Result<(), Invalid> {
    validate(Utf16::BE, src, 0)
}

/// Converts UTF-16BE (bytes) to UTF-8 (bytes), up to the first lone surrogate or odd byte.
///
/// ```
/// use simdtext::unicode::{Stop, utf16be_to_utf8};
///
/// let mut dst = [0u8; 16];
/// let done = utf16be_to_utf8(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9");
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
#[doc(alias("convert_utf16be_to_utf8", "convert_utf16be_to_utf8_with_errors"))]
#[inline]
pub fn utf16be_to_utf8(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::utf16_to_utf8::<_, true, false>(src, dst.room().0)
}

/// Converts UTF-16BE (bytes) to UTF-8 (bytes). Each lone surrogate or odd byte becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf16be_to_utf8_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf16be_to_utf8_lossy(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9\x00z", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9\xEF\xBF\xBDz");
/// assert_eq!(done.replaced, 1);
/// ```
#[doc(alias = "convert_utf16be_to_utf8_with_replacement")]
#[inline]
pub fn utf16be_to_utf8_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::utf16_to_utf8::<_, true, true>(src, dst.room().0)
}

/// Converts UTF-16BE (bytes) to UTF-16 (native code units), up to the first lone surrogate or
/// odd byte.
///
/// ```
/// use simdtext::unicode::{Stop, utf16be_to_utf16};
///
/// let mut dst = [0u16; 16];
/// let done = utf16be_to_utf16(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9]);
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
pub fn utf16be_to_utf16(src: &[u8], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    strict(Utf16::BE, src, Utf16Out::new(dst.room().0))
}

/// Converts UTF-16BE (bytes) to UTF-16 (native code units). Each lone surrogate or odd byte
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf16be_to_utf16_lossy;
///
/// let mut dst = [0u16; 16];
/// let done = utf16be_to_utf16_lossy(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9\x00z", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf16be_to_utf16_lossy(src: &[u8], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    lossy(Utf16::BE, src, Utf16Out::new(dst.room().0))
}

/// Converts UTF-16BE (bytes) to UTF-16LE (bytes), up to the first lone surrogate or odd byte.
///
/// ```
/// use simdtext::unicode::{Stop, utf16be_to_utf16le};
///
/// let mut dst = [0u8; 16];
/// let done = utf16be_to_utf16le(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC");
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
pub fn utf16be_to_utf16le(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(Utf16::BE, src, Utf16LeOut::new(dst.room().0))
}

/// Converts UTF-16BE (bytes) to UTF-16LE (bytes). Each lone surrogate or odd byte becomes
/// U+FFFD.
///
/// ```
/// use simdtext::unicode::utf16be_to_utf16le_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf16be_to_utf16le_lossy(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9\x00z", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC\xFD\xFFz\x00");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf16be_to_utf16le_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf16::BE, src, Utf16LeOut::new(dst.room().0))
}

/// Copies UTF-16BE (bytes), up to the first lone surrogate or odd byte.
///
/// ```
/// use simdtext::unicode::{Stop, utf16be_to_utf16be};
///
/// let mut dst = [0u8; 16];
/// let done = utf16be_to_utf16be(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9", &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9");
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
pub fn utf16be_to_utf16be(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(Utf16::BE, src, Utf16BeOut::new(dst.room().0))
}

/// Copies UTF-16BE (bytes). Each lone surrogate or odd byte becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf16be_to_utf16be_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf16be_to_utf16be_lossy(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9\x00z", &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9\xFF\xFD\x00z");
/// assert_eq!(done.replaced, 1);
/// ```
#[doc(alias = "to_well_formed_utf16be")]
pub fn utf16be_to_utf16be_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf16::BE, src, Utf16BeOut::new(dst.room().0))
}

/// Converts UTF-16BE (bytes) to UTF-32 (native code units), up to the first lone surrogate or
/// odd byte.
///
/// ```
/// use simdtext::unicode::{Stop, utf16be_to_utf32};
///
/// let mut dst = [0u32; 16];
/// let done = utf16be_to_utf32(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9]);
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
#[doc(alias("convert_utf16be_to_utf32", "convert_utf16be_to_utf32_with_errors"))]
pub fn utf16be_to_utf32(src: &[u8], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    strict(Utf16::BE, src, Utf32Out::new(dst.room().0))
}

/// Converts UTF-16BE (bytes) to UTF-32 (native code units). Each lone surrogate or odd byte
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf16be_to_utf32_lossy;
///
/// let mut dst = [0u32; 16];
/// let done = utf16be_to_utf32_lossy(b"\x00\xE9\xD8=\xDC\xA9\xDC\xA9\x00z", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf16be_to_utf32_lossy(src: &[u8], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    lossy(Utf16::BE, src, Utf32Out::new(dst.room().0))
}

/// Converts UTF-16BE (bytes) to Latin-1 (bytes), up to the first lone surrogate or odd byte or
/// character above U+00FF.
///
/// ```
/// use simdtext::unicode::{Stop, utf16be_to_latin1};
///
/// let mut dst = [0u8; 16];
/// let done = utf16be_to_latin1(b"\x00n\x00\xE9 \xAC", &mut dst);
/// assert_eq!(done.stop, Stop::Unmappable { ch: '€' });
/// assert_eq!((done.read, &dst[..done.written]), (4, &b"n\xE9"[..]));
/// ```
#[doc(alias("convert_utf16be_to_latin1", "convert_utf16be_to_latin1_with_errors"))]
pub fn utf16be_to_latin1(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(Utf16::BE, src, Latin1Out::strict(dst.room().0))
}

/// Converts UTF-16BE (bytes) to Latin-1 (bytes). Each character above U+00FF and each lone
/// surrogate or odd byte becomes a question mark.
///
/// ```
/// use simdtext::unicode::utf16be_to_latin1_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf16be_to_latin1_lossy(b"\x00n\x00\xE9\xDC\xA9\x00z", &mut dst);
/// assert_eq!(dst[..done.written], *b"n\xE9?z");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf16be_to_latin1_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf16::BE, src, Latin1Out::lossy(dst.room().0))
}

/// The number of bytes of UTF-8 that UTF-16BE becomes. A lone surrogate counts as 3, those of U+FFFD, and an
/// odd byte at the end as none.
///
/// ```
/// use simdtext::unicode::utf8_len_from_utf16be;
///
/// assert_eq!(utf8_len_from_utf16be(b"\x00n\x00\xE9\xD8=\xDC\xA9"), 7);
/// ```
#[doc(alias = "utf8_length_from_utf16be")]
#[must_use]
pub fn utf8_len_from_utf16be(src: &[u8]) -> usize {
    sum_in_native_units::<true>(src, simd::active().utf8_len_from_utf16())
}

/// The number of scalar values in UTF-16BE. A lone surrogate counts as one, and an odd byte at the end as none.
///
/// ```
/// use simdtext::unicode::count_scalars_utf16be;
///
/// assert_eq!(count_scalars_utf16be(b"\x00n\x00\xE9\xD8=\xDC\xA9"), 3);
/// ```
#[doc(alias("count_utf16be", "utf32_length_from_utf16be"))]
#[must_use]
pub fn count_scalars_utf16be(src: &[u8]) -> usize {
    sum_in_native_units::<true>(src, simd::active().count_scalars_utf16())
}
