//! The loop of encoders.

use super::Outcome;
use super::ncr::Ncr;
use crate::codec::source::{Front, TextSource};
use crate::codec::{AnyEncoder, Emit, Encode, on_machine};
use crate::output::ByteOut;
use crate::progress::{Status, Unmappable};
use crate::simd::Kernels;
use crate::simd::fill::Fill;

/// After this many mappable characters in a row a kernel is worth its start-up: an unmappable character is often
/// followed by more of them.
const MAPPED_RUN: usize = 3;

/// The operations of a machine that the loop needs. The machine of any encoding passes them on, so there is
/// one loop for all.
pub(crate) trait Machine: Copy {
    /// See [`encode_run`].
    fn run<T: TextSource>(
        &mut self,
        kernels: &Kernels,
        text: T,
        out: &mut ByteOut<'_>,
    ) -> (usize, bool);

    /// Encodes characters until [`MAPPED_RUN`] of them in a row are mappable. With `last`, also writes the escape
    /// sequence that is due at the end of the stream. With `skips`, leaves unmappable characters out.
    fn read_chars<T: TextSource>(
        &mut self,
        text: T,
        last: bool,
        skips: bool,
        out: &mut ByteOut<'_>,
    ) -> CharsRead<T>;

    /// Returns the bytes of `by`, or of `?` if the encoding lacks it, and how many they are: at most an escape
    /// sequence and a character.
    fn replacement(&mut self, by: char) -> ([u8; 8], usize);
}

/// The result of [`Machine::read_chars`].
pub(crate) struct CharsRead<T> {
    /// The text that was not read.
    ahead: T,
    /// How many characters were left out.
    skipped: usize,
    end: CharsEnd<T>,
}

/// Why [`Machine::read_chars`] stopped.
enum CharsEnd<T> {
    /// The text is worth a kernel again.
    Pause,
    /// All of the text is read, except perhaps a leading surrogate at its end.
    Empty,
    /// The next character does not fit.
    Full,
    /// The next character is unmappable; the text after it.
    Unmappable(char, T),
}

impl<M: Encode> Machine for M {
    #[inline(always)]
    fn run<T: TextSource>(
        &mut self,
        kernels: &Kernels,
        text: T,
        out: &mut ByteOut<'_>,
    ) -> (usize, bool) {
        encode_run(self, kernels, text, out)
    }

    #[inline(always)]
    fn read_chars<T: TextSource>(
        &mut self,
        text: T,
        last: bool,
        skips: bool,
        out: &mut ByteOut<'_>,
    ) -> CharsRead<T> {
        read_chars(self, text, last, skips, out)
    }

    #[inline(always)]
    fn replacement(&mut self, by: char) -> ([u8; 8], usize) {
        replacement(self, by)
    }
}

impl Machine for AnyEncoder {
    #[inline(never)]
    fn run<T: TextSource>(
        &mut self,
        kernels: &Kernels,
        text: T,
        out: &mut ByteOut<'_>,
    ) -> (usize, bool) {
        on_machine!(AnyEncoder, self, machine => machine.run(kernels, text, out))
    }

    #[inline(never)]
    fn read_chars<T: TextSource>(
        &mut self,
        text: T,
        last: bool,
        skips: bool,
        out: &mut ByteOut<'_>,
    ) -> CharsRead<T> {
        on_machine!(AnyEncoder, self, machine => machine.read_chars(text, last, skips, out))
    }

    #[cold]
    #[inline(never)]
    fn replacement(&mut self, by: char) -> ([u8; 8], usize) {
        on_machine!(AnyEncoder, self, machine => machine.replacement(by))
    }
}

