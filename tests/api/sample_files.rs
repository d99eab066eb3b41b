//! The files of `samples/`, decoded and encoded back, each compared with its text in UTF-8.
//!
//! Neither the bytes nor the positions of the malformed sequences come from this library: `samples/make.py`
//! made them with Python's codecs. encoding_rs must agree as well.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, iter};

use simdtext::{
    Bom, DecodeError, Encoding, MIN_ENCODED, MIN_UTF8, MIN_UTF16, Malformed, Progress, Status,
    Unmappable,
};

/// Sizes of the chunks of input, in bytes.
const CHUNKS: [usize; 7] = [1, 2, 3, 5, 7, 31, 113];
/// The room in the output buffers beyond the documented minimum.
const SPARE: [usize; 5] = [0, 1, 3, 19, 1000];

/// One line of `samples/LIST`.
struct Sample {
    file: String,
    label: String,
    bytes: Vec<u8>,
    text: String,
    errors: Vec<Malformed>,
}

impl Sample {
    fn encoding(&self) -> &'static Encoding {
        Encoding::for_label(self.label.as_bytes()).expect(&self.file)
    }

    fn has_bom(&self) -> bool {
        let marks: [&[u8]; 3] = [b"\xEF\xBB\xBF", b"\xFE\xFF", b"\xFF\xFE"];
        marks.iter().any(|mark| self.bytes.starts_with(mark))
    }

    /// The text, with the mark as a character if the file has one.
    fn text_with_bom(&self) -> String {
        let mark = if self.has_bom() { "\u{FEFF}" } else { "" };
        format!("{mark}{}", self.text)
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("samples")
}

fn read(file: &str) -> Vec<u8> {
    fs::read(folder().join(file)).unwrap_or_else(|error| panic!("samples/{file}: {error}"))
}

/// `104:C0,162:E282` or `-`.
fn parse_errors(field: &str) -> Vec<Malformed> {
    let items = field.split(',').filter(|item| *item != "-");
    items
        .map(|item| {
            let (offset, hex) = item.split_once(':').expect(item);
            let mut bytes = [0; 4];
            let len = hex.len() / 2;
            for (i, byte) in bytes.iter_mut().take(len).enumerate() {
                *byte = u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect(item);
            }
            Malformed {
                offset: offset.parse().expect(item),
                len: u8::try_from(len).expect(item),
                bytes,
            }
        })
        .collect()
}

fn samples() -> Vec<Sample> {
    let list = String::from_utf8(read("LIST")).expect("LIST is ASCII");
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let [file, label, text, count, errors]: [&str; 5] =
                line.split('\t').collect::<Vec<_>>().try_into().expect(line);
            let errors = parse_errors(errors);
            assert_eq!(count.parse(), Ok(errors.len()), "{line}");
            Sample {
                file: file.to_owned(),
                label: label.to_owned(),
                bytes: read(file),
                text: String::from_utf8(read(text)).expect(text),
                errors,
            }
        })
        .collect()
}

/// Every chunk of `bytes`, and for each whether it is the last one.
fn chunks(bytes: &[u8], size: usize) -> impl Iterator<Item = (&[u8], bool)> {
    let count = bytes.len().div_ceil(size);
    (bytes.chunks(size).enumerate()).map(move |(i, chunk)| (chunk, i + 1 == count))
}

/// Passes the chunks of `bytes` to `call` with a buffer of `room` units, until everything is read. Returns
/// all output, and the malformed sequences at which strict calls stopped.
fn stream<T: Copy + Default>(
    bytes: &[u8],
    size: usize,
    room: usize,
    mut call: impl FnMut(&[u8], &mut [T], bool) -> Progress,
) -> (Vec<T>, Vec<Malformed>) {
    let mut dst = vec![T::default(); room];
    let (mut out, mut malformed) = (Vec::new(), Vec::new());
    for (mut chunk, last) in chunks(bytes, size) {
        loop {
            let progress = call(chunk, &mut dst, last);
            chunk = &chunk[progress.read..];
            out.extend_from_slice(&dst[..progress.written]);
            match progress.status {
                Status::InputEmpty => break,
                Status::OutputFull => {
                    assert!(progress.read + progress.written > 0, "no progress");
                }
                Status::Malformed(at) => {
                    malformed.push(at);
                    assert!(malformed.len() <= bytes.len(), "no progress");
                }
                Status::Unmappable { .. } => panic!("a decoder returned {progress:?}"),
            }
        }
        assert!(
            chunk.is_empty(),
            "InputEmpty, but {} bytes left",
            chunk.len()
        );
    }
    (out, malformed)
}

