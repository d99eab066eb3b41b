//! Where a document declares its encoding: for programs that convert documents and correct their
//! declarations.
//!
//! Tested in `tests/sniff/declarations.rs`.

use core::ops::Range;

use super::metas::Metas;
use super::{Format, css, first_bytes, html, late_meta, xml};
use crate::encoding::Encoding;

/// A label in a document that declares its encoding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Declaration {
    /// Where the label is, in bytes: without quotes, and without white space around it.
    pub range: Range<usize>,
    /// The encoding that has this label. (A label of UTF-16 gives UTF-16, although standards take it for UTF-8,
    /// because the label itself is not written in UTF-16.)
    pub encoding: &'static Encoding,
}

/// The declarations of a document, in their order; see [`declarations`].
#[derive(Clone, Debug)]
pub struct Declarations<'a> {
    front: Option<Declaration>,
    /// The `meta` element that the prescan finds.
    prescanned: Option<Declaration>,
    /// The next one that the parser finds.
    parsed: Option<Declaration>,
    parser: Option<Metas<'a>>,
}

/// All declarations in the first bytes of a document: the XML declaration, `meta` elements, or
/// `@charset`.
///
/// They are recognised by the rules of [`xml_encoding`](super::xml_encoding), [`css_charset`](super::css_charset)
/// and [`late_meta`](super::late_meta), but in all of `head`, and not only the one that decides: an XHTML
/// document may have an XML declaration and a `meta` element. In XML, `meta` elements count if there is an
/// `html` tag. A tag in a comment, a script or other text is none, except for the one that
/// [`prescan`](super::prescan) finds, which does not know scripts: browsers obey it until they parse the
/// document. Unknown labels are ignored. Nothing is found with [`Format::Text`] and [`Format::Unknown`]
/// ([`Format::from_head`] finds the format).
///
/// ```
/// use simdtext::KOI8_R;
/// use simdtext::sniff::{Format, declarations};
///
/// let page = b"<title>x</title><META content='text/html; charset=koi8-r' http-equiv=Content-Type>";
/// let mut found = declarations(page, Format::Html);
/// let first = found.next().unwrap();
/// assert_eq!((&page[first.range], first.encoding), (&b"koi8-r"[..], KOI8_R));
/// assert_eq!(found.next(), None);
/// ```
#[must_use]
pub fn declarations(head: &[u8], format: Format) -> Declarations<'_> {
    let label = match format {
        Format::Html | Format::Xml => xml::declared_label(head),
        Format::Css => css::declared_label(head),
        Format::Text | Format::Unknown => None,
    };
    let has_metas = match format {
        Format::Html => true,
        Format::Xml => has_html(head),
        Format::Css | Format::Text | Format::Unknown => false,
    };
    let head_of_metas = has_metas.then_some(head);
    Declarations {
        front: label.and_then(|range| declaration(head, range)),
        prescanned: head_of_metas
            .and_then(|head| Metas::new(first_bytes(head), html::pass)?.next()),
        parsed: None,
        parser: head_of_metas.and_then(|head| Metas::new(head, late_meta::pass)),
    }
}

impl Iterator for Declarations<'_> {
    type Item = Declaration;

    fn next(&mut self) -> Option<Declaration> {
        if let Some(front) = self.front.take() {
            return Some(front);
        }
        let parsed = (self.parsed.take()).or_else(|| self.parser.as_mut()?.next());
        match (self.prescanned.take(), parsed) {
            (Some(prescanned), Some(parsed)) if prescanned.range.start < parsed.range.start => {
                self.parsed = Some(parsed);
                Some(prescanned)
            }
            (Some(prescanned), Some(parsed)) if prescanned.range.start > parsed.range.start => {
                self.prescanned = Some(prescanned);
                Some(parsed)
            }
            // If there are both, they are the same.
            (prescanned, parsed) => parsed.or(prescanned),
        }
    }
}

/// The declaration made by the label in `range`, if that is a label.
pub(super) fn declaration(head: &[u8], range: Range<usize>) -> Option<Declaration> {
    let label = head.get(range.clone())?;
    let encoding = Encoding::for_label(label)?;
    // Where it has a label, there is something between the white space.
    let start = range.end - label.trim_ascii_start().len();
    let end = range.start + label.trim_ascii_end().len();
    Some(Declaration {
        range: start..end,
        encoding,
    })
}

/// Whether there is an `html` tag.
fn has_html(head: &[u8]) -> bool {
    let tag = b"<html";
    head.windows(tag.len())
        .any(|it| it.eq_ignore_ascii_case(tag))
}
