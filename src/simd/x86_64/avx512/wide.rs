//! Vectors of 64 bytes for AVX-512.

use core::arch::x86_64::{
    __m128i, __m512i, _mm_cvtsi32_si128, _mm512_alignr_epi8, _mm512_alignr_epi64, _mm512_and_si512,
    _mm512_cmpge_epu8_mask, _mm512_cmplt_epi8_mask, _mm512_cvtepu8_epi16,
    _mm512_extracti32x4_epi32, _mm512_mask_blend_epi8, _mm512_maskz_loadu_epi8,
    _mm512_maskz_mov_epi8, _mm512_movepi8_mask, _mm512_or_si512, _mm512_set1_epi8,
    _mm512_setzero_si512, _mm512_shuffle_epi8, _mm512_sll_epi16, _mm512_slli_epi16,
    _mm512_srl_epi16, _mm512_subs_epu8, _mm512_test_epi8_mask, _mm512_unpackhi_epi8,
    _mm512_unpacklo_epi8, _mm512_xor_si512,
};
use core::mem::MaybeUninit;

use super::{LANES, broadcast, halves, lanes_below, load, load_front, store, store_front};
use crate::simd::x86_64::avx2;
use crate::simd::x86_64::wide::{BEFORE, BLOCK, Units, Views, Wide};

/// The proof that the processor has AVX-512 F, BW, DQ and VL, and what AVX2 comes with.
#[derive(Clone, Copy)]
pub(in crate::simd::x86_64) struct Avx512(());

impl Avx512 {
    #[inline]
    #[target_feature(enable = "avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
    pub(in crate::simd::x86_64) fn here() -> Self {
        Avx512(())
    }
}

/// Where a byte is at least `least`.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn at_least(v: __m512i, least: u8) -> u64 {
    _mm512_cmpge_epu8_mask(v, bytes(least))
}

#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn bytes(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn continuations(v: __m512i) -> u64 {
    _mm512_cmplt_epi8_mask(v, bytes(0xC0))
}

/// The bytes moved up by 1, 2, 3 and 4, after zeros.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn shifted(x: __m512i) -> [__m512i; BEFORE] {
    let before = _mm512_alignr_epi64::<6>(x, _mm512_setzero_si512());
    [
        _mm512_alignr_epi8::<15>(x, before),
        _mm512_alignr_epi8::<14>(x, before),
        _mm512_alignr_epi8::<13>(x, before),
        _mm512_alignr_epi8::<12>(x, before),
    ]
}

/// The bytes 1, 2, 3 and 4 before those from `at` on, and zeros where there are none.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl,bmi2")]
fn views_before(src: &[u8], at: usize) -> [__m512i; BEFORE] {
    [1, 2, 3, 4].map(|back: usize| {
        let inside = lanes_below(src.len() - at + back) & !0 << back.saturating_sub(at);
        let from = src.as_ptr().wrapping_add(at).wrapping_sub(back);
        // SAFETY: the mask has no lanes before the front of the slice and none after its end.
        unsafe { _mm512_maskz_loadu_epi8(inside, from.cast()) }
    })
}

/// Words in the order of bytes wanted.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn word<const BE: bool>(words: __m512i) -> __m512i {
    if BE {
        _mm512_slli_epi16::<8>(words)
    } else {
        words
    }
}

/// Writes ASCII bytes as units.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn widen<const BE: bool>(to: &mut Units, bytes: __m512i) {
    let (vectors, _) = to.as_chunks_mut::<LANES>();
    for (to, half) in vectors.iter_mut().zip(halves(bytes)) {
        store(to, word::<BE>(_mm512_cvtepu8_epi16(half)));
    }
}

/// Writes ASCII bytes as units, as many as `to` has room for.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl,bmi2")]
pub(in crate::simd::x86_64) fn widen_exactly<const BE: bool>(
    to: &mut [MaybeUninit<u8>],
    x: __m512i,
) {
    let (to, rest) = to.split_at_mut(LANES.min(to.len()));
    let [lower, upper] = halves(x);
    store_front(to, word::<BE>(_mm512_cvtepu8_epi16(lower)));
    if !rest.is_empty() {
        store_front(rest, word::<BE>(_mm512_cvtepu8_epi16(upper)));
    }
}

/// Widens the blocks in front that are ASCII; of many, most at aligned places.
#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn ascii_blocks<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    /// So much is worth aligned stores.
    const MANY: usize = 8 * LANES;
    let mut len = unaligned_ascii_blocks::<BE>(&src[..MANY.min(src.len())], dst);
    if len == MANY {
        len += long_ascii::<BE>(&src[MANY..], &mut dst[2 * MANY..]);
    }
    len
}

/// Widens the blocks in front that are ASCII, with aligned stores.
#[inline(never)]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
fn long_ascii<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    avx2::utf8_blocks::ascii_blocks::<BE>(src, dst)
}

