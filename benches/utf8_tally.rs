//! How often `sniff::Utf8Tally` is wrong, both ways: text in another encoding that is taken for UTF-8,
//! and UTF-8 that is damaged and not recognised. And how often text in UTF-16 looks like text in bytes.
//!
//! The texts are those of `SIMDTEXT_CORPUS`, or of `../shared/corpus`. The figures are in
//! `docs/detection.md`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use simdtext::sniff::{Utf8Tally, Utf8Verdict};
use simdtext::{Encoding, Unmappable};

/// Pieces of each text, in each encoding and of each length.
const PIECES: usize = 1000;

/// In characters.
const LENGTHS: [usize; 12] = [1, 2, 3, 4, 6, 8, 16, 32, 64, 256, 1024, 8192];

/// Languages of the encodings that could hold others too, but never do.
const LARGE: [(&str, &[&str]); 7] = [
    ("GBK", &["chinese"]),
    ("gb18030", &["chinese", "hindi"]),
    ("Big5", &["chinese"]),
    ("EUC-JP", &["japanese"]),
    ("ISO-2022-JP", &[]),
    ("Shift_JIS", &["japanese"]),
    ("EUC-KR", &["korean"]),
];

/// The same numbers in every run (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let number = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16;
        usize::try_from(number).unwrap_or(0) % limit.max(1)
    }
}

fn main() {
    let folder = env::var_os("SIMDTEXT_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus"),
        PathBuf::from,
    );
    let texts = texts(&folder);
    if texts.is_empty() {
        println!("{}: no corpus", folder.display());
        return;
    }
    legacy(&texts);
    damaged(&texts);
    utf16(&texts);
}

/// Language, and characters.
fn texts(folder: &Path) -> Vec<(String, Vec<char>)> {
    let mut texts = Vec::new();
    for part in ["lipsum", "wikipedia_mars"] {
        let Ok(entries) = fs::read_dir(folder.join(part)) else {
            continue;
        };
        for path in entries.flatten().map(|entry| entry.path()) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let language = name.split(['.', '-']).next().unwrap_or_default();
            if name.ends_with(".txt")
                && let Ok(text) = fs::read_to_string(&path)
            {
                texts.push((language.to_ascii_lowercase(), text.chars().collect()));
            }
        }
    }
    texts.sort();
    texts
}

fn piece(text: &[char], length: usize, random: &mut Random) -> String {
    let start = random.below(text.len());
    text.iter().skip(start).take(length).collect()
}

fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    encoding
        .encode(text, Unmappable::Skip)
        .map_or_else(|_| Vec::new(), |encoded| encoded.bytes.into_owned())
}

fn holds(encoding: &'static Encoding, language: &str, text: &[char]) -> bool {
    if let Some((_, languages)) = LARGE.iter().find(|(name, _)| *name == encoding.name()) {
        return languages.contains(&language);
    }
    let letters = text
        .iter()
        .filter(|ch| !ch.is_ascii() && ch.is_alphabetic());
    let letters: String = letters.take(4000).collect();
    let held = encoding.is_single_byte() && encoding.name() != "x-user-defined";
    held && !letters.is_empty()
        && encoding
            .encode(&letters, Unmappable::Skip)
            .is_ok_and(|it| 100 * it.errors <= letters.chars().count())
}

/// Text in other encodings: each verdict, by encoding and length.
fn legacy(texts: &[(String, Vec<char>)]) {
    println!("Text in other encodings, per million pieces: utf-8 + damaged (both wrong) / unclear");
    println!(
        "{:>16} {}",
        "characters",
        LENGTHS.map(|it| format!("{it:>15}")).concat()
    );
    let mut random = Random(1);
    let mut all = [0_u64; 3];
    for encoding in Encoding::all() {
        let mut row = String::new();
        let mut any = false;
        for length in LENGTHS {
            let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
            let mut total = 0_u64;
            for (language, text) in texts {
                if !holds(encoding, language, text) {
                    continue;
                }
                for _ in 0..PIECES.min(4_000_000 / length) {
                    let bytes = encoded(encoding, &piece(text, length, &mut random));
                    if bytes.is_ascii() {
                        continue;
                    }
                    let mut tally = Utf8Tally::new();
                    tally.feed(&bytes);
                    let name = match tally.finish(encoding) {
                        Utf8Verdict::Utf8 | Utf8Verdict::Damaged => {
                            if env::var_os("SHOW_WRONG").is_some() {
                                println!(
                                    "{language}: {} well-formed, {} malformed: {}",
                                    tally.well_formed(),
                                    tally.malformed(),
                                    bytes.escape_ascii()
                                );
                            }
                            "wrong"
                        }
                        Utf8Verdict::Unclear => "unclear",
                        _ => "right",
                    };
                    *counts.entry(name).or_default() += 1;
                    total += 1;
                }
            }
            let of = |name| counts.get(name).copied().unwrap_or(0);
            any |= of("wrong") + of("unclear") > 0;
            all[0] += total;
            all[1] += of("wrong");
            all[2] += of("unclear");
            let rate = |count: u64| 1_000_000 * count / total.max(1);
            row.push_str(&format!(
                "{:>8}/{:<6}",
                rate(of("wrong")),
                rate(of("unclear"))
            ));
        }
        if any {
            println!("{:>16} {row}", encoding.name());
        }
    }
    println!("{} pieces: {} wrong, {} unclear\n", all[0], all[1], all[2]);
}

