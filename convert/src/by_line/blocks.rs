//! Reads an input in blocks of whole lines.
//!
//! Lines end with LF, CR LF or CR. In all encodings that are allowed here, no other character contains these
//! bytes. A line of up to [`LONGEST_LINE`] bytes is kept in memory.

use std::fs::File;
use std::io;
use std::ops::Range;

use crate::input::Source;

/// The maximum number of bytes that are read at a time.
pub(super) const BLOCK: usize = 1 << 20;

/// The length of the longest line that is kept in memory, in bytes: a few blocks.
pub(super) const LONGEST_LINE: usize = 8 << 20;

/// A smaller buffer would not be cheaper.
const SMALLEST: usize = 16 * 1024;

pub(super) struct Blocks<'s, 'r> {
    source: &'s mut Source<'r>,
    buffer: Vec<u8>,
    /// The content of the buffer that was not consumed.
    start: usize,
    filled: usize,
    /// The offset of that content in the input.
    offset: u64,
    /// The number of bytes from there on that are known to contain no line end.
    searched: usize,
    is_at_end: bool,
}

impl<'s, 'r> Blocks<'s, 'r> {
    pub(super) fn new(source: &'s mut Source<'r>) -> Self {
        // One byte more than the input should have, so that its end is seen at once.
        let size = source.size.and_then(|size| usize::try_from(size).ok());
        let size = size.map_or(BLOCK, |size| size.saturating_add(1).clamp(SMALLEST, BLOCK));
        Self {
            source,
            buffer: vec![0; size],
            start: 0,
            filled: 0,
            offset: 0,
            searched: 0,
            is_at_end: false,
        }
    }

    /// The bytes that were read and not consumed.
    pub(super) fn data(&self) -> &[u8] {
        &self.buffer[self.start..self.filled]
    }

    /// Where [`Blocks::data`] begins, in bytes from the start of the input.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the input has been read to its end.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// The file that this reads from, if its bytes have the same offsets there.
    pub(super) fn plain_file(&self) -> Option<&File> {
        self.source.plain_file()
    }

    /// Whether the next read may take a while.
    pub(super) fn may_wait(&self) -> bool {
        self.source.may_pause && !self.source.is_ready()
    }

    /// Reads until there are at least `least` bytes or the input ends. Reads more if there is room and it is
    /// available at once.
    pub(super) fn fill(&mut self, least: usize) -> io::Result<()> {
        let len = self.buffer.len();
        // Moving many bytes to gain a little room would cost more than it saves.
        let is_worth_it = self.data().len() <= len / 2 || len - self.start < least;
        if self.start > 0 && is_worth_it {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.filled -= self.start;
            self.start = 0;
        }
        if least > self.buffer.len() {
            let len = (2 * self.buffer.len()).clamp(least, LONGEST_LINE.max(least));
            self.buffer.resize(len, 0);
        }
        while !self.is_at_end
            && self.filled < self.buffer.len()
            && (self.filled < least || !self.may_wait())
        {
            let n = self.source.read(&mut self.buffer[self.filled..], 1)?;
            self.is_at_end = n == 0;
            self.filled += n;
        }
        Ok(())
    }

    /// The length of the whole lines in the buffer; at the end of the input, of all of it.
    pub(super) fn whole_lines(&mut self) -> usize {
        let data = self.data();
        if self.is_at_end {
            return data.len();
        }
        // A CR at the end of what was searched may be the first half of a line end.
        let from = self.searched.saturating_sub(1);
        let end = (from..data.len()).rfind(|&at| is_line_end(data, at, false));
        match end {
            Some(at) => at + 1,
            None => {
                self.searched = data.len();
                0
            }
        }
    }

    /// Consumes these bytes.
    pub(super) fn consume(&mut self, len: usize) {
        self.start += len;
        self.offset += len as u64;
        self.searched = 0;
    }

    /// Consumes the line that begins here and does not end in the buffer. Passes all of it to `each`, in
    /// pieces that depend only on the line. Returns its length.
    pub(super) fn consume_line(
        &mut self,
        mut each: impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        let from = self.offset;
        loop {
            // One byte more, because a CR may be the first half of a line end.
            self.fill(BLOCK + 1)?;
            let data = self.data();
            let block = data.len().min(BLOCK);
            let end = (0..block).find(|&at| is_line_end(data, at, self.is_at_end));
            let len = match end {
                Some(at) => at + 1,
                None => block,
            };
            each(&data[..len])?;
            self.consume(len);
            if end.is_some() || len == 0 {
                return Ok(self.offset - from);
            }
        }
    }
}

/// Whether a line ends after the byte at `at`. After a CR at the very end that is known only if `is_all`.
fn is_line_end(bytes: &[u8], at: usize, is_all: bool) -> bool {
    match bytes[at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1).map_or(is_all, |next| *next != b'\n'),
        _ => false,
    }
}

