//! The form in which all tables are stored: plain little-endian integers without a header.

use std::hash::Hash;

/// An integer of a table.
pub(crate) trait LittleEndian: Copy + Default + Eq + Hash {
    fn bytes(values: &[Self]) -> Vec<u8>;
}

impl LittleEndian for u8 {
    fn bytes(values: &[Self]) -> Vec<u8> {
        values.to_vec()
    }
}

impl LittleEndian for u16 {
    fn bytes(values: &[Self]) -> Vec<u8> {
        values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect()
    }
}

impl LittleEndian for u32 {
    fn bytes(values: &[Self]) -> Vec<u8> {
        values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect()
    }
}
