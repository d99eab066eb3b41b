//! The layers of the library, of the converter and of the command: no module uses one above its own, and
//! there is no circle.
//!
//! This reads the sources and does not ask the compiler, so that modules behind features and for other
//! systems count, too. Tests are left out: they may use anything.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// The modules of the library from the bottom up. Modules in the same row do not use each other.
const LIBRARY: &[&[&str]] = &[
    &["simd"],
    &["output"],
    &["codec", "progress"],
    &["drive"],
    &["encoding"],
    &["decoder", "encoder", "label", "unicode"],
    &["convert", "sniff"],
    &["detect", "hooks", "offsets", "web"],
    &["io"],
    &["parallel"],
];

/// The modules of the converter from the bottom up.
const CONVERTER: &[&[&str]] = &[
    &[
        "cancel", "charset", "find", "fork", "format", "lines", "mutex", "read_fn", "severity",
    ],
    &["labels", "message", "similar", "utf32"],
    &["error", "options", "os", "scratch"],
    &["binary", "input"],
    &["decide", "decode", "packed"],
    &["locate", "walk"],
    &["output", "settings"],
    &["buffered", "faults"],
    &["report", "text"],
    &["cores", "observer"],
    &["by_line"],
    &["by_block"],
    &["converter"],
    &["one_output", "tree"],
    &["check", "detect", "restore"],
];

/// The modules of the command from the bottom up. A module that is listed as `a::b` is not part of `a` here.
const COMMAND: &[&[&str]] = &[
    &["message", "os"],
    &["exit"],
    &["args", "json"],
    &["convert::groups", "convert::progress"],
    &["convert::report"],
    &["convert::tree"],
    &["check", "convert", "detect", "list", "restore", "shell"],
];

