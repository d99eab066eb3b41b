//! UTF-32 to UTF-8 for AVX-512, for short text and for characters above U+FFFF: 16 characters of
//! any kind at a time. The bytes of each are put at the end of its lane, and four lanes at a time
//! are moved together by a look-up in a table of 256 rows.

use core::arch::x86_64::{
    __m128i, __m512i, __mmask16, _mm_mask_storeu_epi8, _mm_shuffle_epi8, _mm512_and_si512,
    _mm512_cmpge_epu32_mask, _mm512_cmpgt_epu32_mask, _mm512_cvtepi32_epi8,
    _mm512_extracti32x4_epi32, _mm512_mask_mov_epi32, _mm512_mask_slli_epi32, _mm512_or_si512,
    _mm512_set1_epi32, _mm512_setzero_si512, _mm512_slli_epi32, _mm512_srli_epi32,
};
use core::mem::MaybeUninit;

use super::lanes_below;
use super::utf_32::{UNITS, load, load_front, surrogates};
use crate::simd::x86_64::sse4;
use crate::simd::{Kernels, scalar};

/// A table none of whose rows lies across two cache lines.
#[repr(align(64))]
struct Aligned<T>(T);

/// For the lengths of four characters, less one, the low bits in bits 0 to 3 and the high bits in
/// bits 4 to 7: the shuffle that keeps so many bytes of each lane, the last ones.
static ENDS: Aligned<[[u8; 16]; 256]> = Aligned({
    let mut table = [[0x80; 16]; 256];
    let mut lengths = 0;
    while lengths < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            let more = lengths >> lane & 1 | (lengths >> (lane + 4) & 1) << 1;
            let mut byte = 3 - more;
            while byte < 4 {
                table[lengths][at] = (4 * lane + byte) as u8;
                at += 1;
                byte += 1;
            }
            lane += 1;
        }
        lengths += 1;
    }
    table
});

/// Sixteen characters as UTF-8.
struct Block {
    /// The bytes of each at the end of its lane.
    lanes: __m512i,
    /// The lanes with two bytes or more, three or more, and four, in bits 0, 16 and 32 and up.
    longer: u64,
}

/// Converts UTF-32 up to the first unit that is no scalar value. Returns the units read and the
/// bytes written.
///
/// Text of the Basic Multilingual Plane is faster by way of UTF-16, with two kernels of `kernels`.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf_32_to_utf_8(
    kernels: &Kernels,
    src: &[u32],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    /// What is too short for two steps, and what one looks at to choose.
    const SHORT: usize = 64;
    /// Characters for which one chooses.
    const WINDOW: usize = 512;
    let (mut read, mut written) = (0, 0);
    while read < src.len() {
        let window = &src[read..src.len().min(read + WINDOW)];
        let (front, to) = (&window[..window.len().min(SHORT)], &mut dst[written..]);
        let most = front.iter().fold(0, |most: u32, &unit| most.max(unit));
        let (taken, bytes) = if src.len() <= SHORT || most > 0xFFFF {
            directly(window, to)
        } else {
            scalar::utf_32::utf_32_to_utf_8_by_utf_16(kernels, window, to)
        };
        read += taken;
        written += bytes;
        if taken < window.len() {
            break;
        }
    }
    (read, written)
}

/// The same, in one step.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn directly(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let ([low, high, ..], _) = src[read..].as_chunks()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 4 * UNITS }>()
    {
        let (low, high) = (load(low), load(high));
        if from_80(_mm512_or_si512(low, high)) == 0 {
            if let ([to_low, to_high, ..], _) = to.as_chunks_mut() {
                sse4::store(to_low, _mm512_cvtepi32_epi8(low));
                sse4::store(to_high, _mm512_cvtepi32_epi8(high));
            }
            read += 2 * UNITS;
            written += 2 * UNITS;
            continue;
        }
        let Some(block) = to_utf_8(low) else {
            break;
        };
        store_block(&block, to);
        read += UNITS;
        written += UNITS + block.longer.count_ones() as usize;
    }
    while read < src.len() {
        let (from, to) = (&src[read..], &mut dst[written..]);
        let len = from.len().min(UNITS);
        let Some(block) = to_utf_8(load_front(from)) else {
            break;
        };
        // Behind the text are zeros, of one byte each; only `len` of them count.
        let bytes = len + block.longer.count_ones() as usize;
        if bytes > to.len() {
            break;
        }
        match to.first_chunk_mut() {
            Some(to) => store_block(&block, to),
            None => store_block_front(&block, to),
        }
        read += len;
        written += bytes;
    }
    let rest = scalar::utf_32::utf_32_to_utf_8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// The lanes that are no ASCII.
