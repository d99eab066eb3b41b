//! `DecodeReader` and `EncodeWriter`.

use std::io::{self, BufRead, ErrorKind, Read, Write};

use simdtext::io::{DecodeReader, EncodeWriter};
use simdtext::{Bom, DecodeError, EncodeError, Encoding, UTF_8, Unmappable};

use crate::peer;
use crate::random::{FAILURE, Random, Rough};

/// Reads something. Returns what, and whether that was the end.
fn read(
    random: &mut Random,
    reader: &mut DecodeReader<Rough>,
    is_text: bool,
) -> (Vec<u8>, io::Result<bool>) {
    let (mut bytes, mut text) = (vec![0; random.len(40_000)], String::new());
    match random.below(16) {
        0 => {
            bytes.clear();
            let done = reader.read_to_end(&mut bytes);
            (bytes, done.map(|_| true))
        }
        1 if is_text => {
            let done = reader.read_to_string(&mut text);
            (text.into_bytes(), done.map(|_| true))
        }
        2..8 => match reader.fill_buf().map(<[u8]>::to_vec) {
            Ok(mut bytes) => {
                let is_end = bytes.is_empty();
                bytes.truncate(random.len(bytes.len()));
                reader.consume(bytes.len());
                (bytes, Ok(is_end))
            }
            Err(error) => (Vec::new(), Err(error)),
        },
        _ => {
            let (room, done) = (bytes.len(), reader.read(&mut bytes));
            bytes.truncate(*done.as_ref().unwrap_or(&0));
            (bytes, done.map(|len| len == 0 && room > 0))
        }
    }
}

/// Reads one document, or a part of it.
fn check_document(
    random: &mut Random,
    reader: &mut DecodeReader<Rough>,
    strict: bool,
    passes: bool,
) {
    let (encoding, bom, fails) = (random.encoding(), random.bom(), random.pick(&[0, 0, 1, 9]));
    let bytes = random.bytes(encoding, 60_000);
    reader.reset_with_bom(Rough::new(random, bytes.clone(), fails), encoding, bom);
    let mut all = peer::decode(
        encoding,
        &bytes,
        bom,
        true,
        if strict { "" } else { "\u{FFFD}" },
    );
    let mut text = all.text.into_bytes();
    if passes && all.encoding == UTF_8 {
        let mark = Encoding::for_bom(&bytes).filter(|it| bom != Bom::Keep && it.0 == UTF_8);
        text = bytes[mark.map_or(0, |it| it.1)..].to_vec();
        all.malformed.clear();
    }
    let (mut at, mut failures, mut told, errors) = (0, 0, 0, all.malformed.len());
    let mut ends = 0;
    while ends < 2 && !random.one_in(300) {
        let is_text = std::str::from_utf8(&text[at..]).is_ok();
        let (got, result) = read(random, reader, is_text);
        assert_eq!(text.get(at..at + got.len()), Some(&*got), "at {at}");
        at += got.len();
        let next = all.malformed.get(told).filter(|_| strict);
        assert!(next.is_none_or(|it| it.0 >= at), "not told of {next:?}");
        match result {
            Ok(is_end) => {
                assert!(
                    !is_end || at == text.len() && next.is_none(),
                    "ends at {at}"
                );
                ends += usize::from(is_end);
            }
            Err(error) if error.kind() == FAILURE => failures += 1,
            Err(error) => {
                let error: DecodeError = error.downcast().expect("it is about the text");
                assert_eq!(error.encoding, all.encoding);
                assert_eq!(next, Some(&(at, error.malformed)));
                told += 1;
            }
        }
        assert_eq!(failures, reader.get_ref().failures);
        assert!(
            (told..=errors).contains(&(reader.errors() as usize)),
            "{}",
            reader.errors()
        );
        if ends > 0 {
            assert_eq!(
                (reader.errors(), reader.encoding()),
                (errors as u64, all.encoding)
            );
        }
    }
}

#[test]
fn any_reads() {
    crate::each_case(|random| {
        let (strict, passes) = (random.one_in(2), random.one_in(3));
        let none = Rough::new(random, Vec::new(), 0);
        let reader = DecodeReader::new(none, UTF_8).strict(strict);
        let mut reader = reader.utf8_pass_through(passes);
        for _ in 0..1 + random.below(3) {
            check_document(random, &mut reader, strict, passes);
        }
    });
}

/// The offset of an error, and what is wrong there.
type Wrong = (u64, Result<Vec<u8>, char>);

fn wrong(error: io::Error) -> Wrong {
    assert_eq!(error.kind(), ErrorKind::InvalidData);
    match error
        .downcast()
        .map_err(|it| it.downcast().expect("one of two"))
    {
        Ok(DecodeError { malformed, .. }) => (malformed.offset, Ok(malformed.bytes().to_vec())),
        Err(EncodeError::Unmappable { ch, offset, .. }) => (offset, Err(ch)),
        Err(error) => panic!("{error}"),
    }
}

