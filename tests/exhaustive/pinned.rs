//! Cases that were decided one by one, each in a single call.

use std::borrow::Cow;

use simdtext::{
    BIG5, Bom, Encoding, GB18030, GBK, ISO_2022_JP, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE, Unmappable, WINDOWS_1252,
};

use crate::harness::{BOMS, Decoded, MODES, Mode, borrows, decode};
use crate::hex;

/// The text and the positions of its errors.
fn check(encoding: &'static Encoding, bytes: &[u8], text: &str, errors: &[(u64, u8)]) {
    for mode in MODES {
        let mut decoder = encoding.decoder(Bom::Keep);
        let got: Decoded<u8> = decode(&mut decoder, &[bytes], 64, mode);
        let got_text = String::from_utf8_lossy(&got.units);
        assert_eq!(got_text, text, "{encoding} {mode:?}: {}", hex(bytes));
        assert_eq!(
            got.errors,
            errors.len(),
            "{encoding} {mode:?}: {}",
            hex(bytes)
        );
        if mode == Mode::Replacement {
            continue;
        }
        let malformed = got.malformed.expect("told");
        let places: Vec<(u64, u8)> = malformed.iter().map(|m| (m.offset, m.len)).collect();
        assert_eq!(places, errors, "{encoding} {mode:?}: {}", hex(bytes));
        for error in malformed {
            let from = usize::try_from(error.offset).expect("a short input");
            let to = from + usize::from(error.len);
            assert_eq!(
                error.bytes(),
                &bytes[from..to],
                "{encoding}: {}",
                hex(bytes)
            );
            assert!(
                error.bytes[usize::from(error.len)..]
                    .iter()
                    .all(|&byte| byte == 0)
            );
        }
    }
}

#[test]
fn iso_2022_jp_blames_the_first_of_two_escapes() {
    check(ISO_2022_JP, b"\x1B(B\x1B$B", "\u{FFFD}", &[(0, 3)]);
    check(
        ISO_2022_JP,
        b"\x1B(B\x1B$B\x1B(Ja",
        "\u{FFFD}\u{FFFD}a",
        &[(0, 3), (3, 3)],
    );
    check(ISO_2022_JP, b"\x1B$B0\x1B(Ba", "\u{FFFD}a", &[(3, 1)]);
    check(ISO_2022_JP, b"\x1B$", "\u{FFFD}$", &[(0, 1)]);
    check(ISO_2022_JP, b"\x1B", "\u{FFFD}", &[(0, 1)]);
    check(ISO_2022_JP, b"\x1B$A", "\u{FFFD}$A", &[(0, 1)]);
    check(ISO_2022_JP, b"\x1B$B0", "\u{FFFD}", &[(3, 1)]);
    check(
        ISO_2022_JP,
        b"\x0E\x80",
        "\u{FFFD}\u{FFFD}",
        &[(0, 1), (1, 1)],
    );
}

#[test]
fn gb18030_restores_bytes_and_masks_one_at_the_end_only() {
    for encoding in [GB18030, GBK] {
        check(
            encoding,
            b"\x810\x81 ",
            "\u{FFFD}0\u{FFFD} ",
            &[(0, 1), (2, 1)],
        );
        check(encoding, b"\x810", "\u{FFFD}", &[(0, 2)]);
        check(encoding, b"\x810\x81", "\u{FFFD}", &[(0, 3)]);
        check(encoding, b"\x810a", "\u{FFFD}0a", &[(0, 1)]);
        check(encoding, b"\xFE9\xFE9", "\u{FFFD}", &[(0, 4)]);
        check(encoding, b"\x80", "€", &[]);
        check(encoding, b"\xA2\xE3", "€", &[]);
        check(encoding, b"\xA3\xA0", "\u{3000}", &[]);
        // GB18030-2005 and -2022: one code point each by arithmetic and from the index.
        check(encoding, b"\x81\x35\xF4\x37", "\u{E7C7}", &[]);
        check(encoding, b"\xA8\xBC", "\u{1E3F}", &[]);
        check(encoding, b"\xA6\xD9\xFE\x59", "\u{FE10}\u{9FB4}", &[]);
    }
    let encode = |encoding: &'static Encoding, text| {
        let encoded = encoding.encode(text, Unmappable::Ncr).expect("an encoder");
        encoded.bytes.into_owned()
    };
    assert_eq!(encode(GBK, "€"), b"\x80");
    assert_eq!(encode(GB18030, "€"), b"\xA2\xE3");
    assert_eq!(encode(GBK, "\u{E5E5}\u{E7C7}"), b"&#58853;&#59335;");
    assert_eq!(
        encode(GB18030, "\u{E5E5}\u{E7C7}"),
        b"&#58853;\x81\x35\xF4\x37"
    );
    // The side table: private-use code points keep the bytes that no longer decode to them.
    assert_eq!(encode(GBK, "\u{E78D}\u{E864}"), b"\xA6\xD9\xFE\xA0");
    assert_eq!(encode(GB18030, "\u{FE10}\u{1E3F}"), b"\xA6\xD9\xA8\xBC");
}

#[test]
fn a_lead_alone_is_one_byte_and_with_a_bad_trail_two() {
    check(SHIFT_JIS, b"\x82 a", "\u{FFFD} a", &[(0, 1)]);
    check(SHIFT_JIS, b"\x82\xFFa", "\u{FFFD}a", &[(0, 2)]);
    check(BIG5, b"\x81A", "\u{FFFD}A", &[(0, 1)]);
    check(BIG5, b"\x81\xFF", "\u{FFFD}", &[(0, 2)]);
    check(BIG5, b"\x88\x62\x88\xA5", "\u{CA}\u{304}\u{EA}\u{30C}", &[]);
    let euc_jp = simdtext::EUC_JP;
    check(euc_jp, b"\x8F\xB0A", "\u{FFFD}A", &[(0, 2)]);
    check(euc_jp, b"\x8F\xB0\xFF", "\u{FFFD}", &[(0, 3)]);
    check(
        simdtext::EUC_KR,
        b"\xB0\xFF\xB0",
        "\u{FFFD}\u{FFFD}",
        &[(0, 2), (2, 1)],
    );
}

