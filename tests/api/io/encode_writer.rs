//! `EncodeWriter`.

use std::io::{self, ErrorKind, Write};

use simdtext::io::EncodeWriter;
use simdtext::{
    DecodeError, EncodeError, Encoding, ISO_2022_JP, KOI8_R, REPLACEMENT, SHIFT_JIS, UTF_8,
    UTF_16BE, Unmappable, WINDOWS_1252,
};

use crate::samples::{TEXTS, encoded};

/// A writer that takes at most `step` bytes at a time and fails every other time.
struct Grudging {
    bytes: Vec<u8>,
    step: usize,
    kind: ErrorKind,
    calls: usize,
}

impl Grudging {
    fn new(step: usize, kind: ErrorKind) -> Self {
        Grudging {
            bytes: Vec::new(),
            step,
            kind,
            calls: 0,
        }
    }
}

impl Write for Grudging {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls % 2 == 1 {
            return Err(self.kind.into());
        }
        let len = buf.len().min(self.step);
        self.bytes.extend_from_slice(&buf[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn writer(encoding: &'static Encoding, unmappable: Unmappable) -> EncodeWriter<Vec<u8>> {
    EncodeWriter::new(Vec::new(), encoding, unmappable).unwrap()
}

/// The offset and the bytes in an error.
fn malformed(error: io::Error) -> (u64, Vec<u8>) {
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    let error = error.downcast::<DecodeError>().unwrap();
    assert_eq!(error.encoding, UTF_8);
    (error.malformed.offset, error.malformed.bytes().to_vec())
}

fn unmappable(error: io::Error) -> (char, u64) {
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    match error.downcast::<EncodeError>().unwrap() {
        EncodeError::Unmappable { ch, offset, .. } => (ch, offset),
        other => panic!("{other}"),
    }
}

/// The encodings that can be written.
fn encodings() -> impl Iterator<Item = &'static Encoding> {
    Encoding::all()
        .iter()
        .copied()
        .filter(|&encoding| encoding != REPLACEMENT)
}

#[test]
fn replacement_has_no_encoder() {
    let error = EncodeWriter::new(Vec::new(), REPLACEMENT, Unmappable::Ncr).unwrap_err();
    let expected = EncodeError::NoEncoder {
        encoding: REPLACEMENT,
    };
    assert_eq!(error, expected);
}

#[test]
fn every_encoding_is_encoding_rs_cut_anywhere() {
    for encoding in encodings() {
        for text in TEXTS {
            let expected = encoded(encoding, text);
            for size in [1, 2, 3, 5, 1000] {
                let mut writer = writer(encoding, Unmappable::Ncr);
                for piece in text.as_bytes().chunks(size) {
                    assert_eq!(writer.write(piece).unwrap(), piece.len());
                }
                assert_eq!(writer.write(b"").unwrap(), 0);
                assert_eq!(writer.encoding(), encoding);
                assert_eq!(
                    writer.finish().unwrap(),
                    expected,
                    "{encoding}: pieces of {size}"
                );
            }
            let mut writer = writer(encoding, Unmappable::Ncr);
            for line in text.split_inclusive(' ') {
                writer.write_str(line).unwrap();
            }
            assert_eq!(writer.finish().unwrap(), expected, "{encoding}");
        }
    }
}

#[test]
fn long_text_is_the_same_into_a_slow_writer() {
    let text = TEXTS.concat().repeat(100);
    for encoding in encodings() {
        let expected = encoded(encoding, &text);
        for (step, kind) in [
            (100, ErrorKind::Interrupted),
            (4096, ErrorKind::Interrupted),
            (5000, ErrorKind::WouldBlock),
        ] {
            for size in [999, 1 << 20] {
                let inner = Grudging::new(step, kind);
                let mut writer = EncodeWriter::new(inner, encoding, Unmappable::Ncr).unwrap();
                for piece in text.as_bytes().chunks(size) {
                    let mut rest = piece;
                    while !rest.is_empty() {
                        match writer.write(rest) {
                            Ok(len) => rest = &rest[len..],
                            Err(error) => assert_eq!(error.kind(), ErrorKind::WouldBlock),
                        }
                    }
                }
                while let Err(error) = writer.try_finish() {
                    assert_eq!(error.kind(), ErrorKind::WouldBlock);
                }
                assert!(
                    writer.into_parts().0.bytes == expected,
                    "{encoding}: {step} at a time, pieces of {size}"
                );
            }
        }
    }
}

#[test]
fn single_bytes_into_single_bytes() {
    let text = TEXTS.concat();
    let inner = Grudging::new(1, ErrorKind::Interrupted);
    let mut writer = EncodeWriter::new(inner, ISO_2022_JP, Unmappable::Ncr).unwrap();
    for byte in text.bytes() {
        assert_eq!(writer.write(&[byte]).unwrap(), 1);
        writer.flush().unwrap();
    }
    assert_eq!(writer.finish().unwrap().bytes, encoded(ISO_2022_JP, &text));
}

#[test]
fn flush_does_not_end_the_text() {
    let mut writer = writer(ISO_2022_JP, Unmappable::Strict);
    for (piece, so_far) in [
        (&"日".as_bytes()[..2], &b""[..]),
        (&"日".as_bytes()[2..], b"\x1B$BF|"),
        ("本".as_bytes(), b"\x1B$BF|K\\"),
        ("¥".as_bytes(), b"\x1B$BF|K\\\x1B(J\\"),
    ] {
        writer.write_all(piece).unwrap();
        writer.flush().unwrap();
        assert_eq!(writer.get_ref(), so_far);
    }
    writer.try_finish().unwrap();
    assert_eq!(writer.get_ref(), b"\x1B$BF|K\\\x1B(J\\\x1B(B");
    writer.try_finish().unwrap();
    writer.get_mut().clear();
    // What follows is a new text.
    writer.write_all("日".as_bytes()).unwrap();
    assert_eq!(writer.finish().unwrap(), b"\x1B$BF|\x1B(B");
}

#[test]
fn utf16_is_written_as_such_and_without_a_bom() {
    let mut writer = writer(UTF_16BE, Unmappable::Strict);
    writer.write_all("a💩".as_bytes()).unwrap();
    assert_eq!(writer.finish().unwrap(), b"\0a\xD8\x3D\xDC\xA9");
}

#[test]
fn rules_for_unmappable_characters() {
    for (rule, bytes) in [
        (Unmappable::Ncr, &b"a&#9731;b"[..]),
        (Unmappable::Skip, b"ab"),
        (Unmappable::Replace('é'), b"a\xE9b"),
        (Unmappable::Replace('日'), b"a?b"),
    ] {
        for size in 1..6 {
            let mut writer = writer(WINDOWS_1252, rule);
            for piece in "a☃b".as_bytes().chunks(size) {
                writer.write_all(piece).unwrap();
            }
            assert_eq!(writer.errors(), 1);
            assert_eq!(writer.finish().unwrap(), bytes, "{rule:?}");
        }
    }
}

#[test]
fn a_text_has_ended_although_the_writer_failed() {
    let inner = Grudging::new(9, ErrorKind::WouldBlock);
    let mut writer = EncodeWriter::new(inner, ISO_2022_JP, Unmappable::Strict).unwrap();
    writer.write_str("日").unwrap();
    writer.try_finish().unwrap_err();
    // A new text.
    writer.write_str("本").unwrap();
    assert_eq!(unmappable(writer.write_str("☃").unwrap_err()), ('☃', 3));
    while writer.flush().is_err() {}
    // Before an unmappable character the encoder returns to ASCII.
    let bytes = b"\x1B$BF|\x1B(B\x1B$BK\\\x1B(B";
    assert_eq!(writer.get_ref().bytes, bytes);
}

#[test]
fn strict_stops_before_the_character() {
    for size in 1..8 {
        let mut writer = writer(WINDOWS_1252, Unmappable::Strict);
        let mut taken = 0;
        let error = 'text: loop {
            for piece in "é€☃ and more".as_bytes()[taken..].chunks(size) {
                match writer.write(piece) {
                    Ok(len) => taken += len,
                    Err(error) => break 'text error,
                }
                if taken % size != 0 {
                    break;
                }
            }
        };
        assert_eq!(unmappable(error), ('☃', 5), "pieces of {size}");
        // The start of the character may have been taken, but not its end.
        assert!((5..8).contains(&taken), "pieces of {size}");
        for _ in 0..2 {
            assert_eq!(unmappable(writer.write(b"x").unwrap_err()), ('☃', 5));
            assert_eq!(unmappable(writer.write_str("x").unwrap_err()), ('☃', 5));
            assert_eq!(unmappable(writer.try_finish().unwrap_err()), ('☃', 5));
        }
        writer.flush().unwrap();
        assert_eq!(writer.get_ref(), b"\xE9\x80");
        assert_eq!(writer.errors(), 1);
        assert_eq!(unmappable(writer.finish().unwrap_err()), ('☃', 5));
    }
}

#[test]
fn strict_knows_where_a_long_text_fails() {
    let text = format!("{}\u{1B}", "日本".repeat(20_000));
    let mut writer = writer(ISO_2022_JP, Unmappable::Strict);
    // An escape character is reported as U+FFFD, but is one byte long.
    let error = writer.write_all(text.as_bytes()).unwrap_err();
    assert_eq!(unmappable(error), ('\u{FFFD}', 120_000));
    let mut writer = writer_of_text(&text[..120_000]);
    assert_eq!(
        unmappable(writer.write_str("x\u{0E}").unwrap_err()),
        ('\u{FFFD}', 120_001)
    );
}

fn writer_of_text(text: &str) -> EncodeWriter<Vec<u8>> {
    let mut writer = writer(ISO_2022_JP, Unmappable::Strict);
    writer.write_str(text).unwrap();
    writer
}

#[test]
fn what_is_not_utf8_is_an_error_with_its_offset() {
    for (bytes, offset, sequence, written) in [
        (&b"ab\xFFcd"[..], 2, &b"\xFF"[..], &b"ab"[..]),
        (b"\x80", 0, b"\x80", b""),
        (b"a\xE2\x82z", 1, b"\xE2\x82", b"a"),
        (b"\xC3\xA9\xF0\x9F\x92\xC3\xA9", 2, b"\xF0\x9F\x92", b"\xE9"),
        (b"a\xED\xA0\x80", 1, b"\xED", b"a"),
        (b"a\xC3\xC3\xA9", 1, b"\xC3", b"a"),
        (b"a\xF4\x90\x80\x80", 1, b"\xF4", b"a"),
    ] {
        for size in 1..=bytes.len() {
            let mut writer = writer(WINDOWS_1252, Unmappable::Ncr);
            let error = bytes
                .chunks(size)
                .find_map(|piece| writer.write_all(piece).err())
                .unwrap();
            let told = (offset, sequence.to_vec());
            assert_eq!(malformed(error), told, "{bytes:X?} in pieces of {size}");
            assert_eq!(malformed(writer.write(b"x").unwrap_err()), told);
            writer.flush().unwrap();
            assert_eq!(writer.get_ref(), written);
            assert_eq!(malformed(writer.finish().unwrap_err()), told);
        }
    }
}

#[test]
fn text_that_ends_inside_a_character_is_an_error() {
    for held in [&b"\xE2"[..], b"\xE2\x82", b"\xF0\x9F\x92"] {
        let mut writer = writer(SHIFT_JIS, Unmappable::Ncr);
        writer.write_all(b"ab").unwrap();
        assert_eq!(writer.write(held).unwrap(), held.len());
        writer.flush().unwrap();
        assert_eq!(writer.get_ref(), b"ab");
        assert_eq!(malformed(writer.finish().unwrap_err()), (2, held.to_vec()));
    }
    let mut writer = writer(SHIFT_JIS, Unmappable::Ncr);
    writer.write_all(b"ab\xE2").unwrap();
    writer.write_str("").unwrap();
    assert_eq!(
        malformed(writer.write_str("x").unwrap_err()),
        (2, vec![0xE2])
    );
}

#[test]
fn text_before_a_fault_is_ended_by_finish() {
    for (fault, rest) in [(&b"\xFF"[..], true), (b"\xE6\x97", false)] {
        let mut writer = writer(ISO_2022_JP, Unmappable::Strict);
        writer.write_all("日".as_bytes()).unwrap();
        assert_eq!(writer.write(fault).is_err(), rest);
        for _ in 0..2 {
            assert_eq!(
                malformed(writer.try_finish().unwrap_err()),
                (3, fault.to_vec())
            );
            assert_eq!(writer.get_ref(), b"\x1B$BF|\x1B(B");
        }
    }
}

#[test]
fn a_fault_deep_in_a_long_text() {
    for filler in [16_383, 16_384, 16_385, 50_000] {
        for cut in [filler - 1, filler, filler + 1, filler + 2] {
            let mut bytes = vec![b'a'; filler];
            bytes.extend_from_slice(b"\xE2\x82!");
            let mut writer = writer(UTF_8, Unmappable::Strict);
            let (first, second) = bytes.split_at(cut);
            let error = writer
                .write_all(first)
                .and_then(|()| writer.write_all(second))
                .unwrap_err();
            assert_eq!(malformed(error), (filler as u64, vec![0xE2, 0x82]));
            writer.flush().unwrap();
            assert_eq!(writer.get_ref().len(), filler);
        }
    }
}

#[test]
fn a_writer_that_takes_nothing_is_an_error() {
    let mut room = [0; 3];
    let mut writer = EncodeWriter::new(&mut room[..], UTF_8, Unmappable::Strict).unwrap();
    writer.write_all(b"abcde").unwrap();
    assert_eq!(writer.flush().unwrap_err().kind(), ErrorKind::WriteZero);
    assert_eq!(writer.finish().unwrap_err().kind(), ErrorKind::WriteZero);
    assert_eq!(&room, b"abc");
}

#[test]
fn a_writer_that_claims_too_much() {
    struct Claims(Vec<u8>);
    impl Write for Claims {
        fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
            // First a part, so that the next call is not about the start of the buffer.
            let len = if self.0.is_empty() { 1 } else { buf.len() };
            self.0.extend_from_slice(&buf[..len]);
            Ok(if len == 1 { 1 } else { usize::MAX })
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut writer = EncodeWriter::new(Claims(Vec::new()), KOI8_R, Unmappable::Ncr).unwrap();
    writer.write_str("мир").unwrap();
    assert_eq!(writer.finish().unwrap().0, b"\xCD\xC9\xD2");
}

/// What the failing writer left of a text may be followed by its end, or by other text.
#[test]
fn no_escape_sequence_is_written_for_what_was_not_taken() {
    for (len, unmappable) in [
        (16 * 1024, Unmappable::Ncr),
        (40_000, Unmappable::Replace('本')),
    ] {
        for (first, second) in [
            ("日", "a"),
            ("a", "日"),
            ("日", "☃"),
            ("☃", "¥"),
            ("日", ""),
        ] {
            for front in len - 24..len {
                let text = "x".repeat(front) + first + second + "日a☃日a";
                let inner = Grudging::new(10_000, ErrorKind::WouldBlock);
                let mut writer = EncodeWriter::new(inner, ISO_2022_JP, unmappable).unwrap();
                let mut taken = 0;
                while let Ok(more @ 1..) = writer.write(&text.as_bytes()[taken..]) {
                    taken += more;
                }
                while writer.try_finish().is_err() {}
                let expected = encoding_text(&text[..taken], unmappable);
                assert!(
                    writer.get_ref().bytes == expected,
                    "{first}{second} at {front}: {taken} bytes are taken"
                );
            }
        }
    }
}

/// A text in ISO-2022-JP, by encoding_rs.
fn encoding_text(text: &str, unmappable: Unmappable) -> Vec<u8> {
    let mut encoder = encoding_rs::ISO_2022_JP.new_encoder();
    let (mut bytes, mut rest) = (Vec::with_capacity(2 * text.len() + 100), text);
    while let (encoding_rs::EncoderResult::Unmappable(ch), read) =
        encoder.encode_from_utf8_to_vec_without_replacement(rest, &mut bytes, true)
    {
        rest = &rest[read..];
        let instead = match unmappable {
            Unmappable::Replace(by) => String::from(by),
            _ => format!("&#{};", u32::from(ch)),
        };
        let _ = encoder.encode_from_utf8_to_vec_without_replacement(&instead, &mut bytes, false);
    }
    bytes
}

#[test]
fn write_fmt_and_debug() {
    let mut writer = writer(SHIFT_JIS, Unmappable::Ncr);
    write!(writer, "日={}", 1).unwrap();
    assert!(format!("{writer:?}").contains("Shift_JIS"));
    assert_eq!(writer.finish().unwrap(), b"\x93\xFA=1");
}
