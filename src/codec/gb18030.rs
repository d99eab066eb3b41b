//! gb18030 and GBK (section 10).

use super::tables::{GB18030_DECODE, GB18030_ENCODE, GB18030_RANGES};
use super::two_byte::{kernel, kernel_lossy};
use super::{Bytes, Cuts, Decode, Emit, Encode, Growth, Item};
use crate::simd::{Exception, Katakana, Kernels, Transcoded, TwoByte, TwoByteCells, TwoByteIndex};
use crate::stream::byte_out::ByteOut;
use crate::stream::sink::Sink;
use crate::stream::source::Text;

/// The gb18030 decoder, which is GBK's decoder too.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gb18030Decoder;

impl Decode for Gb18030Decoder {
    const CUTS: Cuts = Cuts::AfterAsciiNoDigit;

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
    &GB18030_DECODE,
    [(0x81, 0xFE); 2],
    [(0x40, 0x7E), (0x80, 0xFE)],
    Katakana::No,
);

impl TwoByte for Gb18030Decoder {
    const INDEX: &'static TwoByteIndex = &INDEX;

    #[inline(always)]
    fn is_lead(byte: u8) -> bool {
        matches!(byte, 0x81..=0xFE)
    }

    #[inline(always)]
    fn is_exception(byte: u8, next: u8) -> bool {
        // The euro sign, and sequences of four bytes.
        (byte == 0x80) | next.is_ascii_digit()
    }

    #[inline(always)]
    fn exception(src: &[u8]) -> Exception {
        decode(src, false).into()
    }
}

#[inline(always)]
fn decode(src: &[u8], at_end: bool) -> Item {
    let first = src[0];
    match first {
        // Step 6.
        0x00..=0x7F => return Item::Char(char::from(first), 1),
        // Step 8.
        0x81..=0xFE => {}
        // Step 7.
        0x80 => return Item::Char('\u{20AC}', 1),
        // Step 9.
        0xFF => return Item::Malformed(1),
    }
    let Some(&byte) = src.get(1) else {
        return Item::cut_short(src, at_end);
    };
    // Step 5.3.
    let offset = if byte < 0x7F { 0x40 } else { 0x41 };
    // Step 5.4.
    if !matches!(byte, 0x40..=0x7E | 0x80..=0xFE) {
        return match byte {
            // Step 5.1.
            0x30..=0x39 => four_bytes(src, at_end),
            _ => Item::malformed_pair(byte),
        };
    }
    let pointer = (usize::from(first) - 0x81) * 190 + (usize::from(byte) - offset);
    // Step 5.5.
    let code_point = INDEX.at(pointer);
    match char::from_u32(u32::from(code_point)) {
        // Step 5.6.
        Some(ch) if code_point != 0 => Item::Char(ch, 2),
        // Steps 5.7 and 5.8.
        _ => Item::malformed_pair(byte),
    }
}

/// Steps 3 and 4: `src` starts with a first byte and a digit.
#[inline(always)]
fn four_bytes(src: &[u8], at_end: bool) -> Item {
    let Some(&third) = src.get(2) else {
        return Item::cut_short(src, at_end);
    };
    // Step 4.2: the second byte and this one are restored.
    if !(0x81..=0xFE).contains(&third) {
        return Item::Malformed(1);
    }
    let Some(&fourth) = src.get(3) else {
        return Item::cut_short(src, at_end);
    };
    // Step 3.1: the second and third byte and this one are restored.
    if !fourth.is_ascii_digit() {
        return Item::Malformed(1);
    }
    // Step 3.2.
    let pointer = (u32::from(src[0]) - 0x81) * (10 * 126 * 10)
        + (u32::from(src[1]) - 0x30) * (10 * 126)
        + (u32::from(third) - 0x81) * 10
        + (u32::from(fourth) - 0x30);
    match ranges_code_point(pointer) {
        Some(ch) => Item::Char(ch, 4),
        None => Item::Malformed(4),
    }
}

/// *Index gb18030 ranges code point* (section 5).
#[inline(never)]
fn ranges_code_point(pointer: u32) -> Option<char> {
    // Step 1.
    if matches!(pointer, 39420..189_000 | 1_237_576..) {
        return None;
    }
    // Step 2.
    if pointer == 7457 {
        return Some('\u{E7C7}');
    }
    // Steps 3 and 4.
    let (offset, code_point_offset) = last_range(|[range, _]| range <= pointer)?;
    char::from_u32(code_point_offset + pointer - offset)
}

