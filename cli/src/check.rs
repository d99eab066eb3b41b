//! `simdtext check`: reports what is malformed, and where.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use simdtext::{REPLACEMENT, UTF_8};
use simdtext_convert::{CheckError, Checked, Checker, Fault, Input, Place, Severity, WalkOptions};
use simdtext_convert::{Found, UnusableInput, Walk};

use crate::args::CheckArgs;
use crate::exit::{Exit, Failure};
use crate::json::{self, JsonPath};
use crate::message::{Counted, NOT_DECODED, bom_overrides, hexadecimal, plain, reported_name, say};
use crate::os;

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let inputs = if args.files.is_empty() && args.walk.files_from.is_some() {
        Vec::new()
    } else {
        Input::all(&args.files)
    };
    if let Some(flag) = args.walk.about_folders()
        && !has_folders(&inputs)
    {
        return Err(Failure::Refused(format!(
            "{flag}: this flag selects files in folders, and no PATH is a folder"
        )));
    }
    let stdin = inputs.contains(&Input::Stdin).then(|| PathBuf::from("-"));
    let read = args.files.iter().chain(&stdin).chain(&args.walk.files_from);
    os::refuse_closed_input(read)?;
    Place::Stdout.refuse_inputs(&inputs)?;
    let listed = WalkOptions::new().files_from(args.walk.files_from.as_deref(), args.walk.null);
    let list = match args.walk.files_from {
        Some(_) => Some(Walk::new(&[], &listed, false, None)?),
        None => None,
    };
    let mut check = Check {
        args,
        out: BufWriter::new(os::standard_output_if(false)?),
        walk: args.walk.options().files_from(None, false),
        checker: Checker::new(args.from).bom(args.bom.into()),
        totals: Totals::default(),
    };
    for input in &inputs {
        match input {
            Input::Path(path) if path.is_dir() => check.folder(path)?,
            _ => check.input(input)?,
        }
    }
    if let Some(list) = list {
        check.walk(&list)?;
    }
    check.totals.say();
    Ok(check.totals.exit())
}

/// The totals of a run.
#[derive(Default)]
struct Totals {
    files: u64,
    faulty: u64,
    /// Files that are not text in the encoding that was named.
    doubtful: u64,
    unread: u64,
    /// Named pipes, devices and similar in folders.
    odd: u64,
    malformed: u64,
}

impl Totals {
    fn exit(&self) -> Exit {
        if self.unread > 0 {
            Exit::Trouble
        } else if self.faulty + self.doubtful + self.odd > 0 {
            Exit::Faults
        } else {
            Exit::Clean
        }
    }

    fn say(&self) {
        let files = Counted(self.files, "file");
        let mut findings = Vec::new();
        if self.faulty > 0 {
            findings.push(format!(
                "{} with {}",
                self.faulty,
                Counted(self.malformed, "malformed sequence")
            ));
        }
        if self.doubtful > 0 {
            findings.push(format!("{} binary or in another encoding", self.doubtful));
        }
        if self.unread > 0 {
            findings.push(format!("{} could not be read", self.unread));
        }
        if self.odd > 0 {
            findings.push(format!("{} skipped", self.odd));
        }
        if findings.is_empty() {
            findings.push(String::from("clean"));
        }
        say(format_args!("{files} checked: {}", findings.join(", ")));
    }
}

fn has_folders(inputs: &[Input]) -> bool {
    inputs
        .iter()
        .any(|input| matches!(input, Input::Path(path) if path.is_dir()))
}

/// A run over all inputs.
struct Check<'a> {
    args: &'a CheckArgs,
    out: BufWriter<Box<dyn Write + Send>>,
    walk: WalkOptions,
    checker: Checker,
    totals: Totals,
}

impl Check<'_> {
    /// Walks a folder.
    fn folder(&mut self, path: &Path) -> io::Result<()> {
        let options = self.walk.clone();
        let walk = Walk::new(&[path.to_path_buf()], &options, false, None);
        let walk = match walk {
            Ok(walk) => walk,
            Err(message) => {
                self.totals.unread += 1;
                say(format_args!("{message}"));
                return Ok(());
            }
        };
        self.walk(&walk)?;
        for warning in walk.warnings() {
            say(format_args!("{warning}"));
        }
        Ok(())
    }

    /// Checks everything that a walk finds.
    fn walk(&mut self, walk: &Walk<'_>) -> io::Result<()> {
        let mut done = Ok(());
        let walked = walk.each(&mut |found| {
            done = match found {
                Found::File(job) => self.input(&Input::Path(job.path)),
                Found::Unusable(odd) => self.odd(odd),
                // A folder: its files come next.
                _ => Ok(()),
            };
            done.is_ok()
        });
        if let Err(error) = walked {
            self.totals.unread += 1;
            say(format_args!(
                "cannot read the list of files: {}",
                plain(&error)
            ));
        }
        done
    }

    /// Reports what is not a file, or can't be read.
    fn odd(&mut self, odd: UnusableInput) -> io::Result<()> {
        self.totals.files += 1;
        if odd.severity == Severity::Error {
            self.totals.unread += 1;
        } else {
            self.totals.odd += 1;
        }
        let input = Input::Path(odd.path);
        Findings::new(self.args, &input, &mut self.out).unread(&io::Error::other(odd.why))
    }

    fn input(&mut self, input: &Input) -> io::Result<()> {
        self.totals.files += 1;
        let mut findings = Findings::new(self.args, input, &mut self.out);
        let (done, malformed) = self.checker.check(input, &mut findings);
        findings.malformed = malformed;
        if malformed > 0 {
            self.totals.faulty += 1;
            self.totals.malformed += malformed;
        }
        match done {
            Ok(whole) => {
                let doubt = whole.doubt.as_ref().filter(|_| !self.args.malformed_only);
                self.totals.doubtful += u64::from(doubt.is_some());
                findings.summary(&whole, doubt.map(String::as_str))?;
            }
            Err(CheckError::Read(error)) => {
                self.totals.unread += 1;
                findings.unread(&error)?;
            }
            Err(CheckError::Findings(error)) => return Err(error),
            Err(other) => return Err(io::Error::other(other)),
        }
        // So that it stays in step with the messages on standard error.
        self.out.flush()
    }
}

