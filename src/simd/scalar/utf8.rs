//! UTF-8: validation by the standard library, and copies.

use core::mem::MaybeUninit;

use crate::simd::Kernels;
use crate::simd::kernels::Transcoded;

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
