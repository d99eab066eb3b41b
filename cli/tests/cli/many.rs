//! `convert --out-dir`: trees, names, and which files are walked.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::time::{Duration, SystemTime};

use crate::harness::{Folder, feed, run, run_with, simdtext};

/// "мир" in KOI8-R, windows-1251 and UTF-8.
const KOI8: &[u8] = b"\xCD\xC9\xD2";
const CP1251: &[u8] = b"\xEC\xE8\xF0";
const UTF8: &[u8] = "мир".as_bytes();

#[test]
fn a_tree_is_mirrored() {
    let folder = Folder::new();
    folder.folder("in/deep/er");
    folder.folder("in/empty");
    for name in ["in/a", "in/deep/b.txt", "in/deep/er/c"] {
        folder.file(name, KOI8);
    }
    let (input, output) = (folder.name("in"), folder.name("out/of/it"));
    run(["convert", "-f", "koi8-r", "--out-dir", &output, &input])
        .gives(0, b"")
        .says(["3 files: 3 converted; 9 to 18 bytes, 0 errors", "KOI8-R"]);
    let tree = folder.tree("out/of/it");
    let names: Vec<_> = tree.keys().map(|path| path.to_str()).collect();
    assert_eq!(names, [Some("a"), Some("deep/b.txt"), Some("deep/er/c")]);
    assert!(tree.values().all(|contents| contents == UTF8));
    assert!(folder.tree("in").values().all(|contents| contents == KOI8));
    // In a second run over the same outputs, nothing is touched.
    let before = fs::metadata(folder.path("out/of/it/a")).expect("it is there");
    run(["convert", "-f", "koi8-r", "--out-dir", &output, &input])
        .gives(0, b"")
        .says(["3 files: 3 unchanged"]);
    let after = fs::metadata(folder.path("out/of/it/a")).expect("it is there");
    assert_eq!(before.ino(), after.ino());
    // With another encoding the outputs are replaced.
    let args = ["convert", "-f", "koi8-r", "-t", "windows-1251", "--out-dir"];
    run(args.into_iter().chain([&*output, &input])).gives(0, b"");
    assert!(
        folder
            .tree("out/of/it")
            .values()
            .all(|contents| contents == CP1251)
    );
}

#[test]
fn files_keep_their_names() {
    let folder = Folder::new();
    folder.folder("one/two");
    let a = folder.file("one/two/a", KOI8);
    let b = folder.file("b", KOI8);
    let out = folder.name("out");
    run(["convert", "-f", "koi8-r", "-q", "--out-dir", &out, &a, &b])
        .gives(0, b"")
        .quietly();
    let tree = folder.tree("out");
    let names: Vec<_> = tree.keys().map(|path| path.to_str()).collect();
    assert_eq!(names, [Some("a"), Some("b")]);
}

#[test]
fn folders_need_one_of_two_flags() {
    let folder = Folder::new();
    let input = folder.folder("in");
    run(["convert", &input])
        .gives(2, b"")
        .says(["it is a directory", "--out-dir", "--in-place"]);
    for flags in [
        &["-e", "txt"][..],
        &["-H"],
        &["--json"],
        &["-n"],
        &["--resume", "x"],
    ] {
        run(["convert"].iter().chain(flags).chain([&&*input]))
            .gives(2, b"")
            .says(["--out-dir", "--in-place"]);
    }
    run(["convert", "--in-place", "--out-dir", "x", &input]).gives(2, b"");
    run(["convert", "--in-place", "-o", "x", &input]).gives(2, b"");
    run(["convert", "--in-place"])
        .gives(2, b"")
        .says(["no PATH"]);
    run_with(["convert", "--in-place", "-"], "x")
        .gives(2, b"")
        .says(["--files-from=-"]);
}

#[test]
fn lists_of_files() {
    let folder = Folder::new();
    folder.folder("in/deep");
    for name in ["in/a", "in/deep/b\nc", "d"] {
        folder.file(name, KOI8);
    }
    let start = |args: &[&str], list: &[u8]| {
        let mut command = simdtext(["convert", "-f", "koi8-r", "-q", "--out-dir", "out"]);
        command.args(args).current_dir(folder.path(""));
        feed(command, list)
    };
    start(&["-0", "--files-from", "-"], b"in/a\0./in/deep/b\nc\0")
        .gives(0, b"")
        .quietly();
    folder.file("list", "d\n\nin/a\n");
    start(&["--files-from", "list"], b"")
        .gives(0, b"")
        .quietly();
    let tree = folder.tree("out");
    let names: Vec<_> = tree.keys().map(|path| path.to_str()).collect();
    assert_eq!(names, [Some("d"), Some("in/a"), Some("in/deep/b\nc")]);
    start(&["--files-from", "-"], b"in\nmissing\n")
        .gives(2, b"")
        .says([
            "in: cannot be read: it is a folder",
            "missing: cannot be read",
        ]);
    start(&["--files-from", "nowhere"], b"")
        .gives(2, b"")
        .says(["nowhere"]);
}

