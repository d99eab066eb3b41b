//! Access to a file that was converted: permission bits, owners, groups, access control lists and extended
//! attributes.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rustix::fs::{XattrFlags, fgetxattr, fsetxattr};

use crate::harness::{Folder, Ran, copy_for_others, feed, run, skipped};

const KOI8: &[u8] = b"\xCD\xC9\xD2";
const UTF8: &[u8] = "мир".as_bytes();

const ACCESS: &str = "system.posix_acl_access";
const DEFAULT: &str = "system.posix_acl_default";

/// An access control list in the form of Linux: version 2, and for each entry a tag, rights and an id.
fn list(entries: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut list = vec![2, 0, 0, 0];
    for (tag, rights, id) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(rights.to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    list
}

const OWNER: u16 = 1;
const USER: u16 = 2;
const GROUP: u16 = 4;
const MASK: u16 = 16;
const OTHERS: u16 = 32;
const NO_ID: u32 = u32::MAX;

/// One more user may read, but the group may not. The permission bits are 0640 all the same.
fn for_one_user() -> Vec<u8> {
    list(&[
        (OWNER, 6, NO_ID),
        (USER, 4, 1234),
        (GROUP, 0, NO_ID),
        (MASK, 4, NO_ID),
        (OTHERS, 0, NO_ID),
    ])
}

/// Sets an attribute, if the file system has attributes.
pub(crate) fn set(path: &Path, name: &str, value: &[u8]) -> bool {
    let file = File::open(path).expect("it can be opened");
    let done = fsetxattr(file, name, value, XattrFlags::empty());
    if let Err(error) = done {
        skipped(&format!("{name} can't be set here: {error}"));
    }
    done.is_ok()
}

pub(crate) fn attribute(path: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 1000];
    let file = File::open(path).expect("it can be opened");
    let length = fgetxattr(file, name, &mut *value).ok()?;
    value.truncate(length);
    Some(value)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("it is there").mode() & 0o7777
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
}

/// Whether this test can give files away. Prints a message if it can't.
fn is_root(folder: &Folder) -> bool {
    let owner = fs::metadata(folder.path("")).expect("it is there").uid();
    if owner != 0 {
        skipped("only root can give files away");
    }
    owner == 0
}

/// Runs as another user, whose only group is this one.
fn run_as(user: u32, group: u32, folder: &Folder, args: &[&str]) -> Ran {
    let mut command = Command::new(copy_for_others(folder));
    command.args(args).env_remove("SIMDTEXT_ISA");
    command.uid(user).gid(group);
    feed(command, "")
}

#[test]
fn lists_and_attributes_are_kept_in_place() {
    let folder = Folder::new();
    let name = folder.file("a", KOI8);
    let a = folder.path("a");
    set_mode(&a, 0o640);
    if !set(&a, ACCESS, &for_one_user()) || !set(&a, "user.note", b"mine") {
        return;
    }
    // An attribute that only root can see and set.
    let trusted = set(&a, "trusted.note", b"ours");
    let inode = fs::metadata(&a).expect("it is there").ino();
    run(["convert", "-f", "koi8-r", "--in-place", &name]).gives(0, b"");
    assert_eq!(folder.read("a"), UTF8);
    assert_ne!(fs::metadata(&a).expect("it is there").ino(), inode);
    assert_eq!(attribute(&a, ACCESS), Some(for_one_user()));
    assert_eq!(mode(&a), 0o640);
    assert_eq!(attribute(&a, "user.note").as_deref(), Some(&b"mine"[..]));
    assert_eq!(attribute(&a, "trusted.note").is_some(), trusted);
}

#[test]
fn a_list_that_is_not_copied_does_not_let_the_group_in() {
    let folder = Folder::new();
    folder.folder("in");
    let name = folder.file("in/a", KOI8);
    let a = folder.path("in/a");
    set_mode(&a, 0o640);
    if !set(&a, ACCESS, &for_one_user()) {
        return;
    }
    let out = folder.name("out");
    run(["convert", "-f", "koi8-r", "--out-dir", &out, &name]).gives(0, b"");
    let output = folder.path("out/a");
    assert_eq!(attribute(&output, ACCESS), None);
    assert_eq!(mode(&output), 0o600);
}

