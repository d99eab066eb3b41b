//! Runs that are killed with SIGKILL at random moments, and resumed.
//!
//! Each file is converted from one legacy encoding to another: converting it twice would damage it, and its
//! bytes do not show whether it was converted. Each run spells the path of the tree in a different way, some
//! keep backups, and some have compressed files. SIMDTEXT_KILLS in the environment says how many runs are
//! killed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, SystemTime};

use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::harness::{Folder, Ran, Random, run, simdtext};

fn kills() -> u64 {
    let given = std::env::var("SIMDTEXT_KILLS").ok();
    given.map_or(60, |number| {
        number.parse().expect("SIMDTEXT_KILLS is a number")
    })
}

const FILES: usize = 60;

/// How the files are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Packed {
    No,
    Gzip,
    Zstd,
}

impl Packed {
    fn pack(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::No => bytes.to_vec(),
            Self::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(bytes).expect("memory can be written");
                encoder.finish().expect("memory can be written")
            }
            Self::Zstd => zstd::encode_all(bytes, 1).expect("memory can be written"),
        }
    }

    fn unpack(self, bytes: Vec<u8>) -> Vec<u8> {
        let mut unpacked = Vec::new();
        match self {
            Self::No => unpacked = bytes,
            Self::Gzip => {
                let mut decoder = MultiGzDecoder::new(&*bytes);
                decoder.read_to_end(&mut unpacked).expect("it is gzip");
            }
            Self::Zstd => unpacked = zstd::decode_all(&*bytes).expect("it is zstd"),
        }
        unpacked
    }

    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::No => &[],
            Self::Gzip => &["-z", "--compress", "gzip"],
            Self::Zstd => &["-z", "--compress", "zstd"],
        }
    }
}

/// A tree in KOI8-R, and the same in windows-1251, both uncompressed.
fn tree(folder: &Folder, random: &mut Random, packed: Packed) -> [BTreeMap<PathBuf, Vec<u8>>; 2] {
    folder.folder("t/deep/er");
    symlink(folder.path(""), folder.path("up")).expect("a link can be made");
    symlink(folder.path("t"), folder.path("link")).expect("a link can be made");
    let mut originals = BTreeMap::new();
    for i in 0..FILES {
        let place = ["", "deep/", "deep/er/"][i % 3];
        let text = format!("Съешь ещё этих булок {i}\n").repeat(1 + random.below(200) as usize);
        let (bytes, _, _) = encoding_rs::KOI8_R.encode(&text);
        let name = format!("{place}файл {i}");
        folder.file(&format!("t/{name}"), packed.pack(&bytes));
        originals.insert(PathBuf::from(name), bytes.into_owned());
    }
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

/// The tree in one of its spellings, and the folder from which that spelling is right.
fn spelled(folder: &Folder, random: &mut Random) -> (PathBuf, Vec<String>) {
    let (inside, path) = match random.below(8) {
        0 => ("", "t"),
        1 => ("", "./t/deep/.."),
        2 => ("t/deep", "../../t/"),
        3 => ("t", "."),
        4 => ("", "up/t"),
        5 => ("up/up", "up/t/deep/../../t"),
        6 => {
            return (
                folder.path(""),
                vec![String::from("-L"), folder.name("link")],
            );
        }
        _ => return (folder.path(""), vec![folder.name("t")]),
    };
    (folder.path(inside), vec![String::from(path)])
}

/// Checks that no file of the command is left that does not belong to the tree.
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
        let packed = [Packed::No, Packed::No, Packed::Gzip, Packed::Zstd];
        let packed = packed[random.below(4) as usize];
        let [originals, results] = tree(&folder, &mut random, packed);
        let state = folder.name("state");
        let fsync = if random.below(2) == 0 {
            "--no-fsync"
        } else {
            "-q"
        };
        let backup = random.below(3) == 0;
        let args = ["convert", "-f", "koi8-r", "-t", "windows-1251"];
        let mut args: Vec<&str> = args.into_iter().chain(["--in-place", "-j2"]).collect();
        args.extend([fsync, "--resume", &state]);
        args.extend(packed.flags());
        if backup {
            args.extend(["--backup", "~"]);
        }
        let command = |random: &mut Random| {
            let (inside, path) = spelled(&folder, random);
            let mut command = simdtext(&args);
            command.args(path).current_dir(inside);
            command.stdout(Stdio::null());
            command
        };
        let original_of = |path: &Path| {
            let path = path.to_string_lossy();
            originals[&PathBuf::from(path.trim_end_matches('~'))].clone()
        };
        // A few kills for each tree, until a run comes to its end.
        loop {
            let journal_len = || fs::metadata(&state).map_or(0, |journal| journal.len());
            let before = journal_len();
            let mut child =
                (command(&mut random).stderr(Stdio::null()).spawn()).expect("the command starts");
            // On a busy machine it may take long to begin, so half of the delays count from that moment.
            if random.below(2) == 0 {
                while journal_len() == before && child.try_wait().is_ok_and(|end| end.is_none()) {
                    thread::sleep(Duration::from_micros(100));
                }
            }
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
                    continue;
                }
                let contents = packed.unpack(contents);
                if path.to_string_lossy().ends_with('~') {
                    assert_eq!(contents, original_of(&path), "seed {seed}");
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
        // What is finished stays finished, however often it is run again.
        for _ in 0..2 {
            let output = command(&mut random).output().expect("the command starts");
            Ran::from(output).ends(0);
        }
        let (kept, after): (BTreeMap<_, _>, BTreeMap<_, _>) = folder
            .tree("t")
            .into_iter()
            .map(|(path, contents)| (path, packed.unpack(contents)))
            .partition(|(path, _)| path.to_string_lossy().ends_with('~'));
        assert_eq!(kept.is_empty(), !backup);
        for (path, contents) in kept {
            assert_eq!(contents, original_of(&path), "seed {seed}");
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
    // It was changed since, so nobody can know whether to convert it again.
    folder.file("t/b", b"\xCD\xCD");
    run(args.into_iter().chain([&*b]))
        .gives(1, b"")
        .says(["it was changed since; left alone"]);
    assert_eq!(folder.read("t/b"), b"\xCD\xCD");
    // With other flags.
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
    // Outputs elsewhere: converted again if the input or the output has changed.
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
    .says(["notes is not a journal"]);
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
