//! EUC-KR (section 13.1).

use super::tables::{EUC_KR_DECODE, EUC_KR_ENCODE};
use super::two_byte::{kernel, kernel_lossy};
use super::{Bytes, Cuts, Decode, Emit, Encode, Growth, Item};
use crate::simd::{Exception, Katakana, Kernels, Transcoded, TwoByte, TwoByteCells, TwoByteIndex};
use crate::stream::byte_out::ByteOut;
use crate::stream::sink::Sink;
use crate::stream::source::Text;

/// The EUC-KR decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EucKr;

impl Decode for EucKr {
    const CUTS: Cuts = Cuts::AfterAscii;

    #[inline(always)]
    fn step(self, src: &[u8], at_end: bool) -> (Item, Self) {
        (decode(src, at_end), self)
    }

    fn kernel<S: Sink>(self, kernels: &Kernels, src: &[u8], out: &mut S) -> usize {
        kernel::<Self, S>(kernels, src, out)
    }

    fn kernel_lossy<S: Sink>(self, kernels: &Kernels, src: &[u8], out: &mut S) -> Transcoded {
        kernel_lossy::<Self, S>(kernels, src, out)
    }

    #[inline(always)]
    fn wants_kernel(self, _: &[u8]) -> bool {
        true
    }

    #[inline(always)]
    fn few<S: Sink>(self, src: &[u8], out: &mut S) -> bool {
        out.put_few_of_ascii(src)
    }
}

pub(super) static INDEX: TwoByteIndex = TwoByteIndex::new(
    &EUC_KR_DECODE,
    [(0x81, 0xFE); 2],
    [(0x41, 0xFE); 2],
    Katakana::No,
);

impl TwoByte for EucKr {
    const INDEX: &'static TwoByteIndex = &INDEX;

    #[inline(always)]
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x81..=0xFE)
    }

    #[inline(always)]
    fn is_exception(_: u8, _: u8) -> bool {
        false
    }

    #[inline(always)]
    fn exception(src: &[u8]) -> Exception {
        decode(src, false).into()
    }
}

#[inline(always)]
fn decode(src: &[u8], at_end: bool) -> Item {
    let lead = src[0];
    match lead {
        // Step 4.
        0x00..=0x7F => return Item::Char(char::from(lead), 1),
        // Step 5.
        0x81..=0xFE => {}
        // Step 6.
        0x80 | 0xFF => return Item::Malformed(1),
    }
    let Some(&byte) = src.get(1) else {
        return Item::cut_short(src, at_end);
    };
    // Step 3.1.
    if !(0x41..=0xFE).contains(&byte) {
        return Item::malformed_pair(byte);
    }
    let pointer = (usize::from(lead) - 0x81) * 190 + (usize::from(byte) - 0x41);
    // Step 3.2.
    let code_point = INDEX.at(pointer);
    match char::from_u32(u32::from(code_point)) {
        // Step 3.3.
        Some(ch) if code_point != 0 => Item::Char(ch, 2),
        // Steps 3.4 and 3.5.
        _ => Item::malformed_pair(byte),
    }
}

impl Encode for EucKr {
    const GROWTH: Growth = Growth {
        utf8: 1,
        utf16: 2,
        extra: 0,
    };

    #[inline(always)]
    fn step(self, ch: char) -> (Emit, Self) {
        let emit = if ch.is_ascii() {
            // Step 2.
            Emit::Bytes(Bytes::one(ch as u8))
        } else {
            // Step 3.
            match EUC_KR_ENCODE.get(u32::from(ch)) {
                // Step 4.
                0 => Emit::Unmappable(ch),
                // Steps 5 to 7.
                bytes => Emit::Bytes(Bytes::two(bytes.to_be_bytes())),
            }
        };
        (emit, self)
    }

    fn kernel<T: Text>(self, kernels: &Kernels, text: T, out: &mut ByteOut<'_>) -> usize {
        text.two_byte_run(kernels, &CELLS, out)
    }

    #[inline(always)]
    fn wants_kernel<T: Text>(self, _: T) -> bool {
        true
    }

    #[inline(always)]
    fn few<T: Text>(self, text: T, out: &mut ByteOut<'_>) -> bool {
        text.few_of_ascii(out)
    }
}

pub(super) static CELLS: TwoByteCells = EUC_KR_ENCODE.kernel_cells(0);
