//! The contents of `model.bin`: how likely letters follow each other in forty languages, which byte is
//! which letter in the single-byte encodings, and how often the rows and the common characters of the large
//! encodings are used.
//!
//! `cargo run -p simdtext-train` (`tables/train`) writes the file, from the Universal Declaration of Human
//! Rights, a few lines of four languages, and sentences of Chinese, Japanese and Korean. It contains, in this order,
//!
//! - the number of languages and the number of pairs, a byte each;
//! - for each language: its two-letter code, the classes of the 128 bytes of ASCII, and the cost
//!   of each of 64 classes after each of 64;
//! - for each pair of an encoding and a language that can be written in it: the index of the encoding
//!   in [`Encoding::all`], the index of the language, and the classes of the 128 upper bytes;
//! - for each of the five large encodings: the cost of a character by its lead byte, for 128 of them;
//! - for each of the four [sets](CharacterSet) of characters: the costs of those that are common, two in a byte.
//!
//! A cost is the negative logarithm of a probability, in eighths of a bit.

use core::ops::RangeInclusive;

use crate::encoding::{ENCODINGS, Encoding};

static MODEL: &[u8] = include_bytes!("model.bin");

/// Classes of characters in a language: 0 is a space, a digit or punctuation of ASCII; then come the letters
/// of the language; the last five are for everything else.
pub(super) const CLASSES: usize = 64;
/// The classes of the letters of a language.
pub(super) const LETTERS: RangeInclusive<u8> = 1..=58;
/// The class of symbols that are rare in prose, such as a degree sign.
pub(super) const RARE: u8 = 60;
/// The classes of symbols: of punctuation marks and symbols that are usual in prose, and [`RARE`].
pub(super) const SYMBOLS: RangeInclusive<u8> = 59..=RARE;
/// The class of letters of ASCII in a language of another alphabet.
pub(super) const LATIN: u8 = 62;
/// The class of bytes that can't be text: control characters, private use, unassigned bytes.
pub(super) const WRONG: u8 = 63;
/// In the class of a byte: it is a small letter.
pub(super) const LOWER: u8 = 0x40;
/// In the class of a byte: it is a capital letter.
pub(super) const UPPER: u8 = 0x80;
/// Masks out the case in the class of a byte.
pub(super) const CLASS: u8 = 0x3F;

const _: () = assert!(PAIRS <= 256);

const HEADER: usize = 2;
const NAME: usize = 2;
const HALF: usize = 128;
const COSTS: usize = CLASSES * CLASSES;
const LANGUAGE: usize = NAME + HALF + COSTS;
const PAIR: usize = 2 + HALF;

/// How many encodings there are with costs by lead byte.
pub(super) const LARGE: usize = 5;

/// How many languages there are.
pub(super) const LANGUAGES: usize = include_bytes!("model.bin")[0] as usize;
/// How many pairs of an encoding and a language there are.
pub(super) const PAIRS: usize = include_bytes!("model.bin")[1] as usize;

const PAIRS_AT: usize = HEADER + LANGUAGES * LANGUAGE;
const LARGE_AT: usize = PAIRS_AT + PAIRS * PAIR;
const SETS_AT: usize = LARGE_AT + LARGE * HALF;
const _: () = assert!(include_bytes!("model.bin").len() == EUC_KR_SET.end());

/// A single-byte encoding, and a language that is written in it.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) encoding: &'static Encoding,
    /// The index of the language.
    pub(super) place: usize,
    name: &'static [u8; NAME],
    /// The classes of the bytes of ASCII, and of those from 80 on.
    halves: [&'static [u8; HALF]; 2],
    costs: &'static [u8; COSTS],
}

impl Pair {
    /// The pair of this number, below [`PAIRS`].
    pub(super) fn get(number: usize) -> Option<Pair> {
        let pair = MODEL.get(PAIRS_AT + number * PAIR..LARGE_AT)?;
        let (&[encoding, language], upper) = pair.split_first_chunk()?;
        let at = HEADER + usize::from(language) * LANGUAGE;
        let (name, rest) = MODEL.get(at..PAIRS_AT)?.split_first_chunk::<NAME>()?;
        let (ascii, costs) = rest.split_first_chunk()?;
        Some(Pair {
            encoding: Encoding::all().get(usize::from(encoding))?,
            place: usize::from(language),
            name,
            halves: [ascii, upper.first_chunk()?],
            costs: costs.first_chunk()?,
        })
    }

    /// The number of the pair of an encoding and a language, two letters of ISO 639-1.
    pub(super) fn number_of(encoding: &'static Encoding, language: &str) -> Option<usize> {
        (0..PAIRS).find(|number| {
            Pair::get(*number)
                .is_some_and(|pair| pair.encoding == encoding && pair.language() == language)
        })
    }

