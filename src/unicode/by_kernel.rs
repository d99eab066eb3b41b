//! Conversion by one call of a kernel, which is all that well-formed text takes. Texts are short
//! most often: the state machine and its loop are only called for what is left.

use core::mem::MaybeUninit;

use super::buffer::Room;
use super::{Conversion, Stop};

/// Converts with `kernel`, which returns the units read and written, and what it leaves with `rest`.
#[inline]
pub(super) fn convert<From, To>(
    src: &[From],
    Room(room): Room<'_, To>,
    kernel: impl FnOnce(&[From], &mut [MaybeUninit<To>]) -> (usize, usize),
    rest: impl FnOnce(&[From], Room<'_, To>) -> Conversion,
) -> Conversion {
    let (read, written) = kernel(src, room);
    if read == src.len() {
        Conversion {
            stop: Stop::InputEmpty,
            read,
            written,
            replaced: 0,
        }
    } else {
        behind(src, room, read, written, rest)
    }
}

/// Converts what is behind that which is done.
#[cold]
fn behind<From, To>(
    src: &[From],
    room: &mut [MaybeUninit<To>],
    read: usize,
    written: usize,
    rest: impl FnOnce(&[From], Room<'_, To>) -> Conversion,
) -> Conversion {
    let src = src.get(read..).unwrap_or_default();
    let room = room.get_mut(written..).unwrap_or_default();
    let rest = rest(src, Room(room));
    Conversion {
        read: read + rest.read,
        written: written + rest.written,
        ..rest
    }
}
