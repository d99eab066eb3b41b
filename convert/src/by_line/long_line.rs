//! A line that is too long for memory. It is read to its end to decide its encoding, and then read again and
//! decoded by a single decoder.
//!
//! It is read again from its file, or, if it comes from a pipe or is decompressed, from a temporary file of
//! limited size.

use std::io::{self, Write};

use simdtext::sniff::FirstValid;
use simdtext::{Encoding, ISO_2022_JP, UTF_8};

use super::blocks::{BLOCK, Blocks};
use super::guess::Guesser;
use super::{Choice, Conversion, PerLineJob, selects_another_set};
use crate::input::too_long_to_spool;
use crate::os;
use crate::scratch::Scratch;
use crate::text::Broken;

/// How many bytes are weighed.
const SAMPLE: usize = 64 * 1024;

/// How many bytes of each block of the line are weighed.
const PIECE: usize = 8 * 1024;

/// How many bytes of ASCII before them are kept.
const BEFORE: usize = 64;

/// Finds out the encoding of a line that comes in pieces.
struct Decision<'c> {
    choice: &'c Choice,
    /// UTF-8 and the list of encodings; if the line is to be guessed, UTF-8 and ISO-2022-JP.
    first: FirstValid,
    /// If the line is to be guessed: the bytes to guess from, and the encoding of most lines.
    guesser: Option<(Guesser, FirstValid)>,
    sample: Vec<u8>,
    /// Whether an escape sequence selects a set other than ASCII.
    selects: bool,
    /// The last bytes of the previous piece.
    tail: [u8; 2],
}

impl<'c> Decision<'c> {
    fn new(choice: &'c Choice, guesser: Option<Guesser>) -> Self {
        let list: &[&'static Encoding] = if choice.guesses() {
            &[ISO_2022_JP]
        } else {
            &choice.list
        };
        Self {
            choice,
            first: FirstValid::new(list),
            guesser: guesser.map(|guesser| {
                let most = FirstValid::new(&[guesser.most()]);
                (guesser, most)
            }),
            sample: Vec::new(),
            selects: false,
            tail: [0; 2],
        }
    }

    fn feed(&mut self, piece: &[u8]) {
        self.first.feed(piece);
        if let Some((_, most)) = &mut self.guesser {
            most.feed(piece);
        }
        let mut seam = self.tail.to_vec();
        seam.extend(piece.iter().take(2));
        let mut sequences = seam.windows(3).chain(piece.windows(3));
        self.selects = self.selects || sequences.any(selects_another_set);
        for byte in &piece[piece.len().saturating_sub(2)..] {
            self.tail = [self.tail[1], *byte];
        }
        let telling = piece.iter().position(|byte| !byte.is_ascii());
        if let Some(telling) = telling
            && self.sample.len() < SAMPLE
        {
            let start = telling.saturating_sub(BEFORE);
            let end = piece.len().min(telling + PIECE);
            self.sample.extend_from_slice(&piece[start..end]);
        }
    }

    /// The encoding, and whether it is a guess.
    fn finish(mut self) -> (&'static Encoding, bool) {
        let mut first = self.first.finish();
        // It is ASCII, in which something may be malformed as ISO-2022-JP.
        if self.selects && self.sample.is_empty() && self.choice.knows_escapes() {
            first = Some(ISO_2022_JP);
        }
        if let Some(named) = self.choice.list.first() {
            return (first.unwrap_or(named), false);
        }
        match (first, self.guesser) {
            (Some(encoding), _) if encoding != ISO_2022_JP => (encoding, false),
            (Some(_), _) if !self.selects => (UTF_8, false),
            (Some(encoding), _) => (encoding, true),
            (None, None) => (UTF_8, false),
            (None, Some((guesser, mut most))) => {
                let is_valid_in_most = most.finish().is_some();
                (guesser.guess_where(&self.sample, || is_valid_in_most), true)
            }
        }
    }
}

impl<W: Write> Conversion<'_, '_, W> {
    /// Converts the line at whose beginning `blocks` are.
    pub(super) fn long_line(
        &mut self,
        blocks: &mut Blocks<'_, '_>,
        job: &mut PerLineJob<'_>,
        text: &mut String,
    ) -> Result<(), Broken> {
        let choice = job.choice;
        let start = blocks.offset();
        // This is decided now because the beginning of the line is at hand; it is used only if the line is
        // guessed.
        let guesser = choice.guesses().then(|| {
            let made = || Guesser::new(blocks.data(), choice.tld.as_deref());
            job.guesser.clone().unwrap_or_else(made)
        });
        let mut decision = Decision::new(choice, guesser.clone());
        let mut spool = match blocks.plain_file() {
            Some(_) => None,
            None => Some(Scratch::new()?),
        };
        let mut spooled = 0;
        let len = blocks.consume_line(|piece| {
            decision.feed(piece);
            let Some(spool) = &mut spool else {
                return Ok(());
            };
            spooled += piece.len() as u64;
            if spooled > choice.spool_limit {
                let what = format!("the line that begins at offset {start}");
                return Err(too_long_to_spool(&what, choice.spool_limit));
            }
            spool.write_all(piece)
        })?;
        let (encoding, is_guess) = decision.finish();
        if is_guess {
            job.is_guessed = true;
            job.guesser = guesser;
        }
        let (file, mut from) = match (&spool, blocks.plain_file()) {
            (Some(spool), _) => (spool.file(), 0),
            (None, Some(file)) => (file, start),
            (None, None) => return Err(io::Error::other("it can't be read again").into()),
        };
        let mut buffer = vec![0; BLOCK];
        let mut left = len;
        let mut weight = 0;
        job.lines = self.run(text, encoding, (start, job.lines), |run| {
            while left > 0 {
                let most = left.min(BLOCK as u64) as usize;
                let n = os::read_at(file, &mut buffer[..most], from)?;
                if n == 0 {
                    return Err(io::Error::other("it was cut while it was read").into());
                }
                run.take(&buffer[..n], false)?;
                weight += super::weight(&buffer[..n], encoding);
                from += n as u64;
                left -= n as u64;
            }
            Ok(())
        })?;
        job.totals.add(encoding, weight);
        Ok(())
    }
}
