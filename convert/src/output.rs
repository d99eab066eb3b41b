//! The output of a conversion: standard output, a device, or a file that is replaced at the end.

use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::hash::BuildHasher;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use crate::error::Error;
use crate::input::Input;
use crate::message::shown;
use crate::mutex::lock;
use crate::os::{self, Folder, TEMPORARY_PREFIX, Temporary};

/// Why an output takes no more. It is not an error if the reader of a pipe closes it, as `head` does when it
/// has enough. No variants will be added.
#[derive(Debug)]
pub enum WriteError {
    /// The reader of the pipe has closed it.
    ClosedPipe,
    /// Any other error.
    Failed(io::Error),
}

impl From<WriteError> for io::Error {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::ClosedPipe => Self::from(io::ErrorKind::BrokenPipe),
            WriteError::Failed(error) => error,
        }
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::ClosedPipe
        } else {
            Self::Failed(error)
        }
    }
}

/// Where the output goes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Place {
    /// Standard output.
    Stdout,
    /// A file, which is replaced at the end.
    Path(PathBuf),
}

impl Place {
    /// The file at a path; standard output if there is no path or it is "-".
    pub fn named(output: Option<&Path>) -> Self {
        match output {
            Some(path) if path != Path::new("-") => Self::Path(path.to_path_buf()),
            _ => Self::Stdout,
        }
    }

    /// The identity of the file, if the output is a file that exists.
    pub(crate) fn id(&self) -> Option<os::FileId> {
        match self {
            Self::Stdout => os::stream_id(&io::stdout()),
            Self::Path(path) => os::FileId::of_path(path),
        }
    }

    /// Whether it is a file that would be replaced.
    pub(crate) fn is_file(&self) -> bool {
        match self {
            Self::Stdout => false,
            Self::Path(path) => {
                !is_descriptor(path) && fs::metadata(path).is_ok_and(|there| there.is_file())
            }
        }
    }

    /// Refuses to write to a file that will be read.
    ///
    /// # Errors
    ///
    /// A message that says which input that is, and what to do.
    pub fn refuse_inputs(&self, inputs: &[Input]) -> Result<(), String> {
        let Some(id) = self.id() else { return Ok(()) };
        match inputs.iter().find(|input| input.id().as_ref() == Some(&id)) {
            Some(input) => Err(format!(
                "the output {self} is the same file as the input {input}; nothing was read or \
                 written. Write to another file, and rename it when it is done"
            )),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout => f.write_str("<stdout>"),
            Self::Path(path) => f.write_str(&shown(path)),
        }
    }
}

/// Receives the path of an output, and what removes its temporary file, before that file is created.
pub(crate) type HandOut<'a> = &'a mut dyn FnMut(&Path, &Abort);

/// An open output.
pub(crate) enum Output {
    /// Written directly.
    Direct(Box<dyn Write + Send>),
    /// Written to a temporary file, which takes the place of the file at the end.
    Replace(Box<PendingFile>),
    /// A replacement that was abandoned.
    Dropped,
}

pub(crate) struct PendingFile {
    temporary: Temporary,
    folder: Arc<Folder>,
    name: OsString,
    /// What exists at the place.
    replaced: Option<File>,
    abort: Abort,
}

impl Output {
    /// Opens `place`. An error says what went wrong, and what to do.
    pub(crate) fn open(place: &Place, hand_out: HandOut<'_>) -> Result<Self, Error> {
        match place {
            Place::Stdout => standard_output(),
            Place::Path(path) => open_path(path, hand_out),
        }
    }

    /// Abandons a replacement: the file stays as it is. What is written directly goes on.
    pub(crate) fn give_up(&mut self) {
        if matches!(self, Self::Replace(_)) {
            *self = Self::Dropped;
        }
    }

    /// Whether a replacement was abandoned.
    pub(crate) fn is_given_up(&self) -> bool {
        matches!(self, Self::Dropped)
    }

