//! The flags that select files of a tree.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use simdtext_convert::WalkOptions;

#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Which files")]
pub(crate) struct WalkArgs {
    /// Take only files that match GLOB, or with "!" in front those that don't; may be repeated
    ///
    /// As in ripgrep: with the syntax of .gitignore, and later ones win. Files named as PATH are always
    /// taken, whatever this flag, --extension, --max-size and ignore files say.
    #[arg(short, long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,

    /// Take only files whose names end with .EXT, in upper or lower case; may be repeated
    #[arg(short, long, value_name = "EXT", value_parser = parse_extension)]
    pub(crate) extension: Vec<String>,

    /// Walk hidden files and folders too
    ///
    /// Without this flag names that begin with a dot are left out, as in ripgrep. With it .gitignore and the
    /// like are files as any other; what is called .git is Git's own, and needs --no-ignore, too.
    #[arg(short = 'H', long)]
    pub(crate) hidden: bool,

    /// Walk files and folders that .gitignore, .ignore and so on exclude, too
    ///
    /// Without this flag they are left out, as in ripgrep.
    #[arg(short = 'I', long)]
    pub(crate) no_ignore: bool,

    /// Follow symbolic links, to files and to folders
    ///
    /// Without this flag links in a folder are left out. A link that is named as PATH is followed
    /// without it, too, except by `convert --in-place`, which refuses it; with this flag, the file that
    /// the link points to is replaced, and the link stays a link. Without it, --in-place converts a
    /// file that --files-from lists only if no folder on the way is a link.
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,

    /// Leave out files of more than SIZE bytes (K, M, G: KiB, MiB, GiB)
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) max_size: Option<u64>,

    /// Also take the files that FILE lists, one path per line; "-" is standard input
    #[arg(long, value_name = "FILE", group = "list")]
    pub(crate) files_from: Option<PathBuf>,

    /// Paths in the list end with a zero byte, as `find -print0` writes it
    #[arg(short = '0', long, requires = "list")]
    pub(crate) null: bool,
}

impl WalkArgs {
    /// The options that the flags stand for.
    pub(crate) fn options(&self) -> WalkOptions {
        let mut options = WalkOptions::new()
            .hidden(self.hidden)
            .no_ignore(self.no_ignore)
            .follow(self.follow)
            .max_size(self.max_size)
            .files_from(self.files_from.as_deref(), self.null);
        for glob in &self.glob {
            options = options.glob(glob);
        }
        for extension in &self.extension {
            options = options.extension(extension);
        }
        options
    }

    /// A flag that was given although files have no outputs of their own.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let listed = self.files_from.is_some().then_some("--files-from");
        self.about_folders().or(listed)
    }

    /// A flag that was given although no folder is walked.
    pub(crate) fn about_folders(&self) -> Option<&'static str> {
        let flags = [
            ("--glob", !self.glob.is_empty()),
            ("--extension", !self.extension.is_empty()),
            ("--hidden", self.hidden),
            ("--no-ignore", self.no_ignore),
            ("--follow", self.follow),
            ("--max-size", self.max_size.is_some()),
        ];
        flags
            .iter()
            .find(|(_, given)| *given)
            .map(|(flag, _)| *flag)
    }
}

/// Reads the value of `--extension`.
fn parse_extension(value: &str) -> Result<String, String> {
    if value.contains(['*', '?', '/']) {
        return Err(String::from(
            "write what comes after the dot, as in txt; --glob takes patterns",
        ));
    }
    Ok(value.to_owned())
}

/// Reads the value of `--max-size` and of `--spool-limit`.
pub(super) fn parse_size(value: &str) -> Result<u64, String> {
    let (digits, shift) = match value.char_indices().next_back() {
        Some((end, 'k' | 'K')) => (&value[..end], 10),
        Some((end, 'm' | 'M')) => (&value[..end], 20),
        Some((end, 'g' | 'G')) => (&value[..end], 30),
        _ => (value, 0),
    };
    digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(1 << shift))
        .ok_or_else(|| String::from("write a number of bytes, or a number followed by K, M or G"))
}

/// Reads the value of `--jobs`.
pub(super) fn parse_jobs(value: &str) -> Result<NonZeroUsize, String> {
    (value.parse())
        .map_err(|_| String::from("write a number of cores, 1 or more; without it, all are used"))
}

#[cfg(test)]
mod tests {
    use super::parse_size;

    #[test]
    fn sizes() {
        for (value, size) in [
            ("0", 0),
            ("17", 17),
            ("3k", 3072),
            ("2M", 2 << 20),
            ("1G", 1 << 30),
        ] {
            assert_eq!(parse_size(value), Ok(size));
        }
        for value in ["", "K", "-1", "1.5M", "1T", "99999999999G", "1é"] {
            assert!(parse_size(value).is_err(), "{value}");
        }
    }
}
