//! Journals that are cut, edited and used on trees that have moved.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Before, Journal, Record, Use};
use crate::os::Stamp;

const NEVER: fn() -> io::Result<u128> = || panic!("there is no need to read the file");

fn stamp(inode: u64) -> Stamp {
    Stamp {
        device: 3,
        inode,
        size: 700,
        modified: -1,
    }
}

fn open_with(path: &Path, options: &str, roots: &[PathBuf]) -> Result<Journal, String> {
    let with = Use {
        options,
        roots,
        fsync: false,
        dry: false,
    };
    let journal = Journal::open(path, &with).map_err(|error| error.to_string())?;
    Ok(journal.expect("it is not only read"))
}

fn open(path: &Path) -> Result<Journal, String> {
    open_with(path, "options", &[])
}

/// A record of a file that was converted in place.
fn record(
    journal: &Journal,
    path: &Path,
    (input, output): (u64, u64),
    content: Option<u128>,
) -> Record<'static> {
    Record {
        result: "converted",
        listed: "",
        input: stamp(input),
        output: stamp(output),
        content,
        over: None,
        place: journal.place(path),
        path: None,
    }
}

/// A journal with three files, and what is in it.
fn journal_of_three(folder: &Path) -> (PathBuf, Vec<u8>) {
    let path = folder.join("state");
    let journal = open_with(&path, "options", &[folder.to_path_buf()]).expect("it can be made");
    for (i, name) in (1..).zip(["/a b", "/c%\n", "/d"]) {
        let written = journal.write(&record(
            &journal,
            Path::new(name),
            (i, i + 10),
            Some(u128::from(i)),
        ));
        written.expect("it can be written");
    }
    drop(journal);
    let bytes = fs::read(&path).expect("it can be read");
    (path, bytes)
}

#[test]
fn an_unfinished_last_line_is_dropped() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (path, whole) = journal_of_three(folder.path());
    for more in ["9", "9 file converted 1:2:3:4 ", "\0\0\0"] {
        let mut bytes = whole.clone();
        bytes.extend_from_slice(more.as_bytes());
        fs::write(&path, bytes).expect("it can be written");
        let journal = open(&path).expect("a kill leaves this");
        for (i, name) in (1..).zip(["/a b", "/c%\n", "/d"]) {
            let name = Path::new(name);
            let before = |inode, content: fn() -> io::Result<u128>| {
                let now = stamp(inode);
                let before = journal.before(name, now, Some(now), "", content);
                before.expect("it can be read")
            };
            assert_eq!(before(i + 10, NEVER), Before::Finished);
            // The file system was mounted again: the inode is a different one, so the content is compared.
            assert_eq!(before(99, || Ok(2)), Before::Finished);
            assert_eq!(before(99, || Ok(7)), Before::Nothing);
        }
        drop(journal);
        assert_eq!(fs::read(&path).expect("it can be read"), whole);
    }
}

#[test]
fn a_cut_anywhere_else_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (path, whole) = journal_of_three(folder.path());
    for cut in 0..whole.len() {
        fs::write(&path, &whole[..cut]).expect("it can be written");
        let error = open(&path).err().unwrap_or_default();
        let line = 1 + whole[..cut].iter().filter(|byte| **byte == b'\n').count();
        let named = error.contains(&format!("in line {line}"));
        assert!(named || (line <= 3 && !error.is_empty()), "{cut}: {error}");
        assert_eq!(fs::read(&path).expect("it is there"), &whole[..cut]);
    }
}

#[test]
fn a_line_that_is_missing_or_changed_is_named() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (path, whole) = journal_of_three(folder.path());
    let lines: Vec<&[u8]> = whole.split_inclusive(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len(), 8);
    for missing in 3..lines.len() {
        let rest: Vec<&[u8]> = (0..lines.len())
            .filter(|i| *i != missing)
            .map(|i| lines[i])
            .collect();
        fs::write(&path, rest.concat()).expect("it can be written");
        let error = open(&path).err().unwrap_or_default();
        let wanted = format!("in line {}", missing + 1);
        assert!(error.contains(&wanted), "{missing}: {error}");
        assert!(!error.contains("remove that line"), "{error}");
    }
    // Exchange two lines.
    let mut swapped = lines.clone();
    swapped.swap(5, 6);
    fs::write(&path, swapped.concat()).expect("it can be written");
    let error = open(&path).err().unwrap_or_default();
    assert!(error.contains("in line 6"), "{error}");
    for place in 0..whole.len() {
        for bit in [0, 5] {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << bit;
            fs::write(&path, &bytes).expect("it can be written");
            assert!(open(&path).is_err(), "{place}, bit {bit}");
            assert_eq!(fs::read(&path).expect("it is there"), bytes);
        }
    }
}

