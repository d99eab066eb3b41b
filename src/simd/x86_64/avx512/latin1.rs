//! Latin-1 to and from UTF-8 for AVX-512: 64 bytes at a time, copied around what is not ASCII where
//! that is rare; dense text as with AVX2. (Without VBMI2 nothing compresses or expands bytes.)

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_and_si512, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask,
    _mm512_extracti64x4_epi64, _mm512_mask_add_epi8, _mm512_movepi8_mask, _mm512_set1_epi8,
    _mm512_test_epi8_mask,
};
use core::mem::MaybeUninit;

use super::{LANES, load, store};
use crate::simd::scalar;
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx2::latin1::{TWO_BYTES, block_to_latin1, block_to_utf8};

/// Texts that vectors of 512 bits are not worth.
const SHORT: usize = 320;

/// Converts Latin-1. Stops only where the next character does not fit. Returns the bytes read and
/// the bytes written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() <= SHORT {
        return avx2::latin1::latin1_to_utf8(src, dst);
    }
    wide_latin1_to_utf8(src, dst)
}

/// Converts text of more than that.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn wide_latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // A vector, and what the copies of a sparse one may read and write after it.
    while let Some(from) = src[read..].first_chunk::<{ 2 * LANES + 1 }>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 3 * LANES }>()
        && let Some(bytes) = from.first_chunk()
    {
        let bytes = load(bytes);
        let high = _mm512_movepi8_mask(bytes);
        match high.count_ones() {
            0 => {
                if let Some(to) = to.first_chunk_mut() {
                    store(to, bytes);
                }
            }
            1..=2 => sparse_to_utf8::<2>(bytes, high, from, to),
            3..=4 => sparse_to_utf8::<4>(bytes, high, from, to),
            _ => {
                let halves = [
                    (0, _mm512_castsi512_si256(bytes)),
                    (
                        32 + (high as u32).count_ones() as usize,
                        _mm512_extracti64x4_epi64::<1>(bytes),
                    ),
                ];
                for (at, half) in halves {
                    if let Some(to) = to[at..].first_chunk_mut() {
                        block_to_utf8(half, to);
                    }
                }
            }
        }
        read += LANES;
        written += LANES + high.count_ones() as usize;
    }
    let rest = avx2::latin1::latin1_to_utf8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Writes the UTF-8 of the 64 bytes at the front of `from`, which are `bytes` and of which `ROUNDS`
/// at the most, those in `high`, are not ASCII: copies them, and from after each that is not ASCII
/// again, at its new place. The loop runs as often even where there are fewer, so that nothing is
/// to be predicted; what it writes then lies after the text.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn sparse_to_utf8<const ROUNDS: usize>(
    bytes: __m512i,
    high: __mmask64,
    from: &[u8; 2 * LANES + 1],
    to: &mut [MaybeUninit<u8>; 3 * LANES],
) {
    if let Some(to) = to.first_chunk_mut() {
        store(to, bytes);
    }
    let mut ahead = high;
    for round in 0..ROUNDS {
        // 64 where there is none.
        let at = ahead.trailing_zeros() as usize;
        ahead &= ahead.wrapping_sub(1);
        if let Some((byte, after)) = from[at..].split_first()
            && let Some((two, to)) = to[at + round..].split_first_chunk_mut()
            && let (Some(after), Some(to)) = (after.first_chunk(), to.first_chunk_mut())
        {
            *two = TWO_BYTES[usize::from(*byte)].map(MaybeUninit::new);
            store(to, load(after));
        }
    }
}

/// Converts UTF-8 up to the first character above U+00FF or the first byte that is malformed.
/// Returns the bytes read and the bytes written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() <= SHORT {
        return avx2::latin1::utf8_to_latin1(src, dst);
    }
    wide_utf8_to_latin1(src, dst)
}

