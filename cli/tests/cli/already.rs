//! Files that are UTF-8, or not UTF-16, although they are said to be in another encoding: most likely they
//! were converted before, and must not be converted again.

use crate::auto::sample;
use crate::harness::{Folder, run};

const FRENCH: &str = "Où êtes-vous passée, à Noël ? L'été s'achève à Orléans, déjà.\n";

/// With a character that is cut, as at the end of an incomplete download.
fn cut() -> Vec<u8> {
    let page = FRENCH.repeat(3) + "é";
    page.as_bytes()[..page.len() - 1].to_vec()
}

#[test]
fn a_damaged_byte_does_not_hide_utf8() {
    let declared = [b"<!DOCTYPE html><meta charset=iso-8859-1><p>", &cut()[..]].concat();
    let somewhere = [FRENCH.as_bytes(), b"\xFF\xE9", FRENCH.as_bytes()].concat();
    let auto: &[&str] = &[];
    let named: &[&str] = &["-f", "windows-1252"];
    let list: &[&str] = &["-f", "auto:windows-1252"];
    for (contents, from) in [
        (&declared, auto),
        (&declared, named),
        (&cut(), named),
        (&cut(), list),
        (&somewhere, named),
        (&somewhere, list),
    ] {
        for more in [&[][..], &["--verify"]] {
            let folder = Folder::new();
            let file = folder.file("page", contents);
            let args = ["convert", "--in-place", &file];
            run(args.iter().chain(from).chain(more).copied())
                .ends(1)
                .says(["it is UTF-8 with", "malformed", "left alone"]);
            assert_eq!(&folder.read("page"), contents, "{from:?}");

            let out = folder.name("out");
            let args = ["convert", "--out-dir", &out, &file];
            run(args.iter().chain(from).chain(more).copied())
                .ends(1)
                .says(["it is UTF-8 with", "nothing was written for it"]);
            assert!(!folder.path("out/page").exists());
        }
    }
    let folder = Folder::new();
    let file = folder.file("page", cut());
    run([
        "convert",
        "-f",
        "windows-1252",
        "--in-place",
        "--force",
        &file,
    ])
    .ends(0);
    let wanted = encoding_rs::WINDOWS_1252
        .decode_without_bom_handling(&cut())
        .0
        .into_owned();
    assert_eq!(folder.read("page"), wanted.as_bytes());
}

/// Damaged UTF-8 it may be, but it is not UTF-8.
#[test]
fn too_short_to_be_called_damaged_utf8() {
    let page = ["<meta charset=windows-1252>é è à".as_bytes(), b" \xE9 \n"].concat();
    let folder = Folder::new();
    let (file, out) = (folder.file("page", &page), folder.name("out"));
    run(["convert", "--in-place", &file])
        .ends(1)
        .says(["it may be UTF-8 and converted already, and is too short to tell"]);
    assert_eq!(folder.read("page"), page);
    run(["convert", "--out-dir", &out, &file])
        .ends(0)
        .says(["it may be UTF-8, and is too short to tell; read as windows-1252"]);
    let (text, _) = encoding_rs::WINDOWS_1252.decode_without_bom_handling(&page);
    assert_eq!(folder.read("out/page"), text.as_bytes());
}

/// From how many bytes on it is certain that text in another encoding is not UTF-16.
#[test]
fn how_much_tells_utf16() {
    const TELLS: usize = 64;
    const TELLS_OF_BYTES: usize = 256;
    let folder = Folder::new();
    let (file, out) = (folder.name("a"), folder.name("out"));
    let named = ["convert", "-f", "utf-16le", "--out-dir", &out, &file];
    // An even number of bytes, all of which are some unit of UTF-16.
    let text = |len: usize, last: &[u8]| [&b"x".repeat(len - last.len()), last].concat();
    folder.file("a", text(TELLS - 2, b""));
    run(named)
        .ends(1)
        .says(["it may be ASCII, and is too short to tell"]);
    folder.file("a", text(TELLS, b""));
    run(named).ends(0).says(["1 UTF-8 already"]);
    folder.file("a", text(TELLS_OF_BYTES - 2, b"\xE9x"));
    run(named)
        .ends(0)
        .says(["it may be text in a byte-oriented encoding, and is too short to tell"]);
    folder.file("a", text(TELLS_OF_BYTES, b"\xE9x"));
    run(named)
        .ends(1)
        .says(["it is text in a byte-oriented encoding, and not UTF-16LE"]);
    // Behind a byte order mark of UTF-16.
    let marked = ["convert", "--out-dir", &out, &file];
    for (len, said) in [
        (TELLS - 4, "1 converted"),
        (
            TELLS - 2,
            "its byte order mark is that of UTF-16LE, and what follows is UTF-8",
        ),
    ] {
        folder.file(
            "a",
            [b"\xFF\xFE", &*"é".repeat(len / 2).into_bytes()].concat(),
        );
        run(marked).says([said]);
    }
}

