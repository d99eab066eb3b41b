//! `TextDecoder` and `TextDecoderStream`.

use simdtext::web::{
    RangeError, TextDecodeOptions, TextDecoder, TextDecoderOptions, TextDecoderStream, TypeError,
    WebError,
};
use simdtext::{Encoding, REPLACEMENT};

use crate::samples::{TEXTS, encoded, reference};

const FATAL: TextDecoderOptions = TextDecoderOptions::new().fatal(true).ignore_bom(false);
const LENIENT: TextDecoderOptions = TextDecoderOptions::new().fatal(false).ignore_bom(false);
const IGNORE_BOM: TextDecoderOptions = TextDecoderOptions::new().fatal(false).ignore_bom(true);
const MORE: TextDecodeOptions = TextDecodeOptions::new().stream(true);
const END: TextDecodeOptions = TextDecodeOptions::new().stream(false);

fn decoder(label: &str, options: TextDecoderOptions) -> TextDecoder {
    TextDecoder::new(label, options).unwrap()
}

/// Decodes the pieces and ends the stream with an empty one.
fn streamed(decoder: &mut TextDecoder, pieces: &[&[u8]]) -> String {
    let mut text = String::new();
    for piece in pieces {
        text += &decoder.decode(piece, MORE).unwrap();
    }
    text + &decoder.decode(b"", END).unwrap()
}

/// The offset and the bytes of a malformed sequence.
fn malformed(result: Result<String, WebError>) -> (u64, Vec<u8>) {
    match result.unwrap_err() {
        WebError::Type(TypeError::Malformed(error)) => {
            (error.malformed.offset, error.malformed.bytes().to_vec())
        }
        other => panic!("{other}"),
    }
}

#[test]
fn every_label_makes_a_decoder_but_those_of_replacement() {
    for &encoding in Encoding::all() {
        for label in encoding.labels() {
            let result = TextDecoder::new(label, FATAL);
            let stream = TextDecoderStream::new(label, IGNORE_BOM);
            if encoding == REPLACEMENT {
                assert!(
                    matches!(result, Err(WebError::Range(RangeError::Label(given))) if given == *label)
                );
                assert!(
                    matches!(stream, Err(WebError::Range(RangeError::Label(given))) if given == *label)
                );
            } else {
                let (decoder, stream) = (result.unwrap(), stream.unwrap());
                assert_eq!(decoder.encoding(), encoding.name().to_ascii_lowercase());
                assert_eq!(stream.encoding(), decoder.encoding());
                assert!(decoder.fatal() && !decoder.ignore_bom());
                assert!(!stream.fatal() && stream.ignore_bom());
            }
        }
    }
}

#[test]
fn labels_are_trimmed_of_ascii_white_space_only() {
    assert_eq!(
        decoder("\t\n\x0C\r Latin1 ", LENIENT).encoding(),
        "windows-1252"
    );
    for label in [
        "",
        " ",
        "\u{B}utf-8",
        "utf-8\0",
        "\u{A0}utf-8",
        "utf 8",
        "UTF–8",
        "latin-1",
    ] {
        let error = TextDecoder::new(label, LENIENT).unwrap_err();
        assert!(matches!(&error, WebError::Range(RangeError::Label(given)) if given == label));
        assert!(error.to_string().starts_with("RangeError: "), "{error}");
    }
    assert_eq!(TextDecoder::default().encoding(), "utf-8");
}

#[test]
fn one_call_is_encoding_rs_with_its_own_bom_removed() {
    for &encoding in Encoding::all() {
        if encoding == REPLACEMENT {
            continue;
        }
        let mut lenient = decoder(encoding.name(), LENIENT);
        let mut ignoring = decoder(encoding.name(), IGNORE_BOM);
        let mut fatal = decoder(encoding.name(), FATAL);
        for text in TEXTS {
            let mut bytes = encoded(encoding, text);
            for hostile in [false, true] {
                if hostile {
                    bytes.insert(bytes.len() / 2, 0xFF);
                }
                let (expected, errors) = reference(encoding).decode_with_bom_removal(&bytes);
                assert_eq!(lenient.decode(&bytes, END).unwrap(), expected, "{encoding}");
                assert_eq!(fatal.decode(&bytes, END).is_err(), errors, "{encoding}");
                assert_eq!(
                    ignoring.decode(&bytes, END).unwrap(),
                    reference(encoding).decode_without_bom_handling(&bytes).0,
                    "{encoding}"
                );
            }
        }
    }
}

