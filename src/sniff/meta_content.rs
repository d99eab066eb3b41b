//! The `content` of a `meta` element: the HTML Standard's *algorithm for extracting a character
//! encoding from a `meta` element* (section 2.4.4).
//!
//! Tested in `tests/sniff/meta_content.txt`.

use core::ops::Range;

use crate::encoding::Encoding;

/// The encoding that the value of a `content` attribute names after the first `charset` followed by
/// `=`: in quotes, or up to white space or `;`.
///
/// `None` if it names none, or the label is unknown. UTF-16BE and UTF-16LE are returned as such;
/// [`prescan`](super::prescan) turns them into UTF-8. Takes time that is linear in the length of the
/// value.
///
/// ```
/// use simdtext::EUC_JP;
/// use simdtext::sniff::encoding_in_content;
///
/// assert_eq!(encoding_in_content(b"text/html; CHARSET = 'euc-jp'"), Some(EUC_JP));
/// assert_eq!(encoding_in_content(b"charset of charset=euc-jp;"), Some(EUC_JP));
/// assert_eq!(encoding_in_content(b"text/html; charset='euc-jp"), None);
/// ```
#[must_use]
pub fn encoding_in_content(content: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_label(content.get(label_in_content(content)?)?)
}

/// The range of the label in the value.
pub(super) fn label_in_content(content: &[u8]) -> Option<Range<usize>> {
    let mut rest = content;
    // Steps 2 to 5.
    let value = loop {
        let word = b"charset";
        let is_word = |it: &[u8]| it.eq_ignore_ascii_case(word);
        let found = rest.windows(word.len()).position(is_word)?;
        rest = rest.get(found + word.len()..)?.trim_ascii_start();
        if let Some(value) = rest.strip_prefix(b"=") {
            break value.trim_ascii_start();
        }
    };
    // Step 6.
    let (label, len) = match value.split_first()? {
        (quote @ (b'"' | b'\''), quoted) => (quoted, quoted.iter().position(|byte| byte == quote)?),
        _ => {
            let is_end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
            (value, value.iter().position(is_end).unwrap_or(value.len()))
        }
    };
    let start = content.len() - label.len();
    Some(start..start + len)
}
