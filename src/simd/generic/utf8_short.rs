//! UTF-8 of at most a block, on the way to UTF-16.

use core::mem::MaybeUninit;

use super::utf8_units::{Constants, bytes, each, emit_exactly, surrogates, texts_at, two_before};
use crate::simd::vector::{Text, Vector};

/// Converts a text of at most `vectors` vectors, if it is well-formed and there is room for it. Returns the number of
/// code units written. Here, and only here, a unit is computed at the last byte of its character, not at the byte after
/// it.
#[inline(always)]
pub(in crate::simd) fn convert_whole<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    vectors: usize,
) -> Option<usize> {
    if ends_inside_a_character(src) {
        return None;
    }
    let c = &Constants::for_block(v);
    let texts = texts_at(v, src, 0);
    let mut wrong = v.splat_u8(0);
    for text in texts.iter().take(vectors) {
        wrong = v.or(wrong, c.errors::<4>(v, *text));
    }
    if v.any(wrong) {
        return None;
    }
    let thirds = v.block_at_least(each(v, &texts, two_before), 0xF0);
    let continuations = v.block_continuations(each(v, &texts, bytes)) >> 1;
    let ends = (!continuations | thirds) & !(!0 << (src.len() - 1) << 1);
    let len = ends.count_ones() as usize;
    if dst.len() / 2 < len {
        return None;
    }
    emit_exactly(
        v,
        dst,
        ends,
        vectors,
        #[inline(always)]
        |i| {
            let Text {
                bytes,
                one_before,
                two_before,
                three_before,
                ..
            } = texts[i];
            let before = Text {
                bytes,
                one_before: bytes,
                two_before: one_before,
                three_before: two_before,
                four_before: three_before,
            };
            let units = c.units::<4>(v, before);
            if thirds == 0 {
                units
            } else {
                surrogates(
                    v,
                    units,
                    thirds >> (V::LANES * i),
                    thirds << 1 >> (V::LANES * i),
                )
            }
        },
    );
    Some(len)
}

/// Returns whether the text ends inside a character, which the vectors show only if there is a byte after it.
#[inline(always)]
pub(in crate::simd) fn ends_inside_a_character(src: &[u8]) -> bool {
    matches!(*src, [.., a, b, c] if (a >= 0xF0) | (b >= 0xE0) | (c >= 0xC0))
}
