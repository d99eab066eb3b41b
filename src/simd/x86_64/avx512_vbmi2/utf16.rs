//! UTF-16 to UTF-8 for AVX-512 with VBMI2, 32 code units at a time.

use core::arch::x86_64::{
    __m512i, _mm512_or_si512, _mm512_packus_epi16, _mm512_permutexvar_epi64, _mm512_set_epi64,
};
use core::mem::MaybeUninit;

use super::utf16_block::{
    ROOM_OF_TWO, ascii, native, short_to_utf8, surrogates, two_pairs_to_utf8, two_to_utf8,
};
use super::utf16_bytes::UNITS;
use crate::simd::kernels::Transcoded;
use crate::simd::scalar::utf16::code_unit;
use crate::simd::x86_64::avx512::{LANES, load, load_front, store, store_front};

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end. With
/// `LOSSY`, writes U+FFFD for every lone surrogate except a leading one at the end.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    if src.len() >= 2 * LANES {
        return wide::<BE, LOSSY>(src, dst);
    }
    if let Some(written) = last_two_to_utf8::<BE, LOSSY>(src, dst) {
        return (src.len(), written).into();
    }
    // An odd byte at the end is left.
    let front = src.get(..LANES).unwrap_or(&src[..src.len() & !1]);
    let short = short_to_utf8::<BE, LOSSY>(front, dst);
    let done = short.replaced();
    if short.stopped || done.read == src.len() {
        done
    } else {
        at_end::<BE, LOSSY>(src, dst, done)
    }
}

/// Converts input of at least two blocks.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn wide<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Transcoded {
    let dst_len = dst.len();
    let (mut ahead, mut room) = (src, &mut *dst);
    let mut errors = 0;
    while let Some(blocks) = ahead.first_chunk::<{ 2 * LANES }>()
        && let Some(to) = room.first_chunk_mut::<ROOM_OF_TWO>()
    {
        let units = two_blocks::<BE>(blocks);
        if ascii(_mm512_or_si512(units[0], units[1])) == u32::MAX {
            if let Some(to) = to.first_chunk_mut::<LANES>() {
                store(to, narrow(units));
            }
            ahead = &ahead[2 * LANES..];
            room = &mut core::mem::take(&mut room)[LANES..];
        } else if let Some(bytes) = two_to_utf8::<BE, LOSSY, false>(units, to) {
            ahead = &ahead[2 * LANES..];
            room = &mut core::mem::take(&mut room)[bytes..];
        } else {
            let run = pairs_run::<BE, LOSSY>(ahead, room);
            ahead = &ahead[run.read..];
            room = &mut core::mem::take(&mut room)[run.written..];
            errors += run.errors;
            if run.read == 0 {
                break;
            }
        }
    }
    let done = Transcoded {
        read: src.len() - ahead.len(),
        written: dst_len - room.len(),
        errors,
    };
    if ahead.is_empty() {
        return done;
    }
    let (rest, to) = (&src[done.read..], &mut dst[done.written..]);
    if let Some(written) = last_two_to_utf8::<BE, LOSSY>(rest, to) {
        return Transcoded {
            read: src.len(),
            written: done.written + written,
            errors,
        };
    }
    at_end::<BE, LOSSY>(src, dst, done)
}

/// Converts the end of a text of more than one block and less than two, if it has no surrogates and there is
/// room. Returns the number of bytes written.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn last_two_to_utf8<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let (first, rest) = src.split_first_chunk::<LANES>()?;
    let after = (2 * LANES).checked_sub(src.len())? / 2;
    if rest.is_empty() || rest.len() % 2 == 1 {
        return None;
    }
    let units = [native::<BE>(load(first)), native::<BE>(load_front(rest))];
    if ascii(_mm512_or_si512(units[0], units[1])) == u32::MAX {
        store_front(dst.get_mut(..src.len() / 2)?, narrow(units));
        return Some(src.len() / 2);
    }
    // The zeros after the end become a byte each.
    if let Some(to) = dst.first_chunk_mut() {
        return Some(two_to_utf8::<BE, LOSSY, true>(units, to)? - after);
    }
    let mut between = [MaybeUninit::uninit(); ROOM_OF_TWO];
    let written = two_to_utf8::<BE, LOSSY, true>(units, &mut between)? - after;
    dst.get_mut(..written)?.copy_from_slice(&between[..written]);
    Some(written)
}

#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn two_blocks<const BE: bool>(blocks: &[u8; 2 * LANES]) -> [__m512i; 2] {
    let (blocks, _) = blocks.as_chunks::<LANES>();
    [
        native::<BE>(load(&blocks[0])),
        native::<BE>(load(&blocks[1])),
    ]
}

/// Narrows two blocks to bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn narrow([low, high]: [__m512i; 2]) -> __m512i {
    // The pack works within each 128-bit quarter: put the eighths in order.
    let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
    _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high))
}

/// Converts blocks while they have surrogates, up to a lone one unless `LOSSY`. A separate function, so that
/// the loop above has the registers that it needs.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn pairs_run<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    let mut done = Transcoded::NOTHING;
    // The previous unit if it is a leading surrogate, of whose pair only the first two bytes are written, or
    // else 0.
    let mut open = 0;
    while let Some(from) = src[done.read..].first_chunk::<{ 2 * LANES + 2 }>()
        && let Some(to) = dst[done.written..].first_chunk_mut::<ROOM_OF_TWO>()
        && let (Some(blocks), Some(&after)) = (from.first_chunk(), from.last_chunk())
    {
        let units = two_blocks::<BE>(blocks);
        if surrogates(units[0]) | surrogates(units[1]) == 0 {
            break;
        }
        let around = [open, code_unit::<BE>(after)];
        let converted = two_pairs_to_utf8::<BE, LOSSY>(blocks, units, around, to);
        if converted.stopped {
            break;
        }
        done.read += 2 * converted.units;
        done.written += converted.bytes;
        done.errors += converted.errors;
        open = converted.open;
    }
    if open != 0 {
        // A pair must not be left half written.
        done.read -= 2;
        done.written -= 2;
    }
    done
}

/// Converts what is left at the end of either buffer.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn at_end<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut done: Transcoded,
) -> Transcoded {
    let mut most = UNITS;
    loop {
        let src = &src[done.read..];
        let dst = &mut dst[done.written..];
        let len = (src.len() / 2).min(most);
        if len == 0 {
            return done;
        }
        let short = short_to_utf8::<BE, LOSSY>(&src[..2 * len], dst);
        let Transcoded {
            read,
            written,
            errors,
        } = short.replaced();
        done.read += read;
        done.written += written;
        done.errors += errors;
        if short.stopped || read == src.len() {
            return done;
        }
        if read == 0 {
            // A third of the room in units always fits.
            most = dst.len() / 3;
        }
    }
}
