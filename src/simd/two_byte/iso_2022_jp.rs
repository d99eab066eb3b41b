//! ISO-2022-JP ↔ UTF-16 and UTF-8, run by run: pairs, an escape sequence, ASCII, an escape sequence, … The
//! runs are those of `decode.rs` and `encode.rs`, with an index whose bytes are below 80.

use core::mem::MaybeUninit;

use super::cells::TwoByteCells;
use super::decode::{FindUnit, Target, put_many_pairs};
use super::encode::{FindBytes, Source, put_groups, put_two};
use super::index::TwoByteIndex;
use crate::simd::scalar::ascii::{ESC, HIGH_BITS};
use crate::simd::scalar::each;
use crate::simd::scalar::fill::{Fill, FillUnit};

/// The state of a decoder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JisState {
    /// Whether it expects two bytes of JIS X 0208, and not ASCII.
    pub(crate) pairs: bool,
    /// The last byte of the escape sequence right before, or 0.
    pub(crate) escape: u8,
}

/// Decodes from the front of `src`, up to anything that is not ASCII, a pair of the index or an escape
/// sequence between them, or that does not fit. Returns the number of bytes read and of units written.
#[inline(always)]
pub(in crate::simd) fn decode<T: Target>(
    target: T,
    index: &TwoByteIndex,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<T::Unit>],
) -> (usize, usize) {
    match index.flat(src.len()) {
        Some(flat) => decode_with(target, flat, state, src, dst),
        None => {
            let done = decode_with(target, index, state, src, dst);
            index.count(done.0);
            done
        }
    }
}

#[inline(always)]
fn decode_with<T: Target>(
    target: T,
    look_up: impl FindUnit,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<T::Unit>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        if state.pairs {
            let (taken, put) = put_many_pairs(
                target,
                look_up,
                &src[read..],
                dst.get_mut(written..).unwrap_or_default(),
            );
            let before = read;
            read += taken;
            written += put;
            // A separate loop for the last few pairs takes less time than the loop around it, which tests for
            // everything that may come.
            while let Some(&[lead, trail]) = src.get(read..).and_then(<[_]>::first_chunk)
                && lead > ESC
                && let unit = look_up.unit([lead, trail])
                && unit != 0
                && let Some(put) = target.put(unit, dst.get_mut(written..).unwrap_or_default())
            {
                read += 2;
                written += put;
            }
            if read > before {
                state.escape = 0;
            }
        }
        let ahead = src.get(read..).unwrap_or_default();
        let room = dst.get_mut(written..).unwrap_or_default();
        let (taken, put) = match *ahead {
            // Two escape sequences in a row are malformed.
            [ESC, b'(', b'B', ..] if state.escape == 0 => {
                (state.pairs, state.escape) = (false, b'B');
                read += 3;
                continue;
            }
            [ESC, b'$', end @ (b'@' | b'B'), ..] if state.escape == 0 => {
                (state.pairs, state.escape) = (true, end);
                read += 3;
                continue;
            }
            [lead, trail, ..] if state.pairs => match look_up.unit([lead, trail]) {
                0 => break,
                unit => match target.put(unit, room) {
                    Some(put) => (2, put),
                    None => break,
                },
            },
            [_, ..] if !state.pairs => match target.put_ascii(ahead, room) {
                0 => break,
                run => (run, run),
            },
            _ => break,
        };
        read += taken;
        written += put;
        state.escape = 0;
    }
    (read, written)
}

