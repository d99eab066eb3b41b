//! `--fix-declarations`: declarations in files are corrected, and nothing else.

use crate::harness::{Folder, run};

const PAGE: &str = "<!DOCTYPE html>\n<html><head><meta charset=\"LABEL\"><title>мир</title>\n\
    <p>charset=koi8-r <meta http-equiv=refresh content='0; charset=koi8-r'>\n";
const XHTML: &str = "<?xml version=\"1.0\" encoding='LABEL'?>\n<html xmlns=\"x\"><head>\
    <meta http-equiv=\"Content-Type\" content=\"text/html; charset=LABEL\" /></head>мир</html>\n";
const SHEET: &str = "@charset \"LABEL\"; /* мир */\n";

fn koi8(text: &str) -> Vec<u8> {
    let text = text.replace("LABEL", "koi8-r");
    encoding_rs::KOI8_R.encode(&text).0.into_owned()
}

fn tree() -> Folder {
    let folder = Folder::new();
    folder.folder("t");
    folder.file("t/page", koi8(PAGE));
    folder.file("t/xhtml", koi8(XHTML));
    folder.file("t/sheet", koi8(SHEET));
    folder.file("t/note.txt", koi8("see <meta charset=koi8-r> мир\n"));
    folder
}

fn is_corrected(folder: &Folder, tree: &str, label: &str) {
    for (name, text) in [("page", PAGE), ("xhtml", XHTML), ("sheet", SHEET)] {
        let wanted = text.replace("LABEL", label);
        let read = folder.read(&format!("{tree}/{name}"));
        assert_eq!(String::from_utf8(read).unwrap(), wanted);
    }
}

#[test]
fn in_place_and_verified() {
    let folder = tree();
    let tree = folder.name("t");
    let args = [
        "convert",
        "--in-place",
        "--fix-declarations",
        "--verify",
        &tree,
    ];
    let note = folder.read("t/note.txt");
    // Plain text declares nothing, so its encoding remains a guess.
    run(args.iter().chain(&["--json"])).ends(1);
    is_corrected(&folder, "t", "utf-8");
    assert_eq!(folder.read("t/note.txt"), note);
    // In a second run there is nothing to do.
    run(args.iter().chain(&["-f", "koi8-r"]))
        .ends(0)
        .says(["1 converted, 3 unchanged"]);
    is_corrected(&folder, "t", "utf-8");
    let text = String::from_utf8(folder.read("t/note.txt")).unwrap();
    assert_eq!(text, "see <meta charset=koi8-r> мир\n");
}

#[test]
fn what_was_converted_before_without_it() {
    let folder = tree();
    let tree = folder.name("t");
    run(["convert", "--in-place", "-f", "koi8-r", &tree]).ends(0);
    is_corrected(&folder, "t", "koi8-r");
    let args = ["convert", "--in-place", "--fix-declarations", "-v", &tree];
    run(args.iter().chain(&["--dry-run"])).ends(0);
    is_corrected(&folder, "t", "koi8-r");
    run(args).ends(0).says(["2 declarations corrected"]);
    is_corrected(&folder, "t", "utf-8");
}

#[test]
fn other_encodings_and_compressed_outputs() {
    let folder = tree();
    let (tree, out) = (folder.name("t"), folder.name("out"));
    let args = [
        "convert",
        "-f",
        "koi8-r",
        "-t",
        "windows-1251",
        "--fix-declarations",
        "--verify",
        "--compress=gzip",
        "--out-dir",
        &out,
        &tree,
    ];
    run(args).ends(0).says(["4 converted"]);
    let args = ["convert", "-z", "-f", "windows-1251"];
    let text = XHTML.replace("LABEL", "windows-1251");
    run(args.iter().chain(&[&*folder.name("out/xhtml.gz")])).gives(0, text);
    run([
        "convert",
        "-t",
        "utf-16le",
        "--fix-declarations",
        "--out-dir",
        &out,
        &tree,
    ])
    .gives(2, b"")
    .says(["--fix-declarations: nothing reads a declaration in UTF-16LE"]);
}

