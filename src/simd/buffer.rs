//! Code units on their way from one kernel to another: a buffer that stays in the first cache, and
//! that nobody clears first.

use core::mem::MaybeUninit;

use super::kernels::Kernels;

/// The units that it has room for.
const UNITS: usize = 1024;

/// Room for [`UNITS`] code units.
pub(super) struct UnitBuffer([MaybeUninit<u16>; UNITS]);

impl UnitBuffer {
    #[inline(always)]
    pub(super) fn new() -> Self {
        UnitBuffer([const { MaybeUninit::uninit() }; UNITS])
    }

    /// Converts the well-formed UTF-8 at the front of `src` as far as the kernel goes and there is
    /// room. Returns the bytes read and the code units.
    #[inline(always)]
    fn fill_from_utf8(&mut self, kernels: &Kernels, src: &[u8]) -> (usize, &[u16]) {
        let (read, written) = (kernels.utf8_to_utf16())(src, &mut self.0);
        (read, self.written(written))
    }

    /// The units at the front, which a kernel says that it has written.
    #[inline(always)]
    fn written(&self, count: usize) -> &[u16] {
        let written = &self.0[..count];
        // SAFETY: the kernel was given this buffer, and has written so many units at its front.
        unsafe { &*(core::ptr::from_ref(written) as *const [u16]) }
    }
}

/// Converts UTF-8 piece by piece to UTF-16, and that with `encode`, which gets code units, writes
/// the bytes of whole characters of theirs to `out` as far as it goes, and returns the number of
/// units that these have; ASCII goes to `copy_ascii` instead, which returns the length of what it
/// copied. Returns the bytes read.
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
    let mut longest = FIRST;
    loop {
        let ahead = &src[read..];
        if ahead.first_chunk().is_some_and(is_ascii) {
            let run = copy_ascii(ahead, out);
            read += run;
            if run > 0 {
                longest = FIRST;
                continue;
            }
        }
        // A piece may end within a character, before which the kernel stops. It becomes no more
        // units than it has bytes.
        let piece = &ahead[..ahead.len().min(longest)];
        let (taken, units) = buffer.fill_from_utf8(kernels, piece);
        let encoded = encode(units, out);
        if encoded < units.len() || taken == 0 {
            return read + (kernels.utf8_len_from_utf16())(&units[..encoded]);
        }
        read += taken;
        longest = (2 * longest).min(UNITS);
    }
}

/// The first piece: what is converted in vain where the encoder stops soon, because it lacks a
/// character or there is no room.
const FIRST: usize = 128;

/// Whether ASCII is worth its own kernel.
#[inline(always)]
fn is_ascii(front: &[u8; 32]) -> bool {
    front[0].is_ascii() && front.iter().fold(0, |all, byte| all | byte) < 0x80
}
