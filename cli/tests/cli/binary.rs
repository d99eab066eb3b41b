//! Files that are not text are never converted unless asked for, wherever in the file that shows.

use serde_json::Value;

use crate::harness::{Folder, Ran, run, run_with};

/// Bytes without a pattern, as in compressed data (xorshift64*).
fn random(len: usize) -> Vec<u8> {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let bytes = std::iter::repeat_with(|| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_F491_4F6C_DD1D).to_be_bytes()[0]
    });
    bytes.take(len).collect()
}

/// Text of some length, followed by bytes that are not text.
fn after_text(len: usize) -> Vec<u8> {
    let mut bytes = b"#!/bin/sh\nexec tail -n +3 \"$0\" | tar -xz\n".repeat(len / 41 + 1);
    bytes.extend(random(2000));
    bytes
}

fn fits() -> Vec<u8> {
    let mut bytes = format!("{:<80}", "SIMPLE  =                    T").repeat(36);
    bytes.push_str(&format!("{:<80}", "END"));
    let mut bytes = bytes.into_bytes();
    bytes.extend((0..2000_u16).flat_map(u16::to_be_bytes));
    bytes
}

/// A tree of binary files of several kinds, and of two texts in windows-1252.
fn tree() -> Folder {
    let folder = Folder::new();
    folder.folder("t");
    folder.file(
        "t/a.png",
        [b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", &random(300)[..]].concat(),
    );
    folder.file("t/elf", [b"\x7FELF\x02\x01\x01\0", &[0; 60][..]].concat());
    folder.file(
        "t/b.gz",
        [b"\x1F\x8B\x08\0\0\0\0\0\0\x03", &random(200)[..]].concat(),
    );
    folder.file("t/c.sqlite", [b"SQLite format 3\0", &[1; 100][..]].concat());
    folder.file(
        "t/d.pickle",
        b"\x80\x04\x95\x0B\0\0\0\0\0\0\0]\x94(K\x01K\x02e.",
    );
    folder.file("t/e.class", b"\xCA\xFE\xBA\xBE\0\0\0\x34\0\x1D");
    folder.file("t/f.run", after_text(200_000));
    folder.file("t/g.fits", fits());
    folder.file("t/h.ppm", [b"P6\n20 20\n255\n", &random(1200)[..]].concat());
    folder.file("t/random", random(4096));
    folder.file("t/tiny.png", b"\x89PNG\r\n\x1A\n");
    folder.file("t/bmw.txt", b"BMW f\xFChrt M\xFCnchen");
    folder.file("t/mz.txt", b"MZ, BZh und PK sind K\xFCrzel\n");
    folder
}

const BINARY: usize = 11;

const BMW: &str = "BMW führt München";
const MZ: &str = "MZ, BZh und PK sind Kürzel\n";

fn results(ran: &Ran) -> Vec<(String, Value)> {
    let text = String::from_utf8(ran.stdout.clone()).expect("JSON is UTF-8");
    let objects = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("each line is JSON"));
    let files = objects.filter(|object| object["type"] == "file");
    files
        .map(|object| {
            (
                object["path"].as_str().unwrap_or_default().to_owned(),
                object,
            )
        })
        .collect()
}

#[test]
fn in_place_they_stay_as_they_are() {
    for args in [
        &["-f", "windows-1252"][..],
        &["-f", "windows-1252", "--invalid=replace", "--force"],
        &["-f", "windows-1252", "--per-line"],
        &["--accept-guess"],
        &["-f", "auto:windows-1252"],
    ] {
        let folder = tree();
        let mut wanted = folder.tree("t");
        wanted.insert("bmw.txt".into(), BMW.into());
        wanted.insert("mz.txt".into(), MZ.into());
        let tree = folder.name("t");
        let convert = ["convert", "--in-place", "--json", &tree];
        let ran = run(convert.iter().chain(args).copied()).ends(1);
        assert!(folder.tree("t") == wanted, "{args:?}: {}", ran.stderr);
        let results = results(&ran);
        assert_eq!(results.len(), BINARY + 2);
        for (path, object) in results {
            let result = if path.ends_with("txt") {
                "converted"
            } else {
                assert_eq!(object["from"], Value::Null, "{path}");
                assert!(
                    ["binary", "implausible"].contains(&object["evidence"].as_str().unwrap_or("")),
                    "{object}"
                );
                "binary"
            };
            assert_eq!(object["result"], result, "{args:?} {object}");
        }
        let copy = ["convert", "--in-place", "--binary=copy", &tree];
        run(copy.iter().chain(&["-f", "utf-8"]).copied()).ends(0);
        assert!(folder.tree("t") == wanted);
    }
}

