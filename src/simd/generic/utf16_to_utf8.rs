//! UTF-16 to UTF-8, a vector of code units at a time. Stops before the first lone surrogate (or not, if it
//! is to be replaced), before a leading surrogate at the end, and before what there is no room for. May
//! overwrite `dst` after what it has written.
//!
//! ```text
//! a lane                 last (high, low byte)      first (high, low byte)
//! U+0041                 ........  01000001
//! U+00E9  xxxxx yyyyyy   110xxxxx  10yyyyyy
//! U+65E5  wwww xxxxxx yyyyyy
//!                        ........  10yyyyyy         10xxxxxx  1110wwww
//! ```
//!
//! A row of a table of shuffles then takes of each lane the bytes that its character has. A surrogate pair is
//! two lanes of two bytes each, in the place of `last`:
//!
//! ```text
//! leading   110110uuuuxxxxxx   less D7C0: vvvvvxxxxxx, vvvvv = uuuu + 1
//! trailing  110111yyyyyyyyyy
//! UTF-8     11110vvv 10vvxxxx 10xxyyyy 10yyyyyy
//! ```

use core::mem::MaybeUninit;

use crate::simd::kernels::Transcoded;
use crate::simd::scalar::short;
use crate::simd::scalar::utf16::{chars_to_utf8, code_unit, is_leading_surrogate};

/// What the conversion asks of an instruction set.
///
/// # Safety
///
/// Who has a value runs on a processor that has the instructions which its methods use. The methods write
/// whole characters, of the length that they return: that the output is well-formed rests on that.
pub(in crate::simd) unsafe trait Utf16Vector: Copy {
    /// A vector of native code units.
    type Units: Copy;

    /// Bytes in a vector.
    const BYTES: usize;

    /// Bytes that the characters of a vector take, and what the last store may overrun them by. At most
    /// [`MAX_ROOM`].
    const ROOM: usize;

    /// The units of the first bytes, or zeros where there are fewer than a vector has.
    fn load_units<const BE: bool>(self, from: &[u8]) -> Self::Units;

    /// Whether all units of both vectors are ASCII.
    fn are_ascii(self, a: Self::Units, b: Self::Units) -> bool;

    /// Writes the low bytes of two vectors, if there is room.
    fn narrow_two(self, a: Self::Units, b: Self::Units, to: &mut [MaybeUninit<u8>]);

    /// Writes the low bytes of a vector, and nothing after them. `None` if there is no room.
    fn narrow_one(self, units: Self::Units, to: &mut [MaybeUninit<u8>]) -> Option<()>;

    /// Writes characters of the Basic Multilingual Plane and returns their length. `None` if there are
    /// surrogates, or less than `ROOM`.
    fn bmp_to_utf8(self, units: Self::Units, to: &mut [MaybeUninit<u8>]) -> Option<usize>;

    /// The length in UTF-8 of the first units, none of which is a surrogate.
    fn front_len(self, units: Self::Units, count: usize) -> usize;

    /// Writes a vector that has surrogates, with U+FFFD for each lone one; of a pair across its edges
    /// two bytes. `before` is the unit before if it is the first half of such a pair, or else 0; `after`
    /// is the unit after. `None` without `LOSSY` where there is a lone surrogate, or less than `ROOM`.
    fn pairs_to_utf8<const LOSSY: bool>(
        self,
        units: Self::Units,
        before: u16,
        after: u16,
        to: &mut [MaybeUninit<u8>],
    ) -> Option<Converted>;
}

/// What became of a vector with surrogates.
pub(in crate::simd) struct Converted {
    pub(in crate::simd) bytes: usize,
    pub(in crate::simd) errors: usize,
    /// Whether the last unit is a leading surrogate whose trailing one follows.
    pub(in crate::simd) is_open: bool,
}

/// The most [`Utf16Vector::ROOM`].
const MAX_ROOM: usize = 64;

/// The most [`Utf16Vector::BYTES`].
const MAX_BYTES: usize = 32;

/// Vectors of text that [`short_to_utf8`] takes.
const SHORT: usize = 10;

/// Converts UTF-16, at any alignment, up to the first lone surrogate or a leading one at the end;
/// or, with `LOSSY`, writes U+FFFD for every lone surrogate but a leading one at the end.
#[inline(always)]
pub(in crate::simd) fn utf16_to_utf8<const BE: bool, const LOSSY: bool>(
    v: impl Utf16Vector,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    match short_to_utf8::<BE>(v, src, dst) {
        Some(written) => (src.len(), written).into(),
        None => long_to_utf8::<BE, LOSSY>(v, src, dst),
    }
}

/// Converts text of a few characters, or of a few vectors that have no surrogates. Returns the bytes written;
/// `None` if the text is neither, or may not fit.
#[inline(always)]
pub(in crate::simd) fn short_to_utf8<const BE: bool>(
    v: impl Utf16Vector,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    let first = code_unit::<BE>(*src.first_chunk()?);
    let has_pairs = (0xD800..0xE000).contains(&first);
    // One after the other less than a vector, up to 12 units, or ten pairs.
    let most = if has_pairs {
        4 * 10
    } else {
        (size(v) - 2).min(2 * 12)
    };
    if src.len() <= most
        && let (units, []) = src.as_chunks()
        && let Some(written) = short::utf16_to_utf8::<BE>(units, dst)
    {
        return Some(written);
    }
    // Text that begins with a pair most often has more.
    if has_pairs || src.len() > SHORT * size(v) {
        return None;
    }
    end_to_utf8::<BE>(v, src, dst, 0, 0)
}

