//! `DecodeReader::sniffing` and `reset_with`.

use std::io::{self, ErrorKind, Read};

use simdtext::io::DecodeReader;
use simdtext::sniff::{Confidence, Evidence, Hints, resolve};
use simdtext::{Bom, DecodeError, Encoding, GBK, KOI8_R, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};

use crate::samples::{TEXTS, encoded};

/// How many bytes the reader decides on.
const HEAD: usize = 16 * 1024;

/// Gives at most `step` bytes at a time, is interrupted in between, and fails at some place.
#[derive(Debug)]
struct Steps<'a> {
    bytes: &'a [u8],
    step: usize,
    interrupt: bool,
    /// Bytes before the failure.
    until_failure: usize,
}

impl<'a> Steps<'a> {
    fn new(bytes: &'a [u8], step: usize) -> Self {
        Steps {
            bytes,
            step,
            interrupt: false,
            until_failure: usize::MAX,
        }
    }
}

impl Read for Steps<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.interrupt = !self.interrupt;
        if self.interrupt {
            return Err(ErrorKind::Interrupted.into());
        }
        if self.until_failure == 0 {
            return Err(ErrorKind::TimedOut.into());
        }
        let step = self.step.min(buf.len()).min(self.until_failure);
        self.until_failure -= step;
        self.bytes.read(&mut buf[..step])
    }
}

/// Documents short and long, with and without a mark, and what is known of them.
fn documents() -> Vec<(Vec<u8>, Hints<'static>)> {
    let mut documents = Vec::new();
    for encoding in [UTF_8, KOI8_R, SHIFT_JIS, GBK, UTF_16LE] {
        for text in TEXTS {
            let hints = Hints {
                override_label: Some(encoding.name()),
                ..Hints::default()
            };
            let bytes = encoded(encoding, text);
            let times = 2 * HEAD / bytes.len().max(1);
            documents.push((bytes.repeat(times), hints));
            documents.push((bytes, hints));
        }
    }
    let nothing = Hints::default();
    let fallback = Hints {
        fallback: Some(WINDOWS_1252),
        ..nothing
    };
    documents.push((b"\xEF\xBB\xBFna\xC3\xAFve".to_vec(), documents[0].1));
    documents.push((b"\xFF\xFEa\0b\0".to_vec(), nothing));
    documents.push((b"na\xEFve\xFF".to_vec(), fallback));
    documents.push(("naïve ".repeat(5000).into_bytes(), fallback));
    for len in [HEAD - 1, HEAD, HEAD + 1] {
        documents.push((vec![b'\xE9'; len], fallback));
        documents.push((
            [vec![b'a'; len - 1], b"\xC3\xA9".to_vec()].concat(),
            nothing,
        ));
    }
    documents
}

#[test]
fn decides_on_the_first_bytes_and_goes_on() {
    let mut reused = DecodeReader::new(Steps::new(b"", 1), UTF_8);
    for (i, (bytes, hints)) in documents().iter().enumerate() {
        // What is known of a document of exactly the head's length is that there may be more.
        let head = &bytes[..bytes.len().min(HEAD)];
        let decision = resolve(hints, head, bytes.len() < HEAD);
        let expected = decision.encoding.decode_with(bytes, Bom::Strip);
        for step in [1, 1000, usize::MAX] {
            let case = format!("document {i}, {step} at a time");
            let mut reader = DecodeReader::sniffing(Steps::new(bytes, step), hints).unwrap();
            assert_eq!(reader.decision(), Some(&decision), "{case}");
            assert_eq!(reader.encoding(), decision.encoding, "{case}");
            let mut text = String::new();
            let read = reader.read_to_string(&mut text).unwrap();
            assert_eq!(read, text.len());
            assert!(text == expected.text, "{case}");
            assert_eq!(reader.errors(), expected.errors as u64, "{case}");

            reused.reset_with(Steps::new(bytes, step), hints).unwrap();
            assert_eq!(reused.decision(), Some(&decision), "{case}");
            let mut text = Vec::new();
            reused.read_to_end(&mut text).unwrap();
            assert!(text == expected.text.as_bytes(), "{case}");
            assert_eq!(reused.errors(), expected.errors as u64, "{case}");
        }
    }
}

#[test]
fn a_caller_who_names_the_encoding_decided_by_himself() {
    let reader = DecodeReader::new(&b"text"[..], KOI8_R);
    assert_eq!(reader.decision(), None);
}

/// Text of the document before, that nobody asked for, is not given; nor is an error.
#[test]
fn a_document_can_be_left() {
    let hints = |label: &'static str| Hints {
        override_label: Some(label),
        ..Hints::default()
    };
    let long = b"\xFF".repeat(3 * HEAD);
    let mut reader = DecodeReader::sniffing(&long[..], &hints("shift_jis"))
        .unwrap()
        .strict(true);
    assert!(reader.read(&mut [0; 5]).is_err());
    reader
        .reset_with(&b"\xCD\xC9\xD2"[..], &hints("koi8-r"))
        .unwrap();
    assert_eq!(io::read_to_string(&mut reader).unwrap(), "мир");
    assert_eq!(reader.errors(), 0);
    // It is still strict.
    reader.reset_with(&b"ab\xFF"[..], &hints("utf-8")).unwrap();
    let error = reader.read_to_string(&mut String::new()).unwrap_err();
    assert_eq!(error.downcast::<DecodeError>().unwrap().malformed.offset, 2);
    assert_eq!(reader.read(&mut [0; 5]).unwrap(), 0);
}

#[test]
fn a_reader_that_fails_gives_no_text() {
    for until_failure in [0, 3, HEAD - 1] {
        let failing = |bytes| Steps {
            until_failure,
            ..Steps::new(bytes, 100)
        };
        let bytes = vec![b'a'; 2 * HEAD];
        let error = DecodeReader::sniffing(failing(&bytes), &Hints::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);

        let mut reader = DecodeReader::new(Steps::new(b"text", 1), UTF_8);
        let error = reader
            .reset_with(failing(&bytes), &Hints::default())
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert_eq!(reader.decision(), None);
        assert_eq!(reader.read(&mut [0; 9]).unwrap(), 0);
        reader
            .reset_with(Steps::new(b"text", 1), &Hints::default())
            .unwrap();
        assert_eq!(io::read_to_string(reader).unwrap(), "text");
    }
}

#[test]
fn a_failure_behind_the_head_is_as_ever() {
    let bytes = vec![b'a'; 2 * HEAD];
    let failing = Steps {
        until_failure: HEAD + 7,
        ..Steps::new(&bytes, usize::MAX)
    };
    let mut reader = DecodeReader::sniffing(failing, &Hints::default()).unwrap();
    let decision = reader.decision().unwrap();
    assert_eq!(
        (decision.evidence, decision.confidence),
        (Evidence::Fallback, Confidence::Tentative)
    );
    let mut text = String::new();
    assert_eq!(
        reader.read_to_string(&mut text).unwrap_err().kind(),
        ErrorKind::TimedOut
    );
    assert_eq!(text.len(), HEAD + 7);
    assert!(Encoding::all().contains(&reader.encoding()));
}
