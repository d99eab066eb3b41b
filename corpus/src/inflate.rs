//! Compressed members and bodies that are in memory as a whole, decompressed in one step.
//!
//! For gzip and zlib libdeflate does it, in half the time that streaming takes. It needs all of a stream and room for all that
//! it holds, and of any other stream it says only that it failed. So each function here returns `None` where a stream is
//! cut, damaged, larger than [`MOST`], or has an unusual header, and the caller then streams it from the beginning. Only
//! streaming decides what is said of such a stream, and how much of it is kept.
//!
//! libdeflate accepts a few invalid codes that zlib does not. Checksums catch what they would lead to, so it is used only
//! for formats that have one.
//!
//! Tests: `stream/tests.rs` for members of files, `http/tests.rs` for bodies; both compare with streaming.
#![expect(
    unsafe_code,
    reason = "the safe bindings of libdeflate do not tell where a stream ends"
)]

use std::cell::RefCell;
use std::ptr::NonNull;

use flate2::{Decompress, FlushDecompress, Status};
use libdeflate_sys::{
    libdeflate_alloc_decompressor, libdeflate_decompressor, libdeflate_free_decompressor,
    libdeflate_gzip_decompress_ex, libdeflate_result_LIBDEFLATE_SUCCESS,
    libdeflate_zlib_decompress_ex,
};

use crate::limits::HARMLESS;

/// The most that a stream may hold, in bytes, to be decompressed here. So none is a bomb.
pub(crate) const MOST: usize = HARMLESS as usize;

/// The bit of a gzip header for an extra field, which crawlers write.
const FEXTRA: u8 = 4;

/// What a stream was, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inflated {
    /// How many it took.
    pub(crate) read: usize,
    /// How many it gave.
    pub(crate) written: usize,
}

/// Decompresses the member of gzip that `packed` begins with.
pub(crate) fn gzip(packed: &[u8], out: &mut [u8]) -> Option<Inflated> {
    THREAD.with_borrow_mut(|thread| thread.decompressor.as_mut()?.gzip(packed, out))
}

/// Decompresses one member of gzip or more, up to the end of `packed`.
pub(crate) fn gzip_members(mut packed: &[u8]) -> Option<Vec<u8>> {
    THREAD.with_borrow_mut(|thread| {
        let (decompressor, room) = thread.with_room()?;
        let mut len = 0;
        while !packed.is_empty() {
            let member = decompressor.gzip(packed, &mut room[len..])?;
            packed = &packed[member.read..];
            len += member.written;
        }
        Some(room[..len].to_vec())
    })
}

/// Decompresses a stream of deflate that has neither a header nor a checksum: with the decoder that streams, too, but without
/// a new state and window for each body.
pub(crate) fn deflate(packed: &[u8]) -> Option<Vec<u8>> {
    THREAD.with_borrow_mut(|thread| {
        thread.with_room()?;
        thread.bare.reset(false);
        let status = thread
            .bare
            .decompress(packed, &mut thread.room, FlushDecompress::Finish);
        let len = usize::try_from(thread.bare.total_out()).ok()?;
        matches!(status, Ok(Status::StreamEnd)).then(|| thread.room[..len].to_vec())
    })
}

/// Decompresses a stream of zlib. What follows it is ignored.
pub(crate) fn zlib(packed: &[u8]) -> Option<Vec<u8>> {
    THREAD.with_borrow_mut(|thread| {
        let (decompressor, room) = thread.with_room()?;
        let stream = decompressor.run(libdeflate_zlib_decompress_ex, packed, room)?;
        Some(room[..stream.written].to_vec())
    })
}

thread_local! {
    static THREAD: RefCell<Thread> = RefCell::new(Thread {
        decompressor: Decompressor::new(),
        bare: Decompress::new(false),
        room: Box::default(),
    });
}

/// What each thread uses again and again.
struct Thread {
    /// `None` where there is no memory for it.
    decompressor: Option<Decompressor>,
    bare: Decompress,
    /// Empty until it is needed, or [`MOST`] bytes.
    room: Box<[u8]>,
}

impl Thread {
    fn with_room(&mut self) -> Option<(&mut Decompressor, &mut [u8])> {
        if self.room.is_empty() {
            self.room = vec![0; MOST].into_boxed_slice();
        }
        Some((self.decompressor.as_mut()?, &mut self.room))
    }
}

/// libdeflate's, with its tables.
struct Decompressor(NonNull<libdeflate_decompressor>);

/// What libdeflate's functions for gzip and zlib have in common: decompressor, input and its length, output and its
/// length, and where to write how much of each was used.
type Function = unsafe extern "C" fn(
    *mut libdeflate_decompressor,
    *const std::ffi::c_void,
    usize,
    *mut std::ffi::c_void,
    usize,
    *mut usize,
    *mut usize,
) -> u32;

impl Decompressor {
    fn new() -> Option<Self> {
        // SAFETY: it has no preconditions, and returns null where there is no memory.
        NonNull::new(unsafe { libdeflate_alloc_decompressor() }).map(Self)
    }

    fn gzip(&mut self, packed: &[u8], out: &mut [u8]) -> Option<Inflated> {
        // The checksum of a header, and the limits of names in it, are looked at when streaming.
        let flags = *packed.get(3)?;
        if flags & !FEXTRA != 0 {
            return None;
        }
        self.run(libdeflate_gzip_decompress_ex, packed, out)
    }

    fn run(&mut self, decompress: Function, packed: &[u8], out: &mut [u8]) -> Option<Inflated> {
        let (mut read, mut written) = (0, 0);
        // SAFETY: `self.0` was allocated by libdeflate, and nobody else uses it during the call. Pointers and lengths are
        // those of slices, and libdeflate reads and writes only within them. `read` and `written` outlive the call.
        let result = unsafe {
            decompress(
                self.0.as_ptr(),
                packed.as_ptr().cast(),
                packed.len(),
                out.as_mut_ptr().cast(),
                out.len(),
                &raw mut read,
                &raw mut written,
            )
        };
        (result == libdeflate_result_LIBDEFLATE_SUCCESS).then_some(Inflated { read, written })
    }
}

impl Drop for Decompressor {
    fn drop(&mut self) {
        // SAFETY: it was allocated by libdeflate, and is not used after this.
        unsafe { libdeflate_free_decompressor(self.0.as_ptr()) };
    }
}
