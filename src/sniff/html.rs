//! What an HTML document declares: *prescan a byte stream to determine its encoding* of the HTML
//! Standard (section 13.2.3.2).
//!
//! Tested in `tests/sniff/html.txt`, against a transcription of the standard's steps in
//! `tests/sniff/steps.rs`.

use core::ops::Range;

use super::declarations::{Declaration, declaration};
use super::meta_content::label_in_content;
use super::{declared, first_bytes, xml};
use crate::encoding::{Encoding, X_USER_DEFINED};

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
    declared_by_meta(head).or_else(|| xml::declaration(head))
}

/// Steps 1, 3 and 4. `None` if it runs out of bytes.
fn declared_by_meta(head: &[u8]) -> Option<&'static Encoding> {
    let found = declared(Metas::new(head)?.next()?.encoding);
    if found == X_USER_DEFINED {
        // If that encoding is compiled in.
        return Encoding::for_label(b"windows-1252");
    }
    Some(found)
}

/// What `meta` elements declare, one after another.
#[derive(Clone, Debug)]
pub(super) struct Metas<'a> {
    scan: Scan<'a>,
    /// The start of the last `charset` in the document.
    last: usize,
}

impl<'a> Metas<'a> {
    pub(super) fn new(head: &'a [u8]) -> Option<Self> {
        // Both ways to declare it have this word in the tag, and most documents do not.
        let last = last_charset(head)?;
        Some(Metas {
            scan: Scan::new(head),
            last,
        })
    }

    /// The next one. Not to be called again once it has returned `None`.
    pub(super) fn next(&mut self) -> Option<Declaration> {
        let scan = &mut self.scan;
        while scan.at <= self.last {
            // "Any other byte": do nothing.
            scan.advance_to(|byte| byte == b'<')?;
            match scan.rest() {
                // The hyphens that open a comment may also close it.
                [b'<', b'!', b'-', b'-', ..] => scan.advance_after_comment()?,
                rest if is_meta(rest) => {
                    scan.at += b"<meta".len();
                    if let Some(declaration) = declared_by_attributes(scan)? {
                        scan.at += 1;
                        return Some(declaration);
                    }
                }
                [b'<', b'A'..=b'Z' | b'a'..=b'z', ..]
                | [b'<', b'/', b'A'..=b'Z' | b'a'..=b'z', ..] => {
                    scan.advance_to(|byte| is_space(byte) || byte == b'>')?;
                    while scan.attribute()?.is_some() {}
                }
                [b'<', b'!' | b'/' | b'?', ..] => scan.advance_to(|byte| byte == b'>')?,
                _ => {}
            }
            scan.at += 1;
        }
        None
    }
}

/// The start of the last `charset`, in any case.
pub(super) fn last_charset(head: &[u8]) -> Option<usize> {
    let word = b"charset";
    let places = (head.len() + 1).checked_sub(word.len())?;
    // Three letters that are hardly ever next to each other elsewhere.
    let (r, s, e) = (head.get(3..)?, head.get(4..)?, head.get(5..)?);
    let is_word = |at: usize| {
        let found = head.get(at..at + word.len());
        found.is_some_and(|found| found.eq_ignore_ascii_case(word))
    };
    let mut end = places;
    while end > 0 {
        let start = end.saturating_sub(64);
        let (r, s, e) = (r.get(start..end)?, s.get(start..end)?, e.get(start..end)?);
        // Without a branch, so that the compiler vectorises it.
        let triples = r.iter().zip(s).zip(e);
        let any = triples.fold(false, |any, ((r, s), e)| {
            any | ((r | 0x20 == b'r') & (s | 0x20 == b's') & (e | 0x20 == b'e'))
        });
        if any && let Some(at) = (start..end).rfind(|at| is_word(*at)) {
            return Some(at);
        }
        end = start;
    }
    None
}

/// `<meta` and a space or slash.
pub(super) fn is_meta(rest: &[u8]) -> bool {
    let is_name = |name: &[u8]| name.eq_ignore_ascii_case(b"<meta");
    rest.get(..5).is_some_and(is_name)
        && rest
            .get(5)
            .is_some_and(|byte| is_space(*byte) || *byte == b'/')
}