/// [`Utf16Vector::BYTES`].
#[inline(always)]
fn size<V: Utf16Vector>(_: V) -> usize {
    V::BYTES
}

/// Converts what is after the first `read` bytes and the first `written` ones of a text of at least a
/// vector. Returns the bytes written in all; `None` if it does not fit, or has surrogates.
#[inline(always)]
fn end_to_utf8<const BE: bool>(
    v: impl Utf16Vector,
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
    for from in &mut vectors {
        written += vector_to_utf8(v, v.load_units::<BE>(from), dst.get_mut(written..)?)?;
    }
    let rest = vectors.remainder().len();
    if rest == 0 {
        return Some(written);
    }
    // The last vector, with units at its front that are written already.
    let units = v.load_units::<BE>(&src[last_at..]);
    let at = written.checked_sub(v.front_len(units, (size - rest) / 2))?;
    Some(at + vector_to_utf8(v, units, dst.get_mut(at..)?)?)
}

/// Converts a vector that has no surrogates. Returns the bytes written; `None` if it has, or there is
/// little room.
#[inline(always)]
fn vector_to_utf8<V: Utf16Vector>(
    v: V,
    units: V::Units,
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    if v.are_ascii(units, units) {
        v.narrow_one(units, to)?;
        return Some(V::BYTES / 2);
    }
    v.bmp_to_utf8(units, to)
}

/// Converts text of any length: two vectors at a time where they are ASCII, or else one. Where pages change
/// between ASCII and another script, it is seldom both.
#[inline(always)]
pub(in crate::simd) fn long_to_utf8<const BE: bool, const LOSSY: bool>(
    v: impl Utf16Vector,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    let done = wide::<BE, LOSSY, _>(v, src, dst);
    if let Some(written) = end_to_utf8::<BE>(v, src, dst, done.read, done.written) {
        return Transcoded {
            read: src.len(),
            written,
            errors: done.errors,
        };
    }
    rest_to_utf8::<BE, LOSSY, _>(v, src, dst, done)
}

/// Converts vectors as long as two are left, and there is room for what they may become.
#[inline(always)]
fn wide<const BE: bool, const LOSSY: bool, V: Utf16Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    let dst_len = dst.len();
    let (mut ahead, mut room) = (src, dst);
    let mut errors = 0;
    // The unit before, if it is a leading surrogate whose first half only is written.
    let mut open = 0;
    while let Some((low, high)) = ahead.get(..2 * V::BYTES).map(|two| two.split_at(V::BYTES))
        && room.len() >= V::BYTES / 2 + V::ROOM
    {
        let mut units = v.load_units::<BE>(low);
        let next = v.load_units::<BE>(high);
        if v.are_ascii(units, next) {
            v.narrow_two(units, next, room);
            ahead = &ahead[2 * V::BYTES..];
            room = &mut core::mem::take(&mut room)[V::BYTES..];
            continue;
        }
        if v.are_ascii(units, units) {
            v.narrow_two(units, next, room);
            ahead = &ahead[V::BYTES..];
            room = &mut core::mem::take(&mut room)[V::BYTES / 2..];
            units = next;
        }
        if let Some(written) = v.bmp_to_utf8(units, room) {
            ahead = &ahead[V::BYTES..];
            room = &mut core::mem::take(&mut room)[written..];
            continue;
        }
        let (now, after) = ahead.split_at(V::BYTES);
        let Some(after) = after.first_chunk() else {
            break;
        };
        let after = code_unit::<BE>(*after);
        let Some(converted) = v.pairs_to_utf8::<LOSSY>(units, open, after, room) else {
            break;
        };
        ahead = &ahead[V::BYTES..];
        room = &mut core::mem::take(&mut room)[converted.bytes..];
        errors += converted.errors;
        open = match now.last_chunk() {
            Some(last) if converted.is_open => code_unit::<BE>(*last),
            _ => 0,
        };
    }
    // A pair is not to be left half written.
    let half = if open == 0 { 0 } else { 2 };
    Transcoded {
        read: src.len() - ahead.len() - half,
        written: dst_len - room.len() - half,
        errors,
    }
}

/// Converts what is left at the end of either buffer, or before a lone surrogate.
#[inline(always)]
fn rest_to_utf8<const BE: bool, const LOSSY: bool, V: Utf16Vector>(
    v: V,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    mut done: Transcoded,
) -> Transcoded {
    let mut between = [MaybeUninit::uninit(); MAX_ROOM];
    loop {
        let (from, to) = (&src[done.read..], &mut dst[done.written..]);
        let from = &from[..from.len().min(V::BYTES) & !1];
        // A leading surrogate at the end has its trailing one after it.
        let from = match from.split_last_chunk() {
            Some((before, last)) if is_leading_surrogate(code_unit::<BE>(*last)) => before,
            _ => from,
        };
        if from.is_empty() {
            break;
        }
        let mut padded = [0; MAX_BYTES];
        padded[..from.len()].copy_from_slice(from);
        let units = v.load_units::<BE>(&padded);
        let fits = to.len() >= V::ROOM;
        let out = if fits { &mut *to } else { &mut between };
        let (bytes, errors) = match v.bmp_to_utf8(units, out) {
            Some(bytes) => (bytes, 0),
            None => match v.pairs_to_utf8::<LOSSY>(units, 0, 0, out) {
                Some(converted) => (converted.bytes, converted.errors),
                None => break,
            },
        };
        // The zeros after the units became a byte each.
        let bytes = bytes - (V::BYTES - from.len()) / 2;
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
    chars_to_utf8::<BE, LOSSY>(src, dst, &mut done, src.len());
    done
}
