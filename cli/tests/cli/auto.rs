//! `--from=auto`, `auto:LIST` and `--undo-double-encoding`.

use crate::harness::{Folder, run, run_with};
use crate::per_line_long::in_pieces;

/// The path of a sample.
pub(crate) fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/../samples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

const SAMPLES: [(&str, &str, &str); 5] = [
    ("ja.shift_jis.txt", "utf-8/ja.txt", "Shift_JIS"),
    ("ko.euc-kr.txt", "utf-8/ko.txt", "EUC-KR"),
    ("ru.windows-1251.txt", "utf-8/ru.txt", "windows-1251"),
    ("ja.iso-2022-jp.txt", "utf-8/ja.txt", "ISO-2022-JP"),
    ("zh-hant.big5.txt", "utf-8/zh-hant.txt", "Big5"),
];

#[test]
fn what_files_are_in_is_guessed_and_said() {
    for (legacy, text, encoding) in SAMPLES {
        let said = format!("<stdin>: read as {encoding} (");
        run_with(["convert"], sample(legacy))
            .gives(0, sample(text))
            .says([&said, "which is a guess"]);
        run_with(["convert", "-q", "-f", "auto"], sample(legacy))
            .gives(0, sample(text))
            .quietly();
        let folder = Folder::new();
        let file = folder.file("a", sample(legacy));
        run(["convert", &file])
            .gives(0, sample(text))
            .says(["a: read as"]);
    }
}

#[test]
fn what_is_certain_is_not_talked_about() {
    for (input, text) in [
        (&b""[..], ""),
        (b"ASCII", "ASCII"),
        (b"\x1B[31mred\x1B[0m", "\x1B[31mred\x1B[0m"),
        ("naïve".as_bytes(), "naïve"),
        (b"\xFE\xFF\0a", "a"),
        (b"<meta charset=koi8-r>\xD6", "<meta charset=koi8-r>ж"),
        (b"@charset \"koi8-r\";\xD6", "@charset \"koi8-r\";ж"),
        (
            b"<?xml version='1.0' encoding='koi8-r'?><a>\xD6</a>",
            "<?xml version='1.0' encoding='koi8-r'?><a>ж</a>",
        ),
    ] {
        run_with(["convert"], input).gives(0, text).quietly();
        let folder = Folder::new();
        let file = folder.file("a", input);
        run(["convert", &file]).gives(0, text).quietly();
    }
}

/// A file is read to its end before it is called UTF-8 or ASCII, because the decisive bytes may come late.
#[test]
fn what_comes_late_counts() {
    let folder = Folder::new();
    let ascii = "plain text\n".repeat(50_000);
    for (legacy, text, encoding) in SAMPLES {
        let file = folder.file("a", [ascii.as_bytes(), &sample(legacy)].concat());
        let said = format!("read as {encoding} (");
        run(["convert", &file])
            .gives(0, [ascii.as_bytes(), &sample(text)].concat())
            .says([&said]);
    }
    // One byte that rules out UTF-8 does not say what it is.
    let early = [
        b"\xB9 1\n",
        ascii.as_bytes(),
        &sample("ru.windows-1251.txt"),
    ]
    .concat();
    let text = [
        "№ 1\n".as_bytes(),
        ascii.as_bytes(),
        &sample("utf-8/ru.txt"),
    ];
    let file = folder.file("early", early);
    run(["convert", &file])
        .gives(0, text.concat())
        .says(["read as windows-1251 ("]);
    // Valid UTF-8 up to the last byte is most likely damaged UTF-8.
    let late = ["é".repeat(200_000).as_bytes(), b"\xE9"].concat();
    let file = folder.file("late", late);
    run(["convert", &file])
        .gives(
            1,
            ["é".repeat(200_000).as_bytes(), "\u{FFFD}".as_bytes()].concat(),
        )
        .says([
            "late: read as UTF-8 (valid UTF-8 at first, though not to its end), which is a guess",
            "malformed byte E9 at offset 400000",
        ]);
}

