//! Lossy UTF-8: as for AVX-512, behind this table's own validation and copy.

use core::mem::MaybeUninit;

use super::utf_8::utf_8_to_utf_8;
use crate::simd::kernels::Replaced;
use crate::simd::x86_64::avx512::utf_8_lossy::classify;
use crate::simd::x86_64::avx512::{load_front, store};
use crate::simd::x86_64::utf_8_lossy;

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,bmi1,bmi2,popcnt"
)]
pub(in crate::simd) fn utf_8_to_utf_8_lossy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Replaced {
    utf_8_lossy::utf_8_to_utf_8_lossy(
        src,
        dst,
        |src, dst| utf_8_to_utf_8(src, dst),
        |src| classify(src),
        |src, to| store(to, load_front(src)),
    )
}
