//! Reads the lines of a journal in bounded memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};

use super::format::LONGEST_LINE;

/// Reads lines, in no more memory than the longest permitted line takes.
pub(super) struct JournalLines {
    reader: BufReader<File>,
    line: Vec<u8>,
    /// The length of all whole lines so far, in bytes.
    pub(super) length: u64,
}

pub(super) enum Line<'a> {
    Whole(&'a str),
    /// The file ends before the line does.
    Unfinished,
    Endless,
}

impl JournalLines {
    pub(super) fn new(file: File) -> Self {
        Self {
            reader: BufReader::new(file),
            line: Vec::new(),
            length: 0,
        }
    }

    pub(super) fn next(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        let room = LONGEST_LINE as u64 + 1;
        (&mut self.reader)
            .take(room)
            .read_until(b'\n', &mut self.line)?;
        if self.line.pop_if(|last| *last == b'\n').is_some() {
            self.length += self.line.len() as u64 + 1;
            // A line that is not UTF-8, or is empty, was not written by a journal.
            return Ok(Line::Whole(
                std::str::from_utf8(&self.line).unwrap_or_default(),
            ));
        }
        Ok(if self.line.len() > LONGEST_LINE {
            Line::Endless
        } else {
            Line::Unfinished
        })
    }
}
