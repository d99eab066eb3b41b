//! UTF-32 to and from UTF-16 for AVX2.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_and_si128, _mm_cmpeq_epi16, _mm_movemask_epi8, _mm_packs_epi16,
    _mm_set1_epi16, _mm_setzero_si128, _mm_shuffle_epi8, _mm256_add_epi32, _mm256_alignr_epi8,
    _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_ps, _mm256_castsi256_si128,
    _mm256_cmpeq_epi16, _mm256_cmpeq_epi32, _mm256_cmpgt_epi32, _mm256_cvtepu8_epi32,
    _mm256_cvtepu16_epi32, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_max_epu32,
    _mm256_min_epu32, _mm256_movemask_epi8, _mm256_movemask_ps, _mm256_or_si256,
    _mm256_packus_epi16, _mm256_packus_epi32, _mm256_permute2x128_si256,
    _mm256_permutevar8x32_epi32, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setr_epi32,
    _mm256_setzero_si256, _mm256_slli_epi32, _mm256_srli_epi32, _mm256_storeu_si256,
    _mm256_sub_epi32,
};
use core::mem::MaybeUninit;

use super::vector::Vectors256;
use super::{LANES, load_8};
use crate::simd::generic::narrow::bmp_to_utf16;
use crate::simd::generic::utf32::utf32_to_utf16_by;
use crate::simd::scalar;
use crate::simd::scalar::utf32::surrogate;
use crate::simd::uninit::room_at;
use crate::simd::x86_64::sse4;
use crate::simd::x86_64::utf16_units::short_to_utf32;

/// The number of UTF-32 code units in a vector.
pub(super) const UNITS: usize = 8;

/// For each set of four lanes of two code units: the shuffle that keeps the first unit of every lane, and the
/// second unit of those in the set.
static UNIT_OR_PAIR: [[u8; 16]; 16] = {
    let mut table = [[0x80; 16]; 16];
    let mut set = 0;
    while set < 16 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            let bytes = if set >> lane & 1 == 1 { 4 } else { 2 };
            let mut byte = 0;
            while byte < bytes {
                table[set][at] = 4 * lane + byte;
                at += 1;
                byte += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

/// For each set of eight lanes: the lanes that are not in it, in order, moved to the front.
pub(super) static LANES_WITHOUT: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if set >> lane & 1 == 0 {
                table[set][at] = lane;
                at += 1;
            }
            lane += 1;
        }
        set += 1;
    }
    table
};

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(from: &[u32; UNITS]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store(to: &mut [MaybeUninit<u32>; UNITS], value: __m256i) {
    // SAFETY: the array has the 32 bytes that are written; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), value) }
}

/// Narrows units of at most FF to bytes.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn narrow([a, b, c, d]: [__m256i; 4]) -> __m256i {
    let words = [_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d)];
    let bytes = _mm256_packus_epi16(words[0], words[1]);
    // The packs work within each 128-bit half: put the pieces in order.
    let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    _mm256_permutevar8x32_epi32(bytes, order)
}

/// Returns whether all units are scalar values.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn are_scalars([a, b, c, d]: [__m256i; 4]) -> bool {
    let most = _mm256_max_epu32(_mm256_max_epu32(a, b), _mm256_max_epu32(c, d));
    let [a, b, c, d] = [a, b, c, d].map(|chars| _mm256_sub_epi32(chars, _mm256_set1_epi32(0xD800)));
    let least = _mm256_min_epu32(_mm256_min_epu32(a, b), _mm256_min_epu32(c, d));
    let is_at_least = |a, b| _mm256_cmpeq_epi32(_mm256_max_epu32(a, b), a);
    let fine = _mm256_and_si256(
        is_at_least(_mm256_set1_epi32(0x10_FFFF), most),
        is_at_least(least, _mm256_set1_epi32(0x800)),
    );
    _mm256_movemask_epi8(fine) == -1
}

/// Converts UTF-32 up to the first unit that is not a scalar value. Returns the numbers of code units read
/// and written.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf32_to_utf16(src: &[u32], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let len = bmp_to_utf16(Vectors256::here(), src, dst);
    if len == src.len() {
        return (len, len);
    }
    let rest = any_plane_to_utf16(&src[len..], &mut dst[len..]);
    (len + rest.0, len + rest.1)
}

