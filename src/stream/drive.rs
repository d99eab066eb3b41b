//! THE loop: kernel, state machine, kernel, …
//!
//! A kernel eats a run of well-formed input and stops wherever it likes. The machine then eats at
//! least one item, exactly as the standard says, and goes on until the input looks worth a kernel
//! again. Replacement, strict and callback modes live here, once, for every encoding and either
//! form of output.

use crate::codec::{Decode, Emit, Encode, Item};
use crate::progress::{Malformed, Status, Unmappable};
use crate::simd::Kernels;
use crate::stream::byte_out::ByteOut;
use crate::stream::sink::Sink;
use crate::stream::source::{BRIDGE, Front, Held, Text};

/// What to do about malformed input.
pub(crate) enum OnMalformed<'a> {
    /// Return it.
    Stop,
    /// Write U+FFFD.
    Replace,
    /// Write U+FFFD and tell the caller.
    Tell(&'a mut dyn FnMut(Malformed)),
}

/// What a run of the loop did. What was written is the sink's to say.
pub(crate) struct Outcome {
    pub(crate) status: Status,
    /// Units taken from the call's input.
    pub(crate) read: usize,
    pub(crate) errors: usize,
}

/// The bytes still to be decoded that are not in the call's input, and where they stand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Queue {
    pub(crate) held: Held,
    /// The offset in the stream of the first held byte, or else of the next byte of input.
    pub(crate) offset: u64,
}

impl Queue {
    /// Takes `count` bytes, held ones first; returns how many of them are the input's.
    #[inline(always)]
    fn take(&mut self, count: usize) -> usize {
        self.offset += count as u64;
        let from_held = count.min(self.held.len());
        if from_held > 0 {
            self.held.drop_front(from_held);
        }
        count - from_held
    }
}

/// A kernel that reads fewer bytes than this was not worth its start-up, and the input may be one that
/// is malformed again and again.
const LITTLE: usize = 8;

/// Decodes `src`, after what `queue` holds, into `out`.
pub(crate) fn decode<M: Decode, S: Sink>(
    machine: &mut M,
    queue: &mut Queue,
    kernels: &Kernels,
    src: &[u8],
    last: bool,
    out: &mut S,
    mut on_malformed: OnMalformed<'_>,
) -> Outcome {
    let mut read = 0;
    let mut errors = 0;
    // Bytes that are the machine's, because the kernel did little; and how many they were.
    let mut patience: usize = 0;
    let mut last_patience: usize = 0;
    let replace = matches!(on_malformed, OnMalformed::Replace);
    let status = loop {
        let ahead = src.get(read..).unwrap_or_default();
        // Either what is held and a little of the input, or the input.
        let held = queue.held.len();
        let bridge: [u8; BRIDGE];
        let (ran, stop) = if held == 0 && patience > 0 && !machine.wants_kernel(ahead) {
            let (ran, stop) = run(machine, ahead, last, patience, replace, out);
            patience = patience.saturating_sub(ran.taken);
            (ran, stop)
        } else if held == 0 {
            let by_run = machine.kernel_with_state(kernels, ahead, out);
            let ahead = ahead.get(by_run..).unwrap_or_default();
            let by_kernel = if replace {
                let replaced = machine.kernel_lossy(kernels, ahead, out);
                errors += replaced.errors;
                replaced.read
            } else {
                machine.kernel(kernels, ahead, out)
            };
            last_patience = if by_run + by_kernel < LITTLE {
                (2 * last_patience).clamp(LITTLE, 8 * LITTLE)
            } else {
                0
            };
            patience = last_patience;
            let ahead = &ahead[by_kernel..];
            let (mut ran, stop) = run(machine, ahead, last, usize::MAX, replace, out);
            ran.taken += by_run + by_kernel;
            (ran, stop)
        } else {
            let more;
            (bridge, more) = queue.held.bridge(ahead);
            let at_end = last && more == ahead.len();
            run(machine, &bridge[..held + more], at_end, held, replace, out)
        };
        read += queue.take(ran.taken);
        errors += ran.errors;
        match stop {
            Stop::Pause => {}
            Stop::Empty => break Status::InputEmpty,
            Stop::Full => break Status::OutputFull,
            Stop::Incomplete => {
                queue.held.extend(src.get(read..).unwrap_or_default());
                read = src.len();
                break Status::InputEmpty;
            }
            Stop::Fault(fault, next) => {
                let malformed = Malformed {
                    offset: queue.offset - fault.back,
                    len: fault.len,
                    bytes: fault.bytes,
                };
                let strict = matches!(on_malformed, OnMalformed::Stop);
                if !strict && !out.put(char::REPLACEMENT_CHARACTER) {
                    break Status::OutputFull;
                }
                *machine = next;
                read += queue.take(fault.take);
                errors += 1;
                match &mut on_malformed {
                    OnMalformed::Stop => break Status::Malformed(malformed),
                    OnMalformed::Replace => {}
                    OnMalformed::Tell(tell) => tell(malformed),
                }
            }
        }
    };
    Outcome {
        status,
        read,
        errors,
    }
}

