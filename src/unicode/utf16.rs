//! UTF-16 in native code units.

use core::mem::MaybeUninit;

use super::machine::{lossy, strict, validate};
use super::{Buffer, Conversion, Invalid, by_kernel, short};
use crate::codec::utf16::Utf16;
use crate::output::{Latin1Out, NATIVE_BE, Utf16BeOut, Utf16LeOut, Utf16Out, Utf32Out};
use crate::simd::{self, blocks};

/// Whether UTF-16 (native code units) is well-formed.
///
/// # Errors
///
/// The first lone surrogate.
///
/// ```
/// use simdtext::unicode::{Invalid, validate_utf16};
///
/// assert_eq!(validate_utf16(&[0xE9, 0xD83D, 0xDCA9]), Ok(()));
/// let error = Invalid { offset: 3, len: 1 };
/// assert_eq!(validate_utf16(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9]), Err(error));
/// ```
#[doc(alias("utf16_valid_up_to", "validate_utf16_with_errors"))]
#[inline]
pub fn validate_utf16(src: &[u16]) -> Result<(), Invalid> {
    if short::has_no_surrogates(src) {
        return Ok(());
    }
    let valid = (simd::active().utf16_valid_prefix())(src);
    if valid == src.len() {
        Ok(())
    } else {
        validate_from(src, valid)
    }
}

/// [`validate_utf16`] where `valid` units are well-formed.
#[cold]
fn validate_from(src: &[u16], valid: usize) -> Result<(), Invalid> {
    validate(Utf16::NATIVE, src, valid)
}

/// Converts UTF-16 (native code units) to UTF-8 (bytes), up to the first lone surrogate.
///
/// ```
/// use simdtext::unicode::{Stop, utf16_to_utf8};
///
/// let mut dst = [0u8; 16];
/// let done = utf16_to_utf8(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9");
/// assert_eq!((done.read, done.stop), (3, Stop::Malformed { len: 1 }));
/// ```
#[doc(alias(
    "convert_utf16_to_utf8",
    "convert_utf16_to_utf8_with_errors",
    "convert_utf16_to_utf8_safe"
))]
#[inline]
pub fn utf16_to_utf8(src: &[u16], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::utf16_to_utf8::<_, { NATIVE_BE }, false>(src, dst.room().0)
}

/// Converts UTF-16 (native code units) to UTF-8 (bytes). Each lone surrogate becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf16_to_utf8_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf16_to_utf8_lossy(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9\xEF\xBF\xBDz");
/// assert_eq!(done.replaced, 1);
/// ```
#[doc(alias(
    "convert_utf16_to_utf8",
    "convert_utf16_to_utf8_partial",
    "convert_utf16_to_str",
    "convert_utf16_to_str_partial",
    "convert_utf16_to_utf8_with_replacement",
))]
#[inline]
pub fn utf16_to_utf8_lossy(src: &[u16], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::utf16_to_utf8::<_, { NATIVE_BE }, true>(src, dst.room().0)
}

/// Copies UTF-16 (native code units), up to the first lone surrogate.
///
/// ```
/// use simdtext::unicode::{Stop, utf16_to_utf16};
///
/// let mut dst = [0u16; 16];
/// let done = utf16_to_utf16(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9]);
/// assert_eq!((done.read, done.stop), (3, Stop::Malformed { len: 1 }));
/// ```
pub fn utf16_to_utf16(src: &[u16], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    strict(Utf16::NATIVE, src, Utf16Out::new(dst.room().0))
}

/// Copies UTF-16 (native code units). Each lone surrogate becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf16_to_utf16_lossy;
///
/// let mut dst = [0u16; 16];
/// let done = utf16_to_utf16_lossy(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
#[doc(alias("ensure_utf16_validity", "to_well_formed_utf16"))]
pub fn utf16_to_utf16_lossy(src: &[u16], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    lossy(Utf16::NATIVE, src, Utf16Out::new(dst.room().0))
}

