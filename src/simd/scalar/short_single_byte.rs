//! Short text in single-byte encodings, converted inline like that of `short_encoded.rs`: ASCII and a [`Run`] as
//! vectors, and then other characters one by one.

use core::mem::MaybeUninit;

use bytemuck::Pod;

use super::ascii::HIGH_BITS;
use super::short_encoded::{self, MAX_INLINE, put, utf16_to_ascii, widen_both_halves};
use crate::simd::eight_units::{narrow_by_run, widen, widen_by_run};
use crate::simd::single_byte::{Run, SingleByteToUtf8};
use crate::simd::{SingleByteTable, spare};

/// The number of characters in each half of the longest text.
const HALF_CHARS: usize = MAX_INLINE / 2;

/// The number of characters in each half of shorter text.
const QUARTER: usize = MAX_INLINE / 4;

/// Decodes at most 16 bytes; `dst` has the same length. Returns a mask of those that are neither ASCII nor in `run`.
#[inline(always)]
fn to_utf16_by_run(run: Run, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> u32 {
    let bytes = run.bytes();
    by_run(
        src,
        dst,
        #[inline(always)]
        |bytes| widen_by_run(run, bytes),
        |byte| bytes.shifted(byte.into()),
    )
}

/// Encodes at most 16 code units; `dst` has the same length. Returns a mask of those that are neither ASCII nor in
/// `run`.
#[inline(always)]
pub(super) fn from_utf16_by_run(run: Run, src: &[u16], dst: &mut [MaybeUninit<u8>]) -> u32 {
    by_run(
        src,
        dst,
        #[inline(always)]
        |units| narrow_by_run(run, units),
        |unit| run.shifted(unit).map(|byte| byte as u8),
    )
}

/// Converts at most 16 units with `of_sixteen`, which also returns a mask of those that are missing, or with `of_one`;
/// `dst` has the same length. Returns a mask of those that are missing.
#[inline(always)]
fn by_run<From: Pod, To: Pod>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    of_sixteen: impl Fn([[From; HALF_CHARS]; 2]) -> ([[To; HALF_CHARS]; 2], u32),
    of_one: impl Fn(From) -> Option<To>,
) -> u32 {
    debug_assert!(src.len() == dst.len() && src.len() <= MAX_INLINE);
    // Both ends, which may overlap.
    if let (Some(front), Some(back)) = (src.first_chunk(), src.last_chunk()) {
        let ([in_front, in_back], missing) = of_sixteen([*front, *back]);
        put(in_front, dst.first_chunk_mut());
        put(in_back, dst.last_chunk_mut());
        missing & 0xFF | missing >> 8 << (src.len() - HALF_CHARS)
    } else if let (Some(front), Some(back)) = (src.first_chunk(), src.last_chunk()) {
        let ends: [[From; QUARTER]; 2] = [*front, *back];
        let ([ends, _], missing) = of_sixteen([bytemuck::cast(ends); 2]);
        let [in_front, in_back]: [[To; QUARTER]; 2] = bytemuck::cast(ends);
        put(in_front, dst.first_chunk_mut());
        put(in_back, dst.last_chunk_mut());
        missing & 0xF | (missing >> 4 & 0xF) << (src.len() - QUARTER)
    } else {
        let mut missing = 0;
        for (at, (&unit, to)) in src.iter().zip(dst).enumerate() {
            let converted = of_one(unit);
            missing |= u32::from(converted.is_none()) << at;
            to.write(converted.unwrap_or(To::zeroed()));
        }
        missing
    }
}

/// Converts the units in the mask `missing` one by one. Returns whether `convert` gave 0 for none of them.
#[inline(always)]
fn add_missing<From: Copy, To: Copy + Into<u32>>(
    mut missing: u32,
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl Fn(From) -> To,
) -> bool {
    // Bit 31 is set if one is 0.
    let mut before = 0;
    while missing != 0 {
        let at = missing.trailing_zeros() as usize;
        missing &= missing - 1;
        let (Some(&unit), Some(to)) = (src.get(at), dst.get_mut(at)) else {
            return false;
        };
        let converted = convert(unit);
        before |= converted.into().wrapping_sub(1);
        to.write(converted);
    }
    before >> 31 == 0
}

/// Converts all units one by one. Returns whether `convert` gave 0 for none of them. It gives 0 for an unmapped one,
/// and for U+0000, which is rare, and which callers convert in another way.
#[inline(always)]
pub(super) fn each<From: Copy, To: Copy + Into<u32>>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl Fn(From) -> To,
) -> bool {
    // Bit 31 is set if one is 0. A search for the lowest one would be compiled to a branch, which is unpredictable.
    let mut before = 0;
    for (&unit, to) in src.iter().zip(dst) {
        let converted = convert(unit);
        before |= converted.into().wrapping_sub(1);
        to.write(converted);
    }
    before >> 31 == 0
}

