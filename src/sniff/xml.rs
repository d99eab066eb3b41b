//! What an XML document declares, as browsers read it: the byte patterns of UTF-16 and *get an XML
//! encoding* of the HTML Standard (section 13.2.3.2).
//!
//! Tested in `tests/sniff/xml.txt`.

use core::ops::Range;

use super::{declared, first_bytes};
use crate::encoding::{Encoding, UTF_16BE, UTF_16LE};

/// The encoding that an XML document's first bytes declare.
///
/// - `<?x` in UTF-16, without a byte order mark, is UTF-16LE or UTF-16BE, whatever the rest of the
///   declaration says.
/// - `<?xml`, and before the first `>` the word `encoding`, `=`, and a label in quotes: the label's
///   encoding; UTF-8 if that is UTF-16BE or UTF-16LE, because the declaration was read as ASCII.
/// - Anything else is `None`: XML is UTF-8 then. This includes the other families of appendix F of XML
///   1.0, UCS-4 and EBCDIC (`4C 6F A7 94`): no browser reads them, and the Encoding Standard does not
///   have them.
///
/// Only the first 1,024 bytes are read. Like browsers, this is more lenient than XML's grammar: nothing
/// else in the declaration matters.
///
/// ```
/// use simdtext::{EUC_KR, UTF_8, UTF_16LE};
/// use simdtext::sniff::xml_encoding;
///
/// let head = b"<?xml version=\"1.0\" encoding='euc-kr'?><a/>";
/// assert_eq!(xml_encoding(head), Some(EUC_KR));
/// assert_eq!(xml_encoding(b"<?xml version=\"1.0\" encoding=\"UTF-16\"?>"), Some(UTF_8));
/// assert_eq!(xml_encoding(b"<\0?\0x\0m\0l\0 \0"), Some(UTF_16LE));
/// assert_eq!(xml_encoding(b"<?xml version=\"1.0\"?>"), None);
/// ```
#[must_use]
pub fn xml_encoding(head: &[u8]) -> Option<&'static Encoding> {
    let head = first_bytes(head);
    utf16_declaration(head).or_else(|| declaration(head))
}

/// *Prescan a byte stream*, step 2: `<?x` in UTF-16.
pub(super) fn utf16_declaration(head: &[u8]) -> Option<&'static Encoding> {
    match head {
        [b'<', 0, b'?', 0, b'x', 0, ..] => Some(UTF_16LE),
        [0, b'<', 0, b'?', 0, b'x', ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// *Get an XML encoding*.
pub(super) fn declaration(head: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(head.get(declared_label(head)?)?).map(declared)
}

/// The range of the label in the document.
pub(super) fn declared_label(head: &[u8]) -> Option<Range<usize>> {
    // Steps 2 to 4.
    if !head.starts_with(b"<?xml") {
        return None;
    }
    let end = head.iter().position(|byte| *byte == b'>')?;
    let word = b"encoding";
    let before_end = head.get(..end)?;
    let found = before_end.windows(word.len()).position(|it| it == word)?;
    // Steps 5 to 12. The value may lie after the first `>`.
    let rest = skip_space_and_controls(head.get(found + word.len()..)?);
    let rest = skip_space_and_controls(rest.strip_prefix(b"=")?);
    let (quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    // Steps 13 to 18.
    let label = rest.get(..rest.iter().position(|byte| byte == quote)?)?;
    if label.iter().any(|byte| *byte <= b' ') {
        return None;
    }
    let start = head.len() - rest.len();
    Some(start..start + label.len())
}

fn skip_space_and_controls(bytes: &[u8]) -> &[u8] {
    let blank = bytes.iter().take_while(|byte| **byte <= b' ').count();
    bytes.get(blank..).unwrap_or_default()
}
