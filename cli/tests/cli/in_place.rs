//! `convert --in-place`: what is replaced, what is left alone, and what is kept.

use std::fs::{self, File, Metadata, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
#[cfg(target_os = "linux")]
use std::process::Command;

use crate::harness::{Folder, run, simdtext};
#[cfg(target_os = "linux")]
use crate::harness::{Ran, skipped};

const KOI8: &[u8] = b"\xCD\xC9\xD2";
const UTF8: &[u8] = "мир".as_bytes();

fn metadata(folder: &Folder, name: &str) -> Metadata {
    fs::metadata(folder.path(name)).expect("it is there")
}

/// What would show that a file was touched.
fn identity(folder: &Folder, name: &str) -> (u64, i64, i64, i64, i64) {
    let it = metadata(folder, name);
    (
        it.ino(),
        it.mtime(),
        it.mtime_nsec(),
        it.ctime(),
        it.ctime_nsec(),
    )
}

#[test]
fn twice_does_no_harm() {
    let folder = Folder::new();
    folder.folder("t/deep");
    for name in ["t/a", "t/deep/b"] {
        folder.file(name, KOI8);
    }
    folder.file("t/ascii", "plain");
    let tree = folder.name("t");
    let ascii = identity(&folder, "t/ascii");
    run(["convert", "-f", "koi8-r", "--in-place", &tree])
        .gives(0, b"")
        .says(["3 files: 2 converted, 1 unchanged"]);
    let first = folder.tree("t");
    assert_eq!(folder.read("t/deep/b"), UTF8);
    let once = identity(&folder, "t/a");
    run(["convert", "-f", "koi8-r", "--in-place", &tree])
        .gives(0, b"")
        .says(["3 files: 1 unchanged, 2 UTF-8 already"]);
    assert_eq!(folder.tree("t"), first);
    assert_eq!(identity(&folder, "t/a"), once);
    assert_eq!(identity(&folder, "t/ascii"), ascii);
    run(["convert", "-f", "koi8-r", "--in-place", "--force", &tree])
        .gives(0, b"")
        .says(["3 files: 2 converted, 1 unchanged"]);
    assert_ne!(folder.tree("t"), first);
}

#[test]
fn faults_leave_a_file_as_it_is() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/malformed", b"ab\n\xFFcd");
    folder.file("t/unmappable", "ab\u{2605}");
    folder.file("t/good", "ж");
    let before = folder.tree("t");
    let tree = folder.name("t");
    run([
        "convert",
        "-f",
        "utf-8",
        "-t",
        "koi8-r",
        "--in-place",
        &tree,
    ])
    .gives(1, b"")
    .says([
        "t/malformed:2: malformed byte FF at offset 3 (UTF-8)",
        "t/malformed: left as it is",
        "t/unmappable:1: unmappable character '★' (U+2605) at offset 2",
        "3 files: 1 converted, 2 with faults",
    ]);
    let after = folder.tree("t");
    for (name, contents) in &before {
        let good = name.ends_with("good");
        assert_eq!(after[name] == *contents, !good, "{name:?}");
    }
    // Unless they are to be repaired.
    let args = [
        "convert",
        "-f",
        "utf-8",
        "-t",
        "koi8-r",
        "--in-place",
        "--invalid=skip",
        "--unmappable=ncr",
    ];
    run(args
        .into_iter()
        .chain([&*folder.name("t/malformed"), &folder.name("t/unmappable")]))
    .gives(1, b"");
    assert_eq!(folder.read("t/malformed"), b"ab\ncd");
    assert_eq!(folder.read("t/unmappable"), b"ab&#9733;");
}

/// As long as an output is the same as the file that it replaces, it is only compared with it.
#[test]
fn an_output_that_begins_like_what_it_replaces() {
    let folder = Folder::new();
    let out = folder.name("out");
    for len in [3, 64 * 1024, 200_000] {
        let same = "a".repeat(len);
        for after in ["", "b", &same] {
            let before = [same.as_bytes(), b"\xFF", after.as_bytes()].concat();
            let file = folder.file("a", &before);
            let args = ["convert", "-f", "utf-8", "--invalid=skip", &file];
            // An earlier output, of which that of now is the beginning, or begins in the same way.
            folder.folder("out");
            for earlier in [&before[..], format!("{same}{after}c").as_bytes()] {
                folder.file("out/a", earlier);
                run(args.iter().chain(&["--out-dir", &*out])).gives(1, "");
                assert!(folder.read("out/a") == format!("{same}{after}").as_bytes());
            }
            run(args.iter().chain(&["--in-place"])).gives(1, "");
            assert!(folder.read("a") == format!("{same}{after}").as_bytes());
        }
    }
}

