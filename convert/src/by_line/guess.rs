//! Guesses the encoding of a line that is not UTF-8, if nothing states it.
//!
//! A single line is little to guess from. First, the encoding of most such lines is guessed, from the
//! [`WINDOW`] bytes that begin with the first of them. For one line, another encoding is chosen only if it is
//! more plausible by some bits; fewer bits are needed if more of the first lines are in it. Weighing all
//! encodings would take tens of microseconds for each line. The encodings and languages of the first lines
//! explain nearly all others, so they are tried first.

use simdtext::detect::{Candidate, Guess, MAX_SHORTLIST, Options, Shortlist, detect};
use simdtext::{Bom, Encoding, MIN_UTF8, Status, WINDOWS_1252};

use super::blocks::BLOCK;
use crate::options::has_lines;

/// The number of bytes, from the first line that is guessed, that decide the encoding of most lines.
pub(super) const WINDOW: usize = BLOCK;

/// How many bytes of lines are weighed to guess the encoding of most lines.
const SAMPLE: usize = 64 * 1024;

/// How many lines are weighed one by one, to find out which other encodings occur.
const LINES: usize = 256;

/// Costs and leads are in eighths of a bit.
const BIT: u32 = 8;

/// The lead that another encoding needs over that of most lines, to be chosen for a line.
const SURE: u32 = 16 * BIT;

/// The lead that it needs even if equally many lines are in it.
const CLOSE: u32 = 2 * BIT;

/// A language and encoding is tried first only if at least one line in this number is in it.
const RARE: usize = 100;

#[derive(Clone, Debug)]
pub(super) struct Guesser {
    /// The encoding of most lines.
    most: &'static Encoding,
    /// The encodings that lines are likely to be in, with their languages.
    shortlist: Shortlist,
    /// The lead that each of those needs.
    handicaps: Vec<(&'static Encoding, u32)>,
    tld: Option<String>,
}

impl Guesser {
    /// Decides by the bytes from the first line that is guessed.
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
        // The last line may be cut off.
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

    /// The lead that an encoding needs over that of most lines.
    fn handicap(&self, encoding: &'static Encoding) -> u32 {
        let known = self.handicaps.iter().find(|(known, _)| *known == encoding);
        known.map_or(SURE, |(_, handicap)| *handicap)
    }

    /// The lead of the best candidate over the encoding of most lines.
    fn lead(&self, guess: &Guess) -> u32 {
        let of_most = |candidate: &&Candidate| candidate.encoding == self.most;
        let most = guess.candidates().find(of_most);
        // If that is not among the candidates, it is no better than the last one.
        let most = most.or(guess.candidates().last());
        let cost = |candidate: Option<&Candidate>| candidate.map_or(0, |candidate| candidate.cost);
        cost(most).saturating_sub(cost(guess.candidates().next()))
    }

    fn options(&self) -> Options<'_> {
        Options::new().tld(self.tld.as_deref())
    }

    /// The encoding of most lines.
    pub(super) fn most(&self) -> &'static Encoding {
        self.most
    }

    /// The encoding of a line that is malformed in UTF-8.
    pub(super) fn guess(&self, line: &[u8]) -> &'static Encoding {
        self.guess_where(line, || is_valid(self.most, line))
    }

    /// [`Guesser::guess`] for a line of which only the part `line` is at hand. `is_valid_in_most` says
    /// whether the whole line is well-formed in the encoding of most lines.
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
            // As far as can be seen, this is not text.
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
