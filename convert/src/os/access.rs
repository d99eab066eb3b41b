//! Unix: owner, group, permission bits, access control list and extended attributes of a file that
//! takes the place of another. Tested in `cli/tests/cli/access.rs`.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

use super::acl::Access;
use super::attributes::{self, ACCESS_LIST};

/// Gives `file` what `old` is accessed by: owner, group, permission bits, access control list, and the
/// extended attributes. Rights that can't be kept are taken away from everybody. Returns what could
/// not be kept, if it makes a difference.
///
/// Nobody else may open `file` before this, and nothing is added to it after it.
pub(crate) fn keep_access(file: &File, old: &File) -> io::Result<Option<String>> {
    let replaced = old.metadata()?;
    let ours = file.metadata()?;
    let (owner, group) = keep_owner(file, &ours, &replaced);
    let (list, mut lost) = attributes::copy(old, file)?;
    let access = Access::new(replaced.mode(), list.as_deref());
    let is_known = access.is_some();
    // Of a list of an unknown kind only the owner's rights are certain.
    let access = access
        .or_else(|| Access::new(replaced.mode() & 0o700, None))
        .map(|access| (access.clone(), access.of_others(owner, group)));
    let Some((whole, mut left)) = access else {
        return Err(io::Error::other("its permissions can't be read"));
    };
    if !is_known {
        lost = Some(String::from("its access control list"));
    }
    match left.list() {
        None => attributes::remove(file, ACCESS_LIST)?,
        Some(list) => {
            if let Err(error) = attributes::set(file, ACCESS_LIST, &list) {
                lost = Some(format!("its access control list ({error})"));
                attributes::remove(file, ACCESS_LIST)?;
                left = left.bits_only();
            }
        }
    }
    // The mode comes last, because a change of owner takes the set-id bits away.
    file.set_permissions(Permissions::from_mode(left.mode))?;
    if lost.is_none() && !whole.is_same_but_set_id(&left) {
        lost = Some(if group {
            format!("its owner ({})", replaced.uid())
        } else {
            format!("its group ({})", replaced.gid())
        });
    }
    Ok(lost)
}

/// Gives `file`, which is a new one and `ours`, the permission bits of `like`, but no set-id bits, and no right to
/// anybody who has none on `like`: not by an access control list that `like` has or the folder gives,
/// and not because the group is another.
pub(crate) fn limit_access(
    file: &File,
    ours: &Metadata,
    like: &File,
    metadata: &Metadata,
) -> io::Result<()> {
    let list = attributes::value(like, ACCESS_LIST)?;
    let access = Access::new(metadata.mode() & 0o777, list.as_deref())
        .or_else(|| Access::new(metadata.mode() & 0o700, None));
    let Some(access) = access else {
        return Err(io::Error::other("its permissions can't be read"));
    };
    let (owner, group) = (ours.uid() == metadata.uid(), ours.gid() == metadata.gid());
    let left = access.bits_only().of_others(owner, group);
    attributes::remove(file, ACCESS_LIST)?;
    file.set_permissions(Permissions::from_mode(left.mode))
}

/// Gives the file away. Whether the owner and the group are those of `replaced` afterwards.
fn keep_owner(file: &File, ours: &Metadata, replaced: &Metadata) -> (bool, bool) {
    let (owner, group) = (ours.uid() == replaced.uid(), ours.gid() == replaced.gid());
    if (owner && group) || fchown(file, Some(replaced.uid()), Some(replaced.gid())).is_ok() {
        return (true, true);
    }
    // Only root may give files away; for anyone else the new file is their own, as any file that they
    // write. A group is kept if they are in it.
    let group = group || fchown(file, None, Some(replaced.gid())).is_ok();
    (owner, group)
}
