//! UTF-16 to UTF-8, a vector of code units at a time. Stops before the first lone surrogate (unless it is to
//! be replaced), before a leading surrogate at the end, and before characters that don't fit. May overwrite
//! `dst` after what it has written.
//!
//! ```text
//! a lane                 last (high, low byte)      first (high, low byte)
//! U+0041                 ........  01000001
//! U+00E9  xxxxx yyyyyy   110xxxxx  10yyyyyy
//! U+65E5  wwww xxxxxx yyyyyy
//!                        ........  10yyyyyy         10xxxxxx  1110wwww
//! ```
//!
//! A row of a table of shuffles then selects the bytes of each lane that its character has. A surrogate pair
//! takes two lanes of two bytes each, in `last`:
//!
//! ```text
//! leading   110110uuuuxxxxxx   less D7C0: vvvvvxxxxxx, vvvvv = uuuu + 1
//! trailing  110111yyyyyyyyyy
//! UTF-8     11110vvv 10vvxxxx 10xxyyyy 10yyyyyy
//! ```

use core::mem::MaybeUninit;

use super::utf16_lanes::{
    VectorOrder, are_ascii, bmp_to_utf8, bmp_to_utf8_exactly, front_len, load_units, narrow_one,
    pairs_to_utf8, room_for, units_of,
};
use crate::simd::kernels::Transcoded;
use crate::simd::scalar::{self, short};
use crate::simd::surrogates::is_leading_surrogate;
use crate::simd::vector::Vector;

/// The result for a vector with surrogates.
pub(in crate::simd) struct Converted {
    pub(in crate::simd) bytes: usize,
    pub(in crate::simd) errors: usize,
    /// Whether the last unit is a leading surrogate whose trailing one follows.
    pub(in crate::simd) is_open: bool,
}

/// The maximum number of bytes in a vector.
const MAX_LANES: usize = 32;

/// Returns the maximum number of bytes of text that [`short_to_utf8`] converts. It converts 1,000 bytes as fast as
/// [`long_to_utf8`] with AVX2, and 160 bytes with vectors of 16, but all it has done is lost if a surrogate follows.
#[inline(always)]
fn max_short<V: Vector>(_: V) -> usize {
    V::LANES * if V::LANES == 16 { 10 } else { 20 }
}

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end. If
/// `is_lossy`, writes U+FFFD for every lone surrogate except a leading one at the end.
#[inline(always)]
pub(in crate::simd) fn utf16_to_utf8(
    v: impl Vector,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    order: impl VectorOrder,
    is_lossy: bool,
) -> Transcoded {
    match short_to_utf8(v, order, src, dst) {
        Some(written) => (src.len(), written).into(),
        None => v.run_apart(
            src,
            dst,
            #[inline(always)]
            move |v, src, dst| long_to_utf8(v, order, src, dst, is_lossy),
        ),
    }
}

/// Converts text of a few characters, or of a few vectors without surrogates. Returns the number of bytes
/// written; `None` if the text is neither, or may not fit.
#[inline(always)]
fn short_to_utf8(
    v: impl Vector,
    order: impl VectorOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let first = order.code_unit(*src.first_chunk()?);
    let has_pairs = (0xD800..0xE000).contains(&first);
    // Up to three units, and up to 15 pairs, are converted one by one.
    let most = if has_pairs { 4 * 15 } else { 2 * 3 };
    if src.len() <= most
        && let (units, []) = src.as_chunks()
        && let Some(written) = short::utf16_to_utf8(order, units, dst)
    {
        return Some(written);
    }
    // Text that begins with a pair usually has more of them.
    if has_pairs || src.len() > max_short(v) {
        return None;
    }
    match src.len() {
        len if len >= size(v) => {
            let ascii = ascii_pairs(v, order, src, dst);
            if 2 * ascii == src.len() {
                return Some(ascii);
            }
            end_to_utf8(v, order, src, dst, 2 * ascii, ascii)
        }
        len if len >= 16 => end_to_utf8(v.part(), order, src, dst, 0, 0),
        len if len >= 8 && len % 2 == 0 => {
            let units = units_of(v.part(), order, v.part().load_front(src));
            bmp_to_utf8_exactly(v.part(), units, len / 2, dst)
        }
        _ => None,
    }
}