/// The text that `bytes` begin with.
fn valid(bytes: &[u8]) -> &str {
    let chunk = bytes.utf8_chunks().next();
    chunk.map_or("", |it| it.valid())
}

/// The first error in a text.
fn first_wrong(encoding: &'static Encoding, bytes: &[u8], unmappable: Unmappable) -> Option<Wrong> {
    let text = valid(bytes);
    if unmappable == Unmappable::Strict
        && let Some((at, ch)) = peer::encode(encoding, text, unmappable).1.first()
    {
        return Some((*at as u64, Err(*ch)));
    }
    let malformed = bytes.utf8_chunks().next()?.invalid();
    (!malformed.is_empty()).then(|| (text.len() as u64, Ok(malformed.to_vec())))
}

/// Ends the text, and tries again if the writer fails.
fn finish(writer: &mut EncodeWriter<Rough>) -> Option<Wrong> {
    loop {
        match writer.try_finish() {
            Ok(()) => return None,
            Err(error) if error.kind() == FAILURE => {}
            Err(error) => return Some(wrong(error)),
        }
    }
}

/// Writes a text. Returns whether it had no error.
fn check_text(
    random: &mut Random,
    writer: &mut EncodeWriter<Rough>,
    unmappable: Unmappable,
) -> bool {
    let (encoding, before) = (writer.encoding(), writer.get_ref().bytes.len());
    let mut bytes = random.text(50_000).into_bytes();
    if !bytes.is_empty() && random.one_in(3) {
        let at = random.below(bytes.len());
        bytes[at] = random.pick(b"a\x80\xE2\xFF");
    }
    // How much of it was taken, and given.
    let (mut taken, mut given) = (0, 0);
    let fault = loop {
        let rest = bytes.len() - taken;
        let result = if random.one_in(9) {
            writer.flush().map(|()| {
                // An escape sequence may be due at the end.
                let encoded = peer::encode(encoding, valid(&bytes[..taken]), unmappable).0;
                let written = &writer.get_ref().bytes[before..];
                assert!(encoded.starts_with(written) && encoded.len() - written.len() <= 3);
            })
        } else if rest == 0 || random.one_in(90) {
            break finish(writer);
        } else {
            let piece = &bytes[taken..taken + random.len(rest)];
            given = given.max(taken + piece.len());
            let result = writer.write(piece);
            let is_failure = matches!(&result, Err(error) if error.kind() == FAILURE);
            taken += *result.as_ref().unwrap_or(&0);
            assert!(!matches!(result, Ok(0)) || piece.is_empty());
            if is_failure && random.one_in(3) && std::str::from_utf8(&bytes[..taken]).is_ok() {
                // Other text may follow instead of what was not taken.
                bytes.truncate(taken);
                bytes.extend(random.text(9).into_bytes());
                given = taken;
            }
            result.map(|_| ())
        };
        if let Err(error) = result
            && error.kind() != FAILURE
        {
            break Some(wrong(error));
        }
    };
    let ends = [given, taken].map(|end| first_wrong(encoding, &bytes[..end], unmappable));
    let end = match &fault {
        Some(fault) => {
            assert!(ends.contains(&Some(fault.clone())), "{fault:?}");
            assert_eq!(finish(writer).as_ref(), Some(fault));
            let error = writer.write(b"x").expect_err("it stays");
            assert_eq!(wrong(error), *fault);
            fault.0 as usize
        }
        None => {
            assert_eq!(ends[1], None, "not told");
            taken
        }
    };
    let text = std::str::from_utf8(&bytes[..end]).expect("nothing is wrong before");
    let (encoded, _) = peer::encode(encoding, text, unmappable);
    assert!(
        writer.get_ref().bytes[before..] == encoded,
        "{encoding}, {unmappable:?}: {fault:?}"
    );
    fault.is_none()
}

#[test]
fn any_writes() {
    crate::each_case(|random| {
        let (encoding, unmappable) = (random.encoding(), random.unmappable());
        let fails = random.pick(&[0, 1, 20]);
        let inner = Rough::new(random, Vec::new(), fails);
        let Ok(mut writer) = EncodeWriter::new(inner, encoding, unmappable) else {
            assert_eq!(encoding, simdtext::REPLACEMENT);
            return;
        };
        while check_text(random, &mut writer, unmappable) && random.one_in(2) {}
        let before = writer.get_ref().bytes.clone();
        let (inner, buffered) = writer.into_parts();
        assert!(inner.bytes == before && buffered.is_empty());
    });
}
