//! The reports of runs with many files: JSON, dry runs, progress, totals.

use std::process::Stdio;

use serde_json::Value;

use crate::harness::{Folder, Ran, run, simdtext};

const KOI8: &[u8] = b"\xCD\xC9\xD2";

/// A tree with a file of each kind.
fn tree() -> Folder {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/ascii", "plain");
    folder.file("t/bom", b"\xFF\xFEa\0");
    folder.file("t/done", "миру мир");
    folder.file("t/faulty", b"ab\n\xFFc");
    folder.file("t/koi8", KOI8);
    folder
}

fn objects(ran: &Ran) -> Vec<Value> {
    let text = std::str::from_utf8(&ran.stdout).expect("JSON is UTF-8");
    let mut objects: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect();
    let summary = objects.pop().expect("there is a summary");
    objects.sort_by_key(|object| object["path"].to_string());
    objects.push(summary);
    objects
}

#[test]
fn json() {
    let folder = tree();
    let tree = folder.name("t");
    let ran = run(["convert", "-f", "gbk", "--in-place", "--json", &tree]).ends(1);
    let objects = objects(&ran);
    let results: Vec<_> = objects
        .iter()
        .map(|object| object["result"].as_str())
        .collect();
    assert_eq!(
        results,
        [
            Some("unchanged"),
            Some("converted"),
            Some("already"),
            Some("faulty"),
            Some("faulty"),
            None
        ]
    );
    let [ascii, bom, done, faulty, _, summary] = &objects[..] else {
        panic!("{objects:?}");
    };
    assert_eq!(ascii["changed"], false);
    assert_eq!(bom["path"], folder.name("t/bom"));
    assert_eq!(
        (&bom["from"], &bom["to"]),
        (&"UTF-16LE".into(), &"UTF-8".into())
    );
    assert_eq!(
        (&bom["evidence"], &ascii["evidence"]),
        (&"bom".into(), &"label".into())
    );
    assert_eq!(
        (&bom["bytes_in"], &bom["bytes_out"]),
        (&4.into(), &1.into())
    );
    assert_eq!((&bom["changed"], &bom["errors"]), (&true.into(), &0.into()));
    assert!(bom["ms"].is_number());
    assert_eq!(done["from"], "UTF-8");
    assert_eq!(
        (&done["bytes_in"], &done["bytes_out"]),
        (&15.into(), &15.into())
    );
    assert_eq!(
        (&faulty["errors"], &faulty["changed"]),
        (&1.into(), &false.into())
    );
    let first = &faulty["first_errors"][0];
    assert_eq!((&first["offset"], &first["line"]), (&3.into(), &2.into()));
    assert_eq!(first["bytes"], "FF");
    assert_eq!(
        (&summary["type"], &summary["files"]),
        (&"summary".into(), &5.into())
    );
    assert_eq!(summary["results"]["faulty"], 2);
    assert_eq!(summary["errors"], 2);
    assert_eq!(summary["bytes_in"], 5 + 4 + 15 + 5 + 3);
}

#[test]
fn json_with_outputs_and_trouble() {
    let folder = tree();
    let (tree, out) = (folder.name("t"), folder.name("out"));
    let missing = folder.name("missing");
    let args = [
        "convert",
        "--json",
        "-q",
        "-t",
        "koi8-r",
        "--unmappable=ncr",
        "--out-dir",
        &out,
    ];
    folder.file("t/star", "\u{2605}");
    let ran = run(args.into_iter().chain([&*tree, &missing])).ends(2);
    let objects = objects(&ran);
    let find = |name: &str| {
        let named = objects
            .iter()
            .find(|object| object["path"] == *folder.name(name));
        named.expect("each file has a line")
    };
    assert_eq!(find("t/star")["output"]["path"], folder.name("out/star"));
    assert_eq!(find("t/star")["first_errors"][0]["unmappable"], "U+2605");
    assert_eq!(find("t/star")["unmappable"], 1);
    assert_eq!(find("missing")["result"], "failed");
    assert_eq!(
        find("missing")["message"],
        "cannot be read: No such file or directory"
    );
    assert_eq!(
        ran.stderr,
        format!("simdtext: {missing}: cannot be read: No such file or directory\n")
    );
}

