//! Lossy UTF-8 for AVX2.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_max_epu8, _mm256_movemask_epi8,
    _mm256_set1_epi8, _mm256_setzero_si256,
};
use core::mem::MaybeUninit;

use super::utf_8::{at_start, classes, load_whole, utf_8_to_utf_8};
use super::{LANES, load, store};
use crate::simd::kernels::Replaced;
use crate::simd::x86_64::utf_8_errors::{Block, NO_CHARACTER};
use crate::simd::x86_64::utf_8_lossy::{self, BLOCK};
use crate::simd::x86_64::utf_8_valid::Text;

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf_8_to_utf_8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Replaced {
    utf_8_lossy::utf_8_to_utf_8_lossy(
        src,
        dst,
        |src, dst| utf_8_to_utf_8(src, dst),
        |src| match src.first_chunk() {
            Some(block) => classify(block, BLOCK),
            None => classify(&padded(src), src.len()),
        },
        |src, to| copy_block(src, to),
    )
}

/// Up to a block from the front of `src`, and zeros.
#[cold]
fn padded(src: &[u8]) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    for (to, from) in block.iter_mut().zip(src) {
        *to = *from;
    }
    block
}

#[inline]
#[target_feature(enable = "avx2")]
fn copy_block(src: &[u8], to: &mut [MaybeUninit<u8>; BLOCK]) {
    let cut;
    let block = match src.first_chunk::<BLOCK>() {
        Some(block) => block,
        None => {
            cut = padded(src);
            &cut
        }
    };
    let (from, _) = block.as_chunks::<LANES>();
    let (to, _) = to.as_chunks_mut::<LANES>();
    for (to, from) in to.iter_mut().zip(from) {
        store(to, load(from));
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn classify(block: &[u8; BLOCK], len: usize) -> Block {
    let (vectors, _) = block.as_chunks::<LANES>();
    let low = at_start(
        vectors
            .first()
            .map_or(_mm256_setzero_si256(), |low| load(low)),
    );
    let high_at = |back: usize| load_whole(&block[LANES - back..]);
    let high = Text {
        bytes: high_at(0),
        one_before: high_at(1),
        two_before: high_at(2),
        three_before: high_at(3),
    };
    let both = |low: __m256i, high: __m256i| {
        let mask = |bytes| u64::from(_mm256_movemask_epi8(bytes).cast_unsigned());
        mask(low) | mask(high) << LANES
    };
    let from = |least: u8| {
        let least = _mm256_set1_epi8(least.cast_signed());
        let at_least = |bytes| _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, least), bytes);
        both(at_least(low.bytes), at_least(high.bytes))
    };
    let (not_ascii, lead) = (both(low.bytes, high.bytes), from(0xC0));
    let bad = _mm256_set1_epi8(NO_CHARACTER.cast_signed());
    let zero = _mm256_setzero_si256();
    let character =
        |text: Text<__m256i>| _mm256_cmpeq_epi8(_mm256_and_si256(classes(text), bad), zero);
    Block {
        len,
        ascii: !not_ascii & u64::MAX >> (BLOCK - len.clamp(1, BLOCK)),
        continuation: not_ascii & !lead,
        lead,
        lead_of_three: from(0xE0),
        lead_of_four: from(0xF0),
        no_character: !both(character(low), character(high)),
    }
}
