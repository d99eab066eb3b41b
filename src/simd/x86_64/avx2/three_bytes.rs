//! Characters of three bytes, one by one.

use core::arch::x86_64::{_pdep_u32, _pext_u32};

/// The bits of a code unit in its three bytes, the first of these highest, and a fourth byte after.
const BITS: u32 = 0x0F3F_3F00;

/// The three bytes of a code unit from 0800 on, the first one lowest.
#[inline]
#[target_feature(enable = "bmi2")]
pub(in crate::simd::x86_64) fn three(unit: u16) -> u32 {
    (_pdep_u32(u32::from(unit), BITS) | 0xE080_8000).swap_bytes()
}

/// The code unit of three bytes, the first one highest.
#[inline]
#[target_feature(enable = "bmi2")]
pub(in crate::simd::x86_64) fn unit(four: u32) -> u16 {
    _pext_u32(four, BITS) as u16
}
