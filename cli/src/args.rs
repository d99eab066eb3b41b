//! The flags: what can be written on the command line. What they mean is in the commands.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use simdtext::{Bom, Encoding, Unmappable};

use crate::labels::parse_label;

/// Converts text between the 40 encodings of the WHATWG Encoding Standard, and tells what is wrong
/// with it and where.
#[derive(Debug, Parser)]
#[command(name = "simdtext", max_term_width = 100, after_help = ROOT_AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Convert(ConvertArgs),
    Check(CheckArgs),
    List(ListArgs),
}

/// Convert files, or standard input, from one encoding to another
///
/// Reads each FILE, or standard input where none is named or FILE is "-", and writes all of them,
/// one after the other, to standard output or to the file named by --output. Memory stays the same
/// however large the input is.
#[derive(Debug, clap::Args)]
#[command(after_help = CONVERT_EXAMPLES, after_long_help = convert_after_help())]
pub(crate) struct ConvertArgs {
    /// Encoding of the input
    ///
    /// Any label of the standard, in upper or lower case; `simdtext list` shows them. A byte order
    /// mark in the input wins over this unless --bom says otherwise. As on the web, "latin1",
    /// "iso-8859-1" and "ascii" mean windows-1252, and "utf-16" means UTF-16LE.
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = parse_label)]
    pub(crate) from: &'static Encoding,

    /// Encoding of the output
    ///
    /// Labels as for --from. UTF-16LE and UTF-16BE are written as such.
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = parse_label)]
    pub(crate) to: &'static Encoding,

    /// Write to FILE, and only if all of the input was converted
    ///
    /// The output goes to a temporary file in the same folder, which takes the name FILE at the
    /// end. If a file can't be read, or --invalid=strict or --unmappable=strict stops one, FILE
    /// stays as it was, or absent. The permissions of an existing FILE are kept. A device or a
    /// named pipe is written directly. "-" is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// What to do about bytes that are malformed in the input's encoding
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Invalid::Replace)]
    pub(crate) invalid: Invalid,

    /// What to do about characters that the output's encoding does not have
    ///
    /// strict: stop at the first.
    /// ncr: write a numeric character reference, such as &#9733;, for HTML and XML.
    /// replace:CHAR: write CHAR instead, given as the character or as U+XXXX (where the output's
    /// encoding lacks CHAR too, "?" is written).
    /// skip: leave it out.
    #[arg(
        long,
        value_name = "HOW",
        default_value = "strict",
        value_parser = parse_unmappable,
        verbatim_doc_comment
    )]
    pub(crate) unmappable: Unmappable,

    /// What to do about a byte order mark at the start of each input
    #[arg(long, value_name = "HOW", value_enum, default_value_t = BomArg::Sniff)]
    pub(crate) bom: BomArg,

    /// Begin the output with a byte order mark (UTF-8, UTF-16LE and UTF-16BE only)
    #[arg(long)]
    pub(crate) output_bom: bool,

    /// Files to read; "-" is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Report malformed bytes: where they are and what they are
///
/// Reads each FILE, or standard input where none is named or FILE is "-", and prints one line for
/// each malformed sequence: the file, the line, the bytes in hexadecimal, and their offset in bytes
/// from the start of the file, counted from 0. A file with faults gets a line with their total; a
/// clean file gets none. A summary of the run goes to standard error.
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
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = parse_label)]
    pub(crate) from: &'static Encoding,

    /// What to do about a byte order mark at the start of each file
    #[arg(long, value_name = "HOW", value_enum, default_value_t = BomArg::Sniff)]
    pub(crate) bom: BomArg,

    /// Print one JSON object a line instead
    ///
    /// A "malformed" object for each fault, then a "summary" object for each file, clean ones
    /// included, or an "error" object if it can't be read. A path that is not valid Unicode has
    /// its bytes in hexadecimal in "path_bytes" as well.
    #[arg(long)]
    pub(crate) json: bool,

    /// Print at most N faults of each file; the total counts all of them
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) errors_max: u64,

    /// Files to read; "-" is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// List the encodings and their labels