#[test]
fn a_legacy_beginning_does_not_hide_utf8_either() {
    let folder = Folder::new();
    let mixed = [
        b"\xE9\xE8\xE0 ".repeat(100),
        FRENCH.repeat(4000).into_bytes(),
    ]
    .concat();
    let file = folder.file("mixed", &mixed);
    run(["convert", "-f", "windows-1252", "--in-place", &file])
        .ends(1)
        .says(["it is UTF-8 with"]);
    assert_eq!(folder.read("mixed"), mixed);
}

#[test]
fn text_that_is_in_the_named_encoding_is_converted() {
    let folder = Folder::new();
    for (name, label, encoding) in [
        ("1251", "windows-1251", encoding_rs::WINDOWS_1251),
        ("866", "ibm866", encoding_rs::IBM866),
        ("koi8", "koi8-r", encoding_rs::KOI8_R),
    ] {
        for length in [1, 2, 5, 40, 400] {
            let text: String = "Все люди рождаются свободными и равными. "
                .chars()
                .cycle()
                .take(length)
                .collect();
            let file = folder.file(name, encoding.encode(&text).0);
            run(["convert", "-f", label, "--in-place", &file]).ends(0);
            assert_eq!(folder.read(name), text.as_bytes());
        }
    }
}

#[test]
fn what_is_too_short_to_tell() {
    // One Chinese character each in GBK, and one or more letters in UTF-8: valid in both.
    let folder = Folder::in_memory();
    folder.folder("t");
    let mut texts = Vec::new();
    for lead in 0xC2..=0xDF_u8 {
        for trail in 0xA1..=0xBF_u8 {
            let bytes = [lead, trail];
            if let (text, _, false) = encoding_rs::GBK.decode(&bytes) {
                let name = format!("{lead:02X}{trail:02X}");
                folder.file(&format!("t/{name}"), bytes);
                texts.push((name, text.into_owned()));
            }
        }
    }
    assert!(texts.len() > 700);
    let (tree, out) = (folder.name("t"), folder.name("out"));
    run(["convert", "-f", "gbk", "--out-dir", &out, &tree])
        .ends(0)
        .says(["it may be UTF-8, and is too short to tell; read as GBK"]);
    for (name, text) in &texts {
        assert_eq!(
            folder.read(&format!("out/{name}")),
            text.as_bytes(),
            "{name}"
        );
    }
    let stdout = run(["convert", "-f", "gbk", "--json", "--out-dir", &out, &tree])
        .ends(0)
        .stdout;
    let notes = String::from_utf8_lossy(&stdout)
        .matches("\"note\":\"it may be UTF-8")
        .count();
    assert_eq!(notes, texts.len());
    // In place they are left alone, unless a journal shows that they were not converted before.
    let before = folder.tree("t");
    run(["convert", "-f", "gbk", "--in-place", &tree])
        .ends(1)
        .says(["too short to tell; left alone", "--force"]);
    assert_eq!(folder.tree("t"), before);
    let state = folder.name("state");
    let args = [
        "convert",
        "-f",
        "gbk",
        "--in-place",
        "--resume",
        &state,
        &tree,
    ];
    for _ in 0..2 {
        run(args).ends(0);
        for (name, text) in &texts {
            assert_eq!(folder.read(&format!("t/{name}")), text.as_bytes(), "{name}");
        }
    }
}

#[test]
fn twice_in_place_however_short() {
    for (label, bytes) in [
        ("windows-1252", &b"\xE9\n"[..]),
        ("windows-1252", b"\xC9t\xE9\n"),
        ("koi8-r", b"\xCD\xC9\xD2"),
        ("gbk", b"\xD6\xD0\xCE\xC4\xB5\xC4"),
        ("ibm866", b"\xAC\xA8\xE0"),
        ("windows-874", b"\xCA\xC7\xD1\xCA\xB4\xD5"),
    ] {
        let folder = Folder::new();
        let file = folder.file("f", bytes);
        let args = ["convert", "-f", label, "--in-place", &file];
        run(args).ends(0);
        let once = folder.read("f");
        assert_ne!(once, bytes);
        run(args);
        assert_eq!(folder.read("f"), once, "{label}");
    }
}

