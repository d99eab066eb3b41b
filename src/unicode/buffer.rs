//! Output buffers, initialised or not.

use core::mem::MaybeUninit;

use crate::simd::write_only;

/// An output buffer of `u8`, `u16` or `u32` units: a slice, an array, a boxed slice or a `Vec` of them,
/// initialised (`[u16]`) or not (`[MaybeUninit<u16>]`), or a `&mut` to one of these.
///
/// Functions write the front of it and say how many units that is; those after, up to the end of
/// the buffer, hold anything afterwards. Of a `Vec` these are its elements: it does not grow, and its
/// spare capacity is a buffer by itself ([`Vec::spare_capacity_mut`]). The trait can't be implemented
/// outside of this crate.
///
/// ```
/// use std::mem::MaybeUninit;
/// use simdtext::unicode::latin1_to_utf16;
///
/// let mut initialised = vec![0u16; 4];
/// let mut not_initialised = [MaybeUninit::<u16>::uninit(); 4];
/// let mut boxed = vec![0u16; 4].into_boxed_slice();
/// assert_eq!(latin1_to_utf16(b"caf\xE9", &mut initialised).written, 4);
/// assert_eq!(latin1_to_utf16(b"caf\xE9", &mut not_initialised).written, 4);
/// assert_eq!(latin1_to_utf16(b"caf\xE9", &mut boxed).written, 4);
///
/// // A slice that is moved on as it is filled.
/// let mut rest: &mut [u16] = &mut initialised;
/// let done = latin1_to_utf16(b"ca", &mut rest);
/// rest = &mut rest[done.written..];
/// assert_eq!(latin1_to_utf16(b"f\xE9", &mut rest).written, 2);
/// ```
///
/// [`Vec::spare_capacity_mut`]: https://doc.rust-lang.org/std/vec/struct.Vec.html#method.spare_capacity_mut
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an output buffer of `{T}`",
    label = "expected an output buffer of `{T}`",
    note = "`[{T}]`, `[{T}; N]`, `Box<[{T}]>` and `Vec<{T}>` are output buffers of `{T}`, as are these of \
            `MaybeUninit<{T}>`, and mutable references to them"
)]
pub trait Buffer<T>: Sealed<T> {}

/// A buffer whose units may only be written, and only by this crate.
#[derive(Debug)]
pub struct Room<'a, T>(pub(super) &'a mut [MaybeUninit<T>]);

/// What keeps [`Buffer`] from being implemented, or used, elsewhere.
///
/// [`Buffer`] is implemented for each type and not for all that are sealed, so that what the compiler says
/// of a type that is not a buffer does not name this trait.
pub trait Sealed<T> {
    /// The whole buffer.
    fn room(&mut self) -> Room<'_, T>;
}

/// Units of text.
pub trait Unit: Copy {}
impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}

impl<T: Unit> Buffer<T> for [T] {}

impl<T: Unit> Sealed<T> for [T] {
    fn room(&mut self) -> Room<'_, T> {
        Room(write_only(self))
    }
}

impl<T: Unit> Buffer<T> for [MaybeUninit<T>] {}

impl<T: Unit> Sealed<T> for [MaybeUninit<T>] {
    fn room(&mut self) -> Room<'_, T> {
        Room(self)
    }
}

impl<T: Unit, const N: usize> Buffer<T> for [T; N] {}

impl<T: Unit, const N: usize> Sealed<T> for [T; N] {
    fn room(&mut self) -> Room<'_, T> {
        Room(write_only(self))
    }
}

impl<T: Unit, const N: usize> Buffer<T> for [MaybeUninit<T>; N] {}

impl<T: Unit, const N: usize> Sealed<T> for [MaybeUninit<T>; N] {
    fn room(&mut self) -> Room<'_, T> {
        Room(self)
    }
}

#[cfg(feature = "alloc")]
impl<T: Unit> Buffer<T> for alloc::vec::Vec<T> {}

#[cfg(feature = "alloc")]
impl<T: Unit> Sealed<T> for alloc::vec::Vec<T> {
    fn room(&mut self) -> Room<'_, T> {
        Room(write_only(self))
    }
}

#[cfg(feature = "alloc")]
impl<T: Unit> Buffer<T> for alloc::vec::Vec<MaybeUninit<T>> {}

#[cfg(feature = "alloc")]
impl<T: Unit> Sealed<T> for alloc::vec::Vec<MaybeUninit<T>> {
    fn room(&mut self) -> Room<'_, T> {
        Room(self)
    }
}

impl<T: Unit, B: Buffer<T> + ?Sized> Buffer<T> for &mut B {}

impl<T: Unit, B: Buffer<T> + ?Sized> Sealed<T> for &mut B {
    fn room(&mut self) -> Room<'_, T> {
        (**self).room()
    }
}

#[cfg(feature = "alloc")]
impl<T: Unit, B: Buffer<T> + ?Sized> Buffer<T> for alloc::boxed::Box<B> {}

#[cfg(feature = "alloc")]
impl<T: Unit, B: Buffer<T> + ?Sized> Sealed<T> for alloc::boxed::Box<B> {
    fn room(&mut self) -> Room<'_, T> {
        (**self).room()
    }
}
