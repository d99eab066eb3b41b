//! Single-byte encodings by table, 16 bytes at a time.

use core::mem::MaybeUninit;

use super::ascii::HIGH_BITS;
use super::blocks::convert_all;
use super::fill::{Fill, FillSource, Front, GROUP, fill};
use super::latin1::narrow;
use super::short_single_byte::{each, put_sixteen_ascii, user_defined_unit, write_each};
use crate::simd::buffer::encode_by_utf16;
use crate::simd::kernels::Kernels;
use crate::simd::single_byte::{SingleByteToUtf8, SingleByteToUtf16, UnitsToSingleByte};

/// The number of bytes in a block.
const BLOCK: usize = 16;

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
    by_blocks(src, dst, put_sixteen_ascii, |byte| table.unit(byte))
}

/// Decodes blocks to UTF-8, up to one with an unmapped byte or that may not fit; with `FULL`, all bytes are mapped.
/// Returns the number of bytes read and written.
#[inline(always)]
fn blocks_to_utf8<const FULL: bool>(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(block) = src[read..].first_chunk::<BLOCK>() {
        let room = &mut dst[written..];
        written += if is_ascii(block)
            && let Some(to) = room.first_chunk_mut::<BLOCK>()
        {
            *to = block.map(MaybeUninit::new);
            BLOCK
        } else if let Some(len) = put_all::<BLOCK, FULL>(table, block, room) {
            len
        } else {
            break;
        };
        read += BLOCK;
    }
    (read, written)
}

/// Text in a single-byte encoding.
#[derive(Clone, Copy)]
struct Source<'a>(&'a SingleByteToUtf8);

impl FillSource<u8> for Source<'_> {
    type From = u8;
    const ASCII_UNITS: usize = 1;
    const ASCII_BY_FRONT: bool = true;

    /// Into room for 64 bytes, German takes 0.8 times as long.
    #[inline(always)]
    fn put_group(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        put_all::<GROUP, false>(self.0, src.first_chunk()?, to)
    }

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<Front> {
        let units = u32::from_le_bytes(self.0.utf8[usize::from(*src.first()?)]);
        let written = (units >> 24) as usize;
        (written > 0).then_some(Front::new(units, written, 1))
    }
}

/// Writes the UTF-8 of all `bytes`. Returns its length; `None` if a byte is unmapped, or there may be too little room.
#[inline(always)]
fn put_all<const N: usize, const FULL: bool>(
    table: &SingleByteToUtf8,
    bytes: &[u8; N],
    to: &mut [MaybeUninit<u8>],
) -> Option<usize> {
    // At most three bytes each, but four are written.
    if to.len() <= 3 * N {
        return None;
    }
    let mut at = 0;
    // Bit 31 is set if one is 0.
    let mut before = 0;
    for &byte in bytes {
        let utf8 = u32::from_le_bytes(table.utf8[usize::from(byte)]);
        // SAFETY: `SingleByteToUtf8::new` gives no byte more than three bytes of UTF-8, so `at` is at most `3 * N - 3`
        // here, and four bytes follow.
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

/// Decodes to UTF-8, up to the first unmapped byte. Returns the number of bytes read and written.
pub(in crate::simd) fn single_byte_to_utf8(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (read, written) = if table.is_full() {
        blocks_to_utf8::<true>(table, src, dst)
    } else {
        blocks_to_utf8::<false>(table, src, dst)
    };
    let rest = fill_utf8(table, &src[read..], &mut dst[written..]);
    (read + rest.read, written + rest.written)
}

/// Decodes to UTF-8 into little room.
#[inline(never)]
pub(crate) fn fill_utf8(table: &SingleByteToUtf8, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Fill {
    fill(Source(table), src, dst)
}

/// Encodes UTF-16 up to the first unit that the encoding lacks. Returns the number of units.
pub(in crate::simd) fn utf16_to_single_byte(
    table: &UnitsToSingleByte,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
) -> usize {
    let put_ascii = |block: &[u16; BLOCK], to: &mut [_; BLOCK]| {
        let is_ascii = block.iter().fold(0, |all, unit| all | unit) < 0x80;
        if is_ascii {
            write_each(block, to, |unit| unit as u8);
        }
        is_ascii
    };
    by_blocks(src, dst, put_ascii, |unit| table.cells.get(unit))
}

/// Converts unit by unit, up to the first for which `convert` gives 0, except that 0 stands for itself. `put_ascii`
/// converts a block if it is ASCII, and returns whether it is. Returns the number of units.
#[inline(always)]
fn by_blocks<From, To>(
    src: &[From],
    dst: &mut [MaybeUninit<To>],
    put_ascii: impl Fn(&[From; BLOCK], &mut [MaybeUninit<To>; BLOCK]) -> bool,
    convert: impl Fn(From) -> To + Copy,
) -> usize
where
    From: Copy + Into<u32>,
    To: Copy + Into<u32>,
{
    let mut done = 0;
    while let Some(block) = src[done..].first_chunk()
        && let Some(to) = dst[done..].first_chunk_mut()
        && (put_ascii(block, to) || each(block, to, convert))
    {
        done += BLOCK;
    }
    for (&unit, to) in src[done..].iter().zip(&mut dst[done..]) {
        let converted = convert(unit);
        if converted.into() == 0 && unit.into() != 0 {
            break;
        }
        to.write(converted);
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
    // The low byte of a unit is its byte.
    narrow::<_, 16>(
        src,
        dst,
        |unit| unit as u8,
        |unit| (unit >= 0x80) & (unit & 0xFF80 != 0xF780),
    )
}
