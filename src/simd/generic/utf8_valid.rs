//! UTF-8 validation.
//!
//! Each byte is looked up together with the one before it (`utf8_errors.rs`). The bytes one, two and three
//! before are loaded again, from one, two and three bytes earlier: that leaves the port that moves bytes
//! between lanes to the look-ups.
//!
//! Tested with the kernels.

use super::BLOCK;
use super::utf8_errors::{TWO_CONTINUATIONS, whole_characters};
use super::utf8_marked::{After, piece, valid_pieces};
use crate::simd::scalar;
use crate::simd::vector::{Text, Vector};

/// The number of bytes before a vector that its check looks at.
pub(super) const BACK: usize = 4;

/// The number of bytes that are tested for ASCII together: a test for each vector would be mispredicted too
/// often. Where ASCII and other text alternate, [`valid_pieces`] tests each vector.
pub(super) const CHUNK: usize = 256;
/// [`CHUNK`], where a parameter has that name.
const LONG_CHUNK: usize = CHUNK;

/// Up to this many bytes, all vectors are examined, whatever they contain.
pub(super) const MAX_SHORT: usize = 320;

/// Up to this many bytes, all vectors are examined even where blocks are tested for ASCII.
const MAX_AT_ONCE: usize = 96;

/// Up to this many bytes, each block is tested for ASCII. In longer text, blocks are marked first, or tested together.
const fn max_by_blocks<V: Vector>() -> usize {
    if V::MARKS_VECTORS {
        4096
    } else if V::IS_FOR_SHORT {
        1024
    } else {
        0
    }
}

/// Up to this many vectors are tested for ASCII at once.
const VECTORS_AT_ONCE: usize = 4;

/// Below this many bytes, aligning the vectors does not pay.
const MIN_ALIGNED: usize = 2048;

/// Returns the length of the longest well-formed prefix.
#[inline(always)]
pub(in crate::simd) fn utf8_valid_prefix<V: Vector>(v: V, src: &[u8]) -> usize {
    // Such vectors are loaded through memory if there are fewer bytes.
    if V::LANES == 16 && src.len() <= V::LANES / 2 {
        return scalar::utf8::utf8_valid_prefix(src);
    }
    if is_short_and_valid::<true, _>(v, src) {
        src.len()
    } else {
        long_valid_prefix(v, src)
    }
}

/// Does what [`utf8_valid_prefix`] does, for many vectors or text with an error.
#[inline(never)]
pub(super) fn long_valid_prefix<V: Vector>(v: V, src: &[u8]) -> usize {
    v.run_on(
        src,
        &mut [0; 0],
        #[inline(always)]
        |v, src, _| valid_prefix(v, src),
    )
}

/// Returns non-zero in each byte that is an error, and perhaps in bytes after it.
#[inline(always)]
pub(super) fn errors<V: Vector>(v: V, text: Text<V::V>) -> V::V {
    // For E0 or F0 and above, the subtractions leave 80 or more: then this byte must be a continuation byte,
    // and so must the one before.
    let third = v.saturating_sub_u8(text.two_before, v.splat_u8(0x60));
    let fourth = v.saturating_sub_u8(text.three_before, v.splat_u8(0x70));
    let expected = v.and(v.or(third, fourth), v.splat_u8(TWO_CONTINUATIONS));
    v.xor(v.classes(text.one_before, text.bytes), expected)
}

/// Returns non-zero in bytes that start a character which does not end in the vector.
#[inline(always)]
pub(super) fn cut_at_end<V: Vector>(v: V, bytes: V::V) -> V::V {
    v.saturating_sub_u8(bytes, v.load(&LIMITS[2 * BLOCK - V::LANES..]))
}

/// Any bytes, and at the end the highest ones that may stand at the end of whole characters.
pub(super) const LIMITS: [u8; 2 * BLOCK] = {
    let mut most = [0xFF; 2 * BLOCK];
    [
        most[2 * BLOCK - 3],
        most[2 * BLOCK - 2],
        most[2 * BLOCK - 1],
    ] = [0xEF, 0xDF, 0xBF];
    most
};

