//! Two-byte encodings → UTF-16.

use core::arch::x86_64::{
    __m512i, __mmask64, _mm512_add_epi16, _mm512_castsi512_si256, _mm512_cmpeq_epi8_mask,
    _mm512_cmple_epu8_mask, _mm512_cmplt_epu16_mask, _mm512_cvtepu8_epi16,
    _mm512_extracti64x4_epi64, _mm512_mask_add_epi16, _mm512_mask_blend_epi8,
    _mm512_mask_blend_epi16, _mm512_mask_storeu_epi16, _mm512_mask_sub_epi8,
    _mm512_maskz_compress_epi8, _mm512_movepi8_mask, _mm512_mullo_epi16, _mm512_set1_epi8,
    _mm512_set1_epi16, _mm512_storeu_si512, _mm512_sub_epi8, _pext_u64,
};
use core::mem::MaybeUninit;

use crate::simd::two_byte_index::{KATAKANA, Katakana, Ranges, TwoByteIndex};
use crate::simd::x86_64::avx512::load;
use crate::simd::x86_64::two_byte_blocks::{
    BLOCK, Decoded, GROUP, Pointers, Units, Window, below, from_memory, leads_among, run, unit,
};

/// Bytes of two ranges.
#[derive(Clone, Copy)]
struct Class {
    first: [__m512i; 2],
    span: [__m512i; 2],
    /// The bytes between the ranges.
    gap: __m512i,
}

impl Class {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn new(ranges: Ranges) -> Self {
        let all = |byte: u8| _mm512_set1_epi8(byte.cast_signed());
        let [(_, end), (next, _)] = ranges;
        Class {
            first: ranges.map(|(first, _)| all(first)),
            span: ranges.map(|(first, last)| all(last - first)),
            gap: all(next.saturating_sub(end).saturating_sub(1)),
        }
    }

    /// Which bytes belong to it, and their numbers.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn of(self, bytes: __m512i) -> (__mmask64, __m512i) {
        let [low, high] = self.first.map(|first| _mm512_sub_epi8(bytes, first));
        let in_low = _mm512_cmple_epu8_mask(low, self.span[0]);
        let in_high = _mm512_cmple_epu8_mask(high, self.span[1]);
        let number = _mm512_mask_sub_epi8(low, in_high, low, self.gap);
        (in_low | in_high, number)
    }
}

/// An index in vectors.
struct Vectors<'a> {
    index: &'a TwoByteIndex,
    leads: Class,
    trails: Class,
}

#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn two_byte_to_utf_16(
    index: &TwoByteIndex,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    let vectors = Vectors {
        index,
        leads: Class::new(index.leads),
        trails: Class::new(index.trails),
    };
    let mut pointers = Pointers::NOTHING;
    run(src, dst, |window, len, carry, to| {
        decode(&vectors, window, len, carry, &mut pointers, to)
    })
}

/// Decodes the characters that end among the first `len` bytes of a window.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn decode(
    vectors: &Vectors<'_>,
    window: &Window,
    len: usize,
    carry: u64,
    pointers: &mut Pointers,
    to: &mut Units,
) -> Decoded {
    let (now, behind) = split(window);
    let now = load(now);
    let high = _mm512_movepi8_mask(now);
    let (to, _) = to.split_at_mut(BLOCK);
    let (to, _) = to.as_chunks_mut::<32>();
    if high == 0 && carry == 0 {
        let end = len.min(BLOCK);
        let [low, high] = [
            _mm512_castsi512_si256(now),
            _mm512_extracti64x4_epi64::<1>(now),
        ];
        store_units(&mut to[0], _mm512_cvtepu8_epi16(low));
        store_units(&mut to[1], _mm512_cvtepu8_epi16(high));
        return Decoded {
            starts: below(end),
            end,
            missing: 0,
        };
    }
    let behind = load(behind);
    let (lead, rows) = vectors.leads.of(now);
    let (mut trail, columns) = vectors.trails.of(behind);
    // Bytes that are katakana by themselves, or pairs.
    let (mut alone, mut kana) = (0, 0);
    let mut values = now;
    let mut may_lead = lead;
    let katakana = |bytes| {
        let number = _mm512_sub_epi8(bytes, _mm512_set1_epi8(0xA1_u8.cast_signed()));
        _mm512_cmple_epu8_mask(number, _mm512_set1_epi8(0x3E))
    };
    match vectors.index.katakana {
        Katakana::No => {}
        Katakana::Alone => alone = katakana(now),
        Katakana::Behind8E => {
            let shift = _mm512_cmpeq_epi8_mask(now, _mm512_set1_epi8(0x8E_u8.cast_signed()));
            if shift != 0 {
                may_lead |= shift;
                kana = shift & katakana(behind);
                trail = trail & !shift | kana;
                values = _mm512_mask_blend_epi8(shift, now, behind);
            }
        }
    }
    let leads = leads_among(may_lead & !carry);
    let starts = !(leads << 1 | carry);
    // What is no character: a lead byte without its trail byte, or a byte that stands for nothing.
    let bad = leads & !trail | starts & high & !leads & !alone;
    let all = BLOCK + (leads >> (BLOCK - 1)) as usize;
    let end = match bad {
        0 => len.min(all),
        _ => len.min(bad.trailing_zeros() as usize),
    };
    let starts = starts & below(end);
    let count = starts.count_ones();
    let pairs = _pext_u64(starts & leads & !kana, starts);
    let kana = _pext_u64((alone | kana) & starts, starts);
    let bytes = [rows, columns, values].map(|bytes| _mm512_maskz_compress_epi8(starts, bytes));
    let mut missing = u64::from(half::<0>(
        vectors,
        bytes,
        [pairs as u32, kana as u32],
        count,
        pointers,
        &mut to[0],
    ));
    if count > 32 {
        let high = [pairs, kana].map(|mask| (mask >> 32) as u32);
        missing |= u64::from(half::<1>(
            vectors,
            bytes,
            high,
            count - 32,
            pointers,
            &mut to[1],
        )) << 32;
    }
    Decoded {
        starts,
        end,
        missing,
    }
}

