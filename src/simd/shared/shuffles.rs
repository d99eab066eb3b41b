//! Tables of byte shuffles for 16 bytes (`pshufb`, `tbl`), which collect the bytes that a text keeps of each
//! lane: one row for each set of lanes. Tested with the kernels that use them.

/// A table whose rows do not cross cache lines.
#[repr(align(64))]
pub(in crate::simd) struct Aligned<T>(pub(in crate::simd) T);

/// A row for each set of eight lanes or units.
type Shuffles = Aligned<[[u8; 16]; 256]>;

/// For each set of lanes that hold two bytes: the shuffle that takes the high byte and then the low byte of
/// these, and only the low byte of the others.
pub(in crate::simd) static ONE_OR_TWO_HIGH_FIRST: Shuffles = {
    let mut table = [[0x80; 16]; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 8 {
            if lanes >> lane & 1 == 1 {
                table[lanes][at] = 2 * lane + 1;
                at += 1;
            }
            table[lanes][at] = 2 * lane;
            at += 1;
            lane += 1;
        }
        lanes += 1;
    }
    Aligned(table)
};

/// For each set of four lanes that hold two bytes or more (bits 0, 2, 4 and 6) and that hold three (bits 1,
/// 3, 5 and 7): the shuffle that takes bytes 0, 1 and 2 of those with three, bytes 3 and 2 of those with two,
/// and byte 2 of the others.
pub(in crate::simd) static UP_TO_THREE: Shuffles = {
    let mut table = [[0x80; 16]; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            let three = lanes >> (2 * lane + 1) & 1 == 1;
            let two = lanes >> (2 * lane) & 1 == 1 && !three;
            let taken = [(0, three), (1, three), (3, two), (2, true)];
            let mut i = 0;
            while i < 4 {
                if taken[i].1 {
                    table[lanes][at] = 4 * lane + taken[i].0;
                    at += 1;
                }
                i += 1;
            }
            lane += 1;
        }
        lanes += 1;
    }
    Aligned(table)
};

/// For each subset of eight code units: the shuffle that moves its members to the front, in little-endian
/// order.
pub(in crate::simd) static WINDOWS: Shuffles = {
    let mut rows = [[0x80; 16]; 256];
    let mut subset = 0;
    while subset < 256 {
        let (mut unit, mut to) = (0, 0);
        while unit < 8 {
            if subset >> unit & 1 != 0 {
                rows[subset][to] = 2 * unit;
                rows[subset][to + 1] = 2 * unit + 1;
                to += 2;
            }
            unit += 1;
        }
        subset += 1;
    }
    Aligned(rows)
};

/// By the lengths of four lanes of four bytes, minus one, in two bits each: the shuffle that keeps that many bytes of
/// each lane, the last ones.
pub(in crate::simd) static ENDS: Shuffles = {
    let mut table = [[0x80; 16]; 256];
    let mut lengths = 0;
    while lengths < 256 {
        let (mut lane, mut at) = (0, 0);
        while lane < 4 {
            let mut byte = 3 - (lengths >> (2 * lane) & 3);
            while byte < 4 {
                table[lengths][at] = (4 * lane + byte) as u8;
                at += 1;
                byte += 1;
            }
            lane += 1;
        }
        lengths += 1;
    }
    Aligned(table)
};
