//! Code units on their way from one kernel to another: a buffer that stays in the first cache, and
//! that nobody clears first.

use core::mem::MaybeUninit;

use super::kernels::Kernels;

/// The units that it has room for.
pub(crate) const UNITS: usize = 1024;

/// Room for [`UNITS`] code units.
pub(crate) struct UnitBuffer([MaybeUninit<u16>; UNITS]);

impl UnitBuffer {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        UnitBuffer([const { MaybeUninit::uninit() }; UNITS])
    }

    /// Converts the well-formed UTF-8 at the front of `src` as far as the kernel goes and there is
    /// room. Returns the bytes read and the code units.
    #[inline(always)]
    pub(crate) fn fill_from_utf_8(&mut self, kernels: &Kernels, src: &[u8]) -> (usize, &[u16]) {
        let (read, written) = (kernels.utf_8_to_utf_16)(src, &mut self.0);
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
