//! Maps 64 bytes with AVX2, by look-ups in rows of 16 entries.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_adds_epu8, _mm256_and_si256, _mm256_broadcastsi128_si256,
    _mm256_cmpgt_epi8, _mm256_min_epi8, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_permute4x64_epi64, _mm256_set1_epi8, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_srli_epi16, _mm256_subs_epi8, _mm256_testz_si256, _mm256_xor_si256,
};

use crate::simd::shared::ROW_BITS;
use crate::simd::single_byte_rows::{Chain, Row, Rows};
use crate::simd::x86_64::sse4;

/// Loads a table for `_mm256_shuffle_epi8`.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn both(table: &[u8; 16]) -> __m256i {
    _mm256_broadcastsi128_si256(sse4::load(table))
}

#[inline]
#[target_feature(enable = "avx2")]
fn low_half(bytes: __m256i) -> __m256i {
    _mm256_and_si256(bytes, _mm256_set1_epi8(0xF))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn high_half(bytes: __m256i) -> __m256i {
    low_half(_mm256_srli_epi16::<4>(bytes))
}

/// Reorders quarters to 0, 2, 1, 3, which compensates for unpacking and packing within each 128-bit half.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn fix_lane_order(bytes: __m256i) -> __m256i {
    _mm256_permute4x64_epi64::<0b11_01_10_00>(bytes)
}

/// Returns non-zero where bytes are unmapped.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn unmapped(rows: &Rows, bytes: __m256i) -> __m256i {
    _mm256_and_si256(
        _mm256_shuffle_epi8(both(&rows.unmapped), low_half(bytes)),
        _mm256_shuffle_epi8(both(&ROW_BITS), high_half(bytes)),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn any_unmapped(rows: &Rows, bytes: [__m256i; 2]) -> bool {
    let any = _mm256_or_si256(unmapped(rows, bytes[0]), unmapped(rows, bytes[1]));
    _mm256_testz_si256(any, any) == 0
}

/// Returns those of the last `count` rows whose code points are not consecutive.
#[inline]
pub(super) fn others(rows: &Rows, count: usize) -> &[Row] {
    let [below_a0, below_c0, all] = rows.counts.map(usize::from);
    let first = match count {
        4 => below_c0,
        6 => below_a0,
        _ => 0,
    };
    rows.others.get(first..all).unwrap_or_default()
}

/// Returns the low and, with `HIGH`, the high bytes that 64 bytes map to, by the consecutive rows and
/// `others`. ASCII stays unchanged.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn map<const HIGH: bool>(
    rows: &Rows,
    others: &[Row],
    bytes: [__m256i; 2],
) -> ([__m256i; 2], [__m256i; 2]) {
    let base = both(&rows.low);
    let mut low = bytes;
    let mut high = bytes;
    for i in 0..2 {
        let row = high_half(bytes[i]);
        low[i] = _mm256_add_epi8(bytes[i], _mm256_shuffle_epi8(base, row));
        if HIGH {
            high[i] = _mm256_shuffle_epi8(both(&rows.high), row);
        }
    }
    for row in others {
        let (start, row_low, row_high) = (both(&row.first), both(&row.low), both(&row.high));
        for i in 0..2 {
            // Only in this row is it below 80, with the column in the low half.
            let column =
                _mm256_adds_epu8(_mm256_xor_si256(bytes[i], start), _mm256_set1_epi8(0x70));
            low[i] = _mm256_add_epi8(low[i], _mm256_shuffle_epi8(row_low, column));
            if HIGH && row.has_high {
                high[i] = _mm256_add_epi8(high[i], _mm256_shuffle_epi8(row_high, column));
            }
        }
    }
    (low, high)
}

/// The tables that the upper half of an encoding is looked up in.
#[derive(Clone, Copy)]
pub(super) struct Upper<'a> {
    pub(super) rows: &'a Rows,
    /// Those of the rows in use whose code points are not consecutive.
    pub(super) others: &'a [Row],
    pub(super) chain: &'a Chain,
}

/// Returns how many of the last rows a block needs: 4 for letters only, 6 from A0 on, or all 8.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn rows_for(bytes: [__m256i; 2]) -> usize {
    if !needs_more_than(4, bytes) {
        4
    } else if !needs_more_than(6, bytes) {
        6
    } else {
        8
    }
}

/// Returns whether a block has non-ASCII bytes below the last `rows` rows.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn needs_more_than(rows: usize, bytes: [__m256i; 2]) -> bool {
    let least = _mm256_min_epi8(bytes[0], bytes[1]);
    let first = (0x100 - 16 * rows) as u8;
    let below = _mm256_cmpgt_epi8(_mm256_set1_epi8(first.cast_signed()), least);
    _mm256_movemask_epi8(below) != 0
}

impl Upper<'_> {
    /// Returns the low and the high bytes that 64 bytes map to, by rows, or by a chain of `CHAIN` rows if that
    /// is not 0. Returns `None` if a byte is unmapped, unless the encoding is `full`.
    /// ASCII stays unchanged.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn map<const CHAIN: usize>(
        self,
        full: bool,
        bytes: [__m256i; 2],
    ) -> Option<([__m256i; 2], [__m256i; 2])> {
        if CHAIN == 0 {
            if !full && any_unmapped(self.rows, bytes) {
                return None;
            }
            return Some(map::<true>(self.rows, self.others, bytes));
        }
        let mut low = bytes;
        let mut high = [_mm256_setzero_si256(); 2];
        // How far each byte is below the end of the row: negative above it and for ASCII, for which the
        // look-up gives 0.
        let mut below = bytes;
        for below in &mut below {
            *below = _mm256_xor_si256(*below, _mm256_set1_epi8(-1));
        }
        let rows = self.chain.low.iter().zip(&self.chain.high);
        for (row_low, row_high) in rows.take(CHAIN) {
            let (row_low, row_high) = (both(row_low), both(row_high));
            for i in 0..2 {
                low[i] = _mm256_xor_si256(low[i], _mm256_shuffle_epi8(row_low, below[i]));
                high[i] = _mm256_xor_si256(high[i], _mm256_shuffle_epi8(row_high, below[i]));
                below[i] = _mm256_subs_epi8(below[i], _mm256_set1_epi8(0x10));
            }
        }
        // High bytes of `UNMAPPED`, which exceed those of any encoding that is not full.
        let highest = _mm256_movemask_epi8(_mm256_or_si256(high[0], high[1]));
        (full || highest == 0).then_some((low, high))
    }
}
