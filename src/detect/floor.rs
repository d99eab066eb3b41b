//! Whether the most plausible encoding is plausible at all.
//!
//! Even for random bytes some encoding is the most plausible. But text is more plausible than random bytes,
//! and it uses some letters much more often than others, while noise uses all bytes alike. The costs are in
//! eighths of a bit. Tested in `tests/detect/binary.rs`; `cargo bench --bench detect` has the texts that
//! the limits come from.

use crate::encoding::UTF_8;

use super::ranking::Candidate;
use super::sample::Sample;
use super::single_byte::{Neighbour, Neighbours};

/// Each limit in this file is a number of pairs or bytes, below which there is too little to tell, and the
/// highest mean cost from that number on, in eighths of a bit. This one is for pairs of neighbours in a
/// single-byte encoding: lists and tables cost up to 77, prose 40, and random bytes 76 on average.
const NEIGHBOUR_LIMIT: (usize, u32) = (64, 90);
/// For pairs of neighbours where all upper bytes are about equally frequent.
const DIVERSE_NEIGHBOUR_LIMITS: [(usize, u32); 2] = [(24, 74), (48, 64)];
/// For pairs of neighbours if there are at least [`MIN_CONTROLS`] control characters, but too few to decide by them
/// alone.
const NEIGHBOUR_LIMIT_WITH_CONTROLS: (usize, u32) = (8, 60);
const MIN_CONTROLS: u64 = 2;
/// For bytes that are not ASCII in a multi-byte encoding, with malformed sequences among them: text costs up to
/// 83, and 48 on average.
const BYTE_LIMIT: (usize, u32) = (96, 104);
/// For bytes in a multi-byte encoding where all upper bytes are about equally frequent.
const DIVERSE_BYTE_LIMIT: (usize, u32) = (96, 66);
/// Text in a multi-byte encoding is plausible, whatever it costs, with fewer than two malformed sequences, or
/// fewer than one in this number of bytes that are not ASCII. (Noise has one in a hundred.)
const BYTES_PER_MALFORMED: usize = 200;

/// Whether the best candidate is plausible. It counts as plausible if there is too little to tell. `controls`
/// is the number of control characters in the whole input that text does not have.
pub(super) fn is_plausible(
    best: &Candidate,
    neighbours: &Neighbours,
    sample: &Sample<'_>,
    controls: u64,
) -> bool {
    // `weighed` is by how many the cost is divided.
    let is_mean_below = |count: usize, weighed: usize, (enough, most): (usize, u32)| {
        let limit = u32::try_from(weighed)
            .unwrap_or(u32::MAX)
            .saturating_mul(most);
        count < enough || best.cost <= limit
    };
    if best.encoding.is_single_byte() {
        let pairs = neighbours.get();
        let is_below = |count, limit| is_mean_below(count, neighbours.len(), limit);
        is_below(pairs.len(), NEIGHBOUR_LIMIT)
            && (controls < MIN_CONTROLS || is_below(pairs.len(), NEIGHBOUR_LIMIT_WITH_CONTROLS))
            && (DIVERSE_NEIGHBOUR_LIMITS
                .iter()
                .all(|limit| is_below(pairs.len(), *limit))
                || !is_diverse(pairs))
    } else {
        let bytes = sample.pieces.iter().copied().flatten();
        let count = bytes.filter(|byte| !byte.is_ascii()).count();
        let is_below = |count, limit| is_mean_below(count, count, limit);
        let is_sound = best.malformed < 2 || best.malformed * BYTES_PER_MALFORMED < count;
        let is_likely = is_below(count, BYTE_LIMIT)
            && (is_below(count, DIVERSE_BYTE_LIMIT) || !is_diverse(neighbours.get()));
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
        // In 256ths: the probability that the next byte is new is that of the missing ones.
        expected += (128 * 256 - expected) / 128;
    }
    different * 256 * 10 >= expected * 7
}
