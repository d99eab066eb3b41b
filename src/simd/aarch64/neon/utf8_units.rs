//! What stands at every position of a block of UTF-8: the code unit of the character that ends
//! before it; and how blocks come in, and code units go out.

use core::arch::aarch64::{
    uint8x16_t, uint16x8_t, vaddq_u16, vandq_u8, vandq_u16, vbslq_u16, vceqq_u8, vcgeq_u8,
    vdupq_n_u8, vdupq_n_u16, vdupq_n_u64, vget_low_s8, vorrq_u16, vqsubq_u8, vqtbl1q_u8,
    vreinterpretq_s8_u8, vreinterpretq_u8_u64, vreinterpretq_u16_s16, vreinterpretq_u16_u8,
    vshll_high_n_s8, vshll_n_s8, vshlq_n_u8, vshrq_n_u16, vsubq_u8, vzip1q_u8, vzip2q_u8,
};
use core::mem::MaybeUninit;

use super::utf8::Text;
use super::{BLOCK, Bytes, LANES, load, load_block, mask, shuffled, store};
use crate::simd::shared::shuffles::WINDOWS;

/// Bytes before a block that it looks at.
pub(super) const BEFORE: usize = 4;

/// Those bytes and a block.
pub(super) type Block = [u8; BEFORE + BLOCK];

/// Room for the units of a block, as bytes.
pub(super) type Units = [MaybeUninit<u8>; 2 * BLOCK];

/// The code units of a block, of each vector two.
pub(super) type Words = [[uint16x8_t; 2]; 4];

/// Up to a block and the bytes before it from `at` on, and zeros on both sides.
#[inline]
pub(super) fn block_around(src: &[u8], at: usize) -> Block {
    let mut block = [0; BEFORE + BLOCK];
    let start = at.saturating_sub(BEFORE);
    let end = src.len().min(at + BLOCK);
    let skipped = BEFORE - (at - start);
    block[skipped..][..end - start].copy_from_slice(&src[start..end]);
    block
}

/// The bytes `BACK` before those of the block.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn view<const BACK: usize>(block: &Block) -> Bytes {
    const { assert!(BACK <= BEFORE) };
    match block[BEFORE - BACK..].first_chunk() {
        Some(bytes) => load_block(bytes),
        None => [vdupq_n_u8(0); 4],
    }
}

#[inline]
#[target_feature(enable = "neon")]
pub(super) fn texts(block: &Block) -> [Text; 4] {
    let (bytes, one_before) = (view::<0>(block), view::<1>(block));
    let (two_before, three_before) = (view::<2>(block), view::<3>(block));
    core::array::from_fn(|i| Text {
        bytes: bytes[i],
        one_before: one_before[i],
        two_before: two_before[i],
        three_before: three_before[i],
    })
}

/// All ones where a byte is at least `least`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn at_least(bytes: Bytes, least: u8) -> Bytes {
    bytes.map(|bytes| vcgeq_u8(bytes, vdupq_n_u8(least)))
}

/// One bit for each continuation byte.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn continuations(bytes: Bytes) -> u64 {
    mask(bytes.map(|bytes| {
        let top = vandq_u8(bytes, vdupq_n_u8(0xC0));
        vceqq_u8(top, vdupq_n_u8(0x80))
    }))
}

/// For every byte before one the code unit of a character of up to three bytes that ends there; of
/// four bytes, what [`surrogates`] needs.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn words(text: Text) -> [uint16x8_t; 2] {
    let last = text.one_before;
    let low_bits = vandq_u8(last, vdupq_n_u8(0x7F));
    // Less C0, which for a continuation byte (of three) is 40 too much; the 1 that the lead byte of
    // three bytes has too much makes up for it. Lead bytes end nothing, so that all that are not
    // ASCII may be taken for continuation bytes.
    let before = vsubq_u8(text.two_before, vdupq_n_u8(0xC0));
    let before = vandq_u8(before, vcgeq_u8(last, vdupq_n_u8(0x80)));
    let before = vreinterpretq_s8_u8(before);
    let lead = vshlq_n_u8::<4>(vqsubq_u8(text.three_before, vdupq_n_u8(0xDF)));
    let sum = |ends: uint8x16_t, before| vaddq_u16(vreinterpretq_u16_u8(ends), before);
    [
        sum(
            vzip1q_u8(low_bits, lead),
            vreinterpretq_u16_s16(vshll_n_s8::<6>(vget_low_s8(before))),
        ),
        sum(
            vzip2q_u8(low_bits, lead),
            vreinterpretq_u16_s16(vshll_high_n_s8::<6>(before)),
        ),
    ]
}

/// Makes surrogates of the words at `third` and `fourth` bytes of characters of four.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn surrogates(words: Words, third: Bytes, fourth: Bytes) -> Words {
    let leads =
        words.map(|words| words.map(|word| vaddq_u16(vshrq_n_u16::<4>(word), vdupq_n_u16(0xD7C0))));
    let trails = words.map(|words| {
        words.map(|word| {
            let bits = vandq_u16(word, vdupq_n_u16(0x3FF));
            vorrq_u16(bits, vdupq_n_u16(0xDC00))
        })
    });
    blend(blend(words, leads, third), trails, fourth)
}

/// `others` where `lanes` are all ones, `words` elsewhere.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn blend(words: Words, others: Words, lanes: Bytes) -> Words {
    core::array::from_fn(|i| {
        let low = vreinterpretq_u16_u8(vzip1q_u8(lanes[i], lanes[i]));
        let high = vreinterpretq_u16_u8(vzip2q_u8(lanes[i], lanes[i]));
        [
            vbslq_u16(low, others[i][0], words[i][0]),
            vbslq_u16(high, others[i][1], words[i][1]),
        ]
    })
}

/// All ones for every set bit.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn lanes_of(mask: u64) -> Bytes {
    static BYTE: [u8; LANES] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
    let bits = vreinterpretq_u8_u64(vdupq_n_u64(0x8040_2010_0804_0201));
    let [a, b, c, d] = [0, 16, 32, 48].map(|shift| {
        let bytes = vreinterpretq_u8_u64(vdupq_n_u64(mask >> shift));
        let spread = vqtbl1q_u8(bytes, load(&BYTE));
        vceqq_u8(vandq_u8(spread, bits), bits)
    });
    [a, b, c, d]
}

/// Writes the words at `ends`. What is after them in `to` may be overwritten.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn emit<const BE: bool>(to: &mut Units, ends: u64, words: Words) {
    let rows = &WINDOWS[usize::from(BE)].0;
    let (mut at, mut rest) = (0, ends);
    for word in words.into_iter().flatten() {
        let subset = rest as u8;
        if let Some(to) = to[at..].first_chunk_mut() {
            store(to, shuffled(word, &rows[usize::from(subset)]));
        }
        at += 2 * subset.count_ones() as usize;
        rest >>= 8;
    }
}
