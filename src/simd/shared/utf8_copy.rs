//! UTF-8 validated and copied: what the instruction sets share. See `utf8_valid.rs`.

use core::mem::MaybeUninit;

use super::utf8_errors::whole_characters;
use super::utf8_valid::{
    CHUNK, FEW, Vectors, after_head, are_few_and_valid, error_in_head, first_error, is_ascii,
};
use crate::simd::kernels::Transcoded;

/// The least distance of a copy after the validation where the two would disturb each other.
const LAG: usize = 1024;

/// So much is validated first, and then copied: the C library knows best how.
const ONE_WINDOW: usize = 4 * 1024;

/// The chunks of a copy after an error, before the next one.
pub(in crate::simd) const CHUNK_BEHIND_ERROR: usize = 128;

/// ASCII is copied when so much is validated; it is still in the first-level cache then.
const ASCII_WINDOW: usize = 16 * 1024;

/// Copies well-formed UTF-8, as far as there is room for whole characters. Returns its length.
/// `valid_prefix` finds that where the copy is done already; `copy_many` copies more than a few
/// vectors.
#[inline(always)]
pub(in crate::simd) fn utf8_to_utf8<V: Vectors>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    valid_prefix: impl Fn(&[u8]) -> usize,
    copy_many: impl Fn(&[u8], &mut [MaybeUninit<u8>]) -> usize,
) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    if len > FEW {
        let front = src.get(..CHUNK).is_some_and(|front| is_ascii(v, front));
        if len > ONE_WINDOW || !front {
            return copy_many(src, dst);
        }
        let valid = valid_prefix(src);
        copy_run(&src[..valid], &mut dst[..valid]);
        return valid;
    }
    copy(v, src, dst);
    if are_few_and_valid(v, src) {
        len
    } else {
        valid_prefix(src)
    }
}

/// [`utf8_to_utf8`] after an error, before the next one. `copy_few` copies a few vectors,
/// `copy_many` more, by chunks of [`CHUNK_BEHIND_ERROR`].
#[inline(always)]
pub(in crate::simd) fn copy_after_error(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    copy_few: impl Fn(&[u8], &mut [MaybeUninit<u8>]) -> usize,
    copy_many: impl Fn(&[u8], &mut [MaybeUninit<u8>]) -> usize,
) -> usize {
    let len = src.len().min(dst.len());
    if len > FEW {
        copy_many(&src[..len], &mut dst[..len])
    } else {
        copy_few(src, dst)
    }
}

/// All of a few vectors, if they are well-formed and there is room for them; or the well-formed front
/// of many, as far as `copy` copies it.
#[inline(always)]
pub(in crate::simd) fn well_formed_front<V: Vectors>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    copy_many: impl Fn(&[u8], &mut [MaybeUninit<u8>]) -> usize,
) -> Transcoded {
    let clean = if src.len() > FEW {
        copy_many(src, dst)
    } else if let Some(dst) = dst.get_mut(..src.len())
        && are_few_and_valid(v, src)
    {
        copy(v, src, dst);
        src.len()
    } else {
        0
    };
    Transcoded {
        read: clean,
        written: clean,
        errors: 0,
    }
}

/// Copies one slice into another of the same length.
#[inline(always)]
fn copy<V: Vectors>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let Some(last) = src.len().checked_sub(V::LANES) else {
        return v.copy_few(src, dst);
    };
    let mut at = 0;
    while at < last {
        v.store(&mut dst[at..], v.load(&src[at..]));
        at += V::LANES;
    }
    // Overlaps the one before.
    v.store(&mut dst[last..], v.load(&src[last..]));
}

/// [`utf8_to_utf8`] of many vectors, slices of the same length, in chunks of this many bytes.
#[inline(always)]
pub(in crate::simd) fn many_to_utf8<const CHUNK: usize, V: Vectors>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let head = v.load(src);
    v.store(dst, head);
    if let Some(error) = error_in_head(v, src, head) {
        // Less than a vector.
        return whole_characters(src, error);
    }
    let start = after_head(V::LANES, src.len(), dst.as_ptr().addr());
    let mut late = LateCopy::<CHUNK, V>::new(v, src, dst, start);
    let error =
        first_error::<CHUNK, V>(v, src, start, |valid, ascii| late.copy_before(valid, ascii));
    late.copy_all_before(error);
    whole_characters(src, error)
}

/// A copy that follows the validation.
///
/// A load waits for an earlier store whose address differs from its own by a multiple of 4096, or
/// nearly so. Where source and destination lie so that the validation would load what the copy has
/// seemingly just stored, the copy keeps a distance.
struct LateCopy<'a, const CHUNK: usize, V> {
    v: V,
    src: &'a [u8],
    dst: &'a mut [MaybeUninit<u8>],
    copied: usize,
    lag: usize,
}

impl<'a, const CHUNK: usize, V: Vectors> LateCopy<'a, CHUNK, V> {
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

    /// Copies what lies far enough before `end`: after a chunk that is not ASCII chunk by chunk,
    /// so that the copy is done while the validation computes; in ASCII, which leaves nothing to
    /// compute, much at a time.
    #[inline(always)]
    fn copy_before(&mut self, end: usize, ascii: bool) {
        let (v, chunk) = (self.v, CHUNK);
        let far = end - self.copied;
        if ascii && far < ASCII_WINDOW || far < self.lag + chunk {
            return;
        }
        if far >= self.lag + 2 * chunk {
            let start = self.copied;
            self.copied = end - self.lag;
            copy_run(
                &self.src[start..self.copied],
                &mut self.dst[start..self.copied],
            );
            return;
        }
        let (from, to) = (&self.src[self.copied..], &mut self.dst[self.copied..]);
        if let (Some(from), Some(to)) = (from.get(..chunk), to.get_mut(..chunk)) {
            copy(v, from, to);
        }
        self.copied += chunk;
    }

    /// Copies what is left before `end`.
    #[inline(always)]
    fn copy_all_before(self, end: usize) {
        if self.copied < end {
            copy_run(&self.src[self.copied..end], &mut self.dst[self.copied..end]);
        }
    }
}

/// Copies what can be long: the C library knows best how.
#[inline(always)]
fn copy_run(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    for (to, from) in dst.iter_mut().zip(src) {
        to.write(*from);
    }
}