#[test]
fn utf16_in_place_twice() {
    let folder = Folder::new();
    let file = folder.file("f", b"a\0b\0");
    let args = ["convert", "-f", "utf-16le", "--in-place", &file];
    run(args).ends(0);
    assert_eq!(folder.read("f"), b"ab");
    run(args)
        .ends(1)
        .says(["ASCII", "converted already", "left alone", "--force"]);
    assert_eq!(folder.read("f"), b"ab");

    for (name, contents) in [
        (
            "conf.ini",
            &b"[server]\nport = 80\nname = somewhere-else.example.org\nuser = nobody\n\n"[..],
        ),
        ("utf-8", "Où êtes-vous passée ?!".as_bytes()),
        ("latin-1", b"O\xF9 \xEAtes-vous pass\xE9e ?"),
    ] {
        for label in ["utf-16le", "utf-16be"] {
            let file = folder.file(name, contents);
            run(["convert", "-f", label, "--in-place", &file])
                .ends(1)
                .says(["left alone"]);
            assert_eq!(folder.read(name), contents, "{name}");
        }
    }
}

/// Control characters don't make UTF-16 of UTF-8, if they are few.
#[test]
fn utf16_with_control_characters_in_place_twice() {
    let russian = "Журнал событий: запуск\n".repeat(10);
    let english = "A log of what happened: a start\n".repeat(10);
    for text in [
        format!("{russian}a\x7Fb\n"),
        format!("{russian}конец\0\0"),
        format!("{english}\x01\x02\n\n"),
    ] {
        assert!(text.len() % 2 == 0, "otherwise it is malformed UTF-16");
        for (label, bytes) in [
            (
                "utf-16le",
                text.encode_utf16()
                    .flat_map(u16::to_le_bytes)
                    .collect::<Vec<_>>(),
            ),
            (
                "utf-16be",
                text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            ),
        ] {
            let folder = Folder::new();
            let file = folder.file("f", bytes);
            let args = ["convert", "-f", label, "--in-place", &file];
            run(args).ends(0);
            assert_eq!(folder.read("f"), text.as_bytes());
            run(args).ends(1).says(["left alone"]);
            assert_eq!(folder.read("f"), text.as_bytes());
        }
    }
}

/// Old files end in Ctrl-Z, or are filled up with NULs.
#[test]
fn padded_bytes_are_not_utf16() {
    let russian = "это ширина и высота, и их довольно много. ".repeat(8);
    let legacy = encoding_rs::WINDOWS_1251.encode(&russian).0;
    for text in [russian.as_bytes(), &legacy] {
        for padding in [&b" \x1A"[..], b"\x1A\x1A", &[0; 100]] {
            for label in ["utf-16le", "utf-16be"] {
                let folder = Folder::new();
                let contents = [text, padding].concat();
                let file = folder.file("f", &contents);
                run(["convert", "-f", label, "--in-place", &file])
                    .ends(1)
                    .says([&format!("and not {}; left alone", label.to_uppercase())]);
                assert_eq!(folder.read("f"), contents);
            }
        }
    }
    let folder = Folder::new();
    for (name, contents) in [
        ("line", &b"\xE5\x65\x2C\x67\x0A\0"[..]),
        ("end", b"a\0b\0\x0A\0\x1A\0"),
    ] {
        let file = folder.file(name, contents);
        run(["convert", "-f", "utf-16le", "--in-place", &file]).ends(0);
    }
    assert_eq!(folder.read("line"), "日本\n".as_bytes());
    assert_eq!(folder.read("end"), b"ab\n\x1A");
}

#[test]
fn utf16_below_another_folder() {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/short", "key=value\n");
    folder.file("t/long", "key=value, and more of it\n".repeat(10));
    folder.file(
        "t/real",
        "日\u{672c}語\n"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>(),
    );
    let (tree, out) = (folder.name("t"), folder.name("out"));
    run(["convert", "-f", "utf-16le", "--out-dir", &out, &tree])
        .ends(1)
        .says(["short: it may be ASCII", "nothing was written for it"]);
    assert!(!folder.path("out/short").exists());
    // Long enough to tell: it is in the encoding that was named.
    assert_eq!(folder.read("out/long"), folder.read("t/long"));
    assert_eq!(folder.read("out/real"), "日本語\n".as_bytes());
}

#[test]
fn to_one_output_it_is_converted_and_said() {
    let folder = Folder::new();
    let file = folder.file("file", "Größe und Übermaß, déjà vu\n".repeat(20));
    let out = folder.name("out");
    let twice = "GrÃ¶ÃŸe";
    let ran = run(["convert", "-f", "windows-1252", &file]).ends(1);
    assert!(ran.stdout.starts_with(twice.as_bytes()));
    run(["convert", "-f", "windows-1252", "-o", &out, &file])
        .ends(1)
        .says(["it is valid UTF-8, and was read as windows-1252"]);
    assert!(folder.read("out").starts_with(twice.as_bytes()));
}

