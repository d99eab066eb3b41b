//! The flags of `restore`.

use std::path::PathBuf;

use super::many::parse_suffix;

/// Undo a run of `convert --in-place --backup SUFFIX`: each backup takes the place of its file again
///
/// Looks in each TREE for files whose names end with SUFFIX, and renames each over the file that has the
/// name without it. Backups that are hidden, or in folders that are hidden or ignored, are left
/// alone and counted (see --hidden and --no-ignore); ignore rules for the backups themselves don't
/// matter. Owner, mode, times and hard links are those of the backup, because it is the old file.
///
/// A file that was changed after it was converted is left alone and reported, with its backup. This is
/// decided by its times and those of its backup; in a copied tree they are meaningless, and files
/// are left alone. So is a file whose backup another program has made or changed: a converted file has
/// an extended attribute that says what its backup is. --force restores them anyway.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = after_help())]
pub(crate) struct RestoreArgs {
    /// What the names of the backups end with: the SUFFIX that was given to `convert --backup`
    #[arg(long, value_name = "SUFFIX", value_parser = parse_suffix)]
    pub(crate) backup: String,

    /// Restore files that were changed after they were converted, and from backups of other programs,
    /// too: the changes are lost
    #[arg(long)]
    pub(crate) force: bool,

    /// Show what would be restored, and do nothing
    #[arg(short = 'n', long)]
    pub(crate) dry_run: bool,

    /// Print one JSON object for each backup, and one for the run, on standard output
    #[arg(long)]
    pub(crate) json: bool,

    /// Report only what could not be restored
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,

    /// Report each file that is restored
    #[arg(short, long)]
    pub(crate) verbose: bool,

    /// Look in hidden folders, and for backups of hidden files, too
    #[arg(short = 'H', long)]
    pub(crate) hidden: bool,

    /// Look in folders that .gitignore, .ignore and so on exclude, too
    #[arg(short = 'I', long)]
    pub(crate) no_ignore: bool,

    /// Folders to look in, or files to restore, by the names that they had before
    #[arg(value_name = "TREE", required = true)]
    pub(crate) trees: Vec<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  simdtext convert --in-place -f gbk --backup .orig .
  simdtext restore --backup .orig --dry-run .            what would be restored
  simdtext restore --backup .orig .
  simdtext restore --backup .orig notes.txt              one file";

fn after_help() -> String {
    format!(
        "{EXAMPLES}

Exit status: 0 all backups were restored, or there were none; 1 files were left alone and reported; 2 usage \
error, or a file could not be restored."
    )
}
