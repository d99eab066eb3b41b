//! How much of an output buffer a call overwrites after what it has written.

use simdtext::{Bom, Encoding, MAX_OVERWRITTEN, Unmappable};

/// More room than any of the texts takes, so that no kernel has to stop because of its end, and less than most take.
const ROOMS: [usize; 2] = [2048, 160];

/// The longest input, in bytes or characters.
const LONGEST: usize = 200;

/// Calls `convert`, which returns how many units it has written, with buffers of each size that hold different units.
/// Returns the maximum number of units after those written that were overwritten.
fn overwritten<U: Copy + PartialEq>(
    patterns: [U; 2],
    mut convert: impl FnMut(&mut [U]) -> usize,
) -> usize {
    let mut most = 0;
    for room in ROOMS {
        for pattern in patterns {
            let dst = &mut [pattern; ROOMS[0]][..room];
            let written = convert(dst);
            let end = dst.iter().rposition(|unit| *unit != pattern);
            most = most.max(end.map_or(0, |end| end + 1).saturating_sub(written));
        }
    }
    most
}

const BYTES: [u8; 2] = [0x55, 0xAA];
const UNITS: [u16; 2] = [0x5555, 0xAAAA];

/// Texts of characters that the encoding has: a selection of all, alone and with ASCII in between.
fn texts(encoding: &'static Encoding) -> Vec<String> {
    let every = ('\u{80}'..'\u{2000}').chain(('\u{2000}'..='\u{FFFF}').step_by(37));
    let others: Vec<char> = every
        .chain('\u{1F600}'..'\u{1F610}')
        .filter(|c| {
            encoding
                .encode(c.encode_utf8(&mut [0; 4]), Unmappable::Strict)
                .is_ok()
        })
        .collect();
    let ascii = || (' '..='~').cycle();
    let mixed = |run: usize, between: usize| {
        let mut ascii = ascii();
        let mut text = String::new();
        for run in others.chunks(run).cycle().take(2 * LONGEST) {
            text.extend(run);
            text.extend(ascii.by_ref().take(between));
        }
        text
    };
    let mut texts = vec![ascii().take(2 * LONGEST).collect()];
    if !others.is_empty() {
        texts.extend([mixed(64, 0), mixed(5, 1), mixed(1, 20), mixed(70, 70)]);
    }
    texts
}

fn check_decoding(encoding: &'static Encoding, src: &[u8]) {
    let decode_to_utf8 = |dst: &mut [u8]| {
        let mut decoder = encoding.decoder(Bom::Keep);
        decoder.decode_to_utf8(src, dst, true).written
    };
    let decode_to_utf8_strict = |dst: &mut [u8]| {
        let mut decoder = encoding.decoder(Bom::Keep);
        decoder.decode_to_utf8_strict(src, dst, true).written
    };
    let decode_to_utf16 = |dst: &mut [u16]| {
        let mut decoder = encoding.decoder(Bom::Keep);
        decoder.decode_to_utf16(src, dst, true).written
    };
    let decode_to_utf16_strict = |dst: &mut [u16]| {
        let mut decoder = encoding.decoder(Bom::Keep);
        decoder.decode_to_utf16_strict(src, dst, true).written
    };
    for most in [
        overwritten(BYTES, decode_to_utf8),
        overwritten(BYTES, decode_to_utf8_strict),
        overwritten(UNITS, decode_to_utf16),
        overwritten(UNITS, decode_to_utf16_strict),
    ] {
        assert!(
            most <= MAX_OVERWRITTEN,
            "{encoding}: {most} for {}",
            crate::hex(src)
        );
    }
}

fn check_encoding(encoding: &'static Encoding, text: &str, units: &[u16]) {
    for unmappable in [Unmappable::Strict, Unmappable::Ncr] {
        let from_utf8 = |dst: &mut [u8]| {
            let mut encoder = encoding.encoder().unwrap();
            encoder
                .encode_from_utf8(text, dst, true, unmappable)
                .written
        };
        let from_utf16 = |dst: &mut [u8]| {
            let mut encoder = encoding.encoder().unwrap();
            encoder
                .encode_from_utf16(units, dst, true, unmappable)
                .written
        };
        for most in [
            overwritten(BYTES, from_utf8),
            overwritten(BYTES, from_utf16),
        ] {
            assert!(most <= MAX_OVERWRITTEN, "to {encoding}: {most} for {text}");
        }
    }
}

#[test]
fn no_more_is_overwritten_than_documented() {
    for &encoding in Encoding::all().iter().filter(|it| it.encoder().is_some()) {
        for text in texts(encoding) {
            let bytes = encoding.encode(&text, Unmappable::Strict).unwrap().bytes;
            // What a block has after an error was converted as well. (DC DC is a lone surrogate in both orders.)
            let after = &bytes[..LONGEST.min(bytes.len())];
            for len in 0..LONGEST.min(bytes.len()) {
                for (end, after) in [
                    (&b""[..], &b""[..]),
                    (b"\xFF\xFF\xFF", b""),
                    (b"a\x80b\xFFcdef", b""),
                    (b"\xFF", after),
                    (b"\xDC\xDC", after),
                ] {
                    check_decoding(encoding, &[&bytes[..len], end, after].concat());
                }
            }
            let after = text.char_indices().nth(LONGEST).map_or(0, |(end, _)| end);
            for (len, _) in text.char_indices().take(LONGEST) {
                for (end, after) in [
                    ("", ""),
                    ("\u{378}ab", ""),
                    ("\u{10FFFF}", ""),
                    ("\u{10FFFF}", &text[..after]),
                ] {
                    let text = [&text[..len], end, after].concat();
                    let units: Vec<u16> = text.encode_utf16().collect();
                    check_encoding(encoding, &text, &units);
                }
            }
        }
    }
}