#[test]
fn list_and_folder_agree() {
    let listed: BTreeSet<String> = samples().into_iter().map(|sample| sample.file).collect();
    let present: BTreeSet<String> = (fs::read_dir(folder()).expect("samples/"))
        .map(|entry| entry.expect("samples/").file_name().into_string())
        .map(|name| name.expect("names are ASCII"))
        .filter(|name| name.ends_with(".txt"))
        .collect();
    assert_eq!(listed, present);

    let encodings: BTreeSet<&str> = samples().iter().map(|s| s.encoding().name()).collect();
    let every: BTreeSet<&str> = (Encoding::all().iter().map(|encoding| encoding.name()))
        .filter(|name| !matches!(*name, "replacement" | "x-user-defined"))
        .collect();
    assert_eq!(
        encodings, every,
        "each encoding that texts come in has a sample"
    );

    for sample in samples() {
        let label = sample.file.split('.').nth(1);
        assert_eq!(label, Some(&*sample.label), "the name tells the label");
    }
}

#[test]
fn one_shot_decodes() {
    for sample in samples() {
        let (name, encoding) = (&sample.file, sample.encoding());
        let decoded = encoding.decode(&sample.bytes);
        assert_eq!(decoded.text, sample.text, "{name}");
        assert_eq!(decoded.encoding, encoding, "{name}");
        assert_eq!(decoded.errors, sample.errors.len(), "{name}");
        assert_eq!(
            decoded.first_error,
            sample.errors.first().copied(),
            "{name}"
        );

        let stripped = encoding.decode_with_bom(&sample.bytes, Bom::Strip);
        assert_eq!(stripped, decoded, "{name}: the mark is the encoding's own");
        let kept = encoding.decode_with_bom(&sample.bytes, Bom::Keep);
        assert_eq!(kept.text, sample.text_with_bom(), "{name}");

        let strict = match sample.errors.first() {
            None => Ok(decoded),
            Some(&malformed) => Err(DecodeError {
                encoding,
                malformed,
            }),
        };
        let result = encoding.decode_strict(&sample.bytes, Bom::Sniff);
        assert_eq!(result, strict, "{name}");
    }
}

#[test]
fn streaming_decodes_to_utf8() {
    for sample in samples() {
        for (size, spare) in pairs() {
            let case = format!("{}, chunks of {size}, {spare} spare", sample.file);
            let (mut errors, mut count) = (Vec::new(), 0);
            let mut decoder = sample.encoding().decoder(Bom::Sniff);
            let (out, stops) = stream(&sample.bytes, size, MIN_UTF8 + spare, |src, dst, last| {
                let progress = decoder.decode_to_utf8_with(src, dst, last, |at| errors.push(at));
                count += progress.errors;
                progress
            });
            assert_eq!(String::from_utf8(out).as_ref(), Ok(&sample.text), "{case}");
            assert_eq!(errors, sample.errors, "{case}");
            assert_eq!((count, stops.len()), (errors.len(), 0), "{case}");
            assert_eq!(decoder.encoding(), sample.encoding(), "{case}");

            // The same decoder begins a new stream.
            let (out, stops) = stream(&sample.bytes, size, MIN_UTF8 + spare, |src, dst, last| {
                decoder.decode_to_utf8_strict(src, dst, last)
            });
            let clean = sample.text.replace('\u{FFFD}', "");
            assert_eq!(String::from_utf8(out), Ok(clean), "{case}, strict");
            assert_eq!(stops, sample.errors, "{case}, strict");
        }
    }
}

#[test]
fn streaming_decodes_to_utf16() {
    for sample in samples() {
        let units: Vec<u16> = sample.text.encode_utf16().collect();
        for (size, spare) in pairs() {
            let case = format!("{}, chunks of {size}, {spare} spare", sample.file);
            let mut errors = Vec::new();
            let mut decoder = sample.encoding().decoder(Bom::Sniff);
            let (out, _) = stream(&sample.bytes, size, MIN_UTF16 + spare, |src, dst, last| {
                decoder.decode_to_utf16_with(src, dst, last, |at| errors.push(at))
            });
            assert_eq!(out, units, "{case}");
            assert_eq!(errors, sample.errors, "{case}");
        }
    }
}

#[test]
fn clean_samples_encode_back() {
    for sample in clean() {
        let text = sample.text_with_bom();
        let encoded = sample.encoding().encode(&text, Unmappable::Strict);
        let encoded = encoded.unwrap_or_else(|error| panic!("{}: {error:?}", sample.file));
        assert_eq!(encoded.bytes, sample.bytes, "{}", sample.file);
        assert_eq!(encoded.errors, 0, "{}", sample.file);
    }
}