#[test]
fn cut_in_two_places_it_is_the_same() {
    for &encoding in Encoding::all() {
        if encoding == REPLACEMENT {
            continue;
        }
        let mut lenient = decoder(encoding.name(), LENIENT);
        for text in TEXTS {
            let bytes = encoded(encoding, text);
            let bytes = &bytes[..bytes.len().min(24)];
            let whole = reference(encoding).decode_with_bom_removal(bytes).0;
            for first in 0..=bytes.len() {
                for second in first..=bytes.len() {
                    let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                    assert_eq!(
                        streamed(&mut lenient, &pieces),
                        whole,
                        "{encoding}: {pieces:X?}"
                    );
                }
            }
        }
    }
}

#[test]
fn long_input_is_the_same_in_chunks_of_any_size() {
    for &encoding in Encoding::all() {
        if encoding == REPLACEMENT {
            continue;
        }
        let bytes = encoded(encoding, &TEXTS.concat().repeat(20));
        let whole = reference(encoding).decode_with_bom_removal(&bytes).0;
        for size in [1, 7, 64, 1000, bytes.len()] {
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            let text = streamed(&mut decoder(encoding.name(), LENIENT), &pieces);
            assert!(text == whole, "{encoding}: chunks of {size} bytes");
        }
    }
}

#[test]
fn a_bom_is_dropped_at_the_start_and_kept_elsewhere() {
    for (label, bom, a) in [
        ("utf-8", &b"\xEF\xBB\xBF"[..], &b"a"[..]),
        ("utf-16le", b"\xFF\xFE", b"a\0"),
        ("utf-16be", b"\xFE\xFF", b"\0a"),
    ] {
        for (bytes, kept, ignored) in [
            ([bom, a].concat(), "a", "\u{FEFF}a"),
            ([bom, bom, a].concat(), "\u{FEFF}a", "\u{FEFF}\u{FEFF}a"),
            ([a, bom, a].concat(), "a\u{FEFF}a", "a\u{FEFF}a"),
            (bom.to_vec(), "", "\u{FEFF}"),
        ] {
            for options in [LENIENT, FATAL] {
                let mut decoder = decoder(label, options);
                // Twice, because a new stream has a new start.
                assert_eq!(decoder.decode(&bytes, END).unwrap(), kept, "{label}");
                assert_eq!(decoder.decode(&bytes, END).unwrap(), kept, "{label}");
                for first in 0..=bytes.len() {
                    for second in first..=bytes.len() {
                        let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                        assert_eq!(streamed(&mut decoder, &pieces), kept, "{label}");
                    }
                }
            }
            let mut ignoring = decoder(label, IGNORE_BOM);
            assert_eq!(ignoring.decode(&bytes, END).unwrap(), ignored, "{label}");
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(streamed(&mut ignoring, &single), ignored, "{label}");
        }
    }
}

#[test]
fn a_bom_of_another_encoding_is_text() {
    for (label, bytes, text) in [
        ("windows-1252", &b"\xEF\xBB\xBFa"[..], "ï»¿a"),
        ("utf-8", b"\xFE\xFFa", "\u{FFFD}\u{FFFD}a"),
        ("utf-16le", b"\xFE\xFFa\0", "\u{FFFE}a"),
        ("utf-16be", b"\xFF\xFE\0a", "\u{FFFE}a"),
        ("utf-16le", b"\xEF\xBB\xBF\0", "\u{BBEF}\u{BF}"),
        // gb18030 has U+FEFF, but it is not a BOM there.
        ("gb18030", b"\x84\x31\x95\x33a", "\u{FEFF}a"),
    ] {
        assert_eq!(
            decoder(label, LENIENT).decode(bytes, END).unwrap(),
            text,
            "{label}"
        );
    }
}

