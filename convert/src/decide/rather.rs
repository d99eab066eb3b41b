//! Whether an input is far more plausible in another encoding than in the one that it is said to be in.
//!
//! Tested in `cli/tests/cli/already.rs` and `cli/tests/cli/misnamed.rs`.

use std::io;

use simdtext::detect::{self, Candidate, Guess, MAX_SHORTLIST, Shortlist};
use simdtext::sniff::{Format, Hints};
use simdtext::{Encoding, UTF_8};

use super::scan::Scan;
use super::watch::is_utf16;
use super::{Question, Unknown};
use crate::charset::Charset;
use crate::input::Source;
use crate::options::Options;

/// How much less plausible an encoding must be if the input may have been converted from it, in eighths of a bit.
const FAR: u32 = 8 * 16;

/// How much less plausible it must be if nothing else speaks against it. Few bits are enough for a wrong guess about a
/// list or a table in which the same symbols recur.
const FARTHER: u32 = 8 * 64;

/// How many different bytes that are not ASCII are enough for letters, which symbols are not.
const LETTERS: usize = 12;

impl<'a> Question<'a> {
    /// Whether an input that is said to be in one encoding is far more plausible in another, into which it may have
    /// been converted already.
    pub(crate) fn is_rather_in(
        to: &'static Encoding,
        from: Charset,
        options: &'a Options,
        source: &mut Source<'_>,
    ) -> io::Result<bool> {
        let question = Self {
            hints: Hints::new().format(Format::Text),
            guess: detect::Options::new().tld(options.tld_label()),
            ..Self::default()
        };
        let guess = match question.of_source(source) {
            // That is neither of them, and which of them is less implausible means nothing.
            Ok(answer) if answer.is(UTF_8) => None,
            Ok(answer) => answer.guess,
            Err(Unknown::Read(error)) => return Err(error),
            Err(Unknown::Invalid(_)) => None,
        };
        let candidates = || guess.iter().flat_map(Guess::candidates);
        let cost = |encoding| candidates().find(|it| Charset::from(it.encoding) == encoding);
        // What is not among the candidates is at least as implausible as the last of them.
        let costs = cost(to.into()).zip(cost(from).or_else(|| candidates().last()));
        Ok(costs.is_some_and(|(to, from)| to.cost.saturating_add(FAR) < from.cost))
    }
}

/// Looks for inputs that are in another encoding than the one that they are said to be in.
#[derive(Default)]
pub(crate) struct Misnamed {
    /// What earlier inputs were in. Weighing all encodings takes much longer than weighing these.
    known: Vec<Candidate>,
}

impl Misnamed {
    /// The encoding that an input is in, if it is not the one that it is said to be in, by all that its text shows.
    pub(crate) fn rather_in(
        &mut self,
        from: Charset,
        options: &Options,
        source: &mut Source<'_>,
    ) -> io::Result<Option<&'static Encoding>> {
        let is_legacy = |it: &&'static Encoding| *it != UTF_8 && !is_utf16((*it).into());
        let Some(from) = from.standard().filter(is_legacy) else {
            return Ok(None);
        };
        let mut scan = Scan::begin(source)?;
        while !scan.has_enough() && scan.block()?.is_some() {}
        let (sample, complete) = scan.sample();
        if !has_letters(sample) {
            return Ok(None);
        }
        let known = self.known.iter().filter(|known| known.encoding == from);
        if Shortlist::new(known).weigh(sample).is_plausible {
            return Ok(None);
        }
        let options = detect::Options::new().tld(options.tld_label());
        let guess = detect::detect(sample, complete, &options);
        let is_other = |it: &&Candidate| it.encoding != from && it.encoding != UTF_8;
        let own = guess.candidates().find(|it| it.encoding == from);
        let is_plausible = |candidate| Shortlist::new([candidate]).weigh(sample).is_plausible;
        if let Some(own) = own.filter(|own| is_plausible(own)) {
            self.known.truncate(MAX_SHORTLIST - 1);
            self.known.insert(0, *own);
            return Ok(None);
        }
        let best = guess.candidates().next().filter(is_other);
        // An encoding that is not among the candidates is at least as implausible as the last of them.
        let costs = best.zip(own.or_else(|| guess.candidates().last()));
        let is_far = costs.is_some_and(|(best, own)| {
            let most = best.cost.saturating_add(best.cost / 2);
            most.max(best.cost.saturating_add(FARTHER)) < own.cost
        });
        Ok(best
            .filter(|best| is_far && is_plausible(best) && differ(from, best.encoding, sample))
            .map(|best| best.encoding))
    }
}

/// Whether there are enough different bytes that are not ASCII.
fn has_letters(sample: &[u8]) -> bool {
    let mut occurs = [false; 128];
    for byte in sample.iter().filter(|byte| !byte.is_ascii()) {
        occurs[usize::from(byte & 0x7F)] = true;
    }
    occurs.iter().filter(|occurs| **occurs).count() >= LETTERS
}

/// Whether more than a quarter of the text is different, and not just some symbols in it.
fn differ(one: &'static Encoding, other: &'static Encoding, sample: &[u8]) -> bool {
    let (one, other) = (one.decode(sample).text, other.decode(sample).text);
    let pairs = one
        .chars()
        .zip(other.chars())
        .filter(|(one, other)| !one.is_ascii() || !other.is_ascii());
    let (all, same) = pairs.fold((0, 0), |(all, same), (one, other)| {
        (all + 1, same + usize::from(one == other))
    });
    4 * (all - same) > all
}