/// Converts UTF-16 (native code units) to UTF-16LE (bytes), up to the first lone surrogate.
///
/// ```
/// use simdtext::unicode::{Stop, utf16_to_utf16le};
///
/// let mut dst = [0u8; 16];
/// let done = utf16_to_utf16le(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC");
/// assert_eq!((done.read, done.stop), (3, Stop::Malformed { len: 1 }));
/// ```
pub fn utf16_to_utf16le(src: &[u16], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(Utf16::NATIVE, src, Utf16LeOut::new(dst.room().0))
}

/// Converts UTF-16 (native code units) to UTF-16LE (bytes). Each lone surrogate becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf16_to_utf16le_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf16_to_utf16le_lossy(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC\xFD\xFFz\x00");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf16_to_utf16le_lossy(src: &[u16], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf16::NATIVE, src, Utf16LeOut::new(dst.room().0))
}

/// Converts UTF-16 (native code units) to UTF-16BE (bytes), up to the first lone surrogate.
///
/// ```
/// use simdtext::unicode::{Stop, utf16_to_utf16be};
///
/// let mut dst = [0u8; 16];
/// let done = utf16_to_utf16be(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9], &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9");
/// assert_eq!((done.read, done.stop), (3, Stop::Malformed { len: 1 }));
/// ```
pub fn utf16_to_utf16be(src: &[u16], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    strict(Utf16::NATIVE, src, Utf16BeOut::new(dst.room().0))
}

/// Converts UTF-16 (native code units) to UTF-16BE (bytes). Each lone surrogate becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf16_to_utf16be_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf16_to_utf16be_lossy(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9\xFF\xFD\x00z");
/// assert_eq!(done.replaced, 1);
/// ```
pub fn utf16_to_utf16be_lossy(src: &[u16], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf16::NATIVE, src, Utf16BeOut::new(dst.room().0))
}

/// Converts UTF-16 (native code units) to UTF-32 (native code units), up to the first lone
/// surrogate.
///
/// ```
/// use simdtext::unicode::{Stop, utf16_to_utf32};
///
/// let mut dst = [0u32; 16];
/// let done = utf16_to_utf32(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9]);
/// assert_eq!((done.read, done.stop), (3, Stop::Malformed { len: 1 }));
/// ```
#[doc(alias("convert_utf16_to_utf32", "convert_utf16_to_utf32_with_errors"))]
#[inline]
pub fn utf16_to_utf32(src: &[u16], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    let room = dst.room().0;
    let written = short::utf16_to_utf32(src, room);
    by_kernel::all_or(
        written,
        src,
        room,
        #[inline(never)]
        |src, room| {
            by_kernel::convert(src, room, simd::active().utf16_to_utf32(), |src, room| {
                strict(Utf16::NATIVE, src, Utf32Out::new(room))
            })
        },
    )
}

/// Converts UTF-16 (native code units) to UTF-32 (native code units). Each lone surrogate
/// becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf16_to_utf32_lossy;
///
/// let mut dst = [0u32; 16];
/// let done = utf16_to_utf32_lossy(&[0xE9, 0xD83D, 0xDCA9, 0xDCA9, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf16_to_utf32_lossy(src: &[u16], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        simd::active().utf16_to_utf32(),
        |src, room| lossy(Utf16::NATIVE, src, Utf32Out::new(room)),
    )
}

/// Converts UTF-16 (native code units) to Latin-1 (bytes), up to the first lone surrogate or
/// character above U+00FF.
///
/// ```
/// use simdtext::unicode::{Stop, utf16_to_latin1};
///
/// let mut dst = [0u8; 16];
/// let done = utf16_to_latin1(&[0x6E, 0xE9, 0x20AC], &mut dst);
/// assert_eq!(done.stop, Stop::Unmappable { ch: '€' });
/// assert_eq!((done.read, &dst[..done.written]), (2, &b"n\xE9"[..]));
/// ```
#[doc(alias(
    "convert_utf16_to_latin1",
    "convert_utf16_to_latin1_with_errors",
    "is_utf16_latin1",
    "is_basic_latin",
    "copy_basic_latin_to_ascii",
))]
#[inline]
pub fn utf16_to_latin1(src: &[u16], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    let room = dst.room().0;
    by_kernel::all_or(short::utf16_to_latin1(src, room), src, room, long_to_latin1)
}

