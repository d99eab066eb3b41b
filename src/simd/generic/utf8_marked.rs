//! UTF-8 validation where ASCII and other text alternate, as in the pages of most languages.
//!
//! Tests for ASCII one after the other, each of which decides what is examined, would be mispredicted at every
//! second change. Here up to 64 vectors are tested before any is examined, and each gets a bit:
//!
//! ```text
//! vectors  <a href="  ">Привет,  мир!</a>   <p class="  ...
//! marks        0          1         1           0
//! ```
//!
//! Then the marked vectors are examined, in a loop that is mispredicted once, when it ends.
//!
//! Tested with the kernels.

use super::BLOCK;
use super::utf8_valid::{BACK, LIMITS, errors, is_cut};
use crate::simd::vector::{MARKED, Vector};

/// With fewer vectors, the end of the loop costs more than other tests.
const MIN_MARKED: usize = MARKED;

/// Returns as many whole vectors at the front of `src` as can be marked, if that is faster than other tests.
#[inline(always)]
pub(super) fn vectors_to_mark<V: Vector>(_: V, src: &[u8]) -> Option<&[u8]> {
    let vectors = (src.len() / V::LANES).min(u64::BITS as usize) / MARKED * MARKED;
    if !V::MARKS_VECTORS || vectors < MIN_MARKED {
        return None;
    }
    src.get(..vectors * V::LANES)
}

/// What was found in text that was marked.
pub(super) struct MixedText {
    /// Up to here there are no errors, except perhaps a cut character at the end.
    pub(super) end: usize,
    /// Whether there is no error in the vectors after `end`, either, if they were examined.
    pub(super) is_valid: bool,
    /// Whether the last vectors before `end` are ASCII.
    pub(super) is_ascii: bool,
    /// Whether marking the vectors after `end` pays.
    pub(super) is_mixed: bool,
}

/// Validates `vectors`, which are at `start` in `src`, and those that follow as long as marking them pays. After each
/// step, `valid` is called with the position up to which there are no errors, except perhaps a cut character at its
/// end.
///
/// The next vectors are marked before any of the last are examined. So the end of the loop that examines them is known
/// early, and its misprediction costs little: pages take 0.87 times as long.
#[inline(always)]
pub(super) fn valid_mixed_text<V: Vector>(
    v: V,
    src: &[u8],
    start: usize,
    vectors: &[u8],
    mut valid: impl FnMut(usize),
) -> MixedText {
    let mut text = MixedText {
        end: start,
        is_valid: true,
        is_ascii: false,
        is_mixed: true,
    };
    let mut marked: Option<Marks> = None;
    let mut next = Some(vectors);
    loop {
        let ahead = next.map(|vectors| Marks::new(v, vectors));
        if let Some(marks) = marked {
            let before = text.end - BACK;
            if !are_vectors_valid(v, src.get(before..).unwrap_or_default(), marks) {
                text.is_valid = false;
                break;
            }
            text.end += marks.len * V::LANES;
            (text.is_ascii, text.is_mixed) = (marks.is_ascii(), marks.is_mixed());
            if !text.is_mixed {
                if text.is_ascii
                    && let Some(marks) = ahead
                    && marks.is_ascii()
                {
                    text.end += marks.len * V::LANES;
                }
                break;
            }
            valid(text.end);
        }
        let Some(marks) = ahead else { break };
        marked = ahead;
        let after = text.end + marks.len * V::LANES;
        next = vectors_to_mark(v, src.get(after..).unwrap_or_default());
    }
    text
}

/// Which vectors are not ASCII.
#[derive(Clone, Copy)]
struct Marks {
    /// A bit for each vector, the lowest for the first.
    bits: u64,
    /// The number of vectors.
    len: usize,
}

impl Marks {
    #[inline(always)]
    fn new<V: Vector>(v: V, vectors: &[u8]) -> Self {
        let mut bits = 0;
        for (i, group) in vectors.chunks_exact(MARKED * V::LANES).enumerate() {
            bits |= u64::from(v.marks(group)) << (MARKED * i);
        }
        Marks {
            bits,
            len: vectors.len() / V::LANES,
        }
    }

    #[inline(always)]
    fn is_ascii(self) -> bool {
        self.bits == 0
    }

    /// Returns whether marking the vectors that follow pays.
    #[inline(always)]
    fn is_mixed(self) -> bool {
        !self.is_ascii() && (self.bits.count_ones() as usize) < self.len * 7 / 8
    }
}

/// Returns whether there is no error in the vectors that start `BACK` bytes into `text`, except perhaps a cut character
/// at their end.
#[inline(always)]
fn are_vectors_valid<V: Vector>(v: V, text: &[u8], marks: Marks) -> bool {
    let Marks { bits, len } = marks;
    if bits & 1 == 0 && is_cut(text, BACK) {
        return false;
    }
    // Whether a vector is followed by ASCII, as far as is known.
    let ends = !(bits >> 1) & !(1 << (len - 1));
    let mut any = v.splat_u8(0);
    let mut rest = bits;
    while rest != 0 {
        let i = rest.trailing_zeros();
        let window = text.get(i as usize * V::LANES..);
        let Some(window) = window.and_then(|window| window.get(..BACK + V::LANES)) else {
            return false;
        };
        let text = v.text_inside(window);
        any = v.or(any, errors(v, text));
        // A character that is cut before ASCII is an error in a vector that is not examined.
        let limits = &LIMITS[2 * (BLOCK - V::LANES)..][(ends >> i & 1) as usize * V::LANES..];
        any = v.or(any, v.saturating_sub_u8(text.bytes, v.load(limits)));
        rest &= rest - 1;
    }
    !v.any(any)
}
