//! `simdtext::sniff`: cases as data, and properties.
//!
//! Each file of cases says under each heading which section of which specification they come from.

mod cases;
mod declarations;
mod late_meta;
mod markup;
mod mixed;
mod properties;
mod resolve;
mod steps;
mod utf8_tally;

use simdtext::Encoding;
use simdtext::sniff::*;

/// A name, or `-`.
fn name(encoding: Option<&'static Encoding>) -> String {
    encoding.map_or("-", Encoding::name).to_owned()
}

#[test]
fn html() {
    cases::check("html.txt", 150, |case| name(prescan(&case.input())));
}

#[test]
fn meta_content() {
    cases::check("meta_content.txt", 40, |case| {
        name(encoding_in_content(&case.input()))
    });
}

#[test]
fn xml() {
    cases::check("xml.txt", 60, |case| name(xml_encoding(&case.input())));
}

#[test]
fn css() {
    cases::check("css.txt", 40, |case| name(css_charset(&case.input())));
}

#[test]
fn content_type() {
    let encoding = |value: &str| MimeType::parse(value).and_then(|mime| mime.encoding());
    cases::check("content_type.txt", 90, |case| {
        name(encoding(&case.input_text()))
    });
}

#[test]
fn charset_parameter() {
    for case in cases::read("content_type.txt", 90) {
        let value = case.input_text();
        let charset = match MimeType::parse(&value) {
            None => "FAILURE".to_owned(),
            Some(mime) => match mime.charset() {
                None => "-".to_owned(),
                Some(charset) if charset.to_string().is_empty() => "EMPTY".to_owned(),
                Some(charset) => charset.to_string(),
            },
        };
        let expected = cases::unescape(&case.fields[1]);
        assert_eq!(charset.as_bytes(), expected, "{}: {value:?}", case.place);
    }
}

#[test]
fn format() {
    cases::check("format.txt", 40, |case| {
        let input = case.input();
        let format = match input.strip_prefix(b"mime:") {
            Some(value) => {
                let value = std::str::from_utf8(value).expect("text");
                Format::from_mime_type(&MimeType::parse(value).expect("a MIME type"))
            }
            None => Format::from_head(&input),
        };
        format!("{format:?}")
    });
}
