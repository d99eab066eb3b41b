//! The converter as a library. What it does with files is tested with the command, in `cli/tests/cli`; these
//! tests are about what a program sees of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use simdtext::{SHIFT_JIS, UTF_8, WINDOWS_1251, WINDOWS_1252};
use simdtext_convert::{
    Cancel, DetectOptions, Error, Event, FirstFaultKind, Input, Invalid, Observer, Options, Place,
    RestoreEvent, RestoreOptions, Restored, Severity, State, Summary, WalkOptions, convert_files,
    convert_tree, detect, restore,
};
use tempfile::TempDir;

/// "Привет" in windows-1251.
const HELLO: &[u8] = b"\xCF\xF0\xE8\xE2\xE5\xF2";

/// A folder with files in `in`; a run may create `out` beside it.
struct Tree {
    folder: TempDir,
}

impl Tree {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let tree = Self {
            folder: tempfile::tempdir().expect("a folder can be made"),
        };
        for (name, bytes) in files {
            let path = tree.input().join(name);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("it can be made");
            fs::write(path, bytes).expect("it can be written");
        }
        tree
    }

    fn input(&self) -> PathBuf {
        self.folder.path().join("in")
    }

    fn output(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.output().join(name)).expect("it was written")
    }

    fn convert(&self, options: &Options) -> Summary {
        convert_tree(&[self.input()], options, &Cancel::new(), &()).expect("it can begin")
    }
}

/// The result for a file: its name, state, number of malformed sequences, and reason.
type Done = (String, State, u64, Option<String>);

#[derive(Default)]
struct Files(Mutex<Vec<Done>>);

impl Observer for Files {
    fn event(&self, event: Event<'_>) {
        if let Event::File { path, report, .. } = event {
            let name = path.file_name().expect("it has a name").to_string_lossy();
            let mut files = self.0.lock().expect("no observer panics");
            files.push((
                name.into_owned(),
                report.state,
                report.malformed,
                report.why.clone(),
            ));
        }
    }
}

#[test]
fn a_tree_is_converted_and_reported() {
    let tree = Tree::new(&[
        ("hello.txt", HELLO),
        ("deep/er/hello.txt", HELLO),
        ("left.bin", HELLO),
    ]);
    let options = Options::new()
        .from(WINDOWS_1251)
        .out_dir(tree.output())
        .walk(WalkOptions::new().extension("txt"))
        .jobs(2);
    let summary = tree.convert(&options);
    assert_eq!(tree.read("hello.txt"), "Привет".as_bytes());
    assert_eq!(tree.read("deep/er/hello.txt"), "Привет".as_bytes());
    assert!(!tree.output().join("left.bin").exists());
    assert_eq!(summary.files(), 2);
    assert_eq!(summary.count(State::Converted), 2);
    assert_eq!((summary.bytes_in, summary.bytes_out), (12, 24));
    assert_eq!(summary.severity, Severity::Clean);
    assert!(!summary.cancelled);
    let totals = summary.encodings["windows-1251"];
    assert_eq!((totals.files, totals.errors), (2, 0));
}

#[test]
fn a_fault_has_its_offset_and_its_line() {
    let tree = Tree::new(&[("text", b"one\n\x82\xA0\n\xFFtwo")]);
    let options = Options::new().from(SHIFT_JIS).out_dir(tree.output());
    let faults = Mutex::new(Vec::new());
    let observer = |event: Event<'_>| {
        if let Event::File { report, .. } = event {
            let mut faults = faults.lock().expect("no observer panics");
            faults.extend(report.first_faults.iter().cloned());
        }
    };
    let summary = convert_tree(&[tree.input()], &options, &Cancel::new(), &observer);
    assert_eq!(summary.expect("it can begin").severity, Severity::Faults);
    let faults = faults.into_inner().expect("no observer panics");
    assert_eq!(faults.len(), 1);
    assert_eq!((faults[0].offset, faults[0].line), (7, 3));
    assert_eq!(faults[0].kind, FirstFaultKind::Malformed(vec![0xFF]));
    assert_eq!(tree.read("text"), "one\nあ\n\u{FFFD}two".as_bytes());
}

#[test]
fn a_refused_file_has_its_reason() {
    let tree = Tree::new(&[("bad", b"abc\xFF"), ("good", b"abc")]);
    let options = Options::new()
        .from(UTF_8)
        .invalid(Some(Invalid::Strict))
        .out_dir(tree.output())
        .jobs(1);
    let files = Files::default();
    convert_tree(&[tree.input()], &options, &Cancel::new(), &files).expect("it can begin");
    let mut files = files.0.into_inner().expect("no observer panics");
    files.sort();
    assert_eq!(
        files[0],
        (
            String::from("bad"),
            State::Faulty,
            1,
            Some(String::from("nothing was written for it"))
        )
    );
    assert_eq!(
        (files[1].1, files[1].3.as_deref()),
        (State::Converted, None)
    );
    assert!(!tree.output().join("bad").exists());
}

