//! However the text is cut (between characters in UTF-8, anywhere in UTF-16) and however little room there
//! is, encoders give the same bytes as in one call.

use simdtext::{Encoder, Encoding, MIN_ENCODED, Status, Unmappable};

use crate::harness::{Encoded, Text, encode, expect_encoded};
use crate::spec::instances;
use crate::{hex, inputs};

/// Replacements that need the Roman state, the jis0208 state, and one that most encodings lack.
const POLICIES: [Unmappable; 8] = [
    Unmappable::Strict,
    Unmappable::Ncr,
    Unmappable::Skip,
    Unmappable::Replace('?'),
    Unmappable::Replace('\\'),
    Unmappable::Replace('\u{A5}'),
    Unmappable::Replace('\u{5B57}'),
    Unmappable::Replace('\u{1F600}'),
];

struct Case<'a, T: Text + ?Sized> {
    encoding: &'static Encoding,
    text: &'a T,
    unmappable: Unmappable,
    expected: Encoded,
}

impl<T: Text + ?Sized> Case<'_, T> {
    fn check(&self, encoder: &mut Encoder, cuts: &[usize], room: usize) {
        let got = encode(encoder, self.text, cuts, room, self.unmappable);
        assert!(
            got == self.expected,
            "{} {:?}, room {room}, cut at {cuts:?}: {:?}\nexpected {} {:?}\ngot      {} {:?}",
            self.encoding,
            self.unmappable,
            self.text.scalar_values().0,
            hex(&self.expected.bytes),
            self.expected,
            hex(&got.bytes),
            got,
        );
    }

    /// With output of exactly the right size the call finishes.
    fn check_fit(&self, encoder: &mut Encoder) {
        if self.unmappable == Unmappable::Strict && self.expected.errors > 0 {
            return;
        }
        let mut exact = vec![0; self.expected.bytes.len()];
        let progress = self.text.encode(encoder, &mut exact, true, self.unmappable);
        assert_eq!(
            (progress.status, progress.read, progress.written),
            (Status::InputEmpty, self.text.len(), exact.len()),
            "{} {:?}, exact room: {:?}",
            self.encoding,
            self.unmappable,
            self.text.scalar_values().0,
        );
    }
}

fn check_text<T: Text + ?Sized>(text: &T, places: &[usize]) {
    for &encoding in Encoding::all() {
        let Some(mut encoder) = encoding.encoder() else {
            continue;
        };
        let oracle = instances::Encoder::new(encoding.name()).expect("as the library");
        for unmappable in POLICIES {
            let case = Case {
                encoding,
                text,
                unmappable,
                expected: expect_encoded(&oracle, text, unmappable),
            };
            case.check_fit(&mut encoder);
            for room in (MIN_ENCODED..=16).chain([64]) {
                case.check(&mut encoder, &[], room);
                for (i, &b) in places.iter().enumerate() {
                    for &a in &places[..=i] {
                        case.check(&mut encoder, &[a, b], room);
                    }
                }
                // A piece for each unit, and an empty one after each.
                let cuts: Vec<usize> = places.iter().flat_map(|&place| [place, place]).collect();
                case.check(&mut encoder, &cuts, room);
            }
        }
    }
}

#[test]
fn from_utf8() {
    for text in inputs::TEXTS {
        let mut places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        places.push(text.len());
        check_text(text, &places);
    }
}

#[test]
fn from_utf16() {
    let texts = inputs::TEXTS.map(|text| text.encode_utf16().collect());
    let ill_formed = inputs::UNITS.map(<[u16]>::to_vec);
    for units in texts.into_iter().chain(ill_formed) {
        let places: Vec<usize> = (0..=units.len()).collect();
        check_text(&units[..], &places);
    }
}
