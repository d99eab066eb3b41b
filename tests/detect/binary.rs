//! Binary data, and text that looks like it: `BinaryScan`, and what `detect` concludes from it.

use std::path::Path;
use std::{env, fs};

use proptest::prelude::*;
use simdtext::detect::{Binary, BinaryScan, Options, Reason, Sign, detect};
use simdtext::{Encoding, UTF_16BE, UTF_16LE, Unmappable};

/// Marsaglia's xorshift64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 32) as u8).collect()
    }
}

fn scan(bytes: &[u8]) -> Option<Binary> {
    let mut scan = BinaryScan::new();
    scan.feed(bytes);
    scan.finish()
}

fn reason(bytes: &[u8]) -> (Option<&'static Encoding>, Reason) {
    let guess = detect(bytes, true, &Options::default());
    (guess.encoding, guess.reason)
}

fn is_binary(bytes: &[u8]) -> bool {
    matches!(reason(bytes), (None, Reason::Binary(_)))
}

/// A card of FITS: 80 bytes of ASCII.
fn card(text: &str) -> Vec<u8> {
    format!("{text:80}").into_bytes()
}

/// Files of many kinds. `noise` stands for compressed data.
fn files() -> Vec<(&'static str, Vec<u8>)> {
    let mut random = Random(88_172_645_463_325_252);
    let mut noise = |len| random.bytes(len);
    let prose = b"It was the best of times, it was the worst of times.\n".repeat(20);
    let floats = |count: u16| -> Vec<u8> {
        (0..count)
            .flat_map(|i| (1000.0 + f32::from(i * 37 % 101) / 3.0).to_be_bytes())
            .collect()
    };
    let mut fits = card("SIMPLE  =                    T");
    for number in 0..200 {
        fits.extend(card(&format!("COMMENT a long header, line {number}")));
    }
    fits.extend(card("END"));
    fits.resize(fits.len().next_multiple_of(2880), b' ');
    fits.extend(floats(2880 / 4));
    let mut tar = b"docs/readme.txt".to_vec();
    tar.resize(100, 0);
    tar.extend(b"0000644\x000001750\x000001750\x0000000002040\x0014000000000\x00012345\x00 0");
    tar.resize(257, 0);
    tar.extend(b"ustar\x0000user");
    tar.resize(512, 0);
    tar.extend(&prose);
    tar.resize(10_240, 0);
    let pixels: Vec<u8> = (0..64 * 64 * 3_u32).map(|i| (i * i / 97) as u8).collect();
    let sound: Vec<u8> = (0..4000_i32)
        .flat_map(|i| (((f64::from(i) / 9.0).sin() * 3000.0) as i16).to_le_bytes())
        .collect();
    vec![
        (
            "PNG",
            [b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0\x5C\x72\xA8\x66\0\0\x20\0IDAT\x78\x9C".to_vec(), noise(3000)].concat(),
        ),
        (
            "ELF",
            [b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0\xC0\x1F\0\0\0\0\0\0\x40\0\0\0\0\0\0\0".to_vec(), noise(200), b"/lib64/ld-linux-x86-64.so.2\0libc.so.6\0printf\0".to_vec()].concat(),
        ),
        ("gzip", [b"\x1F\x8B\x08\x08\xF2\x1D\x5A\x65\0\x03a.txt\0".to_vec(), noise(400)].concat()),
        ("FITS", fits),
        ("P6", [b"P6\n# made by hand\n64 64\n255\n".to_vec(), pixels.clone()].concat()),
        (
            "self-extracting archive",
            [b"#!/bin/sh\n# This script was generated using Makeself 2.4.0\n".repeat(200), b"exit 0\n".to_vec(), noise(2000)].concat(),
        ),
        (
            "PDF",
            [b"%PDF-1.5\n%\xE2\xE3\xCF\xD3\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n4 0 obj\n<< /Length 900 /Filter /FlateDecode >>\nstream\n".to_vec(), noise(900), b"\nendstream\nendobj\n".to_vec(), b"0000000016 00000 n \n".repeat(300)].concat(),
        ),
        (
            "pickle",
            b"\x80\x04\x95\x2A\0\0\0\0\0\0\0}\x94(\x8C\x04name\x94\x8C\x05caf\xC3\xA9\x94\x8C\x05price\x94G@\x0A\xE1G\xAE\x14z\xE1u.".to_vec(),
        ),
        ("tar of a text", tar),
        (
            "BMP",
            [b"BM\x36\x30\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x40\0\0\0\x40\0\0\0\x01\0\x18\0".to_vec(), pixels].concat(),
        ),
        (
            "WAV",
            [b"RIFF\x64\x1F\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1F\0\0\x80\x3E\0\0\x02\0\x10\0data\x40\x1F\0\0".to_vec(), sound].concat(),
        ),
        (
            "SQLite",
            [b"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20\0\0\0\x02\0\0\0\x02".to_vec(), vec![0; 4000], b"CREATE TABLE t (a text)".to_vec(), vec![0; 40], prose.clone()].concat(),
        ),
        (
            "class file",
            b"\xCA\xFE\xBA\xBE\0\0\0\x3D\0\x0D\x0A\0\x02\0\x03\x07\0\x04\x0C\0\x05\0\x06\x01\0\x10java/lang/Object\x01\0\x06<init>\x01\0\x03()V".to_vec(),
        ),
        (
            "docx",
            [b"PK\x03\x04\x14\0\x08\x08\x08\0\x53\x7A\x6C\x57\0\0\0\0\0\0\0\0\0\0\0\0\x11\0\0\0word/document.xml".to_vec(), noise(1500), b"PK\x05\x06\0\0\0\0\x01\0\x01\0\x3F\0\0\0\x0A\x06\0\0\0\0".to_vec()].concat(),
        ),
        ("numbers of 32 bits", (0..500_u32).flat_map(|i| (i * 7919).to_le_bytes()).collect()),
        ("numbers of 16 bits", (0..500_u16).flat_map(|i| (i * 7).to_le_bytes()).collect()),
        ("floating-point numbers", (0..500_u16).flat_map(|i| f64::from(i).sqrt().to_le_bytes()).collect()),
        ("NUL and nothing else", vec![0; 4096]),
        ("one file name and another", b"a.txt\0b.txt\0c.txt\0d.txt\0e.txt".to_vec()),
        (
            "text, then noise, then text",
            [prose.repeat(300), noise(1024), prose.repeat(300)].concat(),
        ),
    ]
}

#[test]
fn files_that_are_no_text() {
    for (kind, bytes) in files() {
        assert!(is_binary(&bytes), "{kind}: {:?}", reason(&bytes));
        assert!(scan(&bytes).is_some(), "{kind}");
    }
}

#[test]
fn random_bytes() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for len in [64, 128, 256, 1024, 4096, 100_000] {
        let mut named = 0;
        for _ in 0..200 {
            named += usize::from(reason(&random.bytes(len)).0.is_some());
        }
        // Of the shortest, half a per cent may pass, because there is too little to tell.
        let most = if len == 64 { 4 } else { 0 };
        assert!(named <= most, "{named} of 200 random inputs of {len} bytes");
    }
    // Without any control character they are only implausible.
    for len in [256, 1024, 4096] {
        for _ in 0..200 {
            let mut noise = random.bytes(2 * len);
            noise.retain(|byte| *byte >= 0x20);
            noise.truncate(len);
            assert_eq!(reason(&noise), (None, Reason::Implausible), "{len} bytes");
        }
    }
}

#[test]
fn where_and_what() {
    let cases: [(&[u8], Sign, u64, u64); 4] = [
        (b"0123456789\0\0\0\0abc", Sign::Nul, 10, 4),
        (b"\x01\x02\x03\x04", Sign::Control, 0, 4),
        (b"\0\0\0\0\0\0\0\0", Sign::Nul, 0, 8),
        (b"\x1A\x02text\x13\x14", Sign::Control, 0, 4),
    ];
    for (bytes, sign, offset, count) in cases {
        let found = scan(bytes).map(|binary| (binary.sign, binary.offset, binary.count));
        assert_eq!(found, Some((sign, offset, count)), "{bytes:02X?}");
    }
    assert_eq!(
        reason(cases[0].0).1.to_string(),
        "not text: 4 NUL bytes that text does not have, from offset 10 on"
    );
}

#[test]
fn text_with_control_characters() {
    let line = b"2024-05-01 12:00:00 GET /index.html 200\n";
    let log = line.repeat(10 << 10);
    let mut stray = log.clone();
    stray[5000] = 0x01;
    stray[100_000] = 0x7F;
    stray[200_000] = 0;
    let cases: Vec<(&str, Vec<u8>)> = vec![
        ("a stray control character and a NUL in a long log", stray),
        (
            "colours of a terminal",
            b"\x1B[32mok\x1B[0m\x1B]0;title\x07\n".repeat(50),
        ),
        (
            "form feeds and overstriking",
            b"N\x08NA\x08AM\x08ME\x08E\n\x0C".repeat(50),
        ),
        (
            "ISO-2022-JP",
            b"\x1B$BF|K\\8l\x1B(B \x1B(I6@6E\x1B(B\n".repeat(50),
        ),
        (
            "ISO-2022-JP's older shifts",
            b"\x1B$BF|K\\\x1B(B \x0E6@\x0F\n".repeat(50),
        ),
        ("Hive's table", b"12\x01Anna\x01a\x02b\x02c\n".repeat(100)),
        (
            "a log of FIX",
            b"8=FIX.4.4\x019=65\x0135=A\x0149=BUYER\x0156=SELLER\x0110=062\x01\n".repeat(30),
        ),
        (
            "Info with tag table",
            b"\x1F\nFile: a.info,  Node: Top\n\nText.\n\x1F\nTag Table:\nNode: Top\x7F123\n"
                .repeat(9),
        ),
        (
            "the colours of a chat",
            b"\x0304,01red\x03, \x02bold\x02, \x1Funder\x1F and \x16reverse\x16 \x0Fplain\n"
                .repeat(50),
        ),
        ("padding of NUL", [line.to_vec(), vec![0; 5000]].concat()),
        (
            "padding of Ctrl-Z",
            [line.to_vec(), vec![0x1A; 100]].concat(),
        ),
        (
            "an end mark and padding",
            [line.to_vec(), vec![0x1A], vec![0; 3000]].concat(),
        ),
        ("an end mark", b"text\r\n\x1A".to_vec()),
        (
            "the hole of a rotated log",
            [vec![0; 100_000], log.clone()].concat(),
        ),
        ("a hole in a log", [log.clone(), vec![0; 512], log].concat()),
        ("nothing", Vec::new()),
        ("an end mark alone", vec![0x1A]),
    ];
    for (kind, bytes) in cases {
        assert_eq!(scan(&bytes), None, "{kind}");
        let (encoding, reason) = reason(&bytes);
        assert!(encoding.is_some(), "{kind}: {reason}");
    }
}

/// Pieces of the samples, in each encoding that has their language, are text.
#[test]
fn no_text_is_called_binary() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/utf-8");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("samples/utf-8") {
        let path = entry.expect("an entry").path();
        let text = fs::read_to_string(&path).expect("UTF-8");
        let letters = text
            .chars()
            .filter(|ch| !ch.is_ascii() && ch.is_alphabetic());
        let letters: String = letters.collect();
        for encoding in Encoding::all() {
            let Some(encoded) = encoding.encode(&letters, Unmappable::Skip).ok() else {
                continue;
            };
            if 20 * encoded.errors > letters.chars().count() {
                continue;
            }
            let text = text.repeat(4);
            let encoded = encoding.encode(&text, Unmappable::Ncr).expect("references");
            for size in [64, 100, 256, 1000, 4096] {
                for start in (0..encoded.bytes.len().saturating_sub(size)).step_by(62) {
                    // UTF-16 is cut between units.
                    let piece = &encoded.bytes[start..start + size];
                    let guess = detect(piece, false, &Options::default());
                    count += 1;
                    let is_utf16 = [UTF_16LE, UTF_16BE].contains(encoding);
                    assert!(
                        is_utf16 || guess.reason != Reason::CodeUnits,
                        "{piece:02X?}"
                    );
                    assert!(
                        guess.encoding.is_some(),
                        "{}, {encoding}, {size} from {start} on: {} {piece:02X?}",
                        path.display(),
                        guess.reason
                    );
                }
            }
        }
    }
    assert!(count > 5000, "{count} pieces");
}

