//! Lossy UTF-8: as for AVX-512, behind this table's own validation and copy.

use core::mem::MaybeUninit;

use super::utf_8::{copy_behind_error, utf_8_to_utf_8};
use crate::simd::kernels::Replaced;
use crate::simd::x86_64::avx512::utf_8_lossy::{classify, copy_whole, well_formed_front};
use crate::simd::x86_64::avx512::{load_front, store};
use crate::simd::x86_64::utf_8_lossy::{self, Ways};

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt"
)]
pub(in crate::simd) fn utf_8_to_utf_8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Replaced {
    let clean = well_formed_front(src, dst, |src, dst| utf_8_to_utf_8(src, dst));
    if clean.read == src.len() {
        clean
    } else {
        behind(src, dst, clean)
    }
}

#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt"
)]
fn behind(src: &[u8], dst: &mut [MaybeUninit<u8>], done: Replaced) -> Replaced {
    utf_8_lossy::utf_8_to_utf_8_lossy(
        src,
        dst,
        done,
        |src, dst| copy_behind_error(src, dst),
        Ways {
            classify: |src: &_| classify(src),
            copy_block: |src: &_, to: &mut _| store(to, load_front(src)),
            copy_whole: |src: &_, to: &mut _| copy_whole(src, to),
        },
    )
}
