//! UTF-16 → two-byte encodings: blocks of text whose runs are short.
//!
//! Each look-up is a load and a store; vectors find ASCII, merge it in, and pack the bytes.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::compact::{ROOM_OF_32_CHARS, pack_1_2};
use super::store;
use crate::simd::flat::Words;

/// The number of code units in a block.
const BLOCK: usize = 32;

/// Encodes up to the first unit without bytes, or whose bytes don't fit. Returns the number of code units
/// read and of bytes written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(super) fn blocks_of_utf16(
    flat: &Words,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let mut found = [0; BLOCK];
    let (mut read, mut written) = (0, 0);
    let mut front: [u16; BLOCK];
    let mut last = [MaybeUninit::uninit(); ROOM_OF_32_CHARS];
    loop {
        let ahead = src.get(read..).unwrap_or_default();
        let room = dst.get_mut(written..).unwrap_or_default();
        let (block, len) = match ahead.first_chunk() {
            Some(block) => (block, BLOCK),
            None => {
                front = [0; BLOCK];
                front[..ahead.len()].copy_from_slice(ahead);
                (&front, ahead.len())
            }
        };
        let fits = room.len() >= ROOM_OF_32_CHARS;
        let to = match room.first_chunk_mut() {
            Some(to) => to,
            None => &mut last,
        };
        let encoded = encode(flat, block, &mut found, to);
        // Missing units are not ASCII, so the padding after the text is not among them.
        let mut good = len.min(encoded.missing.trailing_zeros() as usize);
        let bytes_of = |units: usize| units + (encoded.longer & below(units)).count_ones() as usize;
        if !fits {
            while bytes_of(good) > room.len() {
                good -= 1;
            }
            room[..bytes_of(good)].copy_from_slice(&last[..bytes_of(good)]);
        }
        read += good;
        written += bytes_of(good);
        if good < BLOCK {
            return (read, written);
        }
    }
}

/// The result for a block.
struct Encoded {
    /// The units that have two bytes or none; `missing` has only the latter.
    longer: u32,
    missing: u32,
}

/// Encodes a block; anything may be written for units without bytes.
#[inline]
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
fn encode(
    flat: &Words,
    block: &[u16; BLOCK],
    found: &mut [u16; BLOCK],
    to: &mut [MaybeUninit<u8>; ROOM_OF_32_CHARS],
) -> Encoded {
    let units = load(block);
    let above_ascii = _mm256_set1_epi16(!0x7F);
    let mut is_ascii = units;
    for units in &mut is_ascii {
        let above = _mm256_and_si256(*units, above_ascii);
        *units = _mm256_cmpeq_epi16(above, _mm256_setzero_si256());
    }
    let longer = !mask(is_ascii);
    if longer == 0 {
        let bytes = _mm256_packus_epi16(units[0], units[1]);
        if let Some(to) = to.first_chunk_mut() {
            store(to, _mm256_permute4x64_epi64::<0b11_01_10_00>(bytes));
        }
        return Encoded { longer, missing: 0 };
    }
    // Hidden from the compiler, which would extract the units from the vectors one by one, which is slow, and
    // collect the results in vectors.
    let block = core::hint::black_box(block);
    if longer.count_ones() <= MAX_SINGLE_LOOK_UPS {
        let mut rest = longer;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            found[at] = flat[usize::from(block[at])];
            rest &= rest - 1;
        }
    } else {
        for (found, &unit) in found.iter_mut().zip(block) {
            *found = flat[usize::from(unit)];
        }
    }
    let found = load(core::hint::black_box(found));
    let (mut none, mut words) = (found, found);
    for half in 0..2 {
        none[half] = _mm256_cmpeq_epi16(found[half], _mm256_setzero_si256());
        // The first byte is in the upper half.
        let bytes = _mm256_or_si256(
            _mm256_slli_epi16::<8>(found[half]),
            _mm256_srli_epi16::<8>(found[half]),
        );
        words[half] = _mm256_blendv_epi8(bytes, units[half], is_ascii[half]);
    }
    pack_1_2(words, longer, to);
    Encoded {
        longer,
        missing: mask(none) & longer,
    }
}

/// Up to this many look-ups are done one by one.
const MAX_SINGLE_LOOK_UPS: u32 = 10;

/// Returns a mask of the lowest `count` bits.
#[inline(always)]
fn below(count: usize) -> u32 {
    match count {
        0..32 => (1 << count) - 1,
        _ => u32::MAX,
    }
}

/// Returns a bit for each word.
#[inline]
#[target_feature(enable = "avx2")]
fn mask([low, high]: [__m256i; 2]) -> u32 {
    let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(low, high));
    _mm256_movemask_epi8(bytes).cast_unsigned()
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(from: &[u16; BLOCK]) -> [__m256i; 2] {
    let from = from.as_ptr();
    // SAFETY: the lower 32 of the array's 64 bytes; the load needs no alignment.
    let low = unsafe { _mm256_loadu_si256(from.cast()) };
    // SAFETY: the upper 32 of the array's 64 bytes; the load needs no alignment.
    let high = unsafe { _mm256_loadu_si256(from.wrapping_add(BLOCK / 2).cast()) };
    [low, high]
}