#[test]
fn a_cancelled_run_begins_no_further_file() {
    let names: Vec<String> = (0..2000).map(|i| format!("{i:04}")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), HELLO)).collect();
    let tree = Tree::new(&files);
    let options = Options::new()
        .from(WINDOWS_1251)
        .out_dir(tree.output())
        .fsync(false)
        .jobs(2);
    let cancel = Cancel::new();
    let observer = |event: Event<'_>| {
        if let Event::File { .. } = event {
            cancel.cancel();
        }
    };
    let summary = convert_tree(&[tree.input()], &options, &cancel, &observer);
    let summary = summary.expect("it can begin");
    assert!(summary.cancelled);
    assert!((1..2000).contains(&summary.files()), "{}", summary.files());
    let left = fs::read_dir(tree.output()).expect("it was made");
    let left: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
    // Files that were begun are complete, and there is nothing else.
    for name in &left {
        assert_eq!(
            tree.read(&name.to_string_lossy()),
            "Привет".as_bytes(),
            "{name:?}"
        );
    }
    assert_eq!(left.len() as u64, summary.count(State::Converted));
}

#[test]
fn a_cancelled_run_is_resumed() {
    let tree = Tree::new(&[("a", HELLO), ("b", HELLO), ("c", HELLO), ("d", HELLO)]);
    let journal = tree.folder.path().join("journal");
    let options = Options::new()
        .from(WINDOWS_1251)
        .out_dir(tree.output())
        .resume(Some(&journal))
        .jobs(1);
    let cancel = Cancel::new();
    let observer = |event: Event<'_>| {
        if let Event::File { .. } = event {
            cancel.cancel();
        }
    };
    let first = convert_tree(&[tree.input()], &options, &cancel, &observer).expect("it can begin");
    let done = first.count(State::Converted);
    assert!((1..4).contains(&done), "{done}");
    let second = tree.convert(&options);
    assert_eq!(second.count(State::Finished), done);
    assert_eq!(second.count(State::Converted), 4 - done);

    let other = options.clone().to(WINDOWS_1252);
    let refused = convert_tree(&[tree.input()], &other, &Cancel::new(), &());
    assert!(
        matches!(refused, Err(Error::OtherJournal(_))),
        "{refused:?}"
    );
}

#[test]
fn two_runs_at_once_do_not_disturb_each_other() {
    let trees = [Tree::new(&[("a", HELLO)]), Tree::new(&[("a", HELLO)])];
    std::thread::scope(|scope| {
        for tree in &trees {
            scope.spawn(|| {
                for _ in 0..20 {
                    let options = Options::new()
                        .from(WINDOWS_1251)
                        .out_dir(tree.output())
                        .fsync(false);
                    assert_eq!(tree.convert(&options).severity, Severity::Clean);
                }
            });
        }
    });
    for tree in &trees {
        assert_eq!(tree.read("a"), "Привет".as_bytes());
    }
}

/// While a run has locked a tree, another one is refused there.
#[test]
fn two_runs_on_one_tree_are_kept_apart() {
    let tree = Tree::new(&[("a", HELLO)]);
    let options = Options::new().from(WINDOWS_1251).out_dir(tree.output());
    let second = Mutex::new(None);
    let observer = |event: Event<'_>| {
        if let Event::Begin = event {
            let refused = convert_tree(&[tree.input()], &options, &Cancel::new(), &());
            *second.lock().expect("no observer panics") = Some(refused);
        }
    };
    convert_tree(&[tree.input()], &options, &Cancel::new(), &observer).expect("it can begin");
    let second = second.into_inner().expect("no observer panics");
    assert!(matches!(second, Some(Err(Error::InUse(_)))), "{second:?}");
}

#[test]
fn what_can_not_be_obeyed_is_refused_before_anything_is_written() {
    let tree = Tree::new(&[("a", HELLO)]);
    let nowhere = convert_tree(&[tree.input()], &Options::new(), &Cancel::new(), &());
    assert!(matches!(nowhere, Err(Error::Options(_))), "{nowhere:?}");
    let inside = Options::new().out_dir(tree.input().join("out"));
    let inside = convert_tree(&[tree.input()], &inside, &Cancel::new(), &());
    assert!(matches!(inside, Err(Error::Collision(_))), "{inside:?}");
    let left = fs::read_dir(tree.input()).expect("it is there");
    assert_eq!(left.count(), 1);
}

