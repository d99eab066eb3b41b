//! The candidates, the best first.

use core::fmt;

use crate::encoding::{
    Encoding, IBM866, ISO_8859_3, ISO_8859_4, ISO_8859_10, ISO_8859_14, ISO_8859_16, KOI8_U,
    MACINTOSH, WINDOWS_1252, WINDOWS_1258, X_MAC_CYRILLIC,
};

/// The maximum number of candidates in a [`Guess`](super::Guess).
pub const MAX_CANDIDATES: usize = 8;

/// An encoding that the bytes may be in.
///
/// ```
/// use simdtext::detect::{Options, detect};
///
/// let guess = detect(b"\xEF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0", true, &Options::new());
/// let costs: Vec<u32> = guess.candidates().map(|candidate| candidate.cost).collect();
/// assert!(costs.is_sorted());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Candidate {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// The language whose letters make it most plausible, two letters of ISO 639-1. `sr` also stands for
    /// Macedonian, `hr` for Slovenian, `da` for Norwegian, and `oc` for Breton, Friulian, Quechua, and other
    /// languages with western letters. Empty for UTF-8.
    pub language: &'static str,
    /// How implausible the sample is in this encoding, in eighths of a bit: the negative logarithm of
    /// its likelihood. Only the difference from other candidates is meaningful.
    pub cost: u32,
    /// The number of malformed sequences in the sample, and of characters that text doesn't have: control
    /// characters from U+0080 to U+009F, private use.
    pub malformed: usize,
}

/// The best candidates, each encoding once.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Ranking {
    /// The language to expect, if any.
    pub(super) expected: Option<&'static str>,
    pub(super) best: [Option<Candidate>; MAX_CANDIDATES],
}

impl Ranking {
    pub(super) fn add(&mut self, mut candidate: Candidate) {
        if self.expected == Some(candidate.language) {
            candidate.cost = candidate.cost.saturating_sub(EXPECTED);
        }
        let same = |other: &Option<Candidate>| {
            other.is_some_and(|other| other.encoding == candidate.encoding)
        };
        if let Some(at) = self.best.iter().position(same) {
            if self.best[at].is_some_and(|other| other.cost <= candidate.cost) {
                return;
            }
            self.best[at..].rotate_left(1);
            self.best[MAX_CANDIDATES - 1] = None;
        }
        let is_better =
            |other: &Option<Candidate>| other.is_some_and(|other| other.cost <= candidate.cost);
        let place = self.best.partition_point(is_better);
        if let Some(from) = self.best.get_mut(place..)
            && !from.is_empty()
        {
            from.rotate_right(1);
            from[0] = Some(candidate);
        }
    }

    /// Returns the cost from which on no candidate is added, whatever its language.
    pub(super) fn highest_limit(&self) -> u32 {
        let bonus = self.expected.map_or(0, |_| EXPECTED);
        self.last_cost().saturating_add(bonus)
    }

    /// Returns the cost from which on no candidate in this language is added.
    pub(super) fn limit(&self, language: impl Fn() -> &'static str) -> u32 {
        if self.expected.is_some_and(|expected| expected == language()) {
            self.highest_limit()
        } else {
            self.last_cost()
        }
    }

    fn last_cost(&self) -> u32 {
        let last = self.best.last().copied().flatten();
        last.map_or(u32::MAX, |last| last.cost)
    }

    /// All candidates, with `more` added to the cost of each.
    pub(super) fn with(self, more: impl Fn(&Candidate) -> u32) -> Self {
        let mut ranking = Ranking::default();
        for candidate in self.iter() {
            ranking.add(Candidate {
                cost: candidate.cost.saturating_add(more(candidate)),
                ..*candidate
            });
        }
        ranking
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.best.iter().flatten()
    }
}

/// The list of the candidates.
impl fmt::Debug for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// The bonus for an expected language, in eighths of a bit.
const EXPECTED: u32 = 40;

/// For an encoding of many texts, though fewer than windows-1252.
const COMMON: u32 = 32;
/// For an encoding that a common one has nearly replaced.
const UNUSUAL: u32 = 40;
/// For an encoding of hardly any text.
const RARE: u32 = 64;

/// How much more likely an encoding must be than others because fewer texts are in it, in eighths of a
/// bit.
pub(super) fn head_start(encoding: &'static Encoding) -> u32 {
    if !encoding.is_single_byte() || encoding == WINDOWS_1252 {
        return 0;
    }
    if RARELY_USED.contains(&encoding) {
        RARE
    } else if encoding.name().starts_with("ISO-") || SELDOM_USED.contains(&encoding) {
        UNUSUAL
    } else {
        COMMON
    }
}

/// Encodings that others have nearly replaced, besides the ISO standards.
static SELDOM_USED: [&Encoding; 2] = [KOI8_U, WINDOWS_1258];

/// Encodings of hardly any text.
static RARELY_USED: [&Encoding; 8] = [
    IBM866,
    ISO_8859_3,
    ISO_8859_4,
    ISO_8859_10,
    ISO_8859_14,
    ISO_8859_16,
    MACINTOSH,
    X_MAC_CYRILLIC,
];
