//! Finds where in the input a character of a piece's text came from.
//!
//! Nothing is recorded while decoding. To find the place of a fault, the piece is decoded again up to the
//! character.

use super::OnMalformed;
use crate::decoder::Decoder;
use crate::progress::{Malformed, Status};

/// Where a character came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    /// The offset in the stream of its bytes, or of the malformed sequence that it stands for.
    pub(super) offset: u64,
    /// Malformed sequences in the piece up to it.
    pub(super) malformed: u64,
}

/// A piece of input that is decoded again from its start.
pub(super) struct Redecoder<'a> {
    /// The decoder at the current place.
    decoder: Decoder,
    rest: &'a [u8],
    last: bool,
    on_malformed: OnMalformed,
    /// The length of the text before the current place.
    text_len: usize,
    malformed: u64,
    /// The malformed sequence for which the text has just got a U+FFFD.
    replaced: Option<Malformed>,
}

impl<'a> Redecoder<'a> {
    pub(super) fn new(
        decoder: Decoder,
        piece: &'a [u8],
        last: bool,
        on_malformed: OnMalformed,
    ) -> Self {
        Redecoder {
            decoder,
            rest: piece,
            last,
            on_malformed,
            text_len: 0,
            malformed: 0,
            replaced: None,
        }
    }

    /// Where the character at byte `at` of the text came from. Each call must ask for a later one than the
    /// call before.
    pub(super) fn place(&mut self, at: usize) -> Origin {
        let mut scratch = [0; 4096];
        loop {
            if let Some(malformed) = self.replaced.filter(|_| self.text_len > at) {
                return self.here(malformed.offset);
            }
            // The room ends at the character at `at`, so decoding stops before it.
            let wanted = (at - self.text_len).min(scratch.len());
            let room = &mut scratch[..wanted];
            let progress = self
                .decoder
                .decode_to_utf8_strict(self.rest, room, self.last);
            self.rest = &self.rest[progress.read..];
            self.text_len += progress.written;
            match progress.status {
                Status::Malformed(malformed) => {
                    self.malformed += 1;
                    if self.on_malformed == OnMalformed::Replace {
                        self.text_len += char::REPLACEMENT_CHARACTER.len_utf8();
                        self.replaced = Some(malformed);
                    }
                }
                // One sequence of Big5 decodes to two characters, which have the same origin.
                Status::OutputFull if progress.written > 0 && self.text_len < at => {}
                _ => return self.here(self.decoder.item_offset()),
            }
        }
    }

    fn here(&self, offset: u64) -> Origin {
        Origin {
            offset,
            malformed: self.malformed,
        }
    }
}
