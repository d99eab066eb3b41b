//! Big5 (section 11.1): its index, with code points above U+FFFF, and pairs of code points.

use super::Item;
use super::tables::{EncodeTable, entries, table, unit};
use super::two_byte::{TwoByteDecoder, TwoByteEncoder, malformed};
use crate::simd::{Katakana, PackedIndex, PackedUnits, Ranges, TwoByteCells, TwoByteIndex};

/// The Big5 decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Big5;

const LEADS: Ranges = [(0x81, 0xFE); 2];
const TRAILS: Ranges = [(0x40, 0x7E), (0xA1, 0xFE)];

/// The number of pointers.
const POINTERS: usize = 126 * 157;

/// Index Big5 without the code points above U+FFFF.
static DECODE: PackedUnits<POINTERS> = PackedUnits::new(table!("big5.decode_packed.bin"));

static INDEX: PackedIndex<POINTERS> = PackedIndex::new(&DECODE, LEADS, TRAILS, Katakana::No);

/// For each 64 pointers, eight bytes with a bit for each of them, set if its code point is above U+FFFF, and two bytes:
/// how many such pointers come before.
static ASTRAL_BLOCKS: &[[u8; 10]] = table!("big5.astral_blocks.bin").as_chunks().0;

/// The low 16 bits of the code points above U+FFFF, in the order of their pointers.
static ASTRAL_UNITS: &[[u8; 2]] = entries(table!("big5.astral_units.bin"));

fn is_astral(pointer: usize) -> bool {
    match ASTRAL_BLOCKS.get(pointer / 64) {
        Some(block) => block[pointer % 64 / 8] >> (pointer % 8) & 1 != 0,
        None => false,
    }
}

/// Returns the code point above U+FFFF of a pointer.
#[cold]
fn astral(pointer: usize) -> Option<char> {
    if !is_astral(pointer) {
        return None;
    }
    let &[a, b, c, d, e, f, g, h, low, high] = ASTRAL_BLOCKS.get(pointer / 64)?;
    let bits = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
    let before_in_block = (bits & ((1 << (pointer % 64)) - 1)).count_ones();
    let before = usize::from(unit([low, high])) + before_in_block as usize;
    char::from_u32(0x2_0000 | u32::from(unit(*ASTRAL_UNITS.get(before)?)))
}

/// *Index Big5 pointer*, with its exclusions.
const ENCODE: EncodeTable = EncodeTable::new(
    table!("big5.encode_blocks.bin"),
    table!("big5.encode_cells.bin"),
);

static CELLS: TwoByteCells = ENCODE.kernel_cells(0);

impl TwoByteDecoder for Big5 {
    const LEADS: Ranges = LEADS;
    const POINTERS: usize = POINTERS;

    #[inline(always)]
    fn index() -> &'static TwoByteIndex {
        INDEX.get()
    }

    #[inline(always)]
    fn is_exception(byte: u8, next: u8) -> bool {
        is_astral(Self::index().pointer(byte, next))
            || (byte == 0x88 && matches!(next, 0x62 | 0x64 | 0xA3 | 0xA5))
    }

    #[inline(always)]
    fn exception(src: &[u8], at_end: bool) -> Item {
        if let &[lead, trail, ..] = src {
            let pointer = Self::index().pointer(lead, trail);
            // Step 3.3.
            if let Some((first, second)) = two_code_points(pointer) {
                return Item::Pair(first, second, 2);
            }
            // Steps 3.4 and 3.5: the index lacks only the code points above U+FFFF.
            if let Some(ch) = astral(pointer) {
                return Item::Char(ch, 2);
            }
        }
        // Steps 3.6 and 3.7.
        malformed::<Self>(src, at_end)
    }
}

/// Step 3.3: the pointers that stand for two code points, which an index can't represent.
#[cold]
fn two_code_points(pointer: usize) -> Option<(char, char)> {
    match pointer {
        1133 => Some(('\u{CA}', '\u{304}')),
        1135 => Some(('\u{CA}', '\u{30C}')),
        1164 => Some(('\u{EA}', '\u{304}')),
        1166 => Some(('\u{EA}', '\u{30C}')),
        _ => None,
    }
}

impl TwoByteEncoder for Big5 {
    const TABLE: EncodeTable = ENCODE;
    const CELLS: &'static TwoByteCells = &CELLS;
}
