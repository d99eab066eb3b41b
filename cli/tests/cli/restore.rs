//! `simdtext restore`: undoes a run that kept backups.

use std::fs;
use std::os::unix::fs::{MetadataExt, symlink};
#[cfg(target_os = "linux")]
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::access::set;
use crate::folding::without_attributes;
use crate::harness::{Folder, run};
#[cfg(target_os = "linux")]
use crate::harness::{Ran, skipped};

const KOI8: &[u8] = b"\xCD\xC9\xD2\n";

/// A tree that was converted with backups.
fn converted(names: &[&str], flags: &[&str]) -> Folder {
    let folder = Folder::new();
    folder.folder("t/deep");
    for name in names {
        make_old(&folder.file(&format!("t/{name}"), KOI8));
    }
    let tree = folder.name("t");
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--backup=.orig",
        &tree,
    ];
    run(args.iter().chain(flags)).ends(0);
    folder
}

/// Sets the time of modification of a file to yesterday.
fn make_old(path: &str) {
    let file = fs::File::options().write(true).open(path);
    let old = SystemTime::now() - Duration::from_secs(86_400);
    let set = file.expect("it is there").set_modified(old);
    set.expect("times can be set");
}

fn modified(folder: &Folder, name: &str) -> SystemTime {
    let metadata = fs::metadata(folder.path(name)).expect("it is there");
    metadata.modified().expect("it has times")
}

#[test]
fn all_is_as_it_was() {
    for flags in [&[][..], &["--preserve"], &["--no-fsync", "-j1"]] {
        let folder = converted(&["a", "b.txt", "deep/c"], flags);
        folder.file("t/other", "stays");
        let inode = fs::metadata(folder.path("t/a.orig"))
            .expect("it is there")
            .ino();
        let tree = folder.name("t");
        let before = folder.tree("t");
        assert_eq!(before.len(), 7);
        run(["restore", "--backup=.orig", "-n", &tree])
            .ends(0)
            .says(["3 backups: 3 restored (nothing was changed)"]);
        assert_eq!(folder.tree("t"), before);
        run(["restore", "--backup=.orig", &tree])
            .gives(0, b"")
            .says(["3 backups: 3 restored"]);
        let names = ["a", "b.txt", "deep/c", "other"].map(std::path::PathBuf::from);
        assert_eq!(folder.tree("t").into_keys().collect::<Vec<_>>(), names);
        for name in ["t/a", "t/b.txt", "t/deep/c"] {
            assert_eq!(folder.read(name), KOI8);
            let age = modified(&folder, name).elapsed().expect("it is old");
            assert!(age > Duration::from_secs(80_000));
        }
        let metadata = fs::metadata(folder.path("t/a")).expect("it is there");
        assert_eq!(metadata.ino(), inode);
        // In a second run there is nothing to do.
        run(["restore", "--backup=.orig", &tree])
            .ends(0)
            .says(["no file there ends with .orig", "0 backups"]);
    }
}