/// *Index gb18030 ranges pointer* (section 5).
#[inline(never)]
fn ranges_pointer(code_point: u32) -> Option<u32> {
    // Step 1.
    if code_point == 0xE7C7 {
        return Some(7457);
    }
    // Steps 2 and 3.
    let (pointer_offset, offset) = last_range(|[_, range]| range <= code_point)?;
    Some(pointer_offset + code_point - offset)
}

/// The last pair of pointer and code point in index gb18030 ranges that is not above what is
/// looked for. Both columns of the index ascend.
fn last_range(not_above: impl Fn([u32; 2]) -> bool) -> Option<(u32, u32)> {
    let read = |row: &[[u8; 4]; 2]| row.map(u32::from_le_bytes);
    let above = GB18030_RANGES.partition_point(|row| not_above(read(row)));
    let [pointer, code_point] = read(GB18030_RANGES.get(above.checked_sub(1)?)?);
    Some((pointer, code_point))
}

/// The gb18030 encoder; `GBK` is the standard's *is GBK*.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gb18030Encoder<const GBK: bool>;

impl<const GBK: bool> Encode for Gb18030Encoder<GBK> {
    const GROWTH: Growth = Growth {
        utf8: 2,
        utf16: 4,
        extra: 0,
    };

    #[inline(always)]
    fn step(self, ch: char) -> (Emit, Self) {
        let emit = if ch.is_ascii() {
            // Step 2.
            Emit::Bytes(Bytes::one(ch as u8))
        } else if GBK && ch == '\u{20AC}' {
            // Step 4.
            Emit::Bytes(Bytes::one(0x80))
        } else {
            // The index has neither U+E5E5 (step 3) nor the private-use code points that have bytes
            // of their own, so that both can wait until it says no.
            match GB18030_ENCODE.get(u32::from(ch)) {
                0 => outside_the_index::<GBK>(ch),
                bytes => Emit::Bytes(Bytes::two(bytes.to_be_bytes())),
            }
        };
        (emit, self)
    }

    fn kernel<T: Text>(self, kernels: &Kernels, text: T, out: &mut ByteOut<'_>) -> usize {
        text.two_byte_run(kernels, if GBK { &GBK_CELLS } else { &CELLS }, out)
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

pub(super) static CELLS: TwoByteCells = GB18030_ENCODE.kernel_cells(0);

/// GBK has one byte for the euro sign, whose block has nothing else.
pub(super) static GBK_CELLS: TwoByteCells = GB18030_ENCODE.kernel_cells(0).without_block_of(0x20AC);

#[inline(never)]
fn outside_the_index<const GBK: bool>(ch: char) -> Emit {
    let code_point = u32::from(ch);
    // Step 3: A3 A0 decodes to U+3000, so U+E5E5 can't make the round trip.
    if code_point == 0xE5E5 {
        return Emit::Unmappable(ch);
    }
    // Private-use code points that GB18030-2022 moved: their old bytes still stand for them here.
    if let Some((_, bytes)) = SIDE_TABLE.iter().find(|(moved, _)| *moved == code_point) {
        return Emit::Bytes(Bytes::two(bytes.to_be_bytes()));
    }
    // GBK has no four-byte forms.
    if GBK {
        return Emit::Unmappable(ch);
    }
    let Some(mut pointer) = ranges_pointer(code_point) else {
        return Emit::Unmappable(ch);
    };
    let byte1 = pointer / (10 * 126 * 10);
    pointer %= 10 * 126 * 10;
    let byte2 = pointer / (10 * 126);
    pointer %= 10 * 126;
    let byte3 = pointer / 10;
    let byte4 = pointer % 10;
    Emit::Bytes(Bytes::four([
        (byte1 + 0x81) as u8,
        (byte2 + 0x30) as u8,
        (byte3 + 0x81) as u8,
        (byte4 + 0x30) as u8,
    ]))
}

/// The gb18030 encoder's table of 18 private-use code points and their two bytes.
static SIDE_TABLE: [(u32, u16); 18] = [
    (0xE78D, 0xA6D9),
    (0xE78E, 0xA6DA),
    (0xE78F, 0xA6DB),
    (0xE790, 0xA6DC),
    (0xE791, 0xA6DD),
    (0xE792, 0xA6DE),
    (0xE793, 0xA6DF),
    (0xE794, 0xA6EC),
    (0xE795, 0xA6ED),
    (0xE796, 0xA6F3),
    (0xE81E, 0xFE59),
    (0xE826, 0xFE61),
    (0xE82B, 0xFE66),
    (0xE82C, 0xFE67),
    (0xE832, 0xFE6D),
    (0xE843, 0xFE7E),
    (0xE854, 0xFE90),
    (0xE864, 0xFEA0),
];
