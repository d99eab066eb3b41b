//! UTF-8 for AVX2: validation, and validation with a copy.
//!
//! Each byte is looked up with the one before it (`utf_8_errors.rs`). The bytes one, two and three
//! before are loaded again, one, two and three bytes earlier: that leaves the port that moves bytes
//! between lanes to the look-ups.

use core::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm_loadu_si128, _mm256_alignr_epi8, _mm256_and_si256,
    _mm256_broadcastsi128_si256, _mm256_cmpeq_epi8, _mm256_cmpeq_epi32, _mm256_cmpgt_epi32,
    _mm256_maskload_epi32, _mm256_movemask_epi8, _mm256_or_si256, _mm256_permute2x128_si256,
    _mm256_set1_epi8, _mm256_set1_epi32, _mm256_setr_epi32, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_subs_epu8, _mm256_testz_si256, _mm256_xor_si256,
    _mm256_zextsi128_si256,
};
use core::mem::MaybeUninit;

use super::{LANES, load, store};
use crate::simd::scalar;
use crate::simd::x86_64::utf_8_errors::{
    FIRST_HIGH, FIRST_LOW, SECOND_HIGH, TWO_CONTINUATIONS, whole_characters,
};

/// Bytes that are tested for ASCII together: a test for each vector mispredicts too often.
const CHUNK: usize = 4 * LANES;

/// The least distance of a copy behind the validation where the two would disturb each other.
const LAG: usize = 1024;

/// Below this length it does not pay to align the vectors.
const SHORT: usize = 2048;

/// ASCII is validated in windows of this length, which are still in the first-level cache when they
/// are copied.
const ASCII_WINDOW: usize = 8 * 1024;

/// Bytes before a vector that a check of it looks at.
pub(super) const BACK: usize = 3;

/// A vector of text, and the bytes one, two and three before each of its bytes.
#[derive(Clone, Copy)]
pub(super) struct Text {
    pub(super) bytes: __m256i,
    one_before: __m256i,
    two_before: __m256i,
    three_before: __m256i,
}

impl Text {
    /// At the start of a text, or where nothing before it counts.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn at_start(bytes: __m256i) -> Self {
        let before = _mm256_permute2x128_si256::<0x08>(bytes, bytes);
        Text {
            bytes,
            one_before: _mm256_alignr_epi8::<15>(bytes, before),
            two_before: _mm256_alignr_epi8::<14>(bytes, before),
            three_before: _mm256_alignr_epi8::<13>(bytes, before),
        }
    }

    /// `BACK` bytes into `window`.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn inside(window: &[u8; BACK + LANES]) -> Self {
        let at = |start: usize| match window[start..].first_chunk() {
            Some(bytes) => load(bytes),
            None => _mm256_setzero_si256(),
        };
        Text {
            bytes: at(3),
            one_before: at(2),
            two_before: at(1),
            three_before: at(0),
        }
    }

    /// For each byte the classes of errors that it and the one before it belong to.
    #[inline]
    #[target_feature(enable = "avx2")]
    pub(super) fn classes(self) -> __m256i {
        let half = _mm256_set1_epi8(0x0F);
        let high = |bytes| _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), half);
        let first_low = _mm256_and_si256(self.one_before, half);
        let first_high = _mm256_shuffle_epi8(broadcast(&FIRST_HIGH), high(self.one_before));
        let first_low = _mm256_shuffle_epi8(broadcast(&FIRST_LOW), first_low);
        let second_high = _mm256_shuffle_epi8(broadcast(&SECOND_HIGH), high(self.bytes));
        _mm256_and_si256(_mm256_and_si256(first_high, first_low), second_high)
    }

    /// Not 0 in each byte where something is wrong, and perhaps in bytes behind it.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn errors(self) -> __m256i {
        // From E0 and F0 the subtractions leave 80 or more: then this must be a continuation byte,
        // and so must the one before.
        let third = _mm256_subs_epu8(self.two_before, _mm256_set1_epi8(0x60));
        let fourth = _mm256_subs_epu8(self.three_before, _mm256_set1_epi8(0x70));
        let two_continuations = _mm256_set1_epi8(TWO_CONTINUATIONS.cast_signed());
        let expected = _mm256_and_si256(_mm256_or_si256(third, fourth), two_continuations);
        _mm256_xor_si256(self.classes(), expected)
    }

    /// [`Text::errors`], one bit a byte.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn error_mask(self) -> u32 {
        !zero_mask(self.errors())
    }
}