/// Decodes half of the characters of a block. Returns which have no unit.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn half<const HALF: usize>(
    vectors: &Vectors<'_>,
    bytes: [__m512i; 3],
    [pairs, kana]: [u32; 2],
    count: u32,
    pointers: &mut Pointers,
    to: &mut [MaybeUninit<u16>; 32],
) -> u32 {
    let index = vectors.index;
    let [rows, columns, values] = bytes.map(|bytes| {
        _mm512_cvtepu8_epi16(match HALF {
            0 => _mm512_castsi512_si256(bytes),
            _ => _mm512_extracti64x4_epi64::<1>(bytes),
        })
    });
    let add = _mm512_set1_epi16(KATAKANA.cast_signed());
    let values = _mm512_mask_add_epi16(values, kana, values, add);
    if pairs == 0 {
        store_units(to, values);
        return 0;
    }
    let width = _mm512_set1_epi16(index.width.cast_signed());
    let limit = _mm512_set1_epi16((index.units.len() as u16).cast_signed());
    let nothing = _mm512_set1_epi16(index.nothing.cast_signed());
    let something = _mm512_set1_epi16(index.something.cast_signed());
    let pointer = _mm512_add_epi16(_mm512_mullo_epi16(rows, width), columns);
    let inside = _mm512_cmplt_epu16_mask(pointer, limit);
    let pointer = _mm512_mask_blend_epi16(inside, nothing, pointer);
    let pointer = _mm512_mask_blend_epi16(pairs, something, pointer);
    store_words(
        &mut bytemuck::cast_mut::<_, [u16; BLOCK]>(&mut pointers.0)
            .as_chunks_mut()
            .0[0],
        pointer,
    );
    let fours = from_memory(pointers);
    let pointers: &[u16; BLOCK] = bytemuck::cast_ref(fours);
    let mut bad = 0;
    // SAFETY (of the look-ups): all pointers were made less than the number of units.
    const FEW: u32 = 12;
    if pairs.count_ones() <= FEW {
        store_units(to, values);
        let mut rest = pairs;
        while rest != 0 {
            let at = rest.trailing_zeros() as usize;
            // SAFETY: as above.
            let unit = unsafe { unit(index, pointers[at]) };
            to[at].write(unit);
            bad |= u64::from(unit).wrapping_sub(1);
            rest &= rest - 1;
        }
        bad &= 1 << 63;
    } else {
        for (fours, units) in fours
            .chunks_exact(2)
            .zip(to.chunks_exact_mut(GROUP))
            .take(count.div_ceil(GROUP as u32) as usize)
        {
            for (&four, to) in fours.iter().zip(units.chunks_exact_mut(4)) {
                // SAFETY: as above.
                let units: [u16; 4] =
                    core::array::from_fn(|i| unsafe { unit(index, (four >> (16 * i)) as u16) });
                let word = u64::from(units[0])
                    | u64::from(units[1]) << 16
                    | u64::from(units[2]) << 32
                    | u64::from(units[3]) << 48;
                bad |= word.wrapping_sub(0x0001_0001_0001_0001) & !word & 0x8000_8000_8000_8000;
                for (to, unit) in to.iter_mut().zip(units) {
                    to.write(unit);
                }
            }
        }
        mask_store_units(to, !pairs, values);
    }
    if bad == 0 {
        0
    } else {
        missing(index, pointers, pairs)
    }
}

/// Which pointers have no unit.
#[cold]
#[inline(never)]
fn missing(index: &TwoByteIndex, pointers: &[u16; BLOCK], pairs: u32) -> u32 {
    let is_missing = |i: u32| {
        let unit = index.units.get(usize::from(pointers[i as usize]));
        u32::from(unit.is_none_or(|unit| *unit == [0; 2])) << i
    };
    pairs & (0..32).fold(0, |all, i| all | is_missing(i))
}

/// A block, and what is behind each of its bytes.
#[inline(always)]
fn split(window: &Window) -> (&[u8; BLOCK], &[u8; BLOCK]) {
    match (window.first_chunk(), window.last_chunk()) {
        (Some(now), Some(behind)) => (now, behind),
        // A window is longer than a block.
        _ => (&[0; BLOCK], &[0; BLOCK]),
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_words(to: &mut [u16; 32], words: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), words) };
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn mask_store_units(to: &mut [MaybeUninit<u16>; 32], mask: u32, words: __m512i) {
    // SAFETY: the array has the 64 bytes of which some are written; the store needs no alignment.
    unsafe { _mm512_mask_storeu_epi16(to.as_mut_ptr().cast(), mask, words) };
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store_units(to: &mut [MaybeUninit<u16>; 32], words: __m512i) {
    // SAFETY: the array has the 64 bytes that are written; the store needs no alignment.
    unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), words) };
}
