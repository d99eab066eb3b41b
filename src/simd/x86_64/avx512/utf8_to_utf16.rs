//! UTF-8 to UTF-16 for AVX-512, 64 bytes at a time.
//!
//! There is no loop over characters. Every position of a block gets the code unit that is right if
//! a character ends there; eight positions at a time, a shuffle brings the units of those that do
//! to the front. Which they are is known from the byte after (`utf8_starts.rs`), so that all
//! vectors are about the bytes one before those of the block's masks.

use core::arch::x86_64::{
    __m128i, __m512i, _mm_loadu_si128, _mm_shuffle_epi8, _mm_storeu_si128, _mm256_cvtepu8_epi16,
    _mm256_slli_epi16, _mm256_storeu_si256, _mm512_castsi128_si512, _mm512_castsi512_si128,
    _mm512_castsi512_si256, _mm512_cvtepi8_epi16, _mm512_cvtepu8_epi16, _mm512_extracti32x4_epi32,
    _mm512_extracti64x4_epi64, _mm512_mask_blend_epi8, _mm512_mask_blend_epi16,
    _mm512_maskz_loadu_epi8, _mm512_movepi8_mask, _mm512_set1_epi16, _mm512_setzero_si512,
    _mm512_slli_epi16, _mm512_test_epi8_mask,
};
use core::mem::MaybeUninit;

use super::utf8_units::{
    at_least, bytes, continuations, pair_faults, second_continuation_is_wrong, shifted, spread,
    surrogates, words, wrong_continuations,
};
use super::{LANES, lanes_below, load_front, load_front_16, store_front};
use crate::simd::kernels::Transcoded;
use crate::simd::x86_64::avx2::utf8_few;
use crate::simd::x86_64::avx2::utf8_threes;
use crate::simd::x86_64::utf8_starts::{Found, Run, Seen};
use crate::simd::x86_64::utf8_tables::{WINDOWS, WRONG_SECOND};
use crate::simd::x86_64::{as_bytes, avx2};

/// Bytes before a block that it looks at.
pub(in crate::simd::x86_64) const BEFORE: usize = 4;

/// Those bytes and a block.
pub(in crate::simd::x86_64) type Block = [u8; BEFORE + LANES];

/// Room for the units of a block, as bytes.
pub(in crate::simd::x86_64) type Units = [MaybeUninit<u8>; 2 * LANES];

/// Converts well-formed UTF-8 to UTF-16.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let run = convert::<false, false>(src, as_bytes(dst));
    (run.at, run.units)
}

/// The same, to bytes in the given order, which are what it counts.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let run = convert::<BE, false>(src, dst);
    (run.at, 2 * run.units)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Transcoded {
    let run = convert::<false, true>(src, as_bytes(dst));
    Transcoded {
        read: run.at,
        written: run.units,
        errors: run.errors,
    }
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
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
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn convert_long<const BE: bool, const LOSSY: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Run {
    let mut run = Run::default();
    if !first_block::<BE>(src, dst, &mut run) && !partial_block::<BE, LOSSY>(src, dst, &mut run) {
        return run;
    }
    loop {
        clean_blocks::<BE>(src, dst, &mut run);
        if LOSSY && !BE && blocks_of_lone_bytes(src, dst, &mut run) {
            continue;
        }
        if last_block::<BE>(src, dst, &mut run) || !partial_block::<BE, LOSSY>(src, dst, &mut run) {
            return run;
        }
    }
}

/// All of a well-formed input of at most a block, if there is room for a unit for every byte.
/// Here, and only here, every vector is about the bytes of the block itself.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn short<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() <= utf8_few::FEW {
        return few::<BE>(src, dst);
    }
    if src.len() > LANES || dst.len() / 2 < src.len() {
        return None;
    }
    let x = load_front(src);
    if _mm512_movepi8_mask(x) == 0 {
        let (to, rest) = dst[..2 * src.len()].split_at_mut(LANES.min(2 * src.len()));
        store_front(
            to,
            word::<BE>(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(x))),
        );
        if !rest.is_empty() {
            let upper = _mm512_extracti64x4_epi64::<1>(x);
            store_front(rest, word::<BE>(_mm512_cvtepu8_epi16(upper)));
        }
        return Some(src.len());
    }
    if let [.., a, b, c] = *src
        && (c >= 0xC0 || b >= 0xE0 || a >= 0xF0)
    {
        // Incomplete, which shows only where there is a byte after it in the vector.
        return None;
    }
    let [p1, p2, p3] = shifted(x);
    if wrong_continuations(pair_faults(x, p1), p2, p3) != 0 {
        return None;
    }
    let continuation = continuations(x);
    let mut ends = !(continuation >> 1) & lanes_below(src.len());
    let mut words = words(x, p1, p2, !0, _mm512_movepi8_mask(x));
    let thirds = at_least(p2, 0xF0);
    if thirds != 0 {
        ends |= thirds;
        words = surrogates(words, thirds, thirds << 1);
    }
    Some(emit_exactly::<BE>(dst, ends, words))
}