#[test]
fn below_another_folder_they_are_not_written() {
    for args in [&["-f", "windows-1252"][..], &[], &["-f", "auto:koi8-r"]] {
        let folder = tree();
        let originals = folder.tree("t");
        let (tree, out) = (folder.name("t"), folder.name("out"));
        let convert = ["convert", "--out-dir", &out, &tree];
        let ran = run(convert.iter().chain(args).copied()).ends(1);
        let names: Vec<_> = folder.tree("out").into_keys().collect();
        assert_eq!(
            names,
            ["bmw.txt", "mz.txt"].map(std::path::PathBuf::from),
            "{}",
            ran.stderr
        );
        ran.says(["11 binary", "a.png: it is binary", "--binary=copy"]);

        run(convert
            .iter()
            .chain(args)
            .chain(&["--binary=copy"])
            .copied())
        .ends(0);
        for (path, contents) in folder.tree("out") {
            let is_text = path.extension().is_some_and(|it| it == "txt");
            assert_eq!(contents == originals[&path], !is_text, "{path:?}");
        }
    }
    let folder = tree();
    let (tree, out) = (folder.name("t"), folder.name("out"));
    let args = [
        "convert",
        "-f",
        "windows-1252",
        "--binary=convert",
        "--out-dir",
        &out,
        &tree,
    ];
    run(args).ends(0);
    let random = folder.read("t/random");
    let wanted = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&random);
    assert_eq!(folder.read("out/random"), wanted.0.as_bytes());
}

#[test]
fn one_output_is_written_where_the_encoding_is_named() {
    let folder = tree();
    let random = folder.name("t/random");
    run(["convert", &random])
        .gives(1, "")
        .says(["it is binary", "not converted"]);
    run_with(["convert"], folder.read("t/random"))
        .gives(1, "")
        .says(["it is binary"]);
    run(["convert", "--binary=copy", &random]).gives(0, folder.read("t/random"));
    let target = folder.name("new");
    run(["convert", "-o", &target, &random]).ends(1);
    assert!(!folder.path("new").exists());

    let bytes = folder.read("t/random");
    let wanted = encoding_rs::WINDOWS_1252
        .decode_without_bom_handling(&bytes)
        .0;
    run(["convert", "-f", "windows-1252", &random])
        .gives(1, wanted.as_bytes())
        .says(["it is binary", "read as windows-1252"]);
    run(["convert", "-f", "windows-1252", "--binary=convert", &random])
        .gives(0, wanted.as_bytes())
        .quietly();
}

#[test]
fn detect_says_so() {
    let folder = tree();
    let stdout = run(["detect", &folder.name("t")]).ends(0).stdout;
    let stdout = String::from_utf8(stdout).expect("it is UTF-8");
    let binary = stdout.lines().filter(|line| {
        line.contains(": binary, certain, binary: ")
            || line.contains(": binary, tentative, implausible: ")
    });
    assert_eq!(binary.count(), BINARY, "{stdout}");
    let png = folder.name("t/a.png");
    let json = run(["detect", "--json", &png]).quietly().ends(0).stdout;
    let json: Value = serde_json::from_slice(&json).expect("it is JSON");
    assert_eq!(
        (&json["encoding"], &json["evidence"]),
        (&Value::Null, &"binary".into())
    );
    assert_eq!(json["reason"], "it begins as a file of type image/png does");
}

