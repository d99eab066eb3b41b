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
            // x-user-defined has no characters in these blocks.
            blocks: BLOCKS.get(usize::from(self.0)).unwrap_or(&[0; 1024]),
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
        BITS.full >> self.0 & 1 != 0
    }

    /// Returns the maximum number of bytes of UTF-8 for one byte: two or three.
    #[inline(always)]
    pub(crate) fn max_utf8(self) -> usize {
        2 + (BITS.with_threes >> self.0 & 1) as usize
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

/// A bit for each table. All bytes of x-user-defined are mapped, to characters of three bytes.
struct Bits {
    /// Whether every byte is mapped.
    full: u32,
    /// Whether a character has three bytes in UTF-8.
    with_threes: u32,
}

const BITS: Bits = {
    let (mut full, mut with_threes) = (!0, 1 << COUNT);
    let mut table = 0;
    while table < COUNT {
        let mut byte = 0;
        while byte < 128 {
            let unit = u16::from_le_bytes(INDEXES[table][byte]);
            // What makes the UTF-8 output well-formed.
            assert!(unit == 0 || unit >= 0x80, "ASCII has one byte only");
            assert!(!matches!(unit, 0xD800..=0xDFFF), "units are characters");
            if unit == 0 {
                full &= !(1 << table);
            } else if unit >= 0x800 {
                with_threes |= 1 << table;
            }
            byte += 1;
        }
        table += 1;
    }
    Bits { full, with_threes }
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

/// For each index: the block of `CELLS` for each 64 code points of the Basic Multilingual Plane.
static BLOCKS: &[[u8; 1024]] = if cfg!(feature = "legacy-single-byte") {
    let (files, rest) =
        include_bytes!("../../tables/single_byte.encode_blocks.bin").as_chunks::<1024>();
    assert!(
        files.len() == INDEXES.len() && rest.is_empty(),
        "a generated table has another length than the library expects"
    );
    files
} else {
    &[]
};

/// The bytes of 64 code points; 0 = unmappable (and U+0000). There is a block for each number that fits a byte.
static CELLS: AlignedCells<[[u8; 64]; 256]> = {
    let (blocks, _) = include_bytes!("../../tables/single_byte.encode_cells.bin").as_chunks::<64>();
    let mut cells = [[0; 64]; 256];
    cells.split_at_mut(blocks.len()).0.copy_from_slice(blocks);
    AlignedCells(cells)
};

/// Begins where a cache line does, so that a block is in one of them.
#[repr(C, align(64))]
struct AlignedCells<T>(T);
