//! How plausible a text is in each single-byte encoding, by how letters follow each other.

use core::ops::{Range, RangeInclusive};

use crate::encoding::{ENCODINGS, Encoding, X_MAC_CYRILLIC};
use crate::output::ascii_len;
use crate::progress::Bom;
use crate::simd;

use super::all_pairs::{FIRST, add_to_all};
use super::model::{
    CLASS, Costs, LATIN_LANGUAGES, LETTERS, LOWER, PAIRS, Pair, RARE, SYMBOLS, UPPER, WRONG,
    ascii_class, encodings, place_of_cost,
};
use super::ranking::{Candidate, Ranking, head_start};
use super::sample::Sample;

/// The maximum number of neighbours that are weighed.
const MOST: usize = 1024;
/// After how many neighbours the less plausible pairs of an encoding and a language are dropped, and how many pairs remain.
const ROUNDS: &[(usize, usize)] = &[(FIRST, 32), (48, 16), (384, 8)];
/// [`ROUNDS`] for texts of at most [`SHORT`] neighbours.
const ROUNDS_OF_SHORT: &[(usize, usize)] = &[(FIRST, 12), (40, 8)];
const SHORT: usize = 64;

/// Neighbours after which the cost is compared with that of other candidates.
const BETWEEN_LOOKS: usize = 16;

/// How much less plausible than the best a candidate may be to be compared with it over the whole text, in
/// eighths of a bit.
const CLOSE: u32 = 256;
/// The maximum number of bytes of that text.
const FARTHEST: usize = 1024 * 1024;

/// A capital letter after anything but a capital letter, in eighths of a bit.
const CAPITAL: u8 = 24;
/// What is added after a small letter.
const WITHIN_WORD: u8 = 40;

/// What the case of a letter adds, by the classes of the first and the second byte.
#[inline(always)]
pub(super) const fn case_cost(from: u8, to: u8) -> u8 {
    // Without a branch, for vectors.
    let capital = if (to & UPPER != 0) & (from & UPPER == 0) {
        0xFF
    } else {
        0
    };
    let within_word = if from & LOWER != 0 { WITHIN_WORD } else { 0 };
    capital & (CAPITAL + within_word)
}

/// [`case_cost`] by the two bits of the first byte's class, then of the second's.
const CASES: [u8; 16] = {
    let mut cases = [0; 16];
    let mut both = 0;
    while both < 16 {
        cases[both as usize] = case_cost(both >> 2 << 6, both << 6);
        both += 1;
    }
    cases
};

/// See [`has_marks_but_no_capital_of_mac_cyrillic`]. In eighths of a bit: more than any text.
const NO_CAPITAL: u32 = 1 << 16;

/// ¤ in most encodings. Nobody writes it; in the others the euro sign has taken its place.
const CURRENCY: u8 = 0xA4;
/// In the model, a rare symbol without a letter before it costs less, by this many eighths of a bit;
/// [`CURRENCY`] does not.
const NO_SYMBOL: u32 = 32;
/// A letter beside a digit, or alone between punctuation, where symbols such as ° and × occur, which are
/// letters in other encodings. In eighths of a bit.
const AMONG_FIGURES: u32 = 40;
/// A word of one letter of another alphabet between words of ASCII letters: such as "è" in Italian, which would be a
/// common word of Serbian or Bulgarian. In eighths of a bit.
const AMONG_LATIN: u32 = 40;
/// A symbol between two small letters of ASCII, where nobody writes one, and other encodings have letters. In eighths of a
/// bit.
const SYMBOL_IN_WORD: u8 = 64;

/// The words near a letter that is not ASCII tell which language it is. They are weighed if there are at most this many
/// pairs of neighbours; more tell by themselves.
const FEW: usize = 12;
/// How many pairs of bytes of these words are weighed.
const MOST_PLAIN: usize = 32;
/// How far from the next byte that is not ASCII they may be, and beyond how many spaces.
const REACH: usize = 16;
const SPACES: usize = 2;
/// They may be in another language than the letter, so they count only a half.
const PLAIN_SHARE: u32 = 2;
/// What a pair of them costs in a language of another alphabet, in eighths of a bit.
const PLAIN_COST: u32 = 36;

