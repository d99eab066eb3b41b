//! Without `std` nothing asks the processor: the features that the crate was compiled for decide.

use super::kernels::{Kernels, select};

#[cfg(target_arch = "x86_64")]
pub(super) fn sse4_2() -> bool {
    cfg!(all(target_feature = "sse4.2", target_feature = "popcnt"))
}

#[cfg(target_arch = "x86_64")]
pub(super) fn avx2() -> bool {
    cfg!(all(
        target_feature = "avx2",
        target_feature = "popcnt",
        target_feature = "bmi1",
        target_feature = "bmi2",
    ))
}

#[cfg(target_arch = "x86_64")]
pub(super) fn avx512() -> bool {
    avx2()
        && cfg!(all(
            target_feature = "avx512f",
            target_feature = "avx512bw",
            target_feature = "avx512dq",
            target_feature = "avx512vl",
        ))
}

#[cfg(target_arch = "x86_64")]
pub(super) fn avx512_vbmi2() -> bool {
    avx512()
        && cfg!(all(
            target_feature = "avx512vbmi",
            target_feature = "avx512vbmi2"
        ))
}

pub(super) fn active() -> &'static Kernels {
    select(None)
}
