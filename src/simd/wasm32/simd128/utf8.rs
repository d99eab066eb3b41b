//! UTF-8 validation, and a copy with it: the vectors of `shared/utf8_valid.rs`.

use core::arch::wasm32::{
    i8x16_eq, i8x16_shuffle, i8x16_swizzle, u8x16_bitmask, u8x16_splat, u8x16_sub_sat, v128,
    v128_and, v128_any_true, v128_or, v128_xor,
};
use core::mem::MaybeUninit;

use super::{LANES, high_half, load, store};
use crate::simd::shared::utf8_copy::{self, CHUNK_BEHIND_ERROR};
use crate::simd::shared::utf8_errors::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH, TWO_CONTINUATIONS};
use crate::simd::shared::utf8_valid::{self, CHUNK, Text, Vectors};

/// Vectors of 16 bytes.
#[derive(Clone, Copy)]
pub(super) struct Vectors128;

/// Text after the bytes `before`.
#[inline(always)]
pub(super) fn after(before: v128, bytes: v128) -> Text<v128> {
    Text {
        bytes,
        one_before: i8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(
            before, bytes,
        ),
        two_before: i8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(
            before, bytes,
        ),
        three_before: i8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(
            before, bytes,
        ),
    }
}

/// For each byte the classes of errors that it and the one before it belong to.
#[inline(always)]
pub(super) fn classes(text: Text<v128>) -> v128 {
    let first_high = i8x16_swizzle(load(&FIRST_HIGH), high_half(text.one_before));
    let first_low = v128_and(text.one_before, u8x16_splat(0x0F));
    let first_low = i8x16_swizzle(load(&FIRST_LOW), first_low);
    let second_high = i8x16_swizzle(load(&SECOND_HIGH), high_half(text.bytes));
    v128_and(v128_and(first_high, first_low), second_high)
}

/// Not 0 in each byte where something is wrong, and perhaps in bytes after it.
#[inline(always)]
pub(super) fn errors(text: Text<v128>) -> v128 {
    // From E0 and F0 the subtractions leave 80 or more: then this must be a continuation byte,
    // and so must the one before.
    let third = u8x16_sub_sat(text.two_before, u8x16_splat(0x60));
    let fourth = u8x16_sub_sat(text.three_before, u8x16_splat(0x70));
    let expected = v128_and(v128_or(third, fourth), u8x16_splat(TWO_CONTINUATIONS));
    v128_xor(classes(text), expected)
}

impl Vectors for Vectors128 {
    type Vector = v128;
    const LANES: usize = LANES;

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> v128 {
        match from.first_chunk() {
            Some(bytes) => load(bytes),
            None => {
                let mut bytes = [0; LANES];
                bytes[..from.len()].copy_from_slice(from);
                load(&bytes)
            }
        }
    }

    #[inline(always)]
    fn load(self, from: &[u8]) -> v128 {
        from.first_chunk().map_or(u8x16_splat(0), load)
    }

    #[inline(always)]
    fn at_start(self, bytes: v128) -> Text<v128> {
        after(u8x16_splat(0), bytes)
    }

    #[inline(always)]
    fn errors(self, text: Text<v128>) -> v128 {
        errors(text)
    }

    #[inline(always)]
    fn cut_at_end(self, bytes: v128) -> v128 {
        const WHOLE: [u8; LANES] = {
            let mut most = [0xFF; LANES];
            [most[LANES - 3], most[LANES - 2], most[LANES - 1]] = [0xEF, 0xDF, 0xBF];
            most
        };
        u8x16_sub_sat(bytes, load(&WHOLE))
    }

    #[inline(always)]
    fn or(self, a: v128, b: v128) -> v128 {
        v128_or(a, b)
    }

    #[inline(always)]
    fn is_ascii(self, bytes: v128) -> bool {
        u8x16_bitmask(bytes) == 0
    }

    #[inline(always)]
    fn first(self, errors: v128) -> Option<usize> {
        let right = u8x16_bitmask(i8x16_eq(errors, u8x16_splat(0)));
        (right != u16::MAX).then_some(right.trailing_ones() as usize)
    }

    #[inline(always)]
    fn none(self, errors: v128) -> bool {
        !v128_any_true(errors)
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], bytes: v128) {
        if let Some(to) = to.first_chunk_mut() {
            store(to, bytes);
        }
    }

    #[inline(always)]
    fn copy_few(self, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
        for (to, from) in dst.iter_mut().zip(src) {
            to.write(*from);
        }
    }
}

/// The length of the longest well-formed prefix.
pub(in crate::simd) fn utf8_valid_prefix(src: &[u8]) -> usize {
    if utf8_valid::are_few_and_valid(Vectors128, src) {
        src.len()
    } else {
        long_valid_prefix(src)
    }
}

/// [`utf8_valid_prefix`] of many vectors, or where something is wrong.
#[inline(never)]
fn long_valid_prefix(src: &[u8]) -> usize {
    utf8_valid::valid_prefix(Vectors128, src)
}

/// Copies well-formed UTF-8, as far as there is room for whole characters. Returns its length.
pub(in crate::simd) fn utf8_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::utf8_to_utf8(Vectors128, src, dst, long_valid_prefix, long_copy)
}

/// [`utf8_to_utf8`] of many vectors.
#[inline(never)]
fn long_copy(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::many_to_utf8::<CHUNK, _>(Vectors128, src, dst)
}

/// [`utf8_to_utf8`] after an error, before the next one.
#[inline(always)]
pub(super) fn copy_after_error(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::copy_after_error(src, dst, utf8_to_utf8, long_copy_after_error)
}

#[inline(never)]
fn long_copy_after_error(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::many_to_utf8::<CHUNK_BEHIND_ERROR, _>(Vectors128, src, dst)
}
