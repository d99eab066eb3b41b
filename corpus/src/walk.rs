//! The files of a run: those that are named, and those below the named folders, sorted by name.

use std::path::{Path, PathBuf};

use ignore::{Walk, WalkBuilder};

/// A file, or a folder that can't be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// The length in bytes.
    pub(crate) len: u64,
    /// The time of the last change in nanoseconds, by the system's clock.
    pub(crate) changed: u128,
}

/// Returns files one by one, in an order that depends only on their names.
pub(crate) struct Files {
    inputs: std::vec::IntoIter<PathBuf>,
    walk: Option<Walk>,
    /// The folder of the output, which may be below an input.
    without: Option<PathBuf>,
    /// The number of links, devices and so on below folders that were skipped.
    no_files: u64,
}

impl Files {
    pub(crate) fn of(inputs: Vec<PathBuf>) -> Self {
        Self {
            inputs: inputs.into_iter(),
            walk: None,
            without: None,
            no_files: 0,
        }
    }

    /// Returns the number of links, devices and so on below folders that were skipped so far.
    pub(crate) fn no_files(&self) -> u64 {
        self.no_files
    }

    /// Excludes a folder.
    pub(crate) fn without(self, folder: &Path) -> Self {
        Self {
            without: folder.canonicalize().ok(),
            ..self
        }
    }
}

impl Iterator for Files {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        loop {
            let Some(walk) = &mut self.walk else {
                let input = self.inputs.next()?;
                if !input.is_dir() {
                    return Some(found(&input));
                }
                let mut walk = WalkBuilder::new(input);
                walk.standard_filters(false)
                    .sort_by_file_name(|a, b| a.cmp(b));
                if let Some(without) = self.without.clone() {
                    walk.filter_entry(move |entry| {
                        // The name is compared first, which takes no system call.
                        Some(entry.file_name()) != without.file_name()
                            || entry.path().canonicalize().ok().as_ref() != Some(&without)
                    });
                }
                self.walk = Some(walk.build());
                continue;
            };
            match walk.next() {
                None => self.walk = None,
                Some(Ok(entry)) if entry.file_type().is_some_and(|it| it.is_file()) => {
                    return Some(found(entry.path()));
                }
                Some(Ok(entry)) => {
                    let is_folder = entry.file_type().is_some_and(|it| it.is_dir());
                    self.no_files += u64::from(!is_folder);
                }
                Some(Err(error)) => {
                    // Reported where it is opened. If the name is missing, it names no file.
                    let path = path_of(&error).unwrap_or_else(|| Path::new(""));
                    return Some(found(path));
                }
            }
        }
    }
}

impl Found {
    /// Returns whether the file has changed since it was found.
    pub(crate) fn was_changed(&self) -> bool {
        found(&self.path) != *self
    }
}

/// Returns a path as text. Bytes that are not UTF-8 are written as `\xFF`, so that two paths never give the
/// same text.
pub(crate) fn text_of(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        text += chunk.valid();
        for byte in chunk.invalid() {
            text += &format!("\\x{byte:02X}");
        }
    }
    text
}

/// A path that can't be examined is found to be unreadable where it is opened.
fn found(path: &Path) -> Found {
    let metadata = path.metadata().ok();
    let changed = metadata.as_ref().and_then(|it| it.modified().ok());
    let since = changed.and_then(|it| it.duration_since(std::time::UNIX_EPOCH).ok());
    Found {
        path: path.to_path_buf(),
        len: metadata.map_or(0, |it| it.len()),
        changed: since.map_or(0, |it| it.as_nanos()),
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        ignore::Error::Partial(errors) => errors.iter().find_map(path_of),
        _ => None,
    }
}

/// Returns the total size of all files in bytes, compressed as they are.
#[must_use]
pub fn total_bytes(inputs: &[PathBuf]) -> u64 {
    Files::of(inputs.to_vec()).map(|it| it.len).sum()
}
