//! Encode tables: which pointer the standard chooses for a code point, and its bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::index::Index;
use crate::problem::{Problem, Result};

/// Code point to what the encoder needs of the pointer.
pub(crate) type Mapping<T> = BTreeMap<u32, T>;

/// *Index pointer* (section 5): the first pointer of each code point.
fn first_pointers(entries: impl IntoIterator<Item = (u32, u32)>) -> Mapping<u32> {
    let mut pointers = Mapping::new();
    for (pointer, code_point) in entries {
        pointers.entry(code_point).or_insert(pointer);
    }
    pointers
}

/// A byte of 0x80 or above for each code point of a single-byte encoding.
pub(crate) fn single_byte(index: &Index) -> Result<Mapping<u8>> {
    first_pointers(index.entries.iter().copied())
        .into_iter()
        .map(|(code_point, pointer)| Ok((code_point, byte(index, 0x80 + pointer)?)))
        .collect()
}

/// gb18030 encoder, from its two-byte index: rows of 190, trails 40–7E and 80–FE.
pub(crate) fn gb18030(index: &Index) -> Result<Mapping<u16>> {
    two_bytes(
        index,
        first_pointers(index.entries.iter().copied()),
        |pointer| {
            let (lead, trail) = (pointer / 190 + 0x81, pointer % 190);
            (lead, trail + if trail < 0x3F { 0x40 } else { 0x41 })
        },
    )
}

/// The six code points of which *index Big5 pointer* takes the last pointer.
const BIG5_TAKES_LAST: [u32; 6] = [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345];

/// *Index Big5 pointer* (section 5): no pointer of the Hong Kong rows before lead byte A1, and
/// for six code points the last pointer.
fn big5_pointers(index: &Index) -> Mapping<u32> {
    let encodable = || {
        let entries = index.entries.iter().copied();
        entries.filter(|&(pointer, _)| pointer >= (0xA1 - 0x81) * 157)
    };
    let mut pointers = first_pointers(encodable());
    for (pointer, code_point) in encodable() {
        if BIG5_TAKES_LAST.contains(&code_point) {
            pointers.insert(code_point, pointer);
        }
    }
    pointers
}

/// Big5 encoder: rows of 157, trails 40–7E and A1–FE.
pub(crate) fn big5(index: &Index) -> Result<Mapping<u16>> {
    two_bytes(index, big5_pointers(index), |pointer| {
        let (lead, trail) = (pointer / 157 + 0x81, pointer % 157);
        (lead, trail + if trail < 0x3F { 0x40 } else { 0x62 })
    })
}

/// EUC-KR encoder: rows of 190, trails 41–FE.
pub(crate) fn euc_kr(index: &Index) -> Result<Mapping<u16>> {
    two_bytes(
        index,
        first_pointers(index.entries.iter().copied()),
        |pointer| (pointer / 190 + 0x81, pointer % 190 + 0x41),
    )
}

/// Row and cell of JIS X 0208 as ISO-2022-JP writes them; EUC-JP writes them with the high bits
/// set.
pub(crate) fn jis0208(index: &Index) -> Result<Mapping<u16>> {
    let pointers = first_pointers(index.entries.iter().copied());
    // Pointers from 8836 on are Shift_JIS's own rows. Each of their code points must have an
    // earlier pointer, else EUC-JP and ISO-2022-JP could not write it.
    if let Some((code_point, pointer)) = pointers.iter().find(|entry| *entry.1 >= 94 * 94) {
        return Err(Problem::new(
            &index.file,
            format!("the first pointer of U+{code_point:04X} is {pointer}, past row 94"),
            "the index no longer fits two 7-bit bytes: change the format here and in the library",
        ));
    }
    two_bytes(index, pointers, |pointer| {
        (pointer / 94 + 0x21, pointer % 94 + 0x21)
    })
}

/// Pointers of index jis0208 that *index Shift_JIS pointer* (section 5) leaves out: NEC's copies
/// of IBM's extensions.
const SHIFT_JIS_LEAVES_OUT: Range<u32> = 8272..8836;

/// Shift_JIS encoder: rows of 188, leads 81–9F and E0–FC, trails 40–7E and 80–FC.
pub(crate) fn shift_jis(index: &Index) -> Result<Mapping<u16>> {
    let entries = index.entries.iter().copied();
    let kept = entries.filter(|(pointer, _)| !SHIFT_JIS_LEAVES_OUT.contains(pointer));
    two_bytes(index, first_pointers(kept), |pointer| {
        let (lead, trail) = (pointer / 188, pointer % 188);
        (
            lead + if lead < 0x1F { 0x81 } else { 0xC1 },
            trail + if trail < 0x3F { 0x40 } else { 0x41 },
        )
    })
}

