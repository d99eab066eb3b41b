//! UTF-32 to UTF-8 for AVX-512: 64 characters of ASCII, 32 of the Basic Multilingual Plane, which
//! are packed to code units of UTF-16, or 16 of any kind. The bytes of each of these are put at the
//! end of its lane, and four lanes at a time are moved together by a look-up in a table of 256 rows.

use core::arch::x86_64::{
    __m128i, __m512i, __mmask16, _mm_mask_storeu_epi8, _mm_shuffle_epi8, _mm512_and_si512,
    _mm512_cmpge_epu32_mask, _mm512_cmplt_epu16_mask, _mm512_extracti32x4_epi32,
    _mm512_mask_mov_epi32, _mm512_mask_slli_epi32, _mm512_or_si512, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_slli_epi32, _mm512_srli_epi32, _mm512_sub_epi16,
    _mm512_test_epi16_mask,
};
use core::mem::MaybeUninit;

use super::utf16_bytes::{all_three, first, last, pack_1_2, splat, up_to_three};
use super::utf32::{UNITS, any, are_scalars, load, load_front, narrow, to_units};
use super::{LANES, lanes_below, store};
use crate::simd::scalar;
use crate::simd::x86_64::utf8_tables::ENDS;
use crate::simd::x86_64::{avx2, sse4};

/// Characters that are converted by the kernel for AVX2, whose blocks are smaller.
const FEW: usize = 256;

/// Sixteen characters as UTF-8.
struct Block {
    /// The bytes of each at the end of its lane.
    lanes: __m512i,
    /// The lanes with two bytes or more, three or more, and four, in bits 0, 16 and 32 and up.
    longer: u64,
}

/// Converts UTF-32 up to the first unit that is no scalar value. Returns the units read and the
/// bytes written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf32_to_utf8(src: &[u32], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() <= FEW {
        return avx2::utf32_to_utf8::utf32_to_utf8(src, dst);
    }
    let (mut read, mut written) = (0, 0);
    while let ([a, b, after @ ..], _) = src[read..].as_chunks()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 2 * LANES }>()
    {
        let (a, b) = (load(a), load(b));
        let front = _mm512_or_si512(a, b);
        if let [c, d, ..] = after {
            let (c, d) = (load(c), load(d));
            let all = _mm512_or_si512(front, _mm512_or_si512(c, d));
            if !any(all, !0x7F) {
                if let Some(to) = to.first_chunk_mut() {
                    store(to, narrow([a, b, c, d]));
                }
                read += 4 * UNITS;
                written += 4 * UNITS;
                continue;
            }
        }
        let bytes = if !any(front, !0xFFFF) {
            up_to_three_bytes(to_units(a, b), to)
        } else if are_scalars(a, b) {
            Some(any_length(a, b, to))
        } else {
            None
        };
        let Some(bytes) = bytes else {
            break;
        };
        written += bytes;
        read += 2 * UNITS;
    }
    while read < src.len() {
        let (from, to) = (&src[read..], &mut dst[written..]);
        let len = from.len().min(UNITS);
        let chars = load_front(from);
        if !are_scalars(chars, chars) {
            break;
        }
        let block = to_utf8(chars);
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
    let rest = scalar::utf32::utf32_to_utf8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Writes 32 code units that are no surrogates, and returns the bytes they take.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn up_to_three_bytes(units: __m512i, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let longer = _mm512_test_epi16_mask(units, splat(0xFF80));
    let three = _mm512_test_epi16_mask(units, splat(0xF800));
    let last = last(units);
    let bytes = 2 * UNITS + (longer.count_ones() + three.count_ones()) as usize;
    let fits = if three == 0 {
        pack_1_2::<false>(last, longer, bytes, to)
    } else {
        let from_d800 = _mm512_sub_epi16(units, splat(0xD800));
        if _mm512_cmplt_epu16_mask(from_d800, splat(0x800)) != 0 {
            false
        } else if three == u32::MAX {
            all_three(first(units), last, to)
        } else {
            up_to_three::<false>([first(units), last], [longer, three], bytes, to)
        }
    };
    fits.then_some(bytes)
}

/// Writes 32 scalar values, and returns the bytes they take.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn any_length(a: __m512i, b: __m512i, to: &mut [MaybeUninit<u8>; 2 * LANES]) -> usize {
    let mut at = 0;
    for chars in [a, b] {
        let block = to_utf8(chars);
        if let Some(to) = to[at..].first_chunk_mut() {
            store_block(&block, to);
        }
        at += UNITS + block.longer.count_ones() as usize;
    }
    at
}

/// The lanes that are no ASCII.
#[inline]
#[target_feature(enable = "avx512f")]
fn from_80(chars: __m512i) -> __mmask16 {
    _mm512_cmpge_epu32_mask(chars, _mm512_set1_epi32(0x80))
}

/// Sixteen scalar values as UTF-8.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
fn to_utf8(chars: __m512i) -> Block {
    let all = |bits: u32| _mm512_set1_epi32(bits.cast_signed());
    let two = from_80(chars);
    let three = _mm512_cmpge_epu32_mask(chars, all(0x800));
    let four = _mm512_cmpge_epu32_mask(chars, all(0x1_0000));
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
    Block {
        lanes: _mm512_or_si512(bits, marks),
        longer: u64::from(two) | u64::from(three) << 16 | u64::from(four) << 32,
    }
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
