//! UTF-8 to UTF-32 for AVX2, 64 bytes at a time: as with AVX-512 every position gets the scalar value
//! that is right if a character ends there, and eight positions at a time, a shuffle brings those
//! where one does to the front.

use core::arch::x86_64::{
    __m256i, _mm_shuffle_epi8, _mm_srli_si128, _mm256_and_si256, _mm256_blendv_epi8,
    _mm256_castsi256_si128, _mm256_cmpgt_epi8, _mm256_cvtepu8_epi32, _mm256_cvtepu16_epi32,
    _mm256_extracti128_si256, _mm256_or_si256, _mm256_permutevar8x32_epi32, _mm256_setzero_si256,
    _mm256_slli_epi16, _mm256_slli_epi32, _mm256_srli_epi16, _mm256_storeu_si256, _mm256_subs_epu8,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _pdep_u64,
};
use core::mem::MaybeUninit;

use super::utf8_blocks::{
    BEFORE, BLOCK, Block, Bytes, Words, copy_ends, load_quarter, view, windows,
};
use super::utf8_threes;
use super::utf8_units::{
    Constants, at_least, bytes, continuations, is_ascii, is_zero, pair_faults, set,
    wrong_continuations, wrong_thirds,
};
use super::utf32::{UNITS, WITHOUT, load_8, store};
use crate::simd::scalar::short;
use crate::simd::x86_64::sse4;
use crate::simd::x86_64::utf8_tables::WINDOWS;

/// Scalar values: their lower 16 bits, and those above in a byte each, if there are any.
struct Scalars {
    words: Words,
    top: Option<Bytes>,
}

/// Masks that the compiler does not know, for the reason that [`Constants::kept`] gives.
struct Masks {
    seven: __m256i,
    six: __m256i,
    upper_two: __m256i,
    half: __m256i,
    lead: __m256i,
}

impl Masks {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn kept() -> Self {
        static ROWS: [u8; 5] = [0x7F, 0x3F, 0xC0, 0x0F, 0xE0];
        let rows = core::hint::black_box(&ROWS);
        Masks {
            seven: bytes(rows[0]),
            six: bytes(rows[1]),
            upper_two: bytes(rows[2]),
            half: bytes(rows[3]),
            lead: bytes(rows[4]),
        }
    }
}

/// Bytes that are converted one character after the other.
const FEW: usize = 32;

/// Converts well-formed UTF-8.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf8_to_utf32(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    if let [] | [0x80..0xC0, ..] = *src {
        return (0, 0);
    }
    if src.len() <= FEW
        && !src[0].is_ascii()
        && let Some(written) = short::utf8_to_utf32(src, dst)
    {
        return (src.len(), written);
    }
    // Much text begins with ASCII, or is nothing else.
    let run = if src.len() > BLOCK {
        ascii_blocks(src, dst)
    } else {
        0
    };
    let (rest, room) = (&src[run..], &mut dst[run..]);
    if rest.len() <= BLOCK && short_ascii(rest, room) {
        return (src.len(), src.len());
    }
    if let [0x80..0xC0, ..] = *rest {
        return (run, run);
    }
    let (read, written) = convert(rest, room);
    (run + read, run + written)
}

