//! UTF-16 to UTF-8 by one call of a kernel, which is all that well-formed text takes. Texts are
//! short most often: the state machine and its loop are only called for what is left.

use core::mem::MaybeUninit;

use bytemuck::NoUninit;

use super::buffer::Room;
use super::machine::{lossy, strict};
use super::{Conversion, Stop};
use crate::codec::utf_16::Utf16Decoder;
use crate::simd::{self, Replaced};
use crate::text::Utf8Out;

/// Converts up to the first malformed sequence.
#[inline]
pub(super) fn utf_16_to_utf_8<U: NoUninit, const BE: bool>(
    src: &[U],
    Room(room): Room<'_, u8>,
) -> Conversion {
    let kernels = simd::active();
    let kernel = if BE {
        kernels.utf_16be_to_utf_8
    } else {
        kernels.utf_16le_to_utf_8
    };
    let bytes = bytemuck::cast_slice(src);
    let (read, written) = kernel(bytes, room);
    let done = Replaced {
        read,
        written,
        errors: 0,
    };
    if read == bytes.len() {
        all_of(src, done)
    } else {
        strict_rest::<U, BE>(src, room, done)
    }
}

/// Converts, with U+FFFD for each malformed sequence.
#[inline]
pub(super) fn utf_16_to_utf_8_lossy<U: NoUninit, const BE: bool>(
    src: &[U],
    Room(room): Room<'_, u8>,
) -> Conversion {
    let kernels = simd::active();
    let kernel = if BE {
        kernels.utf_16be_to_utf_8_lossy
    } else {
        kernels.utf_16le_to_utf_8_lossy
    };
    let bytes = bytemuck::cast_slice(src);
    let done = kernel(bytes, room);
    if done.read == bytes.len() {
        all_of(src, done)
    } else {
        lossy_rest::<U, BE>(src, room, done)
    }
}

#[inline(always)]
fn all_of<U>(src: &[U], done: Replaced) -> Conversion {
    Conversion {
        stop: Stop::InputEmpty,
        read: src.len(),
        written: done.written,
        replaced: done.errors,
    }
}

#[cold]
fn strict_rest<U: NoUninit, const BE: bool>(
    src: &[U],
    room: &mut [MaybeUninit<u8>],
    done: Replaced,
) -> Conversion {
    behind(src, room, done, |src, out| {
        strict(Utf16Decoder::<BE>, src, out)
    })
}

#[cold]
fn lossy_rest<U: NoUninit, const BE: bool>(
    src: &[U],
    room: &mut [MaybeUninit<u8>],
    done: Replaced,
) -> Conversion {
    behind(src, room, done, |src, out| {
        lossy(Utf16Decoder::<BE>, src, out)
    })
}

/// Converts what is behind that which is done.
#[inline(always)]
fn behind<U: NoUninit>(
    src: &[U],
    room: &mut [MaybeUninit<u8>],
    done: Replaced,
    convert: impl FnOnce(&[U], &mut Utf8Out<'_>) -> Conversion,
) -> Conversion {
    let read = done.read / size_of::<U>();
    let src = src.get(read..).unwrap_or_default();
    let room = room.get_mut(done.written..).unwrap_or_default();
    let rest = convert(src, &mut Utf8Out::new(room));
    Conversion {
        stop: rest.stop,
        read: read + rest.read,
        written: done.written + rest.written,
        replaced: done.errors + rest.replaced,
    }
}
