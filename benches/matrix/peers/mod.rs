//! What the peers lack: safe functions over slices, and conversions for which std has only iterators.

pub(crate) mod iconv;
pub(crate) mod icu;
pub(crate) mod simdutf;
pub(crate) mod standard;