/// Returns the position of the first byte that is not 0.
#[inline(always)]
fn first<V: Vector>(v: V, errors: V::V) -> Option<usize> {
    let errors = v.not_zero(errors);
    (errors != 0).then_some(errors.trailing_zeros() as usize)
}

/// Returns the `len` bytes from `at` on, if there are that many.
#[inline(always)]
fn window(src: &[u8], at: usize, len: usize) -> Option<&[u8]> {
    src.get(at..)?.get(..len)
}

/// Returns the bits that are set in `vector` or in one of the whole vectors of `src`.
#[inline(always)]
pub(super) fn any_of<V: Vector>(v: V, vector: V::V, src: &[u8]) -> V::V {
    let mut any = vector;
    // As `fold`, this is a function of its own in programs of one codegen unit, and its instructions are calls.
    for bytes in src.chunks_exact(V::LANES) {
        any = v.or(any, v.load(bytes));
    }
    any
}

/// Combines the [`errors`] of the vectors from `at` on, except those of the last one.
#[inline(always)]
fn any_error<V: Vector>(v: V, before: V::V, src: &[u8], at: usize) -> V::V {
    let (mut any, mut at) = (before, at);
    while at + V::LANES < src.len()
        && let Some(window) = window(src, at - BACK, BACK + V::LANES)
    {
        any = v.or(any, errors(v, v.text_inside(window)));
        at += V::LANES;
    }
    any
}

/// Returns whether `src` is short and well-formed. Everything that this calls is inlined, so it needs no stack frame.
/// `BY_BLOCKS` says that blocks, or halves of vectors, may be tested for ASCII; callers that do more with the text have too
/// few registers for that.
#[inline(always)]
pub(super) fn is_short_and_valid<const BY_BLOCKS: bool, V: Vector>(v: V, src: &[u8]) -> bool {
    if V::IS_FOR_SHORT && src.len() > V::Short::LANES {
        is_valid_at_once::<BY_BLOCKS, _>(v, src)
    } else {
        is_valid_at_once::<BY_BLOCKS, _>(v.short(), src)
    }
}

/// Does what [`is_short_and_valid`] does, with these vectors.
#[inline(always)]
fn is_valid_at_once<const BY_BLOCKS: bool, V: Vector>(v: V, src: &[u8]) -> bool {
    if src.len() <= V::LANES {
        let bytes = v.load_front(src);
        // Zeros follow the end, so that a character that is cut there is an error.
        return v.is_ascii(bytes)
            || !v.any(v.or(
                errors(v, v.text_after(v.splat_u8(0), bytes)),
                cut_at_end(v, bytes),
            ));
    }
    if src.len() > MAX_SHORT {
        return false;
    }
    let Some(last) = src.len().checked_sub(V::LANES + BACK) else {
        let (head, last) = (v.load(src), v.load_front(&src[V::LANES..]));
        let errors = v.or(
            errors(v, v.text_after(v.splat_u8(0), head)),
            errors(v, v.text_after(head, last)),
        );
        return !v.any(errors);
    };
    // Except in many vectors, only one thing can be mispredicted: whether all bytes are ASCII.
    let in_halves = BY_BLOCKS && V::Short::LANES < V::LANES && src.len() > 2 * V::LANES;
    if in_halves && is_ascii_by_overlap(v.short(), src) {
        return true;
    }
    let (head, last) = (v.load(src), v.text_inside(&src[last..]));
    let middle = &src[V::LANES..src.len() - 1];
    if BY_BLOCKS && V::MARKS_VECTORS && src.len() > MAX_AT_ONCE {
        return is_ascii_to_both_ends(v, src) || is_valid_by_blocks(v, src);
    }
    if !in_halves && v.is_ascii(any_of(v, v.or(head, last.bytes), middle)) {
        return true;
    }
    let errors = v.or(
        errors(v, v.text_after(v.splat_u8(0), head)),
        errors(v, last),
    );
    let errors = v.or(errors, cut_at_end(v, last.bytes));
    !v.any(any_error(v, errors, src, V::LANES))
}