#[test]
fn what_text_may_have() {
    let folder = Folder::new();
    folder.folder("t");
    let cases: [(&str, &[u8], &str); 6] = [
        (
            "colours",
            b"\x1B[1;31mrouge\x1B[0m \xE9t\xE9\n",
            "\u{1B}[1;31mrouge\u{1B}[0m été\n",
        ),
        (
            "pages",
            b"page 1\x0Cpage 2 \xE9\x08\xE9\n",
            "page 1\u{C}page 2 é\u{8}é\n",
        ),
        (
            "end",
            b"\xE9crit sous DOS\r\n\x1A",
            "écrit sous DOS\r\n\u{1A}",
        ),
        (
            "padded",
            b"\xE9t\xE9 et hiver\n\0\0\0\0\0\0",
            "été et hiver\n\0\0\0\0\0\0",
        ),
        ("bm", b"BM\xE9", "BMé"),
        (
            "pdf",
            b"%PDF-1.4 d\xE9signe un fichier PDF",
            "%PDF-1.4 désigne un fichier PDF",
        ),
    ];
    for (name, bytes, _) in cases {
        folder.file(&format!("t/{name}"), bytes);
    }
    run([
        "convert",
        "-f",
        "windows-1252",
        "--in-place",
        &folder.name("t"),
    ])
    .ends(0);
    for (name, _, text) in cases {
        assert_eq!(folder.read(&format!("t/{name}")), text.as_bytes(), "{name}");
    }
    // ISO-2022-JP shifts with ESC.
    run_with(["convert", "-f", "iso-2022-jp"], b"\x1B$B\x46\x7C\x1B(B").gives(0, "日");
    // UTF-16 is full of NULs, which are halves of letters there.
    run_with(["convert", "-f", "utf-16le"], b"a\0b\0\n\0")
        .gives(0, "ab\n")
        .quietly();
}

/// Text in UTF-16LE, UTF-16BE and UTF-32LE with a byte order mark, and in UTF-16LE without one.
fn in_units(text: &str) -> [Vec<u8>; 4] {
    let marked = format!("\u{FEFF}{text}");
    let le = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    [
        le(&marked),
        marked.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        marked
            .chars()
            .flat_map(|ch| u32::from(ch).to_le_bytes())
            .collect(),
        le(text),
    ]
}

#[test]
fn data_after_text_in_utf16_and_utf32() {
    for text in [
        "The quick brown fox jumps over the lazy dog.\r\n".repeat(100),
        "The quick brown fox jumps over the lazy dog.\r\n".repeat(60_000),
    ] {
        for head in in_units(&text) {
            let contents = [&head[..], &random(5000)].concat();
            let folder = Folder::new();
            let file = folder.file("file", &contents);
            let out = folder.name("out");
            let in_place = [
                "convert",
                "--in-place",
                "--accept-guess",
                "--invalid=replace",
            ];
            run(in_place.iter().chain(&[file.as_str()]))
                .ends(1)
                .says(["it is binary", "left alone"]);
            assert!(folder.read("file") == contents);
            run(["convert", "--out-dir", &out, &file])
                .ends(1)
                .says(["it is binary", "nothing was written"]);
            assert!(!folder.path("out/file").exists());
            run(["convert", "--out-dir", &out, "--binary=copy", &file]).ends(0);
            assert!(folder.read("out/file") == contents);
            run(["detect", &file]).ends(0).says([]);
        }
    }
}

#[test]
fn ascii_after_text_in_utf16() {
    let lines = "2024-11-05 10:22:07 backup finished, 1042 files\r\n".repeat(4);
    for (index, head) in in_units(&"Größe und Übermaß\r\n".repeat(30))
        .into_iter()
        .enumerate()
    {
        let contents = [&head[..], lines.as_bytes()].concat();
        let folder = Folder::new();
        let file = folder.file("file", &contents);
        let out = folder.name("out");
        run(["convert", "--in-place", "--accept-guess", &file])
            .ends(1)
            .says(["left alone"]);
        assert_eq!(folder.read("file"), contents);
        run(["convert", "--out-dir", &out, &file]).ends(1);
        assert!(!folder.path("out/file").exists());
        run(["convert", &file]).ends(1);
        if index != 2 {
            run(["convert", "--in-place", "--force", "--accept-guess", &file]).ends(0);
        }
    }
}

/// The last unit may be cut, of UTF-32 too.
#[test]
fn text_that_is_cut_is_text() {
    let text = "Все люди рождаются свободными и равными";
    let [_, _, utf32, utf16] = in_units(text);
    for (bytes, name) in [(&utf32[4..], "UTF-32LE"), (&utf16[..], "UTF-16LE")] {
        let folder = Folder::new();
        let file = folder.file("file", &bytes[..bytes.len() - 1]);
        run(["convert", &file])
            .gives(1, format!("{}\u{FFFD}", &text[..text.len() - "и".len()]))
            .says([name]);
    }
}

