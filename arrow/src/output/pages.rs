//! Large pages for large buffers: the kernel takes five times as long to hand out 256 MiB in pages of 4 KiB (101 ms) as
//! in pages of 2 MiB (19 ms), which is longer than to decode as much.

#![expect(unsafe_code, reason = "a call of the operating system")]

use std::ffi::c_void;

/// The least size of a page. Where pages are larger, mappings begin at a multiple of both.
const PAGE: usize = 4096;

const LARGE_PAGE: usize = 2 * 1024 * 1024;

/// Buffers below this are not worth the call.
const LARGE: usize = 4 * 1024 * 1024;

/// The capacity to reserve for a buffer of `capacity` bytes.
///
/// The kernel begins a mapping at a large page only where its length is a multiple of one. That of a large buffer is
/// the buffer and the allocator's few bytes before it, rounded up to small pages.
pub(super) fn fill_large(capacity: usize) -> usize {
    if capacity < LARGE {
        return capacity;
    }
    (capacity + PAGE).next_multiple_of(LARGE_PAGE) - PAGE
}

/// Asks for large pages behind the `len` bytes at `start`, where these are many. Where there are none to be had, or the
/// administrator wants none, nothing changes.
pub(super) fn prefer_large(start: *const u8, len: usize) {
    if len < LARGE {
        return;
    }
    // The allocator's mapping begins at the page in which the buffer does. All of it is named, because the kernel
    // can't move a mapping of two kinds when the buffer grows, and the allocator would copy it.
    let before = start.addr() % PAGE;
    let (start, len) = (start.wrapping_sub(before), len + before);
    // SAFETY: this advice changes no byte and no right of any memory, whatever the range.
    unsafe { libc::madvise(start.cast_mut().cast::<c_void>(), len, libc::MADV_HUGEPAGE) };
}
