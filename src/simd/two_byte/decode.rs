//! Two-byte encodings → UTF-16 and UTF-8, run by run: pairs, ASCII, pairs, …
//!
//! A run needs no set-up, and its pairs one look-up and one store each, so this is the fastest way through
//! text whose runs are long enough for the processor to predict where they end. It is plain Rust; a table of
//! kernels compiles it for its instruction set.

use core::mem::MaybeUninit;

use super::index::{KATAKANA, Katakana, TwoByteIndex};
use crate::simd::flat::Words;
use crate::simd::scalar::ascii::HIGH_BITS_OF_16;
use crate::simd::scalar::each;
use crate::simd::uninit::room_at;

/// The number of pairs that are looked up at a time.
pub(in crate::simd) const PAIRS: usize = 8;

/// The number of bytes that may be written when this many pairs become UTF-8.
pub(in crate::simd) const ROOM_OF_PAIRS: usize = 32;

/// The number of ASCII bytes that are copied at a time.
const ASCII_CHUNK: usize = 16;

/// The number of ASCII bytes in a row for which the ASCII kernel pays.
const MIN_KERNEL_BYTES: usize = 4 * ASCII_CHUNK;

/// Finds the code unit of a pair.
pub(in crate::simd) trait FindUnit: Copy {
    /// Whether that takes a single load, so that pairs after the end of a run cost little.
    const IS_FLAT: bool;

    /// Returns the code unit of a lead byte and the byte after it, or 0; also 0 if the first byte is a
    /// character by itself.
    fn unit(self, pair: [u8; 2]) -> u16;
}

impl FindUnit for &Words {
    const IS_FLAT: bool = true;

    #[inline(always)]
    fn unit(self, pair: [u8; 2]) -> u16 {
        self[usize::from(u16::from_le_bytes(pair))]
    }
}

impl FindUnit for &TwoByteIndex {
    const IS_FLAT: bool = false;

    #[inline(always)]
    fn unit(self, [lead, trail]: [u8; 2]) -> u16 {
        match self.katakana {
            Katakana::After8E => self.look_up(lead, trail).0,
            Katakana::No | Katakana::Alone => self.at(self.pointer(lead, trail)),
        }
    }
}

/// The form that code units are written in.
pub(in crate::simd) trait Target: Copy {
    /// The code unit of the output.
    type Unit: Copy + From<u8>;

    /// The number of output units of a usual pair.
    const OF_PAIR: usize;

    /// Copies ASCII from the front, as far as there is room; returns its length.
    fn put_ascii(self, src: &[u8], to: &mut [MaybeUninit<Self::Unit>]) -> usize;

    /// Writes the pairs at the front, up to the first that has no unit, or an unusual one. Returns their
    /// number; `None` if there is too little room.
    fn put_pairs<F: FindUnit>(
        self,
        look_up: F,
        pairs: &[[u8; 2]; PAIRS],
        to: &mut [MaybeUninit<Self::Unit>],
    ) -> Option<usize>;

    /// Writes a code unit of the index; returns the number of output units. `None` if there is no room.
    fn put(self, unit: u16, to: &mut [MaybeUninit<Self::Unit>]) -> Option<usize>;
}

/// Writes UTF-16, with the kernel `ascii` for runs of ASCII.
#[derive(Clone, Copy)]
pub(in crate::simd) struct ToUtf16<Ascii> {
    pub(in crate::simd) ascii: Ascii,
}

impl<Ascii> Target for ToUtf16<Ascii>
where
    Ascii: Fn(&[u8], &mut [MaybeUninit<u16>]) -> usize + Copy,
{
    type Unit = u16;
    const OF_PAIR: usize = 1;

    #[inline(always)]
    fn put_ascii(self, src: &[u8], to: &mut [MaybeUninit<u16>]) -> usize {
        (self.ascii)(src, to)
    }

    #[inline(always)]
    fn put_pairs<F: FindUnit>(
        self,
        look_up: F,
        pairs: &[[u8; 2]; PAIRS],
        to: &mut [MaybeUninit<u16>],
    ) -> Option<usize> {
        let to = to.first_chunk_mut::<PAIRS>()?;
        let mut count = 0;
        for (pair, to) in pairs.iter().zip(to) {
            let unit = look_up.unit(*pair);
            if unit == 0 {
                break;
            }
            to.write(unit);
            count += 1;
        }
        Some(count)
    }

    #[inline(always)]
    fn put(self, unit: u16, to: &mut [MaybeUninit<u16>]) -> Option<usize> {
        to.first_mut()?.write(unit);
        Some(1)
    }
}