/// Converts ASCII at the front, two vectors at a time. Returns the number of units. With vectors of 16 bytes this does
/// nothing: it would slow down other text (by a tenth) more than it speeds up ASCII.
#[inline(always)]
fn ascii_pairs<V: Vector>(
    v: V,
    order: impl VectorOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let mut len = 0;
    if V::LANES == 16 {
        return len;
    }
    for (pair, to) in src
        .chunks_exact(2 * V::LANES)
        .zip(dst.chunks_exact_mut(V::LANES))
    {
        let (low, high) = pair.split_at(V::LANES);
        let low = load_units(v, order, low);
        let high = load_units(v, order, high);
        if !are_ascii(v, low, high) {
            break;
        }
        v.store(to, v.narrow_u16(low, high));
        len += V::LANES;
    }
    len
}

/// Returns [`Vector::LANES`].
#[inline(always)]
fn size<V: Vector>(_: V) -> usize {
    V::LANES
}

/// Converts the rest of a text of at least a vector, of which `read` bytes are read and `written` bytes are
/// written already. Returns the number of bytes written in all; `None` if the rest does not fit, or has
/// surrogates.
#[inline(always)]
fn end_to_utf8(
    v: impl Vector,
    order: impl VectorOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    read: usize,
    mut written: usize,
) -> Option<usize> {
    let size = size(v);
    let last_at = src.len().checked_sub(size).filter(|at| at % 2 == 0)?;
    let rest = src.get(read..)?;
    if dst.len() - written < rest.len() / 2 {
        return None;
    }
    let mut vectors = rest.chunks_exact(size);
    let rest = vectors.remainder().len();
    // The last vector begins with units that are written already.
    let mut last = (rest > 0).then_some(src.get(last_at..)?);
    loop {
        let from = match vectors.next() {
            Some(from) => from,
            None => {
                let Some(from) = last.take() else {
                    return Some(written);
                };
                let units = load_units(v, order, from);
                written = written.checked_sub(front_len(v, units, (size - rest) / 2))?;
                from
            }
        };
        written += vector_to_utf8(v, order, from, dst.get_mut(written..)?)?;
    }
}

/// Converts a vector without surrogates. Returns the number of bytes written; `None` if there are surrogates,
/// or too little room.
#[inline(always)]
fn vector_to_utf8<V: Vector>(
    v: V,
    order: impl VectorOrder,
    from: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let units = load_units(v, order, from);
    if are_ascii(v, units, units) {
        narrow_one(v, units, to)?;
        return Some(V::LANES / 2);
    }
    match bmp_to_utf8(v, units, to) {
        None if to.len() < room_for(V::LANES) => v.run_apart(
            &[(); 0],
            to,
            #[inline(always)]
            move |v, _, to| bmp_to_utf8_exactly(v, units, V::LANES / 2, to),
        ),
        written => written,
    }
}

/// Converts text of any length: two vectors at a time if they are ASCII, or else one. In pages that alternate
/// between ASCII and another script, a vector is seldom mixed.
#[inline(always)]
fn long_to_utf8(
    v: impl Vector,
    order: impl VectorOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_lossy: bool,
) -> Transcoded {
    let done = wide(v, order, src, dst, is_lossy);
    if let Some(written) = end_to_utf8(v, order, src, dst, done.read, done.written) {
        return Transcoded {
            read: src.len(),
            written,
            errors: done.errors,
        };
    }
    rest_to_utf8(v, order, src, dst, done, is_lossy)
}

/// Returns the number of lone surrogates in a vector that don't stop the conversion.
#[inline(always)]
fn tolerated(is_lossy: bool) -> usize {
    if is_lossy { usize::MAX } else { 0 }
}

