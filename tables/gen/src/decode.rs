//! Decode tables: the code point of each pointer, 0 where there is none.

use crate::index::Index;
use crate::little_endian::LittleEndian as _;
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

/// The code points of plane 2.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Astral {
    /// For each 64 pointers, ten bytes: a `u64` with a bit for each of them, set if it is here, and a `u16`, how many
    /// pointers before them are here.
    pub(crate) blocks: Vec<u8>,
    /// The low 16 bits of each, in the order of their pointers.
    pub(crate) units: Vec<u16>,
}

/// Big5 has code points of the BMP and of plane 2. The table has those of the BMP.
pub(crate) fn bmp_and_plane_2(index: &Index, length: Length) -> Result<(Vec<u16>, Astral)> {
    let length = length.of(index);
    let mut bmp = vec![0; length];
    let mut bits = vec![0_u64; length.div_ceil(64)];
    let mut units = Vec::new();
    for &(pointer, code_point) in &index.entries {
        let place = pointer as usize;
        let [_, plane, high, low] = code_point.to_be_bytes();
        let unit = u16::from_be_bytes([high, low]);
        match plane {
            0 => bmp[place] = unit,
            2 => {
                bits[place / 64] |= 1 << (place % 64);
                units.push(unit);
            }
            _ => {
                let reason = "the table holds the BMP and plane 2 only";
                return Err(unexpected(index, pointer, code_point, reason));
            }
        }
    }
    let (mut blocks, mut before) = (Vec::new(), 0);
    for bits in bits {
        blocks.extend(bits.to_le_bytes());
        blocks.extend(u16::bytes(&[before]));
        before += bits.count_ones() as u16;
    }
    Ok((bmp, Astral { blocks, units }))
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
    fn plane_2_has_files_of_its_own() {
        let index = Index::of(&[(0, 0x43F0), (9, 0x2_7267), (10, 0x4D77), (64, 0x2_0021)]);
        let (bmp, astral) = bmp_and_plane_2(&index, Length::UpToLast).unwrap();
        let mut expected = vec![0; 65];
        (expected[0], expected[10]) = (0x43F0, 0x4D77);
        assert_eq!(bmp, expected);
        let first = [0, 0b10, 0, 0, 0, 0, 0, 0, 0, 0];
        let second = [1, 0, 0, 0, 0, 0, 0, 0, 1, 0];
        assert_eq!(astral.blocks, [first, second].concat());
        assert_eq!(astral.units, [0x7267, 0x0021]);
    }

    #[test]
    fn planes_1_and_3_are_refused() {
        for code_point in [0x1_F600, 0x3_0001] {
            let index = Index::of(&[(0, code_point)]);
            assert!(
                bmp_and_plane_2(&index, Length::UpToLast).is_err(),
                "{code_point:X}"
            );
        }
    }
}
