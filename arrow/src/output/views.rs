//! Values with views: in the view itself, in blocks of output, or in the buffers of the input.

#![expect(unsafe_code, reason = "the array is made without validation")]

use arrow_array::ArrayRef;
use arrow_array::builder::make_view;
use arrow_buffer::{Buffer, NullBufferBuilder, ScalarBuffer};

use super::{Collect, Growing, Output, TooLong};
#[cfg(feature = "rayon")]
use crate::blocks::Blocks;

/// The maximum length in bytes of a value that is in the view itself.
const MAX_INLINE: usize = 12;

/// The size of the first block in bytes; each has twice as much room as the one before, up to `MAX_BLOCK`.
const MIN_BLOCK: usize = 16 * 1024;
const MAX_BLOCK: usize = 2 * 1024 * 1024;

/// The values of a `Utf8View` or `BinaryView` array.
pub(crate) struct Views<'a, B> {
    views: Vec<u128>,
    valid: NullBufferBuilder,
    /// Shared buffers of the input and full blocks, in the order in which views number them; `None` for the
    /// block that is being filled.
    buffers: Vec<Option<Buffer>>,
    /// The buffers of the input, and the index of each in `buffers`.
    input: &'a [Buffer],
    shared: Vec<Option<u32>>,
    block: Growing<B>,
    /// The index that `block` is going to have in `buffers`, once a view names it.
    block_index: Option<u32>,
    block_room: usize,
    /// The start of the current value in `block`.
    start: usize,
    limit: usize,
}

impl<'a, B: Output> Views<'a, B> {
    /// Makes output for `rows` values of an array with these buffers, each of at most `limit` bytes.
    pub(crate) fn new(rows: usize, input: &'a [Buffer], limit: usize) -> Self {
        Views {
            views: Vec::with_capacity(rows),
            valid: NullBufferBuilder::new(rows),
            buffers: Vec::new(),
            input,
            shared: vec![None; input.len()],
            block: Growing::new(0),
            block_index: None,
            block_room: MIN_BLOCK,
            start: 0,
            limit,
        }
    }

    fn end_block(&mut self) {
        let block = std::mem::replace(&mut self.block, Growing::new(0));
        self.start = 0;
        if let Some(index) = self.block_index.take() {
            self.buffers[index as usize] = Some(block.into_arrow());
        }
    }

    /// Returns the index in `buffers` of a buffer of the input.
    fn share_buffer(&mut self, input: usize) -> Option<u32> {
        let shared = self.shared.get_mut(input)?;
        if shared.is_none() {
            *shared = Self::add(&mut self.buffers, self.input.get(input).cloned());
        }
        *shared
    }

    /// Returns the index for one more buffer.
    fn add(buffers: &mut Vec<Option<Buffer>>, buffer: Option<Buffer>) -> Option<u32> {
        let index = i32::try_from(buffers.len()).ok()?;
        buffers.push(buffer);
        u32::try_from(index).ok()
    }
}

#[cfg(feature = "rayon")]
impl<B: Output + Send> Blocks for Views<'_, B> {
    // Only views are copied: the more there is in a block, the fewer buffers there are.
    const MIN_BLOCKS: usize = 1;
    const MAX_BLOCK: usize = 8 * 1024 * 1024;
    type Bytes = B;

    fn block(&self, _input_len: usize) -> Self {
        Views::new(0, self.input, self.limit)
    }

    fn bytes(&mut self) -> Option<&mut Growing<B>> {
        None
    }

    fn append(&mut self, block: &mut Self) -> Result<(), usize> {
        block.end_block();
        // What each buffer of the block is in `self.buffers`.
        let mut indices = vec![0; block.buffers.len()];
        let mut inputs = vec![None; block.buffers.len()];
        for (input, shared) in block.shared.iter_mut().enumerate() {
            if let Some(index) = shared.take() {
                inputs[index as usize] = Some(input);
            }
        }
        for ((index, input), buffer) in indices.iter_mut().zip(inputs).zip(block.buffers.drain(..))
        {
            *index = match input {
                Some(input) => self.share_buffer(input),
                None => Self::add(&mut self.buffers, buffer),
            }
            .ok_or(0_usize)?;
        }
        self.views.extend(block.views.iter().map(|&view| {
            if view as u32 as usize <= MAX_INLINE {
                return view;
            }
            let index = indices[(view >> 64) as u32 as usize];
            view & !(u128::from(u32::MAX) << 64) | u128::from(index) << 64
        }));
        match block.valid.finish() {
            Some(nulls) => self.valid.append_buffer(&nulls),
            None => self.valid.append_n_non_nulls(block.views.len()),
        }
        block.views.clear();
        Ok(())
    }
}

impl<B: Output> Collect<B> for Views<'_, B> {
    fn begin(&mut self, input_len: usize) -> &mut Growing<B> {
        // Half as much again is usual for legacy text; a value that grows more makes its block grow.
        let wanted = input_len + input_len / 2 + 32;
        if self.block.spare() < wanted {
            if self.block.len() > 0 {
                self.end_block();
            }
            self.block.grow(wanted.max(self.block_room));
            self.block_room = (2 * self.block_room).min(MAX_BLOCK);
        }
        self.start = self.block.len();
        &mut self.block
    }

    fn keep(&mut self) -> Result<(), TooLong> {
        let value = &self.block.as_bytes()[self.start..];
        if value.len() > self.limit {
            return Err(TooLong);
        }
        if value.len() <= MAX_INLINE {
            self.views.push(make_view(value, 0, 0));
            self.block.truncate(self.start);
        } else {
            let index = match self.block_index {
                Some(index) => index,
                None => Self::add(&mut self.buffers, None).ok_or(TooLong)?,
            };
            self.block_index = Some(index);
            let offset = u32::try_from(self.start).map_err(|_| TooLong)?;
            self.views.push(make_view(value, index, offset));
            self.start = self.block.len();
        }
        self.valid.append_non_null();
        Ok(())
    }

    fn null(&mut self) {
        self.block.truncate(self.start);
        self.views.push(0);
        self.valid.append_null();
    }

    fn share(&mut self, view: u128, value: &B::Slice, skip: u32) -> bool {
        let value = value.as_ref();
        let shared = if value.len() <= MAX_INLINE {
            make_view(value, 0, 0)
        } else {
            // A view consists of four bytes each for the length, the start of the value, the index of the
            // buffer, and the offset in it.
            let word = |index: u32| (view >> (32 * index)) as u32;
            let (buffer, offset) = (word(2) as usize, word(3));
            let Some(index) = self.share_buffer(buffer) else {
                return false;
            };
            make_view(value, index, offset + skip)
        };
        self.views.push(shared);
        self.valid.append_non_null();
        true
    }

    fn finish(mut self) -> ArrayRef {
        self.end_block();
        let nulls = self.valid.finish();
        let buffers = self.buffers.into_iter().flatten().collect();
        // SAFETY: a view that contains its own bytes or names a part of a block was made of a whole value of
        // the output, which is not changed after that. One into the input was made of a value that the caller
        // of `share` has as a `Slice`. `flatten` drops nothing: `end_block` has filled in the missing block, so
        // each index is that of its buffer.
        unsafe { B::views(ScalarBuffer::from(self.views), buffers, nulls) }
    }
}
