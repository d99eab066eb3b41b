//! All values in one buffer, with offsets of four or eight bytes.

#![expect(unsafe_code, reason = "the array is made without validation")]

use arrow_array::{ArrayRef, OffsetSizeTrait};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};

use super::{Collect, Growing, Output, TooLong};

/// The values of a `Utf8`, `LargeUtf8`, `Binary` or `LargeBinary` array.
pub(crate) struct Contiguous<B, O> {
    values: Growing<B>,
    /// 0, and then the length of `values` after each value.
    offsets: Vec<O>,
    valid: NullBufferBuilder,
    limit: usize,
}

impl<B: Output, O: OffsetSizeTrait> Contiguous<B, O> {
    /// For `rows` values, made of `expected` bytes of input. They can have `limit` bytes together, or as
    /// many as the offsets can count.
    pub(crate) fn new(rows: usize, expected: usize, limit: usize) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(O::zero());
        Contiguous {
            values: Growing::new(expected),
            offsets,
            valid: NullBufferBuilder::new(rows),
            limit,
        }
    }

    /// The length of all values that are kept.
    fn kept(&self) -> usize {
        self.offsets.last().map_or(0, |offset| offset.as_usize())
    }
}

impl<B: Output, O: OffsetSizeTrait> Collect<B> for Contiguous<B, O> {
    fn begin(&mut self, input_len: usize) -> &mut Growing<B> {
        self.values.make_room(input_len);
        &mut self.values
    }

    fn keep(&mut self) -> Result<(), TooLong> {
        let len = self.values.len();
        let offset = O::from_usize(len).filter(|_| len <= self.limit);
        self.offsets.push(offset.ok_or(TooLong)?);
        self.valid.append_non_null();
        Ok(())
    }

    fn null(&mut self) {
        let kept = self.kept();
        self.values.truncate(kept);
        // The length is the last offset.
        self.offsets.extend(self.offsets.last().copied());
        self.valid.append_null();
    }

    fn finish(mut self) -> ArrayRef {
        let nulls = self.valid.finish();
        let offsets = OffsetBuffer::new(self.offsets.into());
        // SAFETY: the offsets are 0 and lengths of the buffer between two values. What `null` cut off was
        // longer than all of them.
        unsafe { B::contiguous(self.values.into_buffer(), offsets, nulls) }
    }
}
