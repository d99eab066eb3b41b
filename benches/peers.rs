//! Every encoding, both directions, against encoding_rs, in one process.
//!
//! `cargo bench --bench peers [-- FILTER]` prints a row for each encoding and text: our speed in
//! GB/s of input, and our speed as a multiple of encoding_rs's (above 1: we are faster). The two
//! take turns, in rounds of about a millisecond; the ratio is the median over the pairs of rounds.
//! FILTER keeps the rows that contain it.
//!
//! The texts are those of a folder named by `SIMDTEXT_CORPUS`, laid out as
//! `wikipedia_mars/LANGUAGE.html` and `….utf8.txt`; `../shared/corpus` serves where it is there.
//! Without either, the files of `samples/utf-8` do, repeated: good enough to see that the benchmark
//! runs, too small and too regular for numbers to quote.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use simdtext::{Bom, Encoding, Unmappable};

/// How long one turn of one peer should take.
const ROUND: Duration = Duration::from_millis(1);
/// Pairs of turns a cell.
const PAIRS: usize = 25;

/// The language that each encoding is measured with: the files' names, and those of the samples.
const LANGUAGES: [(&str, &str, &str); 39] = [
    ("UTF-8", "russian", "ru"),
    ("UTF-8", "english", "en"),
    ("UTF-8", "japanese", "ja"),
    ("UTF-16LE", "russian", "ru"),
    ("UTF-16LE", "english", "en"),
    ("UTF-16BE", "japanese", "ja"),
    ("IBM866", "russian", "ru"),
    ("ISO-8859-2", "czech", "cs"),
    ("ISO-8859-3", "esperanto", "en"),
    ("ISO-8859-4", "german", "de"),
    ("ISO-8859-5", "russian", "ru"),
    ("ISO-8859-6", "arabic", "ar"),
    ("ISO-8859-7", "greek", "el"),
    ("ISO-8859-8", "hebrew", "he"),
    ("ISO-8859-10", "german", "de"),
    ("ISO-8859-13", "german", "de"),
    ("ISO-8859-14", "french", "fr"),
    ("ISO-8859-15", "french", "fr"),
    ("ISO-8859-16", "french", "fr"),
    ("KOI8-R", "russian", "ru"),
    ("KOI8-U", "russian", "uk"),
    ("macintosh", "french", "fr"),
    ("windows-874", "thai", "th"),
    ("windows-1250", "czech", "cs"),
    ("windows-1251", "russian", "ru"),
    ("windows-1252", "german", "de"),
    ("windows-1252", "english", "en"),
    ("windows-1253", "greek", "el"),
    ("windows-1254", "turkish", "tr"),
    ("windows-1255", "hebrew", "he"),
    ("windows-1256", "arabic", "ar"),
    ("windows-1257", "german", "de"),
    ("windows-1258", "vietnamese", "vi"),
    ("x-mac-cyrillic", "russian", "ru"),
    ("GBK", "chinese", "zh-hans"),
    ("gb18030", "chinese", "zh-hans"),
    ("Big5", "chinese", "zh-hant"),
    ("EUC-KR", "korean", "ko"),
    ("x-user-defined", "russian", "ru"),
];
/// Encodings of Japanese.
const JAPANESE: [&str; 3] = ["Shift_JIS", "EUC-JP", "ISO-2022-JP"];

