//! A writer that compares what is written with what it should be.

use std::io::{self, BufReader, Read, Write};

use crate::input::read_least;

/// How many bytes are read at a time.
const BLOCK: usize = 64 * 1024;

/// Reads in blocks of more bytes than [`io::copy`] would by itself.
pub(super) fn blocks<R: Read>(reader: R) -> BufReader<R> {
    BufReader::with_capacity(BLOCK, reader)
}

/// Compares what is written with the content of a reader.
pub(crate) struct Against<R> {
    reader: R,
    scratch: Vec<u8>,
    /// The offset, in bytes.
    offset: u64,
    differs_at: Option<u64>,
}

impl<R: Read> Against<R> {
    pub(crate) fn new(reader: R) -> Self {
        Self {
            reader,
            scratch: Vec::new(),
            offset: 0,
            differs_at: None,
        }
    }

    /// Skips `bytes` as if they were written and equal.
    pub(crate) fn skip(&mut self, bytes: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.reader.by_ref().take(bytes), &mut io::sink())?;
        self.offset += skipped;
        Ok(())
    }

    /// Whether there is a difference in what was written so far.
    pub(crate) fn differs(&self) -> bool {
        self.differs_at.is_some()
    }

    /// The offset of the first difference, in bytes. Call it when everything was written.
    pub(crate) fn finish(&mut self) -> io::Result<Option<u64>> {
        if !self.differs() && read_least(&mut self.reader, &mut [0], 1)? > 0 {
            self.differs_at = Some(self.offset);
        }
        Ok(self.differs_at)
    }
}

impl<R: Read> Write for Against<R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.chunks(BLOCK) {
            if self.differs() {
                break;
            }
            if self.scratch.len() < piece.len() {
                self.scratch.resize(piece.len(), 0);
            }
            let n = read_least(
                &mut self.reader,
                &mut self.scratch[..piece.len()],
                piece.len(),
            )?;
            let there = &self.scratch[..n];
            let same = if there == piece {
                n
            } else {
                let common = piece.iter().zip(there);
                common.take_while(|(a, b)| a == b).count()
            };
            self.offset += same as u64;
            if same < piece.len() {
                self.differs_at = Some(self.offset);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::Against;

    #[test]
    fn the_first_difference() {
        for (skip, written, wanted) in [
            (0, &b"abcdef"[..], None),
            (0, b"abcde", Some(5)),
            (0, b"abcdefg", Some(6)),
            (0, b"", Some(0)),
            (0, b"aXcdef", Some(1)),
            (3, b"def", None),
            (3, b"deX", Some(5)),
        ] {
            for piece in 1..=written.len().max(1) {
                let mut against = Against::new(&b"abcdef"[..]);
                against.skip(skip).expect("it reads memory");
                for piece in written.chunks(piece) {
                    against.write_all(piece).expect("it takes all");
                }
                assert_eq!(against.finish().expect("it reads memory"), wanted);
            }
        }
    }
}
