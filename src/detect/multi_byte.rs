//! How plausible a text is in each encoding of Chinese, Japanese and Korean: whether it is well formed,
//! and how common its characters are.

use core::mem::MaybeUninit;

use crate::encoding::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8};
use crate::progress::{Bom, Status};

use super::model::{BIG5_SET, EUC_KR_SET, GBK_SET, JIS_SET, LARGE, lead_costs};
use super::ranking::{Candidate, Ranking};
use super::sample::Sample;

/// In the order of `model.bin`.
static ENCODINGS: [(&Encoding, &str); LARGE] = [
    (GBK, "zh"),
    (BIG5, "zh"),
    (EUC_JP, "ja"),
    (SHIFT_JIS, "ja"),
    (EUC_KR, "ko"),
];

const IS_GBK: usize = 0;
const IS_BIG5: usize = 1;
const IS_EUC_JP: usize = 2;
const IS_SHIFT_JIS: usize = 3;
const IS_EUC_KR: usize = 4;

// All costs are in eighths of a bit.

/// What a malformed sequence costs.
const MALFORMED_COST: u32 = 400;
/// What a malformed sequence costs in UTF-8, where it is more often a sign of damage than of another encoding.
const MALFORMED_UTF8_COST: u32 = 200;
/// The highest cost of a character's row: letters of other scripts are in rows that are rare in prose, but
/// lists of names are full of them.
const MAX_ROW_COST: u32 = 120;
/// ASCII after a character.
const ASCII_COST: u32 = 16;
/// What is added if an ASCII letter is next to a character.
const IN_WORD_COST: u32 = 40;
/// A character from the parts that were added to an encoding later.
const EXTENSION_COST: u32 = 64;
/// A character in four bytes: rare, but nothing else looks like it.
const FOUR_BYTE_COST: u32 = 80;
/// A character of UTF-8 in a text that has malformed sequences.
const UTF8_COST: u32 = 72;
/// A half-width katakana, or a single byte that is a character.
const SINGLE_BYTE_COST: u32 = 100;

/// Ranks the multi-byte encodings, with this cost for what is next to their characters.
pub(super) fn rank(sample: &Sample<'_>, allow_utf8: bool, start: u32, ranking: &mut Ranking) {
    if allow_utf8 {
        rank_damaged_utf8(sample, start, ranking);
    }
    for number in 0..LARGE {
        rank_one(number, sample, start, ranking);
    }
}

/// The number of an encoding in `model.bin`.
pub(super) fn number(encoding: &'static Encoding) -> Option<usize> {
    ENCODINGS.iter().position(|(other, _)| *other == encoding)
}

