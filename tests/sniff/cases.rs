//! The files of cases: lines of fields, separated by ` | `, under headings that name the section of the
//! specification.

use std::fs;
use std::path::Path;

pub(crate) struct Case {
    /// File, line and section.
    pub(crate) place: String,
    pub(crate) fields: Vec<String>,
}

impl Case {
    /// The bytes that the last field stands for.
    pub(crate) fn input(&self) -> Vec<u8> {
        unescape(self.fields.last().expect("a field"))
    }

    /// The last field as text.
    pub(crate) fn input_text(&self) -> String {
        String::from_utf8(self.input()).expect("these cases are UTF-8")
    }
}

/// All cases of a file, at least `count`.
pub(crate) fn read(file: &str, count: usize) -> Vec<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/sniff")
        .join(file);
    let text = fs::read_to_string(&path).expect("a file of cases");
    let mut section = None;
    let mut cases = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(heading) = line.strip_prefix("## ") {
            section = Some(heading);
        } else if !line.is_empty() && !line.starts_with("# ") {
            let section = section.expect("a section before the first case");
            let place = format!("{file}, line {}, {section}", number + 1);
            // An input may be empty, and editors remove spaces at the ends of lines.
            let line = line
                .strip_suffix(" |")
                .map_or(line.to_owned(), |line| format!("{line} | "));
            let fields: Vec<String> = line.split(" | ").map(str::to_owned).collect();
            assert!(fields.len() >= 2, "{place}: two fields at least");
            cases.push(Case { place, fields });
        }
    }
    assert!(cases.len() >= count, "{file}: {} cases", cases.len());
    cases
}

/// Compares the result for each case of a file with its first field.
pub(crate) fn check(file: &str, count: usize, answer: impl Fn(&Case) -> String) {
    let cases = read(file, count);
    let wrong: Vec<String> = cases
        .iter()
        .map(|case| (case, answer(case)))
        .filter(|(case, answer)| *answer != case.fields[0])
        .map(|(case, answer)| format!("{}: {answer}, not {}", case.place, case.fields.join(" | ")))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `\n`, `\r`, `\t`, `\f`, `\0`, `\\`, `\xHH`, and `\{N text}`: the text N times.
pub(crate) fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(ch) = rest.chars().next() {
        rest = &rest[ch.len_utf8()..];
        if ch != '\\' {
            bytes.extend_from_slice(ch.encode_utf8(&mut [0; 4]).as_bytes());
            continue;
        }
        let kind = rest.chars().next().expect("something after a backslash");
        rest = &rest[kind.len_utf8()..];
        match kind {
            'n' => bytes.push(b'\n'),
            'r' => bytes.push(b'\r'),
            't' => bytes.push(b'\t'),
            'f' => bytes.push(0x0C),
            '0' => bytes.push(0),
            '\\' => bytes.push(b'\\'),
            'x' => {
                bytes.push(u8::from_str_radix(&rest[..2], 16).expect("two hexadecimal digits"));
                rest = &rest[2..];
            }
            '{' => {
                let (inside, after) = rest.split_once('}').expect("a closing brace");
                let (times, text) = inside.split_once(' ').expect("a number and a text");
                let times = times.parse().expect("a number");
                bytes.extend(unescape(text).repeat(times));
                rest = after;
            }
            _ => panic!("no such escape: \\{kind}"),
        }
    }
    bytes
}
