//! Maps code units to two bytes, for the kernels and the state machines.

use crate::simd::flat::{Flat, Words};

/// The number of code points in a block of cells.
pub(crate) const CELLS: usize = 64;

/// The number of such blocks in the Basic Multilingual Plane.
pub(crate) const BLOCKS: usize = 0x1_0000 / CELLS;

/// Maps the code units of the Basic Multilingual Plane to bytes of an encoding, except ASCII.
#[derive(Debug)]
pub(crate) struct TwoByteCells {
    /// Where the cells of each 64 code points start; each start is followed by 64 cells.
    starts: [u16; BLOCKS],
    /// The bytes of a code point, little-endian: lead << 8 | trail, or 0 if it has none.
    cells: &'static [[u8; 2]],
    /// The bits that all pairs of bytes have set; the cells lack them.
    or_mask: u16,
    flat: Flat,
}

impl TwoByteCells {
    /// `blocks` has the number of a block of `cells` for each 64 code points, those of this plane first.
    pub(crate) const fn new(
        blocks: &'static [[u8; 2]],
        cells: &'static [[[u8; 2]; CELLS]],
        or_mask: u16,
    ) -> Self {
        let mut starts = [0; BLOCKS];
        let count = cells.len();
        assert!(count * CELLS <= 0x1_0000, "starts are words");
        let mut block = 0;
        while block < BLOCKS {
            let number = u16::from_le_bytes(blocks[block]) as usize;
            assert!(number < count, "each number is a block's");
            starts[block] = (number * CELLS) as u16;
            block += 1;
        }
        assert!(
            is_empty(&cells[starts[0xD800 / CELLS] as usize / CELLS]),
            "surrogates have no bytes"
        );
        TwoByteCells {
            starts,
            cells: cells.as_flattened(),
            or_mask,
            flat: Flat::new(),
        }
    }

    /// Returns the flat table, if there is one, or if `len` more units of text are enough to have it built:
    /// the bytes of each code unit, the first one in the lower half, or 0.
    #[inline(always)]
    pub(in crate::simd) fn flat(&self, len: usize) -> Option<&Words> {
        self.flat.get(len, |table| {
            let empty = self.starts[0xD800 / CELLS];
            let (blocks, _) = table.as_chunks_mut::<CELLS>();
            for (block, &start) in blocks.iter_mut().zip(&self.starts) {
                // Most blocks are empty, and stay zeros in pages that are never touched.
                if start == empty {
                    continue;
                }
                if let Some(cells) = self.cells[usize::from(start)..].first_chunk() {
                    *block = swapped(cells, self.or_mask);
                }
            }
        })
    }

    /// Counts units of text that were encoded without the flat table.
    #[inline(always)]
    pub(in crate::simd) fn count(&self, len: usize) {
        self.flat.count(len);
    }

    /// Removes the 64 code units around one, which the state machine handles.
    pub(crate) const fn without_block_of(mut self, unit: u16) -> Self {
        let mut block = 0;
        while block < BLOCKS {
            let at = self.starts[block] as usize;
            if is_empty(&self.cells.as_chunks::<CELLS>().0[at / CELLS]) {
                self.starts[unit as usize / CELLS] = self.starts[block];
                return self;
            }
            block += 1;
        }
        panic!("no encoding has all blocks")
    }

    /// Returns the cell of a code unit: its bytes, without the bits that all have; 0 for none.
    #[inline(always)]
    pub(crate) fn cell(&self, unit: u16) -> u16 {
        let start = usize::from(self.starts[usize::from(unit) / CELLS]);
        let at = start + usize::from(unit) % CELLS;
        debug_assert!(at < self.cells.len());
        // SAFETY: `new` has found 64 cells after each start, and the fields are private to this file.
        u16::from_le_bytes(unsafe { *self.cells.get_unchecked(at) })
    }

    /// Returns the two bytes of a code unit, lead << 8 | trail; 0 if it has none, as for ASCII.
    #[inline(always)]
    pub(crate) fn get(&self, unit: u16) -> u16 {
        match self.cell(unit) {
            0 => 0,
            bytes => bytes | self.or_mask,
        }
    }
}

/// Adds to cells the bits that all have; the first byte is in the lower half.
#[inline(always)]
fn swapped(cells: &[[u8; 2]; CELLS], or_mask: u16) -> [u16; CELLS] {
    let mut swapped = [0; CELLS];
    for (to, &cell) in swapped.iter_mut().zip(cells) {
        let cell = u16::from_le_bytes(cell);
        let or_mask = if cell == 0 { 0 } else { or_mask };
        *to = (cell | or_mask).swap_bytes();
    }
    swapped
}

const fn is_empty(cells: &[[u8; 2]; CELLS]) -> bool {
    let mut cell = 0;
    while cell < CELLS {
        if cells[cell][0] != 0 || cells[cell][1] != 0 {
            return false;
        }
        cell += 1;
    }
    true
}