/// Widens ASCII, if it is that and there is room for it.
#[inline]
#[target_feature(enable = "avx2")]
fn short_ascii(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> bool {
    let Some(dst) = dst.get_mut(..src.len()) else {
        return false;
    };
    let (Some(last), Some(to_last)) = (src.last_chunk::<UNITS>(), dst.last_chunk_mut::<UNITS>())
    else {
        return src.iter().zip(dst).all(|(&byte, to)| {
            to.write(u32::from(byte));
            byte < 0x80
        });
    };
    let (eights, _) = src.as_chunks::<UNITS>();
    let all = eights.iter().fold(u64::from_le_bytes(*last), |all, eight| {
        all | u64::from_le_bytes(*eight)
    });
    if all & 0x8080_8080_8080_8080 != 0 {
        return false;
    }
    // The last eight may be written twice.
    store(to_last, _mm256_cvtepu8_epi32(load_8(last)));
    let (to, _) = dst.as_chunks_mut::<UNITS>();
    for (to, eight) in to.iter_mut().zip(eights) {
        store(to, _mm256_cvtepu8_epi32(load_8(eight)));
    }
    true
}

/// Text that has a byte at least, which may start a character.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn convert(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let c = &Constants::kept();
    let m = &Masks::kept();
    let (mut at, mut written) = (1, 0);
    loop {
        let edge = partial_block(c, m, src, &mut dst[written..], &mut at);
        written += edge.units;
        if edge.ends {
            return (at, written);
        }
        // Whole blocks of well-formed input.
        while let (Some(block), Some(to)) = (
            src[at - BEFORE..].first_chunk::<{ BEFORE + BLOCK }>(),
            dst[written..].first_chunk_mut::<{ BLOCK + 1 }>(),
        ) {
            let x = view::<0>(block);
            if is_ascii(x) && block[BEFORE - 1] < 0x80 {
                to[0].write(u32::from(block[BEFORE - 1]));
                let len = ascii_blocks(&src[at..], &mut dst[written + 1..]);
                at += len;
                written += len;
                continue;
            }
            let Some(to) = to.first_chunk_mut() else {
                break;
            };
            let [p1, p2, p3] = [view::<1>(block), view::<2>(block), view::<3>(block)];
            let faults = pair_faults(c, x, p1);
            let fours = at_least(p3, 0xF0);
            let starts = !continuations(x);
            if fours == 0 && block[0] < 0xF0 {
                if !is_zero(wrong_thirds(c, faults, p2)) {
                    break;
                }
                emit(to, starts, &scalars_to_three(m, p1, p2, p3));
                if utf8_threes::is_likely(starts) {
                    // From the last start on, before which all is written.
                    let from = at + BLOCK - 1 - starts.leading_zeros() as usize;
                    written += starts.count_ones() as usize;
                    let more = utf8_threes::to_utf32(&src[from..], &mut dst[written..]);
                    if more > 0 {
                        at = from + 3 * more;
                        // The last one is left, and written again.
                        written += more - 1;
                    } else {
                        at += BLOCK;
                    }
                    continue;
                }
            } else {
                if !is_zero(wrong_continuations(c, faults, p2, p3)) {
                    break;
                }
                emit(to, starts, &scalars(m, p1, p2, p3, view::<4>(block)));
            }
            written += starts.count_ones() as usize;
            at += BLOCK;
        }
    }
}

/// What became of a block at an edge.
struct Edge {
    units: usize,
    ends: bool,
}

/// One block anywhere: the first, the last, one with malformed input or with little room. Moves
/// `at` on, or where the run ends, to the first character that is not written.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn partial_block(
    c: &Constants,
    m: &Masks,
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
    at: &mut usize,
) -> Edge {
    let rest = src.len() - *at;
    let copy;
    let block = match at
        .checked_sub(BEFORE)
        .and_then(|front| src[front..].first_chunk())
    {
        Some(block) => block,
        None => {
            copy = zeros_around(src, *at);
            &copy
        }
    };
    let x = view::<0>(block);
    let [p1, p2, p3] = [view::<1>(block), view::<2>(block), view::<3>(block)];
    // Behind the last byte stands one more start.
    let after = !0 >> (BLOCK - 1 - rest.min(BLOCK - 1));
    let faults = pair_faults(c, x, p1);
    let wrong = set(wrong_continuations(c, faults, p2, p3)) & after;
    // Below the lowest bit.
    let mut starts = !continuations(x) & after & wrong.wrapping_sub(1) & !wrong;
    let mut ends = rest < BLOCK || wrong != 0;
    let units = starts.count_ones() as usize;
    if units > dst.len() {
        starts = _pdep_u64((1 << dst.len()) - 1, starts);
        ends = true;
    }
    let units = units.min(dst.len());
    let fours = at_least(p3, 0xF0) != 0 || block[0] >= 0xF0;
    let scalars = if fours {
        scalars(m, p1, p2, p3, view::<4>(block))
    } else {
        scalars_to_three(m, p1, p2, p3)
    };
    match dst.first_chunk_mut() {
        Some(to) => emit(to, starts, &scalars),
        None => {
            let mut between = [MaybeUninit::uninit(); BLOCK];
            emit(&mut between, starts, &scalars);
            copy_ends(dst, &between[..units]);
        }
    }
    if !ends {
        *at += BLOCK;
    } else if let Some(last) = starts.checked_ilog2() {
        *at += last as usize;
    } else {
        let is_start = |byte: &u8| !(0x80..0xC0).contains(byte);
        *at = src[..*at].iter().rposition(is_start).unwrap_or_default();
    }
    Edge { units, ends }
}

