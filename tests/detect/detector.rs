//! A detector that is fed pieces gives the answer for the whole, and says when it has it.

use proptest::prelude::*;
use simdtext::detect::{Detector, Guess, Options, Reason, detect};
use simdtext::{Encoding, UTF_16BE, UTF_16LE, Unmappable};

use crate::samples;

/// An answer with its candidates and their costs, which its `Debug` shows.
fn all_of(guess: &Guess) -> String {
    format!("{guess:?}")
}

/// Bytes for every kind of answer, including unusual ones.
fn inputs() -> Vec<Vec<u8>> {
    let mut inputs: Vec<Vec<u8>> = [
        &b""[..],
        b"a",
        b"plain ASCII\n",
        "naïve".as_bytes(),
        b"na\xEFve",
        b"\xEF\xBB\xBFtext",
        b"\xEF\xBB",
        b"\xFE\xFF\0a",
        b"\xFF\xFEa\0",
        b"\xFF\xFE",
        b"\xFF\xFE\0",
        b"\xFF\xFE\0\0",
        b"\xFF\xFE\0\0a\0\0\0",
        b"\xFF\xFE\0\0a\0\0",
        b"\xFF\xFE\0\0a\0a\0",
        b"\0\0\xFE\xFF\0\0\0a",
        b"\0\0\xFE\xFFa\0\0a",
        b"\x1B$BF|K\\\x1B(B",
        b"\x1B$BF|K",
        b"\x81\x30\x81\x30\xC4\xE3\xBA\xC3",
        b"a\0b\0c\0d\0",
        b"\0a\0b\0c\0d",
        b"a\0\0\0b\0\0\0c\0\0\0",
        b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E",
        b"text, and padding\0\0\0\0\x1A\x1A",
        b"\0\0\0\0\0\0\0\0\0\0\0\0",
    ]
    .map(<[u8]>::to_vec)
    .to_vec();
    let text = samples::text("ru");
    let text: String = text.chars().take(40).collect();
    for encoding in Encoding::all() {
        if let Ok(encoded) = encoding.encode(&text, Unmappable::Ncr) {
            inputs.push(encoded.bytes.into_owned());
        }
    }
    inputs
}

/// The answer after these pieces, which are fed until it needs no more.
fn fed<'a>(
    options: &Options<'a>,
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> (Detector<'a>, bool) {
    let mut detector = Detector::new(options);
    let wants_more = pieces.into_iter().all(|piece| detector.feed(piece));
    (detector, wants_more)
}

#[test]
fn every_cut_in_two() {
    for bytes in inputs() {
        for options in [Options::new(), Options::new().allow_utf8(false).sample(16)] {
            let whole = all_of(&detect(&bytes, true, &options));
            let more = all_of(&detect(&bytes, false, &options));
            for at in 0..=bytes.len() {
                let (first, second) = bytes.split_at(at);
                let (detector, _) = fed(&options, [first, second]);
                assert_eq!(all_of(&detector.finish()), whole, "{bytes:02X?} at {at}");
                assert_eq!(all_of(&detector.guess()), more, "{bytes:02X?} at {at}");
            }
            let (detector, _) = fed(&options, bytes.chunks(1));
            assert_eq!(all_of(&detector.finish()), whole, "{bytes:02X?}");
        }
    }
}

/// Texts longer than the sample, and than what decides about UTF-16.
#[test]
fn long_texts() {
    let text = samples::text("ja").repeat(12);
    for encoding in Encoding::all() {
        let Ok(encoded) = encoding.encode(&text, Unmappable::Ncr) else {
            continue;
        };
        let whole = all_of(&detect(&encoded.bytes, true, &Options::new()));
        for piece in [1000, 4095, 65536] {
            let (detector, _) = fed(&Options::new(), encoded.bytes.chunks(piece));
            assert_eq!(all_of(&detector.finish()), whole, "{encoding} by {piece}");
        }
    }
}

/// What may follow: text, bytes that are not text, and padding.
fn continuations() -> Vec<Vec<u8>> {
    let units = |unit: &[u8]| unit.repeat(3000);
    vec![
        units(b"text "),
        units(b"t\0"),
        units(b"\0t"),
        units(b"t\0\0\0"),
        units(b"\0"),
        units(b"\xFF\xFE"),
        units(b"\x01\x02\x03\x04\x05\x06"),
        units("ж".as_bytes()),
        units(b"\xD6\xD0"),
    ]
}

