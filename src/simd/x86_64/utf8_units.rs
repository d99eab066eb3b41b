//! Whether a byte of a block of UTF-8 is wrong.

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
}

/// Rows of bytes, of which [`Constants`] are made.
static BYTES: [u8; 4] = [0x0F, 0xE0 - 0x80, 0xF0 - 0x80, SECOND_CONTINUATION];

impl<W: Wide> Constants<W> {
    #[inline(always)]
    fn new(w: W, faults: &[[u8; 16]; 3], rows: &[u8; 4]) -> Self {
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
        }
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
}
