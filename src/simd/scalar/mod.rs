//! Every kernel in plain Rust: for machines without better ones, and as the oracle of the tests.

pub(super) mod ascii;
pub(crate) mod blocks;
pub(super) mod count;
pub(crate) mod fill;
mod fill_sources;
pub(crate) mod fill_text;
pub(super) mod latin1;
pub(crate) mod short;
pub(crate) mod short_encoded;
pub(crate) mod short_single_byte;
pub(super) mod single_byte;
pub(super) mod single_byte_lossy;
pub(super) mod table;
pub(super) mod two_byte;
pub(super) mod utf16;
pub(super) mod utf16_units;
pub(super) mod utf32;
pub(super) mod utf8;

use core::mem::MaybeUninit;

/// Converts each unit. The compiler vectorises a loop, where `map` on an array becomes calls.
#[inline(always)]
pub(super) fn each<const N: usize, From: Copy, To>(
    src: &[From; N],
    dst: &mut [MaybeUninit<To>; N],
    mut convert: impl FnMut(From) -> To,
) {
    for (&unit, to) in src.iter().zip(dst) {
        to.write(convert(unit));
    }
}
