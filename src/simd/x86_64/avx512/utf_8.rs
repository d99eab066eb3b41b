//! UTF-8 validation for AVX-512.
//!
//! Each byte is looked up with the one before it (`utf_8_errors.rs`). The bytes one, two and three
//! before are loaded again, one, two and three bytes earlier: that leaves the port that moves bytes
//! between lanes to the look-ups. Copies are left to AVX2: next to stores, 512-bit vectors gained
//! nothing that lasted.

use super::{LANES, broadcast, lanes_below, load, load_front};
use crate::simd::x86_64::utf_8_errors::{
    FIRST_HIGH, FIRST_LOW, SECOND_HIGH, TWO_CONTINUATIONS, whole_characters,
};
use core::arch::x86_64::{
    __m512i, _mm512_alignr_epi8, _mm512_alignr_epi32, _mm512_and_si512, _mm512_movepi8_mask,
    _mm512_or_si512, _mm512_set1_epi8, _mm512_setzero_si512, _mm512_shuffle_epi8,
    _mm512_srli_epi16, _mm512_subs_epu8, _mm512_test_epi8_mask, _mm512_xor_si512,
};

/// Bytes that are tested for ASCII together: a test for each vector mispredicts too often.
const CHUNK: usize = 4 * LANES;

/// Below this length it does not pay to align the vectors.
const SHORT: usize = 2048;

/// Bytes before a vector that a check of it looks at.
const BACK: usize = 3;

/// A vector of text, and the bytes one, two and three before each of its bytes.
#[derive(Clone, Copy)]
pub(super) struct Text {
    pub(super) bytes: __m512i,
    pub(super) one_before: __m512i,
    two_before: __m512i,
    three_before: __m512i,
}

impl Text {
    /// At the start of a text, or where nothing before it counts.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn at_start(bytes: __m512i) -> Self {
        let before = _mm512_alignr_epi32::<12>(bytes, _mm512_setzero_si512());
        Text {
            bytes,
            one_before: _mm512_alignr_epi8::<15>(bytes, before),
            two_before: _mm512_alignr_epi8::<14>(bytes, before),
            three_before: _mm512_alignr_epi8::<13>(bytes, before),
        }
    }

    /// `BACK` bytes into `window`.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn inside(window: &[u8; BACK + LANES]) -> Self {
        let at = |start: usize| match window[start..].first_chunk() {
            Some(bytes) => load(bytes),
            None => _mm512_setzero_si512(),
        };
        Text {
            bytes: at(3),
            one_before: at(2),
            two_before: at(1),
            three_before: at(0),
        }
    }

    /// `BACK` bytes into `window`, which may be shorter than that and a vector.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi2")]
    fn at_end(window: &[u8]) -> Self {
        let at = |start: usize| load_front(window.get(start..).unwrap_or_default());
        Text {
            bytes: at(3),
            one_before: at(2),
            two_before: at(1),
            three_before: at(0),
        }
    }

    /// For each byte the classes of errors that it and the one before it belong to.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    pub(super) fn classes(self) -> __m512i {
        let half = _mm512_set1_epi8(0x0F);
        let high = |bytes| _mm512_and_si512(_mm512_srli_epi16::<4>(bytes), half);
        let first_low = _mm512_and_si512(self.one_before, half);
        let first_high = _mm512_shuffle_epi8(broadcast(&FIRST_HIGH), high(self.one_before));
        let first_low = _mm512_shuffle_epi8(broadcast(&FIRST_LOW), first_low);
        let second_high = _mm512_shuffle_epi8(broadcast(&SECOND_HIGH), high(self.bytes));
        _mm512_and_si512(_mm512_and_si512(first_high, first_low), second_high)
    }

    /// Not 0 in each byte where something is wrong, and perhaps in bytes behind it.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn errors(self) -> __m512i {
        // From E0 and F0 the subtractions leave 80 or more: then this must be a continuation byte,
        // and so must the one before.
        let third = _mm512_subs_epu8(self.two_before, _mm512_set1_epi8(0x60));
        let fourth = _mm512_subs_epu8(self.three_before, _mm512_set1_epi8(0x70));
        let two_continuations = _mm512_set1_epi8(TWO_CONTINUATIONS.cast_signed());
        let expected = _mm512_and_si512(_mm512_or_si512(third, fourth), two_continuations);
        _mm512_xor_si512(self.classes(), expected)
    }

    /// [`Text::errors`], one bit a byte.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn error_mask(self) -> u64 {
        let errors = self.errors();
        _mm512_test_epi8_mask(errors, errors)
    }
}

/// The length of the longest well-formed prefix.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
pub(in crate::simd) fn utf_8_valid_prefix(src: &[u8]) -> usize {
    if src.len() > LANES {
        return long_valid_prefix(src);
    }
    let bytes = load_front(src);
    if _mm512_movepi8_mask(bytes) == 0 {
        return src.len();
    }
    // Behind the end are zeros, so that a character that it cuts is an error.
    let errors = _mm512_or_si512(Text::at_start(bytes).errors(), cut_at_end(bytes));
    if _mm512_test_epi8_mask(errors, errors) == 0 {
        return src.len();
    }
    long_valid_prefix(src)
}

