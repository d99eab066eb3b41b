//! Latin-1 to UTF-8.
//!
//! The bytes 80 to FF have two bytes in UTF-8, the first of which is C2 or C3. A vector is converted at once, whatever it
//! contains, and then windows of eight characters are shuffled together with rows of a table; there is no loop over
//! characters. The last vector overlaps the one before it. Short text, and the end of a long one if its vector doesn't
//! fit, is converted at most 16 bytes at a time.

use core::mem::MaybeUninit;

use super::LANES;
use super::ascii::ascii_to_utf8;
use super::utf16_lanes::copy_front;
use crate::simd::scalar;
use crate::simd::scalar::short_encoded;
use crate::simd::shared::shuffles::ONE_OR_TWO_HIGH_FIRST;
use crate::simd::vector::Vector;

/// Converts Latin-1. Stops if there is no room for a whole character. Returns the number of bytes read and
/// written.
#[inline(always)]
pub(in crate::simd) fn latin1_to_utf8<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    by_len(v, src, dst, short_to_utf8, wide_to_utf8)
}

/// Copies up to a vector if it is ASCII, or else converts it with `short`; and longer text with `wide`.
#[inline(always)]
pub(super) fn by_len<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    short: impl Fn(V, &[u8], &mut [MaybeUninit<u8>]) -> (usize, usize),
    wide: impl Fn(V, &[u8], &mut [MaybeUninit<u8>]) -> (usize, usize),
) -> (usize, usize) {
    if src.len() > V::LANES {
        return wide(v, src, dst);
    }
    if copies_ascii(v.part(), src, dst) {
        (src.len(), src.len())
    } else {
        short(v, src, dst)
    }
}

/// Copies one to two vectors if all is ASCII and there is room. Returns whether it has.
#[inline(always)]
pub(super) fn copies_two_ascii<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    let last = src.len() - V::LANES;
    if last > V::LANES {
        return false;
    }
    // They may overlap.
    let (front, back) = (v.load(src), v.load(&src[last..]));
    let fits = dst.len() >= src.len() && v.is_ascii(v.or(front, back));
    if fits {
        v.store(dst, front);
        v.store(&mut dst[last..], back);
    }
    fits
}

/// Copies up to 32 bytes if all are ASCII and there is room. Returns whether it has.
#[inline(always)]
fn copies_ascii<P: Vector>(p: P, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
    if src.len() < LANES {
        return short_encoded::ascii(src, dst).is_some();
    }
    copies_two_ascii(p, src, dst)
}

/// Stores as many bytes of a vector of 16 as there is room for.
#[inline(always)]
pub(super) fn store_front<P: Vector>(p: P, bytes: P::V, to: &mut [MaybeUninit<u8>]) {
    if to.len() >= LANES {
        p.store(to, bytes);
    } else {
        let mut between = [MaybeUninit::uninit(); LANES];
        p.store(&mut between, bytes);
        copy_front(&between, to);
    }
}

/// The bytes of Latin-1 characters as UTF-8, in windows of eight characters.
struct Windows<V> {
    /// In the order of [`Vector::interleave_u8`].
    windows: [V; 2],
    /// The bytes with a second byte.
    high: u64,
}

impl<V> Windows<V> {
    #[inline(always)]
    fn new<W: Vector<V = V>>(w: W, bytes: V) -> Self
    where
        V: Copy,
    {
        let high = w.mask_u8(bytes);
        // C2 or C3 (any value for ASCII), and the byte without bit 6.
        let from_c0 = w.lt_i8(w.splat_u8(0xBF), bytes);
        let lead = w.sub_u8(w.splat_u8(0xC2), from_c0);
        let last = w.select_where_not_ascii(bytes, w.and(bytes, w.splat_u8(0xBF)), bytes);
        let [even, odd] = w.interleave_u8(last, lead);
        let [a, b, c, d, ..] = high.to_le_bytes();
        Windows {
            windows: [
                w.look_up(even, w.rows(&ONE_OR_TWO_HIGH_FIRST.0, [a, c])),
                w.look_up(odd, w.rows(&ONE_OR_TWO_HIGH_FIRST.0, [b, d])),
            ],
            high,
        }
    }

