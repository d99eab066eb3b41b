//! Whether the output folder is inside a folder that is converted, or the other way round, by any path.
//!
//! A run that finds its own outputs would convert them, too, or write over files that it is to read. Tested in
//! `cli/tests/cli/refused.rs` and `same_file.rs`.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};

use super::mounts::Mounts;
use crate::message::shown;
use crate::walk::Walk;

/// The first of the paths of the output folder that is inside a folder.
pub(super) fn inside<'p>(names: &'p [PathBuf], folder: &Path) -> Option<&'p Path> {
    let found = names.iter().find(|name| name.starts_with(folder));
    found.map(PathBuf::as_path)
}

/// The error if the output folder, whose path is `real` without links, is by the path `out` inside a folder
/// that is to be converted.
pub(super) fn is_inside(named: &Path, out: &Path, real: &Path, input: &Path) -> String {
    let mounted = if out == real {
        String::new()
    } else {
        format!(" by way of a mount, as {}", shown(out))
    };
    format!(
        "--out-dir={} is inside {}{mounted}, which is to be converted; nothing was read or written. Name a \
         folder outside of it",
        shown(named),
        shown(input)
    )
}

/// The paths in the output folder that lead to a folder that is converted, or to a part of one.
pub(super) fn inputs_below(out: &Path, walk: &Walk<'_>, mounts: &Mounts) -> BTreeSet<PathBuf> {
    let folders: Vec<&Path> = walk.folders().collect();
    let whole = folders.iter().flat_map(|folder| mounts.names(folder));
    let whole = whole.filter(|name| name.starts_with(out));
    let is_part = |point: &&Path| {
        let mut names = mounts.names(point).into_iter();
        names.any(|name| folders.iter().any(|folder| name.starts_with(folder)))
    };
    let parts = mounts.points_below(out).filter(is_part);
    whole.chain(parts.map(Path::to_path_buf)).collect()
}

/// Resolves the folders of files, which come folder by folder. The last one is remembered.
#[derive(Default)]
pub(super) struct LastFolder {
    folder: PathBuf,
    real: PathBuf,
}

impl LastFolder {
    /// The path of a folder without links.
    pub(super) fn real(&mut self, folder: &Path) -> io::Result<PathBuf> {
        if self.folder != folder {
            self.real = folder.canonicalize()?;
            self.folder = folder.to_path_buf();
        }
        Ok(self.real.clone())
    }
}

/// The path without links. What does not exist yet will be folders, and ".." leads out of these again.
pub(super) fn real_of(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut real = PathBuf::new();
    for component in absolute.components() {
        if component == Component::ParentDir {
            real.pop();
        } else {
            real.push(component);
        }
        if let Ok(found) = real.canonicalize() {
            real = found;
        }
    }
    real
}
