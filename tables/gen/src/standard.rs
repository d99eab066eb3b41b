//! `encodings.json`: the names and labels of the standard (section 4).

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::list::Line;
use crate::problem::{PUBLISHED, Problem, Result};
use crate::sha256;

/// The file of the standard that lists names and labels.
pub(crate) const FILE: &str = "encodings.json";

/// The content of `encodings.json`.
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
}

/// A line of the list of encodings, and the labels.
pub(crate) struct Labelled<'a> {
    pub(crate) line: &'a Line,
    pub(crate) labels: &'a [String],
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

    pub(crate) fn parse(bytes: &[u8]) -> Result<Self> {
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

    /// Each line of `list` with its labels. It is an error if the list and the standard do not have the same
    /// encodings in the same order.
    pub(crate) fn labels_of<'a>(&'a self, list: &'a [Line]) -> Result<Vec<Labelled<'a>>> {
        let number = list.len().max(self.encodings.len());
        let pairs = (0..number).map(|row| match (list.get(row), self.encodings.get(row)) {
            (Some(line), Some(encoding)) if line.name == encoding.name => Ok(Labelled {
                line,
                labels: &encoding.labels,
            }),
            (line, encoding) => Err(Problem::new(
                FILE,
                format!(
                    "encoding {} is {}, and {} in the list of encodings",
                    row + 1,
                    encoding.map_or("missing", |encoding| &encoding.name),
                    line.map_or("missing", |line| line.name),
                ),
                "give each encoding a line in tables/gen/src/list.rs, in the order of the standard",
            )),
        });
        pairs.collect()
    }

    /// Every label, in byte order, and the number of its encoding.
    pub(crate) fn rows(&self) -> Result<BTreeMap<&str, usize>> {
        let mut rows = BTreeMap::new();
        for (row, encoding) in self.encodings.iter().enumerate() {
            for label in &encoding.labels {
                if rows.insert(label.as_str(), row).is_some() {
                    let what = format!("the label `{label}` is listed twice");
                    return Err(Problem::source(FILE, what));
                }
            }
        }
        Ok(rows)
    }
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
    use crate::list::LIST;

    const SMALL: &str = r#"[
        {"heading": "The Encoding", "encodings": [
            {"name": "UTF-8", "labels": ["utf8", "unicode-1-1-utf-8"]}]},
        {"heading": "Legacy single-byte encodings", "encodings": [
            {"name": "IBM866", "labels": ["866"]}]}
    ]"#;

    #[test]
    fn lines_get_their_labels() {
        let encodings = Encodings::parse(SMALL.as_bytes()).unwrap();
        let [utf_8, ibm866] = &encodings.labels_of(&LIST[..2]).unwrap()[..] else {
            panic!("two encodings");
        };
        assert_eq!((utf_8.line.name, ibm866.line.name), ("UTF-8", "IBM866"));
        assert_eq!(utf_8.labels, ["utf8", "unicode-1-1-utf-8"]);
        assert_eq!(ibm866.labels, ["866"]);
    }

    #[test]
    fn a_list_that_is_not_the_standards_is_refused() {
        let encodings = Encodings::parse(SMALL.as_bytes()).unwrap();
        for (list, expected) in [
            (&LIST[..1], "encoding 2 is IBM866, and missing in the list"),
            (
                &LIST[..3],
                "encoding 3 is missing, and ISO-8859-2 in the list",
            ),
            (&LIST[1..3], "encoding 1 is UTF-8, and IBM866 in the list"),
        ] {
            let problem = encodings.labels_of(list).err().expect(expected);
            let message = problem.to_string();
            assert!(message.contains(expected), "{message}");
            assert!(message.contains("list.rs"), "{message}");
        }
    }

    #[test]
    fn labels_are_sorted_and_point_at_their_encoding() {
        let encodings = Encodings::parse(SMALL.as_bytes()).unwrap();
        let rows: Vec<_> = encodings.rows().unwrap().into_iter().collect();
        assert_eq!(rows, [("866", 1), ("unicode-1-1-utf-8", 0), ("utf8", 0)]);
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
            .rows()
            .unwrap_err();
        assert!(
            message.to_string().contains("`l` is listed twice"),
            "{message}"
        );
    }
}