/// [`utf16_to_latin1`] of what is not short, or not all Latin-1.
#[inline(never)]
fn long_to_latin1(src: &[u16], room: &mut [MaybeUninit<u8>]) -> Conversion {
    let kernel = by_kernel::with_both_counts(simd::active().utf16_to_latin1());
    by_kernel::convert(src, room, kernel, |src, room| {
        strict(Utf16::NATIVE, src, Latin1Out::strict(room))
    })
}

/// Converts UTF-16 (native code units) to Latin-1 (bytes). Each character above U+00FF and each
/// lone surrogate becomes a question mark.
///
/// ```
/// use simdtext::unicode::utf16_to_latin1_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf16_to_latin1_lossy(&[0x6E, 0xE9, 0xDCA9, 0x7A], &mut dst);
/// assert_eq!(dst[..done.written], *b"n\xE9?z");
/// assert_eq!(done.replaced, 1);
/// ```
#[doc(alias = "convert_utf16_to_latin1_lossy")]
pub fn utf16_to_latin1_lossy(src: &[u16], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf16::NATIVE, src, Latin1Out::lossy(dst.room().0))
}

/// The number of bytes of UTF-8 that UTF-16 becomes. A lone surrogate counts as 3, those of U+FFFD.
///
/// ```
/// use simdtext::unicode::utf8_len_from_utf16;
///
/// assert_eq!(utf8_len_from_utf16(&[0x6E, 0xE9, 0xD83D, 0xDCA9]), 7);
/// ```
#[doc(alias = "utf8_length_from_utf16")]
#[must_use]
pub fn utf8_len_from_utf16(src: &[u16]) -> usize {
    (simd::active().utf8_len_from_utf16())(src)
}

/// The number of scalar values in UTF-16: the length of its UTF-32, and of its Latin-1 if it has one. A lone
/// surrogate counts as one.
///
/// ```
/// use simdtext::unicode::count_scalars_utf16;
///
/// assert_eq!(count_scalars_utf16(&[0x6E, 0xE9, 0xD83D, 0xDCA9]), 3);
/// ```
#[doc(alias("count_utf16", "utf32_length_from_utf16", "latin1_length_from_utf16"))]
#[must_use]
#[inline]
pub fn count_scalars_utf16(src: &[u16]) -> usize {
    if short::has_no_surrogates(src) {
        return src.len();
    }
    (simd::active().count_scalars_utf16())(src)
}

/// Copies UTF-16 code units in the other byte order, as far as there is room; returns how many.
///
/// ```
/// use simdtext::unicode::swap_utf16;
///
/// let mut dst = [0u16; 2];
/// assert_eq!(swap_utf16(&[0x1234, 0xD83D, 0x41], &mut dst), 2);
/// assert_eq!(dst, [0x3412, 0x3DD8]);
/// ```
#[doc(alias = "change_endianness_utf16")]
#[inline]
pub fn swap_utf16(src: &[u16], dst: &mut (impl Buffer<u16> + ?Sized)) -> usize {
    let room = dst.room().0;
    match short::each_to_one(src, room, u16::swap_bytes) {
        Some(len) => len,
        None if src.len() < 8 => swap_short(src, room),
        None => (simd::active().utf16_swap())(src, room),
    }
}

/// [`swap_utf16`] of less than 8 units.
#[inline(never)]
fn swap_short(src: &[u16], room: &mut [MaybeUninit<u16>]) -> usize {
    blocks::convert_up_to_seven(src, room, u16::swap_bytes)
}
