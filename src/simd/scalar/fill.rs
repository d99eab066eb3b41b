//! Conversion one character at a time: into little room, because a kernel writes whole vectors, and leaves alone any
//! room that is smaller than a few of them; of the front of text in two-byte encodings; and as the scalar kernel.
//!
//! Besides how much it has read and written, [`fill`] returns whether it stopped because the next character, which is
//! well-formed, does not fit. Then nothing else has to examine it. The sources of decoders are in `fill_sources.rs`,
//! those of encoders in `fill_text.rs`.

use core::hint::select_unpredictable;
use core::mem::MaybeUninit;

use super::ascii::HIGH_BITS;
pub(crate) use super::fill_sources::{
    DamagedUtf8Source, TwoByteSource, Utf8Source, Utf16BytesSource, starts_with_more_than,
    starts_with_more_units_than, whole_characters,
};
use super::short;
use crate::simd::eight_units::narrow;
use crate::simd::kernels::Transcoded;
use crate::simd::two_byte::unit::{CHUNK, TextUnit, WIDE, ascii_prefix};

/// With less room than this, in units, [`fill`] is faster than a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LittleRoom {
    /// To or from UTF-8.
    pub(crate) utf8: usize,
    /// To or from UTF-16.
    pub(crate) utf16: usize,
}

impl LittleRoom {
    /// For conversions that `fill` does not support.
    pub(crate) const NEVER: LittleRoom = LittleRoom { utf8: 0, utf16: 0 };

    /// An output with less room than this has none.
    pub(crate) const NONE: LittleRoom = LittleRoom { utf8: 1, utf16: 1 };
}

/// The result of a conversion into little room.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fill {
    /// Number of units read.
    pub(crate) read: usize,
    /// Number of units written.
    pub(crate) written: usize,
    /// Number of malformed sequences that were replaced.
    pub(crate) errors: usize,
    /// Whether the next character is well-formed, or replaced, and does not fit.
    pub(crate) full: bool,
}

impl From<Fill> for Transcoded {
    #[inline(always)]
    fn from(fill: Fill) -> Self {
        Transcoded {
            read: fill.read,
            written: fill.written,
            errors: fill.errors,
        }
    }
}

/// The character at the front of a text, converted.
#[derive(Clone, Copy)]
pub(crate) struct Front {
    /// The units of the character, the first one in the lowest bits.
    pub(in crate::simd) units: u32,
    pub(in crate::simd) written: usize,
    pub(in crate::simd) read: usize,
    /// Whether it is U+FFFD for a malformed sequence.
    pub(in crate::simd) is_error: bool,
}

impl Front {
    #[inline(always)]
    pub(super) fn new(units: u32, written: usize, read: usize) -> Self {
        Front {
            units,
            written,
            read,
            is_error: false,
        }
    }
}

/// A form of text to convert into little room.
pub(crate) trait FillSource<To: FillUnit>: Copy {
    type From: FillFrom;

    /// The number of input units of an ASCII character.
    const ASCII_UNITS: usize;

    /// Whether [`FillSource::front`] is as fast where ASCII and other characters alternate.
    const ASCII_BY_FRONT: bool = false;

    /// Whether characters that are not ASCII are converted in a loop of their own.
    const HAS_RUNS: bool = false;

    /// Whether no character has more than two output units.
    const HAS_AT_MOST_TWO: bool = false;

    /// Copies the first `N` characters if there are that many and all are ASCII. If not all are, copies those
    /// of the first eight before the first non-ASCII one (with [`FillSource::ASCII_BY_FRONT`], all eight or
    /// none). Returns how many.
    #[inline(always)]
    fn put_ascii<const N: usize>(
        self,
        src: &[Self::From],
        to: &mut [MaybeUninit<To>; N],
    ) -> Option<usize> {
        Self::From::put_ascii(src, to, Self::ASCII_BY_FRONT)
    }

    /// Converts [`GROUP`] characters of one unit each without examining how much room each of them leaves, if there is
    /// room for all. Returns the number of units written.
    #[inline(always)]
    fn put_group(self, _src: &[Self::From], _to: &mut [MaybeUninit<To>]) -> Option<usize> {
        None
    }

    /// Converts the character at the front of `src`, which is not empty. Returns `None` if it is malformed or
    /// unmapped, or left to a state machine.
    fn front(self, src: &[Self::From]) -> Option<Front>;
}

/// The number of characters that [`FillSource::put_group`] converts. With eight, more is left to the end of the room.
pub(in crate::simd) const GROUP: usize = 4;

/// A unit of the input: a byte, or a code unit of UTF-16.
pub(crate) trait FillFrom: Copy {
    fn is_ascii(self) -> bool;

    /// Copies the first `N` units if there are that many and all are ASCII. If not all are, copies those of
    /// the first eight before the first non-ASCII one (with `whole`, and of UTF-16, all eight or none). Returns how
    /// many.
    fn put_ascii<const N: usize, To: FillUnit>(
        src: &[Self],
        to: &mut [MaybeUninit<To>; N],
        whole: bool,
    ) -> Option<usize>;
}

