//! `simdtext detect`: prints the encodings of files, and how they are known.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use serde::Serialize;
use simdtext::sniff::Confidence;
use simdtext_convert::{Answer, Charset, DetectOptions, Input, detect};
use simdtext_convert::{Found, UnusableInput, Walk};

use crate::args::DetectArgs;
use crate::exit::{Exit, Failure};
use crate::json::{self, JsonPath};
use crate::message::{plain, reported_name, say};
use crate::os;

/// How many files are examined in parallel before their lines are printed in order.
const AT_ONCE: usize = 256;

pub(crate) fn run(args: &DetectArgs) -> Result<Exit, Failure> {
    threads(args)?.install(|| all(args))
}

fn threads(args: &DetectArgs) -> Result<rayon::ThreadPool, String> {
    // More threads would gain nothing, and the system may have no room for them.
    const MOST: usize = 256;
    let jobs = args.jobs.map_or(0, |jobs| jobs.get().min(MOST));
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
    pool.map_err(|error| format!("no threads can be started: {error}"))
}

fn all(args: &DetectArgs) -> Result<Exit, Failure> {
    let stdin = args.files.is_empty() && args.walk.files_from.is_none();
    let stdin = stdin.then(|| PathBuf::from("-"));
    let named = || args.files.iter().chain(&stdin);
    os::refuse_closed_input(named().chain(&args.walk.files_from))?;
    let out = os::standard_output()?;
    let mut report = Report {
        args,
        options: DetectOptions::new()
            .content_type(args.content_type.as_deref())
            .format(args.format())
            .tld(args.guess.tld.as_deref())
            .decompress(args.decompress),
        out: BufWriter::new(out),
        waiting: Vec::with_capacity(AT_ONCE),
        exit: Exit::Clean,
    };
    let (stdin, paths): (Vec<_>, Vec<_>) =
        (named().cloned()).partition(|path| path.as_os_str() == "-");
    if !stdin.is_empty() {
        report.waiting.push(Input::Stdin);
        report.flush()?;
    }
    if !paths.is_empty() || args.walk.files_from.is_some() {
        let options = args.walk.options();
        let walk = Walk::new(&paths, &options, args.decompress, None)?;
        let mut done = Ok(());
        let walked = walk.each(&mut |found| {
            done = match found {
                Found::File(job) => report.add(Input::Path(job.path)),
                Found::Unusable(odd) => report.odd(&odd),
                // A folder: its files come next.
                _ => Ok(()),
            };
            done.is_ok()
        });
        walked.map_err(|error| format!("cannot read the list of files: {}", plain(&error)))?;
        done?;
        for warning in walk.warnings() {
            say(format_args!("{warning}"));
        }
    }
    report.flush()?;
    Ok(report.exit)
}

struct Report<'a> {
    args: &'a DetectArgs,
    options: DetectOptions,
    out: BufWriter<Box<dyn Write + Send>>,
    waiting: Vec<Input>,
    exit: Exit,
}

impl Report<'_> {
    fn add(&mut self, input: Input) -> io::Result<()> {
        self.waiting.push(input);
        if self.waiting.len() < AT_ONCE {
            return Ok(());
        }
        self.flush()
    }

    /// Examines all files that wait, and prints the results.
    fn flush(&mut self) -> io::Result<()> {
        let options = &self.options;
        let inputs = std::mem::take(&mut self.waiting);
        let answers: Vec<_> = inputs
            .par_iter()
            .map(|input| detect(input, options))
            .collect();
        for (input, answer) in inputs.iter().zip(answers) {
            match answer {
                Ok(answer) => self.write(input, &answer)?,
                Err(error) => self.unread(input, &plain(&error), Exit::Trouble)?,
            }
        }
        self.out.flush()
    }

    fn odd(&mut self, odd: &UnusableInput) -> io::Result<()> {
        self.flush()?;
        let input = Input::Path(odd.path.clone());
        self.unread(&input, &odd.why, odd.severity.into())
    }

    fn write(&mut self, input: &Input, answer: &Answer) -> io::Result<()> {
        let confidence = match answer.confidence {
            Confidence::Certain => "certain",
            Confidence::Tentative => "tentative",
        };
        if self.args.json {
            let object = Object::File {
                path: JsonPath::new(input),
                encoding: answer.charset.map(Charset::name),
                evidence: answer.basis.name(),
                confidence,
                reason: answer.reason(),
                double_encoded: answer.is_doubled,
                candidates: answer
                    .candidates()
                    .map(|candidate| Candidate {
                        encoding: candidate.encoding.name(),
                        language: candidate.language,
                        cost: candidate.cost,
                        malformed: candidate.malformed,
                    })
                    .collect(),
            };
            return json::write(&mut self.out, &object);
        }
        self.out.write_all(&reported_name(input))?;
        let doubled = if answer.is_doubled {
            "; encoded twice (--undo-double-encoding)"
        } else {
            ""
        };
        writeln!(
            self.out,
            ": {}, {confidence}, {}: {}{doubled}",
            answer.charset.map_or("binary", Charset::name),
            answer.basis.name(),
            answer.reason()
        )
    }

    fn unread(&mut self, input: &Input, why: &str, exit: Exit) -> io::Result<()> {
        say(format_args!("cannot read {input}: {why}"));
        self.exit.worsen(exit);
        if self.args.json {
            let object = Object::Error {
                path: JsonPath::new(input),
                message: why,
            };
            return json::write(&mut self.out, &object);
        }
        Ok(())
    }
}

/// One line of `--json`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    File {
        #[serde(flatten)]
        path: JsonPath,
        /// `None` if the file is not text.
        encoding: Option<&'static str>,
        evidence: &'static str,
        confidence: &'static str,
        reason: String,
        double_encoded: bool,
        candidates: Vec<Candidate>,
    },
    Error {
        #[serde(flatten)]
        path: JsonPath,
        message: &'a str,
    },
}

/// A candidate for the encoding.
#[derive(Serialize)]
struct Candidate {
    encoding: &'static str,
    language: &'static str,
    /// In eighths of a bit: the higher, the less plausible.
    cost: u32,
    /// Malformed sequences in the sample.
    malformed: usize,
}
