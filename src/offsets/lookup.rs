//! Look-ups, which need the source.

use core::ops::Range;

use super::walk::{SourceWindow, Span, Walk};
use super::{OffsetMap, has_states};
use crate::encoding::Encoding;

impl OffsetMap {
    /// The offset in the source of the character that the byte at `text_offset` belongs to. The end of
    /// the text maps to the end of the source.
    ///
    /// `source` is the document from its start; while it is being decoded, all of it that the decoder was given.
    /// `None` if the text has no such offset, or `source` is shorter than what was decoded.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, UTF_16LE};
    ///
    /// let file = b"\xFF\xFEa\0\x3D\xD8\xA9\xDC";
    /// let (mut map, mut text) = (OffsetMap::new(), String::new());
    /// map.decode(UTF_16LE, file, &mut text, Bom::Sniff);
    /// assert_eq!(text, "a💩");
    /// let offsets = [0, 1, 2, 3, 4, 5].map(|at| map.source_offset(file, at).unwrap());
    /// assert_eq!(offsets, [2, 4, 4, 4, 4, 8]);
    /// assert_eq!(map.source_offset(file, 6), None);
    /// ```
    #[must_use]
    pub fn source_offset(&self, source: &[u8], text_offset: u64) -> Option<u64> {
        let source = self.whole(source)?;
        if text_offset == self.text_len {
            return Some(self.source_len);
        }
        Some(self.span_of_text(source, text_offset)?.source.start)
    }

    /// The bytes of the source that the characters in `text` were decoded from: from the first byte of
    /// the first one to the last byte of the last one. Escape sequences before and after them are not
    /// included. An empty range gives an empty one.
    ///
    /// `None` as in [`OffsetMap::source_offset`], and if `text` ends before it starts.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, ISO_2022_JP};
    ///
    /// let file = b"a\x1B$BF|\x1B(Bb";
    /// let (mut map, mut text) = (OffsetMap::new(), String::new());
    /// map.decode(ISO_2022_JP, file, &mut text, Bom::Sniff);
    /// assert_eq!(text, "a日b");
    /// assert_eq!(map.source_range(file, 1..4), Some(4..6));
    /// ```
    #[must_use]
    pub fn source_range(&self, source: &[u8], text: Range<u64>) -> Option<Range<u64>> {
        let source = self.whole(source)?;
        self.range_of(text, |at| self.span_of_text(source, at).ok_or(()))
            .ok()?
    }

    /// The bytes of the source that a range of the text comes from, if the text has that range. `span` finds the item
    /// that a byte of the text belongs to.
    pub(super) fn range_of<E>(
        &self,
        text: Range<u64>,
        mut span: impl FnMut(u64) -> Result<Span, E>,
    ) -> Result<Option<Range<u64>>, E> {
        if text.start > text.end || text.end > self.text_len {
            return Ok(None);
        }
        let start = if text.start == self.text_len {
            self.source_len
        } else {
            span(text.start)?.source.start
        };
        let end = if text.is_empty() {
            start
        } else {
            span(text.end - 1)?.source.end
        };
        Ok(Some(start..end))
    }

    /// The offset in the text of what the byte at `source_offset` became. Bytes that become no text (a byte order
    /// mark, an escape sequence) map to the text of what follows, and the end of the source to the end
    /// of the text.
    ///
    /// `None` if `source_offset` is after what was decoded, or `source` is shorter than that.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, UTF_8};
    ///
    /// let file = "\u{FEFF}é".as_bytes();
    /// let (mut map, mut text) = (OffsetMap::new(), String::new());
    /// map.decode(UTF_8, &[file, b"\xE2\x82!"].concat(), &mut text, Bom::Sniff);
    /// assert_eq!(text, "é\u{FFFD}!");
    /// let file = [file, b"\xE2\x82!"].concat();
    /// let offsets = [0, 2, 3, 4, 5, 6, 7, 8].map(|at| map.text_offset(&file, at).unwrap());
    /// assert_eq!(offsets, [0, 0, 0, 0, 2, 2, 5, 6]);
    /// ```
    #[must_use]
    pub fn text_offset(&self, source: &[u8], source_offset: u64) -> Option<u64> {
        let source = self.whole(source)?;
        if source_offset >= self.source_len {
            return (source_offset == self.source_len).then_some(self.text_len);
        }
        let place = self
            .places
            .partition_point(|place| place.source <= source_offset);
        if place == 0 && self.places.first().is_some_and(|first| first.text == 0) {
            // There is no text before the first place.
            return Some(0);
        }
        let mut walk = self.walk(source, place);
        walk.skip_to_source(source_offset);
        let mut start = walk.text;
        while walk.source <= source_offset {
            let Some(span) = walk.next() else { break };
            if span.source.contains(&source_offset) {
                start = span.text.start;
                break;
            }
            start = walk.text;
        }
        // What the decoder still holds has no text yet.
        Some(start.min(self.text_len))
    }

    /// What was decoded, of a source that may have more by now. Before the end of the document it is not cut there:
    /// when the room for text was too small, the decoder has looked at bytes that it has not read.
    fn whole<'a>(&self, source: &'a [u8]) -> Option<SourceWindow<'a>> {
        let len = usize::try_from(self.source_len).ok()?;
        let decoded = source.get(..len)?;
        Some(SourceWindow {
            bytes: if self.finished { decoded } else { source },
            offset: 0,
            at_end: true,
        })
    }

    /// The number of places up to an offset in the text.
    pub(super) fn place_of_text(&self, offset: u64) -> usize {
        self.places.partition_point(|place| place.text <= offset)
    }

    /// The item that a byte of the text belongs to.
    pub(super) fn span_of_text(&self, source: SourceWindow<'_>, offset: u64) -> Option<Span> {
        if offset >= self.text_len {
            return None;
        }
        let mut walk = self.walk(source, self.place_of_text(offset));
        walk.skip_to_text(offset);
        loop {
            let span = walk.next()?;
            if offset < span.text.end {
                return Some(span);
            }
        }
    }

    /// Begins at the last of the first `places` places.
    fn walk<'a>(&self, window: SourceWindow<'a>, places: usize) -> Walk<'a> {
        let fresh = self.encoding.codec().decoder();
        match places.checked_sub(1).and_then(|i| self.places.get(i)) {
            Some(place) => Walk {
                window,
                encoding: self.encoding,
                machine: match self.states.get(places - 1) {
                    Some(state) if has_states(self.encoding) => *state,
                    _ => fresh,
                },
                source: place.source,
                text: place.text,
            },
            None => Walk {
                window,
                encoding: self.encoding,
                machine: fresh,
                source: self.mark_len(window.bytes),
                text: 0,
            },
        }
    }

    /// The length of the byte order mark that was removed from the start of the source.
    fn mark_len(&self, start: &[u8]) -> u64 {
        match Encoding::for_bom(start) {
            Some((encoding, len)) if self.removes_bom && encoding == self.encoding => len as u64,
            _ => 0,
        }
    }
}
