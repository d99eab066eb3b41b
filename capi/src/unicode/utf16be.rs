//! UTF-16BE: bytes.

use std::ffi::{c_char, c_void};

use simdtext::unicode;

use super::{bytes_of_utf16, convert};
use crate::boundary::{call, call_with_result, input};
use crate::types::{simdtext_char16, simdtext_char32, simdtext_malformed_number, simdtext_result};

/// Converts UTF-16BE from `src` (`len` bytes, at any address) to UTF-8 in `dst` (room for `room` bytes; 3 *
/// (`len` / 2 + 1) are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16be_to_utf8(
    src: *const c_void,
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
            bytes_of_utf16,
            unicode::utf16be_to_utf8,
            unicode::utf16be_to_utf8_lossy,
        )
    }
}

/// Converts UTF-16BE from `src` (`len` bytes, at any address) to UTF-16 in `dst` (room for `room` code units;
/// `len` / 2 + 1 are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16be_to_utf16(
    src: *const c_void,
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
            bytes_of_utf16,
            unicode::utf16be_to_utf16,
            unicode::utf16be_to_utf16_lossy,
        )
    }
}

/// Converts UTF-16BE from `src` (`len` bytes, at any address) to UTF-16LE in `dst` (room for `room` bytes, at any
/// address; `len` + 1 are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16be_to_utf16le(
    src: *const c_void,
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
            bytes_of_utf16,
            unicode::utf16be_to_utf16le,
            unicode::utf16be_to_utf16le_lossy,
        )
    }
}

/// Copies UTF-16BE from `src` (`len` bytes, at any address) to `dst` (room for `room` bytes; `len` + 1 are always
/// enough), validating it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16be_to_utf16be(
    src: *const c_void,
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
            bytes_of_utf16,
            unicode::utf16be_to_utf16be,
            unicode::utf16be_to_utf16be_lossy,
        )
    }
}

/// Converts UTF-16BE from `src` (`len` bytes, at any address) to UTF-32 in `dst` (room for `room` code units;
/// `len` / 2 + 1 are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16be_to_utf32(
    src: *const c_void,
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
            bytes_of_utf16,
            unicode::utf16be_to_utf32,
            unicode::utf16be_to_utf32_lossy,
        )
    }
}

/// Converts UTF-16BE from `src` (`len` bytes, at any address) to Latin-1 in `dst` (room for `room` bytes; `len` /
/// 2 + 1 are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16be_to_latin1(
    src: *const c_void,
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
            bytes_of_utf16,
            unicode::utf16be_to_latin1,
            unicode::utf16be_to_latin1_lossy,
        )
    }
}

/// Whether UTF-16BE in `src` (`len` bytes, at any address) is well-formed. False if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_validate_utf16be(src: *const c_void, len: usize) -> bool {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::validate_utf16be(src).is_ok())
    })
}

/// Validates UTF-16BE in `src` (`len` bytes, at any address). `read` is the length of the well-formed part,
/// and `fault` what follows it: a surrogate without its other half, or an odd byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_validate_utf16be_with_errors(
    src: *const c_void,
    len: usize,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        let valid = unicode::validate_utf16be(src);
        result.set_validation(valid, src);
        Ok(())
    })
}

/// The bytes of UTF-8 that UTF-16BE in `src` (`len` bytes, at any address) becomes. A surrogate without its other
/// half counts as 3, those of U+FFFD. An odd byte at the end counts as none, although SIMDTEXT_MALFORMED_REPLACE makes
/// 3 bytes of it as well. SIZE_MAX if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf8_len_from_utf16be(src: *const c_void, len: usize) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::utf8_len_from_utf16be(src))
    })
}

/// The characters (scalar values) in UTF-16BE in `src` (`len` bytes, at any address): the length of its UTF-32,
/// and of its Latin-1 if it has one. A surrogate without its other half counts as one, and an odd byte at the end as
/// none. SIZE_MAX if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_count_scalars_utf16be(src: *const c_void, len: usize) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::count_scalars_utf16be(src))
    })
}

/// The length of UTF-16BE in `src` (`len` bytes, at any address) without the surrogate at its end whose other
/// half may follow, if there is one, and without an odd byte. SIZE_MAX if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_trim_partial_utf16be(src: *const c_void, len: usize) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::trim_partial_utf16be(src))
    })
}
