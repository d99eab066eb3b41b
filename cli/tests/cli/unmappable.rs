//! Characters that the output's encoding does not have: the policies, and the messages.

use crate::harness::{Folder, run, run_with};

#[test]
fn strict_by_default() {
    for args in [
        &["convert", "-t", "windows-1252"][..],
        &["convert", "-t", "windows-1252", "--unmappable=strict"],
    ] {
        run_with(args, "one\ntwo ★ three")
            .gives(1, "one\ntwo ")
            .says([
                "<stdin>:2: unmappable character '★' (U+2605) at offset 8 (not in windows-1252)",
                "stopped there",
                "--unmappable=ncr",
                "--to=utf-8",
            ]);
    }
}

#[test]
fn numeric_character_references() {
    run_with(
        ["convert", "-t", "windows-1252", "--unmappable=ncr"],
        "a★é😀",
    )
    .gives(1, b"a&#9733;\xE9&#128512;")
    .says(["2 unmappable characters written as references such as &#9733;"]);
}

#[test]
fn replaced() {
    let args = |how| ["convert", "-t", "windows-1252", "--unmappable", how];
    run_with(args("replace:?"), "a★b")
        .gives(1, "a?b")
        .says(["replaced by '?' (U+003F)"]);
    run_with(args("replace:\u{20AC}"), "a★b").gives(1, b"a\x80b");
    run_with(args("replace:U+00BF"), "a★b").gives(1, b"a\xBFb");
    run_with(args("replace:U"), "a★b").gives(1, "aUb");
    // A replacement that is unmappable itself becomes "?", with a warning.
    run_with(args("replace:日"), "a★b")
        .gives(1, "a?b")
        .says(["windows-1252 has no '日'"]);
    run_with(args("replace:?"), "clean")
        .gives(0, "clean")
        .quietly();
}

#[test]
fn left_out() {
    run_with(
        ["convert", "-t", "windows-1252", "--unmappable=skip"],
        "a★b",
    )
    .gives(1, "ab")
    .says(["1 unmappable character left out"]);
}

#[test]
fn values_that_mean_nothing() {
    for how in [
        "replace",
        "replace:",
        "replace:ab",
        "replace:U+",
        "replace:U+D800",
        "html",
        "",
    ] {
        run_with(["convert", "-t", "koi8-r", "--unmappable", how], "a")
            .gives(2, b"")
            .says(["--unmappable", "replace:"]);
    }
}

#[test]
fn strict_goes_on_with_the_next_file() {
    let folder = Folder::new();
    let a = folder.file("a", "日★本");
    let b = folder.file("b", "本");
    let c = folder.file("c", "日😀");
    // ISO-2022-JP returns to ASCII before each such character, and at the end.
    run(["convert", "-t", "iso-2022-jp", &c, &b])
        .gives(1, b"\x1B$B\x46\x7C\x1B(B\x1B$B\x4B\x5C\x1B(B")
        .says(["c:1: unmappable character '😀' (U+1F600) at offset 3"]);
    run(["convert", "-t", "koi8-r", &a, &b])
        .gives(1, b"")
        .says([
            "a:1: unmappable character '日'",
            "b:1: unmappable character '本'",
        ]);
}

#[test]
fn iso_2022_jp_returns_to_ascii_first() {
    let args = |how| ["convert", "-t", "iso-2022-jp", "--unmappable", how];
    run_with(args("ncr"), "日😀本").gives(1, b"\x1B$B\x46\x7C\x1B(B&#128512;\x1B$B\x4B\x5C\x1B(B");
    run_with(args("skip"), "日😀").gives(1, b"\x1B$B\x46\x7C\x1B(B");
    // The standard reports U+FFFD for an escape character; the message names what was there.
    run_with(args("ncr"), "a\u{1B}b")
        .gives(1, "a&#65533;b")
        .says(["'\\u{1b}' (U+001B) at offset 1"]);
}

#[test]
fn the_offset_is_one_in_the_input() {
    let convert = |from| {
        [
            "convert",
            "-f",
            from,
            "-t",
            "windows-1251",
            "--unmappable=skip",
        ]
    };
    // Shift_JIS: 日 at 1, ア at 4.
    run_with(convert("shift_jis"), b"a\x93\xFAb\xB1")
        .gives(1, "ab")
        .says(["'日' (U+65E5) at offset 1 ", "'ｱ' (U+FF71) at offset 4 "]);
    // UTF-16: after the mark and one unit.
    run_with(convert("utf-8"), b"\xFF\xFEa\0\x3D\xD8\x00\xDE\x05\x26")
        .gives(1, "a")
        .says(["'😀' (U+1F600) at offset 4 ", "'★' (U+2605) at offset 8 "]);
    // ISO-2022-JP: after the escape sequence.
    run_with(convert("iso-2022-jp"), b"ab\x1B$B\x46\x7C\x4B\x5C\x1B(Bc")
        .gives(1, "abc")
        .says(["'日' (U+65E5) at offset 5 ", "'本' (U+672C) at offset 7 "]);
    // gb18030, four bytes.
    run_with(convert("gb18030"), b"x\x94\x39\xFC\x36y")
        .gives(1, "xy")
        .says(["'😀' (U+1F600) at offset 1 "]);
    // The decoder waits for a byte order mark that does not come.
    run_with(
        [
            "convert",
            "-f",
            "windows-1252",
            "-t",
            "koi8-r",
            "--unmappable=skip",
        ],
        b"\xEF\xBBa\xE9",
    )
    .gives(1, "a")
    .says([
        "'ï' (U+00EF) at offset 0 ",
        "'»' (U+00BB) at offset 1 ",
        "'é' (U+00E9) at offset 3 ",
    ]);
}

