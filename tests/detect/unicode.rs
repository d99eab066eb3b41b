//! UTF-16 and UTF-32, with and without a byte order mark, in the languages of `samples/utf-8`.

use std::path::Path;
use std::{env, fs};

use simdtext::detect::{ByteOrder, Options, Reason, detect};
use simdtext::sniff::{Confidence, Evidence};
use simdtext::{Encoding, UTF_16BE, UTF_16LE};

fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/utf-8");
    let files = fs::read_dir(folder).expect("samples/utf-8");
    let texts: Vec<_> = files
        .map(|file| {
            let path = file.expect("an entry").path();
            let text = fs::read_to_string(&path).expect("UTF-8");
            (path.display().to_string(), text)
        })
        .collect();
    assert!(texts.len() > 20);
    texts
}

fn utf16(text: &str, order: ByteOrder) -> Vec<u8> {
    let bytes = |unit: u16| match order {
        ByteOrder::Little => unit.to_le_bytes(),
        ByteOrder::Big => unit.to_be_bytes(),
    };
    text.encode_utf16().flat_map(bytes).collect()
}

fn utf32(text: &str, order: ByteOrder) -> Vec<u8> {
    let bytes = |ch: char| match order {
        ByteOrder::Little => u32::from(ch).to_le_bytes(),
        ByteOrder::Big => u32::from(ch).to_be_bytes(),
    };
    text.chars().flat_map(bytes).collect()
}

fn found(bytes: &[u8]) -> (Option<&'static Encoding>, Reason) {
    let guess = detect(bytes, true, &Options::default());
    (guess.encoding, guess.reason)
}

#[test]
fn without_a_mark() {
    for (name, text) in texts() {
        for (order, encoding) in [(ByteOrder::Little, UTF_16LE), (ByteOrder::Big, UTF_16BE)] {
            let lines = text.lines().filter(|line| line.chars().count() >= 24);
            for part in [text.as_str()].into_iter().chain(lines) {
                let expected = (Some(encoding), Reason::CodeUnits);
                assert_eq!(found(&utf16(part, order)), expected, "{name}: {part}");
                let expected = (None, Reason::Utf32 { order, bom: false });
                assert_eq!(found(&utf32(part, order)), expected, "{name}: {part}");
            }
        }
    }
}

/// ASCII with NULs is not UTF-16, even if all NULs are at even, or odd, positions.
#[test]
fn ascii_with_nuls() {
    for text in [
        "a.txt\0b.txt\0",
        "abc\0def\0ghi\0jkl\0",
        "HOME=/\0PATH=/usr/bin:/bin\0TERM=vt100\0",
        "name\0value\0name\0value\0",
        "key00001\0key00002\0key00003",
        "/usr/share/doc/readme.txt\0/usr/share/doc/changes.txt\0",
    ] {
        for start in 0..3 {
            let bytes = text.repeat(3).into_bytes();
            let (encoding, reason) = found(&bytes[start..]);
            assert_eq!(encoding, None, "{text:?} from {start} on: {reason}");
            assert!(matches!(reason, Reason::Binary(_)), "{text:?}: {reason}");
        }
    }
}

#[test]
fn padded_cut_and_damaged() {
    let text = "Все люди рождаются свободными и равными.\r\n".repeat(100);
    for (order, encoding) in [(ByteOrder::Little, UTF_16LE), (ByteOrder::Big, UTF_16BE)] {
        let expected = (Some(encoding), Reason::CodeUnits);
        let good = utf16(&text, order);
        let padded = [&good[..], &[0; 100]].concat();
        let ended = [&good[..], &utf16("\u{1A}", order)].concat();
        let cut = &good[..good.len() - 1];
        let mut damaged = good.clone();
        damaged[2000..2002].copy_from_slice(&[0xD8, 0xD8]);
        for bytes in [&padded[..], &ended, cut, &damaged] {
            assert_eq!(found(bytes), expected);
        }
        // If half of it is text and half is not, it is not text.
        let mixed = [&good[..], &[0, 0, 1, 0, 0, 0, 2, 0].repeat(200)].concat();
        assert!(matches!(found(&mixed), (None, Reason::Binary(_))));
    }
}

#[test]
fn utf32_by_its_mark() {
    for (order, mark) in [
        (ByteOrder::Little, [0xFF, 0xFE, 0, 0]),
        (ByteOrder::Big, [0, 0, 0xFE, 0xFF]),
    ] {
        for text in ["", "a", "текст", "日本"] {
            let bytes = [&mark[..], &utf32(text, order)].concat();
            let guess = detect(&bytes, true, &Options::default());
            assert_eq!(guess.encoding, None);
            assert_eq!(guess.reason, Reason::Utf32 { order, bom: true });
            assert_eq!(guess.evidence, Evidence::Bom);
            assert_eq!(guess.confidence, Confidence::Certain);
        }
    }
    // UTF-16LE that begins with U+0000 is not valid UTF-32.
    let bytes = b"\xFF\xFE\0\0a\0b\0c\0d\0";
    assert_eq!(found(bytes), (Some(UTF_16LE), Reason::Bom));
    // The mark of UTF-16 alone.
    assert_eq!(found(b"\xFF\xFE"), (Some(UTF_16LE), Reason::Bom));
}
