//! How many bytes need no decoding to become UTF-16.

use simdtext::Bom;
use simdtext::unicode::validate_ascii;

use crate::Encoding;
use crate::encoding::Kind;

/// How many bytes are decoded at a time, to be compared with the result.
const CHUNK: usize = 64;

/// How many of `bytes` decode to equal code units, from the initial state on. `None` for encodings in which
/// ASCII may not do so, depending on what came before.
pub(crate) fn latin1_compatible_up_to(encoding: &'static Encoding, bytes: &[u8]) -> Option<usize> {
    match encoding.kind {
        Kind::Replacement | Kind::Utf16Be | Kind::Utf16Le => None,
        Kind::Iso2022Jp => Some(Encoding::iso_2022_jp_ascii_valid_up_to(bytes)),
        Kind::SingleByte => Some(single_byte(encoding, bytes)),
        _ => Some(Encoding::ascii_valid_up_to(bytes)),
    }
}

fn single_byte(encoding: &'static Encoding, bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Err(no_ascii) = validate_ascii(&bytes[at..]) {
        at += no_ascii.offset;
        let mut units = [0; CHUNK];
        let chunk = &bytes[at..bytes.len().min(at + CHUNK)];
        let decoded = encoding
            .inner
            .decoder(Bom::Keep)
            .decode_to_utf16_strict(chunk, &mut units, true);
        let pairs = chunk.iter().zip(&units[..decoded.written]);
        let equal = pairs.take_while(|(byte, unit)| u16::from(**byte) == **unit);
        let equal = equal.count();
        at += equal;
        if equal < chunk.len() {
            return at;
        }
    }
    bytes.len()
}
