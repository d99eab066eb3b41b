//! UTF-32: code units.

use std::ffi::{c_char, c_void};

use simdtext::unicode;

use super::{convert, one_unit};
use crate::boundary::{call, call_with_result, input};
use crate::types::{simdtext_char16, simdtext_char32, simdtext_malformed_number, simdtext_result};

/// Converts UTF-32 from `src` (`len` code units) to UTF-8 in `dst` (room for `room` bytes; 4 * `len` are always
/// enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf32_to_utf8(
    src: *const simdtext_char32,
    len: usize,
    dst: *mut c_char,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src,
            len,
            dst.cast::<u8>(),
            room,
            malformed,
            one_unit,
            unicode::utf32_to_utf8,
            unicode::utf32_to_utf8_lossy,
        )
    }
}

/// Converts UTF-32 from `src` (`len` code units) to UTF-16 in `dst` (room for `room` code units; 2 * `len` are
/// always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf32_to_utf16(
    src: *const simdtext_char32,
    len: usize,
    dst: *mut simdtext_char16,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src,
            len,
            dst,
            room,
            malformed,
            one_unit,
            unicode::utf32_to_utf16,
            unicode::utf32_to_utf16_lossy,
        )
    }
}

/// Converts UTF-32 from `src` (`len` code units) to UTF-16LE in `dst` (room for `room` bytes, at any address; 4 *
/// `len` are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf32_to_utf16le(
    src: *const simdtext_char32,
    len: usize,
    dst: *mut c_void,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src,
            len,
            dst.cast::<u8>(),
            room,
            malformed,
            one_unit,
            unicode::utf32_to_utf16le,
            unicode::utf32_to_utf16le_lossy,
        )
    }
}

/// Converts UTF-32 from `src` (`len` code units) to UTF-16BE in `dst` (room for `room` bytes, at any address; 4 *
/// `len` are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf32_to_utf16be(
    src: *const simdtext_char32,
    len: usize,
    dst: *mut c_void,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src,
            len,
            dst.cast::<u8>(),
            room,
            malformed,
            one_unit,
            unicode::utf32_to_utf16be,
            unicode::utf32_to_utf16be_lossy,
        )
    }
}

/// Copies UTF-32 from `src` (`len` code units) to `dst` (room for `room` code units; `len` are always enough),
/// validating it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf32_to_utf32(
    src: *const simdtext_char32,
    len: usize,
    dst: *mut simdtext_char32,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src,
            len,
            dst,
            room,
            malformed,
            one_unit,
            unicode::utf32_to_utf32,
            unicode::utf32_to_utf32_lossy,
        )
    }
}

/// Converts UTF-32 from `src` (`len` code units) to Latin-1 in `dst` (room for `room` bytes; `len` are always
/// enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf32_to_latin1(
    src: *const simdtext_char32,
    len: usize,
    dst: *mut c_char,
    room: usize,
    malformed: simdtext_malformed_number,
) -> simdtext_result {
    // SAFETY: the caller's promise.
    unsafe {
        convert(
            src,
            len,
            dst.cast::<u8>(),
            room,
            malformed,
            one_unit,
            unicode::utf32_to_latin1,
            unicode::utf32_to_latin1_lossy,
        )
    }
}

/// Whether UTF-32 in `src` (`len` code units) is well-formed. False if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_validate_utf32(src: *const simdtext_char32, len: usize) -> bool {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        Ok(unicode::validate_utf32(src).is_ok())
    })
}

/// Validates UTF-32 in `src` (`len` code units). `read` is the length of the well-formed part, and `fault`
/// what follows it: a unit that is not a scalar value.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_validate_utf32_with_errors(
    src: *const simdtext_char32,
    len: usize,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        let valid = unicode::validate_utf32(src);
        result.set_validation(valid, src);
        Ok(())
    })
}

/// The bytes of UTF-8 that UTF-32 in `src` (`len` code units) becomes, if it is well-formed. SIZE_MAX if the
/// arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf8_len_from_utf32(
    src: *const simdtext_char32,
    len: usize,
) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        Ok(unicode::utf8_len_from_utf32(src))
    })
}

/// The code units of UTF-16 that UTF-32 in `src` (`len` code units) becomes, if it is well-formed. SIZE_MAX if
/// the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16_len_from_utf32(
    src: *const simdtext_char32,
    len: usize,
) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        Ok(unicode::utf16_len_from_utf32(src))
    })
}
