//! SIGINT, SIGTERM, SIGHUP and SIGXFSZ: files in flight are finished, and the rest is left alone.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{Folder, Ran, simdtext, skipped};

const FILES: usize = 40;
const SIZE: u64 = 16 << 20;

/// A tree of files of `size` bytes; with [`SIZE`] it takes some seconds.
fn tree(size: u64) -> Folder {
    let folder = Folder::new();
    folder.folder("t");
    for i in 0..FILES {
        // A hole takes no room, and reads as zeros.
        let file = File::create(folder.path(format!("t/{i}")));
        file.and_then(|file| file.set_len(size))
            .expect("it can be made");
    }
    folder
}

/// Starts to convert it, and waits for the first output.
fn start(folder: &Folder) -> Child {
    let out = folder.name("out");
    let args = [
        "convert",
        "-f",
        "utf-8",
        "-t",
        "utf-16le",
        "--no-fsync",
        "--binary=convert",
        "-j1",
        "--json",
        "--out-dir",
    ];
    let child = simdtext(args.into_iter().chain([&*out, &folder.name("t")]))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let begun = Instant::now();
    while !is_begun(&folder.path("out")) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "nothing is written"
        );
        thread::sleep(Duration::from_millis(1));
    }
    child
}

/// Whether a file in the folder is finished.
fn is_begun(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries
        .filter_map(Result::ok)
        .any(|entry| !entry.file_name().to_string_lossy().starts_with('.'))
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status();
    assert!(sent.expect("kill starts").success());
}

/// The signals that end a run: name, number and exit status. Those that this process ignores are not among them,
/// because the command does so, too.
fn signals() -> Vec<(&'static str, i32, i32)> {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let mut signals = vec![("INT", 2, 130), ("TERM", 15, 143), ("HUP", 1, 129)];
    signals.retain(|(_, number, _)| ignored.is_none_or(|mask| mask >> (number - 1) & 1 == 0));
    signals
}

#[test]
fn files_in_flight_are_finished() {
    for (name, number, status) in signals() {
        let folder = tree(SIZE);
        let child = start(&folder);
        signal(&child, name);
        let ran = Ran::from(child.wait_with_output().expect("the command ends")).ends(status);
        assert!(ran.stderr.contains("converted"), "{}", ran.stderr);
        let line = format!("stopped by signal {number}");
        assert!(ran.stderr.contains(&line), "{}", ran.stderr);
        let json = String::from_utf8(ran.stdout).expect("JSON is UTF-8");
        let summary = json.lines().last().expect("there is a summary");
        assert!(
            summary.contains(&format!("\"signal\":{number}")),
            "{summary}"
        );
        let written = folder.tree("out");
        assert!(
            !written.is_empty() && written.len() < FILES,
            "{}",
            written.len()
        );
        for (path, contents) in written {
            assert_eq!(contents.len() as u64, 2 * SIZE, "{path:?}");
        }
    }
}

#[test]
fn a_second_signal_gives_up_what_is_in_flight() {
    let folder = Folder::new();
    folder.folder("t");
    let file = File::create(folder.path("t/large"));
    file.and_then(|file| file.set_len(2 << 30))
        .expect("it can be made");
    let out = folder.name("out");
    let args = [
        "convert",
        "-f",
        "utf-8",
        "-t",
        "utf-16le",
        "--no-fsync",
        "--out-dir",
    ];
    let child = simdtext(args.into_iter().chain([&*out, &folder.name("t")]))
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let begun = Instant::now();
    while !folder.path("out").exists() || folder.tree_is_empty("out") {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "nothing is written"
        );
        thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "TERM");
    // Signals of one kind that arrive together count as one.
    thread::sleep(Duration::from_millis(50));
    signal(&child, "TERM");
    let ran = Ran::from(child.wait_with_output().expect("the command ends")).ends(143);
    assert!(
        ran.stderr.contains("abandoned at the second signal"),
        "{}",
        ran.stderr
    );
    assert!(folder.tree_is_empty("out"));
}

#[test]
fn a_signal_leaves_no_temporary_file_of_one_output() {
    for (name, number, status) in signals() {
        let folder = Folder::new();
        folder.file("out", "before");
        let mut child = simdtext(["convert", "-f", "koi8-r", "-o", &folder.name("out")])
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command starts");
        let begun = Instant::now();
        while folder.names().len() < 2 {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "nothing is written"
            );
            thread::sleep(Duration::from_millis(1));
        }
        // It waits for input that does not end.
        let input = child.stdin.take();
        signal(&child, name);
        let ran = Ran::from(child.wait_with_output().expect("the command ends")).ends(status);
        drop(input);
        let line = format!("stopped by signal {number}; ");
        assert!(ran.stderr.contains(&line), "{}", ran.stderr);
        assert!(ran.stderr.contains("is as it was"), "{}", ran.stderr);
        assert_eq!(folder.names(), ["out"]);
        assert_eq!(folder.read("out"), b"before");
    }
}

