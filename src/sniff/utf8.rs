//! Whether a document looks like UTF-8.

use crate::unicode::{Invalid, validate_utf8};

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
    let whole = match validate_utf8(head) {
        Ok(()) => head,
        Err(invalid) if !complete && is_cut(head, invalid) => {
            head.get(..invalid.offset).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !whole.is_ascii()
}

/// Whether the malformed bytes are the beginning of a character at the very end.
fn is_cut(head: &[u8], invalid: Invalid) -> bool {
    let is_lead = matches!(head.get(invalid.offset), Some(0xC2..=0xF4));
    is_lead && invalid.offset + invalid.len == head.len()
}
