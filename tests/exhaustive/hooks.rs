//! The hooks of section 6 compared with the standard's text.

use simdtext::Encoding;
use simdtext::hooks::{self, PercentEncodeSet};

use crate::inputs;
use crate::spec::hooks as spec;
use crate::spec::queue::Queue;

/// The short inputs of all encodings.
fn all_inputs() -> Vec<&'static [u8]> {
    let mut all: Vec<&[u8]> = Encoding::all()
        .iter()
        .flat_map(|encoding| inputs::for_encoding(encoding.name()))
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn utf8_decode_and_its_kin() {
    for bytes in all_inputs() {
        let case = crate::hex(bytes);
        let text = hooks::utf8_decode(bytes);
        assert_eq!(text, spec::utf8_decode(bytes), "{case}");
        let text = hooks::utf8_decode_without_bom(bytes);
        assert_eq!(text, spec::utf8_decode_without_bom(bytes), "{case}");
        let text = hooks::utf8_decode_without_bom_or_fail(bytes).ok();
        let expected = spec::utf8_decode_without_bom_or_fail(bytes);
        assert_eq!(text.as_deref(), expected.as_deref(), "{case}");
    }
}

#[test]
fn decode_and_bom_sniff() {
    for bytes in all_inputs() {
        let found = hooks::bom_sniff(bytes).map(Encoding::name);
        assert_eq!(found, spec::bom_sniff(&Queue::new(bytes)));
        for &encoding in Encoding::all() {
            let (text, name) = spec::decode(bytes, encoding.name());
            let case = || format!("{encoding}: {}", crate::hex(bytes));
            assert_eq!(hooks::decode(bytes, encoding), text, "{}", case());
            let decoded = encoding.decode(bytes);
            assert_eq!(
                (&*decoded.text, decoded.encoding.name()),
                (&*text, name),
                "{}",
                case()
            );
        }
    }
}

#[test]
fn encode_and_encode_or_fail() {
    for &encoding in Encoding::all() {
        // The two hooks assert that the encoding is its own output encoding.
        if encoding.output_encoding() != encoding {
            assert!(hooks::get_an_encoder(encoding).is_none());
            continue;
        }
        let name = encoding.name();
        for text in inputs::TEXTS {
            assert_eq!(
                hooks::encode(text, encoding),
                spec::encode(text, name),
                "{name}: {text:?}"
            );
            let chars: Vec<char> = text.chars().collect();
            let mut io_queue = Queue::new(&chars);
            let mut oracle = spec::get_an_encoder(name);
            let mut encoder = hooks::get_an_encoder(encoding).expect("it has one");
            let mut input = text;
            loop {
                let mut output = Vec::new();
                let code_point = hooks::encode_or_fail(&mut encoder, &mut input, &mut output);
                let expected = spec::encode_or_fail(&mut io_queue, &mut oracle);
                assert_eq!((output, code_point), expected, "{name}: {text:?}");
                let rest: String = chars[io_queue.position()..].iter().collect();
                assert_eq!(input, rest, "{name}: {text:?}");
                if code_point.is_none() {
                    break;
                }
            }
        }
        assert_eq!(hooks::utf8_encode("字"), "字".as_bytes());
    }
}

#[test]
fn percent_encode_after_encoding() {
    type IsInSet = fn(char) -> bool;
    let sets: [(PercentEncodeSet, IsInSet); 3] = [
        (PercentEncodeSet::from_fn(|_| false), |_| false),
        (PercentEncodeSet::from_fn(|_| true), |_| true),
        (PercentEncodeSet::APPLICATION_X_WWW_FORM_URLENCODED, |c| {
            !(c.is_ascii_alphanumeric() || matches!(c, '*' | '-' | '.' | '_'))
        }),
    ];
    for &encoding in Encoding::all() {
        if encoding.output_encoding() != encoding {
            continue;
        }
        let name = encoding.name();
        for text in inputs::TEXTS {
            for (set, is_in_set) in sets {
                for space_as_plus in [false, true] {
                    let got =
                        hooks::percent_encode_after_encoding(encoding, text, set, space_as_plus);
                    let expected =
                        spec::percent_encode_after_encoding(name, text, is_in_set, space_as_plus);
                    assert_eq!(got, expected, "{name}: {text:?}");
                }
            }
        }
    }
}