/// The 16 bytes twice: a table for `_mm256_shuffle_epi8`.
#[inline]
#[target_feature(enable = "avx2")]
fn broadcast(table: &[u8; 16]) -> __m256i {
    // SAFETY: the array has the 16 bytes that are read; the load needs no alignment.
    _mm256_broadcastsi128_si256(unsafe { _mm_loadu_si128(table.as_ptr().cast()) })
}

/// The bytes that are 0.
#[inline]
#[target_feature(enable = "avx2")]
fn zero_mask(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_setzero_si256())).cast_unsigned()
}

/// Up to 32 bytes from the front of `from`; the other lanes are 0.
#[inline]
#[target_feature(enable = "avx2")]
fn load_front(from: &[u8]) -> __m256i {
    if let Some(bytes) = from.first_chunk() {
        return load(bytes);
    }
    let Some(last) = from.last_chunk() else {
        let byte = |at: usize| u32::from(from.get(at).copied().unwrap_or(0)) << (8 * at);
        let bytes = byte(0) | byte(1) | byte(2);
        return _mm256_zextsi128_si256(_mm_cvtsi32_si128(bytes.cast_signed()));
    };
    // Whole dwords, and then one dword with the up to three bytes behind them.
    let dwords = _mm256_set1_epi32((from.len() / 4) as i32);
    let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    let inside = _mm256_cmpgt_epi32(dwords, lanes);
    // SAFETY: dwords that are not wholly in the slice are masked off, and what is masked off is not
    // read.
    let front = unsafe { _mm256_maskload_epi32(from.as_ptr().cast(), inside) };
    let shift = 8 * (4 - from.len() % 4);
    let rest = (u64::from(u32::from_le_bytes(*last)) >> shift) as u32;
    let rest = _mm256_set1_epi32(rest.cast_signed());
    _mm256_or_si256(
        front,
        _mm256_and_si256(rest, _mm256_cmpeq_epi32(dwords, lanes)),
    )
}

/// Copies no more than 64 bytes, which both slices have.
#[inline(always)]
fn copy_short(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    /// Copies the first and the last `N` bytes, if there are so many.
    #[inline(always)]
    fn ends<const N: usize>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> bool {
        if let (Some(front), Some(back)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) {
            if let Some(to) = dst.first_chunk_mut::<N>() {
                *to = front.map(MaybeUninit::new);
            }
            if let Some(to) = dst.last_chunk_mut::<N>() {
                *to = back.map(MaybeUninit::new);
            }
        }
        src.len() >= N
    }
    if !ends::<32>(src, dst)
        && !ends::<16>(src, dst)
        && !ends::<8>(src, dst)
        && !ends::<4>(src, dst)
    {
        for (to, from) in dst.iter_mut().zip(src).take(3) {
            to.write(*from);
        }
    }
}

/// The length of the longest well-formed prefix.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf_8_valid_prefix(src: &[u8]) -> usize {
    if is_short_and_valid(src) {
        src.len()
    } else {
        long_valid_prefix(src)
    }
}

/// Whether `src` has no more than two vectors, and is well-formed. May say no to 33 or 34 bytes.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn is_short_and_valid(src: &[u8]) -> bool {
    if src.len() > 2 * LANES {
        return false;
    }
    let bytes = load_front(src);
    let errors = if src.len() <= LANES {
        if _mm256_movemask_epi8(bytes) == 0 {
            return true;
        }
        // Behind the end are zeros, so that a character that it cuts is an error.
        _mm256_or_si256(Text::at_start(bytes).errors(), cut_at_end(bytes))
    } else {
        let Some(window) = src.last_chunk() else {
            return false;
        };
        let (front, back) = (Text::at_start(bytes), Text::inside(window));
        if _mm256_movemask_epi8(_mm256_or_si256(front.bytes, back.bytes)) == 0 {
            return true;
        }
        let errors = _mm256_or_si256(front.errors(), back.errors());
        _mm256_or_si256(errors, cut_at_end(back.bytes))
    };
    _mm256_testz_si256(errors, errors) == 1
}

/// Not 0 in bytes that start a character which does not end in the vector.
#[inline]
#[target_feature(enable = "avx2")]
fn cut_at_end(bytes: __m256i) -> __m256i {
    static WHOLE: [u8; LANES] = {
        let mut most = [0xFF; LANES];
        [most[LANES - 3], most[LANES - 2], most[LANES - 1]] = [0xEF, 0xDF, 0xBF];
        most
    };
    _mm256_subs_epu8(bytes, load(&WHOLE))
}

