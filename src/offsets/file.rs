//! Look-ups in a source that is not in memory (feature `std`).

use std::format;
use std::io::{self, Error, ErrorKind, Read, Seek, SeekFrom};
use std::ops::Range;
use std::vec::Vec;

use super::OffsetMap;
use super::walk::SourceWindow;

/// How many bytes after an item the decoder may have to look at, to see where it ends.
const LOOK_AHEAD: u64 = 3;

/// The room made at first for the part of a source that is looked at, in bytes.
const MOST: usize = 1024 * 1024;

impl OffsetMap {
    /// [`OffsetMap::source_range`] for a source that is not in memory. Reads at most twice the spacing
    /// and a few bytes more.
    ///
    /// # Errors
    ///
    /// Those of `source`; [`UnexpectedEof`](io::ErrorKind::UnexpectedEof) if it is shorter than what was
    /// decoded, [`InvalidData`](io::ErrorKind::InvalidData) if it is found to have changed, and
    /// [`InvalidInput`](io::ErrorKind::InvalidInput) if the text has no such range.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, EUC_JP};
    /// use std::io::Cursor;
    ///
    /// let bytes = b"\xC6\xFC\xCB\xDC\xB8\xEC";
    /// let (mut map, mut text) = (OffsetMap::new(), String::new());
    /// map.decode(EUC_JP, bytes, &mut text, Bom::Sniff);
    /// let mut file = Cursor::new(bytes);
    /// assert_eq!(map.source_range_in(&mut file, 3..9)?, 2..6);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn source_range_in<R: Read + Seek>(
        &self,
        source: &mut R,
        text: Range<u64>,
    ) -> io::Result<Range<u64>> {
        let span = |text_offset| {
            let looked_at = self.looked_at(text_offset);
            source.seek(SeekFrom::Start(looked_at.start))?;
            // A map that was stored may have been tampered with, so memory grows with what is read.
            let len = looked_at.end - looked_at.start;
            let mut bytes =
                Vec::with_capacity(usize::try_from(len).map_or(MOST, |len| len.min(MOST)));
            source.by_ref().take(len).read_to_end(&mut bytes)?;
            let is_cut = (bytes.len() as u64) < len;
            if looked_at.start + (bytes.len() as u64) < looked_at.end.min(self.source_len) {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let window = SourceWindow {
                bytes: &bytes,
                offset: looked_at.start,
                at_end: is_cut || looked_at.end >= self.source_len,
            };
            self.span_of_text(window, text_offset)
                .ok_or_else(|| Error::new(ErrorKind::InvalidData, "the source has changed"))
        };
        self.range_of(text.clone(), span)?.ok_or_else(|| {
            let message = format!(
                "no range {text:?} in a text of {} bytes of UTF-8",
                self.text_len
            );
            Error::new(ErrorKind::InvalidInput, message)
        })
    }

    /// The part of the source that an answer about this byte of the text looks at: the spacing and a few
    /// bytes more.
    fn looked_at(&self, text_offset: u64) -> Range<u64> {
        let place = self.place_of_text(text_offset);
        let start = match place.checked_sub(1).and_then(|i| self.places.get(i)) {
            Some(place) => place.source,
            None => 0,
        };
        // The decoder may have looked at bytes that it has not read, unless the document has ended.
        let most = self.source_len + if self.finished { 0 } else { LOOK_AHEAD };
        let end = match self.places.get(place) {
            Some(next) => most.min(next.source + LOOK_AHEAD),
            None => most,
        };
        start..end
    }
}
