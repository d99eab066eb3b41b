//! UTF-8 to UTF-16 for AVX2, 64 bytes at a time: what the AVX-512 kernel does, with two vectors for
//! its one. Blocks that are not whole are copied to a block that is.

use core::arch::x86_64::{
    __m128i, __m256i, _mm_cvtepu8_epi16, _mm_cvtsi64_si128, _mm_loadu_si128, _mm_set_epi64x,
    _mm_setzero_si128, _mm_shuffle_epi8, _mm_slli_epi16, _mm_storeu_si128, _mm256_add_epi16,
    _mm256_alignr_epi8, _mm256_and_si256, _mm256_blendv_epi8, _mm256_broadcastsi128_si256,
    _mm256_castsi128_si256, _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_cmpgt_epi8,
    _mm256_cvtepu8_epi16, _mm256_extracti128_si256, _mm256_maddubs_epi16, _mm256_max_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_set_m128i,
    _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_set1_epi64x, _mm256_setr_epi8,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16,
    _mm256_sub_epi8, _mm256_subs_epu8, _mm256_testz_si256, _mm256_unpackhi_epi8,
    _mm256_unpacklo_epi8, _mm256_xor_si256,
};
use core::mem::MaybeUninit;

use super::{load, store};
use crate::simd::kernels::Replaced;
use crate::simd::x86_64::as_bytes;
use crate::simd::x86_64::utf_8_starts::{Found, Run, Seen};
use crate::simd::x86_64::utf_8_tables::{
    FAULTS_BY_HALF, SECOND_CONTINUATION, WINDOWS, WRONG_SECOND,
};

/// Bytes in a block.
const BLOCK: usize = 64;
/// Bytes before a block that it looks at.
const BEFORE: usize = 4;
/// Those bytes and a block.
type Block = [u8; BEFORE + BLOCK];
/// Room for the units of a block, as bytes.
type Units = [MaybeUninit<u8>; 2 * BLOCK];
/// A block in two vectors.
type Bytes = [__m256i; 2];
/// The words of a block: of each vector the even 8 bytes, and the odd ones.
type Words = [__m256i; 4];

/// Converts well-formed UTF-8 to UTF-16.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf_8_to_utf_16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> (usize, usize) {
    let run = convert::<false, false>(src, as_bytes(dst));
    (run.at, run.units)
}

/// The same, to bytes in the given order, which are what it counts.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf_8_to_utf_16_bytes<const BE: bool>(
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let run = convert::<BE, false>(src, dst);
    (run.at, 2 * run.units)
}

/// Converts UTF-8, with U+FFFD for each maximal subpart of malformed input.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf_8_to_utf_16_lossy(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> Replaced {
    let run = convert::<false, true>(src, as_bytes(dst));
    Replaced {
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
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn short<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Option<usize> {
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
        // Incomplete, which shows only where there is a byte behind it in the vector.
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
    let [p1, p2, p3] = views_behind(zero, x);
    if !is_zero(wrong_continuations(c, pair_faults(c, x, p1), p2, p3)) {
        return None;
    }
    let words = words(c, x, p1, p2);
    Some(write_short::<BE>(dst, src.len(), x, p2, words))
}

#[inline]
#[target_feature(enable = "avx2,popcnt")]
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
    emit_exactly::<BE>(dst, ends, words);
    ends.count_ones() as usize
}

/// Up to eight bytes, and zeros.
#[inline]
fn front_word(src: &[u8]) -> u64 {
    let shift = 8 * (8 - src.len().min(8));
    match (src.first_chunk::<8>(), src.first_chunk::<4>()) {
        (Some(word), _) => u64::from_le_bytes(*word),
        (None, Some(first)) => {
            let last = src.last_chunk::<4>().unwrap_or(first);
            let last = u64::from(u32::from_le_bytes(*last)) << 32 >> shift;
            u64::from(u32::from_le_bytes(*first)) | last
        }
        (None, None) => match *src {
            [a] => u64::from(a),
            [a, b] => u64::from_le_bytes([a, b, 0, 0, 0, 0, 0, 0]),
            [a, b, c] => u64::from_le_bytes([a, b, c, 0, 0, 0, 0, 0]),
            _ => 0,
        },
    }
}

