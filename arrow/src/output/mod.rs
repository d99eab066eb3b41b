//! Where converted values are written, and how they become arrays.
//!
//! [`Growing`] is one buffer; [`Contiguous`] has all values in one, [`Views`] in several and in those of
//! the input. `buffer.rs` makes the arrays. Only this folder may hold `unsafe` code.

mod buffer;
mod contiguous;
mod growing;
#[cfg(target_os = "linux")]
mod pages;
#[cfg(feature = "rayon")]
mod room;
mod views;

use arrow_array::ArrayRef;

#[cfg(feature = "rayon")]
use crate::blocks::Blocks;

pub(crate) use buffer::Output;
pub(crate) use contiguous::Contiguous;
pub(crate) use growing::Growing;
#[cfg(feature = "rayon")]
pub(crate) use room::{Placed, Room};
pub(crate) use views::Views;

/// Other systems use large pages by themselves, or not at all.
#[cfg(not(target_os = "linux"))]
mod pages {
    pub(super) fn fill_large(capacity: usize) -> usize {
        capacity
    }

    pub(super) fn prefer_large(_: *const u8, _: usize) {}
}

/// The output is too long for its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Takes the values of an array in order.
pub(crate) trait Collect<B: Output> {
    /// The buffer that the next value, made of `input_len` bytes, is to be appended to.
    fn begin(&mut self, input_len: usize) -> &mut Growing<B>;

    /// Ends the value that was appended since [`Collect::begin`].
    fn keep(&mut self) -> Result<(), TooLong>;

    /// A null, in the place of what was appended since [`Collect::begin`], if it was called.
    fn null(&mut self);

    /// Takes a value that is a part of the input, if it can be shared: what is left of the value with
    /// this `view` without the first `skip` bytes.
    fn share(&mut self, _view: u128, _value: &B::Slice, _skip: u32) -> bool {
        false
    }

    /// The array of all values.
    fn finish(self) -> ArrayRef;
}

/// Keeps nothing, where only errors are wanted.
pub(crate) struct Discard<B>(Growing<B>);

impl<B: Output> Default for Discard<B> {
    fn default() -> Self {
        Discard(Growing::new(0))
    }
}

#[cfg(feature = "rayon")]
impl<B: Output + Send> Blocks for Discard<B> {
    const MIN_BLOCKS: usize = 8;
    const MAX_BLOCK: usize = 256 * 1024;
    type Bytes = B;

    fn block(&self, _input_len: usize) -> Self {
        Discard::default()
    }

    fn bytes(&mut self) -> Option<&mut Growing<B>> {
        None
    }

    fn append(&mut self, _block: &mut Self) -> Result<(), usize> {
        Ok(())
    }
}

impl<B: Output> Collect<B> for Discard<B> {
    fn begin(&mut self, input_len: usize) -> &mut Growing<B> {
        self.0.truncate(0);
        self.0.make_room(input_len);
        &mut self.0
    }

    fn keep(&mut self) -> Result<(), TooLong> {
        Ok(())
    }

    fn null(&mut self) {}

    fn finish(self) -> ArrayRef {
        std::sync::Arc::new(arrow_array::NullArray::new(0))
    }
}
