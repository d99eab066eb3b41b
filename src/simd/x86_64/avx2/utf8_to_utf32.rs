//! UTF-8 to UTF-32 for AVX2: for eight positions at a time, a shuffle moves the units of those where a
//! character ends to the front.

use core::arch::x86_64::{
    __m128i, __m256i, _bzhi_u32, _mm_cmpeq_epi8, _mm_max_epu8, _mm_movemask_epi8, _mm_set1_epi8,
    _mm_setzero_si128, _mm_shuffle_epi8, _mm_srli_si128, _mm_unpackhi_epi8, _mm_unpacklo_epi8,
    _mm256_cvtepu8_epi32, _mm256_cvtepu16_epi32, _mm256_movemask_epi8, _mm256_or_si256,
    _mm256_permutevar8x32_epi32, _mm256_slli_epi32, _mm256_storeu_si256,
};
use core::mem::MaybeUninit;

use super::load_8;
use super::partial::Dwords;
use super::utf8_blocks::packed;
use super::utf8_short::{MAX_SHORT, ShortUnits, is_ascii, load_short, short_units};
use super::utf32::{LANES_WITHOUT, UNITS, store};
use super::vector::Vectors256;
use crate::simd::generic::BLOCK;
use crate::simd::generic::utf8_units::copy_ends;
use crate::simd::scalar::ascii::{HIGH_BITS, HIGH_BITS_OF_16};
use crate::simd::scalar::short;
use crate::simd::uninit::room_at;
use crate::simd::vector::Vector;
use crate::simd::x86_64::sse4;
use crate::simd::x86_64::utf8_tables::WINDOWS;
use crate::simd::x86_64::utf8_to_utf32::{self as blocks, Scalars, UnitWriters, Units32};

/// Converts well-formed UTF-8. Returns the number of bytes read and of code units written.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    if src.len() <= MAX_SHORT
        && let Some(written) = try_short(src, dst)
    {
        return (src.len(), written);
    }
    if short_ascii(src, dst) {
        (src.len(), src.len())
    } else {
        not_short_ascii(src, dst)
    }
}

/// A separate function, so that the path for short text needs no stack frame.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn not_short_ascii(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    blocks::convert(
        Vectors256::here(),
        src,
        dst,
        |src, dst| short_ascii(src, dst),
        |from, to| widen(from, to),
        |src, dst| one_block(src, dst),
        |src, dst| characters(src, dst),
    )
}

