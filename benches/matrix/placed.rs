//! Positions of input and output in memory.
//!
//! The speed of a kernel depends on them: stores across cache lines or pages cost more, and so do loads from
//! addresses that have the same last twelve bits as recent stores. A single position would favour one
//! function by accident, so each round uses a different one, the same for all functions.

/// The offsets of the input and of the output from the start of a page, in bytes.
pub(crate) const PLACES: [(usize, usize); 8] = [
    // Both at the start of a page.
    (0, 0),
    // Large blocks of glibc's malloc.
    (16, 16),
    // Small blocks of glibc's malloc.
    (32, 2096),
    (1040, 3184),
    // The output a little ahead of the input. In a conversion that neither widens nor narrows, each load then
    // has the same last twelve bits as a recent store.
    (0, 192),
    // Parts of a larger text.
    (64, 1604),
    (2060, 64),
    (3, 1029),
];

const PAGE: usize = 4096;

/// Units that can be moved to any position in a page.
pub(crate) struct Placed<T> {
    units: Vec<T>,
    /// The start of the first page.
    page: usize,
    /// The position of the units, counted from there.
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

    /// Moves the units to `byte` bytes after the start of a page, or a few fewer if a unit is not a byte.
    pub(crate) fn place(&mut self, byte: usize) {
        let from = self.page + self.start;
        self.start = byte % PAGE / size_of::<T>();
        self.units
            .copy_within(from..from + self.len, self.page + self.start);
    }

    /// Moves the position like `place`, but not the units.
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
