//! `--per-line`: each line is decoded from an encoding of its own.

use crate::auto::sample;
use crate::harness::{Folder, run, run_with};

/// UTF-8, then Shift_JIS, then ASCII, then windows-1252.
const LOG: &[u8] = b"caf\xC3\xA9\r\n\x93\xFA\x96{\nplain\nna\xEFve\n";
const TEXT: &str = "café\r\n日本\nplain\nnaïve\n";

#[test]
fn lines_of_a_list() {
    let from = "--from=auto:shift_jis,windows-1252";
    run_with(["convert", "--per-line", from], LOG)
        .gives(0, TEXT)
        .quietly();
    run_with(["convert", "--per-line", from, "-t", "utf-16le"], LOG).gives(
        0,
        TEXT.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>(),
    );
    // A single label is a list of one.
    run_with(
        ["convert", "--per-line", "-f", "koi8-r"],
        b"\xC3\xA9\n\xD6\n",
    )
    .gives(0, "é\nж\n");
    run_with(["convert", "--per-line", from], b"").gives(0, "");
    run_with(["convert", "--per-line", from], b"\xEF\xBB\xBF\xE9").gives(0, "é");
    // A sequence that is cut by the end of its line is malformed, whatever comes next.
    run_with(
        ["convert", "--per-line", "-f", "shift_jis"],
        b"ab\x93\n\xC3\xA9",
    )
    .gives(1, "ab\u{FFFD}\né")
    .says(["<stdin>:1: malformed byte 93 at offset 2 (Shift_JIS)"]);
}

#[test]
fn faults_have_the_offsets_and_lines_of_the_whole() {
    // Longer than what is read at a time.
    let front = "Zeile für Zeile\n".repeat(100_000);
    let log = [front.as_bytes(), b"ab\n\x93\xFA\xFF\n"].concat();
    let wanted = format!(
        "a:100002: malformed byte FF at offset {} (Shift_JIS)",
        front.len() + 5
    );
    let folder = Folder::new();
    let file = folder.file("a", &log);
    run(["convert", "--per-line", "-f", "shift_jis", &file])
        .gives(1, format!("{front}ab\n日\u{FFFD}\n"))
        .says([&wanted]);
    let out = folder.name("out");
    let strict = [
        "convert",
        "--per-line",
        "-f",
        "shift_jis",
        "--invalid=strict",
    ];
    run(strict.into_iter().chain(["-o", &out, &file]))
        .gives(1, b"")
        .says([&wanted]);
    assert_eq!(folder.names(), ["a"]);
    // A character that the output's encoding does not have.
    run_with(
        [
            "convert",
            "--per-line",
            "-f",
            "koi8-r",
            "-t",
            "koi8-r",
            "--unmappable=skip",
        ],
        "ж\n★\n",
    )
    .gives(1, b"\xD6\n\n")
    .says(["<stdin>:2: unmappable character '★' (U+2605) at offset 3"]);
}

#[test]
fn lines_that_are_guessed() {
    let folder = Folder::new();
    let (utf8, sjis) = (sample("utf-8/ko.txt"), sample("ja.shift_jis.txt"));
    let mixed = [&utf8[..], b"\n", &sjis, b"\n", &utf8].concat();
    let text = [&utf8[..], b"\n", &sample("utf-8/ja.txt"), b"\n", &utf8].concat();
    folder.folder("t");
    let file = folder.file("t/a", &mixed);
    run(["convert", "--per-line", &file])
        .gives(0, &text)
        .says(["the encoding of some lines was guessed"]);
    run_with(["convert", "--per-line"], &mixed).gives(0, &text);
    let tree = folder.name("t");
    let args = ["convert", "--per-line", "--in-place", &tree];
    run(args)
        .gives(1, b"")
        .says(["the encoding of some lines was guessed; left alone"]);
    assert_eq!(folder.read("t/a"), mixed);
    run(args.into_iter().chain(["--accept-guess"])).gives(0, b"");
    assert_eq!(folder.read("t/a"), text);
    // Nothing was guessed, because all lines are UTF-8 now.
    run(args).gives(0, b"").says(["1 unchanged"]);
}

