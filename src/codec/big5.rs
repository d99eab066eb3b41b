//! Big5 (section 11.1): its index, with code points above U+FFFF, and pairs of code points.

use super::Item;
use super::tables::{EncodeTable, entries, table, unit};
use super::two_byte::{TwoByteDecoder, TwoByteEncoder, malformed};
use crate::simd::{Katakana, Ranges, TwoByteCells, TwoByteIndex};

/// The Big5 decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Big5;

const LEADS: Ranges = [(0x81, 0xFE); 2];
const TRAILS: Ranges = [(0x40, 0x7E), (0xA1, 0xFE)];

/// Index Big5 by pointer, the low 16 bits. Only the compiler reads it: programs contain what is derived from it.
const DECODE: &[[u8; 2]] = entries(table!("big5.decode.bin"));

/// One bit per pointer: whether to add 0x20000 to its code point.
static ASTRAL: &[u8] = table!("big5.astral.bin");

/// Index Big5 without the code points above U+FFFF.
static INDEX: TwoByteIndex = TwoByteIndex::new(&DECODE_BMP, LEADS, TRAILS, Katakana::No);

static DECODE_BMP: [[u8; 2]; DECODE.len()] = {
    let (all, _) = DECODE.as_chunks();
    let mut bmp = all[0];
    let mut byte = 0;
    while byte < ASTRAL.len() {
        let mut bits = ASTRAL[byte];
        while bits != 0 {
            bmp[8 * byte + bits.trailing_zeros() as usize] = [0; 2];
            bits &= bits - 1;
        }
        byte += 1;
    }
    bmp
};

/// The low 16 bits of the code points above U+FFFF, in the order of their pointers.
static ASTRAL_UNITS: [[u8; 2]; ASTRAL_STARTS[ASTRAL_STARTS.len() - 1] as usize] = {
    let mut units = [[0; 2]; ASTRAL_STARTS[ASTRAL_STARTS.len() - 1] as usize];
    let (mut byte, mut count) = (0, 0);
    while byte < ASTRAL.len() {
        let mut bits = ASTRAL[byte];
        while bits != 0 {
            units[count] = DECODE[8 * byte + bits.trailing_zeros() as usize];
            count += 1;
            bits &= bits - 1;
        }
        byte += 1;
    }
    units
};

/// How many code points in [`ASTRAL_UNITS`] have a pointer below 0, 64, 128, …
static ASTRAL_STARTS: [u16; DECODE.len().div_ceil(64) + 1] = {
    let mut starts = [0; DECODE.len().div_ceil(64) + 1];
    let mut block = 0;
    while block + 1 < starts.len() {
        starts[block + 1] = starts[block] + astral_bits(block).count_ones() as u16;
        block += 1;
    }
    starts
};

const fn is_astral(pointer: usize) -> bool {
    pointer / 8 < ASTRAL.len() && ASTRAL[pointer / 8] >> (pointer % 8) & 1 != 0
}

/// Returns the bits of 64 pointers.
const fn astral_bits(block: usize) -> u64 {
    let (mut bits, mut at) = (0, 0);
    while at < 8 && 8 * block + at < ASTRAL.len() {
        bits |= (ASTRAL[8 * block + at] as u64) << (8 * at);
        at += 1;
    }
    bits
}

/// Returns the code point above U+FFFF of a pointer.
#[cold]
fn astral(pointer: usize) -> Option<char> {
    if !is_astral(pointer) {
        return None;
    }
    let below = astral_bits(pointer / 64) & ((1 << (pointer % 64)) - 1);
    let start = usize::from(*ASTRAL_STARTS.get(pointer / 64)?);
    let entry = ASTRAL_UNITS.get(start + below.count_ones() as usize)?;
    char::from_u32(0x2_0000 | u32::from(unit(*entry)))
}

/// *Index Big5 pointer*, with its exclusions.
const ENCODE: EncodeTable = EncodeTable::new(
    table!("big5.encode_blocks.bin"),
    table!("big5.encode_cells.bin"),
);

static CELLS: TwoByteCells = ENCODE.kernel_cells(0);

impl TwoByteDecoder for Big5 {
    const LEADS: Ranges = LEADS;
    const INDEX: &'static TwoByteIndex = &INDEX;

    #[inline(always)]
    fn is_exception(byte: u8, next: u8) -> bool {
        is_astral(INDEX.pointer(byte, next))
            || (byte == 0x88 && matches!(next, 0x62 | 0x64 | 0xA3 | 0xA5))
    }

    #[inline(always)]
    fn exception(src: &[u8], at_end: bool) -> Item {
        if let &[lead, trail, ..] = src {
            let pointer = INDEX.pointer(lead, trail);
            // Step 3.3.
            if let Some((first, second)) = two_code_points(pointer) {
                return Item::Pair(first, second, 2);
            }
            // Steps 3.4 and 3.5: `INDEX` lacks only the code points above U+FFFF.
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
