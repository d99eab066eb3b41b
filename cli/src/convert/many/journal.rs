//! The journal of a run that can be resumed: text, one line for each file, only ever appended to.
//!
//! The line of a file is written, and on the disk, before the file takes its place. It holds what
//! the input and the output are known by (inode, size, time of change), so that afterwards the files
//! themselves tell whether it came to that, whatever happened in between. Tested by killing runs at
//! random moments, in `tests/cli/killed.rs`.

use std::collections::hash_map::RandomState;
use std::fmt::Write as _;
use std::fs::{File, OpenOptions, TryLockError};
use std::hash::BuildHasher;
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::message::{Escaped, plain};
use crate::os::{self, FileId, Stamp};

const FIRST_LINE: &str = "simdtext journal 1";

pub(crate) struct Journal {
    file: File,
    /// What the run is called in the names of its temporary files.
    run: String,
    id: Option<FileId>,
    fsync: bool,
    resumed: bool,
    earlier: Vec<Earlier>,
    hashers: [RandomState; 2],
    length: Mutex<u64>,
    /// How much of the journal is on the disk.
    on_disk: Mutex<u64>,
}

/// A line of an earlier run. Hashes, so that a million of them take 32 MB.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Earlier {
    path: u128,
    input: u64,
    output: u64,
}

/// What an earlier run did with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Before {
    /// Nothing, or nothing that lasted.
    Nothing,
    Finished,
    /// Finished it, and then it was changed.
    Changed,
}