/// Decodes like [`decode`] into little room, one character at a time.
#[inline(always)]
pub(crate) fn fill<To: FillUnit>(
    index: &TwoByteIndex,
    state: &mut JisState,
    src: &[u8],
    dst: &mut [MaybeUninit<To>],
) -> Fill {
    let mut done = Fill::default();
    loop {
        let ahead = src.get(done.read..).unwrap_or_default();
        let room = dst.get_mut(done.written..).unwrap_or_default();
        let (read, written) = match *ahead {
            [ESC, b'(', b'B', ..] if state.escape == 0 => {
                (state.pairs, state.escape) = (false, b'B');
                done.read += 3;
                continue;
            }
            [ESC, b'$', end @ (b'@' | b'B'), ..] if state.escape == 0 => {
                (state.pairs, state.escape) = (true, end);
                done.read += 3;
                continue;
            }
            [lead, trail, ..] if state.pairs => match index.unit(lead, trail) {
                0 => break,
                unit => {
                    let front = To::of_unit(unit, 2);
                    if !To::put_units(room, front.units, front.written) {
                        done.full = true;
                        break;
                    }
                    (2, front.written)
                }
            },
            [byte, ..] if !state.pairs && !is_shift_or_other(u32::from(byte)) => {
                match put_unshifted_bytes(ahead, room) {
                    0 => {
                        done.full = true;
                        break;
                    }
                    run => (run, run),
                }
            }
            _ => break,
        };
        done.read += read;
        done.written += written;
        state.escape = 0;
    }
    done
}

/// Encodes from the front of `src`, up to a character that is not ASCII and has no pair, or that does not
/// fit. Where `pairs` changes, writes an escape sequence. Returns the number of units read and of bytes
/// written.
#[inline(always)]
pub(in crate::simd) fn encode<S: Source>(
    source: S,
    cells: &TwoByteCells,
    pairs: &mut bool,
    src: &[S::Unit],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    match cells.flat(src.len()) {
        Some(flat) => encode_with(source, flat, pairs, src, dst),
        None => {
            let done = encode_with(source, cells, pairs, src, dst);
            cells.count(done.0);
            done
        }
    }
}

#[inline(always)]
fn encode_with<S: Source>(
    source: S,
    look_up: impl FindBytes,
    pairs: &mut bool,
    src: &[S::Unit],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    if size_of_val(src) <= MAX_SHORT_BYTES
        && let Some(&first) = src.first()
        && first.into() >= 0x80
    {
        (read, written) = encode_one_by_one(source, look_up, pairs, src, dst);
    }
    loop {
        if *pairs {
            let (taken, put) = put_groups(
                source,
                look_up,
                &src[read..],
                dst.get_mut(written..).unwrap_or_default(),
            );
            read += taken;
            written += put;
        }
        let ahead = src.get(read..).unwrap_or_default();
        let room = dst.get_mut(written..).unwrap_or_default();
        let Some(&first) = ahead.first() else { break };
        let ascii = first.into() < 0x80;
        // An escape sequence, if one is due, and at least a character after it.
        let (escape, room) = match room.split_first_chunk_mut::<3>() {
            Some((escape, room)) if ascii == *pairs => (Some(escape), room),
            _ if ascii == *pairs => break,
            _ => (None, room),
        };
        let (taken, put) = if ascii {
            let run = source.put_ascii(ahead, room);
            (run, run)
        } else {
            match (source.front(ahead), room.first_chunk_mut()) {
                (Some((unit, len)), Some(to)) => match look_up.bytes(unit) {
                    0 => break,
                    bytes => {
                        put_two(to, bytes);
                        (len, 2)
                    }
                },
                _ => break,
            }
        };
        if taken == 0 {
            break;
        }
        if let Some(escape) = escape {
            *pairs = !ascii;
            let bytes = if *pairs { b"$B" } else { b"(B" };
            *escape = [ESC, bytes[0], bytes[1]].map(MaybeUninit::new);
            written += 3;
        }
        read += taken;
        written += put;
    }
    (read, written)
}

/// Text of up to this many bytes that does not start with ASCII is encoded one character at a time, which takes 0.7
/// times as long; for whole pages, it would take 1.1 times as long.
const MAX_SHORT_BYTES: usize = 32;