/// The sub-steps for a `meta` tag. `Some(None)` if it declares nothing.
fn declared_by_attributes(scan: &mut Scan<'_>) -> Option<Option<Declaration>> {
    // The attribute list: only these names matter.
    let (mut seen_pragma, mut seen_content, mut seen_charset) = (false, false, false);
    let mut got_pragma = false;
    let mut need_pragma = None;
    // `Some(None)`: not recognised.
    let mut charset: Option<Option<Declaration>> = None;
    while let Some(attribute) = scan.attribute()? {
        if attribute.is_first("http-equiv", &mut seen_pragma) {
            got_pragma = attribute.value.eq_ignore_ascii_case(b"content-type");
        } else if attribute.is_first("content", &mut seen_content) {
            if charset.is_none()
                && let Some(label) = label_in_content(attribute.value)
                && let Some(found) = declaration(scan.head, attribute.range(&label))
            {
                charset = Some(Some(found));
                need_pragma = Some(true);
            }
        } else if attribute.is_first("charset", &mut seen_charset) {
            let value = attribute.range(&(0..attribute.value.len()));
            charset = Some(declaration(scan.head, value));
            need_pragma = Some(false);
        }
    }
    // Processing.
    let declares = need_pragma.is_some_and(|need_pragma| got_pragma || !need_pragma);
    Some(charset.flatten().filter(|_| declares))
}

/// An attribute as written: the case of its name and value does not matter.
pub(super) struct Attribute<'a> {
    name: &'a [u8],
    pub(super) value: &'a [u8],
    /// The start of the value in the document.
    at: usize,
}

impl Attribute<'_> {
    /// The range in the document of a part of the value.
    pub(super) fn range(&self, part: &Range<usize>) -> Range<usize> {
        self.at + part.start..self.at + part.end
    }

    /// Whether it is the first attribute in its tag that has this name.
    pub(super) fn is_first(&self, name: &str, seen: &mut bool) -> bool {
        self.name.eq_ignore_ascii_case(name.as_bytes()) && !core::mem::replace(seen, true)
    }
}

/// The standard's *position*, and what it moves over.
#[derive(Clone, Debug)]
pub(super) struct Scan<'a> {
    pub(super) head: &'a [u8],
    /// In bytes from the start.
    pub(super) at: usize,
}

// In this impl `None` means that the bytes have run out.
impl<'a> Scan<'a> {
    pub(super) fn new(head: &'a [u8]) -> Self {
        Scan { head, at: 0 }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.head.get(self.at..).unwrap_or_default()
    }

    fn byte(&self) -> Option<u8> {
        self.head.get(self.at).copied()
    }

    /// Moves to the next byte for which `is_end` is true; this may be the current one.
    pub(super) fn advance_to(&mut self, is_end: impl Fn(u8) -> bool) -> Option<()> {
        self.at += self.rest().iter().position(|byte| is_end(*byte))?;
        Some(())
    }

    /// [`Scan::advance_to`], returning the bytes that it moves over.
    fn take_to(&mut self, is_end: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
        let start = self.at;
        self.advance_to(is_end)?;
        self.head.get(start..self.at)
    }

    /// Moves from `<!--` to the first `>` after two hyphens.
    fn advance_after_comment(&mut self) -> Option<()> {
        let inside = self.rest().get(b"<!".len()..)?;
        let end = inside.windows(3).position(|it| it == b"-->")?;
        self.at += b"<!".len() + end + b"--".len();
        Some(())
    }

    /// *Get an attribute*. `Some(None)` if there is none before the `>` that it has moved to.
    pub(super) fn attribute(&mut self) -> Option<Option<Attribute<'a>>> {
        // Steps 1 and 2.
        self.advance_to(|byte| !is_space(byte) && byte != b'/')?;
        if self.byte()? == b'>' {
            return Some(None);
        }
        // Steps 3 to 5. A name may begin with `=`.
        let start = self.at;
        self.at += 1;
        self.advance_to(|byte| is_space(byte) || matches!(byte, b'=' | b'/' | b'>'))?;
        let name = self.head.get(start..self.at)?;
        // Steps 6 to 8.
        self.advance_to(|byte| !is_space(byte))?;
        if self.byte()? != b'=' {
            return Some(Some(Attribute {
                name,
                value: b"",
                at: self.at,
            }));
        }
        self.at += 1;
        // Steps 9 to 12.
        self.advance_to(|byte| !is_space(byte))?;
        let (value, at) = match self.byte()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let at = self.at;
                let value = self.take_to(|byte| byte == quote)?;
                self.at += 1;
                (value, at)
            }
            _ => {
                let at = self.at;
                (self.take_to(|byte| is_space(byte) || byte == b'>')?, at)
            }
        };
        Some(Some(Attribute { name, value, at }))
    }
}

/// 0x09, 0x0A, 0x0C, 0x0D and 0x20.
pub(super) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}
