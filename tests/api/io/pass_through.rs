//! `DecodeReader::utf8_pass_through`, and `reset`, which keeps it.

use std::io::{self, BufRead, ErrorKind, Read};

use simdtext::io::DecodeReader;
use simdtext::sniff::Hints;
use simdtext::{
    Bom, DecodeError, Encoding, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

use super::steps::Steps;

/// Beginnings with and without a byte order mark, and what follows: text, and bytes that are not text.
const BEGINS: [&[u8]; 10] = [
    b"",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xEF",
    b"\xFF\xFE",
    b"\xFE\xFF",
    b"\xFF",
    b"a",
    b"\xEF\xBB\xBF\xEF\xBB\xBF",
    b"\0",
];
const RESTS: [&[u8]; 5] = [
    b"",
    b"x",
    b"ab\xFF\xC3\xA9\0c",
    b"\xC3\xA9 \x93\xFA",
    b"\x80",
];

/// UTF-8 is unchanged, and anything else decoded.
fn expected(bytes: &[u8], encoding: &'static Encoding, bom: Bom) -> Vec<u8> {
    let marked = match bom {
        Bom::Sniff => Encoding::for_bom(bytes),
        Bom::Strip => Encoding::for_bom(bytes).filter(|(it, _)| *it == encoding),
        _ => None,
    };
    let (encoding, mark) = marked.unwrap_or((encoding, 0));
    if encoding == UTF_8 {
        bytes[mark..].to_vec()
    } else {
        encoding
            .decode_with_bom(&bytes[mark..], Bom::Keep)
            .text
            .into_owned()
            .into_bytes()
    }
}

fn read_by(reader: &mut impl Read, size: usize) -> Vec<u8> {
    let (mut buffer, mut bytes) = (vec![0; size], Vec::new());
    loop {
        let len = reader.read(&mut buffer).expect("no error");
        bytes.extend_from_slice(&buffer[..len]);
        if len == 0 {
            return bytes;
        }
    }
}

#[test]
fn utf8_as_it_is_and_all_else_decoded() {
    for encoding in [
        UTF_8,
        WINDOWS_1252,
        UTF_16LE,
        UTF_16BE,
        SHIFT_JIS,
        ISO_2022_JP,
    ] {
        for bom in [Bom::Sniff, Bom::Strip, Bom::Keep] {
            for (begin, rest) in BEGINS.iter().flat_map(|it| RESTS.map(|rest| (it, rest))) {
                let bytes = [begin, rest].concat();
                let expected = expected(&bytes, encoding, bom);
                let reader = DecodeReader::new(Steps::new(b"", 1), UTF_8);
                let mut reader = reader.utf8_pass_through(true);
                for step in [1, 2, 3, 5, 100] {
                    for size in [1, 2, 7, 20_000] {
                        reader.reset_with_bom(Steps::new(&bytes, step), encoding, bom);
                        let read = read_by(&mut reader, size);
                        let case = format!("{encoding}, {bom:?}, {bytes:02X?}, {step}, {size}");
                        assert_eq!(read, expected, "{case}");
                        // The reader is at its end, and stays there.
                        assert_eq!(reader.read(&mut [0; 9]).expect(&case), 0);
                    }
                }
            }
        }
    }
}

/// More than the buffers hold, read into buffers of every kind.
#[test]
fn long_streams() {
    let long = b"na\xEFve \xC3\xA9\xF0\x9F\n".repeat(9000);
    let marked = [b"\xEF\xBB\xBF", &long[..]].concat();
    let reader =
        |bytes, step| DecodeReader::new(Steps::new(bytes, step), UTF_8).utf8_pass_through(true);
    for step in [1000, 16 * 1024, 50_000] {
        for size in [999, 16 * 1024, 40_000] {
            assert!(
                read_by(&mut reader(&marked, step), size) == long,
                "{step}, {size}"
            );
        }
        let lines = reader(&marked, step)
            .split(b'\n')
            .map(|line| line.expect("no error"));
        assert_eq!(
            lines
                .filter(|line| line == b"na\xEFve \xC3\xA9\xF0\x9F")
                .count(),
            9000
        );
    }
    // A stream can be read in one way first and in another way later.
    let mut mixed = reader(&marked, 1000);
    let mut bytes = vec![0; 3];
    mixed.read_exact(&mut bytes).expect("three bytes");
    bytes.extend_from_slice(mixed.fill_buf().expect("more"));
    mixed.consume(usize::MAX);
    mixed.read_to_end(&mut bytes).expect("the rest");
    assert!(bytes == long);
}

#[test]
fn a_string_takes_what_is_valid() {
    let mut text = String::from("before ");
    let mut reader =
        DecodeReader::new(&b"\xEF\xBB\xBFna\xC3\xAFve"[..], UTF_8).utf8_pass_through(true);
    assert_eq!(reader.read_to_string(&mut text).expect("valid"), 6);
    assert_eq!((text.as_str(), reader.errors()), ("before naïve", 0));
    reader.reset(b"na\xEFve", UTF_8);
    let error = reader.read_to_string(&mut text).expect_err("not UTF-8");
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    assert_eq!(error.to_string(), "malformed at offset 2");
    assert_eq!(text, "before naïve");
    // In another encoding these bytes are text.
    reader.reset(b"na\xEFve", WINDOWS_1252);
    reader.read_to_string(&mut text).expect("text");
    assert_eq!(text, "before naïvenaïve");
}

/// What comes before an error of the reader is in the string, and a character that it cut is whole in the end.
#[test]
fn a_string_that_the_reader_interrupts() {
    let text = "a\u{1F600}é";
    // The first three reads are for the byte order mark.
    for at in 0..=text.len() {
        let reader = DecodeReader::new(Steps::failing(text.as_bytes(), 1, at), UTF_8);
        let (mut reader, mut read) = (reader.utf8_pass_through(true), String::new());
        let error = reader.read_to_string(&mut read).expect_err("it fails once");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        let before = (0..=at).rfind(|it| text.is_char_boundary(*it));
        let before = before.filter(|_| at >= 3).unwrap_or(0);
        assert_eq!(read, text[..before], "at {at}");
        reader.read_to_string(&mut read).expect("the rest");
        assert_eq!(read, text, "at {at}");
    }
}

/// Bytes that are no text are an error, even if the reader fails after them: what a next call returns lacks them.
#[test]
fn no_string_lacks_what_is_malformed() {
    let bytes = b"abc\xFFdefg";
    for at in 3..=bytes.len() {
        let reader = DecodeReader::new(Steps::failing(bytes, 1, at), UTF_8);
        let (mut reader, mut read) = (reader.utf8_pass_through(true), String::new());
        let mut error = reader.read_to_string(&mut read).expect_err("it fails");
        if at <= 3 {
            assert_eq!((error.kind(), &*read), (ErrorKind::TimedOut, "abc"));
            error = reader.read_to_string(&mut read).expect_err("not UTF-8");
        }
        assert_eq!(error.kind(), ErrorKind::InvalidData, "at {at}");
    }
}

/// Too late for a stream that is being decoded, of which nothing may be lost.
#[test]
fn asked_for_in_the_middle() {
    let cut = [&[b'a'; 16 * 1024 - 1], "é\u{FEFF}b".as_bytes()].concat();
    for (bytes, read) in [(&cut[..], 16 * 1024 - 1), (&cut[..], 5), (b"\xEF\xBBa", 1)] {
        for encoding in [UTF_8, WINDOWS_1252] {
            let expected = encoding.decode_with_bom(bytes, Bom::Keep).text;
            let mut reader = DecodeReader::new(bytes, encoding);
            let mut text = vec![0; read];
            reader.read_exact(&mut text).expect("no error");
            let mut reader = reader.utf8_pass_through(true);
            reader.read_to_end(&mut text).expect("no error");
            assert!(text == expected.as_bytes(), "{encoding}, {read}");
            reader.reset(b"\xFF", UTF_8);
            assert_eq!(read_by(&mut reader, 5), b"\xFF");
        }
    }
}

/// Too late for a stream that is being passed on: the decoder has not seen its start.
#[test]
fn taken_back_in_the_middle() {
    let bytes = [&b"\xEF\xBB\xBF"[..], &[b'a'; 20_000], b"\xFF\xC3\xA9"].concat();
    for read in [1, 5, 16_381, 20_000, 20_002] {
        let reader = DecodeReader::new(&*bytes, UTF_8).strict(true);
        let mut reader = reader.utf8_pass_through(true);
        let mut text = vec![0; read];
        reader.read_exact(&mut text).expect("no error");
        let mut reader = reader.utf8_pass_through(false);
        reader.read_to_end(&mut text).expect("no error");
        assert!(text == bytes[3..], "{read}");
        reader.reset(b"ab\xFF", UTF_8);
        let error = reader.read_to_end(&mut text).expect_err("not UTF-8");
        let error: DecodeError = error.downcast().expect("it is about the text");
        assert_eq!(error.malformed.offset, 2);
    }
}

/// A reader that returns a larger number than it was asked for is wrong, but no reason to panic.
#[test]
fn a_reader_that_claims_too_much() {
    struct Claims(bool);
    impl Read for Claims {
        fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
            buf.fill(b'x');
            let first = std::mem::replace(&mut self.0, false);
            Ok(if first { usize::MAX } else { 0 })
        }
    }
    for pass_through in [false, true] {
        let mut reader = DecodeReader::new(Claims(true), UTF_8).utf8_pass_through(pass_through);
        let text = read_by(&mut reader, 100);
        assert!(text.len() == 16 * 1024 && text.iter().all(|byte| *byte == b'x'));
        let begun = reader.reset_sniffing(Claims(true), &Hints::new());
        begun.expect("no error");
        assert_eq!(read_by(&mut reader, 100).len(), 16 * 1024);
    }
}

