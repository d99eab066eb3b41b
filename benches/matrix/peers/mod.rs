//! What the peers lack: safe functions over slices, and conversions that std only has as iterators.

pub(crate) mod iconv;
pub(crate) mod icu;
pub(crate) mod simdutf;
pub(crate) mod standard;
