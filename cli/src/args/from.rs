//! The values of `--from`: a label, or a way to find out.

use simdtext::UTF_8;
use simdtext_convert::SourceEncoding;
use simdtext_convert::labels::{parse_charset, parse_label};

pub(crate) const AUTO: &str = "auto";

/// Reads the value of `--from`.
pub(crate) fn parse_from(value: &str) -> Result<SourceEncoding, String> {
    if value.eq_ignore_ascii_case(AUTO) {
        return Ok(SourceEncoding::Auto);
    }
    match value.split_once(':') {
        Some((front, list)) if front.eq_ignore_ascii_case(AUTO) => {
            let list: Result<Vec<_>, String> = list
                .split(',')
                .map(|label| match parse_label(label) {
                    Ok(encoding) if encoding == UTF_8 => Err(String::from(
                        "UTF-8 is always tried first; list only other encodings",
                    )),
                    Ok(encoding) => Ok(encoding),
                    Err(_) if label.trim().is_empty() => Err(String::from(
                        "a label is missing; write auto alone, or labels with commas between them, as in \
                         auto:shift_jis,euc-jp",
                    )),
                    Err(message) => Err(format!("{label:?}: {message}")),
                })
                .collect();
            list.map(SourceEncoding::FirstValid)
        }
        _ => parse_charset(value).map(SourceEncoding::Encoding),
    }
}

#[cfg(test)]
mod tests {
    use super::{SourceEncoding, parse_from};
    use simdtext::{EUC_JP, SHIFT_JIS, WINDOWS_1252};
    use simdtext_convert::{UTF_32BE, UTF_32LE};

    #[test]
    fn labels_and_lists() {
        for (value, from) in [
            ("auto", SourceEncoding::Auto),
            ("AUTO", SourceEncoding::Auto),
            ("latin1", SourceEncoding::Encoding(WINDOWS_1252.into())),
            ("UTF-32", SourceEncoding::Encoding(UTF_32LE)),
            ("utf-32be", SourceEncoding::Encoding(UTF_32BE)),
            (
                "auto:sjis,euc-jp",
                SourceEncoding::FirstValid(vec![SHIFT_JIS, EUC_JP]),
            ),
        ] {
            assert_eq!(parse_from(value), Ok(from), "{value}");
        }
        assert_eq!(
            SourceEncoding::FirstValid(vec![SHIFT_JIS, EUC_JP]).to_string(),
            "auto:Shift_JIS,EUC-JP"
        );
        for value in [
            "auto:",
            "auto:utf-8",
            "auto:sjis,",
            "auto:nope",
            "automatic",
        ] {
            assert!(parse_from(value).is_err(), "{value}");
        }
    }
}
