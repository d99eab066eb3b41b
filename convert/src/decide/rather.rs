//! Whether an input is far more plausible in another encoding than in the one that it is said to be in.
//!
//! Tested in `cli/tests/cli/already.rs` and `cli/tests/cli/misnamed.rs`.

use std::io;

use simdtext::detect::{self, Guess, Shortlist};
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
        let cost = |encoding| guess.and_then(|guess| cost_of(&guess, encoding));
        let costs = cost(Some(to.into())).zip(cost(Some(from)).or_else(|| cost(None)));
        Ok(costs.is_some_and(|(to, from)| to.saturating_add(FAR) < from))
    }
}

/// The encoding that an input is in, if it is not the one that it is said to be in, by all that its text shows.
pub(crate) fn rather_in(
    from: Charset,
    options: &Options,
    source: &mut Source<'_>,
) -> io::Result<Option<&'static Encoding>> {
    let Some(from) = from
        .standard()
        .filter(|it| *it != UTF_8 && !is_utf16((*it).into()))
    else {
        return Ok(None);
    };
    let mut scan = Scan::begin(source)?;
    while !scan.has_enough() && scan.block()?.is_some() {}
    let (sample, complete) = scan.sample();
    let mut occurs = [false; 128];
    for byte in sample.iter().filter(|byte| !byte.is_ascii()) {
        occurs[usize::from(byte & 0x7F)] = true;
    }
    if occurs.iter().filter(|occurs| **occurs).count() < LETTERS {
        return Ok(None);
    }
    let guess = detect::detect(
        sample,
        complete,
        &detect::Options::new().tld(options.tld_label()),
    );
    let Some(best) = guess
        .candidates()
        .next()
        .filter(|best| best.encoding != UTF_8)
    else {
        return Ok(None);
    };
    let cost = cost_of(&guess, Some(from.into())).or_else(|| cost_of(&guess, None));
    let is_far = cost.is_some_and(|cost| {
        best.cost.saturating_add(FARTHER) < cost && best.cost.saturating_add(best.cost / 2) < cost
    });
    let is_it = is_far
        && Shortlist::new([best]).weigh(sample).is_plausible
        && differ(from, best.encoding, sample);
    Ok(is_it.then_some(best.encoding))
}

/// What the encoding costs, or the last candidate: an encoding that is not among them is at least as implausible.
fn cost_of(guess: &Guess, encoding: Option<Charset>) -> Option<u32> {
    let mut candidates = guess.candidates();
    match encoding {
        Some(encoding) => candidates.find(|it| Charset::from(it.encoding) == encoding),
        None => candidates.last(),
    }
    .map(|candidate| candidate.cost)
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
