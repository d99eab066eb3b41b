//! Code units to UTF-8 for SSE4.2, eight at a time.

use core::arch::x86_64::{
    _mm_and_si128, _mm_blendv_epi8, _mm_cmpeq_epi16, _mm_movemask_epi8, _mm_or_si128,
    _mm_packs_epi16, _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi8, _mm_slli_epi16,
    _mm_srli_epi16, _mm_unpackhi_epi16, _mm_unpacklo_epi16,
};
use core::mem::MaybeUninit;

use super::{load, load_units, store};
use crate::simd::kernels::{ByteUnits, Kernels};
use crate::simd::scalar;

/// For each set of lanes that hold ASCII: the shuffle that keeps the low byte of those and both
/// bytes of the others.
static ONE_OR_TWO: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut ascii = 0;
    while ascii < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            table[ascii][at] = 2 * lane;
            at += 1;
            if ascii >> lane & 1 == 0 {
                table[ascii][at] = 2 * lane + 1;
                at += 1;
            }
            lane += 1;
        }
        ascii += 1;
    }
    table
};

/// For each set of four lanes that hold no ASCII (bits 0 to 3) and that hold three bytes (bits 4 to
/// 7): the shuffle that keeps byte 0 of every lane, byte 1 of those with three bytes, and byte 2 of
/// those that hold no ASCII.
static UP_TO_THREE: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            let keep = [true, lanes >> (lane + 4) & 1 == 1, lanes >> lane & 1 == 1];
            let mut byte = 0;
            while byte < 3 {
                if keep[byte] {
                    table[lanes][at] = 4 * lane + byte as u8;
                    at += 1;
                }
                byte += 1;
            }
            lane += 1;
        }
        lanes += 1;
    }
    table
};

/// Writes eight characters of the Basic Multilingual Plane and returns their length in bytes. None
/// of the units is a surrogate.
#[inline]
#[target_feature(enable = "sse4.2,popcnt")]
fn block_to_utf_8(units: [u16; 8], to: &mut [MaybeUninit<u8>; 32]) -> usize {
    let v = load_units(&units);
    let zero = _mm_setzero_si128();
    let lanes_below = |bits: u16| {
        let outside = _mm_set1_epi16(bits.cast_signed());
        _mm_cmpeq_epi16(_mm_and_si128(v, outside), zero)
    };
    let (ascii, below_800) = (lanes_below(0xFF80), lanes_below(0xF800));
    // One bit a lane: ASCII in the low byte, one or two bytes in the high one.
    let short = _mm_movemask_epi8(_mm_packs_epi16(ascii, below_800)) as usize;
    if short >> 8 == 0xFF {
        // Lead bytes go to the low half of each lane, trail bytes to the high one.
        let lead = _mm_srli_epi16::<6>(v);
        let trail = _mm_and_si128(_mm_slli_epi16::<8>(v), _mm_set1_epi16(0x3F00));
        let marks = _mm_set1_epi16(0x80C0_u16.cast_signed());
        let two = _mm_or_si128(_mm_or_si128(lead, trail), marks);
        let bytes = _mm_blendv_epi8(two, v, ascii);
        let ascii = short & 0xFF;
        if let Some(to) = to.first_chunk_mut::<16>() {
            store(to, _mm_shuffle_epi8(bytes, load(&ONE_OR_TWO[ascii])));
        }
        return 16 - ascii.count_ones() as usize;
    }
    // A dword a lane: the first byte, the second of three, the last of two or three.
    let second = _mm_and_si128(_mm_slli_epi16::<2>(v), _mm_set1_epi16(0x3F00));
    let marks = _mm_set1_epi16(0x80E0_u16.cast_signed());
    let three = _mm_or_si128(_mm_or_si128(_mm_srli_epi16::<12>(v), second), marks);
    let two = _mm_or_si128(_mm_srli_epi16::<6>(v), _mm_set1_epi16(0xC0));
    let first = _mm_blendv_epi8(_mm_blendv_epi8(three, two, below_800), v, ascii);
    let last = _mm_or_si128(_mm_and_si128(v, _mm_set1_epi16(0x3F)), _mm_set1_epi16(0x80));
    let (no_ascii, three) = (!short & 0xFF, !short >> 8 & 0xFF);
    let low = no_ascii & 0xF | three << 4 & 0xF0;
    let high = no_ascii >> 4 | three & 0xF0;
    let low_len = 4 + low.count_ones() as usize;
    let halves = [
        (0, _mm_unpacklo_epi16(first, last), low),
        (low_len, _mm_unpackhi_epi16(first, last), high),
    ];
    for (at, half, lanes) in halves {
        if let Some(to) = to[at..].first_chunk_mut::<16>() {
            store(to, _mm_shuffle_epi8(half, load(&UP_TO_THREE[lanes])));
        }
    }
    low_len + 4 + high.count_ones() as usize
}

/// Converts UTF-16 up to the first surrogate. Returns the bytes read and the bytes written.
#[target_feature(enable = "sse4.2,popcnt")]
pub(in crate::simd) fn utf_16_to_utf_8<const BE: bool>(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    scalar::utf_16::utf_16_to_utf_8_by::<BE>(kernels, src, dst, |units, to| {
        block_to_utf_8(units, to)
    })
}

/// Decodes a single-byte encoding up to the first unmapped byte. Returns the bytes read and the
/// bytes written.
#[target_feature(enable = "sse4.2,popcnt")]
pub(in crate::simd) fn single_byte_to_utf_8(
    kernels: &Kernels,
    table: &ByteUnits,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    scalar::single_byte::single_byte_to_utf_8_by(kernels, table, src, dst, |units, to| {
        block_to_utf_8(units, to)
    })
}
