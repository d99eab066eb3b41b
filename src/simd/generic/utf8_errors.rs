//! The possible errors of two consecutive bytes, as three small tables: a class of errors is a set of first
//! bytes (by both halves) and a set of second bytes (by the upper half). The AND of the three entries for a
//! pair has the bit of each class that the pair belongs to.
//!
//! The classes detect everything that can be wrong with UTF-8, except the number of continuation bytes after
//! a lead byte of three or four bytes: see [`TWO_CONTINUATIONS`].

/// The bit for two continuation bytes. They are correct if the byte two before the second is the lead byte of
/// three or four bytes, or the byte three before it is the lead byte of four; and only then.
pub(in crate::simd) const TWO_CONTINUATIONS: u8 = 1 << 7;

/// The bits of the classes in which both bytes have the right kind, but encode no character.
pub(in crate::simd) const NO_CHARACTER: u8 = 0b0111_1100;

/// The bit of a class that only lead bytes of four bytes belong to.
#[cfg(target_arch = "x86_64")]
pub(in crate::simd) const FOUR_TOO_LONG: u8 = 1 << 6;

/// A class as sets of half bytes: bit n stands for the half byte n.
struct Class {
    first_high: u16,
    first_low: u16,
    second_high: u16,
}

const CONTINUATION: u16 = 0x0F00;
const ANY: u16 = 0xFFFF;

const CLASSES: [Class; 8] = [
    // A lead byte that is not followed by a continuation byte.
    Class {
        first_high: 0xF000,
        first_low: ANY,
        second_high: !CONTINUATION,
    },
    // ASCII followed by a continuation byte.
    Class {
        first_high: 0x00FF,
        first_low: ANY,
        second_high: CONTINUATION,
    },
    // C0 and C1: overlong forms of one-byte characters.
    Class {
        first_high: 1 << 0xC,
        first_low: 0b11,
        second_high: CONTINUATION,
    },
    // E0 80 to E0 9F: overlong forms of two-byte characters.
    Class {
        first_high: 1 << 0xE,
        first_low: 1 << 0,
        second_high: 1 << 8 | 1 << 9,
    },
    // ED A0 to ED BF: surrogates.
    Class {
        first_high: 1 << 0xE,
        first_low: 1 << 0xD,
        second_high: 1 << 0xA | 1 << 0xB,
    },
    // F4 90 and above: above U+10FFFF.
    Class {
        first_high: 1 << 0xF,
        first_low: 0xFFF0,
        second_high: 1 << 9 | 1 << 0xA | 1 << 0xB,
    },
    // F0 80 to F0 8F: overlong forms of three-byte characters; F5 80 and above: above U+10FFFF.
    Class {
        first_high: 1 << 0xF,
        first_low: 0xFFE0 | 1 << 0,
        second_high: 1 << 8,
    },
    Class {
        first_high: CONTINUATION,
        first_low: ANY,
        second_high: CONTINUATION,
    },
];

/// Returns, for each half byte, the classes whose set contains it.
const fn classes_by_half(sets: [u16; 8]) -> [u8; 16] {
    let mut table = [0; 16];
    let mut half = 0;
    while half < 16 {
        let mut class = 0;
        while class < 8 {
            table[half] |= ((sets[class] >> half & 1) as u8) << class;
            class += 1;
        }
        half += 1;
    }
    table
}

pub(in crate::simd) const FIRST_HIGH: [u8; 16] = {
    let mut sets = [0; 8];
    let mut class = 0;
    while class < 8 {
        sets[class] = CLASSES[class].first_high;
        class += 1;
    }
    classes_by_half(sets)
};

pub(in crate::simd) const FIRST_LOW: [u8; 16] = {
    let mut sets = [0; 8];
    let mut class = 0;
    while class < 8 {
        sets[class] = CLASSES[class].first_low;
        class += 1;
    }
    classes_by_half(sets)
};

pub(in crate::simd) const SECOND_HIGH: [u8; 16] = {
    let mut sets = [0; 8];
    let mut class = 0;
    while class < 8 {
        sets[class] = CLASSES[class].second_high;
        class += 1;
    }
    classes_by_half(sets)
};

/// The lowest lead bytes of characters of two, three and four bytes.
const LEADS: [u8; 3] = [0xC0, 0xE0, 0xF0];

/// Returns where the last character before `end` ends, given that the text before `end` has no errors: at
/// `end`, or up to three bytes earlier if a character is cut there.
#[inline(always)]
pub(in crate::simd) fn whole_characters(src: &[u8], end: usize) -> usize {
    let back = |count: usize| end.checked_sub(count).and_then(|at| src.get(at));
    let starts = |count: usize| back(count).is_some_and(|&byte| byte >= LEADS[count - 1]);
    if starts(1) {
        end - 1
    } else if starts(2) {
        end - 2
    } else if starts(3) {
        end - 3
    } else {
        end
    }
}

/// Masks of the kinds of bytes in a block of text whose first byte starts a character or a malformed
/// sequence.
pub(in crate::simd) struct BlockMasks {
    /// The number of bytes in the block. The masks are 0 above.
    pub(in crate::simd) len: usize,
    pub(in crate::simd) ascii: u64,
    pub(in crate::simd) continuation: u64,
    /// Lead bytes: C0 to FF.
    pub(in crate::simd) lead: u64,
    /// Lead bytes of three and more: E0 to FF.
    pub(in crate::simd) lead_of_three: u64,
    /// Lead bytes of four: F0 to FF.
    pub(in crate::simd) lead_of_four: u64,
    /// Second bytes that encode no character with the first.
    pub(in crate::simd) no_character: u64,
}

/// The malformed sequences of a block.
pub(in crate::simd) struct MalformedSequences {
    /// The last byte of each.
    pub(in crate::simd) ends: u64,
    /// The first byte of each character and of each malformed sequence.
    pub(in crate::simd) starts: u64,
    /// The number of bytes of the block that the masks are about: the sequence after them may continue beyond
    /// the block.
    pub(in crate::simd) known: usize,
}

impl BlockMasks {
    /// Divides the block into characters and maximal subparts, each of which is replaced by one U+FFFD.
    #[inline(always)]
    pub(in crate::simd) fn malformed(&self) -> MalformedSequences {
        let of_three = self.lead_of_three << 1;
        let of_four = self.lead_of_four << 2;
        // Bytes that continue a sequence, by their position in it.
        let second = self.continuation & self.lead << 1 & !self.no_character;
        let third = self.continuation & (second & of_three) << 1;
        let fourth = self.continuation & (third & of_four) << 1;
        // The last bytes of characters.
        let last = self.ascii | second & !of_three | third & !of_four | fourth;
        let in_block = u64::MAX >> (64 - self.len.clamp(1, 64));
        let starts = !(second | third | fourth) & in_block;
        let ends_whole = last >> (self.len.clamp(1, 64) - 1) & 1 == 1;
        let known = if ends_whole {
            self.len
        } else {
            63 - starts.leading_zeros().min(63) as usize
        };
        MalformedSequences {
            ends: starts >> 1 & !last,
            starts,
            known,
        }
    }
}
