//! The command `simdtext-corpus`: reads the flags, runs, and returns the exit status.
//!
//! Part of the library, so that other programs can run the command: `python -m simdtext.corpus` does.

mod args;
mod progress;
mod summary;

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::container::hush_guarded_panics;
use crate::{Event, Rejected, report, run, total_bytes};
use args::Args;
use clap::Parser;
use progress::Progress;

/// Some of the input is damaged, or could not be read.
const FAULTS: u8 = 1;
/// The run could not be finished.
const TROUBLE: u8 = 2;

/// The maximum number of faults that are reported individually; `rejected/` has all of them.
const MAX_FAULTS: u64 = 20;

/// Runs the command with these arguments, the name of the program first. Returns its exit status.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Help and the version go to standard output, which nobody may be reading.
            let _ = error.print();
            return if error.use_stderr() { TROUBLE } else { 0 };
        }
    };
    hush_guarded_panics();
    execute(&args).unwrap_or_else(|what| {
        let _ = writeln!(io::stderr().lock(), "simdtext-corpus: {what}");
        TROUBLE
    })
}

fn execute(args: &Args) -> Result<u8, String> {
    let (options, run_options) = args.options()?;
    if let Some(report) = &args.report {
        refuse_report(report, &args.inputs, &args.out)?;
    }
    let faults = AtomicU64::new(0);
    let progress = Progress::new(args.quiet);
    let observer = |event: Event<'_>| match event {
        Event::Read(bytes) => progress.read(bytes),
        Event::Part(tally) => progress.part(tally),
        Event::Fault(rejected) if !args.quiet => {
            let before = faults.fetch_add(1, Ordering::Relaxed);
            progress.aside(|| tell(rejected, before));
        }
        _ => {}
    };
    let done = std::thread::scope(|scope| {
        if progress.is_shown() {
            // If no other thread can be started, the bar has no total.
            let _ = std::thread::Builder::new()
                .spawn_scoped(scope, || progress.total(total_bytes(&args.inputs)));
        }
        run(&args.inputs, &options, &run_options, &observer)
    });
    progress.end();
    let tally = done.map_err(|error| error.to_string())?;
    if let Some(path) = &args.report {
        report::write(path, &tally).map_err(|error| error.to_string())?;
    }
    let mut out = io::stdout().lock();
    let written = if args.json {
        serde_json::to_writer(&mut out, &tally)
            .map_err(io::Error::from)
            .and_then(|()| out.write_all(b"\n"))
    } else if args.quiet {
        Ok(())
    } else {
        summary::write(&mut out, &tally)
    };
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}"))
        }
        _ if tally.has_faults() => Ok(FAULTS),
        _ => Ok(0),
    }
}

/// Fails before the run if the report would replace an input or a part of the output, or can't be written after it.
fn refuse_report(report: &Path, inputs: &[PathBuf], out: &Path) -> Result<(), String> {
    let refused = |why: &str| Err(format!("{}: --report {why}", report.display()));
    let place = place_of(report);
    let of_out = out.canonicalize().or_else(|_| std::path::absolute(out));
    let of_out = of_out.unwrap_or_default();
    let of_run = ["text", "rejected", "_state"].map(|name| of_out.join(name));
    if of_run.iter().any(|folder| place.starts_with(folder)) {
        return refused("would replace a part of the output; name another file");
    }
    if report.is_dir() {
        return refused("names a folder; name a file");
    }
    let folder = place.parent().unwrap_or(Path::new("/"));
    // The folder of the output may not exist yet.
    if !folder.is_dir() && folder != of_out {
        return refused("is in a folder that does not exist; create it first");
    }
    let is_read = |input: &PathBuf| {
        let of_input = input.canonicalize().unwrap_or_default();
        let is_below = input.is_dir() && place.starts_with(&of_input);
        is_below || place == of_input || place == place_of(input)
    };
    // The folder of the output may be below an input, and is not read.
    let may_be_read = report.symlink_metadata().is_ok() && !place.starts_with(&of_out);
    if may_be_read && inputs.iter().any(is_read) {
        return refused("would replace an input; name another file");
    }
    Ok(())
}

/// Returns the path of an entry of a folder, without links in the path of the folder. If the entry is a link, it is not
/// followed, because a new file takes its place.
fn place_of(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return path;
    };
    let folder = folder.canonicalize();
    folder.map_or_else(|_| path.clone(), |folder| folder.join(name))
}

fn tell(rejected: &Rejected, before: u64) {
    let origin = &rejected.origin;
    let mut stderr = io::stderr().lock();
    let _ = match before {
        0..MAX_FAULTS => writeln!(
            stderr,
            "{}: record {} at offset {}: {}",
            origin.source, origin.number, origin.offset, rejected.rejection
        ),
        MAX_FAULTS => writeln!(stderr, "more errors are listed only in rejected/"),
        _ => Ok(()),
    };
}