#[inline]
#[target_feature(enable = "avx512f")]
fn from_80(chars: __m512i) -> __mmask16 {
    _mm512_cmpge_epu32_mask(chars, _mm512_set1_epi32(0x80))
}

/// Sixteen characters as UTF-8, unless there is one that is no scalar value.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn to_utf_8(chars: __m512i) -> Option<Block> {
    let all = |bits: u32| _mm512_set1_epi32(bits.cast_signed());
    let two = from_80(chars);
    let three = _mm512_cmpge_epu32_mask(chars, all(0x800));
    let four = _mm512_cmpge_epu32_mask(chars, all(0x1_0000));
    if surrogates(chars) | _mm512_cmpgt_epu32_mask(chars, all(0x10_FFFF)) != 0 {
        return None;
    }
    // Six bits a byte, the last ones in the last byte; all seven of ASCII.
    let last = _mm512_and_si512(_mm512_slli_epi32::<24>(chars), all(0x3F00_0000));
    let third = _mm512_and_si512(_mm512_slli_epi32::<10>(chars), all(0x3F_0000));
    let second = _mm512_and_si512(_mm512_srli_epi32::<4>(chars), all(0x3F00));
    let first = _mm512_srli_epi32::<18>(chars);
    let bits = _mm512_or_si512(_mm512_or_si512(last, third), _mm512_or_si512(second, first));
    let bits = _mm512_mask_slli_epi32::<24>(bits, !two, chars);
    let marks = _mm512_mask_mov_epi32(_mm512_setzero_si512(), two, all(0x80C0_0000));
    let marks = _mm512_mask_mov_epi32(marks, three, all(0x8080_E000));
    let marks = _mm512_mask_mov_epi32(marks, four, all(0x8080_80F0));
    Some(Block {
        lanes: _mm512_or_si512(bits, marks),
        longer: u64::from(two) | u64::from(three) << 16 | u64::from(four) << 32,
    })
}

impl Block {
    /// The four quarters, moved together, and where they belong.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")]
    fn quarters(&self) -> [(usize, __m128i); 4] {
        let high = self.longer >> 16;
        // Less one, the lengths are 0 to 3: odd where one or three of the masks are set.
        let low = self.longer ^ high ^ high >> 16;
        let quarter = |i: u32, lanes| {
            let row = (low >> (4 * i) & 0xF | (high >> (4 * i) & 0xF) << 4) as usize;
            let below = 0x1_0001_0001 * ((1 << (4 * i)) - 1);
            let at = 4 * i as usize + (self.longer & below).count_ones() as usize;
            (at, _mm_shuffle_epi8(lanes, sse4::load(&ENDS.0[row])))
        };
        [
            quarter(0, _mm512_extracti32x4_epi32::<0>(self.lanes)),
            quarter(1, _mm512_extracti32x4_epi32::<1>(self.lanes)),
            quarter(2, _mm512_extracti32x4_epi32::<2>(self.lanes)),
            quarter(3, _mm512_extracti32x4_epi32::<3>(self.lanes)),
        ]
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")]
fn store_block(block: &Block, to: &mut [MaybeUninit<u8>; 4 * UNITS]) {
    for (at, quarter) in block.quarters() {
        if let Some(to) = to[at..].first_chunk_mut() {
            sse4::store(to, quarter);
        }
    }
}

/// The same, as far as there is room.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")]
fn store_block_front(block: &Block, to: &mut [MaybeUninit<u8>]) {
    for (at, quarter) in block.quarters() {
        let room = to.get_mut(at..).unwrap_or_default();
        let inside = lanes_below(room.len()) as u16;
        // SAFETY: lanes outside the slice are masked off, and what is masked off is not written.
        unsafe { _mm_mask_storeu_epi8(room.as_mut_ptr().cast(), inside, quarter) };
    }
}
