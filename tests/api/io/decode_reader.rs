//! `DecodeReader`.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use simdtext::io::DecodeReader;
use simdtext::{
    Bom, DecodeError, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252,
};

use crate::samples::{TEXTS, encoded, reference};

/// What one `read` of a [`Script`] does.
#[derive(Clone, Copy)]
enum Act {
    Give(&'static [u8]),
    Fail(ErrorKind),
}

/// A reader that plays a script, reports its end once, and must not be read after that.
struct Script<'a> {
    acts: &'a [Act],
    ended: bool,
}

impl<'a> Script<'a> {
    fn new(acts: &'a [Act]) -> Self {
        Script { acts, ended: false }
    }
}

impl Read for Script<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        assert!(!self.ended, "read after the end");
        match self.acts.split_off_first() {
            None => {
                self.ended = true;
                Ok(0)
            }
            Some(&Act::Give(bytes)) => {
                buf[..bytes.len()].copy_from_slice(bytes);
                Ok(bytes.len())
            }
            Some(&Act::Fail(kind)) => Err(kind.into()),
        }
    }
}

/// Gives at most `step` bytes at a time, and is interrupted in between.
struct Slow<'a> {
    bytes: &'a [u8],
    step: usize,
    interrupt: bool,
}

impl<'a> Slow<'a> {
    fn new(bytes: &'a [u8], step: usize) -> Self {
        Slow {
            bytes,
            step,
            interrupt: false,
        }
    }
}

impl Read for Slow<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if self.interrupt {
            return Err(ErrorKind::Interrupted.into());
        }
        let step = self.step.min(buf.len());
        self.bytes.read(&mut buf[..step])
    }
}

/// The offset and the bytes in an error.
fn malformed(error: io::Error) -> (u64, Vec<u8>) {
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    let error = error.downcast::<DecodeError>().unwrap();
    (error.malformed.offset, error.malformed.bytes().to_vec())
}

fn read_all(mut reader: impl Read) -> String {
    let mut text = String::new();
    let len = reader.read_to_string(&mut text).unwrap();
    assert_eq!(len, text.len());
    text
}

/// Reads with a buffer of `size` bytes, up to the end and once more.
fn read_by(mut reader: impl Read, size: usize) -> Vec<u8> {
    let mut buf = vec![0; size];
    let mut bytes = Vec::new();
    loop {
        let len = reader.read(&mut buf).unwrap();
        bytes.extend_from_slice(&buf[..len]);
        if len == 0 {
            assert_eq!(reader.read(&mut buf).unwrap(), 0);
            return bytes;
        }
    }
}

#[test]
fn every_encoding_is_encoding_rs() {
    for &encoding in Encoding::all() {
        for text in TEXTS {
            let bytes = encoded(encoding, text);
            let expected = reference(encoding).decode(&bytes).0;
            assert_eq!(read_all(DecodeReader::new(&bytes[..], encoding)), expected);
            for step in [1, 2, 3] {
                let reader = DecodeReader::new(Slow::new(&bytes, step), encoding);
                assert_eq!(read_all(reader), expected, "{encoding}: {step} at a time");
            }
            for size in [1, 2, 3, 5, 100] {
                let reader = DecodeReader::new(Slow::new(&bytes, 1), encoding);
                assert_eq!(
                    read_by(reader, size),
                    expected.as_bytes(),
                    "{encoding}: into {size}"
                );
            }
        }
    }
}

#[test]
fn long_text_is_the_same_whatever_the_sizes() {
    for &encoding in Encoding::all() {
        let bytes = encoded(encoding, &TEXTS.concat().repeat(150));
        assert!(bytes.len() > 40_000);
        let expected = reference(encoding).decode(&bytes).0;
        for size in [4001, 16_384, 100_000] {
            let read = read_by(DecodeReader::new(&bytes[..], encoding), size);
            assert!(read == expected.as_bytes(), "{encoding}: into {size}");
        }
        let slow = DecodeReader::new(Slow::new(&bytes, 1009), encoding);
        assert!(read_all(slow) == *expected, "{encoding}");
        let mut to_end = Vec::new();
        let mut reader = DecodeReader::new(&bytes[..], encoding);
        reader.read_to_end(&mut to_end).unwrap();
        assert!(to_end == expected.as_bytes(), "{encoding}");
    }
}

