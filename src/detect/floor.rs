//! Whether the most plausible encoding is plausible at all.
//!
//! Of random bytes, too, some encoding is the most plausible. But text is more plausible than those, and
//! it uses some letters much more often than others, where noise uses all bytes alike. The costs are in
//! eighths of a bit. Tested in `tests/detect/binary.rs`; `cargo bench --bench detect` has the texts that
//! the limits come from.

use crate::encoding::UTF_8;

use super::ranking::Candidate;
use super::sample::Sample;
use super::single_byte::{Neighbour, Neighbours};

/// What a pair of neighbours costs at the most in a single-byte encoding where there are so many: lists
/// and tables come to 77, prose to 40, and random bytes to 76 on average.
const OF_NEIGHBOURS: (usize, u32) = (64, 90);
/// What a pair costs at the most there where all upper bytes are about equally frequent.
const OF_DIVERSE_NEIGHBOURS: [(usize, u32); 2] = [(24, 74), (48, 64)];
/// What a pair costs at the most where there are control characters, at least so many, though not enough to
/// tell by them alone.
const OF_NEIGHBOURS_OF_CONTROLS: (usize, u32) = (8, 60);
const CONTROLS: u64 = 2;
/// What a byte that is no ASCII costs at the most in another encoding where there are so many of them, and
/// malformed sequences in them: text comes to 83, and to 48 on average.
const OF_BYTES: (usize, u32) = (96, 104);
/// What a byte costs at the most there where all upper bytes are about equally frequent.
const OF_DIVERSE_BYTES: (usize, u32) = (96, 66);
/// One malformed sequence in so many bytes, and two at least. (Noise has one in a hundred.) What is well
/// formed is plausible.
const PER_MALFORMED: usize = 200;

/// Whether the best candidate is plausible. It is where there is too little to tell. In all of the text
/// there are so many control characters that text does not have.
pub(super) fn is_plausible(
    best: &Candidate,
    neighbours: &Neighbours,
    sample: &Sample<'_>,
    controls: u64,
) -> bool {
    let is_below = |count: usize, (enough, most): (usize, u32)| {
        let limit = u32::try_from(count)
            .unwrap_or(u32::MAX)
            .saturating_mul(most);
        count < enough || best.cost <= limit
    };
    if best.encoding.is_single_byte() {
        let pairs = neighbours.get();
        is_below(pairs.len(), OF_NEIGHBOURS)
            && (controls < CONTROLS || is_below(pairs.len(), OF_NEIGHBOURS_OF_CONTROLS))
            && (OF_DIVERSE_NEIGHBOURS
                .iter()
                .all(|limit| is_below(pairs.len(), *limit))
                || !is_diverse(pairs))
    } else {
        let bytes = sample.pieces.iter().copied().flatten();
        let count = bytes.filter(|byte| !byte.is_ascii()).count();
        let is_sound = best.malformed < 2 || best.malformed * PER_MALFORMED < count;
        let is_likely = is_below(count, OF_BYTES)
            && (is_below(count, OF_DIVERSE_BYTES) || !is_diverse(neighbours.get()));
        is_sound || best.encoding == UTF_8 || is_likely
    }
}

/// Whether there are nearly as many different upper bytes as if all were equally likely: at least seven
/// tenths.
fn is_diverse(pairs: &[Neighbour]) -> bool {
    let (mut seen, mut different, mut expected) = ([false; 256], 0, 0);
    let bytes = pairs.iter().map(|neighbour| neighbour.second);
    for byte in bytes.filter(|byte| !byte.is_ascii()) {
        let seen = &mut seen[usize::from(byte)];
        different += u32::from(!*seen);
        *seen = true;
        // In 256ths: the next is new with the probability of those that are missing.
        expected += (128 * 256 - expected) / 128;
    }
    different * 256 * 10 >= expected * 7
}
