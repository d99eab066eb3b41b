//! The contents of `model.bin`: how likely letters follow each other in 42 languages, which byte is
//! which letter in the single-byte encodings, and how often the rows and the common characters of the large
//! encodings are used.
//!
//! `cargo run -p simdtext-train` (`tables/train`) writes the file, from the Universal Declaration of Human
//! Rights, a few lines of four languages, and sentences of 33. It contains, in this order,
//!
//! - the number of languages, of those which are written with the letters of ASCII, and of pairs, a byte each;
//! - for each language, those with the letters of ASCII first: its two-letter code, and the cost of each of 64
//!   classes after each of 64;
//! - for each pair of an encoding and a language that can be written in it: the index of the encoding
//!   in [`Encoding::all`];
//! - for each pair: the index of the language;
//! - for each of the 128 bytes that are not ASCII: its class in each pair;
//! - for each of the five large encodings: the cost of a character by its lead byte, for 128 of them;
//! - for each of the four [sets](CharacterSet) of characters: the costs of those that are common, two in a byte.
//!
//! A cost is the negative logarithm of a probability, in eighths of a bit.

use core::ops::RangeInclusive;

use crate::encoding::{ENCODINGS, Encoding};

static MODEL: &[u8] = include_bytes!("model.bin");

/// Classes of characters in a language: 0 is a space, a digit or punctuation of ASCII; then come the letters
/// of the language; the last five are for everything else, and in languages with the letters of ASCII, the one before
/// them is for apostrophes that are not ASCII.
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

const HEADER: usize = 3;
const NAME: usize = 2;
const HALF: usize = 128;
const COSTS: usize = CLASSES * CLASSES;
const LANGUAGE: usize = NAME + COSTS;

/// How many encodings there are with costs by lead byte.
pub(super) const LARGE: usize = 5;

/// How many languages there are.
pub(super) const LANGUAGES: usize = include_bytes!("model.bin")[0] as usize;
/// How many of them are written with the letters of ASCII.
pub(super) const LATIN_LANGUAGES: usize = include_bytes!("model.bin")[1] as usize;
/// How many pairs of an encoding and a language there are.
pub(super) const PAIRS: usize = include_bytes!("model.bin")[2] as usize;

const ENCODINGS_AT: usize = HEADER + LANGUAGES * LANGUAGE;
const LANGUAGES_AT: usize = ENCODINGS_AT + PAIRS;
const UPPER_AT: usize = LANGUAGES_AT + PAIRS;
const LARGE_AT: usize = UPPER_AT + HALF * PAIRS;
const SETS_AT: usize = LARGE_AT + LARGE * HALF;
const _: () = assert!(include_bytes!("model.bin").len() == EUC_KR_SET.end());

/// The classes of the bytes of ASCII in languages of other alphabets, and in those that are written with its letters.
static ASCII_CLASSES: [[u8; HALF]; 2] = {
    let mut classes = [[0; HALF]; 2];
    let mut letter = 1;
    while letter <= 26 {
        let (lower, upper) = (0x60 | letter, 0x40 | letter);
        classes[0][lower] = LOWER | LATIN;
        classes[0][upper] = UPPER | LATIN;
        classes[1][lower] = LOWER | letter as u8;
        classes[1][upper] = UPPER | letter as u8;
        letter += 1;
    }
    classes
};

/// The class of a byte of ASCII.
pub(super) fn ascii_class(byte: u8, is_latin: bool) -> u8 {
    ASCII_CLASSES[usize::from(is_latin)][usize::from(byte & 0x7F)]
}

/// The place of the cost of one class after another, whatever their case. It is the same in all languages.
#[inline(always)]
pub(super) fn place_of_cost(from: u8, to: u8) -> u16 {
    u16::from(from & CLASS) * CLASSES as u16 + u16::from(to & CLASS)
}

/// The costs of one class after another in a language.
#[derive(Clone, Copy)]
pub(super) struct Costs(&'static [u8; COSTS]);

impl Costs {
    /// The costs in the language of this index.
    pub(super) fn of_language(index: usize) -> Option<Costs> {
        let at = HEADER + index * LANGUAGE + NAME;
        MODEL.get(at..ENCODINGS_AT)?.first_chunk().map(Costs)
    }

    /// The cost at a [place](place_of_cost).
    #[inline(always)]
    pub(super) fn at(self, place: u16) -> u32 {
        u32::from(self.0[usize::from(place) % COSTS])
    }
}

/// The index of the encoding of each pair in [`Encoding::all`].
pub(super) fn encodings() -> Option<&'static [u8; PAIRS]> {
    MODEL.get(ENCODINGS_AT..)?.first_chunk()
}

/// The index of the language of each pair.
pub(super) fn languages() -> Option<&'static [u8; PAIRS]> {
    MODEL.get(LANGUAGES_AT..)?.first_chunk()
}

/// The class of a byte that is not ASCII in each pair.
pub(super) fn upper_classes(byte: u8) -> Option<&'static [u8; PAIRS]> {
    let at = UPPER_AT + usize::from(byte & 0x7F) * PAIRS;
    MODEL.get(at..)?.first_chunk()
}

/// A single-byte encoding, and a language that is written in it.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub(super) encoding: &'static Encoding,
    /// The index of the language in the model.
    pub(super) language_index: usize,
    name: &'static [u8; NAME],
    /// Whether the language is written with the letters of ASCII. If so, their classes are 1 to 26.
    pub(super) is_latin: bool,
    /// The classes of the bytes that are not ASCII, each [`PAIRS`] after the one before it.
    upper: &'static [u8; (HALF - 1) * PAIRS + 1],
    costs: Costs,
}

impl Pair {
    /// The pair of this number, below [`PAIRS`].
    pub(super) fn get(number: usize) -> Option<Pair> {
        let encoding = usize::from(*encodings()?.get(number)?);
        let language = usize::from(*languages()?.get(number)?);
        Some(Pair {
            encoding: Encoding::all().get(encoding)?,
            language_index: language,
            name: MODEL.get(HEADER + language * LANGUAGE..)?.first_chunk()?,
            is_latin: language < LATIN_LANGUAGES,
            upper: MODEL.get(UPPER_AT + number..)?.first_chunk()?,
            costs: Costs::of_language(language)?,
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

    /// The class of a byte.
    #[inline(always)]
    pub(super) fn class(&self, byte: u8) -> u8 {
        if byte.is_ascii() {
            ascii_class(byte, self.is_latin)
        } else {
            self.upper[usize::from(byte & 0x7F) * PAIRS]
        }
    }

    /// The cost of one class after another, whatever their case.
    #[inline(always)]
    pub(super) fn cost(&self, from: u8, to: u8) -> u32 {
        self.costs.at(place_of_cost(from, to))
    }
}

/// The number of the first pair of each encoding, by [`Encoding::index`].
static FIRST_PAIRS: [Option<u8>; ENCODINGS] = {
    let model = include_bytes!("model.bin");
    let mut numbers = [None; ENCODINGS];
    let mut number = PAIRS;
    while number > 0 {
        number -= 1;
        numbers[model[ENCODINGS_AT + number] as usize] = Some(number as u8);
    }
    numbers
};

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
