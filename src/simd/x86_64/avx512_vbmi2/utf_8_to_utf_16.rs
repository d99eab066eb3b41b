//! UTF-8 to UTF-16 for AVX-512 with VBMI2, 64 bytes at a time.
//!
//! What the AVX-512 kernel does, but a block's code units are brought to the front at once: the
//! positions where a character ends are packed, and the halves of the units fetched from there.

use core::arch::x86_64::{
    __m512i, _mm512_castsi512_si256, _mm512_cvtepu8_epi16, _mm512_extracti64x4_epi64,
    _mm512_mask_add_epi16, _mm512_mask_blend_epi16, _mm512_mask_permutexvar_epi8,
    _mm512_maskz_compress_epi8, _mm512_maskz_loadu_epi8, _mm512_movepi8_mask,
    _mm512_permutexvar_epi8, _mm512_set1_epi16, _mm512_shldi_epi16, _mm512_srli_epi16,
    _mm512_ternarylogic_epi32, _pext_u64,
};
use core::mem::MaybeUninit;

use super::utf_8_units::{Halves, halves, is_wrong, is_wrong_or_four};
use crate::simd::kernels::Replaced;
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::avx512::utf_8_to_utf_16::{
    BEFORE, FEW, Units, ascii_blocks, edge, long_ascii, view, widen, word,
};
use crate::simd::x86_64::avx512::utf_8_units::{at_least, continuations, shifted};
use crate::simd::x86_64::avx512::{LANES, lanes_below, load, load_front, store, store_front};
use crate::simd::x86_64::utf_8_starts::Run;

/// Converts well-formed UTF-8 to UTF-16.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf_8_to_utf_16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let run = convert::<false, false>(src, as_bytes(dst));
    (run.at, run.units)
}

/// The same, to bytes in the given order, which are what it counts.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf_8_to_utf_16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let run = convert::<BE, false>(src, dst);
    (run.at, 2 * run.units)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
pub(in crate::simd) fn utf_8_to_utf_16_lossy(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Replaced {
    let run = convert::<false, true>(src, as_bytes(dst));
    Replaced {
        read: run.at,
        written: run.units,
        errors: run.errors,
    }
}

#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn convert<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Run {
    if let Some(units) = short::<BE>(src, dst) {
        return Run {
            at: src.len(),
            units,
            ..Run::default()
        };
    }
    convert_long::<BE, LOSSY>(src, dst)
}

#[inline(never)]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn convert_long<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Run {
    let mut run = Run::default();
    if !first_block::<BE>(src, dst, &mut run) && !edge::<BE, LOSSY>(src, dst, &mut run) {
        return run;
    }
    loop {
        clean_blocks::<BE>(src, dst, &mut run);
        if last_block::<BE>(src, dst, &mut run) || !edge::<BE, LOSSY>(src, dst, &mut run) {
            return run;
        }
    }
}

/// All of a well-formed input of at most a block, if there is room for a unit for every byte.
/// Here, and only here, every vector is about the bytes of the block itself.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn short<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() > LANES || dst.len() / 2 < src.len() {
        return None;
    }
    let x = load_front(src);
    let continuation = _mm512_movepi8_mask(x);
    if continuation == 0 {
        widen_exactly::<BE>(&mut dst[..2 * src.len()], x);
        return Some(src.len());
    }
    if let [.., a, b, c] = *src
        && (c >= 0xC0 || b >= 0xE0 || a >= 0xF0)
    {
        // Incomplete, which shows only where there is a byte behind it in the vector.
        return None;
    }
    let [p1, p2, p3] = shifted(x);
    if is_wrong(x, p1, p2, p3) {
        return None;
    }
    let thirds = at_least(p2, 0xF0);
    let ends = (!(continuations(x) >> 1) | thirds) & lanes_below(src.len());
    let halves = halves::<true>(x, p1, p2, continuation);
    Some(emit_exactly::<BE>(dst, ends, halves, thirds, false))
}

/// The first block, if it is a whole one and well-formed.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn first_block<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) -> bool {
    let (Some(block), Some(to)) = (
        src.first_chunk::<LANES>(),
        dst.first_chunk_mut::<{ 2 * LANES }>(),
    ) else {
        return false;
    };
    let x = load(block);
    let starts = !continuations(x);
    if _mm512_movepi8_mask(x) == 0 {
        widen::<BE>(to, x);
        run.units = LANES - 1;
    } else {
        let [p1, p2, p3] = shifted(x);
        if is_wrong(x, p1, p2, p3) {
            return false;
        }
        let fours = at_least(p3, 0xF0);
        let ends = (starts | fours) & !1;
        let halves = halves::<true>(p1, p2, p3, _mm512_movepi8_mask(p1));
        run.units = emit_with_surrogates::<BE>(to, ends, halves, fours, false);
    }
    run.at = LANES;
    run.starts = starts;
    true
}

