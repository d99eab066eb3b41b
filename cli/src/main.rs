//! The `simdtext` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    simdtext_cli::main(std::env::args_os()).into()
}