#[test]
fn what_is_appended_is_read_again() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (path, _) = journal_of_three(folder.path());
    for i in 20..23 {
        let journal = open_with(&path, "options", &[PathBuf::from("/")]).expect("it is whole");
        let name = PathBuf::from(format!("/{i}"));
        let written = journal.write(&record(&journal, &name, (i, i + 100), None));
        written.expect("it can be written");
        drop(journal);
        let journal = open(&path).expect("it is whole");
        for j in 20..=i {
            let now = stamp(j + 100);
            let name = PathBuf::from(format!("/{j}"));
            let before = journal.before(&name, now, Some(now), "", || Ok(0));
            assert_eq!(before.expect("it can be read"), Before::Finished);
        }
    }
}

#[test]
fn what_became_of_a_file_in_place() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("state");
    let journal = open(&path).expect("it can be made");
    let (a, short, left) = (Path::new("/a"), Path::new("/short"), Path::new("/left"));
    let small = |inode| Stamp {
        size: 3,
        ..stamp(inode)
    };
    let shorts = Record {
        input: small(3),
        output: small(4),
        ..record(&journal, short, (0, 0), Some(0x77))
    };
    for record in [
        record(&journal, a, (1, 2), Some(0x55)),
        shorts,
        record(&journal, left, (5, 5), Some(0x66)),
    ] {
        journal.write(&record).expect("it can be written");
    }
    drop(journal);
    let journal = open(&path).expect("it is whole");
    let elsewhere = Path::new("/elsewhere");
    let touched = |inode| Stamp {
        modified: 8,
        ..stamp(inode)
    };
    for (name, now, content, before) in [
        // As it was written; renamed; mounted again; mounted again and renamed.
        (a, stamp(2), 0, Before::Finished),
        (elsewhere, stamp(2), 0x55, Before::Finished),
        (a, stamp(90), 0x55, Before::Finished),
        (elsewhere, stamp(90), 0x55, Before::Finished),
        // The original: the run was killed, and the file system mounted again.
        (a, stamp(1), 0, Before::Nothing),
        (a, stamp(91), 0, Before::Nothing),
        (elsewhere, stamp(1), 0, Before::Nothing),
        // Changed; renamed and changed.
        (a, touched(2), 0, Before::Changed),
        (a, touched(92), 0, Before::Changed),
        (elsewhere, touched(2), 0, Before::Changed),
        // Another file.
        (elsewhere, touched(93), 0, Before::Nothing),
        // Three bytes may be the same by chance.
        (short, small(94), 0x77, Before::Finished),
        (elsewhere, small(94), 0x77, Before::Unsure),
        (elsewhere, small(4), 0x77, Before::Finished),
        // Conversion does not change these bytes, whatever they are called.
        (left, stamp(5), 0, Before::Finished),
        (elsewhere, stamp(5), 0, Before::Finished),
        (elsewhere, stamp(95), 0x66, Before::Finished),
        (left, touched(5), 0, Before::Changed),
    ] {
        let found = journal.before(name, now, Some(now), "", || Ok(content));
        let found = found.expect("it can be read");
        assert_eq!(found, before, "{name:?} {now:?} {content:x}");
    }
}

