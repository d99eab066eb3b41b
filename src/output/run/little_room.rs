//! UTF-16 to UTF-8 into little room, by a kernel: it writes to a buffer, of which as many characters are copied as
//! fit.

use core::mem::MaybeUninit;

use crate::simd::{Kernels, write_only};

/// The least room, in bytes, for which this is faster than one character after the other. Russian into 64 bytes at a
/// time takes half of the time so, and English twice the time.
pub(super) const LEAST: usize = 32;

/// The most room: with more, kernels write where the text is wanted.
const MOST: usize = 96;

/// Bytes after the text that a kernel may overwrite.
const SLACK: usize = 64;

/// Converts from the front of `src`, which are bytes of UTF-16. Returns the bytes read and the bytes written.
#[inline(never)]
pub(super) fn utf16_to_utf8<const BE: bool>(
    kernels: &Kernels,
    src: &[u8],
    to: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let kernel = if BE {
        kernels.utf16be_to_utf8()
    } else {
        kernels.utf16le_to_utf8()
    };
    let mut buffer = [0; 3 * MOST + SLACK];
    // No more units than there are bytes of room, which is all that fits.
    let units = to.len().min(MOST);
    let window = &src[..src.len().min(2 * units)];
    let (read, written) = kernel(window, write_only(&mut buffer));
    if written <= to.len() {
        copy(&buffer[..written], to);
        return (read, written);
    }
    let is_start = |at: &usize| buffer[*at] & 0xC0 != 0x80;
    let fitting = (0..=to.len()).rev().find(is_start).unwrap_or(0);
    copy(&buffer[..fitting], to);
    let units = (kernels.utf16_len_from_utf8())(&buffer[..fitting]);
    (2 * units, fitting)
}

/// Whether eight ASCII characters come next in bytes of UTF-16.
#[inline(always)]
pub(super) fn starts_with_ascii<const BE: bool>(src: &[u8]) -> bool {
    let others = u16::from_ne_bytes(if BE { [0xFF, 0x80] } else { [0x80, 0xFF] });
    src.first_chunk::<16>().is_some_and(|units| {
        let (units, _) = units.as_chunks::<2>();
        let all = units
            .iter()
            .fold(0, |all, unit| all | u16::from_ne_bytes(*unit));
        all & others == 0
    })
}

#[inline(always)]
fn copy(bytes: &[u8], to: &mut [MaybeUninit<u8>]) {
    for (&byte, to) in bytes.iter().zip(to) {
        to.write(byte);
    }
}
