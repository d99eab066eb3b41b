//! File systems that take two names for the same (in upper and lower case, or with letters that are composed
//! in two ways), and file systems without hard links.
//!
//! Such a file system is mounted if the system allows it and has one: vfat or ext4 with `casefold` from the
//! kernel, or exFAT by FUSE. If there is none, a message says so. A folder that is mounted in two places is
//! similar, and every Linux allows that to root.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::harness::{Folder, run, skipped};

const KOI8: &[u8] = b"\xCD\xC9\xD2";
const UTF8: &[u8] = "мир".as_bytes();

/// A folder at which something is mounted until this is dropped.
pub(crate) struct Mounted<'f> {
    folder: &'f Folder,
    name: &'static str,
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        succeeds("umount", &[&self.folder.name(self.name)]);
    }
}

fn succeeds(program: &str, args: &[&str]) -> bool {
    let status = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

/// Mounts a file system that folds names; `None` if there is none.
fn folding(folder: &Folder) -> Option<Mounted<'_>> {
    let (image, point) = (folder.name("image"), folder.folder("folding"));
    let mounted = Mounted {
        folder,
        name: "folding",
    };
    let loops = |options: &str| succeeds("mount", &["-o", options, &image, &point]);
    let ways: [(&str, &dyn Fn() -> bool); 3] = [
        ("vfat", &|| {
            succeeds("mkfs.vfat", &[&image]) && loops("loop,utf8=1")
        }),
        ("ext4", &|| {
            let args = ["-q", "-F", "-O", "casefold", "-E", "encoding=utf8", &image];
            succeeds("mkfs.ext4", &args) && loops("loop") && succeeds("chattr", &["+F", &point])
        }),
        ("exfat", &|| {
            let output = Command::new("losetup")
                .args(["-f", "--show", &image])
                .output();
            let Ok(output) = output else { return false };
            let device = String::from_utf8_lossy(&output.stdout).trim().to_owned();
            let done = succeeds("mkfs.exfat", &[&image])
                && succeeds("mount.exfat-fuse", &[&device, &point]);
            // The folder is removed after it is unmounted.
            succeeds("losetup", &["-d", &device]);
            done
        }),
    ];
    for (name, mount) in ways {
        let made = fs::File::create(&image).and_then(|file| file.set_len(16 << 20));
        made.expect("a file can be made");
        if mount() {
            let probe = folder.file("folding/Probe", "");
            if Path::new(&folder.name("folding/probe")).exists() {
                fs::remove_file(probe).expect("it is ours");
                eprintln!("tested on {name}");
                return Some(mounted);
            }
            succeeds("umount", &[&point]);
        }
    }
    skipped("no file system that folds names can be mounted here");
    std::mem::forget(mounted);
    None
}

/// Mounts a file system that keeps no extended attributes.
pub(crate) fn without_attributes<'f>(
    folder: &'f Folder,
    name: &'static str,
) -> Option<Mounted<'f>> {
    if succeeds("mount", &["-t", "ramfs", "none", &folder.folder(name)]) {
        return Some(Mounted { folder, name });
    }
    skipped("no file system without extended attributes can be mounted here");
    None
}

/// Mounts the folder `a` at `name`, too.
pub(crate) fn mounted_twice<'f>(
    folder: &'f Folder,
    a: &str,
    name: &'static str,
) -> Option<Mounted<'f>> {
    folder.folder(a);
    folder.folder(name);
    mounted_at(folder, a, name)
}

/// Mounts the file or folder `a` at `name`, too, where there is one already.
pub(crate) fn mounted_at<'f>(
    folder: &'f Folder,
    a: &str,
    name: &'static str,
) -> Option<Mounted<'f>> {
    if succeeds("mount", &["--bind", &folder.name(a), &folder.name(name)]) {
        return Some(Mounted { folder, name });
    }
    skipped("nothing can be mounted twice here");
    None
}

#[test]
fn two_outputs_do_not_become_one() {
    let folder = Folder::new();
    let Some(_mounted) = folding(&folder) else {
        return;
    };
    folder.folder("t");
    for name in ["t/A.txt", "t/a.txt", "t/\u{c9}", "t/\u{e9}", "t/other"] {
        folder.file(name, [KOI8, b" ", name.as_bytes()].concat());
    }
    let (tree, out) = (folder.name("t"), folder.name("folding/out"));
    let args = ["convert", "-f", "koi8-r", "--out-dir", &out, &tree];
    let ran = run(args).ends(2).says([
        "3 converted, 2 failed",
        "upper and lower case",
        "into separate folders",
    ]);
    assert!(!ran.stderr.contains("cannot"), "{}", ran.stderr);
    let first = folder.tree("folding/out");
    assert_eq!(first.len(), 3);
    // Whichever came first is complete.
    for (path, text) in &first {
        let text = String::from_utf8_lossy(text);
        let name = path.to_string_lossy();
        assert!(text.to_lowercase().starts_with("мир "), "{text:?}");
        let (koi8, _, _) = encoding_rs::KOI8_R.decode(name.as_bytes());
        let wanted = format!("t/{koi8}").to_lowercase();
        let text = text.to_lowercase();
        assert!(
            text.ends_with(&wanted) || !name.is_ascii(),
            "{text:?}, {name:?}"
        );
    }
    // Now all of them exist. If files have permanent numbers, the collision is noticed before anything is
    // written.
    let ran = run(args).ends(2);
    assert!(
        ran.stderr
            .contains("several files would be written to the same output")
            || ran.stderr.contains("3 unchanged, 2 failed"),
        "{}",
        ran.stderr
    );
    assert_eq!(folder.tree("folding/out"), first);
    // Folders may collide, too.
    for name in ["u/Sub/x", "u/sub/x", "u/sub/y"] {
        folder.folder(&name[..5]);
        folder.file(name, [KOI8, name.as_bytes()].concat());
    }
    let tree = folder.name("u");
    run(["convert", "-f", "latin1", "--out-dir", &out, &tree])
        .ends(2)
        .says(["2 converted, 1 failed", "/x: its output"]);
}

