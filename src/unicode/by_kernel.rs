//! Conversion by one call of a kernel, which is all that well-formed text takes. Texts are short
//! most often: the state machine and its loop are only called for what is left.

use core::mem::MaybeUninit;

use bytemuck::NoUninit;

use super::machine::{lossy, strict};
use super::{Conversion, Stop, short};
use crate::codec::utf16::Utf16;
use crate::output::Utf8Out;
use crate::simd::{self, Transcoded};

/// Converts with `kernel`, and what it leaves with `rest`.
#[inline]
pub(super) fn convert<From, To, Done: Into<Transcoded>>(
    src: &[From],
    room: &mut [MaybeUninit<To>],
    kernel: impl FnOnce(&[From], &mut [MaybeUninit<To>]) -> Done,
    rest: impl FnOnce(&[From], &mut [MaybeUninit<To>]) -> Conversion,
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
    room: &mut [MaybeUninit<To>],
    otherwise: impl FnOnce(&[From], &mut [MaybeUninit<To>]) -> Conversion,
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
    rest: impl FnOnce(&[From], &mut [MaybeUninit<To>]) -> Conversion,
) -> Conversion {
    let src = src.get(done.read..).unwrap_or_default();
    let room = room.get_mut(done.written..).unwrap_or_default();
    let rest = rest(src, room);
    Conversion {
        stop: rest.stop,
        read: done.read + rest.read,
        written: done.written + rest.written,
        replaced: done.errors + rest.replaced,
    }
}

/// Converts UTF-16, in code units or bytes: up to the first lone surrogate, or with U+FFFD for each one.
#[inline]
pub(super) fn utf16_to_utf8<U: NoUninit, const BE: bool, const LOSSY: bool>(
    src: &[U],
    room: &mut [MaybeUninit<u8>],
) -> Conversion {
    let kernel = |src: &[U], dst: &mut [_]| {
        let (kernels, bytes) = (simd::active(), bytemuck::cast_slice(src));
        let done: Transcoded = match (BE, LOSSY) {
            (false, false) => (kernels.utf16le_to_utf8())(bytes, dst).into(),
            (true, false) => (kernels.utf16be_to_utf8())(bytes, dst).into(),
            (false, true) => (kernels.utf16le_to_utf8_lossy())(bytes, dst),
            (true, true) => (kernels.utf16be_to_utf8_lossy())(bytes, dst),
        };
        Transcoded {
            read: done.read / size_of::<U>(),
            ..done
        }
    };
    let written = match bytemuck::cast_slice::<U, u8>(src).as_chunks() {
        (units, []) => short::utf16_to_utf8::<BE>(units, room),
        _ => None,
    };
    all_or(written, src, room, |src, room| {
        convert(src, room, kernel, |src, room| {
            let (utf16, out) = (Utf16 { is_big_endian: BE }, Utf8Out::new(room));
            if LOSSY {
                lossy(utf16, src, out)
            } else {
                strict(utf16, src, out)
            }
        })
    })
}
