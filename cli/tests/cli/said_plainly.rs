//! Messages about patterns that match nothing, and about many files together.

use std::os::unix::fs::symlink;

use crate::folding::mounted_at;
use crate::harness::{Folder, run};

const KOI8: &[u8] = b"\xCD\xC9\xD2";

#[test]
fn a_pattern_that_matches_nothing() {
    let folder = Folder::new();
    folder.folder("t/skipped");
    folder.folder("t/.git");
    folder.file("t/.gitignore", "skipped\n*.bak\n");
    folder.file("t/a.html", KOI8);
    for name in [
        "skipped/a.txt",
        "skipped/b.txt",
        "c.bak",
        ".d.txt",
        ".e.bak",
    ] {
        folder.file(&format!("t/{name}"), KOI8);
    }
    let tree = folder.name("t");
    let convert = |patterns: &[&str]| {
        let args = ["convert", "-f", "koi8-r", "--in-place", "--dry-run"];
        run(args.iter().chain(patterns).copied().chain([&*tree]))
    };
    convert(&["-e", "txt"]).ends(0).says([
        "--extension=txt: no file matched; 2 files were left out because of .gitignore and similar \
         rules (-I takes them), 1 file was left out because of being hidden (-H takes it)",
        "0 files",
    ]);
    // Each pattern is judged by itself, whatever the others match.
    let ran = convert(&["-e", "html", "-e", "text", "-g", "*.html", "-g", "!*.txt"]).ends(0);
    let warnings: Vec<_> = ran
        .stderr
        .lines()
        .filter(|line| line.contains("matched"))
        .collect();
    assert_eq!(warnings, ["simdtext: --extension=text: no file matched"]);
    // As in ripgrep, a glob includes ignored and hidden files.
    convert(&["-g", "*.bak"]).ends(0).says(["2 files"]);
    convert(&["-g", "*.php"])
        .ends(0)
        .says(["--glob=*.php: no file matched\n"]);
    let ran = convert(&["-I", "-H", "-e", "txt", "-e", "bak"]).ends(0);
    assert!(!ran.stderr.contains("matched"), "{}", ran.stderr);
    // `detect` reports it too; a file that was named is not reported.
    run(["detect", "-e", "txt", &tree])
        .gives(0, b"")
        .says(["--extension=txt: no file matched; 2 files"]);
    run(["detect", "-e", "txt", &folder.name("t/a.html")]).quietly();
    // Links count if nothing else matches.
    symlink(folder.path("t/a.html"), folder.path("t/link.xml")).expect("a link can be made");
    convert(&["-e", "xml"])
        .ends(0)
        .says(["--extension=xml: no file matched; 1 link was left out because links are not followed (-L follows it)"]);
    // Without a pattern: a folder of which everything is left out.
    run(["detect", &folder.name("t/.git")])
        .gives(0, b"")
        .says([".git: no file matched"]);
}

#[test]
fn the_same_trouble_of_many_files_is_one_line() {
    let folder = Folder::new();
    folder.folder("t/t");
    folder.folder("out");
    for number in 0..40 {
        folder.file(&format!("t/t/{number:02}"), "plain");
    }
    // There is a file where the folder for their outputs should be.
    folder.file("out/t", "");
    let (tree, out) = (folder.name("t"), folder.name("out"));
    let args = ["convert", "-f", "koi8-r", "-j1", "--out-dir", &out, &tree];
    let each = "cannot be written: Not a directory";
    let lines = |ran: &crate::harness::Ran| {
        ran.stderr
            .lines()
            .filter(|line| line.contains(each))
            .count()
    };
    let ran = run(args.iter().chain(&["-q"])).ends(2);
    assert_eq!(lines(&ran), 11, "{}", ran.stderr);
    ran.says([
        "40 files in all have a message like this one: ",
        "-v names them",
    ]);
    let ran = run(args.iter().chain(&["-v"])).ends(2);
    assert_eq!(lines(&ran), 40, "{}", ran.stderr);
    let ran = run(args.iter().chain(&["--json"])).ends(2);
    assert_eq!(ran.stdout.split(|byte| *byte == b'\n').count(), 42);
}

