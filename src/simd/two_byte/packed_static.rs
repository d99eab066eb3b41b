//! Stands in for indexes that are unpacked on first use, where there is no memory for them: the compiler unpacks
//! them.

use super::index::{Katakana, Ranges, TwoByteIndex};
use super::unpack::unpack;

/// The code units of `LEN` pointers.
#[derive(Debug)]
pub(crate) struct PackedUnits<const LEN: usize>([u16; LEN]);

impl<const LEN: usize> PackedUnits<LEN> {
    pub(crate) const fn new(packed: &'static [u8]) -> Self {
        let mut units = [0; LEN];
        unpack(packed, &mut units);
        PackedUnits(units)
    }

    /// Returns the code unit of each pointer; 0 if it has none.
    #[inline(always)]
    pub(crate) fn get(&self) -> &[u16] {
        &self.0
    }
}

/// An index with `LEN` pointers.
#[derive(Debug)]
pub(crate) struct PackedIndex<const LEN: usize>(TwoByteIndex);

impl<const LEN: usize> PackedIndex<LEN> {
    pub(crate) const fn new(
        units: &'static PackedUnits<LEN>,
        leads: Ranges,
        trails: Ranges,
        katakana: Katakana,
    ) -> Self {
        PackedIndex(TwoByteIndex::new(&units.0, leads, trails, katakana))
    }

    /// Returns the index.
    #[inline(always)]
    pub(crate) fn get(&self) -> &TwoByteIndex {
        &self.0
    }
}
