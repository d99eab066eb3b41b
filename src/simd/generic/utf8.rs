//! UTF-8: validation, copies, and copies with U+FFFD for what is malformed. Each byte is looked up with the
//! one before it (`shared/utf8_errors.rs`).

use core::mem::MaybeUninit;

use super::{BLOCK, LANES, load_block, mask_not_0, padded, store_block};
use crate::simd::kernels::Transcoded;
use crate::simd::shared::utf8_copy::{self, CHUNK_BEHIND_ERROR};
use crate::simd::shared::utf8_errors::{
    Block, FIRST_HIGH, FIRST_LOW, NO_CHARACTER, SECOND_HIGH, TWO_CONTINUATIONS,
};
use crate::simd::shared::utf8_lossy::{self, BlockOps};
use crate::simd::shared::utf8_valid::{self, CHUNK, Text, Vectors};
use crate::simd::vector::Vector;

/// Text after the bytes `before`.
#[inline(always)]
fn after<V: Vector<LANES>>(v: V, before: V::V, bytes: V::V) -> Text<V::V> {
    Text {
        bytes,
        one_before: v.one_before(before, bytes),
        two_before: v.two_before(before, bytes),
        three_before: v.three_before(before, bytes),
    }
}

/// For each byte the classes of errors that it and the one before it belong to.
#[inline(always)]
pub(super) fn classes<V: Vector<LANES>>(v: V, text: Text<V::V>) -> V::V {
    let first_high = v.look_up(v.load(&FIRST_HIGH), v.high_half(text.one_before));
    let first_low = v.and(text.one_before, v.splat_u8(0x0F));
    let first_low = v.look_up(v.load(&FIRST_LOW), first_low);
    let second_high = v.look_up(v.load(&SECOND_HIGH), v.high_half(text.bytes));
    v.and(v.and(first_high, first_low), second_high)
}

/// Not 0 in each byte where something is wrong, and perhaps in bytes after it.
#[inline(always)]
pub(super) fn errors<V: Vector<LANES>>(v: V, text: Text<V::V>) -> V::V {
    // From E0 and F0 the subtractions leave 80 or more: then this must be a continuation byte,
    // and so must the one before.
    let third = v.saturating_sub_u8(text.two_before, v.splat_u8(0x60));
    let fourth = v.saturating_sub_u8(text.three_before, v.splat_u8(0x70));
    let expected = v.and(v.or(third, fourth), v.splat_u8(TWO_CONTINUATIONS));
    v.xor(classes(v, text), expected)
}

/// What `shared/utf8_valid.rs` asks of vectors.
#[derive(Clone, Copy)]
struct Validation<V>(V);

// SAFETY: a value has a token in it, which is the proof.
unsafe impl<V: Vector<LANES>> Vectors for Validation<V> {
    type Vector = V::V;
    const LANES: usize = LANES;

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> V::V {
        match from.first_chunk() {
            Some(bytes) => self.0.load(bytes),
            None => {
                let mut bytes = [0; LANES];
                bytes[..from.len()].copy_from_slice(from);
                self.0.load(&bytes)
            }
        }
    }

    #[inline(always)]
    fn load(self, from: &[u8]) -> V::V {
        match from.first_chunk() {
            Some(bytes) => self.0.load(bytes),
            None => self.0.splat_u8(0),
        }
    }

    #[inline(always)]
    fn at_start(self, bytes: V::V) -> Text<V::V> {
        after(self.0, self.0.splat_u8(0), bytes)
    }

    #[inline(always)]
    fn errors(self, text: Text<V::V>) -> V::V {
        errors(self.0, text)
    }

    #[inline(always)]
    fn cut_at_end(self, bytes: V::V) -> V::V {
        const WHOLE: [u8; LANES] = {
            let mut most = [0xFF; LANES];
            [most[LANES - 3], most[LANES - 2], most[LANES - 1]] = [0xEF, 0xDF, 0xBF];
            most
        };
        self.0.saturating_sub_u8(bytes, self.0.load(&WHOLE))
    }

    #[inline(always)]
    fn or(self, a: V::V, b: V::V) -> V::V {
        self.0.or(a, b)
    }

    #[inline(always)]
    fn is_ascii(self, bytes: V::V) -> bool {
        self.0.is_ascii(bytes)
    }

    #[inline(always)]
    fn first(self, errors: V::V) -> Option<usize> {
        let right = self.0.eq_u8(errors, self.0.splat_u8(0));
        let wrong = !self.0.mask_u8(right) & 0xFFFF;
        (wrong != 0).then_some(wrong.trailing_zeros() as usize)
    }