/// Not 0 in bytes that start a character which does not end in the vector.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn cut_at_end(bytes: __m512i) -> __m512i {
    static WHOLE: [u8; LANES] = {
        let mut most = [0xFF; LANES];
        [most[LANES - 3], most[LANES - 2], most[LANES - 1]] = [0xEF, 0xDF, 0xBF];
        most
    };
    _mm512_subs_epu8(bytes, load(&WHOLE))
}

/// [`utf_8_valid_prefix`] of more than a vector, or where something is wrong.
#[inline(never)]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
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
    let error = first_error(src, start);
    whole_characters(src, error)
}

/// Where the first vector behind the head starts, in a text of `len` bytes: in the head or right
/// behind it, and if that pays, so that it is aligned in the slice at `address`.
#[inline(always)]
fn behind_head(len: usize, address: usize) -> usize {
    let at = LANES - address % LANES;
    if len < SHORT {
        LANES
    } else if at < BACK {
        at + LANES / 2
    } else {
        at
    }
}

/// The place of the first error in the first vector, or the end of a text that is not longer.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn error_in_head(src: &[u8], head: __m512i) -> Option<usize> {
    if _mm512_movepi8_mask(head) != 0 {
        let errors = Text::at_start(head).error_mask() & lanes_below(src.len());
        if errors != 0 {
            return Some(errors.trailing_zeros() as usize);
        }
    }
    (src.len() <= LANES).then_some(src.len())
}

/// The place of the first error from `at` on, or the end. Before `at` there are three bytes or
/// more, and none is wrong.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn first_error(src: &[u8], at: usize) -> usize {
    let mut at = at;
    while let Some(window) = src[at - BACK..].first_chunk::<{ BACK + CHUNK }>() {
        let text = |i: usize| match window[LANES * i..].first_chunk() {
            Some(window) => Text::inside(window),
            None => Text::at_start(_mm512_setzero_si512()),
        };
        let [a, b, c, d] = [text(0), text(1), text(2), text(3)];
        if is_ascii([a.bytes, b.bytes, c.bytes, d.bytes]) {
            if whole_characters(src, at) != at {
                return at;
            }
            at += CHUNK;
            at += ascii_chunks(&src[at..]);
            continue;
        }
        let errors = _mm512_or_si512(
            _mm512_or_si512(a.errors(), b.errors()),
            _mm512_or_si512(c.errors(), d.errors()),
        );
        if _mm512_test_epi8_mask(errors, errors) != 0 {
            break;
        }
        at += CHUNK;
    }
    // Less than a chunk is left, or there is an error in the chunk at hand.
    if src.len() - at < CHUNK
        && (is_ascii_to_end(&src[at..]) && whole_characters(src, at) == at
            || is_valid_to_end(src, at))
    {
        return src.len();
    }
    while at < src.len() {
        let errors = Text::at_end(&src[at - BACK..]).error_mask() & lanes_below(src.len() - at);
        if errors != 0 {
            return at + errors.trailing_zeros() as usize;
        }
        at += LANES;
    }
    src.len()
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn is_ascii([a, b, c, d]: [__m512i; 4]) -> bool {
    let any = _mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));
    _mm512_movepi8_mask(any) == 0
}

/// The length of the ASCII prefix in whole chunks.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn ascii_chunks(src: &[u8]) -> usize {
    let (chunks, _) = src.as_chunks::<CHUNK>();
    let ascii = |chunk: &[u8; CHUNK]| {
        let vector = |i: usize| match chunk[LANES * i..].first_chunk() {
            Some(bytes) => load(bytes),
            None => _mm512_setzero_si512(),
        };
        is_ascii([vector(0), vector(1), vector(2), vector(3)])
    };
    let ascii = chunks.iter().position(|chunk| !ascii(chunk));
    CHUNK * ascii.unwrap_or(chunks.len())
}

/// Whether less than a chunk is all ASCII.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn is_ascii_to_end(src: &[u8]) -> bool {
    let (vectors, rest) = src.as_chunks::<LANES>();
    let any = vectors.iter().fold(load_front(rest), |any, from| {
        _mm512_or_si512(any, load(from))
    });
    _mm512_movepi8_mask(any) == 0
}

/// Whether nothing is wrong from `at` on, and no character is cut by the end. May say no to less
/// than a vector with three bytes before it.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt")]
fn is_valid_to_end(src: &[u8], at: usize) -> bool {
    let Some(last) = src.last_chunk() else {
        return false;
    };
    let last = Text::inside(last);
    let mut errors = _mm512_or_si512(last.errors(), cut_at_end(last.bytes));
    let mut at = at;
    while src.len() - at > LANES
        && let Some(window) = src[at - BACK..].first_chunk()
    {
        errors = _mm512_or_si512(errors, Text::inside(window).errors());
        at += LANES;
    }
    _mm512_test_epi8_mask(errors, errors) == 0
}
