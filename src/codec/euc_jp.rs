//! EUC-JP (section 12.1): index jis0208, half-width katakana after 8E, and index jis0212 after 8F.

use super::tables::{EncodeTable, JIS0208_DECODE, JIS0208_ENCODE, JIS0208_POINTERS, table};
use super::two_byte::{TwoByteDecoder, TwoByteEncoder, malformed};
use super::{Emit, Item};
use crate::output::Bytes;
use crate::simd::{Katakana, PackedIndex, PackedUnits, Ranges, TwoByteCells, TwoByteIndex};

/// The EUC-JP decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EucJp;

const LEADS: Ranges = [(0xA1, 0xFE); 2];
const TRAILS: Ranges = [(0xA1, 0xFE); 2];

/// Index jis0208, by the bytes that EUC-JP writes for its pointers.
static INDEX: PackedIndex<JIS0208_POINTERS> =
    PackedIndex::new(&JIS0208_DECODE, LEADS, TRAILS, EucJp::KATAKANA);

/// Index jis0212.
static JIS0212_DECODE: PackedUnits<{ 94 * 94 }> =
    PackedUnits::new(table!("jis0212.decode_packed.bin"));

static CELLS: TwoByteCells = JIS0208_ENCODE.kernel_cells(EucJp::OR_MASK);

impl TwoByteDecoder for EucJp {
    const LEADS: Ranges = LEADS;
    const POINTERS: usize = JIS0208_POINTERS;
    const KATAKANA: Katakana = Katakana::After8E;

    #[inline(always)]
    fn index() -> &'static TwoByteIndex {
        INDEX.get()
    }

    #[inline(always)]
    fn is_exception(byte: u8, _: u8) -> bool {
        // Malformed half-width katakana, and sequences of three bytes.
        matches!(byte, 0x8E | 0x8F)
    }

    #[inline(always)]
    fn exception(src: &[u8], at_end: bool) -> Item {
        match src {
            // Step 3, if the second byte is not half-width katakana.
            &[0x8E, byte, ..] => Item::malformed_pair(byte),
            [0x8F, ..] => jis0212(src, at_end),
            [0x8E] => Item::cut_short(src, at_end),
            _ => malformed::<Self>(src, at_end),
        }
    }
}

/// Step 4: lead 8F, then step 5 with *EUC-JP jis0212* true.
#[inline(always)]
fn jis0212(src: &[u8], at_end: bool) -> Item {
    let lead = match src.get(1) {
        None => return Item::cut_short(src, at_end),
        Some(&lead @ 0xA1..=0xFE) => lead,
        Some(&byte) => return Item::malformed_pair(byte),
    };
    let Some(&byte) = src.get(2) else {
        return Item::cut_short(&src[..2], at_end);
    };
    if (0xA1..=0xFE).contains(&byte) {
        let pointer = (usize::from(lead) - 0xA1) * 94 + (usize::from(byte) - 0xA1);
        let unit = JIS0212_DECODE.get().get(pointer).copied().unwrap_or(0);
        if let Some(ch) = char::from_u32(u32::from(unit))
            && unit != 0
        {
            return Item::Char(ch, 3);
        }
    }
    // Steps 5.5 and 5.6.
    Item::Malformed(if byte.is_ascii() { 2 } else { 3 })
}

impl TwoByteEncoder for EucJp {
    const TABLE: EncodeTable = JIS0208_ENCODE;
    /// Steps 9 to 11: row and cell, from A1 each.
    const OR_MASK: u16 = 0x8080;
    const CELLS: &'static TwoByteCells = &CELLS;

    /// Steps 3 to 6 and step 8. Index jis0208 lacks the code points of steps 3 to 6, so they are tried only
    /// after it.
    #[inline(never)]
    fn exception(ch: char) -> Emit {
        match ch {
            '\u{A5}' => Emit::Bytes(Bytes::one(0x5C)),
            '\u{203E}' => Emit::Bytes(Bytes::one(0x7E)),
            '\u{FF61}'..='\u{FF9F}' => {
                let trail = (u32::from(ch) - 0xFF61 + 0xA1) as u8;
                Emit::Bytes(Bytes::two([0x8E, trail]))
            }
            '\u{2212}' => Self::bytes(0xFF0D).map_or(Emit::Unmappable(ch), Emit::Bytes),
            _ => Emit::Unmappable(ch),
        }
    }
}
