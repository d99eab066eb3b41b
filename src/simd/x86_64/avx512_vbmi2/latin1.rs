//! Latin-1 to and from UTF-8 for AVX-512 with VBMI2: bytes are moved apart by an expansion, and together by a
//! compression, wherever the non-ASCII bytes are.
//!
//! Port 5 limits both directions: an expansion or a compression takes two of its cycles, and each comparison,
//! permutation and mask from a general register takes one. So if few bytes are not ASCII, one expansion
//! writes up to 64 bytes of UTF-8, instead of the UTF-8 of 32 bytes of Latin-1.

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_cmpeq_epi8_mask, _mm512_mask_add_epi8, _mm512_mask_blend_epi8,
    _mm512_mask_cmpge_epu8_mask, _mm512_mask_expand_epi8, _mm512_mask_sub_epi8,
    _mm512_maskz_compress_epi8, _mm512_maskz_expand_epi8, _mm512_movepi8_mask,
    _mm512_permutexvar_epi8, _mm512_set1_epi8, _mm512_shuffle_i64x2, _mm512_srli_epi16,
    _mm512_ternarylogic_epi32, _mm512_test_epi8_mask, _mm512_xor_si512, _pdep_u64, _pext_u64,
};
use core::mem::MaybeUninit;

use crate::simd::scalar;
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::avx512::{LANES, lanes_below, load, load_front, store, store_front};

/// The maximum number of non-ASCII bytes in a vector that is not dense.
const MAX_SPARSE: usize = 4;

/// Texts of up to this many bytes are too short for masked loads and stores to pay.
const SHORT: usize = 32;

/// The even bits.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// Converts Latin-1. Stops only if the next character does not fit. Returns the number of bytes read and
/// written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() <= SHORT {
        return avx2::latin1::latin1_to_utf8(src, dst);
    }
    wide_latin1_to_utf8(src, dst)
}

/// Converts text longer than [`SHORT`].
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn wide_latin1_to_utf8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    // Many texts begin with a long run of ASCII, or are all ASCII. This is not part of the loop, which has
    // more to keep in registers: there it would cost more than it saves.
    let mut read = avx2::latin1::ascii_run(src, dst);
    let mut written = read;
    while let Some(from) = src[read..].first_chunk()
        && let Some(to) = dst[written..].first_chunk_mut()
    {
        let bytes = load(from);
        let high = _mm512_movepi8_mask(bytes);
        if high == 0 {
            store(to, bytes);
            read += LANES;
            written += LANES;
            continue;
        }
        let few = high & (u64::MAX >> MAX_SPARSE);
        let count = few.count_ones() as usize;
        if count > MAX_SPARSE {
            let chars = Chars::of(high);
            store(to, to_utf8(bytes, chars.lower));
            read += LANES / 2;
            written += chars.lower_len;
            continue;
        }
        // The `k`-th non-ASCII byte, counted from 0, moves up by `k`.
        let first = few & few.wrapping_sub(1);
        let second = first & first.wrapping_sub(1);
        let third = second & second.wrapping_sub(1);
        let leads = few
            .wrapping_add(first)
            .wrapping_add(second << 1)
            .wrapping_add(third << 2);
        let top = _mm512_mask_cmpge_epu8_mask(u64::MAX >> MAX_SPARSE, bytes, splat(0xC0));
        let text = if top == few {
            // All lead bytes are C3, as in most text: 80 to BF are only signs.
            let bytes = _mm512_mask_sub_epi8(bytes, top, bytes, splat(0x40));
            _mm512_mask_expand_epi8(splat(0xC3), !leads, bytes)
        } else {
            to_utf8(bytes, !leads)
        };
        store(to, text);
        read += LANES - MAX_SPARSE;
        written += LANES - MAX_SPARSE + count;
    }
    while read < src.len() {
        let (from, to) = (&src[read..], &mut dst[written..]);
        let bytes = load_front(from);
        let high = _mm512_movepi8_mask(bytes);
        let len = from.len().min(LANES);
        let len_written = len + high.count_ones() as usize;
        if len_written > to.len() {
            break;
        }
        if high == 0 {
            store_front(to, bytes);
        } else {
            let chars = Chars::of(high);
            if len_written < LANES {
                store_front(to, to_utf8(bytes, chars.all));
            } else {
                store_front(to, to_utf8(bytes, chars.lower));
                let upper = _mm512_shuffle_i64x2::<0b11_10>(bytes, bytes);
                let to = to.get_mut(chars.lower_len..).unwrap_or_default();
                store_front(to, to_utf8(upper, chars.upper));
            }
        }
        read += len;
        written += len_written;
    }
    if read == src.len() {
        return (read, written);
    }
    let rest = scalar::latin1::latin1_to_utf8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Where the characters of 64 bytes of Latin-1 end in UTF-8.
struct Chars {
    /// All of them, as far as 64 bits reach. Valid only if the lower half has fewer than 64 bytes in UTF-8.
    all: u64,
    lower: u64,
    upper: u64,
    /// The length of the lower half in UTF-8, in bytes.
    lower_len: usize,
}

