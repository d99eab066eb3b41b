//! The `simdtext` command: reads the flags, runs one command, and returns its exit status.

mod args;
mod check;
mod convert;
mod detect;
mod exit;
mod json;
mod list;
mod message;
mod os;
mod restore;
mod shell;

use std::process::ExitCode;

use args::{Args, Command};
use clap::{CommandFactory, FromArgMatches};
use exit::Exit;
use simdtext_convert::internal::WriteError;

fn main() -> ExitCode {
    message::warn_about_isa(std::env::var_os("SIMDTEXT_ISA").as_deref());
    let version = format!(
        "{} (kernels: {})",
        env!("CARGO_PKG_VERSION"),
        simdtext::active_isa()
    );
    let mut definition = Args::command().version(version);
    let parsed = parse(&mut definition).or_else(|_| {
        // What is printed now speaks of every command, and those not named were left out.
        definition.build();
        parse(&mut definition)
    });
    let done = match parsed {
        Ok(Args {
            command: Command::Convert(args),
        }) => convert::run(&args),
        Ok(Args {
            command: Command::Check(args),
        }) => check::run(&args),
        Ok(Args {
            command: Command::Detect(args),
        }) => detect::run(&args),
        Ok(Args {
            command: Command::Restore(args),
        }) => restore::run(&args),
        Ok(Args {
            command: Command::List(args),
        }) => written(list::run(&args)),
        Ok(Args {
            command: Command::Man(args),
        }) => written(shell::man(definition, &args)),
        Ok(Args {
            command: Command::Completions(args),
        }) => written(shell::completions(definition, &args)),
        Err(error) => {
            let printed = error.print();
            if error.use_stderr() {
                Exit::Trouble
            } else {
                // Help and the version are data, on standard output.
                written(printed)
            }
        }
    };
    done.into()
}

fn parse(definition: &mut clap::Command) -> clap::error::Result<Args> {
    let matches = definition.try_get_matches_from_mut(std::env::args_os())?;
    Args::from_arg_matches(&matches)
}

/// What writing to standard output came to. A closed pipe is no error.
fn written(done: std::io::Result<()>) -> Exit {
    match done.map_err(WriteError::from) {
        Ok(()) | Err(WriteError::ClosedPipe) => Exit::Clean,
        Err(WriteError::Failed(error)) => {
            message::cannot_write_stdout(&error);
            Exit::Trouble
        }
    }
}