#[test]
fn utf16_at_the_end_is_one_error() {
    check(UTF_16LE, b"\x3D\xD8a", "\u{FFFD}", &[(0, 3)]);
    check(UTF_16BE, b"\0a\xD8\x3D\0", "a\u{FFFD}", &[(2, 3)]);
    check(UTF_16BE, b"\xD8\x3D", "\u{FFFD}", &[(0, 2)]);
    check(UTF_16BE, b"\0", "\u{FFFD}", &[(0, 1)]);
    check(
        UTF_16BE,
        b"\xD8\x3D\0a\xDC\xA9",
        "\u{FFFD}a\u{FFFD}",
        &[(0, 2), (4, 2)],
    );
}

#[test]
fn utf8_errors_are_maximal_prefixes() {
    check(UTF_8, b"\xF0\x9F\x92a", "\u{FFFD}a", &[(0, 3)]);
    check(
        UTF_8,
        b"\xED\xA0\x80",
        "\u{FFFD}\u{FFFD}\u{FFFD}",
        &[(0, 1), (1, 1), (2, 1)],
    );
    check(UTF_8, b"\xE2\x82", "\u{FFFD}", &[(0, 2)]);
    check(UTF_8, b"\xF4\x90", "\u{FFFD}\u{FFFD}", &[(0, 1), (1, 1)]);
}

#[test]
fn replacement_is_one_error_whatever_follows() {
    check(REPLACEMENT, b"", "", &[]);
    check(REPLACEMENT, b"a", "\u{FFFD}", &[(0, 1)]);
    check(REPLACEMENT, b"\xFFabc\x1B$B", "\u{FFFD}", &[(0, 1)]);
    let mut decoder = REPLACEMENT.decoder(Bom::Sniff);
    let pieces = [b"a".as_slice(), b"bcd", b"", b"e"];
    let got: Decoded<u8> = decode(&mut decoder, &pieces, 4, Mode::Strict);
    assert_eq!((got.units, got.errors), ("\u{FFFD}".as_bytes().to_vec(), 1));
    // A byte order mark outranks this, like any label.
    let decoded = REPLACEMENT.decode(b"\xEF\xBB\xBFa");
    assert_eq!((&*decoded.text, decoded.encoding), ("a", UTF_8));
    assert!(REPLACEMENT.encoder().is_none());
}

#[test]
fn latin1_is_windows_1252() {
    let latin1 = Encoding::for_label(b"latin1");
    assert_eq!(latin1, Some(WINDOWS_1252));
    check(WINDOWS_1252, b"\x80\x81\xE9", "€\u{81}é", &[]);
}

#[test]
fn the_escape_before_an_error_in_iso_2022_jp() {
    let encode = |text: &str, unmappable| {
        let encoded = ISO_2022_JP.encode(text, unmappable).expect("not Strict");
        encoded.bytes.into_owned()
    };
    let ncr = encode("字💩", Unmappable::Ncr);
    assert_eq!(ncr, b"\x1B$B;z\x1B(B&#128169;");
    assert_eq!(encode("¥💩", Unmappable::Ncr), b"\x1B(J\\&#128169;\x1B(B");
    // But not if nothing follows it: two escape sequences in a row are malformed.
    assert_eq!(encode("字💩字", Unmappable::Skip), b"\x1B$B;z;z\x1B(B");
    assert_eq!(encode("字\u{1B}字", Unmappable::Skip), b"\x1B$B;z;z\x1B(B");
    assert_eq!(
        encode("字💩", Unmappable::Replace('¥')),
        b"\x1B$B;z\x1B(B\x1B(J\\\x1B(B"
    );
    assert_eq!(
        encode("¥💩", Unmappable::Replace('\\')),
        b"\x1B(J\\\x1B(B\\"
    );
    assert_eq!(encode("¥💩", Unmappable::Replace('😀')), b"\x1B(J\\?\x1B(B");
    // U+000E, U+000F and U+001B are reported as U+FFFD.
    assert_eq!(encode("\u{1B}", Unmappable::Ncr), b"&#65533;");
}

#[test]
fn borrowed_where_the_text_is_a_slice_of_the_input() {
    if !borrows() {
        return;
    }
    let borrowed = |encoding: &'static Encoding, bytes: &[u8], bom| {
        matches!(encoding.decode_with_bom(bytes, bom).text, Cow::Borrowed(_))
    };
    for &encoding in Encoding::all() {
        let expected = encoding.is_ascii_compatible();
        let text = b"plain ASCII text, longer than any vector register: 0123456789 abcdefghij";
        for bom in BOMS {
            assert!(borrowed(encoding, text, bom) || !expected, "{encoding}");
            assert!(borrowed(encoding, b"a", bom) || !expected, "{encoding}");
        }
    }
    assert!(borrowed(UTF_8, "naïve 字💩".as_bytes(), Bom::Keep));
    assert!(borrowed(UTF_8, "\u{FEFF}naïve 字💩".as_bytes(), Bom::Keep));
    assert!(borrowed(UTF_8, "\u{FEFF}naïve 字💩".as_bytes(), Bom::Strip));
    assert!(borrowed(
        SHIFT_JIS,
        "\u{FEFF}naïve 字💩".as_bytes(),
        Bom::Sniff
    ));
    assert!(!borrowed(UTF_8, b"\xFF", Bom::Sniff));
}
