//! `DecodeReader::sniffing` and `reset_sniffing`, and `detecting` and `reset_detecting`, which guess.

use std::io::{self, ErrorKind, Read};

use simdtext::io::DecodeReader;
use simdtext::sniff::{Confidence, Evidence, Hints, resolve};
use simdtext::{Bom, DecodeError, Encoding, GBK, KOI8_R, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1252};

use crate::samples::{TEXTS, encoded};

/// The number of bytes by which the reader decides.
const HEAD: usize = 16 * 1024;

/// Gives at most `step` bytes at a time, is interrupted in between, and fails at some point.
#[derive(Debug)]
struct Steps<'a> {
    bytes: &'a [u8],
    step: usize,
    interrupt: bool,
    /// The number of bytes before the failure.
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

/// Short and long documents, with and without a mark, and what is known about them.
fn documents() -> Vec<(Vec<u8>, Hints<'static>)> {
    let mut documents = Vec::new();
    for encoding in [UTF_8, KOI8_R, SHIFT_JIS, GBK, UTF_16LE] {
        for text in TEXTS {
            let hints = Hints::new().override_label(encoding.name());
            let bytes = encoded(encoding, text);
            let times = 2 * HEAD / bytes.len().max(1);
            documents.push((bytes.repeat(times), hints));
            documents.push((bytes, hints));
        }
    }
    let nothing = Hints::default();
    let fallback = nothing.fallback(WINDOWS_1252);
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
        // Of a document that is exactly as long as the head, the reader does not know that it ends there.
        let head = &bytes[..bytes.len().min(HEAD)];
        let decision = resolve(hints, head, bytes.len() < HEAD);
        let expected = decision.encoding.decode_with_bom(bytes, Bom::Strip);
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

            reused
                .reset_sniffing(Steps::new(bytes, step), hints)
                .unwrap();
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

/// Text of the previous document that was not read is not returned; nor is an error.
#[test]
fn a_document_can_be_left() {
    let hints = |label: &'static str| Hints::new().override_label(label);
    let long = b"\xFF".repeat(3 * HEAD);
    let mut reader = DecodeReader::sniffing(&long[..], &hints("shift_jis"))
        .unwrap()
        .strict(true);
    assert!(reader.read(&mut [0; 5]).is_err());
    reader
        .reset_sniffing(&b"\xCD\xC9\xD2"[..], &hints("koi8-r"))
        .unwrap();
    assert_eq!(io::read_to_string(&mut reader).unwrap(), "мир");
    assert_eq!(reader.errors(), 0);
    // The reader is still strict.
    reader
        .reset_sniffing(&b"ab\xFF"[..], &hints("utf-8"))
        .unwrap();
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
            .reset_sniffing(failing(&bytes), &Hints::default())
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert_eq!(reader.decision(), None);
        assert_eq!(reader.read(&mut [0; 9]).unwrap(), 0);
        reader
            .reset_sniffing(Steps::new(b"text", 1), &Hints::default())
            .unwrap();
        assert_eq!(io::read_to_string(reader).unwrap(), "text");
    }
}

