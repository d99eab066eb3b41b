//! Threads convert blocks of rows independently. The output of a block is copied to its place as soon as all blocks before
//! it have been placed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use super::{Blocks, Work};
use crate::error::Error;
use crate::labels::LookedUp;
use crate::output::{Placed, Room};
use crate::rows::Values;

/// The fixed cost of a row, expressed in bytes of input.
const ROW_LEN: usize = 8;

/// The number of outputs for each thread: one that it writes, and some that wait for an earlier block.
const OUTPUTS_PER_THREAD: usize = 4;

/// The minimum number of bytes of input in a block, unless threads would be idle: each block costs some microseconds.
const SMALL_BLOCK: usize = 64 * 1024;

/// Some rows, and their output.
struct Block<C> {
    rows: Range<usize>,
    output: C,
    result: Result<(), Error>,
}

/// Which rows have been converted and placed.
struct Progress<C> {
    /// The first row that was not given to a thread.
    given: usize,
    /// The first row that has no place in the output.
    placed: usize,
    /// Converted blocks without a place, by their first row.
    waiting: BTreeMap<usize, Block<C>>,
    /// Empty outputs for more blocks.
    idle: Vec<C>,
    result: Result<(), Error>,
}

/// The work of all threads until they have to wait for each other.
struct Round<'o, 'r, C: Blocks> {
    progress: &'o mut Progress<C>,
    whole: &'o mut C,
    /// Where bytes are copied to. `None` if they are not copied.
    room: Option<Room<'r, C::Bytes>>,
    is_over: bool,
}

/// A task for a thread.
enum Step<'r, C: Blocks> {
    Convert(Range<usize>, C),
    Copy(Placed<'r, C::Bytes>, C),
}

/// What a thread has done.
enum Done<C> {
    Converted(Block<C>),
    Copied(C),
}

impl<'v, V: Values<'v>> Work<'v, V> {
    /// Does what `convert` does, on all threads.
    pub(super) fn convert_blocks<'a, C: Blocks>(
        &self,
        whole: &mut C,
        too_long: impl Fn(usize) -> Error + Sync,
        convert: impl Fn(Range<usize>, &mut LookedUp<'a>, &mut C) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        let outputs = OUTPUTS_PER_THREAD * rayon::current_num_threads();
        let max_block = C::MAX_BLOCK.min(self.limits.block);
        let all = self.input_len + self.rows.len * ROW_LEN;
        let block_len = (all / outputs / C::MIN_BLOCKS)
            .max(SMALL_BLOCK.min(all / outputs))
            .clamp(1, max_block);
        let mut progress = Progress {
            given: 0,
            placed: 0,
            waiting: BTreeMap::new(),
            idle: (0..outputs).map(|_| whole.block(block_len)).collect(),
            result: Ok(()),
        };
        let cut = |start| self.cut(start, block_len);
        let mut bytes = whole.bytes().map(std::mem::take);
        while progress.placed < self.rows.len && progress.result.is_ok() {
            let Some(bytes) = &mut bytes else {
                let round = Round::new(&mut progress, whole, None);
                round.run(cut, &too_long, &convert);
                continue;
            };
            // The first round has no room. From its blocks, the size of the whole output is estimated.
            let waiting = progress.waiting.values_mut();
            bytes.make_room_for(waiting.filter_map(|block| block.output.bytes()));
            bytes.append(|room| {
                let round = Round::new(&mut progress, whole, Some(room));
                round.run(cut, &too_long, &convert);
            });
        }
        if let (Some(place), Some(bytes)) = (whole.bytes(), bytes) {
            *place = bytes;
        }
        progress.result
    }

    /// Returns the rows from `start` that make up a block, if there are any.
    fn cut(&self, start: usize, block_len: usize) -> Option<Range<usize>> {
        let rows = self.rows;
        if start == rows.len {
            return None;
        }
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
            return Some(start..end);
        }
        let mut len = 0;
        end = start;
        while end < last && (end == start || len < block_len) {
            len += rows.value_len(end) + ROW_LEN;
            end += 1;
        }
        Some(start..end)
    }
}

