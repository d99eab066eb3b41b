//! The flags of `convert` for many files: which files, where to write, and how safely.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{ArgGroup, ValueEnum};
use simdtext_convert::Compression;

use super::walk::{WalkArgs, parse_jobs};

/// Most of these flags need one of the first two.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Many files")]
#[command(group = ArgGroup::new("each").args(["out_dir", "in_place"]))]
#[command(group = ArgGroup::new("elsewhere").args(["out_dir", "output"]))]
pub(crate) struct ManyArgs {
    /// Convert each file to a separate file below DIR
    ///
    /// What is in a folder PATH keeps its place relative to that folder; a file PATH keeps its
    /// name; a file of --files-from keeps its relative path. Folders are made as needed; an output
    /// that exists is replaced (but see --no-clobber and --update). Outputs get the permission bits of
    /// their originals, except bits that would give access to users who could not read the original.
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(crate) out_dir: Option<PathBuf>,

    /// Replace each file by its converted text
    ///
    /// A file with malformed or unmappable content stays as it is and is reported, unless --invalid
    /// or --unmappable say otherwise. A file with several hard links stays as it is too (see
    /// --break-hard-links), and so does a file that may not be written. Owner, mode, access control
    /// list, extended attributes and, with --preserve, times are kept; a file stays as it is if keeping
    /// them fails in a way that would change who may read or write it.
    #[arg(long, conflicts_with = "output")]
    pub(crate) in_place: bool,