    /// Writes all, and returns their length. `to` has room for two vectors.
    #[inline(always)]
    fn put<W: Vector<V = V>>(&self, w: W, to: &mut [MaybeUninit<u8>]) -> usize
    where
        V: Copy,
    {
        debug_assert!(to.len() >= 2 * W::LANES);
        for i in 0..W::LANES / 8 {
            let at = 8 * i + (self.high & !(u64::MAX << (8 * i))).count_ones() as usize;
            w.part().store(&mut to[at..], w.part_of(self.windows, i));
        }
        W::LANES + self.high.count_ones() as usize
    }
}

/// Converts text of more than a vector.
#[inline(never)]
fn wide_to_utf8<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    v.run_on(
        src,
        dst,
        #[inline(always)]
        |v, src, dst| {
            if copies_two_ascii(v, src, dst) {
                return (src.len(), src.len());
            }
            let (mut read, mut written) = (0, 0);
            // Two vectors, and what the copies of a sparse one may read and write after them.
            while let Some(from) = src[read..].get(..4 * V::LANES)
                && let Some(to) = dst[written..].get_mut(..6 * V::LANES)
            {
                let halves = [v.load(from), v.load(&from[V::LANES..])];
                read += 2 * V::LANES;
                if v.is_ascii(v.or(halves[0], halves[1])) {
                    v.store(to, halves[0]);
                    v.store(&mut to[V::LANES..], halves[1]);
                    written += 2 * V::LANES;
                    if V::LANES == 16 {
                        let run = ascii_to_utf8(v, &src[read..], &mut dst[written..]);
                        read += run;
                        written += run;
                    }
                    continue;
                }
                // Both halves, ASCII or not: in such text a branch would often be mispredicted.
                let mut len = 0;
                for (i, half) in halves.into_iter().enumerate() {
                    debug_assert!(len <= 3 * V::LANES, "there is room for each half");
                    if let Some(from) = from[i * V::LANES..].get(..3 * V::LANES)
                        && let Some(to) = to[len..].get_mut(..3 * V::LANES)
                    {
                        len += match v.mask_u8(half).count_ones() {
                            0..=2 if V::LANES > 16 => sparse_to_utf8(v, half, from, to),
                            _ => Windows::new(v, half).put(v, to),
                        };
                    }
                }
                written += len;
            }
            while let Some(from) = src[read..].get(..V::LANES)
                && let Some(to) = dst[written..].get_mut(..2 * V::LANES)
            {
                read += V::LANES;
                let bytes = v.load(from);
                if v.is_ascii(bytes) {
                    v.store(to, bytes);
                    written += V::LANES;
                } else {
                    written += Windows::new(v, bytes).put(v, to);
                }
            }
            if let Some(written) = last_vector_to_utf8(v, src, dst, read, written) {
                return (src.len(), written);
            }
            let rest = short_to_utf8(v, &src[read..], &mut dst[written..]);
            (read + rest.0, written + rest.1)
        },
    )
}

/// Converts the rest of the text, if that is less than a vector, as part of the last vector, whose front is converted
/// again to the same place. Returns the number of bytes written in all.
#[inline(always)]
fn last_vector_to_utf8<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Option<usize> {
    let front = V::LANES.checked_sub(src.len() - read)?;
    if front == V::LANES {
        return Some(written);
    }
    let bytes = v.load(src.get(src.len() - V::LANES..)?);
    let high = v.mask_u8(bytes);
    let before = front + (high & !(u64::MAX << front)).count_ones() as usize;
    let at = written.checked_sub(before)?;
    if high == 0 {
        v.store(dst[at..].get_mut(..V::LANES)?, bytes);
        return Some(at + V::LANES);
    }
    let to = dst[at..].get_mut(..2 * V::LANES)?;
    Some(at + Windows::new(v, bytes).put(v, to))
}

