//! Lossy UTF-8 for AVX2.

use core::mem::MaybeUninit;

use super::utf8::{Dwords, Vectors256, copy_after_error, utf8_to_utf8};
use super::wide::Avx2;
use crate::simd::kernels::Transcoded;
use crate::simd::x86_64::utf8_classify::{classify, copy_block, copy_whole};
use crate::simd::x86_64::utf8_copy::well_formed_front;
use crate::simd::x86_64::utf8_lossy::{self, BlockOps};

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
    let w = Avx2::here();
    utf8_lossy::utf8_to_utf8_lossy(
        src,
        dst,
        done,
        |src, dst| copy_after_error(src, dst),
        BlockOps {
            classify: |src: &_| classify(w, src),
            copy_block: |src: &_, to: &mut _| copy_block(w, src, to),
            copy_whole: |src: &_, to: &mut _| copy_whole(w, src, to),
        },
    )
}
