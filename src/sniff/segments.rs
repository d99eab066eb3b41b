//! Text in which each line may be in another encoding, such as logs and mailboxes, cut into segments of
//! one encoding each.
//!
//! [`Segments`] decides line by line and assumes that lines end in LF, CR or both in every encoding
//! that occurs, so UTF-16 can't be among them. A fresh decoder can start at the end of any segment.
//! Tested in `tests/sniff/mixed.rs`.

use core::fmt;
use core::ops::Range;

use crate::codec::ESC;
use crate::encoding::{Encoding, REPLACEMENT, UTF_8};
use crate::output::{ascii_len, utf8_prefix};
use crate::progress::Bom;
use crate::simd;

use super::first_valid::first_malformed;

/// A stretch of lines that are in one encoding.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Segment {
    /// Its position, in bytes. Segments follow each other without gaps, from 0 to the end.
    pub range: Range<usize>,
    /// Its encoding. Decode each segment with a fresh decoder and [`Bom::Keep`](crate::Bom::Keep).
    pub encoding: &'static Encoding,
    /// Why.
    pub reason: SegmentReason,
}

/// Why a [`Segment`] is in its encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SegmentReason {
    /// All of the text is ASCII.
    Ascii,
    /// Its lines are valid UTF-8, and not all ASCII.
    Utf8Valid,
    /// Its lines are ASCII with escape sequences of ISO-2022-JP that select another set, and nothing in
    /// them is malformed. Only with [`Segments::iso_2022_jp`].
    Escapes,
    /// Its lines are not UTF-8, and this is the first encoding of the list in which they have no
    /// malformed sequence.
    FirstOfList,
    /// Its lines are malformed in UTF-8 and in the whole list, and the caller has chosen.
    Otherwise,
}

/// Cuts bytes into segments of one encoding each.
///
/// Each line is in UTF-8 if it is valid UTF-8, or else in the first encoding of the list in which nothing
/// is malformed, or else in the encoding that a function chooses for it. Consecutive lines in the same
/// encoding for the same reason form one segment. Lines of ASCII join the lines before them (at the start,
/// those after them), because they are the same in all encodings that are allowed here.
///
/// If ISO-2022-JP is in the list, a line with valid ISO-2022-JP escape sequences is in it. Such a line is a
/// segment of its own unless it returns to ASCII at its end.
///
/// ```
/// use simdtext::sniff::{SegmentReason, Segments};
/// use simdtext::{SHIFT_JIS, UTF_8, WINDOWS_1252};
///
/// let log = b"start\ncaf\xC3\xA9\ndone\ncaf\xE9\n\x93\xFA\x96{\n";
/// let list = [SHIFT_JIS];
/// let mut segments = Segments::new(log, &list, |_line| WINDOWS_1252);
/// let first = segments.next().unwrap();
/// assert_eq!((first.range, first.encoding), (0..17, UTF_8));
/// let second = segments.next().unwrap();
/// assert_eq!((second.encoding, second.reason), (WINDOWS_1252, SegmentReason::Otherwise));
/// assert_eq!(segments.next().unwrap().encoding, SHIFT_JIS);
/// assert_eq!(segments.next(), None);
/// ```
#[derive(Clone)]
pub struct Segments<'a, F> {
    bytes: &'a [u8],
    list: &'a [&'static Encoding],
    otherwise: F,
    /// Whether ISO-2022-JP is looked for, even if it is not in the list.
    escapes: bool,
    /// The last stretch found, if it does not belong to the segment before it.
    next: Option<Segment>,
    /// The start of what is not decided yet.
    at: usize,
    /// The end of the lines from there on that are known to be valid UTF-8.
    valid: usize,
}

/// Where it is, not the bytes themselves.
impl<F> fmt::Debug for Segments<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Segments")
            .field("list", &self.list)
            .field("len", &self.bytes.len())
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

