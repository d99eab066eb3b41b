//! Latin-1 to and from UTF-8 for AVX-512 with VBMI2: bytes are moved apart by an expansion, and
//! together by a compression, wherever those that are not ASCII stand.
//!
//! Port 5 bounds both directions: an expansion or a compression takes two of its cycles, and each
//! comparison, permutation and mask from a general register one. So one expansion writes up to 64
//! bytes of UTF-8, not what 32 bytes of Latin-1 become, and masks are compared in general registers.

use core::arch::x86_64::{
    __m512i, _mm512_cmpeq_epi8_mask, _mm512_cmpge_epu8_mask, _mm512_mask_add_epi8,
    _mm512_mask_blend_epi8, _mm512_maskz_compress_epi8, _mm512_maskz_expand_epi8,
    _mm512_maskz_loadu_epi8, _mm512_movepi8_mask, _mm512_or_si512, _mm512_permutexvar_epi8,
    _mm512_set1_epi8, _mm512_srli_epi16, _mm512_ternarylogic_epi32, _mm512_test_epi8_mask,
    _mm512_xor_si512, _pdep_u64, _pext_u64,
};
use core::mem::MaybeUninit;

use crate::simd::scalar;
use crate::simd::x86_64::avx512::{LANES, lanes_below, load, load_front, store, store_front};

/// Bytes of Latin-1 that one expansion reads where eight of them at the most are not ASCII.
const STRIDE: usize = 56;

/// Vectors that are looked at together: whether they are ASCII is to be predicted.
const AHEAD: usize = 4;

/// The even bits.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// Converts Latin-1. Stops only where the next character does not fit. Returns the bytes read and
/// the bytes written.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn latin_1_to_utf_8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(from) = src[read..].first_chunk::<{ AHEAD * LANES }>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ AHEAD * LANES }>()
    {
        if let Some(()) = copy_ascii(from, to) {
            read += AHEAD * LANES;
            written += AHEAD * LANES;
            continue;
        }
        let mut len = 0;
        for i in 0..AHEAD {
            if let Some(from) = from[STRIDE * i..].first_chunk()
                && let Some(to) = to[len..].first_chunk_mut()
            {
                let bytes = load(from);
                let chars = Chars::of(bytes);
                if chars.longer > LANES - STRIDE {
                    store(to, chars.to_utf_8(bytes, chars.lower));
                    read += LANES / 2;
                    len += chars.lower_len;
                    break;
                }
                store(to, chars.to_utf_8(bytes, chars.all));
                read += STRIDE;
                len += STRIDE + chars.longer;
            }
        }
        written += len;
    }
    while read < src.len() {
        let (from, to) = (&src[read..], &mut dst[written..]);
        let bytes = load_front(from);
        let chars = Chars::of(bytes);
        // Behind the text are zeros, of one byte each.
        let (len, padded_len, places) = if chars.longer <= LANES - STRIDE {
            (STRIDE, STRIDE + chars.longer, chars.all)
        } else {
            (LANES / 2, chars.lower_len, chars.lower)
        };
        let len_read = len.min(from.len());
        let len_written = padded_len - (len - len_read);
        if len_written > to.len() {
            break;
        }
        store_front(to, chars.to_utf_8(bytes, places));
        read += len_read;
        written += len_written;
    }
    let rest = scalar::latin_1::latin_1_to_utf_8(&src[read..], &mut dst[written..]);
    (read + rest.0, written + rest.1)
}

/// Copies vectors that are ASCII.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn copy_ascii(
    from: &[u8; AHEAD * LANES],
    to: &mut [MaybeUninit<u8>; AHEAD * LANES],
) -> Option<()> {
    let ([a, b, c, d], _) = from.as_chunks() else {
        return None;
    };
    let ([to_a, to_b, to_c, to_d], _) = to.as_chunks_mut() else {
        return None;
    };
    let (a, b, c, d) = (load(a), load(b), load(c), load(d));
    let any = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
    if _mm512_movepi8_mask(any) != 0 {
        return None;
    }
    store(to_a, a);
    store(to_b, b);
    store(to_c, c);
    store(to_d, d);
    Some(())
}

/// Where the characters of 64 bytes of Latin-1 end in UTF-8.
struct Chars {
    /// All of them, as far as 64 bits go. Holds only where there are 32 at the most in the lower
    /// half that are not ASCII.
    all: u64,
    /// The lower half of them.
    lower: u64,
    /// The length of the lower half in UTF-8.
    lower_len: usize,
    /// How many of the first [`STRIDE`] are not ASCII.
    longer: usize,
}

impl Chars {
    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
    )]
    fn of(bytes: __m512i) -> Self {
        let high = _mm512_movepi8_mask(bytes);
        // Two places for each character; the one of the lead byte is left out where there is none.
        let lower = _pdep_u64(high, EVEN) | !EVEN;
        let upper = _pdep_u64(high >> 32, EVEN) | !EVEN;
        let lower_len = lower.count_ones();
        let lower = _pext_u64(!EVEN, lower);
        let upper = _pext_u64(!EVEN, upper);
        Chars {
            all: lower | upper.wrapping_shl(lower_len),
            lower,
            lower_len: lower_len as usize,
            longer: (high << (LANES - STRIDE)).count_ones() as usize,
        }
    }

    /// Up to 64 bytes of UTF-8; characters end at `places`.
    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
    )]
    fn to_utf_8(&self, bytes: __m512i, places: u64) -> __m512i {
        let bytes = _mm512_maskz_expand_epi8(places, bytes);
        let next = _mm512_permutexvar_epi8(load(&NEXT), bytes);
        // C2 or C3: C0, and the upper two bits of the byte behind.
        let lead = _mm512_ternarylogic_epi32::<0xF8>(
            splat(0xC0),
            _mm512_srli_epi16::<6>(next),
            splat(0x03),
        );
        // Without bit 6 where bit 7 is set.
        let last = _mm512_ternarylogic_epi32::<0x70>(
            bytes,
            _mm512_srli_epi16::<1>(bytes),
            splat(0x40),
        );
        _mm512_mask_blend_epi8(places, lead, last)
    }
}

