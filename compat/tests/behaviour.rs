//! What callers of encoding_rs rely on besides the text: each test runs with this package and with
//! encoding_rs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use simdtext_encoding_rs as ours;

mod common;
use common::{PAIRS, Random};

/// Runs the same code with each of the packages, under the name `package`.
macro_rules! both {
    ($package:ident => $body:block) => {{
        {
            use ours as $package;
            $body
        }
        {
            use encoding_rs as $package;
            $body
        }
    }};
}

#[test]
fn a_finished_decoder_panics() {
    both!(package => {
        use package::{CoderResult::InputEmpty, UTF_8};
        let finished = || {
            let mut decoder = UTF_8.new_decoder();
            assert_eq!(decoder.decode_to_utf8(b"a", &mut [0; 8], true), (InputEmpty, 1, 1, false));
            decoder
        };
        let panics = |call: &dyn Fn(package::Decoder)| {
            let error = catch_unwind(AssertUnwindSafe(|| call(finished()))).unwrap_err();
            let message = error.downcast_ref::<&str>().copied().unwrap_or_default();
            assert_eq!(message, "Must not use a decoder that has finished.");
        };
        panics(&|mut decoder| _ = decoder.decode_to_utf8(b"", &mut [0; 8], true));
        panics(&|mut decoder| _ = decoder.decode_to_utf16_without_replacement(b"", &mut [0; 8], false));
        panics(&|mut decoder| _ = decoder.decode_to_string(b"", &mut String::new(), true));
        panics(&|decoder| _ = decoder.max_utf8_buffer_length(1));
        panics(&|decoder| _ = decoder.max_utf8_buffer_length_without_replacement(1));
        panics(&|decoder| _ = decoder.max_utf16_buffer_length(1));
        panics(&|decoder| _ = decoder.latin1_byte_compatible_up_to(b""));
    });
}

#[test]
fn an_empty_last_call_does_not_finish_while_a_byte_order_mark_may_come() {
    both!(package => {
        use package::{CoderResult::InputEmpty, UTF_8, WINDOWS_1252};
        for mut decoder in [UTF_8.new_decoder(), WINDOWS_1252.new_decoder(), UTF_8.new_decoder_with_bom_removal()] {
            for _ in 0..2 {
                assert_eq!(decoder.decode_to_utf8(b"", &mut [0; 8], true), (InputEmpty, 0, 0, false));
            }
            assert_eq!(decoder.decode_to_utf8(b"a", &mut [0; 8], true), (InputEmpty, 1, 1, false));
        }
        for mut decoder in [UTF_8.new_decoder_without_bom_handling(), WINDOWS_1252.new_decoder_with_bom_removal()] {
            assert_eq!(decoder.decode_to_utf8(b"", &mut [0; 8], true), (InputEmpty, 0, 0, false));
            assert!(catch_unwind(AssertUnwindSafe(|| decoder.max_utf8_buffer_length(0))).is_err());
        }
    });
}

#[test]
fn ten_bytes_are_kept_free_for_a_reference() {
    both!(package => {
        use package::{CoderResult::{InputEmpty, OutputFull}, ISO_2022_JP, UTF_8, WINDOWS_1252};
        for room in 0..10 {
            let mut dst = vec![0; room];
            let mut encoder = WINDOWS_1252.new_encoder();
            assert_eq!(encoder.encode_from_utf8("a", &mut dst, true), (OutputFull, 0, 0, false));
            assert_eq!(encoder.encode_from_utf16(&[0x61], &mut dst, true), (OutputFull, 0, 0, false));
            assert_eq!(encoder.encode_from_utf8("", &mut dst, true), (InputEmpty, 0, 0, false));
            let mut vec = Vec::with_capacity(room);
            assert_eq!(encoder.encode_from_utf8_to_vec("a", &mut vec, true), (OutputFull, 0, false));
            assert_eq!(encoder.encode_from_utf8_to_vec("", &mut vec, true), (InputEmpty, 0, false));
            // An escape sequence is due.
            let mut encoder = ISO_2022_JP.new_encoder();
            assert_eq!(encoder.encode_from_utf8("日", &mut [0; 20], false), (InputEmpty, 3, 5, false));
            assert_eq!(encoder.encode_from_utf8("", &mut dst, false), (InputEmpty, 0, 0, false));
            assert_eq!(encoder.encode_from_utf8("", &mut dst, true), (OutputFull, 0, 0, false));
        }
        let mut dst = [0; 12];
        let mut encoder = WINDOWS_1252.new_encoder();
        assert_eq!(encoder.encode_from_utf8("abc", &mut dst, true), (OutputFull, 2, 2, false));
        assert_eq!(encoder.encode_from_utf8("a\u{10FFFF}", &mut dst, true), (InputEmpty, 5, 11, true));
        assert_eq!(&dst[..11], b"a&#1114111;");
        assert_eq!(encoder.encode_from_utf8("a\u{10FFFF}b", &mut dst, true), (OutputFull, 5, 11, true));
        let mut encoder = UTF_8.new_encoder();
        assert_eq!(encoder.encode_from_utf8("abc", &mut [0; 3], true), (InputEmpty, 3, 3, false));
    });
}

