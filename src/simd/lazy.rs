//! Tables that are made when they are first needed, in memory that takes no room in the program's file.

use core::cell::UnsafeCell;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU8, Ordering};

const EMPTY: u8 = 0;
const BEING_MADE: u8 = 1;
const MADE: u8 = 2;

/// A table that is made on first use. It begins where a cache line does: with tables at odd addresses, long text
/// took 4 % longer to UTF-16.
#[derive(Debug)]
#[repr(C, align(64))]
pub(super) struct Lazy<T> {
    table: UnsafeCell<MaybeUninit<T>>,
    state: AtomicU8,
}

// SAFETY: one thread writes the table, the one that finds it `EMPTY`; it is read only once it is `MADE`.
unsafe impl<T: Send + Sync> Sync for Lazy<T> {}

impl<T> Lazy<T> {
    pub(super) const fn new() -> Self {
        Lazy {
            table: UnsafeCell::new(MaybeUninit::uninit()),
            state: AtomicU8::new(EMPTY),
        }
    }

    /// Returns the table, which `make` makes from `parts` on first use. If another thread is making it at the same
    /// time, makes it in `spare`, because waiting for that thread could take longer.
    #[inline(always)]
    pub(super) fn get<'a, P>(
        &'a self,
        make: fn(P) -> T,
        parts: P,
        spare: &'a mut MaybeUninit<T>,
    ) -> &'a T {
        if self.state.load(Ordering::Acquire) == MADE {
            // SAFETY: nobody writes to what is `MADE`.
            let table = unsafe { &*self.table.get() };
            // SAFETY: what is `MADE` is initialized.
            unsafe { table.assume_init_ref() }
        } else {
            self.make(make, parts, spare)
        }
    }

    #[cold]
    #[inline(never)]
    fn make<'a, P>(&'a self, make: fn(P) -> T, parts: P, spare: &'a mut MaybeUninit<T>) -> &'a T {
        let table = make(parts);
        let (empty, taken) = (EMPTY, BEING_MADE);
        let order = Ordering::Relaxed;
        let taken = self.state.compare_exchange(empty, taken, order, order);
        if taken.is_err() {
            return spare.write(table);
        }
        // SAFETY: no other thread has found it `EMPTY`, and none reads it before it is `MADE`.
        let table: &T = unsafe { &mut *self.table.get() }.write(table);
        self.state.store(MADE, Ordering::Release);
        table
    }
}

#[cfg(test)]
mod tests {
    use super::{BEING_MADE, Lazy, MADE};
    use core::mem::MaybeUninit;
    use core::sync::atomic::Ordering;

    fn get(lazy: &Lazy<[u8; 256]>, part: u8) -> [u8; 256] {
        *lazy.get(|part| [part; 256], part, &mut MaybeUninit::uninit())
    }

    #[test]
    fn is_made_once() {
        let lazy = Lazy::new();
        assert_eq!(get(&lazy, 7), [7; 256]);
        assert_eq!(lazy.state.load(Ordering::Relaxed), MADE);
        assert_eq!(get(&lazy, 8), [7; 256]);
    }

    #[test]
    fn is_made_apart_while_another_thread_makes_it() {
        let lazy = Lazy::new();
        lazy.state.store(BEING_MADE, Ordering::Relaxed);
        assert_eq!(get(&lazy, 7), [7; 256]);
        assert_eq!(get(&lazy, 8), [8; 256]);
        assert_eq!(lazy.state.load(Ordering::Relaxed), BEING_MADE);
    }

    #[test]
    #[cfg_attr(target_family = "wasm", ignore = "it has no threads")]
    fn threads_get_equal_tables() {
        let lazy = Lazy::new();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(get(&lazy, 9), [9; 256]));
            }
        });
        assert_eq!(get(&lazy, 0), [9; 256]);
    }
}