/// Returns whether `src`, which has more than two vectors, is ASCII. With AVX-512 these are vectors of 32 bytes, half of
/// which are within a cache line, wherever they start: 256 bytes of ASCII take 0.8 times as long as with those of 64.
#[inline(always)]
fn is_ascii_by_overlap<V: Vector>(v: V, src: &[u8]) -> bool {
    let (head, last) = (v.load(src), v.load(&src[src.len() - V::LANES..]));
    let middle = &src[V::LANES..src.len() - 1];
    v.is_ascii(any_of(v, v.or(head, last), middle))
}

/// Returns whether `src`, which has 64 to [`MAX_SHORT`] bytes, is ASCII. Without a loop: with one, pages of 128 and 256
/// bytes take 1.2 times as long.
#[inline(always)]
fn is_ascii_to_both_ends<V: Vector>(v: V, src: &[u8]) -> bool {
    match src.len() {
        0..=128 => ends_are_ascii::<64, _>(v, src),
        129..=256 => ends_are_ascii::<128, _>(v, src),
        _ => ends_are_ascii::<{ MAX_SHORT / 2 }, _>(v, src),
    }
}

/// Returns whether the first and the last `LEN` bytes, which are whole vectors, are ASCII.
#[inline(always)]
fn ends_are_ascii<const LEN: usize, V: Vector>(v: V, src: &[u8]) -> bool {
    let (Some(first), Some(last)) = (src.first_chunk::<LEN>(), src.last_chunk::<LEN>()) else {
        return false;
    };
    debug_assert!(LEN.is_multiple_of(V::LANES));
    let mut any = v.splat_u8(0);
    for at in (0..LEN).step_by(V::LANES) {
        any = v.or(any, v.or(v.load(&first[at..]), v.load(&last[at..])));
    }
    v.is_ascii(any)
}

/// Returns whether `src`, which has at least a block and `BACK` bytes, is well-formed. Blocks that are ASCII are
/// not examined.
#[inline(always)]
fn is_valid_by_blocks<V: Vector>(v: V, src: &[u8]) -> bool {
    let mut any = v.splat_u8(0);
    // Whether a character is cut at the end of the last block that is not ASCII.
    let mut cut = any;
    if !is_ascii(v, &src[..BLOCK]) {
        any = errors(v, v.text_after(any, v.load(src)));
        any = any_error(v, any, &src[..=BLOCK], V::LANES);
        cut = cut_at_end(v, v.load(&src[BLOCK - V::LANES..]));
    }
    let last = src.len() - BLOCK;
    let mut at = after_head(BLOCK, src.len(), src.as_ptr().addr());
    while at < src.len() {
        // The last block overlaps the one before it.
        let Some(window) = window(src, at.min(last) - BACK, BACK + BLOCK) else {
            return false;
        };
        let block = &window[BACK..];
        if is_ascii(v, block) {
            any = v.or(any, cut);
        } else {
            for at in (0..BLOCK).step_by(V::LANES) {
                any = v.or(any, errors(v, v.text_inside(&window[at..])));
            }
            cut = cut_at_end(v, v.load(&block[BLOCK - V::LANES..]));
        }
        at += BLOCK;
    }
    !v.any(v.or(any, cut))
}

/// Returns the length of the longest well-formed prefix, of many vectors or text with an error.
#[inline(always)]
fn valid_prefix<V: Vector>(v: V, src: &[u8]) -> usize {
    let ascii = ascii_chunks(v, src);
    if ascii > 0 && src.len() - ascii < CHUNK && is_ascii_to_end(v, src, ascii) {
        return src.len();
    }
    let rest = src.get(ascii..).unwrap_or_default();
    let by_blocks = (BLOCK + BACK..=max_by_blocks::<V>()).contains(&rest.len());
    if by_blocks && is_valid_by_blocks(v, rest) {
        return src.len();
    }
    let (start, error) = if ascii > 0 {
        (ascii, None)
    } else {
        let start = after_head(V::LANES, src.len(), src.as_ptr().addr());
        (start, error_in_head(v, src, v.load_front(src)))
    };
    let error = error.unwrap_or_else(
        #[inline(always)]
        || valid_to::<CHUNK, false, V>(v, src, start, false, |_| {}).0,
    );
    whole_characters(src, error)
}

