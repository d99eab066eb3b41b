//! Files that are in another encoding than the one that is named, listed or declared, as all of their text shows.

use std::fs;
use std::path::Path;

use encoding_rs::{ISO_8859_15, KOI8_R, WINDOWS_1250, WINDOWS_1251};

use crate::auto::sample;
use crate::harness::{Folder, run, run_with};

/// A page that declares another encoding than the one it is in.
fn page() -> Vec<u8> {
    let text = sample("ru.windows-1251.txt");
    [b"<!DOCTYPE html><meta charset=iso-8859-1>\n<p>", &*text].concat()
}

/// In GBK hardly any pair of bytes is malformed.
#[test]
fn text_that_is_not_gbk() {
    let big5 = sample("zh-hant.big5.txt").repeat(3);
    let euc_jp = sample("ja.euc-jp.txt").repeat(3);
    for (text, rather) in [(&big5, "Big5"), (&euc_jp, "EUC-JP")] {
        let page = [b"<!DOCTYPE html><meta charset=gb2312>\n<p>", &**text].concat();
        for (contents, from) in [(&page, &[][..]), (text, &["-f", "gb18030"])] {
            let folder = Folder::new();
            folder.folder("t");
            folder.file("t/a", contents);
            let tree = folder.name("t");
            let what = format!("it is far more plausible as {rather} than as ");
            run(["convert", "--in-place", &*tree].iter().chain(from))
                .ends(1)
                .says([&what]);
            assert_eq!(&folder.read("t/a"), contents);
        }
    }
    for gbk in ["zh-hans.gbk.txt", "zh-hans-rare.gb18030.txt"] {
        let text = sample(gbk).repeat(3);
        run_with(["convert", "-f", "gb18030"], &text)
            .ends(0)
            .never_says(["plausible"]);
    }
}

/// windows-1252 has a letter for nearly every letter of central Europe and Turkey.
#[test]
fn text_that_is_not_latin1() {
    let hungarian = "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek, \
                     ésszel és lelkiismerettel bírván, egymással szemben testvéri szellemben kell hogy \
                     viseltessenek. Őrült, tűrő, fűszer, bőség, hősök, gyűlölet, szőlő, erdő, szülők.\n";
    let hungarian = WINDOWS_1250.encode(hungarian).0.repeat(6);
    for (text, rather) in [
        (sample("pl.windows-1250.txt").repeat(3), "windows-1250"),
        (sample("cs.iso-8859-2.txt").repeat(3), "ISO-8859-2"),
        (hungarian, "windows-1250"),
        (sample("tr.windows-1254.txt").repeat(3), "windows-1254"),
    ] {
        let page = [b"<!DOCTYPE html><meta charset=iso-8859-1>\n<p>", &*text].concat();
        let folder = Folder::new();
        let file = folder.file("a", &page);
        let what = format!("it is far more plausible as {rather} than as windows-1252");
        run(["convert", "--in-place", &file]).ends(1).says([&*what]);
        assert_eq!(folder.read("a"), page);
    }
}

#[test]
fn a_file_in_another_encoding_is_left_alone_or_reported() {
    let koi8 = sample("ru.koi8-r.txt");
    let sjis = sample("ja.shift_jis.txt");
    let listed = sample("ru.windows-1251.txt");
    for (contents, from, what, rather) in [
        (
            &koi8,
            &["-f", "windows-1251"][..],
            "KOI8-R than as windows-1251, the encoding that is named",
            "--from=koi8-r",
        ),
        (
            &sjis,
            &["-f", "latin1"],
            "Shift_JIS than as windows-1252, the encoding that is named",
            "--from=shift_jis",
        ),
        (
            &page(),
            &[],
            "windows-1251 than as windows-1252, the encoding that is declared",
            "--from=windows-1251",
        ),
        (
            &listed,
            &["-f", "auto:koi8-r,windows-1251"],
            "windows-1251 than as KOI8-R, the encoding that is listed",
            "--from=windows-1251",
        ),
    ] {
        let folder = Folder::new();
        folder.folder("t");
        let file = folder.file("t/a", contents);
        let (tree, out) = (folder.name("t"), folder.name("out"));
        let what = format!("a: it is far more plausible as {what}");
        let in_place = ["convert", "--in-place", &*tree];
        for more in [&[][..], &["--dry-run"]] {
            run(in_place.iter().chain(from).chain(more))
                .ends(1)
                .says([&format!("{what}; left alone. {rather} converts it")]);
            assert_eq!(&folder.read("t/a"), contents);
        }
        // Also if the output is there already.
        for _ in 0..2 {
            run(["convert", "--out-dir", &out, &tree].iter().chain(from))
                .ends(1)
                .says([&what]);
        }
        assert!(folder.path("out/a").exists());
        let right = ["convert", "-n", "--in-place", rather, &file];
        run(right).ends(0);
        let forced = ["--force"];
        run(in_place.iter().chain(from).chain(&forced))
            .ends(0)
            .never_says(["plausible"]);
    }
}