#[test]
fn big5_wants_room_for_four_bytes_or_two_units() {
    both!(package => {
        use package::{CoderResult::{InputEmpty, OutputFull}, BIG5};
        for room in 0..4 {
            let mut dst = vec![0; room];
            let mut decoder = BIG5.new_decoder_without_bom_handling();
            assert_eq!(decoder.decode_to_utf8(b"\xA4\xA4", &mut dst, true), (OutputFull, 0, 0, false), "{room}");
        }
        let mut decoder = BIG5.new_decoder_without_bom_handling();
        assert_eq!(decoder.decode_to_utf16(b"\xA4\xA4", &mut [0; 1], true), (OutputFull, 0, 0, false));
        assert_eq!(decoder.decode_to_utf16(b"\xA4\xA4", &mut [0; 2], true), (InputEmpty, 2, 1, false));
        let mut decoder = BIG5.new_decoder();
        assert_eq!(decoder.decode_to_utf8(b"\xA4\xA4", &mut [0; 4], true), (InputEmpty, 2, 3, false));
    });
}

#[test]
fn a_leading_surrogate_at_the_end_of_a_piece_is_replaced_at_once() {
    both!(package => {
        use package::{CoderResult::InputEmpty, EncoderResult, UTF_8, WINDOWS_1252};
        let mut dst = [0; 32];
        let mut encoder = UTF_8.new_encoder();
        assert_eq!(encoder.encode_from_utf16(&[0x61, 0xD83D], &mut dst, false), (InputEmpty, 2, 4, false));
        assert_eq!(&dst[..4], "a\u{FFFD}".as_bytes());
        assert_eq!(encoder.encode_from_utf16(&[0xDCA9], &mut dst, true), (InputEmpty, 1, 3, false));
        let mut encoder = WINDOWS_1252.new_encoder();
        assert_eq!(
            encoder.encode_from_utf16_without_replacement(&[0xD83D], &mut dst, false),
            (EncoderResult::Unmappable('\u{FFFD}'), 1, 0)
        );
    });
}