#[test]
fn the_offset_after_malformed_bytes() {
    let args = [
        "convert",
        "-f",
        "shift_jis",
        "-t",
        "windows-1251",
        "--unmappable=skip",
    ];
    run_with(args, b"\xFF\n\x93\xFA\xFF\x96\x7B")
        .gives(1, "\n")
        .says([
            "<stdin>:1: malformed byte FF at offset 0",
            "<stdin>:1: unmappable character '\u{FFFD}' (U+FFFD) at offset 0",
            "<stdin>:2: unmappable character '日' (U+65E5) at offset 2",
            "<stdin>:2: malformed byte FF at offset 4",
            "<stdin>:2: unmappable character '\u{FFFD}' (U+FFFD) at offset 4",
            "<stdin>:2: unmappable character '本' (U+672C) at offset 5",
        ]);
    // After more malformed bytes than are shown.
    let mut input = b"\xFF".repeat(1000);
    input.extend(b"\x93\xFA");
    run_with([&args[..], &["--invalid=skip"]].concat(), &input)
        .gives(1, "")
        .says(["'日' (U+65E5) at offset 1000 ", "1000 malformed sequences"]);
}

#[test]
fn the_offset_across_the_blocks() {
    for cut in [65_535_usize, 65_536, 65_537] {
        let mut input = b"a\n".repeat(cut / 2);
        input.resize(cut - 1, b'x');
        let line = 1 + input.iter().filter(|byte| **byte == b'\n').count();
        input.extend(b"\x93\xFAz");
        let wanted = format!(
            "<stdin>:{line}: unmappable character '日' (U+65E5) at offset {}",
            cut - 1
        );
        run_with(["convert", "-f", "shift_jis", "-t", "koi8-r"], &input)
            .gives(1, &input[..cut - 1])
            .says([&wanted]);
    }
}

#[test]
fn the_offset_where_the_text_outgrows_its_buffer() {
    // One byte of IBM866 becomes three of UTF-8.
    let mut input = b"\xC4".repeat(60_000);
    input.push(0xFC);
    run_with(["convert", "-f", "ibm866", "-t", "koi8-r"], &input)
        .gives(1, b"\x80".repeat(60_000))
        .says(["'№' (U+2116) at offset 60000 "]);
}

/// The offsets in "at offset N" of all messages about unmappable characters.
fn offsets(messages: &str) -> Vec<usize> {
    messages
        .lines()
        .filter(|line| line.contains(": unmappable character"))
        .map(|line| {
            let (_, after) = line.split_once(" at offset ").expect("each has an offset");
            let (offset, _) = after.split_once(' ').expect("a space follows");
            offset.parse().expect("it is a number")
        })
        .collect()
}

#[test]
fn the_input_before_the_offset_is_the_text_before_the_character() {
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8};
    for encoding in [BIG5, EUC_JP, EUC_KR, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8] {
        for length in [
            0, 1, 2, 3, 65_530, 65_531, 65_532, 65_533, 65_534, 65_535, 131_071,
        ] {
            let text = format!("{}日本a人\n中b", "x".repeat(length));
            let (input, _, unmappable) = encoding.encode(&text);
            assert!(!unmappable);
            let args = ["-f", encoding.name(), "-t", "koi8-r", "--unmappable=skip"];
            let ran = run_with([&["convert"], &args[..]].concat(), &input).ends(1);
            let offsets = offsets(&ran.stderr);
            let wanted = text.char_indices().filter(|(_, ch)| !ch.is_ascii());
            let wanted: Vec<usize> = wanted.map(|(position, _)| position).collect();
            assert_eq!(offsets.len(), wanted.len(), "{}", ran.stderr);
            for (offset, position) in offsets.into_iter().zip(wanted) {
                let mut before = String::with_capacity(3 * input.len() + 16);
                let mut decoder = encoding.new_decoder_without_bom_handling();
                let (_, _, malformed) =
                    decoder.decode_to_string(&input[..offset], &mut before, false);
                assert!(!malformed);
                assert!(
                    before == text[..position],
                    "{} {length}: {offset}",
                    encoding.name()
                );
            }
        }
    }
}

#[test]
fn a_replacement_that_is_unmappable_says_where_it_comes_from() {
    run_with(["convert", "-f", "utf-8", "-t", "koi8-r"], b"ab\xFFc")
        .gives(1, "ab")
        .says([
            "malformed byte FF at offset 2",
            "(U+FFFD) at offset 2",
            "U+FFFD stands for malformed input; --invalid=skip leaves it out",
        ]);
}

#[test]
fn the_first_few_and_a_total() {
    let ran = run_with(
        ["convert", "-t", "koi8-r", "--unmappable=replace:-"],
        "é\n".repeat(50_000),
    )
    .gives(1, "-\n".repeat(50_000))
    .says(["<stdin>:5: ", "50000 unmappable characters", "(5 shown)"]);
    assert_eq!(ran.stderr.lines().count(), 6, "{}", ran.stderr);
}
