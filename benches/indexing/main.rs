//! Decoding for an index: 10,000 documents of 2 to 64 KiB in mixed encodings, one after the other, on
//! one core, into one string. Half of them come with a Content-Type that says the encoding, half with
//! nothing, so that simdtext looks whether it is UTF-8, and guesses. Against encoding_rs, with chardetng
//! where nothing is said: the crates that programs use for this now. Both loops take turns.
//!
//! Then what it costs to record an offset map, in hundredths of the time that decoding takes without,
//! by encoding, html and dense.
//!
//! `cargo bench --bench indexing` takes a minute; `-- --documents` and `-- --map` measure one part, and
//! with `--save` the tables also go to `docs/performance/indexing-*.tsv`. The texts are those of the matrix
//! (`corpus.rs`).

#[path = "../matrix/corpus.rs"]
#[expect(dead_code, reason = "the matrix uses more of it")]
mod corpus;
#[path = "../../tests/offsets/documents.rs"]
mod documents;
mod map_cost;
#[path = "../matrix/messages.rs"]
mod messages;
#[path = "../tsv.rs"]
#[expect(dead_code, reason = "only the report reads")]
mod tsv;

use std::hint::black_box;
use std::time::Duration;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use clap::Parser;
use corpus::{Corpus, Kind, prose};
use cpu_time::ThreadTime;
use documents::{Document, Library};
use simdtext::detect::{Options, detect};
use simdtext::sniff::{Evidence, Hints, resolve};
use simdtext::{Bom, UTF_8};
use tsv::Tsv;

const DOCUMENTS: usize = 10_000;
const ROUNDS: usize = 3;

/// As the library does it, from head, middle and tail of what is longer than the sample.
const GUESS: Options<'static> = Options::new();

#[derive(Parser)]
struct Arguments {
    /// Only the documents
    #[arg(long)]
    documents: bool,
    /// Only the offset map
    #[arg(long)]
    map: bool,
    /// Keep the tables in docs/performance
    #[arg(long)]
    save: bool,
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), String> {
    let arguments = Arguments::parse();
    let corpus = Corpus::find()?;
    println!("texts: {corpus}");
    let keep = |name: &'static str| arguments.save.then_some(name);
    if arguments.documents || !arguments.map {
        documents_per_second(&corpus).print(keep("indexing-documents"))?;
    }
    if arguments.map || !arguments.documents {
        map_cost::measure(&corpus).print(keep("indexing-map"))?;
    }
    Ok(())
}

/// A web page or prose, in a language that `samples/` may name otherwise.
fn text(corpus: &Corpus, language: &str, kind: Kind) -> String {
    let code = match language {
        "zh-hans" => "zh",
        "zh-hant" => "zh-tw",
        code => code,
    };
    let text = corpus
        .text(code, kind)
        .or_else(|| corpus.text(code, prose(code)));
    text.map_or(String::new(), |text| (*text).to_owned())
}

/// A table of what was measured.
fn table(part: &str, heading: &[&str]) -> Tsv {
    Tsv::new(
        tsv::about(&format!("cargo bench --bench indexing -- --{part}")),
        heading,
    )
}

fn documents_per_second(corpus: &Corpus) -> Tsv {
    let library = Library::new(|language| text(corpus, language, Kind::Html));
    let documents = library.documents(DOCUMENTS);
    let (told, untold): (Vec<Document<'_>>, Vec<Document<'_>>) =
        (documents.iter()).partition(|document| document.content_type.is_some());
    let (told, untold) = (compare(&told), compare(&untold));
    let mut table = table(
        "documents",
        &[
            "documents",
            "MB",
            "simdtext, documents a second",
            "encoding_rs and chardetng",
            "times",
            "wrong: simdtext",
            "wrong: chardetng",
        ],
    );
    table.rows.push(told.and(&untold).row("all"));
    table.rows.push(told.row("with a charset"));
    table.rows.push(untold.row("without"));
    table
}

/// What a set of documents took.
struct Measured {
    documents: usize,
    bytes: usize,
    /// Our seconds and the peers', in each round.
    seconds: Vec<(f64, f64)>,
    /// Documents whose text is not that of their encoding: ours and the peers'.
    wrong: (usize, usize),
}

