//! Files and folders that are replaced by links, again and again, while a run converts them: the owner of a
//! tree must not be able to lead the command out of it.
//!
//! Each trial exchanges a file with a link to a file outside, and a folder with a link to a folder outside
//! that has a file of the same name. SIMDTEXT_SWAPS in the environment is the minimum number of exchanges.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::harness::{Folder, run};

fn swaps() -> u64 {
    let given = std::env::var("SIMDTEXT_SWAPS").ok();
    given.map_or(10_000, |number| {
        number.parse().expect("SIMDTEXT_SWAPS is a number")
    })
}

/// Everything that is known about a file.
type Known = (Vec<u8>, u32, u32, u32, u64, i64, i64, i64, i64);

fn known(path: &Path) -> Known {
    let contents = fs::read(path).expect("it can be read");
    let of = fs::symlink_metadata(path).expect("it is there");
    let (changed, nanos) = (of.ctime(), of.ctime_nsec());
    let (modified, modified_nanos) = (of.mtime(), of.mtime_nsec());
    // The time of the last change covers its attributes and its owner, too.
    (
        contents,
        of.mode(),
        of.uid(),
        of.gid(),
        of.ino(),
        changed,
        nanos,
        modified,
        modified_nanos,
    )
}

/// All files below a folder.
fn all_known(folder: &Folder, name: &str) -> BTreeMap<PathBuf, Known> {
    let top = folder.path(name);
    let paths = folder.tree(name).into_keys();
    paths
        .map(|path| (path.clone(), known(&top.join(path))))
        .collect()
}

fn exchange(one: &Path, other: &Path) {
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).expect("names can be exchanged");
}

/// A name in the tree, and a link outside that takes its place for moments.
struct Swap {
    name: PathBuf,
    link: PathBuf,
    target: PathBuf,
}

impl Swap {
    /// Moves the link into the tree and out again.
    fn swap(&self) {
        exchange(&self.name, &self.link);
        thread::yield_now();
        exchange(&self.name, &self.link);
        // The run may have put a file in the place of the link, which does no harm.
        if !fs::symlink_metadata(&self.link).is_ok_and(|of| of.is_symlink()) {
            let fresh = self.link.with_extension("fresh");
            symlink(&self.target, &fresh).expect("a link can be made");
            fs::rename(fresh, &self.link).expect("it can be renamed");
        }
    }
}

/// Exchanges names and links while `convert` is called, until there were enough exchanges.
fn while_swapping(pairs: &[Swap], mut convert: impl FnMut()) -> u64 {
    let (count, done) = (AtomicU64::new(0), AtomicBool::new(false));
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                for pair in pairs {
                    pair.swap();
                    count.fetch_add(2, Ordering::Relaxed);
                }
            }
        });
        // However fast the exchanges are, there have to be some runs.
        let mut runs = 0;
        while count.load(Ordering::Relaxed) < swaps() || runs < 12 {
            convert();
            runs += 1;
        }
        done.store(true, Ordering::Relaxed);
    });
    count.into_inner()
}

/// "мир" in KOI8-R, and a text that only the owner of the tree wrote.
const OUTSIDE: &[u8] = b"\xCD\xC9\xD2 outside";
const INSIDE: &[u8] = b"\xCD\xC9\xD2 inside";

/// A tree with `files` in a folder in it, and a folder outside with files of the same names.
fn tree(folder: &Folder, files: usize) -> Vec<Swap> {
    for name in ["tree/sub/deep", "tree/links", "outside/deep", "aside"] {
        folder.folder(name);
    }
    let mut pairs = Vec::new();
    for i in 0..files {
        let name = format!("{i:02}.txt");
        let outside = folder.file(&format!("outside/deep/{name}"), OUTSIDE);
        fs::set_permissions(&outside, fs::Permissions::from_mode(0o600)).expect("it is ours");
        folder.file(&format!("tree/sub/deep/{name}"), INSIDE);
        let inside = folder.file(&format!("tree/links/{name}"), INSIDE);
        let link = folder.path(format!("aside/{name}"));
        symlink(&outside, &link).expect("a link can be made");
        if i % 2 == 0 {
            pairs.push(Swap {
                name: PathBuf::from(inside),
                link,
                target: PathBuf::from(outside),
            });
        }
    }
    let link = folder.path("aside/sub");
    let target = folder.path("outside");
    symlink(&target, &link).expect("a link can be made");
    pairs.push(Swap {
        name: folder.path("tree/sub"),
        link,
        target,
    });
    pairs
}

/// How many files of the tree are converted.
fn count_converted(folder: &Folder, files: usize) -> usize {
    let paths = (0..files).map(|i| folder.path(format!("tree/links/{i:02}.txt")));
    let texts = paths.filter_map(|path| fs::read(path).ok());
    texts.filter(|text| text == "мир inside".as_bytes()).count()
}

