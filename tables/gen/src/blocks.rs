//! Two-level encode tables: a block number for every 64 code points, and blocks of 64 cells.
//!
//! Block 0 is empty, so unmapped stretches cost two bytes per 64 code points; blocks with equal
//! content are stored once.

use std::collections::{BTreeMap, HashMap};

use crate::little_endian::LittleEndian;

/// Code points per block.
pub(crate) const BLOCK: usize = 64;

/// The cells of one or more encode tables.
pub(crate) struct Cells<T> {
    blocks: Vec<[T; BLOCK]>,
    numbers: HashMap<[T; BLOCK], u16>,
}

impl<T: LittleEndian> Cells<T> {
    pub(crate) fn new() -> Self {
        let empty = [T::default(); BLOCK];
        Self {
            blocks: vec![empty],
            numbers: HashMap::from([(empty, 0)]),
        }
    }

    /// Stores `mapping` (code point to cell) and returns its block numbers: one for every 64 code
    /// points from 0 to the last mapped one.
    pub(crate) fn add(&mut self, mapping: &BTreeMap<u32, T>) -> Vec<u16> {
        let mut numbers = Vec::new();
        let mut block = [T::default(); BLOCK];
        for (&code_point, &cell) in mapping {
            let (number, place) = (code_point as usize / BLOCK, code_point as usize % BLOCK);
            while numbers.len() < number {
                numbers.push(self.number_of(block));
                block = [T::default(); BLOCK];
            }
            block[place] = cell;
        }
        if !mapping.is_empty() {
            numbers.push(self.number_of(block));
        }
        numbers
    }

    fn number_of(&mut self, block: [T; BLOCK]) -> u16 {
        *self.numbers.entry(block).or_insert_with(|| {
            let number = self.blocks.len();
            self.blocks.push(block);
            u16::try_from(number).expect(
                "17408 blocks hold all of Unicode, and a single-byte encoding has 128 at the most",
            )
        })
    }

    /// The blocks as they are stored.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        T::bytes(self.blocks.as_flattened())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_mapped_gives_the_empty_block_alone() {
        let mut cells = Cells::<u16>::new();
        assert!(cells.add(&BTreeMap::new()).is_empty());
        assert_eq!(cells.into_bytes(), [0; 2 * BLOCK]);
    }

    #[test]
    fn equal_blocks_are_stored_once_also_across_tables() {
        let mut cells = Cells::<u8>::new();
        let first = BTreeMap::from([(0x41, 7), (0xC1, 7), (0x140, 9)]);
        assert_eq!(cells.add(&first), [0, 1, 0, 1, 0, 2]);
        let second = BTreeMap::from([(0x00, 9), (0x7F, 8)]);
        assert_eq!(cells.add(&second), [2, 3]);
        let bytes = cells.into_bytes();
        assert_eq!(bytes.len(), 4 * BLOCK);
        assert_eq!(bytes[..BLOCK], [0; BLOCK]);
        assert_eq!(bytes[BLOCK + 1], 7);
        assert_eq!(bytes[2 * BLOCK], 9);
        assert_eq!(bytes[3 * BLOCK + 63], 8);
        assert_eq!(bytes.iter().filter(|&&byte| byte != 0).count(), 3);
    }

    #[test]
    fn cells_are_little_endian() {
        let mut cells = Cells::<u16>::new();
        assert_eq!(cells.add(&BTreeMap::from([(0x42, 0xA1FE)])), [0, 1]);
        assert_eq!(cells.into_bytes()[2 * (BLOCK + 2)..][..2], [0xFE, 0xA1]);
    }
}
