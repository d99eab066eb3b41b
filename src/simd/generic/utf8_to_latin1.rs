//! UTF-8 to Latin-1, as `latin1.rs` does the reverse.

use core::mem::MaybeUninit;

use super::LANES;
use super::latin1::{ascii_run, by_len, copies_two_ascii, store_front, take_first};
use super::utf16_lanes::copy_front;
use crate::simd::scalar;
use crate::simd::shared::shuffles::Aligned;
use crate::simd::vector::Vector;

/// Converts UTF-8 up to the first character above U+00FF or the first malformed byte. Returns the number of
/// bytes read and written.
#[inline(always)]
pub(in crate::simd) fn utf8_to_latin1<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    by_len(v, src, dst, short_to_latin1, wide_to_latin1)
}

/// For each set of eight bytes: the shuffles that drop these and keep the others of the lower half of 16 bytes, and of
/// the upper half.
static BYTES_WITHOUT: Aligned<[[[u8; 16]; 256]; 2]> = Aligned({
    let mut table = [[[0x80; 16]; 256]; 2];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 0 {
                table[0][set][at] = lane;
                table[1][set][at] = lane + 8;
                at += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
});

/// The characters of a vector of UTF-8.
struct Chars<V> {
    /// Each at its last byte.
    joined: V,
    /// The lead bytes, which are not characters.
    lead: u64,
    /// The bytes that are malformed, or begin a character above U+00FF; and those after them may be.
    wrong: u64,
}

impl<V: Copy> Chars<V> {
    /// Joins the bytes of each character. `before` are the bytes one before those of `bytes`, and `carry` says whether
    /// the first of them is a lead byte.
    #[inline(always)]
    fn examine<W: Vector<V = V>>(w: W, before: V, bytes: V, carry: u64) -> Chars<V> {
        let high = w.mask_u8(bytes);
        let even = w.and(bytes, w.splat_u8(0xFE));
        let lead = w.mask_u8(w.eq_u8(even, w.splat_u8(0xC2)));
        // All bytes from C0 to FF, whether lead bytes or not, have bit 6 set.
        let bit_6 = w.mask_u8(w.shl_u16::<1>(bytes));
        let trail = (lead << 1 | carry) & u64::MAX >> (64 - W::LANES);
        Chars {
            joined: joined(w, before, bytes),
            lead,
            wrong: ((high & !bit_6) ^ trail) | ((high & bit_6) ^ lead),
        }
    }

    /// Writes those of a whole vector to room for one.
    #[inline(always)]
    fn put<W: Vector<V = V>>(&self, w: W, to: &mut [MaybeUninit<u8>]) {
        if self.lead == 0 {
            w.store(to, self.joined);
            return;
        }
        let windows = windows_without(w, self.joined, self.lead);
        for i in 0..W::LANES / 8 {
            let part = w.part_of(windows, i);
            let to = &mut to[self.len_of(8 * i)..];
            // The last eight characters at most, after which there may be no room.
            if i + 1 == W::LANES / 8 {
                let mut between = [MaybeUninit::uninit(); LANES];
                w.part().store(&mut between, part);
                to[..8].copy_from_slice(&between[..8]);
            } else {
                w.part().store(to, part);
            }
        }
    }

    /// Returns the number of those of a vector.
    #[inline(always)]
    fn len<W: Vector<V = V>>(&self, _: W) -> usize {
        W::LANES - self.lead.count_ones() as usize
    }

    /// Returns the number of those that end in the first `bytes` bytes, which are not all.
    #[inline(always)]
    fn len_of(&self, bytes: usize) -> usize {
        bytes - (self.lead & !(u64::MAX << bytes)).count_ones() as usize
    }

    /// Returns whether the last byte of a vector is a lead byte: 0 or 1.
    #[inline(always)]
    fn carry<W: Vector<V = V>>(&self, _: W) -> u64 {
        self.lead >> (W::LANES - 1)
    }
}

/// Drops the bytes in `lead` of each eight, in the order of [`Vector::interleave_u8`].
#[inline(always)]
fn windows_without<V: Vector>(v: V, bytes: V::V, lead: u64) -> [V::V; 2] {
    let [a, b, c, d, ..] = lead.to_le_bytes();
    [
        v.look_up(bytes, v.rows(&BYTES_WITHOUT.0[0], [a, c])),
        v.look_up(bytes, v.rows(&BYTES_WITHOUT.0[1], [b, d])),
    ]
}

/// Returns the bytes, with each byte after C3 replaced by the character that the two encode.
#[inline(always)]
fn joined<V: Vector>(v: V, before: V::V, bytes: V::V) -> V::V {
    // After C3, the bytes 80 to BF stand for C0 to FF.
    let after_c3 = v.eq_u8(before, v.splat_u8(0xC3));
    v.or(bytes, v.and(after_c3, v.splat_u8(0x40)))
}

/// Converts text of more than a vector.
#[inline(never)]
fn wide_to_latin1<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    v.run_on(
        src,
        dst,
        #[inline(always)]
        |v, src, dst| {
            if copies_two_ascii(v, src, dst) {
                return (src.len(), src.len());
            }
            let mut read = ascii_run(v, src, dst);
            let mut written = read;
            // Whether the previous byte is a lead byte: 0 or 1.
            let mut carry = 0;
            if read == 0 && dst.len() >= V::LANES {
                let bytes = v.load(src);
                let before = v.before::<1>(v.splat_u8(0), bytes);
                let chars = Chars::examine(v, before, bytes, 0);
                if chars.wrong == 0 {
                    // Other blocks need the byte before them.
                    chars.put(v, dst);
                    (read, written, carry) = (V::LANES, chars.len(v), chars.carry(v));
                }
            }
            while read > 0
                && let Some(from) = src[read - 1..].get(..=V::LANES)
                && dst.len() - written >= V::LANES
            {
                let to = &mut dst[written..];
                let bytes = v.load(&from[1..]);
                if v.mask_u8(bytes) | carry == 0 {
                    v.store(to, bytes);
                    read += V::LANES;
                    written += V::LANES;
                    let len = ascii_run(v, &src[read..], &mut dst[written..]);
                    read += len;
                    written += len;
                    continue;
                }
                let chars = Chars::examine(v, v.load(from), bytes, carry);
                if chars.wrong != 0 {
                    break;
                }
                if V::LANES > 16
                    && chars.lead.count_ones() <= 2
                    && let Some(from) = src[read..].get(..=2 * V::LANES)
                    && to.len() >= 2 * V::LANES
                {
                    sparse_to_latin1(v, &chars, from, to);
                } else {
                    chars.put(v, to);
                }
                carry = chars.carry(v);
                read += V::LANES;
                written += chars.len(v);
            }
            if read == src.len() && carry == 0 {
                return (read, written);
            }
            if let Some(done) = last_vector_to_latin1(v, src, dst, read, written) {
                return done;
            }
            // A lead byte at the end of the last block was not written.
            read -= carry as usize;
            let rest = short_to_latin1(v, &src[read..], &mut dst[written..]);
            (read + rest.0, written + rest.1)
        },
    )
}

