//! Encodings and errors as values: the traits of the standard library and of serde.

use std::collections::BTreeSet;
use std::error::Error;
use std::io;

use simdtext::{
    BIG5, Bom, EncodeError, Encoding, GBK, IBM866, ISO_2022_JP, KOI8_R, Malformed, REPLACEMENT,
    SHIFT_JIS, UTF_8, UTF_16LE, UnknownLabel, Unmappable, WINDOWS_1252, X_USER_DEFINED,
};

#[test]
fn labels_are_parsed_as_the_standard_says() {
    for (label, encoding) in [
        ("utf8", UTF_8),
        ("\t Windows-31J\r\n", SHIFT_JIS),
        ("LATIN1", WINDOWS_1252),
        ("unicode", UTF_16LE),
        ("x-user-defined", X_USER_DEFINED),
    ] {
        assert_eq!(label.parse::<&Encoding>(), Ok(encoding), "{label:?}");
        assert_eq!(<&Encoding>::try_from(label), Ok(encoding), "{label:?}");
    }
    for label in ["", " ", "latin-1", "utf-8\u{B}", "utf-8\u{A0}", "ｕｔｆ-8"] {
        let error: UnknownLabel = label.parse::<&Encoding>().unwrap_err();
        assert_eq!(<&Encoding>::try_from(label), Err(error), "{label:?}");
        let message = "not a label of any encoding in the WHATWG Encoding Standard";
        assert_eq!(error.to_string(), message);
    }
    fn any_string(label: impl TryInto<&'static Encoding>) -> Option<&'static Encoding> {
        label.try_into().ok()
    }
    assert_eq!(any_string("koi8"), Some(KOI8_R));
}

#[test]
fn every_name_is_displayed_and_parsed_back() {
    for &encoding in Encoding::all() {
        assert_eq!(encoding.to_string().parse(), Ok(encoding));
    }
    assert_eq!(
        format!("[{SHIFT_JIS}] [{GBK:>5}] [{GBK:<5}]"),
        "[Shift_JIS] [  GBK] [GBK  ]"
    );
}

#[test]
fn encodings_are_in_the_order_of_the_standard() {
    assert!(UTF_8 < IBM866 && IBM866 < GBK && GBK < BIG5 && BIG5 < X_USER_DEFINED);
    assert_eq!(UTF_8.cmp(UTF_8), std::cmp::Ordering::Equal);
    assert!(Encoding::all().is_sorted());
    let set: BTreeSet<_> = [X_USER_DEFINED, BIG5, UTF_8, BIG5].into();
    assert_eq!(Vec::from_iter(set), [UTF_8, BIG5, X_USER_DEFINED]);
}

#[test]
fn errors_of_encoders_name_the_encoding() {
    let error = GBK.encode("a💩", Unmappable::Strict).unwrap_err();
    let expected = EncodeError::Unmappable {
        encoding: GBK,
        ch: '💩',
        offset: 1,
    };
    assert_eq!((error, error.encoding()), (expected, GBK));
    assert_eq!(
        error.to_string(),
        "character U+1F4A9 at offset 1 is not in GBK"
    );

    let error = ISO_2022_JP.encode("日☃", Unmappable::Strict).unwrap_err();
    assert_eq!(error.encoding(), ISO_2022_JP);

    let error = REPLACEMENT.encode("a", Unmappable::Ncr).unwrap_err();
    assert_eq!(
        error,
        EncodeError::NoEncoder {
            encoding: REPLACEMENT
        }
    );
    assert_eq!(error.encoding(), REPLACEMENT);
    assert_eq!(error.to_string(), "replacement has no encoder");
}

#[test]
fn a_decode_error_becomes_one_of_io() {
    fn read(bytes: &[u8]) -> io::Result<String> {
        Ok(BIG5.decode_strict(bytes, Bom::Keep)?.text.into_owned())
    }
    assert_eq!(read(b"ab\xA4\xA4").unwrap(), "ab中");
    let error = read(b"ab\xFFc").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    assert_eq!(error.to_string(), "not Big5: malformed byte FF at offset 2");
    let inner: simdtext::DecodeError = error.downcast().unwrap();
    assert_eq!((inner.encoding, inner.malformed.offset), (BIG5, 2));
}

#[test]
fn a_malformed_sequence_is_an_error() {
    fn check(bytes: &[u8]) -> Result<(), Box<dyn Error>> {
        match UTF_8.decode(bytes).first_error {
            Some(malformed) => Err(malformed.into()),
            None => Ok(()),
        }
    }
    assert!(check("é".as_bytes()).is_ok());
    let error = check(b"a\xE4\xBDz").unwrap_err();
    assert_eq!(error.to_string(), "malformed bytes E4 BD at offset 1");
    let malformed: &Malformed = error.downcast_ref().unwrap();
    assert_eq!(malformed.bytes(), b"\xE4\xBD");
}

#[cfg(feature = "serde")]
#[test]
fn serde_stores_names_and_reads_labels() {
    for &encoding in Encoding::all() {
        let json = serde_json::to_string(encoding).unwrap();
        assert_eq!(json, format!("\"{}\"", encoding.name()));
        for label in encoding.labels().iter().chain([&encoding.name()]) {
            let read: &Encoding = serde_json::from_value((*label).into()).unwrap();
            assert_eq!(read, encoding, "{label}");
        }
    }
    let read: Vec<&'static Encoding> = serde_json::from_str(r#"["SJIS", "\u006boi8"]"#).unwrap();
    assert_eq!(read, [SHIFT_JIS, KOI8_R]);

    let error = serde_json::from_str::<&Encoding>("\"latin-1\"").unwrap_err();
    let message = "invalid value: string \"latin-1\", expected a label of an encoding in the WHATWG \
                   Encoding Standard";
    assert!(error.to_string().starts_with(message), "{error}");
    let error = serde_json::from_str::<&Encoding>("7").unwrap_err();
    assert!(
        error.to_string().contains("invalid type: integer `7`"),
        "{error}"
    );
}