/// The length of the lines at the front that are valid UTF-8.
pub(super) fn sound_lines(lines: &[u8]) -> usize {
    let Err(invalid) = simdtext::unicode::validate_utf8(lines) else {
        return lines.len();
    };
    let end = (0..invalid.offset).rfind(|&at| is_line_end(lines, at, false));
    end.map_or(0, |at| at + 1)
}

/// Cuts whole lines into pieces of whole lines, of about `size` bytes each.
pub(super) fn split(lines: &[u8], size: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::with_capacity(lines.len() / size + 1);
    let mut start = 0;
    while start < lines.len() {
        let wanted = start + size - 1;
        let end = (wanted..lines.len()).find(|&at| is_line_end(lines, at, true));
        let end = end.map_or(lines.len(), |at| at + 1);
        pieces.push(start..end);
        start = end;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::{Blocks, sound_lines, split};
    use crate::input::Source;

    /// Returns a few bytes per read.
    struct Dripping<'a>(&'a [u8], usize);

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let n = self.1.min(self.0.len()).min(buffer.len());
            buffer[..n].copy_from_slice(&self.0[..n]);
            self.0 = &self.0[n..];
            Ok(n)
        }
    }

    fn source(bytes: &[u8], at_once: usize) -> Source<'_> {
        Source {
            may_pause: true,
            ..Source::new(Dripping(bytes, at_once))
        }
    }

    #[test]
    fn lines_are_whole_however_reads_are_cut() {
        let text = b"a\r\nbc\rd\n\r\n\n\re\r\n\rlast";
        for at_once in 1..text.len() {
            let mut source = source(text, at_once);
            let mut blocks = Blocks::new(&mut source);
            let mut all = Vec::new();
            loop {
                let end = blocks.whole_lines();
                if end == 0 && blocks.is_at_end() {
                    break;
                }
                if end == 0 {
                    let least = blocks.data().len() + 1;
                    blocks.fill(least).unwrap();
                    continue;
                }
                let (lines, rest) = blocks.data().split_at(end);
                let is_divided = lines.ends_with(b"\r") && rest.first() == Some(&b'\n');
                assert!(!is_divided, "{at_once}");
                assert!(
                    blocks.is_at_end() || lines.ends_with(b"\n") || lines.ends_with(b"\r"),
                    "{at_once}"
                );
                assert_eq!(blocks.offset(), all.len() as u64);
                all.extend_from_slice(lines);
                blocks.consume(end);
            }
            assert_eq!(all, text);
        }
    }

    #[test]
    fn a_line_is_consumed_to_its_end() {
        for (end, rest) in [
            ("\n", "next"),
            ("\r\n", "\r"),
            ("\r", "x\n"),
            ("", ""),
            ("\r", ""),
        ] {
            for len in [
                0,
                1,
                super::BLOCK - 1,
                super::BLOCK,
                super::BLOCK + 1,
                3 << 20,
            ] {
                let mut bytes = vec![b'x'; len];
                bytes.extend_from_slice(end.as_bytes());
                let line = bytes.clone();
                bytes.extend_from_slice(rest.as_bytes());
                let mut source = source(&bytes, 100_000);
                let mut blocks = Blocks::new(&mut source);
                let mut seen = Vec::new();
                let consumed = blocks.consume_line(|piece| {
                    seen.extend_from_slice(piece);
                    Ok(())
                });
                assert_eq!(consumed.unwrap(), line.len() as u64, "{len} {end:?}");
                assert!(seen == line, "{len} {end:?}");
                blocks.fill(rest.len()).unwrap();
                assert_eq!(blocks.data(), rest.as_bytes(), "{len} {end:?}");
            }
        }
    }

    #[test]
    fn pieces_are_whole_lines() {
        let text = b"a\r\nbc\rd\n\r\n\n\re\r\n\rlast";
        for size in 1..text.len() + 2 {
            let pieces = split(text, size);
            assert_eq!(pieces.first().map(|piece| piece.start), Some(0));
            assert_eq!(pieces.last().map(|piece| piece.end), Some(text.len()));
            for pair in pieces.windows(2) {
                let at = pair[0].end;
                assert_eq!(at, pair[1].start);
                assert!(matches!(text[at - 1], b'\n' | b'\r'));
                assert_ne!(&text[at - 1..=at], b"\r\n");
            }
        }
        assert!(split(b"", 4).is_empty());
    }

    #[test]
    fn lines_that_are_sound() {
        for (text, len) in [
            (&b"a\n\xC3\xA9\n\xE9"[..], 5),
            (b"a\r\xE9\n", 2),
            (b"\xE9\nabc\n", 0),
            (b"abc\n", 4),
            (b"", 0),
        ] {
            assert_eq!(sound_lines(text), len);
        }
    }
}
