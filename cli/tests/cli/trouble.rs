//! Full disks, files that can't be read, and files that change while they are read.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{Folder, Ran, copy_for_others, feed, run, simdtext, skipped};

const KOI8: &[u8] = b"\xCD\xC9\xD2";

/// No file may grow beyond a few blocks; the signal is ignored, so that writing fails.
fn with_little_room(args: &[&str]) -> Ran {
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_simdtext"))
        .args(args)
        .env_remove("SIMDTEXT_ISA")
        .output();
    output.expect("sh starts").into()
}

#[test]
fn a_disk_that_is_full_loses_nothing() {
    let folder = Folder::new();
    folder.folder("t");
    for i in 0..20 {
        let size = if i % 2 == 0 { 3 } else { 60_000 };
        folder.file(&format!("t/{i}"), KOI8.repeat(size));
    }
    let before = folder.tree("t");
    let tree = folder.name("t");
    let args = ["convert", "-f", "koi8-r", "--in-place", &tree];
    with_little_room(&args).gives(2, b"").says([
        "t/1: cannot be replaced: File too large; it is unchanged",
        "10 converted, 10 failed",
    ]);
    for (name, contents) in folder.tree("t") {
        if before[&name].len() > 10_000 {
            assert_eq!(contents, before[&name]);
        } else {
            assert_eq!(contents, "мир".repeat(3).as_bytes());
        }
    }
    let out = folder.name("out");
    with_little_room(&["convert", "-f", "koi8-r", "--out-dir", &out, &tree])
        .gives(2, b"")
        .says(["its output", "cannot be written: File too large"]);
    assert_eq!(folder.tree("out").len(), 10);
    // Once there is room, the rest is converted.
    run(args)
        .gives(0, b"")
        .says(["10 converted, 10 UTF-8 already"]);
}

#[test]
fn a_journal_that_can_not_be_written_stops_the_replacing() {
    let folder = Folder::new();
    folder.folder("t");
    for i in 0..300 {
        folder.file(&format!("t/{i}"), KOI8);
    }
    let (tree, state) = (folder.name("t"), folder.name("state"));
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "-t",
        "windows-1251",
        "--in-place",
        "--resume",
        &state,
        &tree,
    ];
    with_little_room(&args)
        .gives(2, b"")
        .says(["the journal can't be written: File too large; left alone"]);
    run(args).gives(0, b"").says(["finished earlier"]);
    let tree = folder.tree("t");
    assert!(
        tree.values().all(|contents| contents == b"\xEC\xE8\xF0"),
        "each was converted once"
    );
}

/// A file system of a few blocks, if this user may mount one. If not, the test above has to do.
#[test]
#[cfg(target_os = "linux")]
fn a_small_file_system_that_fills_up() {
    let folder = Folder::new();
    let small = folder.folder("small");
    let script = "mount -t tmpfs -o size=256k none \"$1\" || exit 77
        for i in 1 2 3 4; do printf '\\315\\311\\322%.0s' $(seq 10000) > \"$1/$i\"; done
        \"$0\" convert -f koi8-r --in-place \"$1\"; echo \"status $?\"
        ls -A \"$1\" | wc -l
        for i in 1 2 3 4; do wc -c < \"$1/$i\"; done";
    let output = Command::new("unshare")
        .args([
            "-rm",
            "sh",
            "-c",
            script,
            env!("CARGO_BIN_EXE_simdtext"),
            &small,
        ])
        .output();
    let ran = match output {
        Ok(output) if output.status.code() == Some(0) => Ran::from(output),
        other => {
            skipped(&format!("no file system can be mounted here: {other:?}"));
            return;
        }
    };
    let text = String::from_utf8(ran.stdout.clone()).expect("it is ASCII");
    let numbers: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(numbers[..3], ["status", "2", "4"], "{text}");
    assert!(
        numbers[3..]
            .iter()
            .all(|size| ["30000", "60000"].contains(size)),
        "{text}"
    );
    assert!(numbers[3..].contains(&"30000"), "{text}");
    assert!(
        ran.stderr
            .contains("No space left on device; it is unchanged"),
        "{}",
        ran.stderr
    );
}

#[test]
#[cfg(target_os = "linux")]
fn errors_while_reading() {
    let folder = Folder::new();
    let good = folder.file("good", KOI8);
    let out = folder.name("out");
    // A regular file whose first byte can't be read.
    run([
        "convert",
        "-f",
        "koi8-r",
        "--out-dir",
        &out,
        "/proc/self/mem",
        &good,
    ])
    .gives(2, b"")
    .says([
        "/proc/self/mem: cannot be read: Input/output error",
        "1 converted, 1 failed",
    ]);
    assert_eq!(folder.tree("out").len(), 1);
    // One that has more than its size says.
    run(["convert", "--out-dir", &out, "/proc/version"])
        .gives(1, b"")
        .says(["bytes could be read, but its size is 0; skipped, and nothing was written"]);
    assert_eq!(folder.tree("out").len(), 1);
}

