//! `--resume`: however a tree is spelled, moved and copied, nothing is converted twice; and a damaged journal
//! is refused.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Command;

use crate::harness::{Folder, Ran, copy_for_others, run, skipped};

/// "Мир, май и труд; и снова мир" and more in KOI8-R and in windows-1251.
fn text(i: usize) -> [Vec<u8>; 2] {
    let text = format!("Мир, май и труд; и снова мир {i}\n").repeat(3);
    [encoding_rs::KOI8_R, encoding_rs::WINDOWS_1251].map(|it| it.encode(&text).0.into_owned())
}

/// A folder with a tree `t` of ten files in KOI8-R.
fn tree() -> Folder {
    let folder = Folder::new();
    folder.folder("t/deep");
    for i in 0..10 {
        let place = ["t", "t/deep"][i % 2];
        folder.file(&format!("{place}/{i}"), &text(i)[0]);
    }
    folder
}

/// Checks that all of it is in windows-1251.
#[track_caller]
fn is_converted(folder: &Folder, name: &str) {
    for (path, contents) in folder.tree(name) {
        let i = path
            .file_name()
            .and_then(|name| name.to_str()?.parse().ok());
        let i = i.expect("it is a number");
        assert!(contents == text(i)[1], "{path:?} was damaged");
    }
    assert_eq!(folder.tree(name).len(), 10);
}

/// Converts in place, in the folder `inside`, with the journal `state` beside the tree.
fn convert(folder: &Folder, inside: &str, more: &[&str]) -> Ran {
    let output = Command::new(env!("CARGO_BIN_EXE_simdtext"))
        .args([
            "convert",
            "-f",
            "koi8-r",
            "-t",
            "windows-1251",
            "--in-place",
        ])
        .args(["--resume", &folder.name("state")])
        .args(more)
        .current_dir(folder.path(inside))
        .env_remove("SIMDTEXT_ISA")
        .output();
    output.expect("the command starts").into()
}

#[test]
fn a_tree_that_is_spelled_in_another_way() {
    let folder = tree();
    symlink(folder.path("t"), folder.path("link")).expect("a link can be made");
    convert(&folder, "", &["t"])
        .gives(0, b"")
        .says(["10 converted"]);
    is_converted(&folder, "t");
    for (inside, path) in [
        ("", "./t/../t"),
        ("t", "."),
        ("t/deep", "../../t"),
        ("", "link/"),
        ("link", "../t"),
        ("", &*folder.name("t")),
    ] {
        convert(&folder, inside, &[path])
            .gives(0, b"")
            .says(["10 finished earlier"]);
        is_converted(&folder, "t");
    }
    convert(&folder, "", &["-L", "link"])
        .gives(0, b"")
        .says(["10 finished earlier"]);
    let list = folder.file("list", "link/0\nlink/deep/1\nt/2\n");
    convert(&folder, "", &["-L", "--files-from", &list])
        .gives(0, b"")
        .says(["3 finished earlier"]);
    // Without -L, links on the way to a listed file are not followed.
    convert(&folder, "", &["--files-from", &list])
        .gives(1, b"")
        .says(["1 finished earlier, 2 skipped"]);
    is_converted(&folder, "t");
}

#[test]
fn a_tree_and_files_that_were_renamed() {
    let folder = tree();
    convert(&folder, "", &["t"])
        .gives(0, b"")
        .says(["10 converted"]);
    fs::rename(folder.path("t"), folder.path("u")).expect("it is ours");
    fs::rename(folder.path("u/0"), folder.path("u/deep/0")).expect("it is ours");
    convert(&folder, "", &["u"])
        .gives(0, b"")
        .says(["10 finished earlier"]);
    is_converted(&folder, "u");
    // In the renamed folder, one file was written to since.
    let mut changed = folder.read("u/2");
    changed.extend_from_slice(b"\xCD");
    folder.file("u/2", &changed);
    convert(&folder, "", &["u"]).gives(1, b"").says([
        "u/2: an earlier run of this journal converted it, and it was changed since; left alone",
        "9 finished earlier",
    ]);
    assert_eq!(folder.read("u/2"), changed);
}

#[test]
fn a_tree_that_was_copied_or_mounted_anew() {
    let folder = tree();
    convert(&folder, "", &["t"])
        .gives(0, b"")
        .says(["10 converted"]);
    // Other inodes, other times.
    for i in 0..10 {
        let path = folder.path(format!("{}/{i}", ["t", "t/deep"][i % 2]));
        let contents = fs::read(&path).expect("it is ours");
        let inode = fs::metadata(&path).expect("it is there").ino();
        // The old file stays elsewhere: the system could give its inode to one of the originals below, which
        // would look like a finished file that was changed.
        fs::rename(&path, folder.path(format!("old{i}"))).expect("it is ours");
        fs::write(&path, contents).expect("it can be written");
        assert_ne!(inode, fs::metadata(&path).expect("it is there").ino());
    }
    convert(&folder, "", &["t"])
        .gives(0, b"")
        .says(["10 finished earlier"]);
    is_converted(&folder, "t");
    let copied = Command::new("cp")
        .arg("-R")
        .args([folder.path("t"), folder.path("u")])
        .status();
    assert!(copied.is_ok_and(|status| status.success()));
    convert(&folder, "", &["u"])
        .gives(0, b"")
        .says(["10 finished earlier"]);
    is_converted(&folder, "u");
    // A different tree, of originals: they are converted.
    folder.folder("v/deep");
    for i in 0..10 {
        folder.file(&format!("{}/{i}", ["v", "v/deep"][i % 2]), &text(i)[0]);
    }
    convert(&folder, "", &["v"])
        .gives(0, b"")
        .says(["10 converted"]);
    is_converted(&folder, "v");
}

