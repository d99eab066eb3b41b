//! `detect`.

use std::fs;

use crate::auto::sample;
use crate::harness::{Folder, run, run_with};

#[test]
fn one_line_a_file() {
    let folder = Folder::new();
    folder.folder("t/below");
    folder.file("t/a.txt", sample("ja.shift_jis.txt"));
    folder.file("t/b.txt", sample("utf-8/ja.txt"));
    folder.file("t/below/c.txt", "plain");
    folder.file("t/below/d.html", b"<meta charset=gbk>\xC4\xE3");
    folder.file("t/below/e.txt", b"\xEF\xBB\xBFx");
    let tree = folder.name("t");
    let ran = run(["detect", &tree]).ends(0).quietly_said();
    let lines: Vec<_> = ran.lines().collect();
    for wanted in [
        "t/a.txt: Shift_JIS, tentative, detected: most plausible, as Japanese, by ",
        "t/b.txt: UTF-8, certain, utf-8: valid UTF-8",
        "t/below/c.txt: UTF-8, certain, ascii: ASCII",
        "t/below/d.html: GBK, tentative, prescan: declared in it",
        "t/below/e.txt: UTF-8, certain, bom: byte order mark",
    ] {
        assert!(
            lines.iter().any(|line| line.contains(wanted)),
            "no {wanted} in {ran}"
        );
    }
    assert_eq!(lines.len(), 5);
    let html = run(["detect", "-e", "html", &tree]).ends(0).quietly_said();
    assert_eq!(html.lines().count(), 1);
    let one = run(["detect", "-j1", &tree]).ends(0).quietly_said();
    assert_eq!(one, ran);
}

#[test]
fn a_declaration_further_on() {
    let style = format!("<style>{}</style>", "p { margin: 0 } ".repeat(200));
    let page = [style.as_bytes(), b"<meta charset=gbk>\xC4\xE3"].concat();
    let declared = "GBK, tentative, late-meta: declared in it, after its first 1,024 bytes\n";
    run_with(["detect", "--html"], &page).gives(0, format!("<stdin>: {declared}"));
    let folder = Folder::new();
    let path = folder.file("page.html", [b"<!DOCTYPE html>", &page[..]].concat());
    run(["detect", &path]).gives(0, format!("{path}: {declared}"));
    let text = format!("<!DOCTYPE html>{style}<meta charset=gbk>你");
    run(["convert", &path]).gives(0, &text);
    run_with(["convert"], fs::read(&path).unwrap()).gives(0, &text);
}

#[test]
fn formats_and_transport() {
    let html = b"<meta charset=gbk>\xC4\xE3";
    run_with(["detect"], html).gives(0, "<stdin>: GBK, tentative, prescan: declared in it\n");
    run_with(["detect", "--html"], html)
        .gives(0, "<stdin>: GBK, tentative, prescan: declared in it\n");
    let text = run_with(["detect", "--text"], html).ends(0).quietly_said();
    assert!(text.contains(", detected: "), "{text}");
    run_with(["detect", "--css"], b"@charset \"koi8-r\";\xD6")
        .gives(0, "<stdin>: KOI8-R, certain, prescan: declared in it\n");
    run_with(
        ["detect", "--xml"],
        b"<?xml version='1.0' encoding='koi8-r'?>\xD6",
    )
    .gives(0, "<stdin>: KOI8-R, certain, prescan: declared in it\n");
    run_with(
        ["detect", "--content-type", "text/html; charset=koi8-r"],
        html,
    )
    .gives(0, "<stdin>: KOI8-R, certain, transport: Content-Type\n");
    run(["detect", "--html", "--xml"]).gives(2, b"");
    run_with(["detect", "-"], "é").gives(0, "<stdin>: UTF-8, certain, utf-8: valid UTF-8\n");
}

#[test]
fn json_with_all_that_was_weighed() {
    let folder = Folder::new();
    let file = folder.file("a", sample("ru.koi8-r.txt"));
    let missing = folder.name("missing");
    let ran = run(["detect", "--json", "--tld", ".ru", &file, &missing]).ends(2);
    assert!(ran.stderr.contains("missing: "), "{}", ran.stderr);
    let objects: Vec<serde_json::Value> = String::from_utf8(ran.stdout)
        .expect("JSON is UTF-8")
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect();
    let [found, error] = &objects[..] else {
        panic!("{objects:?}")
    };
    assert_eq!(found["type"], "file");
    assert_eq!(found["path"], *file);
    assert_eq!(found["encoding"], "KOI8-R");
    assert_eq!(found["evidence"], "detected");
    assert_eq!(found["confidence"], "tentative");
    assert_eq!(found["double_encoded"], false);
    assert_eq!(found["candidates"][0]["encoding"], "KOI8-R");
    assert_eq!(found["candidates"][0]["language"], "ru");
    let costs: Vec<_> = found["candidates"]
        .as_array()
        .expect("it is a list")
        .iter()
        .map(|candidate| candidate["cost"].as_u64())
        .collect();
    assert!(costs.len() > 1 && costs.is_sorted(), "{costs:?}");
    assert_eq!(error["type"], "error");
    assert_eq!(error["path"], *missing);
}

#[test]
fn text_that_was_encoded_twice() {
    let text = sample("utf-8/ja.txt");
    let (doubled, _, _) = encoding_rs::WINDOWS_1252.decode(&text);
    run_with(["detect"], doubled.as_bytes()).gives(
        0,
        "<stdin>: UTF-8, certain, utf-8: valid UTF-8; encoded twice (--undo-double-encoding)\n",
    );
    let marked = format!("\u{FEFF}{doubled}");
    let ran = run_with(["detect"], marked).ends(0).quietly_said();
    assert!(ran.contains("bom: byte order mark; encoded twice"), "{ran}");
}

#[test]
fn inside_of_compressed_files() {
    let packed = zstd::encode_all(&sample("ja.euc-jp.txt")[..], 1).expect("it writes memory");
    let ran = run_with(["detect", "-z"], packed).ends(0).quietly_said();
    assert!(ran.starts_with("<stdin>: EUC-JP, "), "{ran}");
}

#[test]
fn what_can_not_be_read() {
    let folder = Folder::new();
    run(["detect", &folder.name("missing")])
        .gives(2, b"")
        .says(["missing: No such file or directory"]);
    run(["detect", "--files-from", &folder.name("missing")]).gives(2, b"");
    if cfg!(target_os = "linux") {
        run(["detect", "/proc/self/mem"])
            .gives(2, b"")
            .says(["cannot read /proc/self/mem"]);
    }
}

#[test]
#[cfg(unix)]
fn what_is_no_file_is_passed_over() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a", "plain");
    let made = std::process::Command::new("mkfifo")
        .arg(folder.path("t/pipe"))
        .status();
    assert!(made.expect("mkfifo starts").success());
    let ran = run(["detect", &folder.name("t")])
        .ends(1)
        .says(["t/pipe: it is a named pipe"]);
    let lines = String::from_utf8(ran.stdout).expect("it is UTF-8");
    assert!(
        lines.ends_with("t/a: UTF-8, certain, ascii: ASCII\n"),
        "{lines}"
    );
}
