//! Where files and their outputs are: names in open folders.
//!
//! A root is known by what it is when the run begins. What is found below it is opened from there, and
//! no link is followed on the way, so that nobody who owns a folder of the tree can lead the run out of
//! it. With `-L` paths lead wherever they lead, but what was found there is not looked up again.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::folders::Folders;
use crate::error::Error;
use crate::message::Escaped;
use crate::options::Options;
use crate::os::{FileId, Folder, Kind, Status, is_link_refused};
use crate::output::folder_of;
use crate::walk::{FoundFile, Walk};

/// A name in an open folder.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) folder: Arc<Folder>,
    pub(crate) name: OsString,
    /// Whether a link of this name stands for what it points to.
    pub(crate) follow: bool,
}

impl Entry {
    /// What is there now.
    pub(crate) fn status(&self) -> io::Result<Status> {
        self.folder.status(&self.name, self.follow)
    }
}

/// The folders that were named.
pub(crate) struct Places {
    in_place: bool,
    follow: bool,
    /// Roots, and the folders of files that are roots, and which folders they are.
    roots: HashMap<PathBuf, FileId>,
    /// The output folder, once it is there.
    output: OnceLock<Arc<Folder>>,
}

/// The folders that a worker needed last. Files come folder by folder.
#[derive(Default)]
pub(crate) struct Recent {
    input: Option<(PathBuf, Arc<Folder>)>,
    output: Option<(PathBuf, Arc<Folder>)>,
    /// Whether the folder of the last input was open before.
    is_old: bool,
}

impl Places {
    /// `Err` says which folder can't be opened.
    pub(crate) fn new(options: &Options, walk: &Walk<'_>) -> Result<Self, Error> {
        let places = Self {
            in_place: options.in_place,
            follow: options.walk.follow,
            roots: walk
                .roots
                .iter()
                .filter_map(|root| {
                    let is_folder = root.kind?.is_dir();
                    let folder = if is_folder {
                        let follow = options.walk.follow || !options.in_place;
                        Folder::open_named(&root.path, follow)
                    } else {
                        Folder::open(&folder_of(&root.path))
                    };
                    let path = if is_folder {
                        root.path.clone()
                    } else {
                        folder_of(&root.path)
                    };
                    // What can't be opened is reported where it is needed.
                    Some((path, folder.ok()?.id().ok()?))
                })
                .collect(),
            output: OnceLock::new(),
        };
        if let Some(top) = &options.out_dir {
            match Folder::open(top) {
                Ok(folder) => places.is_output(folder),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => {
                    let top = top.to_string_lossy();
                    return Err(Error::io(
                        format_args!("--out-dir={}", Escaped(&top)),
                        &error,
                    ));
                }
            }
        }
        Ok(places)
    }

    fn is_output(&self, folder: Folder) {
        // Where two workers make it, they make the same.
        let _ = self.output.set(Arc::new(folder));
    }

    /// Where the file of a job is.
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
        if self.in_place && self.follow && folder.status(name, false)?.kind == Kind::Link {
            // The link stays one: what it points to is replaced.
            return real_entry(&fs::canonicalize(&job.path)?);
        }
        Ok(Entry {
            folder,
            name: name.to_os_string(),
            follow: !self.in_place && (self.follow || job.named),
        })
    }

    /// Opens the folder at `path`, which the file of the job is in.
    fn folder_of(&self, job: &FoundFile, path: &Path) -> io::Result<Folder> {
        if self.follow {
            return if self.in_place {
                Folder::open_real(&fs::canonicalize(path)?)
            } else {
                Folder::open(path)
            };
        }
        if !job.named {
            let depth = job.relative.components().count();
            let root = job.path.ancestors().nth(depth).unwrap_or(path);
            let below = job.relative.parent().unwrap_or(Path::new(""));
            return self.root(root)?.open_beneath(below);
        }
        if !self.in_place {
            return Folder::open(path);
        }
        if self.roots.contains_key(path) {
            return self.root(path);
        }
        let (base, below) = listed(path);
        Folder::open(&base)?.open_beneath(&below)
    }

    /// Opens the folder at `path` from where the walk found it.
    pub(crate) fn found_folder(&self, path: &Path, relative: &Path) -> io::Result<Arc<Folder>> {
        if self.follow {
            return Folder::open(path).map(Arc::new);
        }
        let depth = relative.components().count();
        let root = path.ancestors().nth(depth).unwrap_or(path);
        self.root(root)?.open_beneath(relative).map(Arc::new)
    }

    /// Opens the folder that is at `relative` in the output folder. `None` where none is there.
    pub(crate) fn output_folder(&self, relative: &Path) -> io::Result<Option<Arc<Folder>>> {
        match self.output.get().map(|top| top.open_beneath(relative)) {
            None => Ok(None),
            Some(Err(error)) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Some(folder) => folder.map(|folder| Some(Arc::new(folder))),
        }
    }

    /// Opens a folder that was there when the run began.
    fn root(&self, path: &Path) -> io::Result<Folder> {
        let folder = Folder::open(path)?;
        match self.roots.get(path) {
            Some(id) if folder.id()? != *id => Err(io::Error::other(
                "the folder that was named is not the one that was there when the run began",
            )),
            _ => Ok(folder),
        }
    }

    /// The output folder, if it is there.
    pub(crate) fn top(&self) -> Option<&Folder> {
        self.output.get().map(Arc::as_ref)
    }

    /// Where an output is, `relative` to the output folder. `None` where its folder is not there.
    pub(crate) fn output(&self, relative: &Path, recent: &mut Recent) -> io::Result<Option<Entry>> {
        let Some(top) = self.output.get() else {
            return Ok(None);
        };
        Self::output_entry(relative, recent, |below| top.open_beneath(below))
    }

    /// Where an output is, `relative` to the output folder at `path`. Folders are made as needed.
    pub(crate) fn make_output(
        &self,
        path: &Path,
        relative: &Path,
        folders: &Folders,
        recent: &mut Recent,
    ) -> io::Result<Entry> {
        let top = match self.output.get() {
            Some(top) => top,
            None => {
                folders.make_top(path)?;
                self.is_output(Folder::open(path)?);
                self.output.get().ok_or(io::ErrorKind::NotFound)?
            }
        };
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
                Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                    return Err(io::ErrorKind::NotADirectory.into());
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
    /// Whether the folder of the last input was open before that input came. It is forgotten.
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

/// The folder that a listed path begins in (the root, this folder, or one above it), and the plain
/// names that lead on from there. As no link is followed, `..` is the folder before.
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
