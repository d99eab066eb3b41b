//! UTF-8 to UTF-32 for AVX-512: for every 16 positions, the lanes in which a character ends are compressed.

use core::arch::x86_64::{
    __m128i, __m512i, __mmask16, _mm512_castsi512_si256, _mm512_cvtepu8_epi32,
    _mm512_cvtepu16_epi32, _mm512_extracti32x4_epi32, _mm512_extracti64x4_epi64,
    _mm512_maskz_compress_epi32, _mm512_movepi8_mask, _mm512_or_si512, _mm512_permutex2var_epi64,
    _mm512_setr_epi64, _mm512_slli_epi32, _mm512_unpackhi_epi8, _mm512_unpacklo_epi8,
};
use core::mem::MaybeUninit;

use super::utf32::{UNITS, store, store_front};
use super::vector::Vectors512;
use super::{load, load_front};
use crate::simd::generic::BLOCK;
use crate::simd::uninit::room_at;
use crate::simd::x86_64::sse4;
use crate::simd::x86_64::utf8_to_utf32::{self as blocks, Scalars, UnitWriters, Units32};

/// Declares the kernel of a module with its own `writers`, and the functions that it consists of. They are declared for
/// each set of CPU features, because a function that several sets shared would be compiled for the features of the
/// least. `threes` is the parameter of [`blocks::characters`].
macro_rules! kernel_by_writers {
    ($features:literal, threes: $threes:literal) => {
        /// Converts well-formed UTF-8. Returns the number of bytes read and of code units written.
        #[target_feature(enable = $features)]
        pub(in crate::simd) fn utf8_to_utf32(
            src: &[u8],
            dst: &mut [MaybeUninit<u32>],
        ) -> (usize, usize) {
            if short_ascii(src, dst) {
                (src.len(), src.len())
            } else {
                not_short_ascii(src, dst)
            }
        }

        /// A separate function, so that the path for short ASCII needs no stack frame.
        #[inline(never)]
        #[target_feature(enable = $features)]
        fn not_short_ascii(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
            blocks::convert(
                Vectors512::here(),
                src,
                dst,
                |src, dst| short_ascii(src, dst),
                |from, to| widen(from, to),
                |src, dst| one_block(src, dst),
                |src, dst| characters(src, dst),
            )
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn one_block(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> Option<usize> {
            // SAFETY: this function has the features.
            let writers = unsafe { writers() };
            blocks::one_block(Vectors512::here(), src, dst, &writers)
        }

        #[inline(never)]
        #[target_feature(enable = $features)]
        fn characters(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
            // SAFETY: this function has the features.
            let writers = unsafe { writers() };
            blocks::characters::<_, $threes>(Vectors512::here(), src, dst, &writers)
        }
    };
}
pub(in crate::simd::x86_64) use kernel_by_writers;

kernel_by_writers!("avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt", threes: true);

/// Wraps calls in the closures of [`writers`], which do not inherit the features of its callers.
macro_rules! enabled {
    ($calls:expr) => {
        // SAFETY: the caller of `writers` guarantees that the processor has the features.
        unsafe { $calls }
    };
}

/// How units are written. Inlined into its callers, so that vectors are passed in registers.
///
/// # Safety
///
/// The processor has AVX-512 F, BW, DQ and VL, BMI1, BMI2 and POPCNT.
#[expect(clippy::type_complexity, reason = "closures have no names")]
#[inline(always)]
unsafe fn writers() -> UnitWriters<
    impl Fn(&[u8; BLOCK], &mut Units32),
    impl Fn(&mut Units32, u64, [Scalars<__m512i>; 4]),
    impl Fn(&mut [MaybeUninit<u32>], u64, [Scalars<__m512i>; 4]),
> {
    UnitWriters::new(
        |from: &_, to: &mut _| enabled!(widen(from, to)),
        #[inline(always)]
        |to: &mut Units32, starts, [scalars, ..]: [_; 4]| {
            for (at, units) in enabled!(packed(starts, scalars)) {
                if let Some(to) = room_at(to, at) {
                    enabled!(store(to, units));
                }
            }
        },
        #[inline(always)]
        |to: &mut [_], starts, [scalars, ..]: [_; 4]| {
            for (at, units) in enabled!(packed(starts, scalars)) {
                debug_assert!(at <= to.len(), "`to` has a unit for each start");
                enabled!(store_front(to.get_mut(at..).unwrap_or_default(), units));
            }
        },
    )
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn quarters(v: __m512i) -> [__m128i; 4] {
    [
        _mm512_extracti32x4_epi32::<0>(v),
        _mm512_extracti32x4_epi32::<1>(v),
        _mm512_extracti32x4_epi32::<2>(v),
        _mm512_extracti32x4_epi32::<3>(v),
    ]
}

/// Widens 16 to 64 bytes if they are ASCII and there is room for them.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd::x86_64) fn short_ascii(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> bool {
    blocks::short_ascii::<UNITS>(
        src,
        dst,
        |src| _mm512_movepi8_mask(load_front(src)) == 0,
        |from, to| store(to, _mm512_cvtepu8_epi32(sse4::load(from))),
    )
}

/// Widens a block of ASCII.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd::x86_64) fn widen(from: &[u8; BLOCK], to: &mut Units32) {
    let (to, _) = to.as_chunks_mut::<UNITS>();
    for (to, quarter) in to.iter_mut().zip(quarters(load(from))) {
        store(to, _mm512_cvtepu8_epi32(quarter));
    }
}

/// Returns the scalar values at the bits of `starts`, 16 positions at a time, and where they belong in the
/// output.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn packed(starts: u64, scalars: Scalars<__m512i>) -> [(usize, __m512i); 4] {
    let Scalars { low, high, top } = scalars;
    // The unpacks work within each 128-bit quarter: put the pieces in order.
    let (lower, upper) = (
        _mm512_unpacklo_epi8(low, high),
        _mm512_unpackhi_epi8(low, high),
    );
    let order = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    let first = _mm512_permutex2var_epi64(lower, order, upper);
    let order = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    let second = _mm512_permutex2var_epi64(lower, order, upper);
    let mut units = [
        _mm512_cvtepu16_epi32(_mm512_castsi512_si256(first)),
        _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(first)),
        _mm512_cvtepu16_epi32(_mm512_castsi512_si256(second)),
        _mm512_cvtepu16_epi32(_mm512_extracti64x4_epi64::<1>(second)),
    ];
    if let Some(top) = top {
        for (units, top) in units.iter_mut().zip(quarters(top)) {
            let top = _mm512_slli_epi32::<16>(_mm512_cvtepu8_epi32(top));
            *units = _mm512_or_si512(*units, top);
        }
    }
    let quarter = |i: usize| {
        let at = (starts & ((1 << (UNITS * i)) - 1)).count_ones() as usize;
        let lanes = (starts >> (UNITS * i)) as __mmask16;
        (at, _mm512_maskz_compress_epi32(lanes, units[i]))
    };
    [quarter(0), quarter(1), quarter(2), quarter(3)]
}
