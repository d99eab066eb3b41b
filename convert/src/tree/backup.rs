//! `--backup`: keeps the original under another name, as a second name of the file or as a copy.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::sync::Arc;

use super::against::{Against, blocks};
use super::places::Entry;
use super::replace::keep_times;
use crate::os::{self, Folder, Kind};

/// Says why no backups with this suffix can be made. Files that end with it are not converted: with an empty
/// one, none.
pub(super) fn refuse(suffix: &str, in_place: bool) -> Result<(), String> {
    if suffix.is_empty() || suffix.contains(std::path::is_separator) {
        return Err(format!(
            "--backup={suffix}: write the text to add after the name, as in .orig or ~"
        ));
    }
    if !in_place {
        return Err(String::from("--backup is only for --in-place"));
    }
    Ok(())
}

/// The name under which a file is kept before it is replaced.
pub(crate) fn backup_of(name: &OsStr, suffix: &str) -> OsString {
    let mut name = name.to_owned();
    name.push(suffix);
    name
}

/// Keeps the file under the name `backup` as well. An earlier backup is never overwritten. `false` if it was
/// kept there already.
pub(crate) fn back_up(
    place: &Entry,
    file: &File,
    backup: &OsStr,
    prefix: &str,
) -> io::Result<bool> {
    let folder = &place.folder;
    let linked = folder.link(&place.name, backup);
    match linked {
        Ok(()) => {
            // By then the name may have referred to another file.
            if is_at(folder, backup, file)? {
                return Ok(true);
            }
            folder.unlink(backup)?;
            Err(io::Error::other(ANOTHER))
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // An earlier run may have come this far and no further.
            if is_at(folder, backup, file)? || is_copy(folder, backup, file)? {
                return Ok(false);
            }
            Err(error)
        }
        Err(error) if os::is_link_impossible(&error) => {
            copy_to(folder, file, backup, prefix).map(|()| true)
        }
        Err(error) => Err(error),
    }
}

/// Whether [`back_up`] could keep the file under this name, as far as that can be known without doing it.
pub(crate) fn check_backup(folder: &Folder, file: &File, backup: &OsStr) -> io::Result<()> {
    match folder.status(backup, false) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(_) if is_at(folder, backup, file)? || is_copy(folder, backup, file)? => Ok(()),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
    }
}

/// Removes a backup that was made of a file that could then not be replaced. It is kept if the file is no
/// longer at its place, because then the backup may be all that is left of it.
pub(crate) fn take_back(place: &Entry, file: &File, backup: &OsStr) -> io::Result<()> {
    if is_at(&place.folder, &place.name, file)? {
        place.folder.unlink(backup)?;
    }
    Ok(())
}

/// The message if the file of some name is not the one that was read.
pub(crate) const ANOTHER: &str = "another file took its place while it was read";

/// Whether `name` refers to `file`.
fn is_at(folder: &Folder, name: &OsStr, file: &File) -> io::Result<bool> {
    let ours = os::FileId::of(&file.metadata()?);
    Ok(ours.is_some_and(|ours| {
        folder
            .status(name, false)
            .is_ok_and(|there| there.id == ours)
    }))
}

/// Whether the file of this name is a copy of `file`.
fn is_copy(folder: &Folder, name: &OsStr, file: &File) -> io::Result<bool> {
    if folder.status(name, false)?.kind != Kind::File {
        return Ok(false);
    }
    let there = folder.open_file(name, false)?;
    if there.metadata()?.len() != file.metadata()?.len() {
        return Ok(false);
    }
    let mut against = Against::new(os::reader(&there));
    io::copy(&mut blocks(os::reader(file)), &mut against)?;
    Ok(against.finish()?.is_none())
}

/// Copies a file, for file systems that have no second names.
fn copy_to(folder: &Arc<Folder>, file: &File, name: &OsStr, prefix: &str) -> io::Result<()> {
    let mut copy = folder.create_temporary(prefix, true)?;
    io::copy(&mut blocks(os::reader(file)), copy.file_mut())?;
    // What can't be kept here can't be kept for the new file either, and then the original is not replaced.
    os::keep_access(copy.file(), file)?;
    keep_times(copy.file(), &file.metadata()?)?;
    copy.file().sync_all()?;
    copy.put(name)
}

#[cfg(test)]
mod tests {
    use std::ffi::{OsStr, OsString};
    use std::fs::{self, File};
    use std::sync::Arc;

    use super::{back_up, take_back};
    use crate::os::Folder;
    use crate::tree::places::Entry;

    #[test]
    fn a_backup_of_a_file_that_was_not_replaced_is_removed() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = |name| folder.path().join(name);
        fs::write(path("a"), "old").expect("it can be written");
        let file = File::open(path("a")).expect("it is there");
        let place = Entry {
            folder: Arc::new(Folder::open(folder.path()).expect("it is there")),
            name: OsString::from("a"),
            follow: false,
        };
        let backup = OsStr::new("a.orig");
        let back_up = || back_up(&place, &file, backup, ".simdtext-").expect("it is ours");
        assert!(back_up());
        // That of an earlier run.
        assert!(!back_up());
        take_back(&place, &file, backup).expect("it is ours");
        assert!(path("a").exists() && !path("a.orig").exists());
        // Another program has replaced the file, and the backup is all that is left of it.
        assert!(back_up());
        fs::write(path("b"), "new").expect("it can be written");
        fs::rename(path("b"), path("a")).expect("it is ours");
        take_back(&place, &file, backup).expect("it is ours");
        assert_eq!(fs::read(path("a.orig")).expect("it is there"), b"old");
    }
}