#[test]
fn to_one_output_they_are_copied_if_that_is_asked_for() {
    let image = [b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", &random(300)[..]].concat();
    for contents in [image, random(3000), after_text(300_000)] {
        let folder = Folder::new();
        let file = folder.file("file", &contents);
        let out = folder.name("out");
        for from in [&["-f", "windows-1252"][..], &["-f", "utf-8"], &[]] {
            let args = ["convert", "--binary=copy"];
            let args = || args.iter().chain(from).copied();
            let path = file.as_str();
            assert!(run(args().chain([path])).quietly().stdout == contents);
            assert!(run_with(args(), &contents).quietly().stdout == contents);
            run(args().chain(["-o", &out, path])).ends(0);
            assert!(folder.read("out") == contents);
        }
    }
    // Text is still converted, from a pipe and from a file.
    let folder = Folder::new();
    let file = folder.file("file", b"Gr\xFC\xDFe\n");
    let args = ["convert", "--binary=copy", "-f", "windows-1252"];
    run(args.iter().chain(&[file.as_str()])).gives(0, "Grüße\n");
    run_with(args, b"Gr\xFC\xDFe\n").gives(0, "Grüße\n");
}

/// Russian text in windows-1251, and after the first 64 KiB what no text has.
fn after_russian(lines: usize) -> Vec<u8> {
    let line = "Привет, мир! Это обычный русский текст.\n";
    let line = encoding_rs::WINDOWS_1251.encode(line).0;
    let controls: Vec<u8> = (0..32).collect();
    [line.repeat(lines), controls.repeat(100)].concat()
}

#[test]
fn wherever_it_begins_no_output_file_is_replaced() {
    for lines in [100, 1700] {
        let contents = after_russian(lines);
        let declared = [
            &b"<?xml version='1.0' encoding='windows-1251'?>\n"[..],
            &contents,
        ]
        .concat();
        for contents in [contents, declared] {
            let folder = Folder::new();
            let file = folder.file("file", &contents);
            let out = folder.file("out", "keep");
            for how in [&[][..], &["--binary=convert"]] {
                let args = || {
                    ["convert", "-o", &out]
                        .into_iter()
                        .chain(how.iter().copied())
                };
                run(args().chain([file.as_str()]))
                    .gives(1, "")
                    .says(["it is binary", "not converted", "nothing was written to it"])
                    .never_says(["was read as"]);
                assert_eq!(folder.read("out"), b"keep");
                run_with(args(), &contents).gives(1, "").says([
                    "it is binary",
                    "not converted",
                    "nothing was written to it",
                ]);
                assert_eq!(folder.read("out"), b"keep");
            }
            run(["convert", &file])
                .gives(1, "")
                .says(["it is binary", "not converted"]);
            let wanted = encoding_rs::WINDOWS_1251.decode_without_bom_handling(&contents);
            run(["convert", "-f", "windows-1251", "-o", &out, &file])
                .ends(1)
                .says(["it is binary", "was read as windows-1251"]);
            assert!(folder.read("out") == wanted.0.as_bytes());
        }
    }
    // Line by line, only that flag can ask for it.
    let folder = Folder::new();
    let file = folder.file("file", after_russian(1700));
    let out = folder.file("out", "keep");
    let args = ["convert", "--per-line", "-o", &out, &file];
    run(args)
        .ends(1)
        .says(["--binary=convert converts it as text"]);
    assert_eq!(folder.read("out"), b"keep");
    run(args.into_iter().chain(["--binary=convert"])).ends(0);
    assert!(folder.read("out") != b"keep");
}

#[test]
fn a_guess_in_place_is_not_offered_for_binary_data() {
    for lines in [100, 1700] {
        let contents = after_russian(lines);
        let folder = Folder::new();
        let file = folder.file("file", &contents);
        run(["convert", "--in-place", &file])
            .ends(1)
            .says(["it is binary", "left alone"])
            .never_says(["--accept-guess converts"]);
        run(["convert", "--in-place", "--binary=copy", &file])
            .ends(0)
            .never_says(["most likely"]);
        let ran = run(["convert", "--in-place", "--json", &file]).ends(1);
        let (_, object) = &results(&ran)[0];
        assert_eq!(object["result"], "binary", "{object}");
        assert_eq!(object["from"], Value::Null, "{object}");
        assert!(folder.read("file") == contents);
    }
}

/// A guess at the encoding of something that is not text is worth nothing.
#[test]
fn it_is_converted_only_from_an_encoding_that_is_named() {
    let russian = b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?\n";
    let control: Vec<u8> = (0..=255).collect();
    let mixed = [&russian.repeat(3000)[..], &control.repeat(40)].concat();
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/a", &mixed);
    let (tree, out) = (folder.name("t"), folder.name("out"));
    let args = ["convert", "--binary=convert"];
    let said = [
        "it is binary (",
        "and nothing says which encoding to convert it from; name one with --from=LABEL",
    ];
    for how in [
        &["--out-dir", &out][..],
        &["--in-place"],
        &["--in-place", "--accept-guess"],
    ] {
        run(args.iter().chain(how).chain(&[&*tree]))
            .gives(1, b"")
            .says(said);
        assert!(folder.tree_is_empty("out"));
        assert!(folder.read("t/a") == mixed);
    }
    // From a pipe the beginning is written before that is known.
    run_with(args, &mixed)
        .ends(1)
        .says(["was read as windows-1251, which is a guess; --from=LABEL says what it is"]);
    run(args
        .iter()
        .chain(&["-f", "windows-1251", "--out-dir", &out, &tree]))
    .ends(0);
    assert!(folder.read("out/a").starts_with("Привет, мир!".as_bytes()));
}

/// What is copied gets no byte order mark, and neither does text after it.
#[test]
fn what_is_copied_is_as_it_was() {
    let folder = Folder::new();
    let binary: Vec<u8> = (0..=255).cycle().take(5000).collect();
    let file = folder.file("binary", &binary);
    let text = folder.file("text", "é");
    let out = folder.name("out");
    let args = ["convert", "--binary=copy", "--output-bom"];
    run(args.iter().chain(&["-o", &*out, &*file])).gives(0, b"");
    assert_eq!(folder.read("out"), binary);
    run_with(args, &binary).gives(0, &binary);
    run(args.iter().chain(&[&*file, &*text])).gives(0, [&binary[..], "é".as_bytes()].concat());
    let marked = "\u{FEFF}é".as_bytes();
    run(args.iter().chain(&[&*text, &*file])).gives(0, [marked, &binary[..]].concat());
    run_with(args, b"").gives(0, "\u{FEFF}");
}

#[test]
fn what_is_copied_into_iso_2022_jp_begins_in_ascii() {
    let folder = Folder::new();
    let text = folder.file("text", "\u{65E5}");
    let binary = folder.file("binary", b"\x00\x01\x02AB\x00");
    run([
        "convert",
        "-t",
        "iso-2022-jp",
        "--binary=copy",
        "-f",
        "utf-8",
        &text,
        &binary,
        &text,
    ])
    .gives(0, b"\x1B$BF|\x1B(B\x00\x01\x02AB\x00\x1B$BF|\x1B(B");
}

/// Nothing is malformed in UTF-16 if its bytes are swapped.
#[test]
fn utf16_in_the_other_byte_order() {
    for text in [
        "The quick brown fox\n",
        "\u{65E5}\u{672C}\u{8A9E}\u{306E}\u{6587}\n",
        "one line",
    ] {
        let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        for (bytes, is, named) in [
            (&little, "UTF-16LE", "utf-16be"),
            (&big, "UTF-16BE", "utf-16"),
        ] {
            let folder = Folder::new();
            let tree = folder.folder("t");
            let file = folder.file("t/a", bytes);
            let said = format!("a: it is {is}, by its characters, and not UTF-16");
            run(["convert", "-f", named, "--in-place", &tree])
                .gives(1, "")
                .says([
                    &*said,
                    "; left alone. --force converts it anyway; --from=utf-16",
                ]);
            assert_eq!(&folder.read("t/a"), bytes);
            let out = folder.name("out");
            run(["convert", "-f", named, "--out-dir", &out, &tree])
                .gives(1, "")
                .says([&*said]);
            assert!(folder.tree_is_empty("out"));
            run(["convert", "-f", named, &file])
                .ends(1)
                .says([&*said, ". --from=utf-16"]);
            run(["check", "-f", named, &file]).ends(1);
            run(["convert", "-f", named, "--out-dir", &out, "--force", &tree]).gives(0, "");
            run(["convert", "-f", is, &file]).gives(0, text);
        }
        run_with(
            ["convert", "-f", "utf-16"],
            [&b"\xFE\xFF"[..], &big].concat(),
        )
        .gives(0, text);
    }
}
