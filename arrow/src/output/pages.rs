//! Large pages for large buffers: the kernel takes five times as long to hand out 256 MiB in pages of 4 KiB
//! (101 ms) as in pages of 2 MiB (19 ms), which is longer than decoding as much takes.

#![expect(unsafe_code, reason = "a call of the operating system")]

use std::ffi::c_void;

/// The minimum size of a page. If pages are larger, mappings begin at a multiple of both.
const PAGE: usize = 4096;

const LARGE_PAGE: usize = 2 * 1024 * 1024;

/// Buffers below this size are not worth the call.
const LARGE: usize = 4 * 1024 * 1024;

/// Returns the capacity to reserve for a buffer of `capacity` bytes.
///
/// The kernel starts a mapping at a large page only if its length is a multiple of one. The mapping of a large
/// buffer consists of the buffer and the allocator's few bytes before it, rounded up to small pages.
pub(super) fn fill_large(capacity: usize) -> usize {
    if capacity < LARGE {
        return capacity;
    }
    (capacity + PAGE).next_multiple_of(LARGE_PAGE) - PAGE
}

/// Asks for large pages for the `len` bytes at `start`, if there are many. If large pages are unavailable or
/// disabled, nothing changes.
pub(super) fn prefer_large(start: *const u8, len: usize) {
    if len < LARGE {
        return;
    }
    // The allocator's mapping begins at the page in which the buffer begins. The advice covers all of it,
    // because the kernel can't move a mapping with two kinds of pages when the buffer grows, so the allocator
    // would copy it.
    let before = start.addr() % PAGE;
    let (start, len) = (start.wrapping_sub(before), len + before);
    // SAFETY: this advice changes no byte and no right of any memory, whatever the range.
    unsafe { libc::madvise(start.cast_mut().cast::<c_void>(), len, libc::MADV_HUGEPAGE) };
}