/// Writes what was found in one input to standard output.
struct Findings<'a, W> {
    args: &'a CheckArgs,
    input: &'a Input,
    out: &'a mut W,
    malformed: u64,
}

impl<W: Write> simdtext_convert::Findings for Findings<'_, W> {
    fn wants_next(&self) -> bool {
        self.malformed < self.args.errors_max
    }

    fn malformed(&mut self, fault: &Fault) -> io::Result<()> {
        self.malformed += 1;
        if self.args.json {
            let object = Object::Malformed {
                path: self.path(),
                encoding: fault.encoding.name(),
                offset: fault.malformed.offset,
                line: fault.line,
                bytes: hexadecimal(fault.malformed.bytes()),
            };
            return json::write(self.out, &object);
        }
        self.out.write_all(&reported_name(self.input))?;
        writeln!(self.out, ":{}: {fault}", fault.line)
    }

    fn pause(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl<'a, W: Write> Findings<'a, W> {
    fn new(args: &'a CheckArgs, input: &'a Input, out: &'a mut W) -> Self {
        Self {
            args,
            input,
            out,
            malformed: 0,
        }
    }

    /// Ends the report about an input that was read to its end.
    fn summary(&mut self, whole: &Checked, doubt: Option<&str>) -> io::Result<()> {
        // Without --from, the question is whether it is UTF-8, and the mark may well say otherwise.
        if whole.encoding != self.args.from && self.args.from != UTF_8 {
            say(format_args!(
                "{}: {}",
                self.input,
                bom_overrides(whole.encoding, self.args.from)
            ));
        }
        if whole.encoding == REPLACEMENT && self.malformed > 0 {
            say(format_args!("{}: {NOT_DECODED}", self.input));
        }
        let shown = self.malformed.min(self.args.errors_max);
        if self.args.json {
            let object = Object::Summary {
                path: self.path(),
                encoding: whole.encoding.name(),
                size: whole.bytes,
                malformed: self.malformed,
                shown,
                doubt,
            };
            return json::write(self.out, &object);
        }
        if self.malformed > 0 {
            self.out.write_all(&reported_name(self.input))?;
            write!(
                self.out,
                ": {} ({})",
                Counted(self.malformed, "malformed sequence"),
                whole.encoding
            )?;
            if shown < self.malformed {
                write!(self.out, ", {shown} shown")?;
            }
            writeln!(self.out)?;
        }
        if let Some(doubt) = doubt {
            self.out.write_all(&reported_name(self.input))?;
            writeln!(self.out, ": {doubt}")?;
        }
        Ok(())
    }

    /// Ends the report about an input that could not be read to its end.
    fn unread(&mut self, error: &io::Error) -> io::Result<()> {
        say(format_args!("cannot read {}: {}", self.input, plain(error)));
        if self.args.json {
            let object = Object::Error {
                path: self.path(),
                message: plain(error),
                malformed: self.malformed,
            };
            return json::write(self.out, &object);
        }
        Ok(())
    }

    fn path(&self) -> JsonPath {
        JsonPath::new(self.input)
    }
}

/// One line of `--json`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    Malformed {
        #[serde(flatten)]
        path: JsonPath,
        encoding: &'static str,
        offset: u64,
        line: u64,
        /// The bytes in hexadecimal, as "E4 BD".
        bytes: String,
    },
    Summary {
        #[serde(flatten)]
        path: JsonPath,
        encoding: &'static str,
        /// The offset, in bytes.
        size: u64,
        malformed: u64,
        shown: u64,
        /// Why it is not text in that encoding, whether anything is malformed or not.
        doubt: Option<&'a str>,
    },
    Error {
        #[serde(flatten)]
        path: JsonPath,
        message: String,
        malformed: u64,
    },
}
