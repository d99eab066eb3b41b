//! The flags of `convert` about encodings and how they are handled.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueEnum;
use simdtext::{Encoding, Unmappable};
use simdtext_convert::{Binary, Options, SourceEncoding};

use super::BomArg;
use super::from::{AUTO, parse_from, parse_to};
use super::guess::GuessArgs;
use super::help::{CONVERT_EXAMPLES, convert_after_help};
use super::many::{Compress, ManyArgs};
use super::walk::parse_size;

/// Convert files, folders, or standard input, from one encoding to another
///
/// Reads each PATH, or standard input if there is none or PATH is "-", and writes all of them,
/// one after the other, to standard output or to the file named by --output.
///
/// With --out-dir or --in-place each file is converted on its own, on all cores, and folders are
/// walked. A single file of 4 MiB or more with an output of its own is converted on all cores.
/// Memory use doesn't depend on the size of the files.
#[derive(Debug, clap::Args)]
#[command(after_help = CONVERT_EXAMPLES, after_long_help = convert_after_help())]
pub(crate) struct ConvertArgs {
    /// Encoding of the input: a label, auto, or auto:LIST
    ///
    /// A label is one of the standard's, in upper or lower case; `simdtext list` shows them. As on
    /// the web, "latin1", "iso-8859-1" and "ascii" mean windows-1252, and "utf-16" means UTF-16LE.
    /// "utf-32le" and "utf-32be" can be read, too. A byte order mark in the input wins over the label
    /// unless --bom says otherwise.
    ///
    /// "auto" decides for each input, by the first of these that applies: a byte order mark; what HTML,
    /// XML or CSS declares; UTF-8, if all of it is valid; or else a guess, which is reported, and
    /// which --in-place does not act on unless --accept-guess is given. In pipes it looks at 1 to
    /// 64 KiB, and reports what contradicts that later. `simdtext detect` shows the decision beforehand.
    ///
    /// "auto:shift_jis,euc-jp" means UTF-8 if all of the input is valid UTF-8, or else the first of the
    /// list in which nothing is malformed. Put strict encodings first: in windows-1252, for example,
    /// nothing is ever malformed. Input that is malformed in all of them is not converted.
    #[arg(
        short,
        long,
        value_name = "LABEL",
        default_value = AUTO,
        value_parser = parse_from
    )]
    pub(crate) from: SourceEncoding,

    /// Encoding of the output
    ///
    /// Labels as for --from. UTF-16LE and UTF-16BE are written as such.
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8", value_parser = parse_to)]
    pub(crate) to: &'static Encoding,

    /// Write to FILE, only if all of the input was converted
    ///
    /// The output goes to a temporary file in the same folder, which takes the name FILE at the
    /// end. If a file can't be read, if --invalid=strict or --unmappable=strict stops one, or if one
    /// is plainly in another encoding than the one that is named (see --force), FILE stays as it
    /// was, or absent. The permissions of an existing FILE are kept. A device or a
    /// named pipe is written directly. "-" is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    /// What to do with bytes that are malformed in the input's encoding [default: replace; with
    /// --in-place: strict]
    #[arg(long, value_name = "HOW", value_enum)]
    pub(crate) invalid: Option<Invalid>,

    /// What to do with characters that the output's encoding lacks
    ///
    /// strict: stop at the first.
    /// ncr: write a numeric character reference, such as &#9733;, for HTML and XML.
    /// replace:CHAR: write CHAR (itself or U+XXXX), or "?" if the encoding lacks that, too.
    /// skip: leave it out.
    #[arg(
        long,
        value_name = "HOW",
        default_value = "strict",
        value_parser = parse_unmappable,
        verbatim_doc_comment
    )]
    pub(crate) unmappable: Unmappable,

    /// What to do with a byte order mark at the start of each input
    ///
    /// At most one is removed, as the standard says. If a second one follows, it stays, as U+FEFF.
    #[arg(long, value_name = "HOW", value_enum, default_value_t = BomArg::Sniff)]
    pub(crate) bom: BomArg,

    /// Decide the encoding of each line separately
    ///
    /// For logs and mailboxes in which encodings are mixed. A line that is valid UTF-8 is UTF-8. Any
    /// other is in the encoding that --from names, or in the first of its list in which nothing in the
    /// line is malformed, or else in the first of the list. With --from=auto each such line is guessed,
    /// taking the others into account; a single line contains little evidence, so a list is better.
    /// ASCII lines with escape sequences of ISO-2022-JP are ISO-2022-JP, if it is listed or with
    /// --from=auto; otherwise they are reported. A line is decided as a whole, however long (see
    /// --spool-limit). What begins with a byte order mark of UTF-16 is converted as a whole.
    #[arg(long)]
    pub(crate) per_line: bool,

    /// Undo double encoding: UTF-8 that was read as windows-1252 and written as UTF-8 again
    ///
    /// Turns "cafÃ©" into "café", if all of the input is like that and nothing is lost: encoding the
    /// result twice would give the same bytes again. That holds for pages that declare another
    /// encoding, too. Other inputs are converted as usual. The output must be UTF-8. `simdtext detect`
    /// points out such files.
    #[arg(long, conflicts_with = "per_line")]
    pub(crate) undo_double_encoding: bool,

    #[command(flatten)]
    pub(crate) guess: GuessArgs,

    /// What to do with binary files [default: leave them alone and report them]
    ///
    /// A file is binary if it begins like an image, an archive, a program and so on, or if it contains
    /// NUL bytes or control characters that text doesn't have, anywhere. Without this flag, --in-place
    /// and --out-dir leave such files alone and report them (status 1). To standard output and with
    /// -o they are converted only if --from names their encoding, with a warning.
    #[arg(long, value_name = "HOW", value_enum)]
    pub(crate) binary: Option<BinaryArg>,

    /// Begin the output with a byte order mark (UTF-8, UTF-16LE and UTF-16BE only)
    #[arg(long)]
    pub(crate) output_bom: bool,

    /// Decompress gzip, zstd, xz and bzip2 files
    ///
    /// They are recognised by their first bytes, not by their names; other files are read as they are.
    /// Offsets and sizes in messages are those of the decompressed bytes. With --out-dir the ending
    /// .gz, .zst, .xz or .bz2 is removed from the output's name, and --compress adds its own.
    #[arg(short = 'z', long)]
    pub(crate) decompress: bool,

    /// Keep at most SIZE bytes of a pipe in a temporary file (K, M, G: KiB, MiB, GiB)
    ///
    /// With --from=auto:LIST, --undo-double-encoding or --binary=copy the input is read twice, and
    /// with --per-line so are lines of more than 8 MiB. Pipes and compressed files are kept in a
    /// temporary file (in TMPDIR) for that. Longer input is not converted and is reported, so that a
    /// small compressed file can't fill the disk.
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_size)]
    pub(crate) spool_limit: u64,

    /// Files to read, or, with --out-dir or --in-place, folders to walk; "-" is standard input
    #[arg(value_name = "PATH")]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) many: ManyArgs,
}

