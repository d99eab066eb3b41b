//! Tables of the UTF-8 kernels, for vectors of any width. Tested with the kernels that use them.

pub(super) use crate::simd::shared::shuffles::WINDOWS;

/// Bytes, as sets of the values 0 to F that half a byte can have.
const ANY: u16 = 0xFFFF;
const ASCII: u16 = 0x00FF;
const CONTINUATION: u16 = 0x0F00;
const LEAD: u16 = 0xF000;
const NO_CONTINUATION: u16 = !CONTINUATION;

const fn only(half: u16) -> u16 {
    1 << half
}

/// What can be wrong with two neighbouring bytes: a bit, and the sets of the first byte's high and
/// low half and of the second byte's high half that together mean it.
type Fault = (u8, u16, u16, u16);

/// The second of two continuation bytes. Right behind the lead byte of three or four, wrong
/// elsewhere; so that this bit has to be compared with whether it should be there.
pub(super) const SECOND_CONTINUATION: u8 = 0x80;
/// A lead byte that can't be followed by this continuation byte.
pub(super) const WRONG_SECOND: u8 = 0x7C;

const FAULTS: [Fault; 8] = [
    (SECOND_CONTINUATION, CONTINUATION, ANY, CONTINUATION),
    // A lead byte alone, a continuation byte alone.
    (0x01, LEAD, ANY, NO_CONTINUATION),
    (0x02, ASCII, ANY, CONTINUATION),
    // Too long by a byte: C0 and C1, E0 before 80 to 9F, F0 before 80 to 8F (a bit shared with F5
    // to FF, which are wrong before any byte).
    (0x04, only(0xC), only(0) | only(1), CONTINUATION),
    (0x08, only(0xE), only(0), only(8) | only(9)),
    (0x10, only(0xF), !0x1E, only(8)),
    // Surrogates: ED before A0 to BF.
    (0x20, only(0xE), only(0xD), only(0xA) | only(0xB)),
    // Above U+10FFFF: F4 and more before 90 to BF.
    (0x40, only(0xF), !0x0F, only(9) | only(0xA) | only(0xB)),
];

/// The faults that the first byte's high half, its low half and the second byte's high half allow;
/// what all three allow is there.
pub(super) static FAULTS_BY_HALF: [[u8; 16]; 3] = {
    let mut tables = [[0; 16]; 3];
    let mut fault = 0;
    while fault < FAULTS.len() {
        let (bit, first_high, first_low, second_high) = FAULTS[fault];
        let mut half = 0;
        while half < 16 {
            if first_high >> half & 1 != 0 {
                tables[0][half] |= bit;
            }
            if first_low >> half & 1 != 0 {
                tables[1][half] |= bit;
            }
            if second_high >> half & 1 != 0 {
                tables[2][half] |= bit;
            }
            half += 1;
        }
        fault += 1;
    }
    tables
};

/// A table none of whose rows lies across two cache lines.
#[repr(align(64))]
pub(super) struct Aligned<T>(pub(super) T);

/// For the lengths of four characters, less one, the low bits in bits 0 to 3 and the high bits in
/// bits 4 to 7: the shuffle that keeps so many bytes of each lane, the last ones.
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
