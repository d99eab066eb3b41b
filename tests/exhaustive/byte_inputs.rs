//! Every input of one and two bytes in every encoding, and longer inputs that have forms of their own: three
//! bytes of EUC-JP, four bytes of gb18030.

use simdtext::{
    Bom, Decoder, EUC_JP, Encoding, GB18030, GBK, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE,
};

use crate::harness::{Decoded, Expected, MODES, Unit, decode};
use crate::spec::events;
use crate::spec::instances;
use crate::{hex, peer};

/// One decoder of every kind for one encoding, used repeatedly.
struct Comparison {
    encoding: &'static Encoding,
    decoder: Decoder,
    oracle: instances::Decoder,
    peer: &'static encoding_rs::Encoding,
}

impl Comparison {
    fn new(encoding: &'static Encoding) -> Self {
        Comparison {
            encoding,
            decoder: encoding.decoder(Bom::Keep),
            oracle: instances::Decoder::new(encoding.name()),
            peer: peer::encoding(encoding.name()),
        }
    }

    fn check(&mut self, bytes: &[u8]) {
        let name = self.encoding.name();
        let events = events::decode(self.oracle.clone(), bytes, 0);
        // No difference is known between the standard and encoding_rs 0.8.44.
        let peer = peer::decode(self.peer.new_decoder_without_bom_handling(), bytes);
        assert_eq!(peer, events, "encoding_rs, {name}: {}", hex(bytes));
        let expected = Expected::from_events(&events, bytes, name);
        self.check_streaming::<u8>(bytes, &expected);
        self.check_streaming::<u16>(bytes, &expected);
        self.check_one_shot(bytes, &expected);
    }

    fn check_streaming<U: Unit>(&mut self, bytes: &[u8], expected: &Expected) {
        for mode in MODES {
            self.decoder.reset();
            let got: Decoded<U> = decode(&mut self.decoder, &[bytes], 16, mode);
            let expected = expected.decoded(mode);
            assert_eq!(
                got,
                expected,
                "{} {mode:?}: {}",
                self.encoding.name(),
                hex(bytes)
            );
        }
    }

    fn check_one_shot(&self, bytes: &[u8], expected: &Expected) {
        let case = || format!("{}: {}", self.encoding.name(), hex(bytes));
        let first = expected.malformed.first().copied();
        let got = self.encoding.decode_with_bom(bytes, Bom::Keep);
        assert_eq!(got.text, expected.text, "{}", case());
        assert_eq!(got.errors, expected.malformed.len(), "{}", case());
        assert_eq!(got.first_error, first, "{}", case());
        let strict = self.encoding.decode_strict(bytes, Bom::Keep);
        match strict {
            Ok(strict) => {
                assert_eq!((strict.text, first), (got.text, None), "{}", case());
            }
            Err(error) => assert_eq!(Some(error.malformed), first, "{}", case()),
        }
    }
}

fn check_all_short(encodings: impl Iterator<Item = &'static &'static Encoding>) {
    for encoding in encodings {
        let mut comparison = Comparison::new(encoding);
        comparison.check(&[]);
        for first in 0..=0xFF {
            comparison.check(&[first]);
            for second in 0..=0xFF {
                comparison.check(&[first, second]);
            }
        }
    }
}

#[test]
fn every_one_and_two_byte_input() {
    check_all_short(Encoding::all().iter().step_by(2));
}

/// The other half of the encodings, so that two cores share the work.
#[test]
fn every_one_and_two_byte_input_of_the_others() {
    check_all_short(Encoding::all().iter().skip(1).step_by(2));
}

#[test]
fn every_three_byte_input_of_euc_jp_after_8e_and_8f() {
    let mut comparison = Comparison::new(EUC_JP);
    for first in [0x8E, 0x8F] {
        for second in 0..=0xFF {
            for third in 0..=0xFF {
                comparison.check(&[first, second, third]);
            }
        }
    }
}

