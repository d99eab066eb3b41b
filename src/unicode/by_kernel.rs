//! Conversion by one call of a kernel, which is all that well-formed text takes. Texts are short
//! most often: the state machine and its loop are only called for what is left.

use core::mem::MaybeUninit;

use bytemuck::NoUninit;

use super::buffer::Room;
use super::machine::{lossy, strict};
use super::sink::utf8_out;
use super::{Conversion, Invalid, Stop, short};
use crate::codec::utf16::Utf16;
use crate::simd::{self, Transcoded};

/// Converts with `kernel`, and what it leaves with `rest`.
#[inline]
pub(super) fn convert<From, To, Done: Into<Transcoded>>(
    src: &[From],
    Room(room): Room<'_, To>,
    kernel: impl FnOnce(&[From], &mut [MaybeUninit<To>]) -> Done,
    rest: impl FnOnce(&[From], Room<'_, To>) -> Conversion,
) -> Conversion {
    let done = kernel(src, room).into();
    if done.read == src.len() {
        Conversion {
            stop: Stop::InputEmpty,
            read: done.read,
            written: done.written,
            replaced: done.errors,
        }
    } else {
        after(src, room, done, rest)
    }
}

/// Says that all of `src` has become `written` units, or does `otherwise`, if that is `None`.
///
/// The short conversion is called where `written` is given, as one that is itself an argument may become a call.
/// If `otherwise` is not inlined, short text does not pay for saving registers, and takes 0.7 to 0.9 times as long, but
/// longer text pays for another call: 64 bytes take up to 1.1 times as long. Callers choose.
#[inline(always)]
pub(super) fn all_or<From, To>(
    written: Option<usize>,
    src: &[From],
    room: Room<'_, To>,
    otherwise: impl FnOnce(&[From], Room<'_, To>) -> Conversion,
) -> Conversion {
    match written {
        Some(written) => Conversion {
            stop: Stop::InputEmpty,
            read: src.len(),
            written,
            replaced: 0,
        },
        None => otherwise(src, room),
    }
}

/// Makes a kernel that writes as many units as it reads return both numbers.
#[inline(always)]
pub(super) fn with_both_counts<From, To>(
    kernel: impl Fn(&[From], &mut [MaybeUninit<To>]) -> usize,
) -> impl Fn(&[From], &mut [MaybeUninit<To>]) -> (usize, usize) {
    move |src, dst| {
        let done = kernel(src, dst);
        (done, done)
    }
}

/// Converts what the kernel has left.
#[cold]
fn after<From, To>(
    src: &[From],
    room: &mut [MaybeUninit<To>],
    done: Transcoded,
    rest: impl FnOnce(&[From], Room<'_, To>) -> Conversion,
) -> Conversion {
    let src = src.get(done.read..).unwrap_or_default();
    let room = room.get_mut(done.written..).unwrap_or_default();
    let rest = rest(src, Room(room));
    Conversion {
        stop: rest.stop,
        read: done.read + rest.read,
        written: done.written + rest.written,
        replaced: done.errors + rest.replaced,
    }
}

/// Validates with `kernel`, which returns the length of a well-formed prefix, and what it leaves with
/// `rest`.
#[inline]
pub(super) fn validate<From>(
    src: &[From],
    kernel: impl FnOnce(&[From]) -> usize,
    rest: impl FnOnce(&[From]) -> Result<(), Invalid>,
) -> Result<(), Invalid> {
    let valid = kernel(src);
    if valid == src.len() {
        return Ok(());
    }
    rest(src.get(valid..).unwrap_or_default()).map_err(|invalid| Invalid {
        offset: valid + invalid.offset,
        ..invalid
    })
}

/// Converts UTF-16, in code units or bytes, up to the first lone surrogate.
#[inline]
pub(super) fn utf16_to_utf8<U: NoUninit, const BE: bool>(
    src: &[U],
    Room(room): Room<'_, u8>,
) -> Conversion {
    let kernel = |src: &[U], dst: &mut [_]| {
        let kernels = simd::active();
        let kernel = if BE {
            kernels.utf16be_to_utf8()
        } else {
            kernels.utf16le_to_utf8()
        };
        let (read, written) = kernel(bytemuck::cast_slice(src), dst);
        (read / size_of::<U>(), written)
    };
    let written = short_utf16::<U, BE>(src, room);
    all_or(written, src, Room(room), |src, room| {
        convert(src, room, kernel, |src, room| {
            strict(Utf16 { is_big_endian: BE }, src, &mut utf8_out(room))
        })
    })
}

/// Converts UTF-16, in code units or bytes, with U+FFFD for each lone surrogate.
#[inline]
pub(super) fn utf16_to_utf8_lossy<U: NoUninit, const BE: bool>(
    src: &[U],
    Room(room): Room<'_, u8>,
) -> Conversion {
    let kernel = |src: &[U], dst: &mut [_]| {
        let kernels = simd::active();
        let kernel = if BE {
            kernels.utf16be_to_utf8_lossy()
        } else {
            kernels.utf16le_to_utf8_lossy()
        };
        let done = kernel(bytemuck::cast_slice(src), dst);
        Transcoded {
            read: done.read / size_of::<U>(),
            ..done
        }
    };
    let written = short_utf16::<U, BE>(src, room);
    all_or(written, src, Room(room), |src, room| {
        convert(src, room, kernel, |src, room| {
            lossy(Utf16 { is_big_endian: BE }, src, &mut utf8_out(room))
        })
    })
}

/// Converts short UTF-16 in line, as [`short`] does.
#[inline(always)]
fn short_utf16<U: NoUninit, const BE: bool>(
    src: &[U],
    room: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let (units, []) = bytemuck::cast_slice(src).as_chunks() else {
        return None;
    };
    short::utf16_to_utf8::<BE>(units, room)
}
