//! Unix: copies owner, group, permission bits, access control list and extended attributes to a file that
//! replaces another. Tested in `cli/tests/cli/access.rs`.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

use super::acl::Access;
use super::attributes::{self, ACCESS_LIST};

/// Gives `file` the owner, group, permission bits, access control list and extended attributes of `old`. A
/// right that can't be kept is taken away from everybody. Returns what could not be kept, if that makes a
/// difference.
///
/// Nobody else may open `file` before this call, and nothing may be added to it afterwards.
pub(crate) fn keep_access(file: &File, old: &File) -> io::Result<Option<String>> {
    let replaced = old.metadata()?;
    let ours = file.metadata()?;
    let (owner, group) = keep_owner(file, &ours, &replaced);
    let (list, mut lost) = attributes::copy(old, file)?;
    let access = Access::new(replaced.mode(), list.as_deref());
    let is_known = access.is_some();
    // If the list is of an unknown kind, only the rights of the owner are certain.
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
    // The mode is set last, because a change of owner clears the set-id bits.
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

/// Gives `file`, which is new and `ours`, the permission bits of `like`, without set-id bits and without any
/// right for anybody who has none on `like`: neither through an access control list of `like` or of the
/// folder, nor because the group is a different one.
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

/// Sets owner and group. Returns for each whether it is that of `replaced` afterwards.
fn keep_owner(file: &File, ours: &Metadata, replaced: &Metadata) -> (bool, bool) {
    let (owner, group) = (ours.uid() == replaced.uid(), ours.gid() == replaced.gid());
    if (owner && group) || fchown(file, Some(replaced.uid()), Some(replaced.gid())).is_ok() {
        return (true, true);
    }
    // Only root may give files away. For anyone else the new file is their own, like any file that they
    // write; the group is kept if they are a member.
    let group = group || fchown(file, None, Some(replaced.gid())).is_ok();
    (owner, group)
}