#[test]
fn modes_owners_and_times() {
    let folder = Folder::new();
    let a = folder.file("a", KOI8);
    fs::set_permissions(&a, Permissions::from_mode(0o640)).expect("it is ours");
    // Only root can give files away.
    let root = std::os::unix::fs::chown(&a, Some(65534), Some(65534)).is_ok();
    fs::set_permissions(&a, Permissions::from_mode(0o640)).expect("it is ours");
    let before = metadata(&folder, "a");
    run(["convert", "-f", "koi8-r", "--in-place", "--preserve", &a]).gives(0, b"");
    let after = metadata(&folder, "a");
    assert_eq!(folder.read("a"), UTF8);
    assert_eq!(after.mode(), before.mode());
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
    assert_eq!(after.uid() == 65534, root);
    assert_eq!(
        (after.mtime(), after.mtime_nsec()),
        (before.mtime(), before.mtime_nsec())
    );
    assert_eq!(folder.names(), ["a"]);
}

#[test]
fn backups() {
    let folder = Folder::new();
    folder.folder("t");
    for name in ["t/a", "t/b", "t/c", "t/old.bak"] {
        folder.file(name, KOI8);
    }
    folder.file("t/b.bak", "an earlier backup");
    let more = [KOI8, b" and more"].concat();
    folder.file("t/c.bak", &more);
    let tree = folder.name("t");
    let original = identity(&folder, "t/a").0;
    let args = ["-f", "koi8-r", "--in-place", "--backup", ".bak", &tree];
    let dry = run(["convert", "--dry-run"].iter().chain(&args)).ends(2);
    assert_eq!(folder.tree("t").len(), 6);
    for ran in [dry, run(["convert"].iter().chain(&args)).gives(2, b"")] {
        ran.says([
            "t/b: its backup",
            "t/b.bak can't be made: File exists; left alone. Choose another suffix",
            "t/c.bak can't be made: File exists; left alone.",
            "1 converted, 2 failed",
        ]);
    }
    assert_eq!(folder.read("t/a"), UTF8);
    assert_eq!(folder.read("t/a.bak"), KOI8);
    assert_eq!(identity(&folder, "t/a.bak").0, original);
    assert_eq!(folder.read("t/b"), KOI8);
    assert_eq!(folder.read("t/b.bak"), b"an earlier backup");
    assert_eq!(folder.read("t/c"), KOI8);
    assert_eq!(folder.read("t/c.bak"), more);
    assert_eq!(folder.read("t/old.bak"), KOI8);
    assert_eq!(folder.tree("t").len(), 7);
}

/// No backup is left of a file that was not replaced, but for that of an earlier run.
#[test]
#[cfg(target_os = "linux")]
fn a_backup_of_what_can_not_be_replaced() {
    let renaming = ["-f", "-o", "/dev/null", "-e", "inject=/^rename:error=EIO"];
    let works = Command::new("strace").args(renaming).arg("true").output();
    if !works.is_ok_and(|output| output.status.success()) {
        skipped("strace can't run here, which is to make renaming fail");
        return;
    }
    let folder = Folder::new();
    let file = folder.file("a", KOI8);
    for left in [&["a"][..], &["a", "a.bak"]] {
        if left.contains(&"a.bak") {
            folder.file("a.bak", KOI8);
        }
        let output = Command::new("strace")
            .args(renaming)
            .arg(env!("CARGO_BIN_EXE_simdtext"))
            .args(["convert", "-f", "koi8-r", "--in-place", "--backup", ".bak"])
            .arg(&file)
            .output();
        Ran::from(output.expect("strace starts"))
            .gives(2, "")
            .says(["a: cannot be replaced: Input/output error; it is unchanged"]);
        assert_eq!(folder.names(), left);
        assert_eq!(folder.read("a"), KOI8);
    }
}

/// The files in it are converted all the same, and the report says so.
#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_can_not_be_synced() {
    let folder = Folder::new();
    for i in 0..40 {
        folder.folder(&format!("t/{i}"));
        folder.file(&format!("t/{i}/a"), KOI8);
    }
    // When there are 32 files, the folders that they are in are synced for the first time.
    let syncing = [
        "-f",
        "-o",
        "/dev/null",
        "-e",
        "inject=fsync:error=EIO:when=33",
    ];
    let works = Command::new("strace").args(syncing).arg("true").output();
    if !works.is_ok_and(|output| output.status.success()) {
        skipped("strace can't run here, which is to make syncing fail");
        return;
    }
    let output = Command::new("strace")
        .args(syncing)
        .arg(env!("CARGO_BIN_EXE_simdtext"))
        .args([
            "convert",
            "-f",
            "koi8-r",
            "--in-place",
            "-j1",
            &folder.name("t"),
        ])
        .output();
    Ran::from(output.expect("strace starts"))
        .gives(2, "")
        .says([
            "cannot fsync ",
            "Input/output error; if the power fails soon",
            "40 files: 40 converted;",
        ]);
}

