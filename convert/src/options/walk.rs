//! Which files a conversion includes.

use std::path::{Path, PathBuf};

/// Which files of a folder are included.
///
/// ```
/// use simdtext_convert::{Cancel, Options, WalkOptions, convert_tree};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let (old, new) = (folder.path().join("old"), folder.path().join("new"));
/// # std::fs::create_dir(&old)?;
/// for name in ["a.txt", "b.txt", "c.log"] {
///     std::fs::write(old.join(name), "text")?;
/// }
/// let walk = WalkOptions::new().extension("txt").glob("!b*");
/// let options = Options::new().out_dir(&new).walk(walk);
/// let summary = convert_tree(&[old], &options, &Cancel::new(), &())?;
/// assert_eq!(summary.files(), 1);
/// assert!(new.join("a.txt").exists());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct WalkOptions {
    pub(crate) glob: Vec<String>,
    pub(crate) extension: Vec<String>,
    pub(crate) hidden: bool,
    pub(crate) no_ignore: bool,
    pub(crate) follow: bool,
    pub(crate) max_size: Option<u64>,
    pub(crate) files_from: Option<PathBuf>,
    pub(crate) null: bool,
}

impl WalkOptions {
    /// All files that are neither hidden nor ignored by `.gitignore` and its like.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only files that one of the globs matches, in the syntax of `.gitignore`; with `!` in front, only files
    /// that it does not match. Can be called several times.
    #[must_use]
    pub fn glob(mut self, glob: impl Into<String>) -> Self {
        self.glob.push(glob.into());
        self
    }

    /// Only files with one of these extensions, without the dot. Can be called several times.
    #[must_use]
    pub fn extension(mut self, extension: impl Into<String>) -> Self {
        self.extension.push(extension.into());
        self
    }

    /// Hidden files and folders, too, except for `.git`, which also needs [`no_ignore`](Self::no_ignore).
    #[must_use]
    pub fn hidden(mut self, hidden: bool) -> Self {
        self.hidden = hidden;
        self
    }

    /// Files that `.gitignore`, `.ignore` and similar files exclude, too.
    #[must_use]
    pub fn no_ignore(mut self, no_ignore: bool) -> Self {
        self.no_ignore = no_ignore;
        self
    }

    /// Files and folders that symbolic links lead to, too.
    #[must_use]
    pub fn follow(mut self, follow: bool) -> Self {
        self.follow = follow;
        self
    }

    /// Only files of at most this size, in bytes.
    #[must_use]
    pub fn max_size(mut self, bytes: Option<u64>) -> Self {
        self.max_size = bytes;
        self
    }

    /// Also the files that a file lists, one path a line, or, with `null`, each followed by a zero byte. `-`
    /// is standard input.
    #[must_use]
    pub fn files_from(mut self, list: Option<&Path>, null: bool) -> Self {
        self.files_from = list.map(Path::to_path_buf);
        self.null = null;
        self
    }
}
