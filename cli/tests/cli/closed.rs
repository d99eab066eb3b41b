//! Standard streams that are closed when the command starts, and /dev/null, which is not the same.

use std::fs::File;
use std::process::{Command, Stdio};

#[cfg(target_os = "linux")]
use crate::harness::skipped;
use crate::harness::{Folder, Ran, simdtext};

const CP1251: &[u8] = b"\xCF\xF0\xE8";

/// Runs in a shell, with this redirection.
fn with(redirection: &str, args: &[&str]) -> Ran {
    let output = Command::new("sh")
        .args(["-c", &format!("exec \"$@\" {redirection}"), "sh"])
        .arg(env!("CARGO_BIN_EXE_simdtext"))
        .args(args)
        .env_remove("SIMDTEXT_ISA")
        .stdin(Stdio::null())
        .output();
    output.expect("sh starts").into()
}

#[test]
fn a_closed_input_is_an_error_and_not_empty() {
    let folder = Folder::new();
    let out = folder.file("out", "precious");
    let tree = folder.name("tree");
    for args in [
        &["convert", "-o", &out][..],
        &["convert", "-o", &out, "-"],
        &["convert", "-o", &out, "/dev/stdin"],
        &["convert"],
        &["convert", "--in-place", "--files-from", "-"],
        &["convert", "--out-dir", &tree, "--from-list", "-"],
        &["detect"],
        &["detect", "--files-from", "-"],
        &["check", "-"],
        &["check", "--files-from", "-"],
    ] {
        with("<&-", args)
            .gives(2, b"")
            .says(["cannot read <stdin>: standard input is closed"]);
        assert_eq!(folder.names(), ["out"], "{args:?}");
        assert_eq!(folder.read("out"), b"precious");
    }
}

#[test]
fn a_closed_output_is_an_error_and_takes_nothing() {
    let folder = Folder::new();
    let text = folder.file("text", CP1251);
    for args in [
        &["convert", "-f", "windows-1251", &text][..],
        &["convert", "-f", "windows-1251", "-o", "-", &text],
        &["convert", "-f", "windows-1251", "-o", "/dev/stdout", &text],
        &[
            "convert",
            "-f",
            "windows-1251",
            "--in-place",
            "--json",
            &text,
        ],
        &["convert", "-f", "windows-1251", "--in-place", "-n", &text],
        &["restore", "--backup=.orig", "--json", &text],
        &["check", &text],
        &["detect", &text],
        &["list"],
        &["man"],
        &["completions", "bash"],
        &["--help"],
        &["--version"],
    ] {
        with(">&-", args)
            .ends(2)
            .says(["cannot write <stdout>: standard output is closed"]);
        assert_eq!(folder.names(), ["text"], "{args:?}");
        assert_eq!(folder.read("text"), CP1251, "{args:?}");
    }
}

#[test]
fn a_closed_stream_that_is_not_used_is_no_error() {
    let folder = Folder::new();
    let text = folder.file("text", CP1251);
    let (out, kept) = (folder.name("out"), folder.file("kept", "kept"));
    let all = "<&- >&-";
    with(all, &["convert", "-f", "windows-1251", "-o", &out, &text]).gives(0, b"");
    with(all, &["check", &out]).gives(0, b"");
    with(all, &["convert", "--no-clobber", "-o", &kept]).gives(0, b"");
    with(all, &["convert", "-f", "windows-1251", "--in-place", &text]).gives(0, b"");
    for name in ["out", "text"] {
        assert_eq!(folder.read(name), "При".as_bytes(), "{name}");
    }
    with("<&- 2>&-", &["list"]).ends(0);
}

#[test]
fn the_null_device_is_no_closed_stream() {
    let folder = Folder::new();
    let text = folder.file("text", CP1251);
    let out = folder.name("out");
    for input in ["< /dev/null", "<> /dev/null", "0> /dev/null <> /dev/null"] {
        with(input, &["convert", "-o", &out]).gives(0, b"");
        assert_eq!(folder.read("out"), b"");
    }
    // Opened for both, as by a daemon.
    for output in ["> /dev/null", "1<> /dev/null"] {
        with(output, &["convert", "-f", "windows-1251", &text]).gives(0, b"");
    }
    let null = || {
        let null = File::options().read(true).write(true).open("/dev/null");
        Stdio::from(null.expect("there is one"))
    };
    let status = simdtext(["convert"]).stdin(null()).stdout(null()).status();
    assert!(status.expect("the command starts").success());
}

/// Network file systems may report only when a file is closed that there is no room for it.
#[test]
#[cfg(target_os = "linux")]
fn an_output_that_can_not_be_closed_is_an_error() {
    let folder = Folder::new();
    let text = folder.file("text", CP1251);
    for args in [&["convert", "-f", "windows-1251", &text][..], &["list"]] {
        let mut is_told = false;
        // The first files that are closed are not the output.
        for nth in 1..100 {
            let log = folder.name("log");
            let failing = format!("inject=close:error=EDQUOT:when={nth}");
            let output = Command::new("strace")
                .args(["-f", "-o", &log, "-e", &failing])
                .arg(env!("CARGO_BIN_EXE_simdtext"))
                .args(args)
                .stdout(File::create(folder.path("out")).expect("a file can be made"))
                .stderr(Stdio::piped())
                .output();
            let (Ok(output), true) = (output, folder.path("log").exists()) else {
                skipped("strace can't run here, which is to make calls fail");
                return;
            };
            if !String::from_utf8_lossy(&folder.read("log")).contains("INJECTED") {
                // There are fewer calls.
                break;
            }
            let ran = Ran::from(output);
            is_told |= ran.status == Some(2)
                && (ran.stderr).contains("cannot write <stdout>: Disk quota exceeded");
        }
        assert!(is_told, "{args:?}");
    }
}
