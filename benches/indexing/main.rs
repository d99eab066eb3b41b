//! Decoding for a search index: 10,000 documents of 2 to 64 KiB in mixed encodings, one after another, on one
//! core, into one string. Half of them have a Content-Type that states the encoding. The other half have
//! none, so simdtext checks whether they are UTF-8, and otherwise guesses. The peer is encoding_rs, with
//! chardetng for documents without a Content-Type, as programs use them today. Both loops take turns.
//!
//! The second part is the cost of recording an offset map, as a percentage of the time that decoding takes
//! without it, by encoding, for html and dense texts.
//!
//! `cargo bench --bench indexing` takes a minute; `-- --documents` and `-- --map` measure one part, and with
//! `--save` the tables are also written to `docs/performance/indexing-*.tsv`. The texts are those of the
//! matrix (`corpus.rs`).

#[path = "../../tests/offsets/documents.rs"]
mod documents;
mod map_cost;

use std::hint::black_box;
use std::time::Duration;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use clap::Parser;
use cpu_time::ThreadTime;
use documents::{Document, Library};
use simdtext::detect::{Options, detect};
use simdtext::sniff::{Evidence, Hints, resolve};
use simdtext::{Bom, UTF_8};
use simdtext_bench::corpus::{Corpus, Kind, prose};
use simdtext_bench::median;
use simdtext_bench::tsv::{self, Tsv};

const DOCUMENTS: usize = 10_000;
const ROUNDS: usize = 3;

/// Uses the head, the middle and the tail of texts that are longer than the sample, as the library does by
/// default.
const GUESS: Options<'static> = Options::new();

#[derive(Parser)]
struct Arguments {
    /// Only the documents
    #[arg(long)]
    documents: bool,
    /// Only the offset map
    #[arg(long)]
    map: bool,
    /// Write the tables to docs/performance
    #[arg(long)]
    save: bool,
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> Result<(), String> {
    let arguments = Arguments::parse();
    let corpus = Corpus::find()?;
    println!("texts: {corpus}");
    if arguments.documents || !arguments.map {
        documents_per_second(&corpus).print("indexing-documents", arguments.save)?;
    }
    if arguments.map || !arguments.documents {
        map_cost::measure(&corpus).print("indexing-map", arguments.save)?;
    }
    Ok(())
}

/// A web page or prose in a language, which may have another name in `samples/`.
fn text(corpus: &Corpus, language: &str, kind: Kind) -> String {
    let code = match language {
        "zh-hans" => "zh",
        "zh-hant" => "zh-tw",
        code => code,
    };
    let text = corpus.text(code, kind);
    let text = text.or_else(|| corpus.text(code, prose(code)));
    text.map_or(String::new(), |text| (*text).to_owned())
}

/// A table of results.
fn table(part: &str, heading: &str) -> Tsv {
    let command = format!("cargo bench --bench indexing -- --{part}");
    Tsv::new(tsv::about(&command), heading)
}

fn documents_per_second(corpus: &Corpus) -> Tsv {
    let library = Library::new(|language| text(corpus, language, Kind::Html));
    let documents = library.documents(DOCUMENTS);
    let heading = "documents\tMB\tsimdtext, documents a second\tencoding_rs and chardetng\ttimes\t\
                   wrong: simdtext\twrong: chardetng";
    let mut table = table("documents", heading);
    let (told, untold): (Vec<Document<'_>>, Vec<Document<'_>>) =
        (documents.iter()).partition(|document| document.content_type.is_some());
    for (name, documents) in [
        ("all", &documents),
        ("with a charset", &told),
        ("without", &untold),
    ] {
        table.rows.push(row(name, documents));
    }
    table
}

/// The time for a set of documents, and the number of wrong texts.
fn row(name: &str, documents: &[Document<'_>]) -> Vec<String> {
    let (mut ours, mut peers) = (Ours::default(), String::new());
    // The first round warms up, and shows which texts are right.
    let mut wrong = (0, 0);
    for document in documents {
        let right = document.encoding.decode(document.bytes).text;
        ours.decode(document);
        peers_decode(document, &mut peers);
        wrong.0 += usize::from(ours.text != right);
        wrong.1 += usize::from(peers != right);
    }
    // The seconds of simdtext and of the peers, in each round.
    let round = |_| {
        let our_time = time(|| documents.iter().map(|it| ours.decode(it)).sum());
        let peer_time = time(|| {
            documents
                .iter()
                .map(|it| peers_decode(it, &mut peers))
                .sum()
        });
        (our_time.as_secs_f64(), peer_time.as_secs_f64())
    };
    let seconds: Vec<(f64, f64)> = (0..ROUNDS).map(round).collect();
    let median_of = |value: fn(&(f64, f64)) -> f64| median(seconds.iter().map(value));
    let (count, bytes) = (documents.len(), documents.iter().map(|it| it.bytes.len()));
    vec![
        format!("{count} {name}"),
        format!("{:.0}", bytes.sum::<usize>() as f64 / 1e6),
        format!("{:.0}", count as f64 / median_of(|(ours, _)| *ours)),
        format!("{:.0}", count as f64 / median_of(|(_, peers)| *peers)),
        format!("{:.2}", median_of(|(ours, peers)| peers / ours)),
        wrong.0.to_string(),
        wrong.1.to_string(),
    ]
}

/// The time of the thread, which does not advance while another program has the processor.
fn time(work: impl FnOnce() -> usize) -> Duration {
    let begun = ThreadTime::now();
    black_box(work());
    begun.elapsed()
}

#[derive(Default)]
struct Ours {
    decoder: Option<simdtext::Decoder>,
    text: String,
}

impl Ours {
    /// Returns the length of the text instead of indexing it.
    fn decode(&mut self, document: &Document<'_>) -> usize {
        let hints = Hints::new().transport(document.content_type);
        let decision = resolve(&hints, document.bytes, true);
        let guess = || detect(document.bytes, true, &GUESS).encoding;
        let encoding = match decision.evidence {
            Evidence::Fallback => guess().unwrap_or(UTF_8),
            _ => decision.encoding,
        };
        self.text.clear();
        let new = || encoding.decoder(Bom::Sniff);
        let decoder = self.decoder.get_or_insert_with(new);
        decoder.reset_to(encoding, Bom::Sniff);
        decoder.decode_all_to_string(document.bytes, &mut self.text);
        black_box(&self.text).len()
    }
}

/// Returns the length of the text.
fn peers_decode(document: &Document<'_>, text: &mut String) -> usize {
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
    text.clear();
    let mut decoder = encoding.new_decoder();
    let room = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(0);
    text.reserve(room);
    let (result, ..) = decoder.decode_to_string(bytes, text, true);
    assert_eq!(result, encoding_rs::CoderResult::InputEmpty);
    black_box(&*text).len()
}
