//! What it takes to decide a document's encoding by its first KiB: nanoseconds for each call.
//!
//! `cargo bench --bench sniff` takes some seconds. The documents of a kind, one for each language,
//! take turns, so that the branch predictors do not learn one of them. The best of the rounds
//! counts. Documents without a declaration are the common case of corpora, and the aim for HTML is
//! less than a microsecond; the hostile ones show that nobody can make it slow.

use std::hint::black_box;
use std::time::{Duration, Instant};

use simdtext::sniff::{Format, HEAD_LEN, Hints, resolve};

const TEXTS: [&str; 6] = [
    include_str!("../samples/utf-8/en.txt"),
    include_str!("../samples/utf-8/fr.txt"),
    include_str!("../samples/utf-8/ru.txt"),
    include_str!("../samples/utf-8/ja.txt"),
    include_str!("../samples/utf-8/ko.txt"),
    include_str!("../samples/utf-8/zh-hans.txt"),
];

const ROUNDS: usize = 200;
/// In each round.
const CALLS: usize = 2000;

/// What stands before and after the text of a language, by kind.
const KINDS: [(&str, Format, &str, &str); 9] = [
    (
        "HTML, nothing declared",
        Format::Html,
        "<!DOCTYPE html>\n<html lang=\"x\">\n<head>\n<title>",
        "</title>\n<link rel=\"stylesheet\" href=\"/style.css\">\n<script src='/s.js' async></script>\n</head>",
    ),
    (
        "HTML, other meta tags",
        Format::Html,
        "<!DOCTYPE html>\n<html lang=\"x\">\n<head>\n<title>",
        "</title>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <link rel=\"stylesheet\" href=\"/style.css\">\n<meta name=description content='x'>\n\
         <!-- x -->\n<meta property=\"og:type\" content=\"website\">\n<script src='/s.js'></script>\n\
         <a href=\"/\">x</a> <a href=\"/a\">x</a> <a href=\"/b\">x</a>\n<meta name=robots content=all>",
    ),
    (
        "HTML, declared",
        Format::Html,
        "<!DOCTYPE html>\n<html>\n<head>\n<title>",
        "</title>\n<meta http-equiv=\"Content-Type\" content=\"text/html; charset=gbk\">\n</head>",
    ),
    (
        "unknown, HTML in fact",
        Format::Unknown,
        "\n<html><head><title>",
        "</title></head>",
    ),
    ("unknown, text in fact", Format::Unknown, "", ""),
    (
        "XML, declared",
        Format::Xml,
        "<?xml version=\"1.0\" encoding=\"euc-jp\"?>\n<a>",
        "</a>",
    ),
    (
        "CSS, nothing declared",
        Format::Css,
        "p::before { content: \"",
        "\" }",
    ),
    ("hostile: <m", Format::Html, "<!--><m", "<m<mcharset"),
    (
        "hostile: attributes",
        Format::Html,
        "<meta a b='c' d ",
        "<meta charset ",
    ),
];

fn main() {
    println!("{:26} {:>8} {:>8}", "ns for each call", "UTF-8", "legacy");
    for (name, format, before, after) in KINDS {
        let documents = TEXTS.iter().map(|text| document(before, text, after));
        let documents: Vec<Vec<u8>> = documents.collect();
        // Any byte that is not ASCII becomes one that no UTF-8 has.
        let legacy = documents.iter().map(|document| {
            let bytes = document.iter();
            bytes
                .map(|byte| if byte.is_ascii() { *byte } else { byte | 0xF8 })
                .collect()
        });
        let legacy: Vec<Vec<u8>> = legacy.collect();
        let hints = Hints::new().format(format);
        println!(
            "{name:26} {:8.0} {:8.0}",
            nanoseconds(&hints, &documents),
            nanoseconds(&hints, &legacy)
        );
    }
}

/// A KiB of it.
fn document(before: &str, text: &str, after: &str) -> Vec<u8> {
    let text: String = text.chars().take(100).collect();
    let part = [before, &text, after].concat();
    let mut bytes = part.repeat(HEAD_LEN.div_ceil(part.len())).into_bytes();
    bytes.truncate(HEAD_LEN);
    bytes
}

fn nanoseconds(hints: &Hints<'_>, documents: &[Vec<u8>]) -> f64 {
    let mut best = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for document in documents.iter().cycle().take(CALLS) {
            black_box(resolve(black_box(hints), black_box(document), false));
        }
        best = best.min(start.elapsed());
    }
    best.as_secs_f64() * 1e9 / CALLS as f64
}