/// Encodes `text`, whose first unit is at `offset` in the stream, into `out`. With `last`, also writes the
/// escape sequence that is due at the end of the stream. The machine reads the first character: a kernel
/// stopped before it, or was not worth its start-up.
///
/// A leading surrogate at the end of a text that is not the last is not read.
pub(crate) fn encode<M: Machine, T: TextSource>(
    machine: &mut M,
    kernels: &Kernels,
    text: T,
    offset: u64,
    last: bool,
    out: &mut ByteOut<'_>,
    unmappable: Unmappable,
) -> Outcome {
    let mut ahead = text;
    let mut errors = 0;
    let skips = unmappable == Unmappable::Skip;
    let status = loop {
        let done = machine.read_chars(ahead, last, skips, out);
        ahead = done.ahead;
        errors += done.skipped;
        match done.end {
            CharsEnd::Pause => {
                let (read, full) = machine.run(kernels, ahead, out);
                ahead = ahead.skip(read);
                if full {
                    break Status::OutputFull;
                }
            }
            CharsEnd::Empty => break Status::InputEmpty,
            CharsEnd::Full => break Status::OutputFull,
            CharsEnd::Unmappable(ch, after) => {
                let at = offset + (text.units() - ahead.units()) as u64;
                let mut next = *machine;
                let fits = match unmappable {
                    Unmappable::Strict | Unmappable::Skip => true,
                    Unmappable::Ncr => {
                        let ncr = Ncr::new(ch);
                        out.put_padded(ncr.bytes, ncr.len)
                    }
                    Unmappable::Replace(by) => {
                        let (bytes, len) = next.replacement(by);
                        out.put_slice(&bytes[..len])
                    }
                };
                if !fits {
                    break Status::OutputFull;
                }
                ahead = after;
                *machine = next;
                errors += 1;
                if unmappable == Unmappable::Strict {
                    break Status::Unmappable { ch, offset: at };
                }
            }
        }
    };
    Outcome {
        status,
        read: text.units() - ahead.units(),
        errors,
    }
}

/// See [`Machine::read_chars`].
#[inline(always)]
fn read_chars<M: Encode, T: TextSource>(
    machine: &mut M,
    text: T,
    last: bool,
    skips: bool,
    out: &mut ByteOut<'_>,
) -> CharsRead<T> {
    let mut ahead = text;
    // A copy, so that the state stays in registers.
    let mut state = *machine;
    let mut skipped = 0;
    let mut mapped = 0;
    let end = loop {
        let (ch, after) = match ahead.front(last) {
            Front::Char(ch, after) => (ch, after),
            Front::Incomplete => break CharsEnd::Empty,
            Front::Empty => match state.finish() {
                Some((escape, next)) if last => {
                    if !out.put(escape) {
                        break CharsEnd::Full;
                    }
                    state = next;
                    continue;
                }
                _ => break CharsEnd::Empty,
            },
        };
        let (emit, next) = state.step(ch);
        match emit {
            Emit::Bytes(bytes) => {
                if !out.put(bytes) {
                    break CharsEnd::Full;
                }
                ahead = after;
                state = next;
                mapped += 1;
                if mapped == MAPPED_RUN {
                    break CharsEnd::Pause;
                }
            }
            // A skipped character leaves no escape sequence: that would be immediately before the next one
            // and be malformed.
            Emit::Escape(_) if skips && matches!(next.step(ch), (Emit::Unmappable(_), _)) => {
                ahead = after;
                skipped += 1;
                mapped = 0;
            }
            Emit::Escape(bytes) => {
                if !out.put(bytes) {
                    break CharsEnd::Full;
                }
                state = next;
            }
            Emit::Unmappable(_) if skips => {
                ahead = after;
                skipped += 1;
                mapped = 0;
            }
            Emit::Unmappable(ch) => break CharsEnd::Unmappable(ch, after),
        }
    };
    *machine = state;
    CharsRead {
        ahead,
        skipped,
        end,
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

/// See [`Machine::replacement`].
fn replacement<M: Encode>(machine: &mut M, by: char) -> ([u8; 8], usize) {
    let mut bytes = [0; 8];
    let mut len = 0;
    let mut ch = by;
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
        *machine = next;
        if let Some(to) = bytes.get_mut(len..len + 4) {
            to.copy_from_slice(&piece.padded());
            len += piece.len();
        }
        if done {
            return (bytes, len);
        }
    }
}