impl ConvertArgs {
    /// The options that the flags stand for.
    pub(crate) fn options(&self) -> Options {
        let many = &self.many;
        let options = Options::new()
            .from(self.from.clone())
            .to(self.to)
            .invalid(self.invalid.map(Invalid::policy))
            .unmappable(self.unmappable)
            .bom(self.bom.into())
            .per_line(self.per_line)
            .undo_double_encoding(self.undo_double_encoding)
            .tld(self.guess.tld.as_deref())
            .binary(self.binary.map(BinaryArg::policy))
            .output_bom(self.output_bom)
            .decompress(self.decompress)
            .spool_limit(self.spool_limit)
            .in_place(many.in_place)
            .backup(many.backup.as_deref())
            .break_hard_links(many.break_hard_links)
            .no_clobber(many.no_clobber)
            .update(many.update)
            .jobs(many.jobs.map_or(0, NonZeroUsize::get))
            .dry_run(many.dry_run)
            .fail_fast(many.fail_fast)
            .accept_guess(many.accept_guess)
            .force(many.force)
            .preserve(many.preserve)
            .fsync(!many.no_fsync)
            .verify(many.verify)
            .remove_orphans(many.remove_orphans)
            .resume(many.resume.as_deref())
            .compress(many.compress.map(Compress::format))
            .fix_declarations(many.fix_declarations)
            .from_list(many.from_list.as_deref())
            .walk(many.walk.options());
        match &many.out_dir {
            Some(folder) => options.out_dir(folder),
            None => options,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BinaryArg {
    /// Write them as they are; with --in-place, leave them alone silently
    Copy,
    /// Convert them as text in the encoding that --from names, or, with --in-place and --out-dir, that they declare
    Convert,
}

impl BinaryArg {
    fn policy(self) -> Binary {
        match self {
            Self::Copy => Binary::Copy,
            Self::Convert => Binary::Convert,
        }
    }
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

impl Invalid {
    fn policy(self) -> simdtext_convert::Invalid {
        match self {
            Self::Strict => simdtext_convert::Invalid::Strict,
            Self::Replace => simdtext_convert::Invalid::Replace,
            Self::Skip => simdtext_convert::Invalid::Skip,
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
                    "write one character after the colon, as in replace:? or replace:U+FFFD",
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
