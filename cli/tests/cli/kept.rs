//! Outputs that must not be replaced: `--no-clobber`, `--update`, and the messages about outputs that
//! collide.

use std::fs::{self, File, FileTimes};
use std::time::{Duration, SystemTime};

use crate::harness::{Folder, run};

const KOI8: &[u8] = b"\xCD\xC9\xD2";
const UTF8: &[u8] = "мир".as_bytes();

/// Sets the time of the last modification, in seconds from now.
fn set_time(folder: &Folder, name: &str, seconds: i64) {
    let moved = Duration::from_secs(seconds.unsigned_abs());
    let now = SystemTime::now();
    let time = if seconds < 0 {
        now - moved
    } else {
        now + moved
    };
    File::options()
        .write(true)
        .open(folder.path(name))
        .and_then(|file| file.set_times(FileTimes::new().set_modified(time)))
        .expect("it is ours");
}

#[test]
fn no_output_that_exists_is_replaced() {
    let folder = Folder::new();
    for name in ["in/a", "in/sub/b", "in/sub/c"] {
        folder.folder(if name.contains("sub") { "in/sub" } else { "in" });
        folder.file(name, KOI8);
    }
    folder.folder("out/sub");
    folder.file("out/sub/b", "mine");
    let (input, out) = (folder.name("in"), folder.name("out"));
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--no-clobber",
        "--out-dir",
        &out,
        &input,
    ];
    run(args.iter().chain(&["-n", "-v"]))
        .ends(0)
        .says(["2 converted, 1 kept"]);
    let ran = run(args.iter().chain(&["--json"])).ends(0);
    let lines = String::from_utf8(ran.stdout).expect("JSON is UTF-8");
    let kept = lines
        .lines()
        .find(|line| line.contains(r#""result":"kept""#));
    let kept = kept.expect("one was kept");
    assert!(
        kept.contains("in/sub/b") && kept.contains(r#""changed":false"#),
        "{kept}"
    );
    assert_eq!(folder.read("out/a"), UTF8);
    assert_eq!(folder.read("out/sub/b"), b"mine");
    assert_eq!(folder.read("out/sub/c"), UTF8);
    run(args).gives(0, b"").says(["3 files: 3 kept"]);
    // Without the flag it is replaced.
    run(["convert", "-f", "koi8-r", "--out-dir", &out, &input]).ends(0);
    assert_eq!(folder.read("out/sub/b"), UTF8);
}

#[test]
fn one_output_that_exists_is_not_replaced() {
    let folder = Folder::new();
    let (a, out, new) = (
        folder.file("a", KOI8),
        folder.file("out", "mine"),
        folder.name("new"),
    );
    run(["convert", "-f", "koi8-r", "--no-clobber", "-o", &out, &a])
        .gives(0, b"")
        .says(["out exists, and --no-clobber keeps it; nothing was read or written"]);
    assert_eq!(folder.read("out"), b"mine");
    run(["convert", "-f", "koi8-r", "--no-clobber", "-o", &new, &a])
        .gives(0, b"")
        .quietly();
    assert_eq!(folder.read("new"), UTF8);
    // The flag makes no sense with other outputs.
    for args in [
        &["convert", "--no-clobber", &*a][..],
        &["convert", "--no-clobber", "--in-place", &*a],
        &[
            "convert",
            "--no-clobber",
            "--update",
            "--out-dir",
            &*new,
            &*a,
        ],
        &["convert", "--update", "-o", &*new, &*a],
    ] {
        run(args).gives(2, b"");
    }
    assert_eq!(folder.names(), ["a", "new", "out"]);
}

#[test]
fn an_output_that_is_newer_is_kept() {
    let folder = Folder::new();
    folder.folder("in");
    folder.folder("out");
    for (name, seconds) in [("older", -100), ("newer", 100), ("same", 0)] {
        folder.file(&format!("in/{name}"), KOI8);
        folder.file(&format!("out/{name}"), "mine");
        set_time(&folder, &format!("out/{name}"), seconds);
    }
    let time = fs::metadata(folder.path("in/same")).and_then(|of| of.modified());
    File::options()
        .write(true)
        .open(folder.path("out/same"))
        .and_then(|file| file.set_times(FileTimes::new().set_modified(time?)))
        .expect("it is ours");
    folder.file("in/absent", KOI8);
    let (input, out) = (folder.name("in"), folder.name("out"));
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--update",
        "--preserve",
        "--out-dir",
        &out,
        &input,
    ];
    run(args).gives(0, b"").says(["2 converted, 2 kept"]);
    assert_eq!(folder.read("out/older"), UTF8);
    assert_eq!(folder.read("out/absent"), UTF8);
    assert_eq!(folder.read("out/newer"), b"mine");
    assert_eq!(folder.read("out/same"), b"mine");
    // With the times of their inputs, outputs count as up to date, and nothing is converted again.
    run(args).gives(0, b"").says(["4 kept"]);
    set_time(&folder, "in/older", 50);
    run(args).gives(0, b"").says(["1 unchanged, 3 kept"]);
}

#[test]
fn what_is_proposed_for_colliding_outputs_overwrites_nothing() {
    let folder = Folder::new();
    for name in ["one", "two"] {
        folder.folder(name);
        folder.file(&format!("{name}/a"), [KOI8, name.as_bytes()].concat());
    }
    let (one, two) = (folder.name("one"), folder.name("two"));
    let out = folder.name("out");
    let ran = run(["convert", "-f", "koi8-r", "--out-dir", &out, &one, &two])
        .gives(2, b"")
        .says([
            "several files would be written to the same output",
            "convert them into separate output folders",
        ]);
    assert!(!ran.stderr.contains("runs"), "{}", ran.stderr);
}
