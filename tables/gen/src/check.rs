//! `check`: compares the committed files with what the generator writes.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::Path;

use crate::fingerprints;
use crate::outputs::Output;
use crate::problem::{Problem, Result};
use crate::{RESTORE, sha256};

/// The result of a check: how many files are right, and each fault.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) right: usize,
    pub(crate) faults: Vec<Problem>,
}

/// Compares the folder `tables` byte for byte with `outputs`, which were made from the source.
pub(crate) fn against_source(tables: &Path, outputs: &[Output]) -> Result<Report> {
    let mut report = Report::default();
    for output in outputs {
        let Some(bytes) = report.read(tables, &output.name)? else {
            continue;
        };
        match first_difference(&bytes, &output.bytes) {
            None => report.right += 1,
            Some(place) => report.fault(
                tables,
                &output.name,
                format!("differs from what the source gives, from byte {place} on"),
            ),
        }
    }
    report.strays(tables, outputs.iter().map(|output| output.name.as_str()))?;
    Ok(report)
}

/// Compares the folder `tables` with its own FINGERPRINTS.
pub(crate) fn against_fingerprints(tables: &Path) -> Result<Report> {
    let path = tables.join(fingerprints::FILE);
    let text = std::fs::read_to_string(&path)
        .map_err(|error| Problem::io(&path, "read the fingerprints", &error, RESTORE))?;
    let listed = fingerprints::parse(&text)?;
    if listed.is_empty() {
        let path = path.display().to_string();
        return Err(Problem::new(path, "no output is listed", RESTORE));
    }
    let mut report = Report::default();
    for (name, expected) in &listed {
        let Some(bytes) = report.read(tables, name)? else {
            continue;
        };
        let length = bytes.len();
        if length != expected.length {
            let what = format!(
                "has {length} bytes, and its fingerprint says {}",
                expected.length
            );
            report.fault(tables, name, what);
        } else if sha256::hex(&bytes) != expected.sha256 {
            report.fault(
                tables,
                name,
                "its SHA-256 is not the one of its fingerprint".to_owned(),
            );
        } else {
            report.right += 1;
        }
    }
    report.strays(tables, listed.keys().map(String::as_str))?;
    Ok(report)
}

impl Report {
    fn fault(&mut self, tables: &Path, name: &str, what: String) {
        let path = tables.join(name).display().to_string();
        self.faults.push(Problem::new(path, what, RESTORE));
    }

    /// The bytes of a file. A missing file is a fault that the check reports, and not an error of the check.
    fn read(&mut self, tables: &Path, name: &str) -> Result<Option<Vec<u8>>> {
        let path = tables.join(name);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.fault(tables, name, "is missing".to_owned());
                Ok(None)
            }
            Err(error) => Err(Problem::io(&path, "read", &error, "see to its permissions")),
        }
    }

    /// Tables that are not generated: left by an older generator, or never checked.
    fn strays<'a>(&mut self, tables: &Path, known: impl Iterator<Item = &'a str>) -> Result<()> {
        let known: BTreeSet<&OsStr> = known.map(OsStr::new).collect();
        let unreadable =
            |error| Problem::io(tables, "list the folder", &error, "name it with --tables");
        let mut strays = BTreeSet::new();
        for entry in std::fs::read_dir(tables).map_err(unreadable)? {
            let name = entry.map_err(unreadable)?.file_name();
            let is_table = Path::new(&name).extension() == Some(OsStr::new("bin"));
            if is_table && !known.contains(name.as_os_str()) {
                strays.insert(name);
            }
        }
        for name in strays {
            self.faults.push(Problem::new(
                tables.join(name).display().to_string(),
                "is not among the generated files",
                "delete it",
            ));
        }
        Ok(())
    }
}

/// Where two files begin to differ: the first byte that is different, or the end of the shorter one.
fn first_difference(left: &[u8], right: &[u8]) -> Option<usize> {
    let common = left.iter().zip(right).take_while(|(a, b)| a == b).count();
    (left.len() != right.len() || common != left.len()).then_some(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found_in_the_middle_and_at_the_end() {
        assert_eq!(first_difference(b"abc", b"abc"), None);
        assert_eq!(first_difference(b"abc", b"aXc"), Some(1));
        assert_eq!(first_difference(b"abc", b"ab"), Some(2));
        assert_eq!(first_difference(b"", b"a"), Some(0));
    }
}