/// All of a well-formed input of at most sixteen bytes, if it fits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn few<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    let x = load_front_16(src);
    if utf8_few::is_ascii(x) {
        return utf8_few::widen_few::<BE>(src, x, dst);
    }
    utf8_few::write_few::<BE>(dst, utf8_few::few_units(x, src.len())?)
}

/// The first block, if it is a whole one and well-formed.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn first_block<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) -> bool {
    let (Some(block), Some(to)) = (
        src.first_chunk::<LANES>(),
        dst.first_chunk_mut::<{ 2 * LANES }>(),
    ) else {
        return false;
    };
    let x = super::load(block);
    let [p1, p2, p3] = shifted(x);
    let starts = !continuations(x);
    if _mm512_movepi8_mask(x) == 0 {
        widen::<BE>(to, x);
        run.units = LANES - 1;
    } else {
        if wrong_continuations(pair_faults(x, p1), p2, p3) != 0 {
            return false;
        }
        let fours = at_least(p3, 0xF0);
        let mut words = words(p1, p2, p3, !0, _mm512_movepi8_mask(p1));
        if fours != 0 {
            words = surrogates(words, fours, fours << 1);
        }
        let ends = (starts | fours) & !1;
        emit::<BE>(to, ends, words);
        run.units = ends.count_ones() as usize;
    }
    run.at = LANES;
    run.starts = starts;
    true
}

/// Whole blocks of well-formed input, as long as there is room for a block and a unit.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
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
    // The starts of the block at hand, found while the one before was written.
    let mut next_starts = match src[at..].first_chunk::<LANES>() {
        Some(block) => !continuations(super::load(block)),
        None => return,
    };
    while let (Some(block), Some(to)) = (
        src[at - BEFORE..].first_chunk::<{ BEFORE + LANES }>(),
        dst.get_mut(2 * units..)
            .and_then(|room| room.first_chunk_mut::<{ 2 + 2 * LANES }>()),
    ) {
        let x = view::<0>(block);
        let ahead = (at + LANES).min(src.len() - LANES);
        let Some(ahead) = src[ahead..].first_chunk::<LANES>() else {
            break;
        };
        if _mm512_movepi8_mask(x) == 0 && block[BEFORE - 1] < 0x80 {
            if let Some(last) = to.first_chunk_mut() {
                *last = unit::<BE>(block[BEFORE - 1]);
            }
            let (ahead, room) = (&src[at..], &mut dst[2 * units + 2..]);
            let mut len = ascii_blocks::<BE>(&ahead[..FEW.min(ahead.len())], room);
            if len == FEW {
                len += long_ascii::<BE>(&ahead[FEW..], &mut room[2 * FEW..]);
            }
            at += len;
            units += len;
            starts = !0;
            next_starts = match src[at..].first_chunk() {
                Some(block) => !continuations(super::load(block)),
                None => break,
            };
            continue;
        }
        let Some(to) = to.first_chunk_mut::<{ 2 * LANES }>() else {
            break;
        };
        let [p1, p2, p3] = [view::<1>(block), view::<2>(block), view::<3>(block)];
        let fours = at_least(p3, 0xF0);
        let faults = pair_faults(x, p1);
        let words = words(p1, p2, p3, !0, _mm512_movepi8_mask(p1));
        if fours == 0 && block[0] < 0xF0 {
            if second_continuation_is_wrong(faults, p2) != 0 {
                break;
            }
            let before = starts;
            starts = next_starts;
            next_starts = !continuations(super::load(ahead));
            emit::<BE>(to, starts, words);
            units += starts.count_ones() as usize;
            if utf8_threes::is_likely(before) && utf8_threes::is_likely(starts) {
                // From the last start on, before which all is written.
                let from = at + LANES - 1 - starts.leading_zeros() as usize;
                let more = utf8_threes::to_utf16::<BE>(&src[from..], &mut dst[2 * units..]);
                if more > 0 {
                    at = from + 3 * more;
                    // The last one is left, and written again.
                    units += more - 1;
                    starts = utf8_threes::STARTS;
                    next_starts = match src[at..].first_chunk() {
                        Some(block) => !continuations(super::load(block)),
                        None => break,
                    };
                    continue;
                }
            }
        } else {
            if wrong_continuations(faults, p2, p3) != 0 {
                break;
            }
            starts = next_starts;
            next_starts = !continuations(super::load(ahead));
            let fourths = fours << 1 | u64::from(block[0] >= 0xF0);
            emit::<BE>(to, starts | fours, surrogates(words, fours, fourths));
            units += (starts | fours).count_ones() as usize;
        }
        at += LANES;
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
}

