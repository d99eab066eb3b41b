//! Converts whole texts: into a buffer of the caller, into allocated memory, or only to count the output.

mod decode;
mod encode;

use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

use crate::allocator::Allocator;
use crate::boundary::Outcome;
use crate::types::simdtext_status::SIMDTEXT_STATUS_OUT_OF_MEMORY;

pub use decode::*;
pub use encode::*;

/// The units of a buffer on the stack, for output that is only counted.
const SCRATCH: usize = 4096;

/// Memory from an allocator, to which units are appended. It is freed unless it is taken.
struct Memory<'a, U> {
    allocator: &'a Allocator,
    start: NonNull<U>,
    /// The number of units that it has room for.
    capacity: usize,
    /// The number of units that were written.
    len: usize,
}

impl<'a, U: Copy> Memory<'a, U> {
    fn new(allocator: &'a Allocator, capacity: usize) -> Outcome<Self> {
        Ok(Memory {
            allocator,
            start: allocator.allocate(capacity)?,
            capacity,
            len: 0,
        })
    }

    fn free(&mut self) -> &mut [MaybeUninit<U>] {
        let start = self.start.as_ptr().cast();
        // SAFETY: `start` and `capacity` are what the allocator gave, and nobody else has it.
        let all = unsafe { std::slice::from_raw_parts_mut(start, self.capacity) };
        all.get_mut(self.len..).unwrap_or_default()
    }

    /// Makes room for `more` units.
    fn grow(&mut self, more: usize) -> Outcome<()> {
        let capacity = self.len.checked_add(more);
        let capacity = capacity.ok_or(SIMDTEXT_STATUS_OUT_OF_MEMORY)?;
        let larger = Memory::new(self.allocator, capacity)?;
        // SAFETY: both are `len` units long or longer, and the new one is nobody else's.
        unsafe { ptr::copy_nonoverlapping(self.start.as_ptr(), larger.start.as_ptr(), self.len) };
        let len = self.len;
        *self = larger;
        self.len = len;
        Ok(())
    }

    fn take(self) -> *mut U {
        let start = self.start.as_ptr();
        std::mem::forget(self);
        start
    }
}

impl<U> Drop for Memory<'_, U> {
    fn drop(&mut self) {
        // SAFETY: it came from there, and ends here.
        unsafe { self.allocator.release(self.start.cast()) };
    }
}
