//! Latin-1: bytes.

use std::ffi::{c_char, c_void};

use simdtext::unicode;

use super::convert_latin1;
use crate::boundary::{call, input};
use crate::types::{simdtext_char16, simdtext_char32, simdtext_result};

/// Converts Latin-1 from `src` (`len` bytes) to UTF-8 in `dst` (room for `room` bytes; 2 * `len` are always
/// enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_latin1_to_utf8(
    src: *const c_char,
    len: usize,
    dst: *mut c_char,
    room: usize,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert_latin1(
            src.cast::<u8>(),
            len,
            dst.cast::<u8>(),
            room,
            unicode::latin1_to_utf8,
        )
    }
}

/// Converts Latin-1 from `src` (`len` bytes) to UTF-16 in `dst` (room for `room` code units; `len` are always
/// enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_latin1_to_utf16(
    src: *const c_char,
    len: usize,
    dst: *mut simdtext_char16,
    room: usize,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe { convert_latin1(src.cast::<u8>(), len, dst, room, unicode::latin1_to_utf16) }
}

/// Converts Latin-1 from `src` (`len` bytes) to UTF-16LE in `dst` (room for `room` bytes, at any address; 2 *
/// `len` are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_latin1_to_utf16le(
    src: *const c_char,
    len: usize,
    dst: *mut c_void,
    room: usize,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert_latin1(
            src.cast::<u8>(),
            len,
            dst.cast::<u8>(),
            room,
            unicode::latin1_to_utf16le,
        )
    }
}

/// Converts Latin-1 from `src` (`len` bytes) to UTF-16BE in `dst` (room for `room` bytes, at any address; 2 *
/// `len` are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_latin1_to_utf16be(
    src: *const c_char,
    len: usize,
    dst: *mut c_void,
    room: usize,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert_latin1(
            src.cast::<u8>(),
            len,
            dst.cast::<u8>(),
            room,
            unicode::latin1_to_utf16be,
        )
    }
}

/// Converts Latin-1 from `src` (`len` bytes) to UTF-32 in `dst` (room for `room` code units; `len` are always
/// enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_latin1_to_utf32(
    src: *const c_char,
    len: usize,
    dst: *mut simdtext_char32,
    room: usize,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe { convert_latin1(src.cast::<u8>(), len, dst, room, unicode::latin1_to_utf32) }
}

/// The bytes of UTF-8 that Latin-1 in `src` (`len` bytes) becomes. SIZE_MAX if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf8_len_from_latin1(src: *const c_char, len: usize) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::utf8_len_from_latin1(src))
    })
}