/// Converts text of more than that.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn wide_utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let mut read = avx2::latin1::ascii_run(src, dst);
    let mut written = read;
    // Vectors look at the byte before them: the first character is done by itself.
    if read == 0 {
        (read, written) = scalar::latin1::utf8_to_latin1(&src[..2], dst);
    }
    // Whether the byte before is a lead byte: 0 or 1.
    let mut carry: __mmask64 = 0;
    // The byte before, a vector, and what the copies of a sparse one may read and write after it.
    while read > 0
        && let Some(from) = src[read - 1..].first_chunk::<{ 2 * LANES + 2 }>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 2 * LANES }>()
        && let (Some(before), Some(bytes)) = (from.first_chunk(), from[1..].first_chunk())
    {
        let (before, bytes) = (load(before), load(bytes));
        let high = _mm512_movepi8_mask(bytes);
        if high | carry == 0 {
            if let Some(to) = to.first_chunk_mut() {
                store(to, bytes);
            }
            read += LANES;
            written += LANES;
            let len = avx2::latin1::ascii_run(&src[read..], &mut dst[written..]);
            read += len;
            written += len;
            continue;
        }
        let even = _mm512_and_si512(bytes, _mm512_set1_epi8(0xFE_u8.cast_signed()));
        let lead = _mm512_cmpeq_epi8_mask(even, _mm512_set1_epi8(0xC2_u8.cast_signed()));
        // Bytes from C0 up, whether lead bytes or not, have bit 6 set.
        let bit_6 = _mm512_test_epi8_mask(bytes, _mm512_set1_epi8(0x40));
        let trail = lead << 1 | carry;
        if (high & !bit_6 != trail) | (high & bit_6 != lead) {
            break;
        }
        let chars = joined(before, bytes);
        match lead.count_ones() {
            0..=2 => sparse_to_latin1::<2>(chars, lead, from, to),
            3..=4 => sparse_to_latin1::<4>(chars, lead, from, to),
            _ => {
                let low = lead as u32;
                let halves = [
                    (0, low, _mm512_castsi512_si256(chars)),
                    (
                        32 - low.count_ones() as usize,
                        (lead >> 32) as u32,
                        _mm512_extracti64x4_epi64::<1>(chars),
                    ),
                ];
                for (at, lead, half) in halves {
                    if let Some(to) = to[at..].first_chunk_mut() {
                        block_to_latin1(half, lead, to);
                    }
                }
            }
        }
        carry = lead >> 63;
        read += LANES;
        written += LANES - lead.count_ones() as usize;
    }
    // A lead byte at the end of the last block has written nothing.
    read -= carry as usize;
    let rest = avx2::latin1::utf8_to_latin1(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// The bytes, each that stands after C3 as the character that both are.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn joined(before: __m512i, bytes: __m512i) -> __m512i {
    // Behind C3 a byte from 80 to BF is one from C0 to FF.
    let after_c3 = _mm512_cmpeq_epi8_mask(before, _mm512_set1_epi8(0xC3_u8.cast_signed()));
    _mm512_mask_add_epi8(bytes, after_c3, bytes, _mm512_set1_epi8(0x40))
}

/// Writes the characters without those in `lead`, `ROUNDS` at the most: copies them, and from
/// after each lead byte again, at its new place. The loop runs as often even where there are
/// fewer, so that nothing is to be predicted; what it writes then lies after the text.
///
/// `from` begins one byte before the characters.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn sparse_to_latin1<const ROUNDS: usize>(
    chars: __m512i,
    lead: __mmask64,
    from: &[u8; 2 * LANES + 2],
    to: &mut [MaybeUninit<u8>; 2 * LANES],
) {
    if let Some(to) = to.first_chunk_mut() {
        store(to, chars);
    }
    let count = lead.count_ones() as usize;
    let mut ahead = lead;
    for round in 0..ROUNDS {
        // 64 where there is none.
        let at = ahead.trailing_zeros() as usize;
        ahead &= ahead.wrapping_sub(1);
        if let Some(from) = from[at + 1..].first_chunk::<{ LANES + 1 }>()
            && let (Some(before), Some(bytes)) = (from.first_chunk(), from.last_chunk())
            && let Some(to) = to[at - round.min(count)..].first_chunk_mut()
        {
            store(to, joined(load(before), load(bytes)));
        }
    }
}
