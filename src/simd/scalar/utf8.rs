//! UTF-8: validation by the standard library, copies, and conversion to UTF-16.

use core::mem::MaybeUninit;

use super::ascii::HIGH_BITS;
use crate::simd::kernels::Transcoded;
use crate::simd::{Kernels, as_units};

/// Returns the length of the longest well-formed prefix.
pub(in crate::simd) fn utf8_valid_prefix(src: &[u8]) -> usize {
    match core::str::from_utf8(src) {
        Ok(_) => src.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Copies well-formed UTF-8, with the validation of `kernels`.
pub(in crate::simd) fn utf8_to_utf8(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    /// Validated bytes should still be in the first-level cache when they are copied.
    const WINDOW: usize = 16 * 1024;
    let mut copied = 0;
    loop {
        let (ahead, room) = Transcoded::from((copied, copied)).rest(src, dst);
        let window = ahead.len().min(room.len()).min(WINDOW);
        let window = ahead.get(..window).unwrap_or_default();
        let valid = (kernels.utf8_valid_prefix())(window);
        for (to, from) in room.iter_mut().zip(window.iter().take(valid)) {
            to.write(*from);
        }
        copied += valid;
        // If a window ends inside a character, the next one starts with it.
        if valid == 0 || valid + 3 < window.len() {
            return copied;
        }
    }
}

/// Copies UTF-8 with the copying kernel of `kernels`, and writes U+FFFD for each maximal subpart of
/// a malformed sequence.
pub(in crate::simd) fn utf8_to_utf8_lossy(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Transcoded {
    const REPLACEMENT: [u8; 3] = *b"\xEF\xBF\xBD";
    /// The number of bytes that show how long the malformed sequence at the front is.
    const SEQUENCE: usize = 4;
    let mut done = Transcoded::default();
    loop {
        let (ahead, room) = done.rest(src, dst);
        let copied = (kernels.utf8_to_utf8())(ahead, room);
        done.read += copied;
        done.written += copied;
        let (ahead, room) = done.rest(src, dst);
        let sequence = ahead.get(..SEQUENCE).unwrap_or(ahead);
        let Err(error) = core::str::from_utf8(sequence) else {
            return done;
        };
        let (Some(len), 0, Some(to)) = (
            error.error_len(),
            error.valid_up_to(),
            room.first_chunk_mut(),
        ) else {
            return done;
        };
        *to = REPLACEMENT.map(MaybeUninit::new);
        done.read += len;
        done.written += REPLACEMENT.len();
        done.errors += 1;
    }
}

/// Converts well-formed UTF-8, with the validation and the ASCII kernel of `kernels`.
pub(in crate::simd) fn utf8_to_utf16(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    /// Validated bytes should still be in the first-level cache when they are converted.
    const WINDOW: usize = 2 * 1024;
    let (mut read, mut written) = (0, 0);
    loop {
        // A code unit has at most three bytes in UTF-8.
        let enough = 3 * (dst.len() - written).min(WINDOW);
        let window = &src[read..][..enough.min(src.len() - read)];
        let valid = (kernels.utf8_valid_prefix())(window);
        let (converted, units) = convert(kernels, &window[..valid], &mut dst[written..]);
        written += units;
        read += converted;
        // If a window ends inside a character, the next one starts with it.
        if converted == 0 || converted + 3 < window.len() {
            return (read, written);
        }
    }
}

/// Converts UTF-8 that is known to be well-formed, as far as there is room.
fn convert(kernels: &Kernels, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let continuation = |byte: u8| u16::from(byte & 0x3F);
    let len = src.len();
    let mut src = src;
    let mut written = 0;
    loop {
        let room = dst.get_mut(written..).unwrap_or_default();
        match (src, room) {
            (&[a, b, c, d, e, f, g, h, ..], room)
                if u64::from_ne_bytes([a, b, c, d, e, f, g, h]) & HIGH_BITS == 0 =>
            {
                let run = (kernels.ascii_to_utf16())(src, room);
                if run == 0 {
                    return (len - src.len(), written);
                }
                src = &src[run..];
                written += run;
            }
            (&[a @ ..0x80, ref rest @ ..], [to, ..]) => {
                to.write(u16::from(a));
                src = rest;
                written += 1;
            }
            (&[a @ ..0xE0, b, ref rest @ ..], [to, ..]) => {
                to.write(u16::from(a & 0x1F) << 6 | continuation(b));
                src = rest;
                written += 1;
            }
            (&[a @ ..0xF0, b, c, ref rest @ ..], [to, ..]) => {
                to.write(u16::from(a) << 12 | continuation(b) << 6 | continuation(c));
                src = rest;
                written += 1;
            }
            (&[a, b, c, d, ref rest @ ..], [to, to_trail, ..]) => {
                let code_point = u32::from(a & 7) << 18
                    | u32::from(continuation(b)) << 12
                    | u32::from(continuation(c)) << 6
                    | u32::from(continuation(d));
                to.write((0xD7C0 + (code_point >> 10)) as u16);
                to_trail.write((0xDC00 + (code_point & 0x3FF)) as u16);
                src = rest;
                written += 2;
            }
            _ => return (len - src.len(), written),
        }
    }
}

/// Converts well-formed UTF-8 to UTF-16LE: to native code units, if these are little-endian and aligned, and otherwise
/// by way of a buffer. Returns the number of bytes read and written.
pub(crate) fn utf8_to_utf16le(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    if cfg!(target_endian = "little")
        && let Some(units) = as_units(dst)
    {
        let (read, written) = (kernels.utf8_to_utf16())(src, units);
        return (read, 2 * written);
    }
    let (mut read, mut written) = (0, 0);
    let mut units = [MaybeUninit::uninit(); 512];
    loop {
        let room = units.len().min((dst.len() - written) / 2);
        let mut ahead = &src[read..];
        if room == units.len() {
            // There are no more units than bytes, so the kernel never comes near the end of the room, where it is
            // slower.
            ahead = &ahead[..room.min(ahead.len())];
        }
        let (taken, made) = (kernels.utf8_to_utf16())(ahead, &mut units[..room]);
        let (to, _) = dst[written..].as_chunks_mut::<2>();
        for (to, unit) in to.iter_mut().zip(&units[..made]) {
            // SAFETY: the kernel has written these units.
            let unit = unsafe { unit.assume_init() };
            *to = unit.to_le_bytes().map(MaybeUninit::new);
        }
        read += taken;
        written += 2 * made;
        if taken == 0 || read == src.len() {
            return (read, written);
        }
    }
}

/// Converts well-formed UTF-8 to UTF-16BE: to UTF-16LE, whose bytes are then swapped. Returns the number of bytes
/// read and written.
pub(crate) fn utf8_to_utf16be(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    /// Converted bytes should still be in the first-level cache when they are swapped.
    const WINDOW: usize = 4 * 1024;
    let (mut read, mut written) = (0, 0);
    loop {
        let window = &src[read..][..WINDOW.min(src.len() - read)];
        let (converted, len) = utf8_to_utf16le(kernels, window, &mut dst[written..]);
        for unit in dst[written..written + len].as_chunks_mut::<2>().0 {
            unit.swap(0, 1);
        }
        written += len;
        read += converted;
        // If a window ends inside a character, the next one starts with it.
        if converted == 0 || converted + 3 < window.len() {
            return (read, written);
        }
    }
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input except one that more input may
/// continue.
pub(in crate::simd) fn utf8_to_utf16_lossy(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> Transcoded {
    let mut done = Transcoded::default();
    loop {
        let (ahead, room) = done.rest(src, dst);
        let next = Transcoded::from((kernels.utf8_to_utf16())(ahead, room));
        done = done.then(next);
        let (ahead, room) = next.rest(ahead, room);
        // The longest character has four bytes; a malformed sequence ends before the fourth.
        let front = &ahead[..ahead.len().min(4)];
        let malformed = match core::str::from_utf8(front) {
            Err(error) if error.valid_up_to() == 0 => error.error_len(),
            _ => None,
        };
        match (malformed, room.first_mut()) {
            (Some(len), Some(to)) => {
                to.write(0xFFFD);
                done.read += len;
                done.written += 1;
                done.errors += 1;
            }
            _ if next.read == 0 => return done,
            _ => {}
        }
    }
}
