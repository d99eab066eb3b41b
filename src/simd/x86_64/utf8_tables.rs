//! Tables of the UTF-8 kernels, for vectors of any width. Tested with the kernels that use them.

pub(super) use super::utf8_errors::TWO_CONTINUATIONS as SECOND_CONTINUATION;
use super::utf8_errors::{FIRST_HIGH, FIRST_LOW, SECOND_HIGH};
pub(super) use crate::simd::shared::shuffles::{Aligned, WINDOWS};

/// The classes of errors that are possible by the first byte's high half, by its low half and by the second
/// byte's high half; an error in all three has occurred.
pub(super) static FAULTS_BY_HALF: [[u8; 16]; 3] = [FIRST_HIGH, FIRST_LOW, SECOND_HIGH];

/// By the lengths of four characters, minus one, with the low bits in bits 0 to 3 and the high bits in bits 4
/// to 7: the shuffle that keeps that many bytes of each lane, the last ones.
pub(super) static ENDS: Aligned<[[u8; 16]; 256]> = Aligned({
    let mut table = [[0x80; 16]; 256];
    let mut lengths = 0;
    while lengths < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            let more = lengths >> lane & 1 | (lengths >> (lane + 4) & 1) << 1;
            let mut byte = 3 - more;
            while byte < 4 {
                table[lengths][at] = (4 * lane + byte) as u8;
                at += 1;
                byte += 1;
            }
            lane += 1;
        }
        lengths += 1;
    }
    table
});
