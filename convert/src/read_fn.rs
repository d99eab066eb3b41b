//! Readers that are functions.

use std::io::{self, Read};

/// A reader whose [`Read::read`] is this function.
pub(crate) struct ReadFn<F>(pub(crate) F);

impl<F: FnMut(&mut [u8]) -> io::Result<usize>> Read for ReadFn<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0(buffer)
    }
}