impl Journal {
    /// Opens the journal at `path`, or begins one. `options` decide what is written, and must be
    /// those of the earlier runs.
    pub(crate) fn open(path: &Path, options: &str, fsync: bool) -> Result<Self, String> {
        let shown = path.to_string_lossy();
        let shown = Escaped(&shown);
        let cannot =
            |error: io::Error| format!("cannot use the journal {shown}: {}", plain(&error));
        let file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(cannot)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!("the journal {shown} is in use by another run"));
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
        let metadata = file.metadata().map_err(cannot)?;
        let mut journal = Self {
            id: FileId::of(&metadata),
            file,
            run: String::new(),
            fsync,
            resumed: false,
            earlier: Vec::new(),
            hashers: [RandomState::new(), RandomState::new()],
            length: Mutex::new(0),
            on_disk: Mutex::new(0),
        };
        journal.read(&shown, options)?;
        journal.begin(path, options).map_err(cannot)?;
        Ok(journal)
    }

    /// Reads what earlier runs wrote, and cuts off a last line that was not finished.
    fn read(&mut self, shown: &Escaped<'_>, options: &str) -> Result<(), String> {
        let cannot =
            |error: io::Error| format!("cannot use the journal {shown}: {}", plain(&error));
        let no_journal = || {
            format!(
                "{shown} is no journal of simdtext's; nothing was read or written. Name a new file"
            )
        };
        self.file.rewind().map_err(cannot)?;
        let mut reader = BufReader::new(self.file.try_clone().map_err(cannot)?);
        let mut line = Vec::new();
        let (mut number, mut whole) = (0_u64, 0_u64);
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(cannot)?;
            number += 1;
            if line.pop() != Some(b'\n') {
                // The first lines are written at once; if they are cut, nothing followed them.
                let header = format!("{FIRST_LINE}\n");
                if number == 1 && !header.as_bytes().starts_with(&line) && length > 0 {
                    return Err(no_journal());
                }
                break;
            }
            let text = std::str::from_utf8(&line).unwrap_or_default();
            let known = match number {
                1 if text == FIRST_LINE => true,
                1 => return Err(no_journal()),
                2 => match text.strip_prefix("run ") {
                    Some(run) if run.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                        self.run = String::from(run);
                        true
                    }
                    _ => false,
                },
                3 => match text.strip_prefix("options ") {
                    Some(earlier) if earlier == options => true,
                    Some(earlier) => {
                        return Err(format!(
                            "the journal {shown} is of a run with other flags; nothing was read or \
                             written. It had\n  {earlier}\nand this run has\n  {options}\nRun with \
                             the same flags, or name a new journal"
                        ));
                    }
                    None => false,
                },
                _ => self.line(text).is_some(),
            };
            if !known {
                return Err(format!(
                    "the journal {shown} is damaged in line {number}; nothing was read or written. \
                     Mend or remove that line, or name a new journal"
                ));
            }
            whole += length as u64;
        }
        if number <= 3 {
            // It was cut before any file was begun.
            whole = 0;
        }
        self.file.set_len(whole).map_err(cannot)?;
        self.length = Mutex::new(whole);
        self.resumed = whole > 0;
        self.earlier.sort_unstable();
        Ok(())
    }

    /// Takes the line of one file: nine words.
    fn line(&mut self, text: &str) -> Option<()> {
        let mut words = text.split(' ');
        let mut stamp = || {
            Some(Stamp {
                device: 0,
                inode: words.next()?.parse().ok()?,
                size: words.next()?.parse().ok()?,
                modified: words.next()?.parse().ok()?,
            })
        };
        let (input, output) = (stamp()?, stamp()?);
        let (_result, path, end) = (words.next()?, words.next()?, words.next()?);
        // A line that a crash left half written may be well-formed by chance, but has no end.
        if end != "." || words.next().is_some() {
            return None;
        }
        let earlier = Earlier {
            path: self.hash_path(path),
            input: self.hash_stamp(input),
            output: self.hash_stamp(output),
        };
        self.earlier.push(earlier);
        Some(())
    }

    /// Writes the first lines, where there are none.
    fn begin(&mut self, path: &Path, options: &str) -> io::Result<()> {
        if *self.length.lock().unwrap_or_else(PoisonError::into_inner) > 0 {
            return Ok(());
        }
        self.run = format!("{:016x}", RandomState::new().hash_one(os::name_bytes(path)));
        self.append(&format!(
            "{FIRST_LINE}\nrun {}\noptions {options}\n",
            self.run
        ))?;
        if self.fsync {
            os::sync_folder(&crate::convert::output::folder_of(path))?;
        }
        Ok(())
    }

    /// What the run is called in the names of its temporary files.
    pub(crate) fn run(&self) -> &str {
        &self.run
    }

    /// Whether this is the journal itself.
    pub(crate) fn is(&self, id: Option<&FileId>) -> bool {
        self.id.is_some() && self.id.as_ref() == id
    }

    /// Whether there were earlier runs.
    pub(crate) fn is_resumed(&self) -> bool {
        self.resumed
    }

    /// What earlier runs did with the input at `path`. `output` is what is at the output's place
    /// now, which is the input itself where it is converted in place.
    pub(crate) fn before(&self, path: &Path, input: Stamp, output: Option<Stamp>) -> Before {
        if self.earlier.is_empty() {
            return Before::Nothing;
        }
        let path = self.hash_path(&escaped(path));
        let from = self.earlier.partition_point(|earlier| earlier.path < path);
        let lines = || {
            self.earlier[from..]
                .iter()
                .take_while(|earlier| earlier.path == path)
        };
        let hashed = (
            self.hash_stamp(input),
            output.map(|output| self.hash_stamp(output)),
        );
        let in_place = output == Some(input);
        let finished = lines().any(|earlier| {
            Some(earlier.output) == hashed.1 && (in_place || earlier.input == hashed.0)
        });
        if finished {
            Before::Finished
        } else if !in_place || lines().count() == 0 || lines().any(|line| line.input == hashed.0) {
            Before::Nothing
        } else {
            Before::Changed
        }
    }

    /// Writes the line of a file. When this returns, it survives whatever happens.
    pub(crate) fn write(
        &self,
        path: &Path,
        input: Stamp,
        output: Stamp,
        result: &str,
    ) -> io::Result<()> {
        let mut line = String::new();
        for stamp in [input, output] {
            let Stamp {
                inode,
                size,
                modified,
                ..
            } = stamp;
            // Writing to a string does not fail.
            let _ = write!(line, "{inode} {size} {modified} ");
        }
        let _ = writeln!(line, "{result} {} .", escaped(path));
        self.append(&line)
    }

    /// Appends whole lines, and waits for the disk. Lines of several workers wait together.
    fn append(&self, lines: &str) -> io::Result<()> {
        let end = {
            let mut length = self.length.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = (&self.file).write_all(lines.as_bytes()) {
                // Half a line in the middle would damage the journal.
                self.file.set_len(*length)?;
                return Err(error);
            }
            *length += lines.len() as u64;
            *length
        };
        if self.fsync {
            let mut on_disk = self.on_disk.lock().unwrap_or_else(PoisonError::into_inner);
            if *on_disk < end {
                let written = *self.length.lock().unwrap_or_else(PoisonError::into_inner);
                self.file.sync_data()?;
                *on_disk = written;
            }
        }
        Ok(())
    }

    fn hash_path(&self, escaped: &str) -> u128 {
        let [high, low] = self
            .hashers
            .each_ref()
            .map(|hasher| u128::from(hasher.hash_one(escaped)));
        high << 64 | low
    }

    fn hash_stamp(&self, stamp: Stamp) -> u64 {
        self.hashers[0].hash_one(Stamp { device: 0, ..stamp })
    }
}

