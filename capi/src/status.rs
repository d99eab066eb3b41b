//! Statuses in words.

use std::ffi::{CStr, c_char};

/// An enum as C programs pass it: a number that may have any value.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct simdtext_status_number(u32);

/// What a status means, in English, for messages: "the output is full". The string ends with NUL and lives as long
/// as the process. "unknown status" for any other number.
#[unsafe(no_mangle)]
pub extern "C" fn simdtext_status_message(status: simdtext_status_number) -> *const c_char {
    let message: &'static CStr = match status.0 {
        0 => c"all input was read",
        1 => c"the output is full",
        2 => c"the input is malformed",
        3 => c"the output's encoding does not have a character",
        4 => c"invalid argument",
        5 => c"a pointer is not aligned to its units",
        6 => c"input and output overlap",
        7 => c"the encoding has no encoder",
        8 => c"out of memory",
        9 => c"a defect of the library",
        10 => c"not a stored map, or a damaged one",
        11 => c"stored in an unknown version of the format",
        _ => c"unknown status",
    };
    message.as_ptr()
}
