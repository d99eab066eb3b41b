//! Lossy UTF-8 for AVX2.

use core::arch::x86_64::{
    __m256i, _mm256_and_si256, _mm256_cmpeq_epi8, _mm256_max_epu8, _mm256_set1_epi8,
    _mm256_setzero_si256,
};
use core::mem::MaybeUninit;

use super::utf8::{Dwords, Vectors256, classes, copy_after_error, utf8_to_utf8};
use super::utf8_blocks::{Bytes, front, views_after};
use super::utf8_units::mask;
use super::{LANES, load, store};
use crate::simd::kernels::Transcoded;
use crate::simd::x86_64::utf8_copy::well_formed_front;
use crate::simd::x86_64::utf8_errors::{Block, NO_CHARACTER};
use crate::simd::x86_64::utf8_lossy::{self, BLOCK, BlockOps};
use crate::simd::x86_64::utf8_valid::Text;

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Transcoded {
    let vectors = Vectors256(Dwords::here());
    let clean = well_formed_front(vectors, src, dst, |src, dst| utf8_to_utf8(src, dst));
    if clean.read == src.len() {
        clean
    } else {
        after(src, dst, clean)
    }
}

#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn after(src: &[u8], dst: &mut [MaybeUninit<u8>], done: Transcoded) -> Transcoded {
    utf8_lossy::utf8_to_utf8_lossy(
        src,
        dst,
        done,
        |src, dst| copy_after_error(src, dst),
        BlockOps {
            classify: |src: &_| classify(src),
            copy_block: |src: &_, to: &mut _| store_block(to, front(src)),
            copy_whole: |src: &_, to: &mut _| {
                let block = load_block(src);
                store_block(to, block);
                mask(block)
            },
        },
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_block(block: &[u8; BLOCK]) -> Bytes {
    match block.as_chunks::<LANES>().0 {
        [low, high] => [load(low), load(high)],
        _ => [_mm256_setzero_si256(); 2],
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_block(to: &mut [MaybeUninit<u8>; BLOCK], block: Bytes) {
    let (to, _) = to.as_chunks_mut::<LANES>();
    for (to, half) in to.iter_mut().zip(block) {
        store(to, half);
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn classify(src: &[u8]) -> Block {
    let x = front(src);
    let [one, two, three] = views_after(_mm256_setzero_si256(), x);
    let from = |least: u8| {
        let least = _mm256_set1_epi8(least.cast_signed());
        mask(x.map(|half| _mm256_cmpeq_epi8(_mm256_max_epu8(half, least), half)))
    };
    let (not_ascii, lead) = (mask(x), from(0xC0));
    let bad = _mm256_set1_epi8(NO_CHARACTER.cast_signed());
    let character = [0, 1].map(|half: usize| {
        let text: Text<__m256i> = Text {
            bytes: x[half],
            one_before: one[half],
            two_before: two[half],
            three_before: three[half],
        };
        _mm256_cmpeq_epi8(_mm256_and_si256(classes(text), bad), _mm256_setzero_si256())
    });
    let len = src.len().min(BLOCK);
    Block {
        len,
        ascii: !not_ascii & u64::MAX >> (BLOCK - len.clamp(1, BLOCK)),
        continuation: not_ascii & !lead,
        lead,
        lead_of_three: from(0xE0),
        lead_of_four: from(0xF0),
        no_character: !mask(character),
    }
}
