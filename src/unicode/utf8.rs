//! UTF-8: what a slice of bytes should hold.

use core::mem::MaybeUninit;

use super::machine::{lossy, strict, validate};
use super::{Buffer, Conversion, Invalid, by_kernel, short};
use crate::codec::utf8::Utf8;
use crate::output::run::{DecodeRun, FromUtf8};
use crate::output::{Latin1Out, Utf8Out, Utf16BeOut, Utf16LeOut, Utf16Out, Utf32Out, utf8_prefix};
use crate::simd;

/// Whether UTF-8 (bytes) is well-formed.
///
/// # Errors
///
/// The first malformed sequence.
///
/// ```
/// use simdtext::unicode::{Invalid, validate_utf8};
///
/// assert_eq!(validate_utf8(b"\xC3\xA9\xF0\x9F\x92\xA9"), Ok(()));
/// let error = Invalid { offset: 6, len: 2 };
/// assert_eq!(validate_utf8(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9F"), Err(error));
/// ```
#[doc(alias("utf8_valid_up_to", "validate_utf8_with_errors"))]
#[inline]
pub fn validate_utf8(src: &[u8]) -> Result<(), Invalid> {
    // Short and well-formed is the common case: a look at the kernel's answer, and nothing more.
    let valid = (simd::active().utf8_valid_prefix())(src);
    if valid == src.len() {
        Ok(())
    } else {
        validate_from(src, valid)
    }
}

/// Returns UTF-8 (bytes) as text if it is well-formed, as [`core::str::from_utf8`] does, but by the kernels,
/// and with an error that always says how long the malformed sequence is.
///
/// # Errors
///
/// The first malformed sequence, one to three bytes long; a character that is cut at the end counts
/// (see [`trim_partial_utf8`](super::trim_partial_utf8)).
///
/// ```
/// use simdtext::unicode::{Invalid, from_utf8};
///
/// assert_eq!(from_utf8(b"na\xC3\xAFve"), Ok("naïve"));
/// assert_eq!(from_utf8(b"na\xEFve"), Err(Invalid { offset: 2, len: 1 }));
/// ```
#[inline]
pub fn from_utf8(src: &[u8]) -> Result<&str, Invalid> {
    let valid = utf8_prefix(simd::active(), src);
    if valid.len() == src.len() {
        Ok(valid)
    } else {
        Err(first_malformed(src, valid.len()))
    }
}

/// The malformed sequence after `valid` bytes.
#[cold]
fn first_malformed(src: &[u8], valid: usize) -> Invalid {
    // The state machine stops where std has stopped.
    validate_from(src, valid).err().unwrap_or(Invalid {
        offset: valid,
        len: src.len() - valid,
    })
}

/// [`validate_utf8`] where `valid` bytes are well-formed.
#[cold]
fn validate_from(src: &[u8], valid: usize) -> Result<(), Invalid> {
    validate(Utf8, src, valid)
}

/// Copies UTF-8 (bytes), up to the first malformed sequence.
///
/// ```
/// use simdtext::unicode::{Stop, utf8_to_utf8};
///
/// let mut dst = [0u8; 16];
/// let done = utf8_to_utf8(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9F", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9");
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
#[inline]
pub fn utf8_to_utf8(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    let kernel = by_kernel::with_both_counts(simd::active().utf8_to_utf8());
    by_kernel::convert(src, dst.room().0, kernel, |src, room| {
        strict(Utf8, src, Utf8Out::new(room))
    })
}

/// Copies UTF-8 (bytes). Each malformed sequence becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf8_to_utf8_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf8_to_utf8_lossy(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9Fz", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xC3\xA9\xF0\x9F\x92\xA9\xEF\xBF\xBDz");
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf8_to_utf8_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        simd::active().utf8_to_utf8_lossy(),
        |src, room| lossy(Utf8, src, Utf8Out::new(room)),
    )
}

/// Converts UTF-8 (bytes) to UTF-16 (native code units), up to the first malformed sequence.
///
/// ```
/// use simdtext::unicode::{Stop, utf8_to_utf16};
///
/// let mut dst = [0u16; 16];
/// let done = utf8_to_utf16(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9F", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9]);
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
#[doc(alias(
    "convert_utf8_to_utf16",
    "convert_utf8_to_utf16_with_errors",
    "convert_str_to_utf16",
    "convert_utf8_to_utf16_without_replacement",
))]
#[inline]
pub fn utf8_to_utf16(src: &[u8], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    let room = dst.room().0;
    let written = short::utf8_to_utf16(src, room);
    by_kernel::all_or(written, src, room, |src, room| {
        by_kernel::convert(src, room, simd::active().utf8_to_utf16(), |src, room| {
            strict(Utf8, src, Utf16Out::new(room))
        })
    })
}

