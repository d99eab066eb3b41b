//! Copies well-formed UTF-8, and validates it at the same time (`utf8_valid.rs`).

use core::mem::MaybeUninit;
use core::ops::Range;

use super::utf8_errors::whole_characters;
use super::utf8_valid::{
    CHUNK, MAX_SHORT, after_head, error_in_head, is_ascii, is_short_and_valid, long_valid_prefix,
    valid_to,
};
use super::{any_bits, load_4};
use crate::simd::vector::Vector;

/// The distance, in bytes, that a copy keeps behind the validation if the two would disturb each other.
const LAG: usize = 1024;

/// Up to this many bytes are validated first, and then copied by the C library. At 4096, that takes up to four times as
/// long where source and destination are at unfavourable distances.
const WINDOW: usize = 2 * 1024;

/// After this many bytes of ASCII, anything else is most likely a single character with more ASCII after it.
const LONG_ASCII: usize = 1024;

/// The size of chunks after an error, before the next one.
const CHUNK_AFTER_ERROR: usize = 128;

/// Copies well-formed UTF-8, as far as there is room for whole characters. Returns its length in bytes.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf8<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    // If text is validated before it is copied, 64 bytes take 0.8 times as long, and 256 bytes 1.08 times as long.
    if is_short_and_valid::<true, _>(v, src) {
        copy_short(v, src, dst);
        return len;
    }
    copy_not_short(v, src, dst)
}

/// Does what [`utf8_to_utf8`] does, for slices of the same length, with many vectors or with an error. A separate
/// function, so that short text does not pay for saving registers.
#[inline(never)]
fn copy_not_short<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    v.run_on(
        src,
        dst,
        #[inline(always)]
        |v, src, dst| copy_many_vectors(v, src, dst),
    )
}

/// Does what [`copy_not_short`] does.
#[inline(always)]
fn copy_many_vectors<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len();
    let in_one_window = len <= MAX_SHORT
        || len <= WINDOW && (V::MARKS_VECTORS || is_ascii(v.short(), &src[..CHUNK]));
    if !in_one_window {
        return long_copy(v, src, dst);
    }
    let ascii = if len >= LONG_ASCII && is_ascii(v, &src[..4 * V::LANES]) {
        copy_ascii(v, src, dst, 0)
    } else {
        0
    };
    let rest = src.get(ascii..).unwrap_or_default();
    if rest.is_empty() {
        return ascii;
    }
    let valid = long_valid_prefix(v, rest);
    if let (Some(from), Some(to)) = (rest.get(..valid), dst.get_mut(ascii..ascii + valid)) {
        copy_run(from, to);
    }
    ascii + valid
}

/// Does what [`utf8_to_utf8`] does, for slices of the same length with many vectors.
#[inline(never)]
fn long_copy<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    v.run_on(
        src,
        dst,
        #[inline(always)]
        |v, src, dst| copy_chunks::<CHUNK, V>(v, src, dst),
    )
}

/// Does what [`utf8_to_utf8`] does, for text after an error, in which another one is likely.
#[inline(always)]
pub(super) fn copy_after_error<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    if len <= MAX_SHORT {
        copy_not_short(v, src, dst)
    } else if V::MARKS_VECTORS {
        // They mark vectors ahead of the validation, many of which would never be examined. For others, small chunks are
        // no faster.
        v.run_apart(
            src,
            dst,
            #[inline(always)]
            |v, src, dst| copy_chunks::<CHUNK_AFTER_ERROR, V>(v, src, dst),
        )
    } else {
        long_copy(v, src, dst)
    }
}

/// Copies a short text if it is well-formed and fits, or the well-formed front of a long text. Returns the
/// number of bytes copied.
#[inline(always)]
pub(super) fn copy_well_formed_front<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    if src.len() > MAX_SHORT {
        let len = src.len().min(dst.len());
        copy_many_vectors(v, &src[..len], &mut dst[..len])
    } else {
        copy_short_text(v, src, dst).unwrap_or(0)
    }
}

/// Copies a short text if it is well-formed and fits. Returns its length.
#[inline(always)]
pub(in crate::simd) fn copy_short_text<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let dst = dst.get_mut(..src.len())?;
    is_short_and_valid::<false, _>(v, src).then(
        #[inline(always)]
        || {
            copy_short(v, src, dst);
            src.len()
        },
    )
}

/// Copies a short slice into another of the same length.
#[inline(always)]
fn copy_short<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    if V::IS_FOR_SHORT && src.len() > V::Short::LANES {
        copy(v, src, dst);
    } else {
        copy(v.short(), src, dst);
    }
}

/// Copies one short slice into another of the same length.
#[inline(always)]
fn copy<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let (len, lanes) = (src.len(), V::LANES);
    if len < lanes {
        return v.copy_front(src, dst);
    }
    // The vectors may overlap. Up to eight are not copied in a loop, which the compiler would make a call of `memcpy`.
    copy_vector(v, src, dst, 0);
    if len > 2 * lanes {
        copy_vector(v, src, dst, lanes);
        copy_vector(v, src, dst, len - 2 * lanes);
    }
    if len > 4 * lanes {
        copy_vector(v, src, dst, 2 * lanes);
        copy_vector(v, src, dst, len - 3 * lanes);
    }
    if len > 6 * lanes {
        copy_vector(v, src, dst, 3 * lanes);
        copy_vector(v, src, dst, len - 4 * lanes);
    }
    if len > 8 * lanes {
        for at in (4 * lanes..len - 4 * lanes).step_by(lanes) {
            copy_vector(v, src, dst, at);
        }
    }
    copy_vector(v, src, dst, len - lanes);
}

