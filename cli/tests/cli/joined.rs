//! Text with something else after it: files that were joined, or lines that a program appended. Nothing of that is
//! malformed in UTF-16, or in a single-byte encoding.

use crate::harness::{Folder, run};

const TEXT: &str = "Съешь ещё этих мягких булок.\r\n";

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// The text in both byte orders, with marks.
fn marked(text: &str) -> [Vec<u8>; 2] {
    let text = ["\u{FEFF}", text].concat();
    [u16::to_le_bytes, u16::to_be_bytes].map(|bytes| utf16(&text, bytes))
}

/// Reported with status 1 and left alone, unless with `--force`.
#[track_caller]
fn is_reported(contents: &[u8], said: &str) {
    let folder = Folder::new();
    folder.folder("t");
    let (tree, out) = (folder.name("t"), folder.name("out"));
    let file = folder.file("t/a", contents);
    run(["convert", &file]).ends(1).says([said]);
    run(["convert", "--in-place", &tree]).ends(1).says([said]);
    assert_eq!(folder.read("t/a"), contents);
    run(["convert", "--out-dir", &out, &tree])
        .ends(1)
        .says([said]);
    assert!(folder.tree_is_empty("out"));
    run(["check", &file]).ends(1);
    run(["convert", "--in-place", "--force", &tree]).never_says([said]);
}

#[test]
fn utf16_in_both_byte_orders() {
    for text in [TEXT, "日本語の文章", "a"] {
        let [little, big] = marked(text);
        let at = little.len();
        is_reported(
            &[&*little, &big].concat(),
            &format!(
                "it is UTF-16LE at first, and UTF-16BE from the byte order mark at offset {at} on"
            ),
        );
        is_reported(
            &[&*big, &little].concat(),
            &format!(
                "it is UTF-16BE at first, and UTF-16LE from the byte order mark at offset {at} on"
            ),
        );
    }
    // In the same order, the second mark is a character.
    let folder = Folder::new();
    let [little, _] = marked("a");
    let file = folder.file("a", little.repeat(2));
    run(["convert", &file]).gives(0, "a\u{FEFF}a");
}

#[test]
fn a_line_that_was_appended_to_utf16() {
    for (place, text) in marked(TEXT).iter().enumerate() {
        for line in [
            "a line more\n",
            "one\nline\r\n",
            "ещё одна\n",
            "もう一行です。\n",
        ] {
            let name = ["LE", "BE"][place];
            let at = text.len();
            is_reported(
                &[text, line.as_bytes()].concat(),
                &format!(
                    "it is UTF-16{name} at first, and from offset {at} on text in ASCII or another"
                ),
            );
        }
    }
}

#[test]
fn what_utf16_may_end_with() {
    let folder = Folder::new();
    // Gurmukhi, whose high bytes are those of a line end, and characters whose low bytes are.
    for text in [
        "ਸਤ ਸ੍ਰੀ ਅਕਾਲ ਨਸਤਰ",
        "ਸਤਸਤ",
        "文章和上",
        "文章\n",
        "文章\r\n",
        "上",
        "\n",
    ] {
        for contents in marked(text) {
            let file = folder.file("a", contents);
            run(["convert", &file]).gives(0, text);
        }
    }
}

/// A program appended lines in UTF-8 to a file in another encoding.
#[test]
fn lines_in_utf8() {
    let old = encoding_rs::WINDOWS_1251.encode(TEXT).0.repeat(20);
    let contents = [&*old, "ещё одна\n".as_bytes(), &old].concat();
    let said = format!(
        "it has lines in UTF-8, the first at offset {}, and is windows-1251 otherwise",
        old.len()
    );
    let folder = Folder::new();
    let file = folder.file("a", &contents);
    let out = folder.name("out");
    run(["convert", &file]).ends(1).says([&*said]);
    run(["convert", "--out-dir", &out, &file])
        .ends(1)
        .says([&*said]);
    run(["check", "-f", "windows-1251", &file]).ends(1);
    let named = ["convert", "-f", "windows-1251"];
    run(named.iter().chain(&[&*file]))
        .ends(1)
        .says([&*said, ". --per-line converts it line by line"]);
    run(named.iter().chain(&["--in-place", &*file]))
        .ends(1)
        .says([
            &*said,
            "; left alone. --force converts it from windows-1251; --per-line",
        ]);
    run(named.iter().chain(&["--out-dir", &*out, &*file]))
        .ends(1)
        .says([&*said]);
    assert_eq!(folder.read("a"), contents);
    let text = [&*TEXT.repeat(20), "ещё одна\n", &TEXT.repeat(20)].concat();
    run(named.iter().chain(&["--per-line", "--in-place", &*file])).ends(0);
    assert_eq!(folder.read("a"), text.as_bytes());
}

/// A file that begins with a byte order mark of UTF-8 was appended to one in another encoding.
#[test]
fn a_byte_order_mark_of_utf8() {
    let folder = Folder::new();
    for (label, encoding, line) in [
        ("windows-1252", encoding_rs::WINDOWS_1252, "déjà vu\n"),
        ("gbk", encoding_rs::GBK, "中文文章。\n"),
        ("shift_jis", encoding_rs::SHIFT_JIS, "日本語です。\n"),
    ] {
        let old = encoding.encode(line).0.repeat(90);
        let contents = [&*old, "\u{FEFF}plain, café\n".as_bytes()].concat();
        let file = folder.file("a", &contents);
        let said = format!("it has lines in UTF-8, the first at offset {}", old.len());
        run(["convert", "-f", label, "--in-place", &file])
            .ends(1)
            .says([&*said]);
        assert_eq!(folder.read("a"), contents);
    }
}
