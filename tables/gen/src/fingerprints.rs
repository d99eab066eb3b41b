//! FINGERPRINTS: the sources of the tables, and the SHA-256 and length of each table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::outputs::Output;
use crate::problem::{Problem, Result};
use crate::sha256;

/// The file's name.
pub(crate) const FILE: &str = "FINGERPRINTS";

/// A file of the standard, and what identifies its version.
pub(crate) struct Source {
    pub(crate) file: String,
    kind: &'static str,
    value: String,
}

impl Source {
    /// An index, which contains an identifier.
    pub(crate) fn identifier(file: &str, value: &str) -> Self {
        Self::new(file, "identifier", value)
    }

    /// A file without an identifier.
    pub(crate) fn sha256(file: &str, value: &str) -> Self {
        Self::new(file, "sha256", value)
    }

    fn new(file: &str, kind: &'static str, value: &str) -> Self {
        Self {
            file: file.to_owned(),
            kind,
            value: value.to_owned(),
        }
    }
}

/// The entry for one generated file in FINGERPRINTS.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    pub(crate) sha256: String,
    pub(crate) length: usize,
}

pub(crate) fn write(sources: &[Source], outputs: &[Output]) -> String {
    let mut text = String::from(
        "# Written by `cargo run -p simdtext-tables -- generate`; do not edit. See README.md.\n",
    );
    for Source { file, kind, value } in sources {
        writeln!(text, "source {file} {kind} {value}").expect("a String takes everything");
    }
    for Output { name, bytes } in outputs {
        let (sha256, length) = (sha256::hex(bytes), bytes.len());
        writeln!(text, "output {name} sha256 {sha256} length {length}")
            .expect("a String takes everything");
    }
    text
}

/// The outputs that `text` lists, by name.
pub(crate) fn parse(text: &str) -> Result<BTreeMap<String, Fingerprint>> {
    let mut outputs = BTreeMap::new();
    for (row, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words[..] {
            [] => {}
            [first, ..] if first.starts_with('#') => {}
            ["source", _, "identifier" | "sha256", _] => {}
            ["output", name, "sha256", sha256, "length", length]
                if length.parse::<usize>().is_ok() =>
            {
                let fingerprint = Fingerprint {
                    sha256: sha256.to_owned(),
                    length: length.parse().unwrap_or_default(),
                };
                outputs.insert(name.to_owned(), fingerprint);
            }
            _ => {
                let what = format!("`{line}` is neither a source nor an output");
                return Err(Problem::new(FILE, what, crate::RESTORE).at_line(row + 1));
            }
        }
    }
    Ok(outputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let sources = [
            Source::identifier("index-x.txt", "0123"),
            Source::sha256("encodings.json", "4567"),
        ];
        let outputs = [Output {
            name: "x.bin".to_owned(),
            bytes: b"abc".to_vec(),
        }];
        let text = write(&sources, &outputs);
        assert!(
            text.contains("source index-x.txt identifier 0123\n"),
            "{text}"
        );
        let fingerprint = Fingerprint {
            sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad".to_owned(),
            length: 3,
        };
        assert_eq!(
            parse(&text).unwrap(),
            BTreeMap::from([("x.bin".to_owned(), fingerprint)])
        );
    }

    #[test]
    fn a_damaged_line_is_named() {
        for text in ["#\noutput x.bin sha256 ab length many\n", "\nrubbish\n"] {
            let message = parse(text).expect_err(text).to_string();
            assert!(message.starts_with("FINGERPRINTS, line 2: "), "{message}");
        }
    }
}
