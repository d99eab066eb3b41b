//! Selects a table without `std` by the features that the crate was compiled for; nothing asks the processor.

use super::kernels::Kernels;
use super::tables::select;

/// Returns whether the crate was compiled for a CPU feature.
#[allow(unused_macros, reason = "only tables with vectors ask")]
macro_rules! has_feature {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}
#[allow(unused_imports, reason = "only tables with vectors ask")]
pub(in crate::simd) use has_feature;

pub(super) fn active() -> &'static Kernels {
    select(None)
}
