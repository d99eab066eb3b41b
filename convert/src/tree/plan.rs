//! Which output belongs to which input, and what is refused before any file is changed.

use std::collections::BTreeSet;
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hash};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::inside::{LastFolder, inputs_below, inside, is_inside, real_of};
use super::mounts::Mounts;
use crate::cancel::Cancel;
use crate::error::Error;
use crate::format::Format;
use crate::message::{shown, shown_below};
use crate::options::Options;
use crate::os::{self, FileId};
use crate::output::folder_of;
use crate::packed::without_ending;
use crate::walk::{Found, FoundFile, Walk};

/// The folder for outputs, and how their names differ from those of the inputs.
#[derive(Clone, Copy)]
pub(crate) struct Below<'a> {
    pub(crate) folder: &'a Path,
    options: &'a Options,
}

/// How many of the paths that collide are named in a message.
const NAMED: usize = 10;

/// Refuses what would overwrite an input, or write two files to one place. `Err` says why nothing is begun.
pub(super) fn refuse(options: &Options, walk: &Walk<'_>, cancel: &Cancel) -> Result<(), Error> {
    let mounts = Mounts::of_the_system();
    let several = walk.roots.len() > 1 || walk.has_list();
    let below = Below::of(options);
    let first_walk = match below {
        None => {
            refuse_in_place(options, walk).map_err(Error::Options)?;
            several || options.walk.follow
        }
        Some(below) => {
            below
                .refuse_inputs(walk, &mounts)
                .map_err(Error::Collision)?;
            // In a new folder, with a single input folder whose names are kept, nothing can collide.
            // Nor can an output be found again, unless links are followed.
            several || options.decompress || options.walk.follow || below.folder.exists()
        }
    };
    if first_walk {
        Paths::new(options, below, walk, &mounts).refuse_collisions(walk, cancel)?;
    }
    Ok(())
}

/// Walks until `each` refuses something that is found, with the reason, or the run is cancelled.
fn unless_refused(
    walk: &Walk<'_>,
    cancel: &Cancel,
    mut each: impl FnMut(Found) -> Result<(), String>,
) -> Result<(), Error> {
    let mut done = Ok(());
    walk.before(&mut |found| {
        done = each(found);
        done.is_ok() && !cancel.is_cancelled()
    })?;
    done.map_err(Error::Collision)
}

/// Hashes of the paths of outputs: 16 bytes for each, however long it is.
struct Paths<'a> {
    options: &'a Options,
    below: Option<Below<'a>>,
    hashers: [RandomState; 2],
    last: LastFolder,
    /// The output folder, without links.
    out: PathBuf,
    mounts: &'a Mounts,
    /// The folders in it that are converted, without links.
    inputs: BTreeSet<PathBuf>,
}

impl<'a> Paths<'a> {
    fn new(
        options: &'a Options,
        below: Option<Below<'a>>,
        walk: &Walk<'_>,
        mounts: &'a Mounts,
    ) -> Self {
        let (out, inputs) = match below {
            None => Default::default(),
            Some(below) => {
                let out = real_of(below.folder);
                let inputs = inputs_below(&out, walk, mounts);
                (out, inputs)
            }
        };
        Self {
            options,
            below,
            hashers: [RandomState::new(), RandomState::new()],
            last: LastFolder::default(),
            inputs,
            mounts,
            out,
        }
    }

