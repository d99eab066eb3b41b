//! Runs of ASCII between two-byte characters, inlined: most are short, and the length of the others is hard
//! to predict, so a small number of steps matters most. With `UNSHIFTED`, runs also end before ESC, SO and
//! SI. A step has `STEP` bytes, one vector or two.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::table::kernels;
use super::utf8_blocks::widen;
use super::{LANES, load, store};
use crate::simd::scalar::ascii::ESC;
use crate::simd::two_byte::decode::put_ascii;
use crate::simd::two_byte::iso_2022_jp::put_unshifted_bytes;
use crate::simd::x86_64::as_bytes;

/// The number of ASCII bytes in a row for which the ASCII kernel pays.
const MIN_KERNEL_BYTES: usize = 256;

/// Copies ASCII from the front, as far as there is room; returns its length.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn to_utf8<const STEP: usize, const UNSHIFTED: bool>(
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> usize {
    let put = |to: &mut [_; STEP], from: &[_; STEP]| {
        let rooms = to.as_chunks_mut().0.iter_mut();
        for (room, from) in rooms.zip(from.as_chunks().0) {
            store(room, load(from));
        }
    };
    put_run::<_, STEP, UNSHIFTED>(src, to, put, kernels().ascii_to_utf8())
}

/// Widens ASCII from the front to UTF-16, as far as there is room; returns its length.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn to_utf16<const STEP: usize, const UNSHIFTED: bool>(
    src: &[u8],
    to: &mut [MaybeUninit<u16>],
) -> usize {
    let put = |to: &mut [_; STEP], from: &[_; STEP]| {
        let (rooms, _) = as_bytes(to).as_chunks_mut();
        for (room, half) in rooms.iter_mut().zip(from.as_chunks().0) {
            widen(room, half);
        }
    };
    put_run::<_, STEP, UNSHIFTED>(src, to, put, kernels().ascii_to_utf16())
}

/// Writes ASCII with `put`, a step at a time, and a long run with the kernel `long`.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn put_run<To: From<u8>, const STEP: usize, const UNSHIFTED: bool>(
    src: &[u8],
    to: &mut [MaybeUninit<To>],
    put: impl Fn(&mut [MaybeUninit<To>; STEP], &[u8; STEP]),
    long: impl Fn(&[u8], &mut [MaybeUninit<To>]) -> usize,
) -> usize {
    let mut run = 0;
    while let Some(from) = src.get(run..).and_then(<[_]>::first_chunk)
        && let Some(room) = to.get_mut(run..).and_then(<[_]>::first_chunk_mut)
    {
        put(room, from);
        let ends = ends::<STEP, UNSHIFTED>(from);
        if ends != 0 {
            return run + ends.trailing_zeros() as usize;
        }
        run += STEP;
        if run == MIN_KERNEL_BYTES && !UNSHIFTED {
            return run + long(&src[run..], &mut to[run..]);
        }
    }
    run + put_last::<_, UNSHIFTED>(&src[run..], &mut to[run..])
}

/// Copies less than a step.
#[inline(always)]
fn put_last<To: From<u8>, const UNSHIFTED: bool>(src: &[u8], to: &mut [MaybeUninit<To>]) -> usize {
    if UNSHIFTED {
        put_unshifted_bytes(src, to)
    } else {
        put_ascii(src, to, |_, _| 0)
    }
}

/// Returns a mask of the bytes that end a run.
#[inline]
#[target_feature(enable = "avx2")]
fn ends<const STEP: usize, const UNSHIFTED: bool>(from: &[u8; STEP]) -> u64 {
    let all = |byte: u8| _mm256_set1_epi8(byte.cast_signed());
    let mut ends = 0;
    for (i, from) in from.as_chunks::<LANES>().0.iter().enumerate() {
        let bytes = load(from);
        let mut stops = bytes;
        if UNSHIFTED {
            let is_escape = _mm256_cmpeq_epi8(bytes, all(ESC));
            let is_shift = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, all(0xFE)), all(0x0E));
            stops = _mm256_or_si256(bytes, _mm256_or_si256(is_escape, is_shift));
        }
        ends |= u64::from(_mm256_movemask_epi8(stops).cast_unsigned()) << (LANES * i);
    }
    ends
}