#[test]
fn progress_is_told_in_bytes() {
    #[derive(Default)]
    struct Bytes {
        read: AtomicU64,
        total: AtomicU64,
    }
    impl Observer for Bytes {
        fn event(&self, event: Event<'_>) {
            if let Event::Total(bytes) = event {
                self.total.store(bytes, Ordering::Relaxed);
            }
        }

        fn read(&self, bytes: u64) {
            self.read.fetch_add(bytes, Ordering::Relaxed);
        }

        fn wants_total(&self) -> bool {
            true
        }
    }
    let tree = Tree::new(&[("a", HELLO), ("b", &[b'x'; 300_000])]);
    let options = Options::new().from(WINDOWS_1251).out_dir(tree.output());
    let bytes = Bytes::default();
    convert_tree(&[tree.input()], &options, &Cancel::new(), &bytes).expect("it can begin");
    assert_eq!(bytes.read.into_inner(), 300_006);
    // The total comes late, or not at all, if files are converted faster than they are counted.
    assert!([0, 300_006].contains(&bytes.total.into_inner()));
}

#[test]
fn inputs_are_joined_into_one_file() {
    let tree = Tree::new(&[("a", HELLO), ("b", HELLO)]);
    let inputs = ["a", "b"].map(|name| Input::Path(tree.input().join(name)));
    let place = Place::Path(tree.folder.path().join("joined"));
    let options = Options::new().from(WINDOWS_1251);
    let severity =
        convert_files(&inputs, &place, &options, &Cancel::new(), &()).expect("it can begin");
    assert_eq!(severity, Severity::Clean);
    let joined = fs::read_to_string(tree.folder.path().join("joined")).expect("it was written");
    assert_eq!(joined, "ПриветПривет");

    let onto = Place::Path(tree.input().join("a"));
    let refused = convert_files(&inputs, &onto, &options, &Cancel::new(), &());
    assert!(matches!(refused, Err(Error::Collision(_))), "{refused:?}");
}

#[test]
fn an_output_that_is_aborted_is_as_it_was() {
    let tree = Tree::new(&[("a", HELLO)]);
    let path = tree.folder.path().join("kept");
    fs::write(&path, "before").expect("it can be written");
    let abort = Mutex::new(None);
    let observer = |event: Event<'_>| match event {
        Event::Temporary { abort: handle, .. } => {
            *abort.lock().expect("no observer panics") = Some(handle.clone());
        }
        // A warning about the input is sent while the output is being written.
        Event::Notice(_) => {
            if let Some(abort) = abort.lock().expect("no observer panics").take() {
                assert!(abort.abort());
            }
        }
        _ => {}
    };
    let input = Input::Path(tree.input().join("a"));
    let options = Options::new().from(UTF_8);
    let severity = convert_files(
        &[input],
        &Place::Path(path.clone()),
        &options,
        &Cancel::new(),
        &observer,
    );
    assert_eq!(severity, Ok(Severity::Error));
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "before");
}

#[test]
fn a_cancelled_run_leaves_its_output_as_it_was() {
    let tree = Tree::new(&[("a", HELLO)]);
    let path = tree.folder.path().join("kept");
    fs::write(&path, "before").expect("it can be written");
    let inputs = [Input::Path(tree.input().join("a"))];
    let options = Options::new().from(WINDOWS_1251);
    // First before it is read; then while it is read, after it was opened.
    for flagged in [true, false] {
        let cancel = Cancel::new();
        if flagged {
            cancel.cancel();
        }
        let of_observer = cancel.clone();
        let observer = |event: Event<'_>| {
            if let Event::Temporary { .. } = event {
                of_observer.cancel();
            }
        };
        let place = Place::Path(path.clone());
        let severity = convert_files(&inputs, &place, &options, &cancel, &observer);
        assert_eq!(severity, Ok(Severity::Error));
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "before");
    }
}

#[test]
fn a_file_says_what_it_is_in() {
    let tree = Tree::new(&[("utf-8", "Grüße".as_bytes()), ("ascii", b"abc")]);
    for (name, basis) in [("utf-8", "utf-8"), ("ascii", "ascii")] {
        let input = Input::Path(tree.input().join(name));
        let answer = detect(&input, &DetectOptions::new()).expect("it can be read");
        assert_eq!(answer.basis.name(), basis);
    }
    let missing = Input::Path(tree.input().join("missing"));
    assert!(detect(&missing, &DetectOptions::new()).is_err());
}

#[test]
fn in_place_or_into_a_folder() {
    let tree = Tree::new(&[("a", HELLO)]);
    let nowhere = Options::new().from(WINDOWS_1251);
    let both = nowhere.clone().in_place(true).out_dir(tree.output());
    for options in [nowhere, both] {
        let refused = convert_tree(&[tree.input()], &options, &Cancel::new(), &());
        assert!(matches!(refused, Err(Error::Options(_))), "{refused:?}");
        assert_eq!(
            fs::read(tree.input().join("a")).expect("it is there"),
            HELLO
        );
        assert!(!tree.output().exists());
    }
}

