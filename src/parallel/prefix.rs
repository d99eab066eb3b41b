//! Finds out on all threads whether the input already is the output, so that it can be borrowed.

use std::ops::ControlFlow;

use super::Parallel;
use super::pipeline::{self, Steps};
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
        // Most input that can't be borrowed shows it at its start.
        let front = piece(bytes, self.piece_len);
        if prefix(kernels, front).len() < front.len() {
            return None;
        }
        let (mut at, mut found) = (0, Adjacent::new(bytes));
        // A piece, and the text that it begins with.
        let steps = Steps::<(&[u8], &str)> {
            take: &mut |(taken, _)| {
                *taken = piece(&bytes[at..], self.piece_len);
                at += taken.len();
                !taken.is_empty()
            },
            convert: &|(piece, text)| *text = prefix(kernels, piece),
            deliver: &mut |(piece, text)| {
                found.push(text);
                if text.len() < piece.len() {
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            },
            settle: &|_| {},
        };
        pipeline::run(self.pool, self.workers(bytes.len()), steps);
        let text = found.text();
        (text.len() == bytes.len()).then_some(text)
    }
}

/// The piece that `rest` begins with. If it is UTF-8, it ends between characters.
fn piece(rest: &[u8], len: usize) -> &[u8] {
    let is_continuation = |byte: &&u8| matches!(byte, 0x80..=0xBF);
    let after = rest.get(len..).unwrap_or_default();
    let of_last = after.iter().take(3).take_while(is_continuation).count();
    &rest[..rest.len().min(len + of_last)]
}
