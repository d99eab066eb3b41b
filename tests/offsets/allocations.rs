//! What an indexing thread allocates for each document once it has seen a few: nothing. An allocator counts
//! it.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use allocation_counter::measure;
use simdtext::io::DecodeReader;
use simdtext::offsets::OffsetMap;
use simdtext::sniff::{Hints, resolve};
use simdtext::{Bom, Encoding, UTF_8, WINDOWS_1252};

use crate::documents::{Document, Library};

fn library() -> Library {
    Library::new(|language| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/utf-8");
        fs::read_to_string(path.join(format!("{language}.txt"))).expect(language)
    })
}

fn hints<'a>(document: &Document<'a>) -> Hints<'a> {
    Hints::new()
        .transport(document.content_type)
        .fallback(WINDOWS_1252)
}

/// Passes each of 10,000 documents to `index`, and counts what it allocates after the first ones. The longest
/// documents come first: buffers grow to what they need, and tables are built once per process.
fn check(mut index: impl FnMut(&Document<'_>) -> usize) {
    let library = library();
    let mut documents = library.documents(10_000);
    assert!(
        documents
            .iter()
            .all(|it| (1000..=65536).contains(&it.bytes.len()))
    );
    documents.sort_by_key(|document| document.bytes.len());
    let warm_up = documents.split_off(9500);
    // The table of an encoding may be built at any document until there was enough text in that encoding.
    for document in warm_up.iter().chain(&warm_up) {
        index(document);
    }
    let mut total = 0;
    for (i, document) in documents.iter().chain(&warm_up).enumerate() {
        let counted = measure(|| total += index(document));
        assert_eq!(
            counted.count_total,
            0,
            "document {i}, {}, {} bytes",
            document.encoding,
            document.bytes.len()
        );
    }
    let bytes: usize = documents.iter().map(|document| document.bytes.len()).sum();
    assert!(total > bytes, "all of it was decoded");
}

#[test]
fn a_decoder_and_a_string_serve_all_documents() {
    let (mut decoder, mut text) = (UTF_8.decoder(Bom::Sniff), String::new());
    check(|document| {
        text.clear();
        let decision = resolve(&hints(document), document.bytes, true);
        decoder.reset_to(decision.encoding, Bom::Sniff);
        decoder.decode_all_to_string(document.bytes, &mut text);
        text.len()
    });
}

#[test]
fn so_does_an_offset_map() {
    let (mut decoder, mut text) = (UTF_8.decoder(Bom::Sniff), String::new());
    let mut map = OffsetMap::with_spacing(4096);
    check(|document| {
        text.clear();
        decoder.reset_to(document.encoding, Bom::Sniff);
        map.clear();
        map.decode_all_to_string(&mut decoder, document.bytes, &mut text);
        let (half, end) = (text.len() as u64 / 2, text.len() as u64);
        let range = map.source_range(document.bytes, half..end);
        assert!(range.is_some_and(|range| range.end <= document.bytes.len() as u64));
        text.len()
    });
}

/// Where places are as close as can be, and pieces of any length.
#[test]
fn what_was_reserved_is_enough() {
    let bytes = b"\x1B$BF|K\x1B(B\x84\x31\x95\x33\xE3\x81\x82\xF0\x9F\x92\xA9\xC4\xE3".repeat(500);
    let mut text = [0; 1 << 16];
    for encoding in Encoding::all() {
        for piece in [1, 2, 3, 15, 16, 17, 100, bytes.len()] {
            let (mut map, mut decoder) = (OffsetMap::with_spacing(16), encoding.decoder(Bom::Keep));
            // Tables of the encoding.
            let _ = decoder.decode_to_utf8(&bytes, &mut text, true);
            for piece in bytes.chunks(piece) {
                map.try_reserve(&decoder, piece.len()).unwrap();
                let counted = measure(|| {
                    let done = map.decode_to_utf8(&mut decoder, piece, &mut text, false);
                    assert_eq!(done.read, piece.len());
                });
                assert_eq!(counted.count_total, 0, "{encoding} {}", piece.len());
            }
            assert!(map.allocated() > bytes.len() / 2, "{encoding}");
        }
    }
}

/// With a reader to which `reset` gives each document.
fn check_reader<F>(mut reset: F)
where
    F: for<'a> FnMut(&mut DecodeReader<&'a [u8]>, &Document<'a>) -> io::Result<()>,
{
    let library = library();
    let documents = library.documents(10_000);
    let (mut reader, mut text) = (DecodeReader::new(&b""[..], UTF_8), String::new());
    for warm_up in [true, false] {
        for document in &documents {
            let counted = measure(|| {
                text.clear();
                let reset = reset(&mut reader, document);
                let read = reset.and_then(|()| reader.read_to_string(&mut text));
                assert!(read.is_ok_and(|read| read == text.len() && read > 0));
            });
            assert!(
                warm_up || counted.count_total == 0,
                "{}, {} bytes: {counted:?}",
                document.encoding,
                document.bytes.len()
            );
        }
    }
}

#[test]
fn so_does_a_reader() {
    check_reader(|reader, document| reader.reset_sniffing(document.bytes, &hints(document)));
    check_reader(|reader, document| {
        reader.reset(document.bytes, document.encoding);
        Ok(())
    });
}

/// With guesses for documents that declare nothing, which are most of those without a charset.
#[cfg(feature = "detect")]
mod detecting {
    use simdtext::detect::{Options, detect};
    use simdtext::sniff::Evidence;

    use super::*;

    #[test]
    fn a_decoder_and_a_string_serve_all_documents() {
        let (mut decoder, mut text) = (UTF_8.decoder(Bom::Sniff), String::new());
        let mut guesses = 0;
        check(|document| {
            text.clear();
            let mut encoding = resolve(&hints(document), document.bytes, true).encoding;
            if document.content_type.is_none() {
                let guess = detect(document.bytes, true, &Options::default());
                encoding = guess.encoding.unwrap_or(encoding);
                guesses += 1;
            }
            decoder.reset_to(encoding, Bom::Sniff);
            decoder.decode_all_to_string(document.bytes, &mut text);
            text.len()
        });
        assert!(guesses > 5000);
    }

    #[test]
    fn so_does_a_reader() {
        let (mut guesses, mut right) = (0, 0);
        check_reader(|reader, document| {
            reader.reset_detecting(document.bytes, &hints(document), &Options::default())?;
            if reader.decision().map(|it| it.evidence) == Some(Evidence::Detected) {
                guesses += 1;
                right += usize::from(reader.encoding() == document.encoding);
            }
            Ok(())
        });
        assert!(guesses > 5000, "{guesses}");
        assert!(right * 10 > guesses * 8, "{right} of {guesses}");
    }
}