#[test]
fn the_first_of_a_list_without_a_fault() {
    let folder = Folder::new();
    let from = "--from=auto:iso-2022-jp,euc-jp,shift_jis";
    for (legacy, text) in [
        ("ja.shift_jis.txt", "utf-8/ja.txt"),
        ("ja.euc-jp.txt", "utf-8/ja.txt"),
        ("ja.iso-2022-jp.txt", "utf-8/ja.txt"),
        ("utf-8/ja.txt", "utf-8/ja.txt"),
    ] {
        run_with(["convert", from], sample(legacy))
            .gives(0, sample(text))
            .quietly();
        let file = folder.file("a", sample(legacy));
        run(["convert", from, &file])
            .gives(0, sample(text))
            .quietly();
    }
    // Malformed in every encoding of the list.
    let file = folder.file("none", b"ab\xFF\xE9");
    let out = folder.name("out");
    run(["convert", from, "-o", &out, &file])
        .gives(1, b"")
        .says([
            "none: it has malformed bytes in every encoding of the list (UTF-8 at offset 2, \
         ISO-2022-JP at offset 2, EUC-JP at offset 2, Shift_JIS at offset 2); not converted",
        ]);
    assert_eq!(folder.names(), ["a", "none"]);
    // A byte order mark has nothing to do with the list.
    run_with(["convert", from], b"\xFF\xFEa\0").gives(0, "a");
    for (bad, why) in [
        ("auto:", "a label is missing; write auto alone"),
        ("auto:sjis,", "a label is missing"),
        ("auto:utf-8", "UTF-8 is always tried first"),
        ("auto:sjis,klingon", "klingon"),
    ] {
        run(["convert", "-f", bad]).gives(2, b"").says([why]);
    }
}

#[test]
fn guesses_are_not_replaced_in_place_unless_accepted() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/sjis", sample("ja.shift_jis.txt"));
    folder.file("t/utf-8", sample("utf-8/ja.txt"));
    folder.file("t/ascii", "ascii");
    folder.file("t/declared.html", b"<meta charset=koi8-r>\xD6");
    let before = folder.tree("t");
    let tree = folder.name("t");
    let args = ["convert", "--in-place", &tree];
    run(args).gives(1, b"").says([
        "t/sjis: it is most likely Shift_JIS (most plausible, as Japanese, by ",
        "which is a guess; left alone. --accept-guess converts it from that, --from=LABEL from \
         the encoding that you name",
        "4 files: 1 converted, 2 unchanged, 1 skipped",
    ]);
    let after = folder.tree("t");
    for (name, contents) in &before {
        let declared = name.ends_with("declared.html");
        assert_eq!(after[name] == *contents, !declared, "{name:?}");
    }
    assert_eq!(
        folder.read("t/declared.html"),
        "<meta charset=koi8-r>ж".as_bytes()
    );
    // It still declares koi8-r, but is not converted again.
    run(args)
        .gives(1, b"")
        .says(["2 unchanged, 1 UTF-8 already, 1 skipped"]);
    let ran = run(args.into_iter().chain(["--accept-guess", "--json"])).ends(0);
    let json = String::from_utf8(ran.stdout).expect("JSON is UTF-8");
    let line = json.lines().find(|line| line.contains("t/sjis\""));
    let line = line.expect("each file has a line");
    assert!(line.contains("\"from\":\"Shift_JIS\""), "{line}");
    assert!(line.contains("\"evidence\":\"detected\""), "{line}");
    assert_eq!(folder.read("t/sjis"), sample("utf-8/ja.txt"));
    run(args)
        .gives(0, b"")
        .says(["3 unchanged, 1 UTF-8 already"]);
    assert_eq!(
        folder.read("t/declared.html"),
        "<meta charset=koi8-r>ж".as_bytes()
    );
}

/// If one file in five is a guess, `--out-dir` still writes them all, and the report says why.
#[test]
fn a_tree_of_many_encodings() {
    let folder = Folder::new();
    folder.folder("t");
    for (legacy, _, _) in SAMPLES {
        folder.file(&format!("t/{legacy}"), sample(legacy));
    }
    let (tree, out) = (folder.name("t"), folder.name("out"));
    run(["convert", "-v", "--verify", "--out-dir", &out, &tree])
        .gives(0, b"")
        .says([
            "converted from Shift_JIS (detected) to UTF-8",
            "5 files: 5 converted",
        ]);
    for (legacy, text, _) in SAMPLES {
        assert_eq!(
            folder.read(&format!("out/{legacy}")),
            sample(text),
            "{legacy}"
        );
    }
}

