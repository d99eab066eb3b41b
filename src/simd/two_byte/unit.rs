//! The units that two-byte encodings are decoded to, UTF-8 or UTF-16, written one character at a time.

use core::mem::MaybeUninit;

use crate::simd::eight_units::widen;
use crate::simd::scalar::ascii::HIGH_BITS;
use crate::simd::scalar::each;

/// The number of ASCII bytes that are copied at a time. Every write has room for this many units.
pub(in crate::simd) const CHUNK: usize = 8;
/// The number of ASCII bytes that are copied at a time in a long run.
pub(in crate::simd) const WIDE: usize = 16;

/// Converts the ASCII bytes at the front, at most eight; returns their number.
#[inline(always)]
pub(in crate::simd) fn ascii<To>(
    src: &[u8],
    to: &mut [MaybeUninit<To>; CHUNK],
    convert: impl Fn(u8) -> To + Copy,
) -> usize {
    if let Some(bytes) = src.first_chunk::<CHUNK>() {
        let len = ascii_prefix(*bytes);
        if len > 0 {
            each(bytes, to, convert);
        }
        return len;
    }
    let mut len = 0;
    for (&byte, to) in src.iter().zip(to) {
        if !byte.is_ascii() {
            break;
        }
        to.write(convert(byte));
        len += 1;
    }
    len
}

/// Returns how many of the bytes at the front are ASCII.
#[inline(always)]
pub(in crate::simd) fn ascii_prefix(bytes: [u8; CHUNK]) -> usize {
    ((u64::from_le_bytes(bytes) & HIGH_BITS).trailing_zeros() / 8) as usize
}

/// Code units of UTF-8 or of UTF-16.
///
/// # Safety
///
/// `put_ascii` initialises all of `to`; `put` and `put_astral` initialise as many units as they return, at
/// most four, which are the whole character and well-formed.
pub(crate) unsafe trait TextUnit: Copy + From<u8> {
    /// Writes ASCII bytes, one unit each.
    fn put_ascii<const N: usize>(to: &mut [MaybeUninit<Self>; N], bytes: &[u8; N]);

    /// Writes a code unit of UTF-16 that is neither ASCII nor a surrogate; the rest of `to` gets any value.
    /// Returns the number of units.
    fn put(to: &mut [MaybeUninit<Self>; WIDEST], unit: u16) -> usize;

    /// Returns how many characters of the Basic Multilingual Plane may be written by [`TextUnit::put_at`] one after
    /// another into this much room, whatever they are.
    fn characters_in(room: usize) -> usize;

    /// Does what [`TextUnit::put`] does.
    ///
    /// # Safety
    ///
    /// `to` is within room for at least one character, as [`TextUnit::characters_in`] counts them.
    unsafe fn put_at(to: *mut MaybeUninit<Self>, unit: u16) -> usize;

    /// Writes a character above U+FFFF; the rest of `to` gets any value. Returns the number of units.
    fn put_astral(to: &mut [MaybeUninit<Self>; WIDEST], ch: char) -> usize;
}

/// The maximum number of units of a character.
pub(in crate::simd) const WIDEST: usize = 4;

// SAFETY: each function stores an array of four bytes, and returns how many of them belong to the character.
unsafe impl TextUnit for u8 {
    #[inline(always)]
    fn put_ascii<const N: usize>(to: &mut [MaybeUninit<u8>; N], bytes: &[u8; N]) {
        // Written as words: as one array, the bytes would be extracted one by one from the words in which they were
        // tested.
        let (to_words, to_rest) = to.as_chunks_mut::<CHUNK>();
        let (words, rest) = bytes.as_chunks::<CHUNK>();
        for (to, word) in to_words.iter_mut().zip(words) {
            *to = word.map(MaybeUninit::new);
        }
        for (to, byte) in to_rest.iter_mut().zip(rest) {
            to.write(*byte);
        }
    }

    #[inline(always)]
    fn put(to: &mut [MaybeUninit<u8>; WIDEST], unit: u16) -> usize {
        let unit = u32::from(unit);
        // The bytes at their places, so that a form needs few steps.
        let three = 0x80_80E0 + (unit >> 12) + ((unit & 0xFC0) << 2) + ((unit & 0x3F) << 16);
        let two = 0x80C0 + (unit >> 6) + ((unit & 0x3F) << 8);
        let is_two = unit < 0x800;
        let utf8 = if is_two { two } else { three }.to_le_bytes();
        *to = utf8.map(MaybeUninit::new);
        3 - usize::from(is_two)
    }

    #[inline(always)]
    fn characters_in(room: usize) -> usize {
        // One more byte is written than the character has.
        room.saturating_sub(1) / 3
    }

    #[inline(always)]
    unsafe fn put_at(to: *mut MaybeUninit<u8>, unit: u16) -> usize {
        // SAFETY: there is room for three bytes and one more.
        Self::put(unsafe { &mut *to.cast() }, unit)
    }

    #[inline(always)]
    fn put_astral(to: &mut [MaybeUninit<u8>; WIDEST], ch: char) -> usize {
        let mut utf8 = [0; WIDEST];
        let len = ch.encode_utf8(&mut utf8).len();
        *to = utf8.map(MaybeUninit::new);
        len
    }
}

// SAFETY: `put` stores one unit; `put_astral` stores an array of four, and returns the two of a pair.
unsafe impl TextUnit for u16 {
    #[inline(always)]
    fn put_ascii<const N: usize>(to: &mut [MaybeUninit<u16>; N], bytes: &[u8; N]) {
        let (to_words, to_rest) = to.as_chunks_mut::<CHUNK>();
        let (words, rest) = bytes.as_chunks::<CHUNK>();
        for (to, word) in to_words.iter_mut().zip(words) {
            *to = widen(*word).map(MaybeUninit::new);
        }
        for (to, byte) in to_rest.iter_mut().zip(rest) {
            to.write(u16::from(*byte));
        }
    }

    #[inline(always)]
    fn put(to: &mut [MaybeUninit<u16>; WIDEST], unit: u16) -> usize {
        to[0].write(unit);
        1
    }

    #[inline(always)]
    fn characters_in(room: usize) -> usize {
        room
    }

    #[inline(always)]
    unsafe fn put_at(to: *mut MaybeUninit<u16>, unit: u16) -> usize {
        // SAFETY: there is room for a unit.
        unsafe { to.write(MaybeUninit::new(unit)) };
        1
    }

    #[inline(always)]
    fn put_astral(to: &mut [MaybeUninit<u16>; WIDEST], ch: char) -> usize {
        let mut utf16 = [0; WIDEST];
        let len = ch.encode_utf16(&mut utf16).len();
        *to = utf16.map(MaybeUninit::new);
        len
    }
}
