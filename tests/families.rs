//! Which encodings are compiled in, and that these are complete, with any features: `.ci/long` runs this with
//! each family of legacy encodings left out.

use simdtext::{Bom, Encoding, LabelStatus, Unmappable};

/// The single-byte encodings, which the feature `legacy-single-byte` leaves out.
fn is_legacy_single_byte(name: &str) -> bool {
    let prefixes = ["ISO-8859-", "KOI8-", "windows-"];
    prefixes.iter().any(|prefix| name.starts_with(prefix))
        || ["IBM866", "macintosh", "x-mac-cyrillic"].contains(&name)
}

/// The encodings that the feature `legacy-cjk` leaves out.
fn is_legacy_cjk(name: &str) -> bool {
    [
        "GBK",
        "gb18030",
        "Big5",
        "EUC-JP",
        "ISO-2022-JP",
        "Shift_JIS",
        "EUC-KR",
    ]
    .contains(&name)
}

/// Whether the encoding of this name should be compiled in.
fn is_compiled_in(name: &str) -> bool {
    (cfg!(feature = "legacy-single-byte") || !is_legacy_single_byte(name))
        && (cfg!(feature = "legacy-cjk") || !is_legacy_cjk(name))
}

/// A label of each encoding of the standard, and the name of the encoding.
const LABELS: [(&str, &str); 40] = [
    ("utf8", "UTF-8"),
    ("866", "IBM866"),
    ("latin2", "ISO-8859-2"),
    ("latin3", "ISO-8859-3"),
    ("latin4", "ISO-8859-4"),
    ("cyrillic", "ISO-8859-5"),
    ("arabic", "ISO-8859-6"),
    ("greek", "ISO-8859-7"),
    ("visual", "ISO-8859-8"),
    ("logical", "ISO-8859-8-I"),
    ("latin6", "ISO-8859-10"),
    ("iso885913", "ISO-8859-13"),
    ("iso885914", "ISO-8859-14"),
    ("l9", "ISO-8859-15"),
    ("iso-8859-16", "ISO-8859-16"),
    ("koi8", "KOI8-R"),
    ("koi8-ru", "KOI8-U"),
    ("mac", "macintosh"),
    ("tis-620", "windows-874"),
    ("cp1250", "windows-1250"),
    ("cp1251", "windows-1251"),
    ("Latin1", "windows-1252"),
    ("cp1253", "windows-1253"),
    ("latin5", "windows-1254"),
    ("cp1255", "windows-1255"),
    ("cp1256", "windows-1256"),
    ("cp1257", "windows-1257"),
    ("cp1258", "windows-1258"),
    ("x-mac-ukrainian", "x-mac-cyrillic"),
    ("gb2312", "GBK"),
    ("gb18030", "gb18030"),
    ("cn-big5", "Big5"),
    ("x-euc-jp", "EUC-JP"),
    ("csiso2022jp", "ISO-2022-JP"),
    (" SJIS\n", "Shift_JIS"),
    ("korean", "EUC-KR"),
    ("hz-gb-2312", "replacement"),
    ("unicodefffe", "UTF-16BE"),
    ("utf-16", "UTF-16LE"),
    ("x-user-defined", "x-user-defined"),
];

#[test]
fn labels_of_what_is_left_out_are_known() {
    for (label, name) in LABELS {
        let found = Encoding::for_label(label.as_bytes());
        match Encoding::label_status(label.as_bytes()) {
            LabelStatus::Known(encoding) => {
                assert!(is_compiled_in(name), "{name}");
                assert_eq!((encoding.name(), found), (name, Some(encoding)));
            }
            LabelStatus::NotCompiledIn { name: left_out, .. } => {
                assert!(!is_compiled_in(name), "{name}");
                assert_eq!((left_out, found), (name, None));
            }
            _ => panic!("{label} is a label of {name}"),
        }
    }
    assert_eq!(Encoding::label_status(b"utf-7"), LabelStatus::Unknown);
    assert_eq!(Encoding::label_status(b""), LabelStatus::Unknown);
}

#[test]
fn the_list_has_what_is_compiled_in() {
    let names: Vec<&str> = Encoding::all()
        .iter()
        .map(|encoding| encoding.name())
        .collect();
    let expected: Vec<&str> = LABELS
        .iter()
        .map(|(_, name)| *name)
        .filter(|name| is_compiled_in(name))
        .collect();
    assert_eq!(names, expected);
    assert!(Encoding::all().iter().all(|encoding| {
        encoding
            .labels()
            .contains(&&*encoding.name().to_ascii_lowercase())
    }));
}

/// An encoding of the library, and that of encoding_rs.
fn pairs() -> impl Iterator<Item = (&'static Encoding, &'static encoding_rs::Encoding)> {
    Encoding::all().iter().map(|encoding| {
        let peer = encoding_rs::Encoding::for_label(encoding.name().as_bytes());
        (*encoding, peer.expect("encoding_rs has all forty"))
    })
}

#[test]
fn all_pairs_of_bytes_decode() {
    let inputs: Vec<[u8; 4]> = (0..=0xFFFF_u16)
        .map(|pair| pair.to_be_bytes())
        .map(|[a, b]| [a, b, b' ', b'\n'])
        .collect();
    for (encoding, peer) in pairs() {
        for src in [inputs.as_flattened(), &inputs.as_flattened()[1..]] {
            let ours = encoding.decode_with_bom(src, Bom::Keep);
            let (theirs, _) = peer.decode_without_bom_handling(src);
            assert!(ours.text == theirs, "{}", encoding.name());
        }
    }
}

#[test]
fn all_characters_encode() {
    let text: String = ('\0'..=char::MAX).step_by(3).collect();
    for (encoding, peer) in pairs() {
        let encoding = encoding.output_encoding();
        let ours = encoding.encode(&text, Unmappable::Ncr).unwrap();
        let (theirs, _, _) = peer.encode(&text);
        assert!(*ours.bytes == *theirs, "{}", encoding.name());
    }
}
