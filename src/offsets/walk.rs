//! Decodes a part of a source again, and stops where it is told to.

use core::mem::MaybeUninit;
use core::ops::Range;

use crate::codec::{AnyDecoder, Decode, Item, on_machine};
use crate::encoding::Encoding;
use crate::progress::Bom;

/// How much text is decoded at a time if it need not be looked at, in bytes.
const SCRATCH: usize = 2048;

/// Some bytes of a source.
#[derive(Clone, Copy, Debug)]
pub(super) struct SourceWindow<'a> {
    pub(super) bytes: &'a [u8],
    /// Where they begin.
    pub(super) offset: u64,
    /// Whether the source ends with them.
    pub(super) at_end: bool,
}

impl<'a> SourceWindow<'a> {
    /// The bytes from an offset on; none where it is outside.
    fn from(&self, offset: u64) -> &'a [u8] {
        let skipped = offset.checked_sub(self.offset);
        let skipped = skipped.and_then(|skipped| usize::try_from(skipped).ok());
        skipped
            .and_then(|skipped| self.bytes.get(skipped..))
            .unwrap_or_default()
    }
}

/// A place in a window, between two items, and the decoder's state there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walk<'a> {
    pub(super) window: SourceWindow<'a>,
    pub(super) encoding: &'static Encoding,
    pub(super) machine: AnyDecoder,
    pub(super) source: u64,
    pub(super) text: u64,
}

/// An item: one or two characters, a malformed sequence, or bytes that become no text.
#[derive(Clone, Debug)]
pub(super) struct Span {
    /// What it was decoded from.
    pub(super) source: Range<u64>,
    pub(super) text: Range<u64>,
}

impl Walk<'_> {
    /// Steps over the next item. `None` at the end of the window.
    pub(super) fn next(&mut self) -> Option<Span> {
        let ahead = self.window.from(self.source);
        if ahead.is_empty() {
            return None;
        }
        let at_end = self.window.at_end;
        let item = on_machine!(AnyDecoder, &mut self.machine, machine => {
            let (item, next) = machine.step(ahead, at_end);
            *machine = next;
            item
        });
        let replacement = char::REPLACEMENT_CHARACTER.len_utf8();
        // Where the item began, how many bytes it took, and how many it became.
        let (back, read, written) = match item {
            Item::Char(ch, len) => (0, len, ch.len_utf8()),
            Item::Pair(first, second, len) => (0, len, first.len_utf8() + second.len_utf8()),
            Item::Nothing(len) => (0, len, 0),
            Item::Malformed(len) => (0, len, replacement),
            // It is the escape sequence before this one that is malformed.
            Item::EscapeAfterEscape(escape) => (escape.len(), escape.len(), replacement),
            Item::Incomplete => return None,
        };
        let (source, text) = (self.source, self.text);
        self.source += read as u64;
        self.text += written as u64;
        let start = source.saturating_sub(back as u64);
        Some(Span {
            source: start..start + read as u64,
            text: text..self.text,
        })
    }

    /// Goes on to the item that has this byte of the text, or to an earlier place near it.
    pub(super) fn skip_to_text(&mut self, target: u64) {
        self.skip(u64::MAX, target);
    }

    /// Goes on to the item that has this byte of the source, or to an earlier place near it.
    pub(super) fn skip_to_source(&mut self, target: u64) {
        self.skip(target, u64::MAX);
    }

    /// Goes on up to an offset in the source and one in the text, whichever comes first.
    fn skip(&mut self, source_end: u64, text_end: u64) {
        let most =
            |end: u64, at: u64| usize::try_from(end.saturating_sub(at)).unwrap_or(usize::MAX);
        let mut scratch = [MaybeUninit::uninit(); SCRATCH];
        let decoder = self.encoding.decoder(Bom::Keep);
        let mut decoder = decoder.at_offset(self.source).in_state(self.machine);
        let rest = self.window.from(self.source);
        let mut rest = rest.get(..most(source_end, self.source)).unwrap_or(rest);
        loop {
            let room = &mut scratch[..most(text_end, self.text).min(SCRATCH)];
            let progress = decoder.decode_to_utf8_uninit(rest, room, false);
            rest = rest.get(progress.read..).unwrap_or_default();
            self.text += progress.written as u64;
            if progress.written == 0 || rest.is_empty() || self.text >= text_end {
                break;
            }
        }
        self.source = decoder.item_offset();
        self.machine = decoder.machine();
    }
}
