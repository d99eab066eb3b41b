//! ISO-2022-JP by runs: with the escape sequences taken out and the high bits set it is EUC-JP, which
//! has kernels.

use core::cell::Cell;

use super::euc_jp;
use super::iso_2022_jp::{ESC, Iso2022JpDecoder, Iso2022JpEncoder, Mode};
use crate::simd::Kernels;
use crate::stream::sink::{ByteOut, Sink};
use crate::stream::source::{Text, starts_with_ascii};
use crate::text::write_only;

/// Bytes of EUC-JP between the two encodings.
const PIECE: usize = 512;

/// Bytes are copied so many at a time, and what they are copied to has room for so many.
const CHUNK: usize = 8;

/// Decodes ASCII and JIS X 0208 from the front of `src` as far as there is room; returns the bytes
/// read.
pub(super) fn decode<S: Sink>(
    machine: &mut Iso2022JpDecoder,
    kernels: &Kernels,
    src: &[u8],
    out: &mut S,
) -> usize {
    let mut read = 0;
    let mut euc_jp = [0; PIECE + CHUNK];
    loop {
        let ahead = src.get(read..).unwrap_or_default();
        if !starts_with_run(*machine, ahead) {
            return read;
        }
        if machine.mode == Mode::Ascii && starts_with_ascii(ahead) {
            let len = (kernels.unshifted_prefix)(ahead);
            let taken = out.put_ascii_run(kernels, &ahead[..len]);
            if taken > 0 {
                machine.escape = 0;
                read += taken;
                continue;
            }
        }
        let mut behind = *machine;
        let all = without_escapes(&mut behind, ahead, &mut euc_jp, PIECE);
        let piece = &euc_jp[..all.written];
        let decoded = if all.written <= SHORT {
            out.put_two_byte_run(kernels, &euc_jp::INDEX, piece)
        } else {
            out.put_long_two_byte_run(kernels, &euc_jp::INDEX, piece)
        };
        if decoded == all.written && decoded > 0 {
            *machine = behind;
            read += all.read;
            continue;
        }
        // Where the rest starts is found by going there again.
        return read + without_escapes(machine, ahead, &mut euc_jp, decoded).read;
    }
}

/// Text that is shorter is for the state machine.
const WORTH_IT: usize = 32;

/// Whether `src` is long, and starts with some ASCII or some pairs, whichever `machine` expects.
#[inline(always)]
pub(super) fn starts_with_run(machine: Iso2022JpDecoder, src: &[u8]) -> bool {
    src.len() >= WORTH_IT
        && match machine.mode {
            Mode::Ascii => starts_with_ascii(src),
            Mode::Jis0208 => src
                .first_chunk()
                .is_some_and(|bytes| pairs_prefix(u64::from_le_bytes(*bytes)) == CHUNK),
            Mode::Roman | Mode::Katakana => false,
        }
}

/// Whether a text is long.
#[inline(always)]
pub(super) fn is_worth_it<T: Text>(text: T) -> bool {
    text.units() >= WORTH_IT
}

/// What was read and written.
struct Run {
    read: usize,
    written: usize,
}

