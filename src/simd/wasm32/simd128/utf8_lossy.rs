//! Lossy UTF-8.

use core::arch::wasm32::{u8x16_splat, v128, v128_and};
use core::mem::MaybeUninit;

use super::utf8::{Vectors128, classes, copy_after_error, utf8_to_utf8};
use super::utf8_units::{at_least, set, texts_after};
use super::{BLOCK, load_block, mask, padded, store_block};
use crate::simd::kernels::Transcoded;
use crate::simd::shared::utf8_copy::well_formed_front;
use crate::simd::shared::utf8_errors::{Block, NO_CHARACTER};
use crate::simd::shared::utf8_lossy::{self, BlockOps};

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence.
pub(in crate::simd) fn utf8_to_utf8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Transcoded {
    let clean = well_formed_front(Vectors128, src, dst, utf8_to_utf8);
    if clean.read == src.len() {
        clean
    } else {
        after(src, dst, clean)
    }
}

#[inline(never)]
fn after(src: &[u8], dst: &mut [MaybeUninit<u8>], done: Transcoded) -> Transcoded {
    let ops = BlockOps {
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
            mask(block)
        },
    };
    utf8_lossy::utf8_to_utf8_lossy(src, dst, done, copy_after_error, ops)
}

#[inline(always)]
fn classify(block: &[u8; BLOCK], len: usize) -> Block {
    let bytes = load_block(block);
    let (not_ascii, lead) = (mask(bytes), at_least(bytes, 0xC0));
    let no_character = |classes: v128| v128_and(classes, u8x16_splat(NO_CHARACTER));
    Block {
        len,
        ascii: !not_ascii & u64::MAX >> (BLOCK - len.clamp(1, BLOCK)),
        continuation: not_ascii & !lead,
        lead,
        lead_of_three: at_least(bytes, 0xE0),
        lead_of_four: at_least(bytes, 0xF0),
        no_character: set(
            texts_after(u8x16_splat(0), bytes).map(|text| no_character(classes(text)))
        ),
    }
}
