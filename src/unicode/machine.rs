//! State machines for the forms that are not encodings of the standard, and a way to run any state machine
//! over a whole slice with `drive/`.

use bytemuck::NoUninit;

use super::{Conversion, Invalid, Stop};
use crate::codec::{Decode, Item};
use crate::drive::{self, ErrorMode, Queue};
use crate::output::run::{FromLatin1, FromUtf32};
use crate::output::{Nowhere, Sink};
use crate::progress::Status;
use crate::simd::{self, Kernels, Transcoded};

/// Latin-1: every byte is a character.
#[derive(Clone, Copy)]
pub(super) struct Latin1;

impl Decode for Latin1 {
    #[inline(always)]
    fn step(self, src: &[u8], _: bool) -> (Item, Self) {
        (Item::Char(char::from(src[0]), 1), self)
    }

    fn kernel<S: Sink>(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        _: bool,
        out: &mut S,
    ) -> Transcoded {
        out.run(kernels, FromLatin1, src)
    }

    #[inline(always)]
    fn wants_kernel(self, _: &[u8]) -> bool {
        true
    }
}

/// UTF-32, as the bytes of native code units.
#[derive(Clone, Copy)]
pub(super) struct Utf32;

impl Decode for Utf32 {
    #[inline(always)]
    fn step(self, src: &[u8], _: bool) -> (Item, Self) {
        let item = match src.first_chunk::<4>() {
            Some(unit) => match char::from_u32(u32::from_ne_bytes(*unit)) {
                Some(ch) => Item::Char(ch, 4),
                None => Item::Malformed(4),
            },
            // Not reached: these are the bytes of whole units.
            None => Item::Malformed(src.len()),
        };
        (item, self)
    }

    fn kernel<S: Sink>(
        &mut self,
        kernels: &Kernels,
        src: &[u8],
        _: bool,
        out: &mut S,
    ) -> Transcoded {
        let units = bytemuck::try_cast_slice(src).unwrap_or_default();
        let done = out.run(kernels, FromUtf32, units);
        Transcoded {
            read: 4 * done.read,
            ..done
        }
    }

    #[inline(always)]
    fn wants_kernel(self, _: &[u8]) -> bool {
        true
    }
}

/// Converts up to the first malformed sequence or unmappable character.
pub(super) fn strict<U: NoUninit>(
    machine: impl Decode,
    src: &[U],
    mut out: impl Sink,
) -> Conversion {
    run(machine, src, &mut out, ErrorMode::Stop)
}

/// Converts, with U+FFFD for each malformed sequence.
pub(super) fn lossy<U: NoUninit>(
    machine: impl Decode,
    src: &[U],
    mut out: impl Sink,
) -> Conversion {
    run(machine, src, &mut out, ErrorMode::Replace)
}

/// Converts from the front of `src`, as far as there is room.
pub(super) fn run<U: NoUninit>(
    mut machine: impl Decode,
    src: &[U],
    out: &mut impl Sink,
    error_mode: ErrorMode<'_>,
) -> Conversion {
    let strict = matches!(error_mode, ErrorMode::Stop);
    let replace = matches!(error_mode, ErrorMode::Replace);
    let bytes_a_unit = size_of::<U>();
    let (bytes, kernels) = (bytemuck::cast_slice(src), simd::active());
    let run = drive::decode_run(&mut machine, kernels, bytes, replace, out);
    let rest = bytes.get(run.read..).unwrap_or_default();
    let mut outcome = if rest.is_empty() {
        drive::Outcome::EMPTY
    } else {
        let queue = &mut Queue::default();
        drive::decode(&mut machine, queue, kernels, rest, true, out, error_mode)
    };
    outcome.read += run.read;
    outcome.errors += run.errors;
    let (stop, read) = match outcome.status {
        Status::InputEmpty => (Stop::InputEmpty, outcome.read),
        // `drive/` has read the malformed sequence; a `Conversion` stops before it.
        Status::Malformed(malformed) => {
            let len = usize::from(malformed.len);
            let stop = Stop::Malformed {
                len: len / bytes_a_unit,
            };
            (stop, outcome.read - len)
        }
        // A decoder never returns `Unmappable`: the output has refused a character.
        Status::OutputFull | Status::Unmappable { .. } => match out.refused() {
            Some(ch) => (Stop::Unmappable { ch }, outcome.read),
            None => (Stop::OutputFull, outcome.read),
        },
    };
    Conversion {
        stop,
        read: read / bytes_a_unit,
        written: out.written(),
        replaced: if strict {
            0
        } else {
            out.replaced().unwrap_or(outcome.errors)
        },
    }
}

/// Reads to the first malformed sequence. The first `valid` units are known to be well-formed.
pub(super) fn validate<U: NoUninit>(
    machine: impl Decode,
    src: &[U],
    valid: usize,
) -> Result<(), Invalid> {
    let rest = src.get(valid..).unwrap_or_default();
    let done = strict(machine, rest, Nowhere);
    match done.stop {
        Stop::Malformed { len } => Err(Invalid {
            offset: valid + done.read,
            len,
        }),
        _ => Ok(()),
    }
}
