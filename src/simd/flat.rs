//! Flat tables of 64 Ki words, in which a look-up is a single load: built from the compact ones after enough
//! input, once per process.

use alloc::boxed::Box;
use alloc::vec;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// A word for each value of a word.
pub(crate) type Words = [u16; 1 << 16];

/// The number of bytes or units of input after which a table is built. Building one takes about as long as
/// converting that much, and some programs convert no more.
const MIN_INPUT: usize = 32 << 10;

/// A table that is built on first use.
#[derive(Debug)]
pub(crate) struct Flat {
    table: AtomicPtr<Words>,
    /// About how much input there has been: if threads count at the same time, some of it may be lost.
    seen: AtomicUsize,
}

impl Flat {
    pub(crate) const fn new() -> Self {
        Flat {
            table: AtomicPtr::new(core::ptr::null_mut()),
            seen: AtomicUsize::new(0),
        }
    }

    /// Returns the table, if there is one, or if `len` more bytes or units are enough to have it built.
    /// `fill` is given a table of zeros.
    #[inline(always)]
    pub(crate) fn get(&self, len: usize, fill: impl FnOnce(&mut Words)) -> Option<&Words> {
        let table = self.table.load(Ordering::Acquire);
        if table.is_null() {
            let seen = self.seen.load(Ordering::Relaxed).saturating_add(len);
            self.seen.store(seen, Ordering::Relaxed);
            return if seen < MIN_INPUT {
                None
            } else {
                self.build(fill)
            };
        }
        // SAFETY: a pointer that is not null is to a table that `build` has leaked and nobody writes to.
        Some(unsafe { &*table })
    }

    #[cold]
    #[inline(never)]
    fn build(&self, fill: impl FnOnce(&mut Words)) -> Option<&Words> {
        let mut table: Box<Words> = vec![0; 1 << 16].into_boxed_slice().try_into().ok()?;
        fill(&mut table);
        let built = Box::into_raw(table);
        let none = core::ptr::null_mut();
        match self
            .table
            .compare_exchange(none, built, Ordering::AcqRel, Ordering::Acquire)
        {
            // SAFETY: it is leaked, so that it lives forever, and nobody writes to it any more.
            Ok(_) => Some(unsafe { &*built }),
            Err(theirs) => {
                // SAFETY: it came from the box above, and nobody else has seen it.
                drop(unsafe { Box::from_raw(built) });
                // SAFETY: another thread has leaked that one.
                Some(unsafe { &*theirs })
            }
        }
    }
}
