//! Extreme numbers, sizes and limits: threads that are not available, and lines without an end.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{self, Command};

use crate::harness::{Folder, Ran, copy_for_others, run, skipped};

const KOI8: &[u8] = b"\xCD\xC9\xD2";

/// Runs as a user who may have at most `threads` threads. `None` if that can't be arranged here.
fn with_threads(threads: usize, folder: &Folder, args: &[&str]) -> Option<Ran> {
    let limit = format!("--nproc={threads}");
    // One who has no processes, not even those of the same test in another run.
    let nobody = format!("--reuid={}", 40_000 + process::id() % 20_000);
    let limited = |program: &Path, args: &[&str]| {
        let mut command = Command::new("setpriv");
        command.args([&*nobody, "--clear-groups", "--inh-caps=-all", "prlimit"]);
        command.arg(&limit).arg(program).args(args);
        command.env_remove("SIMDTEXT_ISA").output()
    };
    if !limited(Path::new("true"), &[]).is_ok_and(|output| output.status.success()) {
        skipped("the number of threads can't be limited here");
        return None;
    }
    let output = limited(&copy_for_others(folder), args);
    output.ok().map(Ran::from)
}

fn open_to_all(folder: &Folder, name: &str) {
    fs::set_permissions(folder.path(name), Permissions::from_mode(0o777)).expect("it is ours");
}

#[test]
fn more_threads_than_anybody_needs() {
    let folder = Folder::new();
    let (a, out) = (folder.file("a", KOI8), folder.name("out"));
    run(["convert", "-f", "koi8-r", "-j100000", "--out-dir", &out, &a])
        .gives(0, b"")
        .says(["--jobs=100000: this machine has", "1 converted"]);
    run(["detect", "-j100000", &a]).ends(0);
}

#[test]
fn no_threads_to_be_had() {
    for threads in [1, 3] {
        let folder = Folder::new();
        let tree = folder.folder("t");
        for i in 0..20 {
            let size = if i == 7 { 5 << 20 } else { 1 };
            folder.file(&format!("t/{i}"), KOI8.repeat(size));
            open_to_all(&folder, &format!("t/{i}"));
        }
        let out = folder.folder("out");
        for name in ["", "t", "out"] {
            open_to_all(&folder, name);
        }
        let args = ["convert", "-f", "koi8-r", "-j8", "--progress=always"];
        let args: Vec<&str> = args.into_iter().chain(["--out-dir", &out, &tree]).collect();
        let Some(ran) = with_threads(threads, &folder, &args) else {
            return;
        };
        ran.gives(0, b"")
            .says(["refuses to start more threads", "20 converted"]);
        for contents in folder.tree("out").values() {
            assert!(contents.chunks(6).all(|part| part == "мир".as_bytes()));
        }
        let (one, input) = (folder.name("out/one"), folder.name("t/1"));
        let args = ["convert", "-f", "koi8-r", "-o", &one, &input];
        let Some(ran) = with_threads(1, &folder, &args) else {
            return;
        };
        ran.gives(0, b"").says(["signals can't be caught"]);
        assert_eq!(folder.read("out/one"), "мир".as_bytes());
    }
}

#[test]
fn a_list_with_a_line_that_has_no_end() {
    let folder = Folder::new();
    let out = folder.name("out");
    let mut list = b"a\n".to_vec();
    list.resize(64 << 20, b'x');
    let list = folder.file("list", &list);
    // With less memory than the line has bytes.
    let output = Command::new("prlimit")
        .args(["--data=60000000", env!("CARGO_BIN_EXE_simdtext")])
        .args(["convert", "-f", "koi8-r", "-j1", "--out-dir", &out])
        .args(["--files-from", &list])
        .env_remove("SIMDTEXT_ISA")
        .output();
    let Ok(output) = output else {
        skipped("memory can't be limited here");
        return;
    };
    Ran::from(output).gives(2, b"").says([
        "cannot read the list of files: path 2 is longer than 65536 bytes",
        "with -0, a zero byte ends each path",
    ]);
    assert!(!folder.path("out").exists());
}

#[test]
fn few_files_may_be_open() {
    for (limit, threads) in [(32, 1), (48, 2), (64, 4), (100, 300)] {
        let folder = Folder::new();
        folder.folder("t/deep/deeper");
        for i in 0..60 {
            let place = ["", "deep/", "deep/deeper/"][i % 3];
            folder.file(&format!("t/{place}{i}"), KOI8);
        }
        let flags = format!("-j{}", threads * 2);
        for way in [
            &["--in-place", "--backup=.orig", "--resume=state", "--verify"][..],
            &["--force", "--glob=!*.orig", "--out-dir=out"],
        ] {
            let output = Command::new("sh")
                .args(["-c", &format!("ulimit -n {limit}; exec \"$@\"",), "sh"])
                .arg(env!("CARGO_BIN_EXE_simdtext"))
                .args(["convert", "-f", "koi8-r", &flags, "t"])
                .args(way)
                .current_dir(folder.path(""))
                .output();
            Ran::from(output.expect("sh starts"))
                .gives(0, b"")
                .says(["may be open at a time here (ulimit -n)", "60 converted"]);
        }
        assert_eq!(folder.read("t/deep/1"), "мир".as_bytes());
    }
}

#[test]
fn few_files_may_be_open_in_many_folders() {
    for (limit, threads) in [(32, "-j1"), (48, "-j2")] {
        let folder = Folder::new();
        for i in 0..50 {
            folder.folder(&format!("t/{i}"));
            folder.file(&format!("t/{i}/a"), KOI8);
        }
        for way in [&["--in-place", "--force"][..], &["--out-dir=out"]] {
            let output = Command::new("sh")
                .args(["-c", &format!("ulimit -n {limit}; exec \"$@\"",), "sh"])
                .arg(env!("CARGO_BIN_EXE_simdtext"))
                .args(["convert", "-f", "koi8-r", threads, "t"])
                .args(way)
                .current_dir(folder.path(""))
                .output();
            Ran::from(output.expect("sh starts")).gives(0, b"");
        }
        assert_eq!(folder.tree("out").len(), 50);
    }
}