#[test]
fn clean_samples_encode_back_in_chunks() {
    for sample in clean() {
        let text = sample.text_with_bom();
        let units: Vec<u16> = text.encode_utf16().collect();
        for (size, spare) in pairs() {
            let case = format!("{}, chunks of {size}, {spare} spare", sample.file);
            let mut dst = vec![0; MIN_ENCODED + spare];

            let mut encoder = sample.encoding().encoder().expect(&case);
            let mut out = Vec::new();
            let mut rest = &*text;
            while !rest.is_empty() {
                let (mut chunk, tail) = rest.split_at(boundary(rest, size));
                rest = tail;
                loop {
                    let last = rest.is_empty();
                    let progress =
                        encoder.encode_from_utf8(chunk, &mut dst, last, Unmappable::Strict);
                    chunk = &chunk[progress.read..];
                    out.extend_from_slice(&dst[..progress.written]);
                    if progress.status == Status::InputEmpty {
                        break;
                    }
                    assert_eq!(progress.status, Status::OutputFull, "{case}");
                    assert!(progress.read + progress.written > 0, "{case}: no progress");
                }
            }
            assert_eq!(out, sample.bytes, "{case}");

            // From UTF-16, with surrogate pairs cut in two; the same encoder begins a new stream.
            let mut out = Vec::new();
            let count = units.len().div_ceil(size);
            for (i, mut chunk) in units.chunks(size).enumerate() {
                loop {
                    let last = i + 1 == count;
                    let progress =
                        encoder.encode_from_utf16(chunk, &mut dst, last, Unmappable::Strict);
                    chunk = &chunk[progress.read..];
                    out.extend_from_slice(&dst[..progress.written]);
                    if progress.status == Status::InputEmpty {
                        break;
                    }
                    assert_eq!(progress.status, Status::OutputFull, "{case}, UTF-16");
                    assert!(progress.read + progress.written > 0, "{case}: no progress");
                }
            }
            assert_eq!(out, sample.bytes, "{case}, UTF-16");
        }
    }
}

/// encoding_rs says the same about each file, so the list itself is right.
#[test]
fn encoding_rs_agrees() {
    for sample in samples() {
        let name = &sample.file;
        let encoding = encoding_rs::Encoding::for_label(sample.label.as_bytes()).expect(name);
        let (text, used, had_errors) = encoding.decode(&sample.bytes);
        assert_eq!(text, sample.text, "{name}");
        assert_eq!(used, encoding, "{name}");
        assert_eq!(had_errors, !sample.errors.is_empty(), "{name}");
        assert_eq!(
            encoding_rs_errors(encoding, &sample.bytes),
            sample.errors,
            "{name}"
        );

        // encoding_rs has no UTF-16 encoder, and leaves marks to its callers.
        if sample.errors.is_empty() && encoding.output_encoding() == encoding {
            let (bytes, _, unmappable) = encoding.encode(&sample.text);
            let mark = if sample.has_bom() { 3 } else { 0 };
            assert_eq!(*bytes, sample.bytes[mark..], "{name}");
            assert!(!unmappable, "{name}");
        }
    }
}

/// The positions at which encoding_rs finds malformed sequences.
fn encoding_rs_errors(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> Vec<Malformed> {
    let mut decoder = encoding.new_decoder();
    let mut dst = [0; 64];
    let mut total = 0;
    iter::from_fn(|| {
        loop {
            let (result, read, _) =
                decoder.decode_to_utf8_without_replacement(&bytes[total..], &mut dst, true);
            total += read;
            match result {
                encoding_rs::DecoderResult::InputEmpty => return None,
                encoding_rs::DecoderResult::OutputFull => {}
                encoding_rs::DecoderResult::Malformed(len, after) => {
                    let end = total - usize::from(after);
                    let start = end - usize::from(len);
                    let mut item = [0; 4];
                    item[..usize::from(len)].copy_from_slice(&bytes[start..end]);
                    return Some(Malformed {
                        offset: start as u64,
                        len,
                        bytes: item,
                    });
                }
            }
        }
    })
    .collect()
}

fn pairs() -> impl Iterator<Item = (usize, usize)> {
    (CHUNKS.into_iter()).flat_map(|size| SPARE.into_iter().map(move |spare| (size, spare)))
}

fn clean() -> impl Iterator<Item = Sample> {
    samples()
        .into_iter()
        .filter(|sample| sample.errors.is_empty())
}

/// The first character boundary at or after `at`.
fn boundary(text: &str, at: usize) -> usize {
    (at..text.len())
        .find(|&i| text.is_char_boundary(i))
        .unwrap_or(text.len())
}
