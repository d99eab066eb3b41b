//! What an HTML document declares: *prescan a byte stream to determine its encoding* of the HTML
//! Standard (section 13.2.3.2).
//!
//! Tested in `tests/sniff/html.txt`, against a transcription of the standard's steps in
//! `tests/sniff/steps.rs`.

use super::declarations::Declaration;
use super::metas::{MetaAttributes, Metas, Scan, is_meta, is_space};
use super::{declared_by_meta, first_bytes, xml};
use crate::encoding::Encoding;

/// The encoding that an HTML document declares in its first 1,024 bytes: in a `meta` element, or, as
/// many documents do, in an XML declaration at their start.
///
/// - `<meta charset=…>`, or `<meta http-equiv=content-type content="…charset=…">`, in any case and
///   order, outside of comments and of other tags. Unknown labels do not count, and the search
///   goes on.
/// - UTF-16BE and UTF-16LE come out as UTF-8, because the tag was read as ASCII, and x-user-defined
///   as windows-1252.
/// - `<?x` in UTF-16 at the very start is UTF-16LE or UTF-16BE.
///
/// Nothing after the first 1,024 bytes is read, and what is cut off there, or at the end of `head`, is
/// ignored: a tag without its `>` declares nothing, nor does anything within a comment that is not
/// closed. Pass 1,024 bytes, or all if there are fewer: given less, it finds less. `None` is not evidence
/// of anything.
///
/// ```
/// use simdtext::{KOI8_R, SHIFT_JIS, UTF_8};
/// use simdtext::sniff::prescan;
///
/// assert_eq!(prescan(b"<!DOCTYPE html><meta charset=\"koi8-r\">"), Some(KOI8_R));
/// let pragma = b"<META content='text/html; charset=Shift_JIS' HTTP-EQUIV=Content-Type>";
/// assert_eq!(prescan(pragma), Some(SHIFT_JIS));
/// assert_eq!(prescan(b"<meta charset=utf-16>"), Some(UTF_8));
/// assert_eq!(prescan(b"<!-- <meta charset=koi8-r> -->"), None);
/// assert_eq!(prescan(b"<meta charset=koi8-r"), None);
/// ```
#[must_use]
pub fn prescan(head: &[u8]) -> Option<&'static Encoding> {
    let head = first_bytes(head);
    // Step 2.
    if let Some(encoding) = xml::utf16_declaration(head) {
        return Some(encoding);
    }
    // Steps 1, 3 and 4, in which nothing is found if the bytes run out.
    let in_meta = Metas::new(head, pass).and_then(|mut metas| metas.next());
    in_meta
        .and_then(|found| declared_by_meta(found.encoding))
        .or_else(|| xml::declaration(head))
}

/// One round of the loop, at a `<`; a [`Pass`](super::metas::Pass).
pub(super) fn pass(scan: &mut Scan<'_>) -> Option<Option<Declaration>> {
    let mut found = None;
    match scan.rest() {
        // The hyphens that open a comment may also close it.
        [b'<', b'!', b'-', b'-', ..] => advance_after_comment(scan)?,
        rest if is_meta(rest) => {
            scan.at += b"<meta".len();
            let MetaAttributes { charset, pragma } = scan.meta_attributes()?;
            // A `charset` counts, even if it is not a label.
            found = charset.unwrap_or(pragma);
        }
        [b'<', b'A'..=b'Z' | b'a'..=b'z', ..] | [b'<', b'/', b'A'..=b'Z' | b'a'..=b'z', ..] => {
            scan.advance_to(|byte| is_space(byte) || byte == b'>')?;
            scan.pass_attributes()?;
        }
        [b'<', b'!' | b'/' | b'?', ..] => scan.advance_to(|byte| byte == b'>')?,
        _ => {}
    }
    scan.at += 1;
    Some(found)
}

/// Moves from `<!--` to the first `>` after two hyphens.
fn advance_after_comment(scan: &mut Scan<'_>) -> Option<()> {
    let inside = scan.rest().get(b"<!".len()..)?;
    let end = inside.windows(3).position(|it| it == b"-->")?;
    scan.at += b"<!".len() + end + b"--".len();
    Some(())
}
