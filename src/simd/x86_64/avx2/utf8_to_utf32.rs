//! UTF-8 to UTF-32 for AVX2: for eight positions at a time, a shuffle moves the units of those where a
//! character ends to the front.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_shuffle_epi8, _mm_srli_si128, _mm256_cvtepu8_epi32,
    _mm256_cvtepu16_epi32, _mm256_or_si256, _mm256_permutevar8x32_epi32, _mm256_slli_epi32,
    _mm256_storeu_si256,
};
use core::mem::MaybeUninit;

use super::partial::Dwords;
use super::utf8_blocks::load_quarter;
use super::utf32::{UNITS, WITHOUT, load_8, store};
use super::vector::Vectors256;
use crate::simd::generic::BLOCK;
use crate::simd::generic::utf8_units::copy_ends;
use crate::simd::scalar::short;
use crate::simd::vector::Vector;
use crate::simd::x86_64::sse4;
use crate::simd::x86_64::utf8_tables::WINDOWS;
use crate::simd::x86_64::utf8_to_utf32::{self as blocks, Scalars, Steps, Units};

/// Inputs of at most this many bytes that begin with a non-ASCII character are converted one character at a
/// time.
const SHORT: usize = 16;

/// Converts well-formed UTF-8. Returns the number of bytes read and of code units written.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    if src.len() <= SHORT
        && src.first().is_some_and(|byte| !byte.is_ascii())
        && let Some(written) = short::utf8_to_utf32(src, dst)
    {
        return (src.len(), written);
    }
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

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn one_block(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> Option<usize> {
    let v = Vectors256::here();
    blocks::one_block(v, src, dst, &steps(v))
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn characters(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let v = Vectors256::here();
    blocks::characters::<_, true>(v, src, dst, &steps(v))
}

/// How units are written. Part of its callers, so that vectors are passed in registers.
#[expect(clippy::type_complexity, reason = "closures have no names")]
#[inline(always)]
fn steps(
    v: Vectors256<Dwords>,
) -> Steps<
    impl Fn(&[u8; BLOCK], &mut Units),
    impl Fn(&mut Units, u64, [Scalars<__m256i>; 4]),
    impl Fn(&mut [MaybeUninit<u32>], u64, [Scalars<__m256i>; 4]),
> {
    Steps::new(
        // SAFETY: `v` is the proof of AVX2, BMI1, BMI2 and POPCNT, here and below.
        |from: &_, to: &mut _| unsafe { widen(from, to) },
        #[inline(always)]
        move |to: &mut _, starts, scalars| emit(v, to, starts, scalars),
        // SAFETY: as above.
        |to: &mut _, starts, scalars| unsafe { emit_exactly(to, starts, scalars) },
    )
}

/// Widens text if it is ASCII and there is room for it. Returns whether it has.
#[inline]
#[target_feature(enable = "avx2")]
fn short_ascii(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> bool {
    let Some(dst) = dst.get_mut(..src.len()) else {
        return false;
    };
    let (Some(last), Some(to_last)) = (src.last_chunk::<UNITS>(), dst.last_chunk_mut::<UNITS>())
    else {
        return src.iter().zip(dst).all(|(&byte, to)| {
            to.write(u32::from(byte));
            byte < 0x80
        });
    };
    let (eights, _) = src.as_chunks::<UNITS>();
    let all = eights.iter().fold(u64::from_le_bytes(*last), |all, eight| {
        all | u64::from_le_bytes(*eight)
    });
    if all & 0x8080_8080_8080_8080 != 0 {
        return false;
    }
    // The last eight may be written twice.
    store(to_last, _mm256_cvtepu8_epi32(load_8(last)));
    let (to, _) = dst.as_chunks_mut::<UNITS>();
    for (to, eight) in to.iter_mut().zip(eights) {
        store(to, _mm256_cvtepu8_epi32(load_8(eight)));
    }
    true
}

/// Widens a block of ASCII.
#[inline]
#[target_feature(enable = "avx2")]
fn widen(from: &[u8; BLOCK], to: &mut Units) {
    let (quarters, _) = from.as_chunks::<16>();
    let (to, _) = to.as_chunks_mut::<{ 2 * UNITS }>();
    for (to, quarter) in to.iter_mut().zip(quarters) {
        let quarter = load_quarter(quarter);
        if let ([low, high], _) = to.as_chunks_mut() {
            store(low, _mm256_cvtepu8_epi32(quarter));
            store(high, _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(quarter)));
        }
    }
}

/// Writes the scalar values at `starts`. `to` may be overwritten after them. Inlined into its caller, because
/// the vectors would be passed through memory.
#[inline(always)]
fn emit(
    v: Vectors256<Dwords>,
    to: &mut Units,
    starts: u64,
    [lower, upper, ..]: [Scalars<__m256i>; 4],
) {
    let units = windows(v, [lower.low, upper.low], [lower.high, upper.high]);
    if let (Some(lower), Some(upper)) = (lower.top, upper.top) {
        let tops = windows(v, [lower, upper], [v.splat_u8(0); 2]);
        // SAFETY: `v` is the proof of AVX2, BMI1, BMI2 and POPCNT.
        unsafe { emit_any(to, starts, units, tops) };
    } else {
        // SAFETY: as above.
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
fn emit_bmp(to: &mut Units, starts: u64, windows: [__m128i; 8]) {
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
fn emit_any(to: &mut Units, starts: u64, windows: [__m128i; 8], tops: [__m128i; 8]) {
    let mut at = 0;
    for (i, (window, top)) in windows.into_iter().zip(tops).enumerate() {
        let set = (starts >> (8 * i)) as u8;
        let top = _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(top));
        let units = _mm256_or_si256(_mm256_cvtepu16_epi32(window), top);
        let kept = _mm256_cvtepu8_epi32(load_8(&WITHOUT[usize::from(!set)]));
        if let Some(to) = to[at..].first_chunk_mut::<UNITS>() {
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