impl Chars {
    /// `high` is a mask of the non-ASCII bytes.
    #[inline]
    #[target_feature(enable = "popcnt,bmi1,bmi2")]
    fn of(high: __mmask64) -> Self {
        // Two places per character; that of the lead byte is left out if there is none.
        let lower = _pdep_u64(high, EVEN) | !EVEN;
        let upper = _pdep_u64(high >> 32, EVEN) | !EVEN;
        let lower_len = lower.count_ones();
        let lower = _pext_u64(!EVEN, lower);
        let upper = _pext_u64(!EVEN, upper);
        Chars {
            all: lower | upper.wrapping_shl(lower_len),
            lower,
            upper,
            lower_len: lower_len as usize,
        }
    }
}

/// Returns up to 64 bytes of UTF-8 for Latin-1; characters end at `places`.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn to_utf8(bytes: __m512i, places: u64) -> __m512i {
    let bytes = _mm512_maskz_expand_epi8(places, bytes);
    let next = _mm512_permutexvar_epi8(load(&NEXT), bytes);
    // C2 or C3: C0, and the upper two bits of the next byte.
    let next = _mm512_srli_epi16::<6>(next);
    let lead = _mm512_ternarylogic_epi32::<0xF8>(splat(0xC0), next, splat(0x03));
    // Clears bit 6 of bytes whose bit 7 is set.
    let bit_7 = _mm512_srli_epi16::<1>(bytes);
    let last = _mm512_ternarylogic_epi32::<0x70>(bytes, bit_7, splat(0x40));
    _mm512_mask_blend_epi8(places, lead, last)
}

/// Each lane takes the one after it.
static NEXT: [u8; LANES] = {
    let mut lanes = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        lanes[lane] = lane as u8 + 1;
        lane += 1;
    }
    lanes
};

/// Converts UTF-8 up to the first character above U+00FF or the first malformed byte, as far as there is
/// room. Returns the number of bytes read and written.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    if src.len() <= SHORT {
        return avx2::latin1::utf8_to_latin1(src, dst);
    }
    wide_utf8_to_latin1(src, dst)
}

/// Converts text longer than [`SHORT`].
#[inline(never)]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn wide_utf8_to_latin1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    // Many texts begin with a long run of ASCII, or are all ASCII. This is not part of the loop, which has
    // more to keep in registers: there it would cost more than it saves.
    let mut read = avx2::latin1::ascii_run(src, dst);
    let mut written = read;
    // Whether the previous byte is a lead byte: 0 or 1.
    let mut carry = 0;
    // The position to stop at.
    let mut end = src.len();
    while read < end && written < dst.len() {
        // Vectors need the byte before them.
        while read > 0
            && let Some(from) = src[read - 1..].first_chunk::<{ LANES + 1 }>()
            && let Some(to) = dst[written..].first_chunk_mut()
            && let (Some(before), Some(bytes)) = (from.first_chunk(), from.last_chunk())
        {
            let bytes = load(bytes);
            let high = _mm512_movepi8_mask(bytes);
            if high | carry == 0 {
                store(to, bytes);
                read += LANES;
                written += LANES;
                continue;
            }
            let others = no_leads(bytes);
            // Of the bytes that are not lead bytes, exactly those after lead bytes must be non-ASCII, and all
            // must be below C0.
            let top = _mm512_mask_cmpge_epu8_mask(others, bytes, splat(0xC0));
            if (high & others) ^ (!others << 1 | carry) | top != 0 {
                break;
            }
            let after_c3 = _mm512_cmpeq_epi8_mask(load(before), splat(0xC3));
            store(
                to,
                _mm512_maskz_compress_epi8(others, joined(bytes, after_c3)),
            );
            carry = !others >> 63;
            read += LANES;
            written += others.count_ones() as usize;
        }
        let to = &mut dst[written..];
        let len = (end - read).min(to.len()).min(LANES);
        if len == 0 {
            break;
        }
        let bytes = load_front(&src[read..read + len]);
        let high = _mm512_movepi8_mask(bytes);
        if high | carry == 0 {
            store_front(to, bytes);
            read += len;
            written += len;
            continue;
        }
        let inside = lanes_below(len);
        let others = no_leads(bytes);
        let top = _mm512_mask_cmpge_epu8_mask(others, bytes, splat(0xC0));
        let wrong = ((high & others) ^ (!others << 1 | carry) | top) & inside;
        if wrong != 0 {
            // Runs again, up to the malformed byte.
            end = read + wrong.trailing_zeros() as usize;
            continue;
        }
        // Whether the previous byte is C3.
        let c3 = match read.checked_sub(1).and_then(|before| src.get(before)) {
            Some(0xC3) => 1,
            _ => 0,
        };
        let after_c3 = _mm512_cmpeq_epi8_mask(bytes, splat(0xC3)) << 1 | c3;
        let ends = others & inside;
        store_front(
            to,
            _mm512_maskz_compress_epi8(ends, joined(bytes, after_c3)),
        );
        carry = !others >> (len - 1) & 1;
        read += len;
        written += ends.count_ones() as usize;
    }
    // A lead byte at the end was not written.
    (read - carry as usize, written)
}

/// Returns a mask of the bytes that are not C2 or C3.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn no_leads(bytes: __m512i) -> __mmask64 {
    _mm512_test_epi8_mask(_mm512_xor_si512(bytes, splat(0xC2)), splat(0xFE))
}

/// Returns the bytes, with each byte after C3 replaced by the character that the two encode.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn joined(bytes: __m512i, after_c3: __mmask64) -> __m512i {
    // After C3, the bytes 80 to BF stand for C0 to FF.
    _mm512_mask_add_epi8(bytes, after_c3, bytes, splat(0x40))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}
