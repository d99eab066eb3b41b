//! Stands in for tables that are made on first use, on targets whose threads can't agree on who makes one.

use core::marker::PhantomData;

/// A table that is made for each use.
#[derive(Debug)]
pub(super) struct Lazy<T>(PhantomData<fn() -> T>);

impl<T> Lazy<T> {
    pub(super) const fn new() -> Self {
        Lazy(PhantomData)
    }

    /// Returns what `read` makes of the table, which `make` makes.
    #[inline(always)]
    pub(super) fn with<R>(&self, make: impl FnOnce() -> T, read: impl FnOnce(&T) -> R) -> R {
        read(&make())
    }
}
