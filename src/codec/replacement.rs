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
    /// Returns whether this is the initial state.
    pub(crate) fn is_initial(self) -> bool {
        !self.error_returned
    }

    /// Returns the state in a form that can be stored.
    #[cfg(feature = "alloc")]
    pub(crate) fn to_bytes(self) -> [u8; 2] {
        [u8::from(self.error_returned), 0]
    }

    /// Returns the state that [`Self::to_bytes`] has stored; `None` for bytes that are not a state.
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
    // Only the state knows whether its single error has occurred.
    const CUTS: Cuts = Cuts::Nowhere;

    fn step(self, src: &[u8], _: bool) -> (Item, Self) {
        if self.error_returned {
            // Step 3: finished; the rest of the input is dropped.
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
