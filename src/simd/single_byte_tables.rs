//! The tables of the single-byte encodings, made from the generated files when an encoding is first used. Each
//! direction has statics of its own, so that a program contains those of the conversions that it calls.

use core::mem::MaybeUninit;

use super::lazy::Lazy;
use super::single_byte::{
    ByteUnits, Run, SingleByteCells, SingleByteToUtf8, SingleByteToUtf16, UnitsToSingleByte,
};

/// The code units of the bytes 80 to FF of each index, little-endian; 0 = unmapped.
const INDEXES: &[[[u8; 2]; 128]] = include_bytes!("../../tables/single_byte.decode.bin")
    .as_chunks::<2>()
    .0
    .as_chunks::<128>()
    .0;

/// The number of indexes.
const COUNT: usize = if cfg!(feature = "legacy-single-byte") {
    INDEXES.len()
} else {
    0
};

/// A single-byte encoding: its index into the lists of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SingleByteTable(u8);

impl SingleByteTable {
    /// x-user-defined, which decodes as if it had an index (section 14.5.1). Its encoder needs none.
    pub(crate) const X_USER_DEFINED: Self = SingleByteTable(COUNT as u8);

    /// Returns the encoding that has this index.
    #[inline(always)]
    pub(crate) fn of_index(index: u8) -> Option<Self> {
        (index < COUNT as u8).then_some(SingleByteTable(index))
    }

    #[cfg(test)]
    pub(crate) fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..TO_UTF8.len()).map(|place| SingleByteTable(place as u8))
    }

    /// Returns the table for UTF-8, which may be made in `spare`.
    #[inline(always)]
    pub(crate) fn to_utf8(self, spare: &mut MaybeUninit<SingleByteToUtf8>) -> &SingleByteToUtf8 {
        TO_UTF8[usize::from(self.0)].get(make_utf8, self, spare)
    }

    /// Returns the table for UTF-16, which may be made in `spare`.
    #[inline(always)]
    pub(crate) fn to_utf16(self, spare: &mut MaybeUninit<SingleByteToUtf16>) -> &SingleByteToUtf16 {
        TO_UTF16[usize::from(self.0)].get(make_utf16, self, spare)
    }

    /// Returns the table for bytes, which may be made in `spare`.
    #[inline(always)]
    pub(crate) fn to_bytes(self, spare: &mut MaybeUninit<UnitsToSingleByte>) -> &UnitsToSingleByte {
        TO_BYTES[usize::from(self.0)].get(make_bytes, self, spare)
    }

    /// Returns the map from code points to bytes.
    #[inline(always)]
    pub(crate) fn cells(self) -> SingleByteCells {
        SingleByteCells {
            blocks: &BLOCKS[usize::from(self.0)],
            cells: &CELLS.0,
        }
    }

    /// Returns the code points that most letters of the encoding are among.
    #[inline(always)]
    pub(crate) fn run(self) -> Run {
        RUNS[usize::from(self.0)]
    }

    /// Returns the code unit of each byte. Not inlined, as each of its callers is called once for an encoding.
    #[inline(never)]
    fn units(self) -> ByteUnits {
        core::array::from_fn(|byte| self.unit_of(byte as u8))
    }

    /// Returns the code unit of a byte. Not inlined, as vectors would make the code of [`SingleByteTable::units`] larger.
    #[inline(never)]
    fn unit_of(self, byte: u8) -> [u8; 2] {
        match byte {
            0..0x80 => [byte, 0],
            0x80.. => self.upper_unit(byte).to_le_bytes(),
        }
    }

    /// Returns the code unit of a byte from 80 to FF; 0 for an unmapped one. For state machines: kernels have
    /// it in their tables.
    #[inline(always)]
    pub(crate) fn upper_unit(self, byte: u8) -> u16 {
        match UPPER_UNITS.get(usize::from(self.0)) {
            Some(units) => u16::from_le_bytes(units[usize::from(byte & 0x7F)]),
            None => 0xF700 | u16::from(byte),
        }
    }

    /// Returns whether a byte is mapped, without a branch.
    #[inline(always)]
    pub(crate) fn is_mapped(self, byte: u8) -> bool {
        byte.is_ascii() | (self.upper_unit(byte) != 0)
    }

    /// Returns whether every byte is mapped.
    #[inline(always)]
    pub(crate) fn is_full(self) -> bool {
        FULL >> self.0 & 1 != 0
    }

    /// Returns the maximum number of bytes of UTF-8 for one byte: two or three.
    #[inline(always)]
    pub(crate) fn max_utf8(self) -> usize {
        2 + (WITH_THREES >> self.0 & 1) as usize
    }
}

