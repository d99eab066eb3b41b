//! The command line: which part of the matrix is measured.

use std::path::PathBuf;
use std::time::Duration;

use crate::corpus::{ASCII, Kind, LANGUAGES, WHOLE, prose};
use crate::operations::buffers::{self, BUFFERS};
use crate::operations::{self, LEGACY, MIXED, Operation, RARE, Sizes, Texts};
use crate::timing::Effort;

pub(crate) const HELP: &str = "\
Measures simdtext against its peers, in one process, in turns.

cargo bench --bench matrix -- [WORD...] [OPTION...]

Whole texts in legacy encodings are also measured against ICU and iconv with
cargo bench --features simdtext-bench/c-peers --bench matrix -- [WORD...] [OPTION...]
where the system has ICU's library (Debian's package libicu72, say, which libicu-dev brings).

Words select, and words of different sorts select together (`utf8-to-utf16 ru html`):
  an operation (utf8-validate), or a family of them (utf8 utf16 utf32 latin1 lossy counts legacy
  legacy-trouble legacy-mixed legacy-rare buffers)
  a language (ar cs de el emoji en eo fa fr he hi ja ko lt lv pl pt ru th tr uk vi zh zh-tw), or ascii
  a kind of text (html text dense mixed)
  an encoding of the legacy family (windows-1251)

  --size N,N    bytes of text: 16, 4K, 1M, whole; without it, 64K for every text, and from 8 to
                64M for some; for legacy, whole texts, and pieces of 16, 64 and 256;
                for buffers, those of the output
  --up-to N     of the sizes without --size, those that are not greater
  --usual       only 64K; for legacy, only whole texts
  --without F   leave out a family
  --turn MS     how long a turn of one function lasts (1)
  --cell MS     how long two functions are compared (50)
  --tsv FILE    also write all numbers to a file
  --list        show the operations, how many rows each has, and what it is for
  --report      measure everything, or the families that are named, with every instruction set; keep
                the rows in docs/performance, and draw the report. 64M only with the best set,
                legacy only with that, AVX2 and scalar, and with SSE4 and scalar no sizes but the
                usual ones, and 20 ms
  --runs N      with --report: how often (1); medians of the runs are kept
  --render      draw the report from the rows in docs/performance
";

/// What the command line wants.
#[derive(Debug)]
pub(crate) struct Selection {
    operations: Vec<&'static str>,
    languages: Vec<&'static str>,
    kinds: Vec<Kind>,
    encodings: Vec<&'static str>,
    sizes: Vec<usize>,
    usual: bool,
    up_to: usize,
    without: Vec<&'static str>,
    pub(crate) effort: Effort,
    pub(crate) tsv: Option<PathBuf>,
    pub(crate) task: Task,
    pub(crate) runs: u32,
    /// Words and options as they came, for another process.
    pub(crate) arguments: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    Measure,
    List,
    Help,
    Report,
    Render,
}

/// Bytes of text of every default run.
pub(crate) const USUAL: usize = 64 * 1024;
/// Sizes that some texts are measured with by default.
const MANY: [usize; 6] = [16, 64, 256, 4096, USUAL, 1 << 20];
/// Sizes of short texts.
const SHORT: [usize; 5] = [8, 16, 32, 64, 128];
/// Sizes of pieces in the legacy encodings.
const PIECES: [usize; 3] = [16, 64, 256];
pub(crate) const HUGE: usize = 64 << 20;
/// The languages whose scripts the targets are about.
pub(crate) const SCRIPTS: [&str; 9] = ["ar", "he", "hi", "ja", "ko", "ru", "th", "zh", "emoji"];
/// The languages whose characters Latin-1 has, all but a few.
const LATIN: [&str; 5] = [ASCII, "de", "en", "fr", "pt"];
/// The languages that are measured with many sizes, in one kind of text.
const SWEPT: [&str; 6] = [ASCII, "en", "fr", "ru", "zh", "emoji"];

