//! Short texts of which it is known what they may be in, such as the lines of a log.
//!
//! To weigh all encodings takes tens of microseconds whatever the length, which is much for a line. The
//! lines of one file are hardly ever in more than a few encodings and languages, and those that the
//! first lines are in explain nearly all others.

use crate::encoding::Encoding;

use super::model::{LARGE, PAIRS, Pair};
use super::ranking::{Candidate, Ranking};
use super::sample::Sample;
use super::{multi_byte, single_byte};

/// How many candidates [`Shortlist`] takes at most.
pub const MAX_SHORTLIST: usize = 16;

/// What [`Shortlist::weigh`] looks at, in bytes.
const SAMPLE: usize = 16 * 1024;

/// What a plausible text costs at most for each of its characters that is not ASCII or stands beside
/// one, in eighths of a bit, and what it may cost whatever its length. Between 44, which is
/// most often right, and 60, with which lines in eight encodings, weighed against all others where they are
/// not plausible, take two thirds of the time.
const EACH: u32 = 52;
const ANY: u32 = 96;

/// A few candidates, among which texts are weighed: an encoding each, and a language.
///
/// ```
/// use simdtext::detect::{Shortlist, Options, detect};
/// use simdtext::WINDOWS_1251;
///
/// let encode = |text| WINDOWS_1251.encode(text, Default::default()).map(|it| it.bytes.into_owned());
/// let guess = detect(&encode("Все люди рождаются свободными")?, true, &Options::default());
/// let shortlist = Shortlist::new(guess.candidates().take(1));
///
/// let weighed = shortlist.weigh(&encode("и равными в своём достоинстве")?);
/// assert!(weighed.is_plausible);
/// assert_eq!(weighed.candidates().next().unwrap().encoding, WINDOWS_1251);
///
/// // GBK is not among them.
/// assert!(!shortlist.weigh(b"\xD6\xD0\xB9\xFA\xD6\xD0\xB9\xFA\xD6\xD0\xB9\xFA").is_plausible);
/// # Ok::<(), simdtext::EncodeError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Shortlist {
    /// The pairs of the model.
    single_byte: [Option<u8>; MAX_SHORTLIST],
    /// Which of the large encodings.
    large: [bool; LARGE],
    len: usize,
}

/// What [`Shortlist::weigh`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Weighed {
    /// Whether the best candidate explains the text by itself: nothing in it is malformed, and it is no
    /// less likely than texts in that encoding and language are. If not, ask
    /// [`detect`](super::detect).
    pub is_plausible: bool,
    ranking: Ranking,
}

impl Weighed {
    /// The best candidate of each encoding, the most plausible first.
    pub fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.ranking.iter()
    }

    /// That of an encoding.
    #[must_use]
    pub fn candidate(&self, encoding: &'static Encoding) -> Option<&Candidate> {
        self.candidates()
            .find(|candidate| candidate.encoding == encoding)
    }
}

impl Shortlist {
    /// These candidates, as guesses about other texts gave them. What is there twice counts once, and
    /// of more than [`MAX_SHORTLIST`] the first are taken. UTF-8 is never one.
    pub fn new<'c>(candidates: impl IntoIterator<Item = &'c Candidate>) -> Self {
        let mut shortlist = Shortlist::default();
        for candidate in candidates {
            if shortlist.len == MAX_SHORTLIST {
                break;
            }
            if let Some(number) = multi_byte::number(candidate.encoding) {
                shortlist.len +=
                    usize::from(!core::mem::replace(&mut shortlist.large[number], true));
                continue;
            }
            let same = |number: &usize| {
                Pair::get(*number).is_some_and(|pair| {
                    pair.encoding == candidate.encoding && pair.language() == candidate.language
                })
            };
            let number = (0..PAIRS)
                .find(same)
                .and_then(|number| u8::try_from(number).ok());
            if number.is_some() && !shortlist.single_byte.contains(&number) {
                shortlist.single_byte[shortlist.len] = number;
                shortlist.len += 1;
            }
        }
        shortlist
    }

    /// Weighs a text: of a long one, a sample. Costs are those of [`detect`](super::detect).
    #[must_use]
    pub fn weigh(&self, bytes: &[u8]) -> Weighed {
        let mut sample = Sample::new(bytes, SAMPLE);
        let mut ranking = Ranking::default();
        let neighbours = single_byte::Neighbours::of(&mut sample);
        for number in (0..LARGE).filter(|number| self.large[*number]) {
            multi_byte::rank_one(number, &sample, &mut ranking);
        }
        let pairs = self.single_byte.iter().flatten();
        for pair in pairs.filter_map(|number| Pair::get(usize::from(*number))) {
            single_byte::rank_one(&pair, &neighbours, &mut ranking);
        }
        let most = u32::try_from(neighbours.len()).map_or(u32::MAX, |len| ANY + EACH * len);
        Weighed {
            is_plausible: ranking
                .iter()
                .next()
                .is_some_and(|best| best.malformed == 0 && best.cost <= most),
            ranking,
        }
    }
}
