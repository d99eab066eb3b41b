//! The tables compared with the standard's index files, both ways, through the public API.
//!
//! Nothing here is from the generator: the files are read again, pointers become bytes by the formulas of the
//! standard, and the choice among several pointers is made again. The files are expected in the folder that
//! the environment variable SIMDTEXT_INDEXES names, or else in `../shared/whatwg`; if there is none, these
//! tests say so and do nothing.
#![cfg(feature = "alloc")]

use std::collections::HashMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use simdtext::{
    BIG5, Bom, EUC_JP, EUC_KR, EncodeError, Encoding, GB18030, GBK, ISO_2022_JP, ISO_8859_8,
    ISO_8859_8_I, SHIFT_JIS, Unmappable,
};

/// The folder of the standard's files, or `None` (and a line on stderr) if there is none.
fn indexes(test: &str) -> Option<PathBuf> {
    let folder = if let Some(named) = std::env::var_os("SIMDTEXT_INDEXES") {
        // If the folder is named explicitly, the comparison is wanted, so a wrong name is an error.
        let named = PathBuf::from(named);
        assert!(
            named.is_dir(),
            "SIMDTEXT_INDEXES: {} is no folder",
            named.display()
        );
        named
    } else {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/whatwg")
    };
    if folder.is_dir() {
        return Some(folder);
    }
    // Not `eprintln!`, which the test runner would swallow.
    let _ = writeln!(
        std::io::stderr(),
        "SKIPPED {test}: the standard's index files are not in {}; set SIMDTEXT_INDEXES to their \
         folder to compare the tables with them",
        folder.display()
    );
    None
}

/// The lines of an index: pointer and number.
fn lines(folder: &Path, name: &str) -> Vec<(usize, u32)> {
    let path = folder.join(format!("index-{name}.txt"));
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.split('\n')
        .filter(|line| !line.trim_ascii().is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut words = line.split_ascii_whitespace();
            let pointer = words.next().and_then(|word| word.parse().ok());
            let digits = words.next().and_then(|word| word.strip_prefix("0x"));
            let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
            pointer
                .zip(number)
                .unwrap_or_else(|| panic!("{}: {line}", path.display()))
        })
        .collect()
}

/// An index as the standard shows it: a code point or null for each of `length` pointers.
fn index(folder: &Path, name: &str, length: usize) -> Vec<Option<char>> {
    let mut index = vec![None; length];
    for (pointer, code_point) in lines(folder, name) {
        let character = char::from_u32(code_point).expect("a scalar value");
        index[pointer] = Some(character);
    }
    assert!(index.iter().any(Option::is_some), "index {name} is empty");
    index
}

/// The first pointer of each code point, among the pointers for which `allowed` is true.
fn first_pointers(index: &[Option<char>], allowed: impl Fn(usize) -> bool) -> HashMap<char, usize> {
    let mut pointers = HashMap::new();
    // Backwards, so that an earlier pointer overwrites a later one.
    for (pointer, code_point) in index.iter().enumerate().rev() {
        if let Some(code_point) = code_point
            && allowed(pointer)
        {
            pointers.insert(*code_point, pointer);
        }
    }
    pointers
}

/// A row of bytes from numbers that must be bytes.
fn bytes<const N: usize>(values: [usize; N]) -> Vec<u8> {
    let byte = |value| u8::try_from(value).expect("a byte");
    values.into_iter().map(byte).collect()
}

/// Decodes each case by itself, and all mapped ones in one piece, because long runs take other paths than
/// single characters.
fn check_decoding(encoding: &'static Encoding, cases: &[(Vec<u8>, Option<String>)]) {
    check_decoding_after(b"", encoding, cases);
}

