//! Where input and output lie in memory.
//!
//! A kernel's speed depends on it: stores that cross cache lines or pages cost more, and so do loads
//! from addresses that equal those of stores a moment ago in their last twelve bits. One place would
//! favour one function by accident. So each round is at another place, the same for all functions.

/// Bytes after the start of a page: of the input, and of the output.
pub(crate) const PLACES: [(usize, usize); 8] = [
    // Whole pages.
    (0, 0),
    // Large blocks of glibc's malloc.
    (16, 16),
    // Small blocks of it.
    (32, 2096),
    (1040, 3184),
    // The output a little ahead of the input: a conversion that neither widens nor narrows loads
    // from where it has just stored, as far as the last twelve bits tell.
    (0, 192),
    // Parts of a larger text.
    (64, 1604),
    (2060, 64),
    (3, 1029),
];

const PAGE: usize = 4096;

/// Units that can be moved to anywhere in a page.
pub(crate) struct Placed<T> {
    units: Vec<T>,
    /// Where the first page begins.
    page: usize,
    /// Behind that, where the units are.
    start: usize,
    len: usize,
}

impl<T: Copy + Default> Placed<T> {
    pub(crate) fn new(len: usize) -> Self {
        let page = PAGE / size_of::<T>();
        let units = vec![T::default(); len + 2 * page];
        Placed {
            page: units.as_ptr().align_offset(PAGE).min(page),
            units,
            start: 0,
            len,
        }
    }

    pub(crate) fn of(units: &[T]) -> Self {
        let mut placed = Self::new(units.len());
        placed.as_mut().copy_from_slice(units);
        placed
    }

    /// Moves to `byte` bytes after the start of a page, or a few less where units are not bytes.
    /// The units come along.
    pub(crate) fn place(&mut self, byte: usize) {
        let from = self.page + self.start;
        self.start = byte % PAGE / size_of::<T>();
        self.units
            .copy_within(from..from + self.len, self.page + self.start);
    }

    /// As `place`, but the units stay behind.
    pub(crate) fn place_empty(&mut self, byte: usize) {
        self.start = byte % PAGE / size_of::<T>();
    }

    pub(crate) fn as_slice(&self) -> &[T] {
        &self.units[self.page + self.start..][..self.len]
    }

    pub(crate) fn as_mut(&mut self) -> &mut [T] {
        &mut self.units[self.page + self.start..][..self.len]
    }
}
