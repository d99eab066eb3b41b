//! Temporary files that killed runs leave: they are reported, and removed if that is asked for, but never
//! those of a run that is still working.

use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{Folder, Ran, run, simdtext};

const KOI8: &[u8] = b"\xCD\xC9\xD2";

/// The first temporary file in a folder.
fn temporary(folder: &Path) -> Option<String> {
    let entries = std::fs::read_dir(folder).ok()?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names
        .into_iter()
        .find(|name| name.starts_with(".simdtext-"))
}

/// Waits until a run has a temporary file in a folder.
fn wait_for_temporary(folder: &Path) -> String {
    let begun = Instant::now();
    loop {
        if let Some(name) = temporary(folder) {
            return name;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "it does nothing");
        thread::sleep(Duration::from_millis(1));
    }
}

fn start(args: &[&str]) -> Child {
    simdtext(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts")
}

/// A temporary file as a killed run leaves it.
const LEFT: &str = ".simdtext-0123456789abcdef-01234567-x1Y2z3";

#[test]
fn in_place() {
    let folder = Folder::new();
    let (tree, _) = (folder.folder("t"), folder.folder("t/deep"));
    let left = folder.file(&format!("t/deep/{LEFT}"), "half");
    // These belong to somebody else.
    folder.file("t/deep/.simdtext-notes", "mine");
    folder.file("t/deep/.simdtext-abcdef", "mine");
    let a = folder.file("t/deep/a", KOI8);
    let convert = |more: &[&str]| {
        let args = ["convert", "-f", "koi8-r", "--in-place", "--force"];
        run(args.iter().chain(more))
    };
    convert(&[&tree]).gives(0, b"").says([
        "1 temporary file of earlier runs that were killed; --remove-orphans removes them:",
        &left,
        "1 converted",
    ]);
    // If one file is named, its folder is not searched.
    convert(&[&a]).gives(0, b"").says([&*left]);
    convert(&["--remove-orphans", "-n", &tree])
        .ends(0)
        .says([&*left, "left because a dry run removes nothing"])
        .never_says(["can't be locked"]);
    assert!(Path::new(&left).exists());
    convert(&["--remove-orphans", &tree])
        .gives(0, b"")
        .says(["removed 1 temporary file of earlier runs"]);
    assert!(!Path::new(&left).exists());
    assert_eq!(folder.tree("t").len(), 3);
}

#[test]
fn in_an_output_folder() {
    let folder = Folder::new();
    let (tree, out) = (folder.folder("t/deep"), folder.name("out"));
    folder.folder("out/deep");
    folder.folder("out/other");
    folder.file("t/deep/a", KOI8);
    let left = folder.file(&format!("out/deep/{LEFT}"), "half");
    // This run has nothing to do with that folder.
    folder.file(&format!("out/other/{LEFT}"), "half");
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--out-dir",
        &out,
        &folder.name("t"),
    ];
    run(args).gives(0, b"").says([&*left, "1 converted"]);
    run(args.into_iter().chain(["--remove-orphans"]))
        .gives(0, b"")
        .says(["removed 1 temporary file of earlier runs"]);
    assert_eq!(folder.tree("out").len(), 2);
    let list = folder.file("list", "a\n");
    folder.file(&format!("out/{LEFT}"), "half");
    let mut command = simdtext(["convert", "-f", "koi8-r", "--out-dir", &out]);
    command.args(["--remove-orphans", "--files-from", &list]);
    let output = command.current_dir(tree).output();
    Ran::from(output.expect("the command starts"))
        .gives(0, b"")
        .says(["removed 1 temporary file of earlier runs"]);
}

#[test]
fn of_the_same_journal() {
    let folder = Folder::new();
    let (tree, state) = (folder.folder("t"), folder.name("state"));
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--resume",
        &state,
        &tree,
    ];
    run(args).gives(0, b"");
    let journal = String::from_utf8(folder.read("state")).expect("it is text");
    let id = journal
        .lines()
        .nth(1)
        .and_then(|line| line.strip_prefix("run "));
    let id = id.expect("it has a number");
    let left = folder.file(&format!("t/.simdtext-{id}-01234567-x1Y2z3"), "half");
    run(args.into_iter().chain(["-n"])).gives(0, b"");
    assert!(Path::new(&left).exists());
    run(args)
        .gives(0, b"")
        .says(["removed 1 temporary file of earlier runs"]);
    assert!(folder.tree_is_empty("t"));
}

#[test]
fn a_run_with_one_output_that_is_still_at_work() {
    let folder = Folder::new();
    let tree = folder.folder("t");
    let out = folder.name("t/out");
    let mut child = start(&["convert", "-f", "koi8-r", "-o", &out]);
    let input = child.stdin.take();
    let name = wait_for_temporary(&folder.path("t"));
    folder.file("t/a", KOI8);
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--remove-orphans",
        &tree,
    ];
    let ran = run(args).gives(0, b"");
    assert!(!ran.stderr.contains("temporary"), "{}", ran.stderr);
    assert!(folder.path("t").join(&name).exists());
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    drop(input);
    run(args)
        .ends(0)
        .says(["removed 1 temporary file of earlier runs"]);
    assert_eq!(folder.tree("t").len(), 1);
}

#[test]
fn files_with_similar_names_are_converted() {
    let folder = Folder::new();
    folder.folder("t/.simdtext-files");
    let names = [
        "t/.simdtext-notes",
        "t/.simdtext-files/a",
        &format!("t/{LEFT}"),
    ];
    for name in names {
        folder.file(name, KOI8);
    }
    run([
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "-H",
        &folder.name("t"),
    ])
    .gives(0, b"")
    .says(["2 converted"]);
    assert_eq!(
        names.map(|name| folder.read(name) == KOI8),
        [false, false, true]
    );
}
