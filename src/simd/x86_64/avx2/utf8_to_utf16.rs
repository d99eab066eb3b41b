//! UTF-8 to UTF-16 for AVX2, 64 bytes at a time: what the AVX-512 kernel does, with two vectors for
//! its one.

use core::arch::x86_64::{
    _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_si128, _mm256_cvtepi8_epi16,
    _mm256_extracti128_si256, _mm256_max_epu8, _mm256_movemask_epi8, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_subs_epu8, _mm256_testz_si256,
};
use core::mem::MaybeUninit;

use super::utf8_blocks::{
    BEFORE, BLOCK, Bytes, Words, ascii_blocks, block_from, emit, emit_exactly, emit_half, front,
    front_block, front_half, unit, view, views_after, views_of_half, widen_ends,
};
use super::utf8_few::{FEW, few};
use super::utf8_threes;
use super::utf8_units::{
    Constants, at_least, blend, bytes, continuations, expand, is_ascii, is_zero, mask, pair_faults,
    pair_faults_of_half, set, surrogates, words, words_of_half, wrong_continuations, wrong_of_half,
    wrong_thirds,
};
use super::{load, store};
use crate::simd::kernels::Transcoded;
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::utf8_starts::{Found, Run, Seen};
use crate::simd::x86_64::utf8_tables::WRONG_SECOND;

/// Converts well-formed UTF-8 to UTF-16.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let run = convert::<false, false>(src, as_bytes(dst));
    (run.at, run.units)
}

/// The same, to bytes in the given order, which are what it counts.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let run = convert::<BE, false>(src, dst);
    (run.at, 2 * run.units)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf16_lossy(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Transcoded {
    let run = convert::<false, true>(src, as_bytes(dst));
    Transcoded {
        read: run.at,
        written: run.units,
        errors: run.errors,
    }
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
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
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
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
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn short<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if src.len() <= FEW {
        return few::<BE>(src, dst);
    }
    if src.len() > BLOCK || dst.len() / 2 < src.len() {
        return None;
    }
    if widen_ends::<BE>(&mut dst[..2 * src.len()], src) {
        return Some(src.len());
    }
    short_text::<BE>(src, dst)
}

/// The same where the text is not ASCII.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn short_text<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
    if let [.., a, b, c] = *src
        && (c >= 0xC0 || b >= 0xE0 || a >= 0xF0)
    {
        // Incomplete, which shows only where there is a byte after it in the vector.
        return None;
    }
    let c = &Constants::known();
    let zero = _mm256_setzero_si256();
    if src.len() <= BLOCK / 2 {
        let x = front_half(src);
        let [p1, p2, p3] = views_of_half(zero, x);
        let wrong = wrong_of_half(c, pair_faults_of_half(c, x, p1), p2, p3);
        if _mm256_testz_si256(wrong, wrong) == 0 {
            return None;
        }
        let [even, odd] = words_of_half(c, x, p1, p2);
        let words = [even, odd, zero, zero];
        return Some(write_short::<BE>(
            dst,
            src.len(),
            [x, zero],
            [p2, zero],
            words,
        ));
    }
    let x = front(src);
    let [p1, p2, p3] = views_after(zero, x);
    if !is_zero(wrong_continuations(c, pair_faults(c, x, p1), p2, p3)) {
        return None;
    }
    let words = words(c, x, p1, p2);
    Some(write_short::<BE>(dst, src.len(), x, p2, words))
}

#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn write_short<const BE: bool>(
    dst: &mut [MaybeUninit<u8>],
    len: usize,
    x: Bytes,
    p2: Bytes,
    words: Words,
) -> usize {
    let mut ends = !(continuations(x) >> 1) & !(!0 << (len - 1) << 1);
    let mut words = words;
    let thirds = at_least(p2, 0xF0);
    if thirds != 0 {
        ends |= thirds;
        words = surrogates(words, thirds, thirds << 1);
    }
    if len <= BLOCK / 2
        && let Some(to) = dst.first_chunk_mut()
    {
        emit_half::<BE>(to, ends as u32, [words[0], words[1]]);
    } else if let Some(to) = dst.first_chunk_mut() {
        emit::<BE>(to, ends, words);
    } else {
        emit_exactly::<BE>(dst, ends, words);
    }
    ends.count_ones() as usize
}