/// Decodes after an escape sequence that selects the set.
fn check_decoding_after(
    escape: &[u8],
    encoding: &'static Encoding,
    cases: &[(Vec<u8>, Option<String>)],
) {
    let name = encoding.name();
    let (mut all_bytes, mut all_text) = (escape.to_vec(), String::new());
    for (bytes, expected) in cases {
        let input = [escape, bytes].concat();
        let decoded = encoding.decode_strict(&input, Bom::Keep);
        match (decoded, expected) {
            (Ok(decoded), Some(text)) => {
                assert_eq!(decoded.text, text.as_str(), "{name}: {bytes:02X?}");
                all_bytes.extend_from_slice(bytes);
                all_text.push_str(text);
            }
            (Err(error), None) => {
                let malformed = error.malformed;
                let start = escape.len() as u64;
                assert_eq!(malformed.offset, start, "{name}: {bytes:02X?}: {malformed}");
            }
            (decoded, expected) => panic!("{name}: {bytes:02X?}: {decoded:?}, not {expected:?}"),
        }
    }
    let decoded = encoding.decode_strict(&all_bytes, Bom::Keep);
    let decoded = decoded.unwrap_or_else(|error| panic!("{name}, in one piece: {error:?}"));
    assert!(
        decoded.text == all_text,
        "{name}: one piece differs from its parts"
    );
}

/// Encodes every scalar value by itself, and all mapped ones in one piece. `expected` is not called for
/// ASCII.
fn check_encoding(encoding: &'static Encoding, expected: impl Fn(char) -> Option<Vec<u8>>) {
    let name = encoding.name();
    let (mut all_text, mut all_bytes) = (String::new(), Vec::new());
    let mut utf8 = [0; 4];
    for ch in '\u{80}'..=char::MAX {
        let encoded = encoding.encode(ch.encode_utf8(&mut utf8), Unmappable::Strict);
        match (encoded, expected(ch)) {
            (Ok(encoded), Some(bytes)) => {
                assert_eq!(encoded.bytes, bytes, "{name}: U+{:04X}", u32::from(ch));
                all_text.push(ch);
                all_bytes.extend(bytes);
            }
            (
                Err(EncodeError::Unmappable {
                    encoding: named,
                    ch: told,
                    offset: 0,
                }),
                None,
            ) if (named, told) == (encoding, ch) => {}
            (encoded, bytes) => {
                panic!(
                    "{name}: U+{:04X}: {encoded:?}, not {bytes:02X?}",
                    u32::from(ch)
                )
            }
        }
    }
    // ISO-2022-JP writes its escape sequences once per run, not once per character: see its own test.
    if encoding != ISO_2022_JP {
        let encoded = encoding.encode(&all_text, Unmappable::Strict);
        let encoded = encoded.unwrap_or_else(|error| panic!("{name}, in one piece: {error:?}"));
        assert!(
            encoded.bytes == all_bytes,
            "{name}: one piece differs from its parts"
        );
    }
}

/// The cases of a two-byte index whose pointers are all decoded the same way.
fn cases(
    index: &[Option<char>],
    bytes_of: impl Fn(usize) -> Vec<u8>,
) -> Vec<(Vec<u8>, Option<String>)> {
    let case = |(pointer, ch): (usize, &Option<char>)| (bytes_of(pointer), ch.map(String::from));
    index.iter().enumerate().map(case).collect()
}

fn check_single_byte(encoding: &'static Encoding, index: &[Option<char>]) {
    check_decoding(encoding, &cases(index, |pointer| bytes([0x80 + pointer])));
    let pointers = first_pointers(index, |_| true);
    check_encoding(encoding, |ch| {
        pointers.get(&ch).map(|pointer| bytes([0x80 + pointer]))
    });
}

/// The groups of encodings.json: the heading, and the name and labels of each encoding.
type Groups = Vec<(String, Vec<(String, Vec<String>)>)>;

fn groups(folder: &Path) -> Groups {
    let text = fs::read_to_string(folder.join("encodings.json")).expect("encodings.json");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let list = |value: &serde_json::Value| value.as_array().expect("a list").clone();
    let text = |value: &serde_json::Value| value.as_str().expect("a string").to_owned();
    let encoding = |value: &serde_json::Value| {
        (
            text(&value["name"]),
            list(&value["labels"]).iter().map(text).collect(),
        )
    };
    let group = |value: &serde_json::Value| {
        let encodings = list(&value["encodings"]).iter().map(encoding).collect();
        (text(&value["heading"]), encodings)
    };
    list(&json).iter().map(group).collect()
}

