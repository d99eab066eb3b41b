//! Two-byte encodings, 64 bytes at a time: what is the same for vectors of any width.
//!
//! Vectors find where characters start and bring these together; the look-ups are one load each.

use core::arch::x86_64::{__m128i, _mm_cvtsi32_si128, _mm_insert_epi16};
use core::mem::MaybeUninit;

use crate::simd::flat::Words;
use crate::simd::two_byte::blocks::decode_blocks;
pub(super) use crate::simd::two_byte::blocks::{BLOCK, Window};
use crate::simd::two_byte::index::{KATAKANA, Katakana};

/// Characters that are looked up at a time.
pub(super) const GROUP: usize = 8;

/// The characters of a block, and zeros: each a word, with the trail byte, or 0, in the upper half.
/// Aligned, because words that are read from a vector's store across two cache lines wait until it is
/// done.
#[repr(align(64))]
pub(super) struct Characters([u64; BLOCK / 4]);

/// Eight of them.
pub(super) type Group = [u64; GROUP / 4];

impl Characters {
    pub(super) const NOTHING: Characters = Characters([0; BLOCK / 4]);

    /// As words, `N` at a time.
    #[inline(always)]
    pub(super) fn vectors<const N: usize>(&mut self) -> &mut [[u16; N]] {
        let words: &mut [u16; BLOCK] = bytemuck::cast_mut(&mut self.0);
        words.as_chunks_mut().0
    }

    /// By groups. Where the compiler sees that a vector was stored there, it takes the words out of the
    /// vector one by one instead, which is three times as slow.
    #[inline(always)]
    pub(super) fn groups(&self) -> &[Group] {
        core::hint::black_box(self).0.as_chunks().0
    }
}

/// What is found in a block.
#[derive(Clone, Copy)]
pub(super) enum BlockContent {
    /// ASCII only.
    Ascii,
    /// So many characters, the last of which takes a byte after the block if `carry` is 1.
    Characters { count: usize, carry: u64 },
    /// A byte that is neither a character nor leads one.
    Malformed,
}

/// Decodes blocks from the front of `src`. `find` brings together the characters that start in a
/// window's block; its second argument is 1 where the first byte belongs to a character before the
/// block, or else 0. `put` writes all of that, and returns how many units that were, or `None` where
/// there is little room, or a character without a unit. Returns the bytes read and the units written.
#[inline(always)]
pub(super) fn run<To>(
    src: &[u8],
    dst: &mut [MaybeUninit<To>],
    mut find: impl FnMut(&Window, u64, &mut Characters) -> BlockContent,
    put_ascii: impl Fn(&[u8; BLOCK], &mut [MaybeUninit<To>]) -> Option<usize>,
    put: impl Fn(&Characters, usize, &mut [MaybeUninit<To>]) -> Option<usize>,
) -> (usize, usize) {
    let mut characters = Characters::NOTHING;
    decode_blocks(
        src,
        dst,
        // As a part of the kernel it is compiled for its instruction set.
        #[inline(always)]
        |window, carry, room| match find(window, carry, &mut characters) {
            BlockContent::Malformed => None,
            BlockContent::Ascii => Some((put_ascii(window.first_chunk()?, room)?, 0)),
            BlockContent::Characters { count, carry } => {
                Some((put(&characters, count, room)?, carry))
            }
        },
    )
}

/// The units of a group of pairs.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn look_up(flat: &Words, group: &Group) -> __m128i {
    let unit = |i: usize| i32::from(flat[usize::from((group[i / 4] >> (16 * (i % 4))) as u16)]);
    let mut units = _mm_cvtsi32_si128(unit(0));
    units = _mm_insert_epi16::<1>(units, unit(1));
    units = _mm_insert_epi16::<2>(units, unit(2));
    units = _mm_insert_epi16::<3>(units, unit(3));
    units = _mm_insert_epi16::<4>(units, unit(4));
    units = _mm_insert_epi16::<5>(units, unit(5));
    units = _mm_insert_epi16::<6>(units, unit(6));
    _mm_insert_epi16::<7>(units, unit(7))
}

/// What the unit of a single byte that is no ASCII has more than the byte.
pub(super) fn above_single(katakana: Katakana) -> i16 {
    match katakana {
        Katakana::Alone => KATAKANA.cast_signed(),
        Katakana::No | Katakana::Behind8E => 0,
    }
}
