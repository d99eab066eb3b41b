//! Values that are made when they are first needed, once per process, in allocated memory.

use alloc::boxed::Box;
use core::marker::PhantomData;
use core::sync::atomic::{AtomicPtr, Ordering};

/// A value that is made on first use, and then lives forever. It is meant for statics: it does not free the value.
///
/// No thread waits for another one: if several make the value at the same time, all of them use that of the first
/// one to finish. So it does no harm if the process forks while a thread is making it.
#[derive(Debug)]
pub(crate) struct Once<T> {
    made: AtomicPtr<T>,
    /// Threads that share this share the value.
    value: PhantomData<T>,
}

impl<T> Once<T> {
    pub(crate) const fn new() -> Self {
        Once {
            made: AtomicPtr::new(core::ptr::null_mut()),
            value: PhantomData,
        }
    }

    /// Returns the value, if it is made.
    #[inline(always)]
    pub(crate) fn get(&self) -> Option<&T> {
        let made = self.made.load(Ordering::Acquire);
        // SAFETY: a pointer that is not null is to a value that `make` has leaked and nobody writes to.
        unsafe { made.as_ref() }
    }

    /// Returns the value, which `make` makes on first use.
    #[inline(always)]
    pub(crate) fn get_or_make(&self, make: impl FnOnce() -> Box<T>) -> &T {
        match self.get() {
            Some(value) => value,
            None => self.make(make),
        }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn make(&self, make: impl FnOnce() -> Box<T>) -> &T {
        let ours = Box::into_raw(make());
        let none = core::ptr::null_mut();
        match self
            .made
            .compare_exchange(none, ours, Ordering::AcqRel, Ordering::Acquire)
        {
            // SAFETY: it is leaked, so that it lives forever, and nobody writes to it any more.
            Ok(_) => unsafe { &*ours },
            Err(theirs) => {
                // SAFETY: it came from the box above, and nobody else has seen it.
                drop(unsafe { Box::from_raw(ours) });
                // SAFETY: another thread has leaked that one.
                unsafe { &*theirs }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Once;
    use alloc::boxed::Box;
    use alloc::sync::Arc;
    use core::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn is_made_once() {
        static ONCE: Once<[u8; 3]> = Once::new();
        assert_eq!(ONCE.get(), None);
        assert_eq!(ONCE.get_or_make(|| Box::new([1, 2, 3])), &[1, 2, 3]);
        assert_eq!(ONCE.get_or_make(|| Box::new([4, 5, 6])), &[1, 2, 3]);
        assert_eq!(ONCE.get(), Some(&[1, 2, 3]));
    }

    #[test]
    fn of_two_made_at_the_same_time_the_second_is_dropped() {
        static ONCE: Once<Arc<u8>> = Once::new();
        let (first, second) = (Arc::new(1), Arc::new(2));
        let value = ONCE.get_or_make(|| {
            // As if another thread were faster.
            ONCE.get_or_make(|| Box::new(Arc::clone(&first)));
            Box::new(Arc::clone(&second))
        });
        assert!(Arc::ptr_eq(value, &first));
        assert_eq!(Arc::strong_count(&second), 1);
    }

    #[test]
    #[cfg_attr(target_family = "wasm", ignore = "it has no threads")]
    fn threads_get_the_same_value() {
        static ONCE: Once<usize> = Once::new();
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let get = || {
            let value = ONCE.get_or_make(|| Box::new(MADE.fetch_add(1, Ordering::Relaxed)));
            core::ptr::from_ref(value).addr()
        };
        let addresses = std::thread::scope(|scope| {
            let threads = [(); 8].map(|()| scope.spawn(get));
            threads.map(|thread| thread.join().expect("no thread panics"))
        });
        assert_eq!(addresses, [addresses[0]; 8]);
        assert!(ONCE.get() < Some(&MADE.load(Ordering::Relaxed)));
    }
}
