//! Tests that need no C compiler: of the list of symbols, and of values. `../tests` has programs in C.

use simdtext_encoding_rs::Encoding;

use crate::{encodings, mem};

/// The names after `#[unsafe(no_mangle)]` in a source.
fn names(source: &str) -> impl Iterator<Item = &str> {
    source
        .split("#[unsafe(no_mangle)]")
        .skip(1)
        .filter_map(|item| {
            let name = item.split_once(" fn ").or(item.split_once(" static "))?.1;
            name.split(['(', ':']).next()
        })
}

#[test]
fn the_list_has_all_symbols() {
    let sources = [
        include_str!("decoder.rs"),
        include_str!("encoder.rs"),
        include_str!("encoding.rs"),
        include_str!("encodings.rs"),
        include_str!("mem.rs"),
    ];
    let mut found: Vec<_> = sources.iter().flat_map(|source| names(source)).collect();
    found.sort_unstable();
    let listed: Vec<_> = include_str!("../symbols.txt").lines().collect();
    assert_eq!(found, listed);
    let in_mem = |name: &&&str| name.starts_with("encoding_mem_");
    assert_eq!(listed.iter().filter(in_mem).count(), 30);
    assert_eq!(listed.len(), 80 + 30);
}

#[test]
fn statics_point_to_their_encodings() {
    for (symbol, name) in [
        (encodings::UTF_8_ENCODING, "UTF-8"),
        (encodings::BIG5_ENCODING, "Big5"),
        (encodings::X_MAC_CYRILLIC_ENCODING, "x-mac-cyrillic"),
    ] {
        assert_eq!(Some(symbol), Encoding::for_label(name.as_bytes()));
    }
    let source = include_str!("encodings.rs");
    for item in source.split("/// ").skip(1) {
        let (name, rest) = item.split_once(".\n").expect("a name");
        let encoding = Encoding::for_label(name.as_bytes()).expect("an encoding");
        assert_eq!(encoding.name(), name);
        let same = name.to_uppercase().replace('-', "_");
        assert!(rest.contains(&format!(
            " {same}_ENCODING: &Encoding = &drop_in::{same}_INIT"
        )));
    }
}

#[test]
fn results_are_numbers() {
    use crate::boundary::{coder_result, decoder_result, encoder_result};
    use simdtext_encoding_rs::{CoderResult, DecoderResult, EncoderResult};

    assert_eq!(coder_result(CoderResult::InputEmpty), 0);
    assert_eq!(decoder_result(DecoderResult::OutputFull), 0xFFFF_FFFF);
    assert_eq!(decoder_result(DecoderResult::Malformed(1, 3)), 0x0301);
    assert_eq!(encoder_result(EncoderResult::Unmappable('€')), 0x20AC);
}

#[test]
fn what_is_no_character_is_not_from_right_to_left() {
    assert!(mem::encoding_mem_is_char_bidi(0x5D0));
    for c in [0x41, 0xD83A, 0x11_0000, u32::MAX] {
        assert!(!mem::encoding_mem_is_char_bidi(c));
    }
}
