//! The command `simdtext-corpus`.

use std::process::ExitCode;

fn main() -> ExitCode {
    simdtext_corpus::command::main(std::env::args_os()).into()
}