#[test]
fn units_of_utf16() {
    let text = "Hello, world\r\nпривет\n日本語\n".repeat(30);
    for encoding in [UTF_16LE, UTF_16BE] {
        let bytes = encoding
            .encode(&text, Unmappable::Strict)
            .expect("UTF-16")
            .bytes;
        let mut in_units = BinaryScan::for_encoding(encoding);
        for piece in bytes.chunks(3) {
            assert!(in_units.feed(piece));
        }
        assert_eq!(in_units.finish(), None);
        assert_eq!(scan(&bytes).map(|binary| binary.sign), Some(Sign::Nul));
        let zeros = [&bytes[..], &[0; 16], &bytes[..]].concat();
        let mut in_units = BinaryScan::for_encoding(encoding);
        in_units.feed(&zeros);
        let found = in_units.finish().expect("8 units of 0");
        assert_eq!((found.sign, found.offset), (Sign::Nul, bytes.len() as u64));
    }
}

proptest! {
    /// However the input is cut, the result is the same.
    #[test]
    fn cuts_do_not_matter(
        parts in prop::collection::vec(
            prop_oneof![
                (0..600_usize).prop_map(|len| vec![0; len]),
                (0..600_usize).prop_map(|len| vec![b'a'; len]),
                prop::collection::vec(prop_oneof![9 => 0x20..=0xFF_u8, 1 => 0..=0x1F_u8], 0..600),
                Just(vec![0x1A; 5]),
            ],
            0..8,
        ),
        cuts in prop::collection::vec(1_usize..700, 1..20),
    ) {
        let bytes = parts.concat();
        for start in [BinaryScan::new(), BinaryScan::for_encoding(UTF_16LE), BinaryScan::for_encoding(UTF_16BE)] {
            let mut whole = start.clone();
            let more = whole.feed(&bytes);
            let mut in_pieces = start;
            let (mut rest, mut cuts) = (&bytes[..], cuts.iter().cycle());
            while !rest.is_empty() {
                let (piece, after) = rest.split_at((*cuts.next().unwrap()).min(rest.len()));
                prop_assert!(in_pieces.feed(piece) || !more);
                rest = after;
            }
            prop_assert_eq!(whole.finish(), in_pieces.finish());
            if let Some(binary) = whole.finish() {
                prop_assert!(binary.offset < bytes.len() as u64 && binary.count > 0);
            }
        }
    }
}
