//! Lossy UTF-8 for AVX-512.

use core::arch::x86_64::{
    _mm512_cmpge_epu8_mask, _mm512_movepi8_mask, _mm512_set1_epi8, _mm512_test_epi8_mask,
};
use core::mem::MaybeUninit;

use super::utf8::{Masks, at_start, classes, copy_after_error, utf8_to_utf8};
use super::{LANES, lanes_below, load, load_front, store};
use crate::simd::kernels::Transcoded;
use crate::simd::x86_64::avx2::utf8::Vectors256;
use crate::simd::x86_64::utf8_copy;
use crate::simd::x86_64::utf8_errors::{Block, NO_CHARACTER};
use crate::simd::x86_64::utf8_lossy::{self, BlockOps};

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Transcoded {
    let clean = well_formed_front(src, dst, |src, dst| utf8_to_utf8(src, dst));
    if clean.read == src.len() {
        clean
    } else {
        after(src, dst, clean)
    }
}

#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn after(src: &[u8], dst: &mut [MaybeUninit<u8>], done: Transcoded) -> Transcoded {
    utf8_lossy::utf8_to_utf8_lossy(
        src,
        dst,
        done,
        |src, dst| copy_after_error(src, dst),
        BlockOps {
            classify: |src: &_| classify(src),
            copy_block: |src: &_, to: &mut _| store(to, load_front(src)),
            copy_whole: |src: &_, to: &mut _| copy_whole(src, to),
        },
    )
}

/// A short text, if it is well-formed and there is room for it, or the well-formed front of a long
/// one, as far as `copy` copies it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd::x86_64) fn well_formed_front(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    copy: impl Fn(&[u8], &mut [MaybeUninit<u8>]) -> usize,
) -> Transcoded {
    utf8_copy::well_formed_front(Vectors256(Masks::here()), src, dst, copy)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn copy_whole(
    src: &[u8; LANES],
    to: &mut [MaybeUninit<u8>; LANES],
) -> u64 {
    let block = load(src);
    store(to, block);
    _mm512_movepi8_mask(block)
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd::x86_64) fn classify(src: &[u8]) -> Block {
    let text = at_start(load_front(src));
    let in_block = lanes_below(src.len());
    let from = |least: u8| {
        let least = _mm512_set1_epi8(least.cast_signed());
        _mm512_cmpge_epu8_mask(text.bytes, least)
    };
    let (high, lead) = (_mm512_movepi8_mask(text.bytes), from(0xC0));
    Block {
        len: src.len().min(LANES),
        ascii: !high & in_block,
        continuation: high & !lead,
        lead,
        lead_of_three: from(0xE0),
        lead_of_four: from(0xF0),
        no_character: _mm512_test_epi8_mask(
            classes(text),
            _mm512_set1_epi8(NO_CHARACTER.cast_signed()),
        ),
    }
}