/// Few legacy texts are in the last Latin languages of the model. In eighths of a bit.
const RARE_LANGUAGE: u32 = 24;
const RARE_LANGUAGES: Range<usize> = LATIN_LANGUAGES - 2..LATIN_LANGUAGES;

/// By how many neighbours from all parts of the text encodings are compared first: the beginning may be a list.
const SPREAD: usize = 32;

/// A byte and the one after it, at least one of them not ASCII.
#[derive(Clone, Copy)]
pub(super) struct Neighbour {
    pub(super) first: u8,
    pub(super) second: u8,
    /// Properties that do not depend on the encoding: [`FIRST_DIGIT`] and the others.
    pub(super) signs: u8,
}

/// The first of two neighbours is a digit.
const FIRST_DIGIT: u8 = 1;
/// The second is a digit.
const SECOND_DIGIT: u8 = 2;
/// The first is between punctuation marks or digits.
const AMONG_MARKS: u8 = 4;
/// The second is [`CURRENCY`].
const SECOND_CURRENCY: u8 = 8;
/// The first is a word between words of ASCII.
const WORD_IN_ASCII: u8 = 16;
/// The second is between small letters of ASCII, and not a byte that is often a soft hyphen or a middle dot.
const WITHIN_ASCII: u8 = 32;
/// All others, which are rare.
pub(super) const RARE_SIGNS: u8 = !WITHIN_ASCII;

impl Neighbour {
    const NONE: Self = Neighbour {
        first: 0,
        second: 0,
        signs: 0,
    };

    /// Two bytes, and the first byte of the previous pair, which within non-ASCII text is the byte before
    /// `first`.
    fn new(before: u8, first: u8, second: u8) -> Self {
        let sign = |is_so, sign| if is_so { sign } else { 0 };
        Neighbour {
            first,
            second,
            signs: sign(first.is_ascii_digit(), FIRST_DIGIT)
                | sign(second.is_ascii_digit(), SECOND_DIGIT)
                | sign(is_mark(before) && is_mark(second), AMONG_MARKS)
                | sign(second == CURRENCY, SECOND_CURRENCY),
        }
    }
}

/// The neighbours of a text.
pub(super) struct Neighbours {
    pairs: [Neighbour; MOST],
    len: usize,
    /// Pairs of ASCII near these: the places of their costs.
    plain: [u16; MOST_PLAIN],
    plain_len: usize,
}

impl Neighbours {
    const NONE: Self = Neighbours {
        pairs: [Neighbour::NONE; MOST],
        len: 0,
        plain: [0; MOST_PLAIN],
        plain_len: 0,
    };

    /// The neighbours in a sample. If there is no room for all, the sample is cut to fit.
    pub(super) fn of(sample: &mut Sample<'_>) -> Self {
        let mut neighbours = Neighbours::NONE;
        let in_one = sample.pieces[1].is_empty();
        for piece in &mut sample.pieces {
            let room = if in_one { MOST } else { MOST / 3 };
            let taken = neighbours.take(piece, neighbours.len + room);
            *piece = piece.get(..taken).unwrap_or_default();
        }
        neighbours.spread();
        neighbours
    }

    /// Adds two bytes, if there is room for them below `room`.
    fn add(&mut self, first: u8, second: u8, room: usize) -> bool {
        let before = self.get().last().map_or(b' ', |before| before.first);
        let slots = self.pairs.get_mut(..room);
        let Some(slot) = slots.and_then(|slots| slots.get_mut(self.len)) else {
            return false;
        };
        *slot = Neighbour::new(before, first, second);
        self.len += 1;
        true
    }

