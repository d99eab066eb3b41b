//! Section 6 of the standard, percent-encoding of the URL standard, and isomorphic encoding of Infra.

use std::borrow::Cow;

use simdtext::hooks::{
    PercentEncodeSet, bom_sniff, decode, encode, encode_or_fail, get_an_encoder, isomorphic_decode,
    isomorphic_encode, percent_encode_after_encoding, utf8_decode, utf8_decode_without_bom,
    utf8_decode_without_bom_or_fail, utf8_encode,
};
use simdtext::{
    EUC_JP, Encoding, GBK, ISO_2022_JP, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
    WINDOWS_1252,
};

use crate::samples::{TEXTS, encoded, reference};

#[test]
fn utf8_decode_removes_one_bom_of_its_own() {
    for (bytes, text) in [
        (&b""[..], ""),
        (b"abc", "abc"),
        (b"\xEF\xBB\xBF", ""),
        (b"\xEF\xBB\xBFabc", "abc"),
        (b"\xEF\xBB\xBF\xEF\xBB\xBFabc", "\u{FEFF}abc"),
        (b"a\xEF\xBB\xBF", "a\u{FEFF}"),
        (b"\xEF\xBB", "\u{FFFD}"),
        (b"\xFE\xFF\0a", "\u{FFFD}\u{FFFD}\0a"),
        (b"\xF0\x9F\x92", "\u{FFFD}"),
        (b"\xED\xA0\x80", "\u{FFFD}\u{FFFD}\u{FFFD}"),
    ] {
        assert_eq!(utf8_decode(bytes), text, "{bytes:X?}");
    }
    assert!(matches!(
        utf8_decode(b"\xEF\xBB\xBFabc"),
        Cow::Borrowed("abc")
    ));
}

#[test]
fn utf8_decode_without_bom_keeps_it() {
    for (bytes, text) in [
        (&b""[..], ""),
        (b"\xEF\xBB\xBFabc", "\u{FEFF}abc"),
        (b"\xEF\xBB", "\u{FFFD}"),
        (b"a\xC0\xAFb", "a\u{FFFD}\u{FFFD}b"),
    ] {
        assert_eq!(utf8_decode_without_bom(bytes), text, "{bytes:X?}");
    }
}

#[test]
fn text_that_stays_as_it_is_is_borrowed() {
    for encoding in [UTF_8, SHIFT_JIS, ISO_2022_JP, GBK] {
        for len in [0, 1, 7, 64, 100, 1000] {
            let text = "a\u{7F}\0~".repeat(len);
            assert!(
                matches!(decode(text.as_bytes(), encoding), Cow::Borrowed(same) if same == text)
            );
            let encoded = encode(&text, encoding);
            assert!(matches!(encoded, Cow::Borrowed(same) if same == text.as_bytes()));
        }
    }
    assert!(matches!(decode(b"a\x0E", ISO_2022_JP), Cow::Owned(text) if text == "a\u{FFFD}"));
    assert!(matches!(encode("a\u{0E}", ISO_2022_JP), Cow::Owned(_)));
}

#[test]
fn utf8_decode_without_bom_or_fail_tells_the_first_fault() {
    for text in TEXTS {
        assert!(matches!(
            utf8_decode_without_bom_or_fail(text.as_bytes()),
            Ok(Cow::Borrowed(same)) if same == text
        ));
    }
    assert_eq!(
        utf8_decode_without_bom_or_fail(b"\xEF\xBB\xBFa").unwrap(),
        "\u{FEFF}a"
    );
    for (bytes, offset, malformed) in [
        (&b"\xFF"[..], 0, &b"\xFF"[..]),
        (b"n\xC3", 1, b"\xC3"),
        (b"abc\xE2\x82", 3, b"\xE2\x82"),
        (b"\xF4\x90\x80\x80", 0, b"\xF4"),
        (b"ok\xE2\x82ok\xFF", 2, b"\xE2\x82"),
    ] {
        let error = utf8_decode_without_bom_or_fail(bytes).unwrap_err();
        assert_eq!(error.encoding, UTF_8);
        assert_eq!(error.malformed.offset, offset, "{bytes:X?}");
        assert_eq!(error.malformed.bytes(), malformed, "{bytes:X?}");
    }
}

