//! The command line: selects the part of the matrix to measure.

use std::path::PathBuf;

use clap::Parser;

use crate::operations::{self, LEGACY, Operation, Sizes, Texts, buffers};
use simdtext_bench::corpus::{ASCII, Kind, LANGUAGES, WHOLE, WORDS, prose};

const HELP: &str = "\
Words select, and words of different sorts select together (`utf8-to-utf16 ru html`):
  an operation (utf8-validate), or a family of them (utf8 utf16 utf32 latin1 lossy counts legacy
  legacy-trouble legacy-rare buffers)
  a language (ar cs de el emoji en eo fa fr he hi ja ko lt lv pl pt ru th tr uk vi zh zh-tw), or ascii
  a kind of text (html text dense)
  an encoding of the legacy family (windows-1251)";

/// Measures simdtext against its peers, in one process, in turns.
#[derive(Debug, Parser)]
#[command(after_help = HELP)]
pub(crate) struct Selection {
    words: Vec<String>,
    /// Sizes of the text: 16, 4K, 1M, words, whole; by default 64K for every text, and from 8 to 64M and words
    /// for some; for legacy, whole texts, pieces from 16 to 256, and words; for buffers, sizes of the output
    #[arg(long, value_parser = size, value_delimiter = ',')]
    size: Vec<usize>,
    /// The largest of the default sizes to measure
    #[arg(long, value_parser = size, default_value = "1024M")]
    up_to: usize,
    /// Only 64K; for legacy, only whole texts
    #[arg(long)]
    usual: bool,
    /// Milliseconds for comparing two functions
    #[arg(long, default_value_t = 50)]
    pub(crate) cell: u64,
    /// Also write all numbers to a file
    #[arg(long)]
    pub(crate) tsv: Option<PathBuf>,
    /// Measure everything, or the named families, with every instruction set; save the rows in
    /// docs/performance, and draw the report. 64M is measured only with the best set, legacy only with that,
    /// AVX2 and scalar, and with SSE4 and scalar only the usual sizes
    #[arg(long)]
    pub(crate) report: bool,
    /// With --report: the number of runs, whose medians are saved
    #[arg(long, default_value_t = 1)]
    pub(crate) runs: u32,
    /// Draw the report from the rows in docs/performance
    #[arg(long)]
    pub(crate) render: bool,
    #[arg(long, hide = true)]
    bench: bool,
}

/// The size that every default run includes, in bytes of text.
pub(crate) const USUAL: usize = 64 * 1024;
/// The sizes at which some texts are measured by default.
const MANY: [usize; 9] = [16, 24, 64, 100, 256, 500, 4096, USUAL, 1 << 20];
/// Sizes of short texts.
const SHORT: [usize; 9] = [8, 16, 24, 32, 48, 64, 100, 128, WORDS];
/// The largest size.
const LARGEST: usize = 1 << 30;
/// The sizes of pieces for the legacy encodings.
const PIECES: [usize; 7] = [16, 24, 48, 64, 100, 256, WORDS];
pub(crate) const HUGE: usize = 64 << 20;
/// The languages whose scripts have targets.
const SCRIPTS: [&str; 9] = ["ar", "he", "hi", "ja", "ko", "ru", "th", "zh", "emoji"];
/// The languages whose characters are in Latin-1, with few exceptions.
pub(crate) const LATIN: [&str; 5] = [ASCII, "de", "en", "fr", "pt"];
/// The languages that are measured with many sizes, in one kind of text.
const SWEPT: [&str; 6] = [ASCII, "en", "fr", "ru", "zh", "emoji"];

impl Selection {
    /// Reads the command line; the error says what is wrong with it.
    pub(crate) fn from_command_line() -> Result<Self, String> {
        let selection = Selection::parse();
        let sorts = [operations_and_families(), languages(), kinds(), encodings()].concat();
        let known = |word: &String| sorts.iter().any(|name| name.eq_ignore_ascii_case(word));
        match selection.words.iter().find(|word| !known(word)) {
            Some(word) => Err(format!(
                "{word}: no operation, language, kind of text or encoding; try --help"
            )),
            None => Ok(selection),
        }
    }

    /// Whether one of these names is selected, or no name of that sort.
    fn wants(&self, names: &[&str], sort: &[&str]) -> bool {
        let is = |word: &&String, names: &[&str]| {
            names.iter().any(|name| name.eq_ignore_ascii_case(word))
        };
        let mut asked = self.words.iter().filter(|word| is(word, sort)).peekable();
        asked.peek().is_none() || asked.any(|word| is(&word, names))
    }

