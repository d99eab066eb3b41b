//! Every record of a corpus in all encodings is accounted for, in every compression and under damage.

#[path = "../examples/make_corpus/archive.rs"]
mod archive;
#[path = "../examples/make_corpus/records.rs"]
mod records;
#[path = "../examples/make_corpus/texts.rs"]
mod texts;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use archive::{Packing, archive};
use records::{Expected, Maker};
use serde_json::Value;
use simdtext_corpus::{Format, Item, Options, RunOptions, Split, Tally, read_split, run, splits};
use texts::Texts;

fn texts() -> Texts {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/utf-8");
    Texts::read(&[&samples], 4096).expect("the samples can be read")
}

/// The lines of all files of a folder.
fn lines(folder: &Path) -> Vec<Value> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .expect("there is a folder")
        .map(|it| it.expect("it can be read").path())
        .collect();
    paths.sort();
    let text: String = paths
        .iter()
        .map(|it| fs::read_to_string(it).expect("it is UTF-8"))
        .collect();
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

fn run_quietly(inputs: &[PathBuf], out: &Path, change: impl Fn(&mut RunOptions)) -> Tally {
    let mut options = RunOptions::new(out);
    options.format = Format::Jsonl;
    change(&mut options);
    run(inputs, &Options::new(), &options, &|_| {}).expect("the run ends well")
}

fn check(file: &Path, expected: &[Expected]) {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let tally = run_quietly(&[file.to_path_buf()], &out, |_| {});
    let what = file.display();
    assert!(tally.adds_up(), "{what}");
    assert_eq!(tally.records, expected.len() as u64, "{what}: {tally:#?}");
    let skipped = expected
        .iter()
        .filter(|it| **it == Expected::Skipped)
        .count();
    assert_eq!(tally.skipped_in_all(), skipped as u64, "{what}");

    let mut found = BTreeMap::new();
    for line in lines(&out.join("text"))
        .into_iter()
        .chain(lines(&out.join("rejected")))
    {
        let number = line["record"].as_u64().expect("a number");
        assert!(
            found.insert(number, line).is_none(),
            "{what}: {number} twice"
        );
    }
    for (number, expected) in expected.iter().enumerate() {
        let line = found.get(&(number as u64));
        let Some(line) = line else {
            assert_eq!(*expected, Expected::Skipped, "{what}: {number}");
            continue;
        };
        let reason = line["reason"].as_str();
        match expected {
            Expected::Text { encoding, text } => {
                assert_eq!(reason, None, "{what}: {number}: {line}");
                assert_eq!(
                    line["encoding"],
                    encoding.name(),
                    "{what}: {number}: {line}"
                );
                assert_eq!(line["text"], text.as_str(), "{what}: {number}");
            }
            Expected::Guess => {}
            Expected::Rejected(expected) => {
                assert_eq!(reason, Some(*expected), "{what}: {number}: {line}");
            }
            Expected::Skipped => panic!("{what}: {number} is there: {line}"),
        }
    }
}

#[test]
fn in_every_compression() {
    let texts = texts();
    let mut maker = Maker::new(&texts, 7);
    let folder = tempfile::tempdir().expect("a folder");
    for packing in Packing::ALL {
        for damaged in [false, true] {
            let made = archive(&mut maker, packing, 300_000, damaged);
            let name = format!(
                "{}{}",
                if damaged { "damaged." } else { "" },
                packing.ending()
            );
            let path = folder.path().join(name);
            fs::write(&path, &made.bytes).expect("it can be written");
            check(&path, &made.expected);
        }
    }
}

/// A tree of files and archives, and the size of a unit that divides the largest of them.
fn tree(folder: &Path) -> u64 {
    let texts = texts();
    let mut maker = Maker::new(&texts, 3);
    fs::create_dir_all(folder.join("b/c")).expect("a folder");
    for (name, bytes) in [
        (
            "a.txt",
            &b"caf\xE9 und Stra\xDFe, na\xEFf, \xFCber \xC4pfel"[..],
        ),
        ("b/empty", b""),
        ("b/c/picture.png", b"\x89PNG\r\n\x1A\n\0\0\0\0\0\0\0\0\0\0"),
        (
            "b/page.html",
            b"<meta charset=euc-jp>\xC6\xFC\xCB\xDC\xFF\xFF!",
        ),
    ] {
        fs::write(folder.join(name), bytes).expect("it can be written");
    }
    for packing in [Packing::Plain, Packing::GzipByRecord] {
        let made = archive(&mut maker, packing, 400_000, true);
        let name = format!("b/{}", packing.ending());
        fs::write(folder.join(name), &made.bytes).expect("it can be written");
    }
    50_000
}