#[test]
fn the_end_of_the_stream_decides_about_what_is_unfinished() {
    for (label, bytes, open, end) in [
        ("utf-8", &b"a\xF0\x9F\x92"[..], "a", "\u{FFFD}"),
        ("utf-16le", b"a\0\x3D\xD8\xA9", "a", "\u{FFFD}"),
        ("shift_jis", b"a\x93", "a", "\u{FFFD}"),
        ("iso-2022-jp", b"a\x1B$", "a", "\u{FFFD}$"),
        // This is the only decoder that can swallow an ASCII byte, but only at the end.
        ("gb18030", b"a\x81\x30", "a", "\u{FFFD}"),
    ] {
        let mut lenient = decoder(label, LENIENT);
        assert_eq!(lenient.decode(bytes, MORE).unwrap(), open, "{label}");
        assert_eq!(lenient.decode(b"", MORE).unwrap(), "", "{label}");
        assert_eq!(lenient.decode(b"", END).unwrap(), end, "{label}");
        assert_eq!(lenient.decode(b"", END).unwrap(), "", "{label}");
        let mut fatal = decoder(label, FATAL);
        assert_eq!(fatal.decode(bytes, MORE).unwrap(), open, "{label}");
        assert!(fatal.decode(b"", END).is_err(), "{label}");
        assert_eq!(fatal.decode(b"", END).unwrap(), "", "{label}");
    }
}

/// From web-platform-tests: `textdecoder-fatal-streaming`.
#[test]
fn fatal_utf16_in_odd_and_even_pieces() {
    let (odd, even) = (&b"\0"[..], &b"\0\0"[..]);
    let mut decoder = decoder("utf-16le", FATAL);
    assert_eq!(decoder.decode(odd, MORE).unwrap(), "");
    assert_eq!(decoder.decode(odd, END).unwrap(), "\0");
    assert_eq!(decoder.decode(even, MORE).unwrap(), "\0");
    assert_eq!(malformed(decoder.decode(odd, END)), (2, b"\0".to_vec()));
    assert_eq!(decoder.decode(odd, MORE).unwrap(), "");
    assert!(decoder.decode(even, END).is_err());
    assert_eq!(decoder.decode(odd, MORE).unwrap(), "");
    assert_eq!(decoder.decode(odd, END).unwrap(), "\0");
    assert_eq!(decoder.decode(even, MORE).unwrap(), "\0");
    assert_eq!(decoder.decode(even, END).unwrap(), "\0");
}

#[test]
fn after_a_throw_with_stream_the_unread_bytes_are_dropped() {
    // The beginning of a sequence after a malformed byte is lost with the rest, as in Chromium and in Node.
    let mut decoder = decoder("utf-8", FATAL);
    assert_eq!(
        malformed(decoder.decode(b"\xFD\xEF", MORE)),
        (0, vec![0xFD])
    );
    assert_eq!(decoder.decode(b"", END).unwrap(), "");
    // So is the text before it. Offsets count what was dropped.
    assert_eq!(
        malformed(decoder.decode(b"a\xFFb\xFEc", MORE)),
        (1, vec![0xFF])
    );
    assert_eq!(malformed(decoder.decode(b"d\xFD", MORE)), (6, vec![0xFD]));
    assert_eq!(decoder.decode(b"", MORE).unwrap(), "");
    assert_eq!(decoder.decode(b"e\xE2\x82", MORE).unwrap(), "e");
    assert_eq!(decoder.decode(b"\xAC", END).unwrap(), "€");
    // The last call of a stream.
    assert_eq!(malformed(decoder.decode(b"a\xFFb", MORE)), (1, vec![0xFF]));
    assert_eq!(malformed(decoder.decode(b"\xC0c", END)), (3, vec![0xC0]));
    assert_eq!(decoder.decode(b"d", END).unwrap(), "d");
    assert!(decoder.decode(b"a\xFFb", MORE).is_err());
    assert_eq!(decoder.decode(b"c", END).unwrap(), "c");
}

