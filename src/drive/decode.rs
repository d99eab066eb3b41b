//! The loop of decoders.

use super::Outcome;
use super::queue::{BRIDGE, Queue};
use crate::codec::source::{is_mostly_ascii, starts_with_ascii};
use crate::codec::{AnyDecoder, Decode, Item, on_machine};
use crate::output::Sink;
use crate::progress::{Malformed, Status};
use crate::simd::fill::{Fill, LittleRoom};
use crate::simd::{Kernels, Transcoded};

/// What to do about malformed input: the standard's *error mode*.
pub(crate) enum ErrorMode<'a> {
    /// Return it.
    Stop,
    /// Write U+FFFD.
    Replace,
    /// Write U+FFFD and call the caller's function.
    Tell(&'a mut dyn FnMut(Malformed)),
    /// Write U+FFFD, and keep the first sequence.
    #[cfg(feature = "alloc")]
    KeepFirst(&'a mut Option<Malformed>),
}

impl<'a> ErrorMode<'a> {
    /// Writes U+FFFD, and puts the first sequence into `first` if that is empty.
    #[cfg(feature = "alloc")]
    pub(crate) fn keeping(first: &'a mut Option<Malformed>) -> Self {
        match first {
            Some(_) => ErrorMode::Replace,
            None => ErrorMode::KeepFirst(first),
        }
    }
}

/// If a kernel reads fewer bytes than this, it was not worth its start-up, and the input may be malformed
/// again and again.
const MIN_KERNEL_BYTES: usize = 8;

/// If a kernel stops this many bytes before the end of the input, or fewer, the machine reads the rest.
const SHORT_REST: usize = 24;

/// The operations of a machine that the loop needs. The machine of any encoding passes them on, so there is
/// one loop for all.
pub(crate) trait Machine {
    /// See [`Decode::wants_kernel`].
    fn wants_kernel(&self, src: &[u8]) -> bool;

    /// See [`run_once`].
    fn run<S: Sink>(&mut self, kernels: &Kernels, src: &[u8], replace: bool, out: &mut S) -> Run;

    /// Reads items, at least one.
    fn read_items<S: Sink>(&mut self, items: Items<'_>, out: &mut S) -> ItemsRead;

    /// Changes the state as reading the malformed sequence at the front of `src` does.
    fn pass_malformed(&mut self, src: &[u8], at_end: bool);
}

impl<M: Decode> Machine for M {
    #[inline(always)]
    fn wants_kernel(&self, src: &[u8]) -> bool {
        Decode::wants_kernel(*self, src)
    }

    #[inline(always)]
    fn run<S: Sink>(&mut self, kernels: &Kernels, src: &[u8], replace: bool, out: &mut S) -> Run {
        run_once(self, kernels, src, replace, out)
    }

    #[inline(always)]
    fn read_items<S: Sink>(&mut self, items: Items<'_>, out: &mut S) -> ItemsRead {
        read_items(self, items, out)
    }

    #[inline(always)]
    fn pass_malformed(&mut self, src: &[u8], at_end: bool) {
        if size_of::<M>() > 0 {
            *self = self.step(src, at_end).1;
        }
    }
}

impl Machine for AnyDecoder {
    #[inline(never)]
    fn wants_kernel(&self, src: &[u8]) -> bool {
        on_machine!(AnyDecoder, self, machine => Machine::wants_kernel(machine, src))
    }

    #[inline(always)]
    fn run<S: Sink>(&mut self, kernels: &Kernels, src: &[u8], replace: bool, out: &mut S) -> Run {
        on_machine!(AnyDecoder, self, machine => machine.run(kernels, src, replace, out))
    }

    #[inline(never)]
    fn read_items<S: Sink>(&mut self, items: Items<'_>, out: &mut S) -> ItemsRead {
        on_machine!(AnyDecoder, self, machine => machine.read_items(items, out))
    }

    #[cold]
    #[inline(never)]
    fn pass_malformed(&mut self, src: &[u8], at_end: bool) {
        on_machine!(AnyDecoder, self, machine => machine.pass_malformed(src, at_end));
    }
}

/// Decodes `src`, after what `queue` holds, into `out`. If nothing is held, the machine reads the first item:
/// a kernel stopped before it.
pub(crate) fn decode<M: Machine, S: Sink>(
    machine: &mut M,
    queue: &mut Queue,
    kernels: &Kernels,
    src: &[u8],
    last: bool,
    out: &mut S,
    mut error_mode: ErrorMode<'_>,
) -> Outcome {
    let mut read = 0;
    let mut errors = 0;
    // Whether a kernel has stopped right here.
    let mut stopped_here = true;
    // How many bytes the machine reads because the kernel read little, and how many that was the last time.
    let mut patience: usize = 0;
    let mut last_patience: usize = 0;
    #[cfg_attr(
        not(feature = "alloc"),
        expect(unused_mut, reason = "what keeps the first error allocates")
    )]
    let mut replace = matches!(error_mode, ErrorMode::Replace);
    let status = loop {
        let ahead = src.get(read..).unwrap_or_default();
        let held = queue.held.len();
        if held == 0 && ahead.is_empty() {
            break Status::InputEmpty;
        }
        let bridge: [u8; BRIDGE];
        let waits = held == 0 && patience > 0 && !machine.wants_kernel(ahead);
        let is_short = ahead.len() <= SHORT_REST;
        // The input of the machine: the call's input, or what is held and a little of the call's input.
        let (by_kernel, items, at_end, enough) = if held == 0 && (stopped_here || is_short) {
            (0, ahead, last, usize::MAX)
        } else if waits {
            (0, ahead, last, patience)
        } else if held == 0 {
            let done = machine.run(kernels, ahead, replace, out);
            let by_kernel = done.read;
            errors += done.errors;
            if done.full {
                read += queue.take(by_kernel);
                break Status::OutputFull;
            }
            last_patience = if by_kernel < MIN_KERNEL_BYTES {
                (2 * last_patience).clamp(MIN_KERNEL_BYTES, 8 * MIN_KERNEL_BYTES)
            } else {
                0
            };
            patience = last_patience;
            (
                by_kernel,
                ahead.get(by_kernel..).unwrap_or_default(),
                last,
                usize::MAX,
            )
        } else {
            let more;
            (bridge, more) = queue.held.bridge(ahead);
            let at_end = last && more == ahead.len();
            (0, &bridge[..held + more], at_end, held)
        };
        let done = machine.read_items(
            Items {
                src: items,
                at_end,
                enough,
                without_kernel: is_short,
                replace,
            },
            out,
        );
        stopped_here = false;
        if waits {
            patience = patience.saturating_sub(done.taken);
        }
        read += queue.take(by_kernel + done.taken);
        errors += done.errors;
        match done.end {
            ItemsEnd::Pause => {}
            ItemsEnd::Empty => break Status::InputEmpty,
            ItemsEnd::Full => break Status::OutputFull,
            ItemsEnd::Incomplete => {
                queue.held.extend(src.get(read..).unwrap_or_default());
                read = src.len();
                break Status::InputEmpty;
            }
            ItemsEnd::Malformed(sequence) => {
                let malformed = Malformed {
                    offset: queue.offset - u64::from(sequence.back),
                    len: sequence.len,
                    bytes: sequence.bytes,
                };
                let strict = matches!(error_mode, ErrorMode::Stop);
                if !strict && !out.put(char::REPLACEMENT_CHARACTER) {
                    break Status::OutputFull;
                }
                machine.pass_malformed(items.get(done.taken..).unwrap_or_default(), at_end);
                read += queue.take(sequence.take.into());
                errors += 1;
                match &mut error_mode {
                    ErrorMode::Stop => break Status::Malformed(malformed),
                    ErrorMode::Replace => {}
                    ErrorMode::Tell(tell) => tell(malformed),
                    #[cfg(feature = "alloc")]
                    ErrorMode::KeepFirst(first) => {
                        // Kernels replace the ones after it.
                        first.get_or_insert(malformed);
                        replace = true;
                    }
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

/// The result of [`front`].
pub(crate) enum Front {
    /// A character and its length.
    Char(char, usize),
    /// The front of a character whose rest has not arrived yet.
    Incomplete,
    /// Anything else, or a machine with a state.
    Other,
}

/// Returns what is at the front of `src`.
#[inline(always)]
pub(crate) fn front(machine: &AnyDecoder, src: &[u8]) -> Front {
    match machine {
        // Inlined, pieces of 15 bytes take a tenth less time.
        AnyDecoder::Utf8(machine) => front_by(*machine, src),
        _ => other_front(machine, src),
    }
}

/// [`front`] for all encodings, as a separate function that all outputs share.
#[inline(never)]
fn other_front(machine: &AnyDecoder, src: &[u8]) -> Front {
    on_machine!(AnyDecoder, machine, machine => front_by(*machine, src))
}

#[inline(always)]
fn front_by<M: Decode>(machine: M, src: &[u8]) -> Front {
    if size_of::<M>() > 0 {
        return Front::Other;
    }
    match machine.step(src, false).0 {
        Item::Char(ch, len) => Front::Char(ch, len),
        Item::Incomplete => Front::Incomplete,
        _ => Front::Other,
    }
}

/// The maximum number of bytes of input that are decoded one item at a time. For so few, starting a kernel or
/// [`Decode::fill`] takes longer.
pub(crate) const MAX_SHORT_BYTES: usize = 5;

/// Decodes what `queue` holds, with the bytes of `src` that belong to it, or with all of `src` if that is
/// only a few bytes. Stops before malformed sequences. The second value is the status of the call, if nothing
/// is left to do.
#[inline(always)]
pub(crate) fn decode_short<M: Machine, S: Sink>(
    machine: &mut M,
    queue: &mut Queue,
    src: &[u8],
    last: bool,
    replace: bool,
    out: &mut S,
) -> (Run, Option<Status>) {
    let held = queue.held.len();
    let (bridge, more) = queue.held.bridge(src);
    let is_all = more == src.len();
    let enough = if is_all { usize::MAX } else { held };
    let done = machine.read_items(
        Items {
            src: &bridge[..held + more],
            at_end: last && is_all,
            enough,
            without_kernel: true,
            replace,
        },
        out,
    );
    let mut read = queue.take(done.taken);
    let status = match done.end {
        ItemsEnd::Empty => Some(Status::InputEmpty),
        ItemsEnd::Full => Some(Status::OutputFull),
        ItemsEnd::Incomplete => {
            queue.held.extend(src.get(read..).unwrap_or_default());
            read = src.len();
            Some(Status::InputEmpty)
        }
        ItemsEnd::Pause | ItemsEnd::Malformed(_) => None,
    };
    let run = Run {
        read,
        errors: done.errors,
        full: false,
    };
    (run, status)
}

/// The result of [`decode_run`].
#[derive(Default)]
pub(crate) struct Run {
    pub(crate) read: usize,
    pub(crate) errors: usize,
    /// Whether the next character is well-formed, or replaced, and does not fit.
    pub(crate) full: bool,
}

impl From<Fill> for Run {
    #[inline(always)]
    fn from(fill: Fill) -> Run {
        Run {
            read: fill.read,
            errors: fill.errors,
            full: fill.full,
        }
    }
}

/// Decodes from the front of `src`: with a kernel, or one character at a time if there is little room. With
/// `replace`, U+FFFD may be written for malformed sequences.
#[inline(always)]
fn run_once<M: Decode, S: Sink>(
    machine: &mut M,
    kernels: &Kernels,
    src: &[u8],
    replace: bool,
    out: &mut S,
) -> Run {
    // Where this is called, malformed sequences are likely, between which runs of ASCII are short.
    if replace
        && (replaces_without_kernel(machine, kernels, src, out)
            || kernels.inline_short
                && out.has_less_room_than(M::LITTLE_ROOM_AFTER_ERROR, src.len()))
    {
        return machine.fill_replacing(kernels, src, out).into();
    }
    let little = if replace {
        M::little_room_to_replace(kernels)
    } else {
        M::little_room(kernels)[0]
    };
    if kernels.inline_short && out.has_less_room_than(little, src.len()) {
        return machine.fill(kernels, src, out).into();
    }
    let Transcoded { read, errors, .. } = machine.kernel(kernels, src, replace, out);
    Run {
        read,
        errors,
        full: false,
    }
}

/// Does what [`run_once`] does; if a kernel leaves little room, that is filled as well.
#[inline(always)]
pub(crate) fn decode_run<M: Decode, S: Sink>(
    machine: &mut M,
    kernels: &Kernels,
    src: &[u8],
    replace: bool,
    out: &mut S,
) -> Run {
    let mut run = Run::default();
    let mut rest = src;
    if !has_little_room::<M, S>(kernels, src, out) {
        let Transcoded { read, errors, .. } = machine.kernel(kernels, src, replace, out);
        run = Run {
            read,
            errors,
            full: false,
        };
        rest = src.get(read..).unwrap_or_default();
        if rest.is_empty() {
            return run;
        }
        // Usually nothing else needs to look at the character that does not fit.
        run.full = out.has_less_room_than(LittleRoom::NONE, usize::MAX)
            && machine.starts_with_character(rest);
        if run.full || !has_little_room::<M, S>(kernels, rest, out) {
            return run;
        }
    }
    let filled = machine.fill(kernels, rest, out);
    Run {
        read: run.read + filled.read,
        full: filled.full,
        ..run
    }
}

#[inline(always)]
fn has_little_room<M: Decode, S: Sink>(kernels: &Kernels, src: &[u8], out: &S) -> bool {
    let [little, for_ascii] = M::little_room(kernels);
    kernels.inline_short
        && (out.has_less_room_than(little, src.len())
            || out.has_less_room_than(for_ascii, src.len()) && starts_with_ascii(src))
}

/// Returns whether [`Decode::fill_replacing`] takes less time than a kernel that would start anew after each malformed
/// sequence.
#[inline(always)]
pub(crate) fn replaces_without_kernel<M: Decode, S: Sink>(
    _machine: &M,
    kernels: &Kernels,
    src: &[u8],
    out: &S,
) -> bool {
    kernels.inline_short
        && out.has_less_room_than(M::LITTLE_ROOM_NEAR_ERROR, src.len())
        && is_mostly_ascii(src)
}

/// The input of a machine.
#[derive(Clone, Copy)]
pub(crate) struct Items<'a> {
    src: &'a [u8],
    /// Whether nothing follows `src`.
    at_end: bool,
    /// The number of bytes after which the machine pauses.
    enough: usize,
    /// Whether the machine continues even if the input looks worth a kernel.
    without_kernel: bool,
    /// Whether U+FFFD is written for malformed sequences, of which there are often many in a row; but not for
    /// escape sequences.
    replace: bool,
}

/// What a machine has read.
pub(crate) struct ItemsRead {
    taken: usize,
    errors: usize,
    end: ItemsEnd,
}

/// Why a machine stopped.
enum ItemsEnd {
    /// A kernel may be tried, or enough has been read.
    Pause,
    /// Nothing is left.
    Empty,
    /// The next item does not fit.
    Full,
    /// Only the front of a sequence is left.
    Incomplete,
    /// A malformed sequence, which has not been taken yet.
    Malformed(MalformedSequence),
}

/// A malformed sequence.
struct MalformedSequence {
    bytes: [u8; 4],
    len: u8,
    /// How far before the front of the input it starts.
    back: u8,
    /// How many bytes to take from the input.
    take: u8,
}

impl MalformedSequence {
    #[cold]
    fn at_front(ahead: &[u8], len: usize) -> Self {
        let mut bytes = [0; 4];
        for (to, from) in bytes.iter_mut().zip(ahead).take(len) {
            *to = *from;
        }
        MalformedSequence {
            bytes,
            len: len.min(4) as u8,
            back: 0,
            take: len.min(4) as u8,
        }
    }

    /// The escape sequence before the one at the front.
    #[cold]
    fn escape([a, b, c]: [u8; 3]) -> Self {
        MalformedSequence {
            bytes: [a, b, c, 0],
            len: 3,
            back: 3,
            take: 3,
        }
    }
}

/// Lets the machine read items, at least one.
#[inline(always)]
fn read_items<M: Decode, S: Sink>(machine: &mut M, items: Items<'_>, out: &mut S) -> ItemsRead {
    let mut taken = 0;
    let mut errors = 0;
    // A copy, so that the state stays in registers.
    let mut state = *machine;
    let end = loop {
        let ahead = items.src.get(taken..).unwrap_or_default();
        if taken >= items.enough {
            break ItemsEnd::Pause;
        }
        if ahead.is_empty() {
            break ItemsEnd::Empty;
        }
        if !items.without_kernel && taken > 0 && Decode::wants_kernel(state, ahead) {
            break ItemsEnd::Pause;
        }
        let (item, next) = state.step(ahead, items.at_end);
        let (fits, len) = match item {
            Item::Char(ch, len) => (out.put(ch), len),
            Item::Pair(first, second, len) => (out.put_pair(first, second), len),
            Item::Nothing(len) => (true, len),
            Item::Malformed(len) if items.replace => {
                let fits = out.put(char::REPLACEMENT_CHARACTER);
                errors += usize::from(fits);
                (fits, len)
            }
            Item::Malformed(len) => {
                break ItemsEnd::Malformed(MalformedSequence::at_front(ahead, len));
            }
            Item::EscapeAfterEscape(escape) => {
                break ItemsEnd::Malformed(MalformedSequence::escape(escape));
            }
            Item::Incomplete => break ItemsEnd::Incomplete,
        };
        if !fits {
            break ItemsEnd::Full;
        }
        state = next;
        taken += len;
    };
    *machine = state;
    ItemsRead { taken, errors, end }
}