/// Runs as a user who owns nothing if this is root, who may read and write everything.
fn as_nobody(args: &[&str], folder: &Folder) -> Ran {
    let mut command = Command::new(copy_for_others(folder));
    command.args(args).env_remove("SIMDTEXT_ISA");
    let owner =
        std::os::unix::fs::MetadataExt::uid(&fs::metadata(folder.path("")).expect("it is there"));
    if owner == 0 {
        command.uid(65534).gid(65534);
    }
    feed(command, "")
}

#[test]
fn what_is_not_ours_to_read_or_write() {
    let folder = Folder::new();
    folder.folder("t/closed");
    folder.folder("t/fixed");
    for name in ["t/a", "t/secret", "t/closed/b", "t/fixed/c", "t/read-only"] {
        folder.file(name, KOI8);
    }
    let set = |name: &str, mode| {
        fs::set_permissions(folder.path(name), Permissions::from_mode(mode)).expect("it is ours");
    };
    set("", 0o777);
    set("t", 0o777);
    set("t/a", 0o666);
    set("t/fixed/c", 0o666);
    set("t/secret", 0o000);
    set("t/read-only", 0o444);
    set("t/closed", 0o000);
    set("t/fixed", 0o555);
    let args = ["convert", "-f", "koi8-r", "--in-place", &folder.name("t")];
    let dry = as_nobody(&[&args[..], &["--dry-run"]].concat(), &folder);
    let ran = as_nobody(&args, &folder);
    set("t/closed", 0o755);
    set("t/fixed", 0o755);
    for ran in [dry.ends(2), ran.gives(2, b"")] {
        ran.says([
            "t/secret: cannot be read: Permission denied",
            "t/closed: cannot be read: Permission denied",
            "t/fixed/c: cannot be replaced: its folder may not be changed: Permission denied; it is unchanged",
            "t/read-only: cannot be replaced: Permission denied; it is unchanged",
            "1 converted, 4 failed",
        ]);
    }
    set("t/secret", 0o644);
    for name in ["t/secret", "t/closed/b", "t/fixed/c", "t/read-only"] {
        assert_eq!(folder.read(name), KOI8, "{name}");
    }
    assert_eq!(folder.tree("t").len(), 5);
}

#[test]
fn a_dry_run_says_where_nothing_can_be_written() {
    let folder = Folder::new();
    folder.folder("t/deep");
    folder.folder("fixed");
    folder.folder("out");
    folder.file("t/deep/a", KOI8);
    let set = |name: &str, mode| {
        fs::set_permissions(folder.path(name), Permissions::from_mode(mode)).expect("it is ours");
    };
    set("", 0o777);
    set("fixed", 0o555);
    set("out", 0o555);
    let tree = folder.name("t");
    for out in ["fixed/out", "fixed/out/further", "out"] {
        let out = folder.name(out);
        let args = ["convert", "-f", "koi8-r", "--out-dir", &out, &tree];
        as_nobody(&args, &folder)
            .ends(2)
            .says(["Permission denied"]);
        as_nobody(&[&args[..], &["--dry-run"]].concat(), &folder)
            .ends(2)
            .says(["cannot be written: Permission denied", "1 failed"]);
    }
    // Backups that can't be renamed.
    let args = ["convert", "-f", "koi8-r", "--in-place", "--backup=.orig"];
    run(args.iter().chain(&[&*tree])).ends(0);
    set("t/deep", 0o555);
    let args = ["restore", "--backup=.orig", &*tree];
    for dry in [&["--dry-run"][..], &[]] {
        as_nobody(&[&args[..], dry].concat(), &folder)
            .gives(2, b"")
            .says(["a: cannot be restored: Permission denied", "1 failed"]);
    }
    set("t/deep", 0o755);
    for name in ["fixed", "out"] {
        set(name, 0o755);
    }
}

#[test]
fn a_dry_run_knows_names_that_will_be_too_long() {
    let folder = Folder::new();
    let long = format!("t/{}", "x".repeat(253));
    folder.folder("t");
    folder.file(&long, KOI8);
    let args = ["convert", "-f", "koi8-r", "--compress=gzip", "--out-dir"];
    for out in ["new/deep", "new"] {
        let (out, tree) = (folder.name(out), folder.name("t"));
        let args = args.into_iter().chain([&*out, &*tree]);
        for dry in [&["--dry-run"][..], &[]] {
            run(args.clone().chain(dry.iter().copied()))
                .ends(2)
                .says(["cannot be written: File name too long", "1 failed"]);
        }
    }
}