#[test]
fn lines() {
    let text = "première\r\nœuf\n\ndernière sans fin de ligne";
    let bytes = encoded(WINDOWS_1252, text);
    let reader = DecodeReader::new(Slow::new(&bytes, 1), WINDOWS_1252);
    let lines: Vec<String> = reader.lines().map(Result::unwrap).collect();
    assert_eq!(lines, text.lines().collect::<Vec<_>>());
}

#[test]
fn boms() {
    let bytes = b"\xFF\xFEa\0";
    let mut reader = DecodeReader::new(Slow::new(bytes, 1), UTF_8);
    assert_eq!(reader.encoding(), UTF_8);
    assert_eq!(reader.fill_buf().unwrap(), b"a");
    assert_eq!(reader.encoding(), UTF_16LE);
    for (bom, encoding, text) in [
        (Bom::Sniff, WINDOWS_1252, "a"),
        (Bom::Strip, UTF_16LE, "a"),
        (Bom::Strip, WINDOWS_1252, "ÿþa\0"),
        (Bom::Keep, UTF_16LE, "\u{FEFF}a"),
    ] {
        let reader = DecodeReader::with_bom(Slow::new(bytes, 1), encoding, bom);
        assert_eq!(read_all(reader), text, "{bom:?}, {encoding}");
    }
    // An incomplete BOM is not a BOM.
    assert_eq!(
        read_all(DecodeReader::new(&b"\xEF\xBB"[..], WINDOWS_1252)),
        "ï»"
    );
}

#[test]
fn text_comes_as_soon_as_there_is_any() {
    let mut reader = DecodeReader::with_bom(
        Script::new(&[
            Act::Give(b"a\x93"),
            Act::Give(b"\xFA\x96"),
            Act::Give(b"{"),
            Act::Give(b"\x93"),
            Act::Give(b"\xFA"),
        ]),
        SHIFT_JIS,
        Bom::Strip,
    );
    assert_eq!(reader.read(&mut []).unwrap(), 0);
    assert_eq!(reader.fill_buf().unwrap(), b"a");
    assert_eq!(reader.fill_buf().unwrap(), b"a");
    reader.consume(1);
    assert_eq!(reader.fill_buf().unwrap(), "日".as_bytes());
    let mut two = [0; 2];
    assert_eq!(reader.read(&mut two).unwrap(), 2);
    assert_eq!(reader.fill_buf().unwrap(), [0xA5]);
    reader.consume(1);
    assert_eq!(reader.fill_buf().unwrap(), "本".as_bytes());
    reader.consume(3);
    // A piece that gives no text is not the end: the next one is read.
    assert_eq!(reader.fill_buf().unwrap(), "日".as_bytes());
    reader.consume(3);
    for _ in 0..3 {
        assert_eq!(reader.fill_buf().unwrap(), b"");
        assert_eq!(reader.read(&mut two).unwrap(), 0);
        assert_eq!(reader.read_to_string(&mut String::new()).unwrap(), 0);
    }
    assert!(reader.get_ref().ended && reader.get_mut().ended && reader.into_inner().ended);
}