#[test]
fn a_backup_that_a_killed_run_made_is_taken() {
    let folder = Folder::new();
    let a = folder.file("a", KOI8);
    fs::hard_link(&a, folder.path("a.bak")).expect("a link can be made");
    run([
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--backup",
        ".bak",
        &a,
    ])
    .gives(0, b"");
    assert_eq!(
        (folder.read("a"), folder.read("a.bak")),
        (UTF8.to_vec(), KOI8.to_vec())
    );
}

#[test]
fn hard_links_are_not_torn_apart() {
    let folder = Folder::new();
    let a = folder.file("a", KOI8);
    fs::hard_link(&a, folder.path("b")).expect("a link can be made");
    run(["convert", "-f", "koi8-r", "--in-place", &a])
        .gives(1, b"")
        .says([
            "a: it has 2 hard links; left alone",
            "--break-hard-links",
            "1 skipped",
        ]);
    assert_eq!(folder.read("a"), KOI8);
    run([
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--break-hard-links",
        &a,
    ])
    .gives(0, b"");
    assert_eq!(
        (folder.read("a"), folder.read("b")),
        (UTF8.to_vec(), KOI8.to_vec())
    );
}

#[test]
fn links_stay_links() {
    let folder = Folder::new();
    folder.folder("deep");
    folder.file("deep/real", KOI8);
    symlink("deep/real", folder.path("link")).expect("a link can be made");
    let link = folder.name("link");
    run(["convert", "-f", "koi8-r", "--in-place", &link])
        .gives(2, b"")
        .says(["link is a symbolic link", "-L"]);
    assert_eq!(folder.read("deep/real"), KOI8);
    run(["convert", "-f", "koi8-r", "--in-place", "-L", &link]).gives(0, b"");
    assert_eq!(folder.read("deep/real"), UTF8);
    let metadata = fs::symlink_metadata(folder.path("link")).expect("it is there");
    assert!(metadata.is_symlink());
    assert_eq!(folder.tree("deep").len(), 1);
}

#[test]
fn verified_or_left_alone() {
    let folder = Folder::new();
    // One character has codes by NEC and by IBM, of which only one is written.
    let twice = folder.file("twice", b"x\xFA\x4A");
    let good = folder.file("good", b"\x93\xFA\x96\x7B");
    let with_bom = folder.file("bom", b"\xFF\xFEa\0\xE9\0");
    run([
        "convert",
        "-f",
        "shift_jis",
        "--in-place",
        "--verify",
        &twice,
        &good,
        &with_bom,
    ])
    .gives(1, b"")
    .says([
        "twice: does not round-trip: the first difference is at offset 1",
        "not replaced",
        "3 files: 2 converted, 1 skipped",
    ]);
    assert_eq!(folder.read("twice"), b"x\xFA\x4A");
    assert_eq!(folder.read("good"), "日本".as_bytes());
    assert_eq!(folder.read("bom"), "aé".as_bytes());
    let out = folder.name("out");
    run([
        "convert",
        "-f",
        "shift_jis",
        "--out-dir",
        &out,
        "--verify",
        &twice,
    ])
    .gives(1, b"")
    .says(["written all the same"]);
    assert_eq!(folder.read("out/twice"), "xⅠ".as_bytes());
}

#[test]
fn the_report_of_the_run_stays_where_it_is() {
    // As UTF-16, the report would become a new file as soon as something is in it, while the run goes on.
    for (report, way, said) in [
        ("t/0/report", &["--in-place"][..], "20 files: 20 converted"),
        ("t/10/report", &["--in-place"], "20 files: 20 converted"),
        ("t/19/report", &["--in-place"], "20 files: 20 converted"),
        ("out/0/a", &["--out-dir=out"], "19 converted, 1 failed"),
    ] {
        let folder = Folder::new();
        folder.folder("out/0");
        for number in 0..20 {
            folder.folder(&format!("t/{number}"));
            folder.file(&format!("t/{number}/a"), KOI8);
        }
        let file = File::create(folder.path(report)).expect("it is ours");
        let mut command = simdtext(["convert", "-f", "koi8-r", "-t", "utf-16le", "-j1", "-v"]);
        command.args(way).arg("t").stderr(file);
        let status = command.current_dir(folder.path("")).status();
        status.expect("the command starts");
        let written = String::from_utf8(folder.read(report)).expect("it is not UTF-16");
        for said in [said, "t/0/a: ", "t/19/a: "] {
            assert!(written.contains(said), "{report}: {written}");
        }
    }
}