fn main() {
    let filter = std::env::args().skip(1).find(|arg| !arg.starts_with('-'));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = std::env::var_os("SIMDTEXT_CORPUS")
        .map(PathBuf::from)
        .or_else(|| Some(root.join("../shared/corpus")).filter(|folder| folder.is_dir()));
    println!("kernels: {}", simdtext::active_isa());
    if corpus.is_none() {
        println!("no corpus: measuring on samples/, which are too small to quote");
    }
    println!("GB/s of input, and × encoding_rs\n");
    println!("| encoding | text | → UTF-8 | → UTF-16 | UTF-8 → | UTF-16 → |");
    println!("|---|---|---|---|---|---|");
    let japanese = JAPANESE.map(|name| (name, "japanese", "ja"));
    let mut worst: Option<(f64, String)> = None;
    for (name, language, sample) in LANGUAGES.into_iter().chain(japanese) {
        for kind in ["html", "txt"] {
            let title = format!("{name} {language} {kind}");
            if filter
                .as_ref()
                .is_some_and(|filter| !title.contains(filter.as_str()))
            {
                continue;
            }
            let text = match &corpus {
                Some(corpus) => {
                    let file = match kind {
                        "html" => format!("wikipedia_mars/{language}.html"),
                        _ => format!("wikipedia_mars/{language}.utf8.txt"),
                    };
                    read(&corpus.join(file))
                }
                None => read(&root.join(format!("samples/utf-8/{sample}.txt"))).repeat(200),
            };
            let encoding = Encoding::for_label(name.as_bytes()).expect("a label");
            let peer = encoding_rs::Encoding::for_label(name.as_bytes()).expect("a label");
            let cells = [
                decode_to_utf8(encoding, peer, &text),
                decode_to_utf16(encoding, peer, &text),
                encode_from_utf8(encoding, peer, &text),
                encode_from_utf16(encoding, peer, &text),
            ];
            let shown = cells.map(|cell| {
                cell.map_or("–".to_owned(), |Cell { speed, ratio, .. }| {
                    format!("{speed:.2} ({ratio:.2} ×)")
                })
            });
            println!("| {name} | {language} {kind} | {} |", shown.join(" | "));
            for (cell, direction) in
                cells
                    .iter()
                    .zip(["→ UTF-8", "→ UTF-16", "UTF-8 →", "UTF-16 →"])
            {
                if let Some(cell) = cell
                    && worst.as_ref().is_none_or(|(ratio, _)| cell.ratio < *ratio)
                {
                    worst = Some((cell.ratio, format!("{title}, {direction}")));
                }
            }
        }
    }
    if let Some((ratio, title)) = worst {
        println!("\nlowest ratio: {ratio:.2} ({title})");
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// One cell of the table.
#[derive(Clone, Copy)]
struct Cell {
    /// Ours, in GB/s of input.
    speed: f64,
    /// Ours over the peer's.
    ratio: f64,
    /// Units of output.
    written: usize,
}

/// The text in this encoding: characters that it lacks become numeric character references, so that
/// what is measured is well-formed.
fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    let encoded = encoding.encode(text, Unmappable::Ncr).expect("an encoder");
    encoded.bytes.into_owned()
}

/// The text without what the encoding lacks.
fn mappable(encoding: &'static Encoding, text: &str) -> String {
    let bytes = encoded(encoding, text);
    encoding.decode_with(&bytes, Bom::Keep).text.into_owned()
}

fn decode_to_utf8(
    encoding: &'static Encoding,
    peer: &'static encoding_rs::Encoding,
    text: &str,
) -> Option<Cell> {
    let src = encoded(encoding, text);
    let mut dst = vec![0; 3 * src.len() + 16];
    let mut dst_peer = dst.clone();
    let cell = duel(
        src.len(),
        || {
            encoding
                .decoder(Bom::Keep)
                .decode_to_utf8(&src, &mut dst, true)
                .written
        },
        || {
            let mut decoder = peer.new_decoder_without_bom_handling();
            decoder.decode_to_utf8(&src, &mut dst_peer, true).2
        },
    );
    assert!(
        dst[..cell.written] == dst_peer[..cell.written],
        "{encoding}: the outputs differ"
    );
    Some(cell)
}

fn decode_to_utf16(
    encoding: &'static Encoding,
    peer: &'static encoding_rs::Encoding,
    text: &str,
) -> Option<Cell> {
    let src = encoded(encoding, text);
    let mut dst = vec![0; src.len() + 16];
    let mut dst_peer = dst.clone();
    let cell = duel(
        src.len(),
        || {
            encoding
                .decoder(Bom::Keep)
                .decode_to_utf16(&src, &mut dst, true)
                .written
        },
        || {
            let mut decoder = peer.new_decoder_without_bom_handling();
            decoder.decode_to_utf16(&src, &mut dst_peer, true).2
        },
    );
    assert!(
        dst[..cell.written] == dst_peer[..cell.written],
        "{encoding}: the outputs differ"
    );
    Some(cell)
}

fn encode_from_utf8(
    encoding: &'static Encoding,
    peer: &'static encoding_rs::Encoding,
    text: &str,
) -> Option<Cell> {
    // encoding_rs encodes no UTF-16.
    if peer.output_encoding() != peer {
        return None;
    }
    let text = mappable(encoding, text);
    let mut dst = vec![0; 4 * text.len() + 16];
    let mut dst_peer = dst.clone();
    let cell = duel(
        text.len(),
        || {
            let mut encoder = encoding.encoder().expect("an encoder");
            encoder
                .encode_from_utf8(&text, &mut dst, true, Unmappable::Ncr)
                .written
        },
        || {
            peer.new_encoder()
                .encode_from_utf8(&text, &mut dst_peer, true)
                .2
        },
    );
    assert!(
        dst[..cell.written] == dst_peer[..cell.written],
        "{encoding}: the outputs differ"
    );
    Some(cell)
}

fn encode_from_utf16(
    encoding: &'static Encoding,
    peer: &'static encoding_rs::Encoding,
    text: &str,
) -> Option<Cell> {
    if peer.output_encoding() != peer {
        return None;
    }
    let text: Vec<u16> = mappable(encoding, text).encode_utf16().collect();
    let mut dst = vec![0; 8 * text.len() + 16];
    let mut dst_peer = dst.clone();
    let cell = duel(
        2 * text.len(),
        || {
            let mut encoder = encoding.encoder().expect("an encoder");
            encoder
                .encode_from_utf16(&text, &mut dst, true, Unmappable::Ncr)
                .written
        },
        || {
            peer.new_encoder()
                .encode_from_utf16(&text, &mut dst_peer, true)
                .2
        },
    );
    assert!(
        dst[..cell.written] == dst_peer[..cell.written],
        "{encoding}: the outputs differ"
    );
    Some(cell)
}

/// Lets two functions that convert `bytes` of input take turns. Each returns what it wrote.
fn duel(bytes: usize, mut ours: impl FnMut() -> usize, mut theirs: impl FnMut() -> usize) -> Cell {
    let time = |run: &mut dyn FnMut() -> usize, times: u32| {
        let start = Instant::now();
        for _ in 0..times {
            black_box(run());
        }
        start.elapsed()
    };
    let written = ours();
    assert_eq!(written, theirs(), "both must write as much");
    let times = |run: &mut dyn FnMut() -> usize| {
        let once = time(run, 1).max(Duration::from_nanos(20));
        u32::try_from(ROUND.as_nanos() / once.as_nanos())
            .unwrap_or(u32::MAX)
            .max(1)
    };
    let (times_ours, times_theirs) = (times(&mut ours), times(&mut theirs));
    let mut seconds = Vec::new();
    let mut ratios = Vec::new();
    for _ in 0..PAIRS {
        let ours = time(&mut ours, times_ours).as_secs_f64() / f64::from(times_ours);
        let theirs = time(&mut theirs, times_theirs).as_secs_f64() / f64::from(times_theirs);
        seconds.push(ours);
        ratios.push(theirs / ours);
    }
    Cell {
        speed: bytes as f64 / median(seconds) / 1e9,
        ratio: median(ratios),
        written,
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
