//! What each character was decoded from: the standard's algorithms, run byte by byte.

use std::ops::Range;

use simdtext::{Bom, Encoding};

use crate::spec::instances::Decoder;
use crate::spec::iso_2022_jp::State;
use crate::spec::process::{ErrorMode, Processed, process_an_item};
use crate::spec::queue::Queue;

/// A character of the text, or two from one sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) source: Range<u64>,
    pub(crate) text: Range<u64>,
}

/// A decoded document.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) text: String,
    pub(crate) encoding: &'static Encoding,
    source_len: u64,
    spans: Vec<Span>,
}

impl Model {
    pub(crate) fn new(encoding: &'static Encoding, source: &[u8], bom: Bom) -> Self {
        let (encoding, mark) = match Encoding::for_bom(source) {
            Some((found, len)) if bom == Bom::Sniff || bom == Bom::Strip && found == encoding => {
                (found, len)
            }
            _ => (encoding, 0),
        };
        let mut model = Model {
            text: String::new(),
            encoding,
            source_len: source.len() as u64,
            spans: Vec::new(),
        };
        model.decode(&source[mark..], mark);
        model
    }

    /// As `spec::events::decode`, which describes how errors are attributed.
    fn decode(&mut self, bytes: &[u8], mark: usize) {
        let mut decoder = Decoder::new(self.encoding.name());
        let mut input = Queue::new(bytes);
        // The start of the item that is being read.
        let mut pending = 0;
        loop {
            let state = match &decoder {
                Decoder::Iso2022Jp(decoder) => Some(decoder.state()),
                _ => None,
            };
            let item = input.read();
            let mut text = Vec::new();
            let mode = ErrorMode::Fatal;
            match process_an_item(item, &mut decoder, &mut input, &mut text, mode) {
                Processed::Finished => return,
                Processed::Continue => {
                    let end = input.position();
                    if !text.is_empty() {
                        self.push(mark + pending..mark + end, &text);
                        pending = end;
                    } else if state == Some(State::Escape) {
                        pending = end;
                    }
                }
                Processed::Error(_) => {
                    let end = input.position();
                    let (from, to, next) = match state {
                        Some(State::Escape) if end == pending + 3 => (pending - 3, pending, end),
                        Some(State::TrailByte) if item == Some(0x1B) => (pending, end - 1, end - 1),
                        _ => (pending, end, end),
                    };
                    self.push(mark + from..mark + to, &['\u{FFFD}']);
                    pending = next;
                }
            }
        }
    }

    fn push(&mut self, source: Range<usize>, chars: &[char]) {
        let start = self.text.len() as u64;
        self.text.extend(chars);
        self.spans.push(Span {
            source: source.start as u64..source.end as u64,
            text: start..self.text.len() as u64,
        });
    }

    fn of_text(&self, offset: u64) -> Option<&Span> {
        let after = self.spans.partition_point(|span| span.text.start <= offset);
        (self.spans[..after].last()).filter(|span| span.text.contains(&offset))
    }

    pub(crate) fn source_offset(&self, offset: u64) -> Option<u64> {
        match self.of_text(offset) {
            Some(span) => Some(span.source.start),
            None => (offset == self.text.len() as u64).then_some(self.source_len),
        }
    }

    pub(crate) fn source_range(&self, text: &Range<u64>) -> Option<Range<u64>> {
        let start = self.source_offset(text.start)?;
        if text.start == text.end {
            return Some(start..start);
        }
        let last = self.of_text(text.end.checked_sub(1)?)?;
        (text.start < text.end).then_some(start..last.source.end)
    }

    pub(crate) fn text_offset(&self, offset: u64) -> Option<u64> {
        if offset > self.source_len {
            return None;
        }
        let next = self.spans.partition_point(|span| span.source.end <= offset);
        let next = self.spans.get(next).map(|span| span.text.start);
        Some(next.unwrap_or(self.text.len() as u64))
    }
}
