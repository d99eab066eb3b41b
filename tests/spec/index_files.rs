//! The standard's index files, read literally (section 5), if they are available.

use std::fs;
use std::path::PathBuf;

use super::indexes::Index;

/// The folder with `index-*.txt`: `SIMDTEXT_INDEXES`, or `whatwg` beside this repository. `None` if the files
/// are not on this machine.
pub(crate) fn folder() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/whatwg");
    std::env::var_os("SIMDTEXT_INDEXES")
        .map(PathBuf::from)
        .or(Some(beside))
        .filter(|folder| folder.join("index-big5.txt").is_file())
}

/// The pointers and code points of `index-NAME.txt`.
pub(crate) fn entries(name: &str) -> Vec<(u32, u32)> {
    let path = folder()
        .expect("the caller asked for the folder")
        .join(format!("index-{name}.txt"));
    let contents = fs::read_to_string(&path).expect("the file is readable");
    // "Let lines be the result of splitting the resource's contents on U+000A. Then remove each
    // item in lines that is the empty string or starts with U+0023."
    contents
        .split('\n')
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(|line| {
            // "Splitting each item in lines on U+0009. The first subitem is the pointer (as a
            // decimal number) and the second is the corresponding code point (as a hexadecimal
            // number)."
            let mut subitems = line.split('\t');
            let pointer = subitems.next().expect("a pointer").trim();
            let code_point = subitems.next().expect("a code point").trim();
            let code_point = code_point.trim_start_matches("0x");
            (
                pointer.parse().expect("a decimal number"),
                u32::from_str_radix(code_point, 16).expect("a hexadecimal number"),
            )
        })
        .collect()
}

pub(crate) fn index(name: &str) -> Index {
    Index::new(entries(name))
}
