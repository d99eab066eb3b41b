//! Single-byte encodings for text of which many bytes are unmapped, because it is in another encoding.
//! Nothing here branches on whether a byte is unmapped: that would be unpredictable.

use core::mem::MaybeUninit;

use crate::simd::kernels::Transcoded;
use crate::simd::single_byte::{SingleByteToUtf8, SingleByteToUtf16};
use crate::simd::two_byte::decode::put_four;
use crate::simd::uninit::room_at;

/// The number of bytes after which the code checks whether all of them were mapped.
const BLOCK: usize = 16;

/// The number of units that are stored for a byte. At most three of them stay.
const STORED_UNITS: usize = 4;

/// The units that a block takes at most, plus what the store for its last byte may overrun them by.
const ROOM_OF_BLOCK: usize = 3 * BLOCK + 1;

/// The replacement character U+FFFD.
const REPLACEMENT: u16 = 0xFFFD;
const REPLACEMENT_UTF8: u32 = u32::from_le_bytes([0xEF, 0xBF, 0xBD, 3]);

/// Decodes from the front of `src` to UTF-16, with U+FFFD in place of unmapped bytes, until about `enough`
/// bytes in a row were mapped, or there is not ample room.
pub(crate) fn single_byte_to_utf16_lossy(
    table: &SingleByteToUtf16,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
    enough: usize,
) -> Transcoded {
    by_blocks(src, dst, enough, |byte, to| {
        let unit = u16::from_le_bytes(table.units[usize::from(byte)]);
        let is_unmapped = (unit == 0) & !byte.is_ascii();
        to[0].write(if is_unmapped { REPLACEMENT } else { unit });
        (1, is_unmapped)
    })
}

/// Decodes from the front of `src` to UTF-8, with U+FFFD in place of unmapped bytes, until about `enough`
/// bytes in a row were mapped, or there is not ample room.
pub(crate) fn single_byte_to_utf8_lossy(
    table: &SingleByteToUtf8,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    enough: usize,
) -> Transcoded {
    by_blocks(src, dst, enough, |byte, to| {
        let utf8 = u32::from_le_bytes(table.utf8[usize::from(byte)]);
        let is_unmapped = utf8 == 0;
        let utf8 = if is_unmapped { REPLACEMENT_UTF8 } else { utf8 };
        put_four(to, utf8);
        ((utf8 >> 24) as usize, is_unmapped)
    })
}

/// Calls `put` for each byte, which writes it and returns the number of units that stay, and whether the byte
/// is unmapped.
#[inline(always)]
fn by_blocks<To>(
    src: &[u8],
    dst: &mut [MaybeUninit<To>],
    enough: usize,
    put: impl Fn(u8, &mut [MaybeUninit<To>; STORED_UNITS]) -> (usize, bool),
) -> Transcoded {
    let mut done = Transcoded::default();
    let mut mapped = 0;
    for block in src.chunks(BLOCK) {
        let room = dst.get_mut(done.written..).unwrap_or_default();
        let Some(room) = room
            .first_chunk_mut::<ROOM_OF_BLOCK>()
            .filter(|_| mapped < enough)
        else {
            break;
        };
        let mut len = 0;
        let mut errors = 0;
        for &byte in block {
            if let Some(to) = room_at(room, len) {
                let (units, is_unmapped) = put(byte, to);
                len += units;
                errors += usize::from(is_unmapped);
            }
        }
        mapped = if errors == 0 { mapped + BLOCK } else { 0 };
        done.read += block.len();
        done.written += len;
        done.errors += errors;
    }
    done
}
