//! Folders that several paths lead to because a part of a file system is mounted at several places.
//!
//! By all these paths, a lock on the folder is the same, but the folders above it are not. An output folder
//! may be inside a folder that is converted by one of them. Tested in `cli/tests/cli/locks.rs` and
//! `same_file.rs`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::os::{self, Stamp};

/// A mount.
#[derive(Debug, Default)]
pub(super) struct Mounts(Vec<Mount>);

#[derive(Debug)]
struct Mount {
    device: Vec<u8>,
    /// The folder of the file system that is mounted.
    root: PathBuf,
    /// The path at which it is mounted.
    point: PathBuf,
}

impl Mounts {
    /// The mounts that the system reports; none on systems other than Linux.
    pub(super) fn of_the_system() -> Self {
        Self::read(&fs::read("/proc/self/mountinfo").unwrap_or_default())
    }

    /// The form of a line: 36 35 98:0 /root/of/the/mount /mount/point rw,noatime - ext4 /dev/sda1 rw
    fn read(text: &[u8]) -> Self {
        let mounts = text.split(|byte| *byte == b'\n').filter_map(|line| {
            let mut words = line.split(|byte| *byte == b' ').skip(2);
            let device = words.next()?.to_vec();
            let mut path = || unescaped(words.next()?).ok();
            let (root, point) = (path()?, path()?);
            Some(Mount {
                device,
                root,
                point,
            })
        });
        Self(mounts.collect())
    }

    /// The other paths that lead to a folder, or to something that is mounted below it.
    pub(super) fn others(&self, folder: &Path) -> Vec<PathBuf> {
        if self.0.len() < 2 {
            return Vec::new();
        }
        let mut others = Vec::new();
        for path in std::iter::once(folder).chain(self.points_below(folder)) {
            let of_path = self.others_of(path);
            // Most folders have no other path. These are not looked up, because their server may not answer.
            if let Some(id) = (!of_path.is_empty()).then(|| id(path)).flatten() {
                let others_of = of_path.into_iter();
                others.extend(others_of.filter(|other| self::id(other) == Some(id)));
            }
        }
        others
    }

    /// All paths that lead to `path`, which has no links and need not exist.
    pub(super) fn names(&self, path: &Path) -> Vec<PathBuf> {
        let mut names = vec![path.to_path_buf()];
        if self.0.len() < 2 {
            return names;
        }
        let there = path.ancestors().find_map(|above| Some((above, id(above)?)));
        if let Some((above, is)) = there
            && let Ok(rest) = path.strip_prefix(above)
        {
            let others = self.others_of(above).into_iter();
            let others = others.filter(|other| id(other) == Some(is));
            names.extend(others.map(|other| joined(&other, rest)));
        }
        names
    }

    /// The paths at which something is mounted below a folder.
    pub(super) fn points_below(&self, folder: &Path) -> impl Iterator<Item = &Path> {
        let points = self.0.iter().map(|mount| mount.point.as_path());
        points.filter(move |point| *point != folder && point.starts_with(folder))
    }

    /// The paths that lead to the same folder unless something else is mounted over them.
    fn others_of(&self, folder: &Path) -> Vec<PathBuf> {
        // The last mount at a path hides those before it.
        let holds = |mount: &&Mount| folder.starts_with(&mount.point);
        let depth = |mount: &&Mount| mount.point.components().count();
        let Some(own) = self.0.iter().filter(holds).max_by_key(depth) else {
            return Vec::new();
        };
        let Ok(inside) = folder.strip_prefix(&own.point) else {
            return Vec::new();
        };
        let inside = own.root.join(inside);
        let of_device = self.0.iter().filter(|mount| mount.device == own.device);
        let others = of_device.filter_map(|mount| {
            let rest = inside.strip_prefix(&mount.root).ok()?;
            let other = joined(&mount.point, rest);
            (other != folder).then_some(other)
        });
        others.collect()
    }
}

/// Joining an empty path would add a slash.
fn joined(path: &Path, rest: &Path) -> PathBuf {
    if rest.as_os_str().is_empty() {
        path.to_path_buf()
    } else {
        path.join(rest)
    }
}

fn id(folder: &Path) -> Option<(u64, u64)> {
    let stamp = Stamp::of(&fs::metadata(folder).ok()?);
    Some((stamp.device, stamp.inode))
}

/// Decodes a path as the system lists it: with blanks, tabs, line feeds and backslashes as octal numbers.
fn unescaped(word: &[u8]) -> io::Result<PathBuf> {
    os::path_of_bytes(os::unescaped(word, b'\\', 3, 8))
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::{Path, PathBuf};

    use super::Mounts;

    #[test]
    fn a_folder_at_several_places() {
        let mounts = Mounts::read(
            b"1 0 8:1 / / rw - ext4 /dev/a rw\n\
            2 1 8:1 /home/me/my\\040tree /bind rw - ext4 /dev/a rw\n\
            3 1 8:2 / /other rw - ext4 /dev/b rw\n\
            4 1 8:2 /deep /home/disk rw - ext4 /dev/b rw\n\
            damaged line\n\n",
        );
        for (folder, others) in [
            ("/bind/sub", &["/home/me/my tree/sub"][..]),
            ("/home/me/my tree", &["/bind"]),
            ("/home/me/my tree/sub", &["/bind/sub"]),
            ("/home/me", &[]),
            ("/home/disk/x", &["/other/deep/x"]),
            ("/other/deep", &["/home/disk"]),
            ("/other", &[]),
            ("/binding", &[]),
        ] {
            let others: Vec<PathBuf> = others.iter().map(PathBuf::from).collect();
            assert_eq!(mounts.others_of(Path::new(folder)), others, "{folder}");
        }
    }
}
