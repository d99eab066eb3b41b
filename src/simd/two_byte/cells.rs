//! From code units to two bytes, as the kernels and the state machines read it.

use crate::simd::flat::{Flat, Words};

/// The cells of 64 code points.
pub(crate) const CELLS: usize = 64;

/// Code points of the Basic Multilingual Plane, by 64.
pub(crate) const BLOCKS: usize = 0x1_0000 / CELLS;

/// From the code units of the Basic Multilingual Plane to bytes of an encoding, but for ASCII.
#[derive(Debug)]
pub(crate) struct TwoByteCells {
    /// For each 64 code points where their cells start; each start has 64 cells after it.
    starts: [u16; BLOCKS],
    /// The bytes of a code point, little-endian: lead << 8 | trail, or 0 for none.
    cells: &'static [[u8; 2]],
    /// The bits that both bytes have beyond those of their cell.
    or_mask: u16,
    flat: Flat,
}

impl TwoByteCells {
    /// The numbers of the blocks of 64 cells, of which those of this plane come first.
    pub(crate) const fn new(
        blocks: &'static [[u8; 2]],
        cells: &'static [[[u8; 2]; CELLS]],
        or_mask: u16,
    ) -> Self {
        let mut starts = [0; BLOCKS];
        let mut block = 0;
        while block < BLOCKS {
            let number = u16::from_le_bytes(blocks[block]) as usize;
            assert!(number < cells.len(), "each number is a block's");
            assert!(number * CELLS <= 0xFFFF, "starts are words");
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

    /// The flat table, if there is one, or if `len` more units of text are enough to have it built: the
    /// bytes of each code unit, the first one in the lower half, or 0.
    #[inline(always)]
    pub(in crate::simd) fn flat(&self, len: usize) -> Option<&Words> {
        self.flat.get(len, |table| {
            let empty = self.starts[0xD800 / CELLS];
            let (blocks, _) = table.as_chunks_mut::<CELLS>();
            for (block, &start) in blocks.iter_mut().zip(&self.starts) {
                // Most are, and stay zeros that nobody has touched.
                if start == empty {
                    continue;
                }
                if let Some(cells) = self.cells[usize::from(start)..].first_chunk() {
                    *block = swapped(cells, self.or_mask);
                }
            }
        })
    }

    /// Without the 64 code units around one: they are for the state machine.
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

    /// The cell of a code unit: its bytes, but for the bits that all have; 0 for none.
    #[inline(always)]
    pub(crate) fn cell(&self, unit: u16) -> u16 {
        let start = usize::from(self.starts[usize::from(unit) / CELLS]);
        let at = start + usize::from(unit) % CELLS;
        debug_assert!(at < self.cells.len());
        // SAFETY: `new` has found 64 cells after each start, and the fields are this file's.
        u16::from_le_bytes(unsafe { *self.cells.get_unchecked(at) })
    }

    /// The two bytes of a code unit, lead << 8 | trail; 0 where there are none, as for ASCII.
    #[inline(always)]
    pub(crate) fn get(&self, unit: u16) -> u16 {
        match self.cell(unit) {
            0 => 0,
            bytes => bytes | self.or_mask,
        }
    }
}

/// Cells with the bits that all have, the first byte in the lower half.
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
