//! What can go wrong with the folders of a run: names, links, files that change, and runs that get in each other's way.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use simdtext_corpus::{Event, Format, Observer, Options, RunOptions, Tally, run};

fn record(body: &str) -> String {
    format!(
        "WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    )
}

fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    fs::write(path, bytes).expect("it can be written");
}

struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    /// A folder `in` with two small files, and a plain WARC that is several units.
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let inputs = folder.path().join("in");
        fs::create_dir(&inputs).expect("a folder");
        write(&inputs.join("a.txt"), "one");
        write(&inputs.join("b.warc"), record("text").repeat(50));
        write(&inputs.join("c.txt"), "three");
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run_as(
        &self,
        inputs: &[&str],
        out: &str,
        change: &dyn Fn(&mut Options, &mut RunOptions),
        observer: &Observer<'_>,
    ) -> Result<Tally, String> {
        let inputs: Vec<_> = inputs.iter().map(|it| self.path(it)).collect();
        let mut options = Options::new();
        let mut run_options = RunOptions::new(self.path(out));
        run_options.format = Format::Jsonl;
        run_options.unit_bytes = 1000;
        change(&mut options, &mut run_options);
        let done = run(&inputs, &options, &run_options, observer);
        done.map_err(|error| error.to_string())
    }

    fn run(&self, inputs: &[&str], out: &str) -> Result<Tally, String> {
        self.run_as(inputs, out, &|_, _| {}, &|_| {})
    }

    fn resume(&self, inputs: &[&str], out: &str) -> Result<Tally, String> {
        self.run_as(inputs, out, &|_, run| run.resume = true, &|_| {})
    }

    /// All lines of the output.
    fn lines(&self, out: &str) -> Vec<String> {
        let mut paths = Vec::new();
        for name in ["text", "rejected"] {
            for entry in fs::read_dir(self.path(out).join(name)).expect("there is a folder") {
                paths.push(entry.expect("it can be read").path());
            }
        }
        paths.sort();
        let lines = paths.iter().flat_map(|it| {
            let text = fs::read_to_string(it).expect("it is UTF-8");
            text.lines().map(String::from).collect::<Vec<_>>()
        });
        lines.collect()
    }
}

fn refused(done: Result<Tally, String>, expected: &str) {
    let error = done.expect_err(expected);
    assert!(error.contains(expected), "{error}");
}

#[test]
fn the_output_is_no_input() {
    let case = Case::new();
    let tally = case.run(&["in"], "in/out").expect("it ends well");
    assert_eq!(tally.rows, 52);
    let again = case.resume(&["in"], "in/out").expect("it ends well");
    assert_eq!(again, tally);
    refused(
        case.resume(&["in/out/text"], "in/out"),
        "an input can't be in the folder of the output",
    );
    fs::create_dir(case.path("empty")).expect("a folder");
    refused(
        case.run(&["empty"], "empty"),
        "an input can't be in the folder of the output",
    );
}

#[test]
fn an_output_that_another_run_writes() {
    let case = Case::new();
    let inner = Mutex::new(None);
    let observer = |event: Event<'_>| {
        let mut inner = inner.lock().expect("nothing failed");
        if matches!(event, Event::Part(_)) && inner.is_none() {
            *inner = Some((case.resume(&["in"], "out"), case.run(&["in"], "out")));
        }
    };
    let tally = case.run_as(&["in"], "out", &|_, _| {}, &observer);
    assert_eq!(tally.expect("it ends well").rows, 52);
    let (resumed, new) = inner
        .into_inner()
        .expect("nothing failed")
        .expect("a part was told of");
    refused(resumed, "another run is writing there");
    refused(new, "is not empty");
    refused(case.run(&["in"], "out"), "is not empty");
}

#[test]
fn runs_that_begin_at_once() {
    let case = Case::new();
    let done: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| case.run(&["in"], "out")))
            .collect();
        let join = |it: std::thread::ScopedJoinHandle<'_, _>| it.join().expect("it ends");
        threads.into_iter().map(join).collect()
    });
    assert_eq!(done.iter().filter(|it| it.is_ok()).count(), 1, "{done:?}");
    assert_eq!(case.lines("out").len(), 52);
}

#[test]
fn a_run_that_was_killed_at_once_is_resumed() {
    let case = Case::new();
    fs::create_dir_all(case.path("out/_state")).expect("a folder");
    write(&case.path("out/_state/lock"), "");
    write(&case.path("out/_state/.unfinished-x"), "{");
    assert_eq!(case.resume(&["in"], "out").expect("it ends well").rows, 52);
    assert!(!case.path("out/_state/.unfinished-x").exists());
    // A folder of somebody else's.
    fs::create_dir_all(case.path("other/text")).expect("a folder");
    write(&case.path("other/text/mine.txt"), "mine");
    refused(case.resume(&["in"], "other"), "is not empty");
}