/// Does what [`utf32_to_utf16`] does, for text that needs more registers.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn any_plane_to_utf16(src: &[u32], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let any_plane = |from: &[u32; 2 * UNITS], to: &mut [_]| {
        let ([low, high], _) = from.as_chunks() else {
            return None;
        };
        let first = vector_to_utf16(load(low), to)?;
        Some(first + vector_to_utf16(load(high), &mut to[first..])?)
    };
    let rest = scalar::utf32::utf32_to_utf16;
    utf32_to_utf16_by(Vectors256::here(), src, dst, any_plane, rest)
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn has_surrogates(units: __m256i) -> bool {
    let top = _mm256_and_si256(units, _mm256_set1_epi16(0xF800_u16.cast_signed()));
    let is = _mm256_cmpeq_epi16(top, _mm256_set1_epi16(0xD800_u16.cast_signed()));
    _mm256_movemask_epi8(is) != 0
}

/// Writes eight scalar values and returns their length in code units; `None` if a unit is not a scalar value.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn vector_to_utf16(chars: __m256i, to: &mut [MaybeUninit<u16>]) -> Option<usize> {
    let last = _mm256_set1_epi32(0x10_FFFF);
    let top = _mm256_and_si256(chars, _mm256_set1_epi32(!0x7FF));
    let surrogate = _mm256_cmpeq_epi32(top, _mm256_set1_epi32(0xD800));
    let beyond = _mm256_max_epu32(chars, last);
    let fine = _mm256_cmpeq_epi32(beyond, last);
    if _mm256_movemask_epi8(fine) != -1 || _mm256_movemask_epi8(surrogate) != 0 {
        return None;
    }
    let pairs = _mm256_cmpgt_epi32(chars, _mm256_set1_epi32(0xFFFF));
    // D800 + (c - 10000 >> 10) in the low half, DC00 + (c & 3FF) in the high half.
    let lead = _mm256_add_epi32(_mm256_srli_epi32::<10>(chars), _mm256_set1_epi32(0xD7C0));
    let trail = _mm256_and_si256(chars, _mm256_set1_epi32(0x3FF));
    let trail = _mm256_slli_epi32::<16>(_mm256_or_si256(trail, _mm256_set1_epi32(0xDC00)));
    let units = _mm256_blendv_epi8(chars, _mm256_or_si256(lead, trail), pairs);
    let set = _mm256_movemask_ps(_mm256_castsi256_ps(pairs)).cast_unsigned() as usize;
    let (low, high) = (set & 0xF, set >> 4 & 0xF);
    let low_len = 4 + low.count_ones() as usize;
    let halves = [
        (0, _mm256_castsi256_si128(units), low),
        (low_len, _mm256_extracti128_si256::<1>(units), high),
    ];
    for (at, half, set) in halves {
        let half = _mm_shuffle_epi8(half, sse4::load(&UNIT_OR_PAIR[set]));
        if let Some(to) = room_at(to, at) {
            sse4::store_units(to, half);
        }
    }
    Some(low_len + 4 + high.count_ones() as usize)
}

/// Converts UTF-16 up to the first lone surrogate. Returns the numbers of code units read and written.
#[target_feature(enable = "avx2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_utf32(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    match short_to_utf32::<128, _>(Vectors256::here(), src, dst) {
        Some(len) => (len, len),
        None => long_to_utf32(src, dst),
    }
}

/// Does what [`utf16_to_utf32`] does, for text that is not short. A separate function, so that short text does not pay
/// for saving registers.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt")]
fn long_to_utf32(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    // Text that begins with a surrogate usually has more of them.
    let len = match src.first() {
        Some(&first) if surrogate(first) != 0 => 0,
        _ => bmp_to_utf32(src, dst),
    };
    if len == src.len() {
        return (len, len);
    }
    let rest = any_plane_to_utf32(&src[len..], &mut dst[len..]);
    (len + rest.0, len + rest.1)
}