    /// Takes the neighbours of a piece as long as there is room, and returns how many bytes it read.
    fn take(&mut self, piece: &[u8], room: usize) -> usize {
        let kernels = simd::active();
        let (mut at, mut before) = (0, b' ');
        // The end of the ASCII that is already among the plain pairs.
        let mut plain = 0;
        while let Some(&byte) = piece.get(at) {
            if byte.is_ascii() && before.is_ascii() {
                at += ascii_len(kernels, piece.get(at..).unwrap_or_default());
                before = piece.get(at - 1).copied().unwrap_or(b' ');
                continue;
            }
            if !self.add(before, byte, room) {
                break;
            }
            if is_word_in_ascii(piece, at) {
                self.pairs[self.len - 1].signs |= WORD_IN_ASCII;
            }
            if before.is_ascii_lowercase() && is_within_ascii(piece, at) {
                self.pairs[self.len - 1].signs |= WITHIN_ASCII;
            }
            if self.len <= FEW {
                plain = self.take_plain(piece, plain, at);
            }
            before = byte;
            at += 1;
        }
        at
    }

    /// Takes the words on that side of this place which is ASCII, from `start` on. Returns where the next ones may start.
    fn take_plain(&mut self, piece: &[u8], start: usize, at: usize) -> usize {
        if piece.get(at).is_some_and(u8::is_ascii) {
            let after = piece.get(at..).unwrap_or_default().windows(2);
            at + self.add_plain(after.map(|near| (near[1], near[0], plain_place(near))))
        } else {
            let before = piece.get(start..at).unwrap_or_default().windows(2);
            let before = before.rev();
            self.add_plain(before.map(|near| (near[0], near[1], plain_place(near))));
            start
        }
    }

    /// Adds pairs as far as there are words, and returns how many. Each comes with its bytes, first the one that is farther
    /// from what is not ASCII.
    fn add_plain(&mut self, near: impl Iterator<Item = (u8, u8, u16)>) -> usize {
        let (mut added, mut spaces) = (0, 0);
        for (far, close, place) in near.take(REACH) {
            let is_space = close == b' ' && far.is_ascii_alphabetic() && spaces < SPACES;
            spaces += usize::from(is_space);
            let is_word = far.is_ascii() && (close.is_ascii_alphabetic() || is_space);
            let slot = self.plain.get_mut(self.plain_len);
            let Some(slot) = slot.filter(|_| is_word) else {
                break;
            };
            *slot = place;
            self.plain_len += 1;
            added += 1;
        }
        added
    }

    /// Moves neighbours from all parts of the text to the front.
    fn spread(&mut self) {
        let len = self.get().len();
        let count = SPREAD.min(len);
        for number in 0..count {
            // 29 has no factor in common with any other count.
            self.pairs.swap(number, number * 29 % count * len / count);
        }
    }

    /// The neighbours of the wanted bytes only.
    fn at(bytes: &[u8], wanted: &[bool; 256]) -> Self {
        let mut neighbours = Neighbours::NONE;
        let places = bytes.windows(3).take(FARTHEST);
        let places = places.filter(|near| wanted[usize::from(near[1])]);
        for near in places.take(MOST / 2) {
            neighbours.add(near[0], near[1], MOST);
            neighbours.add(near[1], near[2], MOST);
        }
        neighbours
    }

    /// The number of neighbours whose cost a candidate has. Those that count half are half as many.
    pub(super) fn len(&self) -> usize {
        self.get().len() + self.plain().len() / PLAIN_SHARE as usize
    }

    /// The pairs of ASCII near these, if these are few.
    fn plain(&self) -> &[u16] {
        let plain = self.plain.get(..self.plain_len);
        plain.filter(|_| self.len <= FEW).unwrap_or_default()
    }