#[test]
fn a_failure_after_the_head_is_as_ever() {
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

#[cfg(feature = "detect")]
mod detecting {
    use simdtext::detect::{Options, detect};
    use simdtext::sniff::{Decision, Format};
    use simdtext::{EUC_JP, ISO_2022_JP, UTF_16BE, WINDOWS_1251};

    use super::*;

    const RUSSIAN: &str = "Все люди рождаются свободными и равными в своём достоинстве и правах.\n";
    const JAPANESE: &str = "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて\
                            平等である。\n";

    /// Both ways to begin, and then all of the text.
    fn read(bytes: &[u8], hints: &Hints<'_>, options: &Options<'_>) -> (String, Decision) {
        let mut first = None;
        for step in [1, 1000, usize::MAX] {
            let steps = || Steps::new(bytes, step);
            let mut reader = DecodeReader::detecting(steps(), hints, options).unwrap();
            let decision = *reader.decision().unwrap();
            assert_eq!(reader.encoding(), decision.encoding);
            let mut text = String::new();
            reader.read_to_string(&mut text).unwrap();
            let known = first.get_or_insert_with(|| (text.clone(), decision));
            assert!(*known == (text, decision), "{step} at a time");

            reader.reset_detecting(steps(), hints, options).unwrap();
            let mut again = String::new();
            reader.read_to_string(&mut again).unwrap();
            assert_eq!(reader.decision(), Some(&known.1));
            assert!(again == known.0, "{step} at a time");
        }
        first.unwrap()
    }

    #[test]
    fn what_nothing_is_known_of_is_guessed() {
        let cases = [
            (KOI8_R, RUSSIAN),
            (WINDOWS_1251, RUSSIAN),
            (SHIFT_JIS, JAPANESE),
            (EUC_JP, JAPANESE),
            (ISO_2022_JP, JAPANESE),
        ];
        let page = Hints::new().format(Format::Html).fallback(WINDOWS_1252);
        for (encoding, line) in cases {
            for times in [1, 3 * HEAD / line.len()] {
                let text = line.repeat(times);
                for hints in [Hints::default(), page] {
                    let bytes = encoded(encoding, &text);
                    let (read, decision) = read(&bytes, &hints, &Options::default());
                    assert!(read == text, "{encoding}, {times} lines");
                    assert_eq!(decision.encoding, encoding, "{times} lines");
                    assert_eq!(decision.evidence, Evidence::Detected);
                    assert_eq!(decision.bom_len, 0);
                    assert_eq!(decision.confidence, Confidence::Tentative);
                }
            }
        }
    }

    /// The guess is that of `detect` for the first bytes, with the same options.
    #[test]
    fn options_are_those_of_the_guess() {
        let bytes = ["Größe, Maß, süß, für\n".repeat(20).as_bytes(), b"\xFF\n"].concat();
        let hints = Hints::default();
        for allow_utf8 in [true, false] {
            let options = Options::new().allow_utf8(allow_utf8);
            let (_, decision) = read(&bytes, &hints, &options);
            let head = detect(&bytes, true, &options);
            assert_eq!(
                (Some(decision.encoding), decision.evidence),
                (head.encoding, head.evidence)
            );
            assert_eq!(decision.encoding == UTF_8, allow_utf8);
        }
    }

    /// UTF-16 without a byte order mark is recognised. There is no guess for binary data, so the fallback
    /// stays.
    #[test]
    fn utf16_and_what_is_no_text() {
        let hints = Hints::new().fallback(WINDOWS_1251);
        let bytes = [b"\0a\0b\0c\0d".repeat(100), b"\x20\xAC".repeat(9)].concat();
        let (text, decision) = read(&bytes, &hints, &Options::default());
        assert_eq!(text, ["abcd".repeat(100), "€".repeat(9)].concat());
        assert_eq!(
            (decision.encoding, decision.evidence),
            (UTF_16BE, Evidence::Detected)
        );
        let elf = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E\0\x01\0\0\0\xC0\x1F";
        let (_, decision) = read(elf, &hints, &Options::default());
        assert_eq!(
            (decision.encoding, decision.evidence),
            (WINDOWS_1251, Evidence::Fallback)
        );
    }

    #[test]
    fn what_is_known_wins_over_a_guess() {
        for (bytes, hints) in documents() {
            let head = &bytes[..bytes.len().min(HEAD)];
            let known = resolve(&hints, head, bytes.len() < HEAD);
            if known.evidence != Evidence::Fallback {
                assert_eq!(read(&bytes, &hints, &Options::default()).1, known);
            }
        }
        let russian = encoded(WINDOWS_1251, RUSSIAN);
        let page = [b"<meta charset=koi8-r>".to_vec(), russian.clone()].concat();
        let (_, declared) = read(&page, &Hints::default(), &Options::default());
        assert_eq!(
            (declared.encoding, declared.evidence),
            (KOI8_R, Evidence::Prescan)
        );
        let in_frame = Hints::new().environment(GBK);
        let (_, parent) = read(&russian, &in_frame, &Options::default());
        assert_eq!(
            (parent.encoding, parent.evidence),
            (GBK, Evidence::Environment)
        );
    }

    /// Anything may follow a head of ASCII; the fallback is what the caller asked for.
    #[test]
    fn ascii_leaves_the_fallback() {
        let bytes = [vec![b'a'; HEAD], b"\xE9\n".to_vec()].concat();
        let fallback = Hints::new().fallback(WINDOWS_1252);
        let (text, decision) = read(&bytes, &fallback, &Options::default());
        assert!(text.ends_with("aé\n"));
        assert_eq!(
            (decision.encoding, decision.evidence),
            (WINDOWS_1252, Evidence::Fallback)
        );
        let (_, nothing) = read(b"", &fallback, &Options::default());
        assert_eq!(nothing.evidence, Evidence::Fallback);
    }
}
