//! Malformed input: the three policies, and the messages about it.

use std::fmt::Write;

use encoding_rs::{GB18030, SHIFT_JIS};

use crate::harness::{Folder, run, run_with};

#[test]
fn replaced_by_default() {
    for args in [
        &["convert", "-f", "utf-8"][..],
        &["convert", "-f", "utf-8", "--invalid=replace"],
    ] {
        run_with(args, b"abc\xE4\xBDz\n\xFF")
            .gives(1, "abc\u{FFFD}z\n\u{FFFD}")
            .says([
                "<stdin>:1: malformed bytes E4 BD at offset 3 (UTF-8)",
                "<stdin>:2: malformed byte FF at offset 7 (UTF-8)",
                "2 malformed sequences replaced by U+FFFD",
                "--from",
                "--invalid=strict",
            ]);
    }
}

#[test]
fn left_out() {
    run_with(
        ["convert", "-f", "utf-8", "--invalid=skip"],
        b"abc\xE4\xBDz",
    )
    .gives(1, "abcz")
    .says([
        "malformed bytes E4 BD at offset 3",
        "1 malformed sequence left out",
    ]);
}

#[test]
fn strict_stops_after_what_is_clean() {
    run_with(
        ["convert", "-f", "utf-8", "--invalid=strict"],
        b"abc\xE4\xBDz",
    )
    .gives(1, "abc")
    .says([
        "<stdin>:1: malformed bytes E4 BD at offset 3",
        "stopped there",
        "--invalid=skip",
    ]);
    run_with(["convert", "--invalid=strict"], "clean")
        .gives(0, "clean")
        .quietly();
}

#[test]
fn strict_goes_on_with_the_next_file() {
    let folder = Folder::new();
    let a = folder.file("a", b"a\xFFlost");
    let b = folder.file("b", b"b");
    run(["convert", "-f", "utf-8", "--invalid=strict", &a, &b])
        .gives(1, "ab")
        .says(["a:1: malformed byte FF at offset 1"]);
}

#[test]
fn at_the_end_of_the_input() {
    run_with(["convert", "-f", "shift_jis"], b"a\x93")
        .gives(1, "a\u{FFFD}")
        .says(["malformed byte 93 at offset 1 (Shift_JIS)"]);
    run_with(["convert", "-f", "utf-16le"], b"a\0\x3D\xD8x")
        .gives(1, "a\u{FFFD}")
        .says(["malformed bytes 3D D8 78 at offset 2 (UTF-16LE)"]);
    run_with(["convert", "--invalid=strict", "-f", "utf-16le"], b"a\0b")
        .gives(1, "a")
        .says([
            "malformed byte 62 at offset 2 (UTF-16LE), where the input ends within a code unit",
        ]);
}

#[test]
fn the_encoding_named_is_the_one_that_was_sniffed() {
    run_with(["convert", "-f", "big5"], b"\xEF\xBB\xBFa\xFF")
        .gives(1, "a\u{FFFD}")
        .says([
            "malformed byte FF at offset 4 (UTF-8)",
            "If it is not UTF-8",
        ]);
}

#[test]
fn restored_bytes_come_back() {
    // A lead byte before an ASCII byte: the lead is malformed, the ASCII byte stays.
    run_with(["convert", "-f", "shift_jis"], b"\x81\x22\x22")
        .gives(1, "\u{FFFD}\"\"")
        .says(["malformed byte 81 at offset 0"]);
    run_with(["convert", "-f", "gb18030"], b"\x81\x30\x81\x20")
        .gives(1, "\u{FFFD}0\u{FFFD} ")
        .says([
            "malformed byte 81 at offset 0",
            "malformed byte 81 at offset 2",
        ]);
}

#[test]
fn replacement_gives_one_fault() {
    run_with(["convert", "-f", "iso-2022-kr"], b"anything")
        .gives(1, "\u{FFFD}")
        .says([
            "malformed byte 61 at offset 0 (replacement)",
            "the standard reads iso-2022-kr, iso-2022-cn and hz-gb-2312 as the encoding \"replacement\"",
            "iconv -f ISO-2022-KR",
        ])
        .never_says(["If it is not replacement", "neither browsers"]);
    run_with(
        ["convert", "-f", "iso-2022-kr", "--invalid=strict"],
        b"anything",
    )
    .gives(1, "")
    .says(["which decodes nothing"])
    .never_says(["if it is not replacement"]);
}

