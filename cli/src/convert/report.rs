//! What a run prints: messages on standard error, JSON or the plan of a dry run on standard output, and the
//! totals at the end.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use serde::Serialize;
use simdtext_convert::WriteError;
use simdtext_convert::{
    Basis, EncodingTotals, FileReport, FirstFault, FirstFaultKind, Input, Severity, State, Summary,
};

use super::groups::Groups;
use super::progress::Progress;
use crate::args::ConvertArgs;
use crate::exit::Exit;
use crate::json::{self, JsonPath};
use crate::message::{Counted, cannot_write_stdout, hexadecimal, say};
use crate::os;

pub(crate) struct Report<'a> {
    args: &'a ConvertArgs,
    out: BufWriter<Box<dyn Write + Send>>,
    /// Why nothing more is written to standard output.
    broken: Option<WriteError>,
    exit: Exit,
    groups: Groups,
}

/// The totals of one encoding.
#[derive(Serialize)]
struct Row {
    encoding: &'static str,
    files: u64,
    bytes_in: u64,
    bytes_out: u64,
    errors: u64,
}

/// One line of `--json`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    File {
        #[serde(flatten)]
        path: JsonPath,
        #[serde(skip_serializing_if = "Option::is_none")]
        output: Option<JsonPath>,
        result: &'static str,
        changed: bool,
        bytes_in: u64,
        bytes_out: u64,
        /// `None` if the file is not text.
        from: Option<&'static str>,
        to: &'static str,
        evidence: &'static str,
        errors: u64,
        malformed: u64,
        unmappable: u64,
        first_errors: Vec<JsonFault>,
        #[serde(skip_serializing_if = "Option::is_none")]
        verified: Option<bool>,
        /// With `--fix-declarations`.
        #[serde(skip_serializing_if = "Option::is_none")]
        corrected: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<&'a str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<&'a str>,
        ms: f64,
    },
    Summary {
        files: u64,
        results: BTreeMap<&'static str, u64>,
        bytes_in: u64,
        bytes_out: u64,
        errors: u64,
        encodings: Vec<Row>,
        /// The number of the signal that ended the run early.
        #[serde(skip_serializing_if = "Option::is_none")]
        signal: Option<u8>,
        ms: f64,
    },
}

/// A fault in a file.
#[derive(Serialize)]
struct JsonFault {
    /// The offset, in bytes from the start of the input.
    offset: u64,
    line: u64,
    /// The malformed bytes, in hexadecimal, as "E4 BD".
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<String>,
    /// The unmappable character, as "U+2605".
    #[serde(skip_serializing_if = "Option::is_none")]
    unmappable: Option<String>,
}

impl JsonFault {
    fn new(fault: &FirstFault) -> Self {
        let (bytes, unmappable) = match &fault.kind {
            FirstFaultKind::Malformed(bytes) => (Some(hexadecimal(bytes)), None),
            FirstFaultKind::Unmappable(ch) => (None, Some(format!("U+{:04X}", u32::from(*ch)))),
            _ => (None, None),
        };
        Self {
            offset: fault.offset,
            line: fault.line,
            bytes,
            unmappable,
        }
    }
}

impl<'a> Report<'a> {
    pub(crate) fn new(args: &'a ConvertArgs) -> io::Result<Self> {
        Ok(Self {
            args,
            out: BufWriter::new(os::standard_output_if(args.many.json || args.many.dry_run)?),
            broken: None,
            exit: Exit::Clean,
            groups: Groups::default(),
        })
    }

