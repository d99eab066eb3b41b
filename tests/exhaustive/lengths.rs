//! The room that decoders say they need: it is always enough, and never more than some input takes.

use simdtext::{Bom, Decoder, Encoding, ISO_2022_JP, Progress, Status};

/// A figure, and the decoding that it is about, which writes to as much room as it is given.
struct Figure {
    name: &'static str,
    most: fn(&Decoder, usize) -> Option<usize>,
    decode: fn(&mut Decoder, &[u8], bool, usize) -> Progress,
}

const FIGURES: [Figure; 3] = [
    Figure {
        name: "max_utf8_len",
        most: Decoder::max_utf8_len,
        decode: |decoder, src, last, room| decoder.decode_to_utf8(src, &mut [0; 64][..room], last),
    },
    Figure {
        name: "max_utf8_len_strict",
        most: Decoder::max_utf8_len_strict,
        decode: |decoder, src, last, room| {
            decoder.decode_to_utf8_strict(src, &mut [0; 64][..room], last)
        },
    },
    Figure {
        name: "max_utf16_len",
        most: Decoder::max_utf16_len,
        decode: |decoder, src, last, room| decoder.decode_to_utf16(src, &mut [0; 64][..room], last),
    },
];

impl Figure {
    /// Decodes `src` with as much room as the figure says, and returns what was written.
    fn fill(&self, decoder: &mut Decoder, src: &[u8], last: bool) -> usize {
        let room = (self.most)(decoder, src.len()).unwrap();
        let progress = (self.decode)(decoder, src, last, room);
        assert_ne!(
            progress.status,
            Status::OutputFull,
            "{} of {}: {room} for {src:02X?}",
            self.name,
            decoder.encoding()
        );
        progress.written
    }
}

/// Two bytes repeated, `n` bytes in all; if `n` is odd, with an ASCII byte at the end.
fn repetitions(pair: [u8; 2], n: usize) -> [Vec<u8>; 2] {
    let bytes: Vec<u8> = pair.into_iter().cycle().take(n).collect();
    let mut ends_in_ascii = bytes.clone();
    if n % 2 == 1 {
        ends_in_ascii[n - 1] = b'a';
    }
    [bytes, ends_in_ascii]
}

#[test]
fn some_input_takes_all_the_room_there_should_be() {
    for &encoding in Encoding::all() {
        let mut start = encoding.decoder(Bom::Keep);
        if encoding == ISO_2022_JP {
            // This leads to the state in which one byte becomes a character of three.
            let _ = start.decode_to_utf8(b"\x1B(I", &mut [0; 4], false);
        }
        for (figure, n) in FIGURES
            .iter()
            .flat_map(|figure| (0..5).map(move |n| (figure, n)))
        {
            let mut written = 0;
            for pair in 0..=u16::MAX {
                let pair = pair.to_be_bytes();
                if (n < 2 || encoding.is_single_byte()) && pair[0] != pair[1] {
                    continue;
                }
                for src in repetitions(pair, n) {
                    written = written.max(figure.fill(&mut start.clone(), &src, true));
                }
            }
            let most = (figure.most)(&start, n);
            assert_eq!(most, Some(written), "{} of {encoding} for {n}", figure.name);
        }
    }
}

/// Bytes with a meaning in some encoding.
const BYTES: [u8; 18] = [
    0x00, 0x1B, 0x24, 0x28, 0x30, 0x42, 0x49, 0x80, 0x81, 0x8F, 0xA1, 0xBB, 0xBF, 0xC2, 0xD8, 0xEF,
    0xFE, 0xFF,
];

#[test]
fn the_room_is_enough_in_every_state() {
    for &encoding in Encoding::all() {
        for bom in [Bom::Sniff, Bom::Strip, Bom::Keep] {
            for (figure, at) in FIGURES.iter().flat_map(|it| (0..4).map(move |at| (it, at))) {
                for number in 0..BYTES.len().pow(3) {
                    let src =
                        [0, 1, 2].map(|digit| BYTES[number / BYTES.len().pow(digit) % BYTES.len()]);
                    let (front, rest) = src.split_at(at);
                    let mut decoder = encoding.decoder(bom);
                    figure.fill(&mut decoder, front, false);
                    figure.fill(&mut decoder, rest, true);
                    // The next stream, whatever the encoding of the last one was.
                    figure.fill(&mut decoder, &src, true);
                }
            }
        }
    }
}
