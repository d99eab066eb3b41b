//! The output of conversions, and how it becomes arrays.
//!
//! [`Growing`] is one buffer; [`Contiguous`] has all values in one buffer, [`Views`] in several and in those of
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

/// Collects the values of an array in order.
pub(crate) trait Collect<B: Output> {
    /// Returns the buffer that the next value, with `input_len` bytes of input, is to be appended to.
    fn begin(&mut self, input_len: usize) -> &mut Growing<B>;

    /// Ends the value that was appended since [`Collect::begin`].
    fn keep(&mut self) -> Result<(), TooLong>;

    /// Adds a null in place of what was appended since [`Collect::begin`], if that was called.
    fn null(&mut self);

    /// Adds a value that is a part of the input, if it can be shared: the value with this `view`, without its
    /// first `skip` bytes.
    fn share(&mut self, _view: u128, _value: &B::Slice, _skip: u32) -> bool {
        false
    }

    /// Returns the array of all values.
    fn finish(self) -> ArrayRef;
}

/// Discards all values, if only errors are wanted.
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
