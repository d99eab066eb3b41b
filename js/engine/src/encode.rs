//! Strings to bytes.

use simdtext::hooks::{PercentEncodeSet, percent_encode_after_encoding};
use simdtext::web::TextEncoder;
use simdtext::{MIN_ENCODED, Status, Unmappable};

/// Encodes a string. `unmappable`: 0 stops, 1 writes character references, 2 writes `replacement`, 3 skips.
///
/// # Errors
///
/// Where it stopped: the code point, and its index in the string in code units.
pub fn encode(
    encoding: u32,
    unmappable: u32,
    replacement: u32,
    string: &[u16],
) -> Result<Vec<u8>, (u32, usize)> {
    let unmappable = match unmappable {
        0 => Unmappable::Strict,
        1 => Unmappable::Ncr,
        2 => Unmappable::Replace(char::from_u32(replacement).unwrap_or('?')),
        _ => Unmappable::Skip,
    };
    // The JavaScript side refuses replacement, which alone has no encoder.
    let Some(mut encoder) = crate::encoding(encoding).encoder() else {
        return Ok(Vec::new());
    };
    let (mut bytes, mut read, mut written) = (Vec::new(), 0, 0);
    loop {
        let rest = &string[read..];
        let most = encoder.max_len_from_utf16(rest.len()).unwrap_or(rest.len());
        bytes.resize(written + most.max(MIN_ENCODED), 0);
        let dst = bytes.get_mut(written..).unwrap_or_default();
        let progress = encoder.encode_from_utf16(rest, dst, true, unmappable);
        read += progress.read;
        written += progress.written;
        match progress.status {
            Status::OutputFull => {}
            Status::Unmappable { ch, offset } => return Err((u32::from(ch), offset as usize)),
            Status::InputEmpty | Status::Malformed(_) => {
                bytes.truncate(written);
                return Ok(bytes);
            }
        }
    }
}

/// The standard's `encodeInto()` with a destination of `room` bytes: code units read, and the bytes.
#[must_use]
pub fn encode_into(string: &[u16], room: usize) -> (usize, Vec<u8>) {
    let mut bytes = vec![0; room.min(string.len().saturating_mul(3))];
    let result = TextEncoder::new().encode_utf16_into(string, &mut bytes);
    bytes.truncate(result.written);
    (result.read, bytes)
}

/// The URL standard's *percent-encode after encoding*. `set` counts its percent-encode sets, in the order
/// in which it defines them.
#[must_use]
pub fn percent_encode(encoding: u32, set: u32, space_as_plus: bool, string: &[u16]) -> String {
    let set = match set {
        0 => PercentEncodeSet::C0_CONTROL,
        1 => PercentEncodeSet::FRAGMENT,
        2 => PercentEncodeSet::QUERY,
        3 => PercentEncodeSet::SPECIAL_QUERY,
        4 => PercentEncodeSet::PATH,
        5 => PercentEncodeSet::USERINFO,
        6 => PercentEncodeSet::COMPONENT,
        _ => PercentEncodeSet::APPLICATION_X_WWW_FORM_URLENCODED,
    };
    let text = String::from_utf16_lossy(string);
    percent_encode_after_encoding(crate::encoding(encoding), &text, set, space_as_plus)
}
