//! NEON: vectors of 16 bytes.
//!
//! NEON has no instruction that makes a bit mask from a vector: a mask for 16 bytes takes five instructions,
//! and one for 64 bytes takes nine.

pub(in crate::simd) mod table;

use core::arch::aarch64::*;
use core::mem::MaybeUninit;

use crate::simd::generic;
use crate::simd::generic::utf8_steps::Steps;
use crate::simd::generic::utf8_to_utf32::Steps32;
use crate::simd::kernels::Entries;
use crate::simd::uninit::room_at;
use crate::simd::vector::{Vector, binary, methods, vectors_of_16};

/// Wraps calls of intrinsics.
macro_rules! neon {
    ($calls:expr) => {
        // SAFETY: this module is compiled only for targets with NEON.
        unsafe { $calls }
    };
}

/// The number of bytes in a vector.
const LANES: usize = 16;

/// The vectors of NEON.
#[derive(Clone, Copy)]
pub(super) struct Neon;

/// The kernels of `generic/` with these vectors.
pub(super) const ENTRIES: Entries = {
    // SAFETY: this module is compiled only for targets with NEON.
    unsafe { generic::table::entries::<Neon>() }
};

/// The features that [`ENTRIES`] need.
#[target_feature(enable = "neon")]
pub(super) fn kernels() {}

#[inline(always)]
fn units(v: uint8x16_t) -> uint16x8_t {
    neon!(vreinterpretq_u16_u8(v))
}

#[inline(always)]
fn words(v: uint8x16_t) -> uint32x4_t {
    neon!(vreinterpretq_u32_u8(v))
}

#[inline(always)]
fn of_units(v: uint16x8_t) -> uint8x16_t {
    neon!(vreinterpretq_u8_u16(v))
}

#[inline(always)]
fn of_words(v: uint32x4_t) -> uint8x16_t {
    neon!(vreinterpretq_u8_u32(v))
}

/// Keeps one bit per byte whose highest bit is set, a different one in each lane, so that eight lanes add up
/// to a byte of a mask.
#[inline(always)]
fn bits(v: uint8x16_t) -> uint8x16_t {
    static BITS: [u8; LANES] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];
    let lanes = Neon.lt_i8(v, Neon.splat_u8(0));
    Neon.and(lanes, Neon.load(&BITS))
}

#[inline(always)]
fn load_units(from: &[u16; LANES / 2]) -> uint16x8_t {
    // SAFETY: the array has the 8 code units that are read.
    unsafe { vld1q_u16(from.as_ptr()) }
}

// SAFETY: this module is compiled only for targets with NEON.
unsafe impl Vector for Neon {
    type V = uint8x16_t;

    vectors_of_16!();

    binary! {
        and = vandq_u8,
        or = vorrq_u8,
        xor = veorq_u8,
        add_u8 = vaddq_u8,
        sub_u8 = vsubq_u8,
        saturating_add_u8 = vqaddq_u8,
        saturating_sub_u8 = vqsubq_u8,
        max_u8 = vmaxq_u8,
        eq_u8 = vceqq_u8,
        look_up = vqtbl1q_u8,
        look_up_or_0 = vqtbl1q_u8,
        narrow_u16 = vuzp1q_u8,
    }

    binary! {
        units, of_units;
        add_u16 = vaddq_u16,
        min_u16 = vminq_u16,
        eq_u16 = vceqq_u16,
        narrow_u32 = vuzp1q_u16,
    }

    binary! {
        words, of_words;
        add_u32 = vaddq_u32,
        min_u32 = vminq_u32,
        max_u32 = vmaxq_u32,
        eq_u32 = vceqq_u32,
    }

