//! Finds labels (section 4.2) with a hash table that the compiler builds from the generated list. The table is a
//! sixth of the size of a list of strings, each of which would need a pointer, a length and a relocation.

use super::Encoding;
use super::list::{ALL, LABELS, NAMES};

/// Finds the row of the encoding that has a label: *get an encoding*.
pub(super) fn row(label: &[u8]) -> Option<u8> {
    let label = label.trim_ascii();
    if label.len() > LONGEST {
        return None;
    }
    let ends = Ends::of(label);
    let mut slot = ends.slot();
    // The table has free slots, so this loop ends.
    while let Some(known) = LABEL_IN_SLOT[slot].checked_sub(1) {
        let Label { start, len, row } = KNOWN[usize::from(known)];
        let text = TEXT.get(usize::from(start)..)?.get(..usize::from(len))?;
        if text.len() == label.len()
            && Ends::of(text).is(ends)
            && (text.len() <= 16 || text.eq_ignore_ascii_case(label))
        {
            return Some(row);
        }
        slot = (slot + 1) % SLOTS;
    }
    None
}

/// Returns the encoding of a row, if it is compiled in.
pub(super) fn encoding(row: u8) -> Option<&'static Encoding> {
    BY_ROW.get(usize::from(row)).copied().flatten()
}

static BY_ROW: [Option<&Encoding>; NAMES.len()] = {
    let mut by_row = [None; NAMES.len()];
    let mut at = 0;
    while at < ALL.len() {
        by_row[ALL[at].row as usize] = Some(ALL[at]);
        at += 1;
    }
    by_row
};

/// A label: where it is in [`TEXT`], and the row of its encoding.
#[derive(Clone, Copy)]
struct Label {
    start: u16,
    len: u8,
    row: u8,
}

static KNOWN: [Label; LABELS.len()] = {
    let mut known = [Label {
        start: 0,
        len: 0,
        row: 0,
    }; LABELS.len()];
    let (mut at, mut start) = (0, 0);
    while at < LABELS.len() {
        let (label, row) = LABELS[at];
        known[at] = Label {
            start: start as u16,
            len: label.len() as u8,
            row,
        };
        start += label.len();
        at += 1;
    }
    known
};

/// All labels, one after another.
static TEXT: [u8; LEN] = {
    let mut text = [0; LEN];
    let (mut label, mut at) = (0, 0);
    while label < LABELS.len() {
        let bytes = LABELS[label].0.as_bytes();
        let mut byte = 0;
        while byte < bytes.len() {
            text[at] = bytes[byte];
            byte += 1;
            at += 1;
        }
        label += 1;
    }
    text
};

const LEN: usize = {
    let (mut len, mut label) = (0, 0);
    while label < LABELS.len() {
        len += LABELS[label].0.len();
        label += 1;
    }
    len
};

const LONGEST: usize = {
    let (mut longest, mut label) = (0, 0);
    while label < LABELS.len() {
        if LABELS[label].0.len() > longest {
            longest = LABELS[label].0.len();
        }
        label += 1;
    }
    longest
};

/// More than twice as many as there are labels.
const SLOTS: usize = 512;

/// For each slot, the number of its label, counted from 1, or 0 if the slot is free. A label is in the slot that its
/// hash selects, or in the next free one.
static LABEL_IN_SLOT: [u8; SLOTS] = {
    assert!(LABELS.len() < 0xFF, "the number of a label fits a byte");
    let mut slots = [0; SLOTS];
    let mut label = 0;
    while label < LABELS.len() {
        let mut slot = Ends::of(LABELS[label].0.as_bytes()).slot();
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = label as u8 + 1;
        label += 1;
    }
    slots
};

/// The first eight and the last eight bytes of a label, in lower case. In a label of fewer than 16 bytes they
/// overlap; for one of fewer than eight bytes they are its first and last four or fewer.
#[derive(Clone, Copy)]
struct Ends {
    first: u64,
    last: u64,
    len: usize,
}

impl Ends {
    #[inline(always)]
    const fn of(label: &[u8]) -> Self {
        let len = label.len();
        let (first, last) =
            if let (Some(first), Some(last)) = (label.first_chunk(), label.last_chunk()) {
                (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
            } else if let (Some(first), Some(last)) = (label.first_chunk(), label.last_chunk()) {
                (
                    u32::from_le_bytes(*first) as u64,
                    u32::from_le_bytes(*last) as u64,
                )
            } else if len > 0 {
                // Of one or two bytes, the middle one is the last.
                let ends = label[0] as u64 | (label[len - 1] as u64) << 8;
                (ends, label[len / 2] as u64)
            } else {
                (0, 0)
            };
        Ends {
            first: to_lower_case(first),
            last: to_lower_case(last),
            len,
        }
    }

    #[inline(always)]
    const fn is(self, other: Self) -> bool {
        self.first == other.first && self.last == other.last
    }

    #[inline(always)]
    const fn slot(self) -> usize {
        let mixed = self.first.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ self
                .last
                .wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
                .rotate_right(32);
        (mixed.wrapping_add(self.len as u64) >> 32 ^ mixed >> 50) as usize % SLOTS
    }
}

/// Eight bytes, with ASCII letters in lower case.
#[inline(always)]
const fn to_lower_case(bytes: u64) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let low = bytes & (0x7F * EACH);
    let from_a = low + (0x80 - b'A' as u64) * EACH;
    let past_z = low + (0x7F - b'Z' as u64) * EACH;
    let is_upper = !bytes & (from_a ^ past_z) & (0x80 * EACH);
    bytes | is_upper >> 2
}
