//! What all commands have in common: they read standard input that is a file like a file, walk folders,
//! report what has overridden a flag, and put a version into their JSON.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use serde_json::Value;

use crate::harness::{Folder, Ran, run, run_with, simdtext};

fn run_from(args: &[&str], file: File) -> Ran {
    let output = simdtext(args).stdin(file).output();
    output.expect("the command ends").into()
}

#[test]
fn standard_input_that_is_a_file() {
    // 100 KB of ASCII, and then it turns out to be windows-1252: a pipe is taken for UTF-8 because of its
    // beginning, but a file is read to its end first.
    let folder = Folder::new();
    let head = "skip this line\n";
    let long = "plain text, as it seems\n".repeat(5000);
    let tail =
        b"d\xE9j\xE0 vu, cit\xE9, \xE9t\xE9, caf\xE9, for\xEAt, t\xEAte, fran\xE7ais\n".repeat(20);
    let contents = [head.as_bytes(), long.as_bytes(), &tail].concat();
    let name = folder.file("f", &contents);
    let text = encoding_rs::WINDOWS_1252
        .decode_without_bom_handling(&contents)
        .0
        .into_owned();
    let open = || File::open(&name).expect("it opens");
    let by_name = run(["convert", &name]).gives(0, &text);
    let by_stdin = run_from(&["convert"], open()).gives(0, &text);
    assert_eq!(by_name.stderr.replace(&name, "<stdin>"), by_stdin.stderr);
    run_from(&["convert", "-f", "auto:windows-1252"], open()).gives(0, &text);

    // From its current position to its end.
    let mut file = open();
    file.seek(SeekFrom::Start(head.len() as u64))
        .expect("it seeks");
    let mut same = file.try_clone().expect("it can be cloned");
    run_from(&["convert"], file).gives(0, &text[head.len()..]);
    let mut rest = Vec::new();
    same.read_to_end(&mut rest).expect("it reads");
    assert_eq!(rest, b"");
}

#[test]
fn check_walks_folders() {
    let folder = Folder::new();
    folder.folder("t/deep");
    folder.folder("t/.hidden");
    folder.file("t/good.txt", "good");
    folder.file("t/deep/bad.txt", b"ab\n\xFF");
    folder.file("t/.hidden/bad.txt", b"\xFF");
    let tree = folder.name("t");
    let bad = folder.name("t/deep/bad.txt");
    run(["check", &tree])
        .gives(1, format!("{bad}:2: malformed byte FF at offset 3 (UTF-8)\n{bad}: 1 malformed sequence (UTF-8)\n"))
        .says(["2 files checked: 1 with 1 malformed sequence"]);
    run(["check", "-H", &tree])
        .ends(1)
        .says(["3 files checked: 2 with 2"]);
    run(["check", "-g", "good*", &tree])
        .ends(0)
        .says(["1 file checked: clean"]);
}

#[test]
fn a_mark_that_overrides_a_named_encoding_is_said() {
    let folder = Folder::new();
    let file = folder.file("f", b"\xFF\xFEa\0");
    let said = "f: its byte order mark says UTF-16LE, which overrides --from=GBK";
    run(["convert", "-f", "gbk", &file])
        .gives(0, "a")
        .says([said]);
    run(["check", "-f", "gbk", &file]).ends(0).says([said]);
    let out = folder.name("out");
    run(["convert", "-f", "gbk", "--out-dir", &out, &file])
        .ends(0)
        .says([said]);
    run(["convert", "-f", "gbk", "--in-place", &file])
        .ends(0)
        .says([said]);
    run(["check", &file]).ends(0);
    let file = folder.file("g", b"\xFF\xFEa\0");
    run(["convert", "-f", "utf-16le", &file])
        .gives(0, "a")
        .quietly();
}

#[test]
fn every_line_of_json_has_a_version() {
    let folder = Folder::new();
    let good = folder.file("good", "good");
    let bad = folder.file("bad", b"\xFF");
    let missing = folder.name("missing");
    let out = folder.name("out");
    for args in [
        &["list", "--json"][..],
        &["detect", "--json", &good, &bad, &missing],
        &["check", "--json", &good, &bad, &missing],
        &[
            "convert",
            "--json",
            "--out-dir",
            &out,
            &good,
            &bad,
            &missing,
        ],
    ] {
        let stdout = run(args).stdout;
        let stdout = String::from_utf8(stdout).expect("JSON is UTF-8");
        assert!(stdout.lines().count() >= 3, "{args:?}");
        for line in stdout.lines() {
            let object: Value = serde_json::from_str(line).expect("it is JSON");
            assert_eq!(object["version"], 1, "{line}");
        }
    }
}

