//! Properties of random and hostile inputs of some hundred bytes, which is long enough for the kernels.

use std::borrow::Cow;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use simdtext::{Bom, EncodeError, Encoding, MIN_ENCODED, Malformed, Unmappable};

use crate::harness::{
    BOMS, Decoded, Expected, MODES, Text, Unit, borrows, decode, encode, expect_encoded,
};
use crate::spec::hooks;
use crate::spec::instances;
use crate::{hex, inputs, sizes};

const POLICIES: [Unmappable; 6] = [
    Unmappable::Strict,
    Unmappable::Ncr,
    Unmappable::Skip,
    Unmappable::Replace('?'),
    Unmappable::Replace('\u{A5}'),
    Unmappable::Replace('\u{1F600}'),
];

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

fn encodings() -> impl Strategy<Value = &'static Encoding> {
    select(Encoding::all())
}

/// Text in the scripts that the encodings are for, in runs, with ASCII in between.
fn texts() -> impl Strategy<Value = String> {
    let run = prop_oneof![
        3 => "[ -~\r\n\t]{0,90}",
        1 => "[\0-\x7F]{1,8}",
        1 => "[à-ÿĀ-ſ]{1,40}",
        1 => "[Ѐ-ґ]{1,40}",
        1 => "[Ͱ-Ͽא-תء-يก-๛]{1,40}",
        2 => "[ぁ-ヶ一-龥、。]{1,40}",
        1 => "[가-힣]{1,40}",
        1 => "[ｱ-ﾝ¥‾−\\\\~€]{1,8}",
        1 => "[\u{E000}-\u{F8FF}]{1,4}",
        1 => "[\u{10000}-\u{10FFFF}]{1,8}",
        1 => "\\PC{1,8}",
    ];
    vec(run, 0..6).prop_map(|runs| runs.concat())
}

/// Bytes: random ones, bytes with a meaning in some encoding, those of the short table, ASCII runs, and text
/// in some encoding, one after the other.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    const MEANING: &[u8] = b"\0\x0E\x1B\x1B$(@BIJ09~\x80\x81\x84\x8E\x8F\xA0\xA1\xBB\xBF\xC2\xD8\
        \xDC\xE0\xE3\xED\xEF\xF0\xF4\xFC\xFE\xFF";
    let run = prop_oneof![
        2 => vec(any::<u8>(), 0..40),
        3 => vec(select(MEANING), 0..40),
        2 => vec(32_u8..127, 0..150),
        1 => encodings().prop_flat_map(|encoding| select(inputs::for_encoding(encoding.name())))
            .prop_map(<[u8]>::to_vec),
        4 => (encodings(), texts()).prop_map(|(encoding, text)| {
            hooks::encode(&text, encoding.output_encoding().name())
        }),
        1 => texts().prop_map(|text| text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
    ];
    vec(run, 0..5).prop_map(|runs| runs.concat())
}

/// Text with bytes of its own encoding as well as hostile ones of any kind.
fn cases() -> impl Strategy<Value = (&'static Encoding, Vec<u8>)> {
    let own = (encodings(), texts(), hostile(), any::<Index>()).prop_map(
        |(encoding, text, hostile, place)| {
            let name = encoding.name();
            let mut bytes = match name {
                "UTF-16BE" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
                "UTF-16LE" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
                _ => hooks::encode(&text, encoding.output_encoding().name()),
            };
            let place = place.index(bytes.len() + 1);
            bytes.splice(place..place, hostile.into_iter().take(6));
            (encoding, bytes)
        },
    );
    prop_oneof![own, (encodings(), hostile())]
}

/// The positions at which `len` units are cut: up to eight, often the same one twice.
fn places(cuts: &[Index], len: usize) -> Vec<usize> {
    let mut places: Vec<usize> = cuts.iter().map(|cut| cut.index(len + 1)).collect();
    places.sort_unstable();
    places
}

fn pieces<'a>(bytes: &'a [u8], cuts: &[Index]) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    let mut from = 0;
    for to in places(cuts, bytes.len()) {
        pieces.push(&bytes[from..to]);
        from = to;
    }
    pieces.push(&bytes[from..]);
    pieces
}