#[test]
fn after_a_throw_without_stream_the_next_call_begins_anew() {
    let mut decoder = decoder("shift_jis", FATAL);
    assert_eq!(
        malformed(decoder.decode(b"\xA0\x93\xFA", END)),
        (0, vec![0xA0])
    );
    assert_eq!(decoder.decode(b"\x93", MORE).unwrap(), "");
    assert_eq!(malformed(decoder.decode(b"", END)), (0, vec![0x93]));
    assert_eq!(
        decoder.decode(b"\xFD", MORE).unwrap_err().to_string(),
        "TypeError: the input is not valid Shift_JIS: malformed byte FD at offset 0"
    );
}

#[test]
fn after_a_throw_the_decoder_keeps_its_state_and_loses_what_it_restored() {
    // In the lead byte state of jis0208.
    let mut decoder_2022 = decoder("iso-2022-jp", FATAL);
    let bytes = b"\x1B$B\x80F|";
    assert_eq!(malformed(decoder_2022.decode(bytes, MORE)), (3, vec![0x80]));
    assert_eq!(decoder_2022.decode(b"K\\", MORE).unwrap(), "本");
    // The escape byte in place of a trail byte is read and not restored: the state is escape start.
    assert_eq!(
        malformed(decoder_2022.decode(b"F\x1B$B", MORE)),
        (8, vec![0x46])
    );
    assert_eq!(decoder_2022.decode(b"(B!", MORE).unwrap(), "!");
    // An invalid escape sequence is restored, and lost.
    assert_eq!(
        malformed(decoder_2022.decode(b"\x1B$x", MORE)),
        (15, vec![0x1B])
    );
    assert_eq!(decoder_2022.decode(b"y", END).unwrap(), "y");
    // gb18030 restores the second and the third byte, too.
    let mut gb18030 = decoder("gb18030", FATAL);
    assert_eq!(
        malformed(gb18030.decode(b"\x81\x30\x81\x20", MORE)),
        (0, vec![0x81])
    );
    assert_eq!(malformed(gb18030.decode(b"x\xFF", MORE)), (5, vec![0xFF]));
    assert_eq!(gb18030.decode(b"y", END).unwrap(), "y");
    // In three pieces.
    assert_eq!(gb18030.decode(b"\x81", MORE).unwrap(), "");
    assert_eq!(gb18030.decode(b"\x30\x81", MORE).unwrap(), "");
    assert_eq!(malformed(gb18030.decode(b"\x20", MORE)), (0, vec![0x81]));
    assert_eq!(gb18030.decode(b"0", END).unwrap(), "0");
    // UTF-16 restores the code unit after a lone leading surrogate.
    let mut utf16le = decoder("utf-16le", FATAL);
    assert_eq!(
        malformed(utf16le.decode(b"\x3D\xD8a\0b", MORE)),
        (0, vec![0x3D, 0xD8])
    );
    assert_eq!(utf16le.decode(b"c\0", END).unwrap(), "c");
}

#[test]
fn a_throw_before_any_text_leaves_the_bom_to_come() {
    // "BOM seen" is set when text is serialized, and a call that throws serializes none.
    let mut decoder = decoder("utf-8", FATAL);
    assert!(decoder.decode(b"x\xFF", MORE).is_err());
    assert_eq!(decoder.decode(b"", MORE).unwrap(), "");
    assert_eq!(decoder.decode(b"\xEF\xBB\xBFa", MORE).unwrap(), "a");
    assert_eq!(decoder.decode(b"\xEF\xBB\xBF", MORE).unwrap(), "\u{FEFF}");
    assert_eq!(decoder.decode(b"", END).unwrap(), "");
}

