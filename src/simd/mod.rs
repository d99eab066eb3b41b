//! Kernels: whole runs of well-formed input at vector speed.
//!
//! Rules of this folder:
//! - A kernel stops before anything that it does not understand, before malformed or unmappable input, and
//!   before the end of either buffer. It may stop earlier; converting nothing is always a correct result.
//! - Kernels are safe functions over slices, with `#[target_feature]`. `kernels.rs` says what a table of them
//!   holds and what callers trust; each instruction set declares its own in `table.rs`, with the macro of
//!   `tables.rs`, which selects one. A table is selected only if its CPU features were detected. (WebAssembly
//!   needs no detection: a module with instructions that its engine lacks does not start.)
//! - `generic/` has each algorithm once, over the vectors of an instruction set (`vector.rs`); `shared/` has
//!   tables of shuffles. An instruction set implements the vectors, and has its own version of a kernel only
//!   if that is better.
//! - `scalar/` has every kernel in plain Rust: it is the oracle of `tests/`, which compare every table that
//!   the machine can run with it.
//! - Together with `output/`, this is the only place that may hold `unsafe`.
#![allow(
    unsafe_code,
    reason = "vector loads and stores, and calls into code for an instruction set"
)]
#![cfg_attr(
    not(all(feature = "std", feature = "avx512")),
    allow(
        dead_code,
        reason = "what no table or encoding uses that is compiled in"
    )
)]

mod buffer;
mod detect;
#[cfg_attr(target_arch = "x86_64", path = "eight_units_x86_64.rs")]
mod eight_units;
#[cfg_attr(all(feature = "alloc", target_has_atomic = "ptr"), path = "flat.rs")]
#[cfg_attr(
    not(all(feature = "alloc", target_has_atomic = "ptr")),
    path = "flat_none.rs"
)]
mod flat;
mod kernels;
#[cfg_attr(target_has_atomic = "8", path = "lazy.rs")]
#[cfg_attr(not(target_has_atomic = "8"), path = "lazy_none.rs")]
mod lazy;
mod none;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
mod once;
mod scalar;
mod single_byte;
mod single_byte_rows;
mod single_byte_tables;
mod surrogates;
mod tables;
#[cfg(test)]
mod tests;
mod two_byte;
mod uninit;

#[cfg(all(
    target_arch = "aarch64",
    target_endian = "little",
    target_feature = "neon"
))]
mod aarch64;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32;
#[cfg(target_arch = "x86_64")]
mod x86_64;

/// Compiles items only under a condition, as the crate `cfg-if` does. By this name rustfmt finds the modules in it.
macro_rules! cfg_if {
    (if #[cfg($condition:meta)] { $($item:item)+ }) => {
        $(#[cfg($condition)] $item)+
    };
}

cfg_if! {
    if #[cfg(any(
        target_arch = "x86_64",
        all(
            target_arch = "aarch64",
            target_endian = "little",
            target_feature = "neon"
        ),
        all(target_arch = "wasm32", target_feature = "simd128")
    ))] {
        mod generic;
        mod shared;
        mod vector;
    }
}

pub(crate) use buffer::encode_by_utf16;
pub(crate) use kernels::{Kernels, Transcoded};
#[cfg(test)]
pub(crate) use none::NO_KERNELS;
pub(crate) use scalar::single_byte::fill_utf8 as single_byte_fill_utf8;
pub(crate) use scalar::single_byte_lossy::{single_byte_to_utf8_lossy, single_byte_to_utf16_lossy};
pub(crate) use scalar::utf16::FixedOrder;
pub(crate) use scalar::utf32::{beyond_bmp, surrogate};
pub(crate) use scalar::{blocks, fill, fill_text, short, short_encoded, short_single_byte};
pub(crate) use single_byte::SingleByteToUtf8;
pub(crate) use single_byte_tables::{SingleByteTable, spare};
pub(crate) use surrogates::{is_leading_surrogate, surrogate_pair};
pub(crate) use tables::active;
pub use tables::active_isa;
#[cfg(test)]
pub(crate) use tables::available;
pub(crate) use two_byte::cells::{CELLS, TwoByteCells};
pub(crate) use two_byte::index::{Katakana, Pairs, Ranges, TwoByteIndex};
pub(crate) use two_byte::iso_2022_jp::{JisState, fill as fill_iso_2022_jp};
pub(crate) use two_byte::lossy::{Exception, TwoByte, two_byte_lossy};
pub(crate) use two_byte::packed::{PackedIndex, PackedUnits};
pub(crate) use two_byte::short::{decode_short, short_len_to_decode, short_len_to_encode};
pub(crate) use two_byte::unit::TextUnit;
pub(crate) use uninit::{as_units, write_only};
