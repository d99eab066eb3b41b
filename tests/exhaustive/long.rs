//! Longer streams: runs of ASCII and of other characters, of every length up to more than two of the widest
//! vector registers, one after the other, without faults and with one in each run.

use simdtext::{Bom, Encoding, UTF_8, Unmappable};

use crate::harness::{Decoded, Expected, MODES, Mode, Unit, decode, encode, expect_encoded};
use crate::inputs;
use crate::spec::events::{self, Policy};
use crate::spec::instances::Encoder;

const LONGEST_RUN: usize = 140;

/// The characters above ASCII that the encoding has, if possible all different.
fn repertoire(oracle: &Encoder) -> Vec<char> {
    let every = ('\u{80}'..'\u{3000}').chain('\u{3000}'..='\u{FFFF}');
    every
        .step_by(5)
        .chain('\u{1F600}'..'\u{1F640}')
        .filter(|&c| {
            let encoded = events::encode(oracle.clone(), &[c], Policy::Stop);
            encoded.unmappable.is_empty()
        })
        .collect()
}

/// Runs of 0 to [`LONGEST_RUN`] ASCII characters between runs of `others(length)` others.
fn text(repertoire: &[char], others: impl Fn(usize) -> usize) -> Vec<char> {
    let mut ascii = (' '..='~').cycle();
    let mut above = repertoire.iter().copied().cycle();
    let mut text = Vec::new();
    for len in 0..=LONGEST_RUN {
        text.extend(ascii.by_ref().take(len));
        text.extend(above.by_ref().take(others(len)));
    }
    text
}

fn check_decoding<U: Unit>(encoding: &'static Encoding, bytes: &[u8], expected: &Expected) {
    let pieces: Vec<&[u8]> = bytes.chunks(bytes.len().div_ceil(31).max(1)).collect();
    for mode in MODES {
        let expected = expected.decoded(mode);
        for (pieces, room) in [
            (&[bytes][..], 4 * bytes.len() + 4),
            (&[bytes][..], 93),
            (&pieces[..], 1000),
            (&pieces[..], 61),
        ] {
            let got: Decoded<U> = decode(&mut encoding.decoder(Bom::Keep), pieces, room, mode);
            let at = got.units.iter().zip(&expected.units);
            let at = at.enumerate().find(|(_, (got, expected))| got != expected);
            assert!(
                got == expected,
                "{encoding} {mode:?}, {} pieces, room {room}: units differ at {at:X?}, errors {} \
                 for {}\ninput {}",
                pieces.len(),
                got.errors,
                expected.errors,
                crate::hex(bytes)
            );
        }
    }
}

fn check_encoding(encoding: &'static Encoding, oracle: &Encoder, text: &[char]) {
    let text = String::from_iter(text);
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut encoder = encoding.encoder().expect("the caller asked");
    for unmappable in [
        Unmappable::Strict,
        Unmappable::Ncr,
        Unmappable::Replace('\u{A5}'),
    ] {
        let expected = expect_encoded(oracle, &*text, unmappable);
        let expected_of_units = expect_encoded(oracle, &units[..], unmappable);
        for room in [10 * text.len() + 10, 61] {
            let got = encode(&mut encoder, &*text, &[], room, unmappable);
            assert!(
                got == expected,
                "{encoding} {unmappable:?}, {room}: {text:?}"
            );
            let got = encode(&mut encoder, &units[..], &[], room, unmappable);
            assert!(
                got == expected_of_units,
                "{encoding} {unmappable:?}, {room}: {text:?}"
            );
        }
    }
}

#[test]
fn runs_of_every_length() {
    for &encoding in Encoding::all() {
        let Some(oracle) = Encoder::new(encoding.name()) else {
            continue;
        };
        let repertoire = repertoire(&oracle);
        // With few others in between, so that each ASCII run lands elsewhere; with as many as ASCII; and
        // mostly others.
        let texts = [
            text(&repertoire, |len| len % 5),
            text(&repertoire, |len| len),
            text(&repertoire, |len| LONGEST_RUN - len),
        ];
        for text in texts {
            let bytes = events::encode(oracle.clone(), &text, Policy::Ncr).bytes;
            let expected = Expected::new(encoding, &bytes, Bom::Keep);
            check_decoding::<u8>(encoding, &bytes, &expected);
            check_decoding::<u16>(encoding, &bytes, &expected);
            check_encoding(encoding, &oracle, &text);

            // Now and then a byte that is malformed, or makes what follows malformed.
            let mut faulty = bytes.clone();
            for (i, at) in (50..faulty.len()).step_by(97).enumerate() {
                faulty[at] = [0xFF, 0x80, 0x1B, 0xA1, 0xD8, 0x0E, 0xFC][i % 7];
            }
            let expected = Expected::new(encoding, &faulty, Bom::Keep);
            check_decoding::<u8>(encoding, &faulty, &expected);
            check_decoding::<u16>(encoding, &faulty, &expected);
            let mut text = text;
            for (i, at) in (50..text.len()).step_by(97).enumerate() {
                text[at] = ['\u{1F4A9}', '\u{E5E5}', '\u{1B}', '\u{FFFF}'][i % 4];
            }
            check_encoding(encoding, &oracle, &text);
        }
    }
}

