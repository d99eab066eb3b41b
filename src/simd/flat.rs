//! Flat tables of 64 Ki words, which make a look-up one load: built from the compact ones when enough
//! input has come, once for the process.

use alloc::boxed::Box;
use alloc::vec;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

/// A word for each word.
pub(crate) type Words = [u16; 1 << 16];

/// A table is built after this many bytes or units of input. To build one takes as long as to
/// convert about as many, and some programs convert no more.
const MIN_INPUT: usize = 32 << 10;

/// A table that is built on first use.
#[derive(Debug)]
pub(crate) struct Flat {
    table: AtomicPtr<Words>,
    /// How much input has come, about: what threads count at the same time may be lost.
    seen: AtomicUsize,
}

impl Flat {
    pub(crate) const fn new() -> Self {
        Flat {
            table: AtomicPtr::new(core::ptr::null_mut()),
            seen: AtomicUsize::new(0),
        }
    }

    /// The table, if it is there, or if `len` more bytes or units are enough to have it built. `fill`
    /// gets a table of zeros.
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
        // SAFETY: what is not null is a table that `build` has leaked and nobody writes to.
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
            // SAFETY: it is leaked, so that it lives for ever, and nobody writes to it any more.
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
