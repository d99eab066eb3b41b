//! Loads and copies less than a vector: with AVX2, by whole dwords, and then what is left.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::load;
use crate::simd::x86_64::run_on_with;

/// Wraps calls of intrinsics in methods of [`Dwords`].
macro_rules! avx2 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX2.
        unsafe { $calls }
    };
}

/// The way of loading and copying less than a vector.
///
/// # Safety
///
/// A value of the type exists only if the processor has the instructions for it, and AVX2, BMI1, BMI2 and
/// POPCNT. `copy_front` writes all of `dst`.
pub(in crate::simd::x86_64) unsafe trait Partial: Copy {
    /// Makes a token.
    ///
    /// # Safety
    ///
    /// The processor has the instructions.
    unsafe fn assume() -> Self;

    /// Runs `f` on two slices in a function that is compiled for the instruction set.
    fn run_on<T, U, R>(
        self,
        src: &[T],
        dst: &mut [U],
        f: impl FnOnce(Self, &[T], &mut [U]) -> R,
    ) -> R;

    /// Loads up to 32 bytes from the front of `from`; the other lanes are 0.
    fn load_front(self, from: &[u8]) -> __m256i;

    /// Copies at most 32 bytes; the slices have the same length.
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]);
}

/// Works by whole dwords, and then what is left.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Dwords(());

impl Dwords {
    /// Makes the token; the features of the caller are the proof.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    pub(super) fn here() -> Self {
        Dwords(())
    }
}

// SAFETY: `assume` requires the features; `copy_front` copies as many bytes as there are.
unsafe impl Partial for Dwords {
    #[inline(always)]
    unsafe fn assume() -> Self {
        Dwords(())
    }

    run_on_with!(Dwords, "avx2,bmi1,bmi2,popcnt");

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> __m256i {
        avx2!(load_front(from))
    }

    #[inline(always)]
    fn copy_front(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        copy_front(src, dst);
    }
}

/// Loads up to 32 bytes from the front of `from`; the other lanes are 0.
#[inline]
#[target_feature(enable = "avx2")]
fn load_front(from: &[u8]) -> __m256i {
    if let Some(bytes) = from.first_chunk() {
        return load(bytes);
    }
    let Some(last) = from.last_chunk() else {
        let byte = |at: usize| u32::from(from.get(at).copied().unwrap_or(0)) << (8 * at);
        let bytes = byte(0) | byte(1) | byte(2);
        return _mm256_zextsi128_si256(_mm_cvtsi32_si128(bytes.cast_signed()));
    };
    // Whole dwords, and then one dword with the up to three bytes after them.
    let dwords = _mm256_set1_epi32((from.len() / 4) as i32);
    let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let inside = _mm256_cmpgt_epi32(dwords, lanes);
    // SAFETY: dwords that are not entirely in the slice are masked off, and masked-off dwords are not read.
    let front = unsafe { _mm256_maskload_epi32(from.as_ptr().cast(), inside) };
    let shift = 8 * (4 - from.len() % 4);
    let rest = (u64::from(u32::from_le_bytes(*last)) >> shift) as u32;
    let rest = _mm256_set1_epi32(rest.cast_signed());
    _mm256_or_si256(
        front,
        _mm256_and_si256(rest, _mm256_cmpeq_epi32(dwords, lanes)),
    )
}

/// Copies at most 32 bytes; the slices have the same length.
#[inline(always)]
fn copy_front(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    /// Copies the first and the last `N` bytes, if there are that many.
    #[inline(always)]
    fn ends<const N: usize>(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        if let (Some(front), Some(back)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) {
            if let Some(to) = dst.first_chunk_mut::<N>() {
                *to = front.map(MaybeUninit::new);
            }
            if let Some(to) = dst.last_chunk_mut::<N>() {
                *to = back.map(MaybeUninit::new);
            }
        }
    }
    debug_assert_eq!(src.len(), dst.len());
    // Text is often cut to 8 or 16 bytes, or to a few less, where a character ends: these take the same branches.
    match src.len() {
        17.. => ends::<16>(src, dst),
        9.. => ends::<8>(src, dst),
        4.. => ends::<4>(src, dst),
        _ => {
            for (to, from) in dst.iter_mut().zip(src).take(3) {
                to.write(*from);
            }
        }
    }
}
