//! Several streams in sequence: reset, the new stream after `last`, a BOM that changes the encoding, clones
//! made midway, and forms of calls that the other tests don't use.

use std::mem::MaybeUninit;

use simdtext::{
    BIG5, Bom, Encoding, GB18030, ISO_2022_JP, Malformed, Progress, SHIFT_JIS, Status, UTF_8,
    UTF_16BE, UTF_16LE, Unmappable, WINDOWS_1252,
};

use crate::harness::{BOMS, Decoded, Expected, MODES, Mode, decode, malformed};
use crate::{hex, inputs};

#[test]
fn a_bom_decides_the_encoding_and_a_new_stream_forgets_it() {
    let mut decoder = WINDOWS_1252.decoder(Bom::Sniff);
    let mut dst = [0; 16];
    assert_eq!(decoder.encoding(), WINDOWS_1252);
    for _ in 0..2 {
        // Two of the mark's three bytes: they are held, nothing is decided, and nothing is written.
        let progress = decoder.decode_to_utf8(b"\xEF\xBB", &mut dst, false);
        assert_eq!(progress, done(2, 0));
        assert_eq!(
            (decoder.encoding(), decoder.total_read()),
            (WINDOWS_1252, 2)
        );
        let progress = decoder.decode_to_utf8(b"\xBF\xC3", &mut dst, false);
        assert_eq!(progress, done(2, 0));
        assert_eq!((decoder.encoding(), decoder.total_read()), (UTF_8, 4));
        let progress = decoder.decode_to_utf8(b"\xA9", &mut dst, true);
        assert_eq!(progress, done(1, 2));
        assert_eq!((decoder.encoding(), decoder.total_read()), (UTF_8, 5));
        assert_eq!(&dst[..2], "é".as_bytes());
        // A new stream begins by itself, in the encoding for which the decoder was made.
        let progress = decoder.decode_to_utf8(b"\xE9", &mut dst, true);
        assert_eq!(progress, done(1, 2));
        assert_eq!(
            (decoder.encoding(), decoder.total_read()),
            (WINDOWS_1252, 1)
        );
        assert_eq!(&dst[..2], "é".as_bytes());
    }
    // A reset midway forgets the mark, too.
    let progress = decoder.decode_to_utf8(b"\xFF\xFEa", &mut dst, false);
    assert_eq!(progress, done(3, 0));
    assert_eq!(decoder.encoding(), UTF_16LE);
    decoder.reset();
    assert_eq!(
        (decoder.encoding(), decoder.total_read()),
        (WINDOWS_1252, 0)
    );
    let progress = decoder.decode_to_utf8(b"a", &mut dst, true);
    assert_eq!(progress, done(1, 1));
}

#[test]
fn held_bytes_that_are_no_bom_are_replayed() {
    let mut decoder = WINDOWS_1252.decoder(Bom::Sniff);
    let mut dst = [0; 16];
    assert_eq!(decoder.decode_to_utf8(b"\xEF", &mut dst, false), done(1, 0));
    assert_eq!(decoder.decode_to_utf8(b"\xBB", &mut dst, false), done(1, 0));
    // Room for two of the three characters; then for one more without reading a byte.
    let progress = decoder.decode_to_utf8(b"a", &mut dst[..4], false);
    assert_eq!((progress.status, progress.written), (Status::OutputFull, 4));
    assert_eq!(&dst[..4], "ï»".as_bytes());
    let rest = &b"a"[progress.read..];
    assert_eq!(
        decoder.decode_to_utf8(rest, &mut dst, true),
        done(rest.len(), 1)
    );
    assert_eq!(dst[0], b'a');
    assert_eq!(
        (decoder.encoding(), decoder.total_read()),
        (WINDOWS_1252, 3)
    );
}

#[test]
fn offsets_count_the_bom() {
    let error = UTF_8.decode_strict(b"\xEF\xBB\xBFab\xFF", Bom::Sniff);
    assert_eq!(
        error.map_err(|error| error.malformed),
        Err(malformed(b"\xEF\xBB\xBFab\xFF", 5, 1))
    );
    let error = BIG5
        .decode_strict(b"\xFE\xFF\xDC\0", Bom::Sniff)
        .unwrap_err();
    assert_eq!((error.encoding, error.malformed.offset), (UTF_16BE, 2));
}

