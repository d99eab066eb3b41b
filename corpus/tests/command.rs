//! The command, by running it: what it prints, and its exit status.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_simdtext-corpus"))
        .current_dir(folder)
        .args(args)
        .output()
        .expect("the command can be run")
}

fn check(output: &Output, status: i32, stdout: &[&str], stderr: &[&str]) {
    let out = String::from_utf8_lossy(&output.stdout);
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{out}{err}");
    for (text, expected) in [(&out, stdout), (&err, stderr)] {
        for part in expected {
            assert!(text.contains(part), "{part:?} is not in {text}");
        }
        assert_eq!(text.is_empty(), expected.is_empty(), "{text}");
    }
}

#[test]
fn summaries_and_exit_statuses() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::create_dir(folder.join("in")).expect("a folder");
    fs::write(folder.join("in/a.txt"), "naïve").expect("it can be written");
    fs::write(folder.join("in/b.bin"), [0; 100]).expect("it can be written");
    let record = "WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n";
    fs::write(folder.join("in/c.warc"), record).expect("it can be written");

    let summary = [
        "3 records: 2 rows, 1 rejected, 0 skipped",
        "UTF-8",
        "binary",
    ];
    let report = ["in", "--out", "one", "--report", "run.html"];
    check(&run(folder, &report), 0, &summary, &[]);
    let page = fs::read_to_string(folder.join("run.html")).expect("there is a report");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("UTF-8"));
    assert!(folder.join("one/text/part-00000-000.parquet").exists());
    assert!(folder.join("one/rejected/part-00000-000.jsonl").exists());

    let json = run(
        folder,
        &["in", "--out", "two", "--json", "--format", "jsonl"],
    );
    check(&json, 0, &["\"records\":3"], &[]);
    let tally: serde_json::Value = serde_json::from_slice(&json.stdout).expect("it is JSON");
    assert_eq!(tally["encodings"]["UTF-8"]["rows"], 2);
    let text = fs::read_to_string(folder.join("two/text/part-00000-000.jsonl"));
    assert!(text.expect("there are rows").contains("naïve"));
    check(
        &run(
            folder,
            &["in", "--out", "two", "-q", "--format=jsonl", "--resume"],
        ),
        0,
        &[],
        &[],
    );

    // What is damaged, with its place.
    fs::write(folder.join("d.warc"), [record, &record[..40]].concat()).expect("it can be written");
    let place = format!("d.warc: record 1 at offset {}: damaged: ", record.len());
    let damaged = ["d.warc", "--out", "three"];
    check(
        &run(folder, &damaged),
        1,
        &["2 records: 1 rows, 1 rejected"],
        &[&place],
    );

    for (args, message) in [
        (
            &["missing", "--out", "four"][..],
            "missing: there is no such file",
        ),
        (
            &["in", "--out", "in"],
            "in: an input can't be in the folder of the output, in",
        ),
        (
            &["in/a.txt", "--out", "one"],
            "one is not empty: name another folder, or",
        ),
        (
            &["in", "--out", "one", "--resume", "--max-record=1K"],
            "can't resume: the options were",
        ),
        (
            &["in", "--out", "four", "--fallback=x"],
            "--fallback: unknown label x",
        ),
        (
            &["in", "--out", "four", "--max-record=1G"],
            "--max-record: the maximum is 512M",
        ),
        (&["in", "--out", "in/a.txt/x"], "in/a.txt/x"),
        (&["in"], "--out"),
    ] {
        check(&run(folder, args), 2, &[], &[message]);
    }
    assert!(!folder.join("four").exists());
}

#[test]
fn a_report_replaces_no_input_and_no_part_of_the_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::create_dir(folder.join("in")).expect("a folder");
    fs::write(folder.join("in/a.txt"), "naïve").expect("it can be written");
    for (input, report, why) in [
        ("in/a.txt", "in/a.txt", "would replace an input"),
        ("in", "in/../in/a.txt", "would replace an input"),
        ("in", "in", "names a folder"),
        (
            "in",
            "out/text/part-00000-000.parquet",
            "a part of the output",
        ),
        ("in", "none/run.html", "a folder that does not exist"),
    ] {
        let refused = run(folder, &[input, "--out", "out", "--report", report]);
        check(&refused, 2, &[], &[report, why]);
        assert!(!folder.join("out").exists(), "{report}");
    }
    let text = fs::read_to_string(folder.join("in/a.txt"));
    assert_eq!(text.expect("it is still there"), "naïve");
    // Into the folder of the output, which does not exist yet, and over the report of an earlier run.
    let inside = ["in", "-q", "--out", "out", "--report", "out/run.html"];
    check(&run(folder, &inside), 0, &[], &[]);
    fs::write(folder.join("run.html"), "").expect("it can be written");
    let resumed = [
        "in", "-q", "--out", "out", "--resume", "--report", "run.html",
    ];
    check(&run(folder, &resumed), 0, &[], &[]);
    let page = fs::read_to_string(folder.join("run.html")).expect("there is a report");
    assert!(page.starts_with("<!DOCTYPE html>"));
    // The output below the input.
    let mut below = vec!["in", "-q", "--out", "in/out", "--report", "in/out/run.html"];
    check(&run(folder, &below), 0, &[], &[]);
    below.push("--resume");
    check(&run(folder, &below), 0, &[], &[]);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_simdtext-corpus"))
        .current_dir(folder.path())
        .args(["/dev/stdin", "-q", "--out", "out"])
        .stdin(std::process::Stdio::piped())
        .output()
        .expect("the command can be run");
    check(&output, 1, &[], &[]);
    let rejected = fs::read_to_string(folder.path().join("out/rejected/part-00000-000.jsonl"));
    assert!(
        rejected
            .expect("there are rejected records")
            .contains("save what it gives to a file first")
    );
}

/// A table at which the crate parquet panics, when this was written.
#[test]
fn a_parser_that_panics_is_reported_as_damage_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = include_bytes!("damaged.parquet");
    fs::write(folder.path().join("a.parquet"), table).expect("it can be written");
    let output = run(folder.path(), &["a.parquet", "--out", "out"]);
    check(
        &output,
        1,
        &["17 records: 2 rows"],
        &["a.parquet: record 16", "damaged"],
    );
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("panicked"), "{stderr}");
}
