//! UTF-16 to UTF-8 for AVX-512 with VBMI2, 32 code units at a time.

use core::arch::x86_64::{
    __m512i, _mm512_or_si512, _mm512_packus_epi16, _mm512_permutexvar_epi64, _mm512_set_epi64,
};
use core::mem::MaybeUninit;

use super::utf16_block::{
    ROOM_OF_TWO, ascii, block_to_utf8, native, short_to_utf8, surrogates, two_pairs_to_utf8,
    two_to_utf8,
};
use super::utf16_bytes::UNITS;
use crate::simd::kernels::Transcoded;
use crate::simd::scalar::utf16::code_unit;
use crate::simd::x86_64::avx512::{LANES, load, load_front, store, store_front};

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end. Returns the numbers
/// of bytes read and written, in registers as the functions below do: the caller would have to wait for a larger
/// result, which is returned in memory.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf8<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    match short::<BE, 0>(src, dst) {
        Some(written) => (src.len(), written),
        None if src.len() >= MIN_LOOP_BYTES => wide::<BE>(src, dst, false, &mut 0),
        None => others::<BE>(src, dst, false, &mut 0),
    }
}

/// Converts UTF-16, at any alignment, with U+FFFD for every lone surrogate except a leading one at the end.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf8_lossy<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    let mut errors = 0;
    let (read, written) = match short::<BE, 1>(src, dst) {
        Some(written) => (src.len(), written),
        None if src.len() >= MIN_LOOP_BYTES => wide::<BE>(src, dst, true, &mut errors),
        None => others::<BE>(src, dst, true, &mut errors),
    };
    Transcoded {
        read,
        written,
        errors,
    }
}

/// Converts less than four blocks without surrogates. Returns the number of bytes written; `None` if there are more or
/// they don't fit.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn short<const BE: bool, const CALLER: u8>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    if !src.len().is_multiple_of(2) {
        None
    } else if src.len() <= 2 * LANES {
        two_at_most::<BE, CALLER>(src, dst)
    } else if src.len() < MIN_LOOP_BYTES {
        less_than_four::<BE>(src, dst)
    } else {
        None
    }
}

/// Does what [`short`] does for more than two blocks. A separate function, so that two blocks need no stack frame.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn less_than_four<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if let Some(written) = ascii_to_utf8::<BE>(src, dst) {
        return Some(written);
    }
    let (first, rest) = src.split_first_chunk()?;
    let to = dst.first_chunk_mut::<ROOM_OF_TWO>()?;
    let written = two_to_utf8::<BE, 1>(two_blocks::<BE>(first), to)?;
    Some(written + two_at_most::<BE, 2>(rest, dst.get_mut(written..)?)?)
}

/// Converts up to two blocks without surrogates. Returns the number of bytes written; `None` if there are more or
/// they don't fit. In a loop, all constants would be loaded before the first block.
///
/// This is to be inlined, which the compiler does because each set of parameters has only one caller. That is what
/// `CALLER` is for.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn two_at_most<const BE: bool, const CALLER: u8>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    debug_assert!(src.len().is_multiple_of(2), "whole units");
    let Some((first, rest)) = src.split_first_chunk::<LANES>() else {
        let units = native::<BE>(load_front(src));
        return block_to_utf8(units, src.len() / 2, dst);
    };
    let units = [native::<BE>(load(first)), native::<BE>(load_front(rest))];
    if ascii(_mm512_or_si512(units[0], units[1])) == u32::MAX {
        store_front(dst.get_mut(..src.len() / 2)?, narrow(units));
        return Some(src.len() / 2);
    }
    let written = block_to_utf8(units[0], UNITS, dst)?;
    Some(written + block_to_utf8(units[1], rest.len() / 2, &mut dst[written..])?)
}

/// From this many bytes on, blocks are converted in a loop that keeps its constants in registers.
const MIN_LOOP_BYTES: usize = 4 * LANES;

/// Converts less than four blocks that [`short`] does not, and adds the number of lone surrogates to `errors`. Inlined,
/// it would make short text pay for its stack frame.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn others<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_lossy: bool,
    errors: &mut usize,
) -> (usize, usize) {
    if src.len() <= LANES && src.len().is_multiple_of(2) {
        let short = short_to_utf8::<BE>(src, dst, is_lossy);
        let done = short.replaced();
        if short.stopped || done.read == src.len() {
            *errors += done.errors;
            return (done.read, done.written);
        }
    }
    let Some(first) = src.get(..2 * LANES).and_then(<[_]>::first_chunk) else {
        return at_end::<BE>(src, dst, is_lossy, errors);
    };
    // Text that begins with a pair usually has more of them.
    if (0xD800..0xE000).contains(&code_unit::<BE>(*first)) {
        wide::<BE>(src, dst, is_lossy, errors)
    } else {
        blocks_one_by_one::<BE>(src, dst, is_lossy, errors)
    }
}

