//! UTF-16 at any alignment and of either byte order.

use core::mem::MaybeUninit;

use super::fill::{Utf16BytesSource, fill};
use crate::simd::kernels::Transcoded;

#[inline(always)]
pub(in crate::simd) fn code_unit<const BE: bool>(bytes: [u8; 2]) -> u16 {
    if BE {
        u16::from_be_bytes(bytes)
    } else {
        u16::from_le_bytes(bytes)
    }
}

/// The byte order of UTF-16. It is known when a kernel is compiled ([`FixedOrder`]), or when it is called (`bool`:
/// whether it is big-endian).
pub(crate) trait ByteOrder: Copy {
    fn is_be(self) -> bool;

    #[inline(always)]
    fn code_unit(self, bytes: [u8; 2]) -> u16 {
        if self.is_be() {
            code_unit::<true>(bytes)
        } else {
            code_unit::<false>(bytes)
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct FixedOrder<const BE: bool>;

impl<const BE: bool> ByteOrder for FixedOrder<BE> {
    #[inline(always)]
    fn is_be(self) -> bool {
        BE
    }
}

impl ByteOrder for bool {
    #[inline(always)]
    fn is_be(self) -> bool {
        self
    }
}

/// Narrows the ASCII prefix of UTF-16. Returns its length in units.
#[inline(never)]
pub(in crate::simd) fn utf16_to_ascii<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let units = src.as_chunks::<2>().0;
    let mut copied = 0;
    for (unit, to) in units.iter().zip(dst) {
        let unit = code_unit::<BE>(*unit);
        if unit >= 0x80 {
            break;
        }
        to.write(unit as u8);
        copied += 1;
    }
    copied
}

/// Converts UTF-16 up to the first lone surrogate or a leading one at the end, as far as there is room. If `is_lossy`,
/// writes U+FFFD for every lone surrogate except a leading one at the end. One function for both byte orders.
#[inline(never)]
pub(in crate::simd) fn utf16_to_utf8(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    is_be: bool,
    is_lossy: bool,
) -> Transcoded {
    fill(Utf16BytesSource::lossy(is_be, is_lossy), src, dst).into()
}