/// Converts the rest of the text, if that is less than a vector and well-formed, as part of the last vector, whose
/// front is converted again to the same place.
#[inline(always)]
fn last_vector_to_latin1<V: Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    written: usize,
) -> Option<(usize, usize)> {
    let front = V::LANES.checked_sub(src.len() - read)?;
    if front == V::LANES {
        return None;
    }
    let from = src.get((src.len() - V::LANES).checked_sub(1)?..)?;
    let carry = u64::from(from[0] & 0xFE == 0xC2);
    let chars = Chars::examine(v, v.load(from), v.load(&from[1..]), carry);
    let start = written.checked_sub(chars.len_of(front))?;
    let to = dst.get_mut(start..)?.get_mut(..V::LANES)?;
    if chars.wrong != 0 {
        return None;
    }
    chars.put(v, to);
    Some((src.len() - chars.carry(v) as usize, start + chars.len(v)))
}

/// Writes the characters of the vector at the front of `from`, of which at most two have a lead byte. Copies the bytes,
/// and then the bytes after each lead byte again, at their new place. The loop always runs twice, so that
/// nothing is mispredicted; what it writes needlessly is after the text.
#[inline(always)]
fn sparse_to_latin1<V: Vector>(v: V, chars: &Chars<V::V>, from: &[u8], to: &mut [MaybeUninit<u8>]) {
    v.store(to, chars.joined);
    let mut ahead = chars.lead;
    for round in 0..2 {
        let at = take_first(v, &mut ahead);
        // The number of lead bytes before this one: `round`, if there are that many.
        let dropped = if round == 0 {
            0
        } else {
            usize::from(chars.lead != 0)
        };
        let from = &from[at..];
        let joined = joined(v, v.load(from), v.load(&from[1..]));
        v.store(&mut to[at - dropped..], joined);
    }
}

/// Converts 16 bytes at a time, up to the first malformed character or one above U+00FF, as far as there is room.
#[inline(never)]
fn short_to_latin1<V: Vector>(v: V, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    v.run_on(
        src,
        dst,
        #[inline(always)]
        |v, src, dst| {
            let p = v.part();
            let (mut read, mut written) = (0, 0);
            while read < src.len() {
                let done = window_to_latin1(p, &src[read..], &mut dst[written..]);
                if done.0 == 0 {
                    break;
                }
                read += done.0;
                written += done.1;
            }
            (read, written)
        },
    )
}

/// Converts the characters of the first 16 bytes, up to the first malformed one.
#[inline(always)]
fn window_to_latin1<P: Vector>(p: P, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let len = src.len().min(LANES);
    let bytes = p.load_front(src);
    if p.is_ascii(bytes) {
        let len = len.min(dst.len());
        store_front(p, bytes, &mut dst[..len]);
        return (len, len);
    }
    let before = p.before::<1>(p.splat_u8(0), bytes);
    let chars = Chars::examine(p, before, bytes, 0);
    // Up to the first error, and without a lead byte at the end.
    let len = len.min(chars.wrong.trailing_zeros() as usize);
    let len = len - (chars.lead << 1 >> len & 1) as usize;
    let kept = chars.len_of(len);
    if kept > dst.len() {
        // As many characters as there is room for.
        return scalar::latin1::utf8_to_latin1(&src[..len], dst);
    }
    let windows = windows_without(p, chars.joined, chars.lead & !(u64::MAX << len));
    let middle = chars.len_of(8);
    let put = |to: &mut [_]| {
        p.store(to, windows[0]);
        p.store(&mut to[middle..], windows[1]);
    };
    if let Some(to) = dst.get_mut(..2 * LANES) {
        put(to);
    } else {
        let mut between = [MaybeUninit::uninit(); 2 * LANES];
        put(&mut between);
        let (between, _) = between.as_chunks();
        copy_front(&between[0], &mut dst[..kept]);
    }
    (len, kept)
}