/// Returns where the first vector after the head starts, in a text of `len` bytes: in the head or right after
/// it, and, if that pays, so that it is aligned in the slice at `address`.
#[inline(always)]
pub(super) fn after_head(lanes: usize, len: usize, address: usize) -> usize {
    let at = lanes - address % lanes;
    if len < MIN_ALIGNED || at < BACK {
        lanes
    } else {
        at
    }
}

/// Returns the position of the first error in the first vector, or the end of a text that is not longer.
#[inline(always)]
pub(super) fn error_in_head<V: Vector>(v: V, src: &[u8], head: V::V) -> Option<usize> {
    // A character that is cut at the end is an error after it.
    match first(v, errors(v, v.text_after(v.splat_u8(0), head))) {
        Some(error) => Some(error.min(src.len())),
        None => (src.len() <= V::LANES).then_some(src.len()),
    }
}

/// Returns the position of the first error from `at` on, or the end; or, if `COPIES`, the position of a chunk that is
/// ASCII, and true. There are at least three bytes before `at`, without errors; `ascii` says that they end a chunk that
/// is ASCII. After each chunk, or several of them, `valid` is called with the position up to which there are no errors,
/// except perhaps a cut character at its end. Chunks shorter than [`CHUNK`] pay if errors are likely.
#[inline(always)]
pub(super) fn valid_to<const CHUNK: usize, const COPIES: bool, V: Vector>(
    v: V,
    src: &[u8],
    at: usize,
    mut ascii: bool,
    mut valid: impl FnMut(usize),
) -> (usize, bool) {
    let mut at = at;
    let mut marks = V::MARKS_VECTORS && CHUNK == LONG_CHUNK;
    let mut is_found = false;
    while let Some(window) = window(src, at - BACK, BACK + CHUNK) {
        if marks && let Some(first) = piece(v, src, at) {
            let after;
            (at, after) = valid_pieces::<COPIES, _>(v, src, at, first, &mut valid);
            match after {
                After::Error => {
                    is_found = true;
                    break;
                }
                After::Ascii => return (at, true),
                After::Dense | After::End => (marks, ascii) = (false, false),
            }
            continue;
        }
        let chunk = &window[BACK..];
        // Non-ASCII text is usually followed by more of it, and one vector of many shows that.
        let looks_like_it =
            ascii || CHUNK <= VECTORS_AT_ONCE * V::LANES || v.is_ascii(v.load(chunk));
        ascii = looks_like_it && is_ascii(v, chunk);
        marks = V::MARKS_VECTORS && CHUNK == LONG_CHUNK && ascii;
        if COPIES && ascii {
            return (at, !is_cut(src, at));
        }
        if ascii {
            if is_cut(src, at) {
                return (at, false);
            }
        } else if !is_valid::<CHUNK, COPIES, V>(v, window) {
            is_found = true;
            break;
        }
        at += CHUNK;
        valid(at);
    }
    let is_valid =
        !is_found && (ascii && is_ascii_to_end(v, src, at) || is_valid_to_end(v, src, at));
    let error = if is_valid {
        src.len()
    } else {
        place(v, src, at)
    };
    (error, false)
}

/// Returns where the chunks from `at` on end that are ASCII.
#[inline(always)]
pub(super) fn after_ascii<V: Vector>(v: V, src: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(chunk) = window(src, at, CHUNK)
        && is_ascii(v, chunk)
    {
        at += CHUNK;
    }
    at
}