/// Converts all of a well-formed input of at most 16 bytes, if the output fits, through the code units of UTF-16.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn try_short(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> Option<usize> {
    let x = load_short(src);
    let lead_of_four = _mm_set1_epi8(0xF0_u8.cast_signed());
    if _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(x, lead_of_four), x)) != 0 {
        // Surrogates would have to be put together again.
        return short::utf8_to_utf32(src, dst);
    }
    let (words, ends) = if is_ascii(x) {
        let zero = _mm_setzero_si128();
        let words = [_mm_unpacklo_epi8(x, zero), _mm_unpackhi_epi8(x, zero)];
        (words, _bzhi_u32(!0, src.len() as u32))
    } else {
        let ShortUnits { words, ends } = short_units(x, src.len())?;
        let [low, high] = [ends as u8, (ends >> 8) as u8];
        ([packed(words[0], low), packed(words[1], high)], ends)
    };
    let len = ends.count_ones() as usize;
    let after = (ends as u8).count_ones() as usize;
    let put = |to: &mut [MaybeUninit<u32>; MAX_SHORT]| {
        if let Some(to) = to.first_chunk_mut() {
            store(to, _mm256_cvtepu16_epi32(words[0]));
        }
        if let Some(to) = room_at(to, after) {
            store(to, _mm256_cvtepu16_epi32(words[1]));
        }
    };
    if let Some(to) = dst.first_chunk_mut() {
        put(to);
    } else {
        let mut between = [MaybeUninit::uninit(); MAX_SHORT];
        put(&mut between);
        copy_ends(dst.get_mut(..len)?, &between[..len]);
    }
    Some(len)
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn one_block(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> Option<usize> {
    let v = Vectors256::here();
    blocks::one_block(v, src, dst, &writers(v))
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn characters(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let v = Vectors256::here();
    blocks::characters::<_, true>(v, src, dst, &writers(v))
}

/// How units are written. Inlined into its callers, so that vectors are passed in registers.
#[expect(clippy::type_complexity, reason = "closures have no names")]
#[inline(always)]
fn writers(
    v: Vectors256<Dwords>,
) -> UnitWriters<
    impl Fn(&[u8; BLOCK], &mut Units32),
    impl Fn(&mut Units32, u64, [Scalars<__m256i>; 4]),
    impl Fn(&mut [MaybeUninit<u32>], u64, [Scalars<__m256i>; 4]),
> {
    UnitWriters::new(
        // SAFETY: `v` is the proof of AVX2, BMI1, BMI2 and POPCNT.
        |from: &_, to: &mut _| unsafe { widen(from, to) },
        #[inline(always)]
        move |to: &mut _, starts, scalars| emit(v, to, starts, scalars),
        // SAFETY: `v` is the proof of AVX2, BMI1, BMI2 and POPCNT.
        |to: &mut _, starts, scalars| unsafe { emit_exactly(to, starts, scalars) },
    )
}

/// Whether 8 to 64 bytes are ASCII, by pieces from both ends, which may overlap.
#[inline]
#[target_feature(enable = "avx2")]
fn ends_are_ascii(src: &[u8]) -> bool {
    if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        _mm256_movemask_epi8(_mm256_or_si256(super::load(first), super::load(last))) == 0
    } else if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        (u128::from_ne_bytes(*first) | u128::from_ne_bytes(*last)) & HIGH_BITS_OF_16 == 0
    } else if let (Some(first), Some(last)) = (src.first_chunk(), src.last_chunk()) {
        (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & HIGH_BITS == 0
    } else {
        false
    }
}

/// Widens 8 to 64 bytes if they are ASCII and there is room for them.
#[inline]
#[target_feature(enable = "avx2")]
fn short_ascii(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> bool {
    blocks::short_ascii::<UNITS>(
        src,
        dst,
        |src| ends_are_ascii(src),
        |from, to| store(to, _mm256_cvtepu8_epi32(load_8(from))),
    )
}

/// Widens a block of ASCII.
#[inline]
#[target_feature(enable = "avx2")]
fn widen(from: &[u8; BLOCK], to: &mut Units32) {
    let (quarters, _) = from.as_chunks::<16>();
    let (to, _) = to.as_chunks_mut::<{ 2 * UNITS }>();
    for (to, quarter) in to.iter_mut().zip(quarters) {
        let quarter = sse4::load(quarter);
        if let ([low, high], _) = to.as_chunks_mut() {
            store(low, _mm256_cvtepu8_epi32(quarter));
            store(high, _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(quarter)));
        }
    }
}

/// Writes the scalar values at `starts`. `to` may be overwritten after them. Inlined into its caller: as arguments, the
/// vectors would be passed through memory.
#[inline(always)]
fn emit(
    v: Vectors256<Dwords>,
    to: &mut Units32,
    starts: u64,
    [lower, upper, ..]: [Scalars<__m256i>; 4],
) {
    let units = windows(v, [lower.low, upper.low], [lower.high, upper.high]);
    if let (Some(lower), Some(upper)) = (lower.top, upper.top) {
        let tops = windows(v, [lower, upper], [v.splat_u8(0); 2]);
        // SAFETY: `v` is the proof of AVX2, BMI1, BMI2 and POPCNT.
        unsafe { emit_any(to, starts, units, tops) };
    } else {
        // SAFETY: `v` is the proof of AVX2, BMI1, BMI2 and POPCNT.
        unsafe { emit_bmp(to, starts, units) };
    }
}

/// Combines lower and upper bytes into words, eight at a time.
#[inline(always)]
fn windows(v: Vectors256<Dwords>, low: [__m256i; 2], high: [__m256i; 2]) -> [__m128i; 8] {
    let first = v.interleave_u8(low[0], high[0]);
    let second = v.interleave_u8(low[1], high[1]);
    [
        v.part_of(first, 0),
        v.part_of(first, 1),
        v.part_of(first, 2),
        v.part_of(first, 3),
        v.part_of(second, 0),
        v.part_of(second, 1),
        v.part_of(second, 2),
        v.part_of(second, 3),
    ]
}

/// Writes scalar values of the Basic Multilingual Plane.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn emit_bmp(to: &mut Units32, starts: u64, windows: [__m128i; 8]) {
    let mut to = to.as_mut_ptr();
    for (i, window) in windows.into_iter().enumerate() {
        let set = (starts >> (8 * i)) as u8;
        let row = sse4::load(&WINDOWS.0[usize::from(set)]);
        let units = _mm256_cvtepu16_epi32(_mm_shuffle_epi8(window, row));
        // SAFETY: at most eight units were written for each window before this one, which is at most the
        // eighth, so eight of the 64 of `to` are left. The store needs no alignment.
        unsafe { _mm256_storeu_si256(to.cast(), units) };
        to = to.wrapping_add(set.count_ones() as usize);
    }
}

/// Writes any scalar values, whose upper bits are in `tops`.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn emit_any(to: &mut Units32, starts: u64, windows: [__m128i; 8], tops: [__m128i; 8]) {
    let mut at = 0;
    for (i, (window, top)) in windows.into_iter().zip(tops).enumerate() {
        let set = (starts >> (8 * i)) as u8;
        let top = _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(top));
        let units = _mm256_or_si256(_mm256_cvtepu16_epi32(window), top);
        let kept = _mm256_cvtepu8_epi32(load_8(&LANES_WITHOUT[usize::from(!set)]));
        if let Some(to) = room_at::<UNITS, _>(to, at) {
            store(to, _mm256_permutevar8x32_epi32(units, kept));
        }
        at += set.count_ones() as usize;
    }
}

/// Fills `to` with the scalar values at `starts`; both have the same number.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn emit_exactly(to: &mut [MaybeUninit<u32>], starts: u64, scalars: [Scalars<__m256i>; 4]) {
    let mut between = [MaybeUninit::uninit(); BLOCK];
    emit(Vectors256::here(), &mut between, starts, scalars);
    let len = to.len();
    copy_ends(to, &between[..len]);
}
