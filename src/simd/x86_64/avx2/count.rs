//! Lengths and counts for AVX2: vectors are compared and added up for as long as a byte can count,
//! before the bytes of the sum are. The last vector overlaps the one before it, and what was counted already is masked out.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi8,
    _mm256_add_epi64, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8,
    _mm256_extracti128_si256, _mm256_max_epu8, _mm256_movemask_epi8, _mm256_sad_epu8,
    _mm256_set1_epi8, _mm256_setzero_si256, _mm256_sub_epi8,
};

use super::{LANES, load};
use crate::simd::scalar;

/// Vectors that are summed up at once.
const UNROLLED: usize = 4;

/// How many of these a byte can count: each adds two vectors to a sum, and a byte of them two at the
/// most.
const WITHIN_A_BYTE: usize = 60;

/// Code units of UTF-16 in UTF-8.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn utf16_len_from_utf8(src: &[u8]) -> usize {
    let Some(blocks) = Blocks::of(src) else {
        return scalar::count::utf16_len_from_utf8(src);
    };
    let four = |bytes| _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, splat(0xF0)), bytes);
    let weigh = |bytes| _mm256_add_epi8(is_no_continuation(bytes), four(bytes));
    let mut len = sum(blocks.wide, weigh);
    let of_one = |from: &[u8; LANES]| {
        let bytes = load(from);
        (mask(is_no_continuation(bytes)), mask(four(bytes)))
    };
    for from in blocks.narrow {
        let (chars, four) = of_one(from);
        len += (chars.count_ones() + four.count_ones()) as usize;
    }
    let (chars, four) = of_one(blocks.last);
    len + ((chars & blocks.new).count_ones() + (four & blocks.new).count_ones()) as usize
}

/// Characters in UTF-8.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn count_scalars_utf8(src: &[u8]) -> usize {
    match Blocks::of(src) {
        Some(blocks) => count(blocks, |bytes| is_no_continuation(bytes)),
        None => scalar::count::count_scalars_utf8(src),
    }
}

/// Each CR, and each LF that is not right after one.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn line_ends(src: &[u8]) -> usize {
    scalar::count::line_ends(src)
}

/// Bytes of UTF-8 in Latin-1.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn utf8_len_from_latin1(src: &[u8]) -> usize {
    match Blocks::of(src) {
        Some(blocks) => {
            let zero = _mm256_setzero_si256();
            src.len() + count(blocks, |bytes| _mm256_cmpgt_epi8(zero, bytes))
        }
        None => scalar::count::utf8_len_from_latin1(src),
    }
}

/// Bytes of UTF-8 in UTF-32.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn utf8_len_from_utf32(src: &[u32]) -> usize {
    scalar::count::utf8_len_from_utf32(src)
}

/// Code units of UTF-16 in UTF-32.
#[target_feature(enable = "avx2,popcnt")]
pub(in crate::simd) fn utf16_len_from_utf32(src: &[u32]) -> usize {
    scalar::count::utf16_len_from_utf32(src)
}

/// The bytes of a slice, which has a vector at least.
struct Blocks<'a> {
    wide: &'a [[u8; UNROLLED * LANES]],
    narrow: &'a [[u8; LANES]],
    last: &'a [u8; LANES],
    /// The bytes of `last` that are not in the others.
    new: u32,
}

impl<'a> Blocks<'a> {
    #[inline(always)]
    fn of(src: &'a [u8]) -> Option<Self> {
        let last = src.last_chunk::<LANES>()?;
        let (wide, rest) = src.as_chunks();
        let (narrow, rest) = rest.as_chunks();
        Some(Blocks {
            wide,
            narrow,
            last,
            new: !(u32::MAX >> rest.len()),
        })
    }
}

/// Counts the bytes for which `has` is all ones.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn count(blocks: Blocks<'_>, has: impl Fn(__m256i) -> __m256i) -> usize {
    let mut count = sum(blocks.wide, &has);
    for from in blocks.narrow {
        count += mask(has(load(from))).count_ones() as usize;
    }
    count + (mask(has(load(blocks.last))) & blocks.new).count_ones() as usize
}

/// Sums up bytes, each of which `weigh` says minus what it counts.
///
/// (Written without adapters of iterators: a closure that is called from one of them may be no
/// part of code with this target feature, and then every instruction of it becomes a call.)
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn sum(blocks: &[[u8; UNROLLED * LANES]], weigh: impl Fn(__m256i) -> __m256i) -> usize {
    let mut sum = _mm256_setzero_si256();
    for blocks in blocks.chunks(WITHIN_A_BYTE) {
        let (mut even, mut odd) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        for block in blocks {
            if let ([a, b, c, d], _) = block.as_chunks() {
                even = _mm256_add_epi8(even, weigh(load(a)));
                odd = _mm256_add_epi8(odd, weigh(load(b)));
                even = _mm256_add_epi8(even, weigh(load(c)));
                odd = _mm256_add_epi8(odd, weigh(load(d)));
            }
        }
        sum = add_up(add_up(sum, even), odd);
    }
    total(sum)
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_no_continuation(bytes: __m256i) -> __m256i {
    // Signed, continuation bytes are the smallest.
    _mm256_cmpgt_epi8(bytes, splat(0xBF))
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

#[inline]
#[target_feature(enable = "avx2")]
fn mask(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes).cast_unsigned()
}

/// Adds up bytes that are minus what they count.
#[inline]
#[target_feature(enable = "avx2")]
fn add_up(sum: __m256i, minus: __m256i) -> __m256i {
    let zero = _mm256_setzero_si256();
    let counts = _mm256_sub_epi8(zero, minus);
    _mm256_add_epi64(sum, _mm256_sad_epu8(counts, zero))
}

/// The sum of four numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn total(sum: __m256i) -> usize {
    let two: __m128i = _mm_add_epi64(
        _mm256_castsi256_si128(sum),
        _mm256_extracti128_si256::<1>(sum),
    );
    _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as usize
}