#[test]
fn what_is_read_after_a_malformed_sequence_is_counted() {
    both!(package => {
        use package::{DecoderResult::{InputEmpty, Malformed}, GB18030, ISO_2022_JP, UTF_16BE};
        let mut dst = [0; 32];
        let mut decoder = GB18030.new_decoder_without_bom_handling();
        let mut step = |src: &[u8], last| decoder.decode_to_utf8_without_replacement(src, &mut dst, last);
        assert_eq!(step(b"\x81\x30\x81\x20", true), (Malformed(1, 2), 3, 0));
        assert_eq!(step(b"\x20", true), (Malformed(1, 0), 0, 1));
        assert_eq!(step(b"\x20", false), (InputEmpty, 1, 1));
        assert_eq!(step(b"\x81\x30\x20", true), (Malformed(1, 1), 2, 0));
        assert_eq!(step(b"\x20", true), (InputEmpty, 1, 2));

        let mut decoder = UTF_16BE.new_decoder_without_bom_handling();
        let mut step = |src: &[u8]| decoder.decode_to_utf8_without_replacement(src, &mut dst, false);
        assert_eq!(step(b"\xD8\x00"), (InputEmpty, 2, 0));
        assert_eq!(step(b"\x00\x41\x00\x42"), (Malformed(2, 2), 2, 0));
        assert_eq!(step(b"\x00\x42"), (InputEmpty, 2, 2));
        // Both in the same call.
        assert_eq!(step(b"\xD8\x00\x00\x41"), (Malformed(2, 0), 2, 0));

        let mut decoder = ISO_2022_JP.new_decoder_without_bom_handling();
        let mut step = |src: &[u8], last| decoder.decode_to_utf8_without_replacement(src, &mut dst, last);
        assert_eq!(step(b"\x1B$B\x1B(J", false), (Malformed(3, 3), 6, 0));
        assert_eq!(step(b"\\", false), (InputEmpty, 1, 2));
        assert_eq!(step(b"\x1B$x", false), (Malformed(1, 1), 2, 0));
        assert_eq!(step(b"x", false), (InputEmpty, 1, 2));
        assert_eq!(step(b"\x1B$BF\x1B(B", false), (Malformed(1, 1), 5, 0));
        assert_eq!(step(b"(Ba", true), (InputEmpty, 3, 1));
    });
}

#[test]
fn an_output_of_the_greatest_length_is_never_full() {
    for seed in 1..60_000 {
        let mut random = Random(seed * 0x9E37_79B9);
        let (encoding, _) = random.one_of(&PAIRS);
        let bytes = random.bytes();
        let cut = random.below(bytes.len() + 1);
        let mut decoder = match random.below(3) {
            0 => encoding.new_decoder(),
            1 => encoding.new_decoder_with_bom_removal(),
            _ => encoding.new_decoder_without_bom_handling(),
        };
        let mut src = &bytes[..cut];
        let replaces = random.below(2) == 0;
        // What comes before is decoded with stops at malformed sequences, so that bytes may be left to be
        // replayed.
        while let (ours::DecoderResult::Malformed(..), read, _) =
            decoder.decode_to_utf8_without_replacement(src, &mut [0; 2000], false)
        {
            src = &src[read..];
            if random.below(8) == 0 {
                break;
            }
        }
        let rest = &bytes[cut..];
        let context = || format!("seed {seed}: {}, {bytes:X?}, cut at {cut}", encoding.name());
        if replaces && random.below(2) == 0 {
            let mut dst = vec![0; decoder.max_utf8_buffer_length(rest.len()).unwrap()];
            let (result, read, ..) = decoder.decode_to_utf8(rest, &mut dst, true);
            assert_eq!(
                (result, read),
                (ours::CoderResult::InputEmpty, rest.len()),
                "{}",
                context()
            );
        } else if replaces {
            let mut dst = vec![0; decoder.max_utf16_buffer_length(rest.len()).unwrap()];
            let (result, read, ..) = decoder.decode_to_utf16(rest, &mut dst, true);
            assert_eq!(
                (result, read),
                (ours::CoderResult::InputEmpty, rest.len()),
                "{}",
                context()
            );
        } else {
            let mut dst = vec![
                0;
                decoder
                    .max_utf8_buffer_length_without_replacement(rest.len())
                    .unwrap()
            ];
            let (result, ..) = decoder.decode_to_utf8_without_replacement(rest, &mut dst, true);
            assert_ne!(result, ours::DecoderResult::OutputFull, "{}", context());
        }
    }
}

