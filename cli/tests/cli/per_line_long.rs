//! `--per-line`: lines that are too long for memory, and results that do not depend on how the input arrives.

use std::io::Write;
use std::process::Stdio;

use crate::harness::{Folder, Ran, run, run_with, simdtext};

/// More than what is kept of a line in memory.
const LONG: usize = 9 << 20;

#[test]
fn a_long_line_of_utf8_is_not_cut() {
    // Without ASCII, so that there is no place at which it could be cut.
    let long = "日".repeat(LONG / 3 + 1);
    let text = format!("é\n{long}\nà");
    let folder = Folder::new();
    let file = folder.file("a", &text);
    for from in ["windows-1252", "auto:shift_jis", "auto"] {
        let args = ["convert", "--per-line", "-f", from];
        let ran = run(args.into_iter().chain([&*file]));
        assert!(ran.stdout == text.as_bytes(), "{from}");
        let ran = ran.ends(0).quietly();
        assert_eq!(ran.status, Some(0));
        let ran = run_with(args, &text).ends(0).quietly();
        assert!(ran.stdout == text.as_bytes(), "{from}");
    }
}

#[test]
fn a_long_line_is_in_one_encoding() {
    // The decisive byte is at its very end: the second character is malformed in Shift_JIS and in UTF-8.
    let mut line = vec![b'a'; LONG];
    line.extend_from_slice(b"\x93\xFA\xE9\n");
    let list = "auto:shift_jis,windows-1252";
    let mut text = "a".repeat(LONG);
    text.push_str("“úé\n");
    // The lines after it are decided one by one.
    line.extend_from_slice(b"\x93\xFA\n");
    text.push_str("日\n");
    let folder = Folder::new();
    let file = folder.file("a", &line);
    for ran in [
        run(["convert", "--per-line", "-f", list, &file]),
        run_with(["convert", "--per-line", "-f", list], &line),
    ] {
        assert!(ran.stdout == text.as_bytes());
        ran.ends(0).quietly();
    }
    // Offsets and line numbers continue after it.
    let ran = run(["convert", "--per-line", "-f", "shift_jis", &file]).ends(1);
    ran.says([&format!(
        "a:1: malformed byte E9 at offset {} (Shift_JIS)",
        LONG + 2
    )]);
    line.extend_from_slice(b"ab\xFF");
    let file = folder.file("b", &line);
    let last = format!(
        "b:3: malformed byte FF at offset {} (Shift_JIS)",
        line.len() - 1
    );
    run(["convert", "--per-line", "-f", "shift_jis", &file])
        .ends(1)
        .says([&last]);
}

#[test]
fn a_long_line_of_a_pipe_has_a_limit() {
    let line = vec![0xE9; LONG];
    let args = ["convert", "--per-line", "-f", "windows-1252"];
    run_with(args.into_iter().chain(["--spool-limit", "9437183"]), &line)
        .gives(2, b"")
        .says([
            "the line that begins at offset 0 has to be read twice",
            "--spool-limit",
        ]);
    // A file is read again.
    let folder = Folder::new();
    let file = folder.file("a", &line);
    let text = "é".repeat(LONG);
    let ran = run(args.into_iter().chain(["--spool-limit", "0", &file])).ends(0);
    assert!(ran.stdout == text.as_bytes());
    let ran = run_with(args.into_iter().chain(["--spool-limit", "9437184"]), &line).ends(0);
    assert!(ran.stdout == text.as_bytes());
}

#[test]
fn old_macintosh_files_have_lines() {
    // CR alone, without an LF in more than what is kept of a line.
    let mut mac = Vec::new();
    let mut text = String::new();
    for _ in 0..500_000 {
        mac.extend_from_slice(b"caf\xE9 au lait\rcaf\xC3\xA9\r");
        text.push_str("café au lait\rcafé\r");
    }
    let ran = run_with(["convert", "--per-line", "-f", "windows-1252"], &mac).ends(0);
    assert!(ran.stdout == text.as_bytes());
}

#[test]
fn lines_of_iso_2022_jp() {
    let mail = b"\x1B$BF|K\\\x1B(B: \xE9\n\x1B$BF|K\\\x1B(B \x1B(Jy\\\x1B(B\n\
        \x1B[31mred\x1B[0m\n\x1B(Bplain\x1B[m\ntput \x1B(B\n\x1B(Jy\\\nabc\\\n";
    // The first line has a byte that ISO-2022-JP does not have. The sixth does not return to ASCII, and the
    // last begins in that state.
    let text = "\x1B$BF|K\\\x1B(B: é\n日本 y¥\n\
        \x1B[31mred\x1B[0m\n\x1B(Bplain\x1B[m\ntput \x1B(B\ny¥\nabc\\\n";
    run_with(["convert", "--per-line"], mail)
        .gives(0, text)
        .says(["the encoding of some lines was guessed"]);
    let folder = Folder::new();
    let file = folder.file("a", &mail[20..]);
    run(["convert", "--per-line", "--in-place", &file]).gives(1, b"");
    assert_eq!(folder.read("a"), &mail[20..]);
    // If it is in the list, each of its escape sequences counts.
    run_with(
        ["convert", "--per-line", "-f", "auto:iso-2022-jp"],
        b"tput \x1B(B\n\x1B[m\n",
    )
    .gives(0, "tput \n\x1B[m\n");
}