    /// Reports the result for a file.
    pub(crate) fn file(&mut self, path: &Path, outcome: &FileReport, progress: &Progress) {
        let input = Input::Path(path.to_path_buf());
        self.say_file(&input, outcome, progress);
        if self.args.many.json {
            let output = outcome.target.clone().map(Input::Path);
            self.write_object(&Object::File {
                path: JsonPath::new(&input),
                output: output.as_ref().map(JsonPath::new),
                result: outcome.state.name(),
                changed: outcome.changed,
                bytes_in: outcome.bytes_in,
                bytes_out: outcome.bytes_out,
                from: outcome.is_decided().then(|| outcome.from.name()),
                to: self.args.to.name(),
                evidence: outcome.evidence.name(),
                errors: outcome.errors(),
                malformed: outcome.malformed,
                unmappable: outcome.unmappable,
                first_errors: outcome.first_faults.iter().map(JsonFault::new).collect(),
                verified: outcome.verified,
                corrected: self.args.many.fix_declarations.then_some(outcome.corrected),
                message: outcome.why.as_deref(),
                note: outcome.note.as_deref(),
                ms: in_milliseconds(outcome.took),
            });
        } else if self.args.many.dry_run {
            self.write(format_args!("{input}: {}", would(outcome, self.args)));
        }
    }

    fn say_file(&mut self, input: &Input, outcome: &FileReport, progress: &Progress) {
        let many = &self.args.many;
        let trouble = outcome.severity == Severity::Error;
        let faults: &[String] = if many.quiet { &[] } else { &outcome.faults };
        let why = outcome.why.as_ref().filter(|_| trouble || !many.quiet);
        let done = many.verbose && why.is_none() && !many.dry_run;
        // If the same message applies to many files, it is shown for some of them.
        let why = why.filter(|why| {
            let is_shown = if outcome.is_guess {
                self.groups.is_guess_shown(outcome.from.name())
            } else {
                !faults.is_empty() || self.groups.is_shown(input, why)
            };
            is_shown || many.verbose
        });
        let note = outcome.note.as_ref().filter(|note| {
            why.is_none() && !many.quiet && (self.groups.is_shown(input, note) || many.verbose)
        });
        if faults.is_empty() && why.is_none() && note.is_none() && !done {
            return;
        }
        progress.aside(|| {
            for fault in faults {
                say(format_args!("{fault}"));
            }
            if let Some(why) = why {
                say(format_args!("{input}: {why}"));
            }
            if let Some(note) = note {
                say(format_args!("{input}: {note}"));
            }
            if done {
                say(format_args!("{input}: {}", was(outcome, self.args)));
            }
        });
    }

    /// Prints the totals.
    pub(crate) fn end(mut self, summary: &Summary, signal: Option<u8>) -> Exit {
        self.exit.worsen(summary.severity.into());
        if self.args.many.json {
            self.write_object(&Object::Summary {
                files: summary.files(),
                results: (summary.states.iter())
                    .map(|(state, files)| (state.name(), *files))
                    .collect(),
                bytes_in: summary.bytes_in,
                bytes_out: summary.bytes_out,
                errors: summary.errors,
                encodings: (summary.encodings.iter())
                    .map(|(encoding, totals)| Row {
                        encoding,
                        files: totals.files,
                        bytes_in: totals.bytes_in,
                        bytes_out: totals.bytes_out,
                        errors: totals.errors,
                    })
                    .collect(),
                signal,
                ms: in_milliseconds(summary.took),
            });
        }
        if self.broken.is_none() {
            self.broken = self.out.flush().err().map(WriteError::from);
        }
        if !self.args.many.verbose {
            for line in self.groups.lines() {
                say(format_args!("{line}"));
            }
        }
        if !self.args.many.quiet {
            self.say_totals(summary);
        }
        if let Some(WriteError::Failed(error)) = &self.broken {
            cannot_write_stdout(error);
            self.exit.worsen(Exit::Trouble);
        }
        if let Some(signal) = signal {
            say(format_args!(
                "stopped by signal {signal}; the files above are done, the others untouched"
            ));
            return Exit::Signal(signal);
        }
        self.exit
    }