/// Writes UTF-8, with the kernel `ascii` for runs of ASCII, `three` for the three bytes of a unit from 0800
/// on, the first of them lowest, and `threes` for units that are written together.
#[derive(Clone, Copy)]
pub(in crate::simd) struct ToUtf8<Ascii, Three, Threes> {
    pub(in crate::simd) ascii: Ascii,
    pub(in crate::simd) three: Three,
    pub(in crate::simd) threes: Threes,
}

/// How vectors write code units as UTF-8.
pub(in crate::simd) trait PutThrees: Copy {
    /// Whether there are such vectors.
    const HAS_VECTORS: bool;

    /// Writes units as three bytes each if none is below 0800; returns whether that is so.
    fn put(self, units: [u16; PAIRS], to: &mut [MaybeUninit<u8>; ROOM_OF_PAIRS]) -> bool;
}

impl<F> PutThrees for F
where
    F: Fn([u16; PAIRS], &mut [MaybeUninit<u8>; ROOM_OF_PAIRS]) -> bool + Copy,
{
    const HAS_VECTORS: bool = true;

    #[inline(always)]
    fn put(self, units: [u16; PAIRS], to: &mut [MaybeUninit<u8>; ROOM_OF_PAIRS]) -> bool {
        self(units, to)
    }
}

/// Writes code units one by one.
#[derive(Clone, Copy)]
pub(in crate::simd) struct OneByOne;

impl PutThrees for OneByOne {
    const HAS_VECTORS: bool = false;

    fn put(self, _: [u16; PAIRS], _: &mut [MaybeUninit<u8>; ROOM_OF_PAIRS]) -> bool {
        false
    }
}

impl<Ascii, Three, Threes> Target for ToUtf8<Ascii, Three, Threes>
where
    Ascii: Fn(&[u8], &mut [MaybeUninit<u8>]) -> usize + Copy,
    Three: Fn(u16) -> u32 + Copy,
    Threes: PutThrees,
{
    type Unit = u8;
    const OF_PAIR: usize = 3;

    #[inline(always)]
    fn put_ascii(self, src: &[u8], to: &mut [MaybeUninit<u8>]) -> usize {
        (self.ascii)(src, to)
    }

    #[inline(always)]
    fn put_pairs<F: FindUnit>(
        self,
        look_up: F,
        pairs: &[[u8; 2]; PAIRS],
        to: &mut [MaybeUninit<u8>],
    ) -> Option<usize> {
        // Not at the end of a run of pairs: the processor may predict where that is, and then does not have to wait for
        // the vectors.
        if Threes::HAS_VECTORS
            && F::IS_FLAT
            && begin_high(pairs)
            && let Some(to) = to.first_chunk_mut()
            && self.threes.put(pairs.map(|pair| look_up.unit(pair)), to)
        {
            return Some(PAIRS);
        }
        // Four bytes are written at a time, of which three stay.
        let to = to.first_chunk_mut::<{ 3 * PAIRS + 1 }>()?;
        for (i, pair) in pairs.iter().enumerate() {
            let unit = look_up.unit(*pair);
            if unit < 0x800 {
                return Some(i);
            }
            if let Some(to) = room_at(to, 3 * i) {
                put_four(to, (self.three)(unit));
            }
        }
        Some(PAIRS)
    }

    #[inline(always)]
    fn put(self, unit: u16, to: &mut [MaybeUninit<u8>]) -> Option<usize> {
        let last = 0x80 | (unit & 0x3F) as u8;
        if unit < 0x800 {
            let to = to.first_chunk_mut::<2>()?;
            *to = [0xC0 | (unit >> 6) as u8, last].map(MaybeUninit::new);
            return Some(2);
        }
        let to = to.first_chunk_mut::<3>()?;
        let [a, b, c, _] = (self.three)(unit).to_le_bytes();
        *to = [a, b, c].map(MaybeUninit::new);
        Some(3)
    }
}

/// Returns whether no pair begins with ASCII.
#[inline(always)]
fn begin_high(pairs: &[[u8; 2]; PAIRS]) -> bool {
    const LEADS: u128 = u128::from_le_bytes(*b"\x80\0\x80\0\x80\0\x80\0\x80\0\x80\0\x80\0\x80\0");
    let bytes: &[u8; 2 * PAIRS] = bytemuck::cast_ref(pairs);
    u128::from_le_bytes(*bytes) & LEADS == LEADS
}

/// Writes four bytes, the lowest one first. The compiler would write them one by one if it knew that the last
/// is 0.
#[inline(always)]
pub(in crate::simd) fn put_four(to: &mut [MaybeUninit<u8>; 4], bytes: u32) {
    // SAFETY: the array has the four bytes that are written; no alignment is needed.
    unsafe { to.as_mut_ptr().cast::<u32>().write_unaligned(bytes.to_le()) };
}

