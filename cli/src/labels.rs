//! Labels on the command line: the encoding that one means, or the labels that it is close to.

use simdtext::Encoding;

/// The encoding that `label` means.
pub(crate) fn parse_label(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(label.as_bytes()).ok_or_else(|| unknown_label(label))
}

/// Names that other programs have for encodings of the standard, and that are no labels.
const OTHER_NAMES: [(&str, &str); 8] = [
    ("cp932", "shift_jis"),
    ("cp936", "gbk"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
    ("cp1200", "utf-16le"),
    ("cp1201", "utf-16be"),
    ("cp65001", "utf-8"),
    ("uhc", "euc-kr"),
];

/// What to say about a label that no encoding has.
fn unknown_label(label: &str) -> String {
    let mut message = String::from("no encoding has this label");
    if let Some((bare, suffix)) = label.split_once("//") {
        message.push_str(&format!(
            "; //{suffix} is iconv's, here it is --unmappable or --invalid"
        ));
        if Encoding::for_label(bare.as_bytes()).is_some() {
            message.push_str(&format!(" beside the label {bare:?}"));
            return message;
        }
    }
    let close = close_labels(label);
    if !close.is_empty() {
        message.push_str(&format!("; did you mean {}?", close.join(" or ")));
    }
    message.push_str(" (`simdtext list` shows all labels)");
    message
}

/// Up to three labels that are few edits away, the closest first.
fn close_labels(label: &str) -> Vec<&'static str> {
    const SHOWN: usize = 3;
    // No label is half as long as this; a longer one can't be a slip of the fingers.
    const LONGEST: usize = 40;
    let label = label.trim().to_ascii_lowercase();
    if label.len() > LONGEST {
        return Vec::new();
    }
    if let Some((_, same)) = OTHER_NAMES.iter().find(|(name, _)| *name == label) {
        return vec![same];
    }
    let limit = (label.chars().count() / 3).max(1);
    let mut close: Vec<(usize, &'static str)> = Encoding::all()
        .iter()
        .flat_map(|encoding| encoding.labels())
        .map(|candidate| (distance(&label, candidate), *candidate))
        .filter(|(edits, _)| *edits <= limit)
        .collect();
    close.sort_by_key(|(edits, _)| *edits);
    // Where one edit is enough, three edits are no help.
    let best = close.first().map_or(0, |(edits, _)| *edits);
    close.retain(|(edits, _)| *edits == best);
    close.truncate(SHOWN);
    close.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Edit distance: the least number of characters to insert, delete or replace.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use simdtext::Encoding;

    use super::{OTHER_NAMES, close_labels, distance};

    #[test]
    fn distances() {
        for (from, to, edits) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("utf8", "utf-8", 1),
            ("kitten", "sitting", 3),
            ("gbk", "gbk", 0),
        ] {
            assert_eq!(distance(from, to), edits, "{from} {to}");
        }
    }

    #[test]
    fn other_names_are_no_labels_and_what_they_mean_is_one() {
        for (name, same) in OTHER_NAMES {
            assert!(Encoding::for_label(name.as_bytes()).is_none(), "{name}");
            assert!(Encoding::for_label(same.as_bytes()).is_some(), "{same}");
        }
    }

    #[test]
    fn close() {
        assert_eq!(close_labels("latin-1"), ["latin1"]);
        assert_eq!(close_labels("UTF_8"), ["utf-8", "utf8"]);
        assert_eq!(close_labels("CP932"), ["shift_jis"]);
        assert!(close_labels("klingon-legacy").is_empty());
        assert!(close_labels(&"x".repeat(100_000)).is_empty());
    }
}
