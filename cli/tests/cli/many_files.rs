//! Memory stays the same, however many files there are and however large they are.
//!
//! SIMDTEXT_FILES in the environment sets the number of files, and SIMDTEXT_MIB the size of the large ones.

use std::fs::{self, File};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use crate::harness::{Folder, simdtext};

/// Runs a command, and returns the largest resident memory that was observed, in KiB.
fn peak_kib(mut child: Child) -> u64 {
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        if let Some(ended) = child.try_wait().expect("it can be asked") {
            assert!(ended.success());
            return peak;
        }
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        if let Some(line) = line {
            let words = line.trim().trim_end_matches(" kB");
            peak = peak.max(words.parse().expect("it is a number"));
        }
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn many_tiny_files() {
    const LIMIT_KIB: u64 = 64 * 1024;
    let given = std::env::var("SIMDTEXT_FILES").ok();
    let files: usize = given.map_or(20_000, |number| {
        number.parse().expect("SIMDTEXT_FILES is a number")
    });
    let folder = Folder::in_memory();
    for i in 0..files {
        if i % 1000 == 0 {
            folder.folder(&format!("t/{}", i / 1000));
        }
        let contents: &[u8] = if i % 2 == 0 { b"" } else { b"\xCD" };
        folder.file(&format!("t/{}/{i}", i / 1000), contents);
    }
    let (top, out, state) = (folder.name("t"), folder.name("out"), folder.name("state"));
    let started = |args: &[&str]| {
        let child = simdtext(["convert", "-q", "-j2", "--no-fsync", "-f", "koi8-r"])
            .args(args)
            .stdout(Stdio::null())
            .spawn();
        peak_kib(child.expect("the command starts"))
    };
    for args in [
        &["--out-dir", &out, &top][..],
        // With a first walk that looks for collisions.
        &["--out-dir", &out, "--resume", &state, &top],
        &[
            "-t",
            "windows-1251",
            "--in-place",
            "--resume",
            &format!("{state}2"),
            &top,
        ],
        &[
            "-t",
            "windows-1251",
            "--in-place",
            "--resume",
            &format!("{state}2"),
            &top,
        ],
    ] {
        let peak = started(args);
        eprintln!("{files} files, {args:?}: {peak} KiB");
        assert!(peak > 0 && peak < LIMIT_KIB, "{args:?}: {peak} KiB");
    }
}

/// Little is remembered of each file: for a hundred thousand files it is less than a hash table of their
/// numbers would take.
#[test]
#[cfg(target_os = "linux")]
fn memory_hardly_grows_with_the_number_of_files() {
    const FOLDERS: usize = 100;
    let folder = Folder::in_memory();
    for i in 0..FOLDERS {
        folder.folder(&format!("t/{i}"));
        for j in 0..1000 {
            folder.file(&format!("t/{i}/{j}"), b"");
        }
    }
    let peak = |tree: &str, args: &[&str]| {
        let child = simdtext(["convert", "-q", "-j2", "--no-fsync", "-f", "koi8-r"])
            .args(args)
            .arg(folder.path(tree))
            .stdout(Stdio::null())
            .spawn();
        peak_kib(child.expect("the command starts"))
    };
    let mut peaks = [[0; 2]; 2];
    for (number, tree) in ["t/0", "t"].into_iter().enumerate() {
        peaks[0][number] = peak(tree, &["--out-dir", &folder.name(&format!("out{number}"))]);
        peaks[1][number] = peak(tree, &["--in-place", "-t", "windows-1251"]);
    }
    for [one, all] in peaks {
        assert!(
            one > 0 && all < one + 1024,
            "{one} KiB for one folder, {all} KiB for {FOLDERS}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn large_files() {
    const LIMIT_KIB: u64 = 64 * 1024;
    let given = std::env::var("SIMDTEXT_MIB").ok();
    let mib: u64 = given.map_or(96, |number| {
        number.parse().expect("SIMDTEXT_MIB is a number")
    });
    let folder = Folder::new();
    folder.folder("t");
    for name in ["t/one", "t/two"] {
        // A hole takes no room, and reads as zeros.
        let file = File::create(folder.path(name));
        file.and_then(|file| file.set_len(mib << 20))
            .expect("it can be made");
    }
    for (to, place) in [
        ("utf-16le", &["--out-dir", &*folder.name("out")][..]),
        ("gbk", &["--in-place"]),
    ] {
        let child = simdtext([
            "convert",
            "-q",
            "-j2",
            "--no-fsync",
            // Zeros are not text.
            "--binary=convert",
            "-f",
            "utf-8",
            "-t",
            to,
            &folder.name("t"),
        ])
        .args(place)
        .spawn();
        let peak = peak_kib(child.expect("the command starts"));
        eprintln!("{mib} MiB to {to}: {peak} KiB");
        assert!(peak > 0 && peak < LIMIT_KIB, "{to}: {peak} KiB");
    }
}
