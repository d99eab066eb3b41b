//! The scalar value of the character that ends before each position of UTF-8.
//!
//! Only the byte after a character shows that it ends, as in the conversion to UTF-16 (`utf8_units.rs`).
//!
//! ```text
//! p4 = 11110ddd   p3 = 10cccccc or 1110cccc   p2 = 10bbbbbb   p1 = 10aaaaaa or 0aaaaaaa
//! top = 000dddcc                high = ccccbbbb                low = bbaaaaaa
//! ```

use core::hint::black_box;

use super::BLOCK;
use super::utf8_to_utf16::any_at_least;
use super::utf8_units::{Texts, each, three_before};
use crate::simd::vector::{Text, Vector};

/// The scalar values that end before each byte of the vectors of a block.
pub(in crate::simd) type ScalarsOfBlock<V> = [Scalars<<V as Vector>::V>; 4];

/// The scalar value that ends before each byte: bits 0 to 7, 8 to 15, and 16 to 20 if any are needed.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Scalars<V> {
    pub(in crate::simd) low: V,
    pub(in crate::simd) high: V,
    pub(in crate::simd) top: Option<V>,
}

/// The masks that [`scalars`] needs, hidden from the compiler as those of [`Constants`] are.
#[derive(Clone, Copy)]
pub(super) struct ScalarMasks<V> {
    seven: V,
    six: V,
    upper_two: V,
    half: V,
    lead: V,
}

/// The bytes of [`ScalarMasks`].
static MASKS: [u8; 5] = [0x7F, 0x3F, 0xC0, 0x0F, 0xE0];

impl<V> ScalarMasks<V> {
    #[inline(always)]
    pub(super) fn for_loop<W: Vector<V = V>>(w: W) -> Self {
        Self::new(w, black_box(&MASKS))
    }

    #[inline(always)]
    pub(super) fn for_block<W: Vector<V = V>>(w: W) -> Self {
        Self::new(w, &MASKS)
    }

    #[inline(always)]
    fn new<W: Vector<V = V>>(w: W, rows: &[u8; 5]) -> Self {
        ScalarMasks {
            seven: w.splat_u8(rows[0]),
            six: w.splat_u8(rows[1]),
            upper_two: w.splat_u8(rows[2]),
            half: w.splat_u8(rows[3]),
            lead: w.splat_u8(rows[4]),
        }
    }
}

/// Returns whether a four-byte character ends in a block, or has all bytes except its last in it.
#[inline(always)]
pub(super) fn has_fours<V: Vector>(v: V, texts: &Texts<V>) -> bool {
    if V::LANES == BLOCK {
        return v.block_at_least(each(v, texts, three_before), 0xF0) != 0;
    }
    let mut highest = texts[0].three_before;
    for text in &texts[1..BLOCK / V::LANES] {
        highest = v.max_u8(highest, text.three_before);
    }
    any_at_least(v, highest, 0xF0)
}

/// Returns what ends before each byte of the vectors of a block. Without `fours`, no byte of it is part of a
/// four-byte character or follows one.
#[inline(always)]
pub(super) fn scalars<W: Vector>(
    w: W,
    m: &ScalarMasks<W::V>,
    texts: &Texts<W>,
    fours: bool,
) -> [Scalars<W::V>; 4] {
    let mut scalars = [scalars_of(w, m, texts[0], fours); 4];
    // With iterators, this would be a loop over memory.
    for i in 1..BLOCK / W::LANES {
        scalars[i] = scalars_of(w, m, texts[i], fours);
    }
    scalars
}

/// Returns what ends before each byte of a vector.
#[inline(always)]
fn scalars_of<W: Vector>(
    w: W,
    m: &ScalarMasks<W::V>,
    text: Text<W::V>,
    fours: bool,
) -> Scalars<W::V> {
    let (p1, p2) = (text.one_before, text.two_before);
    let (p3, p4) = (text.three_before, text.four_before);
    // Lead bytes end nothing, so all non-ASCII bytes may be treated as continuation bytes.
    let b = w.keep_where_not_ascii(w.and(p2, m.six), p1);
    let low = w.or(w.and(w.shl_u16::<6>(b), m.upper_two), w.and(p1, m.seven));
    let high = w.and(w.shr_u16::<2>(b), m.half);
    // 0 if this is not a lead byte of three.
    let c = w.saturating_sub_u8(p3, m.lead);
    if !fours {
        return Scalars {
            low,
            high: w.or(high, w.shl_u16::<4>(c)),
            top: None,
        };
    }
    // The highest bit is set if the byte four before is a lead byte of four.
    let fourth = w.saturating_sub_u8(p4, w.splat_u8(0xF0 - 0x80));
    let c = w.select_where_not_ascii(fourth, w.and(p3, m.six), c);
    let d = w.keep_where_not_ascii(w.and(p4, w.splat_u8(0x07)), fourth);
    let top = w.and(w.shr_u16::<4>(c), w.splat_u8(0x03));
    Scalars {
        low,
        high: w.or(high, w.shl_u16::<4>(w.and(c, m.half))),
        top: Some(w.or(top, w.shl_u16::<2>(d))),
    }
}
