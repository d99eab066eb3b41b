//! Large inputs, pipes that pause, and pipes that close.

use std::io::{Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;

use crate::harness::{Folder, run, run_with, simdtext};

fn start(args: &[&str]) -> Child {
    simdtext(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts")
}

/// The largest resident memory of a process so far, in KiB.
#[cfg(target_os = "linux")]
fn peak_kib(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()))
        .expect("the process is alive");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let words = line.expect("Linux tells it").trim().trim_end_matches(" kB");
    words.parse().expect("it is a number")
}

/// Sends `unit` through the command until 64 MiB have gone in. Returns the peak of its memory at the end,
/// while it still waits for more, and how many bytes came out. Output must appear while input arrives, and
/// not only at its end.
#[cfg(target_os = "linux")]
fn stream(args: &[&str], unit: &[u8]) -> (u64, u64, Option<i32>) {
    const TOTAL: usize = 64 << 20;
    let mut child = start(args);
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stdout = child.stdout.take().expect("it is piped");
    let mut stderr = child.stderr.take().expect("it is piped");
    let out = thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        let mut total = 0;
        loop {
            match stdout.read(&mut buffer).expect("the pipe can be read") {
                0 => return total,
                n => total += n as u64,
            }
        }
    });
    let messages = thread::spawn(move || {
        let mut text = String::new();
        stderr
            .read_to_string(&mut text)
            .expect("messages are UTF-8");
        text
    });
    let block = unit.repeat((1 << 20) / unit.len());
    for _ in 0..TOTAL / block.len() {
        stdin.write_all(&block).expect("the command reads on");
    }
    let peak = peak_kib(&child);
    drop(stdin);
    let out = out.join().expect("the reader ends");
    let messages = messages.join().expect("the reader ends");
    assert!(
        messages.len() < 10_000,
        "{} bytes of messages",
        messages.len()
    );
    let status = child.wait().expect("the command ends");
    (peak, out, status.code())
}

#[test]
#[cfg(target_os = "linux")]
fn memory_does_not_grow_with_the_input() {
    const LIMIT_KIB: u64 = 16 * 1024;
    let clean = "日本語 text, more of it\n".as_bytes();
    let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode("日本語 text, more of it\n");
    for (args, unit, wanted) in [
        (&["convert", "-f", "shift_jis"][..], &*sjis, 0),
        (&["convert", "-t", "gb18030"], clean, 0),
        (&["convert", "-t", "utf-16le"], clean, 0),
        (
            &["convert", "-f", "shift_jis", "-t", "iso-2022-jp"],
            &*sjis,
            0,
        ),
        (&["convert", "-t", "koi8-r", "--unmappable=ncr"], clean, 1),
        (
            &["convert", "-f", "utf-8"],
            b"malformed \xFF\xE4\xBD and a line\n",
            1,
        ),
        (&["check"], b"malformed \xFF\xE4\xBD and no line end ", 1),
        (
            &["check", "-f", "euc-kr"],
            b"no line end at all, however long it gets ",
            0,
        ),
    ] {
        let (peak, out, status) = stream(args, unit);
        assert!(peak < LIMIT_KIB, "{args:?}: {peak} KiB");
        assert_eq!(status, Some(wanted), "{args:?}");
        assert!(args[0] == "check" || out > 32 << 20, "{args:?}: {out}");
    }
}

#[test]
fn a_pause_in_a_pipe_does_not_hold_the_text_back() {
    let mut child = start(&["convert", "-f", "koi8-r"]);
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stdout = child.stdout.take().expect("it is piped");
    stdin
        .write_all(b"\xD6\xD6\xD6\n")
        .expect("the command reads");
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut line = [0; 7];
        let done = stdout.read_exact(&mut line).map(|()| line);
        let _ = sender.send(done);
        stdout
    });
    let line = receiver
        .recv_timeout(std::time::Duration::from_secs(60))
        .expect("the text comes before the input ends");
    assert_eq!(line.expect("the pipe can be read"), *"жжж\n".as_bytes());
    drop(stdin);
    drop(reader.join().expect("the reader ends"));
    assert!(child.wait().expect("the command ends").success());
}

#[test]
fn a_closed_pipe_is_the_end_and_no_error() {
    let folder = Folder::new();
    let big = folder.file("big", "text and text\n".repeat(200_000));
    let bad = folder.file("bad", b"\xFF\n".repeat(200_000));
    for args in [
        &["convert", &big][..],
        &["convert", "-t", "utf-16le", &big, &big],
        &["check", "--errors-max=1000000", &bad],
        &["check", "--json", "--errors-max=1000000", &bad],
    ] {
        let mut child = start(args);
        let mut stdout = child.stdout.take().expect("it is piped");
        let mut first = [0; 4];
        stdout.read_exact(&mut first).expect("there is some output");
        drop(stdout);
        let mut messages = String::new();
        let mut stderr = child.stderr.take().expect("it is piped");
        stderr
            .read_to_string(&mut messages)
            .expect("messages are UTF-8");
        assert_eq!(messages, "", "{args:?}");
        assert_eq!(
            child.wait().expect("the command ends").code(),
            Some(0),
            "{args:?}"
        );
    }
}

