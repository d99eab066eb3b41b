//! The code units of a block of UTF-8, from the positions where a character ends to memory without gaps:
//! eight positions at a time, by a look-up in a table of 256 shuffles.

use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_shuffle_epi8, _mm_storeu_si128};

use super::utf8_tables::WINDOWS;
use super::utf8_units::Words;
use super::wide::{Units, Wide};

/// The words of each eight positions.
#[inline(always)]
pub(super) fn windows<W: Wide>(w: W, [low, high]: Words<W>) -> [__m128i; 8] {
    let ([a, c, e, g], [b, d, f, h]) = (w.quarters(low), w.quarters(high));
    [a, b, c, d, e, f, g, h]
}

/// Writes the words at `ends`. What is after them in `to` may be overwritten.
#[inline(always)]
pub(super) fn emit<W: Wide, const BE: bool>(w: W, to: &mut Units, ends: u64, words: Words<W>) {
    let rows = WINDOWS[usize::from(BE)].0.as_ptr().cast::<u8>();
    let mut to = to.as_mut_ptr();
    for (i, window) in windows(w, words).into_iter().enumerate() {
        // Eight bits of `ends`, times the length of a row.
        let offset = ends.rotate_right((60 + 8 * i as u32) % 64) & 0xFF0;
        let row = rows.wrapping_add(offset as usize);
        // SAFETY: there are 256 rows of 16 bytes; the load needs no alignment.
        let row = unsafe { _mm_loadu_si128(row.cast()) };
        // SAFETY: there is a `Wide`, so that the processor has SSSE3.
        let units = unsafe { _mm_shuffle_epi8(window, row) };
        // SAFETY: at most eight units were written for each window before this one, which is the
        // eighth at most: there are 16 bytes left of the 128 of `to`. The store needs no alignment.
        unsafe { _mm_storeu_si128(to.cast(), units) };
        to = to.wrapping_add(2 * offset.count_ones() as usize);
    }
}
