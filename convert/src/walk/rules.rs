//! Walks a folder by the rules of ripgrep, as the crate `ignore` has them.
//!
//! That crate opens whatever is called `.gitignore` and so on: it would wait for the other end of a named pipe, read
//! what has no end, and pass over a file that it may not read. So these files are looked at before it enters a folder.
//! Tested in `cli/tests/cli/odd_files.rs`.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use ignore::{DirEntry, WalkBuilder};

use super::{UnusableInput, name_of, odd};
use crate::message::plain;
use crate::mutex::lock;
use crate::os::is_temporary_name;

/// The files in a folder that say which files to leave out.
const IGNORE_FILES: [&str; 3] = [".ignore", ".gitignore", ".git/info/exclude"];

/// The size of the largest of these that is read, in bytes. All of its patterns are kept in memory.
const LARGEST: u64 = 1 << 20;

/// The entries of a folder and those below. A folder with an ignore file that can't be read is an error, and is not
/// entered.
pub(crate) struct RuledWalk {
    root: PathBuf,
    /// `None` if the root is not entered.
    walk: Option<ignore::Walk>,
    /// The next entry, if folders before it were not entered.
    next: Option<Result<DirEntry, ignore::Error>>,
    refused: Arc<Mutex<Vec<UnusableInput>>>,
}

impl RuledWalk {
    /// Walks with or without hidden files, and with or without ignored files; files of more than `max_size` bytes are
    /// left out. `adjust` sets what else is left out.
    pub(crate) fn new(
        root: &Path,
        hidden: bool,
        no_ignore: bool,
        max_size: Option<u64>,
        adjust: impl FnOnce(&mut WalkBuilder),
    ) -> Self {
        let refusal = move |folder: &Path| match no_ignore {
            true => None,
            false => unreadable(folder),
        };
        // Those in the folders above count, too.
        let real = fs::canonicalize(root).unwrap_or_else(|_| root.to_path_buf());
        let of_root: Vec<_> = real.ancestors().find_map(refusal).into_iter().collect();
        let is_root_entered = of_root.is_empty();
        let refused = Arc::new(Mutex::new(of_root));
        let mut builder = WalkBuilder::new(root);
        builder
            .hidden(!hidden)
            .parents(!no_ignore)
            .ignore(!no_ignore)
            .git_ignore(!no_ignore)
            .git_global(!no_ignore)
            .git_exclude(!no_ignore);
        adjust(&mut builder);
        let refusing = Arc::clone(&refused);
        builder.filter_entry(move |entry| {
            // Even if hidden files are wanted: what Git keeps there is its own.
            if entry.file_name() == ".git" && !no_ignore || is_temporary(entry) {
                return false;
            }
            // With `max_filesize`, that crate would not call this for files.
            if max_size.is_some_and(|max| is_larger(entry, max)) {
                return false;
            }
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            let refusal = is_folder.then(|| refusal(entry.path())).flatten();
            let is_entered = refusal.is_none();
            lock(&refusing).extend(refusal);
            is_entered
        });
        Self {
            root: root.to_path_buf(),
            walk: is_root_entered.then(|| builder.build()),
            next: None,
            refused,
        }
    }
}

impl Iterator for RuledWalk {
    type Item = Result<DirEntry, UnusableInput>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next.is_none() {
            self.next = self.walk.as_mut().and_then(Iterator::next);
        }
        if let Some(refused) = lock(&self.refused).pop() {
            return Some(Err(refused));
        }
        let next = self.next.take()?;
        Some(next.map_err(|error| odd(&self.root, &error)))
    }
}

fn is_larger(entry: &DirEntry, max: u64) -> bool {
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    !is_folder && entry.metadata().is_ok_and(|it| it.len() > max)
}

/// Files that another run is writing, or has left behind.
fn is_temporary(entry: &DirEntry) -> bool {
    let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
    is_file && entry.file_name().to_str().is_some_and(is_temporary_name)
}

/// The first of the ignore files of a folder that can't be read. A folder of that name is none.
fn unreadable(folder: &Path) -> Option<UnusableInput> {
    IGNORE_FILES.iter().find_map(|name| {
        let path = folder.join(name);
        let metadata = fs::metadata(&path).ok()?;
        let kind = metadata.file_type();
        let why = if kind.is_dir() {
            return None;
        } else if let Some(name) = name_of(kind) {
            format!("it is {name}")
        } else if metadata.len() > LARGEST {
            format!("it has more than {LARGEST} bytes")
        } else {
            plain(&File::open(&path).err()?)
        };
        let why = format!(
            "{why}; nothing in its folder is read, because it would say what to leave out. -I leaves nothing out"
        );
        Some(UnusableInput::error(path, why))
    })
}
