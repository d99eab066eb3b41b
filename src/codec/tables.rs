//! Reads the generated tables, and holds those that several encodings share. Their formats are described in
//! `tables/README.md`; they hold little-endian integers, which [`unit`] reads on any machine.

use crate::simd::{CELLS, PackedUnits, TwoByteCells};

/// The bytes of a generated file.
macro_rules! table {
    ($name:literal) => {
        include_bytes!(concat!("../../tables/", $name))
    };
}
pub(super) use table;

/// Reads an entry.
#[inline(always)]
pub(super) fn unit(entry: [u8; 2]) -> u16 {
    u16::from_le_bytes(entry)
}

/// Returns the entries of a file whose length depends on the data.
pub(super) const fn entries(file: &'static [u8]) -> &'static [[u8; 2]] {
    file.as_chunks::<2>().0
}

/// Maps code points to bytes, in two steps: `blocks[code point / 64]` is the number of a block of 64 cells,
/// each of which has the bytes of a code point (lead << 8 | trail), or 0 for none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EncodeTable {
    blocks: &'static [[u8; 2]],
    cells: &'static [[[u8; 2]; CELLS]],
}

impl EncodeTable {
    pub(super) const fn new(blocks: &'static [u8], cells: &'static [u8]) -> Self {
        EncodeTable {
            blocks: entries(blocks),
            cells: entries(cells).as_chunks().0,
        }
    }

    /// Returns the table in the form for kernels. All bytes also have the bits of `or_mask`.
    pub(super) const fn kernel_cells(self, or_mask: u16) -> TwoByteCells {
        TwoByteCells::new(self.blocks, self.cells, or_mask)
    }

    /// Returns the two bytes of a code point, lead << 8 | trail; 0 if the table has none.
    #[inline(always)]
    pub(super) fn get(self, code_point: u32) -> u16 {
        let block = match self.blocks.get((code_point >> 6) as usize) {
            Some(&block) => usize::from(unit(block)),
            None => 0,
        };
        match self.cells.get(block) {
            Some(cells) => unit(cells[(code_point & 63) as usize]),
            None => 0,
        }
    }
}

/// The number of pointers of index jis0208, whose last rows only Shift_JIS can write.
pub(super) const JIS0208_POINTERS: usize = 60 * 188;

/// Index jis0208.
pub(super) static JIS0208_DECODE: PackedUnits<JIS0208_POINTERS> =
    PackedUnits::new(table!("jis0208.decode_packed.bin"));

/// Row and cell of JIS X 0208, each from 0x21.
pub(super) const JIS0208_ENCODE: EncodeTable = EncodeTable::new(
    table!("jis0208.encode_blocks.bin"),
    table!("jis0208.encode_cells.bin"),
);
