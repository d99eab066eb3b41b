//! Where the last whole character ends.

use std::collections::BTreeSet;

use simdtext::unicode::{
    trim_partial_utf8, trim_partial_utf16, trim_partial_utf16be, trim_partial_utf16le,
};

/// The incomplete beginnings of all characters.
fn fronts() -> BTreeSet<Vec<u8>> {
    let mut fronts = BTreeSet::new();
    for ch in ('\u{80}'..=char::MAX).step_by(64) {
        let mut bytes = [0; 4];
        let bytes = ch.encode_utf8(&mut bytes).as_bytes();
        for len in 1..bytes.len() {
            fronts.insert(bytes[..len].to_vec());
        }
    }
    fronts
}

/// Every sequence of up to three bytes, and some of the fourth, after text.
#[test]
fn utf8_ends_with_whole_characters() {
    let fronts = fronts();
    let expected = |src: &[u8]| {
        let front = (0..src.len()).find(|start| fronts.contains(&src[*start..]));
        front.unwrap_or(src.len())
    };
    let kinds = [
        0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1,
        0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ];
    let mut sequences = vec![Vec::new()];
    for _ in 0..4 {
        let longer = sequences.iter().flat_map(|sequence| {
            kinds.iter().map(move |byte| {
                let mut sequence: Vec<u8> = sequence.clone();
                sequence.push(*byte);
                sequence
            })
        });
        sequences = longer.collect();
        for sequence in &sequences {
            let at = expected(sequence);
            assert_eq!(trim_partial_utf8(sequence), at, "{sequence:02X?}");
            let after = [b"text ", &sequence[..]].concat();
            assert_eq!(trim_partial_utf8(&after), 5 + at, "{sequence:02X?}");
        }
    }
    assert_eq!(trim_partial_utf8(b""), 0);
}

/// However a text is cut, what is left over and the next piece make up the rest of it.
#[test]
fn pieces_of_text_are_text() {
    let text = "aé日💩".repeat(3);
    for at in 0..=text.len() {
        let piece = &text.as_bytes()[..at];
        let whole = trim_partial_utf8(piece);
        assert!(text.is_char_boundary(whole), "{at}");
        assert!(at - whole < 4);
        assert_eq!(text.is_char_boundary(at), whole == at);
    }
}

#[test]
fn utf16_ends_with_whole_characters() {
    let units = [
        0x0000, 0x0061, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF,
    ];
    let mut sequences = vec![Vec::new()];
    for _ in 0..3 {
        let longer = sequences.iter().flat_map(|sequence| {
            units.iter().map(move |unit| {
                let mut sequence: Vec<u16> = sequence.clone();
                sequence.push(*unit);
                sequence
            })
        });
        sequences = longer.collect();
        for sequence in &sequences {
            // Only a leading surrogate at the end can be completed by what follows.
            let last = char::decode_utf16(sequence.iter().copied()).last();
            let is_cut =
                last.is_some_and(|it| it.is_err_and(|it| it.unpaired_surrogate() < 0xDC00));
            let expected = sequence.len() - usize::from(is_cut);
            assert_eq!(trim_partial_utf16(sequence), expected, "{sequence:04X?}");
            let le: Vec<u8> = sequence
                .iter()
                .flat_map(|unit| unit.to_le_bytes())
                .collect();
            let be: Vec<u8> = sequence
                .iter()
                .flat_map(|unit| unit.to_be_bytes())
                .collect();
            assert_eq!(trim_partial_utf16le(&le), 2 * expected, "{sequence:04X?}");
            assert_eq!(trim_partial_utf16be(&be), 2 * expected, "{sequence:04X?}");
            let odd = |bytes: &[u8]| [bytes, b"\xD8"].concat();
            assert_eq!(trim_partial_utf16le(&odd(&le)), 2 * expected);
            assert_eq!(trim_partial_utf16be(&odd(&be)), 2 * expected);
        }
    }
    assert_eq!(
        (trim_partial_utf16(&[]), trim_partial_utf16le(b"\0")),
        (0, 0)
    );
}