/// Converts UTF-8 (bytes) to UTF-16 (native code units). Each malformed sequence becomes
/// U+FFFD.
///
/// ```
/// use simdtext::unicode::utf8_to_utf16_lossy;
///
/// let mut dst = [0u16; 16];
/// let done = utf8_to_utf16_lossy(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9Fz", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0xD83D, 0xDCA9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
#[doc(alias("convert_utf8_to_utf16", "convert_str_to_utf16"))]
#[inline]
pub fn utf8_to_utf16_lossy(src: &[u8], dst: &mut (impl Buffer<u16> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        simd::active().utf8_to_utf16_lossy(),
        |src, room| lossy(Utf8, src, Utf16Out::new(room)),
    )
}

/// Converts UTF-8 (bytes) to UTF-16LE (bytes), up to the first malformed sequence.
///
/// ```
/// use simdtext::unicode::{Stop, utf8_to_utf16le};
///
/// let mut dst = [0u8; 16];
/// let done = utf8_to_utf16le(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9F", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC");
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
#[doc(alias("convert_utf8_to_utf16le", "convert_utf8_to_utf16le_with_errors"))]
#[inline]
pub fn utf8_to_utf16le(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(src, dst.room().0, to_utf16_bytes::<false>, |src, room| {
        strict(Utf8, src, Utf16LeOut::new(room))
    })
}

/// Converts UTF-8 (bytes) to UTF-16LE (bytes). Each malformed sequence becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf8_to_utf16le_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf8_to_utf16le_lossy(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9Fz", &mut dst);
/// assert_eq!(dst[..done.written], *b"\xE9\x00=\xD8\xA9\xDC\xFD\xFFz\x00");
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf8_to_utf16le_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(src, dst.room().0, to_utf16_bytes::<false>, |src, room| {
        lossy(Utf8, src, Utf16LeOut::new(room))
    })
}

/// Converts UTF-8 (bytes) to UTF-16BE (bytes), up to the first malformed sequence.
///
/// ```
/// use simdtext::unicode::{Stop, utf8_to_utf16be};
///
/// let mut dst = [0u8; 16];
/// let done = utf8_to_utf16be(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9F", &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9");
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
#[doc(alias("convert_utf8_to_utf16be", "convert_utf8_to_utf16be_with_errors"))]
#[inline]
pub fn utf8_to_utf16be(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(src, dst.room().0, to_utf16_bytes::<true>, |src, room| {
        strict(Utf8, src, Utf16BeOut::new(room))
    })
}

/// Converts UTF-8 (bytes) to UTF-16BE (bytes). Each malformed sequence becomes U+FFFD.
///
/// ```
/// use simdtext::unicode::utf8_to_utf16be_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf8_to_utf16be_lossy(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9Fz", &mut dst);
/// assert_eq!(dst[..done.written], *b"\x00\xE9\xD8=\xDC\xA9\xFF\xFD\x00z");
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf8_to_utf16be_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(src, dst.room().0, to_utf16_bytes::<true>, |src, room| {
        lossy(Utf8, src, Utf16BeOut::new(room))
    })
}

#[inline(always)]
fn to_utf16_bytes<const BE: bool>(src: &[u8], room: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    FromUtf8
        .into_utf16_bytes::<BE>(simd::active(), src, room)
        .counts()
}

/// Converts UTF-8 (bytes) to UTF-32 (native code units), up to the first malformed sequence.
///
/// ```
/// use simdtext::unicode::{Stop, utf8_to_utf32};
///
/// let mut dst = [0u32; 16];
/// let done = utf8_to_utf32(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9F", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9]);
/// assert_eq!((done.read, done.stop), (6, Stop::Malformed { len: 2 }));
/// ```
#[doc(alias("convert_utf8_to_utf32", "convert_utf8_to_utf32_with_errors"))]
#[inline]
pub fn utf8_to_utf32(src: &[u8], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    let room = dst.room().0;
    let written = short::utf8_to_utf32(src, room);
    by_kernel::all_or(written, src, room, |src, room| {
        by_kernel::convert(src, room, simd::active().utf8_to_utf32(), |src, room| {
            strict(Utf8, src, Utf32Out::new(room))
        })
    })
}

