//! Recognises UTF-8 that was encoded twice, in an input that is read in blocks.

use simdtext::sniff::DoubleEncoding;
use simdtext::{Bom, UTF_8};

/// Looks for UTF-8 that was encoded twice in bytes that may be UTF-8.
pub(super) struct Doubled {
    decoder: simdtext::Decoder,
    doubled: DoubleEncoding,
    text: String,
    may_be: bool,
}

impl Doubled {
    /// `bom` is what the conversion does with a byte order mark.
    pub(super) fn new(bom: Bom) -> Self {
        Self {
            decoder: UTF_8.decoder(bom),
            doubled: DoubleEncoding::new(),
            text: String::with_capacity(64 * 1024),
            may_be: true,
        }
    }

    /// Whether the input may still be UTF-8 that was encoded twice.
    pub(super) fn feed(&mut self, block: &[u8]) -> bool {
        self.decode(block, false)
    }

    pub(super) fn finish(mut self) -> bool {
        self.decode(&[], true) && self.doubled.finish()
    }

    fn decode(&mut self, mut block: &[u8], last: bool) -> bool {
        while self.may_be {
            self.text.clear();
            let progress = self
                .decoder
                .decode_to_string_strict(block, &mut self.text, last);
            block = &block[progress.read..];
            self.may_be = self.doubled.feed(&self.text);
            match progress.status {
                simdtext::Status::InputEmpty => break,
                simdtext::Status::Malformed(_) => self.may_be = false,
                simdtext::Status::OutputFull | simdtext::Status::Unmappable { .. } => {}
            }
        }
        self.may_be
    }
}