    /// Walks once, and refuses outputs that would be written twice or where they must not be.
    fn refuse_collisions(mut self, walk: &Walk<'_>, cancel: &Cancel) -> Result<(), Error> {
        let mut hashes = Vec::new();
        // Hashes of the paths of files that are named, with their list, and of outputs that exist.
        let (mut named, mut existing) = (Vec::new(), Vec::new());
        let any_named = walk.has_list() || walk.roots.iter().any(|root| !root.is_folder());
        let mut linked = BTreeSet::new();
        unless_refused(walk, cancel, |found| {
            match found {
                Found::File(job) => {
                    hashes.push(self.hash(&job)?);
                    if let (Some(below), true) = (self.below, any_named) {
                        existing.extend(self.existing(below, &job));
                        named.extend(job.named.then(|| self.input(&job.path)));
                    }
                }
                Found::Folder { path, .. } if walk.follows() => {
                    linked.extend(self.linked(&path)?);
                }
                _ => {}
            }
            Ok(())
        })?;
        if let (Some(below), false) = (self.below, linked.is_empty()) {
            // Which of the outputs are in these can only be known now.
            self.inputs.extend(linked);
            unless_refused(walk, cancel, |found| match found {
                Found::File(job) => self.only_name(below, &job).map(drop),
                _ => Ok(()),
            })?;
        }
        named.extend(walk.list_path().map(|list| self.input(list)));
        named.sort_unstable();
        existing.retain(|output| named.binary_search(output).is_ok());
        if let (Some(below), false) = (self.below, existing.is_empty()) {
            return below.name_replaced(walk, &self, &existing);
        }
        drop((named, existing));
        hashes.sort_unstable();
        let mut twice: Vec<u128> = hashes
            .windows(2)
            .filter(|pair| pair[0] == pair[1])
            .map(|pair| pair[0])
            .collect();
        twice.dedup();
        drop(hashes);
        if twice.is_empty() {
            return Ok(());
        }
        self.name_collisions(walk, &twice)
    }

    /// Walks again, to find the names that collide.
    fn name_collisions(mut self, walk: &Walk<'_>, twice: &[u128]) -> Result<(), Error> {
        // The files of the first outputs that are found, and the number of all files.
        let mut groups: Vec<(u128, Vec<PathBuf>)> = Vec::new();
        let mut total = 0_u64;
        walk.before(&mut |found| {
            if let Found::File(job) = found
                && let Ok(hash) = self.hash(&job)
                && twice.binary_search(&hash).is_ok()
            {
                total += 1;
                let at = groups.iter().position(|(other, _)| *other == hash);
                match at {
                    Some(at) if groups[at].1.len() < NAMED => groups[at].1.push(job.path),
                    None if groups.len() < NAMED / 2 => groups.push((hash, vec![job.path])),
                    _ => {}
                }
            }
            true
        })?;
        let mut names = Vec::new();
        for (_, mut group) in groups {
            // Half a collision would be a riddle.
            if names.is_empty() || names.len() + group.len() <= NAMED {
                group.sort();
                names.extend(group);
            }
        }
        let (what, advice) = match self.below {
            None => (
                "the same file is named more than once, under these names",
                "Name each file once",
            ),
            Some(_) => (
                "several files would be written to the same output",
                "Name each file once, or convert them into separate output folders",
            ),
        };
        Err(Error::Collision(format!(
            "{what}; nothing was read or written. {advice}:{}",
            shown_below(names, total)
        )))
    }

    /// The hash of the path of the output for a file. `Err` says why it can't be written there.
    fn hash(&mut self, job: &FoundFile) -> Result<u128, String> {
        Ok(match self.below {
            None => self.input(&job.path),
            Some(below) => match self.only_name(below, job)? {
                // The file system may take two names for the same. A file that has several names before the
                // run is recognised by its identity.
                Some(id) => self.hash_of(&id),
                None => self.hash_of(&os::name_bytes(&below.target(&job.relative))),
            },
        })
    }

    /// The file that exists at the place of an output, as [`Below::only_name`] returns it. Refuses a place in
    /// a folder that is converted.
    fn only_name(&self, below: Below<'_>, job: &FoundFile) -> Result<Option<FileId>, String> {
        let only = below.only_name(job)?;
        if self.inputs.is_empty() {
            return Ok(only);
        }
        let output = self.out.join(below.relative_target(&job.relative));
        match self.input_above(&output) {
            None => Ok(only),
            Some(input) => Err(format!(
                "--out-dir={}: the output for {} would be written into {}, which is to be converted; \
                 nothing was read or written. Name another folder",
                shown(below.folder),
                shown(&job.path),
                shown(input),
            )),
        }
    }

