//! Selects a table, once: asks the processor for its features (feature `std`), or goes by those that the crate was
//! compiled for.

use super::kernels::Kernels;
use super::tables::select;

/// Returns whether this machine has a CPU feature.
#[cfg(all(feature = "std", target_arch = "x86_64"))]
#[allow(unused_macros, reason = "only tables with vectors ask")]
macro_rules! has_feature {
    ($feature:tt) => {
        std::arch::is_x86_feature_detected!($feature)
    };
}

/// Returns whether the target has a CPU feature.
#[cfg(not(all(feature = "std", target_arch = "x86_64")))]
#[allow(unused_macros, reason = "only tables with vectors ask")]
macro_rules! has_feature {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}
#[allow(unused_imports, reason = "only tables with vectors ask")]
pub(in crate::simd) use has_feature;

#[cfg(not(feature = "std"))]
pub(super) fn active() -> &'static Kernels {
    select(None)
}

#[cfg(feature = "std")]
pub(super) use detected::active;

#[cfg(feature = "std")]
mod detected {
    use core::ptr;
    use core::sync::atomic::{AtomicPtr, Ordering};

    use super::{Kernels, select};

    /// The table in use, or null until it is selected.
    static ACTIVE: AtomicPtr<Kernels> = AtomicPtr::new(ptr::null_mut());

    #[inline(always)]
    pub(in crate::simd) fn active() -> &'static Kernels {
        // Relaxed is enough: tables are statics, which exist before any thread.
        let table = ACTIVE.load(Ordering::Relaxed);
        // SAFETY: null, or what `detect` has stored, which points to a static.
        match unsafe { table.as_ref() } {
            Some(table) => table,
            None => detect(),
        }
    }

    /// Selects a table. Threads that do so at the same time select the same one.
    #[cold]
    fn detect() -> &'static Kernels {
        let wanted = std::env::var_os("SIMDTEXT_ISA");
        let table = select(wanted.as_deref().and_then(|name| name.to_str()));
        ACTIVE.store(ptr::from_ref(table).cast_mut(), Ordering::Relaxed);
        table
    }
}
