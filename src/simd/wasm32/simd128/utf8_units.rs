//! What stands at every position of UTF-8: the code unit of the character that ends before it; and
//! how blocks come in, and code units go out.

use core::arch::wasm32::{
    i8x16_eq, i8x16_lt, i16x8_shr, i16x8_splat, u8x16_add_sat, u8x16_ge, u8x16_splat, u8x16_sub,
    u8x16_sub_sat, u16x8_add, u16x8_shl, u16x8_shr, u16x8_splat, u64x2_splat, v128, v128_and,
    v128_bitselect, v128_or, v128_xor,
};
use core::mem::MaybeUninit;

use super::utf8::after;
use super::{BLOCK, Bytes, LANES, interleaved, load, mask, shuffled, store};
use crate::simd::shared::shuffles::WINDOWS;
use crate::simd::shared::utf8_valid::Text;

/// Bytes before a block that it looks at.
pub(super) const BEFORE: usize = 4;

/// Those bytes and a block.
pub(super) type Block = [u8; BEFORE + BLOCK];

/// Room for the units of a block, as bytes.
pub(super) type Units = [MaybeUninit<u8>; 2 * BLOCK];

/// The code units of a vector of bytes.
pub(super) type Words = [v128; 2];

/// Up to a block and the bytes before it from `at` on, and zeros on both sides.
#[inline(always)]
pub(super) fn block_around(src: &[u8], at: usize) -> Block {
    let mut block = [0; BEFORE + BLOCK];
    let start = at.saturating_sub(BEFORE);
    let end = src.len().min(at + BLOCK);
    let skipped = BEFORE - (at - start);
    block[skipped..][..end - start].copy_from_slice(&src[start..end]);
    block
}

/// The vector that is `back` bytes before the one at `at` in the block.
#[inline(always)]
pub(super) fn before(block: &Block, at: usize, back: usize) -> v128 {
    let bytes = block.get(BEFORE + at - back..);
    bytes
        .and_then(<[_]>::first_chunk)
        .map_or(u8x16_splat(0), load)
}

/// The bytes `BACK` before those of the block.
#[inline(always)]
pub(super) fn view<const BACK: usize>(block: &Block) -> Bytes {
    [0, 1, 2, 3].map(|i| before(block, LANES * i, BACK))
}

/// The vector at `at` in the block.
#[inline(always)]
pub(super) fn text(block: &Block, at: usize) -> Text<v128> {
    Text {
        bytes: before(block, at, 0),
        one_before: before(block, at, 1),
        two_before: before(block, at, 2),
        three_before: before(block, at, 3),
    }
}

/// The text of a block.
#[inline(always)]
pub(super) fn texts(block: &Block) -> [Text<v128>; 4] {
    [0, 1, 2, 3].map(|i| text(block, LANES * i))
}

/// The text of four vectors, the first of them after the bytes `before`.
#[inline(always)]
pub(super) fn texts_after(before: v128, [a, b, c, d]: Bytes) -> [Text<v128>; 4] {
    [after(before, a), after(a, b), after(b, c), after(c, d)]
}

/// The bytes that are at least `least`, which is 80 or more.
#[inline(always)]
pub(super) fn at_least(bytes: Bytes, least: u8) -> u64 {
    mask(bytes.map(|bytes| u8x16_sub_sat(bytes, u8x16_splat(least - 0x80))))
}

/// The bytes that are not 0.
#[inline(always)]
pub(super) fn set(bytes: Bytes) -> u64 {
    mask(bytes.map(|bytes| u8x16_add_sat(bytes, u8x16_splat(0x7F))))
}

/// All ones where a byte is a continuation byte.
#[inline(always)]
pub(super) fn continuations(bytes: v128) -> v128 {
    // Signed, these are the smallest.
    i8x16_lt(bytes, u8x16_splat(0xC0))
}

/// Not 0 in some byte where something is wrong, if no lead byte is one of three or four.
#[inline(always)]
pub(super) fn errors_of_two(text: Text<v128>) -> v128 {
    let before = text.one_before;
    let leads = u8x16_ge(before, u8x16_splat(0xC0));
    // C0 and C1.
    let too_long = i8x16_eq(v128_and(before, u8x16_splat(0xFE)), u8x16_splat(0xC0));
    v128_or(v128_xor(continuations(text.bytes), leads), too_long)
}

/// For every byte before one the code unit of a character of up to `LONGEST` bytes that ends there; of
/// four bytes, what [`surrogates`] needs.
#[inline(always)]
pub(super) fn words<const LONGEST: usize>(text: Text<v128>) -> Words {
    let last = text.one_before;
    let low_bits = v128_and(last, u8x16_splat(0x7F));
    // Less C0, which for a continuation byte (of three) is 40 too much; the 1 that the lead byte of
    // three bytes has too much makes up for it. Lead bytes end nothing, so that all that are not
    // ASCII may be taken for continuation bytes.
    let before = u8x16_sub(text.two_before, u8x16_splat(0xC0));
    let before = v128_and(before, i8x16_lt(last, u8x16_splat(0)));
    let lead = if LONGEST == 2 {
        u8x16_splat(0)
    } else {
        // Of the lead its low half counts, as the highest four bits.
        let lead = u8x16_sub_sat(text.three_before, u8x16_splat(0xDF));
        u16x8_shl(v128_and(lead, u8x16_splat(0x0F)), 4)
    };
    let ends = interleaved(low_bits, lead);
    let before = interleaved(u8x16_splat(0), before);
    core::array::from_fn(|i| u16x8_add(ends[i], i16x8_shr(before[i], 2)))
}

/// Makes surrogates of the words at `third` and `fourth` bytes of characters of four.
#[inline(always)]
pub(super) fn surrogates(words: Words, third: v128, fourth: v128) -> Words {
    let leads = words.map(|word| u16x8_add(u16x8_shr(word, 4), u16x8_splat(0xD7C0)));
    let trails = words.map(|word| {
        let bits = v128_and(word, u16x8_splat(0x3FF));
        v128_or(bits, u16x8_splat(0xDC00))
    });
    blend(blend(words, leads, third), trails, fourth)
}

/// `others` where `lanes` are all ones, `words` elsewhere.
#[inline(always)]
pub(super) fn blend(words: Words, others: Words, lanes: v128) -> Words {
    let lanes = interleaved(lanes, lanes);
    core::array::from_fn(|i| v128_bitselect(others[i], words[i], lanes[i]))
}

/// All ones for every set bit.
#[inline(always)]
pub(super) fn lanes_of(mask: u64) -> Bytes {
    static BYTE: [u8; LANES] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
    let bits = u64x2_splat(0x8040_2010_0804_0201);
    [0, 16, 32, 48].map(|shift| {
        let bytes = i16x8_splat((mask >> shift) as i16);
        i8x16_eq(v128_and(shuffled(bytes, &BYTE), bits), bits)
    })
}

/// Writes the words at `ends` at `at`. Returns where they end. What is after them in `to` may be
/// overwritten.
#[inline(always)]
pub(super) fn emit<const BE: bool>(to: &mut Units, at: usize, ends: u16, words: Words) -> usize {
    let rows = &WINDOWS[usize::from(BE)].0;
    let mut at = at;
    for (word, subset) in words.into_iter().zip(ends.to_le_bytes()) {
        if let Some(to) = to[at..].first_chunk_mut() {
            store(to, shuffled(word, &rows[usize::from(subset)]));
        }
        at += 2 * subset.count_ones() as usize;
    }
    at
}
