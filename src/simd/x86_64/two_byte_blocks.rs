//! Two-byte encodings → UTF-16, 64 bytes at a time: what is the same for vectors of any width.
//!
//! Vectors find where characters start and what each pointer is, and bring pointers and single
//! bytes together; the look-ups are one load and one store a character. Whether all of them found
//! something is looked at a block later, when they have long been stored: a vector that is loaded
//! right behind stores of other sizes would have to wait for them.

use core::mem::MaybeUninit;

use crate::simd::two_byte_index::TwoByteIndex;

/// Bytes in a block.
pub(super) const BLOCK: usize = 64;

/// A block and the byte behind it.
pub(super) type Window = [u8; BLOCK + 1];

/// Look-ups are done in groups of eight, the last ones of which may be none.
pub(super) const GROUP: usize = 8;

/// Words of a block's characters. Aligned, because words that are read from a vector's store across
/// two cache lines wait until it is done.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Words(pub(super) [u16; BLOCK + GROUP]);

impl Words {
    pub(super) const NOTHING: Words = Words([0; BLOCK + GROUP]);
}

/// What became of a block.
#[derive(Clone, Copy)]
pub(super) struct Decoded {
    /// The units of its characters; 0 for a pair that has none.
    pub(super) units: Words,
    /// How many characters, and bytes.
    pub(super) count: usize,
    pub(super) len: usize,
    /// Where they start in the block.
    pub(super) starts: u64,
    /// Which of them are pairs that were looked up.
    pub(super) pairs: u64,
}

impl Decoded {
    const NOTHING: Decoded = Decoded {
        units: Words::NOTHING,
        count: 0,
        len: 0,
        starts: 0,
        pairs: 0,
    };
}

/// Decodes `src` into `dst` up to the first byte or pair without a code unit. Returns the bytes
/// read and the units written.
///
/// `decode` decodes the characters of the first bytes of a window, as many as it is told, that end
/// there; up to the first byte or pair that is in none of the ranges. It returns true, and decodes
/// nothing, if the block is whole and all of it ASCII. `widen` writes such a block. `missing` says
/// which of the first 64 units are 0, and `copy` writes them.
#[inline(always)]
pub(super) fn run(
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
    decode: impl Fn(&Window, usize, &mut Decoded) -> bool,
    widen: impl Fn(&[u8; BLOCK], &mut [MaybeUninit<u16>; BLOCK]),
    missing: impl Fn(&[u16; BLOCK]) -> u64,
    copy: impl Fn(&[u16; BLOCK], &mut [MaybeUninit<u16>; BLOCK]),
) -> (usize, usize) {
    let mut blocks = [Decoded::NOTHING; 2];
    let (mut read, mut written) = (0, 0);
    let mut end: Window;
    // Which of the blocks is decoded next. The other one has still to be written.
    let mut next = 0;
    loop {
        let waiting = blocks[1 - next].len;
        let ahead = src.get(read + waiting..).unwrap_or_default();
        let decoded = &mut blocks[next];
        let (window, len) = match ahead.first_chunk() {
            Some(window) => (window, BLOCK),
            None => {
                end = [0; BLOCK + 1];
                end[..ahead.len()].copy_from_slice(ahead);
                (&end, ahead.len())
            }
        };
        let ascii = decode(window, len, decoded);
        let before = &blocks[1 - next];
        let room = dst.get_mut(written..).unwrap_or_default();
        let (units, _) = before
            .units
            .0
            .split_first_chunk()
            .unwrap_or((&[0; BLOCK], &[]));
        let missing = missing(units) & before.pairs;
        let (taken, count) = match room.first_chunk_mut() {
            Some(to) if missing == 0 => {
                copy(units, to);
                (before.len, before.count)
            }
            _ => before.write_front(missing, room),
        };
        read += taken;
        written += count;
        if count < before.count {
            return (read, written);
        }
        if ascii {
            blocks[1 - next].count = 0;
            blocks[1 - next].len = 0;
            let room = dst.get_mut(written..).unwrap_or_default();
            let (Some(to), Some(from)) = (room.first_chunk_mut(), ahead.first_chunk()) else {
                // The room ends in ASCII.
                for (to, &from) in room.iter_mut().zip(ahead) {
                    to.write(u16::from(from));
                }
                let count = room.len();
                return (read + count, written + count);
            };
            widen(from, to);
            read += BLOCK;
            written += BLOCK;
            continue;
        }
        if blocks[next].len == 0 {
            return (read, written);
        }
        next = 1 - next;
    }
}

impl Decoded {
    /// Writes up to the first pair that has no unit, and as far as there is room. Returns the bytes
    /// and the units.
    #[cold]
    #[inline(never)]
    fn write_front(&self, missing: u64, dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
        let good = self.count.min(missing.trailing_zeros() as usize);
        let count = good.min(dst.len());
        for (to, &unit) in dst.iter_mut().zip(&self.units.0[..count]) {
            to.write(unit);
        }
        if count == self.count {
            return (self.len, count);
        }
        // Where the first one stands that is not written.
        let mut starts = self.starts;
        for _ in 0..count {
            starts &= starts.wrapping_sub(1);
        }
        (starts.trailing_zeros() as usize, count)
    }
}

/// Reads pointers from memory. Where the compiler sees that a vector was stored there, it takes the
/// words out of the vector one by one instead, which is three times as slow.
#[inline(always)]
pub(super) fn from_memory(pointers: &Words) -> &[u16; BLOCK + GROUP] {
    &core::hint::black_box(pointers).0
}

/// The unit of a pointer.
///
/// # Safety
///
/// The pointer is less than the number of units.
#[inline(always)]
pub(super) unsafe fn unit(index: &TwoByteIndex, pointer: u16) -> u16 {
    debug_assert!(usize::from(pointer) < index.units.len());
    // SAFETY: the caller's.
    u16::from_le_bytes(unsafe { *index.units.get_unchecked(usize::from(pointer)) })
}

/// The even bits.
pub(super) const EVEN: u64 = 0x5555_5555_5555_5555;

/// Which bytes lead, of those that can (`lead`): in a run of them every other one, from the first one
/// on, as the others are trail bytes.
#[inline(always)]
pub(super) fn leads_among(lead: u64) -> u64 {
    let runs = lead & !(lead << 1);
    // A bit added to the front of a run carries through all of it.
    let from_even = lead & !lead.wrapping_add(runs & EVEN);
    from_even & EVEN | lead & !from_even & !EVEN
}

/// The lowest `count` bits.
#[inline(always)]
pub(super) fn below(count: usize) -> u64 {
    match count {
        0..64 => (1 << count) - 1,
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::leads_among;

    #[test]
    fn every_other_byte_of_a_run_leads() {
        let mut lead = 0x0123_4567_89AB_CDEF_u64;
        for _ in 0..10_000 {
            // Runs of all lengths, from a simple generator.
            lead ^= lead << 13;
            lead ^= lead >> 7;
            lead ^= lead << 17;
            for lead in [lead, lead | lead >> 1, lead | lead << 1 | lead >> 2, !0, !1] {
                let (mut expected, mut at) = (0_u64, 0);
                while at < 64 {
                    let leads = lead >> at & 1;
                    expected |= leads << at;
                    at += 1 + leads as u32;
                }
                assert_eq!(leads_among(lead), expected, "{lead:#b}");
            }
        }
    }
}
