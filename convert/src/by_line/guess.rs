//! What a line is in that is no UTF-8, where nobody says it.
//!
//! A line by itself has little to guess from. What most such lines are in is guessed first, from the
//! lines in [`WINDOW`] bytes from the first of them on. Another encoding has to be more plausible by some
//! bits to be taken for one line: by fewer, the more of the first lines are in it. To weigh all encodings
//! would take tens of microseconds for each line; the encodings and languages of the first lines explain
//! nearly all others, and are tried before.

use simdtext::detect::{Candidate, Guess, MAX_SHORTLIST, Options, Shortlist, detect};
use simdtext::{Bom, Encoding, MIN_UTF8, Status, WINDOWS_1252};

use super::blocks::BLOCK;
use crate::options::has_lines;

/// Bytes from the first line on that is to be guessed, by which it is decided what most are in.
pub(super) const WINDOW: usize = BLOCK;

/// Bytes of lines that are weighed to guess what all such lines are in.
const SAMPLE: usize = 64 * 1024;

/// How many lines are weighed one by one, to see what else there is.
const LINES: usize = 256;

/// Costs are in eighths of a bit.
const BIT: u32 = 8;

/// By how much another encoding has to be ahead of the one that most lines are in, to be taken for a
/// line.
const SURE: u32 = 16 * BIT;

/// By how much at least, even if as many lines are in it.
const CLOSE: u32 = 2 * BIT;

/// A language and encoding that fewer than one line in so many is in is not among the first tried.
const RARE: usize = 100;

#[derive(Clone, Debug)]
pub(super) struct Guesser {
    /// What most lines are in.
    most: &'static Encoding,
    /// What lines are likely to be in, with their languages.
    shortlist: Shortlist,
    /// By how much those have to be ahead.
    handicaps: Vec<(&'static Encoding, u32)>,
    tld: Option<String>,
}

impl Guesser {
    /// By what begins with the first line that is to be guessed.
    pub(super) fn new(bytes: &[u8], tld: Option<&str>) -> Self {
        let mut guesser = Self {
            most: WINDOWS_1252,
            shortlist: Shortlist::default(),
            handicaps: Vec::new(),
            tld: tld.map(String::from),
        };
        let bytes = &bytes[..bytes.len().min(WINDOW)];
        let mut lines: Vec<&[u8]> = bytes
            .split_inclusive(|byte| matches!(byte, b'\n' | b'\r'))
            .filter(|line| std::str::from_utf8(line).is_err())
            .collect();
        // The last may be cut.
        if lines.len() > 1 && bytes.len() == WINDOW {
            lines.pop();
        }
        let mut sample = Vec::new();
        for line in &lines {
            if sample.len() < SAMPLE {
                sample.extend_from_slice(&line[..line.len().min(SAMPLE)]);
            }
        }
        let all = detect(&sample, true, &guesser.options());
        guesser.most = with_lines(all.encoding.unwrap_or(WINDOWS_1252));
        let mut known: Vec<(Candidate, usize)> = Vec::new();
        let step = lines.len().div_ceil(LINES).max(1);
        let mut looked_at = 0;
        if lines.len() > MAX_SHORTLIST {
            for line in lines.iter().step_by(step) {
                looked_at += 1;
                let guess = detect(line, true, &guesser.options());
                let Some(best) = guess.candidates().next() else {
                    continue;
                };
                if best.encoding != guesser.most && guesser.lead(&guess) < SURE {
                    continue;
                }
                let same = |(other, _): &&mut (Candidate, usize)| {
                    (other.encoding, other.language) == (best.encoding, best.language)
                };
                match known.iter_mut().find(same) {
                    Some((_, lines)) => *lines += 1,
                    None => known.push((*best, 1)),
                }
            }
        }
        let enough = 2.max(looked_at / RARE);
        known.retain(|(_, lines)| *lines >= enough);
        known.sort_by_key(|(_, lines)| std::cmp::Reverse(*lines));
        let lines_in = |encoding| -> usize {
            let of = known.iter().filter(|(known, _)| known.encoding == encoding);
            of.map(|(_, lines)| lines).sum()
        };
        let of_most = lines_in(guesser.most).max(1);
        for (candidate, _) in &known {
            let encoding = candidate.encoding;
            if encoding != guesser.most && guesser.handicap(encoding) == SURE {
                let ratio = (of_most / lines_in(encoding).max(1)).max(1);
                let handicap = (CLOSE + BIT * ratio.ilog2()).min(SURE - 1);
                guesser.handicaps.push((encoding, handicap));
            }
        }
        let of_all = all.candidates().take(1);
        guesser.shortlist =
            Shortlist::new(of_all.chain(known.iter().map(|(candidate, _)| candidate)));
        guesser
    }