/// Returns room for a table, which is used while another thread is making the same one.
#[inline(always)]
pub(crate) const fn spare<T>() -> MaybeUninit<T> {
    MaybeUninit::uninit()
}

static UPPER_UNITS: &[[[u8; 2]; 128]] = INDEXES.split_at(COUNT).0;

static TO_UTF8: [Lazy<SingleByteToUtf8>; COUNT + 1] = [const { Lazy::new() }; COUNT + 1];
static TO_UTF16: [Lazy<SingleByteToUtf16>; COUNT + 1] = [const { Lazy::new() }; COUNT + 1];
static TO_BYTES: [Lazy<UnitsToSingleByte>; COUNT + 1] = [const { Lazy::new() }; COUNT + 1];

fn make_utf8(table: SingleByteTable) -> SingleByteToUtf8 {
    SingleByteToUtf8::new(&table.units())
}

fn make_utf16(table: SingleByteTable) -> SingleByteToUtf16 {
    SingleByteToUtf16::new(&table.units())
}

fn make_bytes(table: SingleByteTable) -> UnitsToSingleByte {
    UnitsToSingleByte::new(&table.units(), table.cells())
}

/// What makes the UTF-8 output well-formed.
const _: () = {
    let mut table = 0;
    while table < INDEXES.len() {
        let mut byte = 0;
        while byte < 128 {
            let unit = u16::from_le_bytes(INDEXES[table][byte]);
            assert!(unit == 0 || unit >= 0x80, "ASCII has one byte only");
            assert!(!matches!(unit, 0xD800..=0xDFFF), "units are characters");
            byte += 1;
        }
        table += 1;
    }
};

/// A bit for each table: whether every byte is mapped. All of those of x-user-defined are.
const FULL: u32 = {
    let mut full = 1 << COUNT;
    let mut table = 0;
    while table < COUNT {
        full |= (is_full(&INDEXES[table]) as u32) << table;
        table += 1;
    }
    full
};

const fn is_full(upper: &[[u8; 2]; 128]) -> bool {
    let mut byte = 0;
    while byte < 128 {
        if u16::from_le_bytes(upper[byte]) == 0 {
            return false;
        }
        byte += 1;
    }
    true
}

/// A bit for each table: whether a character has three bytes in UTF-8. All of those of x-user-defined have.
const WITH_THREES: u32 = {
    let mut with_threes = 1 << COUNT;
    let mut table = 0;
    while table < COUNT {
        let mut byte = 0;
        while byte < 128 {
            let has_three = u16::from_le_bytes(INDEXES[table][byte]) >= 0x800;
            with_threes |= (has_three as u32) << table;
            byte += 1;
        }
        table += 1;
    }
    with_threes
};

static RUNS: [Run; COUNT + 1] = {
    let mut runs = [Run::USER_DEFINED; COUNT + 1];
    let mut table = 0;
    while table < COUNT {
        runs[table] = Run::of(&INDEXES[table]);
        table += 1;
    }
    runs
};

/// For each index: the block of `CELLS` for each 64 code points of the Basic Multilingual Plane. x-user-defined
/// has none.
static BLOCKS: [[u8; 1024]; COUNT + 1] = {
    let (entries, rest) =
        include_bytes!("../../tables/single_byte.encode_blocks.bin").as_chunks::<2>();
    let (files, no_entries) = entries.as_chunks::<1024>();
    assert!(
        files.len() == INDEXES.len() && rest.is_empty() && no_entries.is_empty(),
        "a generated table has another length than the library expects"
    );
    let mut tables = [[0; 1024]; COUNT + 1];
    let mut table = 0;
    while table < COUNT {
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

/// The bytes of 64 code points; 0 = unmappable (and U+0000). Two blocks at the end are for ASCII, which the
/// generated ones omit.
static CELLS: AlignedCells<[[u8; 64]; 256]> = {
    let (blocks, _) = include_bytes!("../../tables/single_byte.encode_cells.bin").as_chunks::<64>();
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
    AlignedCells(cells)
};

/// Begins where a cache line does, so that a block is in one of them.
#[repr(C, align(64))]
struct AlignedCells<T>(T);

/// The block for U+0000 to U+003F; the next one is for U+0040 to U+007F.
const ASCII_BLOCK: u8 = 254;