/// Converts UTF-8 (bytes) to UTF-32 (native code units). Each malformed sequence becomes
/// U+FFFD.
///
/// ```
/// use simdtext::unicode::utf8_to_utf32_lossy;
///
/// let mut dst = [0u32; 16];
/// let done = utf8_to_utf32_lossy(b"\xC3\xA9\xF0\x9F\x92\xA9\xF0\x9Fz", &mut dst);
/// assert_eq!(dst[..done.written], [0xE9, 0x1F4A9, 0xFFFD, 0x7A]);
/// assert_eq!(done.replaced, 1);
/// ```
#[inline]
pub fn utf8_to_utf32_lossy(src: &[u8], dst: &mut (impl Buffer<u32> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        simd::active().utf8_to_utf32(),
        |src, room| lossy(Utf8, src, Utf32Out::new(room)),
    )
}

/// Converts UTF-8 (bytes) to Latin-1 (bytes), up to the first malformed sequence or character
/// above U+00FF.
///
/// ```
/// use simdtext::unicode::{Stop, utf8_to_latin1};
///
/// let mut dst = [0u8; 16];
/// let done = utf8_to_latin1(b"n\xC3\xA9\xE2\x82\xAC", &mut dst);
/// assert_eq!(done.stop, Stop::Unmappable { ch: '€' });
/// assert_eq!((done.read, &dst[..done.written]), (3, &b"n\xE9"[..]));
/// ```
#[doc(alias(
    "convert_utf8_to_latin1",
    "convert_utf8_to_latin1_with_errors",
    "is_utf8_latin1",
    "is_str_latin1",
    "utf8_latin1_up_to",
    "str_latin1_up_to",
))]
#[inline]
pub fn utf8_to_latin1(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    by_kernel::convert(
        src,
        dst.room().0,
        simd::active().utf8_to_latin1(),
        |src, room| strict(Utf8, src, Latin1Out::strict(room)),
    )
}

/// Converts UTF-8 (bytes) to Latin-1 (bytes). Each character above U+00FF and each malformed
/// sequence becomes a question mark.
///
/// ```
/// use simdtext::unicode::utf8_to_latin1_lossy;
///
/// let mut dst = [0u8; 16];
/// let done = utf8_to_latin1_lossy(b"n\xC3\xA9\xF0\x9Fz", &mut dst);
/// assert_eq!(dst[..done.written], *b"n\xE9?z");
/// assert_eq!(done.replaced, 1);
/// ```
#[doc(alias = "convert_utf8_to_latin1_lossy")]
pub fn utf8_to_latin1_lossy(src: &[u8], dst: &mut (impl Buffer<u8> + ?Sized)) -> Conversion {
    lossy(Utf8, src, Latin1Out::lossy(dst.room().0))
}

/// The number of code units of UTF-16 that well-formed UTF-8 becomes. Of malformed UTF-8: the number of bytes
/// that are not continuation bytes (80 to BF), those from F0 up counted twice.
///
/// ```
/// use simdtext::unicode::utf16_len_from_utf8;
///
/// assert_eq!(utf16_len_from_utf8(b"n\xC3\xA9\xF0\x9F\x92\xA9"), 4);
/// ```
#[doc(alias = "utf16_length_from_utf8")]
#[must_use]
pub fn utf16_len_from_utf8(src: &[u8]) -> usize {
    (simd::active().utf16_len_from_utf8())(src)
}

/// The number of scalar values in well-formed UTF-8: the length of its UTF-32, and of its Latin-1 if it has
/// one. Of malformed UTF-8: the number of bytes that are not continuation bytes (80 to BF).
///
/// ```
/// use simdtext::unicode::count_scalars_utf8;
///
/// assert_eq!(count_scalars_utf8(b"n\xC3\xA9\xF0\x9F\x92\xA9"), 3);
/// ```
#[doc(alias("count_utf8", "utf32_length_from_utf8", "latin1_length_from_utf8"))]
#[must_use]
pub fn count_scalars_utf8(src: &[u8]) -> usize {
    (simd::active().count_scalars_utf8())(src)
}

/// Counts the line ends in UTF-8: each CR LF, and each LF and each CR that is not part of one. This also works
/// for every other encoding in which the bytes 0A and 0D always mean LF and CR.
///
/// If a text comes in pieces, a CR LF that is cut in two is counted in both pieces.
///
/// ```
/// use simdtext::unicode::count_line_ends_utf8;
///
/// assert_eq!(count_line_ends_utf8(b"one\ntwo\r\nthree\rfour"), 3);
/// ```
#[must_use]
pub fn count_line_ends_utf8(src: &[u8]) -> usize {
    (simd::active().line_ends())(src)
}
