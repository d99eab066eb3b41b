//! UTF-8 to UTF-32, 64 bytes at a time.
//!
//! At every position of a block, the scalar value is computed that is right if a character ends before it
//! (`utf8_scalars.rs`). The values of actual characters are then moved together: eight positions at a time, by a
//! shuffle, unless an instruction set has a better way ([`Steps32`]).
//!
//! Stops before malformed or incomplete sequences, and before characters that don't fit.

use core::mem::MaybeUninit;

use super::utf8_scalars::{ScalarMasks, Scalars, ScalarsOfBlock, has_fours, scalars};
use super::utf8_steps::Steps;
use super::utf8_to_utf16::MAX_STARTS_OF_THREES;
use super::utf8_units::{
    BEFORE, Constants, Texts, bytes, copy_ends, each, texts_at, texts_of_block,
};
use super::utf32::test_last_4;
use super::{BLOCK, any_bits};
use crate::simd::scalar;
use crate::simd::scalar::blocks::convert_all;
use crate::simd::shared::shuffles::WINDOWS;
use crate::simd::vector::{Text, Vector};

/// Room for the UTF-32 code units of a block.
pub(in crate::simd) type Units32 = [MaybeUninit<u32>; BLOCK];

/// What an instruction set does in its own way on the path from UTF-8 to UTF-32.
pub(in crate::simd) trait Steps32: Steps {
    /// Converts all of a short well-formed input, if the output fits, by code that needs no stack frame.
    #[inline(always)]
    fn try_short_to_utf32(self, _src: &[u8], _dst: &mut [MaybeUninit<u32>]) -> Option<usize> {
        None
    }

    /// Writes the scalar values at the bits of `starts` to the front; the rest may be overwritten.
    #[inline(always)]
    fn emit(self, to: &mut Units32, starts: u64, scalars: ScalarsOfBlock<Self>) {
        emit(self, to, starts, scalars);
    }

    /// Writes eight scalar values of the Basic Multilingual Plane.
    #[inline(always)]
    fn put_bmp(self, to: &mut [MaybeUninit<u8>; 32], units: <Self::Part as Vector>::V) {
        put(self.part(), to, units, self.part().splat_u8(0));
    }

    /// Writes the scalar values at the bits of `starts` to the front of `to`, which has room for them; the rest may be
    /// overwritten.
    #[inline(always)]
    fn write(self, to: &mut [MaybeUninit<u32>], starts: u64, scalars: ScalarsOfBlock<Self>) {
        let mut between = [MaybeUninit::uninit(); BLOCK];
        self.emit(
            to.first_chunk_mut().unwrap_or(&mut between),
            starts,
            scalars,
        );
        if to.len() < BLOCK {
            let len = starts.count_ones() as usize;
            copy_ends(&mut to[..len], &between[..len]);
        }
    }

    /// Converts a run of three-byte characters, if that is worthwhile. Returns their number.
    #[inline(always)]
    fn threes_to_utf32(self, _src: &[u8], _dst: &mut [MaybeUninit<u32>]) -> usize {
        0
    }
}

/// Writes eight scalar values, given by their lower and upper halves.
#[inline(always)]
fn put<V: Vector>(v: V, to: &mut [MaybeUninit<u8>; 32], low: V::V, high: V::V) {
    let [first, last] = v.interleave_u16(low, high);
    v.store(to, first);
    v.store(&mut to[16..], last);
}

/// The default of [`Steps32::emit`].
#[inline(always)]
fn emit<S: Steps32>(s: S, to: &mut Units32, starts: u64, scalars: ScalarsOfBlock<S>) {
    let part = s.part();
    let mut to = to.as_mut_ptr();
    for (i, scalars) in scalars.iter().enumerate().take(BLOCK / S::LANES) {
        let Scalars { low, high, top } = *scalars;
        let words = s.interleave_u8(low, high);
        let tops = s.interleave_u8(top.unwrap_or(low), s.splat_u8(0));
        for j in 0..S::LANES / 8 {
            let set = (starts >> (S::LANES * i + 8 * j)) as u8;
            let row = part.load(&WINDOWS.0[usize::from(set)]);
            let words = part.look_up(s.part_of(words, j), row);
            // SAFETY: at most eight units were written for each window before this one, which is at most the
            // eighth, so 32 of the 256 bytes of `to` are left; bytes need no alignment.
            let room = unsafe { &mut *to.cast::<[MaybeUninit<u8>; 32]>() };
            if top.is_some() {
                put(part, room, words, part.look_up(s.part_of(tops, j), row));
            } else {
                s.put_bmp(room, words);
            }
            to = to.wrapping_add(set.count_ones() as usize);
        }
    }
}

