//! Asks the processor, once (feature `std`).

use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
#[cfg(target_arch = "x86_64")]
use std::arch::is_x86_feature_detected;

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

/// The table in use, or null before anyone has asked.
static ACTIVE: AtomicPtr<Kernels> = AtomicPtr::new(ptr::null_mut());

#[inline(always)]
pub(super) fn active() -> &'static Kernels {
    // Relaxed is enough: tables are statics, which were there before any thread.
    let table = ACTIVE.load(Ordering::Relaxed);
    // SAFETY: null, or what `detect` has stored, which points to a static.
    match unsafe { table.as_ref() } {
        Some(table) => table,
        None => detect(),
    }
}

/// Decides. Threads that do so at the same time decide the same.
#[cold]
fn detect() -> &'static Kernels {
    let wanted = std::env::var_os("SIMDTEXT_ISA");
    let table = select(wanted.as_deref().and_then(|name| name.to_str()));
    ACTIVE.store(ptr::from_ref(table).cast_mut(), Ordering::Relaxed);
    table
}
