//! UTF-16 code units in a vector to the bytes of UTF-8, for AVX-512 with VBMI2.
//!
//! Every unit gets as many bytes as the longest one takes, and the gaps are compressed away: two bytes if no
//! unit takes three (each half of a surrogate pair takes two), or else four.

use core::arch::x86_64::*;
use core::hint::black_box;
use core::mem::MaybeUninit;

use crate::simd::uninit::room_at;
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx512::{LANES, load, store};

/// The number of code units in a block.
pub(super) const UNITS: usize = 32;

/// The bytes that a block takes at most, plus what the last store may overrun them by: 16 units take at most
/// 48 bytes, and those of the next 16 are stored as a whole vector.
pub(super) const ROOM_OF_BLOCK: usize = 48 + LANES;

/// The ternary logic function `a & b | c`.
const AND_OR: i32 = 0xF0 & 0xCC | 0xAA;

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn splat(unit: u16) -> __m512i {
    _mm512_set1_epi16(unit.cast_signed())
}

/// Returns how many of the first `len` units are in the mask.
#[inline]
#[target_feature(enable = "bmi2,popcnt")]
pub(super) fn count(mask: u32, len: usize) -> usize {
    _bzhi_u32(mask, len as u32).count_ones() as usize
}

/// Returns the last two bytes of each unit, made of the lowest 12 of `bits`. The first of them is in the low
/// half of the lane, as the lead byte of a two-byte character; it is 0 for ASCII.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn last_two(units: __m512i, ascii: u32, bits: __m512i) -> __m512i {
    // For each of the four units of a quadword, the bits from the sixth on, and those from the first on.
    let from = _mm512_set1_epi64(i64::from_le_bytes([6, 0, 22, 16, 38, 32, 54, 48]));
    let sixes = _mm512_multishift_epi64_epi8(from, bits);
    let bytes = _mm512_ternarylogic_epi32::<AND_OR>(sixes, splat(0x3F3F), splat(0x80C0));
    _mm512_mask_slli_epi16::<8>(bytes, ascii, units)
}

/// Compresses the bytes that are not gaps; no unit has three.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn packed(last: __m512i) -> __m512i {
    // The upper byte of each lane always, the lower one if it is not 0.
    let kept = _mm512_cmpge_epu8_mask(last, splat(0x0001));
    _mm512_maskz_compress_epi8(kept, last)
}

/// Compresses the bytes that are not gaps, each 16 units separately. The units in `three` have one byte
/// before their last two.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn packed_halves(units: __m512i, last: __m512i, three: u32) -> [__m512i; 2] {
    // E before the upper four bits.
    let first = _mm512_maskz_shrdi_epi16::<12>(three, units, splat(0xE));
    // The unpacks work within each 128-bit quarter.
    let order = _mm512_set_epi64(7, 3, 6, 2, 5, 1, 4, 0);
    let first = _mm512_permutexvar_epi64(order, first);
    let last = _mm512_permutexvar_epi64(order, last);
    [
        without_gaps(_mm512_unpacklo_epi16(first, last)),
        without_gaps(_mm512_unpackhi_epi16(first, last)),
    ]
}

/// Keeps the last byte of each four, and the others if they are not 0.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn without_gaps(fours: __m512i) -> __m512i {
    let kept = _mm512_cmpge_epu8_mask(fours, _mm512_set1_epi32(0x0001_0101));
    _mm512_maskz_compress_epi8(kept, fours)
}

/// Writes the result of [`packed`] into room for a vector.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn pack_1_2(last: __m512i, to: &mut [MaybeUninit<u8>]) {
    if let Some(to) = room_at::<LANES, _>(to, 0) {
        store(to, packed(last));
    }
}

/// Writes the result of [`packed_halves`] into room for a vector after the first half.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn up_to_three(
    units: __m512i,
    last: __m512i,
    [ascii, three]: [u32; 2],
    to: &mut [MaybeUninit<u8>],
) {
    let [low, high] = packed_halves(units, last, three);
    let len = half_len([ascii, three]);
    debug_assert!(to.len() >= len + LANES, "both halves fit");
    if let Some(to) = to.first_chunk_mut::<LANES>() {
        store(to, low);
    }
    if let Some(to) = to.get_mut(len..)
        && let Some(to) = to.first_chunk_mut::<LANES>()
    {
        store(to, high);
    }
}

/// Returns the number of bytes of the first 16 units.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn half_len([ascii, three]: [u32; 2]) -> usize {
    UNITS - count(ascii, UNITS / 2) + count(three, UNITS / 2)
}

/// How to make 64 bytes of units that have three bytes each: the units to gather in each quadword, the bits
/// of them that each byte takes, and which of these bits to keep and to set.
struct Threes {
    units: [u8; LANES],
    bits: [u8; LANES],
    kept: [u8; LANES],
    set: [u8; LANES],
}

impl Threes {
    /// For the 64 bytes from byte `from` on.
    const fn new(from: usize) -> Self {
        let mut threes = Threes {
            units: [0; LANES],
            bits: [0; LANES],
            kept: [0; LANES],
            set: [0; LANES],
        };
        let mut lane = 0;
        while lane < LANES {
            let byte = from + lane;
            let first_unit = (from + lane / 8 * 8) / 3;
            threes.units[lane] = (2 * first_unit + lane % 8) as u8;
            let unit = byte / 3 - first_unit;
            threes.bits[lane] = (16 * unit + [12, 6, 0][byte % 3]) as u8;
            threes.kept[lane] = [0x0F, 0x3F, 0x3F][byte % 3];
            threes.set[lane] = [0xE0, 0x80, 0x80][byte % 3];
            lane += 1;
        }
        threes
    }

    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
    fn of(&self, units: __m512i) -> __m512i {
        let units = _mm512_permutexvar_epi8(load(&self.units), units);
        let bits = _mm512_multishift_epi64_epi8(load(&self.bits), units);
        _mm512_ternarylogic_epi32::<AND_OR>(bits, load(&self.kept), load(&self.set))
    }
}

static FRONT: Threes = Threes::new(0);
static BACK: Threes = Threes::new(LANES);

/// Writes the bytes of units that have three each into room for them. The tables are hidden from the compiler, which
/// would load them before the caller's loop, and keep them in memory.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(super) fn all_three(units: __m512i, to: &mut [MaybeUninit<u8>]) {
    if let Some(to) = room_at::<{ 3 * UNITS }, _>(to, 0) {
        if let Some(to) = to.first_chunk_mut::<LANES>() {
            store(to, black_box(&FRONT).of(units));
        }
        if let Some(to) = to.last_chunk_mut::<{ LANES / 2 }>() {
            avx2::store(to, _mm512_castsi512_si256(black_box(&BACK).of(units)));
        }
    }
}
