//! The encodings of one and two bytes: where they call which kernel.

use super::Item;
use crate::simd::{Beside, Few, Kernels, Replaced, TwoByte};
use crate::stream::sink::Sink;
use crate::stream::source::starts_with_ascii;

/// Well-formed bytes in a row behind which a kernel is worth its start-up. Twice as many where it was
/// not, up to the second number.
const ENOUGH: usize = 32;
const AT_MOST: usize = 256;

/// So many bytes are short.
const SHORT: usize = 64;

/// [`super::Decode::kernel`] of such an encoding.
#[inline(always)]
pub(super) fn kernel<E: TwoByte, S: Sink>(kernels: &Kernels, src: &[u8], out: &mut S) -> usize {
    if src.len() <= SHORT && kernels.few != Few::No {
        return out.put_short_two_byte::<E>(src);
    }
    out.put_two_byte_run(kernels, E::INDEX, src)
}

/// [`super::Decode::kernel_lossy`] of such an encoding.
pub(super) fn kernel_lossy<E: TwoByte, S: Sink>(
    kernels: &Kernels,
    src: &[u8],
    out: &mut S,
) -> Replaced {
    if kernels.few == Few::No {
        return Replaced::default();
    }
    let before = out.written();
    let (mut read, mut errors) = (0, 0);
    let mut enough = ENOUGH;
    loop {
        let part = out.put_two_byte_lossy::<E>(src.get(read..).unwrap_or_default(), enough);
        read += part.read;
        errors += part.errors;
        let ahead = src.get(read..).unwrap_or_default();
        let run = if part.read >= enough || starts_with_ascii(ahead) {
            out.put_long_two_byte_run(kernels, E::INDEX, ahead)
        } else {
            0
        };
        if part.read >= enough {
            enough = if run < 2 * ENOUGH {
                (2 * enough).min(AT_MOST)
            } else {
                ENOUGH
            };
        }
        read += run;
        if part.read + run == 0 {
            break;
        }
    }
    Replaced {
        read,
        written: out.written() - before,
        errors,
    }
}

impl From<Item> for Beside {
    #[inline(always)]
    fn from(item: Item) -> Self {
        match item {
            Item::Char(ch, len) => Beside::Char(ch, len),
            Item::Malformed(len) => Beside::Malformed(len),
            _ => Beside::Other,
        }
    }
}
