//! How the generated tables are read, and those that several encodings share. Their formats are
//! described in `tables/README.md`; they hold little-endian integers, which [`unit`] reads on any
//! machine.

use crate::simd::{CELLS, SingleByteCells, SingleByteTable, TwoByteCells};

/// The bytes of a generated file.
macro_rules! table {
    ($name:literal) => {
        include_bytes!(concat!("../../tables/", $name))
    };
}
pub(super) use table;

/// A table of `N` 16-bit entries.
pub(super) type Units<const N: usize> = [[u8; 2]; N];

/// Reads an entry.
#[inline(always)]
pub(super) fn unit(entry: [u8; 2]) -> u16 {
    u16::from_le_bytes(entry)
}

/// Checks, at compile time, that a file has `N` entries of 16 bits.
const fn units<const N: usize>(file: &'static [u8]) -> &'static Units<N> {
    let (entries, rest) = file.as_chunks::<2>();
    match entries.first_chunk::<N>() {
        Some(table) if entries.len() == N && rest.is_empty() => table,
        _ => panic!("a generated table has another length than the library expects"),
    }
}

/// The entries of a file whose length the data decides.
pub(super) const fn entries(file: &'static [u8]) -> &'static [[u8; 2]] {
    file.as_chunks::<2>().0
}

/// From code points to bytes, in two steps: `blocks[code point / 64]` is the number of a block of
/// 64 cells, each of which is the bytes of a code point (lead << 8 | trail), or 0 for none.
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

    /// What kernels read of it. All bytes have the bits of `or_mask` besides.
    pub(super) const fn kernel_cells(self, or_mask: u16) -> TwoByteCells {
        TwoByteCells::new(self.blocks, self.cells, or_mask)
    }

    /// The two bytes of a code point, lead << 8 | trail; 0 where the table has none.
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

/// How many single-byte indexes there are.
const SINGLE_BYTE_TABLES: usize = table!("single_byte.decode.bin").len() / (2 * 128);

/// The single-byte encodings that have an index.
pub(super) static SINGLE_BYTE: [SingleByteTable; SINGLE_BYTE_TABLES] = {
    let indexes: &Units<{ SINGLE_BYTE_TABLES * 128 }> = units(table!("single_byte.decode.bin"));
    let (indexes, _) = indexes.as_chunks::<128>();
    let mut tables = [X_USER_DEFINED; SINGLE_BYTE_TABLES];
    let mut table = 0;
    while table < tables.len() {
        tables[table] = single_byte(
            &indexes[table],
            SingleByteCells {
                blocks: &SINGLE_BYTE_BLOCKS[table],
                cells: &SINGLE_BYTE_CELLS,
            },
        );
        table += 1;
    }
    tables
};
/// x-user-defined, which decodes as if it had an index (section 14.5.1). Its encoder needs none.
pub(super) const X_USER_DEFINED: SingleByteTable = {
    let mut index = [[0; 2]; 128];
    let mut byte = 0;
    while byte < 128 {
        index[byte] = [0x80 + byte as u8, 0xF7];
        byte += 1;
    }
    single_byte(
        &index,
        SingleByteCells {
            blocks: &[0; 1024],
            cells: &SINGLE_BYTE_CELLS,
        },
    )
};

/// ASCII, and `index` from byte 80 on.
const fn single_byte(index: &Units<128>, cells: SingleByteCells) -> SingleByteTable {
    let mut units = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 128 {
        units[byte] = [byte as u8, 0];
        units[byte + 128] = index[byte];
        byte += 1;
    }
    SingleByteTable::new(&units, cells)
}
/// For each of these tables: the block of `SINGLE_BYTE_CELLS` for each 64 code points of the Basic
/// Multilingual Plane.
pub(super) static SINGLE_BYTE_BLOCKS: [[u8; 1024]; SINGLE_BYTE_TABLES] = {
    let files: &Units<{ SINGLE_BYTE_TABLES * 1024 }> =
        units(table!("single_byte.encode_blocks.bin"));
    let (files, _) = files.as_chunks::<1024>();
    let mut tables = [[0; 1024]; SINGLE_BYTE_TABLES];
    let mut table = 0;
    while table < tables.len() {
        let mut block = 0;
        while block < 1024 {
            let [number, high] = files[table][block];
            assert!(
                high == 0 && number < ASCII_BLOCK,
                "the number of a block fits a byte"
            );
            tables[table][block] = number;
            block += 1;
        }
        tables[table][0] = ASCII_BLOCK;
        tables[table][1] = ASCII_BLOCK + 1;
        table += 1;
    }
    tables
};
/// The bytes of 64 code points; 0 = unmappable (and U+0000). Two blocks at the end are for ASCII,
/// which the generated ones leave out.
pub(super) static SINGLE_BYTE_CELLS: [[u8; 64]; 256] = {
    let (blocks, _) = table!("single_byte.encode_cells.bin").as_chunks::<64>();
    let mut cells = [[0; 64]; 256];
    let mut block = 0;
    while block < blocks.len() {
        cells[block] = blocks[block];
        block += 1;
    }
    let mut ascii = 0;
    while ascii < 128 {
        cells[ASCII_BLOCK as usize + ascii / 64][ascii % 64] = ascii as u8;
        ascii += 1;
    }
    cells
};
/// The block for U+0000 to U+003F; the next one is for U+0040 to U+007F.
const ASCII_BLOCK: u8 = 254;

/// Index jis0208 by pointer; 0 = unmapped.
pub(super) static JIS0208_DECODE: &[[u8; 2]] = entries(table!("jis0208.decode.bin"));

/// Row and cell of JIS X 0208, each from 0x21.
pub(super) const JIS0208_ENCODE: EncodeTable = EncodeTable::new(
    table!("jis0208.encode_blocks.bin"),
    table!("jis0208.encode_cells.bin"),
);