#[test]
fn what_is_walked() {
    let folder = Folder::new();
    folder.folder("in/sub");
    folder.folder("in/.hidden");
    folder.folder("in/.git");
    folder.file("in/.gitignore", "ignored\n");
    for name in [
        "a.txt",
        "b.TXT",
        "c.html",
        "big.txt",
        ".dot.txt",
        "ignored",
        "sub/d.txt",
        ".hidden/e.txt",
    ] {
        let size = if name == "big.txt" { 5000 } else { 1 };
        folder.file(&format!("in/{name}"), "x".repeat(size));
    }
    symlink("a.txt", folder.path("in/link.txt")).expect("a link can be made");
    symlink(folder.path("in/sub"), folder.path("in/linked")).expect("a link can be made");
    let input = folder.name("in");
    let walked = |flags: &[&str]| {
        let out = Folder::new();
        let there = out.name("out");
        let args = ["convert", "-q", "--out-dir", &there, &input];
        run(args.iter().chain(flags)).gives(0, b"").quietly();
        let tree = out.tree("out");
        let names: Vec<String> = tree
            .keys()
            .map(|path| path.to_string_lossy().into_owned())
            .filter(|name| !name.starts_with(".git/") && name != ".gitignore")
            .collect();
        names.join(" ")
    };
    assert_eq!(walked(&[]), "a.txt b.TXT big.txt c.html sub/d.txt");
    assert_eq!(
        walked(&["-I"]),
        "a.txt b.TXT big.txt c.html ignored sub/d.txt"
    );
    assert_eq!(
        walked(&["-H"]),
        ".dot.txt .hidden/e.txt a.txt b.TXT big.txt c.html sub/d.txt"
    );
    assert_eq!(walked(&["-e", "txt"]), "a.txt b.TXT big.txt sub/d.txt");
    assert_eq!(
        walked(&["-e", ".html", "-e", "TXT", "--max-size", "4K"]),
        "a.txt b.TXT c.html sub/d.txt"
    );
    assert_eq!(walked(&["-g", "*.html"]), "c.html");
    assert_eq!(walked(&["-g", "!*.txt"]), "b.TXT c.html");
    assert_eq!(
        walked(&["-L"]),
        "a.txt b.TXT big.txt c.html link.txt linked/d.txt sub/d.txt"
    );
    run(["convert", "--out-dir", "x", "-g", "{", &input])
        .gives(2, b"")
        .says(["--glob={"]);
}

#[test]
fn modes_and_times() {
    let folder = Folder::new();
    folder.folder("in");
    let long_ago = SystemTime::UNIX_EPOCH + Duration::new(1_000_000_000, 123_456_000);
    for mode in [0o600, 0o644, 0o755, 0o444] {
        let name = format!("in/{mode:o}");
        folder.file(&name, KOI8);
        let file = fs::File::options().write(true).open(folder.path(&name));
        file.and_then(|file| file.set_modified(long_ago))
            .expect("it is ours");
        fs::set_permissions(folder.path(&name), Permissions::from_mode(mode)).expect("it is ours");
    }
    let (input, out) = (folder.name("in"), folder.name("out"));
    run([
        "convert",
        "-f",
        "koi8-r",
        "--preserve",
        "--out-dir",
        &out,
        &input,
    ])
    .gives(0, b"");
    for mode in [0o600, 0o644, 0o755, 0o444] {
        let metadata = fs::metadata(folder.path(format!("out/{mode:o}"))).expect("it is there");
        assert_eq!(metadata.mode() & 0o7777, mode);
        assert_eq!(metadata.modified().ok(), Some(long_ago));
    }
}

#[test]
fn what_was_converted_before_is_copied() {
    let folder = Folder::new();
    folder.folder("in");
    folder.file("in/new", KOI8);
    folder.file("in/done", UTF8);
    folder.file("in/ascii", "plain");
    let (input, out) = (folder.name("in"), folder.name("out"));
    run(["convert", "-f", "koi8-r", "--out-dir", &out, &input])
        .gives(0, b"")
        .says(["3 files: 2 converted, 1 UTF-8 already"]);
    let whole = [("ascii", &b"plain"[..]), ("done", UTF8), ("new", UTF8)];
    for (name, contents) in whole {
        assert_eq!(folder.read(&format!("out/{name}")), contents);
    }
    // If the output is not UTF-8, it can't be copied.
    let args = ["convert", "-f", "koi8-r", "-t", "windows-1251", "--out-dir"];
    run(args.into_iter().chain([&*folder.name("other"), &input]))
        .gives(1, b"")
        .says([
            "in/done: it is valid UTF-8, and not KOI8-R",
            "--force",
            "1 skipped",
        ]);
    assert!(!folder.path("other/done").exists());
    let forced = folder.name("forced");
    let mended = ["--force", "--unmappable=skip", &input];
    run(args.into_iter().chain([&*forced]).chain(mended)).gives(1, b"");
    assert!(folder.path("forced/done").exists());
}