    #[inline(always)]
    fn none(self, errors: V::V) -> bool {
        !self.0.any(errors)
    }

    #[inline(always)]
    fn store(self, to: &mut [MaybeUninit<u8>], bytes: V::V) {
        if let Some(to) = to.first_chunk_mut() {
            self.0.store(to, bytes);
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
#[inline(always)]
pub(in crate::simd) fn utf8_valid_prefix(v: impl Vector<LANES>, src: &[u8]) -> usize {
    if utf8_valid::are_few_and_valid(Validation(v), src) {
        src.len()
    } else {
        long_valid_prefix(v, src)
    }
}

/// [`utf8_valid_prefix`] of many vectors, or where something is wrong.
#[inline(never)]
fn long_valid_prefix(v: impl Vector<LANES>, src: &[u8]) -> usize {
    v.run(
        #[inline(always)]
        |v| utf8_valid::valid_prefix(Validation(v), src),
    )
}

/// Copies well-formed UTF-8, as far as there is room for whole characters. Returns its length.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf8(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    utf8_copy::utf8_to_utf8(
        Validation(v),
        src,
        dst,
        |src| long_valid_prefix(v, src),
        |src, dst| long_copy::<CHUNK, _>(v, src, dst),
    )
}

/// Copies the well-formed UTF-8 at the front of many vectors, by chunks of `CHUNK` bytes.
#[inline(never)]
fn long_copy<const CHUNK: usize, V: Vector<LANES>>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    v.run(
        #[inline(always)]
        |v| utf8_copy::many_to_utf8::<CHUNK, _>(Validation(v), src, dst),
    )
}

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence. Stops before what more
/// input may continue, or less than two blocks before the end of `dst`.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf8_lossy(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    let front = utf8_copy::well_formed_front(
        Validation(v),
        src,
        dst,
        #[inline(always)]
        |src, dst| utf8_to_utf8(v, src, dst),
    );
    if front.read == src.len() {
        front
    } else {
        after_front(v, src, dst, front)
    }
}

/// [`utf8_to_utf8_lossy`] after what is well-formed.
#[inline(never)]
fn after_front(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    front: Transcoded,
) -> Transcoded {
    v.run(
        #[inline(always)]
        |v| replace_malformed(v, src, dst, front),
    )
}

/// [`utf8_to_utf8`] after an error, before the next one.
#[inline(always)]
fn copy_after_error(v: impl Vector<LANES>, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    utf8_copy::copy_after_error(
        src,
        dst,
        #[inline(always)]
        |src, dst| utf8_to_utf8(v, src, dst),
        |src, dst| long_copy::<CHUNK_BEHIND_ERROR, _>(v, src, dst),
    )
}

#[inline(always)]
fn replace_malformed(
    v: impl Vector<LANES>,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    done: Transcoded,
) -> Transcoded {
    let ops = BlockOps {
        classify: |src: &[u8]| match src.first_chunk() {
            Some(block) => classify(v, block, BLOCK),
            None => classify(v, &padded(src), src.len()),
        },
        copy_block: |src: &[u8], to: &mut _| match src.first_chunk() {
            Some(block) => store_block(v, to, load_block(v, block)),
            None => store_block(v, to, load_block(v, &padded(src))),
        },
        copy_whole: |src: &_, to: &mut _| {
            let block = load_block(v, src);
            store_block(v, to, block);
            v.mask_at_least(block, 0x80)
        },
    };
    utf8_lossy::utf8_to_utf8_lossy(
        src,
        dst,
        done,
        #[inline(always)]
        |src, dst| copy_after_error(v, src, dst),
        ops,
    )
}

#[inline(always)]
fn classify<V: Vector<LANES>>(v: V, block: &[u8; BLOCK], len: usize) -> Block {
    let bytes @ [a, b, c, d] = load_block(v, block);
    let (not_ascii, lead) = (v.mask_at_least(bytes, 0x80), v.mask_at_least(bytes, 0xC0));
    let no_character = |before, bytes| {
        let classes = classes(v, after(v, before, bytes));
        v.and(classes, v.splat_u8(NO_CHARACTER))
    };
    let no_character = [
        no_character(v.splat_u8(0), a),
        no_character(a, b),
        no_character(b, c),
        no_character(c, d),
    ];
    Block {
        len,
        ascii: !not_ascii & u64::MAX >> (BLOCK - len.clamp(1, BLOCK)),
        continuation: not_ascii & !lead,
        lead,
        lead_of_three: v.mask_at_least(bytes, 0xE0),
        lead_of_four: v.mask_at_least(bytes, 0xF0),
        no_character: mask_not_0(v, no_character),
    }
}