#[test]
fn double_encoding_is_undone_where_nothing_is_lost() {
    let folder = Folder::new();
    folder.folder("t");
    let right = sample("utf-8/ru.txt");
    let (doubled, _, _) = encoding_rs::WINDOWS_1252.decode(&right);
    folder.file("t/doubled", &*doubled);
    folder.file("t/right", &right);
    folder.file("t/partly", format!("{doubled} and é, and ж"));
    folder.file(
        "t/koi8",
        b"\xF0\xD2\xC9\xD7\xC5\xD4, \xCD\xC9\xD2! \xEB\xC1\xCB \xC4\xC5\xCC\xC1?",
    );
    let before = folder.tree("t");
    let tree = folder.name("t");
    run_with(["convert", "--undo-double-encoding"], doubled.as_bytes())
        .gives(0, &right)
        .quietly();
    run_with(
        ["convert", "-f", "utf-8", "--undo-double-encoding"],
        doubled.as_bytes(),
    )
    .gives(0, &right);
    run_with(["convert", "-f", "utf-8"], doubled.as_bytes()).gives(0, doubled.as_bytes());
    let args = [
        "convert",
        "--undo-double-encoding",
        "--in-place",
        "--verify",
        &tree,
    ];
    run(args)
        .gives(1, b"")
        .says(["1 converted, 2 unchanged, 1 skipped"]);
    let after = folder.tree("t");
    for (name, contents) in &before {
        if name.ends_with("doubled") {
            assert_eq!(after[name], right);
        } else {
            assert_eq!(after[name], *contents, "{name:?}");
        }
    }
    run(args).gives(1, b"").says(["3 unchanged, 1 skipped"]);
    run(["convert", "--undo-double-encoding", "-t", "koi8-r"])
        .gives(2, b"")
        .says(["--undo-double-encoding: the output is UTF-8"]);
    run(["convert", "--undo-double-encoding", "--per-line"]).gives(2, b"");
}

#[test]
fn utf16_without_a_mark() {
    let text = String::from_utf8(sample("utf-8/ru.txt")).expect("it is UTF-8");
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = Folder::new();
    let file = folder.file("a", &units);
    run(["convert", &file])
        .gives(0, &text)
        .says(["read as UTF-16LE (plausible code units)"]);
    run_with(["convert"], &units).gives(0, &text);
    // Without ASCII there is no NUL.
    let text = "“今天会下雨吗？”孩子问。老渔夫看看云，笑着说：“下午再说。”";
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let file = folder.file("b", &units);
    run(["convert", &file]).gives(0, text);
}

/// A page that was converted to UTF-8 twice may still declare what it was in at first.
#[test]
fn double_encoding_of_a_page_that_declares_a_legacy_encoding_is_undone() {
    let right = "<!DOCTYPE html><meta charset=windows-1252><p>Où êtes-vous, à Noël ?\n";
    let (doubled, _, _) = encoding_rs::WINDOWS_1252.decode(right.as_bytes());
    let folder = Folder::new();
    folder.folder("t");
    let file = folder.file("t/doubled", &*doubled);
    folder.file("t/right", right);
    let gbk = right.replace("windows-1252", "gbk");
    folder.file(
        "t/gbk",
        &*encoding_rs::WINDOWS_1252.decode(gbk.as_bytes()).0,
    );
    let args = ["convert", "--undo-double-encoding"];
    run(args.iter().chain(&[&*file])).gives(0, right).quietly();
    run_with(args, doubled.as_bytes()).gives(0, right).quietly();
    run(["detect", &file]).gives(
        0,
        format!(
            "{file}: windows-1252, tentative, prescan: declared in it; encoded twice (--undo-double-encoding)\n"
        ),
    );
    let (tree, out) = (folder.name("t"), folder.name("out"));
    run(args.iter().chain(&["--out-dir", &*out, &*tree]))
        .ends(0)
        .says(["3 files: 2 converted, 1 UTF-8 already"]);
    let in_place = ["--in-place", "--verify", &*tree];
    run(args.iter().chain(&in_place))
        .ends(0)
        .says(["3 files: 2 converted, 1 UTF-8 already"]);
    for name in ["t", "out"] {
        let tree = folder.tree(name);
        assert_eq!(tree[std::path::Path::new("doubled")], right.as_bytes());
        assert_eq!(tree[std::path::Path::new("right")], right.as_bytes());
        assert_eq!(tree[std::path::Path::new("gbk")], gbk.as_bytes());
    }
    run(args.iter().chain(&in_place))
        .ends(0)
        .says(["3 UTF-8 already"]);
    // What is encoded in another encoding was not encoded twice.
    run(args.iter().chain(&["-f", "windows-1252", &*file]))
        .gives(2, b"")
        .says(["what was encoded twice is UTF-8, and --from says windows-1252; leave --from out"]);
}