#[test]
fn guesses_are_counted_by_encoding() {
    let folder = Folder::new();
    folder.folder("t");
    let russian = "Все люди рождаются свободными и равными в своем достоинстве и правах.\n";
    let (russian, ..) = encoding_rs::WINDOWS_1251.encode(russian);
    let japanese =
        "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。\n";
    let (japanese, ..) = encoding_rs::SHIFT_JIS.encode(japanese);
    for number in 0..15 {
        folder.file(&format!("t/r{number}"), &russian);
    }
    for number in 0..5 {
        folder.file(&format!("t/j{number}"), &japanese);
    }
    let tree = folder.name("t");
    let ran = run(["convert", "--in-place", &tree]).gives(1, b"").says([
        "20 files left alone because their encoding is a guess: 15 windows-1251, 5 Shift_JIS (-v \
         names them, --json lists them)",
        "20 skipped",
    ]);
    let named = |stderr: &str| {
        stderr
            .lines()
            .filter(|line| line.contains("which is a guess"))
            .count()
    };
    assert_eq!(named(&ran.stderr), 10, "{}", ran.stderr);
    let ran = run(["convert", "--in-place", "-v", &tree]).ends(1);
    assert_eq!(named(&ran.stderr), 20, "{}", ran.stderr);
}

#[test]
fn a_line_of_an_ignore_file_that_is_malformed() {
    let folder = Folder::new();
    let (tree, out) = (folder.folder("t"), folder.name("out"));
    folder.file("t/.ignore", "b\n[c-a]\n");
    for name in ["t/a", "t/b", "t/c"] {
        folder.file(name, "text");
    }
    let why = "t/.ignore: line 2: error parsing glob '[c-a]': invalid range";
    let said = [why, "; nothing was left out because of it"];
    for args in [
        &["convert", "--out-dir", &out][..],
        &["convert", "--in-place"],
        &["check"],
        &["detect"],
    ] {
        let ran = run(args.iter().chain(&[&*tree])).ends(0).says(said);
        assert_eq!(ran.stderr.matches(why).count(), 1);
    }
    assert_eq!(folder.tree("out").len(), 2);
}

#[test]
#[cfg(unix)]
fn names_forge_no_line_of_a_report() {
    let folder = Folder::new();
    let name = folder.file("a\n\u{1B}[31mb: UTF-8", b"\xFF\n");
    let escaped = "a\\n\\u{1b}[31mb: UTF-8: ";
    for (command, lines) in [("detect", 1), ("check", 2)] {
        let ran = run([command, &name]);
        let stdout = String::from_utf8(ran.stdout).expect("it is UTF-8");
        assert_eq!(stdout.lines().count(), lines, "{stdout}");
        assert!(!stdout.contains('\u{1B}'), "{stdout}");
        assert!(stdout.contains(escaped.trim_end_matches(": ")), "{stdout}");
    }
}

/// In a container, single files are often mounted.
#[test]
fn a_file_that_is_mounted_can_not_be_replaced() {
    let folder = Folder::new();
    let text = b"caf\xE9\n";
    let other = folder.file("other", text);
    for name in ["in", "out"] {
        folder.folder(name);
        folder.file(&format!("{name}/file"), text);
    }
    let Some(_mounted) = mounted_at(&folder, "other", "out/file") else {
        return;
    };
    let (file, input, out) = (
        folder.name("out/file"),
        folder.name("in"),
        folder.name("out"),
    );
    for args in [
        &["--in-place", &*file][..],
        &["--out-dir", &out, &input],
        &["-o", &file, &folder.name("in/file")],
    ] {
        run(["convert", "-f", "windows-1252"].iter().chain(args))
            .gives(2, b"")
            .says([
                "Device or resource busy",
                "A file that is mounted at its path, as in containers, can't be replaced: convert it where \
                 it is mounted from, or write to another file",
            ]);
    }
    assert_eq!(std::fs::read(&other).expect("it is there"), text);
    assert_eq!(folder.tree("out").len(), 1);
}

#[test]
fn names_do_not_hide_what_they_are() {
    let folder = Folder::new();
    let name = folder.name("txt.\u{202E}gnp\u{200B}\u{2028}");
    run(["convert", &name])
        .gives(2, "")
        .says(["txt.\\u{202e}gnp\\u{200b}\\u{2028}: No such file or directory"]);
    // These join and separate letters of words.
    let name = folder.name("\u{645}\u{6CC}\u{200C}\u{62E}");
    run(["convert", &name])
        .gives(2, "")
        .says(["\u{645}\u{6CC}\u{200C}\u{62E}: No such file"]);
}
