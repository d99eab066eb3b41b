//! Runs of ASCII between characters of two bytes, in line: most are short, and the others of a length
//! that the processor does not guess, so that few steps matter most.

use core::arch::x86_64::{__m256i, _mm256_movemask_epi8};
use core::mem::MaybeUninit;

use super::utf8_blocks::widen;
use super::{LANES, ascii, load, store};
use crate::simd::two_byte::decode::put_ascii;
use crate::simd::x86_64::as_bytes;

/// Bytes in a step.
const STEP: usize = 2 * LANES;

/// So much ASCII in a row is worth its own kernel.
const LONG: usize = 4 * STEP;

/// Copies ASCII from the front, as far as there is room; returns its length.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn to_utf8(src: &[u8], to: &mut [MaybeUninit<u8>]) -> usize {
    let mut run = 0;
    while let Some(from) = src.get(run..).and_then(<[_]>::first_chunk::<STEP>)
        && let Some(room) = to.get_mut(run..).and_then(<[_]>::first_chunk_mut::<STEP>)
    {
        let halves = load_step(from);
        let (rooms, _) = room.as_chunks_mut();
        store(&mut rooms[0], halves[0]);
        store(&mut rooms[1], halves[1]);
        let high = high_bits(halves);
        if high != 0 {
            return run + high.trailing_zeros() as usize;
        }
        run += STEP;
        if run == LONG {
            return run + ascii::ascii_to_utf8(&src[run..], &mut to[run..]);
        }
    }
    run + put_ascii(&src[run..], &mut to[run..], |_, _| 0)
}

/// Widens ASCII from the front to UTF-16, as far as there is room; returns its length.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd::x86_64) fn to_utf16(src: &[u8], to: &mut [MaybeUninit<u16>]) -> usize {
    let mut run = 0;
    while let Some(from) = src.get(run..).and_then(<[_]>::first_chunk::<STEP>)
        && let Some(room) = to.get_mut(run..).and_then(<[_]>::first_chunk_mut::<STEP>)
    {
        let (rooms, _) = as_bytes(room).as_chunks_mut();
        for (room, quarter) in rooms.iter_mut().zip(from.as_chunks().0) {
            widen::<false>(room, quarter);
        }
        let high = high_bits(load_step(from));
        if high != 0 {
            return run + high.trailing_zeros() as usize;
        }
        run += STEP;
        if run == LONG {
            return run + ascii::ascii_to_utf16(&src[run..], &mut to[run..]);
        }
    }
    run + put_ascii(&src[run..], &mut to[run..], |_, _| 0)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_step(from: &[u8; STEP]) -> [__m256i; 2] {
    let (halves, _) = from.as_chunks();
    [load(&halves[0]), load(&halves[1])]
}

/// The highest bit of each byte.
#[inline]
#[target_feature(enable = "avx2")]
fn high_bits([low, high]: [__m256i; 2]) -> u64 {
    let low = u64::from(_mm256_movemask_epi8(low).cast_unsigned());
    low | u64::from(_mm256_movemask_epi8(high).cast_unsigned()) << 32
}