/// Returns the three bytes of a code unit from 0800 on, with shifts.
#[inline(always)]
pub(in crate::simd) fn three(unit: u16) -> u32 {
    let unit = u32::from(unit);
    0x80_80E0 | unit >> 12 | unit << 2 & 0x3F00 | unit << 16 & 0x3F_0000
}

/// Decodes from the front of `src`, up to a sequence that has no code unit or does not fit, or until
/// `most_runs`, which each run of ASCII counts down, is 0. Returns the number of bytes read and of units
/// written.
#[inline(always)]
pub(in crate::simd) fn decode<T: Target>(
    target: T,
    index: &TwoByteIndex,
    most_runs: &mut usize,
    src: &[u8],
    dst: &mut [MaybeUninit<T::Unit>],
) -> (usize, usize) {
    match index.flat(src.len()) {
        Some(flat) => decode_with(target, flat, index.katakana, most_runs, src, dst),
        None => {
            let done = decode_with(target, index, index.katakana, most_runs, src, dst);
            index.count(done.0);
            done
        }
    }
}

/// Decodes as [`decode`] does, with the code units that `look_up` finds.
#[inline(always)]
pub(in crate::simd) fn decode_with<T: Target>(
    target: T,
    look_up: impl FindUnit,
    katakana: Katakana,
    most_runs: &mut usize,
    src: &[u8],
    dst: &mut [MaybeUninit<T::Unit>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    loop {
        let room = dst.get_mut(written..).unwrap_or_default();
        let (taken, put) = put_many_pairs(target, look_up, &src[read..], room);
        read += taken;
        written += put;
        let ahead = src.get(read..).unwrap_or_default();
        let room = dst.get_mut(written..).unwrap_or_default();
        let (unit, len) = match *ahead {
            [] => break,
            [0..0x80, ..] => {
                let run = target.put_ascii(ahead, room);
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
            [byte @ 0xA1..=0xDF, ..] if katakana == Katakana::Alone => {
                (KATAKANA + u16::from(byte), 1)
            }
            [lead, trail, ..] => (look_up.unit([lead, trail]), 2),
            [_] => break,
        };
        if unit == 0 {
            break;
        }
        let Some(count) = target.put(unit, room) else {
            break;
        };
        read += len;
        written += count;
    }
    (read, written)
}

/// Writes pairs by groups, up to the first that has no unit, or an unusual one, or the end of either slice.
/// Returns the number of bytes read and of units written.
#[inline(always)]
pub(in crate::simd) fn put_many_pairs<T: Target>(
    target: T,
    look_up: impl FindUnit,
    src: &[u8],
    to: &mut [MaybeUninit<T::Unit>],
) -> (usize, usize) {
    let (mut read, mut written) = (0, 0);
    while let Some(pairs) = src.get(read..).and_then(<[_]>::first_chunk)
        && let pairs = bytemuck::cast_ref::<[u8; 2 * PAIRS], _>(pairs)
        && let room = to.get_mut(written..).unwrap_or_default()
        && let Some(count) = target.put_pairs(look_up, pairs, room)
    {
        if count < PAIRS {
            return (read + 2 * count, written + T::OF_PAIR * count);
        }
        // Constant increments: the position of the next group must not depend on the contents of this one.
        read += 2 * PAIRS;
        written += T::OF_PAIR * PAIRS;
    }
    (read, written)
}

/// Copies ASCII from the front, as far as there is room, a long run with the kernel `long`; returns its
/// length.
#[inline(always)]
pub(in crate::simd) fn put_ascii<To: From<u8>>(
    src: &[u8],
    to: &mut [MaybeUninit<To>],
    long: impl Fn(&[u8], &mut [MaybeUninit<To>]) -> usize,
) -> usize {
    let mut run = 0;
    while let Some(from) = src.get(run..).and_then(<[_]>::first_chunk::<ASCII_CHUNK>)
        && let Some(to) = to
            .get_mut(run..)
            .and_then(<[_]>::first_chunk_mut::<ASCII_CHUNK>)
    {
        each(from, to, To::from);
        let len = ascii_prefix(*from);
        run += len;
        if len < ASCII_CHUNK {
            return run;
        }
        if run == MIN_KERNEL_BYTES {
            break;
        }
    }
    if run == MIN_KERNEL_BYTES {
        return run + long(&src[run..], &mut to[run..]);
    }
    // Near the end of either slice.
    for (&byte, to) in src[run..].iter().zip(&mut to[run..]) {
        if !byte.is_ascii() {
            break;
        }
        to.write(byte.into());
        run += 1;
    }
    run
}

/// Returns how many of the bytes at the front are ASCII.
#[inline(always)]
fn ascii_prefix(bytes: [u8; ASCII_CHUNK]) -> usize {
    ((u128::from_le_bytes(bytes) & HIGH_BITS_OF_16).trailing_zeros() / 8) as usize
}
