//! Pieces of texts in every encoding that has their characters.

use std::borrow::Cow;

use simdtext::{Bom, Encoding, Unmappable};

use simdtext_bench::corpus::{Corpus, Kind, LANGUAGES, boundary};

/// Bytes whose encoding is to be recognised.
pub(crate) struct Sample {
    pub(crate) bytes: Vec<u8>,
    pub(crate) encoding: &'static Encoding,
    /// `html` or `dense`.
    pub(crate) kind: &'static str,
    /// The requested size.
    pub(crate) size: usize,
}

impl Sample {
    /// The text that the bytes decode to.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        self.encoding.decode_with_bom(&self.bytes, Bom::Strip).text
    }
}

pub(crate) const SIZES: [usize; 5] = [64, 256, 1024, 4096, 64 * 1024];

/// Encodings that could represent more languages than are really written in them, with those that are.
const LARGE: [(&str, &[&str]); 8] = [
    ("gbk", &["zh"]),
    ("gb18030", &["zh", "hi"]),
    ("big5", &["zh-tw"]),
    ("euc-jp", &["ja"]),
    ("iso-2022-jp", &["ja"]),
    ("shift_jis", &["ja"]),
    ("euc-kr", &["ko"]),
    ("x-user-defined", &[]),
];

/// The number of pieces of each text for each size.
const PIECES: usize = 6;

/// Pieces of each size, from all parts of each text.
pub(crate) fn samples(corpus: &Corpus) -> Vec<Sample> {
    let mut samples = Vec::new();
    for language in &LANGUAGES {
        let code = language.code;
        let Some(prose) = corpus.legacy_text(code, Kind::Dense) else {
            continue;
        };
        for kind in [Kind::Html, Kind::Dense] {
            let Some(text) = corpus.legacy_text(code, kind) else {
                continue;
            };
            for encoding in Encoding::all() {
                if !holds(encoding, code, &prose) {
                    continue;
                }
                for size in SIZES {
                    let mut seen = 0;
                    // Pieces that are only ASCII are useless, so more are tried than taken.
                    for number in 0..4 * PIECES {
                        let number = (number * 7) % (4 * PIECES);
                        let start = text.len() * number / (4 * PIECES);
                        let bytes = encoded(encoding, &text[boundary(&text, start)..], size);
                        let plain = bytes.is_ascii() && !bytes.contains(&0x1B);
                        if seen == PIECES || plain || bytes.len() < size / 2 {
                            continue;
                        }
                        seen += 1;
                        samples.push(Sample {
                            bytes,
                            encoding,
                            kind: kind.name(),
                            size,
                        });
                    }
                }
            }
        }
    }
    samples
}

/// Whether a language can be written in an encoding: the encoding has at least 99 in 100 of the letters that
/// are not ASCII. Other characters of a page that the encoding lacks are written as character references.
fn holds(encoding: &'static Encoding, code: &str, text: &str) -> bool {
    let label = encoding.name().to_ascii_lowercase();
    if let Some((_, languages)) = LARGE.iter().find(|(large, _)| *large == label) {
        return languages.contains(&code);
    }
    if label.starts_with("utf-16") {
        return false;
    }
    let Some(mut encoder) = encoding.encoder() else {
        return false;
    };
    let is_other = |ch: &char| !ch.is_ascii() && ch.is_alphabetic();
    let others: String = text.chars().filter(is_other).collect();
    let count = others.chars().count();
    let mut bytes = vec![0; 4 * others.len() + 16];
    let progress = encoder.encode_from_utf8(&others, &mut bytes, true, Unmappable::Skip);
    100 * progress.errors <= count.max(1) && count > 0
}

/// The beginning of a text, in at most `size` bytes. Characters that the encoding lacks become character
/// references.
fn encoded(encoding: &'static Encoding, text: &str, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    let Some(mut encoder) = encoding.encoder() else {
        return Vec::new();
    };
    let text = &text[..boundary(text, 4 * size)];
    let progress = encoder.encode_from_utf8(text, &mut bytes, true, Unmappable::Ncr);
    bytes.truncate(progress.written);
    bytes
}