/// The bytes 1, 2 and 3 before those of `x`, which `before` comes before.
#[inline]
#[target_feature(enable = "avx2")]
fn views_of_half(before: __m256i, x: __m256i) -> [__m256i; 3] {
    let across = _mm256_permute2x128_si256::<0x21>(before, x);
    [
        _mm256_alignr_epi8::<15>(x, across),
        _mm256_alignr_epi8::<14>(x, across),
        _mm256_alignr_epi8::<13>(x, across),
    ]
}

/// The same for a block.
#[inline]
#[target_feature(enable = "avx2")]
fn views_behind(before: __m256i, x: Bytes) -> [Bytes; 3] {
    let [a, b, c] = views_of_half(before, x[0]);
    let [d, e, f] = views_of_half(x[0], x[1]);
    [[a, d], [b, e], [c, f]]
}

/// Up to a block, and zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn front(src: &[u8]) -> Bytes {
    match src.split_first_chunk::<32>() {
        Some((half, rest)) => [load(half), front_half(rest)],
        None => [front_half(src), _mm256_setzero_si256()],
    }
}

/// Up to half a block, and zeros.
#[inline]
#[target_feature(enable = "avx2")]
fn front_half(src: &[u8]) -> __m256i {
    if let Some(half) = src.first_chunk() {
        return load(half);
    }
    let len = src.len();
    if let (Some(first), Some(last)) = (src.first_chunk::<16>(), src.last_chunk::<16>()) {
        // Bytes from here on move those behind the first 16 to the front, and zeros after them.
        static MOVE: [u8; 32] = [
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0x80, 0x80, 0x80, 0x80, 0x80,
            0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
        ];
        let rest = match MOVE[(32 - len).min(16)..].first_chunk() {
            Some(row) => _mm_shuffle_epi8(load_quarter(last), load_quarter(row)),
            None => _mm_setzero_si128(),
        };
        return _mm256_set_m128i(rest, load_quarter(first));
    }
    let (low, high) = match (src.first_chunk::<8>(), src.last_chunk::<8>()) {
        (Some(first), Some(last)) if len > 8 => (
            u64::from_le_bytes(*first),
            u64::from_le_bytes(*last) >> (8 * (16 - len)),
        ),
        _ => (front_word(src), 0),
    };
    let [low, high] = [low, high].map(|half| half.cast_signed());
    _mm256_castsi128_si256(_mm_set_epi64x(high, low))
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
        let [p1, p2, p3] = views_behind(_mm256_setzero_si256(), x);
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

/// The blocks in front that are ASCII.
#[inline]
#[target_feature(enable = "avx2")]
fn ascii_blocks<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let (blocks, _) = src.as_chunks::<BLOCK>();
    let (rooms, _) = dst.as_chunks_mut::<{ 2 * BLOCK }>();
    let mut len = 0;
    for (block, to) in blocks.iter().zip(rooms) {
        let (halves, _) = block.as_chunks::<32>();
        let any = halves
            .iter()
            .map(|half| load(half))
            .reduce(|a, b| _mm256_or_si256(a, b));
        if any.is_some_and(|any| _mm256_movemask_epi8(any) != 0) {
            break;
        }
        let (quarters, _) = block.as_chunks::<16>();
        let (to, _) = to.as_chunks_mut::<32>();
        for (to, quarter) in to.iter_mut().zip(quarters) {
            widen::<BE>(to, quarter);
        }
        len += BLOCK;
    }
    len
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
        let [p1, p2, p3] = views_behind(load(before), x);
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
fn edge<const BE: bool, const LOSSY: bool>(
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

#[inline]
#[target_feature(enable = "avx2")]
fn bytes(byte: u8) -> __m256i {
    _mm256_set1_epi8(byte.cast_signed())
}

/// The highest bit of every byte.
#[inline]
#[target_feature(enable = "avx2")]
fn mask([low, high]: Bytes) -> u64 {
    let [low, high] = [low, high].map(|half| _mm256_movemask_epi8(half).cast_unsigned());
    u64::from(low) | u64::from(high) << 32
}

/// Where a byte is not 0.
#[inline]
#[target_feature(enable = "avx2")]
fn set(x: Bytes) -> u64 {
    !mask(x.map(|half| _mm256_cmpeq_epi8(half, _mm256_setzero_si256())))
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_zero([low, high]: Bytes) -> bool {
    let any = _mm256_or_si256(low, high);
    _mm256_testz_si256(any, any) != 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_ascii([low, high]: Bytes) -> bool {
    _mm256_movemask_epi8(_mm256_or_si256(low, high)) == 0
}

#[inline]
#[target_feature(enable = "avx2")]
fn continuations(x: Bytes) -> u64 {
    mask(x.map(|half| _mm256_cmpgt_epi8(bytes(0xC0), half)))
}

/// Where a byte is at least `byte`, which is 80 or more.
#[inline]
#[target_feature(enable = "avx2")]
fn at_least(x: Bytes, byte: u8) -> u64 {
    mask(x.map(|half| _mm256_subs_epu8(half, bytes(byte - 0x80))))
}

/// What the bytes of a block are compared and computed with.
#[derive(Clone, Copy)]
struct Constants {
    faults: [__m256i; 3],
    half: __m256i,
    three: __m256i,
    four: __m256i,
    second_continuation: __m256i,
    before: __m256i,
    lead: __m256i,
    weights: __m256i,
}

/// Rows of bytes, of which [`Constants`] are made.
static BYTES: [u8; 7] = [
    0x0F,
    0xE0 - 0x80,
    0xF0 - 0x80,
    SECOND_CONTINUATION,
    0xC0 - 2,
    0xE0 - 1,
    0,
];

impl Constants {
    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(rows: &[u8; 7]) -> Self {
        Constants {
            faults: [0, 1, 2].map(|row| {
                // SAFETY: a row has the 16 bytes that are read; the load needs no alignment.
                let row = unsafe { _mm_loadu_si128(FAULTS_BY_HALF[row].as_ptr().cast()) };
                _mm256_broadcastsi128_si256(row)
            }),
            half: bytes(rows[0]),
            three: bytes(rows[1]),
            four: bytes(rows[2]),
            second_continuation: bytes(rows[3]),
            before: bytes(rows[4]),
            lead: bytes(rows[5]),
            weights: _mm256_set1_epi16(64 << 8 | 1),
        }
    }

    /// Constants that the compiler knows.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn known() -> Self {
        Self::new(&BYTES)
    }

    /// Constants that it does not know, so that it keeps them in registers or on the stack. Those
    /// that it knows it broadcasts from single bytes, again for each block, which costs two
    /// operations each.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn kept() -> Self {
        Self::new(core::hint::black_box(&BYTES))
    }
}

/// What is wrong with each byte and the one before it.
#[inline]
#[target_feature(enable = "avx2")]
fn pair_faults_of_half(c: &Constants, x: __m256i, p1: __m256i) -> __m256i {
    let high = |x| _mm256_and_si256(_mm256_srli_epi16::<4>(x), c.half);
    _mm256_and_si256(
        _mm256_and_si256(
            _mm256_shuffle_epi8(c.faults[0], high(p1)),
            _mm256_shuffle_epi8(c.faults[1], _mm256_and_si256(p1, c.half)),
        ),
        _mm256_shuffle_epi8(c.faults[2], high(x)),
    )
}

#[inline]
#[target_feature(enable = "avx2")]
fn pair_faults(c: &Constants, x: Bytes, p1: Bytes) -> Bytes {
    [
        pair_faults_of_half(c, x[0], p1[0]),
        pair_faults_of_half(c, x[1], p1[1]),
    ]
}

/// Bytes that are not 0 where one is wrong, in a block of characters of at most three bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn wrong_thirds(c: &Constants, faults: Bytes, p2: Bytes) -> Bytes {
    let one = |faults, p2| {
        let third = _mm256_subs_epu8(p2, c.three);
        _mm256_xor_si256(_mm256_and_si256(third, c.second_continuation), faults)
    };
    [one(faults[0], p2[0]), one(faults[1], p2[1])]
}

/// Bytes that are not 0 where one is wrong.
#[inline]
#[target_feature(enable = "avx2")]
fn wrong_continuations(c: &Constants, faults: Bytes, p2: Bytes, p3: Bytes) -> Bytes {
    [
        wrong_of_half(c, faults[0], p2[0], p3[0]),
        wrong_of_half(c, faults[1], p2[1], p3[1]),
    ]
}

#[inline]
#[target_feature(enable = "avx2")]
fn wrong_of_half(c: &Constants, faults: __m256i, p2: __m256i, p3: __m256i) -> __m256i {
    let third = _mm256_subs_epu8(p2, c.three);
    let fourth = _mm256_subs_epu8(p3, c.four);
    let due = _mm256_and_si256(_mm256_or_si256(third, fourth), c.second_continuation);
    _mm256_xor_si256(due, faults)
}

/// For every byte `p1` the code unit of a character of up to three bytes that ends there; of four
/// bytes, what [`surrogates`] needs.
#[inline]
#[target_feature(enable = "avx2")]
fn words(c: &Constants, p1: Bytes, p2: Bytes, p3: Bytes) -> Words {
    let [even, odd] = words_of_half(c, p1[0], p2[0], p3[0]);
    let [even_2, odd_2] = words_of_half(c, p1[1], p2[1], p3[1]);
    [even, odd, even_2, odd_2]
}

#[inline]
#[target_feature(enable = "avx2")]
fn words_of_half(c: &Constants, p1: __m256i, p2: __m256i, p3: __m256i) -> [__m256i; 2] {
    let zero = _mm256_setzero_si256();
    // Less C0, which for a continuation byte (of three) is 40 too much; the 1 that the lead byte of
    // three bytes has too much makes up for it. And 2 more, because `p1` counts as a number with a
    // sign. Lead bytes end nothing, so that all that are not ASCII may be taken for continuation
    // bytes.
    let before = _mm256_sub_epi8(p2, c.before);
    let before = _mm256_and_si256(before, _mm256_cmpgt_epi8(zero, p1));
    let lead = _mm256_subs_epu8(p3, c.lead);
    let even = _mm256_maddubs_epi16(c.weights, _mm256_unpacklo_epi8(p1, before));
    let odd = _mm256_maddubs_epi16(c.weights, _mm256_unpackhi_epi8(p1, before));
    let lead_even = _mm256_slli_epi16::<4>(_mm256_unpacklo_epi8(zero, lead));
    let lead_odd = _mm256_slli_epi16::<4>(_mm256_unpackhi_epi8(zero, lead));
    [
        _mm256_add_epi16(even, lead_even),
        _mm256_add_epi16(odd, lead_odd),
    ]
}

/// Makes surrogates of the words at `third` and `fourth` bytes of characters of four.
#[inline]
#[target_feature(enable = "avx2")]
fn surrogates(words: Words, third: u64, fourth: u64) -> Words {
    let lead = _mm256_set1_epi16(0xD7C0_u16.cast_signed());
    let trail = _mm256_set1_epi16(0xDC00_u16.cast_signed());
    let bits = _mm256_set1_epi16(0x3FF);
    let leads = words.map(|word| _mm256_add_epi16(_mm256_srli_epi16::<4>(word), lead));
    let trails = words.map(|word| _mm256_or_si256(_mm256_and_si256(word, bits), trail));
    blend(blend(words, leads, third), trails, fourth)
}

/// `others` where `mask` has bits, `words` elsewhere.
#[inline]
#[target_feature(enable = "avx2")]
fn blend(words: Words, others: Words, mask: u64) -> Words {
    let [low, high] = expand(mask);
    [
        _mm256_blendv_epi8(words[0], others[0], _mm256_unpacklo_epi8(low, low)),
        _mm256_blendv_epi8(words[1], others[1], _mm256_unpackhi_epi8(low, low)),
        _mm256_blendv_epi8(words[2], others[2], _mm256_unpacklo_epi8(high, high)),
        _mm256_blendv_epi8(words[3], others[3], _mm256_unpackhi_epi8(high, high)),
    ]
}

/// FF for every set bit.
#[inline]
#[target_feature(enable = "avx2")]
fn expand(mask: u64) -> Bytes {
    #[rustfmt::skip]
    let byte = _mm256_setr_epi8(
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
        2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3,
    );
    let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
    [mask as u32, (mask >> 32) as u32].map(|half| {
        let spread = _mm256_shuffle_epi8(_mm256_set1_epi32(half.cast_signed()), byte);
        _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit)
    })
}

