//! One large file on several cores: bytes, messages and status are the same as on one.

use std::fs;

use encoding_rs::{Encoding, SHIFT_JIS};

use crate::harness::{Folder, Ran, run};

/// Files of this length are converted in pieces.
const BIG: usize = 5 << 20;

/// Text with various content: lines, markup, characters of all lengths.
const TEXT: &str =
    "<p lang=ja>日本語のテキスト、ｶﾀｶﾅ。</p>\r\nпривет, мир\nabc 0123456789 漢字仮名交じり文\n";

/// The text in some encoding, repeated, with something else in it now and then.
fn big(encoding: &'static Encoding, other: &[u8]) -> Vec<u8> {
    let (line, _, _) = encoding.encode(TEXT);
    let mut bytes = Vec::with_capacity(BIG + line.len());
    let mut number = 0;
    while bytes.len() < BIG {
        bytes.extend_from_slice(&line);
        number += 1;
        if number % 3001 == 3000 {
            bytes.extend_from_slice(other);
        }
    }
    bytes
}

/// Converts with one job and with several, and returns both results.
#[track_caller]
fn both(args: &[&str], input: &[u8]) -> (Ran, Option<Vec<u8>>) {
    let folder = Folder::new();
    let input = folder.file("in", input);
    let convert = |jobs: &str| {
        let out = folder.name("out");
        let first = ["convert", "-j", jobs, "-o", &out];
        let ran = run(first.iter().chain(args).chain([&&*input]));
        let written = fs::read(folder.path("out")).ok();
        // How much is written depends on where the run stopped.
        let _gone = fs::remove_file(folder.path("out"));
        (ran, written)
    };
    let (one, by_one) = convert("1");
    for jobs in ["2", "5"] {
        let (ran, written) = convert(jobs);
        assert_eq!(
            (ran.stderr, ran.status),
            (one.stderr.clone(), one.status),
            "{args:?}"
        );
        assert!(written == by_one, "{args:?}: other bytes");
    }
    (one, by_one)
}

#[test]
fn damaged_text_is_replaced_and_counted() {
    let input = big(SHIFT_JIS, b"\x85\x40\xFF\xA0");
    let (ran, written) = both(&["-f", "shift_jis"], &input);
    let (text, _, had_errors) = SHIFT_JIS.decode(&input);
    assert!(had_errors && written.is_some_and(|written| written == text.as_bytes()));
    ran.ends(1)
        .says(["malformed sequences replaced by U+FFFD (5 shown"]);
}

#[test]
fn every_way_of_treating_faults_is_the_same() {
    let input = big(SHIFT_JIS, b"\x85\x40\xFF");
    for flags in [
        &["--invalid", "skip"][..],
        &["--invalid", "strict"],
        &["-t", "gbk", "--unmappable", "ncr"],
        &[
            "-t",
            "big5",
            "--unmappable",
            "replace:?",
            "--invalid",
            "skip",
        ],
        &["-t", "iso-2022-jp", "--unmappable", "skip"],
        &["-t", "iso-2022-jp", "--invalid", "skip"],
        &["-t", "windows-1251"],
        &["-t", "utf-16le", "--output-bom"],
    ] {
        let args = [&["-f", "shift_jis"], flags].concat();
        let (_, written) = both(&args, &input);
        let stops = flags.contains(&"strict") || *flags == ["-t", "windows-1251"];
        assert_eq!(written.is_none(), stops, "{flags:?}");
    }
}

#[test]
fn clean_text_comes_back() {
    for label in ["shift_jis", "gb18030", "utf-8"] {
        let encoding = Encoding::for_label(label.as_bytes()).expect("a label");
        let input = big(encoding, b"\n");
        let (ran, text) = both(&["-f", label, "--invalid", "strict"], &input);
        ran.ends(0).quietly();
        let (_, back) = both(&["-t", label], &text.expect("it is converted"));
        assert!(back.is_some_and(|back| back == input), "{label}");
    }
}

#[test]
fn a_byte_order_mark_decides() {
    let text = TEXT.repeat(BIG / TEXT.len());
    let units = text.encode_utf16().flat_map(u16::to_le_bytes);
    let input: Vec<u8> = [0xFF, 0xFE].into_iter().chain(units).collect();
    for bom in ["sniff", "strip"] {
        let (ran, written) = both(&["-f", "utf-16le", "--bom", bom], &input);
        ran.ends(0);
        assert!(written.is_some_and(|written| written == text.as_bytes()));
    }
    let (ran, written) = both(&["-f", "shift_jis"], &input);
    ran.ends(0);
    assert!(written.is_some_and(|written| written == text.as_bytes()));
}