impl FillFrom for u8 {
    #[inline(always)]
    fn is_ascii(self) -> bool {
        self < 0x80
    }

    #[inline(always)]
    fn put_ascii<const N: usize, To: FillUnit>(
        src: &[u8],
        to: &mut [MaybeUninit<To>; N],
        whole: bool,
    ) -> Option<usize> {
        let bytes = src.first_chunk::<N>()?;
        let (words, _) = bytes.as_chunks();
        let all = words
            .iter()
            .fold(0, |all, word| all | u64::from_le_bytes(*word));
        if all & HIGH_BITS == 0 {
            To::put_ascii(to, bytes);
            return Some(N);
        }
        let front = bytes.first_chunk::<CHUNK>()?;
        let run = ascii_prefix(*front);
        if whole && run < CHUNK {
            return Some(0);
        }
        To::put_ascii(to.first_chunk_mut::<CHUNK>()?, front);
        Some(run)
    }
}

impl FillFrom for u16 {
    #[inline(always)]
    fn is_ascii(self) -> bool {
        self < 0x80
    }

    #[inline(always)]
    fn put_ascii<const N: usize, To: FillUnit>(
        src: &[u16],
        to: &mut [MaybeUninit<To>; N],
        _whole: bool,
    ) -> Option<usize> {
        Some(put_ascii_units(*src.first_chunk()?, to))
    }
}

/// Copies eight or 16 code units if all are ASCII. If not, copies the first eight if those are, or else none. Returns
/// how many.
#[inline(always)]
pub(super) fn put_ascii_units<const N: usize, To: FillUnit>(
    units: [u16; N],
    to: &mut [MaybeUninit<To>; N],
) -> usize {
    let (units, _) = units.as_chunks::<CHUNK>();
    let (to, _) = to.as_chunks_mut::<CHUNK>();
    let (bytes, others) = match *units {
        [front] => narrow([front, [0; CHUNK]]),
        [front, back] => narrow([front, back]),
        _ => return 0,
    };
    let copied = match others {
        0 => to.len(),
        _ if others & 0xFF == 0 => 1,
        _ => 0,
    };
    for (bytes, to) in bytes.iter().zip(to).take(copied) {
        To::put_ascii(to, bytes);
    }
    CHUNK * copied
}

/// A unit of the output: a code unit of UTF-16, or a byte.
pub(crate) trait FillUnit: TextUnit {
    /// Writes the first `len` of `units`; returns false if they don't fit.
    fn put_units(to: &mut [MaybeUninit<Self>], units: u32, len: usize) -> bool;

    /// Does what [`FillUnit::put_units`] does, for at most two.
    #[inline(always)]
    fn put_two(to: &mut [MaybeUninit<Self>], units: u32, len: usize) -> bool {
        Self::put_units(to, units, len)
    }

    /// Converts a character of the Basic Multilingual Plane, without a branch; `read` is its length in the
    /// input.
    fn of_unit(unit: u16, read: usize) -> Front;

    /// Converts a character above U+007F; `read` is its length in the input.
    fn of_scalar(scalar: u32, read: usize) -> Front;

    /// Converts U+FFFD for a malformed sequence; `read` is its length.
    #[inline(always)]
    fn replacement(read: usize) -> Front {
        Front {
            is_error: true,
            ..Self::of_scalar(char::REPLACEMENT_CHARACTER.into(), read)
        }
    }
}

impl FillUnit for u8 {
    #[inline(always)]
    fn put_units(to: &mut [MaybeUninit<u8>], units: u32, len: usize) -> bool {
        let units = units.to_le_bytes().map(MaybeUninit::new);
        if let Some(to) = to.first_chunk_mut() {
            *to = units;
            return true;
        }
        let [a, b, c, _] = units;
        match (len, to) {
            (1, [to, ..]) => *to = a,
            (2, [to_a, to_b, ..]) => (*to_a, *to_b) = (a, b),
            (3, [to_a, to_b, to_c, ..]) => (*to_a, *to_b, *to_c) = (a, b, c),
            _ => return false,
        }
        true
    }

    #[inline(always)]
    fn put_two(to: &mut [MaybeUninit<u8>], units: u32, len: usize) -> bool {
        let [a, b, ..] = units.to_le_bytes().map(MaybeUninit::new);
        match (len, to) {
            (_, [to_a, to_b, ..]) => (*to_a, *to_b) = (a, b),
            (1, [to]) => *to = a,
            _ => return false,
        }
        true
    }

