//! Names that are not text, and things in a tree that are not files.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

use crate::harness::{Folder, run};

const KOI8: &[u8] = b"\xCD\xC9\xD2";
const UTF8: &[u8] = "мир".as_bytes();

/// A name of the maximum length, with all bytes that names may contain.
fn names() -> Vec<Vec<u8>> {
    let mut long = b"long".repeat(64);
    long.truncate(255);
    let all: Vec<u8> = (1..=255).filter(|byte| *byte != b'/').collect();
    vec![
        long,
        all,
        b"a\nb".to_vec(),
        b" ".to_vec(),
        b"-n".to_vec(),
        b"%41 . x".to_vec(),
        b"caf\xE9".to_vec(),
        b"\\".to_vec(),
    ]
}

#[test]
#[cfg(target_os = "linux")]
fn names_are_bytes() {
    let folder = Folder::new();
    folder.folder("t");
    for name in names() {
        let path = folder.path("t").join(OsStr::from_bytes(&name));
        fs::write(path, KOI8).expect("Linux takes any name");
    }
    let (tree, out, state) = (folder.name("t"), folder.name("out"), folder.name("state"));
    let before = folder.tree("t");
    let ran = run([
        "convert",
        "-f",
        "koi8-r",
        "--json",
        "--out-dir",
        &out,
        &tree,
    ])
    .ends(0);
    // Each is one line of JSON, whatever the name contains.
    let lines = String::from_utf8(ran.stdout).expect("JSON is UTF-8");
    let hexadecimal = "63 61 66 E9";
    assert!(lines.contains(hexadecimal), "{lines}");
    assert_eq!(lines.lines().count(), names().len() + 1);
    let mirrored = folder.tree("out");
    assert!(mirrored.keys().eq(before.keys()));
    assert!(mirrored.values().all(|contents| contents == UTF8));
    // In place; and the journal recognises them again.
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
    run(args).gives(0, b"").says(["8 converted"]);
    run(args).gives(0, b"").says(["8 finished earlier"]);
    assert!(folder.tree("t").keys().eq(before.keys()));
}

#[test]
fn a_backup_whose_name_is_too_long_is_no_loss() {
    let folder = Folder::new();
    let name = "x".repeat(255);
    let file = folder.file(&name, KOI8);
    let args = ["-f", "koi8-r", "--in-place", "--backup", "~", &file];
    run(["convert", "--dry-run"].iter().chain(&args))
        .ends(2)
        .says(["can't be made: File name too long; left alone"]);
    run(["convert"].iter().chain(&args))
        .gives(2, b"")
        .says(["can't be made: File name too long; left alone"]);
    assert_eq!(folder.read(&name), KOI8);
    assert_eq!(folder.names(), [name]);
}

