//! Asks the processor, once (feature `std`).

use std::sync::OnceLock;

use super::kernels::{Kernels, select};

#[cfg(target_arch = "x86_64")]
pub(super) fn sse4_2() -> bool {
    std::arch::is_x86_feature_detected!("sse4.2") && std::arch::is_x86_feature_detected!("ssse3")
}

#[cfg(target_arch = "x86_64")]
pub(super) fn avx2() -> bool {
    std::arch::is_x86_feature_detected!("avx2")
}

pub(super) fn active() -> &'static Kernels {
    static ACTIVE: OnceLock<&Kernels> = OnceLock::new();
    ACTIVE.get_or_init(|| {
        let wanted = std::env::var_os("SIMDTEXT_ISA");
        select(wanted.as_deref().and_then(|name| name.to_str()))
    })
}
