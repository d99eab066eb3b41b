//! Runs that are killed with SIGKILL at random moments, and resumed.
//!
//! Each file is converted from one legacy encoding to another, where converting it twice would
//! damage it and no look at its bytes could tell. SIMDTEXT_KILLS in the environment says how many
//! runs are killed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, SystemTime};

use crate::harness::{Folder, run, simdtext};

fn kills() -> u64 {
    let given = std::env::var("SIMDTEXT_KILLS").ok();
    given.map_or(60, |number| {
        number.parse().expect("SIMDTEXT_KILLS is a number")
    })
}

/// Pseudorandom numbers (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % limit
    }
}

const FILES: usize = 60;

/// A tree in KOI8-R, and what it is in windows-1251.
fn tree(folder: &Folder, random: &mut Random) -> [BTreeMap<PathBuf, Vec<u8>>; 2] {
    folder.folder("t/deep/er");
    for i in 0..FILES {
        let place = ["t", "t/deep", "t/deep/er"][i % 3];
        let text = format!("Съешь ещё этих булок {i}\n").repeat(1 + random.below(200) as usize);
        let (bytes, _, _) = encoding_rs::KOI8_R.encode(&text);
        folder.file(&format!("{place}/файл {i}"), &bytes);
    }
    let originals = folder.tree("t");
    let results = originals
        .iter()
        .map(|(path, bytes)| {
            let (text, _, _) = encoding_rs::KOI8_R.decode(bytes);
            let (bytes, _, _) = encoding_rs::WINDOWS_1251.encode(&text);
            (path.clone(), bytes.into_owned())
        })
        .collect();
    [originals, results]
}

