//! The first step of every function of the library: turns what a C program passes into references, or refuses
//! it, and lets no panic out.

use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use crate::types::simdtext_result;
use crate::types::simdtext_status::{
    self, SIMDTEXT_STATUS_INVALID_ARGUMENT, SIMDTEXT_STATUS_MISALIGNED, SIMDTEXT_STATUS_OVERLAP,
    SIMDTEXT_STATUS_PANIC,
};

/// A call that is carried out, or refused with a status.
pub(crate) type Outcome<T> = Result<T, simdtext_status>;

/// What a function returns if its call is refused.
pub(crate) trait Refused {
    fn refused(status: simdtext_status) -> Self;
}

impl Refused for simdtext_status {
    fn refused(status: simdtext_status) -> Self {
        status
    }
}

impl Refused for () {
    fn refused(_: simdtext_status) -> Self {}
}

impl Refused for bool {
    fn refused(_: simdtext_status) -> Self {
        false
    }
}

/// For lengths and counts it is `SIZE_MAX`, which no text in memory has.
impl Refused for usize {
    fn refused(_: simdtext_status) -> Self {
        usize::MAX
    }
}

/// For offsets it is `UINT64_MAX`.
impl Refused for u64 {
    fn refused(_: simdtext_status) -> Self {
        u64::MAX
    }
}

impl<T> Refused for *const T {
    fn refused(_: simdtext_status) -> Self {
        std::ptr::null()
    }
}

impl<T> Refused for *mut T {
    fn refused(_: simdtext_status) -> Self {
        std::ptr::null_mut()
    }
}

/// Carries out a call. No panic is known to be reachable; if there is one, it ends here, and the caller gets
/// `SIMDTEXT_STATUS_PANIC`.
#[inline(always)]
pub(crate) fn call<R: Refused>(body: impl FnOnce() -> Outcome<R>) -> R {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(result)) => result,
        Ok(Err(status)) => R::refused(status),
        Err(payload) => {
            // Dropping the payload might panic again.
            std::mem::forget(payload);
            R::refused(SIMDTEXT_STATUS_PANIC)
        }
    }
}

/// [`call`] for functions that return a [`simdtext_result`]. The body fills it in where it is: returned by
/// value it would be copied twice, which takes 4 ns longer for 16 bytes of text.
#[inline(always)]
pub(crate) fn call_with_result(
    body: impl FnOnce(&mut simdtext_result) -> Outcome<()>,
) -> simdtext_result {
    let mut result = simdtext_result::NOTHING;
    match catch_unwind(AssertUnwindSafe(|| body(&mut result))) {
        Ok(Ok(())) => {}
        Ok(Err(status)) => result = refuse(status),
        Err(payload) => {
            std::mem::forget(payload);
            result = refuse(SIMDTEXT_STATUS_PANIC);
        }
    }
    result
}

/// Makes the result of a refused call. A function of its own, so that the code for other calls has no jumps.
#[cold]
#[inline(never)]
fn refuse(status: simdtext_status) -> simdtext_result {
    simdtext_result::refused(status)
}

/// Whether `len` units from `start` on can be a slice. (Callers allow null for an empty slice, of which no
/// unit is read.)
#[inline(always)]
fn check<T>(start: *const T, len: usize) -> Outcome<()> {
    if start.is_null() || len > isize::MAX as usize / size_of::<T>() {
        return Err(SIMDTEXT_STATUS_INVALID_ARGUMENT);
    }
    if !start.is_aligned() {
        return Err(SIMDTEXT_STATUS_MISALIGNED);
    }
    Ok(())
}

/// The caller's input.
///
/// # Safety
///
/// `src` points to `len` initialised units that nobody writes during the call, or is null.
#[inline(always)]
pub(crate) unsafe fn input<'a, T>(src: *const T, len: usize) -> Outcome<&'a [T]> {
    if len == 0 {
        return Ok(&[]);
    }
    check(src, len)?;
    // SAFETY: not null, aligned and not too long, as `check` found; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts(src, len) })
}

/// The caller's output buffer.
///
/// # Safety
///
/// `dst` points to room for `room` units that nobody else reads or writes during the call, or is null.
#[inline(always)]
pub(crate) unsafe fn output<'a, T>(dst: *mut T, room: usize) -> Outcome<&'a mut [MaybeUninit<T>]> {
    if room == 0 {
        return Ok(&mut []);
    }
    check(dst, room)?;
    // SAFETY: not null, aligned and not too long, as `check` found; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts_mut(dst.cast(), room) })
}

