//! Output buffers, initialised or not.

use core::mem::MaybeUninit;

use crate::simd::write_only;

/// An output buffer of `u8`, `u16` or `u32` units: a slice or an array of them, initialised
/// (`[u16]`) or not (`[MaybeUninit<u16>]`), or the elements of a `Vec`.
///
/// Functions write the front of it and say how many units that is; those after, up to the end of
/// the buffer, hold anything afterwards. The trait can't be implemented outside of this crate.
///
/// ```
/// use std::mem::MaybeUninit;
/// use simdtext::unicode::latin1_to_utf16;
///
/// let mut initialised = vec![0u16; 4];
/// let mut not_initialised = [MaybeUninit::<u16>::uninit(); 4];
/// assert_eq!(latin1_to_utf16(b"caf\xE9", &mut initialised).written, 4);
/// assert_eq!(latin1_to_utf16(b"caf\xE9", &mut not_initialised).written, 4);
/// ```
pub trait Buffer<T>: Sealed<T> {}

impl<T, B: Sealed<T> + ?Sized> Buffer<T> for B {}

/// A buffer whose units may only be written, and only by this crate.
#[derive(Debug)]
pub struct Room<'a, T>(pub(super) &'a mut [MaybeUninit<T>]);

/// What keeps [`Buffer`] from being implemented, or used, elsewhere.
pub trait Sealed<T> {
    /// The whole buffer.
    fn room(&mut self) -> Room<'_, T>;
}

/// Units of text.
pub trait Unit: Copy {}
impl Unit for u8 {}
impl Unit for u16 {}
impl Unit for u32 {}

impl<T: Unit> Sealed<T> for [T] {
    fn room(&mut self) -> Room<'_, T> {
        Room(write_only(self))
    }
}

impl<T: Unit> Sealed<T> for [MaybeUninit<T>] {
    fn room(&mut self) -> Room<'_, T> {
        Room(self)
    }
}

impl<T: Unit, const N: usize> Sealed<T> for [T; N] {
    fn room(&mut self) -> Room<'_, T> {
        Room(write_only(self))
    }
}

impl<T: Unit, const N: usize> Sealed<T> for [MaybeUninit<T>; N] {
    fn room(&mut self) -> Room<'_, T> {
        Room(self)
    }
}

#[cfg(feature = "alloc")]
impl<T: Unit> Sealed<T> for alloc::vec::Vec<T> {
    fn room(&mut self) -> Room<'_, T> {
        Room(write_only(self))
    }
}
