//! UTF-8 to UTF-32 for AVX-512 with VBMI2: the bytes of all scalar values of a block are compressed before
//! they become units.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::utf8::SixBits;
use crate::simd::generic::utf8_scalars::{Scalars, ScalarsOfBlock};
use crate::simd::generic::utf8_to_utf32::{Steps32, Units32};
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::avx512::utf8_to_utf32::UNITS;
use crate::simd::x86_64::avx512::vector::Vectors512;
use crate::simd::x86_64::avx512::{LANES, load, store, store_front};

/// For each quarter, the source lanes of its units: byte 0 from a first vector, byte 1 from a second one, and
/// byte 2 from a look-up of its own.
static UNITS_OF: [[u8; LANES]; 4] = {
    let mut rows = [[0; LANES]; 4];
    let mut unit = 0;
    while unit < LANES {
        let row = &mut rows[unit / UNITS];
        let at = 4 * (unit % UNITS);
        row[at] = unit as u8;
        row[at + 1] = (LANES + unit) as u8;
        row[at + 2] = unit as u8;
        unit += 1;
    }
    rows
};

/// Wraps calls of functions for VBMI2.
macro_rules! vbmi2 {
    ($calls:expr) => {
        // SAFETY: `self` is the proof of VBMI, VBMI2 and what [`Vectors512`] needs.
        unsafe { $calls }
    };
}

impl Steps32 for Vectors512<SixBits> {
    #[inline(always)]
    fn emit(self, to: &mut Units32, starts: u64, [scalars, ..]: ScalarsOfBlock<Self>) {
        let packed = vbmi2!(Packed::new(starts, scalars));
        let (to, _) = as_bytes(to).as_chunks_mut();
        if let [a, b, c, d] = to {
            vbmi2!(store(a, packed.units(0)));
            vbmi2!(store(b, packed.units(1)));
            if starts.count_ones() as usize > 2 * UNITS {
                vbmi2!(store(c, packed.units(2)));
                vbmi2!(store(d, packed.units(3)));
            }
        }
    }

    #[inline(always)]
    fn write(self, to: &mut [MaybeUninit<u32>], starts: u64, scalars: ScalarsOfBlock<Self>) {
        if let Some(to) = to.first_chunk_mut() {
            return self.emit(to, starts, scalars);
        }
        let packed = vbmi2!(Packed::new(starts, scalars[0]));
        for (i, to) in to.chunks_mut(UNITS).enumerate() {
            vbmi2!(store_front(as_bytes(to), packed.units(i)));
        }
    }
}

/// Compressed scalar values, as vectors of their bytes.
#[derive(Clone, Copy)]
struct Packed(Scalars<__m512i>);

impl Packed {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
    fn new(starts: u64, scalars: Scalars<__m512i>) -> Self {
        let Scalars { low, high, top } = scalars;
        let mut packed = Scalars {
            low: _mm512_maskz_compress_epi8(starts, low),
            high: _mm512_maskz_compress_epi8(starts, high),
            top: None,
        };
        if let Some(top) = top {
            packed.top = Some(_mm512_maskz_compress_epi8(starts, top));
        }
        Packed(packed)
    }

    /// Returns the `i`-th 16 units.
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
    fn units(self, i: usize) -> __m512i {
        /// Bytes 0 and 1 of every unit.
        const TWO: u64 = 0x3333_3333_3333_3333;
        /// Byte 2.
        const TOP: u64 = 0x4444_4444_4444_4444;
        let lanes = load(&UNITS_OF[i]);
        let Packed(Scalars { low, high, top }) = self;
        let units = _mm512_maskz_permutex2var_epi8(TWO, low, lanes, high);
        match top {
            Some(top) => {
                let top = _mm512_maskz_permutexvar_epi8(TOP, lanes, top);
                _mm512_or_si512(units, top)
            }
            None => units,
        }
    }
}
