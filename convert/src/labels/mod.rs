//! Labels of encodings: the encoding that a label means, or labels that are similar.

mod hints;

use simdtext::Encoding;
use strsim::levenshtein;

use crate::charset::{Charset, UTF_32BE, UTF_32LE};
use hints::{hint, outside};

/// The encoding that `label` means.
///
/// # Errors
///
/// An error that says which labels are similar.
pub fn parse_label(label: &str) -> Result<&'static Encoding, String> {
    Encoding::for_label(label.as_bytes()).ok_or_else(|| unknown_label(label))
}

/// The encoding that `label` means, or UTF-32, which is not in the standard. Like "utf-16", "utf-32" means
/// the little-endian form unless a byte order mark says otherwise.
///
/// # Errors
///
/// An error that says which labels are similar.
pub fn parse_charset(label: &str) -> Result<Charset, String> {
    match label.trim().to_ascii_lowercase().as_str() {
        "utf-32" | "utf32" | "utf-32le" | "utf32le" => Ok(UTF_32LE),
        "utf-32be" | "utf32be" => Ok(UTF_32BE),
        _ => parse_label(label).map(Charset::from),
    }
}

/// What to do about a label that no encoding has, if that is known.
pub(crate) fn advice(label: &str) -> Option<String> {
    hint(label)
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
    if let Some(hint) = hint(label) {
        message.push_str("; ");
        message.push_str(&hint);
        message.push_str(" (`simdtext list` shows all labels)");
        return message;
    }
    let close = close_labels(label);
    if !close.is_empty() {
        message.push_str(&format!("; did you mean {}?", close.join(" or ")));
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
    use super::close_labels;

    #[test]
    fn close() {
        assert_eq!(close_labels("latin-1"), ["latin1"]);
        assert_eq!(close_labels("UTF_8"), ["utf-8", "utf8"]);
        assert!(close_labels("klingon-legacy").is_empty());
        assert!(close_labels(&"x".repeat(100_000)).is_empty());
    }
}
