//! UTF-8: bytes.

use std::ffi::{c_char, c_void};

use simdtext::unicode;

use super::convert;
use crate::boundary::{call, call_with_result, input};
use crate::types::{simdtext_char16, simdtext_char32, simdtext_malformed_number, simdtext_result};

/// Copies UTF-8 from `src` (`len` bytes) to `dst` (room for `room` bytes; 3 * `len` are always enough),
/// validating it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf8_to_utf8(
    src: *const c_char,
    len: usize,
    dst: *mut c_char,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src.cast::<u8>(),
            len,
            dst.cast::<u8>(),
            room,
            malformed,
            char::len_utf8,
            unicode::utf8_to_utf8,
            unicode::utf8_to_utf8_lossy,
        )
    }
}

/// Converts UTF-8 from `src` (`len` bytes) to UTF-16 in `dst` (room for `room` code units; `len` are always
/// enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf8_to_utf16(
    src: *const c_char,
    len: usize,
    dst: *mut simdtext_char16,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src.cast::<u8>(),
            len,
            dst,
            room,
            malformed,
            char::len_utf8,
            unicode::utf8_to_utf16,
            unicode::utf8_to_utf16_lossy,
        )
    }
}

/// Converts UTF-8 from `src` (`len` bytes) to UTF-16LE in `dst` (room for `room` bytes, at any address; 2 * `len`
/// are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf8_to_utf16le(
    src: *const c_char,
    len: usize,
    dst: *mut c_void,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src.cast::<u8>(),
            len,
            dst.cast::<u8>(),
            room,
            malformed,
            char::len_utf8,
            unicode::utf8_to_utf16le,
            unicode::utf8_to_utf16le_lossy,
        )
    }
}

/// Converts UTF-8 from `src` (`len` bytes) to UTF-16BE in `dst` (room for `room` bytes, at any address; 2 * `len`
/// are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf8_to_utf16be(
    src: *const c_char,
    len: usize,
    dst: *mut c_void,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src.cast::<u8>(),
            len,
            dst.cast::<u8>(),
            room,
            malformed,
            char::len_utf8,
            unicode::utf8_to_utf16be,
            unicode::utf8_to_utf16be_lossy,
        )
    }
}

/// Converts UTF-8 from `src` (`len` bytes) to UTF-32 in `dst` (room for `room` code units; `len` are always
/// enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf8_to_utf32(
    src: *const c_char,
    len: usize,
    dst: *mut simdtext_char32,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src.cast::<u8>(),
            len,
            dst,
            room,
            malformed,
            char::len_utf8,
            unicode::utf8_to_utf32,
            unicode::utf8_to_utf32_lossy,
        )
    }
}

/// Converts UTF-8 from `src` (`len` bytes) to Latin-1 in `dst` (room for `room` bytes; `len` are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf8_to_latin1(
    src: *const c_char,
    len: usize,
    dst: *mut c_char,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src.cast::<u8>(),
            len,
            dst.cast::<u8>(),
            room,
            malformed,
            char::len_utf8,
            unicode::utf8_to_latin1,
            unicode::utf8_to_latin1_lossy,
        )
    }
}

/// Whether UTF-8 in `src` (`len` bytes) is well-formed. False if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_validate_utf8(src: *const c_char, len: usize) -> bool {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::validate_utf8(src).is_ok())
    })
}

/// Validates UTF-8 in `src` (`len` bytes). `read` is the length of the well-formed part, and `fault` what
/// follows it: a malformed sequence.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_validate_utf8_with_errors(
    src: *const c_char,
    len: usize,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        let valid = unicode::validate_utf8(src);
        result.set_validation(valid, src);
        Ok(())
    })
}

/// The code units of UTF-16 that well-formed UTF-8 in `src` (`len` bytes) becomes. SIZE_MAX if the arguments are
/// refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16_len_from_utf8(src: *const c_char, len: usize) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::utf16_len_from_utf8(src))
    })
}

/// The characters (scalar values) in well-formed UTF-8 in `src` (`len` bytes): the length of its UTF-32, and of
/// its Latin-1 if it has one. SIZE_MAX if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_count_scalars_utf8(src: *const c_char, len: usize) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::count_scalars_utf8(src))
    })
}

/// The line ends in UTF-8 in `src` (`len` bytes), or in any other encoding that has LF and CR where ASCII does: each CR
/// LF, and each LF and each CR that is not part of one. SIZE_MAX if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_count_line_ends_utf8(src: *const c_char, len: usize) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::count_line_ends_utf8(src))
    })
}

/// The length of UTF-8 in `src` (`len` bytes) without the incomplete character at its end, if there is one.
/// SIZE_MAX if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_trim_partial_utf8(src: *const c_char, len: usize) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::trim_partial_utf8(src))
    })
}
