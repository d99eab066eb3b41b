//! Byte order marks, read and written.

use crate::harness::{Folder, run, run_with};

#[test]
fn sniffed_by_default() {
    // The mark wins over --from, which is reported, and is removed.
    for (args, is_named) in [
        (&["convert"][..], false),
        (&["convert", "-f", "koi8-r"], true),
        (&["convert", "--bom=sniff"], false),
    ] {
        for (input, text, marked) in [
            (&b"\xEF\xBB\xBF\xC3\xA9"[..], "é", "UTF-8"),
            (b"\xFF\xFEa\0\xE9\0", "aé", "UTF-16LE"),
            (b"\xFE\xFF\0a\0\xE9", "aé", "UTF-16BE"),
        ] {
            let ran = run_with(args, input).gives(0, text);
            if is_named {
                ran.says([&format!(
                    "<stdin>: its byte order mark says {marked}, which overrides --from=KOI8-R"
                )]);
            } else {
                ran.quietly();
            }
        }
    }
}

#[test]
fn only_one_s_own_is_stripped() {
    let strip = |label| ["convert", "--bom=strip", "-f", label];
    run_with(strip("utf-8"), b"\xEF\xBB\xBFa").gives(0, "a");
    run_with(strip("utf-16le"), b"\xFF\xFEa\0").gives(0, "a");
    run_with(strip("utf-16be"), b"\xFE\xFF\0a").gives(0, "a");
    run_with(strip("windows-1252"), b"\xEF\xBB\xBFa").gives(0, "ï»¿a");
    run_with(strip("utf-16le"), b"\xFE\xFFa\0").gives(0, "\u{FFFE}a");
}

#[test]
fn kept_as_text() {
    let keep = |label| ["convert", "--bom", "keep", "-f", label];
    run_with(keep("utf-8"), b"\xEF\xBB\xBFa").gives(0, "\u{FEFF}a");
    run_with(keep("utf-16le"), b"\xFF\xFEa\0").gives(0, "\u{FEFF}a");
    run_with(keep("windows-1252"), b"\xFF\xFEa").gives(0, "ÿþa");
}

/// The mark says UTF-8, and what follows is in the encoding that is named.
#[test]
fn iso_2022_jp_after_one_of_utf8() {
    let folder = Folder::new();
    let contents = b"\xEF\xBB\xBF\x1B$B\x46\x7C\x4B\x5C\x38\x6C\x1B(B\n";
    let file = folder.file("a", contents);
    let convert = ["convert", "-f", "iso-2022-jp", "--in-place", &*file];
    run(convert).ends(1).says([
        "it has escape sequences of ISO-2022-JP, the first at offset 3, and is UTF-8 otherwise",
        "left alone",
    ]);
    assert_eq!(folder.read("a"), contents);
    run(convert.iter().chain(&["--force"])).ends(0);
    assert_eq!(folder.read("a"), contents[3..]);
}

#[test]
fn a_part_of_one_is_text() {
    run_with(["convert", "-f", "windows-1252"], b"\xEF").gives(0, "ï");
    run_with(["convert", "-f", "windows-1252"], b"\xEF\xBBa").gives(0, "ï»a");
    run_with(["convert", "-f", "windows-1252"], b"\xFE").gives(0, "þ");
    run_with(["convert"], b"\xEF\xBB").gives(1, "\u{FFFD}");
}

#[test]
fn each_file_has_its_own() {
    let folder = Folder::new();
    let a = folder.file("a", b"\xFF\xFEa\0");
    let b = folder.file("b", b"\xFE\xFF\0b");
    let c = folder.file("c", b"c\xE9");
    let d = folder.file("d", b"\xEF\xBB\xBFd");
    let ran = run(["convert", "-f", "windows-1252", &a, &b, &c, &d]).gives(0, "abcéd");
    assert_eq!(ran.stderr.lines().count(), 3, "{}", ran.stderr);
    ran.says([
        &format!("{a}: its byte order mark says UTF-16LE"),
        &format!("{b}: its byte order mark says UTF-16BE"),
        &format!("{d}: its byte order mark says UTF-8"),
    ]);
}

#[test]
fn written_on_demand() {
    let args = |label| ["convert", "--output-bom", "-t", label];
    run_with(args("utf-8"), "a").gives(0, b"\xEF\xBB\xBFa");
    run_with(args("utf-16le"), "a").gives(0, b"\xFF\xFEa\0");
    run_with(args("utf-16be"), "a").gives(0, b"\xFE\xFF\0a");
    // Once for the whole output, even if that is empty.
    run_with(args("utf-8"), "").gives(0, b"\xEF\xBB\xBF");
    let folder = Folder::new();
    let a = folder.file("a", b"\xEF\xBB\xBFa");
    run(["convert", "--output-bom", &a, &a]).gives(0, b"\xEF\xBB\xBFaa");
}

#[test]
fn refused_where_there_is_none() {
    for label in ["windows-1252", "gb18030", "iso-2022-jp", "x-user-defined"] {
        run_with(["convert", "--output-bom", "-t", label], "a")
            .gives(2, b"")
            .says(["--output-bom", "UTF-8, UTF-16LE and UTF-16BE"]);
    }
}

/// The second mark is text, which would be taken for a mark if it came first.
#[test]
fn two_of_them() {
    let utf8 = b"\xEF\xBB\xBF\xEF\xBB\xBFa\n";
    for input in [
        &utf8[..],
        b"\xFF\xFE\xFF\xFEa\0\n\0",
        b"\xFE\xFF\xFE\xFF\0a\0\n",
        b"\xFF\xFE\0\0\xFF\xFE\0\0a\0\0\0\n\0\0\0",
    ] {
        for flags in [&[][..], &["--output-bom"], &["--per-line"]] {
            run_with([&["convert"][..], flags].concat(), input).gives(0, utf8);
        }
        let folder = Folder::new();
        let file = folder.file("a", input);
        for _ in 0..2 {
            run(["convert", "--in-place", "--verify", &file]).ends(0);
            assert_eq!(folder.read("a"), utf8);
        }
        // The mark of a later input is not the first of the output.
        run(["convert", &file, &file]).gives(0, [&utf8[..], &utf8[3..]].concat());
        run(["convert", "-t", "gb18030", &file]).gives(0, b"\x84\x31\x95\x33a\n");
        run(["convert", "-t", "utf-16be", &file]).gives(0, b"\xFE\xFF\xFE\xFF\0a\0\n");
    }
}
