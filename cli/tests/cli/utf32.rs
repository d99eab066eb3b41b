//! UTF-32, which is not in the standard: by its byte order mark, by its units, by name.

use std::process::Command;

use crate::harness::{Folder, feed, run, run_with};

const TEXT: &str = "Aé\nж日💩\r\n";

fn le(text: &str) -> Vec<u8> {
    text.chars()
        .flat_map(|ch| u32::from(ch).to_le_bytes())
        .collect()
}

fn be(text: &str) -> Vec<u8> {
    text.chars()
        .flat_map(|ch| u32::from(ch).to_be_bytes())
        .collect()
}

#[test]
fn by_its_byte_order_mark() {
    let marked = format!("\u{FEFF}{TEXT}");
    for (bytes, name) in [(le(&marked), "UTF-32LE"), (be(&marked), "UTF-32BE")] {
        for args in [
            &["convert"][..],
            &["convert", "-f", "utf-16le"],
            &["convert", "-f", "windows-1252"],
            &["convert", "-f", "utf-32le"],
            &["convert", "-f", "auto:shift_jis"],
        ] {
            run_with(args, &bytes).gives(0, TEXT);
        }
        let folder = Folder::new();
        let file = folder.file("f", &bytes);
        run(["convert", "-f", "utf-16le", &file]).gives(0, TEXT);
        run(["detect", &file]).gives(
            0,
            format!("{file}: {name}, certain, bom: byte order mark\n"),
        );
        run(["convert", "--in-place", "--verify", "--json", &file])
            .ends(0)
            .says([]);
        assert_eq!(folder.read("f"), TEXT.as_bytes());
    }
    // A mark of UTF-16LE, followed by a character that makes it invalid in UTF-32.
    run_with(["convert", "-f", "utf-16le"], b"\xFF\xFE\0\0a\0b\0").gives(1, "\0ab");
}

#[test]
fn by_name() {
    for (label, bytes) in [
        ("utf-32", le(TEXT)),
        ("UTF-32LE", le(TEXT)),
        ("utf-32be", be(TEXT)),
        ("utf-32", le(&format!("\u{FEFF}{TEXT}"))),
        ("utf-32", be(&format!("\u{FEFF}{TEXT}"))),
    ] {
        run_with(["convert", "-f", label], &bytes)
            .gives(0, TEXT)
            .says([]);
    }
    run_with(["convert", "-f", "utf-32le", "--bom=keep"], le("\u{FEFF}a")).gives(0, "\u{FEFF}a");
    run_with(["convert", "-f", "utf-32le", "-t", "utf-32"], "").ends(2);
    run_with(["check", "-f", "utf-32be"], be(TEXT)).ends(0);
}

#[test]
fn without_a_mark_it_is_a_guess() {
    let text = "Все люди рождаются свободными и равными в своём достоинстве и правах.\n";
    for bytes in [le(text), be(text)] {
        let folder = Folder::new();
        let file = folder.file("f", &bytes);
        run(["convert", &file])
            .gives(0, text)
            .says(["which is a guess"]);
        run(["convert", "--in-place", &file])
            .ends(1)
            .says(["UTF-32", "which is a guess"]);
        assert_eq!(folder.read("f"), bytes);
        run(["convert", "--in-place", "--accept-guess", "--verify", &file]).ends(0);
        assert_eq!(folder.read("f"), text.as_bytes());
    }
}