/// [`utf_8_valid_prefix`] of more than two vectors, or where something is wrong.
#[inline(never)]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn long_valid_prefix(src: &[u8]) -> usize {
    let ascii = if src.len() < SHORT {
        ascii_chunks(src)
    } else {
        0
    };
    let start = if ascii > 0 {
        ascii
    } else if let Some(error) = error_in_head(src, load_front(src)) {
        return whole_characters(src, error);
    } else {
        behind_head(src.len(), src.as_ptr().addr())
    };
    let error = first_error::<false>(src, start, &mut LateCopy::new(&[], &mut [], 0));
    whole_characters(src, error)
}

/// Copies well-formed UTF-8, as far as there is room for whole characters. Returns its length.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf_8_to_utf_8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let len = src.len().min(dst.len());
    let (src, dst) = (&src[..len], &mut dst[..len]);
    if len <= 2 * LANES {
        copy_short(src, dst);
        return if is_short_and_valid(src) {
            len
        } else {
            long_valid_prefix(src)
        };
    }
    let head = load_front(src);
    if let Some(to) = dst.first_chunk_mut() {
        store(to, head);
    }
    if let Some(error) = error_in_head(src, head) {
        return whole_characters(src, error);
    }
    let start = behind_head(len, dst.as_ptr().addr());
    let mut late = LateCopy::new(src, dst, start);
    let error = first_error::<true>(src, start, &mut late);
    late.copy_all_before(error);
    whole_characters(src, error)
}

/// Copies what both slices have.
#[inline]
#[target_feature(enable = "avx2")]
fn copy(src: &[u8], dst: &mut [MaybeUninit<u8>]) {
    let (vectors, rest) = src.as_chunks::<LANES>();
    let (to_vectors, to_rest) = dst.as_chunks_mut::<LANES>();
    for (from, to) in vectors.iter().zip(to_vectors) {
        store(to, load(from));
    }
    copy_short(rest, to_rest);
}

/// A copy that follows the validation.
///
/// A load waits for an earlier store whose address differs from its own by a multiple of 4096, or
/// nearly so. Where source and destination lie so that the validation would load what the copy has
/// seemingly just stored, the copy keeps a distance.
struct LateCopy<'a> {
    src: &'a [u8],
    dst: &'a mut [MaybeUninit<u8>],
    copied: usize,
    lag: usize,
}

impl<'a> LateCopy<'a> {
    #[inline(always)]
    fn new(src: &'a [u8], dst: &'a mut [MaybeUninit<u8>], start: usize) -> Self {
        let apart = dst.as_ptr().addr().wrapping_sub(src.as_ptr().addr()) % 4096;
        let lag = if apart < LAG / 2 { LAG } else { 0 };
        LateCopy {
            src,
            dst,
            copied: start,
            lag,
        }
    }

    /// Copies a chunk, if it lies far enough before `end`.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn copy_before(&mut self, end: usize) {
        if end - self.copied < self.lag + CHUNK {
            return;
        }
        if let (Some(from), Some(to)) = (
            self.src[self.copied..].first_chunk::<CHUNK>(),
            self.dst[self.copied..].first_chunk_mut::<CHUNK>(),
        ) {
            let ([a, b, c, d], [to_a, to_b, to_c, to_d]) =
                (from.as_chunks::<LANES>().0, to.as_chunks_mut::<LANES>().0)
            else {
                return;
            };
            let (a, b, c, d) = (load(a), load(b), load(c), load(d));
            store(to_a, a);
            store(to_b, b);
            store(to_c, c);
            store(to_d, d);
        }
        self.copied += CHUNK;
    }

    /// Copies what lies before `end`, if it is much; else a chunk.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn copy_ascii_before(&mut self, end: usize) {
        if end - self.copied >= 2 * LAG {
            self.copy_all_before(end);
        } else {
            while end - self.copied >= self.lag + CHUNK {
                self.copy_before(end);
            }
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn copy_all_before(&mut self, end: usize) {
        if self.copied < end {
            copy(&self.src[self.copied..end], &mut self.dst[self.copied..end]);
            self.copied = end;
        }
    }
}

/// Where the first vector behind the head starts, in a text of `len` bytes: in the head or right
/// behind it, and if that pays, so that it is aligned in the slice at `address`.
#[inline(always)]
fn behind_head(len: usize, address: usize) -> usize {
    let at = LANES - address % LANES;
    if len < SHORT || at < BACK { LANES } else { at }
}

/// The place of the first error in the first vector, or the end of a text that is not longer.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn error_in_head(src: &[u8], head: __m256i) -> Option<usize> {
    if _mm256_movemask_epi8(head) != 0 {
        // Behind the end, a character that it cuts is an error.
        let errors = Text::at_start(head).error_mask();
        if errors != 0 {
            return Some(src.len().min(errors.trailing_zeros() as usize));
        }
    }
    (src.len() <= LANES).then_some(src.len())
}