    /// Whether nothing can be seen of the output until it is complete.
    pub(crate) fn is_replacement(&self) -> bool {
        matches!(self, Self::Replace(_) | Self::Dropped)
    }

    /// Puts a replacement into its place; with `fsync`, after it is on the disk. Returns the folder that it
    /// is now in. With `no_clobber`, nothing is replaced that exists by now.
    pub(crate) fn finish(
        self,
        fsync: bool,
        no_clobber: bool,
    ) -> Result<Option<Arc<Folder>>, WriteError> {
        let pending = match self {
            Self::Direct(mut writer) => {
                writer.flush()?;
                return Ok(None);
            }
            Self::Dropped => return Ok(None),
            Self::Replace(pending) => *pending,
        };
        let (temporary, name) = (pending.temporary, pending.name);
        if let Some(replaced) = pending.replaced {
            // Attributes that can't be kept give nobody a right, and the file was to be overwritten.
            os::keep_access(temporary.file(), &replaced)?;
        }
        if fsync {
            temporary.file().sync_all()?;
        }
        pending.abort.unless_aborted(|| match no_clobber {
            true => temporary.put(&name),
            false => temporary.replace(&name),
        })?;
        Ok(Some(pending.folder))
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Direct(writer) => writer.write(bytes),
            Output::Replace(replacement) => replacement.temporary.file_mut().write(bytes),
            Output::Dropped => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Direct(writer) => writer.flush(),
            Output::Replace(_) | Output::Dropped => Ok(()),
        }
    }
}

fn standard_output() -> Result<Output, Error> {
    let opened = os::standard_output().map(Output::Direct);
    opened.map_err(|error| Error::io("cannot write to <stdout>", &error))
}

fn open_path(path: &Path, hand_out: HandOut<'_>) -> Result<Output, Error> {
    let cannot = |error: &io::Error| Error::io(format_args!("cannot write {}", shown(path)), error);
    let metadata = match fs::metadata(path) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(cannot(&error)),
    };
    if path.file_name().is_none() && metadata.is_none() {
        return Err(cannot(&io::Error::other("this names no file")));
    }
    if metadata.is_none() && names_folder(path) {
        return Err(cannot(&io::Error::new(
            io::ErrorKind::NotFound,
            "there is no such directory; name a file, without a slash after it",
        )));
    }
    match metadata {
        // `/dev/stdout` and similar: opening it again would give an offset of its own, and overwrite what was
        // appended to.
        Some(_) if is_stdout(path) => standard_output(),
        Some(metadata) if metadata.is_dir() => Err(cannot(&io::Error::new(
            io::ErrorKind::IsADirectory,
            "it is a directory; name a file in it",
        ))),
        Some(metadata) if metadata.is_file() && !is_descriptor(path) => {
            let real = fs::canonicalize(path).map_err(|error| cannot(&error))?;
            // Replacing a file does not need the right to write it. Refuse to if writing it would be refused.
            let replaced = OpenOptions::new()
                .write(true)
                .open(&real)
                .map_err(|error| cannot(&error))?;
            replace(&real, Some(replaced), hand_out)
        }
        Some(metadata) => {
            // A file that is named by its descriptor would be opened anew, with the offset 0: what was written
            // to it before must not be overwritten.
            let file = OpenOptions::new()
                .write(true)
                .append(metadata.is_file())
                .open(path);
            Ok(Output::Direct(Box::new(
                file.map_err(|error| cannot(&error))?,
            )))
        }
        None => replace(&follow_links(path), None, hand_out),
    }
}

/// Whether the path can only be that of a folder.
fn names_folder(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let mut parts = name.rsplit(std::path::is_separator);
    matches!(parts.next(), Some("" | "."))
}

fn is_stdout(path: &Path) -> bool {
    os::FileId::of_path(path).is_some_and(|id| os::stream_id(&io::stdout()) == Some(id))
}

