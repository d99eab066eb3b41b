//! Finds the files for a command: those that the PATHs, the folders among them and `--files-from` name.

mod list;
mod patterns;
mod rules;

use std::collections::BTreeSet;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ignore::DirEntry;
use ignore::overrides::Override;

use crate::charset::Charset;
use crate::error::Error;
use crate::message::{Escaped, plain, shown};
use crate::mutex::lock;
use crate::options::WalkOptions;
use crate::os;
use crate::severity::Severity;
use list::List;
use patterns::{LeftOut, Patterns, has_extension, rule_of};
pub(crate) use rules::RuledWalk;

/// A file that a [`Walk`] has found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FoundFile {
    /// Its path.
    pub path: PathBuf,
    /// Its path below the output folder.
    pub relative: PathBuf,
    /// Whether it was named, and not found in a folder.
    pub named: bool,
    /// The encoding that the list states for it.
    pub from: Option<Charset>,
}

/// Something that a [`Walk`] has found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Found {
    /// A file.
    File(FoundFile),
    /// A folder. Its files come next.
    Folder {
        /// Its path.
        path: PathBuf,
        /// Its path below the output folder.
        relative: PathBuf,
    },
    /// Something that is not a file, or can't be read.
    Unusable(UnusableInput),
}

/// A path that leads to no file that can be converted: a device, a link without a target, a folder that can't
/// be read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnusableInput {
    /// Its path.
    pub path: PathBuf,
    /// What it is, or why it can't be read.
    pub why: String,
    /// How bad that is.
    pub severity: Severity,
}

impl UnusableInput {
    /// Something that can't be read.
    fn error(path: impl Into<PathBuf>, why: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            why: why.into(),
            severity: Severity::Error,
        }
    }

    /// Something in a folder that is not a file.
    fn no_file(path: impl Into<PathBuf>, why: impl Into<String>) -> Self {
        Self {
            severity: Severity::Faults,
            ..Self::error(path, why)
        }
    }
}

/// Finds files: in paths, the folders among them, and a list, by the rules of [`WalkOptions`].
///
/// ```
/// use simdtext_convert::{Found, Walk, WalkOptions};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path().to_path_buf();
/// std::fs::write(folder.join("notes.txt"), "text")?;
/// std::fs::write(folder.join(".hidden"), "text")?;
///
/// let options = WalkOptions::default();
/// let walk = Walk::new(&[folder], &options, false, None)?;
/// let mut names = Vec::new();
/// walk.each(&mut |found| {
///     if let Found::File(file) = found {
///         names.push(file.relative);
///     }
///     true
/// })?;
/// assert_eq!(names, [std::path::Path::new("notes.txt")]);
/// # Ok(())
/// # }
/// ```
pub struct Walk<'a> {
    options: &'a WalkOptions,
    /// Whether patterns also match names without the ending of a compressed file.
    decompress: bool,
    /// The suffix of backups, which are left out.
    backup: Option<&'a str>,
    pub(crate) roots: Vec<Root>,
    list: Option<List>,
    globs: Override,
    patterns: Patterns,
    /// What is wrong with lines of ignore files.
    misread: Mutex<BTreeSet<String>>,
}

/// How many lines of ignore files are reported.
const MISREAD: usize = 10;

/// A path that was named.
pub(crate) struct Root {
    pub(crate) path: PathBuf,
    /// The path without links, if it exists.
    pub(crate) real: Option<PathBuf>,
    pub(crate) kind: Option<FileType>,
}

impl<'a> Walk<'a> {
    /// The files that `paths` and the options name. With `decompress`, patterns also match names without the
    /// ending of a compressed file. Files whose names end with `backup` are left out.
    ///
    /// # Errors
    ///
    /// [`Error::Options`] says what can't be walked, or which pattern is malformed.
    pub fn new(
        paths: &[PathBuf],
        options: &'a WalkOptions,
        decompress: bool,
        backup: Option<&'a str>,
    ) -> Result<Self, Error> {
        Self::with_list(paths, options, decompress, backup, None).map_err(Error::Options)
    }

    /// [`Walk::new`], and the files that `labelled` lists with their encodings.
    pub(crate) fn with_list(
        paths: &[PathBuf],
        options: &'a WalkOptions,
        decompress: bool,
        backup: Option<&'a str>,
        labelled: Option<&Path>,
    ) -> Result<Self, String> {
        if paths.iter().any(|path| path == Path::new("-")) {
            return Err(String::from(
                "\"-\" (standard input) has no name to convert it under; --output writes one file, \
                 and --files-from=- reads a list of files",
            ));
        }
        if paths.is_empty() && options.files_from.is_none() && labelled.is_none() {
            return Err(String::from(
                "no PATH to convert; \".\" is this folder, and --files-from reads a list of files",
            ));
        }
        let roots = paths.iter().map(|path| Root::new(path)).collect();
        let list = match (&options.files_from, labelled) {
            (Some(name), _) => Some(List::open(name, options.null, false)?),
            (None, Some(name)) => Some(List::open(name, options.null, true)?),
            (None, None) => None,
        };
        Ok(Self {
            options,
            decompress,
            backup,
            roots,
            list,
            globs: rule_of(&options.glob)?,
            patterns: Patterns::new(options)?,
            misread: Mutex::default(),
        })
    }

