//! Single-byte encodings with AVX-512: 32 characters at a time, with tables of 16-bit entries in registers.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{LANES, halves, load, load_front, store, store_front, store_front_half};
use crate::simd::single_byte::{SingleByteToUtf16, UnitsToSingleByte};
use crate::simd::x86_64::{as_bytes, avx2};

/// The number of code units in a vector.
const UNITS: usize = LANES / 2;

/// The code units of the bytes 80 to FF.
struct UpperUnits([__m512i; 4]);

impl UpperUnits {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn new(table: &SingleByteToUtf16) -> Self {
        let (_, upper) = table.units.as_flattened().split_at(256);
        let (quarters, _) = upper.as_chunks::<LANES>();
        UpperUnits([
            load(&quarters[0]),
            load(&quarters[1]),
            load(&quarters[2]),
            load(&quarters[3]),
        ])
    }

    /// Returns the code units of 32 bytes, of which those in `upper` are not ASCII, and a mask of the
    /// unmapped ones.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn decode(&self, bytes: __m256i, upper: __mmask32) -> (__m512i, __mmask32) {
        let [a, b, c, d] = self.0;
        let bytes = _mm512_cvtepu8_epi16(bytes);
        let bit_6 = _mm512_test_epi16_mask(bytes, _mm512_set1_epi16(0x40));
        let units = _mm512_mask_blend_epi16(
            bit_6,
            _mm512_permutex2var_epi16(a, bytes, b),
            _mm512_permutex2var_epi16(c, bytes, d),
        );
        let unmapped = _mm512_mask_testn_epi16_mask(upper, units, units);
        (_mm512_mask_mov_epi16(bytes, upper, units), unmapped)
    }
}

/// Decodes up to the first unmapped byte. Returns the number of code units.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn single_byte_to_utf16(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    let upper_units = UpperUnits::new(table);
    let mut done = 0;
    while let Some(from) = src[done..].first_chunk::<LANES>()
        && let Some(to) = dst[done..].first_chunk_mut::<LANES>()
    {
        let bytes = load(from);
        let upper = _mm512_movepi8_mask(bytes);
        let halves = halves(bytes);
        let (to, _) = as_bytes(to).as_chunks_mut::<LANES>();
        if upper == 0 {
            for (to, half) in to.iter_mut().zip(halves) {
                store(to, _mm512_cvtepu8_epi16(half));
            }
            done += LANES;
            continue;
        }
        let (front, front_unmapped) = upper_units.decode(halves[0], upper as u32);
        let (back, back_unmapped) = upper_units.decode(halves[1], (upper >> 32) as u32);
        for (to, units) in to.iter_mut().zip([front, back]) {
            store(to, units);
        }
        if front_unmapped | back_unmapped != 0 {
            let unmapped = u64::from(front_unmapped) | u64::from(back_unmapped) << 32;
            return done + unmapped.trailing_zeros() as usize;
        }
        done += LANES;
    }
    while done < src.len().min(dst.len()) {
        let (from, to) = (&src[done..], &mut dst[done..]);
        let count = from.len().min(to.len()).min(UNITS);
        let bytes = load_front(&from[..count]);
        let upper = _mm512_movepi8_mask(bytes) as u32;
        let (units, unmapped) = upper_units.decode(_mm512_castsi512_si256(bytes), upper);
        store_front(as_bytes(&mut to[..count]), units);
        if unmapped != 0 {
            return done + unmapped.trailing_zeros() as usize;
        }
        done += count;
    }
    done
}

/// The bytes of 128 code points, two per lane.
#[derive(Clone, Copy)]
struct Page {
    bytes: [__m512i; 2],
    /// The code points without their low seven bits, in each lane.
    number: __m512i,
}

impl Page {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn new(table: &UnitsToSingleByte, page: u8) -> Self {
        let unit = u16::from(page) << 7;
        Page {
            bytes: [
                load(table.cells.block(unit)),
                load(table.cells.block(unit + 64)),
            ],
            number: _mm512_set1_epi16(i16::from(page)),
        }
    }
}

/// Returns the bytes of 32 code units, each in the low half of its lane, and a mask of the non-ASCII units
/// that are in none of the encoding's pages. `first` is the first page.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn encode(table: &UnitsToSingleByte, first: Page, units: __m512i) -> (__m512i, __mmask32) {
    let number = _mm512_srli_epi16::<7>(units);
    let ascii = _mm512_testn_epi16_mask(number, number);
    if ascii == u32::MAX {
        return (units, 0);
    }
    let lane = _mm512_srli_epi16::<1>(units);
    // A shift of 8 for odd units.
    let half = _mm512_and_si512(_mm512_slli_epi16::<3>(units), _mm512_set1_epi16(8));
    let low_byte = _mm512_set1_epi16(0xFF);
    let mut bytes = _mm512_maskz_mov_epi16(ascii, units);
    let mut page = first;
    // Pages are loaded only when needed: short text would wait for pages from which it has no characters.
    let mut others = table.pages[1..].iter();
    loop {
        let inside = _mm512_cmpeq_epi16_mask(number, page.number);
        let pairs = _mm512_permutex2var_epi16(page.bytes[0], lane, page.bytes[1]);
        let found = _mm512_and_si512(_mm512_srlv_epi16(pairs, half), low_byte);
        bytes = _mm512_mask_mov_epi16(bytes, inside, found);
        let missing = _mm512_mask_testn_epi16_mask(!ascii, bytes, bytes);
        match others.next() {
            Some(&next) if missing != 0 => page = Page::new(table, next),
            _ => return (bytes, missing),
        }
    }
}

/// Encodes UTF-16 up to the first unit that the encoding lacks. Returns the number of code units read, which
/// is also the number of bytes written.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt,bmi1,bmi2")]
pub(in crate::simd) fn utf16_to_single_byte(
    table: &UnitsToSingleByte,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let first = Page::new(table, table.pages[0]);
    let mut done = 0;
    while let Some(from) = src[done..].first_chunk::<UNITS>()
        && let Some(to) = dst[done..].first_chunk_mut::<UNITS>()
    {
        let bytes: &[u8; LANES] = bytemuck::cast_ref(from);
        let (bytes, missing) = encode(table, first, load(bytes));
        avx2::store(to, _mm512_cvtepi16_epi8(bytes));
        if missing != 0 {
            let encoded = table.add_missing(u64::from(missing), from, to);
            if encoded < UNITS {
                return done + encoded;
            }
        }
        done += UNITS;
    }
    let rest = (src.len() - done).min(dst.len() - done);
    if rest > 0 {
        // Less than a vector, because the source or the destination ends there.
        let (from, to) = (&src[done..][..rest], &mut dst[done..][..rest]);
        let (bytes, missing) = encode(table, first, load_front(bytemuck::cast_slice(from)));
        store_front_half(to, _mm512_cvtepi16_epi8(bytes));
        done += if missing == 0 {
            rest
        } else {
            table.add_missing(u64::from(missing), from, to)
        };
    }
    done
}
