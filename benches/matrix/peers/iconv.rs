//! The C library's iconv.
#![expect(unsafe_code, reason = "a C library")]

use std::ffi::{CStr, CString};
use std::ptr;

/// Of glibc.
pub(crate) fn version() -> String {
    // SAFETY: returns a static C string.
    let version = unsafe { libc::gnu_get_libc_version() };
    // SAFETY: as above.
    let version = unsafe { CStr::from_ptr(version) };
    version.to_string_lossy().into_owned()
}

/// An open conversion. What it can not convert ends it.
pub(crate) struct Converter(libc::iconv_t);

impl Converter {
    pub(crate) fn new(to: &str, from: &str) -> Option<Self> {
        let (to, from) = (CString::new(name(to)).ok()?, CString::new(name(from)).ok()?);
        // SAFETY: both are C strings.
        let descriptor = unsafe { libc::iconv_open(to.as_ptr(), from.as_ptr()) };
        (descriptor.addr() != usize::MAX).then_some(Converter(descriptor))
    }

    /// The bytes written.
    pub(crate) fn convert(&self, src: &[u8], dst: &mut [u8]) -> usize {
        let (mut from, mut from_left) = (src.as_ptr().cast_mut().cast(), src.len());
        let (mut to, mut to_left) = (dst.as_mut_ptr().cast(), dst.len());
        // SAFETY: the descriptor is open, the lengths are those of the slices, and iconv does not
        // write to its source.
        unsafe {
            libc::iconv(
                self.0,
                &raw mut from,
                &raw mut from_left,
                &raw mut to,
                &raw mut to_left,
            )
        };
        // SAFETY: as above; without a source this writes what brings the output to its first state.
        unsafe {
            libc::iconv(
                self.0,
                ptr::null_mut(),
                ptr::null_mut(),
                &raw mut to,
                &raw mut to_left,
            )
        };
        dst.len() - to_left
    }
}

impl Drop for Converter {
    fn drop(&mut self) {
        // SAFETY: the descriptor is open, and not used again.
        unsafe { libc::iconv_close(self.0) };
    }
}

/// What glibc calls the encoding of the web.
fn name(encoding: &str) -> String {
    match encoding {
        "Shift_JIS" => "CP932".to_owned(),
        "EUC-KR" => "CP949".to_owned(),
        "EUC-JP" => "EUC-JP-MS".to_owned(),
        "Big5" => "BIG5-HKSCS".to_owned(),
        "windows-874" => "CP874".to_owned(),
        "x-mac-cyrillic" => "MAC-CYRILLIC".to_owned(),
        "ISO-8859-8-I" => "ISO-8859-8".to_owned(),
        _ => encoding.replace("windows-", "CP"),
    }
}