    /// Whether there is a list of files.
    pub(crate) fn has_list(&self) -> bool {
        self.list.is_some()
    }

    /// The folders that are named as PATH, without links.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &Path> {
        let folders = self.roots.iter().filter(|root| root.is_folder());
        folders.filter_map(|root| root.real.as_deref())
    }

    /// Whether links in folders are followed.
    pub(crate) fn follows(&self) -> bool {
        self.options.follow
    }

    /// The path of the list of files. Standard input has none.
    pub(crate) fn list_path(&self) -> Option<&Path> {
        let path = self.list.as_ref().map(List::path);
        path.filter(|path| *path != Path::new("-"))
    }

    /// Calls `each` with everything that is found, until it returns false.
    ///
    /// # Errors
    ///
    /// Those of reading the list of files. A folder that can't be read is [`Found::Unusable`].
    pub fn each(&self, each: &mut dyn FnMut(Found) -> bool) -> io::Result<()> {
        for root in &self.roots {
            if !self.root(root, each) {
                return Ok(());
            }
        }
        match &self.list {
            Some(list) => list.each(each),
            None => Ok(()),
        }
    }

    /// [`Walk::each`], before a run begins.
    pub(crate) fn before(&self, each: &mut dyn FnMut(Found) -> bool) -> Result<(), Error> {
        self.each(each)
            .map_err(|error| Error::io("cannot read the list of files", &error))
    }

    fn root(&self, root: &Root, each: &mut dyn FnMut(Found) -> bool) -> bool {
        let why = match root.kind {
            Some(kind) if kind.is_dir() => return self.folder(root, each),
            Some(kind) => name_of(kind).map(|name| format!("it is {name}")),
            None => Some(match fs::metadata(&root.path) {
                Err(error) => plain(&error),
                Ok(_) => String::from("it was not there a moment ago"),
            }),
        };
        let path = root.path.clone();
        each(match why {
            Some(why) => Found::Unusable(UnusableInput::error(path, why)),
            None => Found::File(FoundFile {
                relative: path.file_name().map_or_else(PathBuf::new, PathBuf::from),
                path,
                named: true,
                from: None,
            }),
        })
    }

    fn folder(&self, root: &Root, each: &mut dyn FnMut(Found) -> bool) -> bool {
        for entry in self.below(root, self.options.hidden, self.options.no_ignore) {
            let found = match entry {
                Ok(entry) => {
                    if let Some(error) = entry.error() {
                        self.note(error);
                    }
                    self.entry(root, entry)
                }
                Err(unusable) => Some(Found::Unusable(unusable)),
            };
            if let Some(found) = found
                && !each(found)
            {
                return false;
            }
        }
        true
    }

    /// Records a line of an ignore file that could not be understood: what it should leave out is converted.
    fn note(&self, error: &ignore::Error) {
        if let ignore::Error::Partial(errors) = error {
            errors.iter().for_each(|error| self.note(error));
            return;
        }
        let mut misread = lock(&self.misread);
        if misread.len() < MISREAD {
            misread.insert(Escaped(&error.to_string()).to_string());
        }
    }

    /// Walks a folder, with or without hidden files, and with or without ignored files.
    fn below(&self, root: &Root, hidden: bool, no_ignore: bool) -> RuledWalk {
        RuledWalk::new(
            &root.path,
            hidden,
            no_ignore,
            self.options.max_size,
            |walk| {
                walk.follow_links(self.options.follow)
                    .overrides(self.globs.clone());
            },
        )
    }

    /// Messages after a walk: about lines of ignore files that left nothing out because they are malformed,
    /// about patterns that matched no file, and about folders without a file, with the number of files that
    /// were left out for another reason.
    pub fn warnings(&self) -> Vec<String> {
        let misread = lock(&self.misread);
        let misread = misread
            .iter()
            .map(|line| format!("{line}; nothing was left out because of it"));
        misread.chain(self.unmatched()).collect()
    }

    /// The messages about patterns and folders.
    fn unmatched(&self) -> Vec<String> {
        let folders: Vec<&Root> = self.roots.iter().filter(|root| root.is_folder()).collect();
        if folders.is_empty() {
            return Vec::new();
        }
        let unmatched = self.patterns.unmatched();
        if unmatched.is_empty() && self.options.extension.is_empty() && self.options.glob.is_empty()
        {
            if !self.patterns.is_without_files() {
                return Vec::new();
            }
            let left_out = self.left_out(&folders, &|path| self.is_wanted(path));
            let names: Vec<_> = folders.iter().map(|root| shown(&root.path)).collect();
            return vec![left_out.message(&names.join(", "))];
        }
        unmatched
            .iter()
            .map(|pattern| {
                self.left_out(&folders, &|path| pattern.is_match(path, self.decompress))
                    .message(&pattern.shown())
            })
            .collect()
    }

    /// How many files were left out for which `is_match` is true. This walks again, but only if no file was
    /// found.
    fn left_out(&self, folders: &[&Root], is_match: &dyn Fn(&Path) -> bool) -> LeftOut {
        let WalkOptions {
            hidden, no_ignore, ..
        } = *self.options;
        let count_if = |hidden, no_ignore, is_kind: fn(&FileType) -> bool| -> u64 {
            let below = folders
                .iter()
                .flat_map(|root| self.below(root, hidden, no_ignore));
            let files = below.flatten().filter(|entry| {
                let is_kind = entry.file_type().is_some_and(|kind| is_kind(&kind));
                is_kind && entry.depth() > 0 && is_match(entry.path())
            });
            files.count() as u64
        };
        let count = |hidden, no_ignore| count_if(hidden, no_ignore, FileType::is_file);
        let ignored = if no_ignore { 0 } else { count(hidden, true) };
        let of_hidden = if hidden { 0 } else { count(true, no_ignore) };
        let both = if hidden || no_ignore || ignored + of_hidden > 0 {
            0
        } else {
            count(true, true)
        };
        LeftOut {
            ignored,
            hidden: of_hidden,
            both,
            links: if self.options.follow {
                0
            } else {
                count_if(hidden, no_ignore, FileType::is_symlink)
            },
        }
    }

    fn entry(&self, root: &Root, entry: DirEntry) -> Option<Found> {
        let relative = entry.path().strip_prefix(&root.path);
        let relative = relative.map_or_else(|_| PathBuf::new(), Path::to_path_buf);
        // The root may be a link, which is followed.
        let kind = entry.file_type()?;
        if entry.depth() == 0 || kind.is_dir() {
            return Some(Found::Folder {
                path: entry.into_path(),
                relative,
            });
        }
        if !self.is_wanted(entry.path()) || kind.is_symlink() {
            return None;
        }
        let path = entry.into_path();
        self.patterns.found(&path, self.decompress);
        Some(match name_of(kind) {
            None => Found::File(FoundFile {
                path,
                relative,
                named: false,
                from: None,
            }),
            Some(name) => Found::Unusable(UnusableInput::no_file(path, format!("it is {name}"))),
        })
    }

    /// Whether the name has one of the extensions, and is not that of a backup.
    fn is_wanted(&self, path: &Path) -> bool {
        if let Some(suffix) = self.backup
            && let Some(name) = path.file_name()
            && os::name_bytes(Path::new(name)).ends_with(suffix.as_bytes())
        {
            return false;
        }
        let wanted = &self.options.extension;
        let is_one = |wanted: &String| has_extension(path, wanted, self.decompress);
        wanted.is_empty() || wanted.iter().any(is_one)
    }
}