#[test]
fn what_was_changed_since_is_left() {
    let folder = converted(
        &[
            "edited",
            "replaced",
            "back_in_time",
            "removed",
            "killed",
            "fine",
        ],
        &[],
    );
    std::thread::sleep(Duration::from_millis(2_100));
    folder.file("t/edited", "new work");
    fs::remove_file(folder.path("t/replaced")).expect("it is there");
    folder.file("t/replaced", "new work");
    let was = modified(&folder, "t/back_in_time");
    let path = folder.file("t/back_in_time", "new work");
    let file = fs::File::options()
        .write(true)
        .open(path)
        .expect("it is there");
    file.set_modified(was).expect("times can be set");
    fs::remove_file(folder.path("t/removed")).expect("it is there");
    // The state in which a run leaves it that is killed before it replaces the file.
    fs::remove_file(folder.path("t/killed")).expect("it is there");
    fs::hard_link(folder.path("t/killed.orig"), folder.path("t/killed"))
        .expect("links can be made");
    let tree = folder.name("t");
    let ran = run(["restore", "--backup=.orig", "--json", &tree])
        .ends(1)
        .says([
            "edited: it was changed after it was converted",
            "6 backups: 3 restored, 3 skipped",
        ]);
    let text = String::from_utf8(ran.stdout).expect("JSON is UTF-8");
    let objects: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect();
    assert_eq!(objects.len(), 7);
    assert_eq!(objects[6]["results"]["restored"], 3);
    assert!(objects.iter().all(|object| object["version"] == 1));
    for name in ["edited", "replaced", "back_in_time"] {
        assert_eq!(folder.read(&format!("t/{name}")), b"new work");
        assert_eq!(folder.read(&format!("t/{name}.orig")), KOI8);
    }
    for name in ["removed", "killed", "fine"] {
        assert_eq!(folder.read(&format!("t/{name}")), KOI8);
        assert!(!folder.path(format!("t/{name}.orig")).exists());
    }
    run(["restore", "--backup=.orig", "--force", &tree]).ends(0);
    assert_eq!(folder.read("t/edited"), KOI8);
    assert_eq!(folder.tree("t").len(), 6);
}

#[test]
fn one_file_and_odd_things() {
    let folder = converted(&["a", "b"], &[]);
    run(["restore", "--backup=.orig", &folder.name("t/a")]).ends(0);
    assert_eq!(folder.read("t/a"), KOI8);
    assert!(folder.path("t/b.orig").exists());
    run(["restore", "--backup=.orig", &folder.name("t/a")])
        .ends(2)
        .says(["it has no backup, a.orig"]);
    run(["restore", "--backup=.orig", &folder.name("nowhere")])
        .ends(2)
        .says(["nowhere: there is no such file or folder, and no backup nowhere.orig"]);
    // A folder has taken the place of a file.
    fs::remove_file(folder.path("t/b")).expect("it is there");
    folder.folder("t/b");
    run(["restore", "--backup=.orig", "--force", &folder.name("t")])
        .ends(1)
        .says(["something that is not a regular file took its place"]);
    assert_eq!(folder.read("t/b.orig"), KOI8);
    run(["restore", &folder.name("t")]).ends(2);
    run(["restore", "--backup=", &folder.name("t")]).ends(2);
}

/// The backup of `a` is not that of `a.`.
#[test]
fn a_suffix_without_its_dot() {
    let folder = converted(&["a"], &[]);
    let tree = folder.name("t");
    run(["restore", "--backup=orig", &tree])
        .gives(1, "")
        .says(["t/a.: there is no such file, and a.orig is rather a backup of a"]);
    assert!(!folder.path("t/a.").exists());
    assert_eq!(folder.read("t/a.orig"), KOI8);
    run(["restore", "--backup=.orig", &tree]).ends(0);
    assert_eq!(folder.read("t/a"), KOI8);
}

#[test]
fn not_while_another_run_is_there() {
    let folder = converted(&["a"], &[]);
    let top = fs::File::open(folder.path("t")).expect("it is there");
    top.lock().expect("folders can be locked");
    run(["restore", "--backup=.orig", &folder.name("t/deep")])
        .ends(2)
        .says(["is in use by another run"]);
    run(["restore", "--backup=.orig", &folder.name("t")]).ends(2);
    assert!(folder.path("t/a.orig").exists());
    top.unlock().expect("it was locked");
    run(["restore", "--backup=.orig", &folder.name("t")]).ends(0);
}

#[test]
fn a_tree_that_is_named_by_a_link() {
    let folder = converted(&["a", "deep/c"], &[]);
    symlink(folder.path("t"), folder.path("link")).expect("a link can be made");
    run(["restore", "--backup=.orig", &folder.name("link")])
        .gives(0, b"")
        .says(["2 backups: 2 restored"]);
    assert_eq!(folder.read("t/deep/c"), KOI8);
}

