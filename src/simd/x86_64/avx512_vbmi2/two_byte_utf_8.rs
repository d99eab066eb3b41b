//! Two-byte encodings → UTF-8: the units of each block become bytes at once.

use core::arch::x86_64::{
    __m512i, _bzhi_u64, _mm512_mask_sub_epi16, _mm512_maskz_mov_epi16, _mm512_movepi8_mask,
    _mm512_test_epi16_mask,
};
use core::mem::MaybeUninit;

use super::two_byte::{Vectors, decode, load_units, split, zeros};
use super::utf_16_block::ascii;
use super::utf_16_bytes::{
    ROOM, UNITS, all_three, count, last_two, one_or_two, splat, up_to_three,
};
use crate::simd::two_byte_index::TwoByteIndex;
use crate::simd::x86_64::avx512::{load, store};
use crate::simd::x86_64::two_byte_blocks::{BLOCK, Decoded, GROUP, Pointers, Units, Window};

/// What the units of a block take, and what the last store may overrun them by.
const ROOM_OF_BLOCK: usize = 3 * UNITS + ROOM;

/// Decodes up to the first byte or pair without a code unit, or until there is not ample room. Returns
/// the bytes read and written.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn two_byte_to_utf_8(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let vectors = Vectors::new(index);
    let mut pointers = Pointers::NOTHING;
    let mut units: [Units; 2] = [[MaybeUninit::uninit(); BLOCK + GROUP]; 2];
    let [current, before] = &mut units;
    let (mut current, mut before) = (current, before);
    let (mut read, mut written) = (0, 0);
    let mut carry = 0;
    let mut front: Window;
    // Vectors of units would wait until each unit is stored. So they are read a block later.
    let mut found: Option<Found> = None;
    loop {
        let ahead = src.get(read..).unwrap_or_default();
        let (window, len) = match ahead.first_chunk() {
            Some(window) => (window, BLOCK + 1),
            None => {
                front = [0; BLOCK + 1];
                front[..ahead.len()].copy_from_slice(ahead);
                (&front, ahead.len())
            }
        };
        let bytes = load(split(window).0);
        let is_ascii = carry == 0 && len > BLOCK && _mm512_movepi8_mask(bytes) == 0;
        let block = if is_ascii {
            Decoded::NOTHING
        } else {
            decode(&vectors, window, len, carry, &mut pointers, current)
        };
        if let Some(found) = found.take() {
            let Some(to) = room(dst, written) else {
                return (found.from, written);
            };
            let (good, bytes) = found.to_utf_8(before, to);
            written += bytes;
            if let Some(end) = found.stop(good) {
                return (end, written);
            }
        }
        if is_ascii {
            let Some(to) = dst.get_mut(written..).and_then(<[_]>::first_chunk_mut) else {
                return (read, written);
            };
            store(to, bytes);
            written += BLOCK;
        } else {
            found = Some(Found {
                from: read + carry as usize,
                base: read,
                block,
            });
            carry = block.end.saturating_sub(BLOCK) as u64;
            core::mem::swap(&mut current, &mut before);
        }
        read += BLOCK;
    }
}

#[inline(always)]
fn room(
    dst: &mut [MaybeUninit<u8>],
    written: usize,
) -> Option<&mut [MaybeUninit<u8>; ROOM_OF_BLOCK]> {
    dst.get_mut(written..)?.first_chunk_mut()
}

/// A block whose units are found, but not looked at yet.
struct Found {
    /// Where its first character starts, and where the block does.
    from: usize,
    base: usize,
    block: Decoded,
}

impl Found {
    /// Writes the bytes of the characters up to the first without a unit. Returns the number of these
    /// characters and of these bytes.
    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
    )]
    fn to_utf_8(&self, units: &Units, to: &mut [MaybeUninit<u8>; ROOM_OF_BLOCK]) -> (usize, usize) {
        let (halves, _) = units.as_chunks::<UNITS>();
        let units = [load_units(&halves[0]), load_units(&halves[1])];
        let missing = self.block.looked_up & zeros(units);
        let good = self.block.starts.count_ones().min(missing.trailing_zeros());
        // Behind the good ones stand units of ASCII, which are not counted.
        let kept = _bzhi_u64(u64::MAX, good);
        let half = |i: usize| _mm512_maskz_mov_epi16((kept >> (32 * i)) as u32, units[i]);
        let good = good as usize;
        let low = to_utf_8(half(0), to);
        if good <= UNITS {
            return (good, low - (UNITS - good));
        }
        let high = to_utf_8(half(1), &mut to[low..]);
        (good, low + high - (BLOCK - good))
    }

    /// Where decoding stops, of which `good` characters are decoded; or it goes on.
    #[inline(always)]
    fn stop(&self, good: usize) -> Option<usize> {
        let all = self.block.starts.count_ones() as usize;
        (good < all || self.block.end < BLOCK).then(|| self.base + self.block.end_of(good))
    }
}

/// Writes the bytes of units without surrogates; returns their number.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn to_utf_8(units: __m512i, to: &mut [MaybeUninit<u8>]) -> usize {
    let ascii = ascii(units);
    let three = _mm512_test_epi16_mask(units, splat(0xF800));
    if three == u32::MAX {
        all_three(units, to);
        return 3 * UNITS;
    }
    let last = last_two(units, ascii, units);
    if three == 0 {
        one_or_two(last, to);
    } else {
        // What is the first byte of two is the second one of three.
        let last = _mm512_mask_sub_epi16(last, three, last, splat(0x40));
        up_to_three(units, last, [ascii, three], to);
    }
    2 * UNITS - count(ascii, UNITS) + count(three, UNITS)
}
