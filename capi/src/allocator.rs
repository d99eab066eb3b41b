//! Memory for streams and texts, from the caller's functions or from malloc.

use std::ffi::c_void;
use std::ptr::{self, NonNull};

use crate::boundary::{Outcome, call};
use crate::types::simdtext_status::{
    SIMDTEXT_STATUS_INVALID_ARGUMENT, SIMDTEXT_STATUS_OUT_OF_MEMORY,
};

/// Functions that provide memory. Null in place of a pointer to one stands for malloc and free. Streams keep
/// a copy of it; the functions must stay callable until everything that they allocated is freed. They must
/// return normally: no longjmp, no exception.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct simdtext_allocator {
    /// Returns `size` bytes (at least 1), aligned like memory from malloc, or null.
    pub allocate: Option<unsafe extern "C" fn(context: *mut c_void, size: usize) -> *mut c_void>,
    /// Takes back what `allocate` returned, which is never null.
    pub release: Option<unsafe extern "C" fn(context: *mut c_void, memory: *mut c_void)>,
    /// Passed to both functions.
    pub context: *mut c_void,
}

/// Frees what a function has allocated with this allocator, which must be null if it was null there. Does
/// nothing if `memory` is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simdtext_free(memory: *mut c_void, allocator: *const simdtext_allocator) {
    call(|| {
        // SAFETY: the caller's promise.
        let allocator = unsafe { Allocator::new(allocator) }?;
        if let Some(memory) = NonNull::new(memory) {
            // SAFETY: the caller's promise.
            unsafe { allocator.release(memory) };
        }
        Ok(())
    });
}

/// An allocator with both functions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allocator {
    allocate: unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void,
    release: unsafe extern "C" fn(*mut c_void, *mut c_void),
    context: *mut c_void,
}

unsafe extern "C" fn malloc(_: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: any size may be asked for.
    unsafe { libc::malloc(size) }
}

unsafe extern "C" fn free(_: *mut c_void, memory: *mut c_void) {
    // SAFETY: it came from `malloc`, as the contract of `release` says.
    unsafe { libc::free(memory) }
}

impl Allocator {
    /// malloc and free.
    pub(crate) const MALLOC: Self = Allocator {
        allocate: malloc,
        release: free,
        context: ptr::null_mut(),
    };

    /// # Safety
    ///
    /// `allocator` is null or points to one whose functions keep its contract.
    pub(crate) unsafe fn new(allocator: *const simdtext_allocator) -> Outcome<Self> {
        // SAFETY: the caller's promise.
        match unsafe { allocator.as_ref() } {
            None => Ok(Self::MALLOC),
            Some(&simdtext_allocator {
                allocate: Some(allocate),
                release: Some(release),
                context,
            }) => Ok(Allocator {
                allocate,
                release,
                context,
            }),
            Some(_) => Err(SIMDTEXT_STATUS_INVALID_ARGUMENT),
        }
    }

    /// Room for `len` values.
    pub(crate) fn allocate<T>(&self, len: usize) -> Outcome<NonNull<T>> {
        let size = len.checked_mul(size_of::<T>());
        let size = size.filter(|size| isize::try_from(*size).is_ok());
        let size = size.ok_or(SIMDTEXT_STATUS_OUT_OF_MEMORY)?.max(1);
        // SAFETY: `new` got a function that may be called with any size but 0.
        let memory = unsafe { (self.allocate)(self.context, size) }.cast::<T>();
        let memory = NonNull::new(memory).ok_or(SIMDTEXT_STATUS_OUT_OF_MEMORY)?;
        if memory.is_aligned() {
            return Ok(memory);
        }
        // SAFETY: it is new, and nobody else has it.
        unsafe { self.release(memory.cast()) };
        Err(SIMDTEXT_STATUS_OUT_OF_MEMORY)
    }

    /// A copy of `bytes`.
    pub(crate) fn copy(&self, bytes: &[u8]) -> Outcome<*mut u8> {
        let copy = self.allocate::<u8>(bytes.len())?.as_ptr();
        // SAFETY: there is room for that many, which nobody else has.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), copy, bytes.len()) };
        Ok(copy)
    }

    /// A value in memory of its own.
    pub(crate) fn boxed<T>(&self, value: T) -> Outcome<*mut T> {
        let place = self.allocate::<T>(1)?;
        // SAFETY: there is aligned room for one.
        unsafe { place.write(value) };
        Ok(place.as_ptr())
    }

    /// Ends a value: drops it and frees its memory.
    ///
    /// # Safety
    ///
    /// `value` came from [`Allocator::boxed`] of this allocator, and is not used after this.
    pub(crate) unsafe fn unboxed<T>(&self, value: NonNull<T>) {
        // SAFETY: the caller's promise.
        unsafe { value.drop_in_place() };
        // SAFETY: the caller's promise.
        unsafe { self.release(value.cast()) };
    }

    /// # Safety
    ///
    /// `memory` came from this allocator and is not used after this.
    pub(crate) unsafe fn release(&self, memory: NonNull<c_void>) {
        // SAFETY: the caller's promise.
        unsafe { (self.release)(self.context, memory.as_ptr()) };
    }
}