    /// By how much an encoding has to be ahead of that of most lines.
    fn handicap(&self, encoding: &'static Encoding) -> u32 {
        let known = self.handicaps.iter().find(|(known, _)| *known == encoding);
        known.map_or(SURE, |(_, handicap)| *handicap)
    }

    /// By how much the best is ahead of what most lines are in.
    fn lead(&self, guess: &Guess) -> u32 {
        let of_most = |candidate: &&Candidate| candidate.encoding == self.most;
        let most = guess.candidates().find(of_most);
        // If it is not there, it is no better than the last that is.
        let most = most.or(guess.candidates().last());
        let cost = |candidate: Option<&Candidate>| candidate.map_or(0, |candidate| candidate.cost);
        cost(most).saturating_sub(cost(guess.candidates().next()))
    }

    fn options(&self) -> Options<'_> {
        Options::new().tld(self.tld.as_deref())
    }

    /// What most lines are in.
    pub(super) fn most(&self) -> &'static Encoding {
        self.most
    }

    /// What a line is in that is malformed in UTF-8.
    pub(super) fn guess(&self, line: &[u8]) -> &'static Encoding {
        self.guess_where(line, || is_valid(self.most, line))
    }

    /// [`Guesser::guess`] for a line of which `line` is a part; `is_valid_in_most` knows of all of it
    /// whether it is well formed in what most lines are in.
    pub(super) fn guess_where(
        &self,
        line: &[u8],
        is_valid_in_most: impl Fn() -> bool,
    ) -> &'static Encoding {
        let weighed = self.shortlist.weigh(line);
        if let Some(best) = weighed.candidates().next()
            && weighed.is_plausible
        {
            let most = weighed.candidate(self.most);
            let handicap = self.handicap(best.encoding);
            let is_close = most.is_some_and(|most| most.cost < best.cost + handicap);
            if is_close && is_valid_in_most() {
                return self.most;
            }
            if is_valid(best.encoding, line) {
                return with_lines(best.encoding);
            }
        }
        let guess = detect(line, true, &self.options());
        let Some(encoding) = guess.encoding else {
            // No text, as far as can be seen.
            return self.most;
        };
        if self.lead(&guess) >= self.handicap(encoding) || !is_valid_in_most() {
            with_lines(encoding)
        } else {
            self.most
        }
    }
}

/// The encoding, if lines can be told apart in it.
fn with_lines(encoding: &'static Encoding) -> &'static Encoding {
    if has_lines(encoding.into()) {
        encoding
    } else {
        WINDOWS_1252
    }
}

/// Whether nothing is malformed.
pub(super) fn is_valid(encoding: &'static Encoding, mut line: &[u8]) -> bool {
    let mut decoder = encoding.decoder(Bom::Keep);
    let mut text = [0; 256 * MIN_UTF8];
    loop {
        let progress = decoder.decode_to_utf8_strict(line, &mut text, true);
        line = &line[progress.read..];
        match progress.status {
            Status::OutputFull => {}
            Status::Malformed(_) => return false,
            Status::InputEmpty | Status::Unmappable { .. } => return true,
        }
    }
}
