//! The version of the library, and the instruction set that it uses.

use std::ffi::{CStr, CString, c_char};
use std::sync::OnceLock;

use crate::boundary::call;

/// The version of this header.
pub const SIMDTEXT_VERSION_MAJOR: u32 = 0;
/// The version of this header.
pub const SIMDTEXT_VERSION_MINOR: u32 = 1;
/// The version of this header.
pub const SIMDTEXT_VERSION_PATCH: u32 = 0;

/// The version of the library that runs, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn simdtext_version() -> *const c_char {
    const VERSION: &CStr =
        match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
            Ok(version) => version,
            Err(_) => c"",
        };
    VERSION.as_ptr()
}

/// The instruction set whose kernels are in use, such as "avx2". The processor is asked once; the environment
/// variable SIMDTEXT_ISA, read once, forces a lower one. The string lives as long as the process.
#[unsafe(no_mangle)]
pub extern "C" fn simdtext_active_isa() -> *const c_char {
    static NAME: OnceLock<CString> = OnceLock::new();
    call(|| {
        let name = NAME.get_or_init(|| CString::new(simdtext::active_isa()).unwrap_or_default());
        Ok(name.as_ptr())
    })
}
