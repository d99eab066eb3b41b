//! What an HTML document declares after its first 1,024 bytes, where its parser finds it and *changes the
//! encoding* (HTML Standard, section 13.2.3.4).
//!
//! This does only as much of the tokenizer's work (section 13.2.5) as decides where a tag begins and ends:
//! comments, attributes, and elements that contain no tags. There is no tree: a `meta` start tag counts
//! anywhere, as it nearly always does in browsers (not within `select` or after `frameset`).
//!
//! Tested in `tests/sniff/late_meta.txt`.

use super::declarations::Declaration;
use super::declared_by_meta;
use super::metas::{MetaAttributes, Metas, Scan, is_meta, is_space};
use crate::encoding::Encoding;

/// How far into a document [`late_meta`] looks, in bytes.
pub const LATE_META_LEN: usize = 256 * 1024;

/// Elements whose content is text up to their end tag, for a browser that runs scripts. Only `script` has
/// special rules.
const TEXT_ELEMENTS: [&str; 8] = [
    "style", "title", "noscript", "textarea", "iframe", "xmp", "noembed", "noframes",
];

/// The encoding declared by a `meta` element, the first that declares one, in the first [`LATE_META_LEN`] bytes
/// of an HTML document.
///
/// Browsers look at the first 1,024 bytes before they parse a page ([`prescan`](super::prescan)). If these
/// declare nothing and the parser comes to a `meta` element that does, they start again with that encoding.
/// This finds it in a document in memory, from its start:
///
/// - Comments, scripts, styles, titles and other elements that contain text are skipped.
/// - `charset` counts before `http-equiv` and `content`, in whichever order they are written. Character
///   references in attributes are not resolved.
/// - UTF-16BE and UTF-16LE come out as UTF-8, and x-user-defined as windows-1252.
/// - What the end of the document cuts off is ignored: a tag without its `>`, and anything in a comment or
///   script that is not closed.
///
/// ```
/// use simdtext::KOI8_R;
/// use simdtext::sniff::{late_meta, prescan};
///
/// let page = format!("<style>{}</style><meta charset=koi8-r>", "p { margin: 0 } ".repeat(100));
/// assert_eq!(prescan(page.as_bytes()), None);
/// assert_eq!(late_meta(page.as_bytes()), Some(KOI8_R));
/// ```
#[must_use]
pub fn late_meta(document: &[u8]) -> Option<&'static Encoding> {
    let head = document.get(..LATE_META_LEN).unwrap_or(document);
    // *Changing the encoding while parsing*, steps 2 and 3.
    declared_by_meta(Metas::new(head, pass)?.next()?.encoding)
}

/// The parser at a `<`; a [`Pass`](super::metas::Pass).
pub(super) fn pass(scan: &mut Scan<'_>) -> Option<Option<Declaration>> {
    match scan.rest() {
        [b'<', b'!', b'-', b'-', ..] => pass_comment(scan)?,
        rest if is_meta(rest) => {
            scan.at += b"<meta".len();
            let MetaAttributes { charset, pragma } = scan.meta_attributes()?;
            scan.at += 1;
            // Section 13.2.6.4.4: a `charset` counts if it is a label.
            return Some(charset.flatten().or(pragma));
        }
        [b'<', b'/', b'A'..=b'Z' | b'a'..=b'z', ..] => pass_tag(scan)?,
        [b'<', rest @ ..] if rest.first().is_some_and(u8::is_ascii_alphabetic) => {
            let name = tag_name(rest);
            pass_tag(scan)?;
            pass_content(scan, name)?;
        }
        [b'<', b'!' | b'/' | b'?', ..] => {
            scan.advance_to(|byte| byte == b'>')?;
            scan.at += 1;
        }
        _ => scan.at += 1,
    }
    Some(None)
}

/// The name with which the rest of a tag begins.
fn tag_name(tag: &[u8]) -> &[u8] {
    let mut parts = tag.split(|byte| ends_name(*byte));
    parts.next().unwrap_or_default()
}

