//! `check`: the report, in words and in JSON.

use serde_json::{Value, json};

use crate::harness::{Folder, run, run_with};

fn objects(stdout: &[u8]) -> Vec<Value> {
    let text = str::from_utf8(stdout).expect("JSON is UTF-8");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect()
}

#[test]
fn clean_files_are_not_named() {
    let folder = Folder::new();
    let a = folder.file("a", "clean\n");
    let b = folder.file("b", "");
    run(["check", &a, &b])
        .gives(0, "")
        .says(["2 files checked: clean"]);
    run_with(["check"], "clean")
        .gives(0, "")
        .says(["1 file checked: clean"]);
    run_with(["check", "-f", "shift_jis", "-"], b"\x93\xFA").gives(0, "");
}

#[test]
fn each_fault_has_its_line_and_offset() {
    run_with(["check"], b"abc\xE4\xBD\nz\xFF\n\n\xC0")
        .gives(
            1,
            "<stdin>:1: malformed bytes E4 BD at offset 3 (UTF-8)\n\
             <stdin>:2: malformed byte FF at offset 7 (UTF-8)\n\
             <stdin>:4: malformed byte C0 at offset 10 (UTF-8)\n\
             <stdin>: 3 malformed sequences (UTF-8)\n",
        )
        .says(["1 file checked: 1 with 3 malformed sequences"]);
}

#[test]
fn lf_cr_lf_and_cr_each_end_a_line() {
    run_with(["check"], b"a\nb\r\nc\rd\n\re\xFF").gives(
        1,
        "<stdin>:6: malformed byte FF at offset 11 (UTF-8)\n<stdin>: 1 malformed sequence (UTF-8)\n",
    );
}

#[test]
fn lines_of_utf16_are_those_of_its_text() {
    // U+0A0D and U+0D0A are not line ends; the lone surrogate is on the second line.
    let units: [u16; 6] = [0xFEFF, 0x0A0D, 0x0D0A, 0x000A, 0xD800, 0x0078];
    let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
    run_with(["check"], &little).gives(
        1,
        "<stdin>:2: malformed bytes 00 D8 at offset 8 (UTF-16LE)\n\
         <stdin>: 1 malformed sequence (UTF-16LE)\n",
    );
    let big: Vec<u8> = units[1..]
        .iter()
        .flat_map(|unit| unit.to_be_bytes())
        .collect();
    run_with(["check", "-f", "utf-16be"], &big).gives(
        1,
        "<stdin>:2: malformed bytes D8 00 at offset 6 (UTF-16BE)\n\
         <stdin>: 1 malformed sequence (UTF-16BE)\n",
    );
}

#[test]
fn marks_are_treated_as_told() {
    run_with(["check", "--bom=keep"], b"\xFF\xFEa\0").ends(1);
    run_with(["check", "--bom=strip"], b"\xFF\xFEa\0").ends(1);
    run_with(["check", "--bom=sniff"], b"\xFF\xFEa\0").ends(0);
    run_with(["check"], b"\xEF\xBB\xBFa\xFF").gives(
        1,
        "<stdin>:1: malformed byte FF at offset 4 (UTF-8)\n<stdin>: 1 malformed sequence (UTF-8)\n",
    );
}

#[test]
fn at_most_so_many_and_the_total_always() {
    let input = b"\xFF\n".repeat(1000);
    let ran = run_with(["check"], &input).ends(1);
    let report = String::from_utf8(ran.stdout).expect("the report is UTF-8");
    assert_eq!(report.lines().count(), 101);
    assert!(
        report.contains("<stdin>:100: malformed byte FF at offset 198 (UTF-8)\n"),
        "{report}"
    );
    assert!(
        report.ends_with("<stdin>: 1000 malformed sequences (UTF-8), 100 shown\n"),
        "{report}"
    );

    run_with(["check", "--errors-max", "2"], &input).gives(
        1,
        "<stdin>:1: malformed byte FF at offset 0 (UTF-8)\n\
         <stdin>:2: malformed byte FF at offset 2 (UTF-8)\n\
         <stdin>: 1000 malformed sequences (UTF-8), 2 shown\n",
    );
    run_with(["check", "--errors-max=0"], &input)
        .gives(1, "<stdin>: 1000 malformed sequences (UTF-8), 0 shown\n");
    let all = run_with(["check", "--errors-max=1000"], &input).ends(1);
    assert_eq!(
        all.stdout.iter().filter(|byte| **byte == b'\n').count(),
        1001
    );
}

