//! Unix: folders as open descriptors, and operations on the names in them.
//!
//! A path is looked up again each time it is used, and the owner of a folder on the way can replace that
//! folder by a link in between. An open folder stays the same folder. Everything that a conversion reads,
//! writes, renames and removes is a plain name in an open folder, and below a root no link is followed on the
//! way to that folder. Tested in `cli/tests/cli/swapped.rs`, by replacing files and folders by links while
//! they are converted.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{self, Access, AtFlags, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::plain_name;
use super::{FileId, Kind, Status};

/// An open folder, whatever happens to the path by which it was found.
#[derive(Debug)]
pub(crate) struct Folder {
    descriptor: OwnedFd,
    id: OnceLock<FileId>,
    /// The path, for messages.
    path: PathBuf,
}

/// On Linux the right to search a folder is enough to work in it; it need not be readable.
#[cfg(any(target_os = "linux", target_os = "android"))]
const FOLDER: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

/// Opening a pipe or a device does not wait for its other end, and opening a terminal does not make it ours.
const FILE: OFlags = OFlags::CLOEXEC
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY);

impl Folder {
    /// Opens the folder at a path that a user named, so links on the way are followed.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Self::open_named(path, true)
    }

    /// Opens the folder at a path that a user named. Without `follow`, the last name must not be a link.
    pub(crate) fn open_named(path: &Path, follow: bool) -> io::Result<Self> {
        let descriptor = fs::open(path, FOLDER | following(follow), Mode::empty())?;
        Ok(Self::new(descriptor, path.to_path_buf()))
    }

    /// Opens the folder at an absolute path that had no links when it was resolved. It is an error if it has
    /// any now.
    pub(crate) fn open_real(path: &Path) -> io::Result<Self> {
        let below = path.strip_prefix("/").map_err(io::Error::other)?;
        Self::open(Path::new("/"))?.open_beneath(below)
    }

    fn new(descriptor: OwnedFd, path: PathBuf) -> Self {
        Self {
            descriptor,
            id: OnceLock::new(),
            path,
        }
    }

    /// Opens the folder at `relative`, which consists of plain names, and follows no link on the way.
    pub(crate) fn open_beneath(&self, relative: &Path) -> io::Result<Self> {
        let path = self.path.join(relative);
        let descriptor = if relative.as_os_str().is_empty() {
            self.descriptor.try_clone()?
        } else {
            match self.open_at_once(relative) {
                Some(descriptor) => descriptor?,
                None => self.open_step_by_step(relative)?,
            }
        };
        Ok(Self::new(descriptor, path))
    }

    /// Does that in one system call. `None` if the system has no such call.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn open_at_once(&self, relative: &Path) -> Option<io::Result<OwnedFd>> {
        use rustix::fs::ResolveFlags;

        static IS_KNOWN: AtomicBool = AtomicBool::new(true);
        if !IS_KNOWN.load(Ordering::Relaxed) {
            return None;
        }
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match fs::openat2(&self.descriptor, relative, FOLDER, Mode::empty(), resolve) {
            Ok(descriptor) => Some(Ok(descriptor)),
            // Linux before 5.6, or a container that blocks the call.
            Err(Errno::NOSYS | Errno::PERM) => {
                IS_KNOWN.store(false, Ordering::Relaxed);
                None
            }
            // Something was renamed meanwhile, or the cause of the failure has to be found out name by name.
            Err(Errno::AGAIN | Errno::XDEV | Errno::NOTDIR) => None,
            Err(error) => Some(Err(error.into())),
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn open_at_once(&self, _relative: &Path) -> Option<io::Result<OwnedFd>> {
        None
    }

    fn open_step_by_step(&self, relative: &Path) -> io::Result<OwnedFd> {
        let mut descriptor = self.descriptor.try_clone()?;
        for component in relative.components() {
            descriptor = open_folder(&descriptor, plain_name(component)?)?;
        }
        Ok(descriptor)
    }

    /// Creates a folder with this name.
    pub(super) fn make_folder(&self, name: &OsStr) -> io::Result<()> {
        let mode = Mode::RWXU | Mode::RWXG | Mode::RWXO;
        Ok(fs::mkdirat(&self.descriptor, name, mode)?)
    }

    /// The path by which the folder was opened, for messages. It may refer to something else by now.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The identity of the folder.
    pub(crate) fn id(&self) -> io::Result<FileId> {
        if let Some(id) = self.id.get() {
            return Ok(*id);
        }
        let id = Status::of(&fs::fstat(&self.descriptor)?).id;
        Ok(*self.id.get_or_init(|| id))
    }

    /// What a name refers to. With `follow`, what a link of that name points to.
    pub(crate) fn status(&self, name: &OsStr, follow: bool) -> io::Result<Status> {
        let flags = if follow {
            AtFlags::empty()
        } else {
            AtFlags::SYMLINK_NOFOLLOW
        };
        Ok(Status::of(&fs::statat(&self.descriptor, name, flags)?))
    }

    /// Opens what should be a regular file for reading, without waiting if it turns out not to be one.
    pub(crate) fn open_file(&self, name: &OsStr, follow: bool) -> io::Result<File> {
        let flags = OFlags::RDONLY | FILE | following(follow);
        let descriptor = fs::openat(&self.descriptor, name, flags, Mode::empty())?;
        Ok(File::from(descriptor))
    }

    /// Whether the file of this name may be written. Replacing it does not need that right.
    pub(crate) fn check_writable(&self, name: &OsStr) -> io::Result<()> {
        // Opening it for writing would make overlayfs copy it from a lower layer.
        let checked = fs::accessat(&self.descriptor, name, Access::WRITE_OK, AtFlags::EACCESS);
        let checked = match checked {
            Err(Errno::NOSYS | Errno::INVAL) => {
                let flags = OFlags::WRONLY | OFlags::NOFOLLOW | FILE;
                fs::openat(&self.descriptor, name, flags, Mode::empty()).map(drop)
            }
            checked => checked,
        };
        match checked {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether names in the folder may be changed, as far as that can be known without changing one.
    pub(crate) fn check_changeable(&self) -> io::Result<()> {
        let wanted = Access::WRITE_OK | Access::EXEC_OK;
        match fs::accessat(&self.descriptor, ".", wanted, AtFlags::EACCESS) {
            Ok(()) | Err(Errno::NOSYS | Errno::INVAL) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives the file `old` the additional name `new`. Never overwrites, and follows no link.
    pub(crate) fn link(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        let folder = &self.descriptor;
        Ok(fs::linkat(folder, old, folder, new, AtFlags::empty())?)
    }

    /// Renames `old` to `new`, replacing what has that name.
    pub(crate) fn rename(&self, old: &OsStr, new: &OsStr) -> io::Result<()> {
        Ok(fs::renameat(&self.descriptor, old, &self.descriptor, new)?)
    }

    /// Removes a name, unless it is that of a folder.
    pub(crate) fn unlink(&self, name: &OsStr) -> io::Result<()> {
        Ok(fs::unlinkat(&self.descriptor, name, AtFlags::empty())?)
    }

    /// The names that begin with `prefix`.
    pub(crate) fn names_with(&self, prefix: &str) -> io::Result<Vec<OsString>> {
        use std::os::unix::ffi::OsStrExt;

        let mut names = Vec::new();
        for entry in Dir::new(self.readable()?)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name.starts_with(prefix.as_bytes()) {
                names.push(OsStr::from_bytes(name).to_os_string());
            }
        }
        Ok(names)
    }

    /// Waits until the names in the folder are on the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match fs::fsync(self.readable()?) {
            // Some file systems can't sync folders, and need not.
            Ok(()) | Err(Errno::INVAL) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn readable(&self) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(fs::openat(&self.descriptor, ".", flags, Mode::empty())?)
    }

    /// Renames a file in the folder, and never overwrites. `None` if the system or the file system can't
    /// guarantee that.
    #[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
    pub(super) fn rename_new(&self, old: &OsStr, new: &OsStr) -> Option<io::Result<()>> {
        let folder = &self.descriptor;
        match fs::renameat_with(folder, old, folder, new, fs::RenameFlags::NOREPLACE) {
            Ok(()) => Some(Ok(())),
            Err(error) if error == Errno::INVAL || is_unsupported(error) => None,
            Err(error) => Some(Err(error.into())),
        }
    }

    #[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
    pub(super) fn rename_new(&self, _old: &OsStr, _new: &OsStr) -> Option<io::Result<()>> {
        None
    }

    /// Creates a file with this name. If `is_private`, nobody else may open it until its permissions are set; otherwise
    /// the umask decides who may.
    pub(super) fn make_file(&self, name: &OsStr, is_private: bool) -> io::Result<File> {
        let flags =
            OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mode = Mode::from_bits_truncate(if is_private { 0o600 } else { 0o666 });
        Ok(fs::openat(&self.descriptor, name, flags, mode)?.into())
    }
}

/// Whether a second name could not be made because the file system has none, or allows no more for this file,
/// and not because of the name itself.
pub(crate) fn is_link_impossible(error: &io::Error) -> bool {
    let error = error.raw_os_error().map(Errno::from_raw_os_error);
    error
        .is_some_and(|error| error == Errno::PERM || error == Errno::MLINK || is_unsupported(error))
}

fn is_unsupported(error: Errno) -> bool {
    [Errno::NOSYS, Errno::OPNOTSUPP, Errno::NOTSUP].contains(&error)
}

/// Whether the error means that a link was met where none is followed.
pub(crate) fn is_link_refused(error: &io::Error) -> bool {
    error.raw_os_error().map(Errno::from_raw_os_error) == Some(Errno::LOOP)
}

impl Status {
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_fallible_conversions,
        clippy::unnecessary_cast,
        reason = "the types of these numbers differ between systems"
    )]
    fn of(stat: &Stat) -> Self {
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            FileType::Symlink => Kind::Link,
            _ => Kind::Other,
        };
        Self {
            kind,
            id: FileId {
                device: stat.st_dev as u64,
                inode: stat.st_ino as u64,
            },
            links: stat.st_nlink as u64,
            size: stat.st_size as u64,
            modified: stat.st_mtime as i128 * 1_000_000_000 + stat.st_mtime_nsec as i128,
            changed: stat.st_ctime as i128 * 1_000_000_000 + stat.st_ctime_nsec as i128,
        }
    }
}

/// Whether a link stands for what it points to.
fn following(follow: bool) -> OFlags {
    match follow {
        true => OFlags::empty(),
        false => OFlags::NOFOLLOW,
    }
}

/// Opens a folder in a folder. If it is a link, [`is_link_refused`] is true of the error.
fn open_folder(folder: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
    match fs::openat(folder, name, FOLDER | OFlags::NOFOLLOW, Mode::empty()) {
        Ok(descriptor) => Ok(descriptor),
        Err(Errno::NOTDIR) => {
            let stat = fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
            let is_link = stat.is_ok_and(|stat| Status::of(&stat).kind == Kind::Link);
            Err(if is_link { Errno::LOOP } else { Errno::NOTDIR }.into())
        }
        Err(error) => Err(error.into()),
    }
}
