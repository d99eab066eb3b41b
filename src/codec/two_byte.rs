//! What the two-byte encodings share: the run of characters that one look-up each can decode.

use crate::simd::Kernels;
use crate::stream::sink::Sink;
use crate::stream::source::starts_with_ascii;

/// Where the pointers of an index start for each lead byte, and what each trail byte adds.
pub(super) struct Grid {
    rows: [u32; 256],
    columns: [u32; 256],
}

/// Beyond any index: what a byte outside of the grid stands for.
const OUTSIDE: u32 = 1 << 20;

impl Grid {
    /// A grid from the ranges (first and last byte) of lead and trail bytes, numbered in order.
    pub(super) const fn new(leads: &[(u8, u8)], trails: &[(u8, u8)]) -> Self {
        let (columns, width) = Self::number(trails, 1);
        let (rows, _) = Self::number(leads, width);
        Grid { rows, columns }
    }

    const fn number(ranges: &[(u8, u8)], step: u32) -> ([u32; 256], u32) {
        let mut numbers = [OUTSIDE; 256];
        let (mut range, mut next) = (0, 0);
        while range < ranges.len() {
            let (mut byte, last) = (ranges[range].0 as usize, ranges[range].1 as usize);
            while byte <= last {
                numbers[byte] = next;
                next += step;
                byte += 1;
            }
            range += 1;
        }
        (numbers, next)
    }

    /// The pointer of two bytes; where they have none, one that no index has.
    #[inline(always)]
    pub(super) fn pointer(&self, lead: u8, trail: u8) -> usize {
        (self.rows[usize::from(lead)] + self.columns[usize::from(trail)]) as usize
    }
}

/// Characters that are looked up before any of them is written: what was stored unit by unit can be
/// loaded eight at a time only after a while.
const BATCH: usize = 32;
/// The most bytes that these have.
const WINDOW: usize = 2 * BATCH;

/// Decodes characters from the front of `src`, a batch at a time, and ASCII runs by their kernel;
/// returns the bytes read. `look_up` gets a byte that is no ASCII and the byte behind it, and returns
/// the code unit that they start with, or 0 to leave it to the machine, and how many of the two
/// bytes it takes.
#[inline(always)]
pub(super) fn run<S: Sink>(
    kernels: &Kernels,
    src: &[u8],
    out: &mut S,
    look_up: impl Fn(u8, u8) -> (u16, usize),
) -> usize {
    if !kernels.two_byte_batches {
        return 0;
    }
    let mut units = [0; BATCH];
    let mut read = 0;
    loop {
        let ahead = src.get(read..).unwrap_or_default();
        if starts_with_ascii(ahead) {
            match out.put_ascii_run(kernels, ahead) {
                0 => return read,
                run => read += run,
            }
            continue;
        }
        let Some(window) = ahead.first_chunk::<WINDOW>() else {
            return read;
        };
        // Characters have at most two bytes: where masks are used as indexes, they change nothing.
        let mut at = 0;
        let mut found = 0;
        let mut go_on = true;
        for unit in &mut units {
            let lead = window[at % WINDOW];
            if lead < 0x80 {
                if starts_with_ascii(&window[at % WINDOW..]) {
                    break;
                }
                *unit = u16::from(lead);
                at += 1;
            } else {
                let (code_unit, len) = look_up(lead, window[(at + 1) % WINDOW]);
                if code_unit == 0 {
                    go_on = false;
                    break;
                }
                *unit = code_unit;
                at += len;
            }
            found += 1;
        }
        let written = put_batch(kernels, &units[..found], out);
        if written < found {
            // The end of the room: only some of the characters were written.
            return read + len_of(window, written, look_up);
        }
        read += at;
        if !go_on {
            return read;
        }
    }
}

/// The bytes of the first `count` characters of a batch.
#[cold]
fn len_of(window: &[u8; WINDOW], count: usize, look_up: impl Fn(u8, u8) -> (u16, usize)) -> usize {
    (0..count).fold(0, |at, _| match window[at % WINDOW] {
        0..=0x7F => at + 1,
        lead => at + look_up(lead, window[(at + 1) % WINDOW]).1,
    })
}

/// Writes characters as far as there is room; returns how many.
#[inline(always)]
fn put_batch<S: Sink>(kernels: &Kernels, units: &[u16], out: &mut S) -> usize {
    let (blocks, _) = units.as_chunks::<8>();
    let mut written = 0;
    for block in blocks {
        if !out.put_units(kernels, *block) {
            break;
        }
        written += 8;
    }
    for &unit in &units[written..] {
        match char::from_u32(u32::from(unit)) {
            Some(ch) if out.put(ch) => written += 1,
            _ => break,
        }
    }
    written
}
