//! A search index over files in many encodings, with hits that are shown in the original files:
//!
//! `cargo run --release -p simdtext-examples --features tantivy --example index_tantivy`
//!
//! The files of `samples/` are sniffed, decoded and put into an index of
//! [Tantivy](https://docs.rs/tantivy), which holds their text in UTF-8. It is searched for words in
//! six languages. A hit is a range of that text; the offset map of its file, which was made while it
//! was decoded, says which bytes of the file these are.

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use simdtext::offsets::OffsetMap;
use simdtext::sniff::{Decision, Hints, resolve};
use simdtext::{Bom, UTF_8};
use tantivy::collector::DocSetCollector;
use tantivy::query::TermQuery;
use tantivy::schema::{
    Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value,
};
use tantivy::tokenizer::NgramTokenizer;
use tantivy::{Index, TantivyDocument, Term, doc};

/// The words to search for, and whether each is in a script without spaces.
const WORDS: [(&str, bool); 6] = [
    ("river", false),
    ("brote", false),
    ("ψωμί", false),
    ("хлеб", false),
    ("市場", true),
    ("빵집", true),
];

struct Fields {
    /// The position in the list of files.
    file: Field,
    /// Words, in lower case.
    words: Field,
    /// Every pair of neighbouring characters.
    pairs: Field,
}

/// A file that was indexed. Its text is in the index; this is what is needed to find hits in the file.
struct Indexed {
    path: PathBuf,
    decision: Decision,
    map: OffsetMap,
}

fn main() -> Result<(), Box<dyn Error>> {
    let (index, fields) = new_index()?;
    let files = fill(&index, &fields)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{} files indexed", files.len())?;
    let mut hits = 0;
    for (word, is_pair) in WORDS {
        let field = if is_pair { fields.pairs } else { fields.words };
        hits += search(&index, &fields, field, word, &files, &mut out)?;
    }
    writeln!(out, "{hits} hits")?;
    Ok(())
}

fn new_index() -> tantivy::Result<(Index, Fields)> {
    let mut schema = Schema::builder();
    let text = |tokenizer: &str| {
        let indexing = TextFieldIndexing::default()
            .set_tokenizer(tokenizer)
            .set_index_option(IndexRecordOption::Basic);
        TextOptions::default().set_indexing_options(indexing)
    };
    let fields = Fields {
        file: schema.add_u64_field("file", STORED),
        words: schema.add_text_field("words", text("default").set_stored()),
        pairs: schema.add_text_field("pairs", text("pairs")),
    };
    let index = Index::create_in_ram(schema.build());
    let pairs = NgramTokenizer::new(2, 2, false)?;
    index.tokenizers().register("pairs", pairs);
    Ok((index, fields))
}

/// Decodes all samples and indexes them.
fn fill(index: &Index, fields: &Fields) -> Result<Vec<Indexed>, Box<dyn Error>> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let mut writer = index.writer_with_num_threads(1, 20_000_000)?;
    // These are reused for all files.
    let (mut decoder, mut text) = (UTF_8.decoder(Bom::Sniff), String::new());
    let mut files = Vec::new();
    for path in paths(&samples)? {
        let bytes = fs::read(&path)?;
        // A server would send the label; here it is part of the name.
        let label = path
            .file_name()
            .and_then(|name| name.to_str()?.split('.').nth(1));
        let content_type = label.map(|label| format!("text/plain; charset={label}"));
        let hints = Hints::new().transport(content_type.as_deref());
        let decision = resolve(&hints, &bytes, true);

        // The map is kept: a few hundred bytes for a file of a megabyte.
        let mut map = OffsetMap::new();
        text.clear();
        decoder.reset_to(decision.encoding, Bom::Sniff);
        map.decode_all_to_string(&mut decoder, &bytes, &mut text);

        writer.add_document(doc!(
            fields.file => files.len() as u64,
            fields.words => text.as_str(),
            fields.pairs => text.as_str(),
        ))?;
        files.push(Indexed {
            path,
            decision,
            map,
        });
    }
    writer.commit()?;
    Ok(files)
}

fn paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "txt") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Shows each place of `word` in the files that have it, and returns how many there are.
fn search(
    index: &Index,
    fields: &Fields,
    field: Field,
    word: &str,
    files: &[Indexed],
    out: &mut impl Write,
) -> Result<usize, Box<dyn Error>> {
    let searcher = index.reader()?.searcher();
    let query = TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::Basic);
    let mut found: Vec<(u64, String)> = Vec::new();
    for address in searcher.search(&query, &DocSetCollector)? {
        let document: TantivyDocument = searcher.doc(address)?;
        let file = document.get_first(fields.file).and_then(|it| it.as_u64());
        let text = document
            .get_first(fields.words)
            .and_then(|it| it.as_str().map(String::from));
        found.push((file.ok_or("no file")?, text.ok_or("no text")?));
    }
    found.sort();

    let mut analyzer = index.tokenizer_for_field(field)?;
    let mut hits = 0;
    for (file, text) in found {
        let indexed = &files[usize::try_from(file)?];
        let mut original = File::open(&indexed.path)?;
        let mut tokens = analyzer.token_stream(&text);
        while let Some(token) = tokens.next() {
            if token.text != word {
                continue;
            }
            hits += 1;
            let hit = token.offset_from as u64..token.offset_to as u64;
            let range = indexed.map.source_range_in(&mut original, hit.clone())?;
            // The bytes at that place in the file.
            let mut bytes = vec![0; usize::try_from(range.end - range.start)?];
            original.seek(SeekFrom::Start(range.start))?;
            original.read_exact(&mut bytes)?;
            let name = indexed.path.file_name().unwrap_or_default();
            writeln!(
                out,
                "{word}: {} ({}, {:?}), bytes {} to {} of the file, {} to {} of the text: {bytes:02X?}",
                name.display(),
                indexed.decision.encoding,
                indexed.decision.evidence,
                range.start,
                range.end,
                hit.start,
                hit.end,
            )?;
        }
    }
    Ok(hits)
}
