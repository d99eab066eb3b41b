//! Conversions between UTF-8, UTF-16, UTF-32 and Latin-1: whole texts, without the state of a stream.

mod utf8;

mod utf16;
mod utf16be;
mod utf16le;

mod utf32;

mod latin1;

mod ascii;

use std::mem::MaybeUninit;

use simdtext::unicode::Conversion;

use crate::boundary::{buffers, call_with_result};
use crate::types::{Unit, simdtext_malformed_number, simdtext_result};

pub use ascii::*;
pub use latin1::*;
pub use utf8::*;
pub use utf16::*;
pub use utf16be::*;
pub use utf16le::*;
pub use utf32::*;

/// Converts with `strict` or `lossy`, as the caller chooses. `len_of` returns how many units of the source a
/// character has.
///
/// # Safety
///
/// As [`buffers`].
#[allow(
    clippy::too_many_arguments,
    reason = "five are the C function's own, and the rest are what differs between them"
)]
#[inline(always)]
unsafe fn convert<S: Unit, D>(
    src: *const S,
    len: usize,
    dst: *mut D,
    room: usize,
    malformed: simdtext_malformed_number,
    len_of: fn(char) -> usize,
    strict: impl FnOnce(&[S], &mut [MaybeUninit<D>]) -> Conversion,
    lossy: impl FnOnce(&[S], &mut [MaybeUninit<D>]) -> Conversion,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src, len, dst, room) }?;
        let done = if malformed.is_stop()? {
            strict(src, dst)
        } else {
            lossy(src, dst)
        };
        result.set_conversion(done, src, len_of);
        Ok(())
    })
}

/// Converts input that is never malformed.
///
/// # Safety
///
/// As [`buffers`].
#[inline(always)]
unsafe fn convert_latin1<D>(
    src: *const u8,
    len: usize,
    dst: *mut D,
    room: usize,
    convert: impl FnOnce(&[u8], &mut [MaybeUninit<D>]) -> Conversion,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src, len, dst, room) }?;
        result.set_conversion(convert(src, dst), src, one_unit);
        Ok(())
    })
}

/// The length of a character in UTF-16, in bytes.
fn bytes_of_utf16(ch: char) -> usize {
    2 * ch.len_utf16()
}

/// The length of a character in UTF-32 and Latin-1.
fn one_unit(_: char) -> usize {
    1
}
