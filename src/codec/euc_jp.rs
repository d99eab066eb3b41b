//! EUC-JP (section 12.1).

use super::tables::{JIS0208_DECODE, JIS0208_ENCODE, JIS0212_DECODE, unit};
use super::two_byte::{kernel, kernel_lossy};
use super::{Bytes, Cuts, Decode, Emit, Encode, Growth, Item};
use crate::simd::{Exception, Katakana, Kernels, Transcoded, TwoByte, TwoByteCells, TwoByteIndex};
use crate::stream::byte_out::ByteOut;
use crate::stream::sink::Sink;
use crate::stream::source::Text;

/// The EUC-JP decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct EucJp;

impl Decode for EucJp {
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
    &JIS0208_DECODE,
    [(0xA1, 0xFE); 2],
    [(0xA1, 0xFE); 2],
    Katakana::Behind8E,
);

impl TwoByte for EucJp {
    const INDEX: &'static TwoByteIndex = &INDEX;

    #[inline(always)]
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0xA1..=0xFE)
    }

    #[inline(always)]
    fn is_exception(byte: u8, _: u8) -> bool {
        // Half-width katakana, and sequences of three bytes.
        matches!(byte, 0x8E | 0x8F)
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
        // Step 6.
        0x00..=0x7F => return Item::Char(char::from(lead), 1),
        // Step 7.
        0xA1..=0xFE => {}
        0x8E => return half_width_katakana(src, at_end),
        0x8F => return jis0212(src, at_end),
        // Step 8.
        _ => return Item::Malformed(1),
    }
    let Some(&byte) = src.get(1) else {
        return Item::cut_short(src, at_end);
    };
    // Step 5.2.
    if !(0xA1..=0xFE).contains(&byte) {
        return Item::malformed_pair(byte);
    }
    let pointer = (usize::from(lead) - 0xA1) * 94 + (usize::from(byte) - 0xA1);
    let code_point = INDEX.at(pointer);
    match char::from_u32(u32::from(code_point)) {
        // Step 5.4.
        Some(ch) if code_point != 0 => Item::Char(ch, 2),
        // Steps 5.5 and 5.6.
        _ => Item::malformed_pair(byte),
    }
}

/// Step 3: lead 8E.
#[inline(always)]
fn half_width_katakana(src: &[u8], at_end: bool) -> Item {
    match src.get(1) {
        None => Item::cut_short(src, at_end),
        Some(&byte @ 0xA1..=0xDF) => {
            let code_point = 0xFF61 - 0xA1 + u32::from(byte);
            Item::Char(char::from_u32(code_point).unwrap_or('\u{FFFD}'), 2)
        }
        Some(&byte) => Item::malformed_pair(byte),
    }
}

/// Step 4: lead 8F, then step 5 with *EUC-JP jis0212* true.
#[inline(always)]
fn jis0212(src: &[u8], at_end: bool) -> Item {
    let lead = match src.get(1) {
        None => return Item::cut_short(src, at_end),
        Some(&lead @ 0xA1..=0xFE) => lead,
        Some(&byte) => return Item::malformed_pair(byte),
    };
    let Some(&byte) = src.get(2) else {
        return Item::cut_short(&src[..2], at_end);
    };
    if (0xA1..=0xFE).contains(&byte) {
        let pointer = (usize::from(lead) - 0xA1) * 94 + (usize::from(byte) - 0xA1);
        let code_point = JIS0212_DECODE.get(pointer).map_or(0, |&entry| unit(entry));
        if let Some(ch) = char::from_u32(u32::from(code_point))
            && code_point != 0
        {
            return Item::Char(ch, 3);
        }
    }
    // Steps 5.5 and 5.6.
    Item::Malformed(if byte.is_ascii() { 2 } else { 3 })
}

impl Encode for EucJp {
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
            // Step 7. Index jis0208 has none of the code points of steps 3 to 6, so that these can
            // wait until it says no.
            match JIS0208_ENCODE.get(u32::from(ch)) {
                0 => unmapped_code_point(ch),
                // Steps 9 to 11.
                row_and_cell => Emit::Bytes(Bytes::two((row_and_cell | 0x8080).to_be_bytes())),
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

pub(super) static CELLS: TwoByteCells = JIS0208_ENCODE.kernel_cells(0x8080);

/// Steps 3 to 6 and step 8.
#[inline(never)]
fn unmapped_code_point(ch: char) -> Emit {
    match ch {
        '\u{A5}' => Emit::Bytes(Bytes::one(0x5C)),
        '\u{203E}' => Emit::Bytes(Bytes::one(0x7E)),
        '\u{FF61}'..='\u{FF9F}' => {
            let trail = (u32::from(ch) - 0xFF61 + 0xA1) as u8;
            Emit::Bytes(Bytes::two([0x8E, trail]))
        }
        '\u{2212}' => match JIS0208_ENCODE.get(0xFF0D) {
            0 => Emit::Unmappable(ch),
            row_and_cell => Emit::Bytes(Bytes::two((row_and_cell | 0x8080).to_be_bytes())),
        },
        _ => Emit::Unmappable(ch),
    }
}
