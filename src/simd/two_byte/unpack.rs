//! The packed form of indexes: most of their code units follow closely on the one before, or are Han.
//!
//! A packed index is a sequence of codes, each of which says what the next pointers map to. The unit before is that of
//! the last mapped pointer; at first it is 0.
//!
//! | code | meaning |
//! | --- | --- |
//! | 00, high, low | this code unit |
//! | 01 to 4D | the unit before plus the code: 1 to 77 more |
//! | 4E to 9F, low | a code unit whose high byte is the code: Han (U+4E00 to U+9FFF) |
//! | A0 to BF | the unit before plus the code minus C0: 1 to 32 less |
//! | C0 to DF | code minus BE units, 2 to 33, each of which is one more than the one before |
//! | E0 to FF | code minus DF unmapped pointers, 1 to 32 |
//!
//! This file is also part of the generator (`tables/gen`), which checks with it what it has packed.

/// Writes to `units`, which are zeros, the code unit of each pointer. Unmapped pointers stay 0, and so does whatever
/// the packed index has for ASCII and surrogates: the library relies on it that `units` have none.
pub(crate) const fn unpack(packed: &[u8], units: &mut [u16]) {
    let (mut ahead, mut pointer, mut unit) = (packed, 0, 0_u16);
    while let [code, after @ ..] = ahead {
        ahead = after;
        // The number of units to come, each of which is one more than the unit before it.
        let mut run = 0;
        match *code {
            0x00 => {
                let [high, low, after @ ..] = ahead else {
                    return;
                };
                unit = u16::from_be_bytes([*high, *low]);
                ahead = after;
            }
            high @ 0x4E..=0x9F => {
                let [low, after @ ..] = ahead else {
                    return;
                };
                unit = u16::from_be_bytes([high, *low]);
                ahead = after;
            }
            code @ 0xC0..=0xDF => {
                unit = unit.wrapping_add(1);
                run = code - 0xBF;
            }
            code @ 0xE0..=0xFF => {
                pointer += code as usize - 0xDF;
                continue;
            }
            // The most common codes share an arm: with two arms, there would be one more branch to mispredict.
            code @ (0x01..=0x4D | 0xA0..=0xBF) => {
                let less = if code < 0xA0 { 0 } else { 0xC0 };
                unit = unit.wrapping_add((code as u16).wrapping_sub(less));
            }
        }
        put(units, pointer, unit);
        pointer += 1;
        while run > 0 && pointer < units.len() {
            unit = unit.wrapping_add(1);
            put(units, pointer, unit);
            pointer += 1;
            run -= 1;
        }
    }
}

/// Writes a code unit if there is room, or 0 if it is ASCII or a surrogate.
#[inline(always)]
const fn put(units: &mut [u16], pointer: usize, unit: u16) {
    if pointer < units.len() {
        units[pointer] = if unit >= 0x80 && unit & 0xF800 != 0xD800 {
            unit
        } else {
            0
        };
    }
}

#[cfg(test)]
mod tests {
    use super::unpack;

    fn unpacked<const LEN: usize>(packed: &[u8]) -> [u16; LEN] {
        let mut units = [0; LEN];
        unpack(packed, &mut units);
        units
    }

    #[test]
    fn every_code_means_what_the_table_says() {
        assert_eq!(unpacked(&[0x00, 0xAC, 0x01]), [0xAC01]);
        assert_eq!(unpacked(&[0x4E, 0x00, 0x9F, 0xFF]), [0x4E00, 0x9FFF]);
        assert_eq!(
            unpacked(&[0x50, 0x00, 0x01, 0x4D, 0xBF, 0xA0]),
            [0x5000, 0x5001, 0x504E, 0x504D, 0x502D]
        );
        assert_eq!(unpacked(&[0x50, 0x00, 0xC0]), [0x5000, 0x5001, 0x5002]);
        let run: [u16; 34] = unpacked(&[0x50, 0x00, 0xDF]);
        assert!(run.into_iter().eq(0x5000..0x5022));
        assert_eq!(
            unpacked(&[0xE0, 0x50, 0x00, 0xE1, 0x01]),
            [0, 0x5000, 0, 0, 0x5001]
        );
        let gap: [u16; 34] = unpacked(&[0xFF, 0x50, 0x00]);
        assert_eq!(gap[..32], [0; 32]);
        assert_eq!(gap[32..], [0x5000, 0]);
    }

    #[test]
    fn ascii_and_surrogates_are_unmapped() {
        for unit in 0..=0xFFFF {
            let [high, low] = u16::to_be_bytes(unit);
            let is_kept = unit >= 0x80 && !matches!(unit, 0xD800..=0xDFFF);
            assert_eq!(
                unpacked(&[0x00, high, low]),
                [if is_kept { unit } else { 0 }]
            );
        }
        assert_eq!(
            unpacked(&[0x00, 0xD7, 0xFE, 0xC1, 0x00, 0xE0, 0x00, 0xA0]),
            [0xD7FE, 0xD7FF, 0, 0, 0xE000, 0]
        );
        assert_eq!(unpacked(&[0x00, 0xFF, 0xFF, 0x4D, 0x4D]), [0xFFFF, 0, 0x99]);
    }

    #[test]
    fn nothing_is_written_past_the_end_nor_read_past_it() {
        assert_eq!(unpacked(&[0x50, 0x00, 0xDF]), [0x5000, 0x5001]);
        assert_eq!(unpacked(&[0xFF, 0x50, 0x00]), [0; 4]);
        assert_eq!(unpacked(&[0x50]), [0]);
        assert_eq!(unpacked(&[0x00, 0xAC]), [0]);
        assert_eq!(unpacked(&[]), [0]);
    }
}
