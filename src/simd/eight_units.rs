//! Eight code units and their bytes.

use core::array;
use core::hint::black_box;

use super::single_byte::Run;

/// Returns eight bytes as code units.
#[inline(always)]
pub(super) fn widen(bytes: [u8; 8]) -> [u16; 8] {
    // The bytes are loaded again, which is compiled to vectors: otherwise they would be extracted one by one from the
    // word in which they were tested.
    let bytes = black_box(bytes);
    array::from_fn(|at| u16::from(bytes[at]))
}

/// Returns the bytes of 16 ASCII characters, and a mask of the units that are not ASCII.
#[inline(always)]
pub(super) fn narrow(units: [[u16; 8]; 2]) -> ([[u8; 8]; 2], u32) {
    let mut others = 0;
    for (at, &unit) in units.as_flattened().iter().enumerate() {
        others |= u32::from(unit >= 0x80) << at;
    }
    (
        black_box(units).map(|units| units.map(|unit| unit as u8)),
        others,
    )
}

/// Returns the bytes of 16 characters of Latin-1, and whether they are.
#[inline(always)]
pub(super) fn narrow_latin1(units: [[u16; 8]; 2]) -> ([[u8; 8]; 2], bool) {
    let bits = units.as_flattened().iter().fold(0, |all, unit| all | unit);
    (
        units.map(|units| units.map(|unit| unit as u8)),
        bits <= 0xFF,
    )
}

/// Returns the code units of 16 bytes, and a mask of the bytes that are neither ASCII nor in `run`.
#[inline(always)]
pub(super) fn widen_by_run(run: Run, [front, back]: [[u8; 8]; 2]) -> ([[u16; 8]; 2], u32) {
    let (front, front_missing) = by_run(run.bytes(), widen(front));
    let (back, back_missing) = by_run(run.bytes(), widen(back));
    ([front, back], front_missing | back_missing << 8)
}

/// Returns the bytes of 16 code units, and a mask of the units that are neither ASCII nor in `run`.
#[inline(always)]
pub(super) fn narrow_by_run(run: Run, [front, back]: [[u16; 8]; 2]) -> ([[u8; 8]; 2], u32) {
    let (front, front_missing) = by_run(run, front);
    let (back, back_missing) = by_run(run, back);
    let bytes = [front, back].map(|units| units.map(|unit| unit as u8));
    (bytes, front_missing | back_missing << 8)
}

/// Shifts the units that are in `run`. Returns them, and a mask of those that are neither ASCII nor in `run`.
#[inline(always)]
fn by_run(run: Run, units: [u16; 8]) -> ([u16; 8], u32) {
    let (mut shifted, mut missing) = (units, 0);
    for (at, unit) in shifted.iter_mut().enumerate() {
        let by_run = run.shifted(*unit);
        missing |= u32::from(by_run.is_none()) << at;
        *unit = by_run.unwrap_or(*unit);
    }
    (shifted, missing)
}