/// The words of each eight positions.
#[inline]
#[target_feature(enable = "avx2")]
fn windows([a, b, c, d]: Words) -> [__m128i; 8] {
    [
        _mm256_castsi256_si128(a),
        _mm256_castsi256_si128(b),
        _mm256_extracti128_si256::<1>(a),
        _mm256_extracti128_si256::<1>(b),
        _mm256_castsi256_si128(c),
        _mm256_castsi256_si128(d),
        _mm256_extracti128_si256::<1>(c),
        _mm256_extracti128_si256::<1>(d),
    ]
}

/// Brings the words of `window` that `ends` has to the front.
#[inline]
#[target_feature(enable = "avx2")]
fn packed<const BE: bool>(window: __m128i, ends: u8) -> __m128i {
    let row = &WINDOWS[usize::from(BE)].0[usize::from(ends)];
    // SAFETY: a row has the 16 bytes that are read; the load needs no alignment.
    let row = unsafe { _mm_loadu_si128(row.as_ptr().cast()) };
    _mm_shuffle_epi8(window, row)
}

/// Writes the words at `ends`. What is behind them in `to` may be overwritten.
#[inline]
#[target_feature(enable = "avx2,bmi2,popcnt")]
fn emit<const BE: bool>(to: &mut Units, ends: u64, words: Words) {
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

/// Writes the words at `ends`, and nothing past the end of `to`.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn emit_exactly<const BE: bool>(to: &mut [MaybeUninit<u8>], ends: u64, words: Words) {
    let mut to = to;
    let mut rest = ends;
    for window in windows(words) {
        let packed = packed::<BE>(window, rest as u8);
        let len = 2 * (rest as u8).count_ones() as usize;
        match to.first_chunk_mut::<16>() {
            Some(to) => store_window(to, packed),
            None => {
                let mut window = [MaybeUninit::new(0); 16];
                store_window(&mut window, packed);
                copy_ends(to, &window[..len.min(to.len())]);
            }
        }
        to = to.get_mut(len..).unwrap_or_default();
        rest >>= 8;
        if rest == 0 {
            break;
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store_window(to: &mut [MaybeUninit<u8>; 16], value: __m128i) {
    // SAFETY: the array has the 16 bytes that are written; the store needs no alignment.
    unsafe { _mm_storeu_si128(to.as_mut_ptr().cast(), value) };
}

/// An ASCII byte as a unit.
#[inline]
fn unit<const BE: bool>(byte: u8) -> [MaybeUninit<u8>; 2] {
    if BE { [0, byte] } else { [byte, 0] }.map(MaybeUninit::new)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load_quarter(from: &[u8; 16]) -> __m128i {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    unsafe { _mm_loadu_si128(from.as_ptr().cast()) }
}

/// Writes sixteen ASCII bytes as units.
#[inline]
#[target_feature(enable = "avx2")]
fn widen<const BE: bool>(to: &mut [MaybeUninit<u8>; 32], from: &[u8; 16]) {
    let words = _mm256_cvtepu8_epi16(load_quarter(from));
    let words = if BE {
        _mm256_slli_epi16::<8>(words)
    } else {
        words
    };
    store(to, words);
}

/// Writes at most a block of bytes as units, for which there is just room, if they are ASCII. Goes
/// from both ends to the middle, where some are written twice.
#[inline]
#[target_feature(enable = "avx2")]
fn widen_ends<const BE: bool>(to: &mut [MaybeUninit<u8>], from: &[u8]) -> bool {
    if let (Some(first), Some(last)) = (from.first_chunk::<32>(), from.last_chunk::<32>()) {
        if _mm256_movemask_epi8(_mm256_or_si256(load(first), load(last))) != 0 {
            return false;
        }
        if let (Some(to), ([a, b], _)) = (to.first_chunk_mut::<64>(), first.as_chunks::<16>()) {
            let (to, _) = to.as_chunks_mut::<32>();
            widen::<BE>(&mut to[0], a);
            widen::<BE>(&mut to[1], b);
        }
        if let (Some(to), ([a, b], _)) = (to.last_chunk_mut::<64>(), last.as_chunks::<16>()) {
            let (to, _) = to.as_chunks_mut::<32>();
            widen::<BE>(&mut to[0], a);
            widen::<BE>(&mut to[1], b);
        }
    } else if let (Some(first), Some(last)) = (from.first_chunk::<16>(), from.last_chunk::<16>()) {
        if (u128::from_ne_bytes(*first) | u128::from_ne_bytes(*last)) & HIGH_BITS != 0 {
            return false;
        }
        if let Some(to) = to.first_chunk_mut() {
            widen::<BE>(to, first);
        }
        if let Some(to) = to.last_chunk_mut() {
            widen::<BE>(to, last);
        }
    } else if let (Some(first), Some(last)) = (from.first_chunk::<8>(), from.last_chunk::<8>()) {
        let (first, last) = (u64::from_le_bytes(*first), u64::from_le_bytes(*last));
        if (first | last) & HIGH_BITS as u64 != 0 {
            return false;
        }
        let widened = |from: u64| {
            let words = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(from.cast_signed()));
            if BE {
                _mm_slli_epi16::<8>(words)
            } else {
                words
            }
        };
        if let Some(to) = to.first_chunk_mut() {
            store_window(to, widened(first));
        }
        if let Some(to) = to.last_chunk_mut() {
            store_window(to, widened(last));
        }
    } else {
        let word = front_word(from);
        if word & HIGH_BITS as u64 != 0 {
            return false;
        }
        let words = _mm_cvtepu8_epi16(_mm_cvtsi64_si128(word.cast_signed()));
        let words = if BE {
            _mm_slli_epi16::<8>(words)
        } else {
            words
        };
        let mut copy = [MaybeUninit::uninit(); 16];
        store_window(&mut copy, words);
        copy_ends(to, &copy[..to.len().min(16)]);
    }
    true
}

const HIGH_BITS: u128 = 0x8080_8080_8080_8080_8080_8080_8080_8080;

/// The bytes `BACK` before those of the block.
#[inline]
#[target_feature(enable = "avx2")]
fn view<const BACK: usize>(block: &Block) -> Bytes {
    const { assert!(BACK <= BEFORE) };
    match block[BEFORE - BACK..].as_chunks::<32>().0 {
        [low, high, ..] => [load(low), load(high)],
        _ => [_mm256_setzero_si256(); 2],
    }
}

/// Up to a block from the front of the input, behind zeros.
#[inline]
fn front_block(src: &[u8]) -> Block {
    let mut block = [0; BEFORE + BLOCK];
    copy_ends(&mut block[BEFORE..], &src[..src.len().min(BLOCK)]);
    block
}

/// Up to a block and the bytes before it, and zeros.
#[inline]
fn block_from(src: &[u8]) -> Block {
    match src.first_chunk() {
        Some(block) => *block,
        None => {
            let mut block = [0; BEFORE + BLOCK];
            copy_ends(&mut block, src);
            block
        }
    }
}

/// Copies up to 128 bytes to the front of `to`, from both ends to the middle, where some are copied
/// twice.
#[inline]
fn copy_ends<T: Copy>(to: &mut [T], from: &[T]) {
    let to = &mut to[..from.len()];
    let _ = copy_both::<64, T>(to, from)
        || copy_both::<32, T>(to, from)
        || copy_both::<16, T>(to, from)
        || copy_both::<8, T>(to, from)
        || copy_both::<4, T>(to, from)
        || copy_both::<2, T>(to, from)
        || copy_both::<1, T>(to, from);
}

/// Copies the first and the last `N` items, if there are as many.
#[inline]
fn copy_both<const N: usize, T: Copy>(to: &mut [T], from: &[T]) -> bool {
    let (Some(first), Some(last)) = (from.first_chunk::<N>(), from.last_chunk::<N>()) else {
        return false;
    };
    if let Some(to) = to.first_chunk_mut() {
        *to = *first;
    }
    if let Some(to) = to.last_chunk_mut() {
        *to = *last;
    }
    true
}
