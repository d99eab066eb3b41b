//! UTF-8, UTF-16 and Latin text into little room with a kernel, which writes to a buffer, and as many characters are copied
//! as fit; or to the output, if it is given so little input that it does not come near the end of the room.

use core::mem::MaybeUninit;
use core::ops::RangeInclusive;

use crate::simd::fill::{Fill, whole_characters};
use crate::simd::short_encoded::starts_with_utf16_ascii;
use crate::simd::{Kernels, SingleByteToUtf8, short_single_byte};

/// The minimum room, in bytes, for which UTF-16 takes less time this way than one character at a time.
pub(super) const MIN_ROOM_BYTES: usize = 12;

/// The room in bytes for which [`utf16_to_utf8_by_turns`] takes less time than one call of a kernel.
const FOR_TURNS: RangeInclusive<usize> = 33..=512;

/// The room in code units for which [`utf8_to_utf16_apart`] takes less time than one call of a kernel: down to 0.6 of it. Text
/// with an error every 10 to 100 characters takes 1.2 to 1.6 times as long.
const FOR_BUFFER: RangeInclusive<usize> = 24..=48;

/// The maximum room in bytes that is filled by way of the buffer at a time.
const MAX_BUFFERED_BYTES: usize = 96;

/// The room in bytes that is left after the text if a kernel writes UTF-8 directly to the output: near the end of the room,
/// kernels are slow.
const LEFT_DIRECT: usize = 96;

/// The minimum room in code units for a kernel.
pub(super) const MIN_ROOM_UNITS: usize = 12;

/// The maximum room in code units that is filled by way of the buffer at a time.
const MAX_BUFFERED_UNITS: usize = 48;

/// The bytes that kernels convert at a time. Part of a block takes as long as a whole one: 72 bytes of Japanese into 24
/// units took 1.2 times as long with AVX2.
const BLOCK: usize = 64;

/// The number of units after the text that a kernel may overwrite.
const SLACK: usize = 64;

/// Converts UTF-16, given as bytes, from the front of `src`. Returns the number of bytes read and written.
#[inline(never)]
pub(super) fn utf16_to_utf8(
    is_big_endian: bool,
    kernels: &Kernels,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let kernel = if is_big_endian {
        kernels.utf16be_to_utf8()
    } else {
        kernels.utf16le_to_utf8()
    };
    let unit = |at: usize| match src.get(at..).and_then(<[_]>::first_chunk) {
        Some(&unit) if is_big_endian => u16::from_be_bytes(unit),
        Some(&unit) => u16::from_le_bytes(unit),
        None => 0,
    };
    // As many units as fit if all have the length of the first one.
    let a_unit = if unit(0) < 0x800 { 2 } else { 3 };
    // A unit becomes at most three bytes.
    let direct = to.len().saturating_sub(LEFT_DIRECT) / 3;
    let units = direct.max(to.len().min(MAX_BUFFERED_BYTES) / a_unit);
    if direct == units {
        return kernel(&src[..src.len().min(2 * units)], to);
    }
    let mut buffer = [const { MaybeUninit::uninit() }; 3 * MAX_BUFFERED_BYTES / 2 + SLACK];
    let (mut read, mut written) = kernel(&src[..src.len().min(2 * units)], &mut buffer);
    while written > to.len() {
        read -= 2;
        written -= match unit(read) {
            0..0x80 => 1,
            0x80..0x800 => 2,
            0xDC00..0xE000 => {
                read -= 2;
                4
            }
            _ => 3,
        };
    }
    if let (Some(from), Some(to)) = (buffer.first_chunk::<16>(), to.first_chunk_mut::<16>())
        && written <= 16
    {
        // Without a call. What is after the text may be overwritten.
        *to = *from;
    } else {
        to[..written].copy_from_slice(&buffer[..written]);
    }
    (read, written)
}

/// The room in bytes for which [`latin_to_utf8`] takes less time than one character after the other, or a kernel.
const FOR_LATIN: RangeInclusive<usize> = 17..=256;

/// The maximum number of bytes of such text that are decoded without a kernel.
const MAX_SHORT_LATIN: usize = 31;

/// Returns whether [`latin_to_utf8`] is the way to decode a text.
#[inline(always)]
pub(super) fn is_for_latin(table: &SingleByteToUtf8, to: &[MaybeUninit<u8>]) -> bool {
    FOR_LATIN.contains(&to.len()) && table.is_latin()
}