#[test]
fn a_journal_that_was_damaged() {
    let folder = tree();
    convert(&folder, "", &["t"])
        .gives(0, b"")
        .says(["10 converted"]);
    let whole = folder.read("state");
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    let refused = |bytes: &[u8], words: &str| {
        folder.file("state", bytes);
        let ran = convert(&folder, "", &["t"]).gives(2, b"");
        let ran = ran.says([words, "nothing was read or written"]);
        for advice in ["remove that line", "Mend", "edit"] {
            assert!(!ran.stderr.contains(advice), "{}", ran.stderr);
        }
        is_converted(&folder, "t");
        assert_eq!(folder.read("state"), bytes);
    };
    // A line is deleted, the tail is cut off between lines and in one, and a line is edited.
    let deleted = [&lines[..7], &lines[8..]].concat().concat();
    refused(&deleted, "is damaged in line 8: line 9 is in its place");
    refused(
        &lines[..9].concat(),
        "is damaged in line 10: it and what followed are missing",
    );
    refused(&whole[..whole.len() - 5], "is damaged in line 15");
    let mut edited = whole.clone();
    let place = lines[..6].concat().len() + 20;
    edited[place] ^= 1;
    refused(&edited, "is damaged in line 7: it is not as it was written");
    let endless = [&*whole, &b"x".repeat(1 << 20)].concat();
    refused(
        &endless,
        "is damaged in line 16: it is longer than 65536 bytes",
    );
    // The state in which a kill leaves it.
    folder.file("state", [&*whole, b"16 file conv"].concat());
    convert(&folder, "", &["t"])
        .gives(0, b"")
        .says(["10 finished earlier"]);
    is_converted(&folder, "t");
}

#[test]
fn a_folder_that_can_not_be_read_does_not_end_it() {
    let folder = tree();
    convert(&folder, "", &["t"])
        .gives(0, b"")
        .says(["10 converted"]);
    folder.folder("t/closed");
    folder.file("t/new", &text(3)[0]);
    for path in ["", "t", "t/deep"] {
        fs::set_permissions(folder.path(path), Permissions::from_mode(0o777)).expect("it is ours");
    }
    for path in folder.tree("t").keys() {
        let path = folder.path("t").join(path);
        fs::set_permissions(path, Permissions::from_mode(0o666)).expect("it is ours");
    }
    fs::set_permissions(folder.path("state"), Permissions::from_mode(0o666)).expect("it is ours");
    fs::set_permissions(folder.path("t/closed"), Permissions::from_mode(0o0)).expect("it is ours");
    let ran = Command::new("setpriv")
        .args(["--reuid=64998", "--clear-groups", "--inh-caps=-all"])
        .arg(copy_for_others(&folder))
        .args([
            "convert",
            "-f",
            "koi8-r",
            "-t",
            "windows-1251",
            "--in-place",
        ])
        .args(["--resume", &folder.name("state"), &folder.name("t")])
        .output();
    let Ok(ran) = ran else {
        skipped("there is no setpriv here");
        return;
    };
    if ran.status.code() == Some(1) && ran.stdout.is_empty() && ran.stderr.starts_with(b"setpriv") {
        skipped("setpriv may not change the user here");
        return;
    }
    Ran::from(ran).gives(2, b"").says([
        "t/closed: Permission denied",
        "1 converted, 10 finished earlier",
    ]);
    assert_eq!(folder.read("t/new"), text(3)[1]);
}

#[test]
fn an_output_that_was_changed_since() {
    let folder = tree();
    let (state, out, top) = (folder.name("state"), folder.name("out"), folder.name("t"));
    folder.folder("out");
    folder.file("out/4", "was here before");
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--resume",
        &state,
        "--out-dir",
        &out,
        &top,
    ];
    run(args).gives(0, b"").says(["10 converted"]);
    folder.file("out/2", "mine");
    // The input of this one has changed.
    folder.file("t/4", &text(7)[0]);
    run(args).gives(1, b"").says([
        "/t/2: an earlier run of this journal wrote its output",
        "out/2, which was changed since; left alone",
        "1 converted, 8 finished earlier, 1 skipped",
    ]);
    assert_eq!(folder.read("out/2"), b"mine");
    let [original, _] = text(7);
    let (wanted, _) = encoding_rs::KOI8_R.decode_without_bom_handling(&original);
    assert_eq!(folder.read("out/4"), wanted.as_bytes());
    // The same output folder, spelled in another way.
    fs::remove_file(folder.path("out/2")).expect("it is ours");
    let out = folder.name("t/../out");
    run([
        "convert",
        "-f",
        "koi8-r",
        "--resume",
        &state,
        "--out-dir",
        &out,
        &top,
    ])
    .gives(0, b"")
    .says(["1 converted, 9 finished earlier"]);
}