/// Strictness applies to what is decoded.
#[test]
fn strict_where_it_decodes() {
    let reader = DecodeReader::new(&b"\xFF\xFE\0\xD8a\0"[..], UTF_8);
    let mut reader = reader.strict(true).utf8_pass_through(true);
    let error = reader
        .read_to_end(&mut Vec::new())
        .expect_err("a lone surrogate");
    assert!(error.downcast::<DecodeError>().is_ok());
    reader.reset(b"\xFF\xFF", UTF_8);
    assert_eq!(read_by(&mut reader, 5), b"\xFF\xFF");
}

/// Streams that are UTF-8 by what they declare, or by their bytes.
#[test]
fn with_sniffing() {
    let page = b"<meta charset=utf-8><title>caf\xE9</title>";
    let sniffed = DecodeReader::sniffing(&page[..], &Hints::new());
    let mut reader = sniffed.expect("no error").utf8_pass_through(true);
    assert_eq!(read_by(&mut reader, 7), page);
    let page = b"<meta charset=koi8-r><title>\xCD</title>";
    reader
        .reset_sniffing(page, &Hints::new())
        .expect("no error");
    assert_eq!(
        read_by(&mut reader, 7),
        "<meta charset=koi8-r><title>м</title>".as_bytes()
    );
    let page = b"\xEF\xBB\xBF\xFF";
    reader
        .reset_sniffing(page, &Hints::new().fallback(SHIFT_JIS))
        .expect("no error");
    assert_eq!(reader.decision().expect("a decision").bom_len, 3);
    assert_eq!(read_by(&mut reader, 7), b"\xFF");
}