#[test]
fn pages_that_nothing_here_decodes_are_left() {
    let page = b"<!DOCTYPE html><meta charset=hz-gb-2312><p>~{VPND~}</p>\n";
    let korean = b"\x1B$)C\x0E0!\x0F\n";
    for (contents, from) in [
        (&page[..], &[][..]),
        (page, &["-f", "hz-gb-2312"]),
        (korean, &["-f", "iso-2022-kr"]),
        (
            korean,
            &["-f", "iso-2022-kr", "--invalid=replace", "--force"],
        ),
    ] {
        let folder = Folder::new();
        let file = folder.file("page", contents);
        let args = ["convert", "--in-place", &file];
        run(args.iter().chain(from).copied())
            .ends(1)
            .says(["hz-gb-2312", "left alone", "uconv"]);
        assert_eq!(folder.read("page"), contents);
        let out = folder.name("out");
        let args = ["convert", "--out-dir", &out, &file];
        run(args.iter().chain(from).copied())
            .ends(1)
            .says(["nothing was written for it"]);
        assert!(!folder.path("out/page").exists());
    }
    // These look like ASCII, and only their own bytes say what they are in.
    let mail =
        b"Subject: x\r\nContent-Type: text/plain; charset=\"HZ-GB-2312\"\r\n\r\n~{VPND~}\r\n";
    let chinese = b"ASCII \x1B$)A\x0E=;;;\x0F\n";
    let later = [&b"ASCII at first\n".repeat(20_000)[..], korean].concat();
    for contents in [&korean[..], mail, chinese, &later] {
        let folder = Folder::new();
        let file = folder.file("text", contents);
        let out = folder.name("out");
        for from in ["auto", "auto:euc-kr"] {
            run(["convert", "--in-place", "--accept-guess", "-f", from, &file])
                .ends(1)
                .says(["left alone", "uconv"]);
            run(["convert", "--out-dir", &out, "-f", from, &file])
                .ends(1)
                .says(["nothing was written for it"]);
            run(["convert", "-f", from, &file])
                .gives(1, "")
                .says(["not converted"]);
        }
        assert_eq!(folder.read("text"), contents);
        assert!(!folder.path("out/text").exists());
    }
    // Escape sequences of terminals, and tildes and braces, mean nothing.
    for text in [
        "\x1B$)C is what ISO-2022-KR begins with\n",
        "charset=utf-8 ~{ and ~}\n",
        "\x1B[1mbold\x1B[0m \x0E\n",
    ] {
        run_with(["convert"], text).gives(0, text);
    }
    run_with(["convert", "-f", "iso-2022-kr"], korean)
        .gives(1, "\u{FFFD}")
        .says(["ISO-2022-KR"]);
}

#[test]
fn labels_that_people_type() {
    for (label, hint) in [
        ("cp850", "`iconv -f CP850 -t UTF-8`"),
        ("ibm437", "`iconv -f CP437 -t UTF-8`"),
        ("utf-8-sig", "use utf-8:"),
        ("utf-7", "`iconv -f UTF-7 -t UTF-8`"),
        ("cp037", "`iconv -f IBM037 -t UTF-8`"),
        ("shift-jis-2004", "shift_jis is close"),
    ] {
        run_with(["convert", "-f", label], "x")
            .gives(2, "")
            .says([label, hint]);
    }
    // This is a label of the standard, of windows-874.
    run_with(["convert", "-f", "iso-8859-11"], b"\xA1").gives(0, "ก");
}

#[test]
fn a_list_with_iso_2022_jp() {
    let folder = Folder::new();
    let file = folder.file("mail", b"\x1B$B\x46\x7C\x4B\x5C\x38\x6C\x1B(B\n");
    for list in ["auto:iso-2022-jp", "auto:euc-jp,iso-2022-jp"] {
        run(["convert", "-f", list, &file]).gives(0, "日本語\n");
    }
}
