//! `--output`: all or nothing, modes, links, devices.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;
use std::thread;

use crate::harness::{Folder, feed, run, run_with, simdtext};

fn mode(folder: &Folder, name: &str) -> u32 {
    let metadata = fs::metadata(folder.path(name)).expect("the file is there");
    metadata.permissions().mode() & 0o7777
}

#[test]
fn a_new_file() {
    let folder = Folder::new();
    let ours = folder.file("ours", "");
    let target = folder.name("target");
    run_with(["convert", "-f", "koi8-r", "-o", &target], b"\xD6")
        .gives(0, b"")
        .quietly();
    assert_eq!(folder.read("target"), "ж".as_bytes());
    assert_eq!(folder.names(), ["ours", "target"]);
    // With the permissions of any new file of this user.
    assert_eq!(mode(&folder, "target"), mode(&folder, "ours"), "{ours}");
}

#[test]
fn a_relative_name() {
    let folder = Folder::new();
    let mut command = simdtext(["convert", "-o", "target"]);
    command.current_dir(folder.path(""));
    feed(command, "text").gives(0, b"").quietly();
    assert_eq!(folder.read("target"), b"text");
}

#[test]
fn an_existing_file_keeps_its_mode() {
    let folder = Folder::new();
    let target = folder.file("target", "old and long");
    for bits in [0o600, 0o640, 0o755, 0o666] {
        fs::set_permissions(&target, Permissions::from_mode(bits)).expect("it is ours");
        run_with(["convert", "--output", &target], "new")
            .gives(0, b"")
            .quietly();
        assert_eq!(folder.read("target"), b"new");
        assert_eq!(mode(&folder, "target"), bits);
    }
    assert_eq!(folder.names(), ["target"]);
}

#[test]
fn faults_that_are_mended_are_written() {
    let folder = Folder::new();
    let target = folder.file("target", "old");
    run_with(["convert", "-f", "utf-8", "-o", &target], b"a\xFF").gives(1, b"");
    assert_eq!(folder.read("target"), "a\u{FFFD}".as_bytes());
}

#[test]
fn a_strict_stop_leaves_it_as_it_was() {
    let folder = Folder::new();
    let target = folder.file("target", "old");
    // More than one buffer of output before the malformed byte.
    let mut input = "é".repeat(100_000).into_bytes();
    input.push(0xFF);
    run_with(["convert", "--invalid=strict", "-o", &target], &input)
        .gives(1, b"")
        .says([
            "malformed byte FF at offset 200000",
            "target: nothing was written to it",
        ]);
    run_with(["convert", "-t", "koi8-r", "-o", &target], "a★")
        .gives(1, b"")
        .says(["nothing was written"]);
    assert_eq!(folder.read("target"), b"old");
    let absent = folder.name("absent");
    run_with(["convert", "--invalid=strict", "-o", &absent], &input).gives(1, b"");
    assert_eq!(folder.names(), ["target"]);
}

#[test]
fn an_input_that_can_not_be_read_leaves_it_as_it_was() {
    let folder = Folder::new();
    let target = folder.file("target", "old");
    let good = folder.file("good", b"good");
    let bad = folder.file("bad", b"bad\xFF");
    let missing = folder.name("missing");
    // The files after it are still read, and their errors reported.
    run([
        "convert", "-f", "utf-8", "-o", &target, &good, &missing, &bad,
    ])
    .gives(2, b"")
    .says([
        "missing",
        "bad:1: malformed byte FF at offset 3",
        "nothing was written",
    ]);
    assert_eq!(folder.read("target"), b"old");
    assert_eq!(folder.names(), ["bad", "good", "target"]);
}

#[test]
fn links_stay_links() {
    let folder = Folder::new();
    fs::create_dir(folder.path("deep")).expect("a folder can be made");
    folder.file("deep/real", "old");
    symlink("deep/real", folder.path("link")).expect("a link can be made");
    run_with(["convert", "-o", &folder.name("link")], "new")
        .gives(0, b"")
        .quietly();
    assert_eq!(folder.read("deep/real"), b"new");
    // A link whose target does not exist yet.
    symlink("deep/later", folder.path("dangling")).expect("a link can be made");
    run_with(["convert", "-o", &folder.name("dangling")], "there")
        .gives(0, b"")
        .quietly();
    assert_eq!(folder.read("deep/later"), b"there");
    for name in ["link", "dangling"] {
        let metadata = fs::symlink_metadata(folder.path(name)).expect("it is there");
        assert!(metadata.is_symlink(), "{name}");
    }
}

#[test]
fn places_that_can_not_be_written() {
    let folder = Folder::new();
    let file = folder.file("file", "old");
    for (place, words) in [
        (folder.name(""), "is a directory"),
        (folder.name("no/such/folder"), "cannot write"),
        (format!("{file}/below"), "Not a directory"),
        (String::new(), "--output"),
        (String::from(".."), "is a directory"),
    ] {
        run_with(["convert", "-o", &place], "x")
            .gives(2, b"")
            .says([words]);
    }
    assert_eq!(folder.read("file"), b"old");
    assert_eq!(folder.names(), ["file"]);
}

#[test]
fn a_file_that_is_not_ours_to_write() {
    let folder = Folder::new();
    let target = folder.file("target", "old");
    fs::set_permissions(&target, Permissions::from_mode(0o444)).expect("it is ours");
    let ran = run_with(["convert", "-o", &target], "new");
    // Root can write it all the same.
    if OpenOptions::new().write(true).open(&target).is_ok() {
        ran.gives(0, b"");
        assert_eq!(folder.read("target"), b"new");
    } else {
        ran.gives(2, b"").says(["Permission denied"]);
        assert_eq!(folder.read("target"), b"old");
    }
}