#[test]
fn what_became_of_an_output_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("state");
    let journal = open(&path).expect("it can be made");
    let target = Path::new("/out/a");
    let written = journal.write(&Record {
        over: Some(stamp(8)),
        path: Some(journal.place(Path::new("/a"))),
        ..record(&journal, target, (1, 2), Some(0x55))
    });
    written.expect("it can be written");
    drop(journal);
    let journal = open(&path).expect("it is whole");
    for (input, output, content, before) in [
        (1, Some(2), 0, Before::Finished),
        (1, None, 0, Before::Nothing),
        // The input was changed: it is converted again.
        (9, Some(2), 0, Before::Nothing),
        // What was there before the first run.
        (1, Some(8), 0, Before::Nothing),
        (1, Some(90), 0x55, Before::Nothing),
        (1, Some(90), 0, Before::OutputChanged),
        (9, Some(90), 0, Before::OutputChanged),
    ] {
        let found = journal.before(target, stamp(input), output.map(stamp), "", || Ok(content));
        let found = found.expect("it can be read");
        assert_eq!(found, before, "{input} {output:?} {content:x}");
    }
    let other = journal.before(Path::new("/out/b"), stamp(1), Some(stamp(90)), "", || Ok(0));
    assert_eq!(other.expect("it can be read"), Before::Nothing);
}

#[test]
fn a_folder_that_was_renamed() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let top = fs::canonicalize(folder.path()).expect("it is there");
    let path = top.join("state");
    let [old, new] = ["old %", "new"].map(|name| top.join(name));
    fs::create_dir(&old).expect("a folder can be made");
    let roots = [old.clone()];
    let journal = open_with(&path, "options", &roots).expect("it can be made");
    let written = journal.write(&record(&journal, &old.join("a"), (1, 2), None));
    written.expect("it can be written");
    drop(journal);
    fs::rename(&old, &new).expect("it is ours");
    let journal = open_with(&path, "options", std::slice::from_ref(&new)).expect("it is whole");
    // It has the size and the time of the original.
    let original = journal.before(&new.join("a"), stamp(9), Some(stamp(9)), "", || Ok(0));
    assert_eq!(original.expect("it can be read"), Before::Nothing);
    let touched = Stamp {
        modified: 8,
        ..stamp(9)
    };
    let changed = journal.before(&new.join("a"), touched, Some(touched), "", || Ok(0));
    assert_eq!(changed.expect("it can be read"), Before::Changed);
}

#[test]
fn others_are_refused() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("state");
    let journal = open(&path).expect("it can be made");
    let error = open(&path).err().unwrap_or_default();
    assert!(error.contains("in use"), "{error}");
    drop(journal);
    let error = open_with(&path, "two", &[]).err().unwrap_or_default();
    assert!(error.contains("other flags"), "{error}");
    let endless = "simdtext journal 2\nrun 0123456789abcdef\n".to_owned() + &"x".repeat(1 << 20);
    for (contents, words) in [
        ("some text\n", "not a journal"),
        ("text", "not a journal"),
        ("simdtext journal 1\nrun 12\noptions one\nx\n", "version 1"),
        ("simdtext journal 2\nrun ..\n", "line 2"),
        (&endless, "line 3"),
    ] {
        fs::write(&path, contents).expect("it can be written");
        let error = open(&path).err().unwrap_or_default();
        assert!(error.contains(words), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("it is there"), contents);
    }
}

#[test]
fn a_line_without_an_end_takes_no_memory() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let (path, mut bytes) = journal_of_three(folder.path());
    bytes.resize(bytes.len() + (1 << 20), b'x');
    fs::write(&path, &bytes).expect("it can be written");
    let error = open(&path).err().unwrap_or_default();
    assert!(
        error.contains("in line 9: it is longer than 65536 bytes"),
        "{error}"
    );
}

#[test]
fn it_can_be_read_only() {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("none");
    let with = Use {
        options: "options",
        roots: &[folder.path().to_path_buf()],
        fsync: true,
        dry: true,
    };
    assert!(Journal::open(&path, &with).is_ok_and(|journal| journal.is_none()));
    assert!(!path.exists());
    let (path, mut bytes) = journal_of_three(folder.path());
    bytes.extend_from_slice(b"9 unfini");
    fs::write(&path, &bytes).expect("it can be written");
    let journal = Journal::open(&path, &with).expect("it is whole");
    assert!(journal.is_some_and(|journal| !journal.facts.is_empty()));
    assert_eq!(fs::read(&path).expect("it is there"), bytes);
}
