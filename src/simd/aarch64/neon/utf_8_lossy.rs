//! Lossy UTF-8 for NEON.

use core::arch::aarch64::{vcgeq_u8, vdupq_n_u8, vtstq_u8};
use core::mem::MaybeUninit;

use super::utf_8::{texts, utf_8_to_utf_8};
use super::{BLOCK, load_block, mask, padded, store_block};
use crate::simd::kernels::Replaced;
use crate::simd::shared::utf_8_errors::{Block, NO_CHARACTER};
use crate::simd::shared::utf_8_lossy;

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf_8_to_utf_8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Replaced {
    utf_8_lossy::utf_8_to_utf_8_lossy(
        src,
        dst,
        |src, dst| utf_8_to_utf_8(src, dst),
        |src| match src.first_chunk() {
            Some(block) => classify(block, BLOCK),
            None => classify(&padded(src), src.len()),
        },
        |src, to| match src.first_chunk() {
            Some(block) => store_block(to, load_block(block)),
            None => store_block(to, load_block(&padded(src))),
        },
    )
}

#[inline]
#[target_feature(enable = "neon")]
fn classify(block: &[u8; BLOCK], len: usize) -> Block {
    let bytes = load_block(block);
    let from = |least: u8| {
        let least = vdupq_n_u8(least);
        mask(bytes.map(|bytes| vcgeq_u8(bytes, least)))
    };
    let (not_ascii, lead) = (from(0x80), from(0xC0));
    let bad = vdupq_n_u8(NO_CHARACTER);
    let texts = texts(vdupq_n_u8(0), bytes);
    Block {
        len,
        ascii: !not_ascii & u64::MAX >> (BLOCK - len.clamp(1, BLOCK)),
        continuation: not_ascii & !lead,
        lead,
        lead_of_three: from(0xE0),
        lead_of_four: from(0xF0),
        no_character: mask(texts.map(|text| vtstq_u8(text.classes(), bad))),
    }
}
