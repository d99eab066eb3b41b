//! Single-byte encodings by table, 16 bytes at a time.

use core::hint::black_box;
use core::mem::MaybeUninit;

use super::ascii::HIGH_BITS;
use super::blocks::convert_all;
use super::each;
use super::short_single_byte::user_defined_unit;
use crate::simd::buffer::encode_by_utf16;
use crate::simd::kernels::Kernels;
use crate::simd::single_byte::{SingleByteToUtf8, SingleByteToUtf16, UnitsToSingleByte};

/// The number of bytes in a block.
const BLOCK: usize = 16;

/// The bytes that a block takes at most in UTF-8, plus what the last store of four bytes may overrun it by.
const ROOM_OF_BLOCK: usize = 3 * BLOCK + 1;

#[inline(always)]
fn is_ascii(block: &[u8; BLOCK]) -> bool {
    let (words, _) = block.as_chunks::<8>();
    let all = words
        .iter()
        .fold(0, |all, word| all | u64::from_ne_bytes(*word));
    all & HIGH_BITS == 0
}

/// Decodes to UTF-16, up to the first unmapped byte.
pub(in crate::simd) fn single_byte_to_utf16(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    if table.is_full() {
        to_utf16::<true>(table, src, dst)
    } else {
        to_utf16::<false>(table, src, dst)
    }
}

