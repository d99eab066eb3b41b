//! ICU, if the machine has it: `libicuuc` is looked up at run time, in any version.
#![expect(unsafe_code, reason = "a C library")]

use std::ffi::{CString, c_char, c_int};
use std::sync::OnceLock;

use libloading::Library;

/// ICU's `UConverter`.
#[repr(C)]
struct Handle {
    _private: [u8; 0],
}

type Error<'a> = &'a mut c_int;

struct Functions {
    version: u32,
    open: unsafe extern "C" fn(*const c_char, Error<'_>) -> *mut Handle,
    close: unsafe extern "C" fn(*mut Handle),
    to_units: unsafe extern "C" fn(*mut Handle, *mut u16, i32, *const u8, i32, Error<'_>) -> i32,
    from_units: unsafe extern "C" fn(*mut Handle, *mut u8, i32, *const u16, i32, Error<'_>) -> i32,
    to_algorithmic: ToAlgorithmic,
    from_algorithmic: FromAlgorithmic,
}

type ToAlgorithmic =
    unsafe extern "C" fn(c_int, *mut Handle, *mut u8, i32, *const u8, i32, Error<'_>) -> i32;
type FromAlgorithmic =
    unsafe extern "C" fn(*mut Handle, c_int, *mut u8, i32, *const u8, i32, Error<'_>) -> i32;

/// `UCNV_UTF8` of ICU's `UConverterType`.
const UTF_8: c_int = 4;

fn functions() -> Option<&'static Functions> {
    static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
    FUNCTIONS
        .get_or_init(|| (60..100).rev().find_map(load))
        .as_ref()
}

fn load(version: u32) -> Option<Functions> {
    // SAFETY: loading ICU's library only runs its own initialisation.
    let library = unsafe { Library::new(format!("libicuuc.so.{version}")) }.ok()?;
    let library: &'static Library = Box::leak(Box::new(library));
    macro_rules! symbol {
        ($name:literal) => {{
            // SAFETY: the type of the field is that of the function in ICU's header `ucnv.h`,
            // unchanged since version 2.
            *unsafe { library.get(format!(concat!($name, "_{}"), version).as_bytes()) }.ok()?
        }};
    }
    Some(Functions {
        version,
        open: symbol!("ucnv_open"),
        close: symbol!("ucnv_close"),
        to_units: symbol!("ucnv_toUChars"),
        from_units: symbol!("ucnv_fromUChars"),
        to_algorithmic: symbol!("ucnv_toAlgorithmic"),
        from_algorithmic: symbol!("ucnv_fromAlgorithmic"),
    })
}

pub(crate) fn version() -> Option<u32> {
    functions().map(|functions| functions.version)
}

/// An open converter of one encoding.
pub(crate) struct Converter {
    handle: *mut Handle,
    functions: &'static Functions,
}

impl Converter {
    pub(crate) fn new(encoding: &str) -> Option<Self> {
        let functions = functions()?;
        let name = CString::new(name(encoding)).ok()?;
        let mut error = 0;
        // SAFETY: a C string, and a place for the error.
        let handle = unsafe { (functions.open)(name.as_ptr(), &mut error) };
        (error <= 0 && !handle.is_null()).then_some(Converter { handle, functions })
    }

    /// Returns the number of bytes written, or 0 on errors.
    pub(crate) fn decode_to_utf8(&self, src: &[u8], dst: &mut [u8]) -> usize {
        let function = self.functions.to_algorithmic;
        self.convert(src, dst, |dst, room, src, len, error| {
            // SAFETY: `convert` passes an open converter's slices, and lengths that are at most theirs.
            unsafe { function(UTF_8, self.handle, dst, room, src, len, error) }
        })
    }

    /// Returns the number of code units written, or 0 on errors.
    pub(crate) fn decode_to_utf16(&self, src: &[u8], dst: &mut [u16]) -> usize {
        let function = self.functions.to_units;
        self.convert(src, dst, |dst, room, src, len, error| {
            // SAFETY: `convert` passes an open converter's slices, and lengths that are at most theirs.
            unsafe { function(self.handle, dst, room, src, len, error) }
        })
    }

    /// Returns the number of bytes written, or 0 on errors.
    pub(crate) fn encode_utf8(&self, src: &[u8], dst: &mut [u8]) -> usize {
        let function = self.functions.from_algorithmic;
        self.convert(src, dst, |dst, room, src, len, error| {
            // SAFETY: `convert` passes an open converter's slices, and lengths that are at most theirs.
            unsafe { function(self.handle, UTF_8, dst, room, src, len, error) }
        })
    }

    /// Returns the number of bytes written, or 0 on errors.
    pub(crate) fn encode_utf16(&self, src: &[u16], dst: &mut [u8]) -> usize {
        let function = self.functions.from_units;
        self.convert(src, dst, |dst, room, src, len, error| {
            // SAFETY: `convert` passes an open converter's slices, and lengths that are at most theirs.
            unsafe { function(self.handle, dst, room, src, len, error) }
        })
    }

    /// Calls a function of ICU. Error codes are positive, warnings negative.
    fn convert<S, D>(
        &self,
        src: &[S],
        dst: &mut [D],
        function: impl FnOnce(*mut D, i32, *const S, i32, Error<'_>) -> i32,
    ) -> usize {
        let mut error = 0;
        let length = |len: usize| i32::try_from(len).unwrap_or(i32::MAX);
        let (room, len) = (length(dst.len()), length(src.len()));
        let written = function(dst.as_mut_ptr(), room, src.as_ptr(), len, &mut error);
        if error > 0 {
            0
        } else {
            usize::try_from(written).unwrap_or(0)
        }
    }
}

impl Drop for Converter {
    fn drop(&mut self) {
        // SAFETY: the converter is open, and not used again.
        unsafe { (self.functions.close)(self.handle) };
    }
}

/// ICU's name for an encoding of the standard.
fn name(encoding: &str) -> String {
    match encoding {
        "windows-874" => "windows-874-2000".to_owned(),
        "Big5" => "Big5-HKSCS".to_owned(),
        "Shift_JIS" => "ibm-943_P15A-2003".to_owned(),
        "EUC-KR" => "windows-949-2000".to_owned(),
        "GBK" => "windows-936-2000".to_owned(),
        "x-mac-cyrillic" => "macos-7_3-10.2".to_owned(),
        "macintosh" => "macos-0_2-10.2".to_owned(),
        "ISO-8859-8-I" => "ISO-8859-8".to_owned(),
        _ => encoding.to_owned(),
    }
}