/// Writes the ASCII and the pairs at the front of `src` as EUC-JP, at most `most` bytes, and brings
/// `machine` behind them. Stops before whatever is malformed, or none of the two.
fn without_escapes(
    machine: &mut Iso2022JpDecoder,
    src: &[u8],
    euc_jp: &mut [u8; PIECE + CHUNK],
    most: usize,
) -> Run {
    let (mut read, mut written) = (0, 0);
    while written < most {
        let ahead = src.get(read..).unwrap_or_default();
        if let [ESC, rest @ ..] = ahead {
            machine.mode = match rest {
                // Two in a row are malformed.
                _ if machine.escape != 0 => break,
                [b'(', b'B', ..] => Mode::Ascii,
                [b'$', b'@' | b'B', ..] => Mode::Jis0208,
                _ => break,
            };
            machine.escape = rest[1];
            read += 3;
            continue;
        }
        let is_jis = machine.mode == Mode::Jis0208;
        let mut run = 0;
        while let Some(to) = euc_jp
            .get_mut(written + run..)
            .and_then(<[_]>::first_chunk_mut::<CHUNK>)
        {
            let ahead = ahead.get(run..).unwrap_or_default();
            let bytes = match ahead.first_chunk() {
                Some(bytes) => *bytes,
                None => {
                    // Behind the end stands what ends the run.
                    let mut bytes = [0xFF; CHUNK];
                    bytes[..ahead.len()].copy_from_slice(ahead);
                    bytes
                }
            };
            let word = u64::from_le_bytes(bytes);
            let (len, high) = if is_jis {
                (pairs_prefix(word), HIGH)
            } else {
                (unshifted_prefix(word), 0)
            };
            *to = (word | high).to_le_bytes();
            run += len;
            if len < CHUNK {
                break;
            }
        }
        run = run.min(most - written);
        if is_jis {
            run &= !1;
        }
        if run == 0 {
            break;
        }
        machine.escape = 0;
        read += run;
        written += run;
    }
    Run { read, written }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

/// How many of the bytes at the front are none of those that `stops` has the high bits of.
#[inline(always)]
fn prefix(stops: u64) -> usize {
    ((stops & HIGH).trailing_zeros() / 8) as usize
}

/// How many of the bytes at the front are from 21 to 7E.
#[inline(always)]
fn pairs_prefix(word: u64) -> usize {
    let ascii = word & !HIGH;
    // No sum carries to the next byte.
    let is_7f = ascii + ONES;
    let from_21 = ascii + ONES * (0x80 - 0x21);
    prefix(word | is_7f | !from_21)
}

/// How many of the bytes at the front are ASCII, but none of ESC, SO and SI.
#[inline(always)]
fn unshifted_prefix(word: u64) -> usize {
    let ascii = word & !HIGH;
    let not = |byte: u64, bits: u64| ((ascii ^ (ONES * byte)) & (ONES * bits)) + ONES * 0x7F;
    prefix(word | !not(0x0E, 0x7E) | !not(0x1B, 0x7F))
}

/// Encodes ASCII and JIS X 0208 from the front of `text` as far as there is room; returns the units
/// read.
pub(super) fn encode<T: Text>(
    machine: &mut Iso2022JpEncoder,
    kernels: &Kernels,
    text: T,
    out: &mut ByteOut<'_>,
) -> usize {
    let ascii = match *machine {
        Iso2022JpEncoder::Ascii if text.starts_with_ascii() => text.unshifted_run(kernels, out),
        Iso2022JpEncoder::Roman => return 0,
        _ if !is_worth_it(text) => return 0,
        _ => 0,
    };
    let state = Cell::new(*machine);
    let read = text
        .skip(ascii)
        .run_by_utf_16::<false>(kernels, out, |units, out| {
            if units.len() <= SHORT {
                encode_units::<{ 2 * SHORT + CHUNK }>(&state, kernels, units, out)
            } else {
                encode_units::<{ PIECE + CHUNK }>(&state, kernels, units, out)
            }
        });
    *machine = state.get();
    ascii + read
}

/// Units whose bytes have a smaller buffer.
const SHORT: usize = 32;

/// Encodes code units by a buffer of `ROOM` bytes; returns their number.
fn encode_units<const ROOM: usize>(
    state: &Cell<Iso2022JpEncoder>,
    kernels: &Kernels,
    units: &[u16],
    out: &mut ByteOut<'_>,
) -> usize {
    let mut euc_jp = [0; ROOM];
    let mut read = 0;
    loop {
        let ahead = units.get(read..).unwrap_or_default();
        let piece = &ahead[..ahead.len().min((ROOM - CHUNK) / 2)];
        let (taken, len) =
            (kernels.utf_16_to_two_byte)(&euc_jp::CELLS, piece, write_only(&mut euc_jp));
        let written = with_escapes(state, &euc_jp, len, out);
        read += written;
        if written < taken || taken < piece.len() || taken == 0 {
            return read;
        }
    }
}

/// Writes the first `len` bytes of EUC-JP as ISO-2022-JP, as far as there is room and no shift is
/// among them; returns the number of characters. There is a chunk behind these bytes.
fn with_escapes(
    state: &Cell<Iso2022JpEncoder>,
    euc_jp: &[u8],
    len: usize,
    out: &mut ByteOut<'_>,
) -> usize {
    let (mut at, mut count) = (0, 0);
    while at < len
        && let Some(&bytes) = euc_jp.get(at..).and_then(<[_]>::first_chunk)
    {
        let word = u64::from_le_bytes(bytes);
        let is_jis = word & 0x80 != 0;
        let wanted = if is_jis {
            Iso2022JpEncoder::Jis0208
        } else {
            Iso2022JpEncoder::Ascii
        };
        if state.get() != wanted {
            if !out.put(wanted.escape()) {
                break;
            }
            state.set(wanted);
        }
        let run = if is_jis {
            prefix(!word)
        } else {
            unshifted_prefix(word)
        };
        let run = run.min(len - at);
        if run == 0 || !out.put_padded((word & !HIGH).to_le_bytes(), run) {
            break;
        }
        at += run;
        count += if is_jis { run / 2 } else { run };
    }
    count
}