/// Blocks of ASCII and of bytes that stand alone in it, each of which becomes U+FFFD. Returns whether
/// there was one.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd::x86_64) fn blocks_of_lone_bytes(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    if !run.is_after_start(src) {
        return false;
    }
    let start = run.at;
    while let Some(block) = src[run.at - BEFORE..].first_chunk::<{ BEFORE + LANES }>()
        && let Some(to) = dst.get_mut(2 * run.units..)
        && let Some(to) = to.first_chunk_mut::<{ 2 * LANES }>()
    {
        let [x, p1] = [view::<0>(block), view::<1>(block)];
        let lone = _mm512_movepi8_mask(p1);
        if _mm512_movepi8_mask(x) & lone != 0 {
            break;
        }
        run.errors += lone.count_ones() as usize;
        // As a number with a sign, FD is U+FFFD.
        let units = _mm512_mask_blend_epi8(lone, p1, bytes(0xFD));
        let (vectors, _) = to.as_chunks_mut::<LANES>();
        let halves = [
            _mm512_castsi512_si256(units),
            _mm512_extracti64x4_epi64::<1>(units),
        ];
        for (to, half) in vectors.iter_mut().zip(halves) {
            super::store(to, _mm512_cvtepi8_epi16(half));
        }
        run.units += LANES;
        run.at += LANES;
    }
    run.has_passed_lone_bytes(src, start)
}

/// So much ASCII is worth more care.
pub(in crate::simd::x86_64) const FEW: usize = 8 * LANES;

/// The same with aligned stores.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn long_ascii<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    avx2::utf8_blocks::ascii_blocks::<BE>(src, dst)
}

/// The blocks in front that are ASCII.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn ascii_blocks<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let (blocks, _) = src.as_chunks::<LANES>();
    let (rooms, _) = dst.as_chunks_mut::<{ 2 * LANES }>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        if _mm512_movepi8_mask(super::load(block)) != 0 {
            break;
        }
        let (quarters, _) = block.as_chunks::<16>();
        let (to, _) = to.as_chunks_mut::<32>();
        for (to, quarter) in to.iter_mut().zip(quarters) {
            widen_quarter::<BE>(to, quarter);
        }
        len += LANES;
    }
    len
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn widen_quarter<const BE: bool>(to: &mut [MaybeUninit<u8>; 32], from: &[u8; 16]) {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    let bytes = unsafe { _mm_loadu_si128(from.as_ptr().cast()) };
    let words = _mm256_cvtepu8_epi16(bytes);
    let words = if BE {
        _mm256_slli_epi16::<8>(words)
    } else {
        words
    };
    // SAFETY: the array has the 32 bytes that are written; the store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), words) };
}

