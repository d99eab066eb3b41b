//! Lossy UTF-8 for NEON.

use core::arch::aarch64::{vcgeq_u8, vdupq_n_u8, vtstq_u8};
use core::mem::MaybeUninit;

use super::utf8::{texts, utf8_to_utf8};
use super::{BLOCK, load_block, mask, padded, store_block};
use crate::simd::kernels::Transcoded;
use crate::simd::shared::utf8_errors::{Block, NO_CHARACTER};
use crate::simd::shared::utf8_lossy::{self, BlockOps};

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf8_to_utf8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Transcoded {
    let clean = utf8_to_utf8(src, dst);
    let done = Transcoded {
        read: clean,
        written: clean,
        errors: 0,
    };
    if clean == src.len() {
        done
    } else {
        after(src, dst, done)
    }
}

#[inline(never)]
#[target_feature(enable = "neon")]
fn after(src: &[u8], dst: &mut [MaybeUninit<u8>], done: Transcoded) -> Transcoded {
    utf8_lossy::utf8_to_utf8_lossy(
        src,
        dst,
        done,
        |src, dst| utf8_to_utf8(src, dst),
        BlockOps {
            classify: |src: &[u8]| match src.first_chunk() {
                Some(block) => classify(block, BLOCK),
                None => classify(&padded(src), src.len()),
            },
            copy_block: |src: &[u8], to: &mut _| match src.first_chunk() {
                Some(block) => store_block(to, load_block(block)),
                None => store_block(to, load_block(&padded(src))),
            },
            copy_whole: |src: &_, to: &mut _| {
                let block = load_block(src);
                store_block(to, block);
                mask(block.map(|bytes| vcgeq_u8(bytes, vdupq_n_u8(0x80))))
            },
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
