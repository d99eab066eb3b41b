//! UTF-16 to UTF-8 for AVX-512 with VBMI2, 32 code units at a time.

use core::arch::x86_64::_mm512_cvtepi16_epi8;
use core::mem::MaybeUninit;

use super::utf_16_block::{Converted, ROOM, UNITS, ascii, native, to_utf_8};
use crate::simd::kernels::Replaced;
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx512::utf_16::ascii_run;
use crate::simd::x86_64::avx512::{LANES, load, load_front, store_front_half};

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end;
/// or, with `LOSSY`, writes U+FFFD for every lone surrogate but a leading one at the end.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf_16_to_utf_8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Replaced {
    if src.len() > LANES {
        return wide::<BE, LOSSY>(src, dst);
    }
    at_end::<BE, LOSSY>(src, dst, Replaced::NOTHING)
}

/// Converts input of more than a block.
#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn wide<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Replaced {
    let dst_len = dst.len();
    let (mut ahead, mut room) = (src, &mut *dst);
    let mut errors = 0;
    let mut stopped = false;
    while !stopped
        && let Some(block) = ahead.first_chunk::<LANES>()
        && let Some(to) = room.first_chunk_mut::<ROOM>()
    {
        let units = native::<BE>(load(block));
        let ascii = ascii(units);
        if ascii == u32::MAX {
            if let Some(to) = to.first_chunk_mut::<UNITS>() {
                avx2::store(to, _mm512_cvtepi16_epi8(units));
            }
            ahead = &ahead[LANES..];
            room = &mut core::mem::take(&mut room)[UNITS..];
            let run = ascii_run::<BE>(ahead, room);
            ahead = &ahead[2 * run..];
            room = &mut core::mem::take(&mut room)[run..];
            continue;
        }
        let converted = to_utf_8::<BE, LOSSY, false>(units, ascii, UNITS, to);
        ahead = &ahead[2 * converted.units..];
        room = &mut core::mem::take(&mut room)[converted.bytes..];
        errors += converted.errors;
        stopped = converted.stopped;
    }
    let done = Replaced {
        read: src.len() - ahead.len(),
        written: dst_len - room.len(),
        errors,
    };
    if stopped {
        return done;
    }
    at_end::<BE, LOSSY>(src, dst, done)
}

/// What is left at the end of either buffer.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn at_end<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut done: Replaced,
) -> Replaced {
    let mut most = UNITS;
    loop {
        let src = &src[done.read..];
        let dst = &mut dst[done.written..];
        let len = (src.len() / 2).min(most);
        if len == 0 {
            return done;
        }
        let converted = end_to_utf_8::<BE, LOSSY>(&src[..2 * len], dst);
        done.read += 2 * converted.units;
        done.written += converted.bytes;
        done.errors += converted.errors;
        if converted.stopped || 2 * converted.units == src.len() {
            return done;
        }
        if converted.units == 0 {
            // A third of the room always serves.
            most = dst.len() / 3;
        }
    }
}

/// Converts at most 32 units, if they fit.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn end_to_utf_8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Converted {
    let len = src.len() / 2;
    let units = native::<BE>(load_front(src));
    let ascii = ascii(units);
    if ascii == u32::MAX
        && let Some(to) = dst.get_mut(..len)
    {
        store_front_half(to, _mm512_cvtepi16_epi8(units));
        return Converted {
            units: len,
            bytes: len,
            errors: 0,
            stopped: false,
        };
    }
    to_utf_8::<BE, LOSSY, true>(units, ascii, len, dst)
}
