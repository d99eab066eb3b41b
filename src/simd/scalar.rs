//! Every kernel in plain Rust: what machines without a better one use, and the oracle of the tests.

use core::mem::MaybeUninit;

use super::Kernels;

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The number of ASCII bytes at the front of eight bytes that are not all ASCII; `high` is the word
/// masked with `HIGH_BITS`, read little-endian.
#[inline(always)]
fn ascii_bytes_below(high: u64) -> usize {
    (high.trailing_zeros() / 8) as usize
}

/// The length of the ASCII prefix.
pub(super) fn ascii_prefix(src: &[u8]) -> usize {
    let (words, rest) = src.as_chunks::<8>();
    for (i, word) in words.iter().enumerate() {
        let high = u64::from_le_bytes(*word) & HIGH_BITS;
        if high != 0 {
            return 8 * i + ascii_bytes_below(high);
        }
    }
    8 * words.len() + rest.iter().take_while(|byte| byte.is_ascii()).count()
}

/// Copies the ASCII prefix.
pub(super) fn ascii_to_utf_8(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    copy_ascii(src, dst, |byte| byte)
}

/// Widens the ASCII prefix.
pub(super) fn ascii_to_utf_16(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    copy_ascii(src, dst, u16::from)
}

#[inline(always)]
fn copy_ascii<T>(src: &[u8], dst: &mut [MaybeUninit<T>], widen: impl Fn(u8) -> T) -> usize {
    let len = src.len().min(dst.len());
    let (words, rest) = src[..len].as_chunks::<8>();
    let (to_words, to_rest) = dst[..len].as_chunks_mut::<8>();
    for (i, (word, to)) in words.iter().zip(to_words).enumerate() {
        let high = u64::from_le_bytes(*word) & HIGH_BITS;
        for (to, &byte) in to.iter_mut().zip(word) {
            to.write(widen(byte));
        }
        if high != 0 {
            return 8 * i + ascii_bytes_below(high);
        }
    }
    let mut copied = 8 * words.len();
    for (&byte, to) in rest.iter().zip(to_rest) {
        if !byte.is_ascii() {
            break;
        }
        to.write(widen(byte));
        copied += 1;
    }
    copied
}

#[inline(always)]
fn code_unit<const BE: bool>(bytes: [u8; 2]) -> u16 {
    if BE {
        u16::from_be_bytes(bytes)
    } else {
        u16::from_le_bytes(bytes)
    }
}

/// Narrows the ASCII prefix of UTF-16.
pub(super) fn utf_16_to_ascii<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u8>]) -> usize {
    let units = src.as_chunks::<2>().0;
    let mut copied = 0;
    for (unit, to) in units.iter().zip(dst) {
        let unit = code_unit::<BE>(*unit);
        if unit >= 0x80 {
            break;
        }
        to.write(unit as u8);
        copied += 1;
    }
    copied
}

/// Copies UTF-16 up to the first surrogate.
pub(super) fn utf_16_to_utf_16<const BE: bool>(src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    const BLOCK: usize = 16;
    let units = src.as_chunks::<2>().0;
    let is_surrogate = |unit: u16| unit & 0xF800 == 0xD800;
    let (blocks, _) = units.as_chunks::<BLOCK>();
    let (to_blocks, _) = dst.as_chunks_mut::<BLOCK>();
    let mut copied = 0;
    for (block, to) in blocks.iter().zip(to_blocks) {
        let block = block.map(code_unit::<BE>);
        *to = block.map(MaybeUninit::new);
        if block
            .iter()
            .fold(false, |any, &unit| any | is_surrogate(unit))
        {
            break;
        }
        copied += BLOCK;
    }
    for (unit, to) in units[copied..].iter().zip(&mut dst[copied..]) {
        let unit = code_unit::<BE>(*unit);
        if is_surrogate(unit) {
            break;
        }
        to.write(unit);
        copied += 1;
    }
    copied
}

/// The length of the longest well-formed prefix.
pub(super) fn utf_8_valid_prefix(src: &[u8]) -> usize {
    match core::str::from_utf8(src) {
        Ok(_) => src.len(),
        Err(error) => error.valid_up_to(),
    }
}

/// Converts well-formed UTF-8, with the validation and the ASCII kernel of `kernels`.
pub(super) fn utf_8_to_utf_16(
    kernels: &Kernels,
    src: &[u8],
    dst: &mut [MaybeUninit<u16>],
) -> (usize, usize) {
    /// Validated bytes should still be in the first-level cache when they are converted.
    const WINDOW: usize = 4 * 1024;
    let (mut read, mut written) = (0, 0);
    loop {
        // No character has more units than bytes, so that the window fits.
        let window = (src.len() - read).min(dst.len() - written).min(WINDOW);
        let window = &src[read..read + window];
        let valid = (kernels.utf_8_valid_prefix)(window);
        written += convert(kernels, &window[..valid], &mut dst[written..]);
        read += valid;
        // A window may end inside a character: the next one starts with it.
        if valid == 0 || valid + 3 < window.len() {
            return (read, written);
        }
    }
}

/// Converts UTF-8 that is known to be well-formed; returns the units written.
fn convert(kernels: &Kernels, src: &[u8], dst: &mut [MaybeUninit<u16>]) -> usize {
    let continuation = |byte: u8| u16::from(byte & 0x3F);
    let mut src = src;
    let mut written = 0;
    loop {
        let room = dst.get_mut(written..).unwrap_or_default();
        match (src, room) {
            (&[a, b, c, d, e, f, g, h, ..], room)
                if u64::from_ne_bytes([a, b, c, d, e, f, g, h]) & HIGH_BITS == 0 =>
            {
                let run = (kernels.ascii_to_utf_16)(src, room);
                if run == 0 {
                    return written;
                }
                src = &src[run..];
                written += run;
            }
            (&[a @ ..0x80, ref rest @ ..], [to, ..]) => {
                to.write(u16::from(a));
                src = rest;
                written += 1;
            }
            (&[a @ ..0xE0, b, ref rest @ ..], [to, ..]) => {
                to.write(u16::from(a & 0x1F) << 6 | continuation(b));
                src = rest;
                written += 1;
            }
            (&[a @ ..0xF0, b, c, ref rest @ ..], [to, ..]) => {
                to.write(u16::from(a) << 12 | continuation(b) << 6 | continuation(c));
                src = rest;
                written += 1;
            }
            (&[a, b, c, d, ref rest @ ..], [to, to_trail, ..]) => {
                let code_point = u32::from(a & 7) << 18
                    | u32::from(continuation(b)) << 12
                    | u32::from(continuation(c)) << 6
                    | u32::from(continuation(d));
                to.write((0xD7C0 + (code_point >> 10)) as u16);
                to_trail.write((0xDC00 + (code_point & 0x3FF)) as u16);
                src = rest;
                written += 2;
            }
            _ => return written,
        }
    }
}
