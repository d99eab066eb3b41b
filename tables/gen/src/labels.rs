//! Names and labels (section 4): `encodings.json` to `labels.rs`.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;

use crate::problem::{PUBLISHED, Problem, Result};
use crate::sha256;

/// The file of the standard that lists names and labels.
pub(crate) const FILE: &str = "encodings.json";

/// What `encodings.json` says.
#[derive(Debug)]
pub(crate) struct Encodings {
    /// The file's SHA-256.
    pub(crate) sha256: String,
    /// In the order of the standard.
    encodings: Vec<Encoding>,
}

#[derive(Debug)]
struct Encoding {
    name: String,
    labels: Vec<String>,
    single_byte: bool,
}

impl Encodings {
    /// Reads `encodings.json` of the folder `from`.
    pub(crate) fn read(from: &Path) -> Result<Self> {
        let path = from.join(FILE);
        let bytes = std::fs::read(&path).map_err(|error| {
            let to_do = format!(
                "name the folder of the index files with --from, or fetch them from {PUBLISHED}"
            );
            Problem::io(&path, "read the labels", &error, to_do)
        })?;
        Self::parse(&bytes)
    }

    fn parse(bytes: &[u8]) -> Result<Self> {
        let json: Value = serde_json::from_slice(bytes).map_err(|error| {
            Problem::source(FILE, format!("this is no JSON: {error}")).at_line(error.line())
        })?;
        let mut encodings = Vec::new();
        for group in list(Some(&json), "the file")? {
            let heading = text(group.get("heading"), "the heading of a group")?;
            for encoding in list(group.get("encodings"), heading)? {
                let name = text(encoding.get("name"), "the name of an encoding")?;
                let labels = list(encoding.get("labels"), name)?
                    .iter()
                    .map(|label| text(Some(label), "a label").map(str::to_owned))
                    .collect::<Result<_>>()?;
                encodings.push(Encoding {
                    name: name.to_owned(),
                    labels,
                    single_byte: heading == "Legacy single-byte encodings",
                });
            }
        }
        if encodings.len() > usize::from(u8::MAX) {
            return Err(Problem::source(
                FILE,
                "more encodings than a byte can count",
            ));
        }
        Ok(Self {
            sha256: sha256::hex(bytes),
            encodings,
        })
    }

    /// The single-byte encodings that have an index of their own, as their index files are named.
    pub(crate) fn single_byte_indexes(&self) -> Vec<String> {
        let single_byte = self
            .encodings
            .iter()
            .filter(|encoding| encoding.single_byte);
        // ISO-8859-8-I is ISO-8859-8 for another direction of text; it has no index.
        let own = single_byte.filter(|encoding| encoding.name != "ISO-8859-8-I");
        own.map(|encoding| encoding.name.to_ascii_lowercase())
            .collect()
    }

    /// `labels.rs`, laid out as rustfmt would.
    pub(crate) fn rust(&self) -> Result<String> {
        let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
        for (row, encoding) in self.encodings.iter().enumerate() {
            for label in &encoding.labels {
                if rows.insert(label, row).is_some() {
                    let what = format!("the label `{label}` is listed twice");
                    return Err(Problem::source(FILE, what));
                }
            }
        }
        let mut rust = String::from(
            "// Written by `cargo run -p simdtext-tables -- generate`; do not edit.\n\
             // Source: encodings.json of the WHATWG Encoding Standard (LICENSE-WHATWG).\n\n\
             /// The name and the labels of every encoding, in the order of the standard.\n",
        );
        write_encodings(&mut rust, &self.encodings).expect("a String takes everything");
        write_labels(&mut rust, &rows).expect("a String takes everything");
        Ok(rust)
    }
}

/// rustfmt's `array_width` and `fn_call_width`: longer lists are broken up.
const WIDTH: usize = 60;

