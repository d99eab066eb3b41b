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

/// What became of a character.
enum Step {
    Encoded,
    Full,
    Skipped,
    /// The encoding lacks it. Holds the character to report.
    Unmappable(char),
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
    let mut is_worth_kernel = true;
    // How many units the kernel has read if it has just run, and how many characters were mappable since.
    let (mut by_kernel, mut mapped) = (None, 0);
    let status = loop {
        let (ch, after) = match ahead.front(last) {
            TextFront::Char(ch, after) => (ch, after),
            TextFront::Incomplete => break Status::InputEmpty,
            TextFront::Empty if last && !finish(machine, out) => break Status::OutputFull,
            TextFront::Empty => break Status::InputEmpty,
        };
        match step(machine, ch, skips, out) {
            Step::Encoded => {
                ahead = after;
                mapped += 1;
                if mapped < MAPPED_RUN {
                    continue;
                }
                is_worth_kernel = true;
            }
            Step::Full => break Status::OutputFull,
            Step::Skipped => {
                (ahead, mapped) = (after, 0);
                errors += 1;
                continue;
            }
            Step::Unmappable(ch) => {
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
                errors += 1;
                if unmappable == Unmappable::Strict {
                    let offset = offset + (text.units() - ahead.units()) as u64;
                    ahead = after;
                    break Status::Unmappable { ch, offset };
                }
                ahead = after;
                is_worth_kernel &= by_kernel.is_none_or(|units| units >= MIN_KERNEL_UNITS);
            }
        }
        (by_kernel, mapped) = (None, 0);
        if is_worth_kernel {
            let (read, full) = encode_run_apart(machine, kernels, ahead, out);
            ahead = ahead.skip(read);
            if full {
                break Status::OutputFull;
            }
            by_kernel = Some(read);
        }
    };
    Outcome {
        status,
        read: text.units() - ahead.units(),
        errors,
    }
}

/// Encodes a character. With `skips`, leaves it out if it is unmappable.
#[inline(never)]
fn step(machine: &mut AnyEncoder, ch: char, skips: bool, out: &mut ByteOut<'_>) -> Step {
    on_machine!(AnyEncoder, machine, machine => step_by(machine, ch, skips, out))
}

/// See [`step`].
#[inline(always)]
fn step_by<M: Encode>(machine: &mut M, ch: char, skips: bool, out: &mut ByteOut<'_>) -> Step {
    loop {
        let (emit, next) = machine.step(ch);
        let (bytes, is_done) = match emit {
            Emit::Bytes(bytes) => (bytes, true),
            // A skipped character leaves no escape sequence: that would be immediately before the next one and be
            // malformed.
            Emit::Escape(_) if skips && matches!(next.step(ch), (Emit::Unmappable(_), _)) => {
                return Step::Skipped;
            }
            Emit::Escape(bytes) => (bytes, false),
            Emit::Unmappable(_) if skips => return Step::Skipped,
            Emit::Unmappable(ch) => return Step::Unmappable(ch),
        };
        if !out.put(bytes) {
            return Step::Full;
        }
        *machine = next;
        if is_done {
            return Step::Encoded;
        }
    }
}

/// Writes the escape sequence that is due at the end of the stream. Returns whether it fits.
fn finish(machine: &mut AnyEncoder, out: &mut ByteOut<'_>) -> bool {
    on_machine!(AnyEncoder, machine, machine => match machine.finish() {
        Some((escape, _)) if !out.put(escape) => false,
        Some((_, next)) => {
            *machine = next;
            true
        }
        None => true,
    })
}

/// [`encode_run`] by any machine.
#[inline(never)]
fn encode_run_apart<T: TextSource>(
    machine: &mut AnyEncoder,
    kernels: &Kernels,
    text: T,
    out: &mut ByteOut<'_>,
) -> (usize, bool) {
    on_machine!(AnyEncoder, machine, machine => encode_run(machine, kernels, text, out))
}

/// Encodes from the front of `text`: with a kernel, or one character at a time if there is little room, also what the
/// kernel leaves. Returns the number of units read, and whether the next character has bytes that do not fit.
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
    // Room for two escape sequences and a character.
    let mut bytes = [0; 16];
    let mut room = ByteOut::new(write_only(&mut bytes));
    let mut next = *machine;
    if let Step::Unmappable(_) = step(&mut next, by, false, &mut room) {
        step(&mut next, '?', false, &mut room);
    }
    let len = room.len();
    let fits = out.put_slice(&bytes[..len]);
    if fits {
        *machine = next;
    }
    fits
}