#[test]
fn three_byte_inputs_of_utf8_and_the_edges_of_four() {
    const EDGES: [u8; 10] = [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xED, 0xF4];
    let mut comparison = Comparison::new(UTF_8);
    for first in [0xE0, 0xE1, 0xEC, 0xED, 0xEF] {
        for second in 0..=0xFF {
            for third in 0..=0xFF {
                comparison.check(&[first, second, third]);
            }
        }
    }
    for first in 0xEE..=0xF6 {
        for second in 0x7F..=0xC0 {
            for third in EDGES {
                for fourth in EDGES {
                    comparison.check(&[first, second, third, fourth]);
                }
            }
        }
    }
}

#[test]
fn every_escape_of_iso_2022_jp_and_two_bytes_in_each_state() {
    let mut comparison = Comparison::new(ISO_2022_JP);
    for second in 0..=0xFF {
        for third in 0..=0xFF {
            comparison.check(&[0x1B, second, third]);
            comparison.check(&[0x1B, 0x24, 0x42, second, third]);
        }
        for escape in [b"\x1B(J", b"\x1B(I", b"\x1B(B", b"\x1B$@"] {
            comparison.check(&[escape.as_slice(), &[second]].concat());
            comparison.check(&[escape.as_slice(), &[second], b"\x1B(B"].concat());
            comparison.check(&[escape.as_slice(), b"!", &[second], b"!"].concat());
        }
    }
}

#[test]
fn code_units_at_the_edges_of_the_surrogates() {
    const EDGES: [u16; 10] = [
        0, 0x41, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFF,
    ];
    for (encoding, bytes_of) in [
        (UTF_16BE, u16::to_be_bytes as fn(u16) -> [u8; 2]),
        (UTF_16LE, u16::to_le_bytes),
    ] {
        let mut comparison = Comparison::new(encoding);
        for first in EDGES {
            for second in EDGES {
                for third in EDGES {
                    let bytes = [first, second, third].map(bytes_of).concat();
                    comparison.check(&bytes);
                    comparison.check(&bytes[..5]);
                    comparison.check(&bytes[1..]);
                }
            }
        }
    }
}

/// 126 × 10 × 126 × 10 forms, assigned or not, with a thousand and more in each stream.
#[test]
fn every_four_byte_form_of_gb18030() {
    let oracle = instances::Decoder::new("gb18030");
    let mut decoder = GB18030.decoder(Bom::Keep);
    for first in 0x81..=0xFE {
        for second in 0x30..=0x39 {
            let mut bytes = Vec::with_capacity(126 * 10 * 4);
            for third in 0x81..=0xFE {
                for fourth in 0x30..=0x39 {
                    bytes.extend([first, second, third, fourth]);
                }
            }
            let events = events::decode(oracle.clone(), &bytes, 0);
            assert_eq!(events.len(), 126 * 10);
            let peer = encoding_rs::GB18030.new_decoder_without_bom_handling();
            let same = peer::decode(peer, &bytes) == events;
            assert!(same, "encoding_rs: {first:02X} {second:02X}");
            let expected = Expected::from_events(&events, &bytes, "gb18030");
            compare::<u8>(&mut decoder, &bytes, &expected);
            compare::<u16>(&mut decoder, &bytes, &expected);
            assert_eq!(GBK.decode_with_bom(&bytes, Bom::Keep).text, expected.text);
        }
    }
}

fn compare<U: Unit>(decoder: &mut Decoder, bytes: &[u8], expected: &Expected) {
    for mode in MODES {
        decoder.reset();
        let got: Decoded<U> = decode(decoder, &[bytes], bytes.len(), mode);
        if got == expected.decoded(mode) {
            continue;
        }
        // There is a difference: find the form.
        for (form, c) in bytes.chunks(4).zip(expected.text.chars()) {
            let mut units = Vec::new();
            U::push(&mut units, c);
            decoder.reset();
            let got: Decoded<U> = decode(decoder, &[form], 16, mode);
            assert_eq!(got.units, units, "gb18030 {mode:?}: {}", hex(form));
        }
        panic!(
            "gb18030 {mode:?}: {}… differs as a whole only",
            hex(&bytes[..2])
        );
    }
}
