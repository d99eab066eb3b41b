//! Unix: a file is identified by its device and inode.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use super::Stamp;

/// A file, identified by what it is and not by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileId {
    pub(super) device: u64,
    pub(super) inode: u64,
}

impl FileId {
    /// The file at `path`, with links followed. `None` if there is none, and for terminals, pipes and
    /// similar, which can be read and written at the same time.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        Self::of(&fs::metadata(path).ok()?)
    }

    /// The file that this is the metadata of, if it is one.
    pub(crate) fn of(metadata: &Metadata) -> Option<Self> {
        let kind = metadata.file_type();
        (kind.is_file() || kind.is_block_device()).then(|| Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        })
    }

    /// A number that no other file on the same device has.
    pub(crate) fn key(&self) -> u64 {
        self.inode ^ self.device.rotate_left(48)
    }

    /// The device that the file is on.
    pub(crate) fn device(&self) -> u64 {
        self.device
    }

    pub(super) fn inode(&self) -> u64 {
        self.inode
    }

    /// How many names the file has.
    pub(crate) fn links(metadata: &Metadata) -> u64 {
        metadata.nlink()
    }
}

/// The file that a standard stream was redirected from or to.
pub(crate) fn stream_id(stream: &impl AsFd) -> Option<FileId> {
    FileId::of(&duplicate(stream.as_fd()).ok()?.metadata().ok()?)
}

/// Standard input as a file.
pub(crate) fn stdin_file() -> io::Result<File> {
    duplicate(io::stdin().as_fd())
}

/// Whether a pipe or a terminal has something to read, or has ended.
pub(crate) fn is_readable(file: &File) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let mut fds = [PollFd::new(file, PollFlags::IN)];
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    poll(&mut fds, Some(&now)).is_ok_and(|ready| ready > 0)
}

/// Standard output without the line buffer of `std`, which would cut every block at its last line
/// feed.
///
/// # Errors
///
/// Those of the system, for example if standard output is closed.
pub fn standard_output() -> io::Result<Box<dyn Write + Send>> {
    Ok(Box::new(duplicate(io::stdout().as_fd())?))
}

fn duplicate(descriptor: BorrowedFd<'_>) -> io::Result<File> {
    Ok(File::from(descriptor.try_clone_to_owned()?))
}

impl Stamp {
    /// The time at which the file last changed in any way, in nanoseconds. Unlike the time of modification,
    /// it can't be set back. A change of name, owner or mode sets it, too.
    pub(crate) fn touched(metadata: &Metadata) -> i128 {
        i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec())
    }

    pub(crate) fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.size(),
            modified: i128::from(metadata.mtime()) * 1_000_000_000
                + i128::from(metadata.mtime_nsec()),
        }
    }
}

/// How many files the process may have open at a time; `None` if there is no limit.
pub(crate) fn most_open() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

/// Reads at an offset, in bytes, wherever the file's own position is.
pub(crate) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    file.read_at(buffer, offset)
}

/// Writes at an offset, in bytes, wherever the file's own position is.
pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// A path from any bytes.
pub(crate) fn path_of_bytes(bytes: Vec<u8>) -> io::Result<PathBuf> {
    Ok(PathBuf::from(OsString::from_vec(bytes)))
}

/// The name as the system has it, which need not be Unicode.
pub(crate) fn name_bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}
