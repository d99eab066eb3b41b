//! `--from-list`: paths, each with the label of its encoding.

use std::os::unix::ffi::OsStrExt;

use crate::harness::{Folder, feed, run, simdtext};

/// Runs the command in a folder.
fn run_in(folder: &Folder, args: &[&str], input: impl AsRef<[u8]>) -> crate::harness::Ran {
    let mut command = simdtext(args);
    command.current_dir(folder.path(""));
    feed(command, input)
}

#[test]
fn each_file_from_its_own_encoding() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a", b"\xCD\xC9\xD2");
    folder.file("t/b", b"\xEC\xE8\xF0");
    folder.file("t/c\td", b"\x93\xFA\x96{");
    let list = "t/a\tkoi8-r\r\n\nt/b\tWindows-1251 \nt/c\td\tsjis";
    let list = folder.file("list.tsv", list);
    let args = [
        "convert",
        "--json",
        "--out-dir",
        "out",
        "--from-list",
        &list,
    ];
    let ran = run_in(&folder, &args, b"").ends(0);
    assert_eq!(folder.read("out/t/a"), "мир".as_bytes());
    assert_eq!(folder.read("out/t/b"), "мир".as_bytes());
    assert_eq!(folder.read("out/t/c\td"), "日本".as_bytes());
    let text = String::from_utf8(ran.stdout).expect("JSON is UTF-8");
    assert!(text.contains(r#""from":"KOI8-R""#) && text.contains(r#""from":"Shift_JIS""#));
    // From standard input, with zero bytes and in place; then again, with a journal.
    let state = folder.name("state");
    let args = [
        "convert",
        "--in-place",
        "--from-list=-",
        "-0",
        "--resume",
        &state,
    ];
    let list = b"t/a\tkoi8-r\0t/b\tcp1251\0t/c\td\tms932\0";
    run_in(&folder, &args, list).ends(0).says(["3 converted"]);
    assert_eq!(folder.read("t/b"), "мир".as_bytes());
    run_in(&folder, &args, list)
        .ends(0)
        .says(["3 finished earlier"]);
    assert_eq!(folder.read("t/b"), "мир".as_bytes());
    // The journal of a different kind of run is refused.
    run([
        "convert",
        "--in-place",
        "-f",
        "koi8-r",
        "--resume",
        &state,
        &folder.name("t"),
    ])
    .ends(2);
}

#[test]
fn a_label_that_was_corrected_counts_in_a_resumed_run() {
    let folder = Folder::new();
    folder.folder("t");
    for name in ["t/a", "t/b", "t/c"] {
        folder.file(name, b"\xCD\xC9\xD2");
    }
    let (out, state) = (folder.name("out"), folder.name("state"));
    let args = [
        "convert",
        "--from-list=-",
        "--out-dir",
        &out,
        "--resume",
        &state,
    ];
    let wrong = b"t/a\tcp1251\nt/b\tkoi8-r\nt/c\tcp1251\n";
    run_in(&folder, &args, wrong).ends(0).says(["3 converted"]);
    assert_eq!(folder.read("out/t/a"), "НЙТ".as_bytes());
    folder.file("out/t/c", "edited");
    let right = b"t/a\tkoi8-r\nt/b\tkoi8-r\nt/c\tkoi8-r\n";
    run_in(&folder, &args, right).ends(1).says([
        "1 converted, 1 finished earlier, 1 skipped",
        "was changed since",
    ]);
    assert_eq!(folder.read("out/t/a"), "мир".as_bytes());
    assert_eq!(folder.read("out/t/c"), b"edited");
    run_in(&folder, &args, right)
        .ends(1)
        .says(["2 finished earlier, 1 skipped"]);
}

#[test]
fn a_wrong_line_is_named_before_anything_is_written() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a", b"\xCD\xC9\xD2");
    let args = ["convert", "--in-place", "--from-list=-"];
    for (list, wanted) in [
        (
            &b"t/a\tkoi8-r\nt/b\tkoi-8r\n"[..],
            "line 2: \"koi-8r\": unknown label",
        ),
        (b"t/a\tkoi8-r\n\nt/a koi8-r\n", "line 3: there is no tab"),
        (b"\tkoi8-r\n", "line 1: there is no path"),
        (b"t/a\t\n", "line 1: \"\": unknown label"),
        (b"t/a\t\xFF\n", "line 1: "),
        (b"koi8-r\tt/a\n", "line 1: the label is before the tab"),
        (b"t/a\tkoi8-r\nt/a\tkoi8-u\n", "t/a"),
    ] {
        run_in(&folder, &args, list).ends(2).says([wanted]);
        assert_eq!(folder.read("t/a"), b"\xCD\xC9\xD2");
    }
    let long = [&b"t/a\tkoi8-r\n"[..], &vec![b'x'; 100_000]].concat();
    run_in(&folder, &args, long)
        .ends(2)
        .says(["is longer than 65536 bytes"]);
    assert_eq!(folder.read("t/a"), b"\xCD\xC9\xD2");
    for more in ["--from=gbk", "--per-line", "--files-from=x", "t"] {
        run_in(&folder, &[&args[..], &[more]].concat(), b"").ends(2);
    }
    run_in(&folder, &["convert", "--from-list=-"], b"").ends(2);
    run_in(&folder, &["convert", "--in-place", "-0", "t"], b"").ends(2);
}

#[test]
fn names_are_bytes() {
    let folder = Folder::new();
    let name = std::ffi::OsStr::from_bytes(b"\xFF\n");
    std::fs::write(folder.path(name), b"\xCD").expect("it can be written");
    let args = ["convert", "--in-place", "-0", "--from-list=-"];
    run_in(&folder, &args, b"\xFF\n\tkoi8-r\0").ends(0);
    assert_eq!(
        std::fs::read(folder.path(name)).expect("it is there"),
        "м".as_bytes()
    );
}