    /// The folder of `inputs` that a path is in.
    fn input_above<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        path.ancestors().find(|above| self.inputs.contains(*above))
    }

    /// The path without links of a folder that was found by following links, if it is in the output folder.
    /// Refuses one that the output folder is in: the run would find its own outputs, and convert them without
    /// end. In place, refuses the whole file system.
    fn linked(&self, folder: &Path) -> Result<Option<PathBuf>, String> {
        let Ok(real) = folder.canonicalize() else {
            return Ok(None);
        };
        let Some(below) = self.below else {
            return match is_whole_system(&real) && !self.options.force {
                true => Err(format!("{} leads to {WHOLE_SYSTEM}", shown(folder))),
                false => Ok(None),
            };
        };
        if let Some(out) = inside(&self.mounts.names(&self.out), &real) {
            return Err(is_inside(below.folder, out, &self.out, folder));
        }
        let is_known = || self.input_above(&real).is_some();
        Ok((real.starts_with(&self.out) && !is_known()).then_some(real))
    }

    /// The hash of the path of a file that is read.
    fn input(&mut self, path: &Path) -> u128 {
        let real = self.real(path);
        self.hash_of(&os::name_bytes(&real))
    }

    /// The hash of the path of an output, if something exists there.
    fn existing(&self, below: Below<'_>, job: &FoundFile) -> Option<u128> {
        let output = self.out.join(below.relative_target(&job.relative));
        let exists = fs::symlink_metadata(&output).is_ok();
        exists.then(|| self.hash_of(&os::name_bytes(&output)))
    }

    fn hash_of(&self, place: &impl Hash) -> u128 {
        let [high, low] = (self.hashers.each_ref()).map(|hasher| hasher.hash_one(place));
        u128::from(high) << 64 | u128::from(low)
    }

    /// The path without links. If it can't be resolved, the path itself.
    fn real(&mut self, path: &Path) -> PathBuf {
        let is_link = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
        let (false, Some(name)) = (is_link, path.file_name()) else {
            return fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        };
        let folder = folder_of(path);
        self.last.real(&folder).unwrap_or(folder).join(name)
    }
}

impl<'a> Below<'a> {
    /// `None` if files are converted in place.
    pub(super) fn of(options: &'a Options) -> Option<Self> {
        let folder = options.out_dir.as_deref()?;
        Some(Self { folder, options })
    }

    /// The path of the output for a file.
    pub(super) fn target(&self, relative: &Path) -> PathBuf {
        self.folder.join(self.relative_target(relative))
    }

    /// The path in the folder for the output of a file.
    pub(crate) fn relative_target(&self, relative: &Path) -> PathBuf {
        let mut target = relative.to_path_buf();
        if self.options.decompress {
            target = without_ending(&target);
        }
        if let Some(compress) = self.options.compress {
            let mut name = target.into_os_string();
            name.push(".");
            name.push(Format::from(compress).ending());
            target = PathBuf::from(name);
        }
        target
    }