#[test]
fn utf8_encode_is_the_bytes() {
    assert_eq!(utf8_encode("a€💩"), b"a\xE2\x82\xAC\xF0\x9F\x92\xA9");
}

#[test]
fn bom_sniff_knows_three_boms() {
    for (bytes, expected) in [
        (&b"\xEF\xBB\xBF"[..], Some(UTF_8)),
        (b"\xFE\xFF", Some(UTF_16BE)),
        (b"\xFF\xFE", Some(UTF_16LE)),
        // In other standards UTF-32LE's would be a mark, too.
        (b"\xFF\xFE\0\0", Some(UTF_16LE)),
        (b"\xEF\xBB", None),
        (b"\xFE", None),
        (b"", None),
        (b" \xFE\xFF", None),
        (b"\0\0\xFE\xFF", None),
        (b"\x84\x31\x95\x33", None),
    ] {
        assert_eq!(bom_sniff(bytes), expected, "{bytes:X?}");
    }
}

#[test]
fn decode_lets_a_bom_win_over_every_encoding() {
    for encoding in Encoding::all() {
        assert_eq!(decode(b"\xEF\xBB\xBF\xC3\xA9", encoding), "é", "{encoding}");
        assert_eq!(decode(b"\xFE\xFF\0\xE9", encoding), "é", "{encoding}");
        assert_eq!(decode(b"\xFF\xFE\xE9\0", encoding), "é", "{encoding}");
        assert_eq!(decode(b"", encoding), "", "{encoding}");
    }
}

#[test]
fn decode_and_encode_are_encoding_rs_on_samples() {
    for encoding in Encoding::all() {
        let reference = reference(encoding);
        for text in TEXTS {
            let bytes = encoded(encoding, text);
            assert_eq!(
                decode(&bytes, encoding),
                reference.decode(&bytes).0,
                "{encoding}: {text}"
            );
            // Cut anywhere, and with hostile bytes from there on.
            for cut in 0..bytes.len() {
                let rest = &bytes[cut..];
                assert_eq!(
                    decode(rest, encoding),
                    reference.decode(rest).0,
                    "{encoding}: {rest:X?}"
                );
            }
            assert_eq!(
                encode(text, encoding),
                reference.encode(text).0,
                "{encoding}: {text}"
            );
        }
    }
}

#[test]
fn encode_never_fails() {
    assert_eq!(encode("‽é", SHIFT_JIS), &b"&#8253;&#233;"[..]);
    for encoding in [REPLACEMENT, UTF_16BE, UTF_16LE, UTF_8] {
        assert_eq!(encode("é💩", encoding), "é💩".as_bytes(), "{encoding}");
    }
    // The reference is decoded in the state that the encoder was in: ASCII after jis0208, and Roman if it was
    // that.
    assert_eq!(encode("日☃", ISO_2022_JP), &b"\x1B$BF|\x1B(B&#9731;"[..]);
    assert_eq!(encode("¥☃", ISO_2022_JP), &b"\x1B(J\x5C&#9731;\x1B(B"[..]);
    assert_eq!(encode("\u{1B}$B", ISO_2022_JP), &b"&#65533;$B"[..]);
}

#[test]
fn get_an_encoder_follows_the_assertion() {
    for &encoding in Encoding::all() {
        let without = [REPLACEMENT, UTF_16BE, UTF_16LE].contains(&encoding);
        let encoder = get_an_encoder(encoding);
        assert_eq!(encoder.is_none(), without, "{encoding}");
        if let Some(encoder) = encoder {
            assert_eq!(encoder.encoding(), encoding);
        }
    }
}

/// Runs *encode or fail* until it returns nothing. Returns the output and the character of each call.
fn rounds(encoding: &'static Encoding, text: &str) -> Vec<(Vec<u8>, Option<char>, String)> {
    let mut encoder = get_an_encoder(encoding).unwrap();
    let mut input = text;
    let mut rounds = Vec::new();
    loop {
        let mut output = Vec::new();
        let error = encode_or_fail(&mut encoder, &mut input, &mut output);
        rounds.push((output, error, input.to_owned()));
        if error.is_none() {
            return rounds;
        }
    }
}

