//! Labels and names (section 4.2), and output encodings (4.3).

use simdtext::{Encoding, UTF_8};

use crate::peer;
use crate::spec::index_files;
use crate::spec::labels::ENCODINGS;

/// The five characters of ASCII white space.
const BLANKS: [&str; 5] = ["\t", "\n", "\x0C", "\r", " "];

#[test]
fn names_and_labels_are_those_of_the_standard() {
    assert_eq!(Encoding::all().len(), 40);
    for (encoding, (name, labels)) in Encoding::all().iter().zip(ENCODINGS) {
        assert_eq!((encoding.name(), encoding.labels()), (name, labels));
        // "For each encoding, ASCII-lowercasing its name yields one of its labels."
        assert!(labels.contains(&&*name.to_ascii_lowercase()), "{name}");
    }
    let labels: usize = ENCODINGS.iter().map(|(_, labels)| labels.len()).sum();
    assert_eq!(labels, 228);
    let Some(folder) = index_files::folder() else {
        return;
    };
    // If the standard's encodings.json is available, the quoted strings in it are the same labels.
    let Ok(json) = std::fs::read_to_string(folder.join("encodings.json")) else {
        return;
    };
    let mut theirs: Vec<&str> = json.split('"').skip(1).step_by(2).collect();
    theirs.retain(|string| Encoding::for_label(string.as_bytes()).is_some());
    let mut ours: Vec<&str> = ENCODINGS
        .iter()
        .flat_map(|&(name, labels)| labels.iter().copied().chain([name]))
        .collect();
    theirs.sort_unstable();
    ours.sort_unstable();
    assert_eq!(theirs, ours);
}

#[test]
fn labels_in_any_case_and_with_white_space_around() {
    for (encoding, (name, labels)) in Encoding::all().iter().zip(ENCODINGS) {
        for label in labels {
            let found = |label: &str| {
                let found = Encoding::for_label(label.as_bytes());
                assert_eq!(found, Some(*encoding), "{name}: {label:?}");
                let peer = encoding_rs::Encoding::for_label(label.as_bytes());
                assert_eq!(peer, Some(peer::encoding(name)), "{name}: {label:?}");
            };
            let mixed = |odd: usize| -> String {
                let cased = |(i, c): (usize, char)| match i % 2 == odd {
                    true => c.to_ascii_uppercase(),
                    false => c,
                };
                label.chars().enumerate().map(cased).collect()
            };
            for label in [
                label.to_string(),
                label.to_ascii_uppercase(),
                mixed(0),
                mixed(1),
            ] {
                found(&label);
                for before in BLANKS {
                    found(&format!("{before}{label}"));
                    found(&format!("{label}{before}"));
                    for after in BLANKS {
                        found(&format!("{before}{label}{after}"));
                        found(&format!("{before}{after}{label}{after}{before}"));
                    }
                }
            }
        }
    }
}

#[test]
fn near_misses_are_no_labels() {
    let is_label = |label: &[u8]| {
        let label = label.trim_ascii().to_ascii_lowercase();
        ENCODINGS
            .iter()
            .any(|(_, labels)| labels.iter().any(|known| known.as_bytes() == label))
    };
    let rejected = |label: &[u8]| {
        let found = Encoding::for_label(label);
        assert_eq!(found, None, "{}", label.escape_ascii());
    };
    for label in [b"".as_slice(), b" ", b"\t\n\x0C\r ", b"\0", b"\x0B"] {
        rejected(label);
    }
    for label in ENCODINGS.iter().flat_map(|(_, labels)| *labels) {
        let label = label.as_bytes();
        // Bytes that are not ASCII white space (\v and NUL among them) before, after and inside; spaces
        // inside.
        for byte in 0..=0xFF {
            for place in 0..=label.len() {
                let mut near = label.to_vec();
                near.insert(place, byte);
                if !is_label(&near) {
                    rejected(&near);
                }
                if place < label.len() {
                    near = label.to_vec();
                    near[place] = byte;
                    if !is_label(&near) {
                        rejected(&near);
                    }
                }
            }
        }
        for place in 0..label.len() {
            let mut near = label.to_vec();
            near.remove(place);
            if !is_label(&near) {
                rejected(&near);
            }
        }
        rejected(&[label, b"x".as_slice(), label].concat());
        rejected(&[label, [0; 64].as_slice()].concat());
    }
    // U+212A KELVIN SIGN has the lower case k, but not in ASCII.
    rejected("\u{212A}oi8-r".as_bytes());
    rejected("\u{A0}utf-8".as_bytes());
}

#[test]
fn output_encodings() {
    for &encoding in Encoding::all() {
        let expected = match encoding.name() {
            // Section 4.3, step 1.
            "replacement" | "UTF-16BE" | "UTF-16LE" => UTF_8,
            // Step 2.
            _ => encoding,
        };
        assert_eq!(encoding.output_encoding(), expected);
    }
}