#[test]
fn the_library_has_layers() {
    let faults = faults(
        LIBRARY,
        &sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")),
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_converter_has_layers() {
    check_package("convert/src", CONVERTER);
}

#[test]
fn the_command_has_layers() {
    check_package("cli/src", COMMAND);
}

/// Checks another package of the workspace. The published package of the library does not contain the others.
fn check_package(folder: &str, layers: &[&[&str]]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    if folder.exists() {
        let faults = faults(layers, &sources(&folder));
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}

#[test]
fn what_goes_upwards_or_around_is_found() {
    let layers: &[&[&str]] = &[&["low"], &["mid::left", "mid::right"], &["mid"], &["high"]];
    let found = |file: &str, text: &str| {
        let faults = faults(layers, &[(file.to_owned(), text.to_owned())]);
        faults.join("\n")
    };
    for (file, text, fault) in [
        ("low.rs", "use crate::high::Thing;", "low.rs: low uses high"),
        (
            "low/mod.rs",
            "fn f() { crate::mid::g() }",
            "low/mod.rs: low uses mid",
        ),
        (
            "low/deep.rs",
            "use super::super::high;",
            "low/deep.rs: low uses high",
        ),
        (
            "low/deep.rs",
            "mod x { use super::super::super::high; }",
            "low/deep.rs: low uses high",
        ),
        (
            "low/deep.rs",
            "mod x { use super::super::high; } mod high {}",
            "",
        ),
        (
            "low.rs",
            "use crate::{low::A, mid::{B, left::C}};",
            "low.rs: low uses mid\nlow.rs: low uses mid::left",
        ),
        (
            "mid/left.rs",
            "use super::right::B;",
            "mid/left.rs: mid::left uses mid::right",
        ),
        (
            "mid/left/in.rs",
            "use super::super::Top;",
            "mid/left/in.rs: mid::left uses mid",
        ),
        (
            "mid/mod.rs",
            "use right::B; use super::high;",
            "mid/mod.rs: mid uses high",
        ),
        (
            "mid/mod.rs",
            "use crate::low::*; use left::A; use super::low::B;",
            "",
        ),
        (
            "high.rs",
            "use crate::mid::{self, left}; use super::low;",
            "",
        ),
        (
            "high.rs",
            "macro_rules! m { () => { $crate::low::f() } }",
            "",
        ),
        (
            "high.rs",
            "use crate::Root;",
            "high.rs: high uses Root, which is no module that is listed",
        ),
        ("new.rs", "", "new.rs: no layer has it"),
        (
            "low.rs",
            "// crate::high\n/* /* */ crate::high */ const S: &str = \"crate::high\";",
            "",
        ),
        (
            "low.rs",
            "const C: [char; 2] = ['\"', '\\'']; use crate::high;",
            "low.rs: low uses high",
        ),
        (
            "low.rs",
            "const R: &str = r#\"\"crate::mid\"#; fn f<'a>(_: &'a crate::high::A) {}",
            "low.rs: low uses high",
        ),
        ("low/tests.rs", "use crate::high;", ""),
        ("low/tests/deep.rs", "use crate::high;", ""),
        (
            "low.rs",
            "#[cfg(test)]\nmod tests {\n    use crate::high;\n}\n",
            "",
        ),
        (
            "low.rs",
            "#[cfg(test)]\nmod tests;\nuse crate::high;\n",
            "low.rs: low uses high",
        ),
    ] {
        assert_eq!(found(file, text), fault, "{file}: {text}");
    }
}

/// The sources in a folder: the path of each in it, and the text.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let mut folders = vec![folder.to_owned()];
    let mut sources = Vec::new();
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                let name = name.replace(std::path::MAIN_SEPARATOR, "/");
                sources.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(
        !sources.is_empty(),
        "{}: there are no sources",
        folder.display()
    );
    sources.sort();
    sources
}

/// The errors in the sources: each use of a module in the same row or above.
fn faults(layers: &[&[&str]], sources: &[(String, String)]) -> Vec<String> {
    let mut faults = BTreeSet::new();
    for (file, text) in sources {
        let mut module: Vec<&str> = file.strip_suffix(".rs").unwrap().split('/').collect();
        if let Some(&("mod" | "main" | "lib")) = module.last() {
            module.pop();
        }
        if module.is_empty() || module.contains(&"tests") {
            continue;
        }
        let Some((row, own)) = layer(layers, &module) else {
            faults.insert(format!("{file}: no layer has it"));
            continue;
        };
        let mut used = Vec::new();
        paths(&words(text), &module, &mut used);
        for path in used {
            let path: Vec<&str> = path.iter().map(String::as_str).collect();
            match layer(layers, &path) {
                Some((its_row, name)) if name != own && its_row >= row => {
                    faults.insert(format!("{file}: {own} uses {name}"));
                }
                Some(_) => {}
                None => {
                    let name = path.join("::");
                    faults.insert(format!(
                        "{file}: {own} uses {name}, which is no module that is listed"
                    ));
                }
            }
        }
    }
    faults.into_iter().collect()
}

/// The row of a path, and the entry in it: the longest that the path starts with.
fn layer<'l>(layers: &[&[&'l str]], path: &[&str]) -> Option<(usize, &'l str)> {
    let rows = layers.iter().enumerate();
    rows.flat_map(|(row, names)| names.iter().map(move |&name| (row, name)))
        .filter(|(_, name)| {
            let name: Vec<&str> = name.split("::").collect();
            path.starts_with(&name)
        })
        .max_by_key(|(_, name)| name.len())
}