/// Of a pipe only the beginning is read before conversion begins.
#[test]
fn escape_sequences_that_come_late_in_a_pipe() {
    let ascii = "plain text ~/\n".repeat(20_000);
    let jis = [ascii.as_bytes(), &sample("ja.iso-2022-jp.txt")].concat();
    let decoded = [ascii.as_bytes(), &sample("utf-8/ja.txt")].concat();
    let folder = Folder::new();
    let file = folder.file("jis", &jis);
    let out = folder.name("out");
    // As they are, because they were written before that was known.
    let at = ascii.len();
    let said = format!("is ASCII, and from offset {at} on it has escape sequences of ISO-2022-JP");
    let advice = "--from=iso-2022-jp converts it";
    run_with(["convert"], &jis)
        .gives(1, &jis)
        .says([&*said, advice]);
    run_with(["convert", "-o", &out], &jis).gives(1, b"").says([
        &*said,
        "; not converted. ",
        advice,
    ]);
    assert_eq!(folder.names(), ["jis"]);
    run_with(["convert", "-f", "iso-2022-jp", "-o", &out], &jis).gives(0, b"");
    assert_eq!(folder.read("out"), decoded);
    run(["convert", &file]).gives(0, &decoded);
    run_with(["convert", "-f", "utf-8"], &jis).gives(0, &jis);
    let terminal = "plain \x1B[1mtext\x1B(B ~/\n".repeat(20_000);
    run_with(["convert"], &terminal)
        .gives(0, &terminal)
        .quietly();
    // What is not decoded at all.
    let korean = format!("{ascii}\x1B$)C\n\x0E0!\x0F\n");
    run_with(["convert"], &korean).gives(1, &korean).says([
        "it has escape sequences of ISO-2022-KR",
        "iconv -f ISO-2022-KR",
    ]);
}

/// A byte order mark is no part of what was encoded twice, unless it was, too.
#[test]
fn double_encoding_after_a_byte_order_mark() {
    let right = "Où êtes-vous, à Noël ?\n";
    let (doubled, _, _) = encoding_rs::WINDOWS_1252.decode(right.as_bytes());
    let folder = Folder::new();
    folder.folder("t");
    let marked = ["\u{FEFF}", &doubled].concat();
    let file = folder.file("t/a", &marked);
    let args = ["convert", "--undo-double-encoding"];
    run(args.iter().chain(&[&*file])).gives(0, right).quietly();
    let kept = ["--bom=keep", &file];
    run(args.iter().chain(&kept)).gives(0, &marked).quietly();
    let in_place = ["--output-bom", "--in-place", "--verify", &file];
    run(args.iter().chain(&in_place))
        .ends(0)
        .says(["1 converted"]);
    assert_eq!(folder.read("t/a"), ["\u{FEFF}", right].concat().as_bytes());
}