fn rooms() -> impl Strategy<Value = usize> {
    prop_oneof![4_usize..20, 20_usize..200, Just(4096)]
}

fn check_decoding<U: Unit>(
    encoding: &'static Encoding,
    bom: Bom,
    pieces: &[&[u8]],
    room: usize,
    expected: &Expected,
) {
    for mode in MODES {
        let got: Decoded<U> = decode(&mut encoding.decoder(bom), pieces, room, mode);
        let expected = expected.decoded(mode);
        let pieces: Vec<String> = pieces.iter().map(|piece| hex(piece)).collect();
        assert!(
            got == expected,
            "{encoding} {bom:?} {mode:?}, room {room}: {}\nexpected {expected:X?}\n\
             got      {got:X?}",
            pieces.join(" | "),
        );
    }
}

fn check_one_shot(encoding: &'static Encoding, bom: Bom, bytes: &[u8], expected: &Expected) {
    let case = || format!("{encoding} {bom:?}: {}", hex(bytes));
    let first: Option<Malformed> = expected.malformed.first().copied();
    let got = encoding.decode_with_bom(bytes, bom);
    assert_eq!(got.text, expected.text, "{}", case());
    assert_eq!(got.encoding.name(), expected.encoding, "{}", case());
    assert_eq!(got.errors, expected.malformed.len(), "{}", case());
    assert_eq!(got.first_error, first, "{}", case());
    if bom == Bom::Sniff {
        assert_eq!(encoding.decode(bytes), got, "{}", case());
    }
    match (encoding.decode_strict(bytes, bom), first) {
        (Ok(strict), None) => assert_eq!(strict, got, "{}", case()),
        (Err(error), Some(first)) => {
            let told = (error.encoding.name(), error.malformed);
            assert_eq!(told, (expected.encoding, first), "{}", case());
        }
        (got, expected) => panic!("{}: {got:?} for {expected:?}", case()),
    }
    // The text is borrowed whenever it is a slice of the input.
    if !borrows() {
        return;
    }
    let slice = bytes.ends_with(expected.text.as_bytes()) && first.is_none();
    let plain = match expected.encoding {
        "UTF-8" => slice,
        "UTF-16BE" | "UTF-16LE" | "replacement" | "ISO-2022-JP" => return,
        _ => slice && expected.text.is_ascii(),
    };
    assert_eq!(matches!(got.text, Cow::Borrowed(_)), plain, "{}", case());
}

fn check_encoding<T: Text + ?Sized>(
    encoding: &'static Encoding,
    text: &T,
    cuts: &[usize],
    room: usize,
) {
    let Some(mut encoder) = encoding.encoder() else {
        return;
    };
    let oracle = instances::Encoder::new(encoding.name()).expect("as the library");
    for unmappable in POLICIES {
        let expected = expect_encoded(&oracle, text, unmappable);
        let got = encode(&mut encoder, text, cuts, room, unmappable);
        assert!(
            got == expected,
            "{encoding} {unmappable:?}, room {room}, cut at {cuts:?}: {:?}\n\
             expected {expected:X?}\ngot      {got:X?}",
            text.scalar_values().0
        );
    }
    sizes::check_encoder(encoding, text, cuts);
}

fn check_one_shot_encoding(encoding: &'static Encoding, text: &str) {
    let Some(oracle) = instances::Encoder::new(encoding.name()) else {
        let got = encoding.encode(text, Unmappable::Ncr);
        assert_eq!(got, Err(EncodeError::NoEncoder { encoding }));
        return;
    };
    for unmappable in POLICIES {
        let expected = expect_encoded(&oracle, text, unmappable);
        let case = || format!("{encoding} {unmappable:?}: {text:?}");
        match encoding.encode(text, unmappable) {
            Ok(got) => {
                assert_eq!(*got.bytes, expected.bytes, "{}", case());
                assert_eq!(got.errors, expected.errors, "{}", case());
                let same = encoding.is_ascii_compatible() && text.is_ascii() && borrows();
                if encoding.name() == "UTF-8" || same {
                    assert!(matches!(got.bytes, Cow::Borrowed(_)), "{}", case());
                }
            }
            Err(error) => {
                let first = expected.unmappable.first();
                let &(ch, offset) = first.expect("only Strict fails, and only where it must");
                let expected = EncodeError::Unmappable {
                    encoding,
                    ch,
                    offset,
                };
                assert_eq!(error, expected, "{}", case());
            }
        }
    }
}

