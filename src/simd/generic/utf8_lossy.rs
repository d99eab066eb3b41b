//! Lossy UTF-8: copies with U+FFFD for each malformed sequence.
//!
//! Well-formed text is validated and copied at full speed. From a malformed sequence on, ASCII and isolated
//! bytes within it are copied with only a test for ASCII. Other text is divided, in blocks of 64 bytes, into
//! characters and malformed sequences with bit masks (`utf8_errors.rs`), until a block has no errors.

use core::mem::MaybeUninit;

use super::utf8_copy::{copy_after_error, copy_well_formed_front};
use super::utf8_errors::{BlockMasks, MalformedSequences, NO_CHARACTER};
use super::{BLOCK, any_bits};
use crate::simd::kernels::Transcoded;
use crate::simd::vector::Vector;

/// The number of well-formed bytes in front of an error from which on errors count as rare: the text after such an
/// error is most likely well-formed.
const MIN_RARE_DISTANCE: usize = 512;

/// U+FFFD, and a byte that pads it to a word.
const REPLACEMENT: [MaybeUninit<u8>; 4] = [
    MaybeUninit::new(0xEF),
    MaybeUninit::new(0xBF),
    MaybeUninit::new(0xBD),
    MaybeUninit::new(0),
];

/// Copies UTF-8, with one U+FFFD for each maximal subpart of a malformed sequence. Stops before a sequence
/// that more input may continue, or less than two blocks before the end of `dst`.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf8_lossy<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    let front = copy_well_formed_front(v, src, dst);
    // Usually `dst` is full, or else it has no room to replace anything.
    let is_full = front > 0 && dst.len() - front < BLOCK;
    if front == src.len() || is_full {
        Transcoded::from((front, front))
    } else {
        v.run_apart(
            src,
            dst,
            #[inline(always)]
            move |v, src, dst| replace_malformed(v, src, dst, front),
        )
    }
}

/// Alternates between replacement and copies of well-formed text. Begins with replacement, after `front`
/// bytes that are copied already.
#[inline(always)]
fn replace_malformed(
    v: impl Vector,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    front: usize,
) -> Transcoded {
    let mut done = Transcoded::from((front, front));
    // Whether to try the copy again right after an error.
    let mut errors_are_rare = front >= MIN_RARE_DISTANCE;
    loop {
        loop {
            let errors = done.errors;
            copy_ascii(v, src, dst, &mut done);
            if errors_are_rare && done.errors > errors {
                break;
            }
            let ahead = src.get(done.read..).unwrap_or_default();
            if ahead.is_empty() {
                return done;
            }
            let malformed = classify(v, ahead).malformed();
            let to = dst.get_mut(done.written..).unwrap_or_default();
            let errors = malformed.ends.count_ones() as usize;
            if malformed.known == 0 {
                return done;
            }
            // The last copy is of a whole block.
            if to.len() < malformed.known + 2 * errors + BLOCK {
                let clean = copy_after_error(v, ahead, to);
                done.read += clean;
                done.written += clean;
                return done;
            }
            done.written += replace(v, &malformed, ahead, to);
            done.read += malformed.known;
            done.errors += errors;
            if errors == 0 {
                break;
            }
        }
        let ahead = src.get(done.read..).unwrap_or_default();
        let to = dst.get_mut(done.written..).unwrap_or_default();
        let clean = copy_after_error(v, ahead, to);
        done.read += clean;
        done.written += clean;
        errors_are_rare = clean >= MIN_RARE_DISTANCE;
    }
}

/// Copies ASCII, with U+FFFD for each other byte that is not followed by a continuation byte. Continues after
/// what is `done`, up to a continuation byte or nearly to the end of either slice.
#[inline(always)]
fn copy_ascii<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>], done: &mut Transcoded) {
    /// The last byte that, as a signed number, is a continuation byte.
    const LAST_CONTINUATION: i8 = 0xBF_u8.cast_signed();
    let Transcoded {
        mut read,
        mut written,
        mut errors,
    } = *done;
    while let Some(block) = window::<{ BLOCK + 1 }, _>(src, read)
        && let Some(to) = window_mut::<{ BLOCK + 4 }, _>(dst, written)
        && let (Some(front), Some(to_front)) = (block.first_chunk::<BLOCK>(), to.first_chunk_mut())
    {
        // A branch, which is predicted, so that the next load need not wait for this one.
        copy_block(v, front, to_front);
        let vectors = load_block(v, front);
        if v.is_ascii(any_bits(v, vectors)) {
            read += BLOCK;
            written += BLOCK;
            continue;
        }
        let ascii = v.block_at_least(vectors, 0x80).trailing_zeros() as usize;
        read += ascii;
        written += ascii;
        // A sequence that starts here ends here, unless a continuation byte follows.
        if block[ascii + 1].cast_signed() <= LAST_CONTINUATION {
            break;
        }
        put_replacement(to, ascii);
        read += 1;
        written += 3;
        errors += 1;
    }
    *done = Transcoded {
        read,
        written,
        errors,
    };
}

