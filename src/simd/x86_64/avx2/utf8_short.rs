//! UTF-8 of at most 16 bytes to UTF-16, with half the work of a vector of 32 bytes and without a copy through
//! memory. Also used with AVX-512.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::store;
use super::utf8_blocks::{front_word, packed, store_window, widen_ends};
use crate::simd::generic::utf8_errors::TWO_CONTINUATIONS;
use crate::simd::generic::utf8_units::FAULTS_BY_HALF;
use crate::simd::x86_64::sse4;

/// The maximum number of bytes of a text that is converted this way.
pub(in crate::simd::x86_64) const MAX_SHORT: usize = 16;

/// Room for the code units of that many bytes, as bytes.
type RoomOfShort = [MaybeUninit<u8>; 2 * MAX_SHORT];

/// The words of a short text, and a mask of those that are a code unit.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct ShortUnits {
    pub(in crate::simd::x86_64) words: [__m128i; 2],
    pub(in crate::simd::x86_64) ends: u32,
}

/// Converts all of a well-formed input of at most 16 bytes, if the output fits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(super) fn try_short(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let x = load_short(src);
    if is_ascii(x) {
        return widen_short(src, x, dst);
    }
    write_short(dst, short_units(x, src.len())?)
}

/// Loads at most 16 bytes, followed by zeros.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_short(src: &[u8]) -> __m128i {
    let Some(last) = src.last_chunk() else {
        return _mm_cvtsi64_si128(front_word(src).cast_signed());
    };
    // Whole dwords, and then one dword with the up to three bytes after them, so that texts of slightly
    // different lengths take the same branches.
    let dwords = _mm_set1_epi32((src.len().min(MAX_SHORT) / 4) as i32);
    let lanes = _mm_setr_epi32(0, 1, 2, 3);
    let inside = _mm_cmpgt_epi32(dwords, lanes);
    // SAFETY: dwords that are not entirely in the slice are masked off, and masked-off dwords are not read.
    let front = unsafe { _mm_maskload_epi32(src.as_ptr().cast(), inside) };
    let shift = 8 * (4 - src.len() % 4);
    let rest = (u64::from(u32::from_le_bytes(*last)) >> shift) as u32;
    let rest = _mm_set1_epi32(rest.cast_signed());
    _mm_or_si128(front, _mm_and_si128(rest, _mm_cmpeq_epi32(dwords, lanes)))
}

#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn is_ascii(x: __m128i) -> bool {
    _mm_movemask_epi8(x) == 0
}

/// Writes the ASCII bytes of `src`, which are also in `x`, as code units, if there is room.
#[inline]
#[target_feature(enable = "avx2")]
pub(in crate::simd::x86_64) fn widen_short(
    src: &[u8],
    x: __m128i,
    dst: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    if let Some(to) = dst.first_chunk_mut::<{ 2 * MAX_SHORT }>() {
        store(to, _mm256_cvtepu8_epi16(x));
    } else {
        widen_ends(dst.get_mut(..2 * src.len())?, src);
    }
    Some(src.len())
}

/// Returns the code units of at most 16 bytes, if they are well-formed. `x` has zeros after them.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd::x86_64) fn short_units(x: __m128i, len: usize) -> Option<ShortUnits> {
    /// The highest byte in each position that does not start a character which is cut by the end.
    const WHOLE: [u8; MAX_SHORT] = {
        let mut most = [0xFF; MAX_SHORT];
        [
            most[MAX_SHORT - 3],
            most[MAX_SHORT - 2],
            most[MAX_SHORT - 1],
        ] = [0xEF, 0xDF, 0xBF];
        most
    };
    let bytes = |byte: u8| _mm_set1_epi8(byte.cast_signed());
    let zero = _mm_setzero_si128();
    let [p1, p2, p3] = [
        _mm_slli_si128::<1>(x),
        _mm_slli_si128::<2>(x),
        _mm_slli_si128::<3>(x),
    ];

    let half = bytes(0x0F);
    let high = |x| _mm_and_si128(_mm_srli_epi16::<4>(x), half);
    let row = |row: usize| sse4::load(&FAULTS_BY_HALF[row]);
    let faults = _mm_and_si128(
        _mm_and_si128(
            _mm_shuffle_epi8(row(0), high(p1)),
            _mm_shuffle_epi8(row(1), _mm_and_si128(p1, half)),
        ),
        _mm_shuffle_epi8(row(2), high(x)),
    );
    let third = _mm_subs_epu8(p2, bytes(0xE0 - 0x80));
    let fourth = _mm_subs_epu8(p3, bytes(0xF0 - 0x80));
    let due = _mm_and_si128(_mm_or_si128(third, fourth), bytes(TWO_CONTINUATIONS));
    let wrong = _mm_or_si128(
        _mm_xor_si128(due, faults),
        _mm_subs_epu8(x, sse4::load(&WHOLE)),
    );
    if _mm_testz_si128(wrong, wrong) == 0 {
        return None;
    }

    let mask = |x| _mm_movemask_epi8(x).cast_unsigned();
    let continuations = mask(_mm_cmpgt_epi8(bytes(0xC0), x));
    let mut ends = _bzhi_u32(!(continuations >> 1), len as u32);
    // As in `generic/utf8_units.rs`.
    let before = _mm_sub_epi8(p1, bytes(0xC0 - 2));
    let before = _mm_and_si128(before, _mm_cmpgt_epi8(zero, x));
    let lead = _mm_subs_epu8(p2, bytes(0xE0 - 1));
    let weights = _mm_set1_epi16(64 << 8 | 1);
    let mut words = [
        _mm_add_epi16(
            _mm_maddubs_epi16(weights, _mm_unpacklo_epi8(x, before)),
            _mm_slli_epi16::<4>(_mm_unpacklo_epi8(zero, lead)),
        ),
        _mm_add_epi16(
            _mm_maddubs_epi16(weights, _mm_unpackhi_epi8(x, before)),
            _mm_slli_epi16::<4>(_mm_unpackhi_epi8(zero, lead)),
        ),
    ];
    let thirds = _mm_cmpeq_epi8(_mm_max_epu8(p2, bytes(0xF0)), p2);
    if mask(thirds) != 0 {
        ends |= mask(thirds);
        let fourths = _mm_slli_si128::<1>(thirds);
        words = [
            surrogates(
                words[0],
                _mm_unpacklo_epi8(thirds, thirds),
                _mm_unpacklo_epi8(fourths, fourths),
            ),
            surrogates(
                words[1],
                _mm_unpackhi_epi8(thirds, thirds),
                _mm_unpackhi_epi8(fourths, fourths),
            ),
        ];
    }
    Some(ShortUnits { words, ends })
}

