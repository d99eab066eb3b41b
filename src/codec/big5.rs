//! Big5 (section 11.1).

use super::tables::{BIG5_ASTRAL, BIG5_DECODE, BIG5_DECODE_BMP, BIG5_ENCODE, unit};
use super::two_byte::{kernel, kernel_lossy};
use super::{Bytes, Cuts, Decode, Emit, Encode, Growth, Item};
use crate::simd::{Exception, Katakana, Kernels, Transcoded, TwoByte, TwoByteCells, TwoByteIndex};
use crate::stream::byte_out::ByteOut;
use crate::stream::sink::Sink;
use crate::stream::source::Text;

/// The Big5 decoder and encoder.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Big5;

impl Decode for Big5 {
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
    &BIG5_DECODE_BMP,
    [(0x81, 0xFE); 2],
    [(0x40, 0x7E), (0xA1, 0xFE)],
    Katakana::No,
);

impl TwoByte for Big5 {
    const INDEX: &'static TwoByteIndex = &INDEX;

    #[inline(always)]
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x81..=0xFE)
    }

    #[inline(always)]
    fn is_exception(byte: u8, next: u8) -> bool {
        // Code points above U+FFFF, and pairs of code points.
        let pointer = INDEX.pointer(byte, next);
        pointer < BIG5_DECODE.len() && BIG5_DECODE[pointer] != [0; 2]
            || (byte == 0x88 && matches!(next, 0x62 | 0x64 | 0xA3 | 0xA5))
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
    let offset = if byte < 0x7F { 0x40 } else { 0x62 };
    // Step 3.2.
    if !matches!(byte, 0x40..=0x7E | 0xA1..=0xFE) {
        return Item::malformed_pair(byte);
    }
    let pointer = (usize::from(lead) - 0x81) * 157 + (usize::from(byte) - offset);
    let code_point = BIG5_DECODE.get(pointer).map_or(0, |&entry| unit(entry));
    if code_point == 0 {
        // Steps 3.3, 3.6 and 3.7.
        return match two_code_points(pointer) {
            Some((first, second)) => Item::Pair(first, second, 2),
            None => Item::malformed_pair(byte),
        };
    }
    // Steps 3.4 and 3.5.
    let astral = BIG5_ASTRAL[pointer / 8] >> (pointer % 8) & 1;
    match char::from_u32(u32::from(astral) << 17 | u32::from(code_point)) {
        Some(ch) => Item::Char(ch, 2),
        None => Item::malformed_pair(byte),
    }
}

/// Step 3.3: the pointers that stand for two code points, which no index can hold.
#[cold]
fn two_code_points(pointer: usize) -> Option<(char, char)> {
    match pointer {
        1133 => Some(('\u{CA}', '\u{304}')),
        1135 => Some(('\u{CA}', '\u{30C}')),
        1164 => Some(('\u{EA}', '\u{304}')),
        1166 => Some(('\u{EA}', '\u{30C}')),
        _ => None,
    }
}

impl Encode for Big5 {
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
            // Step 3: the table is made from *index Big5 pointer*, with its exclusions.
            match BIG5_ENCODE.get(u32::from(ch)) {
                // Step 4.
                0 => Emit::Unmappable(ch),
                // Steps 5 to 8.
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

pub(super) static CELLS: TwoByteCells = BIG5_ENCODE.kernel_cells(0);
