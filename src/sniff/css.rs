//! What a style sheet declares: CSS Syntax Level 3, *determine the fallback encoding* (section 3.2).
//!
//! Tested in `tests/sniff/css.txt`.

use core::ops::Range;

use super::{declared, first_bytes};
use crate::encoding::Encoding;

/// The encoding that a style sheet's first bytes declare: `@charset "`, a label and `";`, exactly
/// these bytes, within the first 1,024.
///
/// UTF-16BE and UTF-16LE come out as UTF-8, because the declaration was read as ASCII. `None` if
/// there is no declaration, or its label is unknown. Nothing after the first 1,024 bytes is read.
///
/// ```
/// use simdtext::{ISO_8859_2, UTF_8};
/// use simdtext::sniff::css_charset;
///
/// assert_eq!(css_charset(b"@charset \"iso-8859-2\"; p { color: red }"), Some(ISO_8859_2));
/// assert_eq!(css_charset(b"@charset \"utf-16\";"), Some(UTF_8));
/// // Not exactly these bytes.
/// assert_eq!(css_charset(b"@charset 'iso-8859-2';"), None);
/// assert_eq!(css_charset(b"\n@charset \"iso-8859-2\";"), None);
/// ```
#[must_use]
pub fn css_charset(head: &[u8]) -> Option<&'static Encoding> {
    let head = first_bytes(head);
    Encoding::for_label(head.get(declared_label(head)?)?).map(declared)
}

/// The range of the label in the document.
pub(super) fn declared_label(head: &[u8]) -> Option<Range<usize>> {
    // Step 2: 40 63 68 61 72 73 65 74 20 22 XX* 22 3B, where XX is ASCII and not 22.
    let begin = b"@charset \"";
    let rest = head.strip_prefix(begin)?;
    let (label, rest) = rest.split_at(rest.iter().position(|byte| *byte == b'"')?);
    (label.is_ascii() && rest.starts_with(b"\";")).then_some(begin.len()..begin.len() + label.len())
}