#[test]
fn messages_do_not_steer_the_terminal() {
    let folder = Folder::new();
    let file = folder.file("a\u{1b}[2Jb\nc", b"\xFF");
    let ran = run(["convert", "--in-place", "-v", &file]).ends(1);
    assert!(!ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
    assert!(ran.stderr.contains(r"a\u{1b}[2Jb\nc"), "{}", ran.stderr);
}

#[test]
fn links_that_lead_in_circles() {
    let folder = Folder::new();
    folder.folder("t/deep");
    folder.file("t/a", KOI8);
    symlink("..", folder.path("t/deep/up")).expect("a link can be made");
    symlink("itself", folder.path("t/itself")).expect("a link can be made");
    let tree = folder.name("t");
    run([
        "convert",
        "-f",
        "koi8-r",
        "--out-dir",
        &folder.name("one"),
        &tree,
    ])
    .gives(0, b"")
    .says(["1 file: 1 converted"]);
    run([
        "convert",
        "-f",
        "koi8-r",
        "-L",
        "--out-dir",
        &folder.name("two"),
        &tree,
    ])
    .gives(2, b"")
    .says([
        "deep/up: it is a link to the folder",
        "itself: cannot be read: Too many levels of symbolic links",
        "3 files: 1 converted, 1 skipped, 1 failed",
    ]);
    assert_eq!(folder.tree("two").len(), 1);
}

#[test]
fn pipes_sockets_and_devices_are_not_opened() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a", KOI8);
    let made = Command::new("mkfifo").arg(folder.path("t/pipe")).status();
    assert!(made.expect("mkfifo starts").success());
    let _socket = UnixListener::bind(folder.path("t/socket")).expect("a socket can be made");
    // Only root can make devices; if this is not root, a device that exists serves.
    let node = folder.path("t/device");
    let made = Command::new("mknod")
        .arg(&node)
        .args(["c", "1", "3"])
        .output();
    let device = made.expect("mknod starts").status.success();
    if device {
        let kind = fs::metadata(&node).expect("it is there").file_type();
        assert!(kind.is_char_device());
    }
    for place in [&["--in-place"][..], &["--out-dir", &folder.name("out")]] {
        let args = ["convert", "-f", "koi8-r", &*folder.name("t")];
        let ran = run(args.iter().chain(place)).gives(1, b"").says([
            "t/pipe: it is a named pipe; skipped",
            "t/socket: it is a socket; skipped",
        ]);
        assert_eq!(
            ran.stderr.contains("t/device: it is a device; skipped"),
            device
        );
        for name in ["pipe", "socket"] {
            let named = folder.name(&format!("t/{name}"));
            let args = ["convert", "-f", "koi8-r", &named];
            let ran = run(args.iter().chain(place)).gives(2, b"");
            let why = ["is not a regular file", "cannot be read: it is a"];
            assert!(
                why.iter().any(|why| ran.stderr.contains(why)),
                "{}",
                ran.stderr
            );
        }
    }
    assert_eq!(folder.read("t/a"), UTF8);
    assert_eq!(folder.read("out/a"), UTF8);
}

/// What would say which files to leave out, and can't be read: nothing there is converted, and nothing waits.
#[test]
fn ignore_files_that_cannot_be_read() {
    for name in [".ignore", ".gitignore", ".git/info/exclude"] {
        let folder = Folder::new();
        for name in ["t/deep/.git/info", "t/deep/below", "t/other"] {
            folder.folder(name);
        }
        for file in ["t/a", "t/deep/a", "t/deep/below/a", "t/other/a"] {
            folder.file(file, KOI8);
        }
        let [tree, deep] = ["t", "t/deep"].map(|it| folder.name(it));
        let odd = folder.path(format!("t/deep/{name}"));
        let converts = |path: &str, why: &str, files: &str| {
            let said =
                format!("t/deep/{name}: cannot be read: {why}; nothing in its folder is read");
            let args = ["convert", "-f", "koi8-r", "--dry-run", "--in-place", path];
            let ran = run(args).ends(2).says([said.as_str(), files]);
            let would = String::from_utf8_lossy(&ran.stdout);
            for entered in ["deep/a", "deep/below/a"] {
                assert!(!would.contains(entered), "{would}");
            }
        };
        let made = Command::new("mkfifo").arg(&odd).status();
        assert!(made.expect("mkfifo starts").success());
        converts(
            &tree,
            "it is a named pipe",
            "3 files: 2 converted, 1 failed",
        );
        // A folder that is named, and one below it: the rules of the folders above count as well.
        converts(&deep, "it is a named pipe", "1 file: 1 failed");
        let below = folder.name("t/deep/below");
        converts(&below, "it is a named pipe", "1 file: 1 failed");
        let args = ["restore", "--backup=.orig", &tree];
        run(args)
            .ends(2)
            .says([format!("t/deep/{name}: it is a named pipe").as_str()]);
        let args = ["convert", "-f", "koi8-r", "-I", "--dry-run", "--in-place"];
        run(args.iter().chain(&[&*tree]))
            .ends(0)
            .says(["4 files: 4 converted"]);
        fs::remove_file(&odd).expect("it is ours");
        let sparse = fs::File::create(&odd).and_then(|file| file.set_len(5 << 30));
        sparse.expect("it can be made");
        let files = "3 files: 2 converted, 1 failed";
        converts(&tree, "it has more than 1048576 bytes", files);
        fs::remove_file(&odd).expect("it is ours");
        fs::write(&odd, "a\n").expect("it can be written");
        if shuts(&odd) {
            converts(&tree, "Permission denied", files);
        }
        fs::remove_file(&odd).expect("it is ours");
        // A folder of that name says nothing.
        fs::create_dir(&odd).expect("it can be made");
        let args = ["convert", "-f", "koi8-r", "--dry-run", "--in-place", &tree];
        run(args).ends(0).says(["4 files: 4 converted"]);
    }
}