#[test]
fn a_dry_run_says_what_is_left_to_do() {
    let folder = tree();
    convert(&folder, "", &["--dry-run", "t"]).ends(0);
    assert!(!folder.path("state").exists());
    convert(&folder, "", &["t/deep"])
        .ends(0)
        .says(["5 converted"]);
    let (before, tree) = (folder.read("state"), folder.tree("t"));
    let ran = convert(&folder, "", &["--dry-run", "t"]).ends(0);
    ran.says(["5 converted, 5 finished earlier", "nothing was written"]);
    assert_eq!((folder.read("state"), folder.tree("t")), (before, tree));
}

#[test]
fn no_output_replaces_the_journal() {
    let folder = tree();
    folder.folder("out");
    let state = folder.name("out/0");
    let args = ["convert", "-f", "koi8-r", "--out-dir"];
    let args = args.into_iter().map(String::from);
    let args: Vec<_> = args
        .chain([
            folder.name("out"),
            "--resume".into(),
            state,
            folder.name("t"),
        ])
        .collect();
    for finished in ["9 converted, 1 failed", "9 finished earlier, 1 failed"] {
        run(&args).gives(2, b"").says([
            "out/0 is the journal of this run, or its report; not written",
            finished,
        ]);
        assert!(folder.read("out/0").starts_with(b"simdtext journal"));
    }
}

#[test]
fn what_is_done_with_binary_files_may_not_change() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a", b"\xCD\xC9\xD2");
    folder.file("t/b", b"\xCD\0\xD2");
    let run = |more: &[&str]| {
        let (out, state, tree) = (folder.name("out"), folder.name("state"), folder.name("t"));
        let args = [
            "convert",
            "-f",
            "koi8-r",
            "--out-dir",
            &out,
            "--resume",
            &state,
            &tree,
        ];
        run(args.iter().chain(more))
    };
    run(&[]).gives(1, b"").says(["1 converted, 1 binary"]);
    // What was left out is copied.
    run(&["--binary=copy"])
        .gives(0, b"")
        .says(["1 finished earlier, 1 binary"]);
    run(&["--binary=convert"])
        .gives(2, b"")
        .says(["is of a run with other flags", "binary=convert"]);
    assert_eq!(folder.read("out/b"), b"\xCD\0\xD2");
}

/// Otherwise a run that is resumed would take the backups for files to convert.
#[test]
fn a_run_with_backups_is_not_resumed_without_them() {
    let folder = Folder::new();
    let tree = folder.folder("t");
    folder.file("t/a", b"K\xF6ln ist sch\xF6n");
    let state = folder.name("state");
    let convert = [
        "convert",
        "-f",
        "latin1",
        "--in-place",
        "--resume",
        &state,
        &tree,
    ];
    run(convert.iter().chain(&["--backup", ".orig"])).ends(0);
    let before = folder.tree("t");
    for other in [&[][..], &["--backup", ".old"]] {
        run(convert.iter().chain(other))
            .ends(2)
            .says(["is of a run with other flags", " backup=.orig in-place"]);
        assert_eq!(folder.tree("t"), before);
    }
    run(convert.iter().chain(&["--backup", ".orig"]))
        .ends(0)
        .says(["1 finished earlier"]);
}

#[test]
fn an_emptied_journal_is_refused() {
    let folder = tree();
    convert(&folder, "", &["t"])
        .gives(0, b"")
        .says(["10 converted"]);
    folder.file("state", b"");
    for more in [&["t"][..], &["--dry-run", "t"]] {
        convert(&folder, "", more)
            .gives(2, b"")
            .says(["state is empty; nothing was read or written"]);
    }
    is_converted(&folder, "t");
    assert_eq!(folder.read("state"), b"");
}

#[test]
fn a_journal_that_cannot_be_begun_leaves_nothing() {
    let folder = tree();
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
        .args([
            env!("CARGO_BIN_EXE_simdtext"),
            "convert",
            "-f",
            "koi8-r",
            "--in-place",
        ])
        .args(["--resume", &folder.name("state"), &folder.name("t")])
        .output();
    Ran::from(output.expect("the shell starts"))
        .gives(2, b"")
        .says(["cannot use the journal"]);
    assert_eq!(folder.names(), ["t"]);
    convert(&folder, "", &["t"])
        .gives(0, b"")
        .says(["10 converted"]);
}
