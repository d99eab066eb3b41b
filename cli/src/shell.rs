//! `simdtext man` and `simdtext completions`: describe the command line to other programs.

use std::io::{self, Write};

use clap::Command;

use crate::args::{CompletionsArgs, ManArgs};
use simdtext_convert::standard_output;

/// Prints the manual page, or writes one for each command into a folder.
pub(crate) fn man(definition: Command, args: &ManArgs) -> io::Result<()> {
    if let Some(folder) = &args.out_dir {
        return clap_mangen::generate_to(definition, folder);
    }
    // One page for all commands, because a pipe has room for only one.
    let mut page = Vec::new();
    let mut definition = definition;
    definition.build();
    clap_mangen::Man::new(definition.clone()).render(&mut page)?;
    for command in definition.get_subcommands() {
        if !command.is_hide_set() && command.get_name() != "help" {
            clap_mangen::Man::new(command.clone()).render(&mut page)?;
        }
    }
    standard_output()?.write_all(&page)
}

/// Prints the completions for a shell.
pub(crate) fn completions(mut definition: Command, args: &CompletionsArgs) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut definition, "simdtext", &mut script);
    standard_output()?.write_all(&script)
}
