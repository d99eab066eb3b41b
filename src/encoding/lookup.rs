//! Finds labels (section 4.2), by a hash table that the compiler makes from the generated list. It is a sixth of the
//! size of a list of strings, of which each takes a pointer, a length and a relocation.

use super::Encoding;
use super::list::{ALL, LABELS, NAMES};

/// The row of the encoding that has a label: *get an encoding*.
pub(super) fn row(label: &[u8]) -> Option<u8> {
    let label = label.trim_ascii();
    let mut hash = Hash::new();
    for &byte in label.get(..label.len().min(LONGEST + 1))? {
        hash = hash.with(byte.to_ascii_lowercase());
    }
    let mut slot = hash.slot();
    // The table has free slots, so that this ends.
    while let Some(known) = LABEL_IN_SLOT[slot].checked_sub(1) {
        let Label { start, len, row } = KNOWN[usize::from(known)];
        let text = TEXT.get(usize::from(start)..)?.get(..usize::from(len))?;
        if text.eq_ignore_ascii_case(label) {
            return Some(row);
        }
        slot = (slot + 1) % SLOTS;
    }
    None
}

/// The encoding of a row, if it is compiled in.
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

/// A label: its place in [`TEXT`], and the row of its encoding.
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

/// All labels, one after the other.
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

/// The number of the label from whose hash on it is in the first free slot, from 1 on; 0 for a free slot.
static LABEL_IN_SLOT: [u8; SLOTS] = {
    assert!(LABELS.len() < 0xFF, "the number of a label fits a byte");
    let mut slots = [0; SLOTS];
    let mut label = 0;
    while label < LABELS.len() {
        let bytes = LABELS[label].0.as_bytes();
        let (mut hash, mut byte) = (Hash::new(), 0);
        while byte < bytes.len() {
            hash = hash.with(bytes[byte]);
            byte += 1;
        }
        let mut slot = hash.slot();
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = label as u8 + 1;
        label += 1;
    }
    slots
};

/// FNV-1a of 32 bits.
#[derive(Clone, Copy)]
struct Hash(u32);

impl Hash {
    const fn new() -> Self {
        Hash(0x811C_9DC5)
    }

    #[inline(always)]
    const fn with(self, byte: u8) -> Self {
        Hash((self.0 ^ byte as u32).wrapping_mul(0x0100_0193))
    }

    #[inline(always)]
    const fn slot(self) -> usize {
        (self.0 ^ self.0 >> 16) as usize % SLOTS
    }
}
