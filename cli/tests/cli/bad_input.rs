//! Inputs that can't be read, and closed standard streams.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::harness::{Folder, Ran, feed, run, simdtext};

#[test]
fn missing() {
    let folder = Folder::new();
    let missing = folder.name("missing");
    let good = folder.file("good", "good");
    run(["convert", &missing])
        .gives(2, b"")
        .says([&format!("cannot read {missing}: No such file or directory")]);
    // It does not stop the others, and its exit status is the worst.
    let bad = folder.file("bad", b"\xFF");
    run(["convert", "-f", "utf-8", &bad, &missing, &good]).gives(2, "\u{FFFD}good");
    run(["check", &bad, &missing, &good]).ends(2);
}

#[test]
fn a_directory() {
    let folder = Folder::new();
    let directory = folder.name("");
    let good = folder.file("good", "good");
    run(["convert", &directory, &good])
        .gives(2, "good")
        .says(["it is a directory"]);
    let open = || File::open(&directory).expect("a directory opens for reading");
    for command in ["convert", "check"] {
        let output = simdtext([command]).stdin(open()).output();
        Ran::from(output.expect("it ends"))
            .ends(2)
            .says(["cannot read <stdin>", "directory"]);
    }
}

#[test]
fn below_a_file() {
    let folder = Folder::new();
    let good = folder.file("good", "good");
    run(["convert", &format!("{good}/below")])
        .gives(2, b"")
        .says(["Not a directory"]);
}

#[test]
fn no_right_to_read() {
    let folder = Folder::new();
    let secret = folder.file("secret", "secret");
    fs::set_permissions(&secret, Permissions::from_mode(0o000)).expect("it is ours");
    let ran = run(["convert", &secret]);
    // Root can read it all the same.
    if File::open(&secret).is_ok() {
        ran.gives(0, "secret").quietly();
    } else {
        ran.gives(2, b"").says(["secret: Permission denied"]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn reading_that_fails() {
    // The first page of a process is never mapped, so this can be opened but not read, even by root.
    let folder = Folder::new();
    let good = folder.file("good", "good");
    let target = folder.file("target", "old");
    run(["convert", "/proc/self/mem", &good])
        .gives(2, "good")
        .says(["cannot read /proc/self/mem: Input/output error"]);
    run(["check", "/proc/self/mem", &good])
        .ends(2)
        .says(["Input/output error", "1 could not be read"]);
    run(["convert", "-o", &target, "/proc/self/mem"])
        .ends(2)
        .says(["nothing was written"]);
    assert_eq!(folder.read("target"), b"old");
}

#[test]
fn control_characters_in_names_are_shown() {
    let folder = Folder::new();
    let name = folder.name("a\u{1B}[31mb\nc");
    let ran = run(["convert", &name])
        .gives(2, b"")
        .says(["a\\u{1b}[31mb\\nc"]);
    assert_eq!(ran.stderr.lines().count(), 1);
}

/// Runs a line of shell, in which "$0" is the command and "$1" a file.
fn shell(line: &str, file: &str) -> Ran {
    let output = Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_simdtext"), file])
        .env_remove("SIMDTEXT_ISA")
        .output();
    output.expect("sh starts").into()
}

#[test]
fn streams_that_are_closed() {
    let folder = Folder::new();
    let good = folder.file("good", "good");
    let bad = folder.file("bad", b"a\xFF");
    // A Rust program gets /dev/null for standard streams that are closed, so that no other file takes their
    // place. `closed.rs` has those that are used.
    shell(
        "exec \"$0\" convert -o \"$1.out\" \"$1\" <&- >&- 2>&-",
        &good,
    )
    .gives(0, b"");
    assert_eq!(folder.read("good.out"), b"good");
    // If messages can't be written, that decides neither failure nor success.
    shell("exec \"$0\" convert -f utf-8 \"$1\" 2>&-", &bad).gives(1, "a\u{FFFD}");
    if cfg!(target_os = "linux") {
        shell("exec \"$0\" convert -f utf-8 \"$1\" 2>/dev/full", &bad).gives(1, "a\u{FFFD}");
        shell("exec \"$0\" convert --no-such-flag 2>/dev/full", &bad).gives(2, b"");
    }
}

#[test]
fn a_wrong_isa_is_warned_of_and_changes_nothing() {
    let folder = Folder::new();
    let good = folder.file("good", "good");
    for (isa, warned) in [
        ("none", false),
        ("scalar", false),
        ("sse4", false),
        ("avx2", false),
        ("AVX9", true),
        ("sse\u{7}4", true),
    ] {
        let mut command = simdtext(["convert", &good]);
        command.env("SIMDTEXT_ISA", isa);
        let ran = Ran::from(command.output().expect("it ends")).gives(0, "good");
        assert_eq!(
            ran.stderr.contains("none, scalar, sse4, avx2"),
            warned,
            "{isa}: {}",
            ran.stderr
        );
        assert!(!ran.stderr.contains('\u{7}'));
    }
}

#[test]
fn there_is_no_room_for_temporary_files() {
    let folder = Folder::new();
    let (nowhere, out) = (folder.name("nowhere"), folder.name("out"));
    let (long, input) = ("a".repeat(9 << 20), &b"\xCD"[..]);
    for (args, input, what) in [
        (&["-f", "auto:koi8-r"][..], input, "cannot read <stdin>: "),
        (
            &["--per-line", "-f", "koi8-r"],
            long.as_bytes(),
            "cannot read <stdin>: ",
        ),
        (
            &["--out-dir", &out, "--files-from=-"],
            input,
            "cannot read -: ",
        ),
    ] {
        let mut command = simdtext(["convert"].iter().chain(args));
        command.env("TMPDIR", &nowhere);
        feed(command, input).ends(2).says([&format!(
            "{what}a temporary file for it can't be made in {nowhere}: No such file or directory; TMPDIR"
        )]);
    }
}