#[test]
fn files_that_change_while_they_are_read() {
    for (what, change) in [
        (
            "shorter",
            &(|path: &Path| write(path, record("text").repeat(20))) as &(dyn Fn(&Path) + Sync),
        ),
        ("longer", &|path: &Path| {
            write(path, record("text").repeat(90))
        }),
        ("gone", &|path: &Path| {
            fs::remove_file(path).expect("it can be removed")
        }),
        ("other bytes", &|path: &Path| {
            write(path, record("TEXT").repeat(50))
        }),
    ] {
        let case = Case::new();
        let path = case.path("in/b.warc");
        let faults = Mutex::new(Vec::new());
        let parts = Mutex::new(0);
        let observer = |event: Event<'_>| match event {
            Event::Part(_) => {
                let mut parts = parts.lock().expect("nothing failed");
                *parts += 1;
                // The second is the first of the archive.
                if *parts == 2 {
                    change(&path);
                }
            }
            Event::Fault(rejected) => {
                let mut faults = faults.lock().expect("nothing failed");
                faults.push(rejected.rejection.to_string());
            }
            _ => {}
        };
        let tally = case.run_as(&["in"], "out", &|_, _| {}, &observer);
        let tally = tally.expect("it ends well");
        assert!(tally.has_faults(), "{what}");
        let faults = faults.into_inner().expect("nothing failed");
        assert!(
            faults.iter().any(|it| it.contains("was changed")),
            "{what}: {faults:?}"
        );
        assert_eq!(case.lines("out").len() as u64, tally.records, "{what}");
        refused(case.resume(&["in"], "out"), "files were changed");
    }
}

#[test]
fn resuming_with_something_else() {
    let case = Case::new();
    let tally = case.run(&["in"], "out").expect("it ends well");
    let options = |change: &dyn Fn(&mut Options)| {
        let change = |options: &mut Options, run: &mut RunOptions| {
            run.resume = true;
            change(options);
        };
        case.run_as(&["in"], "out", &change, &|_| {})
    };
    refused(
        options(&|it| it.columns.content = String::from("x")),
        "the options were",
    );
    refused(options(&|it| it.columns.base64 = true), "the options were");
    refused(options(&|it| it.max_ratio += 1), "the options were");
    refused(case.resume(&["in/a.txt"], "out"), "fewer files");
    write(&case.path("in/d.txt"), "another");
    refused(case.resume(&["in"], "out"), "files were changed");
    fs::remove_file(case.path("in/d.txt")).expect("it can be removed");
    // Parts whose files are gone or not whole are made again.
    let lines = case.lines("out");
    fs::remove_file(case.path("out/text/part-00001-000.jsonl")).expect("it can be removed");
    write(&case.path("out/text/part-00003-000.jsonl"), "{");
    assert_eq!(case.resume(&["in"], "out").expect("it ends well"), tally);
    assert_eq!(case.lines("out"), lines);
    fs::remove_file(case.path("in/c.txt")).expect("it can be removed");
    refused(case.resume(&["in"], "out"), "fewer files");
}

#[cfg(unix)]
#[test]
fn names_and_kinds_of_files() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;

    let case = Case::new();
    let inputs = case.path("in");
    let mut names = BTreeSet::new();
    for name in [
        &b"x\xFF"[..],
        b"x\xFE",
        b"line\nbreak",
        b"-o",
        "\u{65E5}".as_bytes(),
    ] {
        write(&inputs.join(OsStr::from_bytes(name)), "text");
    }
    symlink(".", inputs.join("loop")).expect("a link");
    symlink("a.txt", inputs.join("link.txt")).expect("a link");
    symlink("missing", inputs.join("broken")).expect("a link");
    let tally = case.run(&["in"], "out").expect("it ends well");
    assert_eq!((tally.rows, tally.skipped["no-file"]), (57, 3));
    assert!(tally.adds_up());
    for line in case.lines("out") {
        let line: serde_json::Value = serde_json::from_str(&line).expect("a line is JSON");
        let name = line["source"].as_str().expect("a source has a name");
        names.insert(
            name.rsplit_once('/')
                .expect("it is in a folder")
                .1
                .to_owned(),
        );
    }
    for name in ["x\\xFF", "x\\xFE", "line\nbreak", "-o", "\u{65E5}"] {
        assert!(names.contains(name), "{name:?} is not in {names:?}");
    }
    // A link that is named is followed; one that leads nowhere is told of.
    assert_eq!(
        case.run(&["in/link.txt"], "one")
            .expect("it ends well")
            .rows,
        1
    );
    let broken = case.run(&["in/broken"], "two").expect("it ends well");
    assert_eq!(broken.rejected["unreadable"], 1);
    // Nothing at all.
    fs::create_dir(case.path("empty")).expect("a folder");
    assert_eq!(
        case.run(&["empty"], "three").expect("it ends well").records,
        0
    );
}