#[test]
fn names_and_labels() {
    let Some(folder) = indexes("names_and_labels") else {
        return;
    };
    let groups = groups(&folder);
    let encodings: Vec<_> = groups.iter().flat_map(|group| &group.1).collect();
    assert_eq!(Encoding::all().len(), encodings.len());
    for (encoding, (name, labels)) in Encoding::all().iter().zip(encodings) {
        assert_eq!(encoding.name(), name);
        assert_eq!(encoding.labels(), labels, "{name}");
        for label in labels {
            assert_eq!(
                Encoding::for_label(label.as_bytes()),
                Some(*encoding),
                "{label}"
            );
        }
    }
}

#[test]
fn single_byte() {
    let Some(folder) = indexes("single_byte") else {
        return;
    };
    let groups = groups(&folder);
    let is_single_byte = |group: &&(String, _)| group.0 == "Legacy single-byte encodings";
    let (_, encodings) = groups.iter().find(is_single_byte).expect("the group");
    for (name, _) in encodings
        .iter()
        .filter(|(name, _)| name != ISO_8859_8_I.name())
    {
        let encoding = Encoding::for_label(name.as_bytes()).expect("a name is a label");
        let index = index(&folder, &name.to_ascii_lowercase(), 128);
        check_single_byte(encoding, &index);
        if encoding == ISO_8859_8 {
            check_single_byte(ISO_8859_8_I, &index);
        }
    }
}

/// The encoder's side table: private-use code points that have the bytes of the characters with which
/// GB18030-2022 has replaced them.
const GB18030_SIDE_TABLE: [(char, u16); 18] = [
    ('\u{E78D}', 0xA6D9),
    ('\u{E78E}', 0xA6DA),
    ('\u{E78F}', 0xA6DB),
    ('\u{E790}', 0xA6DC),
    ('\u{E791}', 0xA6DD),
    ('\u{E792}', 0xA6DE),
    ('\u{E793}', 0xA6DF),
    ('\u{E794}', 0xA6EC),
    ('\u{E795}', 0xA6ED),
    ('\u{E796}', 0xA6F3),
    ('\u{E81E}', 0xFE59),
    ('\u{E826}', 0xFE61),
    ('\u{E82B}', 0xFE66),
    ('\u{E82C}', 0xFE67),
    ('\u{E832}', 0xFE6D),
    ('\u{E843}', 0xFE7E),
    ('\u{E854}', 0xFE90),
    ('\u{E864}', 0xFEA0),
];

fn gb18030_two_bytes(pointer: usize) -> Vec<u8> {
    let (lead, trail) = (pointer / 190, pointer % 190);
    bytes([lead + 0x81, trail + if trail < 0x3F { 0x40 } else { 0x41 }])
}

fn gb18030_four_bytes(pointer: usize) -> Vec<u8> {
    let (first, rest) = (pointer / (10 * 126 * 10), pointer % (10 * 126 * 10));
    let (second, rest) = (rest / (10 * 126), rest % (10 * 126));
    bytes([
        first + 0x81,
        second + 0x30,
        rest / 10 + 0x81,
        rest % 10 + 0x30,
    ])
}

/// *Index gb18030 ranges code point* for every pointer of four bytes.
fn gb18030_four_byte_index(folder: &Path) -> Vec<Option<char>> {
    let ranges = lines(folder, "gb18030-ranges");
    let mut next = ranges.iter().peekable();
    let mut range = ranges[0];
    let mut index = Vec::new();
    for pointer in 0..126 * 10 * 126 * 10 {
        if let Some(&entry) = next.next_if(|entry| entry.0 == pointer) {
            range = entry;
        }
        let code_point = match pointer {
            7457 => Some(0xE7C7),
            39420..=188_999 | 1_237_576.. => None,
            _ => u32::try_from(pointer - range.0)
                .ok()
                .map(|past| range.1 + past),
        };
        index.push(code_point.map(|value| char::from_u32(value).expect("a scalar value")));
    }
    index
}

