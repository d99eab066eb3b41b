//! Recognises bytes that are not text at all.

use std::ffi::c_void;
use std::ptr::NonNull;

use simdtext::detect::{self, BinaryScan, Sign};

use crate::allocator::{Allocator, simdtext_allocator};
use crate::boundary::{Outcome, call, exclusive, input, place, shared};
use crate::encoding::{encoding_of, simdtext_encoding};
use crate::types::simdtext_status;
use crate::types::simdtext_status::SIMDTEXT_STATUS_OK;
use simdtext_sign::{SIMDTEXT_SIGN_CONTROL, SIMDTEXT_SIGN_NONE, SIMDTEXT_SIGN_NUL};

/// A sign that bytes are not text.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum simdtext_sign {
    /// None.
    SIMDTEXT_SIGN_NONE = 0,
    /// NUL bytes, or code units of UTF-16 that are 0.
    SIMDTEXT_SIGN_NUL = 1,
    /// Control characters other than those of lines, pages, terminals and ISO-2022-JP.
    SIMDTEXT_SIGN_CONTROL = 2,
}

/// Why bytes are not text. All 0 if they may be text.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct simdtext_binary {
    /// The offset of the first sign, in bytes from the start.
    pub offset: u64,
    /// How many there were when this was decided; later ones are not counted.
    pub count: u64,
    /// The kind of sign.
    pub sign: simdtext_sign,
}

/// Whether `src` (`len` bytes) is not text, by its control characters: more of them, or of more kinds, than text has.
/// NUL and Ctrl-Z at the end are padding, however long. `encoding` is what the bytes are said to be in, or null; in
/// UTF-16LE and UTF-16BE code units are examined, in all others bytes. Stores the reason in `binary`, which may be null.
/// False, and nothing is stored, if the arguments are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_is_binary(
    encoding: *const simdtext_encoding,
    src: *const c_void,
    len: usize,
    binary: *mut simdtext_binary,
) -> bool {
    call(|| {
        // SAFETY: the caller's promise.
        let mut scan = unsafe { scan_of(encoding) }?;
        // SAFETY: the caller's promise.
        scan.feed(unsafe { input(src.cast::<u8>(), len) }?);
        // SAFETY: the caller's promise.
        unsafe { store(&scan, binary) }
    })
}

/// A stream of bytes that is searched for signs that they are not text. The result does not depend on how it is cut. It
/// keeps none of the bytes.
///
/// For one thread at a time.
pub struct simdtext_binary_scan {
    scan: BinaryScan,
    is_decided: bool,
    allocator: Allocator,
}

/// Begins a stream of bytes that are said to be in `encoding`, which may be null, as in simdtext_is_binary. Null if an
/// argument is invalid or there is no memory. Free it with simdtext_binary_scan_free.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_binary_scan_new(
    encoding: *const simdtext_encoding,
    allocator: *const simdtext_allocator,
) -> *mut simdtext_binary_scan {
    call(|| {
        // SAFETY: the caller's promise.
        let scan = unsafe { scan_of(encoding) }?;
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        allocator.boxed(simdtext_binary_scan {
            scan,
            is_decided: false,
            allocator,
        })
    })
}

/// Frees a stream. Does nothing if it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_binary_scan_free(scan: *mut simdtext_binary_scan) {
    call(|| {
        // SAFETY: the caller's promise.
        let allocator = unsafe { shared(scan) }?.allocator;
        if let Some(scan) = NonNull::new(scan) {
            // SAFETY: that is where it came from, and the caller does not use it after this.
            unsafe { allocator.unboxed(scan) };
        }
        Ok(())
    });
}

/// Takes the next bytes of the stream (`len` bytes at `src`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_binary_scan_feed(
    scan: *mut simdtext_binary_scan,
    src: *const c_void,
    len: usize,
) -> simdtext_status {
    call(|| {
        // SAFETY: the caller's promise.
        let stream = unsafe { exclusive(scan) }?;
        // SAFETY: the caller's promise.
        let src = unsafe { input(src.cast::<u8>(), len) }?;
        stream.is_decided = !stream.scan.feed(src);
        Ok(SIMDTEXT_STATUS_OK)
    })
}

/// Whether they are not text, whatever follows, so that the rest need not be read. False if `scan` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_binary_scan_is_decided(
    scan: *const simdtext_binary_scan,
) -> bool {
    // SAFETY: the caller's promise.
    call(|| Ok(unsafe { shared(scan) }?.is_decided))
}

/// Whether the bytes fed so far, as all that there are, are not text. Stores the reason in `binary`, which may be null.
/// False, and nothing is stored, if `scan` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_binary_scan_finish(
    scan: *const simdtext_binary_scan,
    binary: *mut simdtext_binary,
) -> bool {
    call(|| {
        // SAFETY: the caller's promise.
        let scan = &unsafe { shared(scan) }?.scan;
        // SAFETY: the caller's promise.
        unsafe { store(scan, binary) }
    })
}

/// # Safety
///
/// `encoding` is null or came from the library.
unsafe fn scan_of(encoding: *const simdtext_encoding) -> Outcome<BinaryScan> {
    if encoding.is_null() {
        return Ok(BinaryScan::new());
    }
    // SAFETY: the caller's promise.
    Ok(BinaryScan::for_encoding(unsafe { encoding_of(encoding) }?))
}

/// Stores what was found, and returns whether it is anything.
///
/// # Safety
///
/// As [`place`], except that nothing is stored if it is null.
unsafe fn store(scan: &BinaryScan, to: *mut simdtext_binary) -> Outcome<bool> {
    let found = scan.finish();
    if !to.is_null() {
        // SAFETY: the caller's promise.
        unsafe { place(to) }?.write(found.map_or(NOT_BINARY, Into::into));
    }
    Ok(found.is_some())
}

const NOT_BINARY: simdtext_binary = simdtext_binary {
    offset: 0,
    count: 0,
    sign: SIMDTEXT_SIGN_NONE,
};

impl From<detect::Binary> for simdtext_binary {
    fn from(binary: detect::Binary) -> Self {
        simdtext_binary {
            offset: binary.offset,
            count: binary.count,
            sign: match binary.sign {
                Sign::Nul => SIMDTEXT_SIGN_NUL,
                _ => SIMDTEXT_SIGN_CONTROL,
            },
        }
    }
}