impl Root {
    /// Whether it is a folder, or a link to one.
    pub(crate) fn is_folder(&self) -> bool {
        self.kind.is_some_and(|kind| kind.is_dir())
    }

    fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            real: fs::canonicalize(path).ok(),
            kind: fs::metadata(path).ok().map(|metadata| metadata.file_type()),
        }
    }
}

/// A name for what can't be converted.
#[cfg(unix)]
fn name_of(kind: FileType) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    if kind.is_file() {
        None
    } else if kind.is_fifo() {
        Some("a named pipe")
    } else if kind.is_socket() {
        Some("a socket")
    } else {
        Some("a device")
    }
}

/// A name for what can't be converted.
#[cfg(not(unix))]
fn name_of(kind: FileType) -> Option<&'static str> {
    (!kind.is_file()).then_some("not a regular file")
}

/// The message for what `ignore` could not walk.
fn odd(root: &Path, error: &ignore::Error) -> UnusableInput {
    match error {
        ignore::Error::WithPath { path, err } => odd(path, err),
        ignore::Error::WithDepth { err, .. } => odd(root, err),
        ignore::Error::Loop { ancestor, child } => UnusableInput::no_file(
            child,
            format!(
                "it is a link to the folder {} that it is in",
                shown(ancestor)
            ),
        ),
        ignore::Error::Io(error) => UnusableInput::error(root, without_path(&plain(error))),
        other => UnusableInput::error(root, Escaped(&other.to_string()).to_string()),
    }
}

/// The walk puts the path into its message, but the report has it already.
fn without_path(message: &str) -> String {
    let cause = if message.starts_with("IO error for operation on ") {
        message.rsplit(": ").next()
    } else {
        None
    };
    String::from(cause.unwrap_or(message))
}
