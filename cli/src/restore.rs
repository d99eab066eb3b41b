//! `simdtext restore`: undoes a run of `convert --in-place --backup`, and reports what was done.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde::Serialize;
use simdtext_convert::{Input, RestoreEvent, RestoreOptions, RestoreSummary, Restored, restore};

use crate::args::RestoreArgs;
use crate::exit::{Exit, Failure};
use crate::json::{self, JsonPath};
use crate::message::{Counted, cannot_write_stdout, say};
use crate::os;

pub(crate) fn run(args: &RestoreArgs) -> Result<Exit, Failure> {
    let out = os::standard_output_if(args.json || args.dry_run)?;
    let options = RestoreOptions::new(args.backup.clone())
        .force(args.force)
        .dry_run(args.dry_run)
        .hidden(args.hidden)
        .no_ignore(args.no_ignore);
    let mut report = Report {
        args,
        out: BufWriter::new(out),
        exit: Exit::Clean,
    };
    let summary = restore(&args.trees, &options, &mut |event| report.event(event));
    Ok(report.end(&summary))
}

/// One line of `--json`.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Object<'a> {
    File {
        #[serde(flatten)]
        path: JsonPath,
        backup: JsonPath,
        result: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<&'a str>,
    },
    Summary {
        files: u64,
        results: BTreeMap<&'static str, u64>,
    },
}

struct Report<'a> {
    args: &'a RestoreArgs,
    out: BufWriter<Box<dyn Write + Send>>,
    /// The exit status of writing to standard output.
    exit: Exit,
}

impl Report<'_> {
    fn event(&mut self, event: RestoreEvent<'_>) {
        match event {
            RestoreEvent::File {
                path,
                backup,
                restored,
                why,
                ..
            } => self.file(path, backup, restored, why),
            RestoreEvent::Notice(_) if self.args.quiet => {}
            RestoreEvent::Notice(message)
            | RestoreEvent::Warning(message)
            | RestoreEvent::Error(message) => say(message),
            _ => {}
        }
    }

    fn file(&mut self, path: &Path, backup: &Path, restored: Restored, why: Option<&str>) {
        let input = Input::Path(path.to_path_buf());
        if let Some(why) = why
            && (restored == Restored::Failed || !self.args.quiet)
        {
            say(format_args!("{input}: {why}"));
        }
        let is_restored = restored == Restored::Restored;
        let written = if self.args.json {
            let object = Object::File {
                path: JsonPath::new(&input),
                backup: JsonPath::new(&Input::Path(backup.to_path_buf())),
                result: restored.name(),
                message: why,
            };
            json::write(&mut self.out, &object)
        } else if is_restored && self.args.dry_run {
            writeln!(self.out, "{input}: would be restored")
        } else {
            if is_restored && self.args.verbose {
                say(format_args!("{input}: restored"));
            }
            Ok(())
        };
        self.check_written(written);
    }

    /// If the reader closes the pipe, the run goes on: it is there to restore files.
    fn check_written(&mut self, written: io::Result<()>) {
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            cannot_write_stdout(&error);
            self.exit.worsen(Exit::Trouble);
        }
    }

    fn end(mut self, summary: &RestoreSummary) -> Exit {
        let files = summary.counts.values().sum();
        let results: BTreeMap<_, _> = (summary.counts.iter())
            .map(|(restored, files)| (restored.name(), *files))
            .collect();
        if !self.args.quiet {
            let of: Vec<_> = results
                .iter()
                .map(|(name, files)| format!("{files} {name}"))
                .collect();
            let colon = if of.is_empty() { "" } else { ": " };
            let dry = if self.args.dry_run {
                " (nothing was changed)"
            } else {
                ""
            };
            say(format_args!(
                "{}{colon}{}{dry}",
                Counted(files, "backup"),
                of.join(", ")
            ));
        }
        if self.args.json {
            let written = json::write(&mut self.out, &Object::Summary { files, results });
            self.check_written(written);
        }
        let flushed = self.out.flush();
        self.check_written(flushed);
        self.exit.worsen(summary.severity.into());
        self.exit
    }
}