/// The place of the first error from `at` on, or the end. Before `at` there are three bytes or
/// more, and none is wrong. With `COPY`, `late` copies what was validated, but for a rest.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn first_error<const COPY: bool>(src: &[u8], at: usize, late: &mut LateCopy<'_>) -> usize {
    let mut at = at;
    while let Some(window) = src[at - BACK..].first_chunk::<{ BACK + CHUNK }>() {
        let text = |i: usize| match window[LANES * i..].first_chunk() {
            Some(window) => Text::inside(window),
            None => Text::at_start(_mm256_setzero_si256()),
        };
        let [a, b, c, d] = [text(0), text(1), text(2), text(3)];
        if is_ascii([a.bytes, b.bytes, c.bytes, d.bytes]) {
            if whole_characters(src, at) != at {
                return at;
            }
            at += CHUNK;
            if COPY {
                let window = src.len().min(at + ASCII_WINDOW);
                at += ascii_chunks(&src[at..window]);
                late.copy_ascii_before(at);
            } else {
                at += ascii_chunks(&src[at..]);
            }
            continue;
        }
        let errors = _mm256_or_si256(
            _mm256_or_si256(a.errors(), b.errors()),
            _mm256_or_si256(c.errors(), d.errors()),
        );
        if zero_mask(errors) != u32::MAX {
            break;
        }
        at += CHUNK;
        if COPY {
            late.copy_before(at);
        }
    }
    // Less than a chunk is left, or there is an error in the chunk at hand.
    if src.len() - at < CHUNK
        && (is_ascii_to_end(&src[at..]) && whole_characters(src, at) == at
            || is_valid_to_end(src, at))
    {
        return src.len();
    }
    // The last vector may overlap the one before.
    while at < src.len() {
        let start = at.min(src.len().saturating_sub(LANES));
        let window = start.checked_sub(BACK).map(|start| &src[start..]);
        let Some(window) = window.and_then(|window| window.first_chunk()) else {
            return first_error_of_few(src, at);
        };
        let errors = Text::inside(window).error_mask();
        if errors != 0 {
            return start + errors.trailing_zeros() as usize;
        }
        at = start + LANES;
    }
    src.len()
}

/// [`first_error`] of a text too short for a vector with three bytes before it.
#[cold]
fn first_error_of_few(src: &[u8], at: usize) -> usize {
    let start = whole_characters(src, at);
    start + scalar::utf_8::utf_8_valid_prefix(&src[start..])
}

#[inline]
#[target_feature(enable = "avx2")]
fn is_ascii([a, b, c, d]: [__m256i; 4]) -> bool {
    let any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
    _mm256_movemask_epi8(any) == 0
}

/// The length of the ASCII prefix in whole chunks.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn ascii_chunks(src: &[u8]) -> usize {
    let (chunks, _) = src.as_chunks::<CHUNK>();
    let ascii = |chunk: &[u8; CHUNK]| {
        let vector = |i: usize| match chunk[LANES * i..].first_chunk() {
            Some(bytes) => load(bytes),
            None => _mm256_setzero_si256(),
        };
        is_ascii([vector(0), vector(1), vector(2), vector(3)])
    };
    let ascii = chunks.iter().position(|chunk| !ascii(chunk));
    CHUNK * ascii.unwrap_or(chunks.len())
}

/// Whether less than a chunk is all ASCII.
#[inline]
#[target_feature(enable = "avx2")]
fn is_ascii_to_end(src: &[u8]) -> bool {
    let (vectors, rest) = src.as_chunks::<LANES>();
    let any = vectors.iter().fold(load_front(rest), |any, from| {
        _mm256_or_si256(any, load(from))
    });
    _mm256_movemask_epi8(any) == 0
}

/// Whether nothing is wrong from `at` on, and no character is cut by the end. May say no to less
/// than a vector with three bytes before it.
#[inline]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
fn is_valid_to_end(src: &[u8], at: usize) -> bool {
    let Some(last) = src.last_chunk() else {
        return false;
    };
    let last = Text::inside(last);
    let mut errors = _mm256_or_si256(last.errors(), cut_at_end(last.bytes));
    let mut at = at;
    while src.len() - at > LANES
        && let Some(window) = src[at - BACK..].first_chunk()
    {
        errors = _mm256_or_si256(errors, Text::inside(window).errors());
        at += LANES;
    }
    _mm256_testz_si256(errors, errors) == 1
}