impl<'o, 'r, C: Blocks> Round<'o, 'r, C> {
    fn new(
        progress: &'o mut Progress<C>,
        whole: &'o mut C,
        room: Option<Room<'r, C::Bytes>>,
    ) -> Self {
        Round {
            progress,
            whole,
            room,
            is_over: false,
        }
    }

    /// Runs the round on all threads.
    fn run<'a>(
        self,
        cut: impl Fn(usize) -> Option<Range<usize>> + Sync,
        too_long: impl Fn(usize) -> Error + Sync,
        convert: impl Fn(Range<usize>, &mut LookedUp<'a>, &mut C) -> Result<(), Error> + Sync,
    ) {
        let round = Mutex::new(self);
        let next = |done| {
            let mut round = round.lock().unwrap_or_else(PoisonError::into_inner);
            round.next(done, &cut, &too_long)
        };
        let work = || {
            let mut known = LookedUp::new();
            let mut next_step = next(None);
            while let Some(step) = next_step {
                let done = match step {
                    Step::Convert(rows, mut output) => {
                        let result = convert(rows.clone(), &mut known, &mut output);
                        Done::Converted(Block {
                            rows,
                            output,
                            result,
                        })
                    }
                    Step::Copy(placed, mut output) => {
                        let emptied = placed.copy();
                        if let Some(bytes) = output.bytes() {
                            *bytes = emptied;
                        }
                        Done::Copied(output)
                    }
                };
                next_step = next(Some(done));
            }
        };
        rayon::scope(|scope| {
            for _ in 1..rayon::current_num_threads() {
                scope.spawn(|_| work());
            }
            work();
        });
    }

    /// Returns the next task. `None` if all rows were given out, or if no output is idle because too many blocks wait for
    /// an earlier block or for more room.
    fn next(
        &mut self,
        done: Option<Done<C>>,
        cut: impl Fn(usize) -> Option<Range<usize>>,
        too_long: impl Fn(usize) -> Error,
    ) -> Option<Step<'r, C>> {
        match done {
            Some(Done::Converted(block)) => {
                self.progress.waiting.insert(block.rows.start, block);
            }
            Some(Done::Copied(output)) => self.progress.idle.push(output),
            None => {}
        }
        while let Some(block) = self.first_waiting() {
            let mut output = block.output;
            // The whole output may become too long before the row that failed.
            let appended = self.whole.append(&mut output);
            let appended = appended.map_err(|row| too_long(block.rows.start + row));
            self.progress.placed = block.rows.end;
            self.progress.result = appended.and(block.result);
            if self.progress.result.is_err() {
                self.is_over = true;
                return None;
            }
            let bytes = output.bytes();
            match self
                .room
                .as_mut()
                .zip(bytes)
                .and_then(|(room, bytes)| room.place(bytes))
            {
                Some(placed) => return Some(Step::Copy(placed, output)),
                None => self.progress.idle.push(output),
            }
        }
        if self.is_over {
            return None;
        }
        let rows = cut(self.progress.given)?;
        let Some(output) = self.progress.idle.pop() else {
            self.is_over = true;
            return None;
        };
        self.progress.given = rows.end;
        Some(Step::Convert(rows, output))
    }

    /// Returns the block that has to be placed next, if it was converted and there is room for it.
    fn first_waiting(&mut self) -> Option<Block<C>> {
        let mut first = self.progress.waiting.first_entry()?;
        let bytes = first.get_mut().output.bytes();
        let has_room = match (&self.room, bytes) {
            (Some(room), Some(bytes)) => room.has(bytes.len()),
            _ => true,
        };
        let is_next = *first.key() == self.progress.placed && self.progress.result.is_ok();
        (is_next && has_room).then(|| first.remove())
    }
}