#[test]
fn gbk_and_gb18030() {
    let Some(folder) = indexes("gbk_and_gb18030") else {
        return;
    };
    let two = index(&folder, "gb18030", 23940);
    let four = gb18030_four_byte_index(&folder);
    for encoding in [GBK, GB18030] {
        check_decoding(encoding, &cases(&two, gb18030_two_bytes));
        check_decoding(encoding, &cases(&four, gb18030_four_bytes));
    }
    let two = first_pointers(&two, |_| true);
    let four = first_pointers(&four, |_| true);
    let two_bytes = |ch| {
        let side = GB18030_SIDE_TABLE.iter().find(|entry| entry.0 == ch);
        let side = side.map(|entry| entry.1.to_be_bytes().to_vec());
        side.or_else(|| two.get(&ch).map(|&pointer| gb18030_two_bytes(pointer)))
    };
    check_encoding(GB18030, |ch| {
        let four_bytes = || four.get(&ch).map(|&pointer| gb18030_four_bytes(pointer));
        two_bytes(ch)
            .or_else(four_bytes)
            .filter(|_| ch != '\u{E5E5}')
    });
    check_encoding(GBK, |ch| match ch {
        '\u{E5E5}' => None,
        '\u{20AC}' => Some(vec![0x80]),
        _ => two_bytes(ch),
    });
}

fn big5_bytes(pointer: usize) -> Vec<u8> {
    let (lead, trail) = (pointer / 157, pointer % 157);
    bytes([lead + 0x81, trail + if trail < 0x3F { 0x40 } else { 0x62 }])
}

#[test]
fn big5() {
    let Some(folder) = indexes("big5") else {
        return;
    };
    let index = index(&folder, "big5", 126 * 157);
    let mut cases = cases(&index, big5_bytes);
    for (pointer, text) in [
        (1133, "\u{CA}\u{304}"),
        (1135, "\u{CA}\u{30C}"),
        (1164, "\u{EA}\u{304}"),
        (1166, "\u{EA}\u{30C}"),
    ] {
        cases[pointer].1 = Some(text.to_owned());
    }
    check_decoding(BIG5, &cases);
    let encodable = |pointer| pointer >= (0xA1 - 0x81) * 157;
    let mut pointers = first_pointers(&index, encodable);
    for ch in "\u{2550}\u{255E}\u{2561}\u{256A}\u{5341}\u{5345}".chars() {
        let last = index
            .iter()
            .rposition(|&at| at == Some(ch))
            .expect("mapped");
        pointers.insert(ch, last);
    }
    check_encoding(BIG5, |ch| {
        pointers.get(&ch).map(|&pointer| big5_bytes(pointer))
    });
}

#[test]
fn euc_kr() {
    let Some(folder) = indexes("euc_kr") else {
        return;
    };
    let index = index(&folder, "euc-kr", 126 * 190);
    let bytes_of = |pointer| bytes([pointer / 190 + 0x81, pointer % 190 + 0x41]);
    check_decoding(EUC_KR, &cases(&index, bytes_of));
    let pointers = first_pointers(&index, |_| true);
    check_encoding(EUC_KR, |ch| {
        pointers.get(&ch).map(|&pointer| bytes_of(pointer))
    });
}

/// U+FF61 to U+FF9F: half-width katakana, by position.
fn half_width(ch: char) -> Option<usize> {
    let katakana = '\u{FF61}'..='\u{FF9F}';
    katakana.contains(&ch).then(|| ch as usize - 0xFF61)
}

/// The minus sign is encoded as the full-width hyphen-minus.
fn minus(ch: char) -> char {
    if ch == '\u{2212}' { '\u{FF0D}' } else { ch }
}

/// Row and cell of a 94 × 94 set, counted from `start`.
fn row_and_cell(pointer: usize, start: usize) -> [usize; 2] {
    [pointer / 94 + start, pointer % 94 + start]
}

#[test]
fn euc_jp() {
    let Some(folder) = indexes("euc_jp") else {
        return;
    };
    let jis0208 = index(&folder, "jis0208", 188 * 60);
    let jis0212 = index(&folder, "jis0212", 94 * 94);
    let katakana: Vec<_> = ('\u{FF61}'..='\u{FF9F}').map(Some).collect();
    let bytes_of = |pointer| bytes(row_and_cell(pointer, 0xA1));
    check_decoding(EUC_JP, &cases(&jis0208[..94 * 94], bytes_of));
    check_decoding(
        EUC_JP,
        &cases(&jis0212, |pointer| [&[0x8F], &*bytes_of(pointer)].concat()),
    );
    check_decoding(
        EUC_JP,
        &cases(&katakana, |place| bytes([0x8E, 0xA1 + place])),
    );
    let pointers = first_pointers(&jis0208, |_| true);
    check_encoding(EUC_JP, |ch| match (ch, half_width(ch)) {
        ('\u{A5}', _) => Some(vec![0x5C]),
        ('\u{203E}', _) => Some(vec![0x7E]),
        (_, Some(place)) => Some(bytes([0x8E, 0xA1 + place])),
        _ => pointers.get(&minus(ch)).map(|&pointer| bytes_of(pointer)),
    });
}