#[test]
fn many_throws_leave_nothing_to_decode() {
    let mut decoder = decoder("utf-8", FATAL);
    let bytes = vec![0xFF; 5_000];
    for chunk in 0..3_000 {
        assert_eq!(
            malformed(decoder.decode(&bytes, MORE)),
            (5_000 * chunk, vec![0xFF])
        );
    }
    assert_eq!(decoder.decode(b"", MORE).unwrap(), "");
    assert_eq!(decoder.decode(b"end", END).unwrap(), "end");
}

#[test]
fn stream_gives_text_as_it_is_complete() {
    let mut stream = TextDecoderStream::new("utf-16be", LENIENT).unwrap();
    for (chunk, text) in [
        (&b"\xFE"[..], ""),
        (b"", ""),
        (b"\xFF", ""),
        (b"\0a\xD8", "a"),
        (b"\x3D", ""),
        (b"\xDC\xA9\xFE\xFF", "💩\u{FEFF}"),
        (b"\xDC\0\0", "\u{FFFD}"),
    ] {
        assert_eq!(stream.write(chunk).unwrap(), text, "{chunk:X?}");
    }
    assert_eq!(stream.close().unwrap(), "\u{FFFD}");
    assert_eq!(stream.close(), Err(WebError::Type(TypeError::Closed)));
    assert_eq!(stream.write(b""), Err(WebError::Type(TypeError::Closed)));
}

#[test]
fn stream_flushes_until_finished() {
    // More than one step is needed: an error, then a restored byte. (The standard's text of 2020 stopped too
    // early.)
    let mut stream = TextDecoderStream::new("iso-2022-jp", LENIENT).unwrap();
    assert_eq!(stream.write(b"a\x1B$").unwrap(), "a");
    assert_eq!(stream.close().unwrap(), "\u{FFFD}$");
}

#[test]
fn stream_of_any_encoding_in_single_bytes_is_encoding_rs() {
    for &encoding in Encoding::all() {
        if encoding == REPLACEMENT {
            continue;
        }
        for text in TEXTS {
            let bytes = encoded(encoding, text);
            for ignore_bom in [false, true] {
                let options = TextDecoderOptions::new()
                    .fatal(false)
                    .ignore_bom(ignore_bom);
                let mut stream = TextDecoderStream::new(encoding.name(), options).unwrap();
                let mut decoded = String::new();
                for byte in &bytes {
                    decoded += &stream.write(&[*byte]).unwrap();
                }
                decoded += &stream.close().unwrap();
                assert_eq!(
                    decoded,
                    reference(encoding).decode_without_bom_handling(&bytes).0,
                    "{encoding}"
                );
            }
        }
    }
}

#[test]
fn stream_is_errored_for_good() {
    for at_close in [false, true] {
        let mut stream = TextDecoderStream::new("utf-8", FATAL).unwrap();
        assert_eq!(stream.write(b"ab\xE2").unwrap(), "ab");
        let error = if at_close {
            stream.close().unwrap_err()
        } else {
            stream.write(b"cd").unwrap_err()
        };
        assert_eq!(malformed(Err(error.clone())), (2, vec![0xE2]));
        assert_eq!(stream.write(b"ef").unwrap_err(), error);
        assert_eq!(stream.close().unwrap_err(), error);
        assert_eq!(stream.write(b"").unwrap_err(), error);
    }
}

#[test]
fn utf16_up_to_its_limit_and_not_past_it() {
    let (text, bytes) = ("aé\u{1F4A9}\u{FFFD}", b"a\xC3\xA9\xF0\x9F\x92\xA9\xE2\x82");
    let units: Vec<u16> = text.encode_utf16().collect();
    for limit in 0..9 {
        let mut buffer = vec![7; 3];
        let mut decoder = decoder("utf-8", LENIENT);
        let result = decoder.decode_to_utf16(bytes, END, &mut buffer, limit);
        if limit < units.len() {
            assert_eq!(result, Err(WebError::Range(RangeError::Length(limit))));
        } else {
            assert_eq!(buffer[result.unwrap()], units);
        }
        let again = decoder.decode_to_utf16(b"b", END, &mut buffer, 1);
        assert_eq!(buffer[again.unwrap()], [0x62], "limit {limit}");
    }
}