/// An error of the reader changes nothing.
#[test]
fn errors_of_the_reader() {
    for at in 0..8 {
        let mut reader = DecodeReader::new(Steps::failing(b"\xEF\xBB\xBFa\xFFb", 1, at), UTF_8)
            .utf8_pass_through(true);
        let (mut bytes, mut errors) = (Vec::new(), 0);
        loop {
            let mut buffer = [0; 2];
            match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(len) => bytes.extend_from_slice(&buffer[..len]),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::TimedOut);
                    errors += 1;
                }
            }
        }
        assert_eq!(
            (&bytes[..], errors),
            (&b"a\xFFb"[..], i32::from(at <= 6)),
            "at {at}"
        );
    }
}

/// Settings stay, and everything else begins anew, wherever the stream before was left.
#[test]
fn reset_begins_anew() -> io::Result<()> {
    let first = b"\xFFab".repeat(8000);
    let mut reader = DecodeReader::new(&first[..], UTF_8).strict(true);
    assert!(reader.read(&mut [0; 4]).is_err());
    assert_eq!(reader.errors(), 1);
    reader.reset(b"\xFE\xFF\x65\xE5", UTF_8);
    assert_eq!((reader.errors(), reader.encoding()), (0, UTF_8));
    let mut text = String::new();
    reader.read_to_string(&mut text)?;
    assert_eq!((text.as_str(), reader.encoding()), ("日", UTF_16BE));
    reader.reset_sniffing(b"<meta charset=big5>", &Hints::new())?;
    assert!(reader.decision().is_some());
    reader.reset_with_bom(b"\xEF\xBB\xBF\xC3", UTF_8, Bom::Keep);
    assert!(reader.decision().is_none());
    text.clear();
    let error = reader.read_to_string(&mut text).expect_err("cut short");
    let error = error.downcast::<DecodeError>().expect("malformed");
    assert_eq!((text.as_str(), error.malformed.offset), ("\u{FEFF}", 3));
    // Text that was decoded before, but not read, is gone.
    reader.reset(b"abcdef", WINDOWS_1252);
    assert_eq!(reader.fill_buf()?, b"abcdef");
    reader.reset(b"g", WINDOWS_1252);
    assert_eq!(reader.fill_buf()?, b"g");
    Ok(())
}