/// Lines in ISO-2022-JP are ASCII, and so valid UTF-8.
#[test]
fn iso_2022_jp_within_utf8() {
    const JIS: &[u8] = b"\x1B$BF|K\\8l\x1B(B\n";
    let utf8 = "Caf\u{E9}\n".repeat(20_000);
    for beginning in [&utf8, "\u{FEFF}", "<meta charset=utf-8>\n"] {
        let folder = Folder::new();
        let input = [beginning.as_bytes(), JIS].concat();
        let file = folder.file("a", &input);
        let has = format!(
            "a: it has escape sequences of ISO-2022-JP, the first at offset {}",
            beginning.len()
        );
        let left = [&*has, ", and is UTF-8 otherwise; left alone. --force"];
        run(["convert", "--in-place", &file])
            .gives(1, "")
            .says(left);
        assert_eq!(folder.read("a"), input);
        let out = folder.name("out");
        run(["convert", "--out-dir", &out, &file])
            .gives(1, "")
            .says([&has, "nothing was written for it", "--per-line"]);
        assert!(folder.tree_is_empty("out"));
        run(["convert", "--force", "--out-dir", &out, &file]).ends(0);
        assert_eq!(folder.tree("out").len(), 1);
        // It is written, because all inputs have one output.
        run(["convert", &file]).ends(1).says([&has, "--per-line"]);
        let lines = run(["convert", "--per-line", &file])
            .ends(0)
            .never_says([&has]);
        let text = String::from_utf8(lines.stdout).expect("it is UTF-8");
        assert!(text.ends_with("\u{65E5}\u{672C}\u{8A9E}\n"));
        // An encoding that is named is believed.
        run(["convert", "-f", "utf-8", "--out-dir", &out, &file])
            .gives(0, "")
            .says([&has, "; read as UTF-8, the encoding that is named"]);
        run(["convert", "-f", "utf-8", &file])
            .ends(0)
            .says([&has, "; read as UTF-8, the encoding that is named"]);
    }
    let folder = Folder::new();
    let tree = folder.folder("t");
    folder.file("t/jis", JIS);
    run(["convert", "-f", "shift_jis", "--in-place", &tree])
        .gives(0, "")
        .says(["jis: it has escape sequences of ISO-2022-JP, the first at offset 0; read as Shift_JIS, the"]);
    let page = folder.file(
        "page.html",
        [b"<meta charset=shift_jis>\x93\xFA", JIS].concat(),
    );
    run(["convert", "--in-place", &page])
        .gives(1, "")
        .says([", and is Shift_JIS otherwise; left alone"]);
    // What is UTF-8 is not read as something else for that.
    let utf8 = [utf8.as_bytes(), JIS].concat();
    let file = folder.file("utf8", &utf8);
    run(["convert", "-f", "windows-1252", "--in-place", &file])
        .gives(0, "")
        .says(["1 UTF-8 already"]);
    // Colours of a terminal are no reason.
    run_with(["convert"], "\x1B[1mCaf\u{E9}\x1B[0m\x1B(B\n")
        .gives(0, "\x1B[1mCaf\u{E9}\x1B[0m\x1B(B\n");
}

/// White space and comments may fill what a browser looks at first.
#[test]
fn declarations_after_white_space() {
    let (declared, text) = (b"<html><meta charset=windows-1252>\xCF\xF0\n", "Ïð\n");
    for before in [" ".repeat(1024), "\n".repeat(60_000), "\t \r\n".repeat(500)] {
        let page = [before.as_bytes(), declared].concat();
        let folder = Folder::new();
        let file = folder.file("a", &page);
        let expected = format!("{before}<html><meta charset=windows-1252>{text}");
        run_with(["convert"], &page).gives(0, &expected).quietly();
        let pieces: Vec<&[u8]> = page.chunks(1200).collect();
        in_pieces(&["convert"], &pieces)
            .gives(0, &expected)
            .quietly();
        run(["convert", "--in-place", &file]).ends(0);
        assert_eq!(folder.read("a"), expected.as_bytes());
    }
}