/// The bytes around `at`, and zeros where there are none.
#[inline]
fn zeros_around(src: &[u8], at: usize) -> Block {
    let mut block = [0; BEFORE + BLOCK];
    let front = at.saturating_sub(BEFORE);
    let bytes = &src[front..src.len().min(at + BLOCK)];
    copy_ends(&mut block[BEFORE - (at - front)..], bytes);
    block
}

/// Of what ends at each byte `p1`, where no character has four bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn scalars_to_three(m: &Masks, p1: Bytes, p2: Bytes, p3: Bytes) -> Scalars {
    let one = |i: usize| {
        // 0 if this is no lead byte of three.
        let c = _mm256_subs_epu8(p3[i], m.lead);
        words_of_half(m, p1[i], p2[i], _mm256_slli_epi16::<4>(c))
    };
    let ([a, b], [c, d]) = (one(0), one(1));
    Scalars {
        words: [a, b, c, d],
        top: None,
    }
}

/// The same, with characters of four bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn scalars(m: &Masks, p1: Bytes, p2: Bytes, p3: Bytes, p4: Bytes) -> Scalars {
    let one = |i: usize| {
        // The highest bit is set where the byte four before leads four.
        let fourth = _mm256_subs_epu8(p4[i], bytes(0xF0 - 0x80));
        let c = _mm256_subs_epu8(p3[i], m.lead);
        let c = _mm256_blendv_epi8(c, _mm256_and_si256(p3[i], m.six), fourth);
        let upper = _mm256_slli_epi16::<4>(_mm256_and_si256(c, m.half));
        let d = _mm256_blendv_epi8(
            _mm256_setzero_si256(),
            _mm256_and_si256(p4[i], bytes(0x07)),
            fourth,
        );
        let c = _mm256_and_si256(_mm256_srli_epi16::<4>(c), bytes(0x03));
        let top = _mm256_or_si256(c, _mm256_slli_epi16::<2>(d));
        (words_of_half(m, p1[i], p2[i], upper), top)
    };
    let (([a, b], low), ([c, d], high)) = (one(0), one(1));
    Scalars {
        words: [a, b, c, d],
        top: Some([low, high]),
    }
}

/// Of what ends at each byte `p1` the lower 16 bits; `upper` has bits 12 to 15 where they belong.
#[inline]
#[target_feature(enable = "avx2")]
fn words_of_half(m: &Masks, p1: __m256i, p2: __m256i, upper: __m256i) -> [__m256i; 2] {
    let a = _mm256_and_si256(p1, m.seven);
    // Lead bytes end nothing, so that all that are not ASCII may be taken for continuation bytes.
    let longer = _mm256_cmpgt_epi8(_mm256_setzero_si256(), p1);
    let b = _mm256_and_si256(_mm256_and_si256(p2, m.six), longer);
    let low = _mm256_and_si256(_mm256_slli_epi16::<6>(b), m.upper_two);
    let low = _mm256_or_si256(low, a);
    let high = _mm256_and_si256(_mm256_srli_epi16::<2>(b), m.half);
    let high = _mm256_or_si256(high, upper);
    [
        _mm256_unpacklo_epi8(low, high),
        _mm256_unpackhi_epi8(low, high),
    ]
}