#[test]
fn faults_are_replaced_or_forbid() {
    let folder = Folder::new();
    folder.folder("in");
    folder.file("in/bad", b"a\xFFb");
    folder.file("in/good", b"good");
    let (input, out) = (folder.name("in"), folder.name("out"));
    run(["convert", "-f", "utf-8", "--out-dir", &out, &input])
        .gives(1, b"")
        .says([
            "in/bad:1: malformed byte FF at offset 1 (UTF-8)",
            "2 files: 2 converted",
            "1 error",
        ]);
    assert_eq!(folder.read("out/bad"), "a\u{FFFD}b".as_bytes());
    let strict = folder.name("strict");
    run([
        "convert",
        "-f",
        "utf-8",
        "--invalid=strict",
        "--out-dir",
        &strict,
        &input,
    ])
    .gives(1, b"")
    .says([
        "in/bad: nothing was written for it",
        "1 converted, 1 with faults",
    ]);
    assert_eq!(folder.tree("strict").len(), 1);
}

#[test]
fn fail_fast_stops() {
    let folder = Folder::new();
    folder.folder("in");
    for i in 0..200 {
        folder.file(&format!("in/{i}"), b"\xFF");
    }
    let (input, out) = (folder.name("in"), folder.name("out"));
    let args = [
        "convert",
        "-f",
        "utf-8",
        "-j1",
        "--invalid=strict",
        "--out-dir",
        &out,
        &input,
    ];
    run(args).ends(1).says(["200 files: 200 with faults"]);
    run(args.into_iter().chain(["--fail-fast"]))
        .ends(1)
        .says(["1 file: 1 with faults"]);
}

#[test]
fn hard_links_that_are_broken_at_the_same_time() {
    let folder = Folder::new();
    let tree = folder.folder("t");
    for i in 0..300 {
        let file = folder.file(&format!("t/{i}"), b"\xCD\xC9\xD2\n".repeat(50));
        for other in ["a", "b"] {
            std::fs::hard_link(&file, format!("{file}{other}")).expect("links can be made");
        }
    }
    let args = ["convert", "-f", "koi8-r", "--in-place", "-j8", "--no-fsync"];
    run(args.iter().chain(&["--break-hard-links", &*tree]))
        .gives(0, b"")
        .says(["900 converted"]);
}

#[test]
fn many_that_would_get_one_name() {
    let folder = Folder::new();
    folder.folder("t");
    for name in ["a", "b", "c", "d", "e"] {
        for ending in ["", ".gz", ".xz"] {
            folder.file(&format!("t/{name}{ending}"), KOI8);
        }
    }
    let (out, tree) = (folder.name("out"), folder.name("t"));
    let ran = run(["convert", "-z", "--out-dir", &out, &tree])
        .gives(2, b"")
        .says(["\n  and more"]);
    let names: Vec<&str> = ran
        .stderr
        .lines()
        .filter_map(|line| line.strip_prefix("  "))
        .filter(|line| line.starts_with(&tree))
        .collect();
    assert_eq!(names.len(), 9, "{names:?}");
    for group in names.chunks(3) {
        let stem = group[0].trim_end_matches(".gz").trim_end_matches(".xz");
        assert!(group.iter().all(|name| name.starts_with(stem)), "{names:?}");
    }
    for name in ["b", "c", "d", "e"] {
        for ending in ["", ".gz", ".xz"] {
            std::fs::remove_file(folder.path(format!("t/{name}{ending}"))).expect("it is there");
        }
    }
    run(["convert", "-z", "--out-dir", &out, &tree])
        .gives(2, b"")
        .says(["t/a\n", "t/a.gz", "t/a.xz"])
        .never_says(["and more"]);
}

/// Lists that were written on Windows, or with zero bytes.
#[test]
fn what_is_wrong_with_a_list() {
    let folder = Folder::new();
    folder.folder("in");
    folder.file("in/a", "a");
    let listed = |list: &[u8], flags: &[&str]| {
        let args = [
            "convert",
            "-f",
            "latin1",
            "--out-dir",
            "out",
            "--files-from",
            "-",
        ];
        let mut command = simdtext(args.iter().chain(flags));
        command.current_dir(folder.path(""));
        feed(command, list)
    };
    listed(b"in/a\r\n", &[]).gives(2, "").says([
        "in/a\\r: cannot be read: No such file or directory; its line ends with CR LF, and the CR is part of the \
         name; end lines with LF",
    ]);
    listed(b"\xEF\xBB\xBFin/a\n", &[]).gives(2, "").says([
        "\\u{feff}in/a: cannot be read: No such file or directory; the list begins with a byte order mark",
    ]);
    listed(b"in/a\0in/b\n", &[]).gives(2, "").says([
        "line 1: there is a zero byte, which no path has; with -0, a zero byte ends each path",
    ]);
    folder.file("in/b\r", "b");
    listed(b"in/a\nin/b\r\n", &[]).ends(0);
    listed(b"in/a\0", &["-0"]).ends(0);
}