/// Loads up to 64 bytes from the second one on, followed by zeros.
#[inline(always)]
fn texts_from_1<V: Vector>(v: V, src: &[u8]) -> Texts<V> {
    let mut texts = texts_at(v, src, 0);
    for (i, text) in texts.iter_mut().take(BLOCK / V::LANES).enumerate() {
        *text = Text {
            bytes: v.load_front(src.get(1 + V::LANES * i..).unwrap_or_default()),
            one_before: text.bytes,
            two_before: text.one_before,
            three_before: text.two_before,
            four_before: text.three_before,
        };
    }
    texts
}

/// Converts well-formed UTF-8. Returns the number of bytes read and of code units written.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf32<W: Steps32>(
    w: W,
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
) -> (usize, usize) {
    if let Some(written) = w.try_short_to_utf32(src, dst) {
        (src.len(), written)
    } else if widens_short_ascii(w, src, dst) {
        (src.len(), src.len())
    } else {
        not_short_ascii(w, src, dst)
    }
}

/// Converts what is not a short piece of ASCII. ASCII and other characters have functions of their own here: ASCII text
/// does not need their registers, nor does a block need the constants of a loop.
#[inline(never)]
fn not_short_ascii<W: Steps32>(w: W, src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    w.run_on(
        src,
        dst,
        #[inline(always)]
        |w, src, dst| {
            if let [] | [0x80..0xC0, ..] = *src {
                return (0, 0);
            }
            if src.len() <= BLOCK {
                let (starts, _) = any_block_apart(w, src, 1, dst);
                return (end(src, 1, starts), starts.count_ones() as usize);
            }
            // Many texts begin with ASCII, or are all ASCII.
            let run = ascii_blocks(w, src, dst);
            let (rest, room) = (&src[run..], &mut dst[run..]);
            if rest.is_empty() || run > 0 && widens_short_ascii(w, rest, room) {
                return (src.len(), src.len());
            }
            let (read, written) = w.run_apart(
                rest,
                room,
                #[inline(always)]
                |w, src, dst| characters(w, src, dst),
            );
            (run + read, run + written)
        },
    )
}

/// Widens text of up to a block, if it is ASCII and there is room for it. Returns whether it has.
#[inline(always)]
fn widens_short_ascii<W: Vector>(w: W, src: &[u8], dst: &mut [MaybeUninit<u32>]) -> bool {
    if src.len() > BLOCK || src.len() > dst.len() {
        return false;
    }
    let is_ascii = if W::LANES == BLOCK {
        w.is_ascii(w.load_front(src))
    } else {
        test_last_4(
            w,
            src,
            #[inline(always)]
            |vectors| w.is_ascii(any_bits(w, vectors)),
        )
    };
    if is_ascii {
        convert_all(src, dst, u32::from);
    }
    is_ascii
}

/// Does what [`any_block`] does, in a function of its own. With enough registers for constants, that is the first block.
#[inline(always)]
fn any_block_apart<W: Steps32>(
    w: W,
    src: &[u8],
    at: usize,
    dst: &mut [MaybeUninit<u32>],
) -> (u64, bool) {
    let at = if W::KEEPS_CONSTANTS { 1 } else { at };
    w.run_apart(
        src,
        dst,
        #[inline(always)]
        move |w, src, dst| {
            let (c, m) = (&Constants::for_block(w), &ScalarMasks::for_block(w));
            any_block(w, c, m, src, at, dst)
        },
    )
}

/// Converts a block of any kind: the first, the last, one with malformed input or with little room. `at` is its position
/// in `src`, 1 or at least the length of a block. Returns the starts of characters, before each of which one was written,
/// and whether the last of them ends the conversion.
#[inline(always)]
fn any_block<W: Steps32>(
    w: W,
    c: &Constants<W>,
    m: &ScalarMasks<W::V>,
    src: &[u8],
    at: usize,
    dst: &mut [MaybeUninit<u32>],
) -> (u64, bool) {
    let texts = &if at == 1 {
        texts_from_1(w, src)
    } else {
        texts_at(w, src, at)
    };
    let rest = src.len() - at;
    // One more start is assumed after the last byte.
    let after = !0 >> (BLOCK - 1 - rest.min(BLOCK - 1));
    let wrong = w.block_not_zero(each(
        w,
        texts,
        #[inline(always)]
        |text| c.errors::<4>(w, *text),
    ));
    let wrong = wrong & after;
    let mut starts = !w.block_continuations(each(w, texts, bytes)) & after;
    let mut ends = rest < BLOCK;
    // As a branch: what is written must not wait for what is tested.
    if wrong != 0 || starts.count_ones() as usize > dst.len() {
        starts = lowest(starts & wrong.wrapping_sub(1) & !wrong, dst.len());
        ends = true;
    }
    // Two ways to the end, so that text without characters of four bytes has nothing to do with them.
    if has_fours(w, texts) || at >= BEFORE && src[at - BEFORE] >= 0xF0 {
        w.write(dst, starts, scalars(w, m, texts, true));
    } else {
        w.write(dst, starts, scalars(w, m, texts, false));
    }
    (starts, ends)
}

