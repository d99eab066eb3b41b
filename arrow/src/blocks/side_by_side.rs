//! Rounds of blocks: all threads convert, and then all copy their outputs to the final place.

use std::ops::Range;

use rayon::prelude::*;

use super::{Blocks, Work};
use crate::error::Error;
use crate::labels::LookedUp;
use crate::rows::Values;

/// Input of up to this many bytes is converted in one round. Larger rounds touch more fresh memory, which is
/// slow.
const SMALL_ROUND: usize = 1024 * 1024;

/// The fixed cost of a row, expressed in bytes of input.
const ROW_LEN: usize = 8;

/// The number of blocks in a round per thread, so that all threads finish a round at about the same time.
const BLOCKS_PER_THREAD: usize = 4;

/// The rows that a thread converts, and their output.
struct Block<'a, C> {
    rows: Range<usize>,
    known: LookedUp<'a>,
    output: C,
    result: Result<(), Error>,
}

impl<'r, V: Values<'r>> Work<'r, V> {
    /// Does what `convert` does, on all threads.
    pub(super) fn convert_blocks<'a, C: Blocks>(
        &self,
        output: &mut C,
        too_long: impl Fn(usize) -> Error,
        convert: impl Fn(Range<usize>, &mut LookedUp<'a>, &mut C) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let count = BLOCKS_PER_THREAD * rayon::current_num_threads();
        let max_block = C::MAX_BLOCK.min(self.limits.block);
        let in_one_round = (self.input_len + self.rows.len * ROW_LEN) / count + 1;
        let block_len = (in_one_round / C::MIN_ROUNDS)
            .max(in_one_round.min(SMALL_ROUND / count))
            .clamp(1, max_block);
        let mut blocks: Vec<_> = (0..count)
            .map(|_| Block {
                rows: 0..0,
                known: LookedUp::new(),
                output: output.block(block_len),
                result: Ok(()),
            })
            .collect();
        let mut start = 0;
        while start < self.rows.len {
            let mut end = start;
            for block in &mut blocks {
                block.rows = self.cut(end, block_len);
                end = block.rows.end;
            }
            blocks.par_iter_mut().with_max_len(1).for_each(|block| {
                block.result = convert(block.rows.clone(), &mut block.known, &mut block.output);
            });
            let failed = blocks.iter().position(|block| block.result.is_err());
            let whole = failed.map_or(count, |at| at + 1);
            // The output may become too long before the row that failed.
            let mut outputs: Vec<_> = blocks[..whole]
                .iter_mut()
                .map(|block| &mut block.output)
                .collect();
            output
                .append(&mut outputs)
                .map_err(|row| too_long(start + row))?;
            if let Some(at) = failed {
                return blocks.swap_remove(at).result;
            }
            start = end;
        }
        Ok(())
    }

    /// Returns the rows from `start` that make up a block.
    fn cut(&self, start: usize, block_len: usize) -> Range<usize> {
        let rows = self.rows;
        let (mut end, mut last) = (rows.len.min(start + 1), rows.len);
        if rows.span(start..end).is_some() {
            // With offsets, not every row has to be examined.
            while end < last {
                let middle = end + (last - end) / 2;
                let span = rows.span(start..middle).unwrap_or(0);
                if span + (middle - start) * ROW_LEN < block_len {
                    end = middle + 1;
                } else {
                    last = middle;
                }
            }
            return start..end;
        }
        let mut len = 0;
        end = start;
        while end < last && (end == start || len < block_len) {
            len += rows.value_len(end) + ROW_LEN;
            end += 1;
        }
        start..end
    }
}