/// Decodes to UTF-16, up to the first unmapped byte; with `FULL`, there is none.
#[inline(always)]
fn to_utf16<const FULL: bool>(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> usize {
    // 0 for an unmapped byte (and for byte 0).
    let code_unit = |byte: u8| u16::from_le_bytes(table.units[usize::from(byte)]);
    let mut done = 0;
    while let Some(block) = src[done..].first_chunk::<BLOCK>()
        && let Some(to) = dst[done..].first_chunk_mut::<BLOCK>()
    {
        if is_ascii(block) {
            each(black_box(block), to, u16::from);
            done += BLOCK;
            continue;
        }
        // The highest bit of a lane is set if a unit is 0: in encodings with unmapped bytes, no unit reaches
        // 8000.
        let mut before = 0;
        let (fours, _) = black_box(block).as_chunks::<4>();
        for (four, to) in fours.iter().zip(to.as_chunks_mut::<4>().0) {
            let mut word = 0;
            for (i, &byte) in four.iter().enumerate() {
                word |= u64::from(code_unit(byte)) << (16 * i);
            }
            before |= word.wrapping_sub(0x0001_0001_0001_0001);
            let units: [u16; 4] = bytemuck::cast(word.to_le());
            *to = units.map(MaybeUninit::new);
        }
        if !FULL && before & 0x8000_8000_8000_8000 != 0 {
            break;
        }
        done += BLOCK;
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

/// Decodes to UTF-8, up to the first unmapped byte. Returns the number of bytes read and written.
pub(in crate::simd) fn single_byte_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    if table.is_full() {
        to_utf8::<true>(table, src, dst)
    } else {
        to_utf8::<false>(table, src, dst)
    }
}

/// Decodes to UTF-8, up to the first unmapped byte; with `FULL`, there is none.
#[inline(always)]
fn to_utf8<const FULL: bool>(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(block) = src[read..].first_chunk::<BLOCK>() {
        let to = &mut dst[written..];
        if is_ascii(block)
            && let Some(to) = to.first_chunk_mut::<BLOCK>()
        {
            *to = block.map(MaybeUninit::new);
            read += BLOCK;
            written += BLOCK;
            continue;
        }
        let Some(to) = to.first_chunk_mut::<ROOM_OF_BLOCK>() else {
            break;
        };
        let Some(len) = block_to_utf8::<FULL>(table, block, to) else {
            break;
        };
        read += BLOCK;
        written += len;
    }
    // The bytes before an unmapped one, or those at the end.
    for &byte in src.get(read..).unwrap_or_default() {
        let utf8 = table.utf8[usize::from(byte)];
        let len = usize::from(utf8[3]);
        let Some(to) = dst[written..].get_mut(..len).filter(|_| len > 0) else {
            break;
        };
        for (to, byte) in to.iter_mut().zip(utf8) {
            to.write(byte);
        }
        read += 1;
        written += len;
    }
    (read, written)
}

/// Writes the UTF-8 of a block. Returns its length in bytes, or `None` if a byte is unmapped.
#[inline(always)]
pub(in crate::simd) fn block_to_utf8<const FULL: bool>(
    table: &SingleByteToUtf8,
    block: &[u8; BLOCK],
    to: &mut [MaybeUninit<u8>; ROOM_OF_BLOCK],
) -> Option<usize> {
    let mut at = 0;
    // Bit 31 is set if one is 0.
    let mut before = 0;
    for &byte in block {
        let utf8 = u32::from_le_bytes(table.utf8[usize::from(byte)]);
        debug_assert!(at + 4 <= ROOM_OF_BLOCK);
        // SAFETY: `SingleByteToUtf8::new` gives no byte more than three bytes of UTF-8, so `at` is at most
        // 45, and four bytes follow.
        let to = unsafe { to.as_mut_ptr().add(at) };
        // SAFETY: these four bytes are inside `to`; bytes need no alignment.
        unsafe { to.cast::<[u8; 4]>().write(utf8.to_le_bytes()) };
        at += (utf8 >> 24) as usize;
        if !FULL {
            before |= utf8.wrapping_sub(1);
        }
    }
    (FULL || before >> 31 == 0).then_some(at)
}

/// Encodes UTF-16 up to the first unit that the encoding lacks. Returns the number of units.
pub(in crate::simd) fn utf16_to_single_byte(
    table: &UnitsToSingleByte,
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

/// Encodes well-formed UTF-8 up to the first character that the encoding lacks, with the ASCII kernel of
/// `kernels`. Returns the number of bytes read and written.
pub(in crate::simd) fn utf8_to_single_byte(
    kernels: &Kernels,
    table: &UnitsToSingleByte,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(to) = dst.get_mut(written) {
        let (byte, len) = match src[read..] {
            [ascii @ ..0x80, next, ..] if next >= 0x80 => (ascii, 1),
            [..0x80, ..] => {
                let run = (kernels.ascii_to_utf8())(&src[read..], &mut dst[written..]);
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

/// Encodes well-formed UTF-8 up to the first character that the encoding lacks, by way of UTF-16 with the
/// kernels of `kernels`; or directly, if the text is short, or for encodings of Latin letters, whose text is mostly
/// ASCII. Returns the number of bytes read and written.
#[cfg_attr(
    not(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    )),
    expect(dead_code, reason = "for kernels with vectors")
)]
pub(in crate::simd) fn utf8_to_single_byte_by_script(
    kernels: &Kernels,
    table: &UnitsToSingleByte,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let has_latin_letters = table.pages[0] < 5;
    // Less than 64 bytes, or up to 288 that begin with mostly ASCII, which take up to a fifth less time directly.
    let is_short = src.first_chunk::<64>().is_none_or(|front| {
        src.len() <= 288 && front.iter().map(|byte| byte >> 7).sum::<u8>() < 16
    });
    if has_latin_letters || is_short {
        return utf8_to_single_byte(kernels, table, src, dst);
    }
    let mut out = (dst, 0);
    let read = encode_by_utf16(
        kernels,
        src,
        &mut out,
        |ascii, (dst, written)| {
            let run = (kernels.ascii_to_utf8())(ascii, &mut dst[*written..]);
            *written += run;
            run
        },
        |units, (dst, written)| {
            let run = (kernels.utf16_to_single_byte())(table, units, &mut dst[*written..]);
            *written += run;
            run
        },
    );
    (read, out.1)
}

/// Decodes x-user-defined.
#[inline(always)]
pub(in crate::simd) fn user_defined_to_utf16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    convert_all(src, dst, user_defined_unit)
}

/// Encodes x-user-defined up to the first unit that it lacks. Returns the number of units.
pub(in crate::simd) fn utf16_to_user_defined(src: &[u16], dst: &mut [MaybeUninit<u8>]) -> usize {
    let is_mapped = |unit: u16| (unit < 0x80) | (unit & 0xFF80 == 0xF780);
    let mut done = 0;
    for (from, to) in src.chunks(32).zip(dst.chunks_mut(32)) {
        let mut all_mapped = true;
        for (&unit, to) in from.iter().zip(to.iter_mut()) {
            // The low byte of a unit is its byte.
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