/// Returns whether whole vectors are ASCII.
#[inline(always)]
pub(super) fn is_ascii<V: Vector>(v: V, src: &[u8]) -> bool {
    v.is_ascii(any_of(
        v,
        v.load(src),
        src.get(V::LANES..).unwrap_or_default(),
    ))
}

/// Returns whether there are no errors in the chunk that is `BACK` bytes into `window`.
#[inline(always)]
fn is_valid<const CHUNK: usize, const COPIES: bool, V: Vector>(v: V, window: &[u8]) -> bool {
    let mut any = v.splat_u8(0);
    for at in (0..CHUNK).step_by(V::LANES) {
        let window = window.get(at..).unwrap_or_default();
        let mut text = v.text_inside(window);
        if !COPIES {
            // A load, where AVX-512 VBMI2 would shift: without stores in between there is time for it. Validation of 64
            // KB takes 0.95 times as long; with a copy, it would take 1.08 times as long.
            text.one_before = v.load(window.get(BACK - 1..).unwrap_or_default());
        }
        any = v.or(any, errors(v, text));
    }
    !v.any(any)
}

/// Returns whether a character starts in the three bytes before `at` and continues after them.
#[inline(always)]
pub(super) fn is_cut(src: &[u8], at: usize) -> bool {
    match src.get(at - BACK..).and_then(<[u8]>::first_chunk::<BACK>) {
        Some(&[_, three, two, one]) => three >= 0xF0 || two >= 0xE0 || one >= 0xC0,
        None => false,
    }
}

/// Returns the position of the first error from `at` on, or the end.
#[cold]
#[inline(never)]
fn place(v: impl Vector, src: &[u8], at: usize) -> usize {
    v.run_on(
        src,
        &mut [(); 0],
        #[inline(always)]
        |v, src, _| place_here(v, src, at),
    )
}

/// Does what [`place`] does.
#[inline(always)]
fn place_here<V: Vector>(v: V, src: &[u8], at: usize) -> usize {
    let mut at = at;
    while at < src.len() {
        // The last vector may overlap the one before it.
        let start = at.min(src.len().saturating_sub(V::LANES));
        let Some(window) = start
            .checked_sub(BACK)
            .and_then(|start| window(src, start, BACK + V::LANES))
        else {
            // Too short for a vector with three bytes before it.
            let start = whole_characters(src, at);
            return start + scalar::utf8::utf8_valid_prefix(&src[start..]);
        };
        if let Some(error) = first(v, errors(v, v.text_inside(window))) {
            return start + error;
        }
        at = start + V::LANES;
    }
    src.len()
}

/// Returns the length of the ASCII prefix in whole chunks.
#[inline(always)]
fn ascii_chunks<V: Vector>(v: V, src: &[u8]) -> usize {
    let mut at = 0;
    if src.len() >= MIN_ALIGNED {
        if !v.is_ascii(v.load(src)) {
            return 0;
        }
        at = after_head(V::LANES, src.len(), src.as_ptr().addr());
    }
    let end = after_ascii(v, src, at);
    if end > at { end } else { 0 }
}

/// Returns whether the rest from `at` on is ASCII, and the last vector.
#[inline(always)]
fn is_ascii_to_end<V: Vector>(v: V, src: &[u8], at: usize) -> bool {
    let Some(last) = src.len().checked_sub(V::LANES) else {
        return false;
    };
    let rest = src.get(at..).unwrap_or_default();
    v.is_ascii(any_of(v, v.load(&src[last..]), rest))
}

/// Returns whether there are no errors from `at` on, and no character is cut at the end. May return false if
/// the text is shorter than a vector with three bytes before it.
#[inline(always)]
fn is_valid_to_end<V: Vector>(v: V, src: &[u8], at: usize) -> bool {
    let Some(last) = src.len().checked_sub(V::LANES + BACK) else {
        return false;
    };
    let last = v.text_inside(&src[last..]);
    let errors = v.or(errors(v, last), cut_at_end(v, last.bytes));
    !v.any(any_error(v, errors, src, at))
}