/// Whether the path refers to an open descriptor, which has no folder to create a file in.
fn is_descriptor(path: &Path) -> bool {
    let is_of_process = || path.parent().is_some_and(|folder| folder.ends_with("fd"));
    ["/dev/fd", "/dev/stdout", "/dev/stderr", "/dev/stdin"]
        .iter()
        .any(|folder| path.starts_with(folder))
        || path.starts_with("/proc") && is_of_process()
}

/// Resolves a path whose end does not exist: a symbolic link without a target stays a link.
fn follow_links(path: &Path) -> PathBuf {
    const MOST: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MOST {
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        path = folder_of(&path).join(target);
    }
    path
}

/// The folder of a path.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_path_buf(),
        _ => PathBuf::from("."),
    }
}

fn replace(path: &Path, replaced: Option<File>, hand_out: HandOut<'_>) -> Result<Output, Error> {
    let above = folder_of(path);
    let made = Folder::open(&above).and_then(|folder| {
        let folder = Arc::new(folder);
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        // The number marks it as a temporary file of some run; the lock shows that the run is still working.
        let number = RandomState::new().hash_one(std::process::id());
        let prefix = format!("{TEMPORARY_PREFIX}{number:016x}-");
        let abort = Abort::default();
        // Whoever aborts waits until the file exists or can't be created.
        let mut progress = abort.lock();
        hand_out(path, &abort);
        let temporary = folder.create_temporary(&prefix, replaced.is_some())?;
        let _ = temporary.file().try_lock();
        *progress = Progress::Temporary(Arc::clone(&folder), temporary.name().to_os_string());
        drop(progress);
        Ok(PendingFile {
            temporary,
            abort,
            name: name.to_os_string(),
            folder,
            replaced,
        })
    });
    match made {
        Ok(replacement) => Ok(Output::Replace(Box::new(replacement))),
        Err(error) => {
            let (path, above) = (shown(path), shown(above));
            let what = match error.kind() {
                io::ErrorKind::NotFound => "there is no folder",
                _ => "no temporary file can be made in",
            };
            let what = format_args!("cannot write {path}: {what} {above}");
            Err(Error::io(what, &error))
        }
    }
}

/// Removes the temporary file of an output that is being written.
#[derive(Clone, Debug, Default)]
pub struct Abort(Arc<Mutex<Progress>>);

/// How far an output has come.
#[derive(Debug, Default)]
enum Progress {
    /// There is no temporary file yet.
    #[default]
    Begun,
    /// There is one: its folder, and its name in that folder.
    Temporary(Arc<Folder>, OsString),
    /// The temporary file was removed, so the output stays as it was.
    Aborted,
    /// The output is in its place.
    Placed,
}

impl Abort {
    /// Removes the temporary file, so that the output stays as it was. Returns whether there was one: it no
    /// longer exists once the output is in its place. Waits while the file is being created or put into its
    /// place.
    pub fn abort(&self) -> bool {
        let mut progress = self.lock();
        let Progress::Temporary(folder, name) = &*progress else {
            return false;
        };
        let is_removed = folder.unlink(name).is_ok();
        *progress = Progress::Aborted;
        is_removed
    }

    /// Whether [`abort`](Self::abort) came early enough: the output will not be put into its place.
    pub fn is_aborted(&self) -> bool {
        matches!(*self.lock(), Progress::Aborted)
    }

    /// Whether the output is in its place, so that nothing can be aborted any more.
    pub fn is_placed(&self) -> bool {
        matches!(*self.lock(), Progress::Placed)
    }

    /// Puts the output into its place with `place`, unless it was aborted.
    fn unless_aborted(&self, place: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        let mut progress = self.lock();
        if matches!(*progress, Progress::Aborted) {
            return Err(io::Error::other("it was aborted"));
        }
        place()?;
        *progress = Progress::Placed;
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        lock(&self.0)
    }
}
