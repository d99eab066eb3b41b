//! The loop of encoders.

use super::Outcome;
use super::ncr::Ncr;
use crate::codec::source::{TextFront, TextSource};
use crate::codec::{AnyEncoder, Emit, Encode, on_machine};
use crate::output::ByteOut;
use crate::progress::{Status, Unmappable};
use crate::simd::Kernels;

/// If a kernel reads fewer units than this, it was not worth its start-up, and the next characters may be unmappable
/// again and again.
const MIN_KERNEL_UNITS: usize = 8;

/// After this many mappable characters in a row a kernel is worth its start-up again.
const MAPPED_RUN: usize = 3;

/// What [`read`] reads, and how.
#[derive(Clone, Copy)]
struct Reading<T> {
    text: T,
    /// Whether a kernel reads first.
    by_kernel: bool,
    /// Whether to write the escape sequence that is due at the end of the stream.
    last: bool,
    /// Whether to leave unmappable characters out.
    skips: bool,
}

/// The result of [`read`].
struct Read<T> {
    /// The text that was not read.
    ahead: T,
    /// How many units the kernel read.
    by_kernel: usize,
    /// How many characters were left out.
    skipped: usize,
    end: ReadEnd<T>,
}

/// Why [`read`] stopped.
enum ReadEnd<T> {
    /// The text ahead is worth a kernel.
    Pause,
    /// All of the text is read, except perhaps a leading surrogate at its end.
    Empty,
    /// The next character does not fit.
    Full,
    /// The next character is unmappable; the text after it.
    Unmappable(char, T),
}

/// Encodes `text`, whose first unit is at `offset` in the stream, into `out`. With `last`, also writes the
/// escape sequence that is due at the end of the stream. The machine reads the first character: a kernel
/// stopped before it, or was not worth its start-up.
///
/// A leading surrogate at the end of a text that is not the last is not read.
pub(crate) fn encode<T: TextSource>(
    machine: &mut AnyEncoder,
    kernels: &Kernels,
    text: T,
    offset: u64,
    last: bool,
    out: &mut ByteOut<'_>,
    unmappable: Unmappable,
) -> Outcome {
    let mut reading = Reading {
        text,
        by_kernel: false,
        last,
        skips: unmappable == Unmappable::Skip,
    };
    let mut errors = 0;
    let mut is_worth_kernel = true;
    let status = loop {
        let done =
            on_machine!(AnyEncoder, machine, machine => read(machine, kernels, reading, out));
        reading.text = done.ahead;
        errors += done.skipped;
        match done.end {
            ReadEnd::Pause => is_worth_kernel = true,
            ReadEnd::Empty => break Status::InputEmpty,
            ReadEnd::Full => break Status::OutputFull,
            ReadEnd::Unmappable(ch, after) => {
                let at = offset + (text.units() - reading.text.units()) as u64;
                let fits = match unmappable {
                    Unmappable::Strict | Unmappable::Skip => true,
                    Unmappable::Ncr => {
                        let ncr = Ncr::new(ch);
                        out.put_padded(ncr.bytes, ncr.len)
                    }
                    Unmappable::Replace(by) => put_replacement(machine, by, out),
                };
                if !fits {
                    break Status::OutputFull;
                }
                reading.text = after;
                errors += 1;
                if unmappable == Unmappable::Strict {
                    break Status::Unmappable { ch, offset: at };
                }
                is_worth_kernel &= !reading.by_kernel || done.by_kernel >= MIN_KERNEL_UNITS;
            }
        }
        reading.by_kernel = is_worth_kernel;
    };
    Outcome {
        status,
        read: text.units() - reading.text.units(),
        errors,
    }
}

