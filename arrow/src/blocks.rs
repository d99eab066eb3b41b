//! One array on several threads: each converts blocks of its rows, and the outputs are joined in order.

#[cfg(feature = "rayon")]
mod side_by_side;

use std::ops::Range;

use crate::error::Error;
use crate::labels::LookedUp;
#[cfg(feature = "rayon")]
use crate::output::{Growing, Output};
use crate::rows::{Rows, Values};

/// The limits of a call.
#[cfg_attr(
    not(feature = "rayon"),
    expect(dead_code, reason = "there is one thread")
)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The maximum length of text, in bytes, with offsets of four bytes, and in a view.
    pub(crate) text: usize,
    /// Arrays with fewer bytes than this are converted by one thread.
    pub(crate) one_thread: usize,
    /// The maximum number of bytes of input in a block, unless it is a single longer value.
    pub(crate) block: usize,
}

impl Limits {
    /// Limits with which one thread converts an array, however large it is.
    pub(crate) const ONE_THREAD: Limits = Limits {
        text: i32::MAX as usize,
        one_thread: usize::MAX,
        block: usize::MAX,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            one_thread: 1024 * 1024,
            ..Limits::ONE_THREAD
        }
    }
}

/// Output that several threads can write.
#[cfg(feature = "rayon")]
pub(crate) trait Blocks: Send {
    /// The minimum number of blocks that large input is cut into, for each of the outputs that threads take turns to
    /// write: the more there are, the less threads wait for each other at the end.
    const MIN_BLOCKS: usize;

    /// The maximum number of bytes of input that a block should have.
    const MAX_BLOCK: usize;

    /// The type of the bytes that are copied.
    type Bytes: Output + Send;

    /// Makes empty output for the rows of a block with about `input_len` bytes.
    fn block(&self, input_len: usize) -> Self;

    /// Returns the bytes of all values, if those of a block have to be copied.
    fn bytes(&mut self) -> Option<&mut Growing<Self::Bytes>>;

    /// Appends the contents of `block` except the bytes, and empties it of them.
    ///
    /// # Errors
    ///
    /// The row, counted from the first of the block, at which the output becomes too long.
    fn append(&mut self, block: &mut Self) -> Result<(), usize>;
}

#[cfg(not(feature = "rayon"))]
pub(crate) trait Blocks {}

#[cfg(not(feature = "rayon"))]
impl<T> Blocks for T {}

/// The rows that are to be converted.
#[cfg_attr(
    not(feature = "rayon"),
    expect(dead_code, reason = "there is one thread")
)]
pub(crate) struct Work<'r, V> {
    pub(crate) rows: &'r Rows<V>,
    /// The number of bytes of all values.
    pub(crate) input_len: usize,
    pub(crate) limits: Limits,
}

impl<'r, V: Values<'r>> Work<'r, V> {
    /// Has `convert` write all rows to `output`, in order. Fails with the error of the first row that has one;
    /// `too_long` makes the error if only all rows together are too long.
    pub(crate) fn convert<'a, C: Blocks>(
        &self,
        output: &mut C,
        too_long: impl Fn(usize) -> Error + Sync,
        convert: impl Fn(Range<usize>, &mut LookedUp<'a>, &mut C) -> Result<(), Error> + Sync,
    ) -> Result<(), Error> {
        #[cfg(feature = "rayon")]
        if self.input_len >= self.limits.one_thread && rayon::current_num_threads() > 1 {
            return self.convert_blocks(output, too_long, convert);
        }
        #[cfg(not(feature = "rayon"))]
        let _ = too_long;
        convert(0..self.rows.len, &mut LookedUp::new(), output)
    }
}
