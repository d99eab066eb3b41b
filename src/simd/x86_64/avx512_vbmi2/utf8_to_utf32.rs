//! UTF-8 to UTF-32 for AVX-512 with VBMI2: the bytes of all scalar values of a block are compressed before
//! they become units.

use core::arch::x86_64::{
    __m512i, _mm512_maskz_compress_epi8, _mm512_maskz_permutex2var_epi8,
    _mm512_maskz_permutexvar_epi8, _mm512_or_si512,
};
use core::mem::MaybeUninit;

use crate::simd::generic::BLOCK;
use crate::simd::x86_64::avx512::utf8_to_utf32::{kernel_by_writers, short_ascii, widen};
use crate::simd::x86_64::avx512::utf32::{UNITS, store, store_front};
use crate::simd::x86_64::avx512::vector::Vectors512;
use crate::simd::x86_64::avx512::{LANES, load};
use crate::simd::x86_64::utf8_to_utf32::{self as blocks, Scalars, UnitWriters, Units32};

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

kernel_by_writers!(
    "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2",
    threes: false
);

/// Wraps calls in the closures of [`writers`], which do not inherit the features of its callers.
macro_rules! enabled {
    ($calls:expr) => {
        // SAFETY: the caller of `writers` guarantees that the processor has the features.
        unsafe { $calls }
    };
}

/// How units are written. Inlined into its callers, so that vectors are passed in registers.
///
/// # Safety
///
/// The processor has VBMI, VBMI2 and what [`Vectors512`] needs.
#[expect(clippy::type_complexity, reason = "closures have no names")]
#[inline(always)]
unsafe fn writers() -> UnitWriters<
    impl Fn(&[u8; BLOCK], &mut Units32),
    impl Fn(&mut Units32, u64, [Scalars<__m512i>; 4]),
    impl Fn(&mut [MaybeUninit<u32>], u64, [Scalars<__m512i>; 4]),
> {
    UnitWriters::new(
        |from: &_, to: &mut _| enabled!(widen(from, to)),
        #[inline(always)]
        |to: &mut Units32, starts: u64, [scalars, ..]: [_; 4]| {
            let packed = enabled!(Packed::new(starts, scalars));
            let (to, _) = to.as_chunks_mut();
            let put = |to, i| enabled!(store(to, packed.units(i)));
            if let [a, b, c, d] = to {
                put(a, 0);
                put(b, 1);
                if starts.count_ones() as usize > 2 * UNITS {
                    put(c, 2);
                    put(d, 3);
                }
            }
        },
        #[inline(always)]
        |to: &mut [_], starts, [scalars, ..]: [_; 4]| {
            let packed = enabled!(Packed::new(starts, scalars));
            for (i, to) in to.chunks_mut(UNITS).enumerate() {
                enabled!(store_front(to, packed.units(i)));
            }
        },
    )
}

/// Compressed scalar values, as vectors of their bytes.
#[derive(Clone, Copy)]
struct Packed(Scalars<__m512i>);

impl Packed {
    #[inline]
    #[target_feature(enable = "avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2")]
    fn new(starts: u64, scalars: Scalars<__m512i>) -> Self {
        let pack = |bytes| _mm512_maskz_compress_epi8(starts, bytes);
        Packed(Scalars {
            low: pack(scalars.low),
            high: pack(scalars.high),
            top: scalars.top.map(pack),
        })
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
