//! Guesses for short texts that are likely to be in one of a few known encodings, such as lines of a log.
//!
//! Weighing all encodings takes tens of microseconds whatever the length, which is a lot for a line. The
//! lines of one file are hardly ever in more than a few encodings and languages, and those of the first
//! lines explain nearly all others.

use core::fmt;

use crate::encoding::Encoding;

use super::model::{LARGE, PAIRS, Pair};
use super::ranking::{Candidate, Ranking};
use super::sample::Sample;
use super::{multi_byte, single_byte};

/// The maximum number of candidates in a [`Shortlist`].
pub const MAX_SHORTLIST: usize = 16;

/// The size of the sample of [`Shortlist::weigh`], in bytes.
const SAMPLE: usize = 16 * 1024;

/// The highest plausible cost for each character that is not ASCII or is next to one that is not, in eighths of a
/// bit. The value is between 44, with which the answer is most often right, and 60, with which lines in eight
/// encodings take two thirds of the time, because fewer of them have to be weighed against all other encodings.
const MAX_COST_PER_CHARACTER: u32 = 52;
/// What a text of any length may cost in addition, in eighths of a bit.
const MAX_COST_PER_TEXT: u32 = 96;

/// A candidate for each language in which texts in this encoding can be weighed in a [`Shortlist`]. There are none for
/// encodings that are recognised by other means, as UTF-8 and UTF-16 are, and for those that [`detect`](super::detect)
/// never names. Their cost is 0.
///
/// ```
/// use simdtext::detect::candidates_in;
///
/// let languages: Vec<_> = candidates_in(simdtext::KOI8_U).map(|candidate| candidate.language).collect();
/// assert!(languages.contains(&"uk") && languages.contains(&"ru"));
/// assert_eq!(candidates_in(simdtext::UTF_8).count(), 0);
/// ```
pub fn candidates_in(encoding: &'static Encoding) -> impl Iterator<Item = Candidate> {
    let with = move |language| Candidate {
        encoding,
        language,
        cost: 0,
        malformed: 0,
    };
    let pairs = (0..PAIRS).filter_map(Pair::get);
    let single_byte = pairs.filter(move |pair| pair.encoding == encoding);
    let large = multi_byte::language(encoding).into_iter();
    large
        .chain(single_byte.map(|pair| pair.language()))
        .map(with)
}

/// A few candidates, each an encoding and a language, among which texts are weighed.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shortlist {
    /// The pairs of the model.
    single_byte: [Option<u8>; MAX_SHORTLIST],
    /// Which of the large encodings are included.
    large: [bool; LARGE],
    len: usize,
}

/// The result of [`Shortlist::weigh`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Weighed {
    /// Whether the best candidate explains the text by itself: nothing is malformed, and the text is as
    /// likely as others in that encoding and language. If not, call [`detect`](super::detect).
    pub is_plausible: bool,
    ranking: Ranking,
}

impl fmt::Debug for Weighed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weighed")
            .field("is_plausible", &self.is_plausible)
            .field("candidates", &self.ranking)
            .finish()
    }
}

impl Weighed {
    /// The best candidate of each encoding, the most plausible first.
    pub fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.ranking.iter()
    }

    /// The best candidate in this encoding.
    #[must_use]
    pub fn candidate(&self, encoding: &'static Encoding) -> Option<&Candidate> {
        self.candidates()
            .find(|candidate| candidate.encoding == encoding)
    }
}

impl Shortlist {
    /// A shortlist of these candidates, which come from guesses about other texts. Duplicates count once,
    /// only the first [`MAX_SHORTLIST`] are used, and UTF-8 is ignored.
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
            let number = Pair::number_of(candidate.encoding, candidate.language)
                .and_then(|number| u8::try_from(number).ok());
            if number.is_some() && !shortlist.single_byte.contains(&number) {
                shortlist.single_byte[shortlist.len] = number;
                shortlist.len += 1;
            }
        }
        shortlist
    }

    /// Weighs a text, or a sample of a long one. Costs are as in [`detect`](super::detect).
    #[must_use]
    pub fn weigh(&self, bytes: &[u8]) -> Weighed {
        let mut sample = Sample::new(bytes, SAMPLE);
        let mut ranking = Ranking::default();
        let neighbours = single_byte::Neighbours::of(&mut sample);
        for number in (0..LARGE).filter(|number| self.large[*number]) {
            multi_byte::rank_one(number, &sample, neighbours.foreign_cost(), &mut ranking);
        }
        let pairs = self.single_byte.iter().flatten();
        for pair in pairs.filter_map(|number| Pair::get(usize::from(*number))) {
            single_byte::rank_one(&pair, &neighbours, &mut ranking);
        }
        single_byte::count_malformed(&neighbours, &mut ranking);
        let most = u32::try_from(neighbours.len()).map_or(u32::MAX, |len| {
            MAX_COST_PER_TEXT + MAX_COST_PER_CHARACTER * len
        });
        Weighed {
            is_plausible: ranking
                .iter()
                .next()
                .is_some_and(|best| best.malformed == 0 && best.cost <= most),
            ranking,
        }
    }
}
