//! The conversion of one piece of a stream, with its faults and its lines.

use std::string::String;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::vec::Vec;

use super::super::encode_text::{encode_piece, join};
use super::lines::Lines;
use super::locate::{Origin, Redecoder};
use super::source::Input;
use super::{FaultKind, OnMalformed, StreamOptions};
use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::encoding::{Encoding, UTF_8};
use crate::output::utf8_prefix;
use crate::progress::{Bom, Status, Unmappable};
use crate::simd::Kernels;

/// What converts pieces.
pub(super) struct Converter<'c> {
    pub(super) conversion: &'c StreamOptions,
    /// The encoding to decode, which a byte order mark may have decided.
    pub(super) encoding: &'static Encoding,
    /// An encoder at the start of a stream; `None` if the output is UTF-8.
    pub(super) encoder: Option<Encoder>,
    pub(super) kernels: &'static Kernels,
    pub(super) wanted: Wanted,
}

/// How many more faults of each kind are to be reported.
pub(super) struct Wanted {
    malformed: AtomicUsize,
    unmappable: AtomicUsize,
}

impl Wanted {
    pub(super) fn new(most: usize) -> Self {
        Wanted {
            malformed: AtomicUsize::new(most),
            unmappable: AtomicUsize::new(most),
        }
    }

    /// Whether another fault of this kind is to be reported, which is then counted.
    pub(super) fn take(&self, kind: FaultKind) -> bool {
        let left = match kind {
            FaultKind::Malformed(_) => &self.malformed,
            FaultKind::Unmappable { .. } => &self.unmappable,
        };
        let one_less = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
            left.checked_sub(1)
        });
        one_less.is_ok()
    }
}

/// A fault in a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceFault {
    pub(super) kind: FaultKind,
    /// Where in the text of the piece it is, in bytes.
    at: usize,
    /// The lines of the piece before the fault.
    pub(super) lines: Lines,
}

/// What was found in a piece: its faults and its lines.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The first faults: at least as many as are to be reported.
    pub(super) faults: Vec<PieceFault>,
    /// Whether the conversion stops at the last of these.
    stops: bool,
    pub(super) malformed: u64,
    pub(super) unmappable: u64,
    pub(super) lines: Lines,
}

/// A piece, and what it is converted to.
#[derive(Debug, Default)]
pub(super) struct StreamSlot {
    pub(super) input: Input,
    /// The decoder after the piece, if it does not end at a cut.
    pub(super) decoder: Option<Decoder>,
    /// Whether the input is the text. Otherwise `text` is.
    is_text: bool,
    text: String,
    encoded: Vec<u8>,
    /// The encoder after the piece, if the piece began in the initial state.
    encoder: Option<Encoder>,
    pub(super) found: Found,
}

impl StreamSlot {
    /// What is to be written.
    pub(super) fn result(&self) -> &[u8] {
        match (&self.encoder, self.is_text) {
            (Some(_), _) => &self.encoded,
            (None, true) => self.input.bytes(),
            (None, false) => self.text.as_bytes(),
        }
    }

    /// The offset in the stream at which the conversion of this piece has ended. What the decoder holds is not
    /// converted.
    pub(super) fn read_to(&self) -> u64 {
        match self.found.stop() {
            Some(fault) => fault.kind.offset(),
            None => {
                let held = (self.decoder.as_ref()).map_or(0, |decoder| decoder.pending().len());
                self.input.offset + (self.input.bytes().len() as u64) - (held as u64)
            }
        }
    }
}