/// Once it needs no more, nothing that follows can change the answer.
#[test]
fn enough_is_enough() {
    let mut begins: Vec<Vec<u8>> = inputs();
    begins.extend(continuations());
    let program: Vec<u8> = (0..12_000_u32).map(|i| ((i * i) >> 3) as u8).collect();
    for mark in [
        &b""[..],
        b"\xFF\xFE",
        b"\xFF\xFE\0\0",
        b"\0\0\xFE\xFF",
        b"\xEF\xBB\xBF",
    ] {
        begins.push([mark, &b"\0\0\0t".repeat(3000)].concat());
        begins.push([mark, &b"t\0\0\0".repeat(3000)].concat());
        begins.push([mark, &program].concat());
    }
    let mut decided = Vec::new();
    for begin in &begins {
        for piece in [usize::MAX, 4096, 7] {
            let (detector, wants_more) = fed(&Options::new(), begin.chunks(piece));
            if wants_more {
                continue;
            }
            let answer = all_of(&detector.finish());
            assert_eq!(all_of(&detector.guess()), answer);
            decided.push(detector.finish().reason);
            for more in continuations() {
                let whole = [&begin[..], &more].concat();
                let expected = all_of(&detect(&whole, true, &Options::new()));
                assert_eq!(answer, expected, "{:02X?}…", &begin[..begin.len().min(16)]);
                let expected = all_of(&detect(&whole, false, &Options::new()));
                assert_eq!(answer, expected, "{:02X?}…", &begin[..begin.len().min(16)]);
            }
        }
    }
    // It says so at some time, for each reason.
    assert!(decided.contains(&Reason::Bom));
    assert!(
        decided
            .iter()
            .any(|it| matches!(it, Reason::Utf32 { bom: true, .. }))
    );
    assert!(decided.iter().any(|it| matches!(it, Reason::Binary(_))));
    // But not for UTF-16 without a mark, whatever its bytes are.
    for encoding in [UTF_16LE, UTF_16BE] {
        let text = encoding.encode("plain text\n", Unmappable::Strict).unwrap();
        let bytes = text.bytes.repeat(2000);
        let (detector, wants_more) = fed(&Options::new(), [&bytes[..]]);
        assert!(wants_more);
        assert_eq!(detector.finish().encoding, Some(encoding));
    }
}

#[test]
fn a_limit() {
    let text = samples::text("ru");
    let bytes = simdtext::KOI8_R
        .encode(&text, Unmappable::Ncr)
        .unwrap()
        .bytes;
    for limit in [0, 1, 100, bytes.len() - 1] {
        let mut detector = Detector::new(&Options::new()).limit(limit);
        let mut pieces = bytes.chunks(64);
        while pieces.next().is_some_and(|piece| detector.feed(piece)) {}
        assert!(!detector.feed(b"more"));
        let expected = all_of(&detect(&bytes[..limit], false, &Options::new()));
        assert_eq!(all_of(&detector.finish()), expected, "{limit}");
    }
    let mut detector = Detector::new(&Options::new()).limit(bytes.len());
    assert!(detector.feed(&bytes));
    let whole = all_of(&detect(&bytes, true, &Options::new()));
    assert_eq!(all_of(&detector.finish()), whole);
    // One detector for one input after another.
    detector.reset();
    assert!(detector.feed(b"") && !detector.feed(b"\xFE\xFF\0a"));
    assert_eq!(detector.finish().reason, Reason::Bom);
    detector.reset();
    assert!(detector.feed(&bytes));
    assert_eq!(all_of(&detector.finish()), whole);
}

proptest! {
    #[test]
    fn any_pieces(
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0_u8..0x20, Just(0)], 0..700),
        repeat in 1_usize..40,
        cuts in prop::collection::vec(0_usize..20_000, 0..8),
    ) {
        let bytes = bytes.repeat(repeat);
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|cut| &bytes[cut[0]..cut[1]]);
        let (detector, _) = fed(&Options::new(), pieces);
        let whole = detect(&bytes, true, &Options::new());
        prop_assert_eq!(all_of(&detector.finish()), all_of(&whole));
    }
}
