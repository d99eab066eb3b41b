//! Two-byte encodings where much is malformed: damaged text, and text in another encoding.
//!
//! What is malformed there, and what is not, nobody can guess. So the loop has no branch on it: the
//! length of a sequence follows from its bytes mostly, and what is written is chosen, not jumped to.
//! A state machine says what the index does not have. Tested in `tests/two_byte_lossy.rs`.

use core::mem::MaybeUninit;

use super::index::TwoByteIndex;
use super::unit::{CHUNK, TextUnit, ascii};
use crate::simd::kernels::Transcoded;

/// An encoding of one and two bytes, and what it has beside its index.
pub(crate) trait TwoByte {
    const INDEX: &'static TwoByteIndex;

    /// Whether `byte` is the lead of pairs.
    fn is_lead(byte: u8) -> bool;

    /// Whether [`TwoByte::exception`] is to be asked about two bytes that the index does not have, of
    /// which the first is not ASCII. Where not, they are malformed.
    fn is_exception(byte: u8, next: u8) -> bool;

    /// What stands at the front.
    fn exception(src: &[u8]) -> Exception;
}

/// What is not in an index. Lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exception {
    /// A character and its length.
    Char(char, usize),
    /// A malformed sequence of this length.
    Malformed(usize),
    /// Something else.
    Other,
}

const REPLACEMENT: u16 = 0xFFFD;

/// Decodes from the front of `src`, with U+FFFD in the place of malformed sequences. Stops where
/// `enough` bytes in a row were well-formed, before ASCII that is worth a kernel, before what is
/// neither a character nor malformed, and before a sequence that may go on after `src`; and where
/// there is not ample room.
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
        let (unit, len) = E::INDEX.look_up(byte, next);
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