/// Writes the scalar values at `starts`. What is after them in `to` may be overwritten.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn emit(to: &mut [MaybeUninit<u32>; BLOCK], starts: u64, scalars: &Scalars) {
    let Some(top) = scalars.top else {
        let mut to = to.as_mut_ptr();
        for (i, window) in windows(scalars.words).into_iter().enumerate() {
            let set = (starts >> (8 * i)) as u8;
            let row = sse4::load(&WINDOWS[0].0[usize::from(set)]);
            let units = _mm256_cvtepu16_epi32(_mm_shuffle_epi8(window, row));
            // SAFETY: at most eight units were written for each window before this one, which is
            // the eighth at most: there are eight left of the 64 of `to`. The store needs no
            // alignment.
            unsafe { _mm256_storeu_si256(to.cast(), units) };
            to = to.wrapping_add(set.count_ones() as usize);
        }
        return;
    };
    let mut at = 0;
    for (i, window) in windows(scalars.words).into_iter().enumerate() {
        let set = (starts >> (8 * i)) as u8;
        let half = top[i / 4];
        let quarter = if i % 4 < 2 {
            _mm256_castsi256_si128(half)
        } else {
            _mm256_extracti128_si256::<1>(half)
        };
        let top = if i % 2 == 0 {
            quarter
        } else {
            _mm_srli_si128::<8>(quarter)
        };
        let top = _mm256_slli_epi32::<16>(_mm256_cvtepu8_epi32(top));
        let units = _mm256_or_si256(_mm256_cvtepu16_epi32(window), top);
        let kept = _mm256_cvtepu8_epi32(load_8(&WITHOUT[usize::from(!set)]));
        if let Some(to) = to[at..].first_chunk_mut::<UNITS>() {
            store(to, _mm256_permutevar8x32_epi32(units, kept));
        }
        at += set.count_ones() as usize;
    }
}

/// The blocks in front that are ASCII.
#[inline]
#[target_feature(enable = "avx2")]
fn ascii_blocks(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    /// So much is worth aligned stores.
    const FEW: usize = 8 * BLOCK;
    let len = unaligned_ascii(&src[..src.len().min(FEW)], dst);
    if len < FEW {
        return len;
    }
    // Some are written again.
    let len = len - dst[len..].as_ptr().addr() % 32 / 4;
    len + long_ascii(&src[len..], &mut dst[len..])
}

#[inline(never)]
#[target_feature(enable = "avx2")]
fn long_ascii(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    unaligned_ascii(src, dst)
}

#[inline]
#[target_feature(enable = "avx2")]
fn unaligned_ascii(src: &[u8], dst: &mut [MaybeUninit<u32>]) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let (rooms, _) = dst.as_chunks_mut::<BLOCK>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        let (halves, _) = block.as_chunks::<32>();
        if !is_ascii([super::load(&halves[0]), super::load(&halves[1])]) {
            break;
        }
        let (quarters, _) = block.as_chunks::<16>();
        let (to, _) = to.as_chunks_mut::<{ 2 * UNITS }>();
        for (to, quarter) in to.iter_mut().zip(quarters) {
            let quarter = load_quarter(quarter);
            if let ([low, high], _) = to.as_chunks_mut() {
                store(low, _mm256_cvtepu8_epi32(quarter));
                store(high, _mm256_cvtepu8_epi32(_mm_srli_si128::<8>(quarter)));
            }
        }
        len += BLOCK;
    }
    len
}