impl Selection {
    pub(crate) fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut selection = Selection {
            operations: Vec::new(),
            languages: Vec::new(),
            kinds: Vec::new(),
            encodings: Vec::new(),
            sizes: Vec::new(),
            usual: false,
            up_to: usize::MAX,
            without: Vec::new(),
            effort: Effort {
                turn: Duration::from_millis(1),
                cell: Duration::from_millis(50),
            },
            tsv: None,
            task: Task::Measure,
            runs: 1,
            arguments: Vec::new(),
        };
        let mut arguments = arguments.filter(|argument| argument != "--bench");
        while let Some(argument) = arguments.next() {
            let mut passed_on = vec![argument.clone()];
            let mut value = || {
                let value = arguments.next();
                let value = value.ok_or_else(|| format!("{argument} needs a value"))?;
                passed_on.push(value.clone());
                Ok::<_, String>(value)
            };
            match argument.as_str() {
                "--size" => {
                    let sizes = value()?
                        .split(',')
                        .map(size)
                        .collect::<Result<Vec<_>, _>>()?;
                    selection.sizes.extend(sizes);
                }
                "--without" => {
                    let value = value()?;
                    let family = operations::all().find(|operation| operation.family == value);
                    let family = family.ok_or_else(|| format!("--without {value}: no family"))?;
                    selection.without.push(family.family);
                }
                "--up-to" => selection.up_to = size(&value()?)?,
                "--usual" => selection.usual = true,
                "--turn" => selection.effort.turn = milliseconds(&argument, &value()?)?,
                "--cell" => selection.effort.cell = milliseconds(&argument, &value()?)?,
                "--tsv" => {
                    selection.tsv = Some(PathBuf::from(value()?));
                    passed_on.clear();
                }
                "--runs" => {
                    let value = value()?;
                    selection.runs = value.parse().map_err(|_| format!("--runs {value}?"))?;
                    passed_on.clear();
                }
                "--list" => selection.task = Task::List,
                "--help" | "-h" => selection.task = Task::Help,
                "--report" => selection.task = Task::Report,
                "--render" => selection.task = Task::Render,
                word => selection.word(word)?,
            }
            let is_task =
                ["--list", "--help", "-h", "--report", "--render"].contains(&argument.as_str());
            if !is_task {
                selection.arguments.extend(passed_on);
            }
        }
        Ok(selection)
    }

    fn word(&mut self, word: &str) -> Result<(), String> {
        let mut known = false;
        for operation in operations::all() {
            if operation.name == word || operation.family == word {
                self.operations.push(operation.name);
                known = true;
            }
        }
        let mut languages = LANGUAGES
            .iter()
            .map(|language| language.code)
            .chain([ASCII]);
        if let Some(code) = languages.find(|code| *code == word) {
            self.languages.push(code);
            known = true;
        }
        if let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.name() == word) {
            self.kinds.push(kind);
            known = true;
        }
        let encodings = LEGACY.iter().map(|(encoding, _)| *encoding);
        for encoding in encodings.filter(|encoding| encoding.eq_ignore_ascii_case(word)) {
            self.encodings.push(encoding);
            known = true;
        }
        if known {
            Ok(())
        } else {
            Err(format!(
                "{word}: no operation, language, kind of text or encoding; try --help"
            ))
        }
    }

    pub(crate) fn operations(&self) -> impl Iterator<Item = &'static Operation> {
        operations::all().filter(|operation| {
            let legacy = operation.texts.are_legacy();
            (self.operations.is_empty() || self.operations.contains(&operation.name))
                && !self.without.contains(&operation.family)
                && (self.encodings.is_empty() || legacy)
        })
    }

    /// The families that are selected, if that is all that selects.
    pub(crate) fn families(&self) -> Result<Vec<&'static str>, String> {
        let mut families: Vec<&str> = self
            .operations()
            .map(|operation| operation.family)
            .collect();
        families.dedup();
        let whole = operations::all().filter(|operation| families.contains(&operation.family));
        let parts = self.operations().count() < whole.count() || !self.languages.is_empty();
        let parts = parts || !self.kinds.is_empty() || !self.encodings.is_empty();
        if parts || !self.sizes.is_empty() || self.usual || self.up_to < usize::MAX {
            return Err("--report measures whole families".to_owned());
        }
        Ok(families)
    }

    /// The contests of an operation.
    pub(crate) fn subjects(&self, operation: &Operation) -> Vec<Subject> {
        let pairs: Vec<(Option<&'static str>, &'static str)> = match operation.texts {
            Texts::Every => {
                let languages = LANGUAGES.iter().filter(|language| !language.legacy);
                let codes = languages.map(|language| language.code);
                codes.chain([ASCII]).map(|code| (None, code)).collect()
            }
            Texts::Latin1 => LATIN.map(|code| (None, code)).into(),
            Texts::Legacy => LEGACY.map(|(encoding, code)| (Some(encoding), code)).into(),
            Texts::Buffers => {
                let mut pairs: Vec<_> = BUFFERS
                    .map(|(encoding, code, _)| (Some(encoding), code))
                    .into();
                pairs.dedup();
                pairs
            }
            Texts::Mixed => MIXED.map(|(encoding, code)| (Some(encoding), code)).into(),
            Texts::Rare => RARE.map(|(encoding, code)| (Some(encoding), code)).into(),
        };
        let mut subjects = Vec::new();
        for (encoding, language) in pairs {
            let wanted = self.languages.is_empty() || self.languages.contains(&language);
            let wanted_encoding = self.encodings.is_empty()
                || encoding.is_some_and(|encoding| self.encodings.contains(&encoding));
            if !wanted || !wanted_encoding {
                continue;
            }
            for kind in operation.texts.kinds(&self.kinds) {
                let is_buffered = |kind| {
                    BUFFERS
                        .iter()
                        .any(|it| (Some(it.0), it.1, it.2) == (encoding, language, kind))
                };
                if operation.texts == Texts::Buffers && !is_buffered(kind) {
                    continue;
                }
                let sizes = if !self.sizes.is_empty() {
                    self.sizes.clone()
                } else if self.usual {
                    vec![operation.usual()]
                } else {
                    default_sizes(operation, language, kind)
                };
                let sizes = sizes
                    .into_iter()
                    .filter(|size| *size <= self.up_to || *size == operation.usual());
                subjects.extend(sizes.map(|size| Subject {
                    encoding,
                    language,
                    kind,
                    size,
                }));
            }
        }
        subjects
    }
}

