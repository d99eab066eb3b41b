//! The standard's index files (section 5): lines of a pointer and a code point.

use std::fmt::Write as _;
use std::path::Path;

use crate::problem::{PUBLISHED, Problem, Result};
use crate::sha256;

/// The two forms of index, which differ in how their `Identifier:` is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A code point, or none, for each pointer below this number.
    Dense(u32),
    /// Pairs: *index gb18030 ranges*.
    Ranges,
}

/// One index of the standard, in the order of its pointers.
#[derive(Debug)]
pub(crate) struct Index {
    /// The name of the file, for messages and fingerprints.
    pub(crate) file: String,
    /// The hash by which the standard names this version of the index.
    pub(crate) identifier: String,
    /// Pointer and code point; pointers rise strictly.
    pub(crate) entries: Vec<(u32, u32)>,
}

impl Index {
    /// Reads `index-<name>.txt` of the folder `from`.
    pub(crate) fn read(from: &Path, name: &str, shape: Shape) -> Result<Self> {
        let file = format!("index-{name}.txt");
        let path = from.join(&file);
        let text = std::fs::read_to_string(&path).map_err(|error| {
            let to_do = format!(
                "name the folder of the index files with --from, or fetch them from {PUBLISHED}"
            );
            Problem::io(&path, "read the index", &error, to_do)
        })?;
        Self::parse(file, &text, shape)
    }

    fn parse(file: String, text: &str, shape: Shape) -> Result<Self> {
        let mut identifier = None;
        let mut entries: Vec<(u32, u32)> = Vec::new();
        // Some comments contain U+0085, which is not a line end for `str::lines` and must not be one here.
        for (row, line) in text.lines().enumerate() {
            let fault = |what: String| Problem::source(&file, what).at_line(row + 1);
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            if let Some(comment) = line.strip_prefix('#') {
                if let Some(value) = comment.trim_ascii_start().strip_prefix("Identifier:") {
                    identifier = Some(value.trim_ascii().to_owned());
                }
                continue;
            }
            let (pointer, code_point) = parse_entry(line).map_err(fault)?;
            if let Some(&(previous, _)) = entries.last()
                && pointer <= previous
            {
                return Err(fault(format!(
                    "pointer {pointer} does not come after pointer {previous}"
                )));
            }
            if let Shape::Dense(length) = shape
                && pointer >= length
            {
                return Err(fault(format!(
                    "pointer {pointer} is past the end of the index ({length} pointers)"
                )));
            }
            entries.push((pointer, code_point));
        }
        let identifier = identifier
            .ok_or_else(|| Problem::source(&file, "there is no line `# Identifier: …`"))?;
        let computed = computed_identifier(&entries, shape);
        if computed != identifier {
            return Err(Problem::source(
                &file,
                format!(
                    "the entries do not belong to the file's identifier: it says {identifier}, \
                     they give {computed}"
                ),
            ));
        }
        Ok(Self {
            file,
            identifier,
            entries,
        })
    }

    /// An index that is not from a file, for tests.
    #[cfg(test)]
    pub(crate) fn of(entries: &[(u32, u32)]) -> Self {
        Self {
            file: "index-test.txt".to_owned(),
            identifier: String::new(),
            entries: entries.to_vec(),
        }
    }
}

/// `pointer TAB 0xCODEPOINT TAB comment`.
fn parse_entry(line: &str) -> std::result::Result<(u32, u32), String> {
    let mut columns = line.split('\t').map(str::trim_ascii);
    let pointer = columns.next().unwrap_or_default();
    let pointer = pointer
        .parse()
        .map_err(|_| format!("`{pointer}` is no pointer (a decimal number)"))?;
    let code_point = columns
        .next()
        .ok_or("there is a pointer without a code point after it")?;
    let value = code_point
        .strip_prefix("0x")
        .and_then(|digits| u32::from_str_radix(digits, 16).ok())
        .ok_or_else(|| format!("`{code_point}` is no code point (0x and hexadecimal digits)"))?;
    // 0 marks an unmapped pointer in the tables.
    if value == 0 || char::from_u32(value).is_none() {
        return Err(format!("`{code_point}` is not a scalar value above zero"));
    }
    Ok((pointer, value))
}