/// Whole blocks of well-formed input, as long as there is room for a block and a unit.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn clean_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) {
    let Run {
        mut at,
        mut units,
        mut starts,
        dirty,
        ..
    } = *run;
    if at < BEFORE || dirty {
        return;
    }
    // Whether a lead byte of four may stand right before the block at hand.
    let mut after_four = true;
    while let (Some(block), Some(to)) = (
        src[at - BEFORE..].first_chunk::<{ BEFORE + LANES }>(),
        dst.get_mut(2 * units..)
            .and_then(|room| room.first_chunk_mut::<{ 2 * LANES }>()),
    ) {
        let [x, p1] = [view::<0>(block), view::<1>(block)];
        let [p2, p3] = [view::<2>(block), view::<3>(block)];
        let continuation = _mm512_movepi8_mask(p1);
        if continuation == 0 {
            let (ahead, room) = (&src[at - 1..], &mut dst[2 * units..]);
            let mut len = ascii_blocks::<BE>(&ahead[..FEW.min(ahead.len())], room);
            if len == FEW {
                len += long_ascii::<BE>(&ahead[FEW..], &mut room[2 * FEW..]);
            }
            // The last one is left, and written again.
            at += len - 1;
            units += len - 1;
            starts = !0;
            after_four = false;
            continue;
        }
        if !after_four && !is_wrong_or_four(x, p1, p2) {
            starts = !continuations(x);
            let halves = halves::<false>(p1, p2, p3, continuation);
            units += emit::<BE>(to, starts, halves);
        } else {
            if is_wrong(x, p1, p2, p3) {
                break;
            }
            starts = !continuations(x);
            let fours = at_least(p3, 0xF0);
            let halves = halves::<true>(p1, p2, p3, continuation);
            let four_before = block[0] >= 0xF0;
            units += emit_with_surrogates::<BE>(to, starts | fours, halves, fours, four_before);
            let [.., a, b, c, _] = *block;
            after_four = a >= 0xF0 || b >= 0xF0 || c >= 0xF0;
        }
        at += LANES;
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
}

/// What is left, if it is less than a block and well-formed and fits.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn last_block<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) -> bool {
    let Run { at, units, .. } = *run;
    let Some(block) = src.get(at.wrapping_sub(BEFORE)..) else {
        return false;
    };
    let len = src.len() - at;
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    if len >= LANES || to.len() < 2 * (len + 1) || run.dirty {
        return false;
    }
    let lanes = lanes_below(len);
    let [x, p1, p2, p3] = [0, 1, 2, 3].map(|back| {
        let from = block.as_ptr().wrapping_add(BEFORE - back);
        // SAFETY: the mask of the block has as many lanes as there are bytes behind `at`, that of
        // each view as many more as it begins before it.
        unsafe { _mm512_maskz_loadu_epi8(!(!lanes << back), from.cast()) }
    });
    let continuation = _mm512_movepi8_mask(p1);
    if continuation == 0 && len + 1 <= LANES {
        // All but the last byte of 64 is in the block.
        widen_exactly::<BE>(&mut to[..2 * (len + 1)], p1);
        run.units += len + 1;
    } else {
        if is_wrong(x, p1, p2, p3) {
            return false;
        }
        let fours = at_least(p3, 0xF0);
        // Behind the last byte stands one more start.
        let ends = (!continuations(x) | fours) & (lanes << 1 | 1);
        let halves = halves::<true>(p1, p2, p3, continuation);
        run.units += emit_exactly::<BE>(to, ends, halves, fours, block[0] >= 0xF0);
    }
    run.at = src.len();
    true
}

/// The positions of a vector, each twice: of its first half, and of its second.
const TWICE: [[u8; LANES]; 2] = {
    let mut twice = [[0; LANES]; 2];
    let mut i = 0;
    while i < LANES {
        twice[0][i] = (i / 2) as u8;
        twice[1][i] = (i / 2 + LANES / 2) as u8;
        i += 1;
    }
    twice
};

