//! UTF-16 → two-byte encodings: one look-up a character.

use core::mem::MaybeUninit;

use crate::simd::two_byte_cells::TwoByteCells;
use crate::simd::two_byte_few::few_of_utf_16;

/// Encodes up to the first unit without bytes, or for whose bytes there is no room. Returns the units
/// read and the bytes written.
pub(in crate::simd) fn utf_16_to_two_byte(
    cells: &TwoByteCells,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = few_of_utf_16(cells, src, dst, src.len());
    // Where there is little room.
    while let Some(&unit) = src.get(read)
        && let Some(room) = dst.get_mut(written..)
    {
        if unit < 0x80 {
            let Some(to) = room.first_mut() else { break };
            to.write(unit as u8);
            written += 1;
        } else {
            let (bytes, Some(to)) = (cells.get(unit), room.first_chunk_mut()) else {
                break;
            };
            if bytes == 0 {
                break;
            }
            *to = bytes.to_be_bytes().map(MaybeUninit::new);
            written += 2;
        }
        read += 1;
    }
    (read, written)
}