/// Widens text up to a block that has surrogates, if there is room for all. Returns the number of units.
#[inline]
#[target_feature(enable = "avx2")]
fn bmp_to_utf32(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> usize {
    const BLOCK: usize = 4 * UNITS;
    let len = src.len();
    let Some(dst) = dst.get_mut(..len) else {
        return 0;
    };
    let done = without_surrogates(src, dst);
    // The last block overlaps the one before it.
    let last = len.saturating_sub(BLOCK);
    let is_left = (last..len).contains(&done);
    if is_left && without_surrogates(&src[last..], &mut dst[last..]) == BLOCK {
        return len;
    }
    done
}

/// Does what [`utf16_to_utf32`] does, for text that needs more registers.
#[inline(never)]
#[target_feature(enable = "avx2,popcnt")]
fn any_plane_to_utf32(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // The previous characters, and whether the last of them is a leading surrogate: 0 or 1.
    let mut before = _mm256_setzero_si256();
    let mut carry = 0;
    loop {
        let (from, to) = (&src[read..], &mut dst[written..]);
        if carry == 0
            && let Some(from) = from.first_chunk()
            && let Some(to) = to.first_chunk_mut()
            && !has_surrogates(load_units(from))
        {
            widen(from, to);
            read += 2 * UNITS;
            written += 2 * UNITS;
            let len = without_surrogates(&src[read..], &mut dst[written..]);
            read += len;
            written += len;
            continue;
        }
        let (Some(from), Some(to)) = (from.first_chunk(), to.first_chunk_mut()) else {
            break;
        };
        let units = sse4::load_units(from);
        let chars = _mm256_cvtepu16_epi32(units);
        let surrogates = lanes_with_top(units, 0xF800, 0xD800);
        if surrogates | carry == 0 {
            store(to, chars);
            read += UNITS;
            written += UNITS;
            continue;
        }
        let trails = lanes_with_top(units, 0xFC00, 0xDC00);
        let leads = surrogates & !trails;
        if (leads << 1 | carry) & 0xFF != trails {
            break;
        }
        // Each trailing surrogate is replaced by the scalar value of the pair that ends there.
        let halves = _mm256_permute2x128_si256::<0x21>(before, chars);
        let lead = _mm256_alignr_epi8::<12>(chars, halves);
        let pair = _mm256_add_epi32(_mm256_slli_epi32::<10>(lead), chars);
        let pair = _mm256_sub_epi32(pair, _mm256_set1_epi32(0x35F_DC00));
        let top = _mm256_and_si256(chars, _mm256_set1_epi32(0xFC00));
        let is_trail = _mm256_cmpeq_epi32(top, _mm256_set1_epi32(0xDC00));
        let paired = _mm256_blendv_epi8(chars, pair, is_trail);
        let kept = _mm256_cvtepu8_epi32(load_8(&LANES_WITHOUT[leads as usize]));
        store(to, _mm256_permutevar8x32_epi32(paired, kept));
        before = chars;
        carry = leads >> 7;
        read += UNITS;
        written += UNITS - leads.count_ones() as usize;
    }
    // A leading surrogate at the end of the last vector was not written.
    read -= carry as usize;
    let rest = scalar::utf32::utf16_to_utf32(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

#[inline]
#[target_feature(enable = "avx2")]
fn widen(from: &[u16; 2 * UNITS], to: &mut [MaybeUninit<u32>; 2 * UNITS]) {
    let (halves, _) = from.as_chunks();
    let (to, _) = to.as_chunks_mut();
    for (to, half) in to.iter_mut().zip(halves) {
        store(to, _mm256_cvtepu16_epi32(sse4::load_units(half)));
    }
}

/// Widens units up to the first surrogate, 32 at a time. Returns their number.
#[inline]
#[target_feature(enable = "avx2")]
fn without_surrogates(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> usize {
    /// The number of units for which aligned stores pay.
    const MIN_ALIGNED: usize = 32 * UNITS;
    let len = unaligned_without_surrogates(&src[..src.len().min(MIN_ALIGNED)], dst);
    if len < MIN_ALIGNED {
        return len;
    }
    // Goes back to an aligned address, writing a few units again.
    let len = len - dst[len..].as_ptr().addr() % 32 / 4;
    len + long_without_surrogates(&src[len..], &mut dst[len..])
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn long_without_surrogates(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> usize {
    unaligned_without_surrogates(src, dst)
}

#[inline]
#[target_feature(enable = "avx2")]
fn unaligned_without_surrogates(src: &[u16], dst: &mut [MaybeUninit<u32>]) -> usize {
    let (blocks, _) = src.as_chunks::<{ 4 * UNITS }>();
    let (rooms, _) = dst.as_chunks_mut::<{ 4 * UNITS }>();
    let mut len = 0;
    for (from, to) in blocks.iter().zip(rooms) {
        let ([low, high], _) = from.as_chunks() else {
            break;
        };
        if has_surrogates(load_units(low)) || has_surrogates(load_units(high)) {
            break;
        }
        if let ([to_low, to_high], _) = to.as_chunks_mut() {
            widen(low, to_low);
            widen(high, to_high);
        }
        len += 4 * UNITS;
    }
    len
}

/// Returns the lanes whose bits under `mask` are `top`.
#[inline]
#[target_feature(enable = "avx2")]
fn lanes_with_top(units: __m128i, mask: u16, top: u16) -> u32 {
    let bits = _mm_and_si128(units, _mm_set1_epi16(mask.cast_signed()));
    let are = _mm_cmpeq_epi16(bits, _mm_set1_epi16(top.cast_signed()));
    _mm_movemask_epi8(_mm_packs_epi16(are, _mm_setzero_si128())).cast_unsigned()
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_units(from: &[u16; LANES / 2]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read; the load needs no alignment.
    unsafe { _mm256_loadu_si256(from.as_ptr().cast()) }
}