#[test]
fn the_greatest_lengths_are_those_of_encoding_rs() {
    let starts: [&[u8]; 9] = [
        b"",
        b"\xEF",
        b"\xEF\xBB",
        b"\xFE",
        b"\xFF",
        b"a",
        b"\xEF\xBB\xBF",
        b"\x81",
        b"\x81\x30",
    ];
    for (here, there) in PAIRS {
        if here == ours::ISO_2022_JP {
            continue;
        }
        for start in starts {
            for kind in 0..3 {
                let (mut a, mut b) = match kind {
                    0 => (here.new_decoder(), there.new_decoder()),
                    1 => (
                        here.new_decoder_with_bom_removal(),
                        there.new_decoder_with_bom_removal(),
                    ),
                    _ => (
                        here.new_decoder_without_bom_handling(),
                        there.new_decoder_without_bom_handling(),
                    ),
                };
                let _ = a.decode_to_utf8(start, &mut [0; 32], false);
                let _ = b.decode_to_utf8(start, &mut [0; 32], false);
                for n in [
                    0,
                    1,
                    2,
                    3,
                    7,
                    1000,
                    usize::MAX / 3 - 4,
                    usize::MAX / 2,
                    usize::MAX - 1,
                    usize::MAX,
                ] {
                    let context = format!("{}, {start:X?}, {kind}, {n}", here.name());
                    assert_eq!(
                        a.max_utf8_buffer_length(n),
                        b.max_utf8_buffer_length(n),
                        "{context}"
                    );
                    assert_eq!(
                        a.max_utf16_buffer_length(n),
                        b.max_utf16_buffer_length(n),
                        "{context}"
                    );
                    assert_eq!(
                        a.max_utf8_buffer_length_without_replacement(n),
                        b.max_utf8_buffer_length_without_replacement(n),
                        "{context}"
                    );
                }
            }
        }
        let (a, b) = (here.new_encoder(), there.new_encoder());
        for n in [
            0,
            1,
            2,
            3,
            7,
            1000,
            usize::MAX / 2,
            usize::MAX - 1,
            usize::MAX,
        ] {
            assert_eq!(
                a.max_buffer_length_from_utf8_if_no_unmappables(n),
                b.max_buffer_length_from_utf8_if_no_unmappables(n)
            );
            assert_eq!(
                a.max_buffer_length_from_utf16_if_no_unmappables(n),
                b.max_buffer_length_from_utf16_if_no_unmappables(n)
            );
        }
    }
}

#[test]
fn how_much_is_compatible_with_latin1() {
    for seed in 1..40_000 {
        let mut random = Random(seed * 0x9E37_79B9);
        let (here, there) = random.one_of(&PAIRS);
        let start = random.bytes();
        let bytes = if random.below(2) == 0 {
            random.bytes()
        } else {
            // What many single-byte encodings have in common with Latin-1.
            (0..100)
                .map(|_| random.one_of(b"aAe1 \xA0\xA9\xAB\xB0\xB7\xBB"))
                .collect()
        };
        let (mut a, mut b) = (here.new_decoder(), there.new_decoder());
        let mut dst = [0; 4000];
        let _ = a.decode_to_utf8_without_replacement(&start, &mut dst, false);
        let _ = b.decode_to_utf8_without_replacement(&start, &mut dst, false);
        let found = a.latin1_byte_compatible_up_to(&bytes);
        let mut expected = b.latin1_byte_compatible_up_to(&bytes);
        if let Some(end) = &mut expected
            && here.is_single_byte()
            && bytes[*end..].is_ascii()
        {
            // encoding_rs does not count the ASCII at the end.
            *end = bytes.len();
        }
        assert_eq!(
            found,
            expected,
            "seed {seed}: {}, {start:X?}, {bytes:X?}",
            here.name()
        );
    }
}

#[test]
fn a_str_that_is_written_over_stays_a_str() {
    for seed in 1..20_000 {
        let mut random = Random(seed * 0x9E37_79B9);
        let (here, there) = random.one_of(&PAIRS);
        let bytes = random.bytes();
        let room = 4 + random.below(300);
        let filler = random.one_of(&["x", "é", "日", "💩"]);
        let mut text = filler.repeat(room);
        let mut expected = text.clone();
        let done = here.new_decoder().decode_to_str(&bytes, &mut text, false);
        let theirs = there
            .new_decoder()
            .decode_to_str(&bytes, &mut expected, false);
        assert!(std::str::from_utf8(text.as_bytes()).is_ok());
        let common = done.2.min(theirs.2);
        assert_eq!(text.as_bytes()[..common], expected.as_bytes()[..common]);
        let done = here
            .new_decoder()
            .decode_to_str_without_replacement(&bytes, &mut text, false);
        assert!(text.is_char_boundary(done.2));
        assert!(std::str::from_utf8(text.as_bytes()).is_ok());
    }
}

