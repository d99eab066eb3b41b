//! ASCII.

use std::ffi::c_char;

use simdtext::unicode;

use crate::boundary::{call, call_with_result, input};
use crate::types::simdtext_result;

/// Whether `src` (`len` bytes) is ASCII. False if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_validate_ascii(src: *const c_char, len: usize) -> bool {
    call(|| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        Ok(unicode::validate_ascii(src).is_ok())
    })
}

/// Validates ASCII in `src` (`len` bytes). `read` is the length of the ASCII, and `fault` the first other
/// byte.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_validate_ascii_with_errors(
    src: *const c_char,
    len: usize,
) -> simdtext_result {
    call_with_result(|result| {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        let valid = unicode::validate_ascii(src);
        result.set_validation(valid, src);
        Ok(())
    })
}