#[test]
fn iso_2022_jp() {
    let Some(folder) = indexes("iso_2022_jp") else {
        return;
    };
    let jis0208 = index(&folder, "jis0208", 188 * 60);
    let full_width = index(&folder, "iso-2022-jp-katakana", 63);
    let katakana: Vec<_> = ('\u{FF61}'..='\u{FF9F}').map(Some).collect();
    let bytes_of = |pointer| bytes(row_and_cell(pointer, 0x21));
    check_decoding_after(
        b"\x1B$B",
        ISO_2022_JP,
        &cases(&jis0208[..94 * 94], bytes_of),
    );
    let katakana = cases(&katakana, |place| bytes([0x21 + place]));
    check_decoding_after(b"\x1B(I", ISO_2022_JP, &katakana);
    let pointers = first_pointers(&jis0208, |_| true);
    let in_jis0208 = |bytes: &[u8]| [b"\x1B$B", bytes, b"\x1B(B"].concat();
    check_encoding(ISO_2022_JP, |ch| match ch {
        '\u{A5}' => Some(b"\x1B(J\x5C\x1B(B".to_vec()),
        '\u{203E}' => Some(b"\x1B(J\x7E\x1B(B".to_vec()),
        _ => {
            let ch = half_width(ch).map_or(minus(ch), |place| full_width[place].expect("mapped"));
            pointers
                .get(&ch)
                .map(|&pointer| in_jis0208(&bytes_of(pointer)))
        }
    });
    // The whole set as one run has one pair of escape sequences.
    let text: String = pointers.keys().collect();
    let run: Vec<u8> = pointers
        .values()
        .flat_map(|&pointer| bytes_of(pointer))
        .collect();
    let encoded = ISO_2022_JP
        .encode(&text, Unmappable::Strict)
        .expect("all are mapped");
    assert!(
        encoded.bytes == in_jis0208(&run),
        "one run differs from its parts"
    );
}

fn shift_jis_bytes(pointer: usize) -> Vec<u8> {
    let (lead, trail) = (pointer / 188, pointer % 188);
    bytes([
        lead + if lead < 0x1F { 0x81 } else { 0xC1 },
        trail + if trail < 0x3F { 0x40 } else { 0x41 },
    ])
}

#[test]
fn shift_jis() {
    let Some(folder) = indexes("shift_jis") else {
        return;
    };
    let index = index(&folder, "jis0208", 188 * 60);
    // End-user-defined characters: 1880 code points from U+E000 on.
    let mut decoded = index.clone();
    for (place, ch) in decoded[8836..=10715].iter_mut().zip('\u{E000}'..) {
        assert_eq!(
            *place, None,
            "the index has no code points of its own there"
        );
        *place = Some(ch);
    }
    check_decoding(SHIFT_JIS, &cases(&decoded, shift_jis_bytes));
    let katakana: Vec<_> = ('\u{FF61}'..='\u{FF9F}').map(Some).collect();
    check_decoding(SHIFT_JIS, &cases(&katakana, |place| bytes([0xA1 + place])));
    let pointers = first_pointers(&index, |pointer| !(8272..=8835).contains(&pointer));
    check_encoding(SHIFT_JIS, |ch| match (ch, half_width(ch)) {
        ('\u{80}', _) => Some(vec![0x80]),
        ('\u{A5}', _) => Some(vec![0x5C]),
        ('\u{203E}', _) => Some(vec![0x7E]),
        (_, Some(place)) => Some(bytes([0xA1 + place])),
        _ => pointers
            .get(&minus(ch))
            .map(|&pointer| shift_jis_bytes(pointer)),
    });
}
