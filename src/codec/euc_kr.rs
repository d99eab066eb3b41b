//! EUC-KR (section 13.1), which has nothing but its index.

use super::tables::{EncodeTable, table};
use super::two_byte::{TwoByteDecoder, TwoByteEncoder};
use crate::simd::fill::LittleRoom;
use crate::simd::{Katakana, PackedIndex, PackedUnits, Ranges, TwoByteCells, TwoByteIndex};

/// The EUC-KR decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EucKr;

const LEADS: Ranges = [(0x81, 0xFE); 2];
const TRAILS: Ranges = [(0x41, 0xFE); 2];

/// The number of pointers.
const POINTERS: usize = 126 * 190;

/// Index EUC-KR.
static DECODE: PackedUnits<POINTERS> = PackedUnits::new(table!("euc_kr.decode_packed.bin"));

static INDEX: PackedIndex<POINTERS> = PackedIndex::new(&DECODE, LEADS, TRAILS, Katakana::No);

const ENCODE: EncodeTable = EncodeTable::new(
    table!("euc_kr.encode_blocks.bin"),
    table!("euc_kr.encode_cells.bin"),
);

static CELLS: TwoByteCells = ENCODE.kernel_cells(0);

impl TwoByteDecoder for EucKr {
    const LEADS: Ranges = LEADS;
    const POINTERS: usize = POINTERS;

    #[inline(always)]
    fn index() -> &'static TwoByteIndex {
        INDEX.get()
    }

    /// Korean has a space after every few syllables, so kernels first look at a sample of the text. Into room for 256 code
    /// units they take twice as long as [`Decode::fill`](super::Decode::fill), and into room for 513 bytes 1.3 times.
    const LITTLE_ROOM: LittleRoom = LittleRoom {
        utf8: 700,
        utf16: 2049,
    };
}

impl TwoByteEncoder for EucKr {
    const TABLE: EncodeTable = ENCODE;
    const CELLS: &'static TwoByteCells = &CELLS;
}
