//! Labels of encodings: the encoding that a label means, or labels that are similar.

mod hints;

use simdtext::Encoding;
use strsim::levenshtein;

use crate::charset::{Charset, UTF_32BE, UTF_32LE};
use hints::{Hint, hint, hyphenated, label_of, outside};

/// The encoding that `label` means.
///
/// # Errors
///
/// An error that says which labels are similar.
///
/// ```
/// use simdtext_convert::labels::parse_label;
///
/// assert_eq!(parse_label("latin1")?, simdtext::WINDOWS_1252);
/// assert!(parse_label("cp932").unwrap_err().contains("use shift_jis"));
/// # Ok::<(), String>(())
/// ```
pub fn parse_label(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(label.as_bytes()).ok_or_else(|| unknown_label(label))
}

/// The encoding that `label` means, or UTF-32, which is not in the standard. Like "utf-16", "utf-32" means
/// the little-endian form unless a byte order mark says otherwise.
///
/// # Errors
///
/// An error that says which labels are similar.
///
/// ```
/// use simdtext_convert::UTF_32LE;
/// use simdtext_convert::labels::parse_charset;
///
/// assert_eq!(parse_charset("utf-32"), Ok(UTF_32LE));
/// assert_eq!(parse_charset("sjis")?.standard(), Some(simdtext::SHIFT_JIS));
/// # Ok::<(), String>(())
/// ```
pub fn parse_charset(label: &str) -> Result<Charset, String> {
    match label.trim().to_ascii_lowercase().as_str() {
        "utf-32" | "utf32" | "utf-32le" | "utf32le" => Ok(UTF_32LE),
        "utf-32be" | "utf32be" => Ok(UTF_32BE),
        _ => parse_label(label).map(Charset::from),
    }
}

/// What to do about a label that no encoding has, if that is known.
pub(crate) fn advice(label: &str) -> Option<String> {
    hint(label).map(|hint| hint.phrase + hint.for_command)
}

/// What someone who wrote a label that no encoding has may have meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suggestions {
    /// Labels of the standard, the most likely one first. At most three.
    pub labels: Vec<&'static str>,
    /// A phrase that names them or says what else to do, such as `use shift_jis` or `did you mean latin1?`. Empty
    /// if nothing is known.
    pub phrase: String,
}

/// Suggestions for a label that no encoding has.
///
/// ```
/// use simdtext_convert::labels::suggestions;
///
/// assert_eq!(suggestions("cp932").labels, ["shift_jis"]);
/// assert_eq!(suggestions("latin-1").phrase, "did you mean latin1?");
/// assert!(suggestions("klingon").labels.is_empty());
/// ```
#[must_use]
pub fn suggestions(label: &str) -> Suggestions {
    if let Some(Hint { label, phrase, .. }) = hint(label) {
        let labels = label.into_iter().collect();
        return Suggestions { labels, phrase };
    }
    let labels = match label_of(&hyphenated(label)) {
        Some(same) => vec![same],
        None => close_labels(label),
    };
    let phrase = match labels.as_slice() {
        [] => String::new(),
        labels => format!("did you mean {}?", labels.join(" or ")),
    };
    Suggestions { labels, phrase }
}

/// The encoding that `name` means in a label, or in Python and Emacs.
pub(crate) fn encoding_named(name: &str) -> Option<&'static Encoding> {
    let known = |label: &str| Encoding::for_label(label.as_bytes());
    if is_outside(name) {
        return None;
    }
    known(name)
        .or_else(|| known(hint(name)?.label?))
        .or_else(|| known(label_of(&hyphenated(name))?))
        .or_else(|| known(&name.replace(['-', '_'], "")))
}

/// Whether `name` is the name of an encoding that is not in the standard.
pub(crate) fn is_outside(name: &str) -> bool {
    Encoding::for_label(name.as_bytes()).is_none() && outside(name).is_some()
}

/// The message for a label that no encoding has.
fn unknown_label(label: &str) -> String {
    let mut message = String::from("unknown label");
    if let Some((bare, suffix)) = label.split_once("//") {
        message.push_str(&format!(
            "; //{suffix} is iconv's, here it is --unmappable or --invalid"
        ));
        if Encoding::for_label(bare.as_bytes()).is_some() {
            message.push_str(&format!(" next to the label {bare:?}"));
            return message;
        }
    }
    let phrase = advice(label).unwrap_or_else(|| suggestions(label).phrase);
    if !phrase.is_empty() {
        message.push_str("; ");
        message.push_str(&phrase);
    }
    message.push_str(" (`simdtext list` shows all labels)");
    message
}

/// Up to three labels that are a few edits away, the closest first.
fn close_labels(label: &str) -> Vec<&'static str> {
    const SHOWN: usize = 3;
    // No label is half as long as this; longer text can't be a mistyped label.
    const LONGEST: usize = 40;
    let label = label.trim().to_ascii_lowercase();
    if label.len() > LONGEST {
        return Vec::new();
    }
    let limit = (label.chars().count() / 3).max(1);
    let mut close: Vec<(usize, &'static str)> = Encoding::all()
        .iter()
        .flat_map(|encoding| encoding.labels())
        .map(|candidate| (levenshtein(&label, candidate), *candidate))
        .filter(|(edits, _)| *edits <= limit)
        .collect();
    close.sort_by_key(|(edits, _)| *edits);
    // If one edit is enough, labels that need three are no help.
    let best = close.first().map_or(0, |(edits, _)| *edits);
    close.retain(|(edits, _)| *edits == best);
    close.truncate(SHOWN);
    close.into_iter().map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::{close_labels, parse_label, suggestions};

    #[test]
    fn suggested() {
        for (label, labels, phrase) in [
            ("euc_jp", &["euc-jp"][..], "did you mean euc-jp?"),
            (" UTF_8", &["utf-8"], "did you mean utf-8?"),
            ("UTF-8-SIG", &["utf-8"], "use utf-8"),
            ("cp12000", &[], "use utf-32le"),
            ("win1251", &["windows-1251"], "use windows-1251"),
            ("klingon", &[], ""),
        ] {
            let found = suggestions(label);
            assert_eq!(
                (&*found.labels, &*found.phrase),
                (labels, phrase),
                "{label}"
            );
            assert!(parse_label(label).unwrap_err().contains(phrase), "{label}");
        }
        assert_eq!(suggestions("shift_jis_2004").labels, ["shift_jis"]);
        assert!(suggestions("ansi").phrase.ends_with("use windows-1252"));
    }

    #[test]
    fn close() {
        assert_eq!(close_labels("latin-1"), ["latin1"]);
        assert_eq!(close_labels("UTF_8"), ["utf-8", "utf8"]);
        assert!(close_labels("klingon-legacy").is_empty());
        assert!(close_labels(&"x".repeat(100_000)).is_empty());
    }
}