/// The bytes are those of ASCII, and are valid UTF-16.
#[test]
fn escape_sequences_in_what_is_said_to_be_utf_16() {
    let korean = b"\x1B$)C\x0E>H3g\x0F, hello \x0E0!3*\x0F, and another line\n\n".repeat(9);
    let japanese = sample("ja.iso-2022-jp.txt").repeat(2);
    for (text, encoding) in [(&korean, "ISO-2022-KR"), (&japanese, "ISO-2022-JP")] {
        let folder = Folder::new();
        let file = folder.file("a", text);
        let said = format!("it has escape sequences of {encoding}, the first at offset ");
        run(["convert", "-f", "utf-16le", &file])
            .ends(1)
            .says([&said]);
        for flags in [&["--in-place"][..], &["--out-dir", &folder.name("out")]] {
            let args = ["convert", "-f", "utf-16le", &file];
            run(args.iter().chain(flags))
                .gives(1, b"")
                .says([&said, "and is not UTF-16LE; "]);
        }
        run(["check", "-f", "utf-16le", &file]).ends(1);
        assert!(folder.tree_is_empty("out"));
        assert_eq!(folder.read("a"), *text);
        run(["convert", "-f", "utf-16le", "--in-place", "--force", &file]).ends(0);
    }
}

/// A byte of the text was lost, so that nothing after it in its line is right.
#[test]
fn iso_2022_jp_that_is_damaged() {
    let folder = Folder::new();
    folder.folder("t");
    let tree = folder.name("t");
    let damaged = b"a\n\x1B$BF|K\\8l$G$9!\x1B(B ok\n";
    let file = folder.file("t/a", damaged);
    let text = "a\n日本語です\u{FFFD} ok\n";
    run(["detect", &file]).gives(
        0,
        format!("{file}: ISO-2022-JP, tentative, detected: escape sequences of ISO-2022-JP\n"),
    );
    run(["convert", &file])
        .gives(1, text)
        .says(["malformed byte 21"]);
    run_with(["convert"], damaged).gives(1, text);
    let out = folder.name("out");
    run(["convert", "--out-dir", &out, &tree]).gives(1, "");
    assert_eq!(folder.read("out/a"), text.as_bytes());
    run(["convert", "--in-place", &tree])
        .gives(1, "")
        .says(["which is a guess; left alone"]);
    // Whether it is ISO-2022-JP to its end can't be known if the way back to ASCII is lost.
    let open = [
        "\x1B$BF|K\\8l$G$9\n",
        &"and then there is English\n".repeat(20),
    ]
    .concat();
    let file = folder.file("t/a", &open);
    let said =
        "it has escape sequences of ISO-2022-JP, the first at offset 0, and is UTF-8 otherwise";
    run(["convert", &file]).gives(1, &open).says([said]);
    for how in [&["--in-place"][..], &["--out-dir", &out]] {
        run(["convert", &tree].iter().chain(how))
            .gives(1, "")
            .says([said]);
    }
    assert_eq!(folder.read("t/a"), open.as_bytes());
}

/// Seven ideographs in EUC-JP, which are about as common as those that they would be in GBK.
#[test]
fn a_guess_that_is_hardly_better_than_another_is_reported() {
    let folder = Folder::new();
    let (tree, out, other) = (folder.folder("t"), folder.name("out"), folder.name("other"));
    let comment = b"\xC9\xF0\xB4\xEF\xCB\xC9\xB6\xF1\xB0\xEC\xCD\xF7\xC9\xBD";
    let file = folder.file("t/a.c", [b"int a; // ", &comment[..], b"\n"].concat());
    folder.file("t/b.txt", sample("ru.koi8-r.txt"));
    run(["convert", "--out-dir", &out, &tree]).ends(1).says([
        "a.c: read as GBK, which is a guess, and EUC-JP is hardly less plausible; --from says what it is",
        "2 files: 2 converted",
    ]);
    run(["detect", &file]).gives(
        0,
        format!(
            "{file}: GBK, tentative, detected: most plausible, as Chinese, by 1 bit; EUC-JP is hardly less plausible\n"
        ),
    );
    run(["convert", "--from", "euc-jp", "--out-dir", &other, &file]).ends(0);
    assert_eq!(
        folder.read("other/a.c"),
        "int a; // 武器防具一覧表\n".as_bytes()
    );
}
