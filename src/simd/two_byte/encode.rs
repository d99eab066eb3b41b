//! UTF-16 and UTF-8 → two-byte encodings, run by run, like `decode.rs` in the other direction.

use core::mem::MaybeUninit;

use super::cells::TwoByteCells;
use super::decode::OneByOne;
use crate::simd::flat::Words;
use crate::simd::kernels::Kernels;

/// The number of characters that are looked up at a time.
pub(in crate::simd) const GROUP: usize = 8;

/// Finds the bytes of a code unit.
pub(in crate::simd) trait FindBytes: Copy {
    /// Returns the two bytes of a code unit, the first one in the lower half; 0 if it has none, as for ASCII.
    fn bytes(self, unit: u16) -> u16;
}

impl FindBytes for &Words {
    #[inline(always)]
    fn bytes(self, unit: u16) -> u16 {
        self[usize::from(unit)]
    }
}

impl FindBytes for &TwoByteCells {
    #[inline(always)]
    fn bytes(self, unit: u16) -> u16 {
        self.get(unit).swap_bytes()
    }
}

/// The form that text is read in.
pub(in crate::simd) trait Source: Copy {
    /// The code unit of the text.
    type Unit: Copy + Into<u32>;

    /// Copies ASCII from the front, as far as there is room; returns its length.
    fn put_ascii(self, src: &[Self::Unit], to: &mut [MaybeUninit<u8>]) -> usize;

    /// Writes the bytes of the characters at the front, up to the first that has none, or an unusual one.
    /// Returns the number of units read and of bytes written; `None` near the end of either slice.
    fn put_group(
        self,
        look_up: impl FindBytes,
        src: &[Self::Unit],
        to: &mut [MaybeUninit<u8>],
    ) -> Option<(usize, usize)>;

    /// Returns the code unit of the character at the front, which is not ASCII, and its length; `None` if it
    /// is not in the Basic Multilingual Plane.
    fn front(self, src: &[Self::Unit]) -> Option<(u16, usize)>;
}

/// Reads UTF-16, with the kernel `ascii` for runs of ASCII.
#[derive(Clone, Copy)]
pub(in crate::simd) struct FromUtf16<Ascii> {
    pub(in crate::simd) ascii: Ascii,
}

impl<Ascii> Source for FromUtf16<Ascii>
where
    Ascii: Fn(&[u16], &mut [MaybeUninit<u8>]) -> usize + Copy,
{
    type Unit = u16;

    #[inline(always)]
    fn put_ascii(self, src: &[u16], to: &mut [MaybeUninit<u8>]) -> usize {
        (self.ascii)(src, to)
    }

    #[inline(always)]
    fn put_group(
        self,
        look_up: impl FindBytes,
        src: &[u16],
        to: &mut [MaybeUninit<u8>],
    ) -> Option<(usize, usize)> {
        let units = src.first_chunk::<GROUP>()?;
        let to = to.first_chunk_mut::<{ 2 * GROUP }>()?;
        for (i, (&unit, to)) in units.iter().zip(to.as_chunks_mut::<2>().0).enumerate() {
            let bytes = look_up.bytes(unit);
            if bytes == 0 {
                return Some((i, 2 * i));
            }
            put_two(to, bytes);
        }
        Some((GROUP, 2 * GROUP))
    }

    #[inline(always)]
    fn front(self, src: &[u16]) -> Option<(u16, usize)> {
        Some((*src.first()?, 1))
    }
}

/// Copies ASCII from the front, as far as there is room, a long run with the kernel of `kernels`; returns its
/// length.
#[inline(always)]
pub(in crate::simd) fn put_utf16_ascii(
    kernels: &Kernels,
    src: &[u16],
    to: &mut [MaybeUninit<u8>],
) -> usize {
    const CHUNK: usize = 8;
    const MIN_KERNEL_UNITS: usize = 8 * CHUNK;
    let mut run = 0;
    while let Some(from) = src.get(run..).and_then(<[_]>::first_chunk::<CHUNK>)
        && let Some(to) = to.get_mut(run..).and_then(<[_]>::first_chunk_mut::<CHUNK>)
    {
        for (&unit, to) in from.iter().zip(to) {
            to.write(unit as u8);
        }
        let len = ascii_prefix(from);
        run += len;
        if len < CHUNK {
            return run;
        }
        if run == MIN_KERNEL_UNITS {
            break;
        }
    }
    if run == MIN_KERNEL_UNITS {
        return run + kernels.narrow(&src[run..], &mut to[run..]);
    }
    // Near the end of either slice.
    for (&unit, to) in src[run..].iter().zip(&mut to[run..]) {
        if unit >= 0x80 {
            break;
        }
        to.write(unit as u8);
        run += 1;
    }
    run
}

/// Returns how many of the units at the front are ASCII. If the word were made of units by shifts, they would be extracted
/// from the vector one by one, and pages would take 1.4 times as long.
#[inline(always)]
fn ascii_prefix(units: &[u16; 8]) -> usize {
    const ABOVE: u128 = u128::MAX / 0xFFFF * 0xFF80;
    let word: u128 = bytemuck::cast(units.map(u16::to_le));
    ((word.to_le() & ABOVE).trailing_zeros() / 16) as usize
}

/// Reads well-formed UTF-8, with the kernel `ascii` for runs of ASCII, and `threes` for characters that are read together.
#[derive(Clone, Copy)]
pub(in crate::simd) struct FromUtf8<Ascii, Threes> {
    pub(in crate::simd) ascii: Ascii,
    pub(in crate::simd) threes: Threes,
}

/// The number of bytes of a group of characters of three bytes each.
pub(in crate::simd) const BYTES_OF_GROUP: usize = 3 * GROUP;