/// Like a reader that has seven bytes of output of its own for callers with less room.
#[test]
fn outputs_of_seven_bytes() {
    for seed in 1..20_000 {
        let mut random = Random(seed * 0x9E37_79B9);
        let (here, there) = random.one_of(&PAIRS);
        let bytes = random.bytes();
        let (mut text, mut read) = (Vec::<u8>::new(), 0);
        let mut decoder = here.new_decoder();
        loop {
            let mut dst = [0; 7];
            let (result, taken, written, _) =
                decoder.decode_to_utf8(&bytes[read..], &mut dst, false);
            read += taken;
            text.extend(&dst[..written]);
            assert!(taken > 0 || written > 0 || result == ours::CoderResult::InputEmpty);
            if result == ours::CoderResult::InputEmpty {
                break;
            }
        }
        if !bytes.is_empty() {
            let mut dst = [0; 32];
            let (result, _, written, _) = decoder.decode_to_utf8(b"", &mut dst, true);
            assert_eq!(result, ours::CoderResult::InputEmpty);
            text.extend(&dst[..written]);
        }
        assert_eq!(
            text,
            there.decode(&bytes).0.as_bytes(),
            "seed {seed}: {}, {bytes:X?}",
            here.name()
        );
    }
}

/// Byte by byte, like detectors of encodings: a byte that is not read after a malformed sequence is read by
/// the next call.
#[test]
fn one_byte_a_call() {
    for seed in 1..20_000 {
        let mut random = Random(seed * 0x9E37_79B9);
        let (here, there) = random.one_of(&PAIRS);
        let bytes = random.bytes();
        let (mut a, mut b) = (
            here.new_decoder_without_bom_handling(),
            there.new_decoder_without_bom_handling(),
        );
        for byte in &bytes {
            let (mut to_a, mut to_b) = ([0; 4], [0; 4]);
            let mut read = 0;
            for _ in 0..3 {
                let src = &std::slice::from_ref(byte)[read..];
                let (result, taken, written) =
                    a.decode_to_utf16_without_replacement(src, &mut to_a, false);
                let expected = b.decode_to_utf16_without_replacement(src, &mut to_b, false);
                assert_eq!(
                    (taken, written),
                    (expected.1, expected.2),
                    "{} {bytes:X?}",
                    here.name()
                );
                assert_eq!(to_a[..written], to_b[..written]);
                read += taken;
                if result == ours::DecoderResult::InputEmpty {
                    break;
                }
            }
            assert_eq!(read, 1, "{} {bytes:X?}", here.name());
        }
    }
}

/// The documentation says how far beyond what was written a call may overwrite its output.
#[test]
fn no_more_units_are_overwritten_after_the_output_than_documented() {
    const MOST: usize = simdtext::MAX_OVERWRITTEN;
    for seed in 1..20_000 {
        let mut random = Random(seed * 0x9E37_79B9);
        let (here, _) = random.one_of(&PAIRS);
        let (bytes, text, units) = (random.bytes(), random.text(), random.units());
        let context = || {
            format!(
                "seed {seed}: {}, {bytes:X?}, {text:?}, {units:X?}",
                here.name()
            )
        };
        let mut dst = [0xA5_u8; 4096];
        let written = match random.below(4) {
            0 => here.new_decoder().decode_to_utf8(&bytes, &mut dst, true).2,
            1 => here.new_encoder().encode_from_utf8(&text, &mut dst, true).2,
            2 => {
                here.new_encoder()
                    .encode_from_utf16(&units, &mut dst, true)
                    .2
            }
            _ => {
                let mut dst = [0xA5A5_u16; 4096];
                let written = here.new_decoder().decode_to_utf16(&bytes, &mut dst, true).2;
                let rest = dst.get(written + MOST..).unwrap_or_default();
                assert!(rest.iter().all(|unit| *unit == 0xA5A5), "{}", context());
                continue;
            }
        };
        let rest = dst.get(written + MOST..).unwrap_or_default();
        assert!(rest.iter().all(|byte| *byte == 0xA5), "{}", context());
    }
}
