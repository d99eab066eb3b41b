//! What a run notes about a converted file, in its extended attributes.

use std::ffi::CStr;
use std::fs::File;
use std::io;

use super::{Stamp, attributes};

/// The attribute of a converted file that says what its backup is, and what was written.
pub(super) const BACKUP: &CStr = c"user.simdtext.backup";

/// The attribute of a converted file that says what it was converted to.
pub(super) const ENCODING: &CStr = c"user.simdtext.encoding";

/// What a run has noted of a converted file about its backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotedBackup {
    /// This is its backup, and what was written has a hash that ends with these bits.
    This(u64),
    /// Something else is its backup, or it has none.
    Other,
    /// The file system has no attributes to note that in.
    Unknown,
}

/// Notes what the backup of a file will be, and the hash of what was written. Without that [`noted_backup`] returns
/// [`NotedBackup::Other`], or [`NotedBackup::Unknown`] where there are no attributes.
pub(crate) fn note_backup(file: &File, backup: &Stamp, content: u128) -> io::Result<()> {
    let Stamp { size, modified, .. } = backup;
    // Half of the hash tells as well, and ext4 has room for no more in the inode.
    let noted = format!("{size} {modified} {:016x}", content as u64);
    attributes::set(file, BACKUP, noted.as_bytes())
}

/// What a run has noted of `file` about this backup.
pub(crate) fn noted_backup(file: &File, backup: &Stamp) -> NotedBackup {
    let Ok(noted) = attributes::get(file, BACKUP) else {
        return NotedBackup::Unknown;
    };
    let content = (noted.as_deref())
        .and_then(|noted| str::from_utf8(noted).ok())
        .and_then(|noted| noted.strip_prefix(&*format!("{} {} ", backup.size, backup.modified)))
        .and_then(|content| u64::from_str_radix(content, 16).ok());
    content.map_or(NotedBackup::Other, NotedBackup::This)
}

/// Notes what encoding a file was converted to, and the hash of what was written.
pub(crate) fn note_encoding(file: &File, name: &str, content: u128) -> io::Result<()> {
    attributes::set(file, ENCODING, format!("{name} {content:032x}").as_bytes())
}

/// What a run has noted of the file: the encoding that it converted it to, and the hash of what was written.
pub(crate) fn noted_encoding(file: &File) -> Option<(String, u128)> {
    let noted = attributes::get(file, ENCODING).ok()??;
    let (name, content) = str::from_utf8(&noted).ok()?.split_once(' ')?;
    Some((String::from(name), u128::from_str_radix(content, 16).ok()?))
}