impl Converter<'_> {
    /// Converts the piece, which starts at a cut if `decoder` is `None`. Counts all faults and keeps at most
    /// the wanted number of them.
    pub(super) fn convert(&self, slot: &mut StreamSlot, decoder: Option<Decoder>) {
        let StreamSlot { input, found, .. } = slot;
        let starts_at_cut = decoder.is_none();
        let mut decoder = decoder.unwrap_or_else(|| {
            let fresh = self.encoding.decoder(Bom::Keep);
            fresh.at_offset(input.offset)
        });
        let before = decoder.clone();
        found.clear();

        let as_it_is = self.text_of(input).filter(|_| starts_at_cut);
        slot.is_text = as_it_is.is_some();
        let text = match as_it_is {
            Some(text) => {
                decoder = decoder.at_offset(input.offset + text.len() as u64);
                text
            }
            None => {
                self.decode(&mut decoder, input, &mut slot.text, found);
                &slot.text
            }
        };
        slot.decoder = (!input.ends_at_cut).then_some(decoder);

        if let Some(fresh) = &self.encoder {
            let (bytes, last) = (input.bytes(), input.ends_at_cut);
            let again = Redecoder::new(before, bytes, last, self.conversion.malformed);
            slot.encoder = Some(self.encode(fresh, text, &mut slot.encoded, again, found));
        }
        if self.conversion.lines {
            found.count_lines(text);
        }
    }

    /// The piece as text, if decoding changes nothing.
    fn text_of<'a>(&self, input: &'a Input) -> Option<&'a str> {
        let bytes = input.bytes();
        let text = (self.encoding == UTF_8).then(|| utf8_prefix(self.kernels, bytes));
        text.filter(|text| text.len() == bytes.len())
    }

    /// Decodes the piece, up to a fault to stop at.
    fn decode(&self, decoder: &mut Decoder, input: &Input, text: &mut String, found: &mut Found) {
        let policy = self.conversion.malformed;
        let wanted = self.wanted.malformed.load(Ordering::Relaxed);
        let mut rest = input.bytes();
        text.clear();
        loop {
            text.reserve(decoder.max_utf8_len(rest.len()).unwrap_or(rest.len()));
            let progress = if policy == OnMalformed::Replace && found.faults.len() >= wanted {
                decoder.decode_to_string(rest, text, input.ends_at_cut)
            } else {
                decoder.decode_to_string_strict(rest, text, input.ends_at_cut)
            };
            rest = &rest[progress.read..];
            found.malformed += progress.errors as u64;
            match progress.status {
                Status::Malformed(malformed) => {
                    found.stops = policy == OnMalformed::Stop;
                    if found.stops || found.faults.len() < wanted {
                        let kind = FaultKind::Malformed(malformed);
                        found.faults.push(PieceFault::new(kind, text.len()));
                    }
                    match policy {
                        OnMalformed::Replace => text.push(char::REPLACEMENT_CHARACTER),
                        OnMalformed::Skip => {}
                        OnMalformed::Stop => return,
                    }
                }
                Status::OutputFull => {}
                Status::InputEmpty | Status::Unmappable { .. } => return,
            }
        }
    }

    /// Encodes the text of the piece, up to a fault to stop at. `again` finds where faults come from. Returns the
    /// encoder after the piece.
    fn encode(
        &self,
        fresh: &Encoder,
        text: &str,
        encoded: &mut Vec<u8>,
        mut again: Redecoder<'_>,
        found: &mut Found,
    ) -> Encoder {
        let wanted = self.wanted.unmappable.load(Ordering::Relaxed);
        let mut encoder = fresh.clone();
        encoded.clear();
        let missing = encode_piece(&mut encoder, text, self.conversion.unmappable, encoded);
        found.unmappable = missing.count as u64;
        if let Some((_, at)) = missing.stop {
            let origin = again.place(at);
            found.malformed = origin.malformed;
            found.faults.retain(|fault| fault.at <= at);
            found.faults.push(PieceFault::unmappable(text, at, origin));
            found.stops = true;
        } else if missing.count > 0 && wanted > 0 {
            for at in missing_places(fresh.clone(), text, wanted) {
                let fault = PieceFault::unmappable(text, at, again.place(at));
                found.faults.push(fault);
            }
            // Malformed bytes come before the U+FFFD that replaces them.
            found.faults.sort_by_key(|fault| fault.at);
        }
        encoder
    }

    /// Changes the output of the piece to what it is after `before`, and returns the encoder after the piece.
    pub(super) fn join(&self, before: &Encoder, slot: &mut StreamSlot) -> Encoder {
        let (Some(fresh), Some(mut after)) = (&self.encoder, slot.encoder.clone()) else {
            return before.clone();
        };
        if !fresh.is_in_state_of(before) {
            let text = match self.text_of(&slot.input).filter(|_| slot.is_text) {
                Some(text) => text,
                None => &slot.text,
            };
            let unmappable = self.conversion.unmappable;
            join(before, &mut after, text, unmappable, &mut slot.encoded);
        }
        after
    }
}

impl PieceFault {
    fn new(kind: FaultKind, at: usize) -> Self {
        PieceFault {
            kind,
            at,
            lines: Lines::default(),
        }
    }

    fn unmappable(text: &str, at: usize, origin: Origin) -> Self {
        let ch = text[at..].chars().next();
        let kind = FaultKind::Unmappable {
            ch: ch.unwrap_or(char::REPLACEMENT_CHARACTER),
            offset: origin.offset,
        };
        PieceFault::new(kind, at)
    }
}

impl Found {
    /// Begins another piece, and keeps the memory.
    fn clear(&mut self) {
        self.faults.clear();
        (self.stops, self.malformed, self.unmappable) = (false, 0, 0);
    }

    /// The fault to stop at.
    pub(super) fn stop(&self) -> Option<&PieceFault> {
        self.faults.last().filter(|_| self.stops)
    }

    /// Counts the lines before each fault, and those of the converted text.
    fn count_lines(&mut self, text: &str) {
        let text = text.as_bytes();
        let (mut lines, mut from) = (Lines::default(), 0);
        for fault in &mut self.faults {
            lines = lines.and(Lines::of(&text[from..fault.at]));
            fault.lines = lines;
            from = fault.at;
        }
        if !self.stops {
            lines = lines.and(Lines::of(&text[from..]));
        }
        self.lines = lines;
    }
}

/// The positions of the first `most` characters of `text` that the encoder does not have, in bytes.
fn missing_places(mut encoder: Encoder, text: &str, most: usize) -> Vec<usize> {
    let mut places = Vec::new();
    let mut scratch = [0; 4096];
    let mut done = 0;
    while places.len() < most {
        let rest = &text[done..];
        let progress = encoder.encode_from_utf8(rest, &mut scratch, false, Unmappable::Strict);
        done += progress.read;
        match progress.status {
            Status::Unmappable { offset, .. } => places.push(offset as usize),
            Status::InputEmpty => break,
            Status::OutputFull | Status::Malformed(_) => {}
        }
    }
    places
}
