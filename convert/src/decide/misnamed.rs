//! Whether an input is far more plausible in another encoding than in the one that it is said to be in.
//!
//! Tested in `cli/tests/cli/already.rs` and `cli/tests/cli/misnamed.rs`.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;

use simdtext::detect::{self, Candidate, Guess, MAX_SHORTLIST, Shortlist};
use simdtext::sniff::{Format, Hints};
use simdtext::{
    BIG5, Bom, EUC_JP, Encoding, GBK, ISO_8859_2, ISO_8859_15, UTF_8, WINDOWS_1250, WINDOWS_1252,
    WINDOWS_1254,
};

use super::{Answer, Question, Unknown};
use crate::charset::Charset;
use crate::input::Source;
use crate::options::Options;

/// How much less plausible an encoding must be if the input may have been converted from it, in eighths of a bit.
const FAR: u32 = 8 * 16;

/// How much less plausible it must be if nothing else speaks against it. Few bits are enough for a wrong guess about a
/// list or a table in which the same symbols recur.
const FARTHER: u32 = 8 * 64;

/// How much less plausible a candidate of a guess may be to be a [`rival`], in eighths of a bit. Of 7,200 sources and
/// messages of programs the guess had a rival in 101, and was wrong in 41 of these; in the others it was wrong in 57.
const HARDLY: u32 = 8 * 4;

/// How many languages are weighed before all others.
const KNOWN: usize = 4;

/// How many letters in words of another alphabet are enough, and how many of these must be different.
const MIXED: usize = 8;
const DIFFERENT: usize = 3;

/// How many small letters of ASCII a word of their alphabet has. Moves of chess, such as `Kf3` in Russian, have fewer, and
/// so have most units with a Greek letter.
const WITH_ASCII: usize = 3;

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
///
/// What earlier inputs were in decides only in which order languages are weighed, and never the result.
#[derive(Default)]
pub(crate) struct Misnamed {
    /// The encoding of the last input.
    from: Option<&'static Encoding>,
    /// The languages that were found last in it. Weighing all languages takes longer.
    known: Shortlist,
    /// All of its languages, with those first that were found in earlier inputs.
    all: Vec<Candidate>,
    found: usize,
}

impl Misnamed {
    /// The encoding that an input is in, if it is not the one that it is said to be in, by all that its text shows: by
    /// a sample, and whether that is all of the input.
    pub(crate) fn rather_in(
        &mut self,
        from: Charset,
        options: &Options,
        (sample, complete): (&[u8], bool),
    ) -> Option<&'static Encoding> {
        let from = from.decoded_as().filter(|_| is_weighed(from))?;
        if let Some(rather) = rather_than_close(from, sample) {
            return Some(rather);
        }
        // Few letters in English are plausible in any encoding.
        let is_mixed = mixes_alphabets(from, sample);
        if !is_mixed && (different_bytes(sample) < LETTERS || self.is_plausible_in(from, sample)) {
            return None;
        }
        let options = detect::Options::new().tld(options.tld_label());
        let guess = detect::detect(sample, complete, &options);
        let is_other = |it: &&Candidate| it.encoding != from && it.encoding != UTF_8;
        let own = guess.candidates().find(|it| it.encoding == from);
        let best = guess.candidates().next().filter(is_other);
        // An encoding that is not among the candidates is at least as implausible as the last of them.
        let costs = best.zip(own.or_else(|| guess.candidates().last()));
        let is_far = costs.is_some_and(|(best, own)| {
            let most = best.cost.saturating_add(best.cost / 2);
            most.max(best.cost.saturating_add(FARTHER)) < own.cost
        });
        let is_plausible = |candidate| Shortlist::new([candidate]).weigh(sample).is_plausible;
        best.filter(|best| match is_mixed {
            true => !mixes_alphabets(best.encoding, sample),
            false => is_far && is_plausible(best),
        })
        .filter(|best| differ(from, best.encoding, sample))
        .map(|best| best.encoding)
    }

    /// Whether the text is as likely in this encoding, in one of its languages, as running text is.
    fn is_plausible_in(&mut self, from: &'static Encoding, sample: &[u8]) -> bool {
        if self.from != Some(from) {
            *self = Self {
                from: Some(from),
                known: Shortlist::default(),
                all: detect::candidates_in(from).collect(),
                found: 0,
            };
        }
        if self.known.weigh(sample).is_plausible {
            return true;
        }
        let weighed = (self.all.chunks(MAX_SHORTLIST))
            .map(|some| Shortlist::new(some).weigh(sample))
            .find(|weighed| weighed.is_plausible);
        let Some(best) = weighed.as_ref().and_then(|it| it.candidates().next()) else {
            return false;
        };
        // Those that were found last are weighed first.
        if let Some(at) = (self.all.iter()).position(|it| it.language == best.language) {
            self.all[..=at].rotate_right(1);
            self.found = KNOWN.min(self.found + 1);
        }
        self.known = Shortlist::new(&self.all[..self.found]);
        true
    }
}

