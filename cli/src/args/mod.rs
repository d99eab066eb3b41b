//! The flags of the command line. The commands decide what to do about them.

mod convert;
mod detect;
mod from;
mod guess;
mod help;
mod many;
mod restore;
mod walk;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use simdtext::Bom;
use simdtext_convert::Charset;
use simdtext_convert::labels::parse_charset;

pub(crate) use convert::ConvertArgs;
pub(crate) use detect::DetectArgs;
use help::{CHECK_EXAMPLES, ROOT_AFTER_HELP, check_after_help};
pub(crate) use many::{ManyArgs, ProgressArg};
pub(crate) use restore::RestoreArgs;
pub(crate) use walk::WalkArgs;

/// Converts text between the 40 encodings of the WHATWG Encoding Standard, and reports what is
/// malformed and where.
#[derive(Debug, Parser)]
#[command(name = "simdtext", max_term_width = 100, after_help = ROOT_AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
// Only the flags of the command that runs are built: those of all commands take 60 KB.
#[command(defer = true)]
pub(crate) enum Command {
    Convert(Box<ConvertArgs>),
    Check(CheckArgs),
    Detect(Box<DetectArgs>),
    Restore(RestoreArgs),
    List(ListArgs),
    Man(ManArgs),
    Completions(CompletionsArgs),
}

/// Report malformed bytes: where they are and what they are
///
/// Reads each PATH, or standard input if there is none or PATH is "-", and prints one line for
/// each malformed sequence: the file, the line, the bytes in hexadecimal, and their offset in bytes
/// from the start of the file, counted from 0. A file with errors also gets a line with their total; a
/// clean file gets none. A summary of the run goes to standard error.
///
/// Nothing may be malformed in a file that is in another encoding, or not text at all. So a file also gets
/// a line if it is binary, if it is UTF-8 and another encoding was named, if it is not the UTF-16 that was
/// named, or if there is ISO-2022-JP in UTF-8. `convert` reports the same.
///
/// Lines are counted in the decoded text, from 1, so they are right in UTF-16 too. LF, CR LF, and
/// CR alone each end a line.
#[derive(Debug, clap::Args)]
#[command(after_help = CHECK_EXAMPLES, after_long_help = check_after_help())]
pub(crate) struct CheckArgs {
    /// Encoding of the files
    ///
    /// Any label of the standard, in upper or lower case; `simdtext list` shows them. A byte order
    /// mark wins over this unless --bom says otherwise.
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = parse_charset)]
    pub(crate) from: Charset,

    /// What to do with a byte order mark at the start of each file
    #[arg(long, value_name = "HOW", value_enum, default_value_t = BomArg::Sniff)]
    pub(crate) bom: BomArg,

    /// Print one JSON object per line instead
    ///
    /// A "malformed" object for each error, then a "summary" object for each file, clean ones
    /// included, or an "error" object if it can't be read. "doubt" in a summary says why the file is not text
    /// in that encoding; it is null if nothing suggests that. A path that is not valid Unicode has
    /// its bytes in hexadecimal in "path_bytes" as well.
    #[arg(long)]
    pub(crate) json: bool,

    /// Look only for malformed bytes
    ///
    /// A file is clean if nothing is malformed in it, even if it is binary or in another encoding.
    #[arg(long)]
    pub(crate) malformed_only: bool,

    /// Print at most N errors of each file; the total counts all of them
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) errors_max: u64,

    /// Files to read, or folders to walk; "-" is standard input
    #[arg(value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) walk: WalkArgs,
}

/// List the encodings and their labels
///
/// One encoding per line: its name, then all of its labels. Any label works with --from, and with
/// --to except those of "replacement", which has no encoder.
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// Print one JSON object per line instead
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print the manual page, or write one for each command into a folder
///
/// `simdtext man | man -l -` shows it.
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Write simdtext.1, simdtext-convert.1 and so on into DIR, which must exist
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
}

/// Print the completions for a shell
///
/// For bash, for example: simdtext completions bash > ~/.local/share/bash-completion/completions/simdtext
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BomArg {
    /// A byte order mark of UTF-8, UTF-16LE or UTF-16BE decides the encoding and is removed
    Sniff,
    /// Remove that of the encoding named by --from; decode any other as text
    Strip,
    /// Decode it as text: it becomes the character U+FEFF
    Keep,
}

impl From<BomArg> for Bom {
    fn from(arg: BomArg) -> Self {
        match arg {
            BomArg::Sniff => Bom::Sniff,
            BomArg::Strip => Bom::Strip,
            BomArg::Keep => Bom::Keep,
        }
    }
}