#[test]
fn a_pipe_that_was_closed_before_anything_was_written() {
    for args in [
        &["list"][..],
        &["list", "--json"],
        &["convert"],
        &["--help"],
        &["--version"],
    ] {
        let mut child = start(args);
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("it is piped");
        // The command may have ended already.
        let _ = stdin.write_all(b"text");
        drop(stdin);
        let mut messages = String::new();
        let mut stderr = child.stderr.take().expect("it is piped");
        stderr
            .read_to_string(&mut messages)
            .expect("messages are UTF-8");
        assert_eq!(messages, "", "{args:?}");
        assert_eq!(
            child.wait().expect("the command ends").code(),
            Some(0),
            "{args:?}"
        );
    }
}

#[test]
fn every_cut_of_a_pipe_gives_the_same() {
    // Malformed bytes and characters that are divided between writes of one byte each.
    let input = b"\x93\xFA\x93\xFF\n\x96\x7B\x81";
    let whole = run_with(["convert", "-f", "shift_jis"], input).gives(1, "日\u{FFFD}\n本\u{FFFD}");
    let mut child = start(&["convert", "-f", "shift_jis"]);
    let mut stdin = child.stdin.take().expect("it is piped");
    for byte in input {
        stdin.write_all(&[*byte]).expect("the command reads");
        // Long enough that most of the bytes are read one by one.
        thread::sleep(std::time::Duration::from_millis(5));
    }
    drop(stdin);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.stdout, whole.stdout);
    assert_eq!(String::from_utf8_lossy(&output.stderr), whole.stderr);
}

#[test]
fn a_large_file_comes_back_as_it_was() {
    let folder = Folder::new();
    let text = "Съешь ещё этих мягких французских булок, да выпей чаю.\r\n".repeat(20_000);
    let (bytes, _, _) = encoding_rs::KOI8_R.encode(&text);
    let old = folder.file("old", &bytes);
    let new = folder.name("new");
    run(["convert", "-f", "koi8-r", "-o", &new, &old])
        .gives(0, b"")
        .quietly();
    assert!(folder.read("new") == text.as_bytes());
    run(["convert", "-t", "koi8-r", &new])
        .gives(0, &bytes)
        .quietly();
}

#[test]
fn a_file_that_is_cut_while_it_is_read() {
    let folder = Folder::new();
    let big = folder.file("big", "text and text\n".repeat(4 << 20));
    for flags in [
        &["-f", "koi8-r"][..],
        &["-f", "koi8-r", "-j1"],
        &["--per-line"],
    ] {
        folder.file("big", "text and text\n".repeat(4 << 20));
        let args: Vec<&str> = ["convert", &big].iter().chain(flags).copied().collect();
        let mut child = start(&args);
        let mut stdout = child.stdout.take().expect("it is piped");
        let mut first = [0; 4];
        stdout.read_exact(&mut first).expect("there is some output");
        // The pipe is full long before the command has read half of it.
        let file = std::fs::File::options().write(true).open(&big);
        file.and_then(|file| file.set_len(14 << 21))
            .expect("it is ours");
        std::io::copy(&mut stdout, &mut std::io::sink()).expect("it can be read");
        let output = child.wait_with_output().expect("the command ends");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(
            messages.contains("big: it was cut while it was read: of 58720256 bytes"),
            "{flags:?}: {messages}"
        );
        assert_eq!(output.status.code(), Some(2));
    }
}

/// Another program writes the file anew: what was read is neither the old text nor the new one.
#[test]
fn a_file_that_is_rewritten_while_it_is_read() {
    let folder = Folder::new();
    let text = "text and text\n".repeat(1 << 20);
    let rewritten = text.to_uppercase();
    let said = "big: it was changed while it was read";
    for flags in [&["-f", "koi8-r"][..], &[], &["--per-line"]] {
        let big = folder.file("big", &text);
        for from_stdin in [false, true] {
            let name = if from_stdin { "-" } else { &big };
            let args: Vec<&str> = ["convert", name].iter().chain(flags).copied().collect();
            let mut command = simdtext(&args);
            if from_stdin {
                command.stdin(std::fs::File::open(&big).expect("it is there"));
            }
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("the command starts");
            let mut stdout = child.stdout.take().expect("it is piped");
            let mut first = [0; 4];
            stdout.read_exact(&mut first).expect("there is some output");
            // The pipe is full long before the command has read half of it.
            folder.file("big", &rewritten);
            std::io::copy(&mut stdout, &mut std::io::sink()).expect("it can be read");
            let output = child.wait_with_output().expect("the command ends");
            let messages = String::from_utf8_lossy(&output.stderr);
            let said = if from_stdin {
                "<stdin>: it was changed while"
            } else {
                said
            };
            assert!(messages.contains(said), "{flags:?}: {messages}");
            assert_eq!(output.status.code(), Some(2));
        }
    }
}
