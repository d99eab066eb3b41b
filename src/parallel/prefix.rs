//! Finds out on all threads whether the input already is the output, so that it can be borrowed.

use std::ops::ControlFlow;

use super::Parallel;
use super::pipeline::{self, Work};
use crate::codec::Codec;
use crate::encoding::Encoding;
use crate::output::{Adjacent, ascii_prefix, unshifted_prefix, utf8_prefix};
use crate::simd::{self, Kernels};

/// A function that returns the longest prefix of some bytes that decodes to itself.
type Prefix = for<'a> fn(&Kernels, &'a [u8]) -> &'a str;

impl Parallel<'_> {
    /// All of `bytes` as text, if decoding changes nothing.
    pub(super) fn borrow_text<'a>(
        &self,
        encoding: &'static Encoding,
        bytes: &'a [u8],
    ) -> Option<&'a str> {
        let prefix: Prefix = match encoding.codec() {
            Codec::Utf8 => utf8_prefix,
            Codec::Iso2022Jp => unshifted_prefix,
            _ if encoding.is_ascii_compatible() => ascii_prefix,
            // As in `Encoding::decode_with`: an empty slice is an empty text in any encoding.
            _ => return bytes.is_empty().then_some(""),
        };
        self.borrow_prefix(prefix, bytes)
    }

    /// Whether encoding changes nothing.
    pub(super) fn is_encoded(&self, encoding: &'static Encoding, text: &str) -> bool {
        let prefix: Prefix = match encoding.codec() {
            Codec::Utf8 => return true,
            Codec::Iso2022Jp => unshifted_prefix,
            _ if encoding.is_ascii_compatible() => ascii_prefix,
            _ => return false,
        };
        self.borrow_prefix(prefix, text.as_bytes()).is_some()
    }

    fn borrow_prefix<'a>(&self, prefix: Prefix, bytes: &'a [u8]) -> Option<&'a str> {
        let kernels = simd::active();
        let search = Search {
            prefix,
            kernels,
            bytes,
            piece_len: self.piece_len,
        };
        // Most input that can't be borrowed shows it at its start.
        let front = search.piece(0);
        if prefix(kernels, front).len() < front.len() {
            return None;
        }
        let adjacent = Adjacent::new(bytes);
        let workers = self.workers(bytes.len());
        let (_, found) = pipeline::run(&search, self.pool, workers, 0, adjacent);
        let text = found.text();
        (text.len() == bytes.len()).then_some(text)
    }
}

struct Search<'a> {
    prefix: Prefix,
    kernels: &'static Kernels,
    bytes: &'a [u8],
    piece_len: usize,
}

impl<'a> Search<'a> {
    /// The piece that begins at `start`. If it is UTF-8, it ends between characters.
    fn piece(&self, start: usize) -> &'a [u8] {
        let rest = &self.bytes[start..];
        let is_continuation = |byte: &&u8| matches!(byte, 0x80..=0xBF);
        let after = rest.get(self.piece_len..).unwrap_or_default();
        let of_last = after.iter().take(3).take_while(is_continuation).count();
        &rest[..rest.len().min(self.piece_len + of_last)]
    }
}

/// A piece, and the text that it begins with.
struct PrefixSlot<'a> {
    piece: &'a [u8],
    text: &'a str,
}

impl<'a> Work for Search<'a> {
    type Source = usize;
    type Slot = PrefixSlot<'a>;
    type Sink = Adjacent<'a>;

    fn slot(&self) -> PrefixSlot<'a> {
        PrefixSlot {
            piece: &[],
            text: "",
        }
    }

    fn take(&self, start: &mut usize, slot: &mut PrefixSlot<'a>) -> bool {
        slot.piece = self.piece(*start);
        *start += slot.piece.len();
        !slot.piece.is_empty()
    }

    fn convert(&self, slot: &mut PrefixSlot<'a>) {
        slot.text = (self.prefix)(self.kernels, slot.piece);
    }

    fn deliver(&self, found: &mut Adjacent<'a>, slot: &mut PrefixSlot<'a>) -> ControlFlow<()> {
        found.push(slot.text);
        if slot.text.len() < slot.piece.len() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