/// From one legacy encoding to another, only what is plausible tells which files were converted.
#[test]
fn legacy_text_that_was_converted_before() {
    let folder = Folder::new();
    let file = folder.file("a", sample("ru.windows-1251.txt"));
    let convert = [
        "convert",
        "-f",
        "windows-1251",
        "-t",
        "koi8-r",
        "--in-place",
    ];
    run(convert.iter().chain(&[&*file])).ends(0);
    let converted = folder.read("a");
    run(convert.iter().chain(&[&*file])).ends(1).says([
        "a: it is far more plausible as KOI8-R, the encoding of the output, than as windows-1251",
        "left alone. --force converts it from windows-1251",
    ]);
    assert_eq!(folder.read("a"), converted);
    let back = [
        "convert",
        "-f",
        "koi8-r",
        "-t",
        "windows-1251",
        "--in-place",
    ];
    run(back.iter().chain(&[&*file])).ends(0);
    assert_eq!(folder.read("a"), sample("ru.windows-1251.txt"));
    // Whoever says so gets it.
    let other = [
        "convert",
        "-f",
        "koi8-r",
        "-t",
        "windows-1251",
        "-n",
        "--in-place",
    ];
    run(other.iter().chain(&[&*file])).says(["far more plausible"]);
    run(other.iter().chain(&["--force", &*file])).never_says(["far more plausible"]);
}

/// Where the user lists what files or lines are in, a second run finds the first of these again.
#[test]
fn legacy_text_from_a_list_that_was_converted_before() {
    let text = "Мир, май и труд; и снова мир.\n".repeat(9);
    let original = encoding_rs::KOI8_R.encode(&text).0;
    let converted = encoding_rs::WINDOWS_1251.encode(&text).0;
    for how in [
        &["-f", "auto:koi8-r"][..],
        &["-f", "auto:koi8-r,windows-1251"],
        &["-f", "koi8-r", "--per-line"],
        &["-f", "auto:koi8-r,ibm866", "--per-line"],
    ] {
        let folder = Folder::new();
        let file = folder.file("a", &original);
        let convert = ["convert", "-t", "windows-1251", "--in-place", &*file];
        run(convert.iter().chain(how)).ends(0);
        assert_eq!(folder.read("a"), *converted);
        run(convert.iter().chain(how))
            .ends(1)
            .says(["a: it is far more plausible as windows-1251, the encoding of the output"]);
        assert_eq!(folder.read("a"), *converted);
        run(convert.iter().chain(how).chain(&["--force"])).never_says(["far more plausible"]);
    }
    // Most lines are UTF-8, and some in the encoding that is named.
    let folder = Folder::new();
    let mixed = [text.repeat(3).as_bytes(), &original].concat();
    let file = folder.file("a", &mixed);
    let lines = [
        "convert",
        "-f",
        "koi8-r",
        "-t",
        "windows-1251",
        "--per-line",
    ];
    run(lines.iter().chain(&["--in-place", &*file])).ends(0);
    assert_eq!(folder.read("a"), converted.repeat(4));
}

/// A program made the file as UTF-16, and another wrote to it.
#[test]
fn bytes_after_a_byte_order_mark_of_utf_16() {
    let text = "Größe, ширина и высота. ".repeat(8);
    let russian = "это ширина и высота, и их довольно много. ".repeat(8);
    let russian = encoding_rs::WINDOWS_1251.encode(&russian).0;
    for (text, what) in [
        (text.as_bytes(), "UTF-8"),
        (&*russian, "text in another byte-oriented encoding"),
    ] {
        for mark in [b"\xFF\xFE", b"\xFE\xFF"] {
            let folder = Folder::new();
            let file = folder.file("a", [mark, text].concat());
            let said = "its byte order mark is that of UTF-16";
            run(["convert", &file]).ends(1).says([said]);
            let what = format!(", and what follows is {what}; left alone. --force");
            for from in ["auto", "windows-1251"] {
                run(["convert", "--in-place", "-f", from, &file])
                    .ends(1)
                    .says([said, &what]);
                assert_eq!(folder.read("a")[2..], *text);
            }
            run(["convert", "--in-place", "--force", &file]).ends(0);
        }
    }
}

/// Binary files that are converted as text are not judged by their first block, which may end within a character.
#[test]
fn binary_files_that_were_converted_before() {
    let folder = Folder::new();
    // The two bytes of "ù" are the last of the first 64 KiB, and the next one.
    let before = "\0".repeat(64) + &FRENCH.repeat(3);
    let text = "a".repeat(65_536 - 2 - before.len());
    let text = before + &text + FRENCH;
    let file = folder.file("a", &text);
    let args = [
        "convert",
        "-f",
        "windows-1252",
        "--in-place",
        "--binary=convert",
        &file,
    ];
    run(args).ends(0).says(["1 UTF-8 already"]);
    assert_eq!(folder.read("a"), text.as_bytes());
}
