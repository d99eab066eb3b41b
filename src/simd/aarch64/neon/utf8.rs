//! UTF-8 for NEON: validation, and validation with a copy.
//!
//! Each byte is looked up with the one before it (`shared/utf8_errors.rs`), 64 bytes at a time. An
//! error is looked for in a block only when there is one.

use core::arch::aarch64::{
    uint8x16_t, vandq_u8, vdupq_n_u8, veorq_u8, vextq_u8, vmaxvq_u8, vorrq_u8, vqsubq_u8,
    vqtbl1q_u8, vshrq_n_u8, vtstq_u8,
};
use core::mem::MaybeUninit;

use super::{BLOCK, Bytes, LANES, is_ascii, is_zero, load, load_block, mask, padded, store_block};
use crate::simd::shared::utf8_errors::{
    FIRST_HIGH, FIRST_LOW, SECOND_HIGH, TWO_CONTINUATIONS, whole_characters,
};

/// A vector of text, and the bytes one, two and three before each of its bytes.
#[derive(Clone, Copy)]
pub(super) struct Text {
    pub(super) bytes: uint8x16_t,
    pub(super) one_before: uint8x16_t,
    pub(super) two_before: uint8x16_t,
    pub(super) three_before: uint8x16_t,
}

impl Text {
    /// Behind the bytes `before`.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn after(before: uint8x16_t, bytes: uint8x16_t) -> Self {
        Text {
            bytes,
            one_before: vextq_u8::<15>(before, bytes),
            two_before: vextq_u8::<14>(before, bytes),
            three_before: vextq_u8::<13>(before, bytes),
        }
    }

    /// For each byte the classes of errors that it and the one before it belong to.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn classes(self) -> uint8x16_t {
        let first_high = vqtbl1q_u8(load(&FIRST_HIGH), vshrq_n_u8::<4>(self.one_before));
        let first_low = vandq_u8(self.one_before, vdupq_n_u8(0x0F));
        let first_low = vqtbl1q_u8(load(&FIRST_LOW), first_low);
        let second_high = vqtbl1q_u8(load(&SECOND_HIGH), vshrq_n_u8::<4>(self.bytes));
        vandq_u8(vandq_u8(first_high, first_low), second_high)
    }

    /// Not 0 in each byte where something is wrong, and perhaps in bytes after it.
    #[inline]
    #[target_feature(enable = "neon")]
    pub(super) fn errors(self) -> uint8x16_t {
        // From E0 and F0 the subtractions leave 80 or more: then this must be a continuation byte,
        // and so must the one before.
        let third = vqsubq_u8(self.two_before, vdupq_n_u8(0x60));
        let fourth = vqsubq_u8(self.three_before, vdupq_n_u8(0x70));
        let expected = vandq_u8(vorrq_u8(third, fourth), vdupq_n_u8(TWO_CONTINUATIONS));
        veorq_u8(self.classes(), expected)
    }
}

/// A block of text after the bytes `before`.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn texts(before: uint8x16_t, [a, b, c, d]: Bytes) -> [Text; 4] {
    [
        Text::after(before, a),
        Text::after(a, b),
        Text::after(b, c),
        Text::after(c, d),
    ]
}

/// One bit for each byte that is not 0.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn mask_of_set(bytes: Bytes) -> u64 {
    mask(bytes.map(|bytes| vtstq_u8(bytes, bytes)))
}

/// Whether a character starts in `bytes` and does not end there.
#[inline]
#[target_feature(enable = "neon")]
fn is_cut(bytes: uint8x16_t) -> bool {
    static WHOLE: [u8; LANES] = {
        let mut most = [0xFF; LANES];
        [most[LANES - 3], most[LANES - 2], most[LANES - 1]] = [0xEF, 0xDF, 0xBF];
        most
    };
    vmaxvq_u8(vqsubq_u8(bytes, load(&WHOLE))) != 0
}

/// The length of the longest well-formed prefix.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf8_valid_prefix(src: &[u8]) -> usize {
    whole_characters(src, first_error::<false>(src, &mut []))
}

/// Copies well-formed UTF-8, as far as there is room for whole characters. Returns its length.
#[target_feature(enable = "neon")]
pub(in crate::simd) fn utf8_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let src = &src[..src.len().min(dst.len())];
    whole_characters(src, first_error::<true>(src, dst))
}

/// The place of the first error, or the end. With `COPY`, copies what it looks at to `dst`, which is
/// as long at least.
#[inline]
#[target_feature(enable = "neon")]
fn first_error<const COPY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let mut at = 0;
    let mut before = vdupq_n_u8(0);
    while let Some(block) = src[at..].first_chunk() {
        let bytes = load_block(block);
        if COPY && let Some(to) = dst[at..].first_chunk_mut() {
            store_block(to, bytes);
        }
        if is_ascii(bytes) {
            if is_cut(before) {
                return at;
            }
        } else {
            let errors = texts(before, bytes).map(|text| text.errors());
            if !is_zero(errors) {
                return at + mask_of_set(errors).trailing_zeros() as usize;
            }
        }
        before = bytes[3];
        at += BLOCK;
    }
    let rest = &src[at..];
    if COPY && let Some(to) = dst.get_mut(at..src.len()) {
        for (to, from) in to.iter_mut().zip(rest) {
            to.write(*from);
        }
    }
    let bytes = load_block(&padded(rest));
    if is_ascii(bytes) && !is_cut(before) {
        return src.len();
    }
    // Behind the end are zeros, so that a character that it cuts is an error.
    let errors = texts(before, bytes).map(|text| text.errors());
    if is_zero(errors) {
        return src.len();
    }
    src.len()
        .min(at + mask_of_set(errors).trailing_zeros() as usize)
}
