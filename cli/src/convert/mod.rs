//! `simdtext convert`: inputs of one encoding to outputs of another.

mod buffered;
mod by_line;
mod converter;
mod cores;
mod faults;
mod many;
mod one_output;
mod output;
mod settings;
mod text;

use crate::args::ConvertArgs;
use crate::exit::Exit;
use crate::message::say;
pub(crate) use many::Locks;
pub(crate) use output::{Place, WriteError, folder_of};
use settings::Settings;

pub(crate) fn run(args: &ConvertArgs) -> Exit {
    let done = Settings::new(args).and_then(|settings| {
        if args.many.out_dir.is_some() || args.many.in_place {
            many::run(args, settings)
        } else if let Some(flag) = args.many.walk.given() {
            Err(format!(
                "{flag}: this is for converting many files; say where to with --out-dir DIR or \
                 --in-place"
            ))
        } else {
            one_output::run(args, settings)
        }
    });
    done.unwrap_or_else(|message| {
        say(format_args!("{message}"));
        Exit::Trouble
    })
}