/// Encodes from the front of a text until a character is unmappable, or [`MAPPED_RUN`] of them in a row are not.
#[inline(always)]
fn read<M: Encode, T: TextSource>(
    machine: &mut M,
    kernels: &Kernels,
    reading: Reading<T>,
    out: &mut ByteOut<'_>,
) -> Read<T> {
    let mut ahead = reading.text;
    // A copy, so that the state stays in registers.
    let mut state = *machine;
    let (mut by_kernel, mut is_full) = (0, false);
    if reading.by_kernel {
        (by_kernel, is_full) = run_once(&mut state, kernels, ahead, out);
        ahead = ahead.skip(by_kernel);
    }
    let (mut mapped, mut skipped) = (0, 0);
    let end = loop {
        if is_full {
            break ReadEnd::Full;
        }
        let (ch, after) = match ahead.front(reading.last) {
            TextFront::Char(ch, after) => (ch, after),
            TextFront::Incomplete => break ReadEnd::Empty,
            TextFront::Empty => match state.finish() {
                Some((escape, next)) if reading.last => {
                    is_full = !out.put(escape);
                    if !is_full {
                        state = next;
                    }
                    continue;
                }
                _ => break ReadEnd::Empty,
            },
        };
        let (emit, next) = state.step(ch);
        match emit {
            Emit::Bytes(bytes) => {
                is_full = !out.put(bytes);
                if !is_full {
                    ahead = after;
                    state = next;
                    mapped += 1;
                    if mapped == MAPPED_RUN {
                        break ReadEnd::Pause;
                    }
                }
            }
            // A skipped character leaves no escape sequence: that would be immediately before the next one
            // and be malformed.
            Emit::Escape(_)
                if reading.skips && matches!(next.step(ch), (Emit::Unmappable(_), _)) =>
            {
                (ahead, mapped) = (after, 0);
                skipped += 1;
            }
            Emit::Escape(bytes) => {
                is_full = !out.put(bytes);
                if !is_full {
                    state = next;
                }
            }
            Emit::Unmappable(_) if reading.skips => {
                (ahead, mapped) = (after, 0);
                skipped += 1;
            }
            Emit::Unmappable(ch) => break ReadEnd::Unmappable(ch, after),
        }
    };
    *machine = state;
    Read {
        ahead,
        by_kernel,
        skipped,
        end,
    }
}

/// Encodes from the front of `text`: with a kernel, or one character at a time if there is little room.
/// Returns the number of units read, and whether the next character has bytes that do not fit.
#[inline(always)]
fn run_once<M: Encode, T: TextSource>(
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

/// Does what [`run_once`] does; if a kernel leaves little room, that is filled as well.
#[inline(always)]
pub(crate) fn encode_run<M: Encode, T: TextSource>(
    machine: &mut M,
    kernels: &Kernels,
    text: T,
    out: &mut ByteOut<'_>,
) -> (usize, bool) {
    let mut read = 0;
    let mut rest = text;
    if !has_little_room::<M, T>(kernels, text, out) {
        read = machine.kernel(kernels, text, out);
        rest = text.skip(read);
        if read == text.units() || !has_little_room::<M, T>(kernels, rest, out) {
            return (read, false);
        }
    }
    let filled = machine.fill(kernels, rest, out);
    (read + filled.read, filled.full)
}

#[inline(always)]
fn has_little_room<M: Encode, T: TextSource>(
    kernels: &Kernels,
    text: T,
    out: &ByteOut<'_>,
) -> bool {
    kernels.inline_short && text.has_less_room_than(M::little_room(kernels), out)
}

/// Writes `by` in place of an unmappable character, or `?` if the encoding lacks it. Returns whether it fits.
#[cold]
#[inline(never)]
fn put_replacement(machine: &mut AnyEncoder, by: char, out: &mut ByteOut<'_>) -> bool {
    on_machine!(AnyEncoder, machine, machine => put_replacement_by(machine, by, out))
}

/// See [`put_replacement`].
fn put_replacement_by<M: Encode>(machine: &mut M, by: char, out: &mut ByteOut<'_>) -> bool {
    // At most an escape sequence and a character.
    let mut bytes = [0; 8];
    let mut len = 0;
    let mut ch = by;
    let mut state = *machine;
    loop {
        let (emit, next) = state.step(ch);
        let (piece, done) = match emit {
            Emit::Bytes(piece) => (piece, true),
            Emit::Escape(piece) => (piece, false),
            Emit::Unmappable(_) => {
                ch = '?';
                continue;
            }
        };
        state = next;
        if let Some(to) = bytes.get_mut(len..len + 4) {
            to.copy_from_slice(&piece.padded());
            len += piece.len();
        }
        if done {
            break;
        }
    }
    let fits = out.put_slice(&bytes[..len]);
    if fits {
        *machine = state;
    }
    fits
}