/// UTF-8 that is cut in a character at both ends, or of which bytes are overwritten.
fn damaged(texts: &[(String, Vec<char>)]) {
    println!("Damaged UTF-8 that is not recognised, per thousand pieces (unclear / other)");
    println!(
        "{:>16} {}",
        "characters",
        LENGTHS.map(|it| format!("{it:>11}")).concat()
    );
    let mut random = Random(2);
    type Damage = fn(&mut Vec<u8>, &mut Random);
    let ways: [(&str, Damage); 3] = [
        ("cut at the end", |bytes, _| {
            while bytes.last().is_some_and(u8::is_ascii) {
                bytes.pop();
            }
            bytes.pop();
        }),
        ("one byte", |bytes, random| {
            let at = random.below(bytes.len());
            bytes[at] = 0xFF;
        }),
        ("1 byte in 100", |bytes, random| {
            for _ in 0..bytes.len().div_ceil(100) {
                let at = random.below(bytes.len());
                bytes[at] = 0xE9;
            }
        }),
    ];
    for (name, damage) in ways {
        let mut row = String::new();
        for length in LENGTHS {
            let (mut total, mut unclear, mut other) = (0_u64, 0_u64, 0_u64);
            for (_, text) in texts {
                for _ in 0..PIECES.min(4_000_000 / length) {
                    let mut bytes = piece(text, length, &mut random).into_bytes();
                    if bytes.is_ascii() {
                        continue;
                    }
                    damage(&mut bytes, &mut random);
                    if bytes.is_ascii() || std::str::from_utf8(&bytes).is_ok() {
                        continue;
                    }
                    let mut tally = Utf8Tally::new();
                    tally.feed(&bytes);
                    total += 1;
                    match tally.finish(simdtext::WINDOWS_1252) {
                        Utf8Verdict::Unclear => unclear += 1,
                        Utf8Verdict::Other | Utf8Verdict::Ascii => other += 1,
                        _ => {}
                    }
                }
            }
            let rate = |count: u64| 1000 * count / total.max(1);
            row.push_str(&format!("{:>5}/{:<5}", rate(unclear), rate(other)));
        }
        println!("{name:>16} {row}");
    }
    println!();
}

/// UTF-16 without NUL or another control character, as text in bytes is; and of that, what is valid
/// UTF-8 as well.
fn utf16(texts: &[(String, Vec<char>)]) {
    const BYTES: [usize; 9] = [2, 4, 8, 16, 32, 48, 64, 128, 256];
    println!("UTF-16 that looks like text in bytes, per million pieces (valid UTF-8 / any)");
    println!(
        "{:>16} {}",
        "bytes",
        BYTES.map(|it| format!("{it:>15}")).concat()
    );
    let mut random = Random(3);
    let is_plain =
        |byte: &u8| matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | 0x1B | 0x20..=0x7E | 0x80..);
    for name in ["chinese", "japanese", "korean", "all others"] {
        let mut row = String::new();
        for length in BYTES {
            let (mut total, mut utf8, mut any) = (0_u64, 0_u64, 0_u64);
            for (language, text) in texts {
                let is_other = !["chinese", "japanese", "korean"].contains(&language.as_str());
                if language != name && !(is_other && name == "all others") {
                    continue;
                }
                for _ in 0..50 * PIECES {
                    let text = piece(text, length / 2, &mut random);
                    for little in [true, false] {
                        let order = if little {
                            u16::to_le_bytes
                        } else {
                            u16::to_be_bytes
                        };
                        let bytes: Vec<u8> = text.encode_utf16().flat_map(order).collect();
                        total += 1;
                        if bytes.iter().all(is_plain) {
                            any += 1;
                            utf8 += u64::from(std::str::from_utf8(&bytes).is_ok());
                        }
                    }
                }
            }
            let rate = |count: u64| 1_000_000 * count / total.max(1);
            row.push_str(&format!("{:>8}/{:<6}", rate(utf8), rate(any)));
        }
        println!("{name:>16} {row}");
    }
}