/// The samples, each under its own name, and texts in which little but symbols speaks for an encoding.
#[test]
fn a_file_in_the_named_encoding_is_converted() {
    let folder = Folder::new();
    folder.folder("t");
    let mut list = String::new();
    let mut add = |name: &str, label: &str, contents: &[u8]| {
        list += &format!("{}\t{label}\n", folder.file(&format!("t/{name}"), contents));
    };
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    for entry in fs::read_dir(samples).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let label = name.split('.').nth(1).unwrap_or_default();
        let is_sample = name.ends_with(".txt") && !label.is_empty() && label != "txt";
        if is_sample && !name.contains("-damaged") && !name.contains("-cut") {
            add(&name, label, &fs::read(entry.path()).unwrap());
        }
    }
    let symbols = "5 § 12; 3 m² ± 1 µm, 20 °C\n".repeat(500);
    add("symbols", "iso-8859-15", &ISO_8859_15.encode(&symbols).0);
    let units = "12 шт. по 3 руб. и 2 г.\n".repeat(500);
    add("units", "koi8-r", &KOI8_R.encode(&units).0);
    let kazakh = "Барлық адамдар тумысынан азат және қадір-қасиеті мен кұқықтары тең. ".repeat(50);
    let kazakh = kazakh.replace(['қ', 'ұ', 'ң', 'ә'], "к");
    add("kazakh", "windows-1251", &WINDOWS_1251.encode(&kazakh).0);
    assert!(list.lines().count() > 35, "{list}");
    let list = folder.file("list", list);
    run(["convert", "--in-place", "-n", "--from-list", &list])
        .ends(0)
        .never_says(["plausible"]);
}

/// One output: a stream is written as it was asked for, and a file is not.
#[test]
fn one_output_in_another_encoding_is_reported() {
    let koi8 = sample("ru.koi8-r.txt");
    let wrong = WINDOWS_1251.decode(&koi8).0;
    let what =
        "it is far more plausible as KOI8-R than as windows-1251, the encoding that is named";
    let read =
        format!("{what}; read as windows-1251. --from=koi8-r converts it from that, --force from");
    let folder = Folder::new();
    let file = folder.file("in", &koi8);
    let convert = ["convert", "-f", "windows-1251"];
    run(convert.iter().chain(&[&*file]))
        .gives(1, wrong.as_bytes())
        .says([&*read]);
    run_with(convert, &koi8)
        .gives(1, wrong.as_bytes())
        .says([&*read]);
    let out = folder.name("out");
    let to_file = [&convert[..], &["-o", &out]].concat();
    let not = format!(
        "{what}; not converted. --from=koi8-r converts it from that, --force from windows-1251"
    );
    for _ in 0..2 {
        run_with(&to_file, &koi8).gives(1, "").says([&*not]);
        assert!(!folder.path("out").exists());
        // With other inputs before it.
        let latin = folder.file("latin", "plain\n");
        run(to_file.iter().chain(&[&*latin, &file]))
            .gives(1, "")
            .says([&*not]);
        assert!(!folder.path("out").exists());
    }
    run_with(to_file.iter().chain(&["--force"]), &koi8)
        .gives(0, "")
        .quietly();
    assert_eq!(folder.read("out"), wrong.as_bytes());
    run_with(convert.iter().chain(&["--force"]), &koi8)
        .gives(0, wrong.as_bytes())
        .quietly();
    run_with(["convert", "-f", "koi8-r"], &koi8)
        .gives(0, KOI8_R.decode(&koi8).0.as_bytes())
        .quietly();
    run_with(["convert"], page()).ends(1).says([
        "it is far more plausible as windows-1251 than as windows-1252, the encoding that is declared; read as",
    ]);
    // However the bytes arrive, and however many there are.
    let big = koi8.repeat((5 << 20) / koi8.len());
    let big_file = folder.file("big", &big);
    run(convert.iter().chain(&[&*big_file]))
        .ends(1)
        .says([&*read]);
    run_with(convert, &big).ends(1).says([&*read]);
}