/// Converts vectors while two are left, and there is room for what they may become.
#[inline(always)]
fn wide<V: Vector>(
    v: V,
    order: impl VectorOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_lossy: bool,
) -> Transcoded {
    let dst_len = dst.len();
    let (mut ahead, mut room) = (src, dst);
    let mut errors = 0;
    let tolerated = tolerated(is_lossy);
    // The previous unit if it is a leading surrogate, of whose pair only the first half is written, or else
    // 0.
    let mut open = 0;
    while let Some((low, high)) = ahead.get(..2 * V::LANES).map(|two| two.split_at(V::LANES))
        && room.len() >= V::LANES / 2 + room_for(V::LANES)
    {
        let mut units = load_units(v, order, low);
        let next = load_units(v, order, high);
        if are_ascii(v, units, next) {
            v.store(room, v.narrow_u16(units, next));
            ahead = &ahead[2 * V::LANES..];
            room = &mut core::mem::take(&mut room)[V::LANES..];
            continue;
        }
        if are_ascii(v, units, units) {
            v.store(room, v.narrow_u16(units, next));
            ahead = &ahead[V::LANES..];
            room = &mut core::mem::take(&mut room)[V::LANES / 2..];
            units = next;
        }
        if let Some(written) = bmp_to_utf8(v, units, room) {
            ahead = &ahead[V::LANES..];
            room = &mut core::mem::take(&mut room)[written..];
            continue;
        }
        let (now, after) = ahead.split_at(V::LANES);
        let Some(after) = after.first_chunk() else {
            break;
        };
        let after = order.code_unit(*after);
        let Some(converted) = pairs_to_utf8(v, units, open, after, room, tolerated) else {
            break;
        };
        ahead = &ahead[V::LANES..];
        room = &mut core::mem::take(&mut room)[converted.bytes..];
        errors += converted.errors;
        open = match now.last_chunk() {
            Some(last) if converted.is_open => order.code_unit(*last),
            _ => 0,
        };
    }
    // A pair must not be left half written.
    let half = if open == 0 { 0 } else { 2 };
    Transcoded {
        read: src.len() - ahead.len() - half,
        written: dst_len - room.len() - half,
        errors,
    }
}

/// Converts what is left at the end of either buffer, or before a lone surrogate.
#[inline(always)]
fn rest_to_utf8<V: Vector>(
    v: V,
    order: impl VectorOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut done: Transcoded,
    is_lossy: bool,
) -> Transcoded {
    let mut between = [MaybeUninit::uninit(); room_for(MAX_LANES)];
    let tolerated = tolerated(is_lossy);
    loop {
        let (from, to) = done.rest(src, dst);
        if let Some(vector) = from.get(..V::LANES) {
            let units = load_units(v, order, vector);
            if are_ascii(v, units, units) && narrow_one(v, units, to).is_some() {
                done.read += V::LANES;
                done.written += V::LANES / 2;
                continue;
            }
        }
        // Each unit takes at least a byte.
        let from = &from[..from.len().min(V::LANES).min(2 * to.len()) & !1];
        // A leading surrogate at the end stays with the trailing one after it.
        let from = match from.split_last_chunk() {
            Some((before, last)) if is_leading_surrogate(order.code_unit(*last)) => before,
            _ => from,
        };
        if from.is_empty() {
            break;
        }
        let mut padded = [0; MAX_LANES];
        padded[..from.len()].copy_from_slice(from);
        let units = load_units(v, order, &padded);
        let fits = to.len() >= room_for(V::LANES);
        let out = if fits { &mut *to } else { &mut between };
        let (bytes, errors) = match bmp_to_utf8(v, units, out) {
            Some(bytes) => (bytes, 0),
            None => match pairs_to_utf8(v, units, 0, 0, out, tolerated) {
                Some(converted) => (converted.bytes, converted.errors),
                None => break,
            },
        };
        // The zeros after the units became a byte each.
        let bytes = bytes - (V::LANES - from.len()) / 2;
        if !fits {
            let Some(to) = to.get_mut(..bytes) else {
                break;
            };
            to.copy_from_slice(&between[..bytes]);
        }
        done.read += from.len();
        done.written += bytes;
        done.errors += errors;
    }
    let (ahead, room) = done.rest(src, dst);
    done.then(scalar::utf16::utf16_to_utf8(
        ahead,
        room,
        order.is_be(),
        is_lossy,
    ))
}