#[test]
fn lines_longer_than_the_memory_for_them() {
    // Without a line end, and with a character at every position at which it could be cut.
    let long = "日本 ".repeat(4_000_000);
    run_with(["convert", "--per-line", "-f", "shift_jis"], &long)
        .gives(0, &long)
        .quietly();
    let (sjis, _, _) = encoding_rs::SHIFT_JIS.encode(&long);
    run_with(["convert", "--per-line", "-f", "shift_jis"], &sjis).gives(0, &long);
}

#[test]
fn what_has_no_lines() {
    run(["convert", "--per-line", "-f", "utf-16le"])
        .gives(2, b"")
        .says(["--per-line: lines of UTF-16LE can't be told apart"]);
    run_with(["convert", "--per-line", "-f", "auto:gbk,utf-16be"], LOG)
        .gives(2, b"")
        .says(["--per-line: lines of UTF-16BE can't be told apart"]);
    run_with(["convert", "--per-line", "--bom=keep"], b"\xFF\xFEa\0")
        .gives(2, b"")
        .says(["it is UTF-16, whose lines can't be told apart"]);
    run(["convert", "--per-line", "--in-place", "--verify", "x"]).gives(2, b"");
}

#[test]
fn a_byte_order_mark_of_utf_16_is_about_all_lines() {
    let folder = Folder::new();
    for input in [
        &b"\xFF\xFEa\0\n\0\xE9\0\n\0"[..],
        b"\xFE\xFF\0a\0\n\0\xE9\0\n",
        b"\xFF\xFE\0\0a\0\0\0\n\0\0\0\xE9\0\0\0\n\0\0\0",
    ] {
        run_with(["convert", "--per-line"], input).gives(0, "a\né\n");
        let file = folder.file("a", input);
        run(["convert", "--per-line", "--in-place", "-v", &file])
            .ends(0)
            .says(["(bom)"]);
        assert_eq!(folder.read("a"), "a\né\n".as_bytes());
    }
    for (from, input) in [
        ("utf-16le", b"t\0e\0x\0t\0\n\0"),
        ("utf-16be", b"\0t\0e\0x\0t\0\n"),
    ] {
        let file = folder.file("a", input.repeat(9));
        let said = format!("without a byte order mark; left alone. --from={from} converts it");
        for flags in [&["--per-line"][..], &["-f", "windows-1251"]] {
            let args = ["convert", "--in-place", &file];
            run(args.iter().chain(flags)).ends(1).says([&said]);
        }
        run(["convert", "--in-place", "-f", from, &file]).ends(0);
    }
}

/// Lines in ISO-2022-JP are ASCII, and would be passed on as such.
#[test]
fn lines_in_iso_2022_jp_that_the_list_lacks() {
    let folder = Folder::new();
    let (whole, damaged) = ("\x1B$BF|K\\8l$G$9\x1B(B\n", "\x1B$BF|K8l$G$9\x1B(B\n");
    let said =
        "it has escape sequences of ISO-2022-JP, the first at offset 6, which --from does not list";
    for line in [whole, damaged] {
        let log = [&b"caf\xE9 \n"[..], line.as_bytes()].concat();
        folder.folder("t");
        let file = folder.file("t/a", &log);
        let tree = folder.name("t");
        for from in ["windows-1252", "auto:shift_jis,windows-1252"] {
            let convert = ["convert", "--per-line", "-f", from];
            let passed_on = ["café \n", line].concat();
            run(convert.iter().chain(&[&*file]))
                .gives(1, passed_on)
                .says([
                    said,
                    ". --from=auto:LIST with iso-2022-jp in the list converts these lines",
                ]);
            run(convert.iter().chain(&["--in-place", &*tree]))
                .ends(1)
                .says([said, "; left alone. --force takes them for ASCII; --from"]);
            assert_eq!(folder.read("t/a"), log);
            let out = folder.name("out");
            run(convert.iter().chain(&["--out-dir", &*out, &*tree])).ends(1);
            assert!(!folder.path("out/a").exists());
        }
        let listed = [
            "convert",
            "--per-line",
            "-f",
            "auto:iso-2022-jp,windows-1252",
            &file,
        ];
        run(listed).never_says([said]);
        let forced = [
            "convert",
            "--per-line",
            "-f",
            "windows-1252",
            "--force",
            "--in-place",
        ];
        run(forced.iter().chain(&[&*file])).ends(0);
    }
    run_with(
        ["convert", "--per-line", "-f", "koi8-r"],
        "\x1B[1mbold\x1B[0m \x1B(B\n",
    )
    .ends(0);
}
