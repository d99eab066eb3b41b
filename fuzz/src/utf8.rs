//! UTF-8 compared with the standard library: validation, replacement, error offsets, and all conversions.

use simdtext::unicode::{from_utf8, trim_partial_utf8};
use simdtext::{Bom, Status, UTF_8};

use crate::model::Form;
use crate::unicode;

pub fn utf8(bytes: &[u8]) {
    unicode::check(Form::Utf8, bytes);
    match (
        UTF_8.decode_strict(bytes, Bom::Keep),
        std::str::from_utf8(bytes),
    ) {
        (Ok(decoded), Ok(text)) => assert_eq!(decoded.text, text),
        (Err(ours), Err(theirs)) => {
            assert_eq!(ours.malformed.offset, theirs.valid_up_to() as u64);
            // `None`: it is incomplete because of the end.
            let len = theirs
                .error_len()
                .unwrap_or(bytes.len() - theirs.valid_up_to());
            assert_eq!(usize::from(ours.malformed.len), len);
        }
        (ours, theirs) => panic!("{ours:?}, but std says {theirs:?}"),
    }
    assert_eq!(from_utf8(bytes).ok(), std::str::from_utf8(bytes).ok());
    // What std calls an unexpected end is the last of its chunks.
    let last = bytes
        .utf8_chunks()
        .last()
        .map_or(&[][..], |it| it.invalid());
    let is_cut = std::str::from_utf8(last).is_err_and(|error| error.error_len().is_none());
    let cut = if is_cut { last.len() } else { 0 };
    assert_eq!(trim_partial_utf8(bytes), bytes.len() - cut);
    let lossy = String::from_utf8_lossy(bytes);
    let decoded = UTF_8.decode_with_bom(bytes, Bom::Keep);
    assert_eq!(decoded.text, lossy);
    let mut units = vec![0; bytes.len()];
    let progress = UTF_8
        .decoder(Bom::Keep)
        .decode_to_utf16(bytes, &mut units, true);
    assert_eq!(progress.status, Status::InputEmpty);
    assert!(
        lossy
            .encode_utf16()
            .eq(units[..progress.written].iter().copied())
    );
    assert_eq!(progress.errors, decoded.errors);
}
