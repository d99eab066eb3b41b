//! Conversions by kernels: a value for each, which knows the kernel for every form of output.
//!
//! An output lets such a value write to its free part and trusts the count that it returns. These traits are
//! `unsafe`, so that only `simd/` and this layer can promise that bytes are text. `decode.rs` and
//! `decode_unicode.rs` have the conversions of decoders, `encode.rs` those of encoders.
#![allow(
    unsafe_code,
    reason = "the traits are the proof that an output holds what kernels wrote"
)]

mod decode;
mod decode_unicode;
mod encode;
mod little_room;

use core::mem::MaybeUninit;

pub(crate) use decode::{
    FromIso2022Jp, FromLongTwoByte, FromShortTwoByte, FromSingleByte, FromSingleByteLossy,
    FromTwoByte, FromTwoByteLossy, FromUserDefined,
};
pub(crate) use decode_unicode::{
    FromAscii, FromLatin1, FromUtf8, FromUtf8Lossy, FromUtf16, FromUtf16Front, FromUtf16Lossy,
    FromUtf32, sum_in_native_units,
};
pub(crate) use encode::{
    ToAscii, ToIso2022Jp, ToSingleByte, ToTwoByte, ToUserDefined, ToUtf8, ToUtf16Bytes,
};

use crate::simd::fill::Fill;
use crate::simd::{Kernels, Transcoded};

/// A conversion by kernels from one form to any other, as far as the kernel goes and there is room. Writing
/// nothing is always correct.
///
/// # Safety
///
/// The count of units written that each method returns is at most the length of `to`, and that many units
/// at its front are initialised. They are whole characters; [`DecodeRun::into_utf8`] writes well-formed
/// UTF-8.
pub(crate) unsafe trait DecodeRun: Sized {
    /// The unit of the input.
    type From;

    fn into_utf8(
        self,
        kernels: &Kernels,
        src: &[Self::From],
        to: &mut [MaybeUninit<u8>],
    ) -> Transcoded;

    fn into_utf16(
        self,
        kernels: &Kernels,
        src: &[Self::From],
        to: &mut [MaybeUninit<u16>],
    ) -> Transcoded;

    /// Converts to the bytes of UTF-16, which need not be aligned. Counts bytes.
    fn into_utf16_bytes<const BE: bool>(
        self,
        _: &Kernels,
        _: &[Self::From],
        _: &mut [MaybeUninit<u8>],
    ) -> Transcoded {
        Transcoded::NOTHING
    }

    fn into_utf32(self, _: &Kernels, _: &[Self::From], _: &mut [MaybeUninit<u32>]) -> Transcoded {
        Transcoded::NOTHING
    }

    /// Converts to Latin-1, up to the first character above U+00FF.
    fn into_latin1(self, _: &Kernels, _: &[Self::From], _: &mut [MaybeUninit<u8>]) -> Transcoded {
        Transcoded::NOTHING
    }

    /// Converts to UTF-8 into little room, where a kernel would not pay. The counts and the flag are
    /// described in [`Fill`].
    fn fill_utf8(self, _: &Kernels, _: &[Self::From], _: &mut [MaybeUninit<u8>]) -> Fill {
        Fill::default()
    }

    /// Converts to UTF-16 into little room.
    fn fill_utf16(self, _: &Kernels, _: &[Self::From], _: &mut [MaybeUninit<u16>]) -> Fill {
        Fill::default()
    }

    /// Returns the length of a well-formed prefix.
    fn valid_prefix(self, _: &Kernels, _: &[Self::From]) -> usize {
        0
    }
}

/// A conversion of short text, inlined, which does everything or nothing: calling a kernel would take longer.
/// Returns `None` if the text is longer, malformed, or does not fit.
///
/// # Safety
///
/// As for [`DecodeRun`].
pub(crate) unsafe trait DecodeShort {
    fn try_into_utf8(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Option<usize>;

    fn try_into_utf16(self, src: &[u8], to: &mut [MaybeUninit<u16>]) -> Option<usize>;
}

/// A conversion by kernels from UTF-8 or UTF-16 to an encoding, as far as the kernel goes and there is room.
///
/// # Safety
///
/// The count of bytes written is at most the length of `to`, and that many bytes at its front are
/// initialised.
pub(crate) unsafe trait EncodeRun: Sized {
    fn run_utf8(self, kernels: &Kernels, src: &str, to: &mut [MaybeUninit<u8>]) -> Transcoded;

    fn run_utf16(self, kernels: &Kernels, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Transcoded;

    /// Encodes into little room, where a kernel would not pay.
    fn fill_utf8(self, _: &Kernels, _: &str, _: &mut [MaybeUninit<u8>]) -> Fill {
        Fill::default()
    }

    /// Encodes into little room, where a kernel would not pay.
    fn fill_utf16(self, _: &Kernels, _: &[u16], _: &mut [MaybeUninit<u8>]) -> Fill {
        Fill::default()
    }
}

/// A conversion of short text to an encoding, inlined, which does everything or nothing. Returns the number
/// of bytes written; `None` if the text is longer, does not fit, or has an unmappable character.
///
/// # Safety
///
/// As for [`EncodeRun`].
pub(crate) unsafe trait EncodeShort {
    fn try_utf8(self, src: &str, to: &mut [MaybeUninit<u8>]) -> Option<usize>;

    fn try_utf16(self, src: &[u16], to: &mut [MaybeUninit<u8>]) -> Option<usize>;
}

/// The counts of a kernel that reads as many units as it writes.
#[inline(always)]
fn equal_counts(count: usize) -> Transcoded {
    Transcoded {
        read: count,
        written: count,
        errors: 0,
    }
}

/// Continues with `kernel` after the front, which has at least `most` units unless something has stopped it.
/// Returns the number of units read and written.
#[inline(always)]
fn after_front<From, To>(
    front: impl Into<Transcoded>,
    most: usize,
    src: &[From],
    to: &mut [MaybeUninit<To>],
    kernel: impl FnOnce(&[From], &mut [MaybeUninit<To>]) -> (usize, usize),
) -> (usize, usize) {
    let (read, written) = front.into().counts();
    if read < most || read >= src.len() {
        return (read, written);
    }
    let free = to.get_mut(written..).unwrap_or_default();
    let rest = kernel(&src[read..], free);
    (read + rest.0, written + rest.1)
}
