//! The encodings of one and two bytes: where they call which kernel.

use super::Item;
use super::lossy::by_turns;
use crate::simd::{Exception, Kernels, Transcoded, TwoByte};
use crate::stream::sink::Sink;

/// Well-formed bytes in a row after which a kernel is worth its start-up.
const ENOUGH: usize = 32;

/// So many bytes are short.
const SHORT: usize = 64;

/// [`super::Decode::kernel`] of such an encoding.
#[inline(always)]
pub(super) fn kernel<E: TwoByte, S: Sink>(kernels: &Kernels, src: &[u8], out: &mut S) -> usize {
    if src.len() <= SHORT && kernels.inline_short {
        return out.put_short_two_byte::<E>(src);
    }
    out.put_two_byte_run(kernels, E::INDEX, src)
}

/// [`super::Decode::kernel_lossy`] of such an encoding.
pub(super) fn kernel_lossy<E: TwoByte, S: Sink>(
    kernels: &Kernels,
    src: &[u8],
    out: &mut S,
) -> Transcoded {
    if !kernels.inline_short {
        return Transcoded::default();
    }
    by_turns(
        src,
        out,
        ENOUGH,
        |out, src, enough| out.put_two_byte_lossy::<E>(src, enough),
        |out, src| out.put_long_two_byte_run(kernels, E::INDEX, src),
    )
}

impl From<Item> for Exception {
    #[inline(always)]
    fn from(item: Item) -> Self {
        match item {
            Item::Char(ch, len) => Exception::Char(ch, len),
            Item::Malformed(len) => Exception::Malformed(len),
            _ => Exception::Other,
        }
    }
}