/// What [`run`] did.
struct Ran {
    taken: usize,
    errors: usize,
}

/// Why [`run`] stopped.
enum Stop<M> {
    /// The kernel may try, or enough is taken.
    Pause,
    /// Nothing is left.
    Empty,
    /// The next item does not fit.
    Full,
    /// What is left is the front of a sequence.
    Incomplete,
    /// A malformed sequence, not taken yet, and the state after it.
    Fault(Fault, M),
}

/// A malformed sequence.
struct Fault {
    bytes: [u8; 4],
    len: u8,
    /// How far before the front of the input it starts.
    back: u64,
    /// How many bytes to take from the input.
    take: usize,
}

impl Fault {
    #[cold]
    fn at_front(ahead: &[u8], len: usize) -> Self {
        let mut bytes = [0; 4];
        for (to, from) in bytes.iter_mut().zip(ahead).take(len) {
            *to = *from;
        }
        Fault {
            bytes,
            len: len.min(4) as u8,
            back: 0,
            take: len,
        }
    }

    /// The escape sequence before the one that stands at the front.
    #[cold]
    fn escape([a, b, c]: [u8; 3]) -> Self {
        Fault {
            bytes: [a, b, c, 0],
            len: 3,
            back: 3,
            take: 3,
        }
    }
}

/// Lets the machine eat items, at least one, until `enough` bytes are taken or the input looks
/// worth a kernel. With `replace`, U+FFFD is written for malformed sequences, which are often many in
/// a row; but not for escape sequences.
#[inline(always)]
fn run<M: Decode, S: Sink>(
    machine: &mut M,
    src: &[u8],
    at_end: bool,
    enough: usize,
    replace: bool,
    out: &mut S,
) -> (Ran, Stop<M>) {
    let mut taken = 0;
    let mut errors = 0;
    // A copy, so that the state stays in registers.
    let mut state = *machine;
    let stop = loop {
        let ahead = src.get(taken..).unwrap_or_default();
        if taken >= enough {
            break Stop::Pause;
        }
        if ahead.is_empty() {
            break Stop::Empty;
        }
        if taken > 0 && state.wants_kernel(ahead) {
            break Stop::Pause;
        }
        let (item, next) = state.step(ahead, at_end);
        let (fits, len) = match item {
            Item::Char(ch, len) => (out.put(ch), len),
            Item::Pair(first, second, len) => (out.put_pair(first, second), len),
            Item::Nothing(len) => (true, len),
            Item::Malformed(len) if replace => {
                let fits = out.put(char::REPLACEMENT_CHARACTER);
                errors += usize::from(fits);
                (fits, len)
            }
            Item::Malformed(len) => break Stop::Fault(Fault::at_front(ahead, len), next),
            Item::EscapeBehind(escape) => break Stop::Fault(Fault::escape(escape), next),
            Item::Incomplete => break Stop::Incomplete,
        };
        if !fits {
            break Stop::Full;
        }
        state = next;
        taken += len;
    };
    *machine = state;
    (Ran { taken, errors }, stop)
}

/// Encodes `text`, whose first unit is at `offset` in the stream, into `out`. With `last`, writes
/// the escape sequence that the encoder owes at the end.
///
/// A leading surrogate at the end of a text that is not the last is not read.
pub(crate) fn encode<M: Encode, T: Text>(
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
    // Whether the machine has eaten since the kernel stopped.
    let mut kernel_is_due = true;
    let status = loop {
        if kernel_is_due {
            ahead = ahead.skip(state.kernel_with_state(kernels, ahead, out));
            ahead = ahead.skip(state.kernel(kernels, ahead, out));
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
            // What is skipped leaves no escape sequence: it would stand right in front of the next one
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

/// The bytes of `by`, or of `?` where the encoding does not have it: an escape sequence and a
/// character at the most.
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

/// A decimal numeric character reference: `&#` … `;`, at most ten bytes.
struct Ncr {
    /// The bytes, and nothing of use after them.
    bytes: [u8; 16],
    len: usize,
}

impl Ncr {
    fn new(ch: char) -> Self {
        let number = u64::from(u32::from(ch));
        // A byte for each of eight digits, the first one lowest: no step depends on a digit before.
        // Divisions by 100 and by 10 of four digits and of two are multiplications, as exact as they
        // need to be.
        let fours = (number / 10_000) | (number % 10_000) << 32;
        let hundreds = (fours * 10_486) >> 20 & 0x7F_0000_007F;
        let twos = hundreds | (fours - 100 * hundreds) << 16;
        let tens = (twos * 103) >> 10 & 0xF_000F_000F_000F;
        let digits = tens | (twos - 10 * tens) << 8;
        let zeros = (digits.trailing_zeros() & !7).min(56);
        let digits = (digits | 0x3030_3030_3030_3030) >> zeros;
        let len = 8 - (zeros / 8) as usize;
        let text = u128::from(u16::from_le_bytes(*b"&#"))
            | u128::from(digits) << 16
            | u128::from(b';') << (16 + 8 * len);
        Ncr {
            bytes: text.to_le_bytes(),
            len: len + 3,
        }
    }
}
