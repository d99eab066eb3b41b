//! Lossy UTF-8: as for AVX-512, after this table's own validation and copy.

use core::mem::MaybeUninit;

use super::utf8::{copy_after_error, utf8_to_utf8};
use crate::simd::kernels::Transcoded;
use crate::simd::x86_64::avx512::utf8_lossy::well_formed_front;
use crate::simd::x86_64::avx512::wide::Avx512;
use crate::simd::x86_64::utf8_classify::{classify, copy_block, copy_whole};
use crate::simd::x86_64::utf8_lossy::{self, BlockOps};

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf8_to_utf8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Transcoded {
    let clean = well_formed_front(src, dst, |src, dst| utf8_to_utf8(src, dst));
    if clean.read == src.len() {
        clean
    } else {
        after(src, dst, clean)
    }
}

#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn after(src: &[u8], dst: &mut [MaybeUninit<u8>], done: Transcoded) -> Transcoded {
    let w = Avx512::here();
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