/// What is left, if it is less than a block and well-formed and fits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
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
        // SAFETY: the mask of the block has as many lanes as there are bytes after `at`, that of
        // each view as many more as it begins before it.
        unsafe { _mm512_maskz_loadu_epi8(!(!lanes << back), from.cast()) }
    });
    if _mm512_movepi8_mask(x) == 0 && block[BEFORE - 1] < 0x80 {
        let (last, to) = to.split_at_mut(2);
        last.copy_from_slice(&unit::<BE>(block[BEFORE - 1]));
        let (to, rest) = to[..2 * len].split_at_mut(LANES.min(2 * len));
        store_front(
            to,
            word::<BE>(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(x))),
        );
        if !rest.is_empty() {
            let upper = _mm512_extracti64x4_epi64::<1>(x);
            store_front(rest, word::<BE>(_mm512_cvtepu8_epi16(upper)));
        }
        run.units += len + 1;
    } else {
        if wrong_continuations(pair_faults(x, p1), p2, p3) != 0 {
            return false;
        }
        // Behind the last byte stands one more start.
        let mut ends = !continuations(x) & (lanes << 1 | 1);
        let mut words = words(p1, p2, p3, !0, _mm512_movepi8_mask(p1));
        let fours = at_least(p3, 0xF0);
        let four_before = block[0] >= 0xF0;
        if fours != 0 || four_before {
            ends |= fours;
            words = surrogates(words, fours, fours << 1 | u64::from(four_before));
        }
        run.units += emit_exactly::<BE>(to, ends, words);
    }
    run.at = src.len();
    true
}

/// One block anywhere: the first, the last, one with malformed input, one with little room. False
/// when the kernel is at its end.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd::x86_64) fn partial_block<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    let (at, units) = (run.at, run.units);
    let x = load_front(&src[at..]);
    let [p1, p2, p3] = if at == 0 {
        shifted(x)
    } else {
        [1, 2, 3].map(|back| load_front(&src[at - back..]))
    };
    let faults = pair_faults(x, p1);
    let continuation = continuations(x);
    let seen = Seen {
        continuation,
        three_after_four: at_least(p3, 0xF0),
        wrong: wrong_continuations(faults, p2, p3),
    };
    let found = || Found {
        ascii: !_mm512_movepi8_mask(x),
        second: continuation
            & at_least(p1, 0xC0)
            & !_mm512_test_epi8_mask(faults, bytes(WRONG_SECOND)),
        continuation,
        after_three: at_least(p1, 0xE0),
        two_after_three: at_least(p2, 0xE0),
        two_after_four: at_least(p2, 0xF0),
        three_after_four: at_least(p3, 0xF0),
    };
    let Some(plan) = run.plan::<LOSSY>(src, dst.len() / 2 - units, seen, found) else {
        return false;
    };
    let mut words = words(p1, p2, p3, plan.after_third, _mm512_movepi8_mask(p1));
    if plan.high | plan.low != 0 {
        words = surrogates(words, plan.high, plan.low);
    }
    if plan.replaced != 0 {
        let [low, high] = spread(plan.replaced);
        let replacement = _mm512_set1_epi16(0xFFFD_u16.cast_signed());
        words = [
            _mm512_mask_blend_epi16(low, words[0], replacement),
            _mm512_mask_blend_epi16(high, words[1], replacement),
        ];
    }
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    if let Some(to) = to.first_chunk_mut() {
        emit::<BE>(to, plan.written, words);
    } else {
        emit_exactly::<BE>(to, plan.written, words);
    }
    !plan.ends
}

/// The words of each eight positions.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn windows([low, high]: [__m512i; 2]) -> [__m128i; 8] {
    [
        _mm512_castsi512_si128(low),
        _mm512_castsi512_si128(high),
        _mm512_extracti32x4_epi32::<1>(low),
        _mm512_extracti32x4_epi32::<1>(high),
        _mm512_extracti32x4_epi32::<2>(low),
        _mm512_extracti32x4_epi32::<2>(high),
        _mm512_extracti32x4_epi32::<3>(low),
        _mm512_extracti32x4_epi32::<3>(high),
    ]
}

