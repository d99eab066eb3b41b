//! `simdtext convert`: converts inputs from one encoding to another. The library does the work; this reports
//! it.

mod groups;
mod progress;
mod report;
mod tree;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::{process, thread};

use simdtext_convert::{Abort, Cancel, Event, Input, Options, Place, Severity, convert_files};

use crate::args::ConvertArgs;
use crate::exit::{Exit, Failure};
use crate::message::{Escaped, plain, say};
use crate::os;

pub(crate) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let options = args.options();
    if args.many.out_dir.is_some() || args.many.in_place {
        return tree::run(args, &options);
    }
    if let Some(flag) = args.many.walk.given() {
        return Err(Failure::Refused(format!(
            "{flag}: this is for converting many files; say where to with --out-dir DIR or \
             --in-place"
        )));
    }
    one_output(args, &options)
}

/// Refuses to use a standard stream that was closed from the start.
fn refuse_closed(args: &ConvertArgs) -> Result<(), Failure> {
    let out = args.output.as_deref();
    if out.is_none_or(os::names_stdout) {
        os::refuse_closed_output()?;
    }
    if args.many.no_clobber && out.is_some_and(Path::is_file) {
        // Nothing will be read.
        return Ok(());
    }
    let stdin = args.files.is_empty().then(|| PathBuf::from("-"));
    Ok(os::refuse_closed_input(args.files.iter().chain(&stdin))?)
}

/// Converts all inputs, one after the other, into one output.
fn one_output(args: &ConvertArgs, options: &Options) -> Result<Exit, Failure> {
    let inputs = Input::all(&args.files);
    let place = Place::named(args.output.as_deref());
    refuse_closed(args)?;
    let handed_out: OnceLock<Abort> = OnceLock::new();
    let is_aborted = || handed_out.get().is_some_and(Abort::is_aborted);
    let observer = |event: Event<'_>| match event {
        Event::Temporary { path, abort, .. } => {
            let (path, abort) = (path.to_path_buf(), abort.clone());
            let abort = handed_out.get_or_init(|| abort).clone();
            let caught = os::on_signals(move |signal| {
                abort.abort();
                if abort.is_placed() {
                    // Too late: all that was asked for is done, and the run ends in a moment.
                    return;
                }
                let path = path.to_string_lossy();
                say(format_args!(
                    "stopped by signal {signal}; {} is as it was",
                    Escaped(&path)
                ));
                process::exit(i32::from(Exit::Signal(signal).code()));
            });
            if let Err(error) = caught {
                say(format_args!(
                    "signals can't be caught: {}; one that ends this run may leave a temporary file",
                    plain(&error)
                ));
            }
        }
        // That the output is gone is no error: a signal is ending the run.
        Event::Error(_) if is_aborted() => {}
        Event::Notice(_) if args.many.quiet => {}
        Event::Notice(message) | Event::Warning(message) | Event::Error(message) => say(message),
        _ => {}
    };
    let severity = convert_files(&inputs, &place, options, &Cancel::new(), &observer);
    while is_aborted() {
        // The thread that was woken by the signal ends the process.
        thread::park();
    }
    Ok(match severity? {
        Severity::Error => os::file_size_signal().map_or(Exit::Trouble, Exit::Signal),
        other => other.into(),
    })
}
