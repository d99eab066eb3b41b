//! Encoding a slice.

use std::borrow::Cow;

use proptest::prelude::*;
use simdtext::parallel::Parallel;
use simdtext::{EncodeError, Encoding, Status, Unmappable};

use crate::inputs::{PIECES, any_encoding, any_text, any_unmappable, texts};
use crate::pools::pool;

const POLICIES: [Unmappable; 6] = [
    Unmappable::Strict,
    Unmappable::Ncr,
    Unmappable::Skip,
    Unmappable::Replace('¥'),
    Unmappable::Replace('日'),
    Unmappable::Replace('\\'),
];

/// What one encoder makes of UTF-16 in one call.
fn by_encoder(
    encoding: &'static Encoding,
    text: &[u16],
    unmappable: Unmappable,
) -> Result<(Vec<u8>, usize), EncodeError> {
    let mut encoder = encoding
        .encoder()
        .ok_or(EncodeError::NoEncoder { encoding })?;
    let mut bytes = vec![0; 12 * text.len() + 16];
    let progress = encoder.encode_from_utf16(text, &mut bytes, true, unmappable);
    match progress.status {
        Status::Unmappable { ch, offset } => {
            return Err(EncodeError::Unmappable {
                encoding,
                ch,
                offset,
            });
        }
        status => assert_eq!(status, Status::InputEmpty),
    }
    bytes.truncate(progress.written);
    Ok((bytes, progress.errors))
}

fn check(parallel: &Parallel<'_>, encoding: &'static Encoding, text: &str, policy: Unmappable) {
    let shown = || {
        let start: String = text.chars().take(100).collect();
        format!("{encoding}, {policy:?}, {parallel:?}: {start:?}")
    };
    let expected = encoding.encode(text, policy);
    let encoded = parallel.encode(encoding, text, policy);
    assert!(encoded == expected, "{}", shown());
    if let (Ok(encoded), Ok(expected)) = (encoded, expected) {
        let is_borrowed = |bytes| matches!(bytes, Cow::Borrowed(_));
        assert_eq!(
            is_borrowed(encoded.bytes),
            is_borrowed(expected.bytes),
            "{}",
            shown()
        );
    }
    let units: Vec<u16> = text.encode_utf16().collect();
    check_utf16(parallel, encoding, &units, policy);
}

fn check_utf16(
    parallel: &Parallel<'_>,
    encoding: &'static Encoding,
    units: &[u16],
    policy: Unmappable,
) {
    let encoded = parallel.encode_from_utf16(encoding, units, policy);
    let start = &units[..units.len().min(100)];
    assert!(
        encoded == encoding.encode_from_utf16(units, policy),
        "{encoding}, {policy:?}, {parallel:?}: {start:X?}"
    );
    let encoded = encoded.map(|encoded| (encoded.bytes.into_owned(), encoded.errors));
    let expected = by_encoder(encoding, units, policy);
    assert!(
        encoded == expected,
        "{encoding}, {policy:?}, {parallel:?}: {start:X?}"
    );
}

#[test]
fn every_encoding_and_piece_size() {
    for encoding in Encoding::all() {
        for text in texts() {
            for (i, piece) in PIECES.into_iter().enumerate() {
                let most = if piece < 64 { 600 } else { 20_000 };
                let most = (0..=most.min(text.len()))
                    .rfind(|at| text.is_char_boundary(*at))
                    .unwrap_or(0);
                let parallel = Parallel::new().piece_bytes(piece).pool(pool(2 + i % 2 * 3));
                for policy in POLICIES {
                    check(&parallel, encoding, &text[..most], policy);
                }
            }
        }
    }
}

#[test]
fn text_that_grows_much() {
    let parallel = Parallel::new().piece_bytes(1000).pool(pool(2));
    let text = [
        "a".repeat(10_000),
        "💩".repeat(10_000),
        "¥日".repeat(10_000),
    ]
    .concat();
    for encoding in Encoding::all() {
        check(&parallel, encoding, &text, Unmappable::Ncr);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_in_any_pieces(
        encoding in any_encoding(),
        text in any_text(),
        policy in any_unmappable(),
        piece in 1..30_usize,
        threads in prop::sample::select(&[2_usize, 5][..]),
    ) {
        check(&Parallel::new().piece_bytes(piece).pool(pool(threads)), encoding, &text, policy);
    }

    /// Lone surrogates, also at the ends of pieces.
    #[test]
    fn any_units_in_any_pieces(
        encoding in any_encoding(),
        units in prop::collection::vec(
            prop::sample::select(&[0x61, 0xA5, 0x65E5, 0xD83D, 0xDBFF, 0xDCA9, 0xDFFF, 0x5C][..]),
            0..60,
        ),
        policy in any_unmappable(),
        piece in 1..30_usize,
    ) {
        check_utf16(&Parallel::new().piece_bytes(piece).pool(pool(2)), encoding, &units, policy);
    }
}
