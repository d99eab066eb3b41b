//! The rules against the definition of a cut, on random and hostile bytes.

use std::cell::Cell;
use std::string::String;
use std::vec::Vec;
use std::{format, vec};

use super::Window;
use crate::codec::Codec;
use crate::{Bom, Decoder, Encoding, Malformed, Status};

std::thread_local! {
    static LOOKS: Cell<usize> = const { Cell::new(0) };
}

/// Counts the positions that are looked at.
pub(super) fn count_look() {
    LOOKS.set(LOOKS.get() + 1);
}

/// Numbers that look random: xorshift64*.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n
    }
}

/// Bytes that stand at the edges of what the encodings' rules tell apart.
const EDGES: [u8; 40] = [
    0x00, 0x0A, 0x0E, 0x1B, 0x1B, 0x1B, 0x20, 0x21, 0x24, 0x24, 0x28, 0x28, 0x30, 0x35, 0x39, 0x40,
    0x42, 0x42, 0x49, 0x4A, 0x5C, 0x7E, 0x7F, 0x80, 0x81, 0x8E, 0x8F, 0x9F, 0xA0, 0xA1, 0xBF, 0xC3,
    0xD8, 0xDC, 0xDF, 0xE2, 0xF0, 0xF4, 0xFE, 0xFF,
];

fn random_bytes(random: &mut Random) -> Vec<u8> {
    let len = random.below(24);
    let kind = random.below(4);
    let mut bytes = Vec::new();
    while bytes.len() < len {
        match (kind, random.below(4)) {
            (0, _) => bytes.push(random.below(256) as u8),
            (1, 0) => bytes.extend([0x1B, b'$', b'B']),
            (1, 1) => bytes.extend([0x1B, b'(', b"BJI"[random.below(3)]]),
            (1, _) => bytes.push(0x21 + random.below(0x5E) as u8),
            (2, 0) => bytes.extend("é語💩".as_bytes()),
            _ => bytes.push(EDGES[random.below(EDGES.len())]),
        }
    }
    bytes
}

/// Text, and what was malformed.
type Decoded = (String, Vec<Malformed>);

fn decode(decoder: &mut Decoder, mut src: &[u8], last: bool, to: &mut Decoded) {
    loop {
        to.0.reserve(3 * src.len() + 16);
        let progress = decoder.decode_to_string_strict(src, &mut to.0, last);
        src = &src[progress.read..];
        match progress.status {
            Status::Malformed(malformed) => {
                to.0.push('\u{FFFD}');
                to.1.push(malformed);
            }
            _ => return,
        }
    }
}

/// What one decoder makes of the bytes, and what two make of them that meet at `at`.
fn whole_and_cut(encoding: &'static Encoding, bytes: &[u8], at: usize) -> [Decoded; 2] {
    let mut whole = Decoded::default();
    decode(&mut encoding.decoder(Bom::Keep), bytes, true, &mut whole);
    let mut cut = Decoded::default();
    decode(
        &mut encoding.decoder(Bom::Keep),
        &bytes[..at],
        true,
        &mut cut,
    );
    let mut fresh = encoding.decoder(Bom::Keep).at_offset(at as u64);
    decode(&mut fresh, &bytes[at..], true, &mut cut);
    [whole, cut]
}

#[test]
fn a_fresh_decoder_continues_at_every_cut() {
    let mut random = Random(0x5EED);
    for encoding in Encoding::all() {
        let (mut cuts, mut others) = (0, 0);
        for _ in 0..if encoding.is_single_byte() {
            100
        } else {
            20_000
        } {
            let bytes = random_bytes(&mut random);
            let window = Window {
                bytes: &bytes,
                offset: 0,
            };
            for at in 1..bytes.len() {
                if !window.is_cut(encoding.codec(), at) {
                    others += 1;
                    continue;
                }
                cuts += 1;
                let [whole, cut] = whole_and_cut(encoding, &bytes, at);
                assert_eq!(cut, whole, "{encoding}, {bytes:02X?} cut at {at}");
            }
        }
        assert_eq!(
            cuts == 0,
            encoding.codec() == Codec::Replacement,
            "{encoding}"
        );
        assert_eq!(others == 0, encoding.is_single_byte(), "{encoding}");
    }
}

#[test]
fn a_part_of_the_stream_shows_no_other_cuts() {
    let mut random = Random(0xCA7);
    for encoding in Encoding::all() {
        for _ in 0..200 {
            let bytes = random_bytes(&mut random);
            let whole = Window {
                bytes: &bytes,
                offset: 0,
            };
            for from in 0..bytes.len() {
                let part = Window {
                    bytes: &bytes[from..],
                    offset: from as u64,
                };
                for at in 0..part.bytes.len() {
                    let is_cut = part.is_cut(encoding.codec(), at);
                    let is_cut_in_whole = whole.is_cut(encoding.codec(), from + at);
                    let message = format!("{encoding}, {bytes:02X?} from {from} at {at}");
                    assert!(!is_cut || is_cut_in_whole, "{message}");
                    if at >= super::LOOK_BACK {
                        assert_eq!(is_cut, is_cut_in_whole, "{message}");
                    }
                }
            }
        }
    }
}

/// Pieces of bytes without cuts are found in linear time, and so are those of mixed ones.
#[test]
fn looking_for_cuts_is_linear() {
    let units: [&[u8]; 6] = [
        b"\xA4\xA4",
        b"\xDC\xDC",
        b"a",
        b"\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4\xA4a",
        b"\x1B$B0!0!0!\x1B(Babc",
        b"0123456789",
    ];
    for encoding in Encoding::all() {
        for unit in units {
            let bytes = unit.repeat(10_000);
            for size in [1, 7, 64, 4096] {
                LOOKS.set(0);
                let ends = pieces(encoding, &bytes, size);
                assert!(ends.is_sorted() && ends.last() == Some(&bytes.len()));
                let looks = LOOKS.get();
                let message = format!("{encoding}, {unit:02X?}, {size}: {looks} looks");
                assert!(looks <= 2 * bytes.len() + size, "{message}");
            }
        }
    }
}

fn pieces(encoding: &'static Encoding, bytes: &[u8], size: usize) -> Vec<usize> {
    let window = Window { bytes, offset: 0 };
    let (mut start, mut at_cut) = (0, true);
    let mut ends = vec![];
    while start < bytes.len() {
        let size = size.min(bytes.len() - start);
        let from = start;
        (start, at_cut) = window.piece_end(encoding.codec(), start, at_cut, size);
        assert!(from < start && start <= from + size);
        ends.push(start);
    }
    ends
}