/// Encodings in which hardly anything is malformed or implausible, the others that text may be in instead, and how many
/// per cent more it costs then in the first one.
///
/// GBK has a character for nearly every pair of bytes, and many of them are common. If text is in Big5 or EUC-JP, it
/// costs 26 % more in GBK (40 % as a rule); if it is in GBK, at most 22 % more than in one of these.
///
/// windows-1252 has a letter for nearly every letter of central Europe and Turkey. If text is in it, it costs at most
/// 16 % more than in one of the others, where that is 64 bits; if it is in one of these, 40 to 100 % more as a rule.
const CLOSE: [(&Encoding, &[&Encoding], u32); 3] = [
    (GBK, &[BIG5, EUC_JP], 25),
    (WINDOWS_1252, CENTRAL, 40),
    (ISO_8859_15, CENTRAL, 40),
];

/// How many different bytes that are not ASCII are enough for that: Romanian and Croatian have five such letters.
const FEWEST_LETTERS: usize = 5;

const CENTRAL: &[&Encoding] = &[WINDOWS_1250, ISO_8859_2, WINDOWS_1254];

/// One of the encodings that text in this encoding is mistaken for, if it costs much less in it.
fn rather_than_close(from: &'static Encoding, sample: &[u8]) -> Option<&'static Encoding> {
    let (_, rivals, percent) = CLOSE.iter().find(|(encoding, ..)| *encoding == from)?;
    if different_bytes(sample) < FEWEST_LETTERS {
        return None;
    }
    let weighed = (rivals.iter()).filter_map(|rival| Some((cost_in(rival, sample)?, *rival)));
    let ((cost, is_plausible), rival) = weighed.min_by_key(|((cost, _), _)| *cost)?;
    let (own, _) = cost_in(from, sample)?;
    let most = cost.saturating_add(cost / 100 * percent);
    let is_far = most.max(cost.saturating_add(FARTHER)) < own;
    (is_far && is_plausible).then_some(rival)
}

/// The least cost of a text in an encoding, in any of its languages, and whether it is as likely there as running text.
fn cost_in(encoding: &'static Encoding, sample: &[u8]) -> Option<(u32, bool)> {
    let all: Vec<_> = detect::candidates_in(encoding).collect();
    let costs = all.chunks(MAX_SHORTLIST).filter_map(|some| {
        let weighed = Shortlist::new(some).weigh(sample);
        let best = weighed.candidates().next()?;
        Some((best.cost, weighed.is_plausible))
    });
    costs.min_by_key(|(cost, _)| *cost)
}

/// Whether an input that is read as `from` may be in another encoding by mistake: a label or a list states what it is.
pub(crate) fn may_be_misnamed(answer: &Answer, from: Charset, options: &Options) -> bool {
    answer.basis.is_stated() && !options.believes_labels() && is_weighed(from)
}

/// Whether text in this encoding is weighed.
fn is_weighed(from: Charset) -> bool {
    from.standard().is_some() && from != UTF_8 && !from.is_utf16()
}

/// How many different bytes are not ASCII.
fn different_bytes(sample: &[u8]) -> usize {
    let mut occurs = [false; 128];
    for byte in sample.iter().filter(|byte| !byte.is_ascii()) {
        occurs[usize::from(byte & 0x7F)] = true;
    }
    occurs.iter().filter(|occurs| **occurs).count()
}

/// Whether most letters that are not Latin are in words with letters of ASCII, as if French were read as Russian. No
/// language has such words.
fn mixes_alphabets(encoding: &'static Encoding, sample: &[u8]) -> bool {
    /// From Greek to Thai. The ligatures of macintosh are Latin.
    const OTHERS: Range<char> = '\u{370}'..'\u{E80}';
    // Most text is recognised at this without being decoded.
    let near = |pair: &&[u8]| {
        let (one, other) = (pair[0], pair[1]);
        (one.is_ascii_lowercase() & !other.is_ascii())
            | (!one.is_ascii() & other.is_ascii_lowercase())
    };
    if !encoding.is_single_byte() || sample.windows(2).filter(near).count() < MIXED {
        return false;
    }
    let text = encoding.decode_with_bom(sample, Bom::Keep).text;
    if !text.contains(|ch| OTHERS.contains(&ch)) {
        return false;
    }
    let (mut all, mut mixed, mut different) = (0, 0, BTreeSet::new());
    for word in text.split(|ch: char| !ch.is_alphabetic()) {
        let others = || word.chars().filter(|ch| OTHERS.contains(ch));
        all += others().count();
        if word.chars().filter(char::is_ascii_lowercase).count() >= WITH_ASCII {
            mixed += others().count();
            different.extend(others());
        }
    }
    mixed >= MIXED && different.len() >= DIFFERENT && 2 * mixed > all
}

/// An encoding that is hardly less plausible than the best candidate of a guess, and in which the sample is another text.
pub(super) fn rival(guess: &Guess, sample: &[u8]) -> Option<&'static Encoding> {
    let mut candidates = guess.candidates();
    let best = candidates.next()?;
    candidates
        .take_while(|other| other.cost < best.cost.saturating_add(HARDLY))
        .map(|other| other.encoding)
        .find(|other| differ(best.encoding, other, sample))
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use simdtext::{
        Encoding, GB18030, KOI8_R, SHIFT_JIS, Unmappable, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253,
        WINDOWS_1254,
    };

    use super::Misnamed;
    use crate::options::Options;

    fn rather_in(
        misnamed: &mut Misnamed,
        from: &'static Encoding,
        bytes: &[u8],
    ) -> Option<&'static Encoding> {
        misnamed.rather_in(from.into(), &Options::default(), (bytes, true))
    }

    /// Pieces of the samples, with something in Latin letters before them or not.
    fn pieces() -> Vec<Vec<u8>> {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
        let mut paths: Vec<_> = std::fs::read_dir(&samples)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|it| it == "txt"))
            .collect();
        paths.sort();
        let mut pieces = Vec::new();
        for before in [
            "fr.windows-1252.txt",
            "tr.windows-1254.txt",
            "pl.windows-1250.txt",
        ] {
            let before = std::fs::read(samples.join(before)).unwrap();
            for path in &paths {
                let bytes = std::fs::read(path).unwrap();
                for (start, len) in [(0, 60), (9, 150), (18, 400)] {
                    for from in (0..bytes.len().min(400)).step_by(37) {
                        let piece = &bytes[from..];
                        let piece = &piece[..len.min(piece.len())];
                        pieces.push([&before[start..][..2 * start], piece].concat());
                    }
                }
            }
        }
        pieces
    }

    #[test]
    fn alphabets_within_words() {
        let french = "Après l'été, où le théâtre était fermé, la première pièce fut jouée à Besançon, malgré la grève. ";
        let german = "Für größere Mengen wäre das unmöglich; die Gäste hätten früher ankündigen müssen, daß sie später kämen. ";
        for text in [french, german] {
            let bytes = WINDOWS_1252.encode(text, Unmappable::Strict).unwrap().bytes;
            for from in [WINDOWS_1251, WINDOWS_1253, KOI8_R] {
                let rather = rather_in(&mut Misnamed::default(), from, &bytes.repeat(3));
                assert!(rather.is_some_and(|it| it != from), "{from}: {text}");
            }
        }
        let chess =
            "1. Кf3 d5 2. d4 Сf5 3. Сf4 e6 4. e3 Кf6 5. Сd3 Сg6 6. Лc1 c5 7. Фe2 Фb6 8. Лad1 Кc6 ";
        let program = "puts(\"\\nОшибка\"); printf(\"\\tФайл %s\\nне найден\", path); exitЖ ";
        for text in [chess, program] {
            for from in [WINDOWS_1251, KOI8_R] {
                let bytes = from.encode(text, Unmappable::Strict).unwrap().bytes;
                let rather = rather_in(&mut Misnamed::default(), from, &bytes.repeat(9));
                assert_eq!(rather, None, "{from}: {text}");
            }
        }
    }

    #[test]
    fn earlier_inputs_decide_nothing() {
        let pieces = pieces();
        assert!(pieces.len() > 400, "{}", pieces.len());
        let mut found = 0;
        for from in [
            WINDOWS_1251,
            WINDOWS_1252,
            WINDOWS_1254,
            KOI8_R,
            GB18030,
            SHIFT_JIS,
        ] {
            let alone = |piece: &Vec<u8>| rather_in(&mut Misnamed::default(), from, piece);
            let alone: Vec<_> = pieces.iter().map(alone).collect();
            found += alone.iter().flatten().count();
            let mut misnamed = Misnamed::default();
            for round in 0..2 {
                for (piece, alone) in pieces.iter().zip(&alone) {
                    let now = rather_in(&mut misnamed, from, piece);
                    assert_eq!(now, *alone, "{round}, {from}: {}", piece.escape_ascii());
                }
            }
        }
        assert!(found > 400, "{found}");
    }
}
