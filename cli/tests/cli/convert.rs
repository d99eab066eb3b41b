//! `convert` without errors: pipes, files, encodings, labels.

use encoding_rs::Encoding;

use crate::harness::{Folder, run, run_with};

#[test]
fn from_a_pipe_to_a_pipe() {
    run_with(["convert", "-f", "shift_jis"], b"\x93\xFA\x96\x7B\r\n")
        .gives(0, "日本\r\n")
        .quietly();
    run_with(["convert", "-t", "shift_jis"], "日本\r\n")
        .gives(0, b"\x93\xFA\x96\x7B\r\n")
        .quietly();
    run_with(
        ["convert", "--from", "koi8-r", "--to", "windows-1251"],
        b"\xED\xC9\xD2",
    )
    .gives(0, b"\xCC\xE8\xF0")
    .quietly();
}

#[test]
fn utf8_by_default() {
    run_with(["convert"], "aé日😀\n")
        .gives(0, "aé日😀\n")
        .quietly();
}

#[test]
fn nothing_in_nothing_out() {
    for label in ["utf-8", "utf-16le", "iso-2022-jp", "gb18030", "replacement"] {
        run_with(["convert", "-f", label], b"")
            .gives(0, b"")
            .quietly();
    }
    run_with(["convert", "-t", "iso-2022-jp"], b"")
        .gives(0, b"")
        .quietly();
    let folder = Folder::new();
    let empty = folder.file("empty", b"");
    run(["convert", &empty, &empty]).gives(0, b"").quietly();
}

#[test]
fn files_and_standard_input_in_the_order_named() {
    let folder = Folder::new();
    let a = folder.file("a", b"\xC0a");
    let b = folder.file("b", b"\xC1b");
    let args = ["convert", "-f", "windows-1251", &b, "-", &a];
    run_with(args, b"\xC2c").gives(0, "БbВcАa").quietly();
}

#[test]
fn a_file_named_dash() {
    let folder = Folder::new();
    folder.file("-", "from the file");
    let mut command = crate::harness::simdtext(["convert", "./-", "-"]);
    command.current_dir(folder.path(""));
    crate::harness::feed(command, " from the pipe").gives(0, "from the file from the pipe");
}

#[test]
#[cfg(target_os = "linux")]
fn a_name_that_is_no_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let path = folder.path(OsStr::from_bytes(b"caf\xE9.txt"));
    std::fs::write(&path, b"\xE9").expect("a file can be written");
    let flags = ["convert", "-f", "latin1"].map(OsStr::new);
    run(flags.into_iter().chain([path.as_os_str()]))
        .gives(0, "é")
        .quietly();
    // Messages are UTF-8 even so.
    run(["convert", "-f", "utf-8"]
        .map(OsStr::new)
        .into_iter()
        .chain([path.as_os_str()]))
    .gives(1, "\u{FFFD}")
    .says(["caf\u{FFFD}.txt:1: malformed byte E9 at offset 0 (UTF-8)"]);
}

#[test]
fn each_file_is_a_stream_of_its_own() {
    let folder = Folder::new();
    // A character that is cut in two is malformed at the end of one file and at the start of the next.
    let a = folder.file("a", b"a\xE4\xBD");
    let b = folder.file("b", b"\xA0b");
    run(["convert", "-f", "utf-8", &a, &b])
        .gives(1, "a\u{FFFD}\u{FFFD}b")
        .says([
            "a:1: malformed bytes E4 BD at offset 1",
            "b:1: malformed byte A0 at offset 0",
        ]);
}

#[test]
fn one_encoder_for_the_whole_output() {
    let folder = Folder::new();
    let a = folder.file("a", "日");
    let b = folder.file("b", "本");
    // It shifts to JIS X 0208 once, and back to ASCII once, at the end.
    run(["convert", "-t", "iso-2022-jp", &a, &b])
        .gives(0, b"\x1B$B\x46\x7C\x4B\x5C\x1B(B")
        .quietly();
    // If a file can't be read, the final escape sequence is still written.
    let missing = folder.name("missing");
    run(["convert", "-t", "iso-2022-jp", &a, &missing])
        .gives(2, b"\x1B$B\x46\x7C\x1B(B")
        .says(["missing"]);
}

#[test]
fn utf16_is_written_as_such() {
    run_with(["convert", "-t", "utf-16le"], "aé😀").gives(0, b"a\0\xE9\0\x3D\xD8\x00\xDE");
    run_with(["convert", "-t", "utf-16"], "a").gives(0, b"a\0");
    run_with(["convert", "-t", "utf-16be"], "aé😀").gives(0, b"\0a\0\xE9\xD8\x3D\xDE\x00");
    run_with(["convert", "-f", "utf-16be", "-t", "utf-16le"], b"\0a\0b").gives(0, b"a\0b\0");
}

