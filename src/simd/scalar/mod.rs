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

use super::uninit::room_at;

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

/// Writes a character of the Basic Multilingual Plane, which is not a surrogate, at `at` and returns its
/// length in bytes, without a branch. Always stores four bytes, for which there must be room.
#[inline(always)]
pub(super) fn bmp_to_utf8(unit: u16, to: &mut [MaybeUninit<u8>; 32], at: usize) -> usize {
    let unit = u32::from(unit);
    let last = 0x80 | unit & 0x3F;
    let two = 0xC0 | unit >> 6 | last << 8;
    let three = 0xE0 | unit >> 12 | (0x80 | unit >> 6 & 0x3F) << 8 | last << 16;
    let bytes = if unit < 0x80 {
        unit
    } else if unit < 0x800 {
        two
    } else {
        three
    };
    if let Some(to) = room_at::<4, _>(to, at) {
        *to = bytes.to_le_bytes().map(MaybeUninit::new);
    }
    1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800)
}

/// Writes eight characters of the Basic Multilingual Plane and returns their length in bytes. None of the
/// units is a surrogate.
#[inline(always)]
pub(super) fn bmp_block_to_utf8(units: [u16; 8], to: &mut [MaybeUninit<u8>; 32]) -> usize {
    if units.iter().fold(true, |all, &unit| all & (unit >= 0x800)) {
        let (to, _) = to.as_chunks_mut::<3>();
        for (to, unit) in to.iter_mut().zip(units) {
            let last = |shift: u16| (unit >> shift & 0x3F) as u8 | 0x80;
            *to = [(unit >> 12) as u8 | 0xE0, last(6), last(0)].map(MaybeUninit::new);
        }
        return 24;
    }
    let mut at = 0;
    for unit in units {
        at += bmp_to_utf8(unit, to, at);
    }
    at
}