/// Turns the words at the `third` and `fourth` bytes of four-byte characters into surrogates.
#[inline]
#[target_feature(enable = "avx2")]
fn surrogates(words: __m128i, third: __m128i, fourth: __m128i) -> __m128i {
    let lead = _mm_set1_epi16(0xD7C0_u16.cast_signed());
    let trail = _mm_set1_epi16(0xDC00_u16.cast_signed());
    let leads = _mm_add_epi16(_mm_srli_epi16::<4>(words), lead);
    let trails = _mm_or_si128(_mm_and_si128(words, _mm_set1_epi16(0x3FF)), trail);
    _mm_blendv_epi8(_mm_blendv_epi8(words, leads, third), trails, fourth)
}

/// Writes the units, if there is room, and returns their number.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd::x86_64) fn write_short(
    dst: &mut [MaybeUninit<u8>],
    units: ShortUnits,
) -> Option<usize> {
    let len = units.ends.count_ones() as usize;
    match dst.first_chunk_mut() {
        Some(to) => write_both(to, units),
        None => write_exactly(dst.get_mut(..2 * len)?, units),
    }
    Some(len)
}

/// Fills `to`, which has less room than all words take. Nothing goes through memory: reading what was just written
/// would take as long as all the rest.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn write_exactly(to: &mut [MaybeUninit<u8>], ShortUnits { words, ends }: ShortUnits) {
    /// Bytes from `16 - n` on move those of a vector up by `n`, and bytes from `16 + n` on move them down.
    const MOVES: [u8; 48] = {
        let mut moves = [0x80; 48];
        let mut i = 0;
        while i < 16 {
            moves[16 + i] = i as u8;
            i += 1;
        }
        moves
    };
    let row = |at: usize| match MOVES[at..].first_chunk() {
        Some(row) => sse4::load(row),
        None => _mm_setzero_si128(),
    };
    let (low, high) = (ends as u8, (ends >> 8) as u8);
    let [low_len, len] = [low, high].map(|ends| 2 * ends.count_ones() as usize);
    let len = low_len + len;
    debug_assert_eq!(to.len(), len);
    // Zeros follow the units of both.
    let low = packed(words[0], low);
    let high = packed(words[1], high);
    if len >= 16 {
        if let Some(to) = to.first_chunk_mut() {
            store_window(to, low);
        }
        let both = _mm_or_si128(
            _mm_shuffle_epi8(low, row(len)),
            _mm_shuffle_epi8(high, row(len - low_len)),
        );
        if let Some(to) = to.last_chunk_mut() {
            store_window(to, both);
        }
        return;
    }
    let both = _mm_or_si128(low, _mm_shuffle_epi8(high, row(16 - low_len)));
    let last = _mm_shuffle_epi8(both, row(8 + len));
    let first = _mm_cvtsi128_si64(both).to_le_bytes().map(MaybeUninit::new);
    let last = _mm_cvtsi128_si64(last).to_le_bytes().map(MaybeUninit::new);
    if len >= 8 {
        if let Some(to) = to.first_chunk_mut() {
            *to = first;
        }
        if let Some(to) = to.last_chunk_mut() {
            *to = last;
        }
    } else {
        for (to, byte) in to.iter_mut().zip(first).take(6) {
            *to = byte;
        }
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn write_both(to: &mut RoomOfShort, ShortUnits { words, ends }: ShortUnits) {
    let (low, high) = (ends as u8, (ends >> 8) as u8);
    if let Some(to) = to.first_chunk_mut() {
        store_window(to, packed(words[0], low));
    }
    let after = 2 * low.count_ones() as usize;
    let room = to.get_mut(after..).and_then(|to| to.first_chunk_mut());
    debug_assert!(room.is_some(), "a block fits");
    if let Some(to) = room {
        store_window(to, packed(words[1], high));
    }
}
