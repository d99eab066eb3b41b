//! Single-byte encodings to UTF-16 with AVX-512 VBMI and VBMI2: 64 characters at a time. The upper half of an
//! encoding's table has 128 entries, which take two registers, a *plane*, for each byte of an entry: here planes of the
//! low and the high bytes of code units.
//!
//! ```text
//! bytes                41        C4        42   ...   64 bytes, their eighths in the order 0 4 1 5 2 6 3 7
//! upper                0         1         0          a bit for each that is 80 or more
//! low plane at `upper` 41        14        42         ASCII stays as it is
//! high plane           00        04        00         0 for ASCII
//! interleaved          41 00     14 04     42 00      low half, and high half
//! ```
//!
//! The unpacks work within each 16 bytes, which the order of the eighths compensates for. A byte is unmapped if
//! both planes have 0 for it.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use crate::simd::single_byte::SingleByteToUtf16;
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::avx512::{LANES, load, load_front, store, store_front};

/// 128 bytes, which are indexed by the low seven bits of a byte.
pub(super) type Plane = [__m512i; 2];

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn plane(bytes: &[u8; 2 * LANES]) -> Plane {
    let (halves, _) = bytes.as_chunks::<LANES>();
    [load(&halves[0]), load(&halves[1])]
}

/// Looks up the bytes in `lanes`; the others stay unchanged.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn look_up_in(plane: Plane, lanes: __mmask64, bytes: __m512i) -> __m512i {
    _mm512_mask2_permutex2var_epi8(plane[0], bytes, lanes, plane[1])
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn look_up(plane: Plane, bytes: __m512i) -> __m512i {
    _mm512_permutex2var_epi8(plane[0], bytes, plane[1])
}

/// Puts the bytes into the order from which `interleave` restores the original one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn fix_lane_order(bytes: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 4, 1, 5, 2, 6, 3, 7), bytes)
}

/// Takes bytes from the two vectors in turn.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
pub(super) fn interleave(first: __m512i, second: __m512i) -> [__m512i; 2] {
    [
        _mm512_unpacklo_epi8(first, second),
        _mm512_unpackhi_epi8(first, second),
    ]
}

/// The planes that give the code units of 64 bytes. Those of unmapped bytes are meaningless.
struct UnitPlanes {
    low: Plane,
    high: Plane,
}

impl UnitPlanes {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn new(table: &SingleByteToUtf16) -> Self {
        UnitPlanes {
            low: plane(&table.low),
            high: plane(&table.high),
        }
    }

    /// Returns the code units, and whether a byte is unmapped.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn decode(&self, bytes: __m512i) -> ([__m512i; 2], bool) {
        let bytes = fix_lane_order(bytes);
        let upper = _mm512_movepi8_mask(bytes);
        let (low, high) = self.look_up(bytes, upper);
        let unmapped = unmapped(low, high, upper);
        (interleave(low, high), unmapped != 0)
    }

    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn look_up(&self, bytes: __m512i, upper: __mmask64) -> (__m512i, __m512i) {
        (
            look_up_in(self.low, upper, bytes),
            _mm512_maskz_permutex2var_epi8(upper, self.high[0], bytes, self.high[1]),
        )
    }

    /// Returns the number of bytes before the first unmapped one. There must be one.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
    fn first_unmapped(&self, bytes: __m512i) -> usize {
        let upper = _mm512_movepi8_mask(bytes);
        let (low, high) = self.look_up(bytes, upper);
        unmapped(low, high, upper).trailing_zeros() as usize
    }
}

/// Returns a mask of the bytes that have no code unit.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2")]
fn unmapped(low: __m512i, high: __m512i, upper: __mmask64) -> __mmask64 {
    let either = _mm512_or_si512(low, high);
    _mm512_mask_testn_epi8_mask(upper, either, either)
}

/// Decodes up to the first unmapped byte. Returns the number of code units.
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn single_byte_to_utf16(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    // All of a short text, or the bytes up to where stores are aligned.
    let front = match src.len().min(dst.len()) {
        0..MIN_ALIGNED_UNITS => 0,
        _ => dst.as_ptr().align_offset(LANES).min(LANES),
    };
    let mut done = 0;
    if front > 0 {
        done = block_to_utf16(table, &src[..front], dst);
        if done < front {
            return done;
        }
    }
    if src.len() - done >= LANES {
        let planes = UnitPlanes::new(table);
        while let Some(from) = src[done..].first_chunk::<LANES>()
            && let Some(to) = dst[done..].first_chunk_mut::<LANES>()
        {
            let bytes = load(from);
            let (units, unmapped) = planes.decode(bytes);
            let (to, _) = as_bytes(to).as_chunks_mut::<LANES>();
            for (to, units) in to.iter_mut().zip(units) {
                store(to, units);
            }
            if unmapped {
                return done + planes.first_unmapped(bytes);
            }
            done += LANES;
        }
    }
    if done == src.len() {
        return done;
    }
    done + block_to_utf16(table, &src[done..], &mut dst[done..])
}

/// The number of units for which aligned stores pay.
const MIN_ALIGNED_UNITS: usize = 1024;

/// Decodes up to 64 bytes, up to the first unmapped one. Returns the number of code units.
#[inline]
#[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
fn block_to_utf16(table: &SingleByteToUtf16, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    let count = src.len().min(dst.len()).min(LANES);
    let src = &src[..count];
    let (front, back) = dst[..count].split_at_mut(count.min(LANES / 2));
    let bytes = load_front(src);
    let mut done = count;
    let units = if _mm512_movepi8_mask(bytes) == 0 {
        interleave(fix_lane_order(bytes), _mm512_set1_epi8(0))
    } else {
        let planes = UnitPlanes::new(table);
        let (units, unmapped) = planes.decode(bytes);
        if unmapped {
            done = planes.first_unmapped(bytes);
        }
        units
    };
    store_front(as_bytes(front), units[0]);
    if !back.is_empty() {
        store_front(as_bytes(back), units[1]);
    }
    done
}
