//! Byte order marks, read and written.

use crate::harness::{Folder, run, run_with};

#[test]
fn sniffed_by_default() {
    // The mark wins over --from, and is removed.
    for args in [
        &["convert"][..],
        &["convert", "-f", "koi8-r"],
        &["convert", "--bom=sniff"],
    ] {
        run_with(args, b"\xEF\xBB\xBF\xC3\xA9")
            .gives(0, "é")
            .quietly();
        run_with(args, b"\xFF\xFEa\0\xE9\0")
            .gives(0, "aé")
            .quietly();
        run_with(args, b"\xFE\xFF\0a\0\xE9")
            .gives(0, "aé")
            .quietly();
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
    run(["convert", "-f", "windows-1252", &a, &b, &c, &d])
        .gives(0, "abcéd")
        .quietly();
}

#[test]
fn written_on_demand() {
    let args = |label| ["convert", "--output-bom", "-t", label];
    run_with(args("utf-8"), "a").gives(0, b"\xEF\xBB\xBFa");
    run_with(args("utf-16le"), "a").gives(0, b"\xFF\xFEa\0");
    run_with(args("utf-16be"), "a").gives(0, b"\xFE\xFF\0a");
    // Once for the whole output, and for an empty one.
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