    /// What the language of this index costs whatever the encoding: the pairs of ASCII, and that it is rare.
    pub(super) fn language_cost(&self, language: usize) -> u32 {
        let costs = Costs::of_language(language).filter(|_| language < LATIN_LANGUAGES);
        let plain = costs.map_or(self.foreign_cost(), |costs| {
            let costs = self.plain().iter().map(|&place| costs.at(place));
            costs.sum::<u32>() / PLAIN_SHARE
        });
        let is_rare = RARE_LANGUAGES.contains(&language);
        plain + if is_rare { RARE_LANGUAGE } else { 0 }
    }

    /// What they cost in a language of another alphabet.
    pub(super) fn foreign_cost(&self) -> u32 {
        PLAIN_COST / PLAIN_SHARE * self.plain().len() as u32
    }

    pub(super) fn get(&self) -> &[Neighbour] {
        &self.pairs[..self.len.min(MOST)]
    }
}

/// Ranks the single-byte encodings: first all of them by a few neighbours, then the better ones by more.
pub(super) fn rank(neighbours: &Neighbours, ranking: &mut Ranking) {
    let all = neighbours.get();
    let rounds = if all.len() <= SHORT {
        ROUNDS_OF_SHORT
    } else {
        ROUNDS
    };
    let mut head_starts: [u32; ENCODINGS] = core::array::from_fn(|place| {
        let encoding = Encoding::all().get(place);
        encoding.map_or(0, |encoding| head_start(encoding))
    });
    if has_marks_but_no_capital_of_mac_cyrillic(all)
        && let Some(cost) = head_starts.get_mut(X_MAC_CYRILLIC.index())
    {
        *cost += NO_CAPITAL;
    }
    let mut costs = [0; PAIRS];
    for (cost, place) in costs.iter_mut().zip(encodings().into_iter().flatten()) {
        *cost = head_starts.get(usize::from(*place)).copied().unwrap_or(0);
    }
    add_to_all(&mut costs, neighbours);
    let mut done = FIRST.min(all.len());
    // The remaining pairs. A key is the cost of a pair so far, with the number of the pair in the last byte.
    let mut keys: [u32; PAIRS] = core::array::from_fn(|number| costs[number] << 8 | number as u32);
    let mut left = &mut keys[..];
    for &(looked_at, kept) in rounds.iter().filter(|round| round.0 < all.len()) {
        if done < looked_at {
            for key in left.iter_mut() {
                let Some((number, pair)) = pair(*key) else {
                    continue;
                };
                costs[number] += cost_of(&pair, &all[done..looked_at]);
                *key = costs[number] << 8 | number as u32;
            }
            done = looked_at;
        }
        if kept < left.len() {
            left.select_nth_unstable(kept);
            left = &mut left[..kept];
        }
    }
    // With the best first, the limit is soon low.
    left.sort_unstable();
    for key in left.iter() {
        if *key >> 8 >= ranking.highest_limit() {
            break;
        }
        let Some((number, pair)) = pair(*key) else {
            continue;
        };
        rank_from(costs[number], &pair, &all[done..], ranking);
    }
    count_malformed(neighbours, ranking);
}

/// In x-mac-cyrillic, whether there are several bytes for quotation marks, dashes and other symbols, and none for a
/// capital letter. In windows-1251 and KOI8-R these bytes are letters: identifiers, such as `НомерСтроки`, have so many
/// capital letters amid small ones that dashes would be more plausible.
fn has_marks_but_no_capital_of_mac_cyrillic(neighbours: &[Neighbour]) -> bool {
    let count = |bytes: RangeInclusive<u8>| {
        let is_one = |near: &&Neighbour| bytes.contains(&near.second);
        neighbours.iter().filter(is_one).count()
    };
    count(0xC0..=0xDE) > 3 && count(0x80..=0x9F) == 0
}

/// The pair of a key, and its number.
fn pair(key: u32) -> Option<(usize, Pair)> {
    let number = (key & 0xFF) as usize;
    Some((number, Pair::get(number)?))
}