#[test]
fn links_that_are_swapped_in_lead_nowhere() {
    let folder = Folder::new();
    let tree = folder.folder("t/deep");
    // Enough files to take a while.
    for i in 0..300 {
        folder.folder(&format!("t/{i}"));
    }
    folder.folder("outside");
    folder.file("outside/x", "new");
    folder.file("outside/x.orig", "old");
    symlink(folder.path("outside"), folder.path("link")).expect("a link can be made");
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let [deep, link, aside] = ["t/deep", "link", "aside"].map(|name| folder.path(name));
            while !is_done.load(Ordering::Relaxed) {
                for (old, new) in [
                    (&deep, &aside),
                    (&link, &deep),
                    (&deep, &link),
                    (&aside, &deep),
                ] {
                    fs::rename(old, new).expect("they are ours");
                    if *new == deep {
                        thread::sleep(Duration::from_micros(500));
                    }
                }
            }
        });
        let tree = tree.strip_suffix("/deep").expect("it ends so");
        for _ in 0..60 {
            // A folder that has become a link, or is gone, is reported.
            let status = run(["restore", "--backup=.orig", tree]).status;
            assert!(matches!(status, Some(0..=2)), "{status:?}");
        }
        is_done.store(true, Ordering::Relaxed);
    });
    assert_eq!(folder.read("outside/x"), b"new");
    assert_eq!(folder.read("outside/x.orig"), b"old");
}

#[test]
fn rules_about_backups_do_not_hide_them() {
    for rules in [".gitignore", ".ignore"] {
        let folder = converted(&["a", "deep/c"], &[]);
        folder.folder("t/.git");
        folder.file(&format!("t/{rules}"), "*.orig\n");
        run(["restore", "--backup=.orig", &folder.name("t")])
            .gives(0, b"")
            .says(["2 backups: 2 restored"]);
        assert_eq!(folder.read("t/a"), KOI8);
        assert_eq!(folder.read("t/deep/c"), KOI8);
    }
}

#[test]
fn what_is_hidden_or_ignored_is_told() {
    let folder = converted(&["a", ".b", "deep/c"], &["-H"]);
    folder.file("t/.ignore", "deep\n");
    let tree = folder.name("t");
    for dry in [&["-n"][..], &[]] {
        let args = ["restore", "--backup=.orig", &tree];
        run(args.iter().chain(dry)).ends(1).says([
            "2 files left alone whose names end with .orig",
            "--hidden and --no-ignore",
            "1 backup: 1 restored",
        ]);
    }
    run(["restore", "--backup=.orig", "-H", &tree])
        .ends(1)
        .says(["1 file left alone", "1 backup: 1 restored"]);
    run(["restore", "--backup=.orig", "-HI", &tree])
        .gives(0, b"")
        .says(["1 backup: 1 restored"]);
    for name in ["t/a", "t/.b", "t/deep/c"] {
        assert_eq!(folder.read(name), KOI8);
    }
}

#[test]
fn times_in_the_future_that_were_kept() {
    let folder = Folder::new();
    folder.folder("t");
    let path = folder.file("t/a", KOI8);
    let future = SystemTime::now() + Duration::from_secs(86_400);
    let set = |time| {
        let file = fs::File::options()
            .write(true)
            .open(&path)
            .expect("it is there");
        file.set_modified(time).expect("times can be set");
    };
    set(future);
    let tree = folder.name("t");
    let convert = || {
        run([
            "convert",
            "-f",
            "koi8-r",
            "--in-place",
            "--backup=.orig",
            "--preserve",
            &tree,
        ])
        .ends(0)
    };
    convert();
    run(["restore", "--backup=.orig", &tree])
        .gives(0, b"")
        .says(["1 backup: 1 restored"]);
    assert_eq!(folder.read("t/a"), KOI8);
    run([
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--backup=.orig",
        &tree,
    ])
    .ends(0);
    run(["restore", "--backup=.orig", &tree]).ends(0);
    convert();
    set(future + Duration::from_secs(1));
    run(["restore", "--backup=.orig", &tree])
        .ends(1)
        .says(["it was changed after it was converted"]);
}

