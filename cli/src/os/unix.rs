//! Unix: a file is its device and its inode.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, chown};
use std::path::Path;

/// A file by what it is and not by what it is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    device: u64,
    inode: u64,
}

impl FileId {
    /// The file at `path`, links followed. `None` where there is none, and for terminals, pipes
    /// and the like, which can be read and written at once.
    pub(crate) fn of_path(path: &Path) -> Option<Self> {
        Self::of(&fs::metadata(path).ok()?)
    }

    fn of(metadata: &Metadata) -> Option<Self> {
        let kind = metadata.file_type();
        (kind.is_file() || kind.is_block_device()).then(|| Self {
            device: metadata.dev(),
            inode: metadata.ino(),
        })
    }
}

/// The file that standard input was redirected from.
pub(crate) fn stdin_id() -> Option<FileId> {
    FileId::of(&duplicate(io::stdin().as_fd()).ok()?.metadata().ok()?)
}

/// The file that standard output was redirected to.
pub(crate) fn stdout_id() -> Option<FileId> {
    FileId::of(&duplicate(io::stdout().as_fd()).ok()?.metadata().ok()?)
}

/// Standard output without the line buffer of `std`, which would cut every block at its last line
/// feed.
pub(crate) fn standard_output() -> io::Result<Box<dyn Write>> {
    Ok(Box::new(duplicate(io::stdout().as_fd())?))
}

fn duplicate(descriptor: BorrowedFd<'_>) -> io::Result<File> {
    Ok(File::from(descriptor.try_clone_to_owned()?))
}

/// What a new file is created with; the process's umask takes its share away.
pub(crate) fn new_file_permissions() -> Option<Permissions> {
    Some(Permissions::from_mode(0o666))
}

/// Gives `file`, which is at `path`, the owner and the permissions of the file that it replaces.
pub(crate) fn keep_owner_and_mode(path: &Path, file: &File, replaced: &Metadata) -> io::Result<()> {
    // Only root may give files away; for anyone else the new file is their own, as any file that
    // they write. The mode comes last, because a change of owner takes the set-id bits away.
    let _ = chown(path, Some(replaced.uid()), Some(replaced.gid()));
    file.set_permissions(Permissions::from_mode(replaced.mode() & 0o7777))
}

/// The name as the system has it, which need not be Unicode.
pub(crate) fn name_bytes(path: &Path) -> Vec<u8> {
    path.as_os_str().as_bytes().to_vec()
}