/// `lead << 8 | trail` for each code point.
fn two_bytes(
    index: &Index,
    pointers: Mapping<u32>,
    bytes_of: impl Fn(u32) -> (u32, u32),
) -> Result<Mapping<u16>> {
    pointers
        .into_iter()
        .map(|(code_point, pointer)| {
            let (lead, trail) = bytes_of(pointer);
            let bytes = [byte(index, lead)?, byte(index, trail)?];
            Ok((code_point, u16::from_be_bytes(bytes)))
        })
        .collect()
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

    const BIG5_FIRST: u32 = (0xA1 - 0x81) * 157;

    #[test]
    fn the_first_pointer_wins() {
        let index = Index::of(&[(0, 0xAC02), (190, 0xAC03), (191, 0xAC02)]);
        let mapping = euc_kr(&index).unwrap();
        assert_eq!(
            mapping,
            BTreeMap::from([(0xAC02, 0x8141), (0xAC03, 0x8241)])
        );
    }

    #[test]
    fn big5_leaves_the_hong_kong_rows_out() {
        let index = Index::of(&[(BIG5_FIRST - 1, 0x4E00), (BIG5_FIRST, 0x3000)]);
        assert_eq!(big5(&index).unwrap(), BTreeMap::from([(0x3000, 0xA140)]));
    }

    #[test]
    fn big5_falls_back_to_a_later_pointer_after_an_excluded_one() {
        let index = Index::of(&[(BIG5_FIRST - 1, 0x4E00), (BIG5_FIRST + 157, 0x4E00)]);
        assert_eq!(big5(&index).unwrap(), BTreeMap::from([(0x4E00, 0xA240)]));
    }

    #[test]
    fn big5_takes_the_last_pointer_of_six_code_points_only() {
        for code_point in [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345] {
            let index = Index::of(&[(BIG5_FIRST, code_point), (BIG5_FIRST + 0x3F, code_point)]);
            assert_eq!(
                big5(&index).unwrap()[&code_point],
                0xA1A1,
                "U+{code_point:04X}"
            );
        }
        let index = Index::of(&[(BIG5_FIRST, 0x2551), (BIG5_FIRST + 0x3F, 0x2551)]);
        assert_eq!(big5(&index).unwrap()[&0x2551], 0xA140);
    }

    #[test]
    fn gb18030_trails_skip_7f() {
        let index = Index::of(&[(0x3E, 0x4E02), (0x3F, 0x4E04), (23939, 0x4E05)]);
        let mapping = gb18030(&index).unwrap();
        assert_eq!(
            mapping.into_values().collect::<Vec<_>>(),
            [0x817E, 0x8180, 0xFEFE]
        );
    }

    #[test]
    fn shift_jis_leaves_necs_copies_out_and_skips_a0_to_df() {
        let index = Index::of(&[
            (0x1F * 188 - 1, 0x4E00),
            (0x1F * 188, 0x4E01),
            (8271, 0x4E02),
            (8272, 0x7E8A),
            (8835, 0x4E03),
            (8836, 0x4E04),
            (10744, 0x7E8A),
        ]);
        let mapping = shift_jis(&index).unwrap();
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
        let index = Index::of(&[(0, 0x3000), (94, 0x25C6), (8835, 0x2170), (10000, 0x3000)]);
        let mapping = jis0208(&index).unwrap();
        assert_eq!(mapping[&0x3000], 0x2121);
        assert_eq!(mapping[&0x25C6], 0x2221);
        assert_eq!(mapping[&0x2170], 0x7E7E);
    }

    #[test]
    fn jis0208_refuses_a_code_point_that_only_shift_jis_could_write() {
        let message = jis0208(&Index::of(&[(8836, 0xE000)]))
            .unwrap_err()
            .to_string();
        assert!(message.contains("U+E000 is 8836"), "{message}");
    }

    #[test]
    fn single_bytes_start_at_80() {
        let index = Index::of(&[(0, 0x20AC), (127, 0xFF)]);
        let mapping = single_byte(&index).unwrap();
        assert_eq!(mapping, BTreeMap::from([(0x20AC, 0x80), (0xFF, 0xFF)]));
    }
}