/// The full path as one word of ASCII: other bytes, spaces and "%" as "%XX".
fn escaped(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut word = String::new();
    for byte in os::name_bytes(&path) {
        if byte.is_ascii_graphic() && byte != b'%' {
            word.push(char::from(byte));
        } else {
            let _ = write!(word, "%{byte:02X}");
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::{Before, Journal};
    use crate::os::Stamp;

    fn stamp(inode: u64) -> Stamp {
        Stamp {
            device: 0,
            inode,
            size: 7,
            modified: -1,
        }
    }

    #[test]
    fn a_cut_anywhere_loses_only_what_is_behind_it() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("state");
        let journal = Journal::open(&path, "options", false).expect("it can be made");
        let names = ["/a b", "/c%\n", "/d"];
        for (i, name) in (1..).zip(names) {
            let written = journal.write(Path::new(name), stamp(i), stamp(i + 10), "converted");
            written.expect("it can be written");
        }
        drop(journal);
        let whole = fs::read(&path).expect("it can be read");
        let ends: Vec<usize> = (0..whole.len()).filter(|i| whole[*i] == b'\n').collect();
        for cut in 0..=whole.len() {
            fs::write(&path, &whole[..cut]).expect("it can be written");
            let journal = Journal::open(&path, "options", false).expect("a cut does no harm");
            for (i, name) in (1..).zip(names) {
                let name = Path::new(name);
                let there = cut > ends[2 + i];
                let i = i as u64;
                let finished = journal.before(name, stamp(i + 10), Some(stamp(i + 10)));
                assert_eq!(finished == Before::Finished, there, "{cut}");
                let original = journal.before(name, stamp(i), Some(stamp(i)));
                assert_eq!(original, Before::Nothing);
                let other = journal.before(name, stamp(99), Some(stamp(99)));
                assert_eq!(other == Before::Changed, there, "{cut}");
            }
            // What is appended is read again.
            let written = journal.write(Path::new("/e"), stamp(5), stamp(15), "converted");
            written.expect("it can be written");
            drop(journal);
            let journal = Journal::open(&path, "options", true).expect("it is whole");
            let finished = journal.before(Path::new("/e"), stamp(15), Some(stamp(15)));
            assert_eq!(finished, Before::Finished, "{cut}");
        }
    }

    #[test]
    fn others_are_refused() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let path = folder.path().join("state");
        let journal = Journal::open(&path, "one", false).expect("it can be made");
        let error = Journal::open(&path, "one", false).err().unwrap_or_default();
        assert!(error.contains("in use"), "{error}");
        drop(journal);
        let error = Journal::open(&path, "two", false).err().unwrap_or_default();
        assert!(error.contains("other flags"), "{error}");
        for (contents, words) in [
            ("some text\n", "no journal"),
            ("text", "no journal"),
            ("simdtext journal 1\nrun 12\noptions one\nx\n", "line 4"),
            ("simdtext journal 1\nrun ..\noptions one\n", "line 2"),
        ] {
            fs::write(&path, contents).expect("it can be written");
            let error = Journal::open(&path, "one", false).err().unwrap_or_default();
            assert!(error.contains(words), "{error}");
            assert_eq!(fs::read_to_string(&path).expect("it is there"), contents);
        }
    }
}