fn write_encodings(rust: &mut String, encodings: &[Encoding]) -> std::fmt::Result {
    let count = encodings.len();
    writeln!(
        rust,
        "pub(crate) static ENCODINGS: [(&str, &[&str]); {count}] = ["
    )?;
    for Encoding { name, labels, .. } in encodings {
        let quoted: Vec<String> = labels.iter().map(|label| format!("{label:?}")).collect();
        let list = quoted.join(", ");
        if format!("{name:?}, &[{list}]").len() <= WIDTH {
            writeln!(rust, "    ({name:?}, &[{list}]),")?;
            continue;
        }
        writeln!(rust, "    (\n        {name:?},")?;
        if list.len() <= WIDTH {
            writeln!(rust, "        &[{list}],")?;
        } else {
            writeln!(rust, "        &[")?;
            for label in quoted {
                writeln!(rust, "            {label},")?;
            }
            writeln!(rust, "        ],")?;
        }
        writeln!(rust, "    ),")?;
    }
    writeln!(rust, "];")
}

fn write_labels(rust: &mut String, rows: &BTreeMap<&str, usize>) -> std::fmt::Result {
    let count = rows.len();
    writeln!(
        rust,
        "\n/// Every label, in byte order, with its encoding as a row of `ENCODINGS`."
    )?;
    writeln!(rust, "pub(crate) static LABELS: [(&str, u8); {count}] = [")?;
    for (label, row) in rows {
        writeln!(rust, "    ({label:?}, {row}),")?;
    }
    writeln!(rust, "];")
}

fn list<'a>(value: Option<&'a Value>, what: &str) -> Result<&'a [Value]> {
    value
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .ok_or_else(|| Problem::source(FILE, format!("{what}: expected a list")))
}

fn text<'a>(value: Option<&'a Value>, what: &str) -> Result<&'a str> {
    value
        .and_then(Value::as_str)
        .ok_or_else(|| Problem::source(FILE, format!("{what}: expected a string")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = r#"[
        {"heading": "The Encoding", "encodings": [
            {"name": "UTF-8", "labels": ["utf8", "unicode-1-1-utf-8"]}]},
        {"heading": "Legacy single-byte encodings", "encodings": [
            {"name": "IBM866", "labels": ["866"]},
            {"name": "ISO-8859-8", "labels": ["hebrew"]},
            {"name": "ISO-8859-8-I", "labels": ["logical"]}]}
    ]"#;

    #[test]
    fn single_byte_indexes_are_listed_once() {
        let encodings = Encodings::parse(SMALL.as_bytes()).unwrap();
        assert_eq!(encodings.single_byte_indexes(), ["ibm866", "iso-8859-8"]);
    }

    #[test]
    fn labels_are_sorted_and_point_at_their_encoding() {
        let rust = Encodings::parse(SMALL.as_bytes()).unwrap().rust().unwrap();
        assert!(rust.contains("ENCODINGS: [(&str, &[&str]); 4]"), "{rust}");
        assert!(
            rust.contains("    (\"UTF-8\", &[\"utf8\", \"unicode-1-1-utf-8\"]),\n"),
            "{rust}"
        );
        let labels = rust.split_once("LABELS").unwrap().1;
        assert_eq!(
            labels,
            ": [(&str, u8); 5] = [\n    (\"866\", 1),\n    (\"hebrew\", 2),\n    \
             (\"logical\", 3),\n    (\"unicode-1-1-utf-8\", 0),\n    (\"utf8\", 0),\n];\n"
        );
    }

    #[test]
    fn faults_are_told() {
        for (json, expected) in [
            ("[\n{]", "encodings.json, line 2: this is no JSON"),
            ("{}", "the file: expected a list"),
            ("[{}]", "the heading of a group: expected a string"),
            (r#"[{"heading": "H"}]"#, "H: expected a list"),
            (
                r#"[{"heading": "H", "encodings": [{"name": "N", "labels": [1]}]}]"#,
                "a label: expected a string",
            ),
        ] {
            let message = Encodings::parse(json.as_bytes())
                .expect_err(json)
                .to_string();
            assert!(message.contains(expected), "{json}: {message}");
        }
        let twice = r#"[{"heading": "H", "encodings": [{"name": "N", "labels": ["l", "l"]}]}]"#;
        let message = Encodings::parse(twice.as_bytes())
            .unwrap()
            .rust()
            .unwrap_err();
        assert!(
            message.to_string().contains("`l` is listed twice"),
            "{message}"
        );
    }
}
