//! The command `simdtext-corpus`.

mod args;
mod summary;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use simdtext_corpus::{Event, run};

use args::Args;

/// Some of the input is damaged, or could not be read.
const FAULTS: u8 = 1;
/// The run could not be finished.
const TROUBLE: u8 = 2;

/// Faults that are told of one by one; `rejected/` has all of them.
const MAX_FAULTS: u64 = 20;

fn main() -> ExitCode {
    let args = Args::parse();
    match execute(&args) {
        Ok(code) => ExitCode::from(code),
        Err(what) => {
            let _ = writeln!(io::stderr().lock(), "simdtext-corpus: {what}");
            ExitCode::from(TROUBLE)
        }
    }
}

fn execute(args: &Args) -> Result<u8, String> {
    let (options, run_options) = args.options()?;
    let faults = std::sync::atomic::AtomicU64::new(0);
    let observer = |event: Event<'_>| {
        if let Event::Fault(rejected) = event
            && !args.quiet
        {
            let before = faults.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let origin = &rejected.origin;
            if before < MAX_FAULTS {
                let _ = writeln!(
                    io::stderr().lock(),
                    "{}: record {} at offset {}: {}",
                    origin.source,
                    origin.number,
                    origin.offset,
                    rejected.rejection
                );
            } else if before == MAX_FAULTS {
                let _ = writeln!(
                    io::stderr().lock(),
                    "more faults are listed in rejected/ only"
                );
            }
        }
    };
    let tally =
        run(&args.inputs, &options, &run_options, &observer).map_err(|error| error.to_string())?;
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
