//! Indexes that a program contains in packed form, unpacked when they are first used.

use alloc::boxed::Box;
use alloc::vec;

use super::index::{Katakana, Ranges, TwoByteIndex};
use super::unpack::unpack;
use crate::simd::once::Once;

/// The code units of `LEN` pointers.
#[derive(Debug)]
pub(crate) struct PackedUnits<const LEN: usize> {
    packed: &'static [u8],
    units: Once<Box<[u16]>>,
}

impl<const LEN: usize> PackedUnits<LEN> {
    pub(crate) const fn new(packed: &'static [u8]) -> Self {
        PackedUnits {
            packed,
            units: Once::new(),
        }
    }

    /// Returns the code unit of each pointer; 0 if it has none.
    #[inline(always)]
    pub(crate) fn get(&self) -> &[u16] {
        self.units.get_or_make(|| {
            let mut units = vec![0; LEN].into_boxed_slice();
            unpack(self.packed, &mut units);
            Box::new(units)
        })
    }
}

/// An index with `LEN` pointers.
#[derive(Debug)]
pub(crate) struct PackedIndex<const LEN: usize> {
    units: &'static PackedUnits<LEN>,
    leads: Ranges,
    trails: Ranges,
    katakana: Katakana,
    index: Once<TwoByteIndex>,
}

impl<const LEN: usize> PackedIndex<LEN> {
    pub(crate) const fn new(
        units: &'static PackedUnits<LEN>,
        leads: Ranges,
        trails: Ranges,
        katakana: Katakana,
    ) -> Self {
        PackedIndex {
            units,
            leads,
            trails,
            katakana,
            index: Once::new(),
        }
    }

    /// Returns the index.
    #[inline(always)]
    pub(crate) fn get(&self) -> &TwoByteIndex {
        self.index.get_or_make(|| {
            let units = self.units.get();
            Box::new(TwoByteIndex::new(
                units,
                self.leads,
                self.trails,
                self.katakana,
            ))
        })
    }
}
