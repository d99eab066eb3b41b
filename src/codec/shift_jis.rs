//! Shift_JIS (section 12.3): index jis0208, U+0080, half-width katakana and end-user-defined
//! characters.

use super::tables::{EncodeTable, JIS0208_DECODE, JIS0208_POINTERS, table};
use super::two_byte::{TwoByteDecoder, TwoByteEncoder, malformed};
use super::{Emit, Item};
use crate::output::Bytes;
use crate::simd::{Katakana, PackedIndex, Ranges, TwoByteCells, TwoByteIndex};

/// The Shift_JIS decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ShiftJis;

const LEADS: Ranges = [(0x81, 0x9F), (0xE0, 0xFC)];
const TRAILS: Ranges = [(0x40, 0x7E), (0x80, 0xFC)];

/// Index jis0208, by the bytes that Shift_JIS writes for its pointers.
static INDEX: PackedIndex<JIS0208_POINTERS> =
    PackedIndex::new(&JIS0208_DECODE, LEADS, TRAILS, ShiftJis::KATAKANA);

/// *Index Shift_JIS pointer*, with its exclusions.
const ENCODE: EncodeTable = EncodeTable::new(
    table!("shift_jis.encode_blocks.bin"),
    table!("shift_jis.encode_cells.bin"),
);

static CELLS: TwoByteCells = ENCODE.kernel_cells(0);

impl TwoByteDecoder for ShiftJis {
    const LEADS: Ranges = LEADS;
    const POINTERS: usize = JIS0208_POINTERS;
    const KATAKANA: Katakana = Katakana::Alone;

    #[inline(always)]
    fn index() -> &'static TwoByteIndex {
        INDEX.get()
    }

    #[inline(always)]
    fn is_exception(byte: u8, next: u8) -> bool {
        byte == 0x80 || (matches!(byte, 0xF0..=0xF9) && next >= 0x40)
    }

    #[inline(always)]
    fn exception(src: &[u8], at_end: bool) -> Item {
        match src {
            // Step 4.
            [0x80, ..] => Item::Char('\u{80}', 1),
            // Step 3.4.
            &[lead, trail, ..] => match end_user_defined(Self::index().pointer(lead, trail)) {
                Some(ch) => Item::Char(ch, 2),
                None => malformed::<Self>(src, at_end),
            },
            _ => malformed::<Self>(src, at_end),
        }
    }
}

/// Step 3.4: end-user-defined characters, which the index omits.
#[cold]
fn end_user_defined(pointer: usize) -> Option<char> {
    match pointer {
        8836..=10715 => char::from_u32(u32::try_from(0xE000 - 8836 + pointer).ok()?),
        _ => None,
    }
}

impl TwoByteEncoder for ShiftJis {
    const TABLE: EncodeTable = ENCODE;
    const CELLS: &'static TwoByteCells = &CELLS;

    /// Steps 2 (for U+0080) to 6 and step 8. The table lacks the code points of these steps, so they are
    /// tried only after it.
    #[inline(never)]
    fn exception(ch: char) -> Emit {
        match ch {
            '\u{80}' => Emit::Bytes(Bytes::one(0x80)),
            '\u{A5}' => Emit::Bytes(Bytes::one(0x5C)),
            '\u{203E}' => Emit::Bytes(Bytes::one(0x7E)),
            '\u{FF61}'..='\u{FF9F}' => {
                Emit::Bytes(Bytes::one((u32::from(ch) - 0xFF61 + 0xA1) as u8))
            }
            '\u{2212}' => Self::bytes(0xFF0D).map_or(Emit::Unmappable(ch), Emit::Bytes),
            _ => Emit::Unmappable(ch),
        }
    }
}