#[test]
fn labels_are_the_standard_s() {
    // As on the web, this is windows-1252.
    run_with(["convert", "-f", "latin1"], b"\x80").gives(0, "€");
    run_with(["convert", "-f", " Windows-1252 "], b"\x80").gives(0, "€");
    run_with(["convert", "-f", "CSISOLATIN2"], b"\xA3").gives(0, "Ł");
}

#[test]
fn x_user_defined_both_ways() {
    run_with(["convert", "-f", "x-user-defined"], b"a\x80\xFF").gives(0, "a\u{F780}\u{F7FF}");
    run_with(["convert", "-t", "x-user-defined"], "a\u{F780}\u{F7FF}").gives(0, b"a\x80\xFF");
}

/// A text for each encoding, by its name.
const TEXTS: [(&str, &str); 39] = [
    ("UTF-8", "naïve, 日本語, 😀\n"),
    ("IBM866", "Привет, мир ░▒▓\n"),
    ("ISO-8859-2", "Příliš žluťoučký kůň\n"),
    ("ISO-8859-3", "Ĝis la revido, eĥoŝanĝo\n"),
    ("ISO-8859-4", "Sveiki, ķirsis, ņemt\n"),
    ("ISO-8859-5", "Добрый день, Ђорђе\n"),
    ("ISO-8859-6", "مرحبا\n"),
    ("ISO-8859-7", "Καλημέρα κόσμε\n"),
    ("ISO-8859-8", "שלום עולם\n"),
    ("ISO-8859-8-I", "שלום עולם\n"),
    ("ISO-8859-10", "Bures, čáhci, ŋ\n"),
    ("ISO-8859-13", "Labdien, ģimene, ąžuolas\n"),
    ("ISO-8859-14", "Dŵr, ŷd, ḃ\n"),
    ("ISO-8859-15", "Œuvre à 5 €\n"),
    ("ISO-8859-16", "Știință, țară\n"),
    ("KOI8-R", "Съешь ещё этих булок\n"),
    ("KOI8-U", "Їжак і ґанок\n"),
    ("macintosh", "Ça va? ∑ ∞\n"),
    ("windows-874", "สวัสดี\n"),
    ("windows-1250", "Zażółć gęślą jaźń „tak”\n"),
    ("windows-1251", "Ўсё добра № 5\n"),
    ("windows-1252", "Smörgåsbord – 5 €\n"),
    ("windows-1253", "Ελληνικά €\n"),
    ("windows-1254", "Işık, ğ, İ\n"),
    ("windows-1255", "שָׁלוֹם ₪\n"),
    ("windows-1256", "سلام، پدر\n"),
    ("windows-1257", "Šiauliai, ė, ū\n"),
    ("windows-1258", "Vi\u{EA}\u{323}t ₫\n"),
    ("x-mac-cyrillic", "Київ, ґ\n"),
    ("GBK", "汉字，繁體字\n"),
    ("gb18030", "汉字 😀 ḿ\n"),
    ("Big5", "繁體中文，香港\n"),
    ("EUC-JP", "日本語ｶﾅかな\n"),
    ("ISO-2022-JP", "日本語 and ASCII かな\n"),
    ("Shift_JIS", "日本語ｶﾅかな\n"),
    ("EUC-KR", "안녕하세요 韓國\n"),
    ("UTF-16BE", "naïve, 日本語, 😀\n"),
    ("UTF-16LE", "naïve, 日本語, 😀\n"),
    ("x-user-defined", "ASCII \u{F7AB}\n"),
];

/// The text as encoding_rs encodes it; UTF-16, to which it does not encode, by hand.
fn encoded(name: &str, text: &str) -> Vec<u8> {
    let units = text.encode_utf16();
    match name {
        "UTF-16BE" => units.flat_map(u16::to_be_bytes).collect(),
        "UTF-16LE" => units.flat_map(u16::to_le_bytes).collect(),
        _ => {
            let encoding = Encoding::for_label(name.as_bytes()).expect("encoding_rs has it too");
            let (bytes, _, unmappable) = encoding.encode(text);
            assert!(!unmappable, "{name} has all of {text:?}");
            bytes.into_owned()
        }
    }
}

#[test]
fn every_encoding_both_ways_as_encoding_rs_does() {
    for (name, text) in TEXTS {
        // Long enough that many blocks end inside a character.
        let text = text.repeat(10_001);
        let bytes = encoded(name, &text);
        run_with(["convert", "-f", name], &bytes)
            .gives(0, &text)
            .quietly();
        run_with(["convert", "-t", name], &text)
            .gives(0, &bytes)
            .quietly();
    }
}