#[test]
fn errors_of_the_reader_lose_nothing() {
    let acts = [
        Act::Fail(ErrorKind::WouldBlock),
        Act::Give(b"a\x81"),
        Act::Fail(ErrorKind::WouldBlock),
        Act::Fail(ErrorKind::Interrupted),
        Act::Give(b"\x30"),
        Act::Fail(ErrorKind::TimedOut),
        Act::Give(b"\x81\x30b"),
        Act::Fail(ErrorKind::ConnectionReset),
    ];
    for size in [1, 64, 20_000] {
        let mut reader = DecodeReader::new(Script::new(&acts), GB18030);
        let mut buf = vec![0; size];
        let mut text = Vec::new();
        let mut kinds = Vec::new();
        loop {
            match reader.read(&mut buf) {
                Ok(0) => break,
                Ok(len) => text.extend_from_slice(&buf[..len]),
                Err(error) => kinds.push(error.kind()),
            }
        }
        assert_eq!(text, "a\u{80}b".as_bytes());
        assert_eq!(
            kinds,
            [
                ErrorKind::WouldBlock,
                ErrorKind::WouldBlock,
                ErrorKind::TimedOut,
                ErrorKind::ConnectionReset
            ]
        );
        assert_eq!(reader.errors(), 0);
    }
    // What came before the error is in the string.
    let mut reader = DecodeReader::new(Script::new(&acts[1..]), GB18030);
    let mut text = String::from(">");
    assert!(reader.read_to_string(&mut text).is_err());
    assert_eq!(text, ">a");
}

#[test]
fn replacement_counts() {
    let bytes = b"a\xFFb\xE2\x82c\xF0\x9F";
    for step in [1, 2, 100] {
        let mut reader = DecodeReader::new(Slow::new(bytes, step), UTF_8);
        let mut text = String::new();
        reader.read_to_string(&mut text).unwrap();
        assert_eq!(text, "a\u{FFFD}b\u{FFFD}c\u{FFFD}");
        assert_eq!(reader.errors(), 3);
    }
}

#[test]
fn strict_tells_each_malformed_sequence_once_after_its_text() {
    let filler = "é".repeat(30_000);
    let mut bytes = filler.clone().into_bytes();
    bytes.extend_from_slice(b"\xE2\x82x\xFF\xFEy\xF0\x9F");
    for step in [1, 4096, 1 << 20] {
        for size in [1, 7, 16_384, 1 << 20] {
            let mut reader = DecodeReader::new(Slow::new(&bytes, step), UTF_8).strict(true);
            let mut buf = vec![0; size];
            let mut text = Vec::new();
            let mut errors = Vec::new();
            loop {
                match reader.read(&mut buf) {
                    Ok(0) => break,
                    Ok(len) => text.extend_from_slice(&buf[..len]),
                    Err(error) => errors.push((text.len() - filler.len(), malformed(error))),
                }
            }
            assert!(text == [filler.as_bytes(), b"xy"].concat());
            assert_eq!(
                errors,
                [
                    (0, (60_000, vec![0xE2, 0x82])),
                    (1, (60_003, vec![0xFF])),
                    (1, (60_004, vec![0xFE])),
                    (2, (60_006, vec![0xF0, 0x9F])),
                ],
                "{step} at a time into {size}"
            );
            assert_eq!(reader.errors(), 4);
        }
    }
}

#[test]
fn strict_read_to_string_keeps_the_text_before() {
    let mut reader = DecodeReader::new(Slow::new(b"a\x1B$B\x80F|", 1), ISO_2022_JP).strict(true);
    let mut text = String::new();
    let error = reader.read_to_string(&mut text).unwrap_err();
    assert_eq!(malformed(error), (4, vec![0x80]));
    assert_eq!(text, "a");
    assert_eq!(reader.read_to_string(&mut text).unwrap(), 3);
    assert_eq!(text, "a日");
}

#[test]
fn read_to_string_after_a_cut_character_is_an_error() {
    let mut reader = DecodeReader::new(&b"\xE9\xE8"[..], WINDOWS_1252);
    reader.read_exact(&mut [0]).unwrap();
    let mut text = String::from("before");
    let error = reader.read_to_string(&mut text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert_eq!(text, "before");
    reader.read_exact(&mut [0]).unwrap();
    reader.read_to_string(&mut text).unwrap();
    assert_eq!(text, "beforeè");
}

#[test]
fn reads_through_a_buffered_reader() {
    let bytes = encoded(SHIFT_JIS, "日本語\n");
    let mut reader = DecodeReader::new(BufReader::with_capacity(1, &bytes[..]), SHIFT_JIS);
    let mut line = String::new();
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "日本語\n");
    assert!(format!("{reader:?}").contains("Shift_JIS"));
}