/// The language that is written in one of these encodings.
pub(super) fn language(encoding: &'static Encoding) -> Option<&'static str> {
    let number = number(encoding)?;
    ENCODINGS.get(number).map(|(_, language)| *language)
}

/// Ranks one of them by its number.
pub(super) fn rank_one(number: usize, sample: &Sample<'_>, start: u32, ranking: &mut Ranking) {
    let Some((&(encoding, language), costs)) = ENCODINGS.get(number).zip(lead_costs(number)) else {
        return;
    };
    let (mut cost, mut errors) = (start, 0);
    for piece in sample.pieces {
        errors += malformed(encoding, piece);
        cost += cost_of(number, costs, piece);
    }
    ranking.add(Candidate {
        encoding,
        language,
        cost: cost_with(cost, errors, MALFORMED_COST),
        malformed: errors,
    });
}

/// A cost, and that of malformed sequences.
fn cost_with(cost: u32, malformed: usize, each: u32) -> u32 {
    let malformed = u32::try_from(malformed).unwrap_or(u32::MAX);
    malformed.saturating_mul(each).saturating_add(cost)
}

/// UTF-8 that is damaged in some places is still text: well-formed multi-byte sequences hardly ever occur
/// by chance.
fn rank_damaged_utf8(sample: &Sample<'_>, start: u32, ranking: &mut Ranking) {
    let (mut cost, mut errors) = (start, 0);
    for piece in sample.pieces {
        let is_lead = |byte: &&u8| matches!(byte, 0xC2..=0xF4);
        cost += UTF8_COST * u32::try_from(piece.iter().filter(is_lead).count()).unwrap_or(0);
        errors += malformed(UTF_8, piece);
    }
    ranking.add(Candidate {
        encoding: UTF_8,
        language: "",
        cost: cost_with(cost, errors, MALFORMED_UTF8_COST),
        malformed: errors,
    });
}

/// The number of malformed sequences. A character cut by the end of a piece does not count.
fn malformed(encoding: &'static Encoding, mut src: &[u8]) -> usize {
    if src.is_empty() {
        return 0;
    }
    let mut decoder = encoding.decoder(Bom::Keep);
    let mut text = [MaybeUninit::uninit(); 1024];
    let mut errors = 0;
    loop {
        let progress = decoder.decode_to_utf8_uninit(src, &mut text, false);
        errors += progress.errors;
        src = src.get(progress.read..).unwrap_or_default();
        if progress.status != Status::OutputFull {
            return errors;
        }
    }
}

/// The cost of the characters of a piece, by the number of the encoding. Each encoding has a function of its
/// own, without branches for the others.
fn cost_of(number: usize, costs: &[u8; 128], piece: &[u8]) -> u32 {
    match number {
        IS_GBK => cost_in::<IS_GBK>(costs, piece),
        IS_BIG5 => cost_in::<IS_BIG5>(costs, piece),
        IS_EUC_JP => cost_in::<IS_EUC_JP>(costs, piece),
        IS_SHIFT_JIS => cost_in::<IS_SHIFT_JIS>(costs, piece),
        _ => cost_in::<IS_EUC_KR>(costs, piece),
    }
}

fn cost_in<const NUMBER: usize>(costs: &[u8; 128], piece: &[u8]) -> u32 {
    let (is_big5, is_gbk) = (NUMBER == IS_BIG5, NUMBER == IS_GBK);
    let (is_euc_jp, is_euc_kr) = (NUMBER == IS_EUC_JP, NUMBER == IS_EUC_KR);
    let stands_alone = |lead: u8| {
        if NUMBER == IS_SHIFT_JIS {
            matches!(lead, 0x80 | 0xA0..=0xDF | 0xFD..)
        } else if is_euc_jp {
            !matches!(lead, 0x8E | 0x8F | 0xA1..=0xFE)
        } else {
            matches!(lead, 0x80 | 0xFF)
        }
    };
    let letter = |byte: u8| u32::from(byte.is_ascii_alphabetic());
    let mut sum = 0;
    let mut in_text = false;
    let mut before = b' ';
    let mut rest = piece;
    while let [lead, after @ ..] = rest {
        rest = after;
        if lead.is_ascii() {
            if in_text {
                sum += ASCII_COST + letter(*lead) * IN_WORD_COST;
                in_text = false;
            }
            before = *lead;
            continue;
        }
        if !in_text {
            sum += letter(before) * IN_WORD_COST;
            in_text = true;
        }
        if stands_alone(*lead) {
            sum += SINGLE_BYTE_COST;
            continue;
        }
        let Some(&trail) = rest.first() else {
            // Cut off, or not a character.
            sum += SINGLE_BYTE_COST;
            break;
        };
        let of_four = is_gbk && trail.is_ascii_digit();
        if trail < 0x40 && !of_four {
            // Malformed, and counted as such.
            continue;
        }
        if of_four {
            sum += FOUR_BYTE_COST;
            rest = rest.get(3..).unwrap_or_default();
            continue;
        }
        let is_extension = if is_big5 {
            // Big5 proper leaves these to ETEN's kana and Cyrillic, and to Hong Kong.
            matches!((*lead, trail), (..=0xA0 | 0xC7 | 0xC8, _) | (0xC6, 0xA1..))
        } else {
            (is_gbk || is_euc_kr) && (trail < 0xA1 || *lead < 0xA1)
        };
        sum += common_cost::<NUMBER>(*lead, trail)
            .unwrap_or_else(|| u32::from(costs[usize::from(lead & 0x7F)]).min(MAX_ROW_COST));
        sum += if is_extension { EXTENSION_COST } else { 0 };
        let len = if is_euc_jp && *lead == 0x8F { 2 } else { 1 };
        rest = rest.get(len..).unwrap_or_default();
    }
    sum
}

/// The cost of a character of level 1, by its two bytes.
#[inline]
fn common_cost<const NUMBER: usize>(lead: u8, trail: u8) -> Option<u32> {
    let column = trail.wrapping_sub(0xA1);
    match NUMBER {
        IS_GBK => GBK_SET.cost(lead, column),
        IS_EUC_JP => JIS_SET.cost(lead, column),
        IS_EUC_KR => EUC_KR_SET.cost(lead, column),
        IS_BIG5 if trail < 0x80 => BIG5_SET.cost(lead, trail.wrapping_sub(0x40)),
        IS_BIG5 => BIG5_SET.cost(lead, column.wrapping_add(63)),
        _ => {
            // Two rows for each lead byte.
            let (row, column) = match trail {
                0x9F.. => (1, trail - 0x9F),
                0x80.. => (0, trail - 0x41),
                _ => (0, trail.wrapping_sub(0x40)),
            };
            let row = lead.wrapping_sub(0x81).wrapping_mul(2).wrapping_add(row);
            JIS_SET.cost(row.wrapping_add(0xA1), column)
        }
    }
}
