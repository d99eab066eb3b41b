//! The hooks for other standards, compared with `std` and encoding_rs.
//!
//! Input: the encoding, then the bytes.

use std::fmt::Write as _;

use simdtext::hooks::*;
use simdtext::{Encoding, UTF_8};

pub fn hooks(data: &[u8]) {
    let &[encoding, ref bytes @ ..] = data else {
        return;
    };
    let lossy = String::from_utf8_lossy(bytes);
    assert_eq!(utf8_decode_without_bom(bytes), lossy);
    let strict = utf8_decode_without_bom_or_fail(bytes).ok();
    assert_eq!(strict.as_deref(), std::str::from_utf8(bytes).ok());
    let peer = encoding_rs::UTF_8.decode_with_bom_removal(bytes).0;
    assert_eq!(utf8_decode(bytes), peer);

    let encoding = Encoding::all()[usize::from(encoding) % Encoding::all().len()];
    let peer = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).expect("a label");
    let (text, used, _) = peer.decode(bytes);
    assert_eq!(decode(bytes, encoding), text, "{encoding}");
    let found = bom_sniff(bytes).map(Encoding::name);
    let expected = encoding_rs::Encoding::for_bom(bytes).map(|(encoding, _)| encoding.name());
    assert_eq!(found, expected);
    assert!(found.is_none_or(|found| found == used.name()));

    let latin1: String = bytes.iter().copied().map(char::from).collect();
    assert_eq!(isomorphic_decode(bytes), latin1);
    assert_eq!(isomorphic_encode(&latin1).as_deref(), Ok(bytes));
    let above = lossy.char_indices().find(|(_, ch)| *ch > '\u{FF}');
    let error = isomorphic_encode(&lossy).err();
    assert_eq!(error.map(|error| (error.offset, error.ch)), above);

    // encoding_rs does not encode to UTF-16.
    if peer.output_encoding() == peer && encoding.output_encoding() == encoding {
        let (expected, ..) = peer.encode(&text);
        assert_eq!(self::encode(&text, encoding), expected, "{encoding}");
        form(encoding, &text, &expected);
    } else {
        form(UTF_8, &text, text.as_bytes());
    }
}

/// The encoded text as a form sends it. A character that the encoding lacks is a character reference in
/// `encoded`, of which this set leaves only the digits unchanged, like the hook does.
fn form(encoding: &'static Encoding, text: &str, encoded: &[u8]) {
    let set = PercentEncodeSet::APPLICATION_X_WWW_FORM_URLENCODED;
    let mut expected = String::new();
    for &byte in encoded {
        match byte {
            b' ' => expected.push('+'),
            b'*' | b'-' | b'.' | b'_' => expected.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => expected.push(char::from(byte)),
            _ => write!(expected, "%{byte:02X}").expect("a string takes all"),
        }
    }
    let got = percent_encode_after_encoding(encoding, text, set, true);
    assert_eq!(got, expected, "{encoding}");
}