    /// Keep each original that is replaced, under its name with SUFFIX after it
    ///
    /// A backup that exists is never overwritten: the file is then left alone and reported. Files
    /// whose names end with SUFFIX are not converted. A later run without this flag would convert them:
    /// give it to each run in place.
    #[arg(
        long,
        value_name = "SUFFIX",
        value_parser = parse_suffix,
        requires = "in_place",
        conflicts_with = "out_dir"
    )]
    pub(crate) backup: Option<String>,

    /// Replace files with several hard links too: the other names keep the old content
    #[arg(long, requires = "in_place", conflicts_with = "out_dir")]
    pub(crate) break_hard_links: bool,

    /// Replace no output that exists
    ///
    /// With --out-dir such an output is left as it is and counted as kept; with -o nothing is read or written.
    /// As with `cp -n`, that is not an error, and the exit status is 0.
    #[arg(long, requires = "elsewhere", conflicts_with_all = ["in_place", "update"])]
    pub(crate) no_clobber: bool,

    /// Replace an output that exists only if its input is newer
    ///
    /// As with `cp -u`, the times of the last change are compared. Outputs that are left as they are count as kept, and
    /// don't change the exit status.
    #[arg(long, requires = "out_dir", conflicts_with_all = ["output", "in_place"])]
    pub(crate) update: bool,

    /// Use at most N cores, for N files at a time or for one large file [default: all]
    #[arg(short, long, value_name = "N", value_parser = parse_jobs)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Show what would be done with each file, and do nothing
    #[arg(short = 'n', long, requires = "each", conflicts_with = "verify")]
    pub(crate) dry_run: bool,

    /// Go on when a file can't be converted (this is the default)
    #[arg(long, requires = "each", conflicts_with = "fail_fast")]
    pub(crate) keep_going: bool,

    /// Stop at the first file that can't be converted; files already begun are finished
    #[arg(long, requires = "each")]
    pub(crate) fail_fast: bool,

    /// Replace files whose encoding was guessed, too
    ///
    /// With --from=auto, the encoding of a file that declares none and is neither ASCII nor UTF-8 is
    /// guessed, and the guess may be wrong. Without this flag, --in-place reports such a file and
    /// leaves it alone; the same holds for lines that --per-line guesses.
    #[arg(long, requires = "in_place")]
    pub(crate) accept_guess: bool,

    /// Convert files even if they are clearly not in the stated encoding
    ///
    /// If --from names an encoding other than UTF-8, or with --from=auto the file declares one, a file
    /// that is valid UTF-8 and not just ASCII was most likely converted before, and converting it again
    /// would damage it. Without this flag --in-place leaves it alone, and --out-dir copies it. The same
    /// holds for files that are UTF-8 except for a few damaged bytes, which are reported, for files that
    /// are too short to tell, for files with lines in another encoding and, with --in-place, for text
    /// that is far more plausible in another encoding than in the one that is named or declared, that an
    /// earlier run converted, or in which characters would be written as similar ones, and for files that
    /// declare an encoding which is not in the standard. With one output, -o doesn't write text that is
    /// far more plausible in another encoding, standard output gets it with a message (status 1), and
    /// nothing is written of what declares an encoding outside the standard. With this flag --in-place
    /// also takes the whole file system (/). It doesn't affect binary files: see --binary.
    #[arg(long)]
    pub(crate) force: bool,

    /// Give the outputs the times of their originals
    #[arg(long, requires = "each")]
    pub(crate) preserve: bool,

    /// Don't wait until the data is on the disk
    ///
    /// Much faster for many small files. If the power fails or the system crashes within the next
    /// minute or so, files may be empty or truncated, including replaced ones. A crash of simdtext
    /// alone does no harm.
    #[arg(long)]
    pub(crate) no_fsync: bool,

    /// Convert each output back and compare it with the original
    ///
    /// A file that differs is reported, and --in-place does not replace it.
    #[arg(long, requires = "each", conflicts_with = "per_line")]
    pub(crate) verify: bool,

    /// Remove temporary files that killed runs left where this run writes
    ///
    /// Without this flag they are reported. Those of earlier runs with the same journal (see --resume)
    /// are removed without it, too. If folders can't be locked, another run may be at work, and nothing
    /// is removed.
    #[arg(long, requires = "each")]
    pub(crate) remove_orphans: bool,

    /// Keep a journal in STATE; if there is one, continue where that run stopped
    ///
    /// Run the same command again after an interruption, a crash or `kill -9`: finished
    /// files are left alone, whatever they are called now, and temporary files of the earlier runs
    /// are removed. Refused if the flags that decide what is written differ from those of the earlier
    /// run, or if anything else has changed the journal. With --dry-run it is only read.
    #[arg(long, value_name = "STATE", requires = "each")]
    pub(crate) resume: Option<PathBuf>,

    /// Compress the outputs
    ///
    /// With --out-dir, the names get the ending .zst or .gz. With --in-place, which needs -z, only
    /// files that are already in this format stay compressed; files in another are left alone.
    #[arg(long, value_name = "FORMAT", value_enum, requires = "each")]
    pub(crate) compress: Option<Compress>,

    /// Print one JSON object for each file, and one for the run, on standard output
    #[arg(long, requires = "each")]
    pub(crate) json: bool,

    /// Show progress on standard error; auto: only if that is a terminal
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ProgressArg::Auto)]
    pub(crate) progress: ProgressArg,

    /// Report only what could not be read or written: no errors in the data, no summary, no progress
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Report what was done with each file
    ///
    /// Without this flag, if the same message applies to many files, the first ten are named and the
    /// others counted.
    #[arg(short, long, requires = "each")]
    pub(crate) verbose: bool,

    /// Correct what HTML, XML and CSS declare: write the label of the output's encoding
    ///
    /// In `meta` elements, the XML declaration and `@charset`, in the first 256 KiB of an output; all
    /// other bytes stay as they are. The kind of file is decided by its first bytes, or by its name for HTML.
    /// Unknown labels are left as they are. Files that are UTF-8 already but declare something else are
    /// corrected, too.
    #[arg(long, requires = "each")]
    pub(crate) fix_declarations: bool,

    /// Convert the files that FILE lists, each from its own encoding; "-" is standard input
    ///
    /// Each line is a path, a tab, and a label; with -0, lines end with a zero byte instead of a line
    /// feed. A path may contain tabs: the last one counts. All labels are checked before anything is
    /// written. Excludes --from.
    #[arg(
        long,
        value_name = "FILE",
        group = "list",
        requires = "each",
        conflicts_with_all = ["from", "per_line", "undo_double_encoding", "files"]
    )]
    pub(crate) from_list: Option<PathBuf>,

    // This is last, because its heading would apply to the flags after it, too.
    #[command(flatten)]
    pub(crate) walk: WalkArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Compress {
    Zstd,
    Gzip,
}

impl Compress {
    pub(super) fn format(self) -> Compression {
        match self {
            Self::Zstd => Compression::Zstd,
            Self::Gzip => Compression::Gzip,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressArg {
    Auto,
    Always,
    Never,
}

/// Reads the value of `--backup`.
pub(super) fn parse_suffix(value: &str) -> Result<String, String> {
    if value.is_empty() || value.contains(std::path::is_separator) {
        return Err(String::from(
            "write the text to add after the name, as in .orig or ~",
        ));
    }
    Ok(String::from(value))
}