fn ends_name(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'/' | b'>')
}

/// Moves from the `<` of a tag past its `>`.
fn pass_tag(scan: &mut Scan<'_>) -> Option<()> {
    // After the slash of an end tag.
    scan.at += 2;
    scan.advance_to(ends_name)?;
    scan.pass_attributes()?;
    scan.at += 1;
    Some(())
}

/// Moves from `<!--` past the comment, which ends with `-->` or `--!>`. The hyphens that open it may also be
/// those of `-->`.
fn pass_comment(scan: &mut Scan<'_>) -> Option<()> {
    scan.at += b"<!--".len();
    let mut hyphens = hyphens_at(scan);
    if scan.rest().starts_with(b">") && hyphens < 2 {
        scan.at += 1;
        return Some(());
    }
    loop {
        let close = match scan.rest() {
            [b'>', ..] => 1,
            [b'!', b'>', ..] => 2,
            _ => 0,
        };
        if hyphens >= 2 && close > 0 {
            scan.at += close;
            return Some(());
        }
        scan.advance_to(|byte| byte == b'-')?;
        hyphens = hyphens_at(scan);
    }
}

/// Moves past the hyphens that are here, and counts them.
fn hyphens_at(scan: &mut Scan<'_>) -> usize {
    let rest = scan.rest();
    let end = rest.iter().position(|byte| *byte != b'-');
    let hyphens = end.unwrap_or(rest.len());
    scan.at += hyphens;
    hyphens
}

/// Moves past the content of an element and its end tag, if the content is text.
fn pass_content(scan: &mut Scan<'_>, name: &[u8]) -> Option<()> {
    let is = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
    if is("plaintext") {
        // No end tag ends this element.
        None
    } else if is("script") {
        pass_script(scan)
    } else if TEXT_ELEMENTS.into_iter().any(is) {
        loop {
            scan.advance_to(|byte| byte == b'<')?;
            if is_tag(scan.rest(), b"</", name) {
                return pass_tag(scan);
            }
            scan.at += 1;
        }
    } else {
        Some(())
    }
}

/// Whether this is the beginning of a tag with that name, opened by `opening`.
fn is_tag(rest: &[u8], opening: &[u8], name: &[u8]) -> bool {
    let after = |rest: &[u8]| -> bool {
        let is_name = |found: &[u8]| found.eq_ignore_ascii_case(name);
        rest.get(..name.len()).is_some_and(is_name)
            && rest.get(name.len()).is_some_and(|byte| ends_name(*byte))
    };
    rest.strip_prefix(opening).is_some_and(after)
}

/// The states of a script: `<!--` and `<script` within it change where it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScriptState {
    /// *Script data*: the end tag ends it.
    Plain,
    /// *Script data escaped*, after `<!--`: the end tag still ends it.
    Escaped,
    /// *Script data double escaped*, after `<!--` and `<script`: the end tag ends the inner one.
    DoubleEscaped,
}

/// Moves past a script and its end tag.
fn pass_script(scan: &mut Scan<'_>) -> Option<()> {
    let mut state = ScriptState::Plain;
    loop {
        scan.advance_to(|byte| matches!(byte, b'<' | b'-'))?;
        let rest = scan.rest();
        if is_tag(rest, b"</", b"script") {
            if state != ScriptState::DoubleEscaped {
                return pass_tag(scan);
            }
            state = ScriptState::Escaped;
        } else if state == ScriptState::Plain && rest.starts_with(b"<!--") {
            state = ScriptState::Escaped;
            // The hyphens that open the comment may also close it.
            scan.at += 1;
        } else if state == ScriptState::Escaped && is_tag(rest, b"<", b"script") {
            state = ScriptState::DoubleEscaped;
        } else if rest.starts_with(b"-->") {
            state = ScriptState::Plain;
        }
        scan.at += 1;
    }
}
