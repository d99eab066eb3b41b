//! Malformed text: alternates between a loop that does not stop at malformed sequences, and kernels for
//! well-formed runs.

use super::source::starts_with_ascii;
use crate::output::Sink;
use crate::simd::Transcoded;

/// The maximum number of well-formed bytes in a row to wait for before a kernel is tried.
const MAX_WELL_FORMED_RUN: usize = 256;

/// Decodes from the front of `src` with `lossy` and `run` in turn, until both stop. `lossy` is given a number
/// of bytes, and returns once that many in a row were well-formed; then `run`, a kernel, is tried, and
/// returns the number of bytes read. The number of bytes starts with `first`. It doubles (up to
/// [`MAX_WELL_FORMED_RUN`]) when the kernel did not read enough to be worth its start-up, and returns to
/// `first` when it did.
#[inline(never)]
pub(super) fn by_turns<S: Sink>(
    src: &[u8],
    out: &mut S,
    first: usize,
    lossy: &dyn Fn(&mut S, &[u8], usize) -> Transcoded,
    run: &dyn Fn(&mut S, &[u8]) -> usize,
) -> Transcoded {
    let before = out.written();
    let (mut read, mut errors) = (0, 0);
    let mut enough = first;
    loop {
        let part = lossy(out, src.get(read..).unwrap_or_default(), enough);
        read += part.read;
        errors += part.errors;
        let ahead = src.get(read..).unwrap_or_default();
        let run = if part.read >= enough || starts_with_ascii(ahead) {
            run(out, ahead)
        } else {
            0
        };
        if part.read >= enough {
            enough = if run < 2 * first {
                (2 * enough).min(MAX_WELL_FORMED_RUN)
            } else {
                first
            };
        }
        read += run;
        if part.read + run == 0 {
            break;
        }
    }
    Transcoded {
        read,
        written: out.written() - before,
        errors,
    }
}
