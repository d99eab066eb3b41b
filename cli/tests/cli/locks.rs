//! Two runs at the same time on one tree, however it is spelled: the second one is refused.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::folding::mounted_twice;
use crate::harness::{Folder, Ran, run, simdtext, skipped};

const KOI8: &[u8] = b"\xCD\xC9\xD2";

/// A tree, and a long run on a part of it.
struct Busy {
    child: Child,
    folder: Folder,
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Busy {
    /// Starts a run with `flags` on a folder of many files, and stops it once one of them is done.
    fn start(flags: &[&str], path: &str, place: &str) -> Self {
        let folder = Folder::new();
        for name in ["a/b/c", "a/d", "e"] {
            folder.folder(name);
            folder.file(&format!("{name}/small"), KOI8);
        }
        for i in 0..MANY {
            folder.file(&format!("{path}/{i}"), KOI8);
        }
        symlink(folder.path("a"), folder.path("link")).expect("a link can be made");
        let child = simdtext(["convert", "-f", "koi8-r", "-j1", "-q"])
            .args(flags)
            .arg(path)
            .current_dir(folder.path(""))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the command starts");
        let busy = Self { child, folder };
        let begun = Instant::now();
        let place = busy.folder.path(place);
        while !(0..MANY).any(|i| is_done(&place.join(i.to_string()))) {
            assert!(begun.elapsed() < Duration::from_secs(60), "it does nothing");
        }
        let stopped = Command::new("kill")
            .args(["-STOP", &busy.child.id().to_string()])
            .status();
        assert!(
            stopped.expect("kill starts").success(),
            "it came to its end"
        );
        busy
    }

    fn run(&self, args: &[&str]) -> Ran {
        let output = simdtext(["convert", "-f", "koi8-r"])
            .args(args)
            .current_dir(self.folder.path(""))
            .output();
        output.expect("the command starts").into()
    }

    #[track_caller]
    fn refuses(&self, args: &[&str]) {
        let process = format!("(process {}: ", self.child.id());
        self.run(args).gives(2, b"").says([
            "is in use by another run",
            &process,
            "nothing was read or written",
        ]);
    }
}

/// Enough files to take a while: each waits for the disk.
const MANY: usize = 500;

/// Whether a file is converted.
fn is_done(path: &Path) -> bool {
    fs::read(path).is_ok_and(|contents| contents == "мир".as_bytes())
}

#[test]
fn a_tree_that_is_converted_in_place() {
    let busy = Busy::start(&["--in-place"], "a", "a");
    let inside = busy.folder.name("a/b");
    busy.folder.file("list", "a/b/c/small\n");
    busy.folder.file("linked", "link/b/c/small\n");
    for args in [
        &["--in-place", "a"][..],
        &["--in-place", "a/"],
        &["--in-place", "e/../a"],
        &["--in-place", "."],
        &["--in-place", "e", "a/b/c"],
        &["--in-place", &inside],
        &["--in-place", "a/d/small"],
        &["--in-place", "-L", "link"],
        &["--in-place", "--files-from", "list"],
        &["--in-place", "--files-from", "linked"],
        &["--out-dir", "out", "a"],
        &["--out-dir", "out", "link"],
        &["--out-dir", "a/out", "e"],
        &["--out-dir", "out", "--files-from", "list"],
    ] {
        busy.refuses(args);
    }
    assert!(!busy.folder.path("out").exists() && !busy.folder.path("a/out").exists());
    assert!(matches!(busy.folder.read("a/b/c/small").len(), 3 | 6));
    // A folder beside it, and a dry run.
    busy.run(&["--in-place", "--dry-run", "a/d"]).ends(0);
    busy.run(&["--in-place", "e"])
        .gives(0, b"")
        .says(["1 converted"]);
    assert_eq!(busy.folder.read("e/small"), "мир".as_bytes());
}

#[test]
fn a_folder_in_a_tree() {
    let busy = Busy::start(&["--in-place"], "a/b", "a/b");
    for args in [
        &["--in-place", "a"][..],
        &["--in-place", "."],
        &["--in-place", "a/b/c"],
    ] {
        busy.refuses(args);
    }
    busy.run(&["--in-place", "a/d"]).gives(0, b"");
}

#[test]
fn an_output_folder() {
    let busy = Busy::start(&["--out-dir", "out"], "a", "out");
    for args in [
        &["--out-dir", "out", "e"][..],
        &["--out-dir", "out/deep", "e"],
        &["--in-place", "out"],
        &["--in-place", "a"],
        &["--in-place", "a/d/small"],
        &["--out-dir", "other", "a/d"],
        &["--out-dir", "other", "a"],
    ] {
        busy.refuses(args);
    }
    busy.run(&["--out-dir", "other", "e"])
        .gives(0, b"")
        .says(["1 converted"]);
}

#[test]
fn a_run_that_was_killed_leaves_no_lock() {
    let mut busy = Busy::start(&["--in-place"], "a", "a");
    busy.child.kill().expect("it runs");
    busy.child.wait().expect("it ends");
    busy.run(&["--in-place", "a/d"]).ends(0);
}

#[test]
fn one_run_that_names_a_folder_in_several_ways() {
    let folder = Folder::new();
    folder.folder("a/b");
    folder.file("a/b/x", KOI8);
    folder.file("a/y", KOI8);
    folder.file("z", KOI8);
    let (a, b, z) = (folder.name("a"), folder.name("a/b/x"), folder.name("z"));
    let out = folder.name("a/../out");
    run(["convert", "-f", "koi8-r", "--out-dir", &out, &a, &z])
        .gives(0, b"")
        .says(["3 converted"]);
    run(["convert", "-f", "koi8-r", "--in-place", &b, &z])
        .gives(0, b"")
        .says(["2 converted"]);
}

#[test]
fn a_list_of_files_in_very_many_folders() {
    let folder = Folder::in_memory();
    let mut list = String::new();
    for i in 0..2000 {
        folder.folder(&format!("t/{}/{i}", i % 9));
        folder.file(&format!("t/{}/{i}/x", i % 9), KOI8);
        list += &format!("t/{}/{i}/x\n", i % 9);
    }
    folder.file("list", &list);
    let output = Command::new("sh")
        .args(["-c", "ulimit -n 200; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_simdtext"))
        .args(["convert", "-f", "koi8-r", "--no-fsync", "--in-place"])
        .args(["--files-from", "list"])
        .current_dir(folder.path(""))
        .output();
    Ran::from(output.expect("sh starts"))
        .gives(0, b"")
        .says(["2000 converted"]);
}

#[test]
fn of_two_runs_that_begin_at_once_one_is_refused() {
    let folder = Folder::new();
    folder.folder("t");
    let (before, after) = (KOI8.repeat(20), b"\xEC\xE8\xF0".repeat(20));
    for i in 0..1500 {
        folder.file(&format!("t/{i}"), &before);
    }
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "-t",
        "windows-1251",
        "--in-place",
    ];
    let children: Vec<Child> = (0..4)
        .map(|_| {
            simdtext(args.into_iter().chain([&*folder.name("t")]))
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the command starts")
        })
        .collect();
    let mut done = 0;
    for child in children {
        let ran = Ran::from(child.wait_with_output().expect("it ends"));
        if ran.status == Some(0) {
            done += 1;
        } else {
            ran.gives(2, b"").says(["is in use by another run"]);
        }
    }
    assert_eq!(done, 1);
    assert!(folder.tree("t").values().all(|contents| *contents == after));
}