/// Input and output, if they do not overlap.
///
/// # Safety
///
/// As [`input`] and [`output`], except that the two may overlap: then no reference is made.
#[inline(always)]
pub(crate) unsafe fn buffers<'a, S, D>(
    src: *const S,
    len: usize,
    dst: *mut D,
    room: usize,
) -> Outcome<(&'a [S], &'a mut [MaybeUninit<D>])> {
    if len == 0 || room == 0 {
        // SAFETY: the caller's promise.
        let src = unsafe { input(src, len) }?;
        // SAFETY: the caller's promise, and what is empty overlaps nothing.
        let dst = unsafe { output(dst, room) }?;
        return Ok((src, dst));
    }
    check(src, len)?;
    check(dst, room)?;
    // Modulo the size of the address space, so it is greater than any length if `dst` is before `src`.
    let ahead = dst.addr().wrapping_sub(src.addr());
    if ahead < len * size_of::<S>() || ahead.wrapping_neg() < room * size_of::<D>() {
        return Err(SIMDTEXT_STATUS_OVERLAP);
    }
    // SAFETY: not null, aligned and not too long, as `check` found; the rest is the caller's promise.
    let src = unsafe { slice::from_raw_parts(src, len) };
    // SAFETY: as for `src`, and the two don't overlap.
    let dst = unsafe { slice::from_raw_parts_mut(dst.cast(), room) };
    Ok((src, dst))
}

/// The place for a result, which need not be initialised.
///
/// # Safety
///
/// `to` is null or points to room for a `T` that nobody else uses during the call.
#[inline(always)]
pub(crate) unsafe fn place<'a, T>(to: *mut T) -> Outcome<&'a mut MaybeUninit<T>> {
    check(to, 1)?;
    // SAFETY: not null and aligned; the rest is the caller's promise.
    Ok(unsafe { &mut *to.cast() })
}

/// The object of a handle, to be read.
///
/// # Safety
///
/// `handle` is null or points to a live `T` that nobody writes during the call.
#[inline(always)]
pub(crate) unsafe fn shared<'a, T>(handle: *const T) -> Outcome<&'a T> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_ref() }.ok_or(SIMDTEXT_STATUS_INVALID_ARGUMENT)
}

/// The object of a handle, to be changed.
///
/// # Safety
///
/// `handle` is null or points to a live `T` that nobody else uses during the call.
#[inline(always)]
pub(crate) unsafe fn exclusive<'a, T>(handle: *mut T) -> Outcome<&'a mut T> {
    // SAFETY: the caller's promise.
    unsafe { handle.as_mut() }.ok_or(SIMDTEXT_STATUS_INVALID_ARGUMENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_a_status() {
        let status: simdtext_status = call(|| panic!("a panic that is caught"));
        assert_eq!(status, SIMDTEXT_STATUS_PANIC);
        let count: usize = call(|| panic!("a panic that is caught"));
        assert_eq!(count, usize::MAX);
        let result = call_with_result(|result| {
            result.written = 1;
            panic!("a panic that is caught")
        });
        assert_eq!((result.status, result.written), (SIMDTEXT_STATUS_PANIC, 0));
    }

    #[test]
    fn empty_buffers_may_be_anywhere() {
        let misaligned = std::ptr::without_provenance::<u16>(1);
        // SAFETY: they are empty.
        let empty = unsafe { buffers(misaligned, 0, std::ptr::null_mut::<u16>(), 0) };
        assert!(empty.is_ok_and(|(src, dst)| src.is_empty() && dst.is_empty()));
    }

    #[test]
    fn what_is_no_buffer_is_refused() {
        let mut units = [0u16; 4];
        let odd = units.as_mut_ptr().wrapping_byte_add(1);
        // SAFETY: it is refused, so that no reference is made.
        let status = unsafe { output(odd, 1) }.err();
        assert_eq!(status, Some(SIMDTEXT_STATUS_MISALIGNED));
        // SAFETY: it is refused, so that no reference is made.
        let status = unsafe { output(std::ptr::null_mut::<u16>(), 1) }.err();
        assert_eq!(status, Some(SIMDTEXT_STATUS_INVALID_ARGUMENT));
        // SAFETY: it is refused, so that no reference is made.
        let status = unsafe { output(units.as_mut_ptr(), usize::MAX / 2) }.err();
        assert_eq!(status, Some(SIMDTEXT_STATUS_INVALID_ARGUMENT));
        // SAFETY: it is refused, so that no reference is made.
        let status = unsafe { input(std::ptr::null::<u16>(), 1) }.err();
        assert_eq!(status, Some(SIMDTEXT_STATUS_INVALID_ARGUMENT));
        let dst = units.as_mut_ptr().wrapping_add(1);
        // SAFETY: they are refused, so that no reference is made.
        let status = unsafe { buffers(units.as_ptr(), 2, dst, 1) }.err();
        assert_eq!(status, Some(SIMDTEXT_STATUS_OVERLAP));
    }
}
