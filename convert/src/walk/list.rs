//! The lists of `--files-from` and `--from-list`: paths, or paths and labels of encodings.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use super::{Found, FoundFile, UnusableInput};
use crate::charset::Charset;
use crate::labels::parse_charset;
use crate::message::{plain, shown};
use crate::os;
use crate::scratch::Scratch;

/// No system has longer paths, in bytes. A longer record shows that this is not a list of paths.
const LONGEST_PATH: usize = 64 * 1024;

pub(super) struct List {
    name: PathBuf,
    file: File,
    /// Records end with a zero byte and not with a line feed.
    null: bool,
    /// Each path is followed by a tab and a label.
    labelled: bool,
}

/// One record: a path, and the encoding that is stated for it.
type Listed = (PathBuf, Option<Charset>);

impl List {
    /// `Err` says what can't be read. All labels are checked here, before anything is written.
    pub(super) fn open(name: &Path, null: bool, labelled: bool) -> Result<Self, String> {
        let failed = |error: &io::Error| format!("cannot read {}: {}", shown(name), plain(error));
        let list = Self {
            name: name.to_path_buf(),
            file: file(name).map_err(|error| failed(&error))?,
            null,
            labelled,
        };
        if labelled {
            list.records(&mut |_| true)
                .map_err(|error| failed(&error))?;
        }
        Ok(list)
    }

    pub(super) fn path(&self) -> &Path {
        &self.name
    }

    pub(super) fn each(&self, each: &mut dyn FnMut(Found) -> bool) -> io::Result<()> {
        self.records(&mut |record| each(self.one(record)))
    }

    fn records(&self, each: &mut dyn FnMut(Listed) -> bool) -> io::Result<()> {
        // By offset, because the walk that counts for the progress bar reads it at the same time.
        let mut reader = BufReader::new(os::reader(&self.file));
        let mut bytes = Vec::new();
        let end = if self.null { 0 } else { b'\n' };
        let mut number = 0_u64;
        loop {
            bytes.clear();
            let room = LONGEST_PATH as u64 + 1;
            if (&mut reader).take(room).read_until(end, &mut bytes)? == 0 {
                return Ok(());
            }
            number += 1;
            if bytes.last() == Some(&end) {
                bytes.pop();
            } else if bytes.len() > LONGEST_PATH {
                return Err(too_long(number, self.null));
            }
            if bytes.is_empty() {
                continue;
            }
            let record = self.record(&bytes).map_err(|why| {
                let unit = if self.null { "record" } else { "line" };
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("{unit} {number}: {why}"),
                )
            })?;
            if !each(record) {
                return Ok(());
            }
        }
    }

    /// `Err` says what is wrong with it.
    fn record(&self, bytes: &[u8]) -> Result<Listed, String> {
        if bytes.contains(&0) {
            return Err(String::from(
                "there is a zero byte, which no path has; with -0, a zero byte ends each path",
            ));
        }
        let path = |bytes: &[u8]| os::path_of_bytes(bytes.to_vec()).map_err(|error| plain(&error));
        if !self.labelled {
            return Ok((path(bytes)?, None));
        }
        let Some(tab) = bytes.iter().rposition(|byte| *byte == b'\t') else {
            return Err(String::from(
                "there is no tab; write PATH, a tab and the label of its encoding",
            ));
        };
        let (name, label) = (&bytes[..tab], &bytes[tab + 1..]);
        if name.is_empty() {
            return Err(String::from("there is no path before the tab"));
        }
        let label = String::from_utf8_lossy(label);
        // The CR of a list from Windows is not part of the label, and neither are spaces.
        let label = label.trim();
        let from = parse_charset(label).map_err(|why| {
            match parse_charset(&String::from_utf8_lossy(name)) {
                Ok(_) => {
                    String::from("the label is before the tab; write PATH, a tab and the label")
                }
                Err(_) => format!("{label:?}: {why}"),
            }
        })?;
        Ok((path(name)?, Some(from)))
    }

    /// What is part of the path, and was hardly meant to be.
    fn added_by_windows(&self, path: &Path) -> Option<&'static str> {
        let name = os::name_bytes(path);
        if !self.null && name.ends_with(b"\r") {
            Some("its line ends with CR LF, and the CR is part of the name; end lines with LF")
        } else if name.starts_with("\u{FEFF}".as_bytes()) {
            Some("the list begins with a byte order mark, which is part of the name; remove it")
        } else {
            None
        }
    }

    fn one(&self, (path, from): Listed) -> Found {
        let metadata = fs::metadata(&path);
        if let Err(error) = &metadata
            && error.kind() == io::ErrorKind::NotFound
            && let Some(hint) = self.added_by_windows(&path)
        {
            let why = format!("{}; {hint}", plain(error));
            return Found::Unusable(UnusableInput::error(path, why));
        }
        if metadata.is_ok_and(|metadata| metadata.is_dir()) {
            let why = format!(
                "it is a folder, and {} is to list files; name folders as PATH",
                shown(&self.name)
            );
            return Found::Unusable(UnusableInput::error(path, why));
        }
        Found::File(FoundFile {
            relative: path
                .components()
                .filter(|component| *component != Component::CurDir)
                .collect(),
            path,
            named: true,
            from,
        })
    }
}

/// The list, or a copy of it if it can be read only once. It is read twice, because errors have to be found
/// before any file is changed.
fn file(name: &Path) -> io::Result<File> {
    let mut reader: Box<dyn Read> = if name == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(name)?;
        if file.metadata()?.is_file() {
            return Ok(file);
        }
        Box::new(file)
    };
    let mut copy = Scratch::new()?;
    io::copy(&mut reader, &mut copy)?;
    Ok(copy.into_file())
}

fn too_long(number: u64, null: bool) -> io::Error {
    let hint = if null {
        "without -0, each line is a path"
    } else {
        "with -0, a zero byte ends each path"
    };
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("path {number} is longer than {LONGEST_PATH} bytes, which no path can be; {hint}"),
    )
}
