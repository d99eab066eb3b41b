//! A file that was converted in place to another encoding than UTF-8 is not converted again, however short it is: an
//! extended attribute says what it is in.

use encoding_rs::{GBK, IBM866, KOI8_R, SHIFT_JIS, WINDOWS_1251};

use crate::access::{attribute, set};
use crate::folding::without_attributes;
use crate::harness::{Folder, run};

const NAME: &str = "user.simdtext.encoding";

/// Whether there are extended attributes here. Prints a message if there are none.
fn are_kept(folder: &Folder) -> bool {
    let probe = folder.file("probe", "");
    set(probe.as_ref(), NAME, b"nothing")
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// Labels of two encodings, and a text in both.
type Twice = (&'static str, &'static str, Vec<u8>, Vec<u8>);

/// Texts that are plausible, too, when they are converted once more.
fn short() -> Vec<Twice> {
    let in_koi8 = KOI8_R.encode("вум").0.into_owned();
    let in_1251 = WINDOWS_1251.encode("вум").0.into_owned();
    let in_866 = IBM866.encode("вум").0.into_owned();
    let (le, be) = (u16::to_le_bytes, u16::to_be_bytes);
    vec![
        ("utf-16le", "utf-16be", utf16("上下", le), utf16("上下", be)),
        ("utf-16be", "utf-16le", utf16("上下", be), utf16("上下", le)),
        ("utf-8", "utf-16le", "主".into(), utf16("主", le)),
        ("auto", "utf-16le", "地前県".into(), utf16("地前県", le)),
        (
            "shift_jis",
            "utf-16le",
            SHIFT_JIS.encode("入").0.into(),
            utf16("入", le),
        ),
        (
            "gbk",
            "utf-16le",
            GBK.encode("瑞").0.into(),
            utf16("瑞", le),
        ),
        ("koi8-r", "windows-1251", in_koi8.clone(), in_1251.clone()),
        ("ibm866", "koi8-r", in_866, in_koi8),
    ]
}

#[test]
fn nothing_is_converted_twice_in_place() {
    let folder = Folder::new();
    if !are_kept(&folder) {
        return;
    }
    for (from, to, before, after) in short() {
        let file = folder.file("a", &before);
        let args = ["convert", "--in-place", "-f", from, "-t", to, &file];
        run(args).ends(0);
        assert_eq!(folder.read("a"), after, "{from} to {to}");
        run(args).ends(1).says([
            "a: an earlier run converted it to ",
            "; left alone. --force",
        ]);
        assert_eq!(folder.read("a"), after, "{from} to {to}");
        // A program that writes the file anew does not remove the attribute.
        folder.file("a", &before);
        run(args).ends(0);
        assert_eq!(folder.read("a"), after, "{from} to {to}");
        run(args.into_iter().chain(["--force"])).never_says(["an earlier run"]);
    }
}

#[test]
fn the_note_is_about_the_last_conversion() {
    let folder = Folder::new();
    if !are_kept(&folder) {
        return;
    }
    let koi8 = KOI8_R.encode("Все люди рождаются свободными").0;
    let file = folder.file("a", &koi8);
    let noted = || {
        let value = attribute(folder.path("a").as_ref(), NAME)?;
        let value = String::from_utf8(value).expect("it is ASCII");
        Some(value.split_once(' ').expect("a hash follows").0.to_owned())
    };
    let convert = |from, to| run(["convert", "--in-place", "-f", from, "-t", to, &file]).ends(0);
    convert("koi8-r", "windows-1251");
    assert_eq!(noted().as_deref(), Some("windows-1251"));
    convert("windows-1251", "koi8-r");
    assert_eq!(noted().as_deref(), Some("KOI8-R"));
    convert("koi8-r", "windows-1251");
    convert("windows-1251", "utf-8");
    assert_eq!(noted(), None);
    convert("utf-8", "koi8-r");
    assert_eq!(folder.read("a"), *koi8);
    // An output that is not the input is a new file, and so is one that takes its place.
    let out = folder.file("b", "");
    run(["convert", "-f", "koi8-r", "-o", &out, &file]).ends(0);
    run(["convert", "-f", "koi8-r", "-t", "koi8-r", "-o", &file, &out]).ends(1);
    assert_eq!(noted(), None);
}

/// What an earlier run wrote is in the encoding that it has noted, whatever is said now.
#[test]
fn another_encoding_than_the_noted_one() {
    let folder = Folder::new();
    if !are_kept(&folder) {
        return;
    }
    folder.folder("t");
    let (tree, out) = (folder.name("t"), folder.name("out"));
    let page = "<meta charset=koi8-r>Все люди рождаются свободными";
    let file = folder.file("t/a", KOI8_R.encode(page).0);
    run(["convert", "--in-place", "-t", "windows-1251", &file]).ends(0);
    let after = folder.read("t/a");
    let said = "a: an earlier run converted it to windows-1251, and it is not KOI8-R";
    for from in ["koi8-r", "auto"] {
        for how in [&["--in-place"][..], &["--out-dir", &out]] {
            run(["convert", "-f", from, &tree].iter().chain(how))
                .ends(1)
                .says([said, ". --from=windows-1251 converts it, --force"]);
            assert_eq!(folder.read("t/a"), after);
        }
    }
    assert!(folder.tree_is_empty("out"));
    run(["convert", "--in-place", "-f", "windows-1251", &tree]).ends(0);
    assert_eq!(folder.read("t/a"), page.as_bytes());
    // A byte order mark says so itself.
    let utf16 = [
        "convert",
        "--in-place",
        "-f",
        "utf-8",
        "-t",
        "utf-16le",
        "--output-bom",
    ];
    run(utf16.iter().chain(&[&*tree])).ends(0);
    assert_eq!(attribute(folder.path("t/a").as_ref(), NAME), None);
    run(["convert", "--in-place", "-f", "koi8-r", &tree]).ends(0);
    assert_eq!(folder.read("t/a"), page.as_bytes());
}

/// GBK and gb18030 have one decoder, and so have ISO-8859-8 and ISO-8859-8-I.
#[test]
fn another_encoding_that_is_read_in_the_same_way() {
    let folder = Folder::new();
    if !are_kept(&folder) {
        return;
    }
    let (chinese, hebrew) = (
        "敏捷的棕色狐狸跳过了一只懒狗。",
        "כל בני האדם נולדו חופשיים",
    );
    for (to, from, text) in [
        ("gbk", "gb18030", chinese),
        ("gb18030", "gbk", chinese),
        ("iso-8859-8", "iso-8859-8-i", hebrew),
    ] {
        let file = folder.file("a", text);
        run(["convert", "--in-place", "-t", to, &file]).ends(0);
        let before = folder.read("a");
        assert_ne!(before, text.as_bytes());
        run(["convert", "--in-place", "-f", from, "-t", to, &file]).ends(0);
        assert_eq!(folder.read("a"), before);
        run(["convert", "--in-place", "-f", from, &file])
            .ends(0)
            .never_says(["an earlier run"]);
        assert_eq!(folder.read("a"), text.as_bytes());
    }
}

/// A few bytes may be the same by chance, and where the original stays, nothing is lost.
#[test]
fn how_many_bytes_are_not_the_noted_ones_by_chance() {
    let folder = Folder::new();
    if !are_kept(&folder) {
        return;
    }
    folder.folder("t");
    let text = "Все люди рождаются свободными и равными";
    for (len, is_noted) in [(31, false), (32, true)] {
        let text: String = text.chars().take(len).collect();
        let file = folder.file("t/a", KOI8_R.encode(&text).0);
        let args = ["convert", "-f", "koi8-r", &file];
        let in_place = ["--in-place", "-t", "windows-1251"];
        run(args.iter().chain(&in_place)).ends(0);
        let out = folder.name(&format!("out {len}"));
        let ran = run(args.iter().chain(&["--out-dir", &*out])).ends(1);
        assert_eq!(ran.stderr.contains("an earlier run"), is_noted, "{len}");
        run(args.iter().chain(&["--in-place"]))
            .ends(1)
            .says(["an earlier run converted it to windows-1251"]);
    }
}

/// The note is about all lines, and says nothing about each.
#[test]
fn lines_of_a_noted_file() {
    let folder = Folder::new();
    if !are_kept(&folder) {
        return;
    }
    let text = "моя земля\n";
    let file = folder.file("a", KOI8_R.encode(text).0);
    let args = ["convert", "--in-place", &file];
    let to = ["-f", "koi8-r", "-t", "windows-1251"];
    run(args.iter().chain(&to)).ends(0);
    let lines = ["--per-line", "-f", "auto:shift_jis,windows-1251"];
    run(args.iter().chain(&lines)).ends(0);
    assert_eq!(folder.read("a"), text.as_bytes());
}

/// Where nothing can be noted, a file is only converted if its bytes will tell.
#[test]
fn where_there_are_no_attributes() {
    let folder = Folder::new();
    let Some(_mounted) = without_attributes(&folder, "ram") else {
        return;
    };
    for (from, to, before, after) in short() {
        let file = folder.file("ram/a", &before);
        let args = ["convert", "--in-place", "-f", from, "-t", to, &file];
        run(args).ends(1).says([
            "a: nothing would show that it was converted",
            "; left alone. --resume",
        ]);
        assert_eq!(folder.read("ram/a"), before, "{from} to {to}");
        let state = folder.name("state");
        for _ in 0..2 {
            run(args.into_iter().chain(["--resume", &state])).ends(0);
            assert_eq!(folder.read("ram/a"), after, "{from} to {to}");
        }
        std::fs::remove_file(state).expect("it is there");
    }
    let text = "Все люди рождаются свободными и равными в своём достоинстве и правах.\n";
    for (from, to, before) in [
        ("utf-8", "utf-16le", text.as_bytes()),
        ("utf-8", "koi8-r", text.as_bytes()),
        ("windows-1251", "koi8-r", &WINDOWS_1251.encode(text).0),
        ("utf-16le", "utf-16be", &utf16(text, u16::to_le_bytes)),
    ] {
        let file = folder.file("ram/a", before);
        let args = ["convert", "--in-place", "-f", from, "-t", to, &file];
        run(args).ends(0);
        let after = folder.read("ram/a");
        run(args).ends(1);
        assert_eq!(folder.read("ram/a"), after, "{from} to {to}");
    }
    // What is malformed tells only if it is not replaced.
    let before = GBK.encode("é").0;
    let file = folder.file("ram/a", &before);
    let args = ["convert", "--in-place", "-f", "gbk", "-t", "windows-1252"];
    run(args.iter().chain(&["--invalid=replace", &*file]))
        .ends(1)
        .says(["a: nothing would show that it was converted"]);
    assert_eq!(folder.read("ram/a"), *before);
    run(args.iter().chain(&[&*file])).ends(0);
    assert_eq!(folder.read("ram/a"), b"\xE9");
    run(args.iter().chain(&[&*file])).ends(1);
    assert_eq!(folder.read("ram/a"), b"\xE9");
}
