//! The loop of encoders.

use super::Outcome;
use super::ncr::Ncr;
use crate::codec::source::{Front, TextSource};
use crate::codec::{Emit, Encode};
use crate::output::ByteOut;
use crate::progress::{Status, Unmappable};
use crate::simd::Kernels;
use crate::simd::fill::Fill;

/// Encodes `text`, whose first unit is at `offset` in the stream, into `out`. With `last`, also writes the
/// escape sequence that is due at the end of the stream. The machine reads the first character: a kernel
/// stopped before it, or was not worth its start-up.
///
/// A leading surrogate at the end of a text that is not the last is not read.
pub(crate) fn encode<M: Encode, T: TextSource>(
    machine: &mut M,
    kernels: &Kernels,
    text: T,
    offset: u64,
    last: bool,
    out: &mut ByteOut<'_>,
    unmappable: Unmappable,
) -> Outcome {
    let mut ahead = text;
    // A copy, so that the state stays in registers.
    let mut state = *machine;
    let mut errors = 0;
    // Whether the machine has read a character since the kernel stopped.
    let mut kernel_is_due = false;
    let status = loop {
        if kernel_is_due {
            let (read, full) = encode_run(&mut state, kernels, ahead, out);
            ahead = ahead.skip(read);
            if full {
                break Status::OutputFull;
            }
            kernel_is_due = false;
        }
        let (ch, after) = match ahead.front(last) {
            Front::Char(ch, after) => (ch, after),
            Front::Incomplete => break Status::InputEmpty,
            Front::Empty => match state.finish() {
                Some((escape, next)) if last => {
                    if !out.put(escape) {
                        break Status::OutputFull;
                    }
                    state = next;
                    continue;
                }
                _ => break Status::InputEmpty,
            },
        };
        let (emit, mut next) = state.step(ch);
        match emit {
            Emit::Bytes(bytes) => {
                if !out.put(bytes) {
                    break Status::OutputFull;
                }
                ahead = after;
                state = next;
                kernel_is_due = state.wants_kernel(ahead);
            }
            // A skipped character leaves no escape sequence: that would be immediately before the next one
            // and be malformed.
            Emit::Escape(_)
                if unmappable == Unmappable::Skip
                    && matches!(next.step(ch), (Emit::Unmappable(_), _)) =>
            {
                ahead = after;
                errors += 1;
                kernel_is_due = state.wants_kernel(ahead);
            }
            Emit::Escape(bytes) => {
                if !out.put(bytes) {
                    break Status::OutputFull;
                }
                state = next;
            }
            Emit::Unmappable(ch) => {
                let at = offset + (text.units() - ahead.units()) as u64;
                let fits = match unmappable {
                    Unmappable::Strict | Unmappable::Skip => true,
                    Unmappable::Ncr => {
                        let ncr = Ncr::new(ch);
                        out.put_padded(ncr.bytes, ncr.len)
                    }
                    Unmappable::Replace(by) => {
                        let (bytes, len);
                        (bytes, len, next) = replacement(next, by);
                        out.put_slice(&bytes[..len])
                    }
                };
                if !fits {
                    break Status::OutputFull;
                }
                ahead = after;
                state = next;
                errors += 1;
                if unmappable == Unmappable::Strict {
                    break Status::Unmappable { ch, offset: at };
                }
                kernel_is_due = state.wants_kernel(ahead);
            }
        }
    };
    *machine = state;
    Outcome {
        status,
        read: text.units() - ahead.units(),
        errors,
    }
}

/// Encodes from the front of `text`: with a kernel, or one character at a time if there is little room.
/// Returns the number of units read, and whether the next character has bytes that do not fit.
#[inline(always)]
pub(crate) fn encode_run<M: Encode, T: TextSource>(
    machine: &mut M,
    kernels: &Kernels,
    text: T,
    out: &mut ByteOut<'_>,
) -> (usize, bool) {
    if has_little_room::<M, T>(kernels, text, out) {
        let filled = machine.fill(kernels, text, out);
        (filled.read, filled.full)
    } else {
        (machine.kernel(kernels, text, out), false)
    }
}

/// Encodes from the front of `text` if there is little room.
#[inline(always)]
pub(crate) fn encode_into_little_room<M: Encode, T: TextSource>(
    machine: &mut M,
    kernels: &Kernels,
    text: T,
    out: &mut ByteOut<'_>,
) -> Fill {
    if has_little_room::<M, T>(kernels, text, out) {
        machine.fill(kernels, text, out)
    } else {
        Fill::default()
    }
}

#[inline(always)]
fn has_little_room<M: Encode, T: TextSource>(
    kernels: &Kernels,
    text: T,
    out: &ByteOut<'_>,
) -> bool {
    kernels.inline_short
        && (text.has_less_room_than(M::LITTLE_ROOM, out)
            || text.has_less_room_than(M::LITTLE_ROOM_FOR_ASCII, out) && text.starts_with_ascii())
}

/// Returns the bytes of `by`, or of `?` if the encoding lacks it: at most an escape sequence and a character.
#[cold]
fn replacement<M: Encode>(machine: M, by: char) -> ([u8; 8], usize, M) {
    let mut bytes = [0; 8];
    let mut len = 0;
    let mut ch = by;
    let mut machine = machine;
    loop {
        let (emit, next) = machine.step(ch);
        let (piece, done) = match emit {
            Emit::Bytes(piece) => (piece, true),
            Emit::Escape(piece) => (piece, false),
            Emit::Unmappable(_) => {
                ch = '?';
                continue;
            }
        };
        machine = next;
        if let Some(to) = bytes.get_mut(len..len + 4) {
            to.copy_from_slice(&piece.padded());
            len += piece.len();
        }
        if done {
            return (bytes, len, machine);
        }
    }
}
