//! Decisions about a document's encoding, compared with the steps of the HTML Standard and with what must
//! hold for any decision.
//!
//! Input: how to read it and the format, the environment, the fallback, then the bytes: the document, the
//! transport's value or both. If they are read as markup, each byte of ASCII stands for a piece of it.

use simdtext::sniff::*;
use simdtext::{Bom, Encoding, UTF_8};

use crate::markup::PARTS;
use crate::steps;

pub fn sniff(data: &[u8]) {
    let &[how, environment, fallback, ref bytes @ ..] = data else {
        return;
    };
    let complete = how & 1 == 0;
    let markup = bytes.iter().flat_map(|byte| {
        if how & 2 == 0 && byte.is_ascii() {
            PARTS[usize::from(byte & 0x3F)]
        } else {
            std::slice::from_ref(byte)
        }
    });
    let markup: Vec<u8> = markup.copied().collect();
    let (first, head) = markup.split_at(markup.len() / 4);
    let transport = String::from_utf8_lossy(if how & 4 == 0 { first } else { &markup });
    let head = if how & 8 == 0 { head } else { &markup };
    let formats = [
        Format::Unknown,
        Format::Html,
        Format::Xml,
        Format::Css,
        Format::Text,
    ];
    let encoding = |byte: u8| Encoding::all().get(usize::from(byte)).copied();
    let hints = Hints::new()
        .transport((how & 16 == 0).then_some(&*transport))
        .format(formats[usize::from(how >> 5) % formats.len()])
        .override_label((environment >= 0xF0).then_some(&*transport))
        .environment(encoding(environment))
        .fallback(encoding(fallback))
        .late_meta(fallback & 1 == 0);
    let decision = resolve(&hints, head, complete);
    check(&hints, head, complete, &decision);

    assert_eq!(prescan(head), steps::prescan(head));
    let first = &head[..head.len().min(HEAD_LEN)];
    assert_eq!(xml_encoding(head), xml_encoding(first));
    assert_eq!(css_charset(head), css_charset(first));
    if let Ok(text) = std::str::from_utf8(head) {
        assert_eq!(is_utf8(head, true), !text.is_ascii());
        assert_eq!(is_utf8(head, false), !text.is_ascii());
    } else {
        assert!(!is_utf8(head, true));
    }
}

fn check(hints: &Hints<'_>, head: &[u8], complete: bool, decision: &Decision) {
    let bom = Encoding::for_bom(head);
    let label = hints.override_label.map(str::as_bytes);
    let label = label.and_then(Encoding::for_label);
    let mime = hints.transport.and_then(MimeType::parse);
    let charset = mime.and_then(|mime| mime.charset());
    // The characters of the value are the label, without quotes and backslashes.
    let label_of =
        |charset: ParameterValue<'_>| Encoding::for_label(charset.to_string().as_bytes());
    let transport = charset.and_then(label_of);
    let certain = decision.confidence == Confidence::Certain;
    match decision.evidence {
        Evidence::Bom => {
            assert_eq!(bom, Some((decision.encoding, decision.bom_len)));
            let decoded = UTF_8.decode_with_bom(head, Bom::Sniff);
            assert_eq!(decoded.encoding, decision.encoding);
            assert!(certain);
            return;
        }
        Evidence::Override => assert!(label == Some(decision.encoding) && certain),
        Evidence::Transport => assert!(transport == Some(decision.encoding) && certain),
        Evidence::Prescan => {
            let declared = [prescan(head), xml_encoding(head), css_charset(head)];
            assert!(declared.contains(&Some(decision.encoding)));
        }
        Evidence::LateMeta => {
            assert!(hints.late_meta && late_meta(head) == Some(decision.encoding));
        }
        Evidence::Environment => {
            assert!(hints.environment == Some(decision.encoding) && !certain);
        }
        Evidence::Utf8Valid => {
            assert!(decision.encoding == UTF_8 && is_utf8(head, complete));
            assert_eq!(certain, complete);
        }
        Evidence::Fallback => {
            assert!(hints.fallback.unwrap_or(UTF_8) == decision.encoding && !certain);
            assert!(!is_utf8(head, complete));
        }
        other => panic!("{other:?}: it makes no guesses"),
    }
    assert_eq!((bom, decision.bom_len), (None, 0));
    if decision.evidence != Evidence::Override {
        assert_eq!(label, None);
        assert!(transport.is_none() || decision.evidence == Evidence::Transport);
    }
}