/// Converts blocks one after the other.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn blocks_one_by_one<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_lossy: bool,
    errors: &mut usize,
) -> (usize, usize) {
    // Half a unit at the end would be converted as well.
    let src = &src[..src.len() / 2 * 2];
    if let Some(written) = ascii_to_utf8::<BE>(src, dst) {
        return (src.len(), written);
    }
    let mut done = (0, 0);
    while done.0 < src.len() {
        let from = &src[done.0..];
        let from = &from[..from.len().min(LANES)];
        let room = &mut dst[done.1..];
        let now = match block_to_utf8(native::<BE>(load_front(from)), from.len() / 2, room) {
            Some(written) => (from.len(), written),
            None => at_end::<BE>(from, room, is_lossy, errors),
        };
        if now.0 == 0 {
            break;
        }
        done = (done.0 + now.0, done.1 + now.1);
    }
    done
}

/// Converts two to four blocks if they are ASCII and fit. Returns the number of bytes.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn ascii_to_utf8<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() > 4 * LANES {
        return None;
    }
    let first = two_blocks::<BE>(src.first_chunk()?);
    // May overlap with the first two.
    let last = two_blocks::<BE>(src.last_chunk()?);
    let any = [
        _mm512_or_si512(first[0], first[1]),
        _mm512_or_si512(last[0], last[1]),
    ];
    if ascii(_mm512_or_si512(any[0], any[1])) != u32::MAX {
        return None;
    }
    let to = dst.get_mut(..src.len() / 2)?;
    store(to.first_chunk_mut()?, narrow(first));
    store(to.last_chunk_mut()?, narrow(last));
    Some(src.len() / 2)
}

/// Converts two blocks at a time while there are two, and room for what they may become; then the rest.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn wide<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_lossy: bool,
    errors: &mut usize,
) -> (usize, usize) {
    let dst_len = dst.len();
    let (mut ahead, mut room) = (src, &mut *dst);
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
        } else if let Some(bytes) = two_to_utf8::<BE, 0>(units, to) {
            ahead = &ahead[2 * LANES..];
            room = &mut core::mem::take(&mut room)[bytes..];
        } else {
            let run = pairs_run::<BE>(ahead, room, is_lossy);
            ahead = &ahead[run.read..];
            room = &mut core::mem::take(&mut room)[run.written..];
            *errors += run.errors;
            if run.read == 0 {
                break;
            }
        }
    }
    let (read, written) = (src.len() - ahead.len(), dst_len - room.len());
    if ahead.is_empty() {
        return (read, written);
    }
    if let Some(more) = ascii_end::<BE>(src, read, dst, written) {
        return (src.len(), written + more);
    }
    let (ahead, room) = (&src[read..], &mut dst[written..]);
    let rest = blocks_one_by_one::<BE>(ahead, room, is_lossy, errors);
    (read + rest.0, written + rest.1)
}

/// Converts the rest of the text, if that is less than two blocks, as part of the last two, if these are ASCII.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn ascii_end<const BE: bool>(
    src: &[u8],
    read: usize,
    dst: &mut [MaybeUninit<u8>],
    written: usize,
) -> Option<usize> {
    let left = src.len() - read;
    if left >= 2 * LANES || !left.is_multiple_of(2) {
        return None;
    }
    let units = two_blocks::<BE>(src.last_chunk()?);
    if ascii(_mm512_or_si512(units[0], units[1])) != u32::MAX {
        return None;
    }
    let to = dst.get_mut(..written + left / 2)?;
    store(to.last_chunk_mut()?, narrow(units));
    Some(left / 2)
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

/// Converts blocks while they have surrogates, up to a lone one unless `is_lossy`. A separate function, so that
/// the loop above has the registers that it needs.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn pairs_run<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_lossy: bool,
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
        let converted = two_pairs_to_utf8::<BE>(blocks, units, around, is_lossy, to);
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

/// Converts text with surrogates, or as much as there is room for.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn at_end<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_lossy: bool,
    errors: &mut usize,
) -> (usize, usize) {
    let mut done = (0, 0);
    let mut most = UNITS;
    loop {
        let src = &src[done.0..];
        let dst = &mut dst[done.1..];
        let len = (src.len() / 2).min(most);
        if len == 0 {
            return done;
        }
        let short = short_to_utf8::<BE>(&src[..2 * len], dst, is_lossy);
        let now = short.replaced();
        done = (done.0 + now.read, done.1 + now.written);
        *errors += now.errors;
        if short.stopped || now.read == src.len() {
            return done;
        }
        if now.read == 0 {
            // A third of the room in units always fits.
            most = dst.len() / 3;
        }
    }
}