    fn wants_encoding(&self, encoding: Option<&str>) -> bool {
        self.wants(encoding.as_slice(), &encodings())
    }

    pub(crate) fn operations(&self) -> impl Iterator<Item = &'static Operation> {
        operations::all().filter(|it| {
            self.wants(&[it.name, it.family], &operations_and_families())
                && (it.texts.are_legacy() || self.wants_encoding(None))
        })
    }

    /// The selected families, if nothing else is selected.
    pub(crate) fn families(&self) -> Result<Vec<&'static str>, String> {
        let known = operations::families();
        let words = &mut self.words.iter();
        let parts = words.any(|word| !known.contains(&word.as_str()));
        if parts || !self.size.is_empty() || self.usual || self.up_to < LARGEST {
            return Err("--report measures whole families".to_owned());
        }
        let wanted = known
            .into_iter()
            .filter(|family| self.wants(&[family], &operations::families()));
        Ok(wanted.collect())
    }

    /// The comparisons of an operation.
    pub(crate) fn subjects(&self, operation: &Operation) -> Vec<Subject> {
        let mut subjects = Vec::new();
        for (encoding, language, kind) in operation.texts.list() {
            if !self.wants_encoding(encoding)
                || !self.wants(&[language], &languages())
                || !self.wants(&[kind.name()], &kinds())
            {
                continue;
            }
            let sizes = if !self.size.is_empty() {
                self.size.clone()
            } else if self.usual {
                vec![operation.usual()]
            } else {
                default_sizes(operation, language, kind)
            };
            let sizes = sizes
                .into_iter()
                .filter(|size| *size <= self.up_to || *size >= WORDS);
            subjects.extend(sizes.map(|size| Subject {
                encoding,
                language,
                kind,
                size,
            }));
        }
        subjects
    }
}

/// The texts that an operation is measured with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Subject {
    pub(crate) encoding: Option<&'static str>,
    pub(crate) language: &'static str,
    pub(crate) kind: Kind,
    pub(crate) size: usize,
}

fn default_sizes(operation: &Operation, language: &str, kind: Kind) -> Vec<usize> {
    if operation.texts == Texts::Buffers {
        return buffers::SIZES.into();
    }
    let mut sizes = vec![operation.usual()];
    let many = operation.sizes >= Sizes::Many;
    let all = operation.sizes == Sizes::All;
    if operation.texts.are_legacy() {
        sizes.extend(PIECES.iter().filter(|_| many));
    } else if kind == prose(language) {
        let script = SCRIPTS.contains(&language);
        let short = match operation.texts {
            Texts::Latin1 => true,
            _ => language == ASCII || script,
        };
        let large = [ASCII, "ru", "zh"].contains(&language);
        sizes.extend(MANY.iter().filter(|_| many && SWEPT.contains(&language)));
        sizes.extend(SHORT.iter().filter(|_| many && short));
        sizes.extend([4096, 1 << 20].iter().filter(|_| all && script));
        sizes.extend([HUGE].iter().filter(|_| all && large));
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

fn operations_and_families() -> Vec<&'static str> {
    let names = operations::all().flat_map(|it| [it.name, it.family]);
    names.collect()
}

fn languages() -> Vec<&'static str> {
    let codes = LANGUAGES.iter().map(|language| language.code);
    codes.chain([ASCII]).collect()
}

fn kinds() -> Vec<&'static str> {
    Kind::ALL.map(Kind::name).into()
}

fn encodings() -> Vec<&'static str> {
    LEGACY.map(|(encoding, _)| encoding).into()
}

/// Parses a size: `4096`, `4K`, `1M`, `words`, `whole`.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    match text {
        "whole" => return Ok(WHOLE),
        "words" => return Ok(WORDS),
        _ => {}
    }
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        _ => (text, 0),
    };
    let number: usize = digits.parse().map_err(|_| format!("--size {text}?"))?;
    number
        .checked_shl(shift)
        .filter(|size| (1..=LARGEST).contains(size))
        .ok_or_else(|| format!("--size {text}: from 1 to 1024M"))
}

/// Formats a size as `4 KiB`.
pub(crate) fn shown(size: usize) -> String {
    match size {
        WHOLE => "whole".to_owned(),
        WORDS => "words".to_owned(),
        size if size >= 1 << 20 && size.is_multiple_of(1 << 20) => format!("{} MiB", size >> 20),
        size if size >= 1 << 10 && size.is_multiple_of(1 << 10) => format!("{} KiB", size >> 10),
        size => format!("{size} B"),
    }
}
