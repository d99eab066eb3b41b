//! `sniff::Utf8Tally`, compared with the standard library's chunks of UTF-8.

use proptest::prelude::*;
use simdtext::sniff::{Utf8Tally, Utf8Verdict};
use simdtext::{GBK, KOI8_R, WINDOWS_1252};

/// The definition: characters that are not ASCII, malformed sequences, and where the first begins.
fn plainly(bytes: &[u8]) -> (u64, u64, Option<u64>) {
    let (mut well_formed, mut malformed, mut first, mut offset) = (0, 0, None, 0);
    for chunk in bytes.utf8_chunks() {
        well_formed += chunk.valid().chars().filter(|ch| !ch.is_ascii()).count() as u64;
        offset += chunk.valid().len() as u64;
        if !chunk.invalid().is_empty() {
            malformed += 1;
            first.get_or_insert(offset);
        }
        offset += chunk.invalid().len() as u64;
    }
    (well_formed, malformed, first)
}

fn tally(pieces: &[&[u8]]) -> Utf8Tally {
    let mut tally = Utf8Tally::new();
    for piece in pieces {
        tally.feed(piece);
    }
    tally
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"ascii\n".to_vec()),
        Just("été".as_bytes().to_vec()),
        Just("日本".as_bytes().to_vec()),
        Just("💩".as_bytes().to_vec()),
        Just(b"\xF0\x9F\x92".to_vec()),
        Just(b"\xE0\x80".to_vec()),
        Just(b"\xED\xA0\x80".to_vec()),
        Just(b"\xF4\x90".to_vec()),
        prop::collection::vec(any::<u8>(), 0..3),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn counts_are_those_of_the_standard_library(bytes in bytes(), cut in 0..100_usize) {
        let cut = cut.min(bytes.len());
        let (front, back) = bytes.split_at(cut);
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        for tally in [tally(&[&bytes]), tally(&[front, back]), tally(&single)] {
            prop_assert_eq!(
                (tally.well_formed(), tally.malformed(), tally.first_malformed()),
                plainly(&bytes),
                "{:02X?}", bytes
            );
        }
    }
}

#[test]
fn verdicts() {
    let long = "Ça a déjà été réglé à Orléans, où l'été s'achève. ".repeat(40);
    let damaged = [long.as_bytes(), b"\xFF\xFE", long.as_bytes(), b"\xC3"].concat();
    let cases: [(&[u8], Utf8Verdict); 12] = [
        (b"", Utf8Verdict::Ascii),
        (b"ascii", Utf8Verdict::Ascii),
        ("é\n".as_bytes(), Utf8Verdict::Unclear),
        ("éééééé".as_bytes(), Utf8Verdict::Utf8),
        (long.as_bytes(), Utf8Verdict::Utf8),
        (&damaged, Utf8Verdict::Damaged),
        (
            "éèêëàâäç\u{e9}".as_bytes().split_last().unwrap().1,
            Utf8Verdict::Damaged,
        ),
        (b"\xE9t\xE9", Utf8Verdict::Other),
        // One Chinese character in GBK, and one in UTF-8 that is cut.
        (b"\xD6\xA7", Utf8Verdict::Unclear),
        (b"\xE4\xB8", Utf8Verdict::Other),
        // "Привет, мир" in windows-1251, KOI8-R.
        (
            b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0",
            Utf8Verdict::Other,
        ),
        (
            b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2",
            Utf8Verdict::Other,
        ),
    ];
    for (bytes, wanted) in cases {
        assert_eq!(
            tally(&[bytes]).finish(GBK),
            wanted,
            "{}",
            bytes.escape_ascii()
        );
    }
}

#[test]
fn a_legacy_header_does_not_hide_what_follows() {
    // 200 words of KOI8-R, and then much UTF-8: as a whole that is damaged UTF-8.
    let header = b"\xF0\xD2\xC9\xD7\xC5\xD4 ".repeat(20);
    let body = "Все люди рождаются свободными и равными. ".repeat(20_000);
    let bytes = [&header[..], body.as_bytes()].concat();
    assert_eq!(tally(&[&header]).finish(KOI8_R), Utf8Verdict::Other);
    for piece in [bytes.len(), 64 * 1024, 1000, 7] {
        let pieces: Vec<&[u8]> = bytes.chunks(piece).collect();
        let tally = tally(&pieces);
        assert!(tally.is_hopeless());
        assert_eq!(
            tally.finish(KOI8_R),
            Utf8Verdict::Damaged,
            "in pieces of {piece}"
        );
    }
}

#[test]
fn how_short_a_text_can_be_depends_on_what_it_is_said_to_be_in() {
    for (text, said, wanted) in [
        ("é", WINDOWS_1252, Utf8Verdict::Unclear),
        ("été", WINDOWS_1252, Utf8Verdict::Utf8),
        ("мир", KOI8_R, Utf8Verdict::Utf8),
        ("мир", GBK, Utf8Verdict::Unclear),
        ("привет", GBK, Utf8Verdict::Utf8),
        ("été à Orléans\u{e9}", WINDOWS_1252, Utf8Verdict::Utf8),
    ] {
        assert_eq!(tally(&[text.as_bytes()]).finish(said), wanted, "{text}");
    }
}

#[test]
fn where_only_the_end_is_cut() {
    for (text, said, wanted) in [
        ("é, é", WINDOWS_1252, Utf8Verdict::Unclear),
        ("été à Orléans, é", WINDOWS_1252, Utf8Verdict::Damaged),
        ("été à Orléans, é", GBK, Utf8Verdict::Unclear),
        ("é", WINDOWS_1252, Utf8Verdict::Other),
    ] {
        let cut = &text.as_bytes()[..text.len() - 1];
        assert_eq!(tally(&[cut]).finish(said), wanted, "{text}");
    }
}

#[test]
fn estimates_of_long_texts_are_near_the_counts() {
    for text in [
        &b"O\xF9 \xEAtes-vous pass\xE9e, \xE0 No\xEBl?\n"[..], // windows-1252
        b"\xF0\xD2\xC9\xD7\xC5\xD4, \xA3\xD6 \xC9 \xAF\xD6\xC9\xCB\n", // KOI8-R
        b"\xBB \xAB\x80, a b \xC3\n",
    ] {
        let long = text.repeat(40_000);
        let (_, malformed, first) = plainly(&long);
        for piece in [long.len(), 64 * 1024, 1000] {
            let pieces: Vec<&[u8]> = long.chunks(piece).collect();
            let tally = tally(&pieces);
            assert_eq!(tally.first_malformed(), first);
            let off = tally.malformed().abs_diff(malformed);
            assert!(
                off <= malformed / 8,
                "{off} of {malformed}, pieces of {piece}: {}",
                text.escape_ascii()
            );
            assert_eq!(tally.finish(WINDOWS_1252), Utf8Verdict::Other);
        }
    }
}