// A key has room for every cost that pairs are compared by.
const _: () = assert!(ROUNDS[2].0 * 1024 < 1 << 24);

/// The place of the cost of two bytes of ASCII in languages that are written with its letters.
fn plain_place(pair: &[u8]) -> u16 {
    place_of_cost(ascii_class(pair[0], true), ascii_class(pair[1], true))
}

/// Ranks one single-byte encoding, without its malformed bytes, which [`count_malformed`] counts.
pub(super) fn rank_one(pair: &Pair, neighbours: &Neighbours, ranking: &mut Ranking) {
    let cost = head_start(pair.encoding) + neighbours.language_cost(pair.language_index);
    rank_from(cost, pair, neighbours.get(), ranking);
}

/// Ranks one single-byte encoding, given the cost of its neighbours so far and the rest of them. Stops if
/// others turn out to be better.
fn rank_from(mut cost: u32, pair: &Pair, rest: &[Neighbour], ranking: &mut Ranking) {
    let limit = ranking.limit(|| pair.language());
    for some in rest.chunks(BETWEEN_LOOKS) {
        if cost >= limit {
            return;
        }
        cost += cost_of(pair, some);
    }
    if cost < limit {
        ranking.add(Candidate {
            encoding: pair.encoding,
            language: pair.language(),
            cost,
            malformed: 0,
        });
    }
}

/// Counts the bytes that can't be text, for those candidates that are single-byte encodings.
pub(super) fn count_malformed(neighbours: &Neighbours, ranking: &mut Ranking) {
    for candidate in ranking.best.iter_mut().flatten() {
        // They are the same in all languages.
        if let Some(pair) = Pair::first_of(candidate.encoding) {
            let is_wrong = |near: &&Neighbour| pair.class(near.second) == WRONG;
            candidate.malformed = neighbours.get().iter().filter(is_wrong).count();
        }
    }
}

/// Separates candidates that are about equally plausible in the sample: by those bytes of the whole text that
/// are different characters in the best candidate and in those close to it.
pub(super) fn tell_apart(bytes: &[u8], ranking: &Ranking) -> Ranking {
    let best = ranking.iter().next();
    let is_close = |candidate: &Candidate| {
        best.is_some_and(|best| candidate.cost - best.cost <= CLOSE)
            && candidate.encoding.is_single_byte()
    };
    let mut wanted = [false; 256];
    let Some(first) = best
        .filter(|best| is_close(best))
        .map(|best| upper_half(best.encoding))
    else {
        return *ranking;
    };
    for candidate in ranking.iter().filter(|candidate| is_close(candidate)) {
        let chars = upper_half(candidate.encoding);
        for (byte, wanted) in wanted[0x80..].iter_mut().enumerate() {
            *wanted |= chars[byte] != first[byte];
        }
    }
    if !wanted.contains(&true) {
        return *ranking;
    }
    let neighbours = Neighbours::at(bytes, &wanted);
    ranking.with(|candidate| {
        let number = Pair::number_of(candidate.encoding, candidate.language);
        match number.filter(|_| is_close(candidate)).and_then(Pair::get) {
            Some(pair) => cost_of(&pair, neighbours.get()),
            // It stays below those that ranked higher.
            None => u32::MAX / 2,
        }
    })
}

/// The characters of the bytes from 80 on, as UTF-16.
fn upper_half(encoding: &'static Encoding) -> [u16; 128] {
    let bytes: [u8; 128] = core::array::from_fn(|byte| 0x80 | byte as u8);
    let mut units = [0; 128];
    let progress = encoding
        .decoder(Bom::Keep)
        .decode_to_utf16(&bytes, &mut units, true);
    debug_assert_eq!(progress.written, 128);
    units
}