#[test]
fn the_default_list_of_a_folder_lets_nobody_in() {
    let folder = Folder::new();
    folder.folder("t");
    folder.folder("out");
    let everything = list(&[
        (OWNER, 7, NO_ID),
        (USER, 7, 1234),
        (GROUP, 7, NO_ID),
        (MASK, 7, NO_ID),
        (OTHERS, 7, NO_ID),
    ]);
    let name = folder.file("t/a", KOI8);
    let a = folder.path("t/a");
    set_mode(&a, 0o640);
    if !set(&folder.path("t"), DEFAULT, &everything)
        || !set(&folder.path("out"), DEFAULT, &everything)
    {
        return;
    }
    let out = folder.name("out");
    run(["convert", "-f", "koi8-r", "--out-dir", &out, &name]).gives(0, b"");
    let output = folder.path("out/a");
    assert_eq!((attribute(&output, ACCESS), mode(&output)), (None, 0o640));
    run(["convert", "-f", "koi8-r", "--in-place", &name]).gives(0, b"");
    assert_eq!(folder.read("t/a"), UTF8);
    assert_eq!((attribute(&a, ACCESS), mode(&a)), (None, 0o640));
}

#[test]
fn rights_of_a_program_and_seals_are_not_kept() {
    let folder = Folder::new();
    let name = folder.file("a", KOI8);
    let a = folder.path("a");
    // cap_net_bind_service=ep
    let capability = [1, 0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    if !set(&a, "security.capability", &capability) {
        return;
    }
    run(["convert", "-f", "koi8-r", "--in-place", &name]).gives(0, b"");
    assert_eq!(folder.read("a"), UTF8);
    assert_eq!(attribute(&a, "security.capability"), None);
}

#[test]
fn a_group_that_can_not_be_kept_gives_nobody_a_right() {
    let folder = Folder::new();
    if !is_root(&folder) {
        return;
    }
    set_mode(&folder.path(""), 0o755);
    let give = |name: &str, mode: u32| {
        let path = folder.path(name);
        chown(&path, Some(1001), Some(2000)).expect("root may");
        set_mode(&path, mode);
    };
    for name in ["t", "out"] {
        folder.folder(name);
        chown(folder.path(name), Some(1001), Some(1001)).expect("root may");
    }
    for (name, rights) in [("t/group", 0o640), ("t/all", 0o644), ("t/owner", 0o600)] {
        folder.file(name, KOI8);
        give(name, rights);
    }
    let access = |name: &str| {
        let of = fs::metadata(folder.path(name)).expect("it is there");
        (of.uid(), of.gid(), of.mode() & 0o7777)
    };
    let (tree, out, one) = (folder.name("t"), folder.name("out"), folder.name("t/group"));
    // Into another folder: only the bits that would give the other group access are cleared.
    let args = ["convert", "-f", "koi8-r", "--out-dir", &out, &tree];
    run_as(1001, 1001, &folder, &args).gives(0, b"");
    assert_eq!(access("out/group"), (1001, 1001, 0o600));
    assert_eq!(access("out/all"), (1001, 1001, 0o644));
    assert_eq!(access("out/owner"), (1001, 1001, 0o600));
    // A single file that is overwritten.
    folder.file("t/over", "");
    give("t/over", 0o660);
    let over = folder.name("t/over");
    let args = ["convert", "-f", "koi8-r", "-o", &over, &one];
    run_as(1001, 1001, &folder, &args).gives(0, b"");
    assert_eq!(access("t/over"), (1001, 1001, 0o600));
    // In place: a file is left alone if its group could not read it any longer.
    let args = ["convert", "-f", "koi8-r", "--in-place", &tree];
    run_as(1001, 1001, &folder, &args)
        .gives(1, b"")
        .says(["t/group: its group (2000) can't be kept"]);
    assert_eq!(access("t/group"), (1001, 2000, 0o640));
    assert_eq!(folder.read("t/group"), KOI8);
    assert_eq!(access("t/all"), (1001, 1001, 0o644));
    assert_eq!(folder.read("t/all"), UTF8);
    assert_eq!(access("t/owner"), (1001, 1001, 0o600));
    // A member of the group keeps it.
    run_as(1001, 2000, &folder, &args).gives(0, b"");
    assert_eq!(access("t/group"), (1001, 2000, 0o640));
    assert_eq!(folder.read("t/group"), UTF8);
}
