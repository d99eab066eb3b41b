//! Whether a document looks like UTF-8.

use crate::unicode::{trim_partial_utf8, validate_utf8};

/// Whether `head`, the first bytes of a document, is well-formed UTF-8 and contains at least one
/// character that is not ASCII; this is hardly ever true of text in another encoding.
///
/// If `complete` is false, more bytes follow, and a character may be cut off at the end of `head`. Pure
/// ASCII is not evidence, because it is the same in nearly every encoding.
///
/// ```
/// use simdtext::sniff::is_utf8;
///
/// assert!(is_utf8("naïve".as_bytes(), true));
/// assert!(!is_utf8(b"naive", true));
/// assert!(!is_utf8(b"na\xEFve", true));
///
/// let cut = &"日本".as_bytes()[..5];
/// assert!(is_utf8(cut, false));
/// assert!(!is_utf8(cut, true));
/// ```
#[must_use]
pub fn is_utf8(head: &[u8], complete: bool) -> bool {
    let len = if complete {
        head.len()
    } else {
        trim_partial_utf8(head)
    };
    let whole = head.get(..len).unwrap_or_default();
    validate_utf8(whole).is_ok() && !whole.is_ascii()
}