#[test]
fn several_files_and_one_that_is_missing() {
    let folder = Folder::new();
    let a = folder.file("a", b"a\xFF");
    let missing = folder.name("missing");
    let c = folder.file("c", b"\xFF\xFF");
    let clean = folder.file("clean", b"clean");
    let wanted = format!(
        "{a}:1: malformed byte FF at offset 1 (UTF-8)\n{a}: 1 malformed sequence (UTF-8)\n\
         {c}:1: malformed byte FF at offset 0 (UTF-8)\n{c}:1: malformed byte FF at offset 1 (UTF-8)\n\
         {c}: 2 malformed sequences (UTF-8)\n"
    );
    run(["check", &a, &missing, &c, &clean])
        .gives(2, wanted)
        .says([
            &format!("cannot read {missing}: No such file"),
            "4 files checked: 2 with 3 malformed sequences, 1 could not be read",
        ]);
}

#[test]
fn json() {
    let folder = Folder::new();
    let a = folder.file("a", b"a\n\xE4\xBDz\xFF");
    let b = folder.file("b", b"clean");
    let missing = folder.name("missing");
    let ran = run(["check", "--json", "--errors-max=1", &a, &b, &missing]).ends(2);
    assert_eq!(
        objects(&ran.stdout),
        [
            json!({"version": 1, "type": "malformed", "path": a, "encoding": "UTF-8", "offset": 2, "line": 2, "bytes": "E4 BD"}),
            json!({"version": 1, "type": "summary", "path": a, "encoding": "UTF-8", "size": 6, "malformed": 2, "shown": 1, "doubt": null}),
            json!({"version": 1, "type": "summary", "path": b, "encoding": "UTF-8", "size": 5, "malformed": 0, "shown": 0, "doubt": null}),
            json!({"version": 1, "type": "error", "path": missing, "message": "No such file or directory", "malformed": 0}),
        ]
    );
}

#[test]
#[cfg(target_os = "linux")]
fn a_name_that_is_no_unicode() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new();
    let path = folder.path(OsStr::from_bytes(b"caf\xE9"));
    std::fs::write(&path, b"\xFF").expect("a file can be written");
    let name = path.as_os_str();
    // The report has the name unchanged; JSON also has its bytes.
    let ran = run([OsStr::new("check"), name]).ends(1);
    assert!(
        ran.stdout.starts_with(name.as_bytes()),
        "{}",
        ran.stdout.escape_ascii()
    );
    let ran = run([OsStr::new("check"), OsStr::new("--json"), name]).ends(1);
    for object in objects(&ran.stdout) {
        assert!(
            object["path"]
                .as_str()
                .is_some_and(|path| path.ends_with("caf\u{FFFD}"))
        );
        assert!(
            object["path_bytes"]
                .as_str()
                .is_some_and(|path| path.ends_with("63 61 66 E9"))
        );
    }
}

