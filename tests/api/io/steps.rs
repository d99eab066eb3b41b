//! A reader that gives few bytes at a time, is interrupted, and may fail.

use std::io::{self, ErrorKind, Read};

/// Gives at most `step` bytes at a time, is interrupted in between, and fails once.
#[derive(Debug)]
pub(super) struct Steps<'a> {
    bytes: &'a [u8],
    step: usize,
    interrupt: bool,
    /// The number of reads before the failure.
    until_failure: Option<usize>,
}

impl<'a> Steps<'a> {
    pub(super) fn new(bytes: &'a [u8], step: usize) -> Self {
        Steps {
            bytes,
            step,
            interrupt: false,
            until_failure: None,
        }
    }

    /// Fails after this number of reads.
    pub(super) fn failing(bytes: &'a [u8], step: usize, reads: usize) -> Self {
        Steps {
            until_failure: Some(reads),
            ..Steps::new(bytes, step)
        }
    }
}

impl Read for Steps<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if self.interrupt {
            return Err(ErrorKind::Interrupted.into());
        }
        if let Some(left) = &mut self.until_failure {
            if *left == 0 {
                self.until_failure = None;
                return Err(ErrorKind::TimedOut.into());
            }
            *left -= 1;
        }
        let step = self.step.min(buf.len());
        self.bytes.read(&mut buf[..step])
    }
}