/// A run without `--backup` takes the backups of an earlier one for files.
#[test]
fn a_backup_that_was_converted_is_not_the_original() {
    let folder = Folder::new();
    let tree = folder.folder("t");
    folder.file("t/a", b"K\xF6ln ist sch\xF6n");
    let convert = ["convert", "-f", "latin1", "--in-place", &tree];
    run(convert.iter().chain(&["--backup", ".orig"])).ends(0);
    // Times of files may be as coarse as some milliseconds.
    thread::sleep(Duration::from_millis(50));
    run(convert).ends(0);
    assert_eq!(folder.read("t/a.orig"), folder.read("t/a"));
    run(["restore", "--backup", ".orig", &tree])
        .ends(1)
        .says(["a: a.orig is not the original that was kept: another program made or changed it"]);
    assert_eq!(folder.tree("t").len(), 2);
    run(["restore", "--force", "--backup", ".orig", &tree]).ends(0);
    assert_eq!(folder.tree("t").len(), 1);
}

/// The times of files and backups of `patch -b` and `sed -i.orig` are as if the conversion had made them.
#[test]
fn backups_of_other_programs_are_left() {
    let folder = converted(&["a", "b"], &[]);
    if !set(&folder.path("t/a"), "user.note", b"") {
        return;
    }
    let tree = folder.name("t");
    for (name, contents) in [("ascii", &b"patched"[..]), ("legacy", KOI8)] {
        folder.file(&format!("t/{name}.orig"), "before the patch");
        // Otherwise it would be reported as changed if the clock has advanced.
        make_old(&folder.file(&format!("t/{name}"), contents));
    }
    // A run says so, too, where it would have to make the backup.
    let args = ["convert", "-f", "koi8-r", "--in-place", "--backup=.orig"];
    run(args.iter().chain(&["-g", "!*.orig", &*tree]))
        .ends(2)
        .says(["its backup", "legacy.orig can't be made"]);
    let restore = ["restore", "--backup=.orig", &tree];
    run(restore).ends(1).says([
        "ascii: ascii.orig is not the original that was kept",
        "legacy: legacy.orig is not the original that was kept",
        "4 backups: 2 restored, 2 skipped",
    ]);
    assert_eq!(folder.read("t/a"), KOI8);
    assert_eq!(folder.read("t/ascii"), b"patched");
    assert_eq!(folder.read("t/ascii.orig"), b"before the patch");
    // What was converted twice has two backups, and its attribute says which is the last.
    run(args.iter().chain(&[&*folder.name("t/a")])).ends(0);
    let back = ["convert", "-f", "utf-8", "-t", "koi8-r", "--in-place"];
    run(back.iter().chain(&["--backup=.2", &*folder.name("t/a")])).ends(0);
    run(restore).ends(1).says(["3 backups: 3 skipped"]);
    run(["restore", "--backup=.2", &tree]).ends(0);
    run(restore)
        .ends(1)
        .says(["3 backups: 1 restored, 2 skipped"]);
    run(restore.iter().chain(&["--force"])).ends(0);
    assert_eq!(folder.read("t/ascii"), b"before the patch");
}

