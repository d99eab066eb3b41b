//! What holds for any hints and any bytes.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use simdtext::sniff::*;
use simdtext::{Encoding, UTF_8};

use crate::markup::PARTS;
use crate::{cases, steps};

/// Other parts of declarations.
const MORE: [&[u8]; 8] = [
    b"\"text/html; charset=gbk\"",
    b"encoding",
    b"a=b",
    b"                                ",
    b"\xFF",
    b"application/xml",
    b"text/html",
    b"text/css",
];

fn markup() -> impl Strategy<Value = Vec<u8>> {
    let part = prop_oneof![
        20 => select([&PARTS[..], &MORE].concat()).prop_map(<[u8]>::to_vec),
        1 => (select(PARTS.to_vec()), 2..400_usize).prop_map(|(part, times)| part.repeat(times)),
        1 => vec(any::<u8>(), 0..20),
    ];
    vec(part, 0..40).prop_map(|parts| parts.concat())
}

fn header() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        10 => select(&[
            "text", "/", "text/html", "html", ";x=", "\\\"", "css", "+xml", ";", ";charset=", "charset", "=", "\"", "\\", "gbk", "utf-8", " ",
            "\t", "none", "é", "Ā", "\0", ",",
        ][..])
        .prop_map(str::to_owned),
        1 => any::<String>(),
    ];
    vec(part, 0..12).prop_map(|parts| parts.concat())
}

fn encoding() -> impl Strategy<Value = &'static Encoding> {
    select(Encoding::all())
}

#[derive(Debug)]
struct Known {
    transport: Option<String>,
    format: Format,
    override_label: Option<String>,
    environment: Option<&'static Encoding>,
    fallback: Option<&'static Encoding>,
    late_meta: bool,
}

impl Known {
    fn hints(&self) -> Hints<'_> {
        Hints::new()
            .transport(self.transport.as_deref())
            .format(self.format)
            .override_label(self.override_label.as_deref())
            .environment(self.environment)
            .fallback(self.fallback)
            .late_meta(self.late_meta)
    }
}