#[test]
fn offsets_reach_back_into_earlier_chunks() {
    let mut decoder = GB18030.decoder(Bom::Sniff);
    let mut dst = [0; 16];
    for piece in [b"a".as_slice(), b"\x81", b"0", b"\x81"] {
        assert_eq!(
            decoder.decode_to_utf8_strict(piece, &mut dst, false),
            done(1, usize::from(piece == b"a"))
        );
    }
    let progress = decoder.decode_to_utf8_strict(b" ", &mut dst, true);
    let first = malformed(b"a\x810\x81 ", 1, 1);
    assert_eq!(progress.status, Status::Malformed(first));
    assert_eq!(progress.written, 0);
    let rest = &b" "[progress.read..];
    let progress = decoder.decode_to_utf8_strict(rest, &mut dst, true);
    let second = malformed(b"a\x810\x81 ", 3, 1);
    assert_eq!(progress.status, Status::Malformed(second));
    assert_eq!(&dst[..progress.written], b"0");
    let rest = &rest[progress.read..];
    let progress = decoder.decode_to_utf8_strict(rest, &mut dst, true);
    assert_eq!(progress, done(rest.len(), 1));
    assert_eq!(dst[0], b' ');
}

#[test]
fn resetting_midway_leaves_nothing_after() {
    for &encoding in Encoding::all() {
        for bom in BOMS {
            let mut decoder = encoding.decoder(bom);
            let expected = Expected::new(encoding, b"a\xA4\xA2~", bom).decoded(Mode::Strict);
            for bytes in inputs::for_encoding(encoding.name()) {
                for end in 0..=bytes.len() {
                    let mut dst = [0; 64];
                    let progress = decoder.decode_to_utf8(&bytes[..end], &mut dst, false);
                    assert_eq!(progress.status, Status::InputEmpty);
                    decoder.reset();
                    let got: Decoded<u8> = decode(&mut decoder, &[b"a\xA4\xA2~"], 64, Mode::Strict);
                    assert_eq!(
                        got,
                        expected,
                        "{encoding} {bom:?} after {}",
                        hex(&bytes[..end])
                    );
                }
            }
        }
    }
}

#[test]
fn a_clone_goes_on_where_the_original_stood() {
    for &encoding in Encoding::all() {
        for bytes in inputs::for_encoding(encoding.name()) {
            for bom in BOMS {
                let expected = Expected::new(encoding, bytes, bom);
                for mid in 0..=bytes.len() {
                    let mut original = encoding.decoder(bom);
                    let mut head = [0; 64];
                    let mut dst = [0; 64];
                    let start = original.decode_to_utf8(&bytes[..mid], &mut head, false);
                    let mut clone = original.clone();
                    let finish = original.decode_to_utf8(&bytes[mid..], &mut dst, true);
                    let text = [&head[..start.written], &dst[..finish.written]].concat();
                    assert_eq!(text, expected.text.as_bytes(), "{encoding}: {}", hex(bytes));
                    assert_eq!(clone.decode_to_utf8(&bytes[mid..], &mut dst, true), finish);
                    let text = [&head[..start.written], &dst[..finish.written]].concat();
                    assert_eq!(text, expected.text.as_bytes(), "clone, {encoding}");
                    assert_eq!(clone.total_read(), bytes.len() as u64);
                }
            }
        }
    }
}

#[test]
fn an_encoder_begins_a_new_stream_after_the_last_call() {
    let mut encoder = ISO_2022_JP.encoder().unwrap();
    let mut dst = [0; 16];
    for _ in 0..2 {
        let progress = encoder.encode_from_utf8("字", &mut dst, true, Unmappable::Strict);
        assert_eq!(progress, done(3, 8));
        assert_eq!(&dst[..8], b"\x1B$B;z\x1B(B");
        assert_eq!(encoder.total_read(), 3);
    }
    // After a reset midway, no escape sequence is due.
    let progress = encoder.encode_from_utf8("字", &mut dst, false, Unmappable::Strict);
    assert_eq!(progress, done(3, 5));
    encoder.reset();
    assert_eq!(encoder.total_read(), 0);
    let progress = encoder.encode_from_utf8("a", &mut dst, true, Unmappable::Strict);
    assert_eq!(progress, done(1, 1));
    // A held surrogate is forgotten, too.
    let mut encoder = UTF_8.encoder().unwrap();
    let progress = encoder.encode_from_utf16(&[0xD83D], &mut dst, false, Unmappable::Strict);
    assert_eq!(progress, done(1, 0));
    let mut clone = encoder.clone();
    encoder.reset();
    let progress = encoder.encode_from_utf16(&[0x61], &mut dst, true, Unmappable::Strict);
    assert_eq!(progress, done(1, 1));
    let progress = clone.encode_from_utf16(&[0xDCA9], &mut dst, true, Unmappable::Strict);
    assert_eq!(progress, done(1, 4));
    assert_eq!(&dst[..4], "💩".as_bytes());
    assert_eq!(clone.total_read(), 2);
}

