//! Decompresses members and bodies that are in memory as a whole, in one step.
//!
//! For gzip and zlib this is libdeflate, which takes half the time of streaming. It needs the whole stream and room for the
//! whole output, and does not say more than that it failed. So each function here returns `None` if a stream is cut,
//! damaged, larger than [`MOST`], or has an unusual header, and the caller then streams it from the beginning: only
//! streaming decides how such a stream is reported, and how much of it is kept.
//!
//! libdeflate accepts a few invalid codes that zlib rejects. A checksum catches the wrong output, so libdeflate is used only
//! for formats that have one.
//!
//! Tests: `stream/tests.rs` for members of files, `http/tests.rs` for bodies; both compare with streaming.
#![expect(
    unsafe_code,
    reason = "the safe bindings of libdeflate do not say where a stream ends"
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

/// The maximum size of the output in bytes. It is too small for a bomb.
pub(crate) const MOST: usize = HARMLESS as usize;

/// The bit of a gzip header for an extra field, which crawlers write.
const FEXTRA: u8 = 4;

/// The size of a stream in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Inflated {
    /// Compressed.
    pub(crate) read: usize,
    /// Decompressed.
    pub(crate) written: usize,
}

/// Decompresses the gzip member at the start of `packed`.
pub(crate) fn gzip(packed: &[u8], out: &mut [u8]) -> Option<Inflated> {
    THREAD.with_borrow_mut(|thread| thread.decompressor.as_mut()?.gzip(packed, out))
}

/// Decompresses one or more gzip members, up to the end of `packed`.
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

/// Decompresses a deflate stream, which has neither a header nor a checksum, with the same decoder as streaming does, but
/// without a new state and window for each body. Nothing may follow it.
pub(crate) fn deflate(packed: &[u8]) -> Option<Vec<u8>> {
    THREAD.with_borrow_mut(|thread| {
        thread.with_room()?;
        thread.bare.reset(false);
        let status = thread
            .bare
            .decompress(packed, &mut thread.room, FlushDecompress::Finish);
        let len = usize::try_from(thread.bare.total_out()).ok()?;
        let is_whole = thread.bare.total_in() == packed.len() as u64;
        (is_whole && matches!(status, Ok(Status::StreamEnd))).then(|| thread.room[..len].to_vec())
    })
}

/// Decompresses a zlib stream. Bytes after it are ignored.
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

/// The decoders of a thread.
struct Thread {
    /// `None` if there was no memory for it.
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

/// A decompressor of libdeflate.
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
        // SAFETY: it has no preconditions, and returns null if there is no memory.
        NonNull::new(unsafe { libdeflate_alloc_decompressor() }).map(Self)
    }

    fn gzip(&mut self, packed: &[u8], out: &mut [u8]) -> Option<Inflated> {
        // libdeflate does not check the checksum of a header, and flate2 limits the length of names in it.
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