#[test]
fn encode_or_fail_stops_after_each_character() {
    let round = |bytes: &[u8], error, rest: &str| (bytes.to_vec(), error, rest.to_owned());
    assert_eq!(rounds(EUC_JP, ""), [round(b"", None, "")]);
    assert_eq!(
        rounds(WINDOWS_1252, "a☃€☃"),
        [
            round(b"a", Some('☃'), "€☃"),
            round(b"\x80", Some('☃'), ""),
            round(b"", None, ""),
        ]
    );
    assert_eq!(
        rounds(GBK, "€\u{E5E5}x"),
        [round(b"\x80", Some('\u{E5E5}'), "x"), round(b"x", None, ""),]
    );
    // jis0208 is left before the error, Roman is not; the end always leads to ASCII.
    assert_eq!(
        rounds(ISO_2022_JP, "日☃本¥☃☃a\u{0F}日"),
        [
            round(b"\x1B$BF|\x1B(B", Some('☃'), "本¥☃☃a\u{0F}日"),
            round(b"\x1B$BK\\\x1B(J\x5C", Some('☃'), "☃a\u{0F}日"),
            round(b"", Some('☃'), "a\u{0F}日"),
            round(b"a", Some('\u{FFFD}'), "日"),
            round(b"\x1B$BF|\x1B(B", None, ""),
        ]
    );
    assert_eq!(
        rounds(ISO_2022_JP, "‾☃"),
        [round(b"\x1B(J~", Some('☃'), ""), round(b"\x1B(B", None, ""),]
    );
}

#[test]
fn encode_or_fail_appends_and_takes_long_texts() {
    let text = "日本語のテキスト☃".repeat(1000);
    let mut encoder = get_an_encoder(SHIFT_JIS).unwrap();
    let mut input = text.as_str();
    let mut output = b"start:".to_vec();
    let mut errors = 0;
    while let Some(ch) = encode_or_fail(&mut encoder, &mut input, &mut output) {
        assert_eq!(ch, '☃');
        output.extend_from_slice(b"&#9731;");
        errors += 1;
    }
    assert_eq!(errors, 1000);
    let expected = encoding_rs::SHIFT_JIS.encode(&text).0;
    assert_eq!(output, [b"start:", &expected[..]].concat());
}

/// The examples of the URL standard, with the sets of its current text and of the one before.
#[test]
fn percent_encode_after_encoding_gives_the_examples_of_the_url_standard() {
    let userinfo = PercentEncodeSet::USERINFO;
    let special_query = PercentEncodeSet::SPECIAL_QUERY;
    let form = PercentEncodeSet::APPLICATION_X_WWW_FORM_URLENCODED;
    for (encoding, input, set, space_as_plus, expected) in [
        (SHIFT_JIS, " ", special_query, false, "%20"),
        (SHIFT_JIS, "≡", special_query, false, "%81%DF"),
        (SHIFT_JIS, "‽", special_query, false, "%26%238253%3B"),
        (ISO_2022_JP, "¥", special_query, false, "%1B(J\\%1B(B"),
        (
            SHIFT_JIS,
            "1+1 ≡ 2%20‽",
            form,
            true,
            "1%2B1+%81%DF+2%2520%26%238253%3B",
        ),
        (SHIFT_JIS, " ", userinfo, false, "%20"),
        (SHIFT_JIS, "≡", userinfo, false, "%81%DF"),
        (SHIFT_JIS, "‽", userinfo, false, "%26%238253%3B"),
        (
            SHIFT_JIS,
            "1+1 ≡ 2%20‽",
            userinfo,
            true,
            "1+1+%81%DF+2%20%26%238253%3B",
        ),
        (UTF_8, "≡", userinfo, false, "%E2%89%A1"),
        (UTF_8, "‽", userinfo, false, "%E2%80%BD"),
        (UTF_8, "Say what‽", userinfo, false, "Say%20what%E2%80%BD"),
    ] {
        assert_eq!(
            percent_encode_after_encoding(encoding, input, set, space_as_plus),
            expected,
            "{encoding}: {input}"
        );
    }
    // An older text of that standard had `\` unescaped in this one, contrary to its own set.
    assert_eq!(
        percent_encode_after_encoding(ISO_2022_JP, "¥", userinfo, false),
        "%1B(J%5C%1B(B"
    );
}

