//! The encodings with characters of one and two bytes, in plain Rust that each table of kernels compiles for
//! its instruction set.
//!
//! - `index.rs` and `cells.rs`: the maps to code units and to bytes, each with a flat table that is built
//!   once there has been enough text (`flat.rs`).
//! - `packed.rs`: makes an index when it is first used, with the code units that `unpack.rs` unpacks;
//!   `packed_static.rs`: has the compiler make it.
//! - `decode.rs` and `encode.rs`: most text, run by run. `iso_2022_jp.rs`: the same runs with a shift state.
//! - `windows.rs`: chooses between these and blocks, for text whose runs are short. `blocks.rs`: decodes blocks, whose
//!   characters AVX2 and AVX-512 find and write. In plain Rust, blocks took 5 to 20 % longer than runs with SSE4.2,
//!   except for Korean prose to UTF-16, where they took 10 % less. `leads.rs`: where characters start in a block.
//! - `short.rs`: short text, inlined. `lossy.rs`: damaged text. `unit.rs`: how both write units.

#[cfg(target_arch = "x86_64")]
pub(super) mod blocks;
pub(super) mod cells;
pub(super) mod decode;
pub(super) mod encode;
pub(super) mod index;
pub(super) mod iso_2022_jp;
#[cfg(target_arch = "x86_64")]
pub(super) mod leads;
pub(super) mod lossy;
#[cfg_attr(all(feature = "alloc", target_has_atomic = "ptr"), path = "packed.rs")]
#[cfg_attr(
    not(all(feature = "alloc", target_has_atomic = "ptr")),
    path = "packed_static.rs"
)]
pub(super) mod packed;
pub(super) mod short;
pub(super) mod unit;
mod unpack;
#[cfg(target_arch = "x86_64")]
pub(super) mod windows;
