//! Decodes two-byte text of which much is malformed: damaged text, and text in another encoding.
//!
//! Such text is unpredictable, so the loop has no branch on whether a sequence is malformed: its length
//! mostly follows from its bytes, and the output is selected without a jump. A state machine handles what the
//! index does not have. Tested in `tests/two_byte_lossy.rs`.

use core::mem::MaybeUninit;

use super::index::Pairs;
use super::unit::{CHUNK, TextUnit, ascii};
use crate::simd::kernels::Transcoded;

/// An encoding with characters of one and two bytes, and those that are not in its index.
pub(crate) trait TwoByte {
    /// Returns what look-ups in the index read.
    fn pairs() -> Option<Pairs<'static>>;

    /// Returns whether `byte` is a lead byte of pairs.
    fn is_lead(byte: u8) -> bool;

    /// Returns whether [`TwoByte::exception`] has to decide about two bytes that the index does not have, of
    /// which the first is not ASCII. If not, they are malformed.
    fn is_exception(byte: u8, next: u8) -> bool;

    /// Returns what is at the front of `src`.
    fn exception(src: &[u8]) -> Exception;
}

/// A sequence that is not in an index. Lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exception {
    /// A character and its length.
    Char(char, usize),
    /// A malformed sequence of this length.
    Malformed(usize),
    /// Neither of these.
    Other,
}

const REPLACEMENT: u16 = 0xFFFD;

/// Decodes from the front of `src`, with U+FFFD in place of malformed sequences. Stops after `enough`
/// well-formed bytes in a row, before a run of ASCII that is worth a kernel, before anything that is neither
/// a character nor malformed, before a sequence that may continue after `src`, and if there is not ample
/// room.
#[inline(always)]
pub(crate) fn two_byte_lossy<E: TwoByte, To: TextUnit>(
    src: &[u8],
    dst: &mut [MaybeUninit<To>],
    enough: usize,
) -> Transcoded {
    let Transcoded {
        mut read,
        mut written,
        mut errors,
    } = Transcoded::default();
    let Some(pairs) = E::pairs() else {
        return Transcoded::default();
    };
    // The end of the last malformed sequence.
    let mut since = 0;
    let mut full = false;
    while let Some(to) = dst.get_mut(written..).and_then(<[_]>::first_chunk_mut)
        && read - since < enough
    {
        let to: &mut [MaybeUninit<To>; CHUNK] = to;
        let ahead = src.get(read..).unwrap_or_default();
        let &[byte, next, ..] = ahead else {
            break;
        };
        if byte.is_ascii() {
            let run = ascii(ahead, to, To::from);
            read += run;
            written += run;
            if run == CHUNK && full {
                break;
            }
            full = run == CHUNK;
            continue;
        }
        full = false;
        let Some(to) = to.first_chunk_mut() else {
            break;
        };
        let (unit, len) = pairs.look_up(byte, next);
        let is_none = unit == 0;
        if is_none && E::is_exception(byte, next) {
            match E::exception(ahead) {
                Exception::Char(ch, len) => {
                    read += len;
                    written += match u16::try_from(u32::from(ch)) {
                        Ok(unit) => To::put(to, unit),
                        Err(_) => To::put_astral(to, ch),
                    };
                }
                Exception::Malformed(len) => {
                    read += len;
                    since = read;
                    errors += 1;
                    written += To::put(to, REPLACEMENT);
                }
                Exception::Other => break,
            }
            continue;
        }
        // ASCII is never part of a malformed sequence.
        let len_of_malformed = 1 + usize::from(E::is_lead(byte) & !next.is_ascii());
        read += if is_none { len_of_malformed } else { len };
        since = if is_none { read } else { since };
        errors += usize::from(is_none);
        written += To::put(to, if is_none { REPLACEMENT } else { unit });
    }
    Transcoded {
        read,
        written,
        errors,
    }
}
