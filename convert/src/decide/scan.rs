//! Reads an input in blocks, and keeps what there is to weigh.

use std::io;

use crate::input::Source;

/// Bytes at the front that are looked at for declarations.
pub(super) const HEAD: usize = 64 * 1024;

/// Bytes that are kept to be weighed, where the input is larger.
const SAMPLE: usize = 64 * 1024;

/// Bytes that are kept from one place on.
const PIECE: usize = 8 * 1024;

/// ASCII before a place that is kept with it.
const BEFORE: usize = 64;

const ESC: u8 = 0x1B;

pub(crate) struct Scan<'s, 'r> {
    source: &'s mut Source<'r>,
    buffer: Vec<u8>,
    filled: usize,
    /// The head was not given as a block yet.
    is_first: bool,
    is_at_end: bool,
    sample: Vec<u8>,
    /// The sample is all there was so far.
    is_whole: bool,
    has_non_ascii: bool,
    has_escapes: bool,
}

impl<'s, 'r> Scan<'s, 'r> {
    /// Reads the head.
    pub(crate) fn begin(source: &'s mut Source<'r>) -> io::Result<Self> {
        let mut scan = Self {
            source,
            buffer: vec![0; HEAD],
            filled: 0,
            is_first: true,
            is_at_end: false,
            sample: Vec::new(),
            is_whole: true,
            has_non_ascii: false,
            has_escapes: false,
        };
        scan.fill()?;
        // What fills the buffer may be all there is: that is seen at the next block.
        Ok(scan)
    }

    pub(crate) fn head(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }

    /// Whether the head is all.
    pub(crate) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// The next block; `None` at the end.
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
        self.keep();
        Ok(Some(&self.buffer[..self.filled]))
    }

    /// Whether more would not make the sample better.
    pub(crate) fn has_enough(&self) -> bool {
        self.sample.len() >= SAMPLE
    }

    /// Whether all blocks were ASCII, without escape sequences.
    pub(crate) fn is_ascii(&self) -> bool {
        !self.has_non_ascii && !self.has_escapes
    }

    /// Whether a block was not.
    pub(crate) fn has_non_ascii(&self) -> bool {
        self.has_non_ascii
    }

    /// What there is to weigh, and whether it is all of the input.
    pub(crate) fn sample(&self) -> (&[u8], bool) {
        (&self.sample, self.is_whole && self.is_at_end)
    }

    fn fill(&mut self) -> io::Result<()> {
        self.filled = self.source.read(&mut self.buffer, HEAD)?;
        self.is_at_end = self.filled < HEAD;
        Ok(())
    }

    /// Keeps the block, if it is small or something is to be seen in it.
    fn keep(&mut self) {
        let block = &self.buffer[..self.filled];
        let is_telling = |byte: &u8| !byte.is_ascii() || *byte == ESC;
        let (is_ascii, has_escapes) = (block.is_ascii(), block.contains(&ESC));
        self.has_non_ascii |= !is_ascii;
        self.has_escapes |= has_escapes;
        if self.is_whole && self.sample.is_empty() && self.is_at_end {
            self.sample.extend_from_slice(block);
            return;
        }
        self.is_whole = false;
        if is_ascii && !has_escapes {
            return;
        }
        let mut from = 0;
        while self.sample.len() < SAMPLE
            && let Some(telling) = block[from..].iter().position(is_telling)
        {
            let telling = from + telling;
            // In ASCII, so that no character is cut, unless another piece ends there.
            let start = from.max(telling.saturating_sub(BEFORE));
            let end = block.len().min(telling + PIECE);
            let after = block[end..].iter().take(BEFORE);
            let end = end + after.take_while(|byte| **byte >= 0x30).count();
            self.sample.extend_from_slice(&block[start..end]);
            from = end;
        }
    }
}
