//! gb18030 and GBK (section 10): index gb18030, the euro sign, and four-byte sequences.

use super::tables::{EncodeTable, table};
use super::two_byte::{TwoByteDecoder, TwoByteEncoder, malformed};
use super::{Cuts, Emit, Growth, Item};
use crate::output::Bytes;
use crate::simd::{Katakana, PackedIndex, PackedUnits, Ranges, TwoByteCells, TwoByteIndex};

/// The gb18030 decoder, which is also GBK's.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gb18030Decoder;

const LEADS: Ranges = [(0x81, 0xFE); 2];
const TRAILS: Ranges = [(0x40, 0x7E), (0x80, 0xFE)];

/// The number of pointers.
const POINTERS: usize = 126 * 190;

/// Index gb18030.
static DECODE: PackedUnits<POINTERS> = PackedUnits::new(table!("gb18030.decode_packed.bin"));

static INDEX: PackedIndex<POINTERS> = PackedIndex::new(&DECODE, LEADS, TRAILS, Katakana::No);

/// Index gb18030 ranges: pointer and code point, little-endian.
static RANGES: &[[[u8; 4]; 2]] = table!("gb18030_ranges.bin")
    .as_chunks::<4>()
    .0
    .as_chunks::<2>()
    .0;

const ENCODE: EncodeTable = EncodeTable::new(
    table!("gb18030.encode_blocks.bin"),
    table!("gb18030.encode_cells.bin"),
);

static CELLS: TwoByteCells = ENCODE.kernel_cells(0);

/// GBK has one byte for the euro sign, the only character in its block.
static GBK_CELLS: TwoByteCells = ENCODE.kernel_cells(0).without_block_of(0x20AC);

impl TwoByteDecoder for Gb18030Decoder {
    const LEADS: Ranges = LEADS;
    const POINTERS: usize = POINTERS;
    const CUTS: Cuts = Cuts::AfterAsciiNoDigit;

    #[inline(always)]
    fn index() -> &'static TwoByteIndex {
        INDEX.get()
    }

    #[inline(always)]
    fn is_exception(byte: u8, next: u8) -> bool {
        (byte == 0x80) | next.is_ascii_digit()
    }

    #[inline(always)]
    fn exception(src: &[u8], at_end: bool) -> Item {
        match src {
            // Step 7.
            [0x80, ..] => Item::Char('\u{20AC}', 1),
            // Step 5.1.
            [0x81..=0xFE, 0x30..=0x39, ..] => four_bytes(src, at_end),
            // Steps 5.7, 5.8 and 9.
            _ => malformed::<Self>(src, at_end),
        }
    }
}

/// Steps 3 and 4: `src` starts with a first byte and a digit.
#[inline(always)]
fn four_bytes(src: &[u8], at_end: bool) -> Item {
    let Some(&third) = src.get(2) else {
        return Item::cut_short(src, at_end);
    };
    // Step 4.2: the second and the third byte are restored.
    if !(0x81..=0xFE).contains(&third) {
        return Item::Malformed(1);
    }
    let Some(&fourth) = src.get(3) else {
        return Item::cut_short(src, at_end);
    };
    // Step 3.1: the second, third and fourth byte are restored.
    if !fourth.is_ascii_digit() {
        return Item::Malformed(1);
    }
    // Step 3.2.
    let pointer = (u32::from(src[0]) - 0x81) * (10 * 126 * 10)
        + (u32::from(src[1]) - 0x30) * (10 * 126)
        + (u32::from(third) - 0x81) * 10
        + (u32::from(fourth) - 0x30);
    match ranges_code_point(pointer) {
        Some(ch) => Item::Char(ch, 4),
        None => Item::Malformed(4),
    }
}

/// *Index gb18030 ranges code point* (section 5).
#[inline(never)]
fn ranges_code_point(pointer: u32) -> Option<char> {
    // Step 1.
    if matches!(pointer, 39420..189_000 | 1_237_576..) {
        return None;
    }
    // Step 2.
    if pointer == 7457 {
        return Some('\u{E7C7}');
    }
    // Steps 3 and 4.
    let (offset, code_point_offset) = last_range(|[range, _]| range <= pointer)?;
    char::from_u32(code_point_offset + pointer - offset)
}

