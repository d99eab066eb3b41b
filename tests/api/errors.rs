//! What all errors have in common, and what `Debug` shows of values that hold more.

use std::error::Error;
use std::io::{self, ErrorKind};

use simdtext::offsets::{OffsetMap, OffsetMapError};
use simdtext::unicode::{Invalid, from_utf8};
use simdtext::web::{TextDecoder, TextDecoderOptions};
use simdtext::{
    BIG5, Bom, Encoding, KOI8_R, REPLACEMENT, SHIFT_JIS, UTF_8, Unmappable, hooks, sniff,
};

/// Whether it is an error that other threads, and callers that know nothing of it, can pass on, and whose message can
/// stand in a sentence: no full stop, one line.
fn check(error: impl Error + Send + Sync + Clone + PartialEq + 'static) {
    let message = error.to_string();
    assert!(
        !message.is_empty() && !message.ends_with('.') && !message.contains('\n'),
        "{message}"
    );
    // What a source says would be said twice: the messages are complete.
    assert!(error.source().is_none());
    let boxed: Box<dyn Error + Send + Sync> = error.clone().into();
    assert_eq!(boxed.to_string(), message);
}

#[test]
fn errors_are_errors() {
    let malformed = UTF_8.decode_strict(b"\xFF", Bom::Keep).unwrap_err();
    check(malformed);
    check(malformed.malformed);
    check(KOI8_R.encode("☃", Unmappable::Strict).unwrap_err());
    check(REPLACEMENT.encode("", Unmappable::Strict).unwrap_err());
    check("latin-1".parse::<&Encoding>().unwrap_err());
    check(from_utf8(b"\xFF").unwrap_err());
    check(hooks::isomorphic_encode("☃").unwrap_err());
    for error in [
        OffsetMapError::NotAMap,
        OffsetMapError::Version(9),
        OffsetMapError::Corrupt,
    ] {
        check(error);
    }
    let label = TextDecoder::new("latin-1", TextDecoderOptions::default()).unwrap_err();
    check(label);
    let mut decoder = TextDecoder::new("utf-8", TextDecoderOptions::new().fatal(true)).unwrap();
    check(decoder.decode(b"\xFF", Default::default()).unwrap_err());
}

/// The kind of what `?` makes of an error in a function that returns an `io::Result`, which still holds the error.
fn kind_in_io<E>(error: E) -> ErrorKind
where
    E: Error + Clone + PartialEq + Send + Sync + 'static,
    io::Error: From<E>,
{
    let io: io::Error = error.clone().into();
    assert_eq!(io.to_string(), error.to_string());
    assert_eq!(io.get_ref().unwrap().downcast_ref(), Some(&error));
    io.kind()
}

#[test]
fn errors_become_errors_of_io() {
    let malformed = UTF_8.decode_strict(b"\xFF", Bom::Keep).unwrap_err();
    assert_eq!(kind_in_io(malformed), ErrorKind::InvalidData);
    let unmappable = KOI8_R.encode("☃", Unmappable::Strict).unwrap_err();
    assert_eq!(kind_in_io(unmappable), ErrorKind::InvalidData);
    let no_encoder = REPLACEMENT.encode("", Unmappable::Strict).unwrap_err();
    assert_eq!(kind_in_io(no_encoder), ErrorKind::InvalidInput);
    assert_eq!(
        kind_in_io(Invalid { offset: 0, len: 1 }),
        ErrorKind::InvalidData
    );
    let isomorphic = hooks::isomorphic_encode("☃").unwrap_err();
    assert_eq!(kind_in_io(isomorphic), ErrorKind::InvalidData);
    assert_eq!(kind_in_io(OffsetMapError::Corrupt), ErrorKind::InvalidData);
}

#[test]
fn debug_shows_what_the_methods_say() {
    let mut decoder = BIG5.decoder(Bom::Sniff);
    assert_eq!(
        format!("{decoder:?}"),
        "Decoder { encoding: Encoding(Big5), bom: Sniff, total_read: 0, pending: [], is_at_bom: true, \
         is_in_initial_state: false }"
    );
    let _ = decoder.decode_to_utf8(b"\xEF\xBB\xBFa\xC3", &mut [0; 8], false);
    assert_eq!(
        format!("{decoder:?}"),
        "Decoder { encoding: Encoding(UTF-8), bom: Sniff, total_read: 5, pending: [C3], is_at_bom: false, \
         is_in_initial_state: false }"
    );
    let mut encoder = UTF_8.encoder().unwrap();
    let _ = encoder.encode_from_utf16(&[0xD83D], &mut [0; 8], false, Unmappable::Strict);
    assert_eq!(
        format!("{encoder:?}"),
        "Encoder { encoding: Encoding(UTF-8), total_read: 1, has_pending_output: true }"
    );
}

#[test]
fn debug_does_not_show_documents() {
    let (mut map, mut text) = (OffsetMap::with_spacing(16), String::new());
    map.decode(SHIFT_JIS, &b"\x93\xFA".repeat(100), &mut text, Bom::Sniff);
    assert_eq!(
        format!("{map:?}"),
        "OffsetMap { encoding: Encoding(Shift_JIS), source_len: 200, text_len: 300, finished: true, spacing: 16, \
         places: 12, .. }"
    );
    // Also for a function that has no `Debug`.
    let list = [SHIFT_JIS];
    let segments = sniff::Segments::new(b"a\nb\n", &list, |_| UTF_8);
    assert_eq!(
        format!("{segments:?}"),
        "Segments { list: [Encoding(Shift_JIS)], len: 4, at: 0, .. }"
    );
}
