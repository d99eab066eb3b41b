//! Decode tables: the code point of each pointer, 0 where there is none.

use crate::index::Index;
use crate::problem::{Problem, Result};

/// The pointers of a table.
#[derive(Clone, Copy)]
pub(crate) enum Length {
    /// Exactly this number of pointers.
    Exactly(usize),
    /// All up to the last mapped one.
    UpToLast,
}

impl Length {
    fn of(self, index: &Index) -> usize {
        match self {
            Self::Exactly(length) => length,
            Self::UpToLast => index.entries.last().map_or(0, |entry| entry.0 as usize + 1),
        }
    }
}

/// One code unit for each pointer, for an index with code points of the BMP only.
pub(crate) fn bmp(index: &Index, length: Length) -> Result<Vec<u16>> {
    let mut table = vec![0; length.of(index)];
    for &(pointer, code_point) in &index.entries {
        table[pointer as usize] = u16::try_from(code_point)
            .map_err(|_| unexpected(index, pointer, code_point, "the table holds the BMP only"))?;
    }
    Ok(table)
}

/// Big5 has code points of the BMP and of plane 2. The table has the low 16 bits of each, and a set of bits
/// that says which are of plane 2.
pub(crate) fn bmp_and_plane_2(index: &Index, length: Length) -> Result<(Vec<u16>, Vec<u8>)> {
    let length = length.of(index);
    let mut low = vec![0; length];
    let mut astral = vec![0; length.div_ceil(8)];
    for &(pointer, code_point) in &index.entries {
        let place = pointer as usize;
        let [_, plane, high_byte, low_byte] = code_point.to_be_bytes();
        low[place] = u16::from_be_bytes([high_byte, low_byte]);
        match plane {
            0 => {}
            2 => astral[place / 8] |= 1 << (place % 8),
            _ => {
                let reason = "the table holds the BMP and plane 2 only";
                return Err(unexpected(index, pointer, code_point, reason));
            }
        }
        // A reader that checks the low bits only would take U+20000 for an unmapped pointer.
        if low[place] == 0 {
            return Err(unexpected(
                index,
                pointer,
                code_point,
                "its low 16 bits mean `unmapped`",
            ));
        }
    }
    Ok((low, astral))
}

fn unexpected(index: &Index, pointer: u32, code_point: u32, reason: &str) -> Problem {
    Problem::new(
        &index.file,
        format!("pointer {pointer} is U+{code_point:04X}, but {reason}"),
        "the index has outgrown the table's format: change the format here and in the library",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unmapped_pointers_are_zero() {
        let index = Index::of(&[(1, 0xAC00), (3, 0xFFFD)]);
        assert_eq!(
            bmp(&index, Length::UpToLast).unwrap(),
            [0, 0xAC00, 0, 0xFFFD]
        );
        assert_eq!(
            bmp(&index, Length::Exactly(5)).unwrap(),
            [0, 0xAC00, 0, 0xFFFD, 0]
        );
        assert!(bmp(&Index::of(&[]), Length::UpToLast).unwrap().is_empty());
    }

    #[test]
    fn a_code_point_above_the_bmp_is_refused() {
        let message = bmp(&Index::of(&[(7, 0x2_0001)]), Length::UpToLast)
            .unwrap_err()
            .to_string();
        assert!(message.contains("pointer 7 is U+20001"), "{message}");
    }

    #[test]
    fn plane_2_sets_the_bit_of_its_pointer() {
        let index = Index::of(&[(0, 0x43F0), (9, 0x2_7267), (10, 0x4D77)]);
        let (low, astral) = bmp_and_plane_2(&index, Length::UpToLast).unwrap();
        assert_eq!(low[0], 0x43F0);
        assert_eq!(low[9], 0x7267);
        assert_eq!(low[10], 0x4D77);
        assert_eq!(astral, [0, 0b10]);
    }

    #[test]
    fn planes_1_and_3_and_low_bits_of_zero_are_refused() {
        for code_point in [0x1_F600, 0x3_0001, 0x2_0000] {
            let index = Index::of(&[(0, code_point)]);
            assert!(
                bmp_and_plane_2(&index, Length::UpToLast).is_err(),
                "{code_point:X}"
            );
        }
    }
}