#[test]
fn the_first_few_and_a_total() {
    let mut input = Vec::new();
    for _ in 0..1000 {
        input.extend(b"x\xFF\n");
    }
    let ran = run_with(["convert", "-f", "utf-8"], &input)
        .gives(1, "x\u{FFFD}\n".repeat(1000))
        .says([
            "<stdin>:5: malformed byte FF at offset 13",
            "1000 malformed sequences",
            "(5 shown",
        ]);
    assert_eq!(ran.stderr.lines().count(), 6, "{}", ran.stderr);
}

#[test]
fn offsets_and_lines_across_the_blocks() {
    // A malformed sequence across each of the first boundaries of 64 KiB.
    for cut in [65_535_usize, 65_536, 131_071] {
        let mut input = b"line\r\n".repeat(30_000);
        input[cut - 1..cut + 1].copy_from_slice(b"\xE4\xBD");
        input[cut + 1] = b'x';
        let before = &input[..cut - 1];
        let line = 1 + before.iter().filter(|byte| **byte == b'\r').count();
        let wanted = format!(
            "<stdin>:{line}: malformed bytes E4 BD at offset {}",
            cut - 1
        );
        run_with(["convert", "-f", "utf-8"], &input)
            .ends(1)
            .says([&wanted]);
        run_with(["convert", "-f", "utf-8", "--invalid=strict"], &input)
            .gives(1, before)
            .says([&wanted]);
    }
}

#[test]
fn hostile_bytes_as_encoding_rs_replaces_them() {
    // A fixed sequence of bytes of all values, most of which are malformed.
    let mut state = 1_u32;
    let bytes: Vec<u8> = (0..300_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    for encoding in [GB18030, SHIFT_JIS, encoding_rs::UTF_8, encoding_rs::EUC_KR] {
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        let args = ["convert", "--bom=keep", "-f", encoding.name()];
        run_with(args, &bytes).gives(1, text.as_bytes());
        let skipped = text.replace('\u{FFFD}', "");
        // Only UTF-8 has a well-formed U+FFFD in this input.
        if !bytes.windows(3).any(|three| three == b"\xEF\xBF\xBD") {
            let args = [
                "convert",
                "--bom=keep",
                "--invalid=skip",
                "-f",
                encoding.name(),
            ];
            run_with(args, &bytes).gives(1, skipped);
        }
    }
}

#[test]
fn faults_in_the_order_of_the_text() {
    let ran = run_with(
        [
            "convert",
            "-f",
            "utf-8",
            "-t",
            "koi8-r",
            "--unmappable=skip",
        ],
        "é\n\u{0}ж".as_bytes(),
    )
    .gives(1, b"\n\0\xD6");
    assert!(
        ran.stderr.contains("'é' (U+00E9) at offset 0"),
        "{}",
        ran.stderr
    );

    let ran = run_with(
        [
            "convert",
            "-f",
            "utf-8",
            "-t",
            "koi8-r",
            "--unmappable=skip",
            "--invalid=skip",
        ],
        b"\xC3\xA9\n\xFF\n\xC3\xA9",
    )
    .gives(1, b"\n\n");
    let mut places = String::new();
    for line in ran.stderr.lines().take(3) {
        let place = line.split(": ").nth(1).unwrap_or_default();
        write!(places, "{place} ").expect("writing to a string");
    }
    assert_eq!(places, "<stdin>:1 <stdin>:2 <stdin>:3 ");
}

#[test]
fn quietly() {
    run_with(["convert", "-q", "-j2", "-f", "utf-8"], b"a\xFF")
        .gives(1, "a\u{FFFD}")
        .quietly();
    run_with(["convert", "-q", "-t", "koi8-r"], "\u{2605}")
        .gives(1, b"")
        .quietly();
    run(["convert", "-q", "/nowhere"])
        .gives(2, b"")
        .says(["cannot read /nowhere"]);
}
