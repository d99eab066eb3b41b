//! The algorithms, each written once over the vectors of an instruction set (`vector.rs`).
//!
//! A function takes the instruction set's token first and otherwise does what `kernels.rs` says of the kernel
//! with its name: it stops before anything that it does not understand, and may overwrite its output after
//! what it reports as written. Functions are `inline(always)`, so that they are compiled for the instruction
//! set that calls them; those that are `inline(never)` call [`Vector::run_on`] again. `table.rs` makes
//! kernels of them. An instruction set has its own version of a kernel only if that is better, and says there
//! by how much.
//!
//! The tables of shuffles are in `shared/`.

pub(super) mod ascii;
pub(super) mod count;
pub(super) mod latin1;
pub(super) mod narrow;
pub(super) mod single_byte;
pub(super) mod single_byte_map;
pub(super) mod table;
pub(super) mod utf16_lanes;
mod utf16_pairs;
pub(super) mod utf16_to_utf8;
mod utf16_units;
pub(super) mod utf32;
mod utf32_to_utf8;
pub(super) mod utf8_copy;
pub(super) mod utf8_errors;
pub(super) mod utf8_lossy;
mod utf8_marked;
mod utf8_partial_blocks;
pub(super) mod utf8_scalars;
pub(super) mod utf8_short;
pub(super) mod utf8_starts;
pub(super) mod utf8_steps;
pub(super) mod utf8_to_latin1;
pub(super) mod utf8_to_utf16;
pub(super) mod utf8_to_utf32;
pub(super) mod utf8_units;
pub(super) mod utf8_valid;

use crate::simd::vector::Vector;

/// The number of bytes in the vectors of the algorithms that shuffle by tables.
const LANES: usize = 16;

/// The number of bytes in a block: as many as a mask has bits.
pub(super) const BLOCK: usize = 4 * LANES;

/// Loads four vectors, with zeros for those that `from` is too short for.
#[inline(always)]
pub(super) fn load_4<V: Vector>(v: V, from: &[u8]) -> [V::V; 4] {
    if from.len() < 4 * V::LANES {
        return [v.splat_u8(0); 4];
    }
    [
        v.load(from),
        v.load(&from[V::LANES..]),
        v.load(&from[2 * V::LANES..]),
        v.load(&from[3 * V::LANES..]),
    ]
}

/// Returns the bits that are set in any of four vectors.
#[inline(always)]
pub(super) fn any_bits<V: Vector>(v: V, [a, b, c, d]: [V::V; 4]) -> V::V {
    v.or(v.or(a, b), v.or(c, d))
}

/// Shuffles bytes by a row of a table.
#[inline(always)]
fn shuffled<V: Vector>(v: V, bytes: V::V, row: &[u8; LANES]) -> V::V {
    v.look_up(bytes, v.load(row))
}
