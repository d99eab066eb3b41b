//! Encode tables: which pointer the standard chooses for a code point, and its bytes.

use std::collections::BTreeMap;

use crate::index::Index;
use crate::list::TwoByte;
use crate::problem::{Problem, Result};

/// Maps code points to what the encoder needs of the pointer.
pub(crate) type Mapping<T> = BTreeMap<u32, T>;

/// *Index pointer* (section 5): the first pointer of each code point.
fn first_pointers(entries: impl IntoIterator<Item = (u32, u32)>) -> Mapping<u32> {
    let mut pointers = Mapping::new();
    for (pointer, code_point) in entries {
        pointers.entry(code_point).or_insert(pointer);
    }
    pointers
}

/// The byte of each code point of a single-byte encoding, ASCII included.
pub(crate) fn single_byte(index: &Index) -> Result<Mapping<u8>> {
    let upper = first_pointers(index.entries.iter().copied())
        .into_iter()
        .map(|(code_point, pointer)| Ok((code_point, byte(index, 0x80 + pointer)?)));
    let ascii = (0..0x80_u8).map(|byte| Ok((byte.into(), byte)));
    ascii.chain(upper).collect()
}

/// The bytes of each code point of an encoding of two bytes: `lead << 8 | trail`.
pub(crate) fn two_byte(index: &Index, tables: &TwoByte) -> Result<Mapping<u16>> {
    let entries = || {
        let entries = index.entries.iter().copied();
        entries.filter(|(pointer, _)| !tables.leave_out.contains(pointer))
    };
    let mut pointers = first_pointers(entries());
    for (pointer, code_point) in entries() {
        if tables.take_last.contains(&code_point) {
            pointers.insert(code_point, pointer);
        }
    }
    let leads: Vec<u8> = tables.leads.iter().cloned().flatten().collect();
    let trails: Vec<u8> = tables.trails.iter().cloned().flatten().collect();
    let bytes = |(code_point, pointer): (u32, u32)| {
        let pointer = pointer as usize;
        match leads.get(pointer / trails.len()) {
            Some(&lead) => Ok((
                code_point,
                u16::from_be_bytes([lead, trails[pointer % trails.len()]]),
            )),
            // In index jis0208 the rows from 94 on are Shift_JIS's own. Each of their code points
            // must have an earlier pointer, else EUC-JP and ISO-2022-JP could not write it.
            None => Err(Problem::new(
                &index.file,
                format!(
                    "the first pointer of U+{code_point:04X} is {pointer}, past the last lead byte \
                     of `{}`",
                    tables.encode
                ),
                "the index has outgrown the encoding's two bytes: change tables/gen/src/list.rs \
                 and the library",
            )),
        }
    };
    pointers.into_iter().map(bytes).collect()
}

fn byte(index: &Index, value: u32) -> Result<u8> {
    u8::try_from(value).map_err(|_| {
        Problem::source(
            &index.file,
            format!("a pointer asks for a byte of {value:#X}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::LIST;

    const BIG5_FIRST: u32 = (0xA1 - 0x81) * 157;

    /// The encode table whose files have this name in the list.
    fn table(encode: &str, entries: &[(u32, u32)]) -> Result<Mapping<u16>> {
        let mut lines = LIST.iter().filter_map(|line| line.tables.as_ref());
        let tables = lines.find(|tables| tables.encode == encode).expect(encode);
        two_byte(&Index::of(entries), tables)
    }

    #[test]
    fn the_first_pointer_wins() {
        let entries = [(0, 0xAC02), (190, 0xAC03), (191, 0xAC02)];
        let mapping = table("euc_kr", &entries).unwrap();
        assert_eq!(
            mapping,
            BTreeMap::from([(0xAC02, 0x8141), (0xAC03, 0x8241)])
        );
    }

    #[test]
    fn big5_leaves_the_hong_kong_rows_out() {
        let entries = [(BIG5_FIRST - 1, 0x4E00), (BIG5_FIRST, 0x3000)];
        assert_eq!(
            table("big5", &entries).unwrap(),
            BTreeMap::from([(0x3000, 0xA140)])
        );
    }

    #[test]
    fn big5_falls_back_to_a_later_pointer_after_an_excluded_one() {
        let entries = [(BIG5_FIRST - 1, 0x4E00), (BIG5_FIRST + 157, 0x4E00)];
        assert_eq!(
            table("big5", &entries).unwrap(),
            BTreeMap::from([(0x4E00, 0xA240)])
        );
    }

    #[test]
    fn big5_takes_the_last_pointer_of_six_code_points_only() {
        for code_point in [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345] {
            let entries = [(BIG5_FIRST, code_point), (BIG5_FIRST + 0x3F, code_point)];
            assert_eq!(
                table("big5", &entries).unwrap()[&code_point],
                0xA1A1,
                "U+{code_point:04X}"
            );
        }
        let entries = [(BIG5_FIRST, 0x2551), (BIG5_FIRST + 0x3F, 0x2551)];
        assert_eq!(table("big5", &entries).unwrap()[&0x2551], 0xA140);
    }

    #[test]
    fn gb18030_trails_skip_7f() {
        let entries = [(0x3E, 0x4E02), (0x3F, 0x4E04), (23939, 0x4E05)];
        let mapping = table("gb18030", &entries).unwrap();
        assert_eq!(
            mapping.into_values().collect::<Vec<_>>(),
            [0x817E, 0x8180, 0xFEFE]
        );
    }

    #[test]
    fn shift_jis_leaves_necs_copies_out_and_skips_a0_to_df() {
        let entries = [
            (0x1F * 188 - 1, 0x4E00),
            (0x1F * 188, 0x4E01),
            (8271, 0x4E02),
            (8272, 0x7E8A),
            (8835, 0x4E03),
            (8836, 0x4E04),
            (10744, 0x7E8A),
        ];
        let mapping = table("shift_jis", &entries).unwrap();
        assert_eq!(mapping.get(&0x4E00), Some(&0x9FFC));
        assert_eq!(mapping.get(&0x4E01), Some(&0xE040));
        assert_eq!(mapping.get(&0x4E02), Some(&0xECFC));
        assert_eq!(mapping.get(&0x4E03), None);
        assert_eq!(mapping.get(&0x4E04), Some(&0xF040));
        // 纊 is FA5C in Shift_JIS, not NEC's ED40.
        assert_eq!(mapping.get(&0x7E8A), Some(&0xFA5C));
    }

    #[test]
    fn jis0208_counts_rows_and_cells_from_21() {
        let entries = [(0, 0x3000), (94, 0x25C6), (8835, 0x2170), (10000, 0x3000)];
        let mapping = table("jis0208", &entries).unwrap();
        assert_eq!(mapping[&0x3000], 0x2121);
        assert_eq!(mapping[&0x25C6], 0x2221);
        assert_eq!(mapping[&0x2170], 0x7E7E);
    }

    #[test]
    fn jis0208_refuses_a_code_point_that_only_shift_jis_could_write() {
        let message = table("jis0208", &[(8836, 0xE000)]).unwrap_err().to_string();
        assert!(message.contains("U+E000 is 8836"), "{message}");
    }

    #[test]
    fn single_bytes_start_at_80_after_ascii() {
        let index = Index::of(&[(0, 0x20AC), (127, 0xFF)]);
        let mut mapping = single_byte(&index).unwrap();
        let upper = mapping.split_off(&0x80);
        assert_eq!(upper, BTreeMap::from([(0x20AC, 0x80), (0xFF, 0xFF)]));
        assert!(
            mapping
                .into_iter()
                .eq((0..0x80).map(|byte| (byte.into(), byte)))
        );
    }
}