/// What some neighbours cost, in eighths of a bit.
fn cost_of(pair: &Pair, neighbours: &[Neighbour]) -> u32 {
    let (mut sum, mut signs) = (0, 0);
    // Most neighbours begin with the byte that the ones before them end with.
    let (mut byte, mut to) = (0, pair.class(0));
    for neighbour in neighbours {
        let from = if neighbour.first == byte {
            to
        } else {
            pair.class(neighbour.first)
        };
        byte = neighbour.second;
        to = pair.class(byte);
        let case = CASES[usize::from(from >> 6 << 2 | to >> 6)];
        sum += pair.cost(from, to) + u32::from(case) + u32::from(symbol_cost(*neighbour, to));
        signs |= neighbour.signs;
    }
    if signs & RARE_SIGNS != 0 {
        for neighbour in neighbours {
            if neighbour.signs & RARE_SIGNS != 0 {
                sum += cost_of_signs(*neighbour, pair);
            }
        }
    }
    sum
}

/// What a symbol costs between letters of ASCII, by the class of the second of two neighbours.
#[inline(always)]
pub(super) fn symbol_cost(neighbour: Neighbour, to: u8) -> u8 {
    // Without a branch: in Latin text, most neighbours are within ASCII.
    let is_symbol = SYMBOLS.contains(&(to & CLASS)) & (neighbour.signs & WITHIN_ASCII != 0);
    if is_symbol { SYMBOL_IN_WORD } else { 0 }
}

/// What two neighbours cost in addition, by their [rare signs](RARE_SIGNS).
pub(super) fn cost_of_signs(neighbour: Neighbour, pair: &Pair) -> u32 {
    let (from, to) = (pair.class(neighbour.first), pair.class(neighbour.second));
    let is_currency = neighbour.signs & SECOND_CURRENCY != 0;
    let is_rare = to == RARE && from & CLASS == 0;
    let is_word = neighbour.signs & WORD_IN_ASCII != 0;
    let is_other = LETTERS.contains(&(from & CLASS)) && !pair.is_latin;
    u32::from(is_among_figures(neighbour, from, to)) * AMONG_FIGURES
        + u32::from(is_word && is_other) * AMONG_LATIN
        + u32::from(is_currency && is_rare) * NO_SYMBOL
}

/// Whether one of two neighbours is a letter beside a digit, or a letter alone between punctuation marks.
/// `from` is the class of the first, and `to` that of the second.
fn is_among_figures(neighbour: Neighbour, from: u8, to: u8) -> bool {
    let is_letter = |class| class & (LOWER | UPPER) != 0;
    let has = |sign| neighbour.signs & sign != 0;
    has(FIRST_DIGIT) && is_letter(to)
        || has(SECOND_DIGIT) && is_letter(from)
        || has(AMONG_MARKS) && is_letter(from)
}

/// Whether the byte before this place is between spaces or line ends that follow and precede ASCII letters.
fn is_word_in_ascii(piece: &[u8], at: usize) -> bool {
    let near = at.checked_sub(3).and_then(|from| piece.get(from..at + 2));
    near.is_some_and(|near| {
        near[0].is_ascii_alphabetic()
            && near[1].is_ascii_whitespace()
            && !near[2].is_ascii()
            && near[3].is_ascii_whitespace()
            && near[4].is_ascii_alphabetic()
    })
}

/// Whether the byte at this place is not ASCII and between small letters of ASCII. In many encodings, AD is a soft hyphen,
/// and B7 a middle dot, as in Catalan.
fn is_within_ascii(piece: &[u8], at: usize) -> bool {
    let near = at.checked_sub(1).and_then(|from| piece.get(from..at + 2));
    near.is_some_and(|near| {
        near[0].is_ascii_lowercase()
            && !near[1].is_ascii()
            && near[2].is_ascii_lowercase()
            && !matches!(near[1], 0xAD | 0xB7)
    })
}

/// Whether it is punctuation or a digit of ASCII.
fn is_mark(byte: u8) -> bool {
    byte.is_ascii_graphic() && !byte.is_ascii_alphabetic()
}