/// The first block, if it is a whole one and well-formed.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn first_block<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) -> bool {
    let (Some(block), Some(to)) = (
        src.first_chunk::<BLOCK>(),
        dst.first_chunk_mut::<{ 2 * BLOCK }>(),
    ) else {
        return false;
    };
    if ascii_blocks::<BE>(block, to) == BLOCK {
        run.units = BLOCK - 1;
        run.starts = !0;
    } else {
        let c = &Constants::known();
        let x = front(block);
        let [p1, p2, p3] = views_after(_mm256_setzero_si256(), x);
        if !is_zero(wrong_continuations(c, pair_faults(c, x, p1), p2, p3)) {
            return false;
        }
        let fours = at_least(p3, 0xF0);
        let mut words = words(c, p1, p2, p3);
        if fours != 0 {
            words = surrogates(words, fours, fours << 1);
        }
        run.starts = !continuations(x);
        let ends = (run.starts | fours) & !1;
        emit::<BE>(to, ends, words);
        run.units = ends.count_ones() as usize;
    }
    run.at = BLOCK;
    true
}

/// Whole blocks of well-formed input, as long as there is room for a block and a unit.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
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
    let c = &Constants::kept();
    while let (Some(block), Some(to)) = (
        src[at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>(),
        dst.get_mut(2 * units..)
            .and_then(|room| room.first_chunk_mut::<{ 2 + 2 * BLOCK }>()),
    ) {
        let x = view::<0>(block);
        if is_ascii(x) && block[BEFORE - 1] < 0x80 {
            if let Some(last) = to.first_chunk_mut() {
                *last = unit::<BE>(block[BEFORE - 1]);
            }
            let len = ascii_blocks::<BE>(&src[at..], &mut dst[2 * units + 2..]);
            at += len;
            units += len;
            starts = !0;
            continue;
        }
        let Some(to) = to.first_chunk_mut::<{ 2 * BLOCK }>() else {
            break;
        };
        let [p1, p2, p3] = [view::<1>(block), view::<2>(block), view::<3>(block)];
        let faults = pair_faults(c, x, p1);
        let highest = _mm256_max_epu8(p3[0], p3[1]);
        if _mm256_movemask_epi8(_mm256_subs_epu8(highest, c.four)) == 0 && block[0] < 0xF0 {
            if !is_zero(wrong_thirds(c, faults, p2)) {
                break;
            }
            starts = !continuations(x);
            emit::<BE>(to, starts, words(c, p1, p2, p3));
            units += starts.count_ones() as usize;
            if utf8_threes::is_likely(starts) {
                // From the last start on, before which all is written.
                let from = at + BLOCK - 1 - starts.leading_zeros() as usize;
                let more = utf8_threes::to_utf16::<BE>(&src[from..], &mut dst[2 * units..]);
                if more > 0 {
                    at = from + 3 * more;
                    // The last one is left, and written again.
                    units += more - 1;
                    starts = utf8_threes::STARTS;
                    continue;
                }
            }
        } else {
            if !is_zero(wrong_continuations(c, faults, p2, p3)) {
                break;
            }
            starts = !continuations(x);
            let fours = at_least(p3, 0xF0);
            let fourths = fours << 1 | u64::from(block[0] >= 0xF0);
            let words = surrogates(words(c, p1, p2, p3), fours, fourths);
            emit::<BE>(to, starts | fours, words);
            units += (starts | fours).count_ones() as usize;
        }
        at += BLOCK;
    }
    run.at = at;
    run.units = units;
    run.starts = starts;
}

/// Blocks of ASCII and of bytes that stand alone in it, each of which becomes U+FFFD. Returns whether
/// there was one.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn blocks_of_lone_bytes(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) -> bool {
    if !run.is_after_start(src) {
        return false;
    }
    let start = run.at;
    while let Some(block) = src[run.at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>()
        && let Some(to) = dst.get_mut(2 * run.units..)
        && let Some(to) = to.first_chunk_mut::<{ 2 * BLOCK }>()
    {
        let [x, p1] = [view::<0>(block), view::<1>(block)];
        if !is_ascii([0, 1].map(|half| _mm256_and_si256(x[half], p1[half]))) {
            break;
        }
        run.errors += mask(p1).count_ones() as usize;
        let (halves, _) = to.as_chunks_mut::<BLOCK>();
        for (to, half) in halves.iter_mut().zip(p1) {
            // As a number with a sign, FD is U+FFFD.
            let half = _mm256_blendv_epi8(half, bytes(0xFD), half);
            let (low, high) = to.split_at_mut(32);
            if let (Some(low), Some(high)) = (low.first_chunk_mut(), high.first_chunk_mut()) {
                store(low, _mm256_cvtepi8_epi16(_mm256_castsi256_si128(half)));
                let upper = _mm256_extracti128_si256::<1>(half);
                store(high, _mm256_cvtepi8_epi16(upper));
            }
        }
        run.units += BLOCK;
        run.at += BLOCK;
    }
    run.has_passed_lone_bytes(src, start)
}