impl<'a, F: FnMut(&[u8]) -> &'static Encoding> Segments<'a, F> {
    /// The segments of `bytes`. `otherwise` is called with each line, including its end, that is malformed
    /// in UTF-8 and in all of `list`; the encoding that it returns is not checked. Encodings in `list`
    /// without ASCII's line ends (UTF-16BE, UTF-16LE, replacement) are skipped.
    pub fn new(bytes: &'a [u8], list: &'a [&'static Encoding], otherwise: F) -> Self {
        Segments {
            bytes,
            list,
            otherwise,
            escapes: false,
            next: None,
            at: 0,
            valid: 0,
        }
    }

    /// Whether to look for ISO-2022-JP too, even if it is not in the list (default: no): in lines of ASCII with escape
    /// sequences that select a set other than ASCII, none of them malformed. Other lines with escape characters, such as
    /// terminal colours, are still ASCII.
    ///
    /// ```
    /// use simdtext::sniff::{SegmentReason, Segments};
    /// use simdtext::{ISO_2022_JP, WINDOWS_1252};
    ///
    /// let log = b"\x1B[31mred\x1B[0m\n\x1B$BF|K\\\x1B(B\n";
    /// let mut segments = Segments::new(log, &[], |_line| WINDOWS_1252).iso_2022_jp(true);
    /// assert_eq!(segments.next().unwrap().reason, SegmentReason::Ascii);
    /// let second = segments.next().unwrap();
    /// assert_eq!((second.range, second.encoding), (13..24, ISO_2022_JP));
    /// ```
    #[must_use]
    pub fn iso_2022_jp(self, iso_2022_jp: bool) -> Self {
        Segments {
            escapes: iso_2022_jp,
            ..self
        }
    }

    /// ISO-2022-JP and the reason, if that is the encoding of a line with an escape character.
    fn escaped(&self, line: &[u8]) -> Option<(&'static Encoding, SegmentReason)> {
        let encoding = Encoding::iso_2022_jp().filter(|_| line.is_ascii())?;
        let reason = if self.list.contains(&encoding) {
            SegmentReason::FirstOfList
        } else if selects_another_set(line) {
            SegmentReason::Escapes
        } else {
            return None;
        };
        is_valid(encoding, line).then_some((encoding, reason))
    }

    fn looks_for_escapes(&self) -> bool {
        self.escapes || self.list.iter().any(|encoding| encoding.is_iso_2022_jp())
    }

    /// The next lines, decided together.
    fn stretch(&mut self) -> Option<Segment> {
        let rest = self.bytes.get(self.at..)?;
        if rest.is_empty() {
            return None;
        }
        let line = &rest[..line_end(rest)];
        // Decide all lines together that are valid UTF-8; in most texts that is most of them.
        if self.valid <= self.at {
            let valid = utf8_prefix(simd::active(), rest).len();
            self.valid = self.at + whole_lines(rest, valid);
        }
        let mut valid = &rest[..self.valid - self.at];
        // A line with an escape character is decided by itself.
        if self.looks_for_escapes()
            && let Some(escape) = first_escape(valid)
        {
            valid = &valid[..last_line_start(&valid[..escape])];
            if valid.is_empty() {
                if let Some((encoding, reason)) = self.escaped(line) {
                    return Some(self.take(line.len(), encoding, reason));
                }
                valid = line;
            }
        }
        if !valid.is_empty() {
            let ascii = whole_lines(valid, ascii_len(simd::active(), valid));
            return Some(if ascii > 0 {
                self.take(ascii, UTF_8, SegmentReason::Ascii)
            } else {
                self.take(valid.len(), UTF_8, SegmentReason::Utf8Valid)
            });
        }
        let mut list = self.list.iter().copied().filter(|encoding| {
            (encoding.is_ascii_compatible() || encoding.is_iso_2022_jp())
                && *encoding != REPLACEMENT
        });
        let (encoding, reason) = match list.find(|encoding| is_valid(encoding, line)) {
            Some(encoding) => (encoding, SegmentReason::FirstOfList),
            None => ((self.otherwise)(line), SegmentReason::Otherwise),
        };
        Some(self.take(line.len(), encoding, reason))
    }

    fn take(&mut self, len: usize, encoding: &'static Encoding, reason: SegmentReason) -> Segment {
        let start = self.at;
        self.at += len;
        Segment {
            range: start..self.at,
            encoding,
            reason,
        }
    }

    /// Whether `second`, which follows `first`, is part of the same segment.
    fn joins(&self, first: &Segment, second: &Segment) -> bool {
        let is_cut = match first.encoding {
            encoding if encoding.is_iso_2022_jp() => self.returns_to_ascii(&first.range),
            encoding => encoding.is_ascii_compatible(),
        };
        let same = first.encoding == second.encoding && first.reason == second.reason;
        let ascii =
            second.reason == SegmentReason::Ascii && self.keeps_ascii(second, first.encoding);
        is_cut && (same || ascii)
    }

    /// Whether a segment that is ASCII is the same text in this encoding, from the initial state on.
    fn keeps_ascii(&self, ascii: &Segment, encoding: &'static Encoding) -> bool {
        let shifts = |byte: &u8| matches!(*byte, 0x0E | 0x0F | ESC);
        encoding.is_ascii_compatible()
            || encoding.is_iso_2022_jp() && !self.bytes[ascii.range.clone()].iter().any(shifts)
    }

    fn returns_to_ascii(&self, range: &Range<usize>) -> bool {
        let bytes = &self.bytes[range.clone()];
        let escape = bytes.iter().rposition(|&byte| byte == ESC);
        escape.is_none_or(|at| bytes[at..].starts_with(b"\x1B(B"))
    }
}

