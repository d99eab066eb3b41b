//! What stands at every position of a block of UTF-8: whether it is wrong there, and the code unit of
//! the character that ends there.
//!
//! ```text
//! byte of the block   x     41        e4        bd        a0       41
//! one before          p1              41        e4        bd       a0        and so on: a character of
//! two before          p2                        41        e4       bd        three bytes ends at A0, as
//! three before        p3                                  41       e4        the 41 after it shows
//!
//! p3 = 1110aaaa   p2 = 10bbbbbb   p1 = 10cccccc, as a number with a sign cccccc - 80
//!
//! 64 * (p2 - C0 + 2) + p1      = bbbbbbcccccc - 1000      (p2 = 110bbbbb: nothing to subtract)
//! (p3 - DF) << 12, if positive =         aaaa << 12 + 1000
//!                        sum   = aaaabbbbbbcccccc
//! ```
//!
//! A word of 16 bits is made for every byte; those at the ends of characters are right. They lie as an
//! unpack leaves them: of each 16 positions the first eight in the first vector.

use core::hint::black_box;

use super::utf8_tables::{FAULTS_BY_HALF, SECOND_CONTINUATION};
use super::wide::Wide;

/// Words for all bytes of a block.
pub(super) type Words<W> = [<W as Wide>::V; 2];

/// What the bytes of a block are compared and computed with.
#[derive(Clone, Copy)]
pub(super) struct Constants<W: Wide> {
    faults: [W::V; 3],
    half: W::V,
    three: W::V,
    four: W::V,
    second_continuation: W::V,
    before: W::V,
    lead: W::V,
    weights: W::V,
}

/// Rows of bytes, of which [`Constants`] are made.
static BYTES: [u8; 6] = [
    0x0F,
    0xE0 - 0x80,
    0xF0 - 0x80,
    SECOND_CONTINUATION,
    0xC0 - 2,
    0xE0 - 1,
];

impl<W: Wide> Constants<W> {
    #[inline(always)]
    fn new(w: W, faults: &[[u8; 16]; 3], rows: &[u8; 6]) -> Self {
        Constants {
            faults: [
                w.table(&faults[0]),
                w.table(&faults[1]),
                w.table(&faults[2]),
            ],
            half: w.splat_u8(rows[0]),
            three: w.splat_u8(rows[1]),
            four: w.splat_u8(rows[2]),
            second_continuation: w.splat_u8(rows[3]),
            before: w.splat_u8(rows[4]),
            lead: w.splat_u8(rows[5]),
            weights: w.splat_u16(64 << 8 | 1),
        }
    }

    /// For one block.
    #[inline(always)]
    pub(super) fn for_block(w: W) -> Self {
        Self::new(w, &FAULTS_BY_HALF, &BYTES)
    }

    /// For a loop. Hidden from the compiler, which would load those that it knows again for each block, or
    /// broadcast them from single bytes, which costs two operations each.
    #[inline(always)]
    pub(super) fn for_loop(w: W) -> Self {
        Self::new(w, black_box(&FAULTS_BY_HALF), black_box(&BYTES))
    }

    /// What is wrong with each byte and the one before it.
    #[inline(always)]
    pub(super) fn pair_faults(&self, w: W, x: W::V, p1: W::V) -> W::V {
        let first_high = w.and(w.shr_u16::<4>(p1), self.half);
        let second_high = w.and(w.shr_u16::<4>(x), self.half);
        let first = w.and(
            w.look_up(self.faults[0], first_high),
            w.look_up(self.faults[1], w.and(p1, self.half)),
        );
        w.and(first, w.look_up(self.faults[2], second_high))
    }

    /// Not 0 where a byte is wrong, in a block of characters of at most three bytes.
    #[inline(always)]
    pub(super) fn wrong_thirds(&self, w: W, faults: W::V, p2: W::V) -> W::V {
        let third = w.saturating_sub_u8(p2, self.three);
        w.xor(w.and(third, self.second_continuation), faults)
    }

    /// Not 0 where a byte is wrong.
    #[inline(always)]
    pub(super) fn wrong(&self, w: W, faults: W::V, p2: W::V, p3: W::V) -> W::V {
        let third = w.saturating_sub_u8(p2, self.three);
        let fourth = w.saturating_sub_u8(p3, self.four);
        w.xor(w.and(w.or(third, fourth), self.second_continuation), faults)
    }

    /// For every byte `p1` the code unit of a character of up to three bytes that ends there; of four
    /// bytes, what [`surrogates`] needs.
    #[inline(always)]
    pub(super) fn words(&self, w: W, [p1, p2, p3]: [W::V; 3]) -> Words<W> {
        // Less C0, which for a continuation byte (of three) is 40 too much; the 1 that the lead byte
        // of three bytes has too much makes up for it. And 2 more, because `p1` counts as a number
        // with a sign. Lead bytes end nothing, so that all that are not ASCII may be taken for
        // continuation bytes.
        let before = w.keep_where_not_ascii(w.sub_u8(p2, self.before), p1);
        let lead = w.saturating_sub_u8(p3, self.lead);
        let [low, high] = w.interleave_u8(p1, before);
        let [lead_low, lead_high] = w.interleave_u8(w.splat_u8(0), lead);
        let low = w.weighted_sum(self.weights, low);
        let high = w.weighted_sum(self.weights, high);
        [
            w.add_u16(low, w.shl_u16::<4>(lead_low)),
            w.add_u16(high, w.shl_u16::<4>(lead_high)),
        ]
    }
}

/// Makes surrogates of the words at the third and the fourth bytes of characters of four.
#[inline(always)]
pub(super) fn surrogates<W: Wide>(w: W, words: Words<W>, third: u64, fourth: u64) -> Words<W> {
    let [low, high] = words;
    let words = w.blend_words(words, [lead(w, low), lead(w, high)], third);
    w.blend_words(words, [trail(w, low), trail(w, high)], fourth)
}

#[inline(always)]
fn lead<W: Wide>(w: W, words: W::V) -> W::V {
    w.add_u16(w.shr_u16::<4>(words), w.splat_u16(0xD7C0))
}

#[inline(always)]
fn trail<W: Wide>(w: W, words: W::V) -> W::V {
    w.or(w.and(words, w.splat_u16(0x3FF)), w.splat_u16(0xDC00))
}