    methods! {
        fn splat_u8(self, byte: u8) -> Self::V = vdupq_n_u8(byte);
        fn splat_u16(self, unit: u16) -> Self::V = of_units(vdupq_n_u16(unit));
        fn splat_u32(self, unit: u32) -> Self::V = of_words(vdupq_n_u32(unit));
        fn select(self, lanes: Self::V, a: Self::V, b: Self::V) -> Self::V = vbslq_u8(lanes, a, b);
        fn lt_i8(self, a: Self::V, b: Self::V) -> Self::V =
            vcltq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b));
        fn at_least_u8(self, v: Self::V, least: u8) -> Self::V = vcgeq_u8(v, vdupq_n_u8(least));
        fn high_half(self, v: Self::V) -> Self::V = vshrq_n_u8::<4>(v);
        fn at_least_u16(self, v: Self::V, least: u16) -> Self::V =
            of_units(vcgeq_u16(units(v), vdupq_n_u16(least)));
        fn shl_u16<const BITS: i32>(self, v: Self::V) -> Self::V =
            of_units(vshlq_n_u16::<BITS>(units(v)));
        fn shr_u16<const BITS: i32>(self, v: Self::V) -> Self::V =
            of_units(vshrq_n_u16::<BITS>(units(v)));
        fn at_least_u32(self, v: Self::V, least: u32) -> Self::V =
            of_words(vcgeq_u32(words(v), vdupq_n_u32(least)));
        fn shl_u32<const BITS: i32>(self, v: Self::V) -> Self::V =
            of_words(vshlq_n_u32::<BITS>(words(v)));
        fn shr_u32<const BITS: i32>(self, v: Self::V) -> Self::V =
            of_words(vshrq_n_u32::<BITS>(words(v)));
        fn interleave_u8(self, a: Self::V, b: Self::V) -> [Self::V; 2] =
            [vzip1q_u8(a, b), vzip2q_u8(a, b)];
        fn unit_after(self, v: Self::V, after: Self::V) -> Self::V = vextq_u8::<2>(v, after);
        fn any(self, v: Self::V) -> bool = vmaxvq_u8(v) != 0;
        fn any_of(self, v: Self::V, bits: Self::V) -> bool = self.any(self.and(v, bits));
        fn is_ascii(self, v: Self::V) -> bool = vmaxvq_u8(v) < 0x80;
        fn sum_u8(self, v: Self::V) -> usize = usize::from(vaddlvq_u8(v));
    }

    #[inline(always)]
    unsafe fn assume() -> Self {
        Neon
    }

    #[inline(always)]
    fn load(self, from: &[u8]) -> Self::V {
        match from.first_chunk::<LANES>() {
            // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
            Some(from) => unsafe { vld1q_u8(from.as_ptr()) },
            None => self.splat_u8(0),
        }
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], v: Self::V) {
        if let Some(to) = room_at::<LANES, _>(to, 0) {
            // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
            unsafe { vst1q_u8(to.as_mut_ptr().cast(), v) }
        }
    }

    #[inline(always)]
    fn gt_i16(self, a: Self::V, b: Self::V) -> Self::V {
        neon!({
            let (a, b) = (vreinterpretq_s16_u8(a), vreinterpretq_s16_u8(b));
            of_units(vcgtq_s16(a, b))
        })
    }

    #[inline(always)]
    fn interleave_u16(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        neon!({
            let (a, b) = (units(a), units(b));
            [of_units(vzip1q_u16(a, b)), of_units(vzip2q_u16(a, b))]
        })
    }

    #[inline(always)]
    fn add_times_64(self, a: Self::V, b: Self::V) -> [Self::V; 2] {
        neon!({
            let (a, b) = (vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b));
            let low = vaddw_s8(vshll_n_s8::<6>(vget_low_s8(b)), vget_low_s8(a));
            let high = vaddw_high_s8(vshll_high_n_s8::<6>(b), a);
            [vreinterpretq_u8_s16(low), vreinterpretq_u8_s16(high)]
        })
    }

    #[inline(always)]
    fn before<const N: usize>(self, before: Self::V, v: Self::V) -> Self::V {
        neon!(match N {
            1 => vextq_u8::<15>(before, v),
            2 => vextq_u8::<14>(before, v),
            3 => vextq_u8::<13>(before, v),
            _ => vextq_u8::<12>(before, v),
        })
    }

    #[inline(always)]
    fn ascii_len(self, v: Self::V) -> usize {
        neon!({
            // Four bits per lane.
            let lanes = self.at_least_u8(v, 0x80);
            let bits = vreinterpret_u64_u8(vshrn_n_u16::<4>(units(lanes)));
            (vget_lane_u64::<0>(bits).trailing_zeros() / 4) as usize
        })
    }

    #[inline(always)]
    fn mask_u8(self, v: Self::V) -> u64 {
        neon!({
            let bits = bits(v);
            let twos = vpaddq_u8(bits, bits);
            let fours = vpaddq_u8(twos, twos);
            u64::from(vgetq_lane_u16::<0>(units(vpaddq_u8(fours, fours))))
        })
    }

    #[inline(always)]
    fn mask_u16(self, lanes: Self::V) -> [u8; 4] {
        neon!({
            static BITS: [u16; LANES / 2] = [1, 2, 4, 8, 16, 32, 64, 128];
            let mask = vaddvq_u16(vandq_u16(units(lanes), load_units(&BITS)));
            [mask as u8, 0, 0, 0]
        })
    }

    #[inline(always)]
    fn mask_of_lengths(self, v: Self::V) -> u32 {
        neon!({
            static TWO: [u16; LANES / 2] =
                [1, 1 << 2, 1 << 4, 1 << 6, 1 << 8, 1 << 10, 1 << 12, 1 << 14];
            static THREE: [u16; LANES / 2] =
                [2, 2 << 2, 2 << 4, 2 << 6, 2 << 8, 2 << 10, 2 << 12, 2 << 14];
            let v = units(v);
            let two = vandq_u16(vcgeq_u16(v, vdupq_n_u16(0x80)), load_units(&TWO));
            let three = vandq_u16(vcgeq_u16(v, vdupq_n_u16(0x800)), load_units(&THREE));
            u32::from(vaddvq_u16(vorrq_u16(two, three)))
        })
    }

    #[inline(always)]
    fn mask_of_block(self, [a, b, c, d]: [Self::V; 4]) -> u64 {
        neon!({
            let low = vpaddq_u8(bits(a), bits(b));
            let high = vpaddq_u8(bits(c), bits(d));
            let fours = vpaddq_u8(low, high);
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)))
        })
    }
}

impl Steps for Neon {}

impl Steps32 for Neon {}