/// How characters of three bytes are read.
pub(in crate::simd) trait ReadThrees: Copy {
    /// Returns a function that gives the code unit of the `i`-th character, or 0 if it is shorter or longer than three
    /// bytes; if an earlier one is, any unit.
    fn units(self, from: &[u8; BYTES_OF_GROUP]) -> impl Fn(usize) -> u16;
}

impl<F: Fn(&[u8; BYTES_OF_GROUP]) -> [u16; GROUP] + Copy> ReadThrees for F {
    #[inline(always)]
    fn units(self, from: &[u8; BYTES_OF_GROUP]) -> impl Fn(usize) -> u16 {
        let units = self(from);
        move |i| units[i]
    }
}

impl ReadThrees for OneByOne {
    #[inline(always)]
    fn units(self, from: &[u8; BYTES_OF_GROUP]) -> impl Fn(usize) -> u16 {
        |i| match from.as_chunks().0[i] {
            [a @ 0xE0..=0xEF, b, c] => unit([a, b, c]),
            _ => 0,
        }
    }
}

impl<Ascii, Threes> Source for FromUtf8<Ascii, Threes>
where
    Ascii: Fn(&[u8], &mut [MaybeUninit<u8>]) -> usize + Copy,
    Threes: ReadThrees,
{
    type Unit = u8;

    #[inline(always)]
    fn put_ascii(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> usize {
        (self.ascii)(src, to)
    }

    #[inline(always)]
    fn put_group(
        self,
        look_up: impl FindBytes,
        src: &[u8],
        to: &mut [MaybeUninit<u8>],
    ) -> Option<(usize, usize)> {
        let src = src.first_chunk::<BYTES_OF_GROUP>()?;
        let to = to.first_chunk_mut::<{ 2 * GROUP }>()?;
        let unit = self.threes.units(src);
        for (i, to) in to.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let bytes = look_up.bytes(unit(i));
            if bytes == 0 {
                return Some((3 * i, 2 * i));
            }
            put_two(to, bytes);
        }
        Some((BYTES_OF_GROUP, 2 * GROUP))
    }

    #[inline(always)]
    fn front(self, src: &[u8]) -> Option<(u16, usize)> {
        let bits = |byte: u8| u16::from(byte & 0x3F);
        match *src {
            [a @ 0xC2..=0xDF, b, ..] => Some((bits(a & 0x1F) << 6 | bits(b), 2)),
            [a @ 0xE0..=0xEF, b, c, ..] => Some((unit([a, b, c]), 3)),
            _ => None,
        }
    }
}

/// Returns the code unit of a character of three bytes.
#[inline(always)]
fn unit([a, b, c]: [u8; 3]) -> u16 {
    let bits = |byte: u8| u16::from(byte & 0x3F);
    u16::from(a) << 12 | bits(b) << 6 | bits(c)
}

/// Writes two bytes.
#[inline(always)]
pub(in crate::simd) fn put_two(to: &mut [MaybeUninit<u8>; 2], bytes: u16) {
    // SAFETY: the array has the two bytes that are written; no alignment is needed.
    unsafe { to.as_mut_ptr().cast::<u16>().write_unaligned(bytes.to_le()) };
}

/// Encodes from the front of `src`, up to a character that has no bytes or does not fit, or until
/// `most_runs`, which each run of ASCII counts down, is 0. Returns the number of units read and of bytes
/// written.
#[inline(always)]
pub(in crate::simd) fn encode<S: Source>(
    source: S,
    cells: &TwoByteCells,
    most_runs: &mut usize,
    src: &[S::Unit],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    match cells.flat(src.len()) {
        Some(flat) => encode_with(source, flat, most_runs, src, dst),
        None => {
            let done = encode_with(source, cells, most_runs, src, dst);
            cells.count(done.0);
            done
        }
    }
}

/// Encodes as [`encode`] does, with the bytes that `look_up` finds.
#[inline(always)]
pub(in crate::simd) fn encode_with<S: Source>(
    source: S,
    look_up: impl FindBytes,
    most_runs: &mut usize,
    src: &[S::Unit],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let room = dst.get_mut(written..).unwrap_or_default();
        let (taken, put) = put_groups(source, look_up, &src[read..], room);
        read += taken;
        written += put;
        let ahead = src.get(read..).unwrap_or_default();
        let room = dst.get_mut(written..).unwrap_or_default();
        let Some(&first) = ahead.first() else { break };
        if first.into() < 0x80 {
            let run = source.put_ascii(ahead, room);
            *most_runs -= 1;
            if run == 0 {
                break;
            }
            read += run;
            written += run;
            if *most_runs == 0 {
                break;
            }
            continue;
        }
        let Some((unit, len)) = source.front(ahead) else {
            break;
        };
        let bytes = look_up.bytes(unit);
        let Some(to) = room.first_chunk_mut().filter(|_| bytes != 0) else {
            break;
        };
        put_two(to, bytes);
        read += len;
        written += 2;
    }
    (read, written)
}

/// Writes the bytes of characters by groups, up to the first that has none, or an unusual one, or the end of
/// either slice. Returns the number of units read and of bytes written.
#[inline(always)]
pub(in crate::simd) fn put_groups<S: Source>(
    source: S,
    look_up: impl FindBytes,
    src: &[S::Unit],
    to: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(ahead) = src.get(read..)
        && let Some(room) = to.get_mut(written..)
        && let Some((taken, put)) = source.put_group(look_up, ahead, room)
    {
        read += taken;
        written += put;
        if put < 2 * GROUP {
            break;
        }
    }
    (read, written)
}