/// Decodes bytes, not all of which are ASCII, to UTF-16.
#[inline(always)]
pub(crate) fn single_byte_to_utf16(
    table: SingleByteTable,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> Option<usize> {
    if src.len() > 2 * MAX_INLINE {
        return None;
    }
    let dst = dst.get_mut(..src.len())?;
    let (run, is_full) = (table.run(), table.is_full());
    // In 16 characters, those that are not in the run cost more than it saves.
    if run.has_most && src.len() < MAX_INLINE {
        let missing = to_utf16_by_run(run, src, dst);
        let all_mapped = add_missing(missing, src, dst, |byte| table.upper_unit(byte));
        return all_mapped.then_some(src.len());
    }
    let mut spare = spare();
    let table = table.to_utf16(&mut spare);
    let unit = |byte| table.unit(byte);
    if src.len() > MAX_INLINE {
        // They may overlap. Loops of this length are unrolled.
        let front = sixteen_to_utf16(src.first_chunk()?, dst.first_chunk_mut()?, unit);
        let back = sixteen_to_utf16(src.last_chunk()?, dst.last_chunk_mut()?, unit);
        return (front & back | is_full).then_some(src.len());
    }
    match (
        src.first_chunk::<MAX_INLINE>(),
        dst.first_chunk_mut::<MAX_INLINE>(),
    ) {
        // Loops of this length are unrolled.
        (Some(src), Some(dst)) if is_full => write_each(src, dst, unit),
        (Some(src), Some(dst)) => return each(src, dst, unit).then_some(MAX_INLINE),
        // Encodings whose text is not mostly in a run have all bytes.
        _ if is_full => write_each(src, dst, unit),
        _ => return None,
    }
    Some(src.len())
}

/// Converts 16 bytes. Returns whether all are mapped.
#[inline(always)]
fn sixteen_to_utf16(
    src: &[u8; MAX_INLINE],
    dst: &mut [MaybeUninit<u16>; MAX_INLINE],
    unit: impl Fn(u8) -> u16,
) -> bool {
    put_sixteen_ascii(src, dst) || each(src, dst, unit)
}

/// Widens 16 bytes if they are ASCII. Returns whether they are.
#[inline(always)]
pub(super) fn put_sixteen_ascii(
    src: &[u8; MAX_INLINE],
    dst: &mut [MaybeUninit<u16>; MAX_INLINE],
) -> bool {
    let is_ascii = short_encoded::is_ascii(src);
    if is_ascii {
        put(widen_both_halves(*src), Some(dst));
    }
    is_ascii
}

/// Converts all units one by one.
#[inline(always)]
pub(super) fn write_each<From: Copy, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    convert: impl Fn(From) -> To,
) {
    for (&unit, to) in src.iter().zip(dst) {
        to.write(convert(unit));
    }
}

/// Returns the code unit of a byte in x-user-defined.
#[inline(always)]
pub(crate) fn user_defined_unit(byte: u8) -> u16 {
    // Sign extension fills the high byte with ones, one more than needed.
    byte.cast_signed() as u16 & 0xF7FF
}

#[inline(always)]
fn eight_user_defined(bytes: [u8; HALF_CHARS]) -> [u16; HALF_CHARS] {
    // Unlike a loop over bytes, one over these is vectorised.
    let mut units = widen(bytes);
    for unit in &mut units {
        *unit = user_defined_unit(*unit as u8);
    }
    units
}

/// The maximum number of bytes of x-user-defined that are decoded to UTF-16 inline. By a kernel, 128 bytes take 0.86 times
/// as long.
pub(in crate::simd) const MAX_INLINE_USER_DEFINED: usize = 64;

/// Decodes bytes of x-user-defined to UTF-16.
#[inline(always)]
pub(crate) fn user_defined_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Option<usize> {
    if src.len() > MAX_INLINE_USER_DEFINED {
        return None;
    }
    let dst = dst.get_mut(..src.len())?;
    let (Some(last), Some(to)) = (src.last_chunk(), dst.last_chunk_mut()) else {
        write_each(src, dst, user_defined_unit);
        return Some(src.len());
    };
    put(eight_user_defined(*last), Some(to));
    for (from, to) in src.as_chunks().0.iter().zip(dst.as_chunks_mut().0) {
        put(eight_user_defined(*from), Some(to));
    }
    Some(src.len())
}