/// Returns the `N` items from `at` on, if there are that many.
#[inline(always)]
fn window<const N: usize, T>(items: &[T], at: usize) -> Option<&[T; N]> {
    items.get(at..)?.first_chunk()
}

/// Returns room for `N` items from `at` on, if there is that much.
#[inline(always)]
fn window_mut<const N: usize, T>(items: &mut [T], at: usize) -> Option<&mut [T; N]> {
    items.get_mut(at..)?.first_chunk_mut()
}

/// Writes U+FFFD and one more byte at `at`, where there is room for them.
#[inline(always)]
fn put_replacement(to: &mut [MaybeUninit<u8>], at: usize) {
    let room = window_mut(to, at);
    debug_assert!(room.is_some(), "U+FFFD and a byte fit");
    if let Some(to) = room {
        *to = REPLACEMENT;
    }
}

/// Copies the known part of the block at the front of `src`, with U+FFFD for each malformed sequence. Returns
/// the number of bytes written. `to` has room for the known part, two bytes more for each sequence, and a block.
#[inline(always)]
fn replace(
    v: impl Vector,
    malformed: &MalformedSequences,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> usize {
    let (mut from, mut written) = (0, 0);
    let mut ends = malformed.ends;
    while ends != 0 {
        let end = ends.trailing_zeros();
        let start = 63 - (malformed.starts & (2_u64 << end).wrapping_sub(1)).leading_zeros();
        copy_block_at(v, src, from, to, written);
        written += start as usize - from;
        put_replacement(to, written);
        written += 3;
        from = end as usize + 1;
        ends &= ends - 1;
    }
    copy_block_at(v, src, from, to, written);
    written + malformed.known - from
}

/// Copies what is left of the block from `from` on to `to`, `written` bytes after its start.
#[inline(always)]
fn copy_block_at(
    v: impl Vector,
    src: &[u8],
    from: usize,
    to: &mut [MaybeUninit<u8>],
    written: usize,
) {
    let (src, to) = (src.get(from..), window_mut(to, written));
    debug_assert!(src.is_some() && to.is_some(), "a block fits");
    if let (Some(src), Some(to)) = (src, to) {
        copy_block(v, src, to);
    }
}

/// Loads the vectors of up to a block, with zeros after its last byte. Of the four, as many are used as a
/// block has.
#[inline(always)]
fn load_block<V: Vector>(v: V, src: &[u8]) -> [V::V; 4] {
    let mut block = [v.splat_u8(0); 4];
    let vectors = block.iter_mut().take(BLOCK / V::LANES).enumerate();
    if let Some(whole) = src.first_chunk::<BLOCK>() {
        for (i, vector) in vectors {
            *vector = v.load(&whole[V::LANES * i..]);
        }
    } else {
        for (i, vector) in vectors {
            *vector = v.load_front(src.get(V::LANES * i..).unwrap_or_default());
        }
    }
    block
}

/// Copies up to a block. `to` may be overwritten after it.
#[inline(always)]
fn copy_block<V: Vector>(v: V, src: &[u8], to: &mut [MaybeUninit<u8>; BLOCK]) {
    let vectors = load_block(v, src).into_iter().take(BLOCK / V::LANES);
    for (i, vector) in vectors.enumerate() {
        v.store(&mut to[V::LANES * i..], vector);
    }
}

/// Classifies the bytes of the block at the front, or of all bytes if there are fewer.
#[inline(always)]
fn classify<V: Vector>(v: V, src: &[u8]) -> BlockMasks {
    let len = src.len().min(BLOCK);
    let block = load_block(v, src);
    let [a, b, c, d] = block;
    let no_character = [
        no_character(v, v.splat_u8(0), a),
        no_character(v, a, b),
        no_character(v, b, c),
        no_character(v, c, d),
    ];
    let not_ascii = v.block_at_least(block, 0x80);
    let lead = v.block_at_least(block, 0xC0);
    BlockMasks {
        len,
        ascii: !not_ascii & !0 >> (BLOCK - len.clamp(1, BLOCK)),
        continuation: not_ascii & !lead,
        lead,
        lead_of_three: v.block_at_least(block, 0xE0),
        lead_of_four: v.block_at_least(block, 0xF0),
        no_character: v.block_not_zero(no_character),
    }
}

/// Returns non-zero in bytes that encode no character with the byte before them.
#[inline(always)]
fn no_character<V: Vector>(v: V, before: V::V, bytes: V::V) -> V::V {
    let text = v.text_after(before, bytes);
    let classes = v.classes(text.one_before, text.bytes);
    v.and(classes, v.splat_u8(NO_CHARACTER))
}