/// The length of the file that is being written in a folder, beside its place.
fn growing(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let sizes = entries.flatten().filter_map(|entry| {
        let is_large = entry.file_name() == "large";
        let metadata = entry.metadata().ok();
        metadata.filter(|it| it.is_file() && !is_large)
    });
    sizes.map(|it| it.len()).max().unwrap_or(0)
}

/// Converts the large file of a folder, and changes it after a part of it has been read. The output is written in
/// the folder `out`.
fn while_reading(folder: &Folder, args: &[&str], out: &str, disturb: impl Fn(&Path)) -> Ran {
    const SIZE: u64 = 256 << 20;
    let file = folder.path("large");
    // A hole takes no room, and reads as zeros, which are not text.
    File::create(&file)
        .and_then(|file| file.set_len(SIZE))
        .expect("it can be made");
    let child = simdtext(args)
        .args(["-f", "utf-8", "-t", "utf-16le"])
        .args(["--binary=convert", "--no-fsync"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let begun = Instant::now();
    while growing(&folder.path(out)) == 0 {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "nothing is written"
        );
        thread::sleep(Duration::from_micros(200));
    }
    disturb(&file);
    Ran::from(child.wait_with_output().expect("the command ends"))
}

/// Converts a large file into another folder, and changes it after a part of it has been read.
fn disturbed(disturb: impl Fn(&Path)) -> (Ran, Folder) {
    let folder = Folder::new();
    let args = ["convert", "--out-dir", &folder.name("out")];
    let ran = while_reading(&folder, &args, "out", disturb);
    (ran, folder)
}

#[test]
fn a_file_that_is_cut_while_it_is_read() {
    let cut = |path: &Path| {
        let file = File::options().write(true).open(path);
        file.and_then(|file| file.set_len(1 << 20))
            .expect("it is ours");
    };
    let (ran, folder) = disturbed(cut);
    ran.gives(1, b"").says([
        "large: it was changed while it was read; skipped",
        "1 skipped",
    ]);
    assert!(folder.tree("out").is_empty());
}

#[test]
fn a_file_that_grows_while_it_is_read() {
    let grow = |path: &Path| {
        let file = File::options().write(true).open(path);
        file.and_then(|file| file.set_len(257 << 20))
            .expect("it is ours");
    };
    let (ran, folder) = disturbed(grow);
    ran.gives(1, b"")
        .says(["large: it was changed while it was read; skipped"]);
    assert!(folder.tree("out").is_empty());
}

#[test]
fn a_file_that_vanishes_while_it_is_read() {
    let (ran, folder) = disturbed(|path| fs::remove_file(path).expect("it is ours"));
    ran.gives(1, b"")
        .says(["large: it was removed while it was read; skipped"]);
    assert!(folder.tree("out").is_empty());
    let (ran, _folder) = disturbed(|path| {
        let other = path.with_extension("new");
        fs::write(&other, "new").expect("it is ours");
        fs::rename(other, path).expect("it is ours");
    });
    ran.gives(1, b"")
        .says(["another file took its place while it was read"]);
}

/// Writes to a file, and sets its time back.
fn write_secretly(path: &Path) {
    let file = File::options().write(true).open(path).expect("it is ours");
    let before = file.metadata().and_then(|it| it.modified());
    let times = fs::FileTimes::new().set_modified(before.expect("it has a time"));
    file.write_at(b"mine", 255 << 20)
        .and_then(|_| file.set_times(times))
        .expect("it is ours");
}

/// Otherwise a later run would take it for a file that was converted, and changed since.
#[test]
fn a_file_that_is_written_to_is_not_recorded() {
    let folder = Folder::new();
    folder.folder("journal");
    let state = folder.name("journal/state");
    let args = ["convert", "--in-place", "--resume", &state];
    let changed = "large: it was changed while it was read; skipped";
    while_reading(&folder, &args, "", write_secretly)
        .gives(1, b"")
        .says([changed]);
    folder.file("large", "new");
    let flags = [
        "-f",
        "utf-8",
        "-t",
        "utf-16le",
        "--binary=convert",
        "--no-fsync",
    ];
    let large = folder.name("large");
    run(args.iter().chain(&flags).chain(&[&*large]))
        .gives(0, b"")
        .says(["1 converted"]);
}

#[test]
fn a_file_that_is_written_to_and_has_its_time_set_back() {
    let (ran, folder) = disturbed(write_secretly);
    ran.gives(1, b"")
        .says(["large: it was changed while it was read; skipped"]);
    assert!(folder.tree("out").is_empty());
}
