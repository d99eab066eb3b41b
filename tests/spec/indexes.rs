//! Indexes (section 5), and look-ups in them.
//!
//! The tests must also run without the standard's index files, so [`INDEXES`] is made by means of encoding_rs
//! (`peer_indexes`). If the files are available, the tests read them, too (`index_files`) and check that both
//! are the same.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::LazyLock;

use super::peer_indexes;

/// *Index*: pointers and their code points.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Index {
    code_points: Vec<Option<u32>>,
    first_pointers: HashMap<u32, u32>,
}

impl Index {
    /// From pointers in ascending order and their code points.
    pub(crate) fn new(entries: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut index = Index {
            code_points: Vec::new(),
            first_pointers: HashMap::new(),
        };
        for (pointer, code_point) in entries {
            let place = pointer as usize;
            assert!(place >= index.code_points.len(), "pointers ascend");
            index.code_points.resize(place, None);
            index.code_points.push(Some(code_point));
            index.first_pointers.entry(code_point).or_insert(pointer);
        }
        index
    }

    /// *Index code point*: the code point that corresponds to `pointer`, or null.
    pub(crate) fn code_point(&self, pointer: u32) -> Option<u32> {
        *self.code_points.get(pointer as usize)?
    }

    /// *Index pointer*: the first pointer that corresponds to `code_point`, or null.
    pub(crate) fn pointer(&self, code_point: u32) -> Option<u32> {
        self.first_pointers.get(&code_point).copied()
    }

    /// The entries, by pointer.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..)
            .zip(&self.code_points)
            .filter_map(|(pointer, &code_point)| Some((pointer, code_point?)))
    }

    /// *Excluding all entries whose pointer is in the range*.
    fn excluding(&self, range: &RangeInclusive<u32>) -> Self {
        Index::new(
            self.entries()
                .filter(|(pointer, _)| !range.contains(pointer)),
        )
    }

    /// The last pointer that corresponds to `code_point`.
    fn last_pointer(&self, code_point: u32) -> Option<u32> {
        let of_code_point = |&(_, candidate): &(u32, u32)| candidate == code_point;
        self.entries()
            .filter(of_code_point)
            .last()
            .map(|(pointer, _)| pointer)
    }
}

/// All indexes of the standard.
#[derive(Debug)]
pub(crate) struct Indexes {
    /// The 27 single-byte indexes, under the encoding's name. ISO-8859-8-I uses ISO-8859-8's.
    pub(crate) single_byte: HashMap<&'static str, Index>,
    pub(crate) big5: Index,
    pub(crate) euc_kr: Index,
    pub(crate) gb18030: Index,
    /// Pointers and code points: the first of each range.
    pub(crate) gb18030_ranges: Vec<(u32, u32)>,
    pub(crate) jis0208: Index,
    pub(crate) jis0212: Index,
    pub(crate) iso_2022_jp_katakana: Index,
}

pub(crate) static INDEXES: LazyLock<Indexes> = LazyLock::new(peer_indexes::read);

/// *Index gb18030 ranges code point*.
pub(crate) fn gb18030_ranges_code_point(pointer: u32) -> Option<u32> {
    // 1. If pointer is greater than 39419 and less than 189000, or pointer is greater than
    // 1237575, return null.
    if (pointer > 39419 && pointer < 189_000) || pointer > 1_237_575 {
        return None;
    }
    // 2. If pointer is 7457, return code point U+E7C7.
    if pointer == 7457 {
        return Some(0xE7C7);
    }
    // 3. Let offset be the last pointer in index gb18030 ranges that is less than or equal to
    // pointer and let codePointOffset be its corresponding code point.
    let ranges = &INDEXES.gb18030_ranges;
    let after = ranges.partition_point(|&(offset, _)| offset <= pointer);
    let (offset, code_point_offset) = ranges[after - 1];
    // 4. Return a code point whose value is codePointOffset + pointer − offset.
    Some(code_point_offset + pointer - offset)
}

/// *Index gb18030 ranges pointer*.
pub(crate) fn gb18030_ranges_pointer(code_point: u32) -> u32 {
    // 1. If codePoint is U+E7C7, return pointer 7457.
    if code_point == 0xE7C7 {
        return 7457;
    }
    // 2. Let offset be the last code point in index gb18030 ranges that is less than or equal to
    // codePoint and let pointerOffset be its corresponding pointer.
    let ranges = &INDEXES.gb18030_ranges;
    let after = ranges.partition_point(|&(_, offset)| offset <= code_point);
    let (pointer_offset, offset) = ranges[after - 1];
    // 3. Return a pointer whose value is pointerOffset + codePoint − offset.
    pointer_offset + code_point - offset
}

/// *Index Shift_JIS pointer*.
pub(crate) fn shift_jis_pointer(code_point: u32) -> Option<u32> {
    // 1. Let index be index jis0208 excluding all entries whose pointer is in the range 8272 to
    // 8835, inclusive.
    static INDEX: LazyLock<Index> = LazyLock::new(|| INDEXES.jis0208.excluding(&(8272..=8835)));
    // 2. Return the index pointer for codePoint in index.
    INDEX.pointer(code_point)
}

/// *Index Big5 pointer*.
pub(crate) fn big5_pointer(code_point: u32) -> Option<u32> {
    // 1. Let index be index Big5 excluding all entries whose pointer is less than
    // (0xA1 - 0x81) × 157.
    static INDEX: LazyLock<Index> =
        LazyLock::new(|| INDEXES.big5.excluding(&(0..=(0xA1 - 0x81) * 157 - 1)));
    // 2. If codePoint is U+2550, U+255E, U+2561, U+256A, U+5341, or U+5345, return the last
    // pointer corresponding to codePoint in index.
    if matches!(
        code_point,
        0x2550 | 0x255E | 0x2561 | 0x256A | 0x5341 | 0x5345
    ) {
        return INDEX.last_pointer(code_point);
    }
    // 3. Return the index pointer for codePoint in index.
    INDEX.pointer(code_point)
}