#[test]
fn a_signal_after_the_output_is_in_its_place_comes_too_late() {
    let folder = Folder::new();
    let input = folder.file("in", b"\xCF\xF0\xE8");
    // A signal that a call is given is delivered when the call is done. The one that follows waits, so that the
    // signal is handled meanwhile: the first fsync is that of the file, the second that of its folder.
    let early = [
        "inject=write:signal=TERM:when=1",
        "inject=fsync:delay_enter=1000000:when=1",
    ];
    let late = [
        "inject=/^rename:signal=TERM",
        "inject=fsync:delay_enter=1000000:when=2",
    ];
    for (injected, is_late) in [(early, false), (late, true)] {
        let out = folder.file("out", "before");
        let strace = |command: &str| {
            let mut strace = Command::new("strace");
            strace.args(["-f", "-o", "/dev/null"]);
            strace.args(["-e", injected[0], "-e", injected[1]]);
            strace.arg(command);
            strace
        };
        let works = strace("true").output();
        if !works.is_ok_and(|output| output.status.success()) {
            skipped("strace can't run here, which is to send the signal");
            return;
        }
        let output = strace(env!("CARGO_BIN_EXE_simdtext"))
            .args(["convert", "-f", "windows-1251", &input, "-o", &out])
            .env_remove("SIMDTEXT_ISA")
            .output();
        let mut output = output.expect("strace starts");
        // What strace says of itself is in between.
        let lines = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines = lines.split_inclusive('\n');
        let own = lines.filter(|line| !line.trim().is_empty() && !line.starts_with("strace: "));
        output.stderr = own.collect::<String>().into_bytes();
        let ran = Ran::from(output);
        if is_late {
            ran.gives(0, b"").quietly();
            assert_eq!(folder.read("out"), "При".as_bytes());
        } else {
            let ran = ran
                .ends(143)
                .says(["stopped by signal 15; ", "out is as it was"]);
            assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
            assert_eq!(folder.read("out"), b"before");
        }
        assert_eq!(folder.names(), ["in", "out"]);
    }
}

/// SIGHUP is ignored under `nohup`, and SIGINT in what a script runs in the background.
#[test]
fn signals_that_were_ignored_from_the_start_stay_ignored() {
    // All of it is converted, so it may be shorter.
    let folder = tree(SIZE / 4);
    let out = folder.name("out");
    let child = Command::new("sh")
        .args(["-c", "trap '' HUP INT TERM; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_simdtext"))
        .args(["convert", "-f", "utf-8", "-t", "utf-16le", "--no-fsync"])
        .arg("--binary=convert")
        .args(["--out-dir", &out, &folder.name("t")])
        .stderr(Stdio::piped())
        .spawn()
        .expect("sh starts");
    let begun = Instant::now();
    while !is_begun(&folder.path("out")) {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "nothing is written"
        );
        thread::sleep(Duration::from_millis(1));
    }
    for name in ["HUP", "INT", "TERM"] {
        signal(&child, name);
    }
    let ran = Ran::from(child.wait_with_output().expect("the command ends"));
    ran.ends(0).says(["40 files: 40 converted"]);
}

/// Runs with a limit of `blocks` of 512 bytes for each file, with the signal for it not ignored.
fn with_limit(blocks: u64, args: &[&str]) -> Ran {
    let output = Command::new("sh")
        .args(["-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"])
        .arg(env!("CARGO_BIN_EXE_simdtext"))
        .args(args)
        .env_remove("SIMDTEXT_ISA")
        .output();
    output.expect("sh starts").into()
}

#[test]
fn a_file_that_may_not_grow_ends_the_run_in_order() {
    let folder = Folder::new();
    folder.folder("t");
    let before = b"\xCD".repeat(100_000);
    let large = folder.file("t/large", &before);
    let args = ["convert", "-f", "koi8-r", "--in-place", &folder.name("t")];
    with_limit(16, &args).gives(153, b"").says([
        "large: cannot be replaced: File too large; it is unchanged",
        "stopped by signal 25",
    ]);
    assert_eq!(folder.tree("t").len(), 1);
    assert_eq!(folder.read("t/large"), before);
    let out = folder.file("out", "before");
    let args = ["convert", "-f", "koi8-r", "-o", &out, &large];
    with_limit(16, &args)
        .gives(153, b"")
        .says(["File too large; what was there before is unchanged"]);
    assert_eq!(folder.names(), ["out", "t"]);
    assert_eq!(folder.read("out"), b"before");
}