/// Takes all rights to a file away. `false` if that does not keep this user from reading it.
fn shuts(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let shut = fs::set_permissions(path, fs::Permissions::from_mode(0o000));
    shut.expect("it is ours");
    fs::File::open(path).is_err()
}

/// Hidden files are converted if that is wished, but not what Git keeps.
#[test]
fn the_folder_of_git() {
    for limit in [&[][..], &["--max-size=1K"]] {
        let folder = Folder::new();
        for name in ["t/.git", "t/sub", "t/.hidden"] {
            folder.folder(name);
        }
        // In a worktree it is a file.
        for name in ["t/.git/config", "t/.gitignore", "t/.hidden/a", "t/sub/.git"] {
            folder.file(name, KOI8);
        }
        let args = ["convert", "-f", "koi8-r", "--in-place", "-H"];
        run(args.iter().chain(limit).chain(&[&*folder.name("t")]))
            .ends(0)
            .says(["2 files: 2 converted"]);
        assert_eq!(folder.read("t/.gitignore"), UTF8);
        assert_eq!(folder.read("t/.git/config"), KOI8);
        assert_eq!(folder.read("t/sub/.git"), KOI8);
        run(args
            .iter()
            .chain(limit)
            .chain(&["-I", &*folder.name("t/.git")]))
        .ends(0)
        .says(["1 file: 1 converted"]);
        assert_eq!(folder.read("t/.git/config"), UTF8);
    }
}

#[test]
fn many_files_in_one_folder() {
    let folder = Folder::new();
    folder.folder("t");
    for i in 0..10_000 {
        folder.file(&format!("t/{i}"), [KOI8, i.to_string().as_bytes()].concat());
    }
    let (tree, state) = (folder.name("t"), folder.name("state"));
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "-t",
        "windows-1251",
        "--in-place",
        "--no-fsync",
        "--resume",
        &state,
        &tree,
    ];
    // Replacing files in a folder that is being read may make it list them again; none is converted twice.
    run(args)
        .gives(0, b"")
        .says(["10000 files: 10000 converted"]);
    let tree = folder.tree("t");
    assert_eq!(tree.len(), 10_000);
    for (name, contents) in &tree {
        let wanted = [b"\xEC\xE8\xF0", os_bytes(name)].concat();
        assert_eq!(*contents, wanted, "{name:?}");
    }
}

fn os_bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_folder_on_another_file_system() {
    let memory = tempfile::tempdir_in("/dev/shm").expect("Linux has it");
    let folder = Folder::new();
    folder.folder("t/deep");
    folder.file("t/deep/a", KOI8);
    let out = memory.path().join("out");
    let out = out.to_str().expect("it is UTF-8");
    run([
        "convert",
        "-f",
        "koi8-r",
        "--out-dir",
        out,
        &folder.name("t"),
    ])
    .gives(0, b"");
    let written = fs::read(memory.path().join("out/deep/a"));
    assert_eq!(written.expect("it is there"), UTF8);
}