/// What an operation is measured on.
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
    if operation.texts.are_legacy() {
        if operation.sizes >= Sizes::Many {
            sizes.extend(PIECES);
        }
    } else if kind == prose(language) {
        if operation.sizes >= Sizes::Many && SWEPT.contains(&language) {
            sizes.extend(MANY);
        }
        let short = match operation.texts {
            Texts::Latin1 => LATIN.contains(&language),
            _ => language == ASCII || SCRIPTS.contains(&language),
        };
        if operation.sizes >= Sizes::Many && short {
            sizes.extend(SHORT);
        }
        if operation.sizes == Sizes::All && SCRIPTS.contains(&language) {
            sizes.extend([4096, 1 << 20]);
        }
        if operation.sizes == Sizes::All && [ASCII, "ru", "zh"].contains(&language) {
            sizes.push(HUGE);
        }
    }
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}

fn milliseconds(option: &str, value: &str) -> Result<Duration, String> {
    let ms: f64 = value.parse().map_err(|_| format!("{option} {value}?"))?;
    Duration::try_from_secs_f64(ms / 1e3).map_err(|error| format!("{option} {value}: {error}"))
}

/// `4096`, `4K`, `1M`, `whole`.
fn size(text: &str) -> Result<usize, String> {
    if text == "whole" {
        return Ok(WHOLE);
    }
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        _ => (text, 0),
    };
    let number: usize = digits.parse().map_err(|_| format!("--size {text}?"))?;
    number
        .checked_shl(shift)
        .filter(|size| (1..=1 << 30).contains(size))
        .ok_or_else(|| format!("--size {text}: from 1 to 1024M"))
}

/// `4 KiB`.
pub(crate) fn shown(size: usize) -> String {
    match size {
        WHOLE => "whole".to_owned(),
        size if size >= 1 << 20 && size.is_multiple_of(1 << 20) => format!("{} MiB", size >> 20),
        size if size >= 1 << 10 && size.is_multiple_of(1 << 10) => format!("{} KiB", size >> 10),
        size => format!("{size} B"),
    }
}
