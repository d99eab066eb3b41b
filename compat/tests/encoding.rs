//! Encodings: they are those of encoding_rs, with its names, properties and labels, and those of simdtext.

use std::collections::HashSet;
use std::hash::BuildHasher;

use simdtext_encoding_rs as ours;

mod common;
use common::PAIRS;

#[test]
fn all_are_there_with_their_names_and_properties() {
    assert_eq!(PAIRS.len(), simdtext::Encoding::all().len());
    for (ours, theirs) in PAIRS {
        assert_eq!(ours.name(), theirs.name());
        assert_eq!(
            format!("{ours:?}"),
            format!("Encoding {{ name: {:?}, .. }}", theirs.name())
        );
        assert_eq!(ours.is_single_byte(), theirs.is_single_byte(), "{ours:?}");
        assert_eq!(
            ours.is_ascii_compatible(),
            theirs.is_ascii_compatible(),
            "{ours:?}"
        );
        assert_eq!(
            ours.can_encode_everything(),
            theirs.can_encode_everything(),
            "{ours:?}"
        );
        assert_eq!(
            ours.output_encoding().name(),
            theirs.output_encoding().name()
        );
    }
}

#[test]
fn they_are_those_of_simdtext() {
    for native in simdtext::Encoding::all() {
        let ours: &ours::Encoding = (*native).into();
        assert_eq!(ours.name(), native.name());
        assert_eq!(<&simdtext::Encoding>::from(ours), *native);
    }
}

#[test]
fn they_are_equal_and_hash_by_address() {
    static IN_A_STATIC: [&ours::Encoding; 2] = [&ours::UTF_8_INIT, &ours::BIG5_INIT];
    assert_eq!(IN_A_STATIC, [ours::UTF_8, ours::BIG5]);
    let all: HashSet<_> = PAIRS.iter().map(|(ours, _)| *ours).collect();
    assert_eq!(all.len(), PAIRS.len());
    let hashes = std::hash::RandomState::new();
    assert_eq!(
        hashes.hash_one(ours::UTF_8),
        hashes.hash_one(&ours::UTF_8_INIT)
    );
}

#[test]
fn labels() {
    let mut labels: Vec<String> = vec![
        String::new(),
        " ".into(),
        "utf 8".into(),
        "\u{b}utf-8".into(),
        "utf-8\0".into(),
        "utf\u{2010}8".into(),
        "x".repeat(100),
    ];
    for encoding in simdtext::Encoding::all() {
        for label in encoding.labels() {
            labels.push((*label).into());
            labels.push(label.to_uppercase());
            labels.push(format!("\t\n\x0C\r {label} \t"));
            labels.push(format!("{label}x"));
            labels.push(label[..label.len() - 1].into());
        }
    }
    for label in labels {
        let name = |found: Option<&'static ours::Encoding>| found.map(ours::Encoding::name);
        let expected = |found: Option<&'static encoding_rs::Encoding>| found.map(|e| e.name());
        let bytes = label.as_bytes();
        assert_eq!(
            name(ours::Encoding::for_label(bytes)),
            expected(encoding_rs::Encoding::for_label(bytes)),
            "{label:?}"
        );
        assert_eq!(
            name(ours::Encoding::for_label_no_replacement(bytes)),
            expected(encoding_rs::Encoding::for_label_no_replacement(bytes)),
            "{label:?}"
        );
    }
}

#[test]
fn byte_order_marks_and_prefixes() {
    for bytes in [
        &b""[..],
        b"\xEF",
        b"\xEF\xBB",
        b"\xEF\xBB\xBF",
        b"\xEF\xBB\xBFa",
        b"\xFE",
        b"\xFE\xFF",
        b"\xFF\xFE",
        b"\xFF\xFE\0\0",
        b"a\xFE\xFF",
        b"\xFF\xFF",
    ] {
        let found = ours::Encoding::for_bom(bytes).map(|(encoding, len)| (encoding.name(), len));
        let expected = encoding_rs::Encoding::for_bom(bytes).map(|(e, len)| (e.name(), len));
        assert_eq!(found, expected, "{bytes:X?}");
    }
    for special in [b'\n', 0x0E, 0x0F, 0x1B, 0x7F, 0x80, 0xC3, 0xFF] {
        for at in 0..150 {
            let mut bytes = [b'a'; 150];
            bytes[at] = special;
            assert_eq!(
                ours::Encoding::utf8_valid_up_to(&bytes),
                encoding_rs::Encoding::utf8_valid_up_to(&bytes)
            );
            assert_eq!(
                ours::Encoding::ascii_valid_up_to(&bytes),
                encoding_rs::Encoding::ascii_valid_up_to(&bytes)
            );
            assert_eq!(
                ours::Encoding::iso_2022_jp_ascii_valid_up_to(&bytes),
                encoding_rs::Encoding::iso_2022_jp_ascii_valid_up_to(&bytes)
            );
        }
    }
}

#[cfg(feature = "serde")]
#[test]
fn serde_stores_names_and_reads_labels() {
    for (ours, _) in PAIRS {
        let json = serde_json::to_string(ours).unwrap();
        assert_eq!(json, format!("{:?}", ours.name()));
        assert_eq!(
            serde_json::from_str::<&ours::Encoding>(&json).unwrap(),
            ours
        );
    }
    let latin1 = serde_json::from_str::<&ours::Encoding>("\"latin1\"").unwrap();
    assert_eq!(latin1, ours::WINDOWS_1252);
    let error = serde_json::from_str::<&ours::Encoding>("\"latin-1\"").unwrap_err();
    assert!(
        error
            .to_string()
            .contains("invalid encoding label: latin-1"),
        "{error}"
    );
}