///
/// One encoding a line: its name, then all of its labels. Any label works with --from, and with
/// --to except those of "replacement", which has no encoder.
#[derive(Debug, clap::Args)]
pub(crate) struct ListArgs {
    /// Print one JSON object a line instead
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Invalid {
    /// Stop at the first
    Strict,
    /// Write U+FFFD for each malformed sequence, as browsers do
    Replace,
    /// Leave them out
    Skip,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BomArg {
    /// A mark of UTF-8, UTF-16LE or UTF-16BE decides the encoding, and is removed
    Sniff,
    /// Remove the mark of the encoding named by --from; decode any other as text
    Strip,
    /// Decode the mark as text: it becomes the character U+FEFF
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

/// Reads the value of `--unmappable`.
fn parse_unmappable(value: &str) -> Result<Unmappable, String> {
    match value {
        "strict" => Ok(Unmappable::Strict),
        "ncr" => Ok(Unmappable::Ncr),
        "skip" => Ok(Unmappable::Skip),
        _ => match value.strip_prefix("replace:") {
            Some(given) => parse_char(given).map(Unmappable::Replace).ok_or_else(|| {
                String::from(
                    "write one character behind the colon, as in replace:? or replace:U+FFFD",
                )
            }),
            None => Err(String::from("use strict, ncr, replace:CHAR or skip")),
        },
    }
}

/// One character, as itself or as `U+XXXX`.
fn parse_char(given: &str) -> Option<char> {
    let mut chars = given.chars();
    if let (Some(ch), None) = (chars.next(), chars.next()) {
        return Some(ch);
    }
    let digits = given.strip_prefix("U+").or(given.strip_prefix("u+"))?;
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

const ROOT_AFTER_HELP: &str = "\
Examples:
  simdtext convert -f shift_jis -o new.txt old.txt   Shift_JIS to UTF-8
  simdtext check *.txt                               where is this not UTF-8?
  simdtext list                                      the encodings and their labels

Exit status:
  0  all is clean (a closed pipe, as in `simdtext convert big.txt | head`, is no error)
  1  the data has faults: something was malformed, unmappable, replaced or left out
  2  a usage error, or something could not be read or written
A file that fails does not stop the others; the worst status wins.

SIMDTEXT_ISA=none|scalar|sse4|avx2|avx512|avx512_vbmi2|neon in the environment forces a lower set
of kernels, for comparing and for bug reports; `simdtext --version` names the set in use.";

const CONVERT_EXAMPLES: &str = "\
Examples:
  simdtext convert -f windows-1251 notes.txt > notes.utf8.txt
  simdtext convert -f gbk -o new.txt old.txt
  simdtext convert -f big5 --invalid=strict -o new.txt old.txt   all or nothing
  simdtext convert -t windows-1252 --unmappable=ncr page.html
  simdtext convert -t utf-16le --output-bom < in.txt > out.txt
  simdtext convert -f euc-jp part1 part2 -o whole.txt";

const CHECK_EXAMPLES: &str = "\
Examples:
  simdtext check *.txt
  simdtext check -f shift_jis --errors-max=5 old.txt
  simdtext check --json notes.txt | jq .offset

A line of the report:
  notes.txt:12: malformed bytes E4 BD at offset 318 (UTF-8)";

fn convert_after_help() -> String {
    format!(
        "{CONVERT_EXAMPLES}

Several files are decoded one by one, each with a byte order mark of its own, and written as one
text. Where strict stops a file, what came before the fault has been written to standard output,
and the next file follows. The first few faults of each file are reported on standard error with
line and offset, the rest as a total; `simdtext check` lists all malformed bytes.

A file that is being read is never written: this is refused before anything is touched, through
links too. (A shell that redirects with `>` empties the file before simdtext starts; -o does not.)
With -o, a FILE that is a symbolic link stays one and the file it points to is replaced; other hard
links to that file keep the old content. A run that is killed may leave a temporary file named
.simdtext-XXXXXX in the folder.

Exit status: 0 clean; 1 the data has faults, even if they were replaced or left out; 2 usage error,
or something could not be read or written."
    )
}

fn check_after_help() -> String {
    format!(
        "{CHECK_EXAMPLES}

Exit status: 0 every file is clean; 1 some bytes are malformed; 2 usage error, or a file could not
be read."
    )
}
