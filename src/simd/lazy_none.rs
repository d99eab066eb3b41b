//! Stands in for tables that are made on first use, on targets whose threads can't agree on who makes one.

use core::marker::PhantomData;

/// A table that is made for each use.
#[derive(Debug)]
pub(super) struct Lazy<T>(PhantomData<fn() -> T>);

impl<T> Lazy<T> {
    pub(super) const fn new() -> Self {
        Lazy(PhantomData)
    }

    /// Returns what `read` makes of the table, which `make` makes of `parts`.
    #[inline(always)]
    pub(super) fn with<P, R>(&self, make: fn(P) -> T, parts: P, read: impl FnOnce(&T) -> R) -> R {
        read(&make(parts))
    }
}