    /// The first pair of this encoding, if it has any.
    pub(super) fn first_of(encoding: &'static Encoding) -> Option<Pair> {
        let number = FIRST_PAIRS.get(encoding.index()).copied().flatten()?;
        Pair::get(usize::from(number))
    }

    /// Two letters of ISO 639-1.
    pub(super) fn language(&self) -> &'static str {
        core::str::from_utf8(self.name).unwrap_or_default()
    }

    /// Whether the language is written with the letters of ASCII. If so, their classes are 1 to 26.
    pub(super) fn is_latin(&self) -> bool {
        self.class(b'a') & CLASS != LATIN
    }

    /// The class of a byte.
    #[inline(always)]
    pub(super) fn class(&self, byte: u8) -> u8 {
        self.halves[usize::from(byte >> 7)][usize::from(byte & 0x7F)]
    }

    /// The classes of some bytes from 80 on.
    #[inline(always)]
    pub(super) fn upper_classes<const N: usize>(&self, bytes: [u8; N]) -> [u8; N] {
        bytes.map(|byte| self.halves[1][usize::from(byte & 0x7F)])
    }

    /// The cost of one class after another, whatever their case.
    #[inline(always)]
    pub(super) fn cost(&self, from: u8, to: u8) -> u8 {
        self.costs[usize::from(Pair::place_of_cost(from, to)) % COSTS]
    }

    /// The place of the cost of one class after another, which is the same in all languages.
    #[inline(always)]
    pub(super) fn place_of_cost(from: u8, to: u8) -> u16 {
        u16::from(from & CLASS) * CLASSES as u16 + u16::from(to & CLASS)
    }

    /// The cost at a place.
    #[inline(always)]
    pub(super) fn cost_at(&self, place: u16) -> u32 {
        u32::from(self.costs[usize::from(place) % COSTS])
    }
}

/// The number of the first pair of each encoding, by [`Encoding::index`].
static FIRST_PAIRS: [Option<u8>; ENCODINGS] = {
    let model = include_bytes!("model.bin");
    let mut numbers = [None; ENCODINGS];
    let mut number = PAIRS;
    while number > 0 {
        number -= 1;
        numbers[model[PAIRS_AT + number * PAIR] as usize] = Some(number as u8);
    }
    numbers
};

/// The encoding of each pair, as its index in [`Encoding::all`].
pub(super) fn places() -> impl Iterator<Item = usize> {
    let pairs = MODEL.get(PAIRS_AT..LARGE_AT).unwrap_or_default();
    pairs.chunks_exact(PAIR).map(|pair| usize::from(pair[0]))
}

/// The costs of the characters of a large encoding by their lead bytes, from 80 on.
pub(super) fn lead_costs(number: usize) -> Option<&'static [u8; HALF]> {
    MODEL.get(LARGE_AT + number * HALF..)?.first_chunk()
}

/// Where the costs of the common characters of a large encoding are: of those in the rows that hold its
/// characters of level 1.
#[derive(Clone, Copy)]
pub(super) struct CharacterSet {
    at: usize,
    /// The first of its rows, and how many there are.
    first: u8,
    rows: usize,
    /// The number of characters in a row.
    columns: usize,
}

/// GB 2312 in GBK.
pub(super) const GBK_SET: CharacterSet = CharacterSet {
    at: SETS_AT,
    first: 0xB0,
    rows: 40,
    columns: 94,
};
/// Big5, which has 157 characters for each lead byte.
pub(super) const BIG5_SET: CharacterSet = CharacterSet {
    at: GBK_SET.end(),
    first: 0xA4,
    rows: 35,
    columns: 157,
};
/// JIS X 0208, in EUC-JP and Shift_JIS.
pub(super) const JIS_SET: CharacterSet = CharacterSet {
    at: BIG5_SET.end(),
    first: 0xB0,
    rows: 32,
    columns: 94,
};
/// KS X 1001 in EUC-KR.
pub(super) const EUC_KR_SET: CharacterSet = CharacterSet {
    at: JIS_SET.end(),
    first: 0xB0,
    rows: 25,
    columns: 94,
};

impl CharacterSet {
    const fn end(self) -> usize {
        self.at + (self.rows * self.columns).div_ceil(2)
    }

    /// The cost of a character by its row, as a lead byte of EUC or Big5, and its place in the row. `None` if it is
    /// in another row.
    #[inline]
    pub(super) fn cost(self, lead: u8, column: u8) -> Option<u32> {
        let row = usize::from(lead.wrapping_sub(self.first));
        let column = usize::from(column);
        if row >= self.rows || column >= self.columns {
            return None;
        }
        let number = row * self.columns + column;
        let both = MODEL.get(self.at + number / 2)?;
        let steps = both >> (number % 2 * 4) & 0xF;
        Some(LOWEST_COST + COST_STEP * u32::from(steps))
    }
}

/// What the most frequent characters of Chinese, Japanese and Korean cost, and the unit of what others cost more.
const LOWEST_COST: u32 = 36;
const COST_STEP: u32 = 6;