/// Encodes from the front of `src` one character at a time while there is ample room.
#[inline(always)]
fn encode_one_by_one<S: Source>(
    source: S,
    look_up: impl FindBytes,
    pairs: &mut bool,
    src: &[S::Unit],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(&first) = src.get(read)
        && let Some(to) = dst.get_mut(written..)
        && let Some(to) = to.first_chunk_mut::<8>()
    {
        let first = first.into();
        let (bytes, bytes_len, len) = if first >= 0x80 {
            let Some((unit, len)) = source.front(&src[read..]) else {
                break;
            };
            match look_up.bytes(unit) {
                0 => break,
                bytes => (u64::from(bytes), 2, len),
            }
        } else if is_shift_or_other(first) {
            break;
        } else {
            (u64::from(first), 1, 1)
        };
        let is_pair = bytes_len == 2;
        let mut word = bytes;
        if *pairs != is_pair {
            let [a, b] = if is_pair { *b"$B" } else { *b"(B" };
            word = bytes << 24 | u64::from(u32::from_le_bytes([ESC, a, b, 0]));
            written += 3;
            *pairs = is_pair;
        }
        *to = word.to_le_bytes().map(MaybeUninit::new);
        read += len;
        written += bytes_len;
    }
    (read, written)
}

/// Returns whether this is ESC, SO or SI, or not ASCII.
#[inline(always)]
fn is_shift_or_other(unit: u32) -> bool {
    const ESC_UNIT: u32 = ESC as u32;
    (unit >= 0x80) | matches!(unit, 0x0E | 0x0F | ESC_UNIT)
}

/// Copies ASCII except ESC, SO and SI from the front, as far as there is room; returns its length.
#[inline(always)]
pub(in crate::simd) fn put_unshifted<From: Copy + Into<u32>, To: core::convert::From<u8>>(
    src: &[From],
    to: &mut [MaybeUninit<To>],
) -> usize {
    // Most runs between pairs are short.
    let most = src.len().min(4);
    let mut run = put_one_by_one(&src[..most], to);
    if run < most {
        return run;
    }
    // Eight at a time, which compilers vectorise.
    while let Some(from) = src.get(run..).and_then(<[_]>::first_chunk::<8>)
        && let Some(to) = to.get_mut(run..).and_then(<[_]>::first_chunk_mut::<8>)
    {
        let mut stops = false;
        for &unit in from {
            stops |= is_shift_or_other(unit.into());
        }
        if stops {
            break;
        }
        each(
            from,
            to,
            #[inline(always)]
            |unit| (unit.into() as u8).into(),
        );
        run += 8;
    }
    run + put_one_by_one(&src[run..], &mut to[run..])
}

/// Does what [`put_unshifted`] does, one unit at a time.
#[inline(always)]
fn put_one_by_one<From: Copy + Into<u32>, To: core::convert::From<u8>>(
    src: &[From],
    to: &mut [MaybeUninit<To>],
) -> usize {
    let mut run = 0;
    for (&unit, to) in src.iter().zip(to) {
        if is_shift_or_other(unit.into()) {
            break;
        }
        to.write((unit.into() as u8).into());
        run += 1;
    }
    run
}

/// Copies ASCII bytes except ESC, SO and SI from the front, as far as there is room, eight at a time; returns
/// their number.
#[inline(always)]
pub(in crate::simd) fn put_unshifted_bytes<To: From<u8>>(
    src: &[u8],
    to: &mut [MaybeUninit<To>],
) -> usize {
    let mut run = 0;
    while let Some(from) = src.get(run..).and_then(<[_]>::first_chunk::<8>)
        && let Some(to) = to.get_mut(run..).and_then(<[_]>::first_chunk_mut::<8>)
    {
        each(from, to, To::from);
        let len = unshifted_prefix(u64::from_le_bytes(*from));
        run += len;
        if len < 8 {
            return run;
        }
    }
    run + put_one_by_one(&src[run..], &mut to[run..])
}

/// Returns how many of the bytes at the front are ASCII other than ESC, SO and SI.
#[inline(always)]
fn unshifted_prefix(word: u64) -> usize {
    const ONES: u64 = HIGH_BITS >> 7;
    let ascii = word & !HIGH_BITS;
    // No sum carries into the next byte.
    let not = |byte: u64, bits: u64| ((ascii ^ (ONES * byte)) & (ONES * bits)) + ONES * 0x7F;
    let stops = word | !not(0x0E, 0x7E) | !not(ESC.into(), 0x7F);
    ((stops & HIGH_BITS).trailing_zeros() / 8) as usize
}