#[test]
fn lines_of_utf8_have_no_mark() {
    let folder = Folder::new();
    let file = folder.file("a", "мир\n");
    run(["convert", "--per-line", "-f", "koi8-r", "--in-place", &file])
        .gives(0, b"")
        .says(["1 unchanged"])
        .never_says(["byte order mark"]);
}

#[test]
fn damaged_lines_of_iso_2022_jp() {
    // The second line was cut within a character.
    let mail = b"\x1B$BF|K\\\x1B(B\ncaf\xC3\xA9\n\x1B$BF|K\n\x1B[31mred\n\x1B$BF|K";
    let text = "日本\ncafé\n日\u{FFFD}\n\x1B[31mred\n日\u{FFFD}";
    for from in ["auto", "auto:iso-2022-jp", "auto:windows-1252,iso-2022-jp"] {
        run_with(["convert", "--per-line", "-f", from], mail)
            .gives(1, text)
            .says([
                "<stdin>:3: malformed byte 4B at offset 22 (ISO-2022-JP)",
                "<stdin>:5: malformed byte 4B at offset 38 (ISO-2022-JP)",
            ]);
    }
    let folder = Folder::new();
    let file = folder.file("a", mail);
    run([
        "convert",
        "--per-line",
        "--in-place",
        "--accept-guess",
        &file,
    ])
    .gives(1, b"");
    assert_eq!(folder.read("a"), mail);
    // The return to ASCII is missing, and nothing else.
    run_with(["convert", "--per-line"], b"\x1B$BF|K\\\r\nabc\r\n").gives(0, "日本\r\nabc\r\n");
    // If it can't be ISO-2022-JP, it is ASCII.
    let other = b"\x1B$BF|K\n";
    run_with(["convert", "--per-line", "-f", "auto:gbk"], other).gives(0, other);
    // A line that is too long for memory.
    let long = [b"\x1B$B".as_slice(), &b"F|K\\".repeat(9 << 18), b"F"].concat();
    let text = "日本".repeat(9 << 18) + "\u{FFFD}";
    for from in ["auto", "auto:iso-2022-jp"] {
        let ran = run_with(["convert", "--per-line", "-f", from], &long).ends(1);
        assert!(ran.stdout == text.as_bytes(), "{from}");
    }
}

/// Runs with standard input that arrives in pieces.
pub(crate) fn in_pieces(args: &[&str], pieces: &[&[u8]]) -> Ran {
    let mut child = simdtext(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for piece in pieces {
                stdin.write_all(piece).expect("it is read");
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
        });
        child.wait_with_output().expect("the command ends").into()
    })
}

#[test]
fn guesses_do_not_depend_on_how_input_comes_or_on_cores() {
    let lines: Vec<(&str, &'static encoding_rs::Encoding)> = vec![
        (
            "Все люди рождаются свободными и равными",
            encoding_rs::WINDOWS_1251,
        ),
        ("в своем достоинстве и правах.", encoding_rs::KOI8_R),
        (
            "Le cœur déçu mais l'âme plutôt naïve",
            encoding_rs::WINDOWS_1252,
        ),
        (
            "すべての人間は、生まれながらにして自由であり",
            encoding_rs::SHIFT_JIS,
        ),
        (
            "Příliš žluťoučký kůň úpěl ďábelské ódy",
            encoding_rs::WINDOWS_1250,
        ),
        ("è vero", encoding_rs::WINDOWS_1252),
        ("plain", encoding_rs::UTF_8),
    ];
    let mut log = b"first\n".to_vec();
    let mut random = 1_u64;
    while log.len() < (2 << 20) {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let (line, encoding) = lines[(random >> 33) as usize % lines.len()];
        let (bytes, ..) = encoding.encode(line);
        log.extend_from_slice(&bytes);
        log.push(b'\n');
    }
    let folder = Folder::new();
    let file = folder.file("a", &log);
    let wanted = run(["convert", "--per-line", "-j1", &file]).ends(0).stdout;
    let of_cores = run(["convert", "--per-line", "-j4", &file]).ends(0).stdout;
    assert!(of_cores == wanted);
    for size in [777, 65_536, 300_000] {
        let pieces: Vec<&[u8]> = log.chunks(size).collect();
        let pieces = if size == 777 { &pieces[..50] } else { &pieces };
        let came = in_pieces(&["convert", "--per-line"], pieces).ends(0).stdout;
        if size == 777 {
            let part = folder.file("part", pieces.concat());
            let wanted = run(["convert", "--per-line", &part]).ends(0).stdout;
            assert!(came == wanted, "{size}");
        } else {
            assert!(came == wanted, "{size}");
        }
    }
    // Lines that give evidence are right, whatever most lines are in.
    let text = String::from_utf8(wanted).expect("it is UTF-8");
    for line in [0, 1, 3, 4] {
        let line = lines[line].0;
        let right = text.lines().filter(|it| *it == line).count();
        assert!(right > 3_000, "{line}: {right}");
    }
}

#[test]
fn lines_come_out_when_they_come_in() {
    use std::io::{BufRead, BufReader};
    let mut child = simdtext(["convert", "--per-line", "-f", "auto:shift_jis,windows-1252"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    for _ in 0..3 {
        stdin.write_all(b"caf\xE9\n").expect("it is read");
        let mut line = String::new();
        stdout.read_line(&mut line).expect("it is written");
        assert_eq!(line, "café\n");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}