#[test]
fn what_is_malformed() {
    // A surrogate, a unit above U+10FFFF, and a unit that is cut.
    let bytes = [
        &le("a\n")[..],
        &[0, 0xD8, 0, 0],
        &le("b"),
        &[0, 0, 0x11, 0],
        &le("é"),
        &[0x41, 0],
    ]
    .concat();
    run_with(["convert", "-f", "utf-32le"], &bytes)
        .gives(1, "a\n\u{FFFD}b\u{FFFD}é\u{FFFD}")
        .says([
            "<stdin>:2: malformed bytes 00 D8 00 00 at offset 8 (UTF-32LE)",
            "<stdin>:2: malformed bytes 00 00 11 00 at offset 16 (UTF-32LE)\n",
            "<stdin>:2: malformed bytes 41 00 at offset 24 (UTF-32LE), where the input ends within a code unit\n",
        ]);
    run_with(["convert", "-f", "utf-32le", "--invalid=skip"], &bytes).gives(1, "a\nbé");
    run_with(["convert", "-f", "utf-32le", "--invalid=strict"], &bytes).gives(1, "a\n");
    run_with(["check", "-f", "utf-32le"], &bytes)
        .ends(1)
        .says(["3 malformed sequences"]);
    // Characters that the output does not have, after malformed units.
    run_with(
        [
            "convert",
            "-f",
            "utf-32le",
            "-t",
            "windows-1252",
            "--unmappable=skip",
            "--invalid=skip",
        ],
        [&bytes[..12], &le("жb日")].concat(),
    )
    .gives(1, "a\nb")
    .says(["'ж' (U+0436) at offset 12 ", "'日' (U+65E5) at offset 20 "]);
    // In many blocks, cut anywhere.
    let text = "日💩\n".repeat(50_000);
    run_with(["convert", "-f", "utf-32be"], be(&text)).gives(0, &text);
    let folder = Folder::new();
    let file = folder.file(
        "big",
        [&[0, 0, 0xFE, 0xFF][..], &be(&"x日".repeat(600_000))].concat(),
    );
    run(["convert", "-f", "windows-1252", &file]).gives(0, "x日".repeat(600_000));
}

#[test]
fn what_is_not_in_it_is_left_alone() {
    let folder = Folder::new();
    let nuls = folder.file("nuls", [0; 5000]);
    let out = folder.name("out");
    for args in [
        &["--in-place"][..],
        &["--in-place", "--invalid=replace"],
        &["--out-dir", &out],
    ] {
        run(["convert", "-f", "utf-32le", &nuls].iter().chain(args))
            .ends(1)
            .says(["it is binary", "NUL"]);
    }
    assert_eq!(folder.read("nuls"), [0; 5000]);
    // It was converted before.
    let file = folder.file("file", le("[section]\n"));
    let args = [
        "convert",
        "-f",
        "utf-32le",
        "--in-place",
        "--invalid=replace",
    ];
    for (status, said) in [(0, "converted"), (1, "left alone"), (1, "left alone")] {
        run(args.iter().chain(&[file.as_str()]))
            .ends(status)
            .says([said]);
        assert_eq!(folder.read("file"), b"[section]\n");
    }
    assert!(!folder.path("out/nuls").exists());
}

/// It is not binary, either, although it has malformed units.
#[test]
fn text_in_single_bytes_is_named_as_such() {
    let folder = Folder::new();
    // In KOI8-R these are letters, and in UTF-16 surrogates.
    let contents: Vec<u8> = (0..400_u32)
        .map(|index| 0xC0 + (index * 7 % 32) as u8)
        .collect();
    let file = folder.file("file", &contents);
    for from in ["utf-16le", "utf-16be", "utf-32le"] {
        for invalid in ["strict", "replace"] {
            let invalid = format!("--invalid={invalid}");
            let ran = run(["convert", "-f", from, "--in-place", &invalid, &file]).ends(1);
            assert!(!ran.stderr.contains("binary"), "{}", ran.stderr);
            assert_eq!(folder.read("file"), contents);
        }
    }
}

#[test]
fn nothing_of_a_file_that_failed_is_in_the_next() {
    let folder = Folder::new();
    let small = folder.file("small", le("\u{FEFF}abc"));
    let starred = folder.file("starred", "caf\u{E9} \u{2605}\n");
    run(["convert", "-j1", "-t", "windows-1252", &starred, &small])
        .gives(
            1,
            "caf\u{E9} abc"
                .chars()
                .map(|ch| ch as u8)
                .collect::<Vec<u8>>(),
        )
        .never_says(["small:1:"]);
    run([
        "convert",
        "--in-place",
        "-j1",
        "-t",
        "windows-1252",
        &starred,
        &small,
    ])
    .ends(1)
    .says(["1 converted, 1 with faults"]);
    assert_eq!(folder.read("small"), b"abc");
    // The disk is full, but not too full for the next file.
    let small = folder.file("small", le("\u{FEFF}abc"));
    let large = folder.file("large", "caf\u{E9}\n".repeat(20_000));
    let line = "trap '' XFSZ; ulimit -f 68; exec \"$0\" convert --in-place -j1 -t windows-1252 \"$1\" \"$2\"";
    let mut command = Command::new("sh");
    command.args(["-c", line, env!("CARGO_BIN_EXE_simdtext"), &large, &small]);
    feed(command, "").ends(2).says([
        "large: cannot be replaced: File too large",
        "1 converted, 1 failed",
    ]);
    assert_eq!(folder.read("small"), b"abc");
}
