//! Decoding a slice.

use proptest::prelude::*;
use simdtext::parallel::Parallel;
use simdtext::{Bom, Decoded, Encoding, Malformed, Status};
use std::borrow::Cow;

use crate::inputs::{PIECES, any_bytes, any_encoding, bytes_for};
use crate::pools::pool;

const BOMS: [Bom; 3] = [Bom::Sniff, Bom::Strip, Bom::Keep];

/// UTF-16 and all errors, by one decoder in one call.
fn by_decoder(encoding: &'static Encoding, bytes: &[u8], bom: Bom) -> (Vec<u16>, Vec<Malformed>) {
    let mut decoder = encoding.decoder(bom);
    let mut units = vec![0; bytes.len() + 2];
    let mut errors = Vec::new();
    let progress = decoder.decode_to_utf16_with(bytes, &mut units, true, |it| errors.push(it));
    assert_eq!(progress.status, Status::InputEmpty);
    units.truncate(progress.written);
    (units, errors)
}

fn is_borrowed(decoded: &Decoded<'_>) -> bool {
    matches!(decoded.text, Cow::Borrowed(_))
}

/// Compares every function with its result on one core.
fn check(parallel: &Parallel<'_>, encoding: &'static Encoding, bytes: &[u8], bom: Bom) {
    let shown = || {
        format!(
            "{encoding}, {bom:?}, {parallel:?}: {:02X?}",
            &bytes[..bytes.len().min(400)]
        )
    };
    let expected = encoding.decode_with_bom(bytes, bom);
    let (units, malformed) = by_decoder(encoding, bytes, bom);

    let decoded = parallel.decode(encoding, bytes, bom);
    assert!(decoded == expected, "{}", shown());
    assert_eq!(is_borrowed(&decoded), is_borrowed(&expected), "{}", shown());

    let strict = parallel.decode_strict(encoding, bytes, bom);
    assert!(strict == encoding.decode_strict(bytes, bom), "{}", shown());

    let mut told = Vec::new();
    let decoded = parallel.decode_with(encoding, bytes, bom, |it| told.push(it));
    assert!(decoded == expected, "{}", shown());
    assert_eq!(told, malformed, "{}", shown());

    let decoded = parallel.decode_to_utf16(encoding, bytes, bom);
    assert!(decoded.units == units, "{}", shown());
    assert_eq!(decoded.errors, malformed.len(), "{}", shown());
    assert_eq!(
        decoded.first_error,
        malformed.first().copied(),
        "{}",
        shown()
    );
    assert_eq!(decoded.encoding, expected.encoding, "{}", shown());
    let on_one_core = encoding.decode_to_utf16_with_bom(bytes, bom);
    assert!(decoded == on_one_core, "{}", shown());

    told.clear();
    let with = parallel.decode_to_utf16_with(encoding, bytes, bom, |it| told.push(it));
    assert!(with == decoded && told == malformed, "{}", shown());

    match parallel.decode_to_utf16_strict(encoding, bytes, bom) {
        Ok(decoded) => assert!(
            decoded.units == units && malformed.is_empty(),
            "{}",
            shown()
        ),
        Err(error) => assert_eq!(Some(&error.malformed), malformed.first(), "{}", shown()),
    }
}

#[test]
fn every_encoding_and_piece_size() {
    for encoding in Encoding::all() {
        for bytes in bytes_for(encoding) {
            for (i, piece) in PIECES.into_iter().enumerate() {
                // Small pieces of long inputs take long, and show nothing more.
                let most = if piece < 64 { 700 } else { 20_000 };
                let bytes = &bytes[..bytes.len().min(most)];
                let parallel = Parallel::new()
                    .piece_bytes(piece)
                    .pool(pool(1 + 2 * (i % 3)));
                check(&parallel, encoding, bytes, BOMS[i % 3]);
            }
        }
    }
}

/// Room that is not enough at first.
#[test]
fn text_that_grows_much() {
    let parallel = Parallel::new().piece_bytes(1000).pool(pool(2));
    for (label, bytes) in [
        ("windows-874", b"\xA1".repeat(50_000)),
        ("utf-8", b"\xFF".repeat(50_000)),
        (
            "iso-2022-jp",
            [b"a".repeat(50_000), b"\x80".repeat(50_000)].concat(),
        ),
    ] {
        let encoding = Encoding::for_label(label.as_bytes()).expect(label);
        check(&parallel, encoding, &bytes, Bom::Sniff);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_in_any_pieces(
        encoding in any_encoding(),
        bytes in any_bytes(),
        bom in prop::sample::select(&BOMS[..]),
        piece in 1..20_usize,
        threads in prop::sample::select(&[2_usize, 5][..]),
    ) {
        check(&Parallel::new().piece_bytes(piece).pool(pool(threads)), encoding, &bytes, bom);
    }
}
