//! Without `std` nothing asks the processor: the features that the crate was compiled for decide.

use super::kernels::{Kernels, select};

#[cfg(target_arch = "x86_64")]
pub(super) fn sse4_2() -> bool {
    cfg!(all(target_feature = "sse4.2", target_feature = "popcnt"))
}

#[cfg(target_arch = "x86_64")]
pub(super) fn avx2() -> bool {
    cfg!(all(target_feature = "avx2", target_feature = "popcnt"))
}

pub(super) fn active() -> &'static Kernels {
    select(None)
}
