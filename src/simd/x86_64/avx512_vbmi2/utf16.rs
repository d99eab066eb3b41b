//! UTF-16 to UTF-8 for AVX-512 with VBMI2, 32 code units at a time.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::utf16_block::{
    ROOM_OF_TWO, ascii, block_to_utf8, native, short_to_utf8, surrogates, two_pairs_to_utf8,
    two_to_utf8,
};
use super::utf16_bytes::UNITS;
use crate::simd::kernels::Transcoded;
use crate::simd::scalar;
use crate::simd::scalar::fill::{FillSource, Utf16BytesSource};
use crate::simd::scalar::utf16::{FixedOrder, code_unit};
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx512::{LANES, lanes_below, load, load_front, store, store_front};

/// Where lone surrogates are fewer than this many bytes apart, [`LOSSY_WINDOW`] bytes are converted by AVX2's kernel, of
/// whose smaller vectors fewer have one: with a lone surrogate among 100 units, pages take 0.7 times as long.
const NEAR: usize = 256;

const LOSSY_WINDOW: usize = 4096;

/// The number of bytes of a surrogate pair: otherwise, a lone surrogate and a unit that may follow it.
const PAIR: usize = 4;

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end. Returns the numbers
/// of bytes read and written, in registers as the functions below do: the caller would have to wait for a larger
/// result, which is returned in memory.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf8<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    strict::<BE, 0>(src, dst)
}

/// Converts UTF-16, at any alignment, with U+FFFD for every lone surrogate except a leading one at the end.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf8_lossy<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    let lossy = if BE {
        avx2::table::ENTRIES.utf16be_to_utf8_lossy
    } else {
        avx2::table::ENTRIES.utf16le_to_utf8_lossy
    };
    let mut done = Transcoded::NOTHING;
    loop {
        let (ahead, room) = done.rest(src, dst);
        let (read, written) = strict::<BE, 1>(ahead, room);
        done = done.then((read, written).into());
        let (ahead, room) = done.rest(src, dst);
        if ahead.is_empty() {
            return done;
        }
        let now = if read < NEAR {
            lossy(&ahead[..ahead.len().min(LOSSY_WINDOW)], room)
        } else {
            scalar::utf16::utf16_to_utf8(&ahead[..ahead.len().min(PAIR)], room, BE, true)
        };
        done = done.then(now);
        if now.read == 0 {
            return done;
        }
    }
}

/// Does what [`utf16_to_utf8`] does.
///
/// This is to be inlined, which the compiler does because each set of parameters has only one caller.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn strict<const BE: bool, const CALLER: u8>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    match short::<BE, CALLER>(src, dst) {
        Some(written) => (src.len(), written),
        None if src.len() >= MIN_LOOP_BYTES => wide::<BE>(src, dst),
        None => others::<BE>(src, dst),
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

/// Converts less than four blocks that [`short`] does not. Inlined, it would make short text pay for its stack frame.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn others<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() <= LANES && src.len().is_multiple_of(2) {
        let short = short_to_utf8::<BE>(src, dst);
        if short.stopped || short.read() == src.len() {
            return (short.read(), short.written());
        }
    }
    let Some(first) = src.get(..2 * LANES).and_then(<[_]>::first_chunk) else {
        return at_end::<BE>(src, dst);
    };
    // Text that begins with a pair usually has more of them.
    if (0xD800..0xE000).contains(&code_unit::<BE>(*first)) {
        wide::<BE>(src, dst)
    } else {
        blocks_one_by_one::<BE>(src, dst)
    }
}

/// Converts blocks one after the other.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn blocks_one_by_one<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
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
            None => at_end::<BE>(from, room),
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
fn wide<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
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
            let first = [surrogates(units[0]), surrogates(units[1])].map(u64::from);
            let first = (first[0] | first[1] << UNITS).trailing_zeros() as usize;
            if !begins_with_char::<BE>(&ahead[2 * first..])
                && let Some(bytes) = front_to_utf8::<BE>(blocks, first, to)
            {
                return (
                    src.len() - ahead.len() + 2 * first,
                    dst_len - room.len() + bytes,
                );
            }
            let run = pairs_run::<BE>(ahead, room);
            ahead = &ahead[run.0..];
            room = &mut core::mem::take(&mut room)[run.1..];
            if run.0 == 0 {
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
    let rest = blocks_one_by_one::<BE>(ahead, room);
    (read + rest.0, written + rest.1)
}

/// Returns whether a whole character is at the front: neither a lone surrogate nor a leading one at the end.
#[inline(always)]
fn begins_with_char<const BE: bool>(src: &[u8]) -> bool {
    FillSource::<u8>::front(Utf16BytesSource::new(FixedOrder::<BE>), src).is_some()
}

/// Converts the first `count` units of two blocks. Returns the number of bytes written; `None` if there are surrogates
/// among them.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn front_to_utf8<const BE: bool>(
    blocks: &[u8; 2 * LANES],
    count: usize,
    to: &mut [MaybeUninit<u8>; ROOM_OF_TWO],
) -> Option<usize> {
    let front = lanes_below(count);
    let units = two_blocks::<BE>(blocks);
    let units = [
        _mm512_maskz_mov_epi16(front as u32, units[0]),
        _mm512_maskz_mov_epi16((front >> UNITS) as u32, units[1]),
    ];
    // The zeros after them became a byte each.
    two_to_utf8::<BE, 2>(units, to).map(|bytes| bytes - (2 * UNITS - count))
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
pub(super) fn narrow([low, high]: [__m512i; 2]) -> __m512i {
    // The pack works within each 128-bit quarter: put the eighths in order.
    let order = _mm512_set_epi64(7, 5, 3, 1, 6, 4, 2, 0);
    _mm512_permutexvar_epi64(order, _mm512_packus_epi16(low, high))
}

/// Converts blocks while they have surrogates, none of them lone. A separate function, so that the loop above has the
/// registers that it needs.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn pairs_run<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let mut done = (0, 0);
    // The previous unit if it is a leading surrogate, of whose pair only the first two bytes are written, or
    // else 0.
    let mut open = 0;
    while let Some(from) = src[done.0..].first_chunk::<{ 2 * LANES + 2 }>()
        && let Some(to) = dst[done.1..].first_chunk_mut::<ROOM_OF_TWO>()
        && let (Some(blocks), Some(&after)) = (from.first_chunk(), from.last_chunk())
    {
        let units = two_blocks::<BE>(blocks);
        if surrogates(units[0]) | surrogates(units[1]) == 0 {
            break;
        }
        let around = [open, code_unit::<BE>(after)];
        let Some(converted) = two_pairs_to_utf8::<BE>(blocks, units, around, to) else {
            break;
        };
        done.0 += 2 * LANES;
        done.1 += converted.bytes;
        open = converted.open;
    }
    if open != 0 {
        // A pair must not be left half written.
        done.0 -= 2;
        done.1 -= 2;
    }
    done
}

/// Converts text with surrogates, or as much as there is room for.
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn at_end<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let mut done = (0, 0);
    let mut most = UNITS;
    loop {
        let src = &src[done.0..];
        let dst = &mut dst[done.1..];
        let len = (src.len() / 2).min(most);
        if len == 0 {
            return done;
        }
        let short = short_to_utf8::<BE>(&src[..2 * len], dst);
        done = (done.0 + short.read(), done.1 + short.written());
        if short.stopped || short.read() == src.len() {
            return done;
        }
        if short.read() == 0 {
            // A third of the room in units always fits.
            most = dst.len() / 3;
        }
    }
}
