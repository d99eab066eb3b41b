//! How many bytes after a malformed sequence a decoder has read when it reports the sequence.
//!
//! simdtext does not read bytes after a sequence that it reports, if it can avoid that. encoding_rs has read
//! the bytes that it looked at, keeps some of them, and returns how many these are: callers add that number
//! to the length to find where the sequence starts.

use simdtext::Malformed;

use crate::encoding::Kind;

const ESC: u8 = 0x1B;

/// How many bytes of `ahead`, which follow the sequence, are read with it. The decoder is in the state after
/// the sequence. `began_before` says whether an earlier call has read the first byte of the sequence.
pub(crate) fn bytes_read_after(
    malformed: &Malformed,
    ahead: &[u8],
    kind: Kind,
    began_before: bool,
    decoder: &simdtext::Decoder,
) -> usize {
    match (kind, malformed.bytes(), ahead) {
        // Four bytes were looked at; or three, of which the last one is wrong and is not kept.
        (Kind::Gbk | Kind::Gb18030, [0x81..=0xFE], [b'0'..=b'9', 0x81..=0xFE, ..]) => 2,
        (Kind::Gbk | Kind::Gb18030, [0x81..=0xFE], [b'0'..=b'9', ..]) => 1,
        // A leading surrogate, and a unit that does not complete it. encoding_rs counts that unit unless the
        // surrogate and the unit were in the same call.
        (Kind::Utf16Be, [0xD8..=0xDB, _], [_, _, ..]) if began_before => 2,
        (Kind::Utf16Le, [_, 0xD8..=0xDB], [_, _, ..]) if began_before => 2,
        // An escape sequence, with another one right after it.
        (Kind::Iso2022Jp, [_, _, _], _) => 3,
        // The second byte of something that is not an escape sequence.
        (Kind::Iso2022Jp, [ESC], [b'$' | b'(', ..]) => 1,
        // A lead byte, with an escape sequence in place of its trail byte.
        (Kind::Iso2022Jp, [0x21..=0x7E], [ESC, ..]) if is_in_jis0208(decoder) => 1,
        _ => 0,
    }
}

/// Whether a decoder of ISO-2022-JP that holds nothing back is in the state for two-byte characters.
fn is_in_jis0208(decoder: &simdtext::Decoder) -> bool {
    let mut units = [0; 2];
    let space = decoder
        .clone()
        .decode_to_utf16(b"\x21\x21", &mut units, false);
    units[..space.written] == [0x3000]
}
