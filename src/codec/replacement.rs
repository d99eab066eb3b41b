//! replacement (section 14.1), which has a decoder only.

use super::{Cuts, Decode, Item};
use crate::output::Sink;
use crate::simd::Kernels;

/// The replacement decoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Replacement {
    /// *replacement error returned*.
    error_returned: bool,
}

impl Decode for Replacement {
    // Where its one error was is known to nothing but the state.
    const CUTS: Cuts = Cuts::Nowhere;

    fn step(self, src: &[u8], _: bool) -> (Item, Self) {
        if self.error_returned {
            // Step 3: finished; what is left of the input is dropped.
            (Item::Nothing(src.len()), self)
        } else {
            // Step 2.
            let error_returned = true;
            (Item::Malformed(1), Replacement { error_returned })
        }
    }

    fn kernel<S: Sink>(self, _: &Kernels, _: &[u8], _: &mut S) -> usize {
        0
    }

    fn wants_kernel(self, _: &[u8]) -> bool {
        false
    }
}
