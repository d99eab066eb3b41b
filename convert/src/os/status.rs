//! What the system says about a file.

use super::FileId;

/// What a name refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Status {
    pub(crate) kind: Kind,
    pub(crate) id: FileId,
    /// The number of names that it has, where that is known.
    pub(crate) links: u64,
    /// The size, in bytes.
    pub(crate) size: u64,
    /// The time of its last modification, in nanoseconds.
    pub(crate) modified: i128,
    /// The time at which its content, names or permissions last changed, in nanoseconds. Where that is not known, the
    /// time of its last modification.
    pub(crate) changed: i128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Link,
    Other,
}

/// What distinguishes two states of a file, even if it is renamed. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stamp {
    /// 0 where there are no such numbers.
    pub(crate) device: u64,
    pub(crate) inode: u64,
    pub(crate) size: u64,
    pub(crate) modified: i128,
}

impl Status {
    /// What distinguishes this state of the file.
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp {
            device: self.id.device(),
            inode: self.id.inode(),
            size: self.size,
            modified: self.modified,
        }
    }
}