/// Decodes up to 32 bytes, not all of which are ASCII, to UTF-8: by a kernel, 32 bytes of German take 1.15 times as
/// long. Returns the number of bytes written.
#[inline(always)]
pub(crate) fn single_byte_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    if src.len() > 2 * MAX_INLINE {
        return None;
    }
    let (mut at, mut written, mut before) = (0, 0, 0);
    // One comparison for four characters, and one load for the bytes and their number of each: with the checks of
    // slices, the loop has three times as many instructions. By the loop of `single_byte.rs`, 24 bytes of Russian take
    // 1.1 times as long.
    while let Some(four) = src[at..].first_chunk::<4>()
        && dst.len() - written >= 16
    {
        for &byte in four {
            let utf8 = u32::from_le_bytes(table.utf8[usize::from(byte)]);
            // SAFETY: four characters write at most 4 bytes each, and the comparison leaves 16 at the first one.
            let to = unsafe { dst.as_mut_ptr().add(written) };
            // SAFETY: so at least four bytes are left for this character; bytes need no alignment.
            unsafe { to.cast::<[u8; 4]>().write(utf8.to_le_bytes()) };
            written += (utf8 >> 24) as usize;
            // Bit 31 is set if one is 0.
            before |= utf8.wrapping_sub(1);
        }
        at += 4;
    }
    for &byte in &src[at..] {
        let utf8 = table.utf8[usize::from(byte)];
        let len = usize::from(utf8[3]);
        let room = dst.get_mut(written..)?;
        if let Some(to) = room.first_chunk_mut() {
            *to = utf8.map(MaybeUninit::new);
        } else {
            for (to, byte) in room.get_mut(..len)?.iter_mut().zip(utf8) {
                to.write(byte);
            }
        }
        written += len;
        before |= u32::from_le_bytes(utf8).wrapping_sub(1);
    }
    (before >> 31 == 0).then_some(written)
}

/// Decodes to UTF-8 into room for 16 bytes, if all but four characters are ASCII and these have two bytes each. Returns
/// the number of bytes read and written, after which the next character does not fit, or 0. Without branches on where
/// the four are, and without lengths that the next call would wait for, Czech takes 0.7 times as long.
#[inline(always)]
pub(crate) fn sixteen_of_latin(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    /// The number of characters that may have two bytes.
    const MAX_NOT_ASCII: usize = 4;
    if dst.len() != MAX_INLINE || !table.is_latin() {
        return (0, 0);
    }
    let (Some(from), Ok(dst)) = (
        src.first_chunk::<{ 2 * MAX_INLINE + 1 }>(),
        <&mut [_; MAX_INLINE]>::try_from(dst),
    ) else {
        return (0, 0);
    };
    let upper = |at: usize| {
        let word = u64::from_le_bytes(front(&from[at..]));
        // The highest bits, side by side.
        ((word & HIGH_BITS) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    let mut upper = upper(0) | upper(HALF_CHARS) << HALF_CHARS;
    if (0..MAX_NOT_ASCII).fold(upper, |upper, _| upper & upper.wrapping_sub(1)) != 0 {
        return (0, 0);
    }
    let mut buffer = [0; 4 * MAX_INLINE];
    buffer[..MAX_INLINE].copy_from_slice(&from[..MAX_INLINE]);
    let (mut read, mut written, mut all_of_two) = (MAX_INLINE, MAX_INLINE, true);
    for before in 0..MAX_NOT_ASCII {
        // 16 if there is none.
        let at = (upper | 1 << MAX_INLINE).trailing_zeros() as usize & 31;
        upper &= upper.wrapping_sub(1);
        let [lead, last, _, len] = table.utf8[usize::from(from[at])];
        all_of_two &= (len == 2) | (at == MAX_INLINE);
        let start = at + before;
        if let Some(to) = buffer[start & 31..].first_chunk_mut() {
            *to = [lead, last];
        }
        if let Some(to) = buffer[(start + 2) & 31..].first_chunk_mut() {
            *to = front::<MAX_INLINE>(&from[at + 1..]);
        }
        read -= usize::from(start < MAX_INLINE);
        // It would be cut in half.
        written -= usize::from(start == MAX_INLINE - 1);
    }
    // If all 16 fit, nothing is known about the next byte.
    if !all_of_two || read == MAX_INLINE {
        return (0, 0);
    }
    put(front(&buffer), Some(dst));
    (read, written)
}

#[inline(always)]
fn front<const N: usize>(bytes: &[u8]) -> [u8; N] {
    bytes.first_chunk().copied().unwrap_or([0; N])
}

/// Encodes code units.
#[inline(always)]
pub(crate) fn utf16_to_single_byte(
    table: SingleByteTable,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    if src.len() > MAX_INLINE {
        return utf16_to_ascii(src, dst);
    }
    let dst = dst.get_mut(..src.len())?;
    let (cells, run) = (table.cells(), table.run());
    // The first unit usually decides.
    let is_run = run.has_most || src.first().is_some_and(|&unit| unit < 0x80);
    let missing = if is_run {
        from_utf16_by_run(run, src, dst)
    } else {
        1
    };
    let all_mapped = if missing == 0 {
        true
    } else if run.has_most {
        add_missing(missing, src, dst, |unit| cells.get(unit))
    } else {
        each(src, dst, |unit| cells.get(unit))
    };
    all_mapped.then_some(src.len())
}

/// Encodes code units in x-user-defined.
#[inline(always)]
pub(crate) fn utf16_to_user_defined(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() > MAX_INLINE {
        return utf16_to_ascii(src, dst);
    }
    let dst = dst.get_mut(..src.len())?;
    (from_utf16_by_run(Run::USER_DEFINED, src, dst) == 0).then_some(src.len())
}