/// Puts the originals back, so that there is something to convert the next time.
fn put_back(folder: &Folder, files: usize) {
    for i in 0..files {
        // The test must not write through a folder that may be a link just now, either.
        let path = folder.path(format!("tree/links/{i:02}.txt"));
        let fresh = folder.file("aside/fresh", INSIDE);
        if fs::symlink_metadata(&path).is_ok_and(|of| of.is_file()) {
            let _ = fs::rename(fresh, path);
        }
    }
}

#[test]
fn nothing_outside_of_the_tree_is_replaced() {
    let folder = Folder::new();
    let pairs = tree(&folder, 20);
    let before = all_known(&folder, "outside");
    let top = folder.name("tree");
    let mut converted = 0;
    let mut rounds = 0;
    let flags: [&[&str]; 3] = [&[], &["--backup", ".orig"], &["--preserve"]];
    let swaps = while_swapping(&pairs, || {
        let args = [
            "convert",
            "-q",
            "-j2",
            "-f",
            "koi8-r",
            "--in-place",
            "--no-fsync",
        ];
        let more = flags[rounds % flags.len()];
        let ran = run(args.iter().chain(more).chain(&[&*top]));
        assert!(ran.status.is_some(), "{}", ran.stderr);
        rounds += 1;
        converted += count_converted(&folder, 20);
        put_back(&folder, 20);
    });
    assert!(
        all_known(&folder, "outside") == before,
        "a file outside was touched in {rounds} runs, {swaps} swaps"
    );
    assert!(
        folder
            .tree("outside")
            .keys()
            .all(|path| path.starts_with("deep"))
    );
    eprintln!("{swaps} swaps, {rounds} runs, {converted} times converted");
    assert!(converted > 0, "nothing was converted meanwhile");
}

#[test]
fn nothing_outside_of_the_tree_is_replaced_from_a_list() {
    let folder = Folder::new();
    let pairs = tree(&folder, 6);
    let before = all_known(&folder, "outside");
    let mut list = String::new();
    for i in 0..6 {
        for place in ["tree/links", "tree/sub/deep"] {
            list += &folder.name(&format!("{place}/{i:02}.txt\n"));
        }
    }
    let list = folder.file("list", list);
    let mut converted = 0;
    while_swapping(&pairs, || {
        let args = ["convert", "-q", "-f", "koi8-r", "--in-place", "--no-fsync"];
        let ran = run(args.iter().chain(&["--files-from", &*list]));
        assert!(ran.status.is_some(), "{}", ran.stderr);
        converted += count_converted(&folder, 6);
        put_back(&folder, 6);
    });
    assert!(
        all_known(&folder, "outside") == before,
        "a file outside was touched"
    );
    assert!(converted > 0, "nothing was converted meanwhile");
}

#[test]
fn nothing_is_written_outside_of_the_output_folder() {
    let folder = Folder::new();
    folder.folder("in/sub/deep");
    for i in 0..20 {
        folder.file(&format!("in/sub/deep/{i:02}.txt"), INSIDE);
    }
    let pairs = tree(&folder, 20);
    let before = all_known(&folder, "outside");
    let (input, out) = (folder.name("in"), folder.name("tree"));
    let mut rounds = 0;
    while_swapping(&pairs, || {
        let to = ["utf-8", "utf-16le"][rounds % 2];
        let args = ["convert", "-q", "-f", "koi8-r", "--no-fsync", "-t", to];
        let ran = run(args.iter().chain(&["--out-dir", &*out, &*input]));
        assert!(ran.status.is_some(), "{}", ran.stderr);
        rounds += 1;
    });
    assert!(
        all_known(&folder, "outside") == before,
        "a file outside was touched"
    );
    let there = folder.tree("tree/sub/deep");
    assert!(
        there.values().any(|contents| contents != INSIDE),
        "nothing was written meanwhile"
    );
}

#[test]
fn a_folder_that_is_a_link_is_not_gone_through_in_place() {
    let folder = Folder::new();
    folder.folder("outside");
    folder.folder("tree");
    folder.file("outside/a", INSIDE);
    symlink(folder.path("outside"), folder.path("tree/link")).expect("a link can be made");
    let listed = folder.file("list", folder.name("tree/link/a"));
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--files-from",
        &listed,
    ];
    run(args)
        .gives(1, b"")
        .says(["tree/link/a: a folder above it is a symbolic link", "-L"]);
    assert_eq!(folder.read("outside/a"), INSIDE);
    run(args.iter().chain(&["-L"])).gives(0, b"");
    assert_eq!(folder.read("outside/a"), "мир inside".as_bytes());
}
