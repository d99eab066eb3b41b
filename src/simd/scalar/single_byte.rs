//! Single-byte encodings: by table, eight or 16 bytes at a time.

use core::mem::MaybeUninit;

use super::ascii::HIGH_BITS;
use crate::simd::buffer::encode_by_utf_16;
use crate::simd::kernels::Kernels;
use crate::simd::single_byte::SingleByteTable;

#[inline(always)]
fn is_ascii(block: &[u8; 16]) -> bool {
    block.iter().fold(0, |all, byte| all | byte) < 0x80
}

/// Decodes up to the first unmapped byte.
pub(in crate::simd) fn single_byte_to_utf_16(
    table: &SingleByteTable,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    // 0 for an unmapped byte (and for the byte 0).
    let code_unit = |byte: u8| u16::from_le_bytes(table.units[usize::from(byte)]);
    let mut done = 0;
    'blocks: while let Some(block) = src[done..].first_chunk::<16>()
        && let Some(to) = dst[done..].first_chunk_mut::<16>()
    {
        if is_ascii(block) {
            // Loops of an unknown length become vectors more often than those of a known one do.
            let (blocks, _) = src[done..].as_chunks::<16>();
            let ascii = blocks.iter().take(16).take_while(|block| is_ascii(block));
            let run = (16 * ascii.count()).min(dst.len() - done);
            for (to, &byte) in dst[done..].iter_mut().zip(&src[done..][..run]) {
                to.write(u16::from(byte));
            }
            done += run;
            continue;
        }
        for (block, to) in block
            .as_chunks::<8>()
            .0
            .iter()
            .zip(to.as_chunks_mut::<8>().0)
        {
            let units = block.map(code_unit);
            *to = units.map(MaybeUninit::new);
            if units.contains(&0) {
                break 'blocks;
            }
            done += 8;
        }
    }
    for (&byte, to) in src[done..].iter().zip(&mut dst[done..]) {
        let unit = code_unit(byte);
        if unit == 0 && byte != 0 {
            break;
        }
        to.write(unit);
        done += 1;
    }
    done
}

/// Decodes up to the first unmapped byte, with the ASCII kernel of `kernels`. Returns the bytes
/// read and the bytes written.
pub(in crate::simd) fn single_byte_to_utf_8(
    kernels: &Kernels,
    table: &SingleByteTable,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    // Eight bytes, and the most that the stores of four bytes for each touch.
    while let Some(block) = src[read..].first_chunk::<8>()
        && let Some(to) = dst[written..].first_chunk_mut::<{ 3 * 8 + 1 }>()
    {
        if u64::from_ne_bytes(*block) & HIGH_BITS == 0 {
            let run = (kernels.ascii_to_utf_8)(&src[read..], &mut dst[written..]);
            read += run;
            written += run;
            continue;
        }
        let mut at = 0;
        let mut mapped = 0x80;
        for &byte in block {
            let utf_8 = table.utf_8[usize::from(byte)];
            let len = utf_8[3];
            // SAFETY: the bytes before have written three bytes each at the most, so that `at` is at
            // most 21, and four bytes follow.
            let to = unsafe { to.as_mut_ptr().add(at) };
            // SAFETY: as above; bytes need no alignment.
            unsafe { to.cast::<[u8; 4]>().write(utf_8) };
            at += usize::from(len & 3);
            // Bit 7 stays where no length is 0.
            mapped &= len + 0x7F;
        }
        if mapped == 0 {
            break;
        }
        read += 8;
        written += at;
    }
    // The bytes before an unmapped one, or those at the end.
    for &byte in &src[read..] {
        let utf_8 = table.utf_8[usize::from(byte)];
        let len = usize::from(utf_8[3]);
        let Some(to) = dst[written..].get_mut(..len).filter(|_| len > 0) else {
            break;
        };
        for (to, byte) in to.iter_mut().zip(utf_8) {
            to.write(byte);
        }
        read += 1;
        written += len;
    }
    (read, written)
}