/// Decodes text of a single-byte encoding, most of which is ASCII, from the front of `src`.
#[inline(always)]
pub(super) fn latin_to_utf8(
    kernels: &Kernels,
    table: &SingleByteToUtf8,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> Fill {
    let mut buffer = [const { MaybeUninit::uninit() }; 3 * *FOR_LATIN.end() + SLACK];
    let len = |at: usize| match src.get(at) {
        Some(&byte) => table.utf8_len(byte),
        None => 0,
    };
    let front = &src[..src.len().min(to.len())];
    let short = (front.len() <= MAX_SHORT_LATIN)
        .then(|| short_single_byte::single_byte_to_utf8(table, front, &mut buffer));
    let (mut read, mut written) = match short.flatten() {
        Some(written) => (front.len(), written),
        None => (kernels.single_byte_to_utf8())(table, front, &mut buffer),
    };
    // A loop, because the next call may start before a branch is decided, but would wait for a sum: counted without
    // branches, German into room for 24 bytes takes 1.2 times as long.
    while written > to.len() {
        read -= 1;
        written -= len(read);
    }
    to[..written].copy_from_slice(&buffer[..written]);
    Fill {
        read,
        written,
        errors: 0,
        full: written + len(read) > to.len(),
    }
}

/// Returns whether [`utf16_to_utf8_by_turns`] is the way to convert `src`.
#[inline(always)]
pub(super) fn is_for_turns(src: &[u8], to: &[MaybeUninit<u8>]) -> bool {
    FOR_TURNS.contains(&to.len()) && src.len() > to.len()
}

/// Converts UTF-16, given as bytes, from the front of `src` with kernels, ASCII and other text in turns, while much room is
/// left. Returns the number of bytes read and written.
#[inline(never)]
pub(super) fn utf16_to_utf8_by_turns(
    is_big_endian: bool,
    kernels: &Kernels,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while to.len() - written >= MIN_ROOM_BYTES {
        let (ahead, room) = (&src[read..], &mut to[written..]);
        let done = if starts_with_utf16_ascii(is_big_endian, ahead) {
            let kernel = if is_big_endian {
                kernels.utf16be_to_ascii()
            } else {
                kernels.utf16le_to_ascii()
            };
            let units = kernel(ahead, room);
            (2 * units, units)
        } else {
            utf16_to_utf8(is_big_endian, kernels, ahead, room)
        };
        if done.0 == 0 {
            break;
        }
        read += done.0;
        written += done.1;
    }
    (read, written)
}

/// Returns whether [`utf8_to_utf16_apart`] is the way to convert `src`.
#[inline(always)]
pub(super) fn is_for_buffer(src: &[u8], to: &[MaybeUninit<u16>]) -> bool {
    FOR_BUFFER.contains(&to.len()) && src.len() > to.len()
}

/// Does what [`utf8_to_utf16`] does. A separate function, for callers that have kernels for other room.
#[inline(never)]
pub(super) fn utf8_to_utf16_apart(
    kernels: &Kernels,
    src: &[u8],
    to: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    utf8_to_utf16(kernels, src, to)
}

/// Converts UTF-8 from the front of `src` with a kernel, again while much room is left. Returns the number of bytes
/// read and of code units written.
#[inline(always)]
pub(super) fn utf8_to_utf16(
    kernels: &Kernels,
    src: &[u8],
    to: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let (ahead, room) = (&src[read..], &mut to[written..]);
        // As many characters as fit if all have the length of the first one, or of the second one after a space.
        let a_unit = match *ahead {
            _ if room.len() > 2 * MAX_BUFFERED_UNITS => 1,
            [0xC0..0xE0 | 0xF0.., ..] | [0..0x80, 0xC0..0xE0 | 0xF0.., ..] => 2,
            [0xE0..0xF0, ..] | [0..0x80, 0xE0..0xF0, ..] => 3,
            _ => 1,
        };
        let len = if a_unit == 1 {
            room.len()
        } else {
            match a_unit * room.len().min(MAX_BUFFERED_UNITS) {
                len @ ..BLOCK => len,
                len => len / BLOCK * BLOCK,
            }
        };
        let window = &ahead[..ahead.len().min(len)];
        let window = &window[..whole_characters(window)];
        let done = if a_unit == 1 {
            // There are no more units than bytes, so all of them fit.
            (kernels.utf8_to_utf16())(window, room)
        } else {
            through_buffer(kernels, window, room)
        };
        read += done.0;
        written += done.1;
        // Nothing is left, a malformed sequence is next, or there is no room for a kernel.
        let stops = window.is_empty() || done.0 < window.len();
        if stops || to.len() - written < MIN_ROOM_UNITS {
            return (read, written);
        }
    }
}

/// Converts `window` to a buffer, and copies as many characters as fit.
#[inline(always)]
fn through_buffer(kernels: &Kernels, window: &[u8], to: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let mut buffer = [const { MaybeUninit::uninit() }; 3 * MAX_BUFFERED_UNITS + SLACK];
    let (mut read, mut written) = (kernels.utf8_to_utf16())(window, &mut buffer);
    while written > to.len() {
        read -= 1;
        while window[read] & 0xC0 == 0x80 {
            read -= 1;
        }
        written -= if window[read] < 0xF0 { 1 } else { 2 };
    }
    to[..written].copy_from_slice(&buffer[..written]);
    (read, written)
}