/// Whichever look at a file fails, no backup is passed over silently.
#[test]
#[cfg(target_os = "linux")]
fn a_backup_that_can_not_be_examined() {
    for nth in 1..100 {
        let folder = converted(&["a"], &[]);
        let log = folder.name("log");
        let failing = format!("inject=/^(newfstatat|statx)$:error=EIO:when={nth}");
        let output = Command::new("strace")
            .args(["-f", "-o", &log, "-e", &failing])
            .arg(env!("CARGO_BIN_EXE_simdtext"))
            .args(["restore", "-HI", "--backup=.orig", &folder.name("t")])
            // Cargo sets it, and the dynamic linker examines many folders below those that it names.
            .env_remove("LD_LIBRARY_PATH")
            .output();
        let (Ok(output), true) = (output, folder.path("log").exists()) else {
            skipped("strace can't run here, which is to make calls fail");
            return;
        };
        let ran = Ran::from(output);
        let is_left = folder.path("t/a.orig").exists();
        assert!(ran.status != Some(0) || !is_left, "{nth}: {}", ran.stderr);
        if !String::from_utf8_lossy(&folder.read("log")).contains("INJECTED") {
            // There are fewer calls.
            return;
        }
    }
    panic!("it makes very many calls");
}

/// Restoring one name of a file sets the time of the last change of its other backups, too.
#[test]
fn an_edit_under_another_name_is_kept() {
    let folder = Folder::new();
    folder.folder("t");
    make_old(&folder.file("t/a", KOI8));
    fs::hard_link(folder.path("t/a"), folder.path("t/b")).expect("a link can be made");
    let tree = folder.name("t");
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--break-hard-links",
        "--backup=.orig",
        &tree,
    ];
    run(args).ends(0);
    thread::sleep(Duration::from_millis(50));
    folder.file("t/b", "edited");
    thread::sleep(Duration::from_millis(50));
    run(["restore", "--backup=.orig", &tree]).ends(1).says([
        "b: it was changed after it was converted",
        "1 restored, 1 skipped",
    ]);
    assert_eq!(folder.read("t/a"), KOI8);
    assert_eq!(folder.read("t/b"), b"edited");
}

/// `cp -p` writes to a file and sets its time back. Within two seconds its other time does not tell.
#[test]
fn an_edit_whose_time_was_set_back_at_once_is_kept() {
    let folder = converted(&["a", "b"], &[]);
    if !set(&folder.path("t/b"), "user.note", b"") {
        return;
    }
    make_old(&folder.file("t/a", "edited"));
    let tree = folder.name("t");
    let args = ["restore", "--backup=.orig", &*tree];
    for dry in [&["-n"][..], &[]] {
        run(args.iter().chain(dry)).ends(1).says([
            "a: it was changed after it was converted",
            "1 restored, 1 skipped",
        ]);
    }
    assert_eq!(folder.read("t/a"), b"edited");
    assert_eq!(folder.read("t/b"), KOI8);
    run(args.iter().chain(&["--force"])).ends(0);
    assert_eq!(folder.read("t/a"), KOI8);
}

#[test]
fn a_link_to_a_backup_is_not_followed() {
    let folder = converted(&["a"], &[]);
    symlink("a.orig", folder.path("t/link")).expect("a link can be made");
    let tree = folder.name("t");
    let args = ["convert", "-f", "koi8-r", "--in-place", "--backup=.orig"];
    run(args.iter().chain(&["-L", &*tree]))
        .ends(0)
        .says(["1 file: 1 UTF-8 already"]);
    assert_eq!(folder.read("t/a.orig"), KOI8);
    run(["restore", "--backup=.orig", &tree]).ends(0);
    assert_eq!(folder.read("t/a"), KOI8);
}

/// Where no attribute can say what a backup is, the run says so, and times tell.
#[test]
fn where_there_are_no_attributes() {
    let folder = Folder::new();
    let Some(_mounted) = without_attributes(&folder, "ram") else {
        return;
    };
    make_old(&folder.file("ram/a", KOI8));
    let tree = folder.name("ram");
    let args = ["convert", "-f", "koi8-r", "--in-place", &tree];
    run(args.iter().chain(&["--backup=.orig"])).ends(0).says([
        "ram/a: no extended attribute says what its backup is: ",
        "1 file: 1 converted",
    ]);
    run(["restore", "--backup=.orig", &tree])
        .ends(0)
        .says(["1 restored"]);
    assert_eq!(folder.read("ram/a"), KOI8);
    run(args).ends(0).never_says(["attribute"]);
}
