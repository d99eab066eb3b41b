//! Surrogate pairs as masks: one mask of leading surrogates and one of trailing ones, with a bit for each
//! unit of a piece of text, and zeros after its last unit. Tested with the kernels that use them.

/// The pairs so far, and whether the last unit is a leading surrogate.
pub(super) struct SurrogatePairs {
    open: u64,
    counted: usize,
}

impl SurrogatePairs {
    #[inline(always)]
    pub(super) fn new() -> Self {
        SurrogatePairs {
            open: 0,
            counted: 0,
        }
    }

    /// Counts the pairs of the next `len` units.
    #[inline(always)]
    pub(super) fn count(&mut self, [leading, trailing]: [u64; 2], len: usize) {
        let pairs = (leading << 1 | self.open) & trailing;
        self.counted += pairs.count_ones() as usize;
        self.open = leading >> (len - 1);
    }

    /// Records that the next units are not surrogates.
    #[inline(always)]
    pub(super) fn none(&mut self) {
        self.open = 0;
    }

    #[inline(always)]
    pub(super) fn counted(&self) -> usize {
        self.counted
    }

    /// Returns the first of the next `len` units that is or follows a lone surrogate; [`SurrogatePairs::half`] says
    /// which of the two.
    #[inline(always)]
    pub(super) fn first_wrong(
        &mut self,
        [leading, trailing]: [u64; 2],
        len: usize,
    ) -> Option<usize> {
        let expected = leading << 1 | self.open;
        let wrong = (expected ^ trailing) & u64::MAX >> (64 - len);
        if wrong == 0 {
            self.open = leading >> (len - 1);
            return None;
        }
        let first = wrong.trailing_zeros();
        self.open = expected >> first & 1;
        Some(first as usize)
    }

    /// Returns 1 if the last unit is the first half of a pair, or else 0.
    #[inline(always)]
    pub(super) fn half(&self) -> usize {
        self.open as usize
    }
}