/// Brings the words of `window` that `ends` has to the front.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn packed<const BE: bool>(window: __m128i, ends: u8) -> __m128i {
    let row = &WINDOWS[usize::from(BE)].0[usize::from(ends)];
    // SAFETY: a row has the 16 bytes that are read; the load needs no alignment.
    let row = unsafe { _mm_loadu_si128(row.as_ptr().cast()) };
    _mm_shuffle_epi8(window, row)
}

/// Writes the words at `ends`. What is after them in `to` may be overwritten.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")]
fn emit<const BE: bool>(to: &mut Units, ends: u64, words: [__m512i; 2]) {
    let rows = WINDOWS[usize::from(BE)].0.as_ptr().cast::<u8>();
    let mut to = to.as_mut_ptr();
    for (i, window) in windows(words).into_iter().enumerate() {
        // Eight bits of `ends`, times the length of a row.
        let offset = ends.rotate_right((60 + 8 * i as u32) % 64) & 0xFF0;
        let row = rows.wrapping_add(offset as usize);
        // SAFETY: there are 256 rows of 16 bytes; the load needs no alignment.
        let row = unsafe { _mm_loadu_si128(row.cast()) };
        let units = _mm_shuffle_epi8(window, row);
        // SAFETY: at most eight units were written for each window before this one, which is the
        // eighth at most: there are 16 bytes left of the 128 of `to`. The store needs no alignment.
        unsafe { _mm_storeu_si128(to.cast(), units) };
        to = to.wrapping_add(2 * offset.count_ones() as usize);
    }
}

/// Writes the words at `ends`, and nothing past the end of `to`; returns their number.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")]
fn emit_exactly<const BE: bool>(
    to: &mut [MaybeUninit<u8>],
    ends: u64,
    words: [__m512i; 2],
) -> usize {
    let mut to = to;
    let mut rest = ends;
    for window in windows(words) {
        let packed = packed::<BE>(window, rest as u8);
        let len = 2 * (rest as u8).count_ones() as usize;
        match to.first_chunk_mut::<16>() {
            Some(to) => store_window(to, packed),
            None => store_front(to, _mm512_castsi128_si512(packed)),
        }
        to = to.get_mut(len..).unwrap_or_default();
        rest >>= 8;
        if rest == 0 {
            break;
        }
    }
    ends.count_ones() as usize
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn store_window(to: &mut [MaybeUninit<u8>; 16], value: __m128i) {
    // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), value) };
}

/// An ASCII byte as a unit.
#[inline]
pub(in crate::simd::x86_64) fn unit<const BE: bool>(byte: u8) -> [MaybeUninit<u8>; 2] {
    if BE { [0, byte] } else { [byte, 0] }.map(MaybeUninit::new)
}

/// Words in the order of bytes wanted.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn word<const BE: bool>(words: __m512i) -> __m512i {
    if BE {
        _mm512_slli_epi16::<8>(words)
    } else {
        words
    }
}

/// Writes the ASCII bytes as units.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn widen<const BE: bool>(to: &mut Units, bytes: __m512i) {
    let halves = [
        _mm512_castsi512_si256(bytes),
        _mm512_extracti64x4_epi64::<1>(bytes),
    ];
    let (vectors, _) = to.as_chunks_mut::<LANES>();
    for (to, half) in vectors.iter_mut().zip(halves) {
        super::store(to, word::<BE>(_mm512_cvtepu8_epi16(half)));
    }
}

/// The bytes `BACK` before those of the block.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
pub(in crate::simd::x86_64) fn view<const BACK: usize>(block: &Block) -> __m512i {
    const { assert!(BACK <= BEFORE) };
    match block[BEFORE - BACK..].first_chunk() {
        Some(bytes) => super::load(bytes),
        None => _mm512_setzero_si512(),
    }
}