#[test]
fn a_big_page_and_a_file_with_faults() {
    let folder = Folder::new();
    folder.folder("t");
    // On several cores.
    let text = PAGE.to_owned() + &"строка текста\n".repeat(600_000);
    folder.file("t/big", koi8(&text));
    let faulty = b"<meta charset=shift_jis><p>\x93\xFA\xFF";
    folder.file("t/faulty", faulty);
    let tree = folder.name("t");
    run([
        "convert",
        "--in-place",
        "--fix-declarations",
        "--verify",
        &tree,
    ])
    .ends(1);
    let read = String::from_utf8(folder.read("t/big")).unwrap();
    assert!(read == text.replace("LABEL", "utf-8"));
    assert_eq!(folder.read("t/faulty"), faulty);
}

/// Only what browsers read as a declaration is changed.
#[test]
fn what_scripts_and_comments_contain() {
    let folder = Folder::new();
    folder.folder("t");
    // Labels that are to be corrected are in brackets.
    let pages = [
        "<meta charset=[koi8-r]><script>w('<meta charset=koi8-r>') // <meta charset=koi8-r>\n</script>",
        "<!-- <meta charset=gbk> --><META HTTP-EQUIV=\"Content-Type\" CONTENT='text/html; charset=[KOI8-R]'>",
        "<script>w('<meta charset=[koi8-r]>')</script><meta charset='[koi8-r]'>",
        "<?xml version=\"1.0\" encoding=\"[koi8-r]\"?><html><meta charset=\"[koi8-r]\"/><script>'<meta charset=koi8-r>'",
        "<script><!--\n</script><title>мир</title><meta charset=[koi8-r]>",
        "<meta charset=[koi8-r]><title><meta charset=koi8-r></title><meta charset=[koi8-r]>",
    ];
    for (number, page) in pages.iter().enumerate() {
        let page = page.replace(['[', ']'], "") + "<p>Привет, мир\n";
        folder.file(&format!("t/{number}.html"), koi8(&page));
    }
    let args = ["convert", "--in-place", "--fix-declarations", "--verify"];
    run(args.iter().chain(&[&*folder.name("t")]))
        .ends(0)
        .says(["6 converted"]);
    for (number, page) in pages.iter().enumerate() {
        let wanted = page
            .replace("[koi8-r]", "utf-8")
            .replace("[KOI8-R]", "utf-8");
        let read = folder.read(&format!("t/{number}.html"));
        assert_eq!(
            String::from_utf8(read).expect("it is UTF-8"),
            wanted + "<p>Привет, мир\n"
        );
    }
}

/// A page may declare its encoding after a long style sheet. Browsers find that when they parse it.
#[test]
fn a_declaration_that_comes_late() {
    let folder = Folder::new();
    folder.folder("t");
    let page = |label| {
        let style = "p { margin: 0 }\n".repeat(1000);
        format!("<html><style>{style}</style><meta charset={label}><p>Привет, мир\n")
    };
    folder.file("t/page", koi8(&page("koi8-r")));
    folder.file("t/converted", page("koi8-r"));
    // Text that is longer than what is held back.
    let text = "see <meta charset=koi8-r> мир\n".repeat(20_000);
    folder.file("t/text", &text);
    let args = ["convert", "--in-place", "--fix-declarations", "--verify"];
    run(args.iter().chain(&[&*folder.name("t")]))
        .ends(0)
        .says(["2 converted, 1 unchanged"]);
    for name in ["t/page", "t/converted"] {
        let read = String::from_utf8(folder.read(name)).expect("it is UTF-8");
        assert!(read == page("utf-8"), "{name}");
    }
    assert!(folder.read("t/text") == text.as_bytes());
}

/// Without the flag, what is declared is wrong from then on, and the user should know.
#[test]
fn what_is_still_declared() {
    for from in ["auto", "koi8-r"] {
        let folder = tree();
        let (tree, out) = (folder.name("t"), folder.name("out"));
        let said = "it still declares KOI8-R; --fix-declarations corrects that";
        for how in [&["--out-dir", &*out][..], &["--in-place"]] {
            let ran = run(["convert", "-f", from, &tree].iter().chain(how));
            for name in ["page", "xhtml", "sheet"] {
                assert!(ran.stderr.contains(&format!("{name}: {said}")));
            }
            ran.never_says(["note.txt: it still"]);
        }
        is_corrected(&folder, "t", "koi8-r");
    }
    let folder = tree();
    let tree = folder.name("t");
    let fixed = [
        "convert",
        "-f",
        "koi8-r",
        "--in-place",
        "--fix-declarations",
    ];
    run(fixed.iter().chain(&[&*tree]))
        .ends(0)
        .never_says(["declares"]);
}