/// Sequences at the boundaries of what UTF-8 allows, each after some ASCII, through room of many sizes: near an error,
/// little room is filled another way.
#[test]
fn damaged_pages_into_little_room() {
    const BYTES: [u8; 20] = [
        b'<', 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF,
        0xF0, 0xF1, 0xF4, 0xF5, 0xFF,
    ];
    let mut ascii = (b' '..=b'~').cycle();
    let mut page = Vec::new();
    for first in BYTES {
        for second in BYTES {
            for third in BYTES {
                for fourth in [b'>', 0x80, 0xBF, 0xC2] {
                    let run = 5 + page.len() % 13;
                    page.extend(ascii.by_ref().take(run));
                    page.extend([first, second, third, fourth]);
                }
            }
        }
    }
    fn check<U: Unit>(page: &[u8]) {
        let expected = Expected::new(UTF_8, page, Bom::Keep);
        let pieces: Vec<&[u8]> = page.chunks(1511).collect();
        for room in [16, 17, 31, 64, 100, 128, 129, 256, 257, 512, 513] {
            for pieces in [&[page][..], &pieces] {
                let got: Decoded<U> = decode(
                    &mut UTF_8.decoder(Bom::Keep),
                    pieces,
                    room,
                    Mode::Replacement,
                );
                assert!(
                    got == expected.decoded(Mode::Replacement),
                    "room {room}, {} pieces",
                    pieces.len()
                );
            }
        }
    }
    check::<u8>(&page);
    check::<u16>(&page);
}

/// Every byte of a single-byte encoding amid ASCII, through room of every size for which Latin text has a way of its own.
#[test]
fn single_bytes_into_little_room() {
    let mut ascii = (b' '..=b'~').cycle();
    let mut text = Vec::new();
    for run in [0, 1, 5, 17, 70] {
        for byte in 0x80..=0xFF {
            text.extend(ascii.by_ref().take(run));
            text.push(byte);
        }
    }
    let encodings = Encoding::all().iter().copied();
    for encoding in encodings.filter(|encoding| encoding.is_single_byte()) {
        let expected = Expected::new(encoding, &text, Bom::Keep);
        for mode in [Mode::Replacement, Mode::Strict] {
            let expected = expected.decoded(mode);
            for room in 16..=260 {
                let mut decoder = encoding.decoder(Bom::Keep);
                let got: Decoded<u8> = decode(&mut decoder, &[&text], room, mode);
                assert!(got == expected, "{encoding} {mode:?}, room {room}");
            }
        }
    }
}

/// Inputs that are malformed almost everywhere: long enough to reveal anything that is not linear, and for
/// the buffers of one-shot calls to grow.
#[test]
fn faults_all_the_way() {
    for &encoding in Encoding::all() {
        for pattern in inputs::for_encoding(encoding.name()) {
            let bytes = [b"a", pattern].concat().repeat(4096 / (pattern.len() + 1));
            let expected = Expected::new(encoding, &bytes, Bom::Keep);
            let case = || format!("{encoding}: 61 {} repeated", crate::hex(pattern));
            let got = encoding.decode_with_bom(&bytes, Bom::Keep);
            assert_eq!(got.errors, expected.malformed.len(), "{}", case());
            assert!(got.text == expected.text, "{}", case());
            let got: Decoded<u16> = decode(
                &mut encoding.decoder(Bom::Keep),
                &[&bytes],
                509,
                Mode::Strict,
            );
            assert!(got == expected.decoded(Mode::Strict), "{}", case());
        }
        for text in inputs::TEXTS {
            let Some(oracle) = Encoder::new(encoding.name()) else {
                continue;
            };
            let text = text.repeat(500);
            for unmappable in [Unmappable::Ncr, Unmappable::Skip] {
                let expected = expect_encoded(&oracle, &*text, unmappable);
                let got = encoding.encode(&text, unmappable).expect("not Strict");
                assert_eq!(got.errors, expected.errors, "{encoding}: {text:?}");
                assert!(*got.bytes == expected.bytes, "{encoding}: {text:?}");
            }
        }
    }
}
