//! Stands in for tables that are made on first use, on targets whose threads can't agree on who makes one.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

/// A table that is made for each use.
#[derive(Debug)]
pub(super) struct Lazy<T>(PhantomData<fn() -> T>);

impl<T> Lazy<T> {
    pub(super) const fn new() -> Self {
        Lazy(PhantomData)
    }

    /// Returns the table, which `make` makes from `parts` in `spare`.
    #[inline(always)]
    pub(super) fn get<'a, P>(
        &'a self,
        make: fn(P) -> T,
        parts: P,
        spare: &'a mut MaybeUninit<T>,
    ) -> &'a T {
        spare.write(make(parts))
    }
}