fn compare(documents: &[Document<'_>]) -> Measured {
    let mut ours = Ours {
        decoder: UTF_8.decoder(Bom::Sniff),
        text: String::new(),
    };
    let mut peers = Peers {
        text: String::new(),
    };
    // To warm up; and whether they are right.
    let mut wrong = (0, 0);
    for document in documents {
        let right = document.encoding.decode(document.bytes).text;
        ours.decode(document);
        peers.decode(document);
        wrong.0 += usize::from(ours.text != right);
        wrong.1 += usize::from(peers.text != right);
    }
    let round = |_| {
        let our_time = time(|| documents.iter().map(|it| ours.decode(it)).sum());
        let peer_time = time(|| documents.iter().map(|it| peers.decode(it)).sum());
        (our_time.as_secs_f64(), peer_time.as_secs_f64())
    };
    Measured {
        documents: documents.len(),
        bytes: documents.iter().map(|document| document.bytes.len()).sum(),
        seconds: (0..ROUNDS).map(round).collect(),
        wrong,
    }
}

impl Measured {
    /// Both sets, one after the other.
    fn and(&self, other: &Measured) -> Measured {
        let sum = |(one, two): (&(f64, f64), &(f64, f64))| (one.0 + two.0, one.1 + two.1);
        Measured {
            documents: self.documents + other.documents,
            bytes: self.bytes + other.bytes,
            seconds: self.seconds.iter().zip(&other.seconds).map(sum).collect(),
            wrong: (self.wrong.0 + other.wrong.0, self.wrong.1 + other.wrong.1),
        }
    }

    fn row(&self, name: &str) -> Vec<String> {
        let median_of = |value: fn(&(f64, f64)) -> f64| {
            median(&mut self.seconds.iter().map(value).collect::<Vec<_>>())
        };
        let count = self.documents as f64;
        vec![
            format!("{} {name}", self.documents),
            format!("{:.0}", self.bytes as f64 / 1e6),
            format!("{:.0}", count / median_of(|(ours, _)| *ours)),
            format!("{:.0}", count / median_of(|(_, peers)| *peers)),
            format!("{:.2}", median_of(|(ours, peers)| peers / ours)),
            self.wrong.0.to_string(),
            self.wrong.1.to_string(),
        ]
    }
}

/// The time of the thread, which stands still while another program has the processor.
fn time(work: impl FnOnce() -> usize) -> Duration {
    let begun = ThreadTime::now();
    black_box(work());
    begun.elapsed()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

struct Ours {
    decoder: simdtext::Decoder,
    text: String,
}

impl Ours {
    /// Returns the length of the text, which an index would read.
    fn decode(&mut self, document: &Document<'_>) -> usize {
        let hints = Hints::new().transport(document.content_type);
        let decision = resolve(&hints, document.bytes, true);
        let encoding = match decision.evidence {
            Evidence::Fallback => detect(document.bytes, true, &GUESS)
                .encoding
                .unwrap_or(UTF_8),
            _ => decision.encoding,
        };
        self.text.clear();
        self.decoder.reset_to(encoding, Bom::Sniff);
        self.decoder
            .decode_all_to_string(document.bytes, &mut self.text);
        black_box(&self.text).len()
    }
}

struct Peers {
    text: String,
}

impl Peers {
    fn decode(&mut self, document: &Document<'_>) -> usize {
        let bytes = document.bytes;
        let named = document.content_type.and_then(|value| {
            let (_, label) = value.split_once("charset=")?;
            encoding_rs::Encoding::for_label(label.as_bytes())
        });
        let encoding = named.unwrap_or_else(|| {
            let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
            detector.feed(bytes, true);
            detector.guess(None, Utf8Detection::Allow)
        });
        self.text.clear();
        let mut decoder = encoding.new_decoder();
        let room = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(0);
        self.text.reserve(room);
        let (result, ..) = decoder.decode_to_string(bytes, &mut self.text, true);
        assert_eq!(result, encoding_rs::CoderResult::InputEmpty);
        black_box(&self.text).len()
    }
}
