//! Unmappable characters as decimal numeric character references.

/// A decimal numeric character reference: `&#` … `;`, at most ten bytes.
pub(super) struct Ncr {
    /// The bytes, followed by unused ones.
    pub(super) bytes: [u8; 16],
    pub(super) len: usize,
}

impl Ncr {
    pub(super) fn new(ch: char) -> Self {
        let number = u64::from(u32::from(ch));
        // One byte for each of eight digits, the first one lowest: no step depends on an earlier digit.
        // Divisions of four digits by 100, and of two by 10, are multiplications that are exact enough.
        let fours = (number / 10_000) | (number % 10_000) << 32;
        let hundreds = (fours * 10_486) >> 20 & 0x7F_0000_007F;
        let twos = hundreds | (fours - 100 * hundreds) << 16;
        let tens = (twos * 103) >> 10 & 0xF_000F_000F_000F;
        let digits = tens | (twos - 10 * tens) << 8;
        // Compared instead of taken from the digits, so that what is written next need not wait for these.
        let limits = [10, 100, 1000, 10_000, 100_000, 1_000_000];
        let len = 1 + limits.into_iter().filter(|limit| number >= *limit).count();
        let digits = (digits | 0x3030_3030_3030_3030) >> (64 - 8 * len);
        let text = u128::from(u16::from_le_bytes(*b"&#"))
            | u128::from(digits) << 16
            | u128::from(b';') << (16 + 8 * len);
        Ncr {
            bytes: text.to_le_bytes(),
            len: len + 3,
        }
    }
}