#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
fn unaligned_ascii_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (blocks, _) = src.as_chunks::<LANES>();
    let (rooms, _) = dst.as_chunks_mut::<{ 2 * LANES }>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        if _mm512_movepi8_mask(load(block)) != 0 {
            break;
        }
        let (quarters, _) = block.as_chunks::<16>();
        let (to, _) = to.as_chunks_mut::<32>();
        for (to, quarter) in to.iter_mut().zip(quarters) {
            avx2::utf8_blocks::widen::<BE>(to, quarter);
        }
        len += LANES;
    }
    len
}

#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
fn shl<const BITS: i32>(v: __m512i) -> __m512i {
    _mm512_sll_epi16(v, _mm_cvtsi32_si128(BITS))
}

#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
fn shr<const BITS: i32>(v: __m512i) -> __m512i {
    _mm512_srl_epi16(v, _mm_cvtsi32_si128(BITS))
}

#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
fn interleave(a: __m512i, b: __m512i) -> [__m512i; 2] {
    [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)]
}

#[inline]
#[target_feature(enable = "avx512bw,avx512dq,avx512vl")]
fn quarters(v: __m512i) -> [__m128i; 4] {
    [
        _mm512_extracti32x4_epi32::<0>(v),
        _mm512_extracti32x4_epi32::<1>(v),
        _mm512_extracti32x4_epi32::<2>(v),
        _mm512_extracti32x4_epi32::<3>(v),
    ]
}

// SAFETY: the only way to an `Avx512` is `Avx512::here`, which safe code calls only where the features
// are enabled that the methods use.
unsafe impl Wide for Avx512 {
    type V = __m512i;

    const TAKES_THREES_AT_ONCE: bool = false;

    #[inline(always)]
    fn load(self, from: &[u8; BLOCK]) -> __m512i {
        // SAFETY: `self` is the proof of AVX-512, and so in all methods.
        unsafe { load(from) }
    }

    #[inline(always)]
    fn load_front(self, from: &[u8]) -> __m512i {
        // SAFETY: as above.
        unsafe { load_front(from) }
    }

    #[inline(always)]
    fn views(self, src: &[u8], at: usize) -> Views<__m512i> {
        let x = self.load_front(&src[at..]);
        if at == 0 {
            return self.views_after_zeros(x);
        }
        // SAFETY: as above.
        let before = unsafe { views_before(src, at) };
        Views { x, before }
    }

    #[inline(always)]
    fn views_after_zeros(self, x: __m512i) -> Views<__m512i> {
        // SAFETY: as above.
        let before = unsafe { shifted(x) };
        Views { x, before }
    }

    #[inline(always)]
    fn splat_u8(self, byte: u8) -> __m512i {
        // SAFETY: as above.
        unsafe { bytes(byte) }
    }

    #[inline(always)]
    fn table(self, table: &[u8; 16]) -> __m512i {
        // SAFETY: as above.
        unsafe { broadcast(table) }
    }

    #[inline(always)]
    fn look_up(self, table: __m512i, indices: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_shuffle_epi8(table, indices) }
    }

    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_and_si512(a, b) }
    }

    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_or_si512(a, b) }
    }

    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_xor_si512(a, b) }
    }

    #[inline(always)]
    fn saturating_sub_u8(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_subs_epu8(a, b) }
    }

    #[inline(always)]
    fn shl_u16<const BITS: i32>(self, v: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { shl::<BITS>(v) }
    }

    #[inline(always)]
    fn shr_u16<const BITS: i32>(self, v: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { shr::<BITS>(v) }
    }

    #[inline(always)]
    fn interleave_u8(self, a: __m512i, b: __m512i) -> [__m512i; 2] {
        // SAFETY: as above.
        unsafe { interleave(a, b) }
    }

    #[inline(always)]
    fn not_ascii(self, v: __m512i) -> u64 {
        // SAFETY: as above.
        unsafe { _mm512_movepi8_mask(v) }
    }

    #[inline(always)]
    fn is_ascii(self, v: __m512i) -> bool {
        // SAFETY: as above.
        unsafe { _mm512_movepi8_mask(v) == 0 }
    }

    #[inline(always)]
    fn continuations(self, v: __m512i) -> u64 {
        // SAFETY: as above.
        unsafe { continuations(v) }
    }

    #[inline(always)]
    fn any_at_least(self, v: __m512i, least: u8) -> bool {
        // SAFETY: as above.
        unsafe { at_least(v, least) != 0 }
    }

    #[inline(always)]
    fn not_zero(self, v: __m512i) -> u64 {
        // SAFETY: as above.
        unsafe { _mm512_test_epi8_mask(v, v) }
    }

    #[inline(always)]
    fn is_zero(self, v: __m512i) -> bool {
        // SAFETY: as above.
        unsafe { _mm512_test_epi8_mask(v, v) == 0 }
    }

    #[inline(always)]
    fn keep_where_not_ascii(self, v: __m512i, of: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_maskz_mov_epi8(self.not_ascii(of), v) }
    }

    #[inline(always)]
    fn select_where_not_ascii(self, of: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: as above.
        unsafe { _mm512_mask_blend_epi8(self.not_ascii(of), b, a) }
    }

    #[inline(always)]
    fn quarters(self, v: __m512i) -> [__m128i; 4] {
        // SAFETY: as above.
        unsafe { quarters(v) }
    }
}
