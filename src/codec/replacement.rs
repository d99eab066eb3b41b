//! replacement (section 14.1), which has only a decoder.

use super::{Cuts, Decode, Item};
use crate::output::Sink;
use crate::simd::{Kernels, Transcoded};

/// The replacement decoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Replacement {
    /// *replacement error returned*.
    error_returned: bool,
}

impl Replacement {
    /// Whether the state is that of the start.
    pub(crate) fn is_initial(self) -> bool {
        !self.error_returned
    }

    /// The state, to be stored.
    #[cfg(feature = "alloc")]
    pub(crate) fn to_bytes(self) -> [u8; 2] {
        [u8::from(self.error_returned), 0]
    }

    /// The state that [`Self::to_bytes`] has stored; `None` for what is none.
    #[cfg(feature = "alloc")]
    pub(crate) fn from_bytes(bytes: [u8; 2]) -> Option<Self> {
        let error_returned = match bytes {
            [0, 0] => false,
            [1, 0] => true,
            _ => return None,
        };
        Some(Replacement { error_returned })
    }
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

    fn kernel<S: Sink>(&mut self, _: &Kernels, _: &[u8], _: bool, _: &mut S) -> Transcoded {
        Transcoded::NOTHING
    }

    fn wants_kernel(self, _: &[u8]) -> bool {
        false
    }
}