    #[inline(always)]
    fn of_unit(unit: u16, read: usize) -> Front {
        let unit = u32::from(unit);
        let last = unit & 0x3F;
        let two = 0x80C0 + (unit >> 6) + (last << 8);
        let three = 0x80_80E0 + (unit >> 12) + ((unit & 0xFC0) << 2) + (last << 16);
        let many = select_unpredictable(unit < 0x800, two, three);
        Front::new(
            select_unpredictable(unit < 0x80, unit, many),
            1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800),
            read,
        )
    }

    #[inline(always)]
    fn of_scalar(scalar: u32, read: usize) -> Front {
        let (units, written) = short::utf8_of(scalar);
        Front::new(units, written, read)
    }
}

impl FillUnit for u16 {
    #[inline(always)]
    fn put_units(to: &mut [MaybeUninit<u16>], units: u32, len: usize) -> bool {
        match (len, to) {
            (1, [to, ..]) => {
                to.write(units as u16);
            }
            (2, [to_lead, to_trail, ..]) => {
                to_lead.write(units as u16);
                to_trail.write((units >> 16) as u16);
            }
            _ => return false,
        }
        true
    }

    #[inline(always)]
    fn of_unit(unit: u16, read: usize) -> Front {
        Front::new(u32::from(unit), 1, read)
    }

    #[inline(always)]
    fn of_scalar(scalar: u32, read: usize) -> Front {
        let (units, written) = if scalar < 0x1_0000 {
            (scalar, 1)
        } else {
            let (lead, trail) = (0xD7C0 + (scalar >> 10), 0xDC00 | scalar & 0x3FF);
            (lead | trail << 16, 2)
        };
        Front::new(units, written, read)
    }
}

/// Converts from the front of `src` as far as there are characters and room.
#[inline(always)]
pub(crate) fn fill<S: FillSource<To>, To: FillUnit>(
    source: S,
    src: &[S::From],
    dst: &mut [MaybeUninit<To>],
) -> Fill {
    let size = dst.len();
    // Both slices are advanced, which takes fewer instructions than counting.
    let (mut ahead, mut room) = (src, dst);
    let (mut errors, mut full) = (0, false);
    'stop: while !ahead.is_empty() {
        let run = if S::ASCII_BY_FRONT || ahead[0].is_ascii() {
            put_ascii(source, ahead, room)
        } else {
            0
        };
        if run > 0 {
            ahead = &ahead[S::ASCII_UNITS * run..];
            room = skip(room, run);
            if !room.is_empty() {
                continue;
            }
            // Only the next character is examined.
        }
        if let Some(written) = source.put_group(ahead, room) {
            ahead = &ahead[GROUP..];
            room = skip(room, written);
            continue;
        }
        // In text with spaces between words, a test for ASCII before each character would be mispredicted
        // twice per word.
        let most = match (S::ASCII_BY_FRONT, S::HAS_RUNS) {
            (true, _) => CHUNK,
            (_, true) => usize::MAX,
            _ => 1,
        };
        let after = ahead
            .len()
            .saturating_sub(S::ASCII_UNITS.saturating_mul(most));
        while ahead.len() > after {
            let Some(front) = source.front(ahead) else {
                break 'stop;
            };
            let fits = if S::HAS_AT_MOST_TWO {
                To::put_two(room, front.units, front.written)
            } else {
                To::put_units(room, front.units, front.written)
            };
            if !fits {
                full = true;
                break 'stop;
            }
            ahead = &ahead[front.read..];
            room = skip(room, front.written);
            errors += usize::from(front.is_error);
            if S::HAS_RUNS && ahead.first().is_none_or(|unit| unit.is_ascii()) {
                break;
            }
        }
    }
    Fill {
        read: src.len() - ahead.len(),
        written: size - room.len(),
        errors,
        full,
    }
}

/// Does what [`fill`] does, after the units that are read and written already.
#[inline(always)]
pub(crate) fn fill_after<S: FillSource<To>, To: FillUnit>(
    (read, written): (usize, usize),
    source: S,
    src: &[S::From],
    dst: &mut [MaybeUninit<To>],
) -> Fill {
    let ahead = src.get(read..).unwrap_or_default();
    let room = dst.get_mut(written..).unwrap_or_default();
    let rest = fill(source, ahead, room);
    Fill {
        read: read + rest.read,
        written: written + rest.written,
        ..rest
    }
}

/// Copies the ASCII among the next 16 or 8 characters; returns how many.
#[inline(always)]
fn put_ascii<S: FillSource<To>, To: FillUnit>(
    source: S,
    src: &[S::From],
    dst: &mut [MaybeUninit<To>],
) -> usize {
    if let Some(to) = dst.first_chunk_mut::<WIDE>()
        && let Some(run) = source.put_ascii(src, to)
    {
        return run;
    }
    dst.first_chunk_mut::<CHUNK>()
        .and_then(|to| source.put_ascii(src, to))
        .unwrap_or(0)
}

#[inline(always)]
fn skip<T>(slice: &mut [T], count: usize) -> &mut [T] {
    &mut slice[count..]
}

#[inline(always)]
pub(super) fn ascii_front(byte: u32, read: usize) -> Option<Front> {
    Some(Front::new(byte, 1, read))
}
