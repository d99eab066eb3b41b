//! What the prescan of an HTML document (`html.rs`) and its parser (`late_meta.rs`) have in common: they look for `meta`
//! elements, and read attributes. They differ in where comments end, in whether they know scripts and other text
//! without tags, and in which attribute of a `meta` element counts.
//!
//! Tested by the tests of both.

use core::ops::Range;

use super::declarations::{Declaration, declaration};
use super::meta_content::label_in_content;

/// Moves past what a `<` begins, and returns what that declares if it is a `meta` tag. `None` if the bytes run out.
pub(super) type Pass = fn(&mut Scan<'_>) -> Option<Option<Declaration>>;

/// What `meta` elements declare, one after another.
#[derive(Clone, Debug)]
pub(super) struct Metas<'a> {
    scan: Scan<'a>,
    /// The start of the last `charset` in the document.
    last: usize,
    pass: Pass,
}

impl<'a> Metas<'a> {
    pub(super) fn new(head: &'a [u8], pass: Pass) -> Option<Self> {
        // Both ways to declare it have this word in the tag, and most documents do not.
        let last = last_charset(head)?;
        let scan = Scan { head, at: 0 };
        Some(Metas { scan, last, pass })
    }

    pub(super) fn next(&mut self) -> Option<Declaration> {
        let found = self.find();
        if found.is_none() {
            self.scan.at = usize::MAX;
        }
        found
    }

    fn find(&mut self) -> Option<Declaration> {
        while self.scan.at <= self.last {
            self.scan.advance_to(|byte| byte == b'<')?;
            if let Some(found) = (self.pass)(&mut self.scan)? {
                return Some(found);
            }
        }
        None
    }
}

/// The start of the last `charset`, in any case.
fn last_charset(head: &[u8]) -> Option<usize> {
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
    let (Some(name), Some(next)) = (rest.get(..5), rest.get(5)) else {
        return false;
    };
    name.eq_ignore_ascii_case(b"<meta") && (is_space(*next) || *next == b'/')
}

/// What the attributes of a `meta` tag declare. Of several with the same name only the first counts.
pub(super) struct MetaAttributes {
    /// What `charset` declares, if there is one: `Some(None)` if it is not a label.
    pub(super) charset: Option<Option<Declaration>>,
    /// What `content` declares, if `http-equiv` is `content-type`.
    pub(super) pragma: Option<Declaration>,
}

struct Attribute<'a> {
    name: &'a [u8],
    /// Where the value is in the document.
    value: Range<usize>,
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

    /// *Get an attribute*. `Some(None)` if there is none before the `>` that it has moved to.
    fn attribute(&mut self) -> Option<Option<Attribute<'a>>> {
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
            let value = self.at..self.at;
            return Some(Some(Attribute { name, value }));
        }
        self.at += 1;
        // Steps 9 to 12.
        self.advance_to(|byte| !is_space(byte))?;
        let mut start = self.at;
        let value = match self.byte()? {
            quote @ (b'"' | b'\'') => {
                start += 1;
                self.at += 1;
                self.advance_to(|byte| byte == quote)?;
                self.at += 1;
                start..self.at - 1
            }
            _ => {
                self.advance_to(|byte| is_space(byte) || byte == b'>')?;
                start..self.at
            }
        };
        Some(Some(Attribute { name, value }))
    }

    /// Moves past attributes, to the `>` of their tag.
    pub(super) fn pass_attributes(&mut self) -> Option<()> {
        while self.attribute()?.is_some() {}
        Some(())
    }

    /// Reads the attributes of a `meta` tag, and moves to its `>`.
    pub(super) fn meta_attributes(&mut self) -> Option<MetaAttributes> {
        let (mut charset, mut content, mut http_equiv) = (None, None, None);
        while let Some(Attribute { name, value }) = self.attribute()? {
            let is = |known: &[u8]| name.eq_ignore_ascii_case(known);
            if is(b"charset") {
                charset.get_or_insert(value);
            } else if is(b"content") {
                content.get_or_insert(value);
            } else if is(b"http-equiv") {
                http_equiv.get_or_insert(value);
            }
        }
        let http_equiv = http_equiv.and_then(|value| self.head.get(value));
        let is_pragma = http_equiv.is_some_and(|it| it.eq_ignore_ascii_case(b"content-type"));
        let content = content.filter(|_| is_pragma);
        Some(MetaAttributes {
            charset: charset.map(|value| declaration(self.head, value)),
            pragma: content.and_then(|value| {
                let label = label_in_content(self.head.get(value.clone())?)?;
                declaration(
                    self.head,
                    value.start + label.start..value.start + label.end,
                )
            }),
        })
    }
}

/// 0x09, 0x0A, 0x0C, 0x0D and 0x20.
pub(super) fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace()
}
