//! UTF-16: code units.

use std::ffi::{c_char, c_void};

use simdtext::unicode;

use super::convert;
use crate::boundary::{buffers, call, call_with_result, input};
use crate::types::simdtext_status::SIMDTEXT_STATUS_OUTPUT_FULL;
use crate::types::{simdtext_char16, simdtext_char32, simdtext_malformed_number, simdtext_result};

/// Converts UTF-16 from `src` (`len` code units) to UTF-8 in `dst` (room for `room` bytes; 3 * `len` are always
/// enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16_to_utf8(
    src: *const simdtext_char16,
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
            char::len_utf16,
            unicode::utf16_to_utf8,
            unicode::utf16_to_utf8_lossy,
        )
    }
}

/// Copies UTF-16 from `src` (`len` code units) to `dst` (room for `room` code units; `len` are always enough),
/// validating it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16_to_utf16(
    src: *const simdtext_char16,
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
            char::len_utf16,
            unicode::utf16_to_utf16,
            unicode::utf16_to_utf16_lossy,
        )
    }
}

/// Converts UTF-16 from `src` (`len` code units) to UTF-16LE in `dst` (room for `room` bytes, at any address; 2 *
/// `len` are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16_to_utf16le(
    src: *const simdtext_char16,
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
            char::len_utf16,
            unicode::utf16_to_utf16le,
            unicode::utf16_to_utf16le_lossy,
        )
    }
}

/// Converts UTF-16 from `src` (`len` code units) to UTF-16BE in `dst` (room for `room` bytes, at any address; 2 *
/// `len` are always enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16_to_utf16be(
    src: *const simdtext_char16,
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
            char::len_utf16,
            unicode::utf16_to_utf16be,
            unicode::utf16_to_utf16be_lossy,
        )
    }
}

/// Converts UTF-16 from `src` (`len` code units) to UTF-32 in `dst` (room for `room` code units; `len` are always
/// enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16_to_utf32(
    src: *const simdtext_char16,
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
            char::len_utf16,
            unicode::utf16_to_utf32,
            unicode::utf16_to_utf32_lossy,
        )
    }
}

/// Converts UTF-16 from `src` (`len` code units) to Latin-1 in `dst` (room for `room` bytes; `len` are always
/// enough).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf16_to_latin1(
    src: *const simdtext_char16,
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
            char::len_utf16,
            unicode::utf16_to_latin1,
            unicode::utf16_to_latin1_lossy,
        )
    }
}

/// Whether UTF-16 in `src` (`len` code units) is well-formed. False if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_validate_utf16(src: *const simdtext_char16, len: usize) -> bool {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        Ok(unicode::validate_utf16(src).is_ok())
    })
}

/// Validates UTF-16 in `src` (`len` code units). `read` is the length of the well-formed part, and `fault`
/// what follows it: a surrogate without its other half.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_validate_utf16_with_errors(
    src: *const simdtext_char16,
    len: usize,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        let valid = unicode::validate_utf16(src);
        result.set_validation(valid, src);
        Ok(())
    })
}

/// The bytes of UTF-8 that UTF-16 in `src` (`len` code units) becomes. A surrogate without its other half counts
/// as 3, those of U+FFFD. SIZE_MAX if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_utf8_len_from_utf16(
    src: *const simdtext_char16,
    len: usize,
) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        Ok(unicode::utf8_len_from_utf16(src))
    })
}

/// The characters (scalar values) in UTF-16 in `src` (`len` code units): the length of its UTF-32, and of its
/// Latin-1 if it has one. A surrogate without its other half counts as one. SIZE_MAX if the arguments are
/// refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_count_scalars_utf16(
    src: *const simdtext_char16,
    len: usize,
) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        Ok(unicode::count_scalars_utf16(src))
    })
}

/// The length of UTF-16 in `src` (`len` code units) without the surrogate at its end whose other half may follow,
/// if there is one. SIZE_MAX if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_trim_partial_utf16(
    src: *const simdtext_char16,
    len: usize,
) -> usize {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        Ok(unicode::trim_partial_utf16(src))
    })
}

/// Copies UTF-16 from `src` (`len` code units) to `dst` (room for `room` code units) in the other byte order,
/// as much as fits. The input need not be well-formed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_swap_utf16(
    src: *const simdtext_char16,
    len: usize,
    dst: *mut simdtext_char16,
    room: usize,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let (src, dst) = unsafe { buffers(src, len, dst, room) }?;
        let copied = unicode::swap_utf16(src, dst);
        (result.read, result.written) = (copied, copied);
        if copied < src.len() {
            result.status = SIMDTEXT_STATUS_OUTPUT_FULL;
        }
        Ok(())
    })
}
