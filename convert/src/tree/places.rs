//! The places of files and their outputs: names in open folders.
//!
//! The identity of a root is recorded when the run begins. What is found below it is opened from there
//! without following links, so that the owner of a folder in the tree can't lead the run out of it. With
//! `-L`, links are followed to wherever they lead, but what was found there is not looked up again.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::folders::Folders;
use crate::error::Error;
use crate::message::shown;
use crate::options::Options;
use crate::os::{FileId, Folder, Kind, Status, is_link_refused};
use crate::output::folder_of;
use crate::walk::{FoundFile, Walk};

/// A name in an open folder.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) folder: Arc<Folder>,
    pub(crate) name: OsString,
    /// Whether a link with this name stands for what it points to.
    pub(crate) follow: bool,
}

impl Entry {
    /// What exists there now.
    pub(crate) fn status(&self) -> io::Result<Status> {
        self.folder.status(&self.name, self.follow)
    }
}

/// The folders that were named.
pub(crate) struct Places<'a> {
    options: &'a Options,
    /// Roots, and the folders of files that are roots, with their identities.
    roots: HashMap<PathBuf, FileId>,
    /// The output folder. It was made to be locked, and need not exist in a dry run.
    output: Option<Arc<Folder>>,
}

/// The folders that a worker used last. Files come folder by folder.
#[derive(Default)]
pub(crate) struct Recent {
    input: Option<(PathBuf, Arc<Folder>)>,
    output: Option<(PathBuf, Arc<Folder>)>,
    /// Whether the folder of the last input was already open.
    is_old: bool,
}

