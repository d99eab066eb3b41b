//! Texts in one of several encodings, and texts whose lines are in several.

use simdtext::Encoding;
use simdtext::sniff::{self, SegmentReason};

/// Finds the first encoding of a list in which bytes that come in pieces are not malformed.
#[derive(Debug)]
pub struct FirstValid(sniff::FirstValid);

impl FirstValid {
    /// Encodings are numbers.
    #[must_use]
    pub fn new(list: &[u8]) -> Self {
        FirstValid(sniff::FirstValid::new(&encodings(list)))
    }

    /// Takes the next bytes. Returns whether more of them can't change the answer.
    pub fn feed(&mut self, bytes: &[u8]) -> bool {
        !self.0.feed(bytes)
    }

    /// Returns the encoding's number, if there is one.
    pub fn finish(&mut self) -> Option<u32> {
        self.0.finish().map(crate::number)
    }
}

/// The first encoding of a list in which bytes are not malformed. Encodings are numbers.
#[must_use]
pub fn first_valid(list: &[u8], bytes: &[u8]) -> Option<u32> {
    let list = encodings(list);
    let found = sniff::FirstValid::new(&list).decide(bytes);
    found.map(crate::number)
}

/// Cuts bytes into segments of lines in one encoding. Three numbers for each: its end, its encoding, and why: 0 ASCII,
/// 1 valid UTF-8, 2 escape sequences of ISO-2022-JP, 3 the first of the list, 4 none of the list, so `otherwise`.
#[must_use]
pub fn segments(list: &[u8], otherwise: u32, iso_2022_jp: bool, bytes: &[u8]) -> Vec<f64> {
    let (list, otherwise) = (encodings(list), crate::encoding(otherwise));
    let mut numbers = Vec::new();
    let segments = sniff::Segments::new(bytes, &list, |_line| otherwise);
    for segment in segments.iso_2022_jp(iso_2022_jp) {
        let why = match segment.reason {
            SegmentReason::Ascii => 0.0,
            SegmentReason::Utf8Valid => 1.0,
            SegmentReason::Escapes => 2.0,
            SegmentReason::FirstOfList => 3.0,
            _ => 4.0,
        };
        let encoding = f64::from(crate::number(segment.encoding));
        numbers.extend([segment.range.end as f64, encoding, why]);
    }
    numbers
}

fn encodings(list: &[u8]) -> Vec<&'static Encoding> {
    (list.iter())
        .map(|&number| crate::encoding(u32::from(number)))
        .collect()
}