#[test]
fn backups_are_copies_where_there_are_no_hard_links() {
    let folder = Folder::new();
    let Some(_mounted) = folding(&folder) else {
        return;
    };
    folder.folder("folding/t");
    let a = folder.file("folding/t/a", KOI8);
    assert!(succeeds("touch", &["-d", "yesterday", &a]));
    let tree = folder.name("folding/t");
    let time = fs::metadata(&a)
        .and_then(|of| of.modified())
        .expect("it has a time");
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--backup",
        ".orig",
        &tree,
    ];
    run(args).gives(0, b"").says(["1 converted"]);
    assert_eq!(
        (folder.read("folding/t/a"), folder.read("folding/t/a.orig")),
        (UTF8.to_vec(), KOI8.to_vec())
    );
    let kept = fs::metadata(folder.path("folding/t/a.orig")).and_then(|of| of.modified());
    assert_eq!(kept.expect("it has a time"), time);
    // FAT has neither attributes nor a time of the last change, and its times are those of modification.
    let restore = ["restore", "--backup", ".orig", &tree];
    let kept = fs::metadata(folder.path("folding/t/a.orig")).expect("it is there");
    if (kept.ctime(), kept.ctime_nsec()) == (kept.mtime(), kept.mtime_nsec()) {
        run(restore)
            .ends(1)
            .says(["a: its file system doesn't record", "1 skipped"]);
    }
    run(restore.iter().chain(&["--force"])).ends(0);
    assert_eq!(folder.read("folding/t/a"), KOI8);
    run(args).gives(0, b"");
    // In upper case, the name of a backup that exists is another spelling of it.
    folder.file("folding/t/b", KOI8);
    folder.file("folding/t/B.ORIG", "mine");
    run(args)
        .gives(2, b"")
        .says(["b: its backup", "can't be made: File exists"]);
    assert_eq!(
        (folder.read("folding/t/b"), folder.read("folding/t/b.orig")),
        (KOI8.to_vec(), b"mine".to_vec())
    );
    // A run that was killed may have made the copy and got no further.
    folder.file("folding/t/c", KOI8);
    folder.file("folding/t/c.orig", KOI8);
    run([
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--backup",
        ".orig",
        &folder.name("folding/t/c"),
    ])
    .gives(0, b"");
    assert_eq!(folder.read("folding/t/c"), UTF8);
}

#[test]
fn new_outputs_that_are_one_file_do_not_replace_each_other() {
    let folder = Folder::new();
    let Some(_mounted) = mounted_twice(&folder, "out/a", "out/b") else {
        return;
    };
    for name in ["t/a", "t/b"] {
        folder.folder(name);
        folder.file(&format!("{name}/x"), [KOI8, name.as_bytes()].concat());
    }
    let (tree, out) = (folder.name("t"), folder.name("out"));
    for jobs in ["-j1", "-j2"] {
        let _ = fs::remove_file(folder.path("out/a/x"));
        let args = ["convert", jobs, "-f", "koi8-r", "--out-dir", &out, &tree];
        let ran = run(args)
            .ends(2)
            .says(["1 converted, 1 failed", "its output", "out"]);
        let (a, b) = (folder.read("out/a/x"), folder.read("out/b/x"));
        assert_eq!(a, b);
        // The other one of the two has failed.
        let failed = if a == [UTF8, b"t/a"].concat() {
            "t/b/x: its"
        } else {
            "t/a/x: its"
        };
        assert!(ran.stderr.contains(failed), "{}", ran.stderr);
        // They exist now, so the collision is noticed before anything is read.
        run(args).gives(2, b"").says([
            "several files would be written to the same output",
            "t/a/x",
            "t/b/x",
        ]);
    }
}

/// As in a container, whose files are those of its image until they are changed.
#[test]
fn files_of_a_lower_layer_are_converted() {
    let folder = Folder::new();
    let merged = folder.folder("merged");
    for name in ["upper", "work", "lower"] {
        folder.folder(name);
    }
    for name in ["lower/a", "lower/b"] {
        folder.file(name, [KOI8, b" and other letters\n"].concat());
    }
    let layers = ["lowerdir", "upperdir", "workdir"]
        .map(|layer| format!("{layer}={}", folder.name(&layer[..layer.len() - 3])));
    if !succeeds(
        "mount",
        &["-t", "overlay", "-o", &layers.join(","), "overlay", &merged],
    ) {
        skipped("no layers can be mounted here");
        return;
    }
    let _mounted = Mounted {
        folder: &folder,
        name: "merged",
    };
    let [a, b] = ["merged/a", "merged/b"].map(|name| folder.name(name));
    let args = ["convert", "-f", "koi8-r", "--in-place"];
    run(args.iter().chain(&[&*a]))
        .gives(0, b"")
        .says(["1 converted"]);
    run(args.iter().chain(&["--backup", ".orig", &*b]))
        .gives(0, b"")
        .says(["1 converted"]);
    let converted = [UTF8, b" and other letters\n"].concat();
    assert_eq!(
        (folder.read("merged/a"), folder.read("merged/b")),
        (converted.clone(), converted)
    );
    assert_eq!(folder.read("merged/b.orig"), folder.read("lower/b"));
}