#[test]
fn a_dry_run_touches_nothing() {
    let folder = tree();
    let tree = folder.name("t");
    let before = folder.tree("t");
    let ran = run(["convert", "-f", "koi8-r", "--in-place", "-n", &tree]).ends(0);
    let text = String::from_utf8(ran.stdout).expect("it is UTF-8");
    for line in [
        "t/ascii: would be left alone: its bytes would not change",
        "t/bom: would be converted from UTF-16LE (bom) to UTF-8, 4 to 1 bytes",
        "t/done: would be left alone: it is UTF-8 already",
        "t/faulty: would be converted from KOI8-R to UTF-8, 5 to 6 bytes",
        "t/koi8: would be converted from KOI8-R to UTF-8, 3 to 6 bytes",
    ] {
        assert!(text.contains(line), "no {line:?} in {text}");
    }
    let (file, link) = (folder.path("t/koi8"), folder.path("t/link"));
    std::fs::hard_link(file, &link).expect("there is no such file");
    let ran = run(["convert", "-f", "koi8-r", "--in-place", "-n", &tree]).ends(1);
    let text = String::from_utf8(ran.stdout).expect("it is UTF-8");
    assert!(text.contains("t/koi8: would be left alone: it has 2 hard links. With"));
    std::fs::remove_file(link).expect("it was made above");
    assert_eq!(folder.tree("t"), before);
    let out = folder.name("out/er");
    let ran = run(["convert", "-f", "utf-8", "--out-dir", &out, "-n", &tree]).ends(1);
    let text = String::from_utf8(ran.stdout).expect("it is UTF-8");
    let line =
        format!("t/ascii: would be converted from UTF-8 to UTF-8 into {out}/ascii, 5 to 5 bytes");
    assert!(text.contains(&line), "{text}");
    assert!(!folder.path("out").exists());
    assert!(ran.stderr.contains("nothing was written"), "{}", ran.stderr);
}

#[test]
fn as_much_as_is_asked_for() {
    let folder = tree();
    let args = |flag| ["convert", "-f", "koi8-r", "--in-place", flag];
    let (koi8, done) = (folder.name("t/koi8"), folder.name("t/done"));
    run(args("-v").into_iter().chain([&*koi8, &done]))
        .gives(0, b"")
        .says([
            "t/koi8: converted from KOI8-R to UTF-8, 3 to 6 bytes",
            "t/done: UTF-8 already",
            "2 files: 1 converted, 1 UTF-8 already",
            "  KOI8-R                 1               3               6         0",
        ]);
    run(args("-q").into_iter().chain([&*koi8]))
        .gives(0, b"")
        .quietly();
    let faulty = folder.name("t/faulty");
    run(["convert", "--in-place", "-q", &faulty])
        .gives(1, b"")
        .quietly();
}

#[test]
fn progress_where_it_is_asked_for() {
    let folder = tree();
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--out-dir",
        &folder.name("out"),
        &folder.name("t"),
    ];
    let ran = run(args).ends(0);
    assert!(!ran.stderr.contains("B/s"), "{}", ran.stderr);
    run(args.into_iter().chain(["--progress=always"]))
        .ends(0)
        .says(["files", "B/s"]);
}

#[test]
fn a_reader_that_leaves_stops_no_conversion() {
    let folder = Folder::in_memory();
    folder.folder("t");
    for i in 0..2000 {
        folder.file(&format!("t/{i}"), KOI8);
    }
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--json",
        "-q",
        "--no-fsync",
        "--in-place",
    ];
    let mut child = simdtext(args.into_iter().chain([&*folder.name("t")]))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    assert!(
        folder
            .tree("t")
            .values()
            .all(|contents| contents == "мир".as_bytes())
    );
}

#[cfg(unix)]
#[test]
fn what_was_not_read_is_in_no_encoding() {
    let folder = Folder::new();
    let tree = folder.folder("t");
    folder.file("t/a", b"K\xF6ln");
    std::fs::hard_link(folder.path("t/a"), folder.path("t/b")).expect("a link can be made");
    let ran = run(["convert", "--json", "--in-place", &tree])
        .ends(1)
        .never_says(["UTF-8"]);
    let report = String::from_utf8(ran.stdout).expect("JSON is UTF-8");
    let mut lines = report
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("each line is an object"));
    for _ in 0..2 {
        let file = lines.next().expect("there is a line for each file");
        assert_eq!(file["result"], "skipped");
        assert_eq!(file["from"], Value::Null);
        assert_eq!(file["evidence"], "fallback");
    }
    let named = run(["convert", "--json", "--in-place", "-f", "koi8-r", &tree]).ends(1);
    let report = String::from_utf8(named.stdout).expect("JSON is UTF-8");
    assert!(report.contains("\"from\":\"KOI8-R\""), "{report}");
}

#[test]
fn what_was_not_replaced_has_no_output() {
    let folder = Folder::new();
    let file = folder.file("a", KOI8);
    folder.file("a.orig", "in the way");
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--backup",
        ".orig",
        "--json",
    ];
    let ran = run(args.iter().copied().chain([&*file])).ends(2);
    for object in objects(&ran) {
        assert_eq!(object["bytes_out"], 0, "{object}");
    }
    assert_eq!(folder.read("a"), KOI8);
}

#[test]
fn what_stays_as_it_is_counts_with_its_size() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a", KOI8);
    let (tree, out, state) = (folder.name("t"), folder.name("out"), folder.name("state"));
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--no-clobber",
        "--out-dir",
        &out,
        &tree,
    ];
    run(args).ends(0).says(["1 converted"]);
    let (before, after) = (KOI8.len(), folder.read("out/a").len());
    let sizes = format!("1 kept; {before} to {after} bytes");
    run(args).ends(0).says([&*sizes]);
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--resume",
        &state,
        &tree,
    ];
    run(args).ends(0).says(["1 converted"]);
    let sizes = format!("1 finished earlier; {after} to {after} bytes");
    run(args).ends(0).says([&*sizes]);
}
