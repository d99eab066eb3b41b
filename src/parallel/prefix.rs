//! Finds out on all threads whether the input is the output, so that it can be borrowed.

use std::ops::ControlFlow;

use super::Parallel;
use super::pipeline::{self, Steps};
use crate::encoding::Encoding;
use crate::output::Adjacent;

impl Parallel<'_> {
    /// All of `bytes` as text, if it is the same bytes in UTF-8 and in this encoding.
    pub(super) fn unchanged<'a>(
        &self,
        encoding: &'static Encoding,
        bytes: &'a [u8],
    ) -> Option<&'a str> {
        let prefix = |piece: &'a [u8]| encoding.text_at_front(piece);
        // Most input that can't be borrowed shows it at its start.
        let front = piece(bytes, self.piece_len);
        if prefix(front).len() < front.len() {
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
            convert: &|(piece, text)| *text = prefix(piece),
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
