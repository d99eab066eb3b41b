//! ISO-2022-JP: runs of ASCII and of JIS X 0208, and the escape sequences between them, with kernels.

use super::iso_2022_jp::{Iso2022JpDecoder, Iso2022JpEncoder, Mode};
use super::source::{TextSource, starts_with_ascii};
use super::tables::{JIS0208_DECODE, JIS0208_ENCODE, JIS0208_POINTERS};
use crate::output::run::{FromIso2022Jp, ToIso2022Jp};
use crate::output::{ByteOut, Sink};
use crate::simd::fill::Fill;
use crate::simd::{JisState, Katakana, Kernels, PackedIndex, Transcoded, TwoByteCells};

/// Index jis0208 by the bytes of ISO-2022-JP.
pub(super) static INDEX: PackedIndex<JIS0208_POINTERS> = PackedIndex::new(
    &JIS0208_DECODE,
    [(0x21, 0x7E); 2],
    [(0x21, 0x7E); 2],
    Katakana::No,
);

pub(super) static CELLS: TwoByteCells = JIS0208_ENCODE.kernel_cells(0);

/// Decodes from the front of `src` as far as there is room.
#[inline(always)]
pub(super) fn decode<S: Sink>(
    machine: &mut Iso2022JpDecoder,
    kernels: &Kernels,
    src: &[u8],
    out: &mut S,
) -> Transcoded {
    let done = with_state(
        machine,
        #[inline(always)]
        |run| out.run(kernels, run, src),
    );
    done.unwrap_or(Transcoded::NOTHING)
}

/// Decodes from the front of `src` into little room.
#[inline(never)]
pub(super) fn fill<S: Sink>(
    machine: &mut Iso2022JpDecoder,
    kernels: &Kernels,
    src: &[u8],
    out: &mut S,
) -> Fill {
    with_state(machine, |run| out.fill(kernels, run, src)).unwrap_or_default()
}

/// Calls `decode` with the state of `machine`, and keeps the state that it returns; `None` for a state that
/// kernels do not support.
#[inline(always)]
fn with_state<R>(
    machine: &mut Iso2022JpDecoder,
    decode: impl FnOnce(FromIso2022Jp<'_>) -> R,
) -> Option<R> {
    if !matches!(machine.mode, Mode::Ascii | Mode::Jis0208) {
        return None;
    }
    let mut state = JisState {
        pairs: machine.mode == Mode::Jis0208,
        escape: machine.escape,
    };
    let done = decode(FromIso2022Jp {
        index: INDEX.get(),
        state: &mut state,
    });
    *machine = Iso2022JpDecoder {
        mode: if state.pairs {
            Mode::Jis0208
        } else {
            Mode::Ascii
        },
        escape: state.escape,
    };
    Some(done)
}

/// Returns whether `src` starts with ASCII or with pairs, whichever `machine` expects.
#[inline(always)]
pub(super) fn starts_with_run(machine: Iso2022JpDecoder, src: &[u8]) -> bool {
    match machine.mode {
        Mode::Ascii => starts_with_ascii(src),
        Mode::Jis0208 => src
            .first_chunk::<8>()
            .is_some_and(|bytes| bytes.iter().all(|byte| matches!(byte, 0x21..=0x7E))),
        Mode::Roman | Mode::Katakana => false,
    }
}

/// Encodes from the front of `text` as far as there is room; returns the number of units read.
pub(super) fn encode<T: TextSource>(
    machine: &mut Iso2022JpEncoder,
    kernels: &Kernels,
    text: T,
    out: &mut ByteOut<'_>,
) -> usize {
    let mut pairs = match *machine {
        Iso2022JpEncoder::Ascii => false,
        Iso2022JpEncoder::Jis0208 => true,
        Iso2022JpEncoder::Roman => return 0,
    };
    let read = text.run(
        kernels,
        ToIso2022Jp {
            cells: &CELLS,
            pairs: &mut pairs,
        },
        out,
    );
    *machine = if pairs {
        Iso2022JpEncoder::Jis0208
    } else {
        Iso2022JpEncoder::Ascii
    };
    read
}
