//! Flat tables where there is no memory for them: none. The compact ones serve.

/// A word for each word.
pub(crate) type Words = [u16; 1 << 16];

/// A table that is never built.
#[derive(Debug)]
pub(crate) struct Flat;

impl Flat {
    pub(crate) const fn new() -> Self {
        Flat
    }

    #[inline(always)]
    pub(crate) fn get(&self, _: usize, _: impl FnOnce(&mut Words)) -> Option<&Words> {
        None
    }
}