/// Every name ends with an empty suffix, so that each file would be a backup, and left alone without a word.
#[test]
fn a_suffix_of_backups_is_one_and_is_needed() {
    let tree = Tree::new(&[("a.txt", HELLO)]);
    for suffix in ["", "/orig", "../a"] {
        let options = Options::new().in_place(true).backup(Some(suffix));
        let refused = convert_tree(&[tree.input()], &options, &Cancel::new(), &());
        assert!(matches!(refused, Err(Error::Options(_))), "{refused:?}");
    }
    let options = Options::new().out_dir(tree.output()).backup(Some(".txt"));
    let refused = convert_tree(&[tree.input()], &options, &Cancel::new(), &());
    assert!(matches!(refused, Err(Error::Options(_))), "{refused:?}");
    assert!(!tree.output().exists());
}

#[test]
fn a_run_in_place_is_undone() {
    let tree = Tree::new(&[("a", HELLO)]);
    let options = Options::new()
        .from(WINDOWS_1251)
        .in_place(true)
        .backup(Some(".orig"));
    assert_eq!(tree.convert(&options).count(State::Converted), 1);
    let read = |name: &str| fs::read(tree.input().join(name));
    assert_eq!(read("a").expect("it is there"), "Привет".as_bytes());
    assert_eq!(read("a.orig").expect("it was kept"), HELLO);
    let mut restored = Vec::new();
    let summary = restore(
        &[tree.input()],
        &RestoreOptions::new(".orig"),
        &mut |event| {
            if let RestoreEvent::File { path, .. } = event {
                restored.push(path.to_path_buf());
            }
        },
    );
    assert_eq!(summary.severity, Severity::Clean);
    assert_eq!(summary.counts[&Restored::Restored], 1);
    assert_eq!(restored, [tree.input().join("a")]);
    assert_eq!(read("a").expect("it is there"), HELLO);
    assert!(!tree.input().join("a.orig").exists());
}

/// Runs this program again, with a single test that converts, and checks what it prints.
#[test]
fn nothing_is_printed() {
    if let Some(folder) = std::env::var_os("SIMDTEXT_CONVERT_QUIETLY") {
        let folder = Path::new(&folder);
        let options = Options::new()
            .from(UTF_8)
            .out_dir(folder.join("out"))
            .jobs(100_000);
        let paths = [folder.join("in"), folder.join("missing")];
        let summary = convert_tree(&paths, &options, &Cancel::new(), &());
        assert_eq!(summary.expect("it can begin").severity, Severity::Error);
        return;
    }
    let tree = Tree::new(&[("bad", b"abc\xFF"), ("good", b"abc")]);
    let this = std::env::current_exe().expect("it is known");
    let ran = Command::new(this)
        .args(["--exact", "nothing_is_printed", "--nocapture", "--quiet"])
        .env("SIMDTEXT_CONVERT_QUIETLY", tree.folder.path())
        .output()
        .expect("it can be run");
    assert!(ran.status.success(), "{ran:?}");
    assert_eq!(String::from_utf8_lossy(&ran.stderr), "");
    let out = String::from_utf8_lossy(&ran.stdout);
    // This is what the test harness prints.
    assert!(
        out.lines().all(|line| line.is_empty()
            || line.starts_with("running 1 test")
            || line.starts_with("test result: ok")
            || line == "."),
        "{out}"
    );
}

/// A file that is gone may have been renamed to where the walk does not come again, so the run has failed.
#[test]
fn a_file_that_is_gone_when_its_turn_comes() {
    let tree = Tree::new(&[("a", HELLO), ("b", HELLO), ("folder/c", HELLO)]);
    let input = tree.input();
    let files = Files::default();
    let observer = |event: Event<'_>| {
        if let Event::File { .. } = event {
            // The first file is done, and the walk has most likely found the others.
            for name in ["a", "b"] {
                let _ = fs::rename(input.join(name), tree.folder.path().join(name));
            }
        }
        files.event(event);
    };
    let options = Options::new()
        .from(WINDOWS_1251)
        .jobs(1)
        .out_dir(tree.output());
    let summary = convert_tree(
        std::slice::from_ref(&input),
        &options,
        &Cancel::new(),
        &observer,
    )
    .expect("it can begin");
    let files = files.0.into_inner().expect("no observer panics");
    let gone: Vec<_> = files
        .iter()
        .filter(|file| file.1 == State::Failed)
        .collect();
    assert!(!gone.is_empty(), "{files:?}");
    for (name, _, _, why) in gone {
        let why = why.as_deref().unwrap_or_default();
        assert!(
            why.starts_with("it was removed or renamed before its turn came"),
            "{name}: {why}"
        );
    }
    assert_eq!(summary.severity, Severity::Error);
}