#[test]
fn dash_is_standard_output() {
    let folder = Folder::new();
    let mut command = simdtext(["convert", "-o", "-"]);
    command.current_dir(folder.path(""));
    feed(command, "text").gives(0, "text").quietly();
    assert!(folder.names().is_empty());
}

#[test]
#[cfg(target_os = "linux")]
fn devices_are_written_directly() {
    run_with(["convert", "-o", "/dev/stdout"], "text")
        .gives(0, "text")
        .quietly();
    run_with(["convert", "-o", "/dev/null"], "text")
        .gives(0, b"")
        .quietly();
    run_with(["convert", "-o", "/dev/full"], "text")
        .gives(2, b"")
        .says(["cannot write /dev/full: No space left on device"]);
}

#[test]
fn dev_stdout_of_a_redirection_appends() {
    let folder = Folder::new();
    let log = folder.file("log", "before ");
    let file = OpenOptions::new()
        .append(true)
        .open(&log)
        .expect("it is ours");
    let mut command = simdtext(["convert", "-o", "/dev/stdout"]);
    let child = command.stdin(File::open(folder.file("in", "after")).expect("it is there"));
    let status = child.stdout(file).status().expect("the command starts");
    assert_eq!(status.code(), Some(0));
    assert_eq!(folder.read("log"), b"before after");
    assert_eq!(folder.names(), ["in", "log"]);
}

#[test]
fn a_named_pipe_is_written_directly() {
    let folder = Folder::new();
    let pipe = folder.path("pipe");
    let made = Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .expect("mkfifo starts");
    assert!(made.success());
    let reader = thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut text = String::new();
            let mut file = File::open(pipe).expect("the pipe opens");
            file.read_to_string(&mut text).expect("it is UTF-8");
            text
        }
    });
    run_with(
        ["convert", "-f", "koi8-r", "-o", &folder.name("pipe")],
        b"\xD6",
    )
    .gives(0, b"")
    .quietly();
    assert_eq!(reader.join().expect("the reader ends"), "ж");
    assert_eq!(folder.names(), ["pipe"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk() {
    for stdin in [&b"short"[..], &b"long ".repeat(100_000)] {
        let full = OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .expect("Linux has it");
        let folder = Folder::new();
        let input = folder.file("in", stdin);
        let run = |args: &[&str]| {
            let mut command = simdtext(args);
            command.stdout(full.try_clone().expect("it is open"));
            crate::harness::Ran::from(command.output().expect("the command ends"))
        };
        run(&["convert", &input])
            .ends(2)
            .says(["cannot write <stdout>: No space left on device"]);
        run(&["--help"]).ends(2).says(["No space left on device"]);
        run(&["list"]).ends(2).says(["No space left on device"]);
        let bad = folder.file("bad", b"\xFF");
        run(&["check", &bad])
            .ends(2)
            .says(["No space left on device"]);
    }
}

#[test]
fn a_disk_that_fills_up_on_the_way_leaves_it_as_it_was() {
    let folder = Folder::new();
    let target = folder.file("target", "old");
    let big = folder.file("big", "text\n".repeat(100_000));
    // No file may grow beyond a few blocks; the signal is ignored, so the write fails.
    let line = "trap '' XFSZ; ulimit -f 8; exec \"$0\" convert -o \"$1\" \"$2\"";
    for place in [target.clone(), folder.name("absent")] {
        let output = Command::new("sh")
            .args(["-c", line, env!("CARGO_BIN_EXE_simdtext"), &place, &big])
            .env_remove("SIMDTEXT_ISA")
            .output();
        let ran = crate::harness::Ran::from(output.expect("sh starts"));
        ran.gives(2, b"").says([
            &format!("cannot write {place}: File too large"),
            "what was there before is unchanged",
        ]);
    }
    assert_eq!(folder.read("target"), b"old");
    assert_eq!(folder.names(), ["big", "target"]);
}

#[test]
fn a_folder_that_is_not_there() {
    let folder = Folder::new();
    for name in ["new/", "new/.", "new//"] {
        let target = folder.name(name);
        run_with(["convert", "-o", &target], "text")
            .gives(2, b"")
            .says([&format!(
                "cannot write {target}: there is no such directory; name a file"
            )]);
    }
    let (target, above) = (folder.name("new/file"), folder.name("new"));
    run_with(["convert", "-o", &target], "text")
        .gives(2, b"")
        .says([&format!(
            "cannot write {target}: there is no folder {above}: No such file or directory"
        )]);
    assert!(folder.names().is_empty());
}

#[test]
fn a_file_named_by_its_descriptor_keeps_what_it_has() {
    let folder = Folder::new();
    let input = folder.file("input", b"\xD6");
    for output in ["/dev/stderr", "/dev/fd/2", "/proc/self/fd/2"] {
        folder.file("log", "what was there before\n");
        let log = OpenOptions::new().append(true).open(folder.path("log"));
        let status = simdtext(["convert", "-f", "koi8-r", "-o", output, &input])
            .stderr(log.expect("it is ours"))
            .status();
        assert!(status.expect("the command starts").success());
        assert_eq!(
            folder.read("log"),
            "what was there before\nж".as_bytes(),
            "{output}"
        );
    }
}

#[test]
fn a_file_below_proc_that_is_no_descriptor_is_replaced() {
    let folder = Folder::new();
    folder.file("target", "old and long");
    let mut command = simdtext(["convert", "-o", "/proc/self/cwd/target"]);
    command.current_dir(folder.path(""));
    feed(command, "new").gives(0, b"").quietly();
    assert_eq!(folder.read("target"), b"new");
}