#[test]
fn counts_as_many_as_encoding_rs_replaces() {
    let mut state = 7_u32;
    let bytes: Vec<u8> = (0..200_000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .collect();
    for encoding in [
        encoding_rs::BIG5,
        encoding_rs::EUC_JP,
        encoding_rs::GBK,
        encoding_rs::WINDOWS_1253,
    ] {
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        let faults = text.matches('\u{FFFD}').count();
        let ran = run_with(
            [
                "check",
                "--json",
                "--bom=keep",
                "--errors-max=3",
                "-f",
                encoding.name(),
            ],
            &bytes,
        )
        .ends(1);
        let last = objects(&ran.stdout).pop().expect("there is a summary");
        assert_eq!(last["malformed"], json!(faults), "{}", encoding.name());
        assert_eq!(last["shown"], json!(3));
    }
}

#[test]
fn a_list_is_read_once_whatever_is_named_beside_it() {
    let folder = Folder::new();
    let (one, two) = (folder.folder("one"), folder.folder("two"));
    let (a, b) = (folder.file("one/a", "a"), folder.file("b", b"\xFF"));
    let list = format!("{b}\n");
    let of_b = format!(
        "{b}:1: malformed byte FF at offset 0 (UTF-8)\n{b}: 1 malformed sequence (UTF-8)\n"
    );
    for (named, files) in [
        (&[][..], "1 file checked"),
        (&[&*a], "2 files checked"),
        (&[&*one, &*two], "2 files checked"),
    ] {
        let args = ["check", "--files-from=-"].iter().chain(named);
        run_with(args, &list)
            .gives(1, &of_b)
            .says([files, "1 with 1 malformed sequence"]);
    }
    run_with(["check", "-0", "--files-from=-"], b"missing\0")
        .gives(2, "")
        .says(["cannot read missing: No such file or directory"]);
    run_with(["check", "--files-from=-"], "x".repeat(70_000))
        .gives(2, "")
        .says(["cannot read the list of files: path 1 is longer"]);
    run(["check", "--files-from", &folder.name("nowhere"), &a])
        .gives(2, "")
        .says(["nowhere: No such file or directory"]);
    run(["check", "--hidden", "--files-from", &a]).gives(2, "");
}

#[test]
fn an_encoding_that_is_not_decoded() {
    run_with(["check", "-f", "iso-2022-kr"], b"\x1B$)C\n\x0E0!\x0F\n")
        .gives(
            1,
            "<stdin>:1: malformed byte 1B at offset 0 (replacement)\n\
             <stdin>: 1 malformed sequence (replacement)\n",
        )
        .says([
            "<stdin>: the standard reads iso-2022-kr, iso-2022-cn and hz-gb-2312 as the encoding",
            "`iconv -f ISO-2022-KR -t UTF-8` converts it",
        ]);
    run_with(["check", "-f", "iso-2022-kr"], b"")
        .gives(0, "")
        .never_says(["which decodes nothing"]);
}

#[test]
fn what_is_not_text_in_the_encoding_that_is_named() {
    let folder = Folder::new();
    let gzip = folder.file(
        "a.gz",
        b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x4B\x04\0\x43\xBE\xB7\xE8",
    );
    let png = folder.file("a.png", b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR");
    let text = folder.file("text", "Gr\u{FC}\u{DF}e aus K\u{F6}ln ".repeat(10));
    let jis = folder.file("jis", b"\xC3\xA9 \x1B$BF|K\\8l\x1B(B\n");
    let fine = folder.file("fine", b"K\xF6ln\n");
    run(["check", "-f", "windows-1252", &gzip, &png, &text, &fine])
        .gives(
            1,
            format!(
                "{gzip}: it is binary (compressed with gzip)\n\
                 {png}: it is binary (it begins as a file of type image/png does)\n\
                 {text}: it is valid UTF-8\n"
            ),
        )
        .says(["4 files checked: 3 binary or in another encoding"]);
    run(["check", &jis]).gives(
        1,
        format!("{jis}: it has escape sequences of ISO-2022-JP, the first at offset 3\n"),
    );
    // UTF-8 without --from is the question, and UTF-16 with a byte order mark is an answer.
    run_with(["check"], b"\xFF\xFEa\0").gives(0, "");
    run_with(["check", "-f", "utf-16le"], "ASCII ".repeat(50))
        .gives(1, "<stdin>: it is valid UTF-8\n");

    let all = [&*gzip, &png, &text, &jis];
    let only = ["check", "-f", "windows-1252", "--malformed-only"];
    run(only.iter().chain(&all))
        .gives(0, "")
        .says(["4 files checked: clean"]);

    let ran = run(["check", "--json", "-f", "windows-1252", &png, &fine]).ends(1);
    let doubts: Vec<Value> = objects(&ran.stdout)
        .into_iter()
        .map(|object| object["doubt"].clone())
        .collect();
    assert_eq!(
        doubts,
        [
            json!("it is binary (it begins as a file of type image/png does)"),
            Value::Null
        ]
    );
}