/// Each lane from the one behind it.
static NEXT: [u8; LANES] = {
    let mut lanes = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        lanes[lane] = lane as u8 + 1;
        lane += 1;
    }
    lanes
};

/// Converts UTF-8 up to the first character above U+00FF or the first byte that is malformed, as
/// far as there is room. Returns the bytes read and the bytes written.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf_8_to_latin_1(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // Whether the byte before is a lead byte: 0 or 1.
    let mut carry = 0;
    while read < src.len() && written < dst.len() {
        while let Some(from) = src[read..].first_chunk::<{ AHEAD * LANES }>()
            && let Some(to) = dst[written..].first_chunk_mut::<{ AHEAD * LANES }>()
        {
            if carry == 0
                && let Some(()) = copy_ascii(from, to)
            {
                read += AHEAD * LANES;
                written += AHEAD * LANES;
                continue;
            }
            // Vectors look at the byte before them.
            let Some(from) = read
                .checked_sub(1)
                .and_then(|before| src[before..].first_chunk::<{ AHEAD * LANES + 1 }>())
            else {
                break;
            };
            let (mut wrong, mut behind, mut len) = (0, carry, 0);
            for i in 0..AHEAD {
                if let Some(from) = from[LANES * i..].first_chunk::<{ LANES + 1 }>()
                    && let (Some(before), Some(bytes)) = (from.first_chunk(), from.last_chunk())
                    && let Some(to) = to[len..].first_chunk_mut()
                {
                    let bytes = load(bytes);
                    let sorts = Sorts::of(bytes);
                    wrong |= sorts.wrong(behind);
                    store(to, sorts.without_leads(load(before), bytes, u64::MAX));
                    behind = !sorts.others >> 63;
                    len += sorts.others.count_ones() as usize;
                }
            }
            if wrong != 0 {
                break;
            }
            carry = behind;
            read += AHEAD * LANES;
            written += len;
        }
        let (from, to) = (&src[read..], &mut dst[written..]);
        let mut len = from.len().min(to.len()).min(LANES);
        if len == 0 {
            break;
        }
        let bytes = load_front(&from[..len]);
        let sorts = Sorts::of(bytes);
        let wrong = sorts.wrong(carry) & lanes_below(len);
        len = len.min(wrong.trailing_zeros() as usize);
        let inside = lanes_below(len);
        let before = load_before(src, read, len);
        store_front(to, sorts.without_leads(before, bytes, inside));
        if len > 0 {
            carry = !sorts.others >> (len - 1) & 1;
        }
        read += len;
        written += (sorts.others & inside).count_ones() as usize;
        if wrong != 0 {
            break;
        }
    }
    // A lead byte at the end has written nothing.
    (read - carry as usize, written)
}

/// What the bytes of UTF-8 are.
struct Sorts {
    high: u64,
    /// All but C2 and C3.
    others: u64,
    /// From C0 up.
    top: u64,
}

impl Sorts {
    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
    )]
    fn of(bytes: __m512i) -> Self {
        Sorts {
            high: _mm512_movepi8_mask(bytes),
            others: _mm512_test_epi8_mask(_mm512_xor_si512(bytes, splat(0xC2)), splat(0xFE)),
            top: _mm512_cmpge_epu8_mask(bytes, splat(0xC0)),
        }
    }

    /// The bytes that are not what the one before them asks for. `carry` is 1 where one before all
    /// of them is a lead byte.
    #[inline]
    fn wrong(&self, carry: u64) -> u64 {
        let trails = !self.others << 1 | carry;
        (self.high & self.others) ^ trails | (self.top & self.others)
    }

    /// The characters that end in `inside`. `before` are the bytes before `bytes`.
    #[inline]
    #[target_feature(
        enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
    )]
    fn without_leads(&self, before: __m512i, bytes: __m512i, inside: u64) -> __m512i {
        // Behind C3 a byte from 80 to BF is one from C0 to FF.
        let behind_c3 = _mm512_cmpeq_epi8_mask(before, splat(0xC3));
        let chars = _mm512_mask_add_epi8(bytes, behind_c3, bytes, splat(0x40));
        _mm512_maskz_compress_epi8(self.others & inside, chars)
    }
}

/// The bytes before those at `at`, `len` of them. Before the first is 0.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn load_before(src: &[u8], at: usize, len: usize) -> __m512i {
    let outside = u64::from(at == 0);
    let inside = lanes_below(len.min(src.len() - at)) & !outside;
    // SAFETY: lanes outside the slice are masked off, and what is masked off is not read.
    unsafe { _mm512_maskz_loadu_epi8(inside, src.as_ptr().wrapping_add(at).wrapping_sub(1).cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splat(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}
