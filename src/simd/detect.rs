//! Asks the processor, once (feature `std`).

#[cfg(target_arch = "x86_64")]
use std::arch::is_x86_feature_detected;
use std::sync::OnceLock;

use super::kernels::{Kernels, select};

#[cfg(target_arch = "x86_64")]
pub(super) fn sse4_2() -> bool {
    is_x86_feature_detected!("sse4.2") && is_x86_feature_detected!("popcnt")
}

#[cfg(target_arch = "x86_64")]
pub(super) fn avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
}

#[cfg(target_arch = "x86_64")]
pub(super) fn avx512() -> bool {
    avx2()
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
}

#[cfg(target_arch = "x86_64")]
pub(super) fn avx512_vbmi2() -> bool {
    avx512() && is_x86_feature_detected!("avx512vbmi") && is_x86_feature_detected!("avx512vbmi2")
}

pub(super) fn active() -> &'static Kernels {
    static ACTIVE: OnceLock<&Kernels> = OnceLock::new();
    ACTIVE.get_or_init(|| {
        let wanted = std::env::var_os("SIMDTEXT_ISA");
        select(wanted.as_deref().and_then(|name| name.to_str()))
    })
}
