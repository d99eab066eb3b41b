//! Loads and copies less than a vector of 32 bytes with masks.

use core::arch::x86_64::__m256i;
use core::mem::MaybeUninit;

use super::{load_front_half, store_front_half};
use crate::simd::x86_64::avx2::partial::Partial;
use crate::simd::x86_64::run_on_with;

/// Wraps calls of intrinsics in methods of [`Masks`].
macro_rules! avx512 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX-512.
        unsafe { $calls }
    };
}

/// Loads and copies less than a vector of 32 bytes with masks.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Masks(());

// SAFETY: `assume` requires AVX-512; a mask has a bit for each byte of `dst`.
unsafe impl Partial for Masks {
    #[inline(always)]
    unsafe fn assume() -> Self {
        Masks(())
    }

    run_on_with!(Masks, "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt");

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> __m256i {
        avx512!(load_front_half(from))
    }

    #[inline(always)]
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        avx512!(store_front_half(dst, load_front_half(src)));
    }
}
