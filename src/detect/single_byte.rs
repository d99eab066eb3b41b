//! How plausible a text is in each single-byte encoding, by how letters follow each other.

use crate::encoding::Encoding;
use crate::progress::Bom;

use super::model::{CLASS, LOWER, PAIRS, Pair, RARE, UPPER, WRONG};
use super::ranking::{Candidate, Ranking, head_start};
use super::sample::{Sample, ascii_at_front};

/// Neighbours that are looked at, at the most.
const MOST: usize = 1024;
/// How many neighbours decide how many pairs of an encoding and a language stay.
const ROUNDS: [(usize, usize); 3] = [(24, 72), (96, 20), (384, 10)];

/// How much less plausible than the best a candidate is, at the most, that is told apart from it by the
/// whole text, in eighths of a bit.
const CLOSE: u32 = 256;
/// How many bytes of the text that is, at the most.
const FARTHEST: usize = 1024 * 1024;

/// A capital letter after anything but a capital letter, in eighths of a bit.
const CAPITAL: u32 = 24;
/// What comes on top after a small letter.
const WITHIN_WORD: u32 = 40;

/// By how much less a rare symbol costs where no letter is before it, in eighths of a bit.
const SYMBOL: u32 = 32;
/// ¤ in most encodings, which nobody writes; in others the euro sign has taken its place.
const CURRENCY: u8 = 0xA4;
/// A letter beside a digit, or alone between punctuation: there symbols such as ° and × are, which are
/// letters in other encodings. In eighths of a bit.
const AMONG_FIGURES: u32 = 40;

/// Bytes and those after them, at least one of each two no ASCII.
pub(super) struct Neighbours {
    pairs: [[u8; 2]; MOST],
    len: usize,
}

impl Neighbours {
    /// Those of a sample. Where there are more than there is room for, the sample is cut to those.
    pub(super) fn of(sample: &mut Sample<'_>) -> Self {
        let mut neighbours = Neighbours {
            pairs: [[0; 2]; MOST],
            len: 0,
        };
        let in_one = sample.pieces[1].is_empty();
        for piece in &mut sample.pieces {
            let room = if in_one { MOST } else { MOST / 3 };
            let taken = neighbours.take(piece, neighbours.len + room);
            *piece = piece.get(..taken).unwrap_or_default();
        }
        neighbours
    }

    /// Takes the neighbours of a piece as long as there is room, and returns how many bytes it looked
    /// at.
    fn take(&mut self, piece: &[u8], room: usize) -> usize {
        let (mut at, mut before) = (0, b' ');
        while let Some(&byte) = piece.get(at) {
            if byte.is_ascii() && before.is_ascii() {
                at += ascii_at_front(piece.get(at..).unwrap_or_default());
                before = piece.get(at - 1).copied().unwrap_or(b' ');
                continue;
            }
            let slots = self.pairs.get_mut(..room);
            let Some(slot) = slots.and_then(|slots| slots.get_mut(self.len)) else {
                break;
            };
            *slot = [before, byte];
            self.len += 1;
            before = byte;
            at += 1;
        }
        at
    }

    /// Those of some bytes only, wherever they are.
    fn at(bytes: &[u8], wanted: &[bool; 256]) -> Self {
        let mut neighbours = Neighbours {
            pairs: [[0; 2]; MOST],
            len: 0,
        };
        let places = bytes.windows(3).take(FARTHEST);
        let places = places.filter(|near| wanted[usize::from(near[1])]);
        for (near, slots) in places.zip(neighbours.pairs.chunks_exact_mut(2)) {
            slots.copy_from_slice(&[[near[0], near[1]], [near[1], near[2]]]);
            neighbours.len += 2;
        }
        neighbours
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len.min(MOST)
    }

    pub(super) fn get(&self) -> &[[u8; 2]] {
        &self.pairs[..self.len.min(MOST)]
    }
}

/// Ranks the single-byte encodings: all by a few neighbours, and the better ones by more.
pub(super) fn rank(neighbours: &Neighbours, ranking: &mut Ranking) {
    let all = neighbours.get();
    let mut numbers: [u8; PAIRS] = core::array::from_fn(|number| number as u8);
    let mut left = &mut numbers[..];
    for (looked_at, kept) in ROUNDS {
        if looked_at < all.len() {
            let kept = kept.min(left.len());
            left = better(left, kept, &all[..looked_at]);
        }
    }
    for pair in left
        .iter()
        .filter_map(|number| Pair::get(usize::from(*number)))
    {
        rank_one(&pair, neighbours, ranking);
    }
}

/// Ranks one of them.
pub(super) fn rank_one(pair: &Pair, neighbours: &Neighbours, ranking: &mut Ranking) {
    let (cost, malformed) = cost(pair, neighbours.get());
    ranking.add(Candidate {
        encoding: pair.encoding,
        language: pair.language,
        cost: cost.saturating_add(head_start(pair.encoding)),
        malformed,
    });
}

/// The numbers of those pairs that some neighbours are most plausible in.
fn better<'a>(numbers: &'a mut [u8], kept: usize, neighbours: &[[u8; 2]]) -> &'a mut [u8] {
    let mut costs = [u32::MAX; PAIRS];
    for number in numbers.iter().map(|number| usize::from(*number)) {
        if let Some(pair) = Pair::get(number) {
            costs[number] = cost(&pair, neighbours)
                .0
                .saturating_add(head_start(pair.encoding));
        }
    }
    numbers.sort_unstable_by_key(|number| costs[usize::from(*number)]);
    &mut numbers[..kept]
}

/// Tells candidates apart that the sample does not: by the bytes, in the whole text, that are other
/// characters in some of those that are nearly as plausible as the best.
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
        let same = |pair: &Pair| {
            pair.encoding == candidate.encoding && pair.language == candidate.language
        };
        let pair = (0..PAIRS).filter_map(Pair::get).find(same);
        match pair.filter(|_| is_close(candidate)) {
            Some(pair) => cost(&pair, neighbours.get()).0,
            // It stays behind those that it was behind.
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

/// The cost of all neighbours, and how many bytes can not be text.
fn cost(pair: &Pair, neighbours: &[[u8; 2]]) -> (u32, usize) {
    let classes = pair.classes();
    let is_letter = |byte: u8| classes[usize::from(byte)] & (LOWER | UPPER) != 0;
    let (mut sum, mut wrong, mut before) = (0, 0, b' ');
    for &[first, second] in neighbours {
        // Behind neighbours of which the first is ASCII and the second is not are those of the second.
        let is_figure = first.is_ascii_digit() && is_letter(second)
            || second.is_ascii_digit() && is_letter(first)
            || is_letter(first) && is_mark(before) && is_mark(second);
        before = first;
        let (from, to) = (classes[usize::from(first)], classes[usize::from(second)]);
        let is_symbol = to == RARE && from & CLASS == 0 && second != CURRENCY;
        let is_capital = u32::from(to & !from & UPPER != 0);
        let in_word = u32::from((from & LOWER) << 1 & to != 0);
        let cost = u32::from(pair.cost(from, to)).saturating_sub(u32::from(is_symbol) * SYMBOL);
        sum += cost
            + is_capital * CAPITAL
            + in_word * WITHIN_WORD
            + u32::from(is_figure) * AMONG_FIGURES;
        wrong += usize::from(to == WRONG);
    }
    (sum, wrong)
}

/// Whether it is punctuation or a digit of ASCII.
fn is_mark(byte: u8) -> bool {
    byte.is_ascii_graphic() && !byte.is_ascii_alphabetic()
}
