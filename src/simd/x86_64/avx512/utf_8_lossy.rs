//! Lossy UTF-8 for AVX-512.

use core::arch::x86_64::{
    _mm512_cmpge_epu8_mask, _mm512_movepi8_mask, _mm512_set1_epi8, _mm512_test_epi8_mask,
};
use core::mem::MaybeUninit;

use super::utf_8::{at_start, classes, utf_8_to_utf_8};
use super::{LANES, lanes_below, load_front, store};
use crate::simd::kernels::Replaced;
use crate::simd::x86_64::utf_8_errors::{Block, NO_CHARACTER};
use crate::simd::x86_64::utf_8_lossy;

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf_8_to_utf_8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Replaced {
    utf_8_lossy::utf_8_to_utf_8_lossy(
        src,
        dst,
        |src, dst| utf_8_to_utf_8(src, dst),
        |src| classify(src),
        |src, to| store(to, load_front(src)),
    )
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