fn known() -> impl Strategy<Value = Known> {
    let formats = [
        Format::Unknown,
        Format::Html,
        Format::Xml,
        Format::Css,
        Format::Text,
    ];
    let label = prop_oneof![
        encoding().prop_map(|it| it.name().to_owned()),
        any::<String>()
    ];
    let fields = (
        option::of(header()),
        select(formats.to_vec()),
        option::weighted(0.2, label),
        option::of(encoding()),
        option::of(encoding()),
        any::<bool>(),
    );
    fields.prop_map(
        |(transport, format, override_label, environment, fallback, late_meta)| Known {
            transport,
            format,
            override_label,
            environment,
            fallback,
            late_meta,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

    #[test]
    fn prescan_is_as_the_standard_says(head in markup()) {
        prop_assert_eq!(prescan(&head), steps::prescan(&head));
    }

    /// Neither what follows the first 1,024 bytes nor a cut after them changes the declared encoding.
    #[test]
    fn nothing_after_the_first_bytes_is_read(head in markup(), more in markup()) {
        let mut whole = head;
        whole.resize(whole.len().max(HEAD_LEN), b' ');
        let first = whole[..HEAD_LEN].to_vec();
        whole.extend_from_slice(&more);
        prop_assert_eq!(prescan(&whole), prescan(&first));
        prop_assert_eq!(xml_encoding(&whole), xml_encoding(&first));
        prop_assert_eq!(css_charset(&whole), css_charset(&first));
        prop_assert_eq!(Format::from_head(&whole), Format::from_head(&first));
    }

    /// Of all evidence, the first in the order decides.
    #[test]
    fn decisions_are_consistent(known in known(), head in markup(), complete: bool) {
        let hints = known.hints();
        let decision = resolve(&hints, &head, complete);
        let bom = Encoding::for_bom(&head);
        let label = hints.override_label.and_then(|label| Encoding::for_label(label.as_bytes()));
        let mime = hints.transport.and_then(MimeType::parse);
        let transport = mime.and_then(|mime| mime.encoding());
        prop_assert_eq!(decision.bom_len, bom.map_or(0, |(_, len)| len));
        let expected = match decision.evidence {
            Evidence::Bom => bom.map(|(encoding, _)| encoding),
            Evidence::Override => label,
            Evidence::Transport => transport,
            Evidence::Prescan => [prescan, xml_encoding, css_charset]
                .into_iter()
                .filter_map(|declared_in| declared_in(&head))
                .find(|encoding| *encoding == decision.encoding),
            Evidence::LateMeta => late_meta(&head).filter(|_| hints.late_meta),
            Evidence::Environment => hints.environment,
            Evidence::Utf8Valid => is_utf8(&head, complete).then_some(UTF_8),
            Evidence::Fallback => Some(hints.fallback.unwrap_or(UTF_8)),
            // `resolve` does not guess.
            _ => None,
        };
        prop_assert_eq!(Some(decision.encoding), expected);
        let rank = decision.evidence as u8;
        prop_assert!(bom.is_none() || rank <= Evidence::Bom as u8);
        prop_assert!(label.is_none() || rank <= Evidence::Override as u8);
        prop_assert!(transport.is_none() || rank <= Evidence::Transport as u8);
        prop_assert!(!is_utf8(&head, complete) || rank <= Evidence::Utf8Valid as u8);
        let certain = decision.confidence == Confidence::Certain;
        match decision.evidence {
            Evidence::Bom | Evidence::Override | Evidence::Transport => prop_assert!(certain),
            Evidence::Utf8Valid => prop_assert_eq!(certain, complete),
            Evidence::Prescan => {}
            _ => prop_assert!(!certain),
        }
    }

    /// A complete document that is taken for UTF-8 decodes without an error.
    #[test]
    fn utf8_is_utf8(head in markup(), cut in 0..40_usize) {
        let valid = String::from_utf8(head.clone());
        let expected = valid.is_ok_and(|text| !text.is_ascii());
        prop_assert_eq!(is_utf8(&head, true), expected);
        if expected {
            // However much of it there is, as long as one such character is whole.
            let cut = &head[..head.len().saturating_sub(cut)];
            let decoded = String::from_utf8_lossy(cut);
            let whole = decoded.chars().any(|ch| !ch.is_ascii() && ch != '\u{FFFD}');
            prop_assert_eq!(is_utf8(cut, false), whole);
        }
    }

    /// The crate data-url follows MIME Sniffing, too. It overlooks invalid characters after a `;` in quotes:
    /// there are none here, and `content_type.txt` has some.
    #[test]
    fn content_type_is_as_the_standard_says(value in header()) {
        let is_allowed = |ch: &char| matches!(ch, '\t' | ' '..='~' | '\u{80}'..='\u{FF}');
        let value: String = value.chars().filter(is_allowed).collect();
        let peer: Option<data_url::mime::Mime> = value.parse().ok();
        let mime = MimeType::parse(&value);
        prop_assert_eq!(mime.is_some(), peer.is_some());
        if let (Some(mime), Some(peer)) = (mime, peer) {
            prop_assert!(mime.is(&peer.type_, &peer.subtype));
            for name in ["charset", "x"] {
                let value = mime.parameter(name).map(|value| value.to_string());
                prop_assert_eq!(value.as_deref(), peer.get_parameter(name));
            }
        }
    }

    /// A header's value never causes a panic, and has at most one charset.
    #[test]
    fn content_type_is_consistent(value in header()) {
        if let Some(mime) = MimeType::parse(&value) {
            prop_assert!(value.contains(mime.type_()) && value.contains(mime.subtype()));
            let charset = mime.charset().map(|charset| charset.to_string());
            let label = charset.as_deref().and_then(|label| Encoding::for_label(label.as_bytes()));
            prop_assert_eq!(mime.encoding(), label);
            // A value that is parsed, and written as a quoted string, is parsed to the same value.
            if let Some(charset) = charset {
                let escaped = charset.replace('\\', r"\\").replace('"', "\\\"");
                let again = format!("{}/{};charset=\"{escaped}\"", mime.type_(), mime.subtype());
                let again = MimeType::parse(&again).and_then(|mime| mime.charset());
                prop_assert_eq!(again.map(|again| again.to_string()), Some(charset));
            }
        }
    }
}

#[test]
fn prescan_of_every_case_and_every_cut_is_as_the_standard_says() {
    for file in ["html.txt", "xml.txt", "meta_content.txt"] {
        for case in cases::read(file, 40) {
            let input = case.input();
            let wrapped = [b"<meta http-equiv=content-type content=\"", &*input, b"\">"].concat();
            for end in 0..=input.len() {
                let head = &input[..end];
                assert_eq!(
                    prescan(head),
                    steps::prescan(head),
                    "{}, cut at {end}",
                    case.place
                );
            }
            assert_eq!(
                prescan(&wrapped),
                steps::prescan(&wrapped),
                "{}, as content",
                case.place
            );
        }
    }
}

/// If anything were quadratic, the first of these would take hours.
#[test]
fn hostile_input_takes_linear_time() {
    const LEN: usize = 4 << 20;
    let repeated = |part: &str| part.repeat(LEN / part.len());
    for part in [
        "<",
        "<!--",
        "<a a",
        " a",
        "/",
        "=",
        "charset",
        "charset=",
        "\"",
        "'",
        "<meta ",
        "<meta charset",
        "<m",
        "<?xml encoding",
        "@charset \"",
        "\\",
        ";",
        ";x=\"",
        ";x=\\\"",
        "; charset=\"\\",
        "é",
        "\t",
    ] {
        let begins = [
            "",
            "<meta ",
            "<meta content=\"",
            "<?xml ",
            "@charset \"",
            "<!--",
            "text/html;charset=\"",
        ];
        for begin in begins {
            let hostile = format!("{begin}{}", repeated(part));
            for format in [Format::Unknown, Format::Html] {
                let hints = Hints::new().format(format);
                let decision = resolve(&hints, hostile.as_bytes(), true);
                assert!(decision.encoding.is_ascii_compatible());
            }
            if begin.is_empty() || begin.starts_with("text") {
                let header = format!("text/html;{hostile}");
                let hints = Hints::new().transport(&*header).override_label(&*hostile);
                assert_eq!(resolve(&hints, b"", true).evidence, Evidence::Fallback);
                assert_eq!(encoding_in_content(hostile.as_bytes()), None);
            }
        }
    }
}