/// The two bytes of UTF-8 for each byte from 80 to FF.
static TWO_BYTES: [[u8; 2]; 256] = {
    let mut table = [[0; 2]; 256];
    let mut byte = 0x80;
    while byte < 0x100 {
        table[byte] = [0xC0 | (byte >> 6) as u8, byte as u8 & 0xBF];
        byte += 1;
    }
    table
};

/// Returns the place of the lowest bit of the mask of a vector, and clears it; or the number of bytes in the vector.
#[inline(always)]
pub(super) fn take_first<V: Vector>(_: V, mask: &mut u64) -> usize {
    let at = (*mask | 1 << (V::LANES - 1) << 1).trailing_zeros();
    *mask &= mask.wrapping_sub(1);
    at as usize
}

/// Writes the UTF-8 of the vector at the front of `from`, which is `bytes` and of which at most two bytes are not
/// ASCII, and returns its length. Copies the bytes, and then, after each non-ASCII byte, the bytes that follow it again,
/// at their new place. The loop always runs twice, so that nothing is mispredicted; what it writes needlessly is after
/// the text.
#[inline(always)]
fn sparse_to_utf8<V: Vector>(v: V, bytes: V::V, from: &[u8], to: &mut [MaybeUninit<u8>]) -> usize {
    let mut high = v.mask_u8(bytes);
    let len = V::LANES + high.count_ones() as usize;
    v.store(to, bytes);
    for round in 0..2 {
        let at = take_first(v, &mut high);
        if let Some((two, to)) = to[at + round..].split_first_chunk_mut() {
            *two = TWO_BYTES[usize::from(from[at])].map(MaybeUninit::new);
            v.store(to, v.load(&from[at + 1..]));
        }
    }
    len
}

/// Converts 16 bytes at a time, as far as there is room.
#[inline(never)]
fn short_to_utf8<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    v.run_on(
        src,
        dst,
        #[inline(always)]
        |v, src, dst| {
            let p = v.part();
            let (mut read, mut written) = (0, 0);
            while read < src.len() {
                let (from, to) = (&src[read..], &mut dst[written..]);
                let len = from.len().min(LANES);
                let bytes = p.load_front(from);
                let high = p.mask_u8(bytes);
                let len_written = len + high.count_ones() as usize;
                if len_written > to.len() {
                    // As many characters as there is room for.
                    let rest = scalar::latin1::latin1_to_utf8(from, to);
                    return (read + rest.0, written + rest.1);
                }
                if high == 0 {
                    store_front(p, bytes, &mut to[..len]);
                } else if to.len() >= 2 * LANES {
                    Windows::new(p, bytes).put(p, to);
                } else {
                    let [lower, upper] = Windows::new(p, bytes).windows;
                    let lower_len = 8 + (high & 0xFF).count_ones() as usize;
                    let (to_lower, to_upper) =
                        to[..len_written].split_at_mut(lower_len.min(len_written));
                    store_front(p, lower, to_lower);
                    store_front(p, upper, to_upper);
                }
                read += len;
                written += len_written;
            }
            (read, written)
        },
    )
}

/// Copies ASCII, two vectors at a time, and returns the number of bytes.
#[inline(always)]
pub(in crate::simd) fn ascii_run<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let blocks = src.chunks_exact(2 * V::LANES);
    let mut len = 0;
    for (from, to) in blocks.zip(dst.chunks_exact_mut(2 * V::LANES)) {
        let (low, high) = (v.load(from), v.load(&from[V::LANES..]));
        if !v.is_ascii(v.or(low, high)) {
            break;
        }
        v.store(to, low);
        v.store(&mut to[V::LANES..], high);
        len += 2 * V::LANES;
    }
    len
}
