//! The command line itself: help, mistakes, and unknown labels.

use crate::harness::{Folder, run, run_with};

#[test]
fn help_is_data() {
    for args in [
        &["--help"][..],
        &["-h"],
        &["help", "convert"],
        &["convert", "--help"],
        &["check", "--help"],
        &["list", "--help"],
    ] {
        let ran = run(args).ends(0).quietly();
        let help = String::from_utf8(ran.stdout).expect("the help is UTF-8");
        assert!(help.contains("Usage: simdtext"), "{help}");
    }
}

#[test]
fn the_help_says_what_a_stranger_must_know() {
    let ran = run(["convert", "--help"]);
    let help = String::from_utf8(ran.stdout).expect("the help is UTF-8");
    let words: Vec<&str> = help.split_whitespace().collect();
    let help = words.join(" ");
    for wanted in [
        "\"latin1\"",
        "windows-1252",
        "\"utf-16\" means UTF-16LE",
        "Examples:",
        "Exit status",
        "temporary file",
        // How far --fix-declarations looks: LATE_META_LEN.
        "in the first 256 KiB of an output",
    ] {
        assert!(help.contains(wanted), "no {wanted:?} in {help}");
    }
    assert_eq!(simdtext::sniff::LATE_META_LEN, 256 * 1024);
}

#[test]
fn mistakes() {
    for args in [
        &[][..],
        &["transmogrify"],
        &["convert", "--no-such-flag"],
        &["convert", "--invalid=maybe"],
        &["convert", "--bom=perhaps"],
        &["convert", "-f"],
        &["check", "--errors-max=many"],
        &["check", "--errors-max=-1"],
        &["list", "extra"],
    ] {
        let ran = run(args).gives(2, b"");
        assert!(!ran.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn labels_that_do_not_exist() {
    let folder = Folder::new();
    let target = folder.file("target", "old");
    for (label, suggestion) in [
        ("latin-1", "latin1"),
        ("utf_8", "utf-8"),
        ("shiftjis", "shift-jis"),
        ("windows1252", "windows-1252"),
        ("cp949", "euc-kr"),
        ("nonsense-of-mine", "simdtext list"),
        ("", "simdtext list"),
        ("utf-8\u{b}", "utf-8"),
    ] {
        for flag in ["-f", "-t"] {
            run_with(["convert", flag, label, "-o", &target], "x")
                .gives(2, b"")
                .says([suggestion, "simdtext list"]);
        }
        run_with(["check", "-f", label], "x")
            .gives(2, b"")
            .says([suggestion]);
    }
    run(["convert", "-f", "latin-1"]).says(["'latin-1'", "did you mean latin1"]);
    run(["convert", "-t", "ascii//TRANSLIT"])
        .ends(2)
        .says(["--unmappable", "\"ascii\""]);
    assert_eq!(folder.read("target"), b"old");
}

#[test]
fn replacement_is_never_written() {
    let folder = Folder::new();
    let target = folder.file("target", "old");
    for label in ["replacement", "hz-gb-2312"] {
        run_with(["convert", "-t", label, "-o", &target], "x")
            .gives(2, b"")
            .says(["replacement", "only be read"]);
    }
    assert_eq!(folder.read("target"), b"old");
}

#[test]
fn patterns_that_are_no_extensions() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a.txt", "text");
    let (tree, out) = (folder.name("t"), folder.name("out"));
    run(["convert", "-e", "*.txt", "--out-dir", &out, &tree])
        .gives(2, b"")
        .says(["'*.txt'", "as in txt; --glob takes patterns"]);
    assert_eq!(folder.names(), ["t"]);
}

/// Dry runs, in case it is not refused.
#[cfg(unix)]
#[test]
fn the_whole_file_system_is_not_converted_in_place() {
    for root in ["/", "//", "/usr/.."] {
        run(["convert", "-f", "latin1", "--in-place", "-n", root])
            .gives(2, b"")
            .says(["is the whole file system; nothing was read or written"]);
    }
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a.txt", b"caf\xE9\n");
    std::os::unix::fs::symlink("/", folder.path("t/link")).expect("it is new");
    let args = ["convert", "-f", "latin1", "--in-place", "-n"];
    let tree = folder.name("t");
    run(args.iter().chain(&["-L", &*tree]))
        .gives(2, b"")
        .says(["link leads to the whole file system; nothing was read or written"]);
    run(args.iter().chain(&[&*tree])).ends(0);
}

#[test]
fn numbers_of_cores() {
    for jobs in ["-j0", "-jall", "--jobs=-1"] {
        for command in ["convert", "detect"] {
            run([command, jobs])
                .gives(2, "")
                .says(["write a number of cores, 1 or more"]);
        }
    }
}
