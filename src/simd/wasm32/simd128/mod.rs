//! `simd128`: vectors of 16 bytes.
//!
//! The cost of an instruction depends on the machine that the engine compiles it for. On x86-64 a bit mask and a signed
//! comparison are one instruction each; an unsigned comparison and a look-up by a vector are two; a shift of bytes is
//! more.

pub(in crate::simd) mod table;

use core::arch::wasm32::*;
use core::mem::MaybeUninit;

use crate::simd::generic;
use crate::simd::generic::utf8_steps::Steps;
use crate::simd::generic::utf8_to_utf32::Steps32;
use crate::simd::kernels::Entries;
use crate::simd::uninit::room_at;
use crate::simd::vector::{Vector, binary, methods, vectors_of_16};

/// The number of bytes in a vector.
const LANES: usize = 16;

/// The vectors of `simd128`.
#[derive(Clone, Copy)]
pub(super) struct Simd128;

/// The kernels of `generic/` with these vectors.
pub(super) const ENTRIES: Entries = {
    // SAFETY: this module is compiled only for targets with `simd128`.
    unsafe { generic::table::entries::<Simd128>() }
};

/// The features that [`ENTRIES`] need.
#[target_feature(enable = "simd128")]
pub(super) fn kernels() {}

// SAFETY: this module is compiled only for targets with `simd128`.
unsafe impl Vector for Simd128 {
    type V = v128;

    vectors_of_16!();

    binary! {
        and = v128_and,
        or = v128_or,
        xor = v128_xor,
        add_u8 = i8x16_add,
        sub_u8 = i8x16_sub,
        saturating_add_u8 = u8x16_add_sat,
        saturating_sub_u8 = u8x16_sub_sat,
        max_u8 = u8x16_max,
        eq_u8 = i8x16_eq,
        lt_i8 = i8x16_lt,
        add_u16 = i16x8_add,
        min_u16 = u16x8_min,
        eq_u16 = i16x8_eq,
        gt_i16 = i16x8_gt,
        add_u32 = i32x4_add,
        min_u32 = u32x4_min,
        max_u32 = u32x4_max,
        eq_u32 = i32x4_eq,
        look_up = i8x16_swizzle,
        look_up_or_0 = i8x16_swizzle,
        narrow_u16 = u8x16_narrow_i16x8,
        pack_u16 = u8x16_narrow_i16x8,
        narrow_u32 = u16x8_narrow_i32x4,
    }

    methods! {
        fn splat_u8(self, byte: u8) -> Self::V = u8x16_splat(byte);
        fn splat_u16(self, unit: u16) -> Self::V = u16x8_splat(unit);
        fn splat_u32(self, unit: u32) -> Self::V = u32x4_splat(unit);
        fn select(self, lanes: Self::V, a: Self::V, b: Self::V) -> Self::V =
            v128_bitselect(a, b, lanes);
        fn at_least_u8(self, v: Self::V, least: u8) -> Self::V = u8x16_ge(v, u8x16_splat(least));
        fn at_least_u16(self, v: Self::V, least: u16) -> Self::V = u16x8_ge(v, u16x8_splat(least));
        fn shl_u16<const BITS: i32>(self, v: Self::V) -> Self::V =
            u16x8_shl(v, BITS.cast_unsigned());
        fn shr_u16<const BITS: i32>(self, v: Self::V) -> Self::V =
            u16x8_shr(v, BITS.cast_unsigned());
        fn at_least_u32(self, v: Self::V, least: u32) -> Self::V = u32x4_ge(v, u32x4_splat(least));
        fn shl_u32<const BITS: i32>(self, v: Self::V) -> Self::V =
            u32x4_shl(v, BITS.cast_unsigned());
        fn shr_u32<const BITS: i32>(self, v: Self::V) -> Self::V =
            u32x4_shr(v, BITS.cast_unsigned());
        fn unit_after(self, v: Self::V, after: Self::V) -> Self::V =
            i8x16_shuffle::<2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17>(v, after);
        fn any(self, v: Self::V) -> bool = v128_any_true(v);
        fn any_of(self, v: Self::V, bits: Self::V) -> bool = v128_any_true(v128_and(v, bits));
        fn mask_u8(self, v: Self::V) -> u64 = u64::from(u8x16_bitmask(v));
        fn mask_u16(self, lanes: Self::V) -> [u8; 4] = [i16x8_bitmask(lanes), 0, 0, 0];
    }

    #[inline(always)]
    unsafe fn assume() -> Self {
        Simd128
    }

    #[inline(always)]
    fn load(self, from: &[u8]) -> Self::V {
        match from.first_chunk::<LANES>() {
            // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
            Some(from) => unsafe { v128_load(from.as_ptr().cast()) },
            None => self.splat_u8(0),
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], v: Self::V) {
        if let Some(to) = room_at::<LANES, _>(to, 0) {
            // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
            unsafe { v128_store(to.as_mut_ptr().cast(), v) }
        }
    }

    #[inline(always)]
    fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        [
            i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
            i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
        ]
    }

    #[inline(always)]
    fn interleave_u16(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        [
            i8x16_shuffle::<0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23>(a, b),
            i8x16_shuffle::<8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31>(a, b),
        ]
    }

    #[inline(always)]
    fn add_times_64(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        let [low, high] = self.interleave_u8(u8x16_splat(0), b);
        [
            i16x8_add(i16x8_shr(low, 2), i16x8_extend_low_i8x16(a)),
            i16x8_add(i16x8_shr(high, 2), i16x8_extend_high_i8x16(a)),
        ]
    }

    #[inline(always)]
    fn before<const N: usize>(self, before: Self::V, v: Self::V) -> Self::V {
        match N {
            1 => i8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(
                before, v,
            ),
            2 => i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(
                before, v,
            ),
            3 => i8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(
                before, v,
            ),
            _ => i8x16_shuffle::<12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27>(
                before, v,
            ),
        }
    }

    #[inline(always)]
    fn sum_u8(self, v: Self::V) -> usize {
        let sums = u32x4_extadd_pairwise_u16x8(u16x8_extadd_pairwise_u8x16(v));
        let low = u32x4_extract_lane::<0>(sums) + u32x4_extract_lane::<1>(sums);
        let high = u32x4_extract_lane::<2>(sums) + u32x4_extract_lane::<3>(sums);
        (low + high) as usize
    }
}

impl Steps for Simd128 {}

impl Steps32 for Simd128 {}