/// The SHA-256 of the index written as a Python list: the standard's own script makes the `Identifier:` line
/// like this.
fn computed_identifier(entries: &[(u32, u32)], shape: Shape) -> String {
    let mut list = String::from("[");
    let mut separator = "";
    let mut push = |item: std::fmt::Arguments<'_>| {
        list.push_str(separator);
        separator = ", ";
        list.write_fmt(item).expect("a String takes everything");
    };
    match shape {
        Shape::Ranges => {
            for (pointer, code_point) in entries {
                push(format_args!("[{pointer}, {code_point}]"));
            }
        }
        Shape::Dense(length) => {
            let mut entries = entries.iter().peekable();
            for pointer in 0..length {
                match entries.next_if(|entry| entry.0 == pointer) {
                    Some((_, code_point)) => push(format_args!("{code_point}")),
                    None => push(format_args!("None")),
                }
            }
        }
    }
    list.push(']');
    sha256::hex(list.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three pointers, the second one unmapped: SHA-256 of `[128, None, 65536]`.
    const IDENTIFIER: &str = "6a2fad15cb5a095ff034fe22677759bec5416a0f9ad889ff070d961968b10a7b";
    /// SHA-256 of `[[0, 128], [36, 165]]`.
    const RANGES_IDENTIFIER: &str =
        "c602cbf6e315a88493e99e65bdba795c85c95b47b0adee95ef8a3322e2e58479";

    fn parse(body: &str) -> Result<Index> {
        let text = format!("# Identifier: {IDENTIFIER}\n# Date: 2024-09-18\n\n{body}");
        Index::parse("index-x.txt".to_owned(), &text, Shape::Dense(3))
    }

    fn fault(body: &str) -> String {
        parse(body).expect_err(body).to_string()
    }

    #[test]
    fn entries_and_identifier_are_read() {
        let index = parse("    0\t0x0080\t\u{80} (<control>)\n    2\t0x10000\t𐀀 (name)\n")
            .expect("well-formed");
        assert_eq!(index.identifier, IDENTIFIER);
        assert_eq!(index.entries, [(0, 0x80), (2, 0x1_0000)]);
    }

    #[test]
    fn ranges_are_read() {
        let text = format!("# Identifier: {RANGES_IDENTIFIER}\n 0\t0x0080\n 36\t0x00A5\n");
        let index = Index::parse("index-r.txt".to_owned(), &text, Shape::Ranges).expect("ranges");
        assert_eq!(index.entries, [(0, 0x80), (36, 0xA5)]);
    }

    #[test]
    fn a_next_line_character_in_a_comment_ends_no_line() {
        let index = parse("0\t0x80\t\u{85} (<control>)\n2\t0x10000\t𐀀\n").expect("well-formed");
        assert_eq!(index.entries.len(), 2);
    }

    #[test]
    fn faults_name_the_file_the_line_and_the_cure() {
        for (body, expected) in [
            ("zero\t0x80\n", "line 4: `zero` is no pointer"),
            (
                "0\t0x80\n1\n",
                "line 5: there is a pointer without a code point",
            ),
            ("0\t80\n", "line 4: `80` is no code point"),
            ("0\t0xD800\n", "line 4: `0xD800` is not a scalar value"),
            ("0\t0x0000\n", "line 4: `0x0000` is not a scalar value"),
            ("0\t0x110000\n", "line 4: `0x110000` is not a scalar value"),
            (
                "2\t0x80\n2\t0x81\n",
                "line 5: pointer 2 does not come after",
            ),
            (
                "3\t0x80\n",
                "line 4: pointer 3 is past the end of the index (3 pointers)",
            ),
            (
                "0\t0x81\n2\t0x10000\n",
                "do not belong to the file's identifier",
            ),
        ] {
            let message = fault(body);
            assert!(message.starts_with("index-x.txt"), "{message}");
            assert!(message.contains(expected), "{body:?}: {message}");
            assert!(message.contains(PUBLISHED), "{message}");
        }
    }

    #[test]
    fn an_index_without_an_identifier_is_refused() {
        let parsed = Index::parse("index-x.txt".to_owned(), "0\t0x80\n", Shape::Dense(3));
        let message = parsed.expect_err("no identifier").to_string();
        assert!(message.contains("no line `# Identifier"), "{message}");
    }

    #[test]
    fn a_missing_file_is_named() {
        let parsed = Index::read(Path::new("no/such/folder"), "x", Shape::Dense(3));
        let message = parsed.expect_err("no folder").to_string();
        assert!(
            message.contains("index-x.txt") && message.contains("--from"),
            "{message}"
        );
    }
}