/// Copies the vector `at` bytes into the slices.
#[inline(always)]
fn copy_vector<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>], at: usize) {
    v.store(&mut dst[at..], v.load(&src[at..]));
}

/// Copies well-formed UTF-8 between slices of the same length with many vectors, in chunks of `CHUNK` bytes.
/// Returns its length.
#[inline(always)]
fn copy_chunks<const CHUNK: usize, V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let head = v.load(src);
    v.store(dst, head);
    if let Some(error) = error_in_head(v, src, head) {
        // The text has less than a vector.
        return whole_characters(src, error);
    }
    // A chunk of ASCII contains a block of ASCII, so every iteration makes progress.
    debug_assert!(4 * V::LANES <= CHUNK);
    let start = after_head(V::LANES, src.len(), dst.as_ptr().addr());
    let mut late = LateCopy::<CHUNK, V>::new(v, src, dst, start);
    let mut ascii = v.is_ascii(head);
    let error = loop {
        if ascii {
            let start = late.copied;
            late.copy_ascii();
            ascii = late.copied - start < LONG_ASCII;
        }
        let from = late.copied;
        let (valid, is_ascii) = valid_to::<CHUNK, true, V>(
            v,
            src,
            from,
            ascii,
            #[inline(always)]
            |valid| late.copy_before(valid),
        );
        late.copy_all_before(valid);
        if !is_ascii {
            break valid;
        }
        ascii = true;
    };
    whole_characters(src, error)
}

/// A copy that follows the validation.
///
/// A load waits for an earlier store whose address differs from its own by a multiple of 4096, or nearly so.
/// If the distance of source and destination makes the validation load what the copy has seemingly just
/// stored, the copy stays behind.
struct LateCopy<'a, const CHUNK: usize, V> {
    v: V,
    src: &'a [u8],
    dst: &'a mut [MaybeUninit<u8>],
    copied: usize,
    lag: usize,
}

impl<'a, const CHUNK: usize, V: Vector> LateCopy<'a, CHUNK, V> {
    #[inline(always)]
    fn new(v: V, src: &'a [u8], dst: &'a mut [MaybeUninit<u8>], start: usize) -> Self {
        let apart = dst.as_ptr().addr().wrapping_sub(src.as_ptr().addr()) % 4096;
        let lag = if apart < LAG / 2 { LAG } else { 0 };
        LateCopy {
            v,
            src,
            dst,
            copied: start,
            lag,
        }
    }

    /// Copies what is far enough before `end`, chunk by chunk, while the validation computes.
    #[inline(always)]
    fn copy_before(&mut self, end: usize) {
        let far = end - self.copied;
        if far < self.lag + CHUNK {
            return;
        }
        // This is a call, for which the loops of other instruction sets would have to save registers.
        if V::MARKS_VECTORS && far >= self.lag + 2 * CHUNK {
            return self.copy_all_before(end - self.lag);
        }
        let range = self.copied..self.copied + CHUNK;
        let (from, to) = (self.src.get(range.clone()), self.dst.get_mut(range));
        debug_assert!(from.is_some() && to.is_some(), "the chunk is before `end`");
        if let (Some(from), Some(to)) = (from, to) {
            let mut at = 0;
            while at < CHUNK {
                self.v.store(&mut to[at..], self.v.load(&from[at..]));
                at += V::LANES;
            }
        }
        self.copied += CHUNK;
    }

    /// Copies what is left before `end`.
    #[inline(always)]
    fn copy_all_before(&mut self, end: usize) {
        if self.copied < end {
            copy_range(self.src, self.dst, self.copied..end);
            self.copied = end;
        }
    }

    /// Copies blocks that are ASCII, as soon as each is loaded: that leaves nothing to compute.
    #[inline(always)]
    fn copy_ascii(&mut self) {
        self.copied = copy_ascii(self.v, self.src, self.dst, self.copied);
    }
}

/// Copies blocks of ASCII from `start` on, between slices of the same length. Returns where they end. A separate
/// function, so that the loop of the validation keeps its registers.
#[inline(never)]
fn copy_ascii<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>], start: usize) -> usize {
    v.run_on(
        src,
        dst,
        #[inline(always)]
        |v, src, dst| {
            let mut at = start;
            while let Some(from) = src.get(at..at + 4 * V::LANES)
                && let Some(to) = dst.get_mut(at..at + 4 * V::LANES)
            {
                let bytes = load_4(v, from);
                if !v.is_ascii(any_bits(v, bytes)) {
                    break;
                }
                for (bytes, to) in bytes.into_iter().zip(to.chunks_exact_mut(V::LANES)) {
                    v.store(to, bytes);
                }
                at += 4 * V::LANES;
            }
            at
        },
    )
}

/// Copies a range of `src` to the same place in `dst`. One function for all kernels.
#[inline(never)]
fn copy_range(src: &[u8], dst: &mut [MaybeUninit<u8>], range: Range<usize>) {
    let (src, dst) = (src.get(range.clone()), dst.get_mut(range));
    debug_assert!(
        src.is_some() && dst.is_some(),
        "the range is in both slices"
    );
    if let (Some(src), Some(dst)) = (src, dst) {
        copy_run(src, dst);
    }
}

/// Copies what may be long, with the C library, which is fastest at it.
#[inline(always)]
fn copy_run(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    for (to, from) in dst.iter_mut().zip(src) {
        to.write(*from);
    }
}
