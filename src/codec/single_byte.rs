//! The single-byte encodings (section 9): one machine, 27 tables.

use super::tables::{SINGLE_BYTE_BLOCKS, SINGLE_BYTE_CELLS, SINGLE_BYTE_DECODE, Units, unit};
use super::{Bytes, Decode, Emit, Encode, Growth, Item};
use crate::simd::{Kernels, SingleByteCells};
use crate::stream::sink::{ByteOut, Sink};
use crate::stream::source::Text;

/// The decoder and encoder of one single-byte encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleByte {
    /// The code unit of every byte; 0 = unmapped (and byte 0).
    decode: &'static Units<256>,
    /// From code points to bytes.
    encode: SingleByteCells,
}

impl SingleByte {
    /// `table`: the place among the 27 tables.
    pub(crate) fn new(table: u8) -> Self {
        let table = usize::from(table) % SINGLE_BYTE_DECODE.len();
        SingleByte {
            decode: &SINGLE_BYTE_DECODE[table],
            encode: SingleByteCells {
                blocks: &SINGLE_BYTE_BLOCKS[table],
                cells: &SINGLE_BYTE_CELLS,
            },
        }
    }
}

impl Decode for SingleByte {
    #[inline(always)]
    fn step(self, src: &[u8], _: bool) -> (Item, Self) {
        let byte = src[0];
        // Step 2.
        if byte < 0x80 {
            return (Item::Char(char::from(byte), 1), self);
        }
        // Step 3: the index code point for byte − 0x80.
        let code_point = unit(self.decode[usize::from(byte)]);
        let item = match char::from_u32(u32::from(code_point)) {
            // Step 5.
            Some(ch) if code_point != 0 => Item::Char(ch, 1),
            // Step 4.
            _ => Item::Malformed(1),
        };
        (item, self)
    }

    fn kernel<S: Sink>(self, kernels: &Kernels, src: &[u8], out: &mut S) -> usize {
        out.put_single_byte_run(kernels, self.decode, src)
    }

    #[inline(always)]
    fn wants_kernel(self, _: &[u8]) -> bool {
        true
    }
}

impl Encode for SingleByte {
    const GROWTH: Growth = Growth {
        utf_8: 1,
        utf_16: 1,
        extra: 0,
    };

    #[inline(always)]
    fn step(self, ch: char) -> (Emit, Self) {
        let code_point = u32::from(ch);
        // Step 2.
        if code_point < 0x80 {
            return (Emit::Bytes(Bytes::one(code_point as u8)), self);
        }
        // Step 3: the index pointer, as the byte that it stands for.
        let byte = match self.encode.blocks.get((code_point >> 6) as usize) {
            Some(&block) => self.encode.cells[usize::from(block)][(code_point & 63) as usize],
            None => 0,
        };
        let emit = match byte {
            // Step 4.
            0 => Emit::Unmappable(ch),
            // Step 5.
            byte => Emit::Bytes(Bytes::one(byte)),
        };
        (emit, self)
    }

    fn kernel<T: Text>(self, kernels: &Kernels, text: T, out: &mut ByteOut<'_>) -> usize {
        text.run_by_utf_16(kernels, out, |units, out| {
            out.put_single_byte_run(kernels, &self.encode, units)
        })
    }

    #[inline(always)]
    fn wants_kernel<T: Text>(self, _: T) -> bool {
        true
    }
}
