//! Three-byte characters, one by one and in groups.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::store;
use crate::simd::two_byte::decode::{PAIRS, ROOM_OF_PAIRS};
use crate::simd::two_byte::encode::{BYTES_OF_GROUP, GROUP};
use crate::simd::x86_64::sse4;

/// The bits of a code unit in its three bytes, the first of which is highest, with a fourth byte after them.
const BITS: u32 = 0x0F3F_3F00;

/// Returns the three bytes of a code unit from 0800 on, the first one lowest. With shifts, pages take 1.05 times as long.
#[inline]
#[target_feature(enable = "bmi2")]
pub(in crate::simd::x86_64) fn three(unit: u16) -> u32 {
    (_pdep_u32(u32::from(unit), BITS) | 0xE080_8000).swap_bytes()
}

/// Writes units as three bytes each if none is below 0800; returns whether that is so. A load from the table
/// and an insertion for each take half the time of writing them one by one.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn put_threes(
    units: [u16; PAIRS],
    to: &mut [MaybeUninit<u8>; ROOM_OF_PAIRS],
) -> bool {
    let [a, b, c, d, e, f, g, h] = units.map(u16::cast_signed);
    let units = _mm_setr_epi16(a, b, c, d, e, f, g, h);
    let small = _mm_cmpeq_epi16(units, _mm_min_epu16(units, _mm_set1_epi16(0x7FF)));
    if _mm_testz_si128(small, small) == 0 {
        return false;
    }
    // The first byte of three is the lowest one.
    let wide = _mm256_cvtepu16_epi32(units);
    let first = _mm256_srli_epi32::<12>(wide);
    let second = _mm256_and_si256(_mm256_slli_epi32::<2>(wide), _mm256_set1_epi32(0x3F00));
    let third = _mm256_and_si256(_mm256_slli_epi32::<16>(wide), _mm256_set1_epi32(0x3F_0000));
    let threes = _mm256_or_si256(
        _mm256_or_si256(first, _mm256_set1_epi32(0x80_80E0)),
        _mm256_or_si256(second, third),
    );
    // Drops the fourth bytes: twelve bytes are left of each half, which are then moved together.
    #[rustfmt::skip]
    let twelve = _mm256_setr_epi8(
        0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
        0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
    );
    let packed = _mm256_shuffle_epi8(threes, twelve);
    let halves = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
    store(to, _mm256_permutevar8x32_epi32(packed, halves));
    true
}

/// Returns the code units of characters of three bytes each: 0 for one that has another length, and any units after it.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn units(from: &[u8; BYTES_OF_GROUP]) -> [u16; GROUP] {
    let (Some(front), Some(back)) = (from.first_chunk(), from.last_chunk()) else {
        return [0; GROUP];
    };
    let (front, back) = (sse4::load(front), sse4::load(back));
    let of_both = |in_front, in_back| {
        _mm_or_si128(
            _mm_shuffle_epi8(front, in_front),
            _mm_shuffle_epi8(back, in_back),
        )
    };
    // The third byte of each character below the first one, and the second bytes.
    let outer = of_both(
        _mm_setr_epi8(2, 0, 5, 3, 8, 6, 11, 9, -1, -1, -1, -1, -1, -1, -1, -1),
        _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 6, 4, 9, 7, 12, 10, 15, 13),
    );
    let second = of_both(
        _mm_setr_epi8(1, -1, 4, -1, 7, -1, 10, -1, -1, -1, -1, -1, -1, -1, -1, -1),
        _mm_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, 5, -1, 8, -1, 11, -1, 14, -1),
    );
    let lead = _mm_and_si128(outer, _mm_set1_epi16(0xF000_u16.cast_signed()));
    let are_three = _mm_cmpeq_epi16(lead, _mm_set1_epi16(0xE000_u16.cast_signed()));
    let high = _mm_and_si128(
        _mm_slli_epi16::<4>(outer),
        _mm_set1_epi16(0xF000_u16.cast_signed()),
    );
    let middle = _mm_and_si128(_mm_slli_epi16::<6>(second), _mm_set1_epi16(0xFC0));
    let low = _mm_and_si128(outer, _mm_set1_epi16(0x3F));
    let units = _mm_or_si128(_mm_or_si128(high, low), middle);
    bytemuck::cast(_mm_and_si128(units, are_three))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::two_byte::decode::OneByOne;
    use crate::simd::two_byte::encode::ReadThrees as _;

    #[test]
    fn units_of_every_character_at_every_place() {
        if !std::arch::is_x86_feature_detected!("avx2") {
            return;
        }
        for ch in ('\u{80}'..'\u{11000}')
            .step_by(7)
            .chain(['A', '\u{7FF}', '\u{800}', '\u{FFFF}'])
        {
            for at in 0..GROUP {
                let chars = (0..2 * GROUP).map(|i| if i == at { ch } else { '\u{8A3F}' });
                let text: std::string::String = chars.collect();
                let from = text.as_bytes().first_chunk().unwrap();
                // SAFETY: the processor has AVX2.
                let got = unsafe { units(from) };
                let expected = OneByOne.units(from);
                let last = if ch.len_utf8() == 3 { GROUP } else { at + 1 };
                for (i, unit) in got.into_iter().enumerate().take(last) {
                    assert_eq!(unit, expected(i), "{ch:?} at {at}: {i}");
                }
                let unit = if ch.len_utf8() == 3 { ch as u16 } else { 0 };
                assert_eq!(got[at], unit, "{ch:?} at {at}");
            }
        }
    }
}