#[test]
fn strict_calls_of_both_directions_go_on() {
    let mut decoder = SHIFT_JIS.decoder(Bom::Sniff);
    let mut dst = [0; 16];
    let src = b"a\xA0b";
    let progress = decoder.decode_to_utf8_strict(src, &mut dst, true);
    assert_eq!(progress.status, Status::Malformed(malformed(src, 1, 1)));
    assert_eq!(
        (progress.read, progress.written, progress.errors),
        (2, 1, 1)
    );
    let progress = decoder.decode_to_utf8_strict(&src[2..], &mut dst, true);
    assert_eq!(progress, done(1, 1));

    let mut encoder = SHIFT_JIS.encoder().unwrap();
    let text = "字é字";
    let progress = encoder.encode_from_utf8(text, &mut dst, true, Unmappable::Strict);
    let status = Status::Unmappable {
        ch: 'é', offset: 3
    };
    assert_eq!(progress.status, status);
    assert_eq!(
        (progress.read, progress.written, progress.errors),
        (5, 2, 1)
    );
    let progress = encoder.encode_from_utf8(&text[5..], &mut dst, true, Unmappable::Strict);
    assert_eq!(progress, done(3, 2));
}

/// Calls with uninitialised buffers and into strings do the same.
#[test]
fn other_forms_of_the_calls() {
    for &encoding in Encoding::all() {
        for bytes in inputs::for_encoding(encoding.name()) {
            for mode in MODES {
                uninitialised(encoding, bytes, mode);
            }
            string(encoding, bytes);
        }
        for text in inputs::TEXTS {
            let (Some(mut plain), Some(mut other)) = (encoding.encoder(), encoding.encoder())
            else {
                continue;
            };
            let mut dst = [0xAA; 128];
            let mut raw = dst.map(MaybeUninit::new);
            let policy = Unmappable::Ncr;
            let progress = plain.encode_from_utf8(text, &mut dst, true, policy);
            assert_eq!(
                other.encode_from_utf8_uninit(text, &mut raw, true, policy),
                progress
            );
            let units: Vec<u16> = text.encode_utf16().collect();
            let from_units = plain.encode_from_utf16(&units, &mut dst, true, policy);
            assert_eq!(
                other.encode_from_utf16_uninit(&units, &mut raw, true, policy),
                from_units
            );
            assert_eq!(progress.written, from_units.written);
        }
    }
}

fn uninitialised(encoding: &'static Encoding, bytes: &[u8], mode: Mode) {
    let mut plain = encoding.decoder(Bom::Sniff);
    let mut other = plain.clone();
    let mut told: Vec<Malformed> = Vec::new();
    let mut other_told = Vec::new();
    let mut raw = [MaybeUninit::<u8>::uninit(); 64];
    let mut dst = [0_u8; 64];
    let mut raw_units = [MaybeUninit::<u16>::uninit(); 64];
    let mut units = [0_u16; 64];
    let case = || format!("{encoding} {mode:?}: {}", hex(bytes));
    let (expected, got) = match mode {
        Mode::Replacement => (
            plain.decode_to_utf8(bytes, &mut dst, true),
            other.decode_to_utf8_uninit(bytes, &mut raw, true),
        ),
        Mode::Callback => (
            plain.decode_to_utf8_with(bytes, &mut dst, true, |error| told.push(error)),
            other.decode_to_utf8_with_uninit(bytes, &mut raw, true, |error| {
                other_told.push(error);
            }),
        ),
        Mode::Strict => (
            plain.decode_to_utf8_strict(bytes, &mut dst, true),
            other.decode_to_utf8_strict_uninit(bytes, &mut raw, true),
        ),
    };
    assert_eq!(got, expected, "{}", case());
    plain.reset();
    other.reset();
    let (expected, got) = match mode {
        Mode::Replacement => (
            plain.decode_to_utf16(bytes, &mut units, true),
            other.decode_to_utf16_uninit(bytes, &mut raw_units, true),
        ),
        Mode::Callback => (
            plain.decode_to_utf16_with(bytes, &mut units, true, |error| told.push(error)),
            other.decode_to_utf16_with_uninit(bytes, &mut raw_units, true, |error| {
                other_told.push(error);
            }),
        ),
        Mode::Strict => (
            plain.decode_to_utf16_strict(bytes, &mut units, true),
            other.decode_to_utf16_strict_uninit(bytes, &mut raw_units, true),
        ),
    };
    assert_eq!(got, expected, "{}", case());
    assert_eq!(other_told, told, "{}", case());
}