proptest! {
    #![proptest_config(config(3000))]

    #[test]
    fn decoding_in_pieces_is_decoding_as_the_standard_says(
        (encoding, bytes) in cases(),
        bom in select(&BOMS[..]),
        cuts in vec(any::<Index>(), 0..8),
        room in rooms(),
    ) {
        let expected = Expected::new(encoding, &bytes, bom);
        let pieces = pieces(&bytes, &cuts);
        check_decoding::<u8>(encoding, bom, &pieces, room, &expected);
        check_decoding::<u16>(encoding, bom, &pieces, room, &expected);
    }

    #[test]
    fn one_call_and_one_shot_are_the_same(
        (encoding, bytes) in cases(),
        bom in select(&BOMS[..]),
        cut in any::<Index>(),
    ) {
        let expected = Expected::new(encoding, &bytes, bom);
        check_one_shot(encoding, bom, &bytes, &expected);
        let (head, tail) = bytes.split_at(cut.index(bytes.len() + 1));
        sizes::check_decoder::<u8>(encoding, bom, head, tail);
        sizes::check_decoder::<u16>(encoding, bom, head, tail);
        let whole = 3 * bytes.len() + 16;
        check_decoding::<u8>(encoding, bom, &[&bytes], whole, &expected);
        check_decoding::<u16>(encoding, bom, &[&bytes], whole, &expected);
    }

    #[test]
    fn encoding_in_pieces_is_encoding_as_the_standard_says(
        encoding in encodings(),
        text in texts(),
        stray in vec(0xD800_u16..0xE000, 0..4),
        cuts in vec(any::<Index>(), 0..8),
        room in rooms(),
    ) {
        let room = room.max(MIN_ENCODED);
        check_one_shot_encoding(encoding, &text);
        let boundaries: Vec<usize> = (0..=text.len())
            .filter(|&place| text.is_char_boundary(place))
            .collect();
        let chosen: Vec<usize> = places(&cuts, boundaries.len() - 1)
            .into_iter()
            .map(|place| boundaries[place])
            .collect();
        check_encoding(encoding, &*text, &chosen, room);
        let mut units: Vec<u16> = text.encode_utf16().collect();
        for (unit, cut) in stray.iter().zip(&cuts) {
            units.insert(cut.index(units.len() + 1), *unit);
        }
        check_encoding(encoding, &units[..], &places(&cuts, units.len()), room);
    }

    #[test]
    fn what_was_encoded_decodes_to_the_same_text((encoding, bytes) in cases()) {
        let text = encoding.decode_with_bom(&bytes, Bom::Keep).text;
        if let Ok(encoded) = encoding.encode(&text, Unmappable::Strict) {
            let again = encoding.decode_strict(&encoded.bytes, Bom::Keep);
            // A few characters are mapped to others on purpose: U+00A5, U+203E, U+2212, half-width katakana.
            let folded = |text: &str| -> String {
                let folded = text.replace('¥', "\\").replace('‾', "~").replace('−', "－");
                encoding_rs::ISO_2022_JP
                    .decode_without_bom_handling(&encoding_rs::ISO_2022_JP.encode(&folded).0)
                    .0
                    .into_owned()
            };
            let again = again.map(|again| again.text);
            let japanese = matches!(encoding.name(), "Shift_JIS" | "EUC-JP" | "ISO-2022-JP");
            if japanese {
                let again = again.expect("the encoder's own bytes");
                prop_assert_eq!(folded(&again), folded(&text), "{}: {}", encoding, hex(&bytes));
            } else {
                prop_assert_eq!(again.as_deref(), Ok(&*text), "{}: {}", encoding, hex(&bytes));
            }
        }
    }
}