/// Adds the paths, from the crate's root, that `crate::…` and `super::…` lead to.
fn paths(words: &[&str], module: &[&str], used: &mut Vec<Vec<String>>) {
    let root: Vec<String> = module.iter().map(|&name| name.to_owned()).collect();
    let mut at = 0;
    // How deep this is in `mod name { … }` of the file itself: there, `super` is the file.
    let mut inline = Vec::new();
    let mut depth = 0_usize;
    while let Some(&word) = words.get(at) {
        match word {
            "{" => {
                depth += 1;
                if at >= 2 && words[at - 2] == "mod" {
                    inline.push(depth);
                }
            }
            "}" => {
                inline.pop_if(|&mut open| open == depth);
                depth = depth.saturating_sub(1);
            }
            "#" if is_test_module(&words[at..]) => {
                at = end_of_block(words, at);
                continue;
            }
            "crate" | "super"
                if words.get(at + 1) == Some(&"::") && (at == 0 || words[at - 1] != "::") =>
            {
                let mut base = root.clone();
                base.extend(inline.iter().map(|_| String::new()));
                at = tree(words, at, &base, used);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
}

/// Reads a path, or a tree of paths, that begins at `at` and is relative to `base`. Returns where it ends.
fn tree(words: &[&str], at: usize, base: &[String], used: &mut Vec<Vec<String>>) -> usize {
    let mut path = base.to_vec();
    let mut at = at;
    loop {
        match words.get(at) {
            Some(&"crate") => path.clear(),
            Some(&"super") => {
                path.pop();
            }
            Some(&"self") => {}
            Some(&"{") => {
                at += 1;
                while words.get(at).is_some_and(|&word| word != "}") {
                    at = tree(words, at, &path, used);
                    while words
                        .get(at)
                        .is_some_and(|&word| word != "," && word != "}")
                    {
                        at += 1;
                    }
                    at += usize::from(words.get(at) == Some(&","));
                }
                return at + 1;
            }
            Some(&name) => path.push(name.to_owned()),
            None => break,
        }
        at += 1;
        if words.get(at) != Some(&"::") {
            break;
        }
        at += 1;
    }
    // A path to an inline module of the file, or to an item of the file itself.
    path.retain(|name| !name.is_empty());
    if !path.is_empty() {
        used.push(path);
    }
    at
}

/// Whether `#[cfg(test)] mod name {` starts here.
fn is_test_module(words: &[&str]) -> bool {
    const ATTRIBUTE: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    words.starts_with(&ATTRIBUTE) && words.get(7) == Some(&"mod") && words.get(9) == Some(&"{")
}

/// The end of the block that opens next.
fn end_of_block(words: &[&str], at: usize) -> usize {
    let mut depth = 0_usize;
    for (end, &word) in words.iter().enumerate().skip(at) {
        match word {
            "{" => depth += 1,
            "}" if depth == 1 => return end + 1,
            "}" => depth -= 1,
            _ => {}
        }
    }
    words.len()
}

/// The words and signs of a source, without comments and the content of strings. `::` is one sign.
fn words(text: &str) -> Vec<&str> {
    let is_word = |ch: char| ch.is_alphanumeric() || ch == '_';
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(ch) = rest.chars().next() {
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment_len(rest)
        } else if let Some(len) = string_len(rest) {
            len
        } else if rest.starts_with("::") {
            words.push("::");
            2
        } else if is_word(ch) {
            let len = rest.find(|ch| !is_word(ch)).unwrap_or(rest.len());
            words.push(&rest[..len]);
            len
        } else {
            if !ch.is_whitespace() {
                words.push(&rest[..ch.len_utf8()]);
            }
            ch.len_utf8()
        };
        rest = &rest[len..];
    }
    words
}

/// The length of a block comment, which may hold others.
fn comment_len(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            match text[at..].chars().next() {
                Some(ch) => at += ch.len_utf8(),
                None => return at,
            }
        }
    }
}

/// The length of the string or the character that starts here, if one does.
fn string_len(text: &str) -> Option<usize> {
    let prefixes = ["br", "cr", "r", "b", "c", ""];
    let plain = prefixes.iter().find_map(|prefix| {
        let rest = text.strip_prefix(prefix)?;
        rest.starts_with(['"', '#']).then_some((prefix.len(), rest))
    });
    if let Some((prefix, rest)) = plain {
        let hashes = rest.bytes().take_while(|&byte| byte == b'#').count();
        let is_raw = text[..prefix].ends_with('r');
        if rest[hashes..].starts_with('"') && (is_raw || hashes == 0) {
            let start = prefix + hashes + 1;
            if is_raw {
                let end = format!("\"{}", "#".repeat(hashes));
                let len = text[start..].find(&end)?;
                return Some(start + len + end.len());
            }
            return Some(start + end_of_escaped(&text[start..], '"')?);
        }
    }
    // A quote followed by a character and another quote; otherwise it is a lifetime.
    let rest = text.strip_prefix('\'')?;
    let mut chars = rest.chars();
    match (chars.next()?, chars.next()?) {
        ('\\', _) => Some(1 + end_of_escaped(rest, '\'')?),
        (ch, '\'') => Some(1 + ch.len_utf8() + 1),
        _ => None,
    }
}

/// The end of a string or a character, including its closing quote.
fn end_of_escaped(text: &str, quote: char) -> Option<usize> {
    let mut is_escaped = false;
    for (at, ch) in text.char_indices() {
        match ch {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if ch == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}