/// What is left, if it is less than a block and well-formed and fits.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn last_block<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>], run: &mut Run) -> bool {
    let Run { at, units, .. } = *run;
    let Some(before) = src[..at].last_chunk::<32>() else {
        return false;
    };
    let len = src.len() - at;
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    if len >= BLOCK || to.len() < 2 * (len + 1) || run.dirty {
        return false;
    }
    let (last, words) = to.split_at_mut(2);
    if src[at - 1] < 0x80 && widen_ends::<BE>(&mut words[..2 * len], &src[at..]) {
        last.copy_from_slice(&unit::<BE>(src[at - 1]));
        run.units += len + 1;
    } else {
        let c = &Constants::known();
        let x = front(&src[at..]);
        let [p1, p2, p3] = views_after(load(before), x);
        if !is_zero(wrong_continuations(c, pair_faults(c, x, p1), p2, p3)) {
            return false;
        }
        // Behind the last byte stands one more start.
        let mut ends = !continuations(x) & (!0 >> (BLOCK - 1 - len));
        let mut words = self::words(c, p1, p2, p3);
        let fours = at_least(p3, 0xF0);
        let four_before = src[at - BEFORE] >= 0xF0;
        if fours != 0 || four_before {
            ends |= fours;
            words = surrogates(words, fours, fours << 1 | u64::from(four_before));
        }
        emit_exactly::<BE>(to, ends, words);
        run.units += ends.count_ones() as usize;
    }
    run.at = src.len();
    true
}

/// One block anywhere: the first, the last, one with malformed input, one with little room. False
/// when the kernel is at its end.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn partial_block<const BE: bool, const LOSSY: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    run: &mut Run,
) -> bool {
    let units = run.units;
    let c = &Constants::known();
    let copy;
    let before = run.at.checked_sub(BEFORE);
    let block = match before.and_then(|before| src[before..].first_chunk()) {
        Some(block) => block,
        None => {
            copy = match before {
                Some(before) => block_from(&src[before..]),
                None => front_block(src),
            };
            &copy
        }
    };
    let [x, p1] = [view::<0>(block), view::<1>(block)];
    let [p2, p3] = [view::<2>(block), view::<3>(block)];
    let faults = pair_faults(c, x, p1);
    let continuation = continuations(x);
    let seen = Seen {
        continuation,
        three_after_four: at_least(p3, 0xF0),
        wrong: set(wrong_continuations(c, faults, p2, p3)),
    };
    let found = || Found {
        ascii: !mask(x),
        second: continuation
            & at_least(p1, 0xC0)
            & !set(faults.map(|faults| _mm256_and_si256(faults, bytes(WRONG_SECOND)))),
        continuation,
        after_three: at_least(p1, 0xE0),
        two_after_three: at_least(p2, 0xE0),
        two_after_four: at_least(p2, 0xF0),
        three_after_four: at_least(p3, 0xF0),
    };
    let Some(plan) = run.plan::<LOSSY>(src, dst.len() / 2 - units, seen, found) else {
        return false;
    };
    let mut words = if plan.after_third == !0 {
        words(c, p1, p2, p3)
    } else {
        let third = expand(plan.after_third);
        words(
            c,
            p1,
            p2,
            [
                _mm256_and_si256(p3[0], third[0]),
                _mm256_and_si256(p3[1], third[1]),
            ],
        )
    };
    if plan.high | plan.low != 0 {
        words = surrogates(words, plan.high, plan.low);
    }
    if plan.replaced != 0 {
        words = blend(
            words,
            [_mm256_set1_epi16(0xFFFD_u16.cast_signed()); 4],
            plan.replaced,
        );
    }
    let to = dst.get_mut(2 * units..).unwrap_or_default();
    match to.first_chunk_mut() {
        Some(to) => emit::<BE>(to, plan.written, words),
        None => emit_exactly::<BE>(to, plan.written, words),
    }
    !plan.ends
}