    /// Refuses an output folder in which inputs would be overwritten, or from which outputs would be read.
    fn refuse_inputs(&self, walk: &Walk<'_>, mounts: &Mounts) -> Result<(), String> {
        let name = shown(self.folder);
        if fs::metadata(self.folder).is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(format!(
                "--out-dir={name}: it is not a folder; name one, or a path where one can be made"
            ));
        }
        if fs::symlink_metadata(self.folder).is_ok()
            && fs::metadata(self.folder).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        {
            return Err(format!(
                "--out-dir={name}: it is a symbolic link to something that does not exist; make that folder, or \
                 remove the link"
            ));
        }
        let real = real_of(self.folder);
        let names = mounts.names(&real);
        for root in &walk.roots {
            let Some(input) = &root.real else { continue };
            let shown = shown(&root.path);
            if root.is_folder() {
                if let Some(out) = inside(&names, input) {
                    return Err(is_inside(self.folder, out, &real, &root.path));
                }
                // A file in `input`, at the place where `input` is within the output folder, would be written
                // into `input`.
                let is_hit = |input: &PathBuf| {
                    let relative = input.strip_prefix(&real);
                    relative.is_ok_and(|relative| input.join(relative).exists())
                };
                if mounts.names(input).iter().any(is_hit) {
                    return Err(format!(
                        "--out-dir={name}: outputs would be written into {shown}, which is to be \
                         converted; nothing was read or written. Name another folder"
                    ));
                }
            } else if let Some(file) = input.file_name()
                && self.target(Path::new(file)).canonicalize().ok().as_ref() == Some(input)
            {
                return Err(format!(
                    "--out-dir={name}: the output would be the same file as the input {shown}; \
                     nothing was read or written. Name another folder, or use --in-place"
                ));
            }
        }
        Ok(())
    }

    /// Walks again, to find an output that would replace a file that is read.
    fn name_replaced(
        &self,
        walk: &Walk<'_>,
        paths: &Paths<'_>,
        existing: &[u128],
    ) -> Result<(), Error> {
        let mut names = None;
        walk.before(&mut |found| {
            if let Found::File(job) = found
                && (paths.existing(*self, &job)).is_some_and(|output| existing.contains(&output))
            {
                names = Some((job.path, self.target(&job.relative)));
            }
            names.is_none()
        })?;
        let (input, target) = names.unwrap_or_default();
        Err(Error::Collision(format!(
            "the output for {} would replace {}, which is to be read, too; nothing was read or \
             written. Name another folder",
            shown(input),
            shown(target)
        )))
    }

    /// The file that exists at the place of an output, if this is its only name. Refuses a place outside of
    /// the folder, or at which something other than a file exists.
    fn only_name(&self, job: &FoundFile) -> Result<Option<FileId>, String> {
        let input = shown(&job.path);
        let plain_name = |component| matches!(component, Component::Normal(_));
        if !job.relative.components().all(plain_name) {
            return Err(format!(
                "{input}: its output would not be below {}; nothing was read or written. List paths \
                 that are relative and have no \"..\"",
                shown(self.folder)
            ));
        }
        let target = self.target(&job.relative);
        let shown = shown(&target);
        match fs::symlink_metadata(&target) {
            Ok(metadata) if !metadata.is_file() => Err(format!(
                "{shown}, the output for {input}, exists and is not a regular file; nothing was read \
                 or written. Remove it, or name another folder"
            )),
            Ok(metadata) if FileId::links(&metadata) == 1 => Ok(FileId::of(&metadata)),
            _ => Ok(None),
        }
    }
}

/// Whether a path without links is that of the root of the file system.
fn is_whole_system(real: &Path) -> bool {
    real.parent().is_none()
}

/// Why that is refused.
const WHOLE_SYSTEM: &str = "the whole file system; nothing was read or written. Name the folders in it that hold your \
                            files; --force converts all of it in place";

/// Refuses files that were named but can't be replaced.
fn refuse_in_place(options: &Options, walk: &Walk<'_>) -> Result<(), String> {
    for root in &walk.roots {
        let shown = shown(&root.path);
        let is_link = fs::symlink_metadata(&root.path).is_ok_and(|metadata| metadata.is_symlink());
        if is_link && !options.walk.follow {
            return Err(format!(
                "{shown} is a symbolic link; nothing was read or written. With -L, what it points \
                 to is converted in place"
            ));
        }
        if root
            .kind
            .is_some_and(|kind| !kind.is_file() && !kind.is_dir())
        {
            return Err(format!(
                "{shown} is not a regular file, and can't be converted in place; nothing was read or \
                 written"
            ));
        }
        if root.real.as_deref().is_some_and(is_whole_system) && !options.force {
            return Err(format!("{shown} is {WHOLE_SYSTEM}"));
        }
    }
    match (options.decompress, options.compress) {
        (true, None) => Err(String::from(
            "--decompress with --in-place needs --compress, which says how to write what was \
             compressed; or use --out-dir",
        )),
        (false, Some(_)) => Err(String::from(
            "--compress with --in-place needs --decompress: files that are not compressed stay so, \
             because their names stay; or use --out-dir",
        )),
        _ => Ok(()),
    }
}
