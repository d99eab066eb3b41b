//! `simdtext man` and `simdtext completions`: describe the command line to other programs.

use std::io::{self, Write};
use std::path::Path;

use clap::Command;

use crate::args::CompletionsArgs;
use crate::exit::{Exit, Failure};
use crate::message::{Escaped, plain};
use crate::os::standard_output;

/// Writes a manual page for each command into a folder.
pub(crate) fn man_pages(definition: Command, folder: &Path) -> Result<Exit, Failure> {
    clap_mangen::generate_to(for_any_machine(definition), folder).map_err(|error| {
        let folder = folder.to_string_lossy();
        format!(
            "--out-dir={}: cannot write the pages there: {}",
            Escaped(&folder),
            plain(&error)
        )
    })?;
    Ok(Exit::Clean)
}

/// Prints the manual page.
pub(crate) fn man(definition: Command) -> io::Result<()> {
    // One page for all commands, because a pipe has room for only one.
    let mut page = Vec::new();
    let mut definition = for_any_machine(definition);
    definition.build();
    clap_mangen::Man::new(definition.clone()).render(&mut page)?;
    for command in definition.get_subcommands() {
        if !command.is_hide_set() && command.get_name() != "help" {
            clap_mangen::Man::new(command.clone()).render(&mut page)?;
        }
    }
    standard_output()?.write_all(&page)
}

/// Leaves the kernels out of the version, which differ between machines.
fn for_any_machine(definition: Command) -> Command {
    definition.version(env!("CARGO_PKG_VERSION"))
}

/// Prints the completions for a shell.
pub(crate) fn completions(mut definition: Command, args: &CompletionsArgs) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut definition, "simdtext", &mut script);
    standard_output()?.write_all(&script)
}
