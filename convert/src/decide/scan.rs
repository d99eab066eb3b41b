//! Reads an input in blocks, and keeps a sample of it for guesses.

use std::io;

use crate::input::Source;

/// How many bytes at the start are searched for declarations.
pub(super) const HEAD: usize = 64 * 1024;

/// How many bytes of a larger input are kept for guesses.
const SAMPLE: usize = 64 * 1024;

/// How many bytes are kept from one place on.
const PIECE: usize = 8 * 1024;

/// How many bytes of ASCII before such a place are kept as well.
const BEFORE: usize = 64;

const ESC: u8 = 0x1B;

pub(crate) struct Scan<'s, 'r> {
    source: &'s mut Source<'r>,
    buffer: Vec<u8>,
    filled: usize,
    /// Whether the head was not yet returned as a block.
    is_first: bool,
    is_at_end: bool,
    pub(super) sample: Sample,
}

impl<'s, 'r> Scan<'s, 'r> {
    /// Reads the head, the first bytes of the input.
    pub(crate) fn begin(source: &'s mut Source<'r>) -> io::Result<Self> {
        let mut scan = Self {
            source,
            buffer: vec![0; HEAD],
            filled: 0,
            is_first: true,
            is_at_end: false,
            sample: Sample::default(),
        };
        scan.fill()?;
        // If the buffer is full, the next block shows whether the input has ended.
        Ok(scan)
    }

    pub(crate) fn head(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Whether the head is all of the input.
    pub(crate) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Returns the next block; `None` at the end.
    pub(crate) fn block(&mut self) -> io::Result<Option<&[u8]>> {
        if !std::mem::take(&mut self.is_first) {
            if self.is_at_end {
                return Ok(None);
            }
            self.fill()?;
        }
        if self.filled == 0 {
            return Ok(None);
        }
        let block = &self.buffer[..self.filled];
        self.sample.keep(block, self.is_at_end);
        Ok(Some(block))
    }

    /// The sample, and whether it is all of the input.
    pub(crate) fn sample(&self) -> (&[u8], bool) {
        let sample = &self.sample;
        (&sample.bytes, !sample.is_partial && self.is_at_end)
    }

    fn fill(&mut self) -> io::Result<()> {
        self.filled = self.source.read(&mut self.buffer, HEAD)?;
        self.is_at_end = self.filled < HEAD;
        Ok(())
    }
}

/// The bytes of an input for guesses.
#[derive(Default)]
pub(super) struct Sample {
    bytes: Vec<u8>,
    /// Whether it is not all of the input so far.
    is_partial: bool,
    /// Whether the input so far has bytes that are not ASCII, and escape characters.
    pub(super) has_non_ascii: bool,
    pub(super) has_escapes: bool,
}

impl Sample {
    /// Whether more of the input would not improve it.
    pub(super) fn is_enough(&self) -> bool {
        self.bytes.len() >= SAMPLE
    }

    /// Keeps the block if it is all of the input, and otherwise the parts of it with something that is not
    /// ASCII.
    fn keep(&mut self, block: &[u8], is_at_end: bool) {
        let is_telling = |byte: &u8| !byte.is_ascii() || *byte == ESC;
        let (is_ascii, has_escapes) = (block.is_ascii(), block.contains(&ESC));
        self.has_non_ascii |= !is_ascii;
        self.has_escapes |= has_escapes;
        if !self.is_partial && is_at_end {
            self.bytes.extend_from_slice(block);
            return;
        }
        self.is_partial = true;
        if is_ascii && !has_escapes {
            return;
        }
        let mut from = 0;
        while !self.is_enough()
            && let Some(telling) = block[from..].iter().position(is_telling)
        {
            let telling = from + telling;
            // The piece begins in ASCII, so that no character is cut, unless another piece ends there.
            let start = from.max(telling.saturating_sub(BEFORE));
            let end = block.len().min(telling + PIECE);
            let after = block[end..].iter().take(BEFORE);
            let end = end + after.take_while(|byte| **byte >= 0x30).count();
            self.bytes.extend_from_slice(&block[start..end]);
            from = end;
        }
    }
}

/// Takes the same sample as [`Scan`] of an input that is being read for another purpose, in pieces of any length.
#[derive(Default)]
pub(crate) struct Sampler {
    block: Vec<u8>,
    sample: Sample,
}

impl Sampler {
    /// Takes the next bytes.
    pub(crate) fn feed(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() && !self.sample.is_enough() {
            let room = bytes.len().min(HEAD - self.block.len());
            let (next, rest) = bytes.split_at(room);
            self.block.extend_from_slice(next);
            bytes = rest;
            if self.block.len() == HEAD {
                self.sample.keep(&self.block, false);
                self.block.clear();
            }
        }
    }

    /// The sample, after all of the input was fed, and whether it is all of the input.
    pub(crate) fn finish(&mut self) -> (&[u8], bool) {
        if !self.block.is_empty() && !self.sample.is_enough() {
            self.sample.keep(&self.block, true);
            self.block.clear();
        }
        (&self.sample.bytes, !self.sample.is_partial)
    }
}
