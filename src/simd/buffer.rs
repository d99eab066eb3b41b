//! A buffer for code units between two kernels, which stays in the first-level cache and is never cleared.

use core::mem::MaybeUninit;

use super::kernels::Kernels;

/// Room for [`UnitBuffer::LEN`] code units.
pub(super) struct UnitBuffer([MaybeUninit<u16>; UnitBuffer::LEN]);

impl UnitBuffer {
    /// The number of code units that there is room for.
    pub(super) const LEN: usize = 1024;

    #[inline(always)]
    pub(super) fn new() -> Self {
        UnitBuffer([const { MaybeUninit::uninit() }; UnitBuffer::LEN])
    }

    /// Converts the well-formed UTF-8 at the front of `src` to at most `most` units, which is at most
    /// [`UnitBuffer::LEN`], as far as the kernel goes. Returns the number of bytes read, and the code units.
    #[inline(always)]
    pub(super) fn fill_from_utf8(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        most: usize,
    ) -> (usize, &[u16]) {
        let (read, written) = (kernels.utf8_to_utf16())(src, &mut self.0[..most]);
        (read, self.written(written))
    }

    /// Returns the units at the front, which a kernel reports as written.
    #[inline(always)]
    fn written(&self, count: usize) -> &[u16] {
        let written = &self.0[..count];
        // SAFETY: the kernel was given this buffer, and has written this many units at its front.
        unsafe { &*(core::ptr::from_ref(written) as *const [u16]) }
    }
}

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
    let mut buffer = UnitBuffer::new();
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
        let (taken, units) = buffer.fill_from_utf8(kernels, piece, UnitBuffer::LEN);
        let encoded = encode(units, out);
        if encoded < units.len() || taken == 0 {
            return read + (kernels.utf8_len_from_utf16())(&units[..encoded]);
        }
        read += taken;
        longest = (2 * longest).min(UnitBuffer::LEN);
    }
}

/// The length of the first piece in bytes. It is small because the conversion is wasted if the encoder stops soon, at
/// an unmappable character or for lack of room.
const FIRST_PIECE_BYTES: usize = 128;

/// Returns whether the text begins with enough ASCII for the ASCII kernel.
#[inline(always)]
fn is_ascii(front: &[u8; 32]) -> bool {
    front[0].is_ascii() && front.iter().fold(0, |all, byte| all | byte) < 0x80
}
