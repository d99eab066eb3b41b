//! The `simdtext` command: parses the flags, runs a command, and returns the exit status.
//!
//! It is a library so that other programs can run it, as `python -m simdtext` does.

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

use std::ffi::OsString;

use args::{Args, Command};
use clap::{CommandFactory, FromArgMatches};
use exit::{Exit, Failure};

/// Runs the command that the arguments name; the first argument is the name of the program. Commands that
/// handle signals catch them, and a signal may end the process.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    message::warn_about_isa(std::env::var_os("SIMDTEXT_ISA").as_deref());
    let version = format!(
        "{} (kernels: {})",
        env!("CARGO_PKG_VERSION"),
        simdtext::active_isa()
    );
    let mut definition = Args::command().version(version);
    let parsed = parse(&mut definition, &arguments).or_else(|_| {
        // What is printed now mentions every command, so all of them have to be built.
        definition.build();
        parse(&mut definition, &arguments)
    });
    let done = match parsed {
        Ok(args) => run(&args.command, definition),
        Err(error) if error.use_stderr() => {
            let _ = error.print();
            Ok(Exit::Trouble)
        }
        // Help and the version are results, so they go to standard output.
        Err(error) => printed(os::refuse_closed_output().and_then(|()| error.print())),
    };
    ended(done.unwrap_or_else(Failure::reported)).code()
}

fn run(command: &Command, definition: clap::Command) -> Result<Exit, Failure> {
    match command {
        Command::Convert(args) => convert::run(args),
        Command::Check(args) => check::run(args),
        Command::Detect(args) => detect::run(args),
        Command::Restore(args) => restore::run(args),
        Command::List(args) => printed(list::run(args)),
        Command::Man(args) => match &args.out_dir {
            Some(folder) => shell::man_pages(definition, folder),
            None => printed(shell::man(definition)),
        },
        Command::Completions(args) => printed(shell::completions(definition, args)),
    }
}

/// The end of a command that does nothing but print.
fn printed(done: std::io::Result<()>) -> Result<Exit, Failure> {
    done?;
    Ok(Exit::Clean)
}

/// The exit status at the end, when standard output may turn out not to be stored.
fn ended(done: Exit) -> Exit {
    match os::end_output() {
        Err(error) if done < Exit::Trouble => {
            message::cannot_write_stdout(&error);
            Exit::Trouble
        }
        _ => done,
    }
}

fn parse(definition: &mut clap::Command, arguments: &[OsString]) -> clap::error::Result<Args> {
    let matches = definition.try_get_matches_from_mut(arguments)?;
    Args::from_arg_matches(&matches)
}