/// All lines of the output, by the names of their files.
fn output(out: &Path) -> BTreeMap<PathBuf, String> {
    let folders = [out.join("text"), out.join("rejected")];
    let entries = folders
        .iter()
        .flat_map(|it| fs::read_dir(it).expect("there is a folder"));
    entries
        .map(|entry| {
            let path = entry.expect("it can be read").path();
            let text = fs::read_to_string(&path).expect("it is UTF-8");
            (
                path.strip_prefix(out).expect("it is below").to_owned(),
                text,
            )
        })
        .collect()
}

#[test]
fn the_output_does_not_depend_on_threads_or_interruptions() {
    let folder = tempfile::tempdir().expect("a folder");
    let inputs = [folder.path().join("in")];
    let unit = tree(&inputs[0]);
    let settings = |options: &mut RunOptions| {
        options.unit_bytes = unit;
        options.part_bytes = 20_000;
    };
    let one = folder.path().join("one");
    let tally = run_quietly(&inputs, &one, settings);
    let expected = output(&one);
    assert!(expected.len() > 20, "{:?}", expected.keys());
    assert!(tally.has_faults());
    let two = folder.path().join("two");
    let of_two = run_quietly(&inputs, &two, |options| {
        settings(options);
        options.jobs = 4;
    });
    assert_eq!(of_two, tally);
    assert!(output(&two) == expected);
    // As a kill leaves it: some parts have no note, some no files, and some files are not whole.
    for lost in 0..12 {
        let mut notes: Vec<_> = fs::read_dir(two.join("_state"))
            .expect("there is a folder")
            .map(|it| it.expect("it can be read").path())
            .filter(|it| {
                it.file_name()
                    .is_some_and(|it| it.to_string_lossy().starts_with("part-"))
            })
            .collect();
        notes.sort();
        fs::remove_file(&notes[notes.len() * lost / 12]).expect("it can be removed");
        fs::write(two.join("text/.unfinished-x"), "{").expect("it can be written");
        let again = run_quietly(&inputs, &two, |options| {
            settings(options);
            options.jobs = 2;
            options.resume = true;
        });
        assert_eq!(again, tally, "{lost}");
        assert!(output(&two) == expected, "{lost}");
    }
    // Other options, other files, or a folder that is in use.
    let refused = |change: &dyn Fn(&mut RunOptions)| {
        let mut options = RunOptions::new(&two);
        options.format = Format::Jsonl;
        settings(&mut options);
        change(&mut options);
        let error = run(&inputs, &Options::new(), &options, &|_| {}).expect_err("it is refused");
        error.to_string()
    };
    assert!(refused(&|_| {}).contains("is not empty"));
    assert!(
        refused(&|it| {
            it.resume = true;
            it.unit_bytes += 1;
        })
        .contains("the options were")
    );
    fs::write(inputs[0].join("a.txt"), "changed").expect("it can be written");
    assert!(refused(&|it| it.resume = true).contains("files were changed"));
}

#[test]
fn splits_give_each_record_once() {
    let folder = tempfile::tempdir().expect("a folder");
    tree(folder.path());
    let path = folder.path().join("b/warc");
    let options = Options::new();
    let records = |split: &Split| -> Vec<_> {
        let records = read_split(split, &options);
        records
            .map(|item| match item {
                Item::Record(record) => format!("{record:?}"),
                Item::Skipped(kind) => kind,
                _ => unreachable!("there are no others"),
            })
            .collect()
    };
    let whole = records(&Split::file(&path));
    for bytes in [1, 1000, 20_000, 1 << 30] {
        let splits = splits(&path, bytes, &options).expect("the file can be read");
        let count = splits.len();
        assert!(
            count == 1 && bytes == 1 << 30 || count > 10,
            "{bytes}: {count}"
        );
        let mut backwards: Vec<_> = splits.iter().rev().map(records).collect();
        backwards.reverse();
        assert!(backwards.concat() == whole, "{bytes}");
        for (split, records) in splits.iter().zip(&backwards) {
            assert!(!records.is_empty(), "{split:?}");
        }
    }
}