impl<F: FnMut(&[u8]) -> &'static Encoding> Iterator for Segments<'_, F> {
    type Item = Segment;

    fn next(&mut self) -> Option<Segment> {
        let mut segment = self.next.take().or_else(|| self.stretch())?;
        while let Some(next) = self.stretch() {
            // Lines of ASCII at the very start.
            if segment.reason == SegmentReason::Ascii && self.keeps_ascii(&segment, next.encoding) {
                segment = Segment {
                    range: segment.range.start..next.range.end,
                    ..next
                };
            } else if self.joins(&segment, &next) {
                segment.range.end = next.range.end;
            } else {
                self.next = Some(next);
                break;
            }
        }
        Some(segment)
    }
}

fn is_valid(encoding: &'static Encoding, line: &[u8]) -> bool {
    let mut decoder = encoding.decoder(Bom::Keep);
    first_malformed(&mut decoder, line, true).is_none()
}

/// The position of the first escape character.
fn first_escape(bytes: &[u8]) -> Option<usize> {
    // Without a branch for each byte, so that the compiler vectorises it.
    let has_one = |block: &[u8]| block.iter().fold(false, |any, byte| any | (*byte == ESC));
    let block = bytes.chunks(256).position(has_one)?;
    let from = block * 256;
    let at = bytes.get(from..)?.iter().position(|byte| *byte == ESC)?;
    Some(from + at)
}

/// Whether there is an ISO-2022-JP escape sequence for a set other than ASCII.
pub(crate) fn selects_another_set(text: &[u8]) -> bool {
    text.windows(3)
        .any(|it| matches!(it, [ESC, b'(', b'J' | b'I'] | [ESC, b'$', b'@' | b'B']))
}

/// The length of the lines that are whole within the first `len` bytes.
fn whole_lines(bytes: &[u8], len: usize) -> usize {
    if len == bytes.len() {
        len
    } else {
        last_line_start(&bytes[..len])
    }
}

/// The start of the last line: the one in which `bytes` end, or that would follow.
fn last_line_start(bytes: &[u8]) -> usize {
    let end = bytes.iter().rposition(|byte| matches!(byte, b'\n' | b'\r'));
    end.map_or(0, |end| end + 1)
}

/// The end of the first line, including its CR, LF or CRLF.
fn line_end(bytes: &[u8]) -> usize {
    let end = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    end.map_or(bytes.len(), |end| {
        end + 1 + usize::from(bytes[end..].starts_with(b"\r\n"))
    })
}