#[test]
fn percent_encode_after_encoding_keeps_the_state_of_the_encoder() {
    let set = PercentEncodeSet::SPECIAL_QUERY;
    for (encoding, input, expected) in [
        (
            ISO_2022_JP,
            "日☃¥☃",
            "%1B$BF|%1B(B%26%239731%3B%1B(J\\%26%239731%3B%1B(B",
        ),
        (ISO_2022_JP, "\u{1B}", "%26%2365533%3B"),
        (WINDOWS_1252, "💩", "%26%23128169%3B"),
        (WINDOWS_1252, "", ""),
        // Output encodings.
        (UTF_16LE, "é", "%C3%A9"),
        (UTF_16BE, "é", "%C3%A9"),
        (REPLACEMENT, "é", "%C3%A9"),
    ] {
        assert_eq!(
            percent_encode_after_encoding(encoding, input, set, false),
            expected,
            "{encoding}: {input}"
        );
    }
}

#[test]
fn percent_encode_sets_hold_what_the_url_standard_lists() {
    // The characters from U+0020 to U+007E that each set leaves unchanged.
    let alphanumeric = |ch: char| ch.is_ascii_alphanumeric();
    for (set, plain) in [
        (
            PercentEncodeSet::C0_CONTROL,
            " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
        ),
        (PercentEncodeSet::FRAGMENT, "!#$%&'()*+,-./:;=?@[\\]^_{|}~"),
        (PercentEncodeSet::QUERY, "!$%&'()*+,-./:;=?@[\\]^_`{|}~"),
        (
            PercentEncodeSet::SPECIAL_QUERY,
            "!$%&()*+,-./:;=?@[\\]^_`{|}~",
        ),
        (PercentEncodeSet::PATH, "!$%&'()*+,-./:;=@[\\]_|~"),
        (PercentEncodeSet::USERINFO, "!$%&'()*+,-._~"),
        // According to ECMAScript, encodeURIComponent() leaves these unchanged.
        (PercentEncodeSet::COMPONENT, "-_.!~*'()"),
        (PercentEncodeSet::APPLICATION_X_WWW_FORM_URLENCODED, "*-._"),
    ] {
        for ch in (0..=0x17F).filter_map(char::from_u32) {
            let expected = !(alphanumeric(ch) || plain.contains(ch));
            assert_eq!(set.contains(ch), expected, "{set:?}: {ch:?}");
        }
    }
}

#[test]
fn percent_encode_sets_of_ones_own() {
    let none = PercentEncodeSet::from_fn(|_| false);
    let text = "a b%\u{7F}é";
    assert_eq!(
        percent_encode_after_encoding(UTF_8, text, none, false),
        "a b%\u{7F}%C3%A9"
    );
    let vowels = none.with("aeiou€").without("u€");
    assert_eq!(
        percent_encode_after_encoding(UTF_8, "a e u €", vowels, true),
        "%61+%65+u+%E2%82%AC"
    );
    assert_eq!(
        format!("{vowels:?}"),
        "PercentEncodeSet{'a', 'e', 'i', 'o'}"
    );
    let every = PercentEncodeSet::from_fn(|_| true);
    assert_eq!(
        percent_encode_after_encoding(UTF_8, "aZ~", every, false),
        "%61%5A%7E"
    );
}

#[test]
fn isomorphic_pair_is_true_latin1() {
    let all: Vec<u8> = (0..=255).collect();
    let text: String = ('\0'..='\u{FF}').collect();
    assert_eq!(isomorphic_decode(&all), text);
    assert_eq!(isomorphic_encode(&text).unwrap(), all);
    assert!(matches!(isomorphic_decode(b"abc"), Cow::Borrowed("abc")));
    assert!(matches!(
        isomorphic_encode("abc"),
        Ok(Cow::Borrowed(b"abc"))
    ));
    // Bytes that happen to be UTF-8 are not decoded as UTF-8.
    assert_eq!(isomorphic_decode("é".as_bytes()), "Ã©");
    for (text, ch, offset) in [("Ā", 'Ā', 0), ("éé💩Ā", '💩', 4), ("abc€", '€', 3)] {
        let error = isomorphic_encode(text).unwrap_err();
        assert_eq!((error.ch, error.offset), (ch, offset));
    }
    assert_eq!(
        isomorphic_encode("a€").unwrap_err().to_string(),
        "U+20AC at offset 1 is above U+00FF"
    );
}
