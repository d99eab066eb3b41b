//! Characters that an encoding lacks, and for which the Encoding Standard writes a similar one: nothing is unmappable,
//! and the text is changed.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};

use crate::harness::{Folder, run, run_with};

#[test]
fn a_similar_character_is_reported() {
    let folder = Folder::new();
    folder.folder("t");
    let (tree, out) = (folder.name("t"), folder.name("out"));
    for (to, encoding, text, shown) in [
        (
            "shift_jis",
            SHIFT_JIS,
            "\nC:¥日本",
            "'¥' (U+00A5) at offset 3 is not in Shift_JIS",
        ),
        (
            "euc-jp",
            EUC_JP,
            "\n~‾",
            "'‾' (U+203E) at offset 2 is not in EUC-JP",
        ),
        (
            "shift_jis",
            SHIFT_JIS,
            "\n1−1",
            "'−' (U+2212) at offset 2 is not in Shift_JIS",
        ),
        (
            "iso-2022-jp",
            ISO_2022_JP,
            "\nあｱ",
            "'ｱ' (U+FF71) at offset 4 is not in ISO-2022-JP",
        ),
        (
            "gbk",
            GBK,
            "\n中\u{E81E}",
            "'\\u{e81e}' (U+E81E) at offset 4 is not in GBK",
        ),
    ] {
        let wanted = encoding.encode(text).0;
        let shown = format!(":2: character {shown}");
        let said = "1 character written as a similar one, as the Encoding Standard says";
        run_with(["convert", "-t", to], text)
            .gives(1, &wanted)
            .says([&*shown, said]);
        let file = folder.file("t/a", text);
        run(["convert", "-t", to, "--out-dir", &out, &tree])
            .gives(1, "")
            .says([&*shown, said]);
        assert_eq!(folder.read("out/a"), *wanted);
        let in_place = ["convert", "-t", to, "--in-place", &file];
        run(in_place).gives(1, "").says([
            &*shown,
            "a: left as it is, because characters would be written as similar ones; --force",
        ]);
        assert_eq!(folder.read("t/a"), text.as_bytes());
        run(in_place.iter().chain(&["--force"]))
            .gives(1, "")
            .says([said]);
        assert_eq!(folder.read("t/a"), *wanted);
    }
    // Big enough for several cores.
    let big = "日本語の文章です。\n".repeat(400_000) + "¥100\n";
    let file = folder.file("big", &big);
    let ran = run(["convert", "-t", "shift_jis", "-j2", &file])
        .ends(1)
        .says(["'¥' (U+00A5)"]);
    assert!(ran.stdout == *SHIFT_JIS.encode(&big).0);
}

#[test]
fn faults_are_reported_in_their_order() {
    let ran = run_with(
        ["convert", "-t", "shift_jis", "--unmappable", "ncr"],
        "☃¥☃−\n☃",
    )
    .ends(1);
    let offsets = ran.stderr.lines().filter_map(|line| {
        let (_, rest) = line.split_once(" at offset ")?;
        rest.split(' ').next()?.parse().ok()
    });
    assert_eq!(offsets.collect::<Vec<u64>>(), [0, 3, 5, 8, 12]);
    // Nothing behind the character that stops the conversion is reported.
    run_with(["convert", "-t", "shift_jis"], "¥☃−\n")
        .gives(1, b"\\")
        .says(["(U+00A5) at offset 0", "(U+2603) at offset 2"])
        .never_says(["U+2212"]);
}

/// Private-use characters that GB 18030 had before 2022 are written as bytes that mean others since.
#[test]
fn private_use_characters_are_reported() {
    for (to, encoding) in [("gbk", GBK), ("gb18030", GB18030)] {
        let changed = |ch: &char| {
            let text = ch.to_string();
            let (bytes, _, is_unmappable) = encoding.encode(&text);
            !is_unmappable && encoding.decode_without_bom_handling(&bytes).0 != text
        };
        let all: Vec<char> = ('\u{80}'..=char::MAX).filter(changed).collect();
        assert_eq!(all.len(), 18);
        for ch in all {
            let text = format!("中\n文{ch}");
            let said = format!("(U+{:04X}) at offset 7 is not in", u32::from(ch));
            run_with(["convert", "-t", to], &text)
                .gives(1, encoding.encode(&text).0)
                .says([
                    &*said,
                    "1 character written as a similar one, as the Encoding Standard says",
                ]);
        }
        // The characters of these bytes, and other private-use characters.
        let text = "︐︙龴龻\u{E000}\u{E78C}\u{E797}";
        run_with(["convert", "-t", "gb18030"], text)
            .gives(0, GB18030.encode(text).0)
            .quietly();
    }
}

/// Every character that is encoded, and then decodes to another one.
#[test]
fn no_other_characters_are_similar() {
    for (to, encoding) in [
        ("shift_jis", SHIFT_JIS),
        ("euc-jp", EUC_JP),
        ("iso-2022-jp", ISO_2022_JP),
        ("euc-kr", EUC_KR),
        ("big5", BIG5),
        ("gbk", GBK),
        ("gb18030", GB18030),
    ] {
        let (mut text, mut count) = (String::new(), 0);
        for ch in '\0'..=char::MAX {
            let utf8 = String::from(ch);
            let (bytes, _, is_unmappable) = encoding.encode(&utf8);
            if !is_unmappable {
                let (back, _) = encoding.decode_without_bom_handling(&bytes);
                count += usize::from(*back != *utf8);
                text.push(ch);
            }
        }
        let args = ["convert", "-f", "utf-8", "-t", to, "--binary=convert"];
        let ran = run_with(args, &text);
        let said = format!("{count} characters written as similar ones");
        assert_eq!(ran.stderr.contains(&said), count > 0, "{}", ran.stderr);
        ran.gives(i32::from(count > 0), encoding.encode(&text).0);
    }
}

#[test]
fn what_the_encodings_have() {
    for (to, encoding) in [("shift_jis", SHIFT_JIS), ("euc-jp", EUC_JP)] {
        let text = "\\~－ｱア";
        run_with(["convert", "-t", to], text)
            .gives(0, encoding.encode(text).0)
            .quietly();
    }
    // These are in JIS X 0201.
    run_with(["convert", "-t", "iso-2022-jp"], "¥‾")
        .gives(0, b"\x1B(J\\~\x1B(B")
        .quietly();
}