/// *Index gb18030 ranges pointer* (section 5).
#[inline(never)]
fn ranges_pointer(code_point: u32) -> Option<u32> {
    // Step 1.
    if code_point == 0xE7C7 {
        return Some(7457);
    }
    // Steps 2 and 3.
    let (pointer_offset, offset) = last_range(|[_, range]| range <= code_point)?;
    Some(pointer_offset + code_point - offset)
}

/// The last pair of pointer and code point in index gb18030 ranges for which `not_above` is true. Both
/// columns of the index ascend.
fn last_range(not_above: impl Fn([u32; 2]) -> bool) -> Option<(u32, u32)> {
    let read = |row: &[[u8; 4]; 2]| row.map(u32::from_le_bytes);
    let above = RANGES.partition_point(|row| not_above(read(row)));
    let [pointer, code_point] = read(RANGES.get(above.checked_sub(1)?)?);
    Some((pointer, code_point))
}

/// The gb18030 encoder; `GBK` is the standard's *is GBK*.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gb18030Encoder<const GBK: bool>;

impl<const GBK: bool> TwoByteEncoder for Gb18030Encoder<GBK> {
    const TABLE: EncodeTable = ENCODE;
    const CELLS: &'static TwoByteCells = if GBK { &GBK_CELLS } else { &CELLS };

    // GBK has no four-byte characters. Those of gb18030 may have two bytes in UTF-8.
    const GROWTH: Growth = Growth {
        utf8: if GBK { 1 } else { 2 },
        utf16: if GBK { 2 } else { 4 },
        extra: 0,
    };

    #[inline(always)]
    fn is_exception(ch: char) -> bool {
        // Step 4.
        GBK && ch == '\u{20AC}'
    }

    /// The index lacks U+E5E5 (step 3) and the private-use code points that have bytes of their own, so both
    /// are tried only after it.
    #[inline(always)]
    fn exception(ch: char) -> Emit {
        if Self::is_exception(ch) {
            return Emit::Bytes(Bytes::one(0x80));
        }
        outside_the_index::<GBK>(ch)
    }
}

#[inline(never)]
fn outside_the_index<const GBK: bool>(ch: char) -> Emit {
    let code_point = u32::from(ch);
    // Step 3: A3 A0 decodes to U+3000, so U+E5E5 can't survive a round trip.
    if code_point == 0xE5E5 {
        return Emit::Unmappable(ch);
    }
    // Private-use code points that GB18030-2022 moved are still encoded as their old bytes.
    if let Some((_, bytes)) = SIDE_TABLE.iter().find(|(moved, _)| *moved == code_point) {
        return Emit::Bytes(Bytes::two(bytes.to_be_bytes()));
    }
    // GBK has no four-byte forms.
    if GBK {
        return Emit::Unmappable(ch);
    }
    let Some(mut pointer) = ranges_pointer(code_point) else {
        return Emit::Unmappable(ch);
    };
    let byte1 = pointer / (10 * 126 * 10);
    pointer %= 10 * 126 * 10;
    let byte2 = pointer / (10 * 126);
    pointer %= 10 * 126;
    let byte3 = pointer / 10;
    let byte4 = pointer % 10;
    Emit::Bytes(Bytes::four([
        (byte1 + 0x81) as u8,
        (byte2 + 0x30) as u8,
        (byte3 + 0x81) as u8,
        (byte4 + 0x30) as u8,
    ]))
}

/// The gb18030 encoder's table of 18 private-use code points and their two bytes.
static SIDE_TABLE: [(u32, u16); 18] = [
    (0xE78D, 0xA6D9),
    (0xE78E, 0xA6DA),
    (0xE78F, 0xA6DB),
    (0xE790, 0xA6DC),
    (0xE791, 0xA6DD),
    (0xE792, 0xA6DE),
    (0xE793, 0xA6DF),
    (0xE794, 0xA6EC),
    (0xE795, 0xA6ED),
    (0xE796, 0xA6F3),
    (0xE81E, 0xFE59),
    (0xE826, 0xFE61),
    (0xE82B, 0xFE66),
    (0xE82C, 0xFE67),
    (0xE832, 0xFE6D),
    (0xE843, 0xFE7E),
    (0xE854, 0xFE90),
    (0xE864, 0xFEA0),
];
