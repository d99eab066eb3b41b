//! Flat tables of 64 Ki words, in which a look-up is a single load: built from the compact ones after enough
//! input, once per process.

use alloc::boxed::Box;
use alloc::vec;
use core::sync::atomic::{AtomicUsize, Ordering};

use super::once::Once;

/// A word for each value of a word.
pub(crate) type Words = [u16; 1 << 16];

/// The number of bytes or units of input after which a table is built. Building one takes about as long as
/// converting that much, and some programs convert no more.
const MIN_INPUT: usize = 32 << 10;

/// A table that is built on first use.
#[derive(Debug)]
pub(crate) struct Flat {
    table: Once<Words>,
    /// About how much input there has been: if threads count at the same time, some of it may be lost.
    seen: AtomicUsize,
}

impl Flat {
    pub(crate) const fn new() -> Self {
        Flat {
            table: Once::new(),
            seen: AtomicUsize::new(0),
        }
    }

    /// Returns the table, if there is one, or if `len` more bytes or units are enough to have it built.
    /// `fill` is given a table of zeros.
    #[inline(always)]
    pub(crate) fn get(&self, len: usize, fill: impl FnOnce(&mut Words)) -> Option<&Words> {
        if let Some(table) = self.table.get() {
            return Some(table);
        }
        if self.seen.load(Ordering::Relaxed).saturating_add(len) < MIN_INPUT {
            None
        } else {
            self.build(fill)
        }
    }

    /// Counts input that was converted without the table.
    #[inline(always)]
    pub(crate) fn count(&self, len: usize) {
        let seen = self.seen.load(Ordering::Relaxed).saturating_add(len);
        self.seen.store(seen, Ordering::Relaxed);
    }

    #[cold]
    #[inline(never)]
    fn build(&self, fill: impl FnOnce(&mut Words)) -> Option<&Words> {
        let mut table: Box<Words> = vec![0; 1 << 16].into_boxed_slice().try_into().ok()?;
        fill(&mut table);
        Some(self.table.make(|| table))
    }
}
