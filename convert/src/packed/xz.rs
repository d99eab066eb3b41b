//! Reads the content of an xz file.
//!
//! The file says how much memory that takes: 65 MiB at level 9. To keep memory bounded with several workers,
//! only one file at a time may take that much.

use std::io::{self, BufRead, Read};
use std::process;
use std::sync::{Condvar, Mutex, PoisonError};

use liblzma::stream::{Action, CONCATENATED, Error, Status, Stream};

use crate::mutex::lock;

/// How much memory each file may take, in bytes: level 7 needs 17 MiB.
const MEMORY_PER_FILE: u64 = 20 << 20;

/// How much memory one file at a time may take, in bytes. Files that need more are refused.
const MEMORY_FOR_ONE_FILE: u64 = 96 << 20;

pub(crate) struct Decoder<R> {
    reader: R,
    stream: Stream,
    permit: Option<MemoryPermit>,
}

impl<R: BufRead> Decoder<R> {
    pub(crate) fn new(reader: R) -> io::Result<Self> {
        Ok(Self {
            reader,
            stream: Stream::new_stream_decoder(MEMORY_PER_FILE, CONCATENATED)?,
            permit: None,
        })
    }
}

impl<R: BufRead> Read for Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let input = self.reader.fill_buf()?;
            let is_end = input.is_empty();
            let before = (self.stream.total_in(), self.stream.total_out());
            let action = if is_end { Action::Finish } else { Action::Run };
            let status = self.stream.process(input, buffer, action);
            let taken = self.stream.total_in() - before.0;
            let given = self.stream.total_out() - before.1;
            // Both are lengths of parts of slices.
            let (taken, given) = (taken as usize, given as usize);
            self.reader.consume(taken);
            match status {
                Err(Error::MemLimit) if self.permit.is_none() => {
                    self.permit = Some(MemoryPermit::wait());
                    self.stream
                        .set_memlimit(MEMORY_FOR_ONE_FILE)
                        .map_err(|_| needs_too_much_memory())?;
                    // What comes before it may be available already.
                    if given > 0 {
                        return Ok(given);
                    }
                }
                Err(Error::MemLimit) => return Err(needs_too_much_memory()),
                Err(error) => return Err(error.into()),
                Ok(_) if given > 0 || buffer.is_empty() => return Ok(given),
                Ok(Status::StreamEnd) => return Ok(0),
                Ok(_) if is_end => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(_) if taken == 0 => {
                    return Err(io::Error::new(io::ErrorKind::InvalidData, "damaged xz"));
                }
                Ok(_) => {}
            }
        }
    }
}

fn needs_too_much_memory() -> io::Error {
    let mib = MEMORY_FOR_ONE_FILE >> 20;
    io::Error::other(format!(
        "it needs more than {mib} MiB to be unpacked; unpack it with xz first"
    ))
}

/// The right of one file at a time to take more than [`MEMORY_PER_FILE`].
struct MemoryPermit(());

/// The process that has the right. In a process that was forked meanwhile, nobody has it, because no other
/// thread survives a fork.
static TAKEN_BY: Mutex<Option<u32>> = Mutex::new(None);
static IS_FREE: Condvar = Condvar::new();

impl MemoryPermit {
    /// Waits for the right. A thread that has it waits for no other.
    fn wait() -> Self {
        let this = Some(process::id());
        let taken = lock(&TAKEN_BY);
        let taken = IS_FREE.wait_while(taken, |by| *by == this);
        *taken.unwrap_or_else(PoisonError::into_inner) = this;
        Self(())
    }
}

impl Drop for MemoryPermit {
    fn drop(&mut self) {
        *lock(&TAKEN_BY) = None;
        IS_FREE.notify_one();
    }
}