/// Converts text of any characters.
#[inline(always)]
fn characters<W: Steps32>(w: W, src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    if let [] | [0x80..0xC0, ..] = *src {
        return (0, 0);
    }
    let (c, m) = (&Constants::for_loop(w), &ScalarMasks::for_loop(w));
    let (mut at, mut written) = (1, 0);
    loop {
        let room = &mut dst[written..];
        let (starts, ends) = if W::KEEPS_CONSTANTS {
            any_block(w, c, m, src, at, room)
        } else {
            any_block_apart(w, src, at, room)
        };
        written += starts.count_ones() as usize;
        if ends {
            return (end(src, at, starts), written);
        }
        at += BLOCK;
        // Whole blocks of well-formed input.
        let mut starts_before = !0;
        while let (Some(block), Some(to)) = (
            src[at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>(),
            dst[written..].first_chunk_mut::<{ BLOCK + 1 }>(),
        ) {
            let texts = &texts_of_block(w, block);
            let here = each(w, texts, bytes);
            if w.is_ascii(any_bits(w, here)) && block[BEFORE - 1] < 0x80 {
                to[0].write(u32::from(block[BEFORE - 1]));
                let len = ascii_blocks(w, &src[at..], &mut dst[written + 1..]);
                at += len;
                written += len;
                continue;
            }
            let Some(to) = to.first_chunk_mut() else {
                break;
            };
            let fours = has_fours(w, texts) || block[0] >= 0xF0;
            let starts = !w.block_continuations(here);
            if fours {
                let errors = each(
                    w,
                    texts,
                    #[inline(always)]
                    |text| c.errors::<4>(w, *text),
                );
                if w.any(any_bits(w, errors)) {
                    break;
                }
                w.emit(to, starts, scalars(w, m, texts, true));
            } else {
                let errors = each(
                    w,
                    texts,
                    #[inline(always)]
                    |text| c.errors::<3>(w, *text),
                );
                if w.any(any_bits(w, errors)) {
                    break;
                }
                w.emit(to, starts, scalars(w, m, texts, false));
            }
            written += starts.count_ones() as usize;
            let likely = has_mostly_threes(starts)
                && (W::BLOCKS_BEFORE_THREES == 1 || has_mostly_threes(starts_before));
            starts_before = starts;
            if likely && !fours {
                // From the last start on, before which everything is written.
                let from = at + BLOCK - 1 - starts.leading_zeros() as usize;
                let more = w.threes_to_utf32(&src[from..], &mut dst[written..]);
                if more > 0 {
                    at = from + 3 * more;
                    // The last character is left, and written again.
                    written += more - 1;
                    continue;
                }
            }
            at += BLOCK;
        }
    }
}

/// Returns whether a block of characters of at most three bytes has hardly any shorter ones.
#[inline(always)]
fn has_mostly_threes(starts: u64) -> bool {
    starts.count_ones() as usize <= MAX_STARTS_OF_THREES
}

/// Returns the lowest bits of a mask, at most `count`.
#[cold]
#[inline(never)]
fn lowest(mask: u64, count: usize) -> u64 {
    let mut lowest = mask;
    for _ in count..mask.count_ones() as usize {
        lowest &= !(1 << 63 >> lowest.leading_zeros());
    }
    lowest
}

/// Returns the start of the first unwritten character: the last bit of `starts`, or a position before the
/// block.
#[inline(always)]
fn end(src: &[u8], at: usize, starts: u64) -> usize {
    match starts.checked_ilog2() {
        Some(last) => at + last as usize,
        None => {
            let is_start = |byte: &u8| !(0x80..0xC0).contains(byte);
            src[..at].iter().rposition(is_start).unwrap_or_default()
        }
    }
}

/// Widens the ASCII blocks at the front, as far as there is room. Returns their length.
#[inline(always)]
fn ascii_blocks<W: Vector>(w: W, src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    /// The number of bytes for which aligned stores pay.
    const MIN_ALIGNED: usize = 8 * BLOCK;
    let len = unaligned_ascii(w, &src[..src.len().min(MIN_ALIGNED)], dst);
    if len < MIN_ALIGNED {
        return len;
    }
    // Goes back to an aligned address, writing a few units again.
    let len = len - dst[len..].as_ptr().addr() % 64 / 4;
    len + unaligned_ascii(w, &src[len..], &mut dst[len..])
}

#[inline(always)]
fn unaligned_ascii<W: Vector>(w: W, src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let (rooms, _) = dst.as_chunks_mut::<BLOCK>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        let mut any = w.load(block);
        for i in 1..BLOCK / W::LANES {
            any = w.or(any, w.load(&block[W::LANES * i..]));
        }
        if !w.is_ascii(any) {
            break;
        }
        scalar::each(block, to, u32::from);
        len += BLOCK;
    }
    len
}
