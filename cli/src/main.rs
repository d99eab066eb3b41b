//! The `simdtext` command: reads the flags, runs one command, and returns its exit status.

mod args;
mod check;
mod convert;
mod decode;
mod exit;

mod input;
mod labels;
mod lines;
mod list;
mod locate;
mod message;
mod os;
mod output;
mod report;

use std::process::ExitCode;

use args::{Args, Command};
use clap::{CommandFactory, FromArgMatches};
use exit::Exit;

fn main() -> ExitCode {
    message::warn_about_isa(std::env::var_os("SIMDTEXT_ISA").as_deref());
    let version = format!(
        "{} (kernels: {})",
        env!("CARGO_PKG_VERSION"),
        simdtext::active_isa()
    );
    let mut definition = Args::command().version(version);
    let parsed = definition
        .try_get_matches_from_mut(std::env::args_os())
        .and_then(|matches| Args::from_arg_matches(&matches));
    let done = match parsed {
        Ok(Args {
            command: Command::Convert(args),
        }) => convert::run(&args),
        Ok(Args {
            command: Command::Check(args),
        }) => check::run(&args),
        Ok(Args {
            command: Command::List(args),
        }) => list::run(&args),
        Err(error) => {
            // Help and the version go to stdout and are no error; a closed pipe is none either.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Trouble.into()
            } else {
                Exit::Clean.into()
            };
        }
    };
    done.into()
}
