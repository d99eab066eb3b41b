//! Two-byte encodings → UTF-16 and UTF-8: blocks of text whose runs are short.
//!
//! Where each character starts is found for 64 bytes at once. So no branch depends on where runs end, and
//! no character has to wait for the one before it.

use core::mem::MaybeUninit;

use super::ascii::HIGH_BITS;
use super::each;
use crate::simd::flat::Words;
use crate::simd::two_byte::blocks::{BLOCK, Window, decode_blocks};
use crate::simd::two_byte::decode::{put_four, three};
use crate::simd::two_byte::index::Katakana;
use crate::simd::two_byte::leads::leads_among;

/// Room for the units of a block, and for what is written after the last of them.
type Room<To> = [MaybeUninit<To>; 3 * BLOCK + 1];

/// Decodes to UTF-16.
#[inline(always)]
pub(super) fn to_utf16(
    flat: &Words,
    katakana: Katakana,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    decode(flat, katakana, src, dst, |first, unit, to| {
        to[0].write(select(first, first.into(), unit.into()) as u16);
        (select(first, 1, unit.into()) != 0).into()
    })
}

/// Decodes to UTF-8.
#[inline(always)]
pub(super) fn to_utf8(
    flat: &Words,
    katakana: Katakana,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    decode(flat, katakana, src, dst, |first, unit, to| {
        let is_short = select(first, 0x800, unit.into()) < 0x800;
        if is_short {
            to[0].write(0xC0 | (unit >> 6) as u8);
            to[1].write(0x80 | (unit & 0x3F) as u8);
            return if unit == 0 { 0 } else { 2 };
        }
        put_four(to, select(first, first.into(), three(unit)));
        select(first, 1, 3) as usize
    })
}

/// The second where `first` is ASCII, or else the third. The compiler would make a branch of it, and the
/// processor can not guess where ASCII stands.
#[inline(always)]
fn select(first: u8, ascii: u32, other: u32) -> u32 {
    let is_other = (i32::from(first.cast_signed()) >> 7).cast_unsigned();
    ascii ^ ((ascii ^ other) & is_other)
}

/// Decodes whole blocks from the front of `src`, up to one that has something without a code unit, or
/// for which there is little room. `put` writes a character, of which it gets the first byte and the unit
/// that the flat table has, and returns the number of units, at most three, or 0 where there is none; it
/// may write a fourth.
/// Returns the bytes read and the units written.
#[inline(always)]
fn decode<To: From<u8>>(
    flat: &Words,
    katakana: Katakana,
    src: &[u8],
    dst: &mut [MaybeUninit<To>],
    put: impl Fn(u8, u16, &mut [MaybeUninit<To>; 4]) -> usize,
) -> (usize, usize) {
    // Some bytes above 7F are characters by themselves.
    if katakana == Katakana::Alone {
        return (0, 0);
    }
    decode_blocks(
        src,
        dst,
        #[inline(always)]
        |window, carry, room| block(flat, window, carry, room.first_chunk_mut()?, &put),
    )
}

/// Decodes the characters that start in a window's block, the first byte of which belongs to one before
/// if `carry` is 1. Returns how many units were written and the next carry, if all characters have units.
#[inline(always)]
fn block<To: From<u8>>(
    flat: &Words,
    window: &Window,
    carry: u64,
    to: &mut Room<To>,
    put: impl Fn(u8, u16, &mut [MaybeUninit<To>; 4]) -> usize,
) -> Option<(usize, u64)> {
    // Bytes above 7F lead, or the table has nothing for them.
    let high = high_bits(window);
    if high == 0
        && carry == 0
        && let (Some(from), Some(to)) = (window.first_chunk::<BLOCK>(), to.first_chunk_mut())
    {
        each(from, to, To::from);
        return Some((BLOCK, 0));
    }
    let leads = leads_among(high & !carry);
    let mut starts = !(leads << 1 | carry);
    let mut written = 0;
    while starts != 0 {
        let at = starts.trailing_zeros() as usize;
        starts &= starts - 1;
        let (Some(&pair), Some(to)) = (
            // There are no 64 bytes before the last start: the mask changes nothing.
            window[at % BLOCK..].first_chunk(),
            to[written..].first_chunk_mut(),
        ) else {
            return None;
        };
        let unit = flat[usize::from(u16::from_le_bytes(pair))];
        let count = put(pair[0], unit, to);
        if count == 0 {
            return None;
        }
        written += count;
    }
    Some((written, leads >> (BLOCK - 1)))
}

/// The highest bit of each byte of the block.
#[inline(always)]
fn high_bits(window: &Window) -> u64 {
    let (words, _) = window.as_chunks::<8>();
    let mut bits = 0;
    for (i, word) in words.iter().enumerate() {
        // The highest bits of eight bytes, brought together in the highest byte.
        let high = (u64::from_le_bytes(*word) & HIGH_BITS) >> 7;
        bits |= high.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * i);
    }
    bits
}