impl<'a> Places<'a> {
    /// `Err` says which folder can't be opened.
    pub(crate) fn new(options: &'a Options, walk: &Walk<'_>) -> Result<Self, Error> {
        let output = match &options.out_dir {
            None => None,
            Some(top) => match Folder::open(top) {
                Ok(folder) => Some(Arc::new(folder)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                Err(error) => {
                    let what = format_args!("--out-dir={}", shown(top));
                    return Err(Error::io(what, &error));
                }
            },
        };
        Ok(Self {
            options,
            roots: walk
                .roots
                .iter()
                .filter_map(|root| {
                    let (path, follow) = if root.is_folder() {
                        (root.path.clone(), options.walk.follow || !options.in_place)
                    } else {
                        (folder_of(&root.path), true)
                    };
                    let folder = Folder::open_named(&path, follow);
                    // A folder that can't be opened is reported when it is needed.
                    Some((path, folder.ok()?.id().ok()?))
                })
                .collect(),
            output,
        })
    }

    /// The place of the file of a job.
    pub(crate) fn input(&self, job: &FoundFile, recent: &mut Recent) -> io::Result<Entry> {
        let name = job.path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = folder_of(&job.path);
        let folder = match &recent.input {
            Some((path, open)) if path.as_os_str() == folder.as_os_str() => {
                recent.is_old = true;
                Arc::clone(open)
            }
            _ => {
                recent.is_old = false;
                let open = Arc::new(self.folder_of(job, &folder)?);
                recent.input = Some((folder, Arc::clone(&open)));
                open
            }
        };
        let Options {
            in_place, ref walk, ..
        } = *self.options;
        if in_place && walk.follow && folder.status(name, false)?.kind == Kind::Link {
            // The link stays a link: what it points to is replaced.
            return real_entry(&fs::canonicalize(&job.path)?);
        }
        Ok(Entry {
            folder,
            name: name.to_os_string(),
            follow: !in_place && (walk.follow || job.named),
        })
    }

    /// Opens the folder at `path` that contains the file of the job.
    fn folder_of(&self, job: &FoundFile, path: &Path) -> io::Result<Folder> {
        if self.options.walk.follow {
            return if self.options.in_place {
                Folder::open_real(&fs::canonicalize(path)?)
            } else {
                Folder::open(path)
            };
        }
        if !job.named {
            let below = job.relative.parent().unwrap_or(Path::new(""));
            return self.found_folder(path, below);
        }
        if !self.options.in_place {
            return Folder::open(path);
        }
        if self.roots.contains_key(path) {
            return self.root(path);
        }
        let (base, below) = listed(path);
        Folder::open(&base)?.open_beneath(&below)
    }

    /// Opens the folder at `path`, starting from where the walk found it.
    pub(crate) fn found_folder(&self, path: &Path, relative: &Path) -> io::Result<Folder> {
        if self.options.walk.follow {
            return Folder::open(path);
        }
        let depth = relative.components().count();
        let root = path.ancestors().nth(depth).unwrap_or(path);
        self.root(root)?.open_beneath(relative)
    }

    /// Opens the folder at `relative` in the output folder; `None` if it does not exist.
    pub(crate) fn output_folder(&self, relative: &Path) -> io::Result<Option<Arc<Folder>>> {
        match self.output.as_ref().map(|top| top.open_beneath(relative)) {
            None => Ok(None),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Some(folder) => folder.map(|folder| Some(Arc::new(folder))),
        }
    }

    /// Opens a folder that existed when the run began.
    fn root(&self, path: &Path) -> io::Result<Folder> {
        let folder = Folder::open(path)?;
        match self.roots.get(path) {
            Some(id) if folder.id()? != *id => Err(io::Error::other(
                "the folder that was named is not the one that was there when the run began",
            )),
            _ => Ok(folder),
        }
    }

    /// The output folder, if it exists.
    pub(crate) fn top(&self) -> Option<&Folder> {
        self.output.as_deref()
    }

    /// The place of an output, `relative` to the output folder; `None` if its folder does not exist.
    pub(crate) fn output(&self, relative: &Path, recent: &mut Recent) -> io::Result<Option<Entry>> {
        let Some(top) = &self.output else {
            return Ok(None);
        };
        Self::output_entry(relative, recent, |below| top.open_beneath(below))
    }

    /// Whether [`Places::make_output`] could create the folders of an output, as far as that can be known without
    /// doing it.
    pub(crate) fn check_output(&self, relative: &Path) -> io::Result<()> {
        let path = self.options.out_dir.as_deref().unwrap_or(Path::new(""));
        let target = path.join(relative);
        for above in target.ancestors().skip(1) {
            let folder = match (&self.output, above.strip_prefix(path)) {
                (Some(top), Ok(below)) => top.open_beneath(below),
                _ if above.as_os_str().is_empty() => Folder::open(Path::new(".")),
                _ => Folder::open(above),
            };
            let folder = match folder {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                opened => opened?,
            };
            folder.check_changeable()?;
            // The folders that will be made take names of the same length.
            for name in target.strip_prefix(above).unwrap_or(relative) {
                match folder.status(name, false) {
                    Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
            return Ok(());
        }
        Ok(())
    }

    /// The place of an output, `relative` to the output folder. Folders are created as needed.
    pub(crate) fn make_output(
        &self,
        relative: &Path,
        folders: &Folders,
        recent: &mut Recent,
    ) -> io::Result<Entry> {
        let top = self.output.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let entry = Self::output_entry(relative, recent, |below| {
            top.make_beneath(below, &mut |made| folders.changed(&Arc::new(made)))
        })?;
        entry.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn output_entry(
        relative: &Path,
        recent: &mut Recent,
        open: impl FnOnce(&Path) -> io::Result<Folder>,
    ) -> io::Result<Option<Entry>> {
        let name = relative.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let below = relative.parent().unwrap_or(Path::new(""));
        let folder = match &recent.output {
            Some((path, folder)) if path.as_os_str() == below.as_os_str() => Arc::clone(folder),
            _ => match open(below) {
                Ok(folder) => {
                    let folder = Arc::new(folder);
                    recent.output = Some((below.to_path_buf(), Arc::clone(&folder)));
                    folder
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) if is_link_refused(&error) => {
                    return Err(io::Error::other(
                        "a folder above it is a symbolic link, which may lead out of the output \
                         folder",
                    ));
                }
                Err(error) => return Err(error),
            },
        };
        Ok(Some(Entry {
            folder,
            name: name.to_os_string(),
            follow: false,
        }))
    }
}

impl Recent {
    /// Whether the folder of the last input was already open before that input came. Reading this resets it.
    pub(crate) fn is_old_input(&mut self) -> bool {
        self.is_old && self.input.take().is_some()
    }
}

/// A file at a path without links.
fn real_entry(path: &Path) -> io::Result<Entry> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    Ok(Entry {
        folder: Arc::new(Folder::open_real(&folder_of(path))?),
        name: name.to_os_string(),
        follow: false,
    })
}

/// The folder in which a listed path begins (the root, this folder, or one above it), and the plain names
/// that lead on from there. Because no link is followed, `..` is the folder before.
fn listed(path: &Path) -> (PathBuf, PathBuf) {
    let (mut base, mut below) = (PathBuf::new(), PathBuf::new());
    for component in path.components() {
        match component {
            Component::Normal(name) => below.push(name),
            Component::CurDir => {}
            Component::ParentDir if below.pop() => {}
            _ => base.push(component),
        }
    }
    if base.as_os_str().is_empty() {
        base.push(".");
    }
    (base, below)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::listed;

    #[test]
    fn a_listed_path_is_taken_apart_where_names_begin() {
        for (path, base, below) in [
            ("a/b", ".", "a/b"),
            (".", ".", ""),
            ("./a", ".", "a"),
            ("../a/b", "..", "a/b"),
            ("../../a", "../..", "a"),
            ("a/../b", ".", "b"),
            ("a/../../b", "..", "b"),
            ("/a/b", "/", "a/b"),
            ("/a/../b", "/", "b"),
        ] {
            let (found_base, found_below) = listed(Path::new(path));
            assert_eq!(
                (&*found_base, &*found_below),
                (Path::new(base), Path::new(below)),
                "{path}"
            );
        }
    }
}
