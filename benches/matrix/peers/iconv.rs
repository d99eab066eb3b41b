//! glibc's iconv, if the machine has glibc: it is looked up when the benchmark runs.
#![expect(unsafe_code, reason = "a C library")]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::OnceLock;

use libloading::Library;

type Open = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void;
type Convert =
    unsafe extern "C" fn(*mut c_void, *mut *mut u8, *mut usize, *mut *mut u8, *mut usize) -> usize;
type Close = unsafe extern "C" fn(*mut c_void) -> c_int;

struct Functions {
    version: unsafe extern "C" fn() -> *const c_char,
    open: Open,
    convert: Convert,
    close: Close,
}

fn functions() -> Option<&'static Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    FUNCTIONS.get_or_init(load).as_ref()
}

fn load() -> Option<Functions> {
    // SAFETY: the library is loaded already, because Rust's standard library uses it.
    let library = unsafe { Library::new("libc.so.6") }.ok()?;
    let library: &'static Library = Box::leak(Box::new(library));
    Some(Functions {
        // SAFETY: the type is that of the function in `gnu/libc-version.h`.
        version: *unsafe { library.get(b"gnu_get_libc_version") }.ok()?,
        // SAFETY: the type is that of the function in `iconv.h`.
        open: *unsafe { library.get(b"iconv_open") }.ok()?,
        // SAFETY: the type is that of the function in `iconv.h`.
        convert: *unsafe { library.get(b"iconv") }.ok()?,
        // SAFETY: the type is that of the function in `iconv.h`.
        close: *unsafe { library.get(b"iconv_close") }.ok()?,
    })
}

/// The version of glibc.
pub(crate) fn version() -> Option<String> {
    // SAFETY: returns a static C string.
    let version = unsafe { (functions()?.version)() };
    // SAFETY: it is a C string, as above.
    let version = unsafe { CStr::from_ptr(version) };
    Some(version.to_string_lossy().into_owned())
}

/// An open conversion. It stops at the first sequence that can't be converted.
pub(crate) struct Converter {
    descriptor: *mut c_void,
    functions: &'static Functions,
}

impl Converter {
    pub(crate) fn new(to: &str, from: &str) -> Option<Self> {
        let functions = functions()?;
        let (to, from) = (CString::new(name(to)).ok()?, CString::new(name(from)).ok()?);
        // SAFETY: both are C strings.
        let descriptor = unsafe { (functions.open)(to.as_ptr(), from.as_ptr()) };
        (descriptor.addr() != usize::MAX).then_some(Converter {
            descriptor,
            functions,
        })
    }

    /// Returns the number of bytes written.
    pub(crate) fn convert(&self, src: &[u8], dst: &mut [u8]) -> usize {
        let (mut from, mut from_left) = (src.as_ptr().cast_mut(), src.len());
        let (mut to, mut to_left) = (dst.as_mut_ptr(), dst.len());
        let (from, from_left) = (&raw mut from, &raw mut from_left);
        let (to_left, to) = (&raw mut to_left, &raw mut to);
        // A call without a source writes the sequence that returns the output to the initial state.
        for from in [from, ptr::null_mut()] {
            // SAFETY: the descriptor is open, the lengths are those of the slices, and iconv does not write
            // to its source.
            unsafe { (self.functions.convert)(self.descriptor, from, from_left, to, to_left) };
        }
        // SAFETY: a local variable, which iconv has decreased.
        dst.len() - unsafe { *to_left }
    }
}

impl Drop for Converter {
    fn drop(&mut self) {
        // SAFETY: the descriptor is open, and not used again.
        unsafe { (self.functions.close)(self.descriptor) };
    }
}

/// glibc's name for an encoding of the standard.
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