fn string(encoding: &'static Encoding, bytes: &[u8]) {
    let expected = Expected::new(encoding, bytes, Bom::Sniff);
    let mut decoder = encoding.decoder(Bom::Sniff);
    // The content of the string stays, and it never grows.
    let mut text = String::with_capacity(expected.text.len() + 4);
    text.push('字');
    let capacity = text.capacity();
    let mut src = bytes;
    let mut whole = String::new();
    loop {
        let progress = decoder.decode_to_string(src, &mut text, true);
        assert_eq!(text.capacity(), capacity);
        assert_eq!(text.len(), "字".len() + progress.written);
        whole.push_str(text.strip_prefix("字").expect("what was there stays"));
        text.truncate("字".len());
        src = &src[progress.read..];
        if progress.status == Status::InputEmpty {
            break;
        }
        assert_eq!(progress.status, Status::OutputFull);
    }
    assert_eq!(whole, expected.text, "{encoding}: {}", hex(bytes));

    let mut text = String::with_capacity(64);
    let mut src = bytes;
    let mut malformed = Vec::new();
    loop {
        let progress = decoder.decode_to_string_strict(src, &mut text, true);
        src = &src[progress.read..];
        match progress.status {
            Status::InputEmpty => break,
            Status::Malformed(error) => malformed.push(error),
            status => panic!("{encoding}: {status:?}"),
        }
    }
    assert_eq!(malformed, expected.malformed, "{encoding}: {}", hex(bytes));
}

fn done(read: usize, written: usize) -> Progress {
    Progress {
        status: Status::InputEmpty,
        read,
        written,
        errors: 0,
    }
}

#[test]
fn utf8_after_a_held_surrogate_leaves_it_alone() {
    // U+FFFD for the surrogate comes before the text that follows it, whatever comes later.
    let mut dst = [0; 32];
    for last in [false, true] {
        let mut encoder = UTF_8.encoder().unwrap();
        let held = encoder.encode_from_utf16(&[0xD83D], &mut dst, false, Unmappable::Strict);
        assert_eq!(held, done(1, 0));
        let progress = encoder.encode_from_utf8("ab", &mut dst, last, Unmappable::Strict);
        assert_eq!(progress, done(2, 5));
        assert_eq!(&dst[..5], "\u{FFFD}ab".as_bytes());
        let progress = encoder.encode_from_utf16(&[0xDCA9], &mut dst, true, Unmappable::Strict);
        assert_eq!(progress, done(1, 3));
        assert_eq!(&dst[..3], "\u{FFFD}".as_bytes());
    }
    // If the encoding does not have U+FFFD, that is reported, and the text is not read.
    let mut encoder = WINDOWS_1252.encoder().unwrap();
    let held = encoder.encode_from_utf16(&[0x41, 0xD83D], &mut dst, false, Unmappable::Strict);
    assert_eq!(held, done(2, 1));
    let progress = encoder.encode_from_utf8("ab", &mut dst, true, Unmappable::Strict);
    let unmappable = Status::Unmappable {
        ch: '\u{FFFD}',
        offset: 1,
    };
    assert_eq!((progress.status, progress.read), (unmappable, 0));
    let progress = encoder.encode_from_utf8("ab", &mut dst, true, Unmappable::Strict);
    assert_eq!(progress, done(2, 2));
}
