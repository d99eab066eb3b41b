//! One-shot conversion to and from UTF-16, and decoders and encoders that append all of a text, compared with
//! encoding_rs, `std`, and the conversion to UTF-8.

use simdtext::{Bom, EncodeError, Encoding, GB18030, ISO_2022_JP, REPLACEMENT, UTF_8, Unmappable};

use crate::samples::{TEXTS, encoded, reference};

const BOMS: [Bom; 3] = [Bom::Sniff, Bom::Strip, Bom::Keep];

/// Bytes in an encoding, well-formed and malformed, with and without a byte order mark.
fn inputs(encoding: &Encoding) -> Vec<Vec<u8>> {
    let marks: [&[u8]; 4] = [b"", b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE"];
    let ends: [&[u8]; 3] = [b"", b"\xFF", b"\x81"];
    let mut inputs = Vec::new();
    for text in TEXTS {
        for mark in marks {
            for end in ends {
                let bytes = encoded(encoding, text);
                let (front, back) = bytes.split_at(bytes.len() / 2);
                inputs.push([mark, front, end, back, end].concat());
            }
        }
    }
    inputs
}

/// What encoding_rs decodes.
fn expected(encoding: &'static Encoding, bytes: &[u8], bom: Bom) -> String {
    let theirs = reference(encoding);
    match bom {
        Bom::Sniff => theirs.decode(bytes).0,
        Bom::Strip => theirs.decode_with_bom_removal(bytes).0,
        _ => theirs.decode_without_bom_handling(bytes).0,
    }
    .into_owned()
}

#[test]
fn utf16_is_the_text_of_utf8() {
    for &encoding in Encoding::all() {
        for bytes in inputs(encoding) {
            for bom in BOMS {
                let text = encoding.decode_with_bom(&bytes, bom);
                let found = encoding.decode_to_utf16_with_bom(&bytes, bom);
                let units: Vec<u16> = expected(encoding, &bytes, bom).encode_utf16().collect();
                assert_eq!(found.units, units, "{encoding} {bom:?} {bytes:X?}");
                assert_eq!(found.encoding, text.encoding);
                assert_eq!(found.errors, text.errors);
                assert_eq!(found.first_error, text.first_error);

                let strict = encoding.decode_to_utf16_strict(&bytes, bom);
                match encoding.decode_strict(&bytes, bom) {
                    Ok(_) => assert_eq!(strict.unwrap().units, units),
                    Err(error) => assert_eq!(strict.unwrap_err(), error),
                }
            }
            let sniffed = encoding.decode_to_utf16_with_bom(&bytes, Bom::Sniff);
            assert_eq!(encoding.decode_to_utf16(&bytes), sniffed);
        }
    }
}

#[test]
fn utf16_is_encoded_as_utf8_is() {
    let policies = [
        Unmappable::Strict,
        Unmappable::Ncr,
        Unmappable::Replace('?'),
        Unmappable::Skip,
    ];
    for &encoding in Encoding::all() {
        for text in TEXTS.map(|text| text.repeat(20)) {
            let units: Vec<u16> = text.encode_utf16().collect();
            for policy in policies {
                let found = encoding.encode_from_utf16(&units, policy);
                match encoding.encode(&text, policy) {
                    Ok(encoded) => assert_eq!(found.unwrap(), encoded),
                    Err(EncodeError::Unmappable { ch, offset, .. }) => {
                        let offset = text[..offset as usize].encode_utf16().count() as u64;
                        let error = EncodeError::Unmappable {
                            encoding,
                            ch,
                            offset,
                        };
                        assert_eq!(found, Err(error));
                    }
                    Err(error) => assert_eq!(found, Err(error)),
                }
            }
        }
    }
    assert_eq!(
        REPLACEMENT.encode_from_utf16(&[], Unmappable::Ncr),
        Err(EncodeError::NoEncoder {
            encoding: REPLACEMENT
        })
    );
}

#[test]
fn lone_surrogates_are_ufffd() {
    let units = [0x61, 0xD83D, 0x62, 0xDCA9, 0xD83D];
    let encoded = |encoding: &'static Encoding, policy| encoding.encode_from_utf16(&units, policy);
    let text = "a\u{FFFD}b\u{FFFD}\u{FFFD}";
    for encoding in [UTF_8, GB18030] {
        assert_eq!(
            encoded(encoding, Unmappable::Strict).unwrap().bytes,
            encoding.encode(text, Unmappable::Strict).unwrap().bytes
        );
    }
    let skipped = encoded(ISO_2022_JP, Unmappable::Skip).unwrap();
    assert_eq!((&*skipped.bytes, skipped.errors), (&b"ab"[..], 3));
    assert_eq!(
        encoded(ISO_2022_JP, Unmappable::Strict),
        Err(EncodeError::Unmappable {
            encoding: ISO_2022_JP,
            ch: '\u{FFFD}',
            offset: 1
        })
    );
}

#[test]
fn a_strict_decoder_appends_up_to_each_error_and_goes_on() {
    for &encoding in Encoding::all() {
        for bytes in inputs(encoding) {
            for bom in BOMS {
                let mut errors = Vec::new();
                let mut text = String::from("before ");
                let mut decoder = encoding.decoder(bom);
                let mut rest = &bytes[..];
                while let Err(error) = decoder.decode_all_to_string_strict(rest, &mut text) {
                    assert_eq!(error.encoding, decoder.encoding());
                    errors.push(error.malformed);
                    text.push('\u{FFFD}');
                    rest = &bytes[decoder.total_read() as usize..];
                }
                let whole = format!("before {}", expected(encoding, &bytes, bom));
                assert_eq!(text, whole, "{encoding} {bom:?} {bytes:X?}");

                let (mut text, mut told) = (String::from("before "), Vec::new());
                let count = encoding.decoder(bom).decode_all_to_string_with(
                    &bytes,
                    &mut text,
                    |malformed| told.push(malformed),
                );
                assert_eq!((text, count), (whole, told.len()));
                assert_eq!(told, errors);
            }
        }
    }
}

#[test]
fn an_encoder_appends_all_and_its_vector_grows() {
    for &encoding in Encoding::all() {
        let Some(mut encoder) = encoding.encoder() else {
            continue;
        };
        for text in TEXTS.map(|text| text.repeat(20)) {
            let mut bytes = b"before ".to_vec();
            let errors = encoder.encode_all_to_vec(&text, &mut bytes, Unmappable::Ncr);
            let whole = encoding.encode(&text, Unmappable::Ncr).unwrap();
            assert_eq!(errors, Ok(whole.errors));
            assert_eq!(bytes, [b"before ", &whole.bytes[..]].concat());
            assert_eq!(&bytes[7..], encoded(encoding, &text));
        }
    }
}

#[test]
fn a_strict_encoder_appends_up_to_each_error_and_goes_on() {
    for &encoding in Encoding::all() {
        let Some(mut encoder) = encoding.encoder() else {
            continue;
        };
        // ISO-2022-JP reports U+FFFD for U+000E, which is shorter.
        for text in TEXTS {
            let (mut rest, mut bytes, mut missing) = (text, Vec::new(), 0);
            encoder.reset();
            while let Err(error) = encoder.encode_all_to_vec(rest, &mut bytes, Unmappable::Strict) {
                assert!(
                    matches!(error, EncodeError::Unmappable { encoding: to, .. } if to == encoding)
                );
                bytes.push(b'?');
                missing += 1;
                rest = &text[encoder.total_read() as usize..];
            }
            let whole = encoding.encode(text, Unmappable::Replace('?')).unwrap();
            let ascii_mark = !matches!(encoding.name(), "UTF-16BE" | "UTF-16LE");
            assert!(ascii_mark || missing == 0);
            assert_eq!((bytes, missing), (whole.bytes.into_owned(), whole.errors));
        }
    }
}

#[test]
fn enough_capacity_is_kept() {
    let mut bytes = Vec::with_capacity(100);
    let start = bytes.as_ptr();
    let mut encoder = GB18030.encoder().unwrap();
    for text in ["日本", "한글", "é💩"] {
        bytes.clear();
        assert_eq!(
            encoder.encode_all_to_vec(text, &mut bytes, Unmappable::Strict),
            Ok(0)
        );
        assert_eq!(GB18030.decode(&bytes).text, text);
    }
    assert_eq!((bytes.as_ptr(), bytes.capacity()), (start, 100));
}
