//! All values in one buffer, with offsets of four or eight bytes.

#![expect(unsafe_code, reason = "the array is made without validation")]

use arrow_array::{ArrayRef, OffsetSizeTrait};
use arrow_buffer::{NullBufferBuilder, OffsetBuffer};

use super::{Collect, Growing, Output, TooLong};
#[cfg(feature = "rayon")]
use crate::blocks::Blocks;
use crate::reuse::Reuse;

/// The values of a `Utf8`, `LargeUtf8`, `Binary` or `LargeBinary` array.
pub(crate) struct Contiguous<B, O> {
    values: Growing<B>,
    /// 0, and then the length of `values` after each value.
    offsets: Vec<O>,
    valid: NullBufferBuilder,
    limit: usize,
}

impl<B: Output, O: OffsetSizeTrait> Contiguous<B, O> {
    /// Makes output for `rows` values with about `expected` bytes of input. They can have `limit` bytes
    /// together, or as many as the offsets can count.
    pub(crate) fn new(rows: usize, expected: usize, limit: usize, reuse: Option<&Reuse>) -> Self {
        let mut offsets = Vec::with_capacity(rows + 1);
        offsets.push(O::zero());
        Contiguous {
            values: Growing::new(expected).reusing(reuse),
            offsets,
            valid: NullBufferBuilder::new(rows),
            limit,
        }
    }

    /// Returns the length of all values that are kept.
    fn kept(&self) -> usize {
        self.offsets.last().map_or(0, |offset| offset.as_usize())
    }
}

#[cfg(feature = "rayon")]
impl<B: Output + Send, O: OffsetSizeTrait> Blocks for Contiguous<B, O> {
    const MIN_BLOCKS: usize = 8;
    // What it becomes is still in a cache when it is copied to its place. With 128 KiB 300 MB took 5 % longer, with 4 MiB
    // 4 %.
    const MAX_BLOCK: usize = 512 * 1024;
    type Bytes = B;

    fn block(&self, input_len: usize) -> Self {
        let mut block = Contiguous::new(0, 0, self.limit, None);
        block.values.grow(input_len + input_len / 2);
        block
    }

    fn bytes(&mut self) -> Option<&mut Growing<B>> {
        Some(&mut self.values)
    }

    fn append(&mut self, block: &mut Self) -> Result<(), usize> {
        let start = self.kept();
        let ends = &block.offsets[1..];
        let fits = |end: usize| O::from_usize(end).filter(|_| end <= self.limit);
        if fits(start + block.kept()).is_none() {
            let is_over = |end: &O| fits(start + end.as_usize()).is_none();
            return Err(ends.iter().position(is_over).unwrap_or(0));
        }
        let start = O::usize_as(start);
        self.offsets.extend(ends.iter().map(|&end| start + end));
        match block.valid.finish() {
            Some(nulls) => self.valid.append_buffer(&nulls),
            None => self.valid.append_n_non_nulls(ends.len()),
        }
        block.offsets.truncate(1);
        Ok(())
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
        // SAFETY: the offsets are 0 and lengths of the buffer between two values: `keep` takes its length, and `append`
        // counts on from it by those of a block, which are the same of its own buffer, whose bytes are appended in the
        // same order. What `null` cut off was longer than all of them.
        unsafe { B::contiguous(self.values, offsets, nulls) }
    }
}