fn start(args: &[&str]) -> Child {
    simdtext(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the command starts")
}

/// No file of ours that is not a file of the tree.
fn is_temporary(path: &std::path::Path) -> bool {
    let name = path.file_name().expect("it has a name").to_string_lossy();
    name.starts_with(".simdtext-")
}

#[test]
fn nothing_is_lost_and_nothing_is_done_twice() {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seed = since.map_or(1, |time| time.as_nanos() as u64);
    let mut random = Random(seed);
    let (mut killed, mut stale, mut on_the_way) = (0, 0, 0);
    while killed < kills() {
        let folder = Folder::new();
        let [originals, results] = tree(&folder, &mut random);
        let (top, state) = (folder.name("t"), folder.name("state"));
        let fsync = if random.below(2) == 0 {
            "--no-fsync"
        } else {
            "-q"
        };
        let backup = random.below(3) == 0;
        let mut args = vec![
            "convert",
            "-f",
            "koi8-r",
            "-t",
            "windows-1251",
            "--in-place",
            "-j2",
            fsync,
            "--resume",
            &state,
            &top,
        ];
        if backup {
            args.extend(["--backup", "~"]);
        }
        // A few kills for each tree, until one run comes to its end.
        loop {
            let mut child = start(&args);
            thread::sleep(Duration::from_micros(random.below(25_000)));
            child.kill().expect("it can be killed");
            if child.wait().expect("it ends").success() {
                break;
            }
            killed += 1;
            let mut converted = 0;
            for (path, contents) in folder.tree("t") {
                if is_temporary(&path) {
                    stale += 1;
                } else if path.to_string_lossy().ends_with('~') {
                    let original = path.to_string_lossy().trim_end_matches('~').to_owned();
                    assert_eq!(contents, originals[&PathBuf::from(original)], "seed {seed}");
                } else if contents == results[&path] {
                    converted += 1;
                } else {
                    assert!(
                        contents == originals[&path],
                        "seed {seed}: {path:?} is damaged"
                    );
                }
            }
            on_the_way += usize::from(converted > 0 && converted < FILES);
            if killed >= kills() {
                break;
            }
        }
        run(&args).ends(0);
        let (kept, after): (BTreeMap<_, _>, BTreeMap<_, _>) = folder
            .tree("t")
            .into_iter()
            .partition(|(path, _)| path.to_string_lossy().ends_with('~'));
        assert_eq!(kept.is_empty(), !backup);
        for (path, contents) in kept {
            let original = path.to_string_lossy().trim_end_matches('~').to_owned();
            assert_eq!(contents, originals[&PathBuf::from(original)], "seed {seed}");
        }
        assert!(
            after.keys().eq(results.keys()),
            "seed {seed}: {:?}",
            after.keys()
        );
        assert!(after == results, "seed {seed}: a file is damaged");
    }
    // Otherwise the moments are badly chosen, and nothing was tested.
    eprintln!("{killed} killed, {on_the_way} on the way, {stale} temporary files were left");
    assert!(on_the_way > 0, "no run was killed on the way");
}

#[test]
fn what_is_finished_is_left_alone() {
    let folder = Folder::new();
    folder.folder("t");
    let (a, b) = (folder.file("t/a", b"\xCD"), folder.file("t/b", b"\xCD"));
    let (top, state, out) = (folder.name("t"), folder.name("state"), folder.name("out"));
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "-t",
        "windows-1251",
        "--in-place",
        "--resume",
        &state,
    ];
    run(args.into_iter().chain([&*a]))
        .gives(0, b"")
        .says(["1 converted"]);
    run(args.into_iter().chain([&*top]))
        .gives(0, b"")
        .says(["1 converted, 1 finished earlier"]);
    assert_eq!(
        (folder.read("t/a"), folder.read("t/b")),
        (b"\xEC".to_vec(), b"\xEC".to_vec())
    );
    // It was changed since: whether it is to be converted again nobody can know.
    folder.file("t/b", b"\xCD\xCD");
    run(args.into_iter().chain([&*b]))
        .gives(1, b"")
        .says(["it was changed since; left alone"]);
    assert_eq!(folder.read("t/b"), b"\xCD\xCD");
    // Other flags.
    let other = [
        "convert",
        "-f",
        "koi8-u",
        "-t",
        "windows-1251",
        "--in-place",
        "--resume",
        &state,
        &top,
    ];
    run(other)
        .gives(2, b"")
        .says(["a run with other flags", "from=KOI8-U", "from=KOI8-R"]);
    // Files elsewhere: done again where the input or the output is not what it was.
    let state = folder.name("state2");
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--out-dir",
        &out,
        "--resume",
        &state,
        &top,
    ];
    run(args).gives(0, b"").says(["2 converted"]);
    run(args).gives(0, b"").says(["2 finished earlier"]);
    folder.file("t/a", b"\xC1\xC1");
    std::fs::remove_file(folder.path("out/b")).expect("it is ours");
    run(args).gives(0, b"").says(["2 converted"]);
    run(args).gives(0, b"").says(["2 finished earlier"]);
    assert_eq!(folder.read("out/a"), "аа".as_bytes());
}

#[test]
fn a_file_that_is_no_journal_is_not_touched() {
    let folder = Folder::new();
    let (a, notes) = (folder.file("a", b"\xCD"), folder.file("notes", "mine\n"));
    run([
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--resume",
        &notes,
        &a,
    ])
    .gives(2, b"")
    .says(["notes is no journal"]);
    assert_eq!(
        (folder.read("a"), folder.read("notes")),
        (b"\xCD".to_vec(), b"mine\n".to_vec())
    );
}

#[test]
fn a_journal_in_the_tree_is_not_converted() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a", b"\xCD");
    let (top, state) = (folder.name("t"), folder.name("t/state"));
    let args = [
        "convert",
        "-t",
        "utf-16le",
        "-f",
        "koi8-r",
        "--in-place",
        "--resume",
        &state,
        &top,
    ];
    run(args).gives(0, b"").says(["1 file: 1 converted"]);
    run(args).gives(0, b"").says(["1 file: 1 finished earlier"]);
}