/// Encodes UTF-16 up to the first unit that the encoding does not have. Returns the number of units.
pub(in crate::simd) fn utf_16_to_single_byte(
    table: &SingleByteTable,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let cells = table.cells;
    let mut done = 0;
    'blocks: while let Some(block) = src[done..].first_chunk::<16>()
        && let Some(to) = dst[done..].first_chunk_mut::<16>()
    {
        if block.iter().fold(0, |all, unit| all | unit) < 0x80 {
            for (to, &unit) in to.iter_mut().zip(block) {
                to.write(unit as u8);
            }
            done += 16;
            continue;
        }
        for (block, to) in block
            .as_chunks::<8>()
            .0
            .iter()
            .zip(to.as_chunks_mut::<8>().0)
        {
            let bytes = block.map(|unit| cells.get(unit));
            *to = bytes.map(MaybeUninit::new);
            if bytes.contains(&0) {
                break 'blocks;
            }
            done += 8;
        }
    }
    for (&unit, to) in src[done..].iter().zip(&mut dst[done..]) {
        let byte = cells.get(unit);
        if byte == 0 && unit != 0 {
            break;
        }
        to.write(byte);
        done += 1;
    }
    done
}

/// Encodes well-formed UTF-8 up to the first character that the encoding does not have, with the
/// ASCII kernel of `kernels`. Returns the bytes read and the bytes written.
pub(in crate::simd) fn utf_8_to_single_byte(
    kernels: &Kernels,
    table: &SingleByteTable,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(to) = dst.get_mut(written) {
        let (byte, len) = match src[read..] {
            [ascii @ ..0x80, next, ..] if next >= 0x80 => (ascii, 1),
            [..0x80, ..] => {
                let run = (kernels.ascii_to_utf_8)(&src[read..], &mut dst[written..]);
                read += run;
                written += run;
                if run == 0 {
                    break;
                }
                continue;
            }
            [lead @ 0xC0..0xE0, last, ..] => {
                let unit = u16::from(lead & 0x1F) << 6 | u16::from(last & 0x3F);
                (table.cells.get(unit), 2)
            }
            [lead @ 0xE0..0xF0, middle, last, ..] => {
                let unit =
                    u16::from(lead) << 12 | u16::from(middle & 0x3F) << 6 | u16::from(last & 0x3F);
                (table.cells.get(unit), 3)
            }
            _ => break,
        };
        if byte == 0 && len > 1 {
            break;
        }
        to.write(byte);
        read += len;
        written += 1;
    }
    (read, written)
}

/// The same, by way of UTF-16 with the kernels of `kernels` unless most of the text is ASCII.
pub(in crate::simd) fn utf_8_to_single_byte_by_script(
    kernels: &Kernels,
    table: &SingleByteTable,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    // Latin letters.
    if table.pages[0] < 5 {
        return utf_8_to_single_byte(kernels, table, src, dst);
    }
    let mut out = (dst, 0);
    let read = encode_by_utf_16(
        kernels,
        src,
        &mut out,
        |ascii, (dst, written)| {
            let run = (kernels.ascii_to_utf_8)(ascii, &mut dst[*written..]);
            *written += run;
            run
        },
        |units, (dst, written)| {
            let run = (kernels.utf_16_to_single_byte)(table, units, &mut dst[*written..]);
            *written += run;
            run
        },
    );
    (read, out.1)
}

/// Encodes x-user-defined up to the first unit that it does not have. Returns the number of units.
pub(in crate::simd) fn utf_16_to_user_defined(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> usize {
    let is_mapped = |unit: u16| (unit < 0x80) | (unit & 0xFF80 == 0xF780);
    let mut done = 0;
    for (from, to) in src.chunks(32).zip(dst.chunks_mut(32)) {
        let mut all_mapped = true;
        for (&unit, to) in from.iter().zip(to.iter_mut()) {
            // The low byte of a unit is the byte that stands for it.
            to.write(unit as u8);
            all_mapped &= is_mapped(unit);
        }
        let count = from.len().min(to.len());
        if !all_mapped {
            let units = from.iter().take(count);
            return done + units.take_while(|&&unit| is_mapped(unit)).count();
        }
        done += count;
    }
    done
}
