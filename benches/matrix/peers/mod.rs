//! What the peers lack: safe functions over slices, and conversions that std has only as iterators.

#[cfg(feature = "c-peers")]
pub(crate) mod iconv;
#[cfg(feature = "c-peers")]
pub(crate) mod icu;
pub(crate) mod simdutf;
pub(crate) mod standard;