    fn say_totals(&self, summary: &Summary) {
        let dry = if self.args.many.dry_run {
            " (nothing was written)"
        } else {
            ""
        };
        let states: Vec<String> = (summary.states.iter())
            .map(|(state, files)| format!("{files} {}", counted(*state)))
            .collect();
        let states = if states.is_empty() {
            String::new()
        } else {
            format!(": {}", states.join(", "))
        };
        let seconds = summary.took.as_secs_f64();
        say(format_args!(
            "{}{states}; {} to {} bytes, {}, {seconds:.1} s{dry}",
            Counted(summary.files(), "file"),
            summary.bytes_in,
            summary.bytes_out,
            Counted(summary.errors, "error"),
        ));
        if summary.encodings.is_empty() {
            return;
        }
        let row = |encoding: &str, numbers: [&str; 4]| {
            let [files, bytes_in, bytes_out, errors] = numbers;
            say(format_args!(
                "  {encoding:<14} {files:>9} {bytes_in:>15} {bytes_out:>15} {errors:>9}"
            ));
        };
        row("from", ["files", "bytes in", "bytes out", "errors"]);
        for (encoding, totals) in &summary.encodings {
            let EncodingTotals {
                files,
                bytes_in,
                bytes_out,
                errors,
                ..
            } = totals;
            let numbers = [files, bytes_in, bytes_out, errors].map(u64::to_string);
            row(encoding, numbers.each_ref().map(String::as_str));
        }
    }

    fn write_object(&mut self, object: &Object<'_>) {
        match json::line(object) {
            Ok(line) => self.write(format_args!("{line}")),
            Err(error) => {
                say(format_args!("no JSON can be made: {error}"));
                self.exit.worsen(Exit::Trouble);
            }
        }
    }

    /// Writes a line to standard output. If the reader closes the pipe, no more lines are written, but the
    /// run goes on: it is there to convert files.
    fn write(&mut self, line: std::fmt::Arguments<'_>) {
        if self.broken.is_none() {
            self.broken = writeln!(self.out, "{line}").err().map(WriteError::from);
        }
    }
}

/// The name of a result in the totals.
fn counted(state: State) -> &'static str {
    match state {
        State::Converted => "converted",
        State::Unchanged => "unchanged",
        State::Already => "UTF-8 already",
        State::Finished => "finished earlier",
        State::Kept => "kept",
        State::Binary => "binary",
        State::Faulty => "with faults",
        State::Skipped => "skipped",
        State::Failed => "failed",
        other => other.name(),
    }
}

/// The message for a file with `--verbose`.
fn was(outcome: &FileReport, args: &ConvertArgs) -> String {
    let FileReport {
        bytes_in,
        bytes_out,
        ..
    } = outcome;
    match outcome.state {
        State::Converted => format!(
            "converted from {}, {bytes_in} to {bytes_out} bytes{}",
            from_to(outcome, args),
            match outcome.corrected {
                0 => String::new(),
                number => format!(", {} corrected", Counted(number, "declaration")),
            }
        ),
        State::Already if outcome.changed => String::from("UTF-8 already; copied"),
        State::Binary if outcome.changed => String::from("binary; copied"),
        other => String::from(counted(other)),
    }
}

/// From what to what, and how the encoding is known if it was not named.
fn from_to(outcome: &FileReport, args: &ConvertArgs) -> String {
    let FileReport { from, evidence, .. } = outcome;
    match evidence {
        Basis::Label => format!("{from} to {}", args.to),
        _ => format!("{from} ({}) to {}", evidence.name(), args.to),
    }
}

/// The message for a file with `--dry-run`.
fn would(outcome: &FileReport, args: &ConvertArgs) -> String {
    let place = match &outcome.target {
        Some(target) => format!(" into {}", Input::Path(target.clone())),
        None => String::new(),
    };
    match (outcome.state, &outcome.why) {
        (State::Converted, _) => format!(
            "would be converted from {}{place}, {} to {} bytes",
            from_to(outcome, args),
            outcome.bytes_in,
            outcome.bytes_out
        ),
        (State::Unchanged, _) => String::from("would be left alone: its bytes would not change"),
        (State::Already, _) if outcome.changed => {
            format!("would be copied{place}: it is UTF-8 already")
        }
        (State::Already, _) => String::from("would be left alone: it is UTF-8 already"),
        (State::Binary, None) if outcome.changed => {
            format!("would be copied{place}: it is binary")
        }
        (state, None) => format!("would be left alone: {}", counted(state)),
        (_, Some(why)) => {
            // A message about a file that is not only examined says so itself.
            format!(
                "would be left alone: {}",
                why.replacen("; left alone", "", 1)
            )
        }
    }
}

/// With three decimals, so that the number in JSON is short.
fn in_milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}