#[test]
fn big_files_of_a_tree_are_replaced_and_verified() {
    let input = big(SHIFT_JIS, b"\n");
    let (text, _, _) = SHIFT_JIS.decode(&input);
    let folder = Folder::new();
    folder.folder("tree");
    for name in ["tree/a", "tree/b", "tree/c"] {
        folder.file(name, &input);
    }
    folder.file("tree/damaged", big(SHIFT_JIS, b"\xFF"));
    let tree = folder.name("tree");
    let ran = run([
        "convert",
        "-f",
        "shift_jis",
        "--in-place",
        "--verify",
        "-j",
        "3",
        "--json",
        &tree,
    ]);
    ran.ends(1);
    for name in ["tree/a", "tree/b", "tree/c"] {
        let now = fs::read(folder.path(name)).expect("it is there");
        assert!(now == text.as_bytes(), "{name}");
    }
    let damaged = fs::read(folder.path("tree/damaged")).expect("it is there");
    assert!(damaged == big(SHIFT_JIS, b"\xFF"));
}

/// The length of the blocks in which such text is converted.
const BLOCK: usize = 256 * 1024;

/// Text in which something stands at and around the ends of blocks, with `tail` at the end.
fn with_edges(to: &str, others: &[&str], tail: &str) -> String {
    let mut text = String::from("\u{FEFF}");
    let mut edge = BLOCK;
    while text.len() < BIG {
        let number = edge / BLOCK;
        let other = others[number % others.len()];
        // From wholly before the end to wholly after it.
        let at = edge + number % 7 - 5;
        while text.len() + 2 * TEXT.len() < at {
            text += &TEXT.replace(
                "ｶﾀｶﾅ",
                if to == "iso-2022-jp" {
                    ""
                } else {
                    "ｶﾀｶﾅ"
                },
            );
        }
        text += &"x".repeat(at - text.len());
        text += other;
        edge += BLOCK;
    }
    text + tail
}

#[test]
fn similar_characters_are_reported_wherever_blocks_end() {
    let gb = ["\u{E81E}", "\u{E78D}\n", "\r\n", "\u{E796}\r", "\u{E825}"];
    let japanese = ["¥", "‾\n", "\r\n", "−\r", "\u{2018}", "ｱ"];
    for (to, others) in [
        ("gbk", &gb[..]),
        ("gb18030", &gb),
        ("shift_jis", &japanese),
        ("euc-jp", &japanese),
        ("iso-2022-jp", &japanese),
    ] {
        let all = with_edges(to, others, "");
        let unmappable = with_edges(to, &[others, &["\u{1F600}"]].concat(), "\u{1F600}¥\u{E81E}");
        let ncr = ["-t", to, "--unmappable", "ncr"];
        let (ran, written) = both(&ncr, all.as_bytes());
        ran.ends(1).says(["written as similar ones (5 shown)"]);
        let encoding = Encoding::for_label(to.as_bytes()).expect("a label");
        let wanted = encoding.encode(all.trim_start_matches('\u{FEFF}')).0;
        assert!(written.is_some_and(|written| written == *wanted), "{to}");
        both(&ncr, unmappable.as_bytes());
        let (ran, _) = both(&["-t", to], unmappable.as_bytes());
        ran.ends(1);
        let mut damaged = unmappable.into_bytes();
        for at in (BLOCK - 3..damaged.len()).step_by(BLOCK + 1) {
            damaged[at] = 0xFF;
        }
        both(&["-f", "utf-8", "-t", to, "--unmappable", "skip"], &damaged);
        both(&["-f", "utf-8", "-t", to, "--invalid", "strict"], &damaged);
    }
}

#[test]
fn similar_characters_are_reported_from_any_encoding() {
    let text = with_edges("gbk", &["¥", "—\r\n"], "");
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    both(
        &["-f", "utf-16be", "-t", "shift_jis", "--unmappable", "skip"],
        &units,
    );
    let text = with_edges("gbk", &["\u{E81E}", "\u{E843}\n"], "");
    let bytes = encoding_rs::GB18030.encode(&text).0.into_owned();
    let from = Encoding::for_label(b"gb18030").expect("a label");
    assert!(!from.decode_with_bom_removal(&bytes).1);
    both(
        &["-f", "gb18030", "-t", "gbk", "--unmappable", "ncr"],
        &bytes,
    );
    // Nowhere to cut for long, and then one line after another.
    let long = "字".repeat(3 << 20) + "\u{E81E}\n" + &text;
    let (ran, _) = both(&["-t", "gb18030"], long.as_bytes());
    ran.ends(1).says(["(U+E81E) at offset 9437184"]);
}
