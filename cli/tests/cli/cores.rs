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
