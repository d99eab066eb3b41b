//! The format of a document, if nothing states it.
//!
//! Tested in `tests/sniff/format.txt`.

use super::{Format, MimeType, xml};

impl Format {
    /// The format that a MIME type means: HTML for `text/html`, XML for `text/xml`, `application/xml`
    /// and anything that ends in `+xml`, style sheets for `text/css`, text for any other `text/…`,
    /// and [`Unknown`](Self::Unknown) for the rest.
    ///
    /// ```
    /// use simdtext::sniff::{Format, MimeType};
    ///
    /// let of = |value| Format::from_mime_type(&MimeType::parse(value).unwrap());
    /// assert_eq!(of("text/html; charset=utf-8"), Format::Html);
    /// assert_eq!(of("application/xhtml+xml"), Format::Xml);
    /// assert_eq!(of("application/octet-stream"), Format::Unknown);
    /// ```
    #[must_use]
    pub fn from_mime_type(mime: &MimeType<'_>) -> Self {
        if mime.is("text", "html") {
            Self::Html
        } else if mime.is("text", "css") {
            Self::Css
        } else if mime.is("text", "xml") || mime.is("application", "xml") || is_xml_suffixed(mime) {
            Self::Xml
        } else if mime.type_().eq_ignore_ascii_case("text") {
            Self::Text
        } else {
            Self::Unknown
        }
    }

    /// The format that the first bytes of a document look like, after white space: XML or HTML as MIME
    /// Sniffing says (section 7.1), also XML in UTF-16, also HTML if a `meta` tag comes first, and a
    /// style sheet if it begins with `@charset`. Anything else is [`Text`](Self::Text).
    ///
    /// ```
    /// use simdtext::sniff::Format;
    ///
    /// assert_eq!(Format::from_head(b"\r\n<!doctype HTML>"), Format::Html);
    /// assert_eq!(Format::from_head(b"<?xml version='1.0'?>"), Format::Xml);
    /// assert_eq!(Format::from_head(b"@charset \"gbk\";"), Format::Css);
    /// assert_eq!(Format::from_head(b"<htmlish>"), Format::Text);
    /// ```
    #[must_use]
    pub fn from_head(head: &[u8]) -> Self {
        let begin = super::first_bytes(head).trim_ascii_start();
        if begin.starts_with(b"<?xml") || xml::utf16_declaration(head).is_some() {
            Self::Xml
        } else if begin.starts_with(b"<!--") || HTML_BEGINS.iter().any(|tag| is_tag(begin, tag)) {
            Self::Html
        } else if head.starts_with(b"@charset \"") {
            Self::Css
        } else {
            Self::Text
        }
    }
}

fn is_xml_suffixed(mime: &MimeType<'_>) -> bool {
    let suffix = mime.subtype().as_bytes().last_chunk::<4>();
    suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case(b"+xml"))
}

/// Whether it begins with `tag`, in any case, and a *tag-terminating byte* after that.
fn is_tag(begin: &[u8], tag: &str) -> bool {
    let is_same = |begin: &[u8]| begin.eq_ignore_ascii_case(tag.as_bytes());
    begin.get(..tag.len()).is_some_and(is_same) && matches!(begin.get(tag.len()), Some(b' ' | b'>'))
}

/// MIME Sniffing, section 7.1, without the comment; and `<meta`, which is what we look for.
const HTML_BEGINS: [&str; 17] = [
    "<!doctype html",
    "<html",
    "<head",
    "<script",
    "<iframe",
    "<h1",
    "<div",
    "<font",
    "<table",
    "<a",
    "<style",
    "<title",
    "<b",
    "<body",
    "<br",
    "<p",
    "<meta",
];
