//! UTF-8 to an encoding with two kernels, by way of a buffer of code units, which stays in the first-level cache and is
//! never cleared.

use core::mem::MaybeUninit;
use core::ptr;

use super::kernels::Kernels;

/// Converts UTF-8 piece by piece to UTF-16, and the code units with `encode`, which writes the bytes of whole
/// characters to `out` as far as it goes, and returns the number of code units of these. ASCII goes to `copy_ascii`
/// instead, which returns the number of bytes copied. Returns the number of bytes read.
#[inline(always)]
pub(crate) fn encode_by_utf16<Out: ?Sized>(
    kernels: &Kernels,
    src: &[u8],
    out: &mut Out,
    copy_ascii: impl Fn(&[u8], &mut Out) -> usize,
    mut encode: impl FnMut(&[u16], &mut Out) -> usize,
) -> usize {
    let mut buffer = [const { MaybeUninit::uninit() }; LEN];
    let mut read = 0;
    let mut longest = FIRST_PIECE_BYTES;
    loop {
        let ahead = &src[read..];
        if ahead.first_chunk().is_some_and(is_ascii) {
            let run = copy_ascii(ahead, out);
            read += run;
            if run > 0 {
                longest = FIRST_PIECE_BYTES;
                continue;
            }
        }
        // A piece may end within a character, before which the kernel stops. It has at most as many code
        // units as bytes.
        let piece = &ahead[..ahead.len().min(longest)];
        let (taken, written) = (kernels.utf8_to_utf16())(piece, &mut buffer);
        let written: &[MaybeUninit<u16>] = &buffer[..written];
        // SAFETY: the kernel was given this buffer, and has written this many units at its front.
        let units = unsafe { &*(ptr::from_ref(written) as *const [u16]) };
        let encoded = encode(units, out);
        if encoded < units.len() || taken == 0 {
            return read + (kernels.utf8_len_from_utf16())(&units[..encoded]);
        }
        read += taken;
        longest = (2 * longest).min(LEN);
    }
}

/// The number of code units that the buffer has room for.
const LEN: usize = 1024;

/// The length of the first piece in bytes. It is small because the conversion is wasted if the encoder stops soon, at
/// an unmappable character or for lack of room.
const FIRST_PIECE_BYTES: usize = 128;

/// Returns whether the text begins with enough ASCII for the ASCII kernel.
#[inline(always)]
fn is_ascii(front: &[u8; 32]) -> bool {
    front[0].is_ascii() && front.iter().fold(0, |all, byte| all | byte) < 0x80
}