/// The positions of a vector.
const POSITIONS: [u8; LANES] = {
    let mut positions = [0; LANES];
    let mut i = 0;
    while i < LANES {
        positions[i] = i as u8;
        i += 1;
    }
    positions
};

/// The units at `ends`, packed.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn packed<const BE: bool>(ends: u64, halves: Halves) -> [__m512i; 2] {
    const SECONDS: u64 = 0xAAAA_AAAA_AAAA_AAAA;
    let index = _mm512_maskz_compress_epi8(ends, load(&POSITIONS));
    let Halves { low, high } = halves;
    let [first, second] = if BE { [high, low] } else { [low, high] };
    [0, 1].map(|half| {
        let index = _mm512_permutexvar_epi8(load(&TWICE[half]), index);
        let words = _mm512_permutexvar_epi8(index, first);
        _mm512_mask_permutexvar_epi8(words, SECONDS, index, second)
    })
}

/// Writes the units at `ends`. What is behind them in `to` may be overwritten.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn emit<const BE: bool>(to: &mut Units, ends: u64, halves: Halves) -> usize {
    let words = packed::<BE>(ends, halves);
    store_both(to, words);
    ends.count_ones() as usize
}

#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn store_both(to: &mut Units, words: [__m512i; 2]) {
    let (vectors, _) = to.as_chunks_mut::<LANES>();
    for (to, words) in vectors.iter_mut().zip(words) {
        store(to, words);
    }
}

/// The same for a block with characters of four bytes: `thirds` has their third bytes, which are
/// among `ends`, and `fourth_first` says that the first byte is a fourth one.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn emit_with_surrogates<const BE: bool>(
    to: &mut Units,
    ends: u64,
    halves: Halves,
    thirds: u64,
    fourth_first: bool,
) -> usize {
    let words = packed_with_surrogates::<BE>(ends, halves, thirds, fourth_first);
    store_both(to, words);
    ends.count_ones() as usize
}

#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn packed_with_surrogates<const BE: bool>(
    ends: u64,
    halves: Halves,
    thirds: u64,
    fourth_first: bool,
) -> [__m512i; 2] {
    /// (a & b) | c
    const AND_OR: i32 = 0xEA;
    let words = packed::<false>(ends, halves);
    let leads = _pext_u64(thirds, ends);
    let trails = leads << 1 | u64::from(fourth_first);
    let base = _mm512_set1_epi16(0xD7C0_u16.cast_signed());
    let trail = _mm512_set1_epi16(0xDC00_u16.cast_signed());
    let bits = _mm512_set1_epi16(0x3FF);
    [0, 1].map(|half| {
        let words = words[half];
        let [leads, trails] = [leads, trails].map(|mask| (mask >> (32 * half)) as u32);
        let tens = _mm512_ternarylogic_epi32::<AND_OR>(words, bits, trail);
        let fours = _mm512_srli_epi16::<4>(words);
        let words = _mm512_mask_add_epi16(words, leads, fours, base);
        let words = _mm512_mask_blend_epi16(trails, words, tens);
        if BE {
            _mm512_shldi_epi16::<8>(words, words)
        } else {
            words
        }
    })
}

/// The same, and nothing past the end of `to`.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn emit_exactly<const BE: bool>(
    to: &mut [MaybeUninit<u8>],
    ends: u64,
    halves: Halves,
    thirds: u64,
    fourth_first: bool,
) -> usize {
    let words = packed_with_surrogates::<BE>(ends, halves, thirds, fourth_first);
    let len = ends.count_ones() as usize;
    store_exactly(&mut to[..2 * len], words);
    len
}

/// Fills `to`, which has room for at most two vectors.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn store_exactly(to: &mut [MaybeUninit<u8>], words: [__m512i; 2]) {
    let (to, rest) = to.split_at_mut(LANES.min(to.len()));
    store_front(to, words[0]);
    if !rest.is_empty() {
        store_front(rest, words[1]);
    }
}

/// Writes ASCII bytes as units, as many as `to` has room for.
#[inline]
#[target_feature(
    enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2,popcnt,bmi1,bmi2"
)]
fn widen_exactly<const BE: bool>(to: &mut [MaybeUninit<u8>], x: __m512i) {
    let upper = _mm512_extracti64x4_epi64::<1>(x);
    let halves = [_mm512_castsi512_si256(x), upper];
    store_exactly(
        to,
        halves.map(|half| word::<BE>(_mm512_cvtepu8_epi16(half))),
    );
}
