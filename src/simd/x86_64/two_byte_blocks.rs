//! Two-byte encodings → UTF-16, 64 bytes at a time: what is the same for vectors of any width.
//!
//! Vectors find where characters start and what each pointer is, and bring pointers and single
//! bytes together; the look-ups are one load and one store a character.

use core::mem::MaybeUninit;

use crate::simd::two_byte_index::TwoByteIndex;

/// Bytes in a block.
pub(super) const BLOCK: usize = 64;

/// A block and the byte behind it.
pub(super) type Window = [u8; BLOCK + 1];

/// Look-ups are done in groups of eight, the last ones of which may be none.
pub(super) const GROUP: usize = 8;

/// Room for the units of a block.
pub(super) type Units = [MaybeUninit<u16>; BLOCK + GROUP];

/// Room for the characters of a block.
pub(super) type Characters = [MaybeUninit<u16>; BLOCK];

/// Pointers of the characters of a block, by fours. Aligned, because words that are read from a vector's store
/// across two cache lines wait until it is done.
#[repr(align(64))]
pub(super) struct Pointers(pub(super) [u64; BLOCK / 4]);

impl Pointers {
    pub(super) const NOTHING: Pointers = Pointers([0; BLOCK / 4]);

    /// As words, `N` at a time.
    #[inline(always)]
    pub(super) fn vectors<const N: usize>(&mut self) -> &mut [[u16; N]] {
        let words: &mut [u16; BLOCK] = bytemuck::cast_mut(&mut self.0);
        words.as_chunks_mut().0
    }
}

/// What became of a block.
#[derive(Clone, Copy)]
pub(super) struct Decoded {
    /// Where its characters start, up to the first byte or pair that is in none of the ranges.
    pub(super) starts: u64,
    /// Where these end: from 0 to 65.
    pub(super) end: usize,
    /// The characters that are looked up, by their numbers: what has a unit of 0 there, has none.
    pub(super) looked_up: u64,
}

/// Decodes `src` into `dst` up to the first byte or pair without a code unit. Returns the bytes
/// read and the units written.
///
/// `decode` decodes the characters that start in a window's block and end among as many bytes as it
/// is told; its third argument is 1 where the first byte belongs to a character before the block, or
/// else 0. `zeros` finds the units that are 0. So blocks follow each other at fixed places, and the processor need not wait for one to
/// begin the next.
#[inline(always)]
pub(super) fn run(
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
    mut decode: impl FnMut(&Window, usize, u64, &mut Units) -> Decoded,
    zeros: impl Fn(&Characters) -> u64,
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    let mut carry = 0;
    let mut front: Window;
    let mut last = [MaybeUninit::uninit(); BLOCK + GROUP];
    loop {
        let ahead = src.get(read..).unwrap_or_default();
        let room = dst.get_mut(written..).unwrap_or_default();
        let (window, len) = match ahead.first_chunk() {
            Some(window) => (window, BLOCK + 1),
            None => {
                front = [0; BLOCK + 1];
                front[..ahead.len()].copy_from_slice(ahead);
                (&front, ahead.len())
            }
        };
        let fits = room.len() >= BLOCK + GROUP;
        let to = match room.first_chunk_mut() {
            Some(to) => to,
            None => &mut last,
        };
        let block = decode(window, len, carry, to);
        let count = block.starts.count_ones() as usize;
        let missing = match to.first_chunk() {
            Some(units) if block.looked_up != 0 => block.looked_up & zeros(units),
            _ => 0,
        };
        if fits && missing == 0 && block.end >= BLOCK {
            carry = (block.end - BLOCK) as u64;
            read += BLOCK;
            written += count;
            continue;
        }
        let mut good = count.min(missing.trailing_zeros() as usize);
        if !fits {
            let room = dst.get_mut(written..).unwrap_or_default();
            good = good.min(room.len());
            room[..good].copy_from_slice(&last[..good]);
        }
        written += good;
        if good < count || block.end < BLOCK {
            return (read + block.end_of(good), written);
        }
        carry = (block.end - BLOCK) as u64;
        read += BLOCK;
    }
}

impl Decoded {
    pub(super) const NOTHING: Decoded = Decoded {
        starts: 0,
        end: 0,
        looked_up: 0,
    };

    /// Where the first `count` characters end.
    pub(super) fn end_of(&self, count: usize) -> usize {
        let mut starts = self.starts;
        for _ in 0..count {
            starts &= starts.wrapping_sub(1);
        }
        self.end.min(starts.trailing_zeros() as usize)
    }
}

/// Reads pointers from memory. Where the compiler sees that a vector was stored there, it takes the
/// words out of the vector one by one instead, which is three times as slow.
#[inline(always)]
fn from_memory(pointers: &Pointers) -> &[u64; BLOCK / 4] {
    &core::hint::black_box(pointers).0
}

/// Looks up `count` pointers, and some more up to a group.
///
/// # Safety
///
/// All pointers are less than the number of units.
#[inline(always)]
unsafe fn look_up_all(
    index: &TwoByteIndex,
    pointers: &Pointers,
    count: usize,
    to: &mut Characters,
) {
    let fours = from_memory(pointers);
    debug_assert!(count <= BLOCK);
    let (groups, _) = fours.as_chunks::<2>();
    let (rooms, _) = to.as_chunks_mut::<GROUP>();
    for (group, room) in groups.iter().zip(rooms).take(count.div_ceil(GROUP)) {
        for (i, to) in room.iter_mut().enumerate() {
            // SAFETY: the caller's.
            to.write(unsafe { unit(index, (group[i / 4] >> (16 * (i % 4))) as u16) });
        }
    }
}

/// Looks up some of the pointers.
///
/// # Safety
///
/// All pointers are less than the number of units.
#[inline(always)]
unsafe fn look_up_some(index: &TwoByteIndex, pointers: &Pointers, which: u64, to: &mut Characters) {
    let pointers: &[u16; BLOCK] = bytemuck::cast_ref(from_memory(pointers));
    let mut rest = which;
    while rest != 0 {
        let at = rest.trailing_zeros() as usize;
        // SAFETY: the caller's.
        to[at].write(unsafe { unit(index, pointers[at]) });
        rest &= rest - 1;
    }
}

/// Looks up `count` pointers, or only those of `looked_up` if these are [`few`], for where the others
/// are ASCII, which is in `to` already. What is in `to` is then memory that the compiler knows
/// nothing of, so that it can be read as vectors again.
///
/// # Safety
///
/// All pointers are less than the number of units.
#[inline(always)]
pub(super) unsafe fn look_up(
    index: &TwoByteIndex,
    pointers: &Pointers,
    looked_up: u64,
    count: usize,
    to: &mut Characters,
) {
    if few(looked_up) {
        // SAFETY: the caller's.
        unsafe { look_up_some(index, pointers, looked_up, to) }
    } else {
        // SAFETY: the caller's.
        unsafe { look_up_all(index, pointers, count, to) }
    }
    core::hint::black_box(to);
}

/// Whether so few look-ups are done one by one.
#[inline(always)]
pub(super) fn few(looked_up: u64) -> bool {
    looked_up.count_ones() <= 14
}

/// The unit of a pointer.
///
/// # Safety
///
/// The pointer is less than the number of units.
#[inline(always)]
unsafe fn unit(index: &TwoByteIndex, pointer: u16) -> u16 {
    debug_assert!(usize::from(pointer) < index.units.len());
    // SAFETY: the caller's.
    u16::from_le_bytes(unsafe { *index.units.get_unchecked(usize::from(pointer)) })
}

/// The even bits.
const EVEN: u64 = 0x5555_5555_5555_5555;

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