#[test]
fn a_folder_that_is_mounted_elsewhere() {
    let busy = Busy::start(&["--in-place"], "a/b", "a/b");
    {
        let Some(_mounted) = mounted_twice(&busy.folder, "a", "e/mounted") else {
            return;
        };
        // The folder, a folder in it, and the folder above it, each by another path.
        for args in [
            &["--in-place", "e/mounted"][..],
            &["--in-place", "e/mounted/b/c"],
            &["--in-place", "e"],
            &["--in-place", "e/mounted/b/c/small"],
            &["--out-dir", "out", "e/mounted"],
        ] {
            busy.refuses(args);
        }
        busy.run(&["--in-place", "e/mounted/d"]).gives(0, b"");
    }
    // The other way round: a run by way of the mount, and one above the folder that is mounted there.
    drop(busy);
    let folder = Folder::new();
    folder.folder("a/b");
    folder.folder("a/d");
    folder.file("a/b/x", KOI8);
    let Some(_mounted) = mounted_twice(&folder, "a/b", "mounted") else {
        return;
    };
    let held = fs::File::open(folder.path("a")).expect("it is there");
    held.lock().expect("folders can be locked");
    let mounted = folder.name("mounted");
    let args = ["convert", "-f", "koi8-r", "--in-place", &mounted];
    run(args)
        .gives(2, b"")
        .says(["/a, which ", "is in use by another run"]);
    run(["restore", "--backup=.orig", &mounted])
        .gives(2, b"")
        .says(["is in use by another run"]);
    held.unlock().expect("it was locked");
    run(args).gives(0, b"").says(["1 converted"]);
}

#[test]
fn where_there_are_no_locks() {
    let folder = Folder::new();
    let tree = folder.folder("t");
    folder.file("t/x", KOI8);
    let flock = ["-f", "-o", "/dev/null", "-e", "inject=flock:error=ENOLCK"];
    let works = Command::new("strace").args(flock).arg("true").output();
    if !works.is_ok_and(|output| output.status.success()) {
        skipped("strace can't run here, which is to take the locks away");
        return;
    }
    for command in [
        &["convert", "-f", "koi8-r", "--in-place", "--backup=.orig"][..],
        &["restore", "--backup=.orig"],
    ] {
        let output = Command::new("strace")
            .args(flock)
            .arg(env!("CARGO_BIN_EXE_simdtext"))
            .args(command)
            .arg(&tree)
            .env_remove("SIMDTEXT_ISA")
            .output();
        Ran::from(output.expect("strace starts"))
            .gives(0, b"")
            .says([
                "t can't be locked: No locks available",
                "nothing keeps another run from",
            ]);
    }
    assert_eq!(folder.read("t/x"), KOI8);
}

#[test]
fn a_look_does_not_take_a_live_run_for_a_dead_one() {
    let folder = Folder::new();
    let tree = folder.folder("t");
    folder.file("t/x", KOI8);
    folder.file("t/.simdtext-0123456789abcdef-01234567-x", KOI8);
    run(["convert", "-f", "koi8-r", "--in-place", "--dry-run", &tree])
        .ends(0)
        .says(["1 temporary file of runs that were killed, or of one that is still at work"]);
    run(["convert", "-f", "koi8-r", "--in-place", &tree])
        .ends(0)
        .says(["1 temporary file of earlier runs that were killed; --remove-orphans"]);
}
