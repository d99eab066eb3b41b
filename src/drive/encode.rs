//! The loop of encoders.

use super::Outcome;
use super::ncr::Ncr;
use crate::codec::source::{TextFront, TextSource};
use crate::codec::{AnyEncoder, Emit, Encode, on_machine};
use crate::output::ByteOut;
use crate::progress::{Status, Unmappable};
use crate::simd::{Kernels, write_only};

/// If a kernel reads fewer units than this, it was not worth its start-up, and the next characters may be unmappable
/// again and again.
const MIN_KERNEL_UNITS: usize = 8;

/// After this many mappable characters in a row a kernel is worth its start-up again.
const MAPPED_RUN: usize = 3;

/// The result of [`read`].
struct Read<T> {
    /// The text that was not read.
    ahead: T,
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
    let skips = unmappable == Unmappable::Skip;
    let (mut ahead, mut errors) = (text, 0);
    // Whether a kernel reads first.
    let (mut runs_kernel, mut is_worth_kernel) = (false, true);
    let status = loop {
        let mut by_kernel = 0;
        if runs_kernel {
            let full;
            (by_kernel, full) = encode_run_apart(machine, kernels, ahead, out);
            ahead = ahead.skip(by_kernel);
            if full {
                break Status::OutputFull;
            }
        }
        let done =
            on_machine!(AnyEncoder, machine, machine => read(machine, ahead, last, skips, out));
        ahead = done.ahead;
        errors += done.skipped;
        match done.end {
            ReadEnd::Pause => is_worth_kernel = true,
            ReadEnd::Empty => break Status::InputEmpty,
            ReadEnd::Full => break Status::OutputFull,
            ReadEnd::Unmappable(ch, after) => {
                let at = offset + (text.units() - ahead.units()) as u64;
                let fits = match unmappable {
                    Unmappable::Strict | Unmappable::Skip => true,
                    Unmappable::Ncr => {
                        let ncr = Ncr::new(ch);
                        out.put_padded(ncr.bytes, ncr.len)
                    }
                    Unmappable::Replace(by) => put_replacement(machine, kernels, by, out),
                };
                if !fits {
                    break Status::OutputFull;
                }
                ahead = after;
                errors += 1;
                if unmappable == Unmappable::Strict {
                    break Status::Unmappable { ch, offset: at };
                }
                is_worth_kernel &= !runs_kernel || by_kernel >= MIN_KERNEL_UNITS;
            }
        }
        runs_kernel = is_worth_kernel;
    };
    Outcome {
        status,
        read: text.units() - ahead.units(),
        errors,
    }
}

/// Encodes from the front of a text until a character is unmappable, or [`MAPPED_RUN`] of them in a row are not. With
/// `last`, also writes the escape sequence that is due at the end of the stream. With `skips`, leaves unmappable
/// characters out.
#[inline(always)]
fn read<M: Encode, T: TextSource>(
    machine: &mut M,
    mut ahead: T,
    last: bool,
    skips: bool,
    out: &mut ByteOut<'_>,
) -> Read<T> {
    // A copy, so that the state stays in registers.
    let mut state = *machine;
    let mut is_full = false;
    let (mut mapped, mut skipped) = (0, 0);
    let end = loop {
        if is_full {
            break ReadEnd::Full;
        }
        let (ch, after) = match ahead.front(last) {
            TextFront::Char(ch, after) => (ch, after),
            TextFront::Incomplete => break ReadEnd::Empty,
            TextFront::Empty => match state.finish() {
                Some((escape, next)) if last => {
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
            Emit::Escape(_) if skips && matches!(next.step(ch), (Emit::Unmappable(_), _)) => {
                (ahead, mapped) = (after, 0);
                skipped += 1;
            }
            Emit::Escape(bytes) => {
                is_full = !out.put(bytes);
                if !is_full {
                    state = next;
                }
            }
            Emit::Unmappable(_) if skips => {
                (ahead, mapped) = (after, 0);
                skipped += 1;
            }
            Emit::Unmappable(ch) => break ReadEnd::Unmappable(ch, after),
        }
    };
    *machine = state;
    Read {
        ahead,
        skipped,
        end,
    }
}

/// Encodes from the front of `text`: with a kernel, or one character at a time if there is little room, also what the
/// kernel leaves. Returns the number of units read, and whether the next character has bytes that do not fit.
#[inline(always)]
pub(crate) fn encode_run<T: TextSource>(
    machine: &mut AnyEncoder,
    kernels: &Kernels,
    text: T,
    out: &mut ByteOut<'_>,
) -> (usize, bool) {
    match machine {
        // Inlined: as a call, short text takes 4 % more instructions.
        AnyEncoder::SingleByte(machine) => encode_run_by(machine, kernels, text, out),
        _ => encode_run_apart(machine, kernels, text, out),
    }
}

/// See [`encode_run`].
#[inline(never)]
fn encode_run_apart<T: TextSource>(
    machine: &mut AnyEncoder,
    kernels: &Kernels,
    text: T,
    out: &mut ByteOut<'_>,
) -> (usize, bool) {
    on_machine!(AnyEncoder, machine, machine => encode_run_by(machine, kernels, text, out))
}

/// See [`encode_run`].
#[inline(always)]
fn encode_run_by<M: Encode, T: TextSource>(
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
fn put_replacement(
    machine: &mut AnyEncoder,
    kernels: &Kernels,
    by: char,
    out: &mut ByteOut<'_>,
) -> bool {
    // Room for two escape sequences and a character.
    let mut bytes = [0; 16];
    let mut room = ByteOut::new(write_only(&mut bytes));
    let mut next = *machine;
    for ch in [by, '?'] {
        let mut text = [0; 4];
        let text = &*ch.encode_utf8(&mut text);
        let status = encode(
            &mut next,
            kernels,
            text,
            0,
            false,
            &mut room,
            Unmappable::Strict,
        )
        .status;
        if status == Status::InputEmpty {
            break;
        }
    }
    let len = room.len();
    let fits = out.put_slice(&bytes[..len]);
    if fits {
        *machine = next;
    }
    fits
}
