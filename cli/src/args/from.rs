//! The values of `--from` and `--to`: a label, or a way to find out.

use simdtext::{Encoding, UTF_8};
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
        _ if value.contains(',') => Err(String::from(
            "before several labels write auto: as in auto:shift_jis,euc-jp",
        )),
        _ => parse_charset(value).map(SourceEncoding::Encoding),
    }
}

/// Reads the value of `--to`.
pub(crate) fn parse_to(label: &str) -> Result<&'static Encoding, String> {
    if label.eq_ignore_ascii_case(AUTO) {
        return Err(String::from(
            "the encoding of the output has to be named; utf-8 is the default",
        ));
    }
    let charset = parse_charset(label)?;
    let can_be_written = |encoding: &&'static Encoding| encoding.encoder().is_some();
    charset.standard().filter(can_be_written).ok_or_else(|| {
        format!(
            "this encoding ({charset}) can only be read, never written; choose another, such as utf-8"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{SourceEncoding, parse_from, parse_to};
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
        for value in ["sjis,euc-jp", "auto,sjis"] {
            let error = parse_from(value).unwrap_err();
            assert!(error.contains("write auto:"), "{value}: {error}");
        }
    }

    #[test]
    fn what_can_be_written() {
        assert_eq!(parse_to("sjis"), Ok(SHIFT_JIS));
        for (label, message) in [
            ("utf-32", "(UTF-32LE) can only be read, never written"),
            ("iso-2022-kr", "can only be read, never written"),
            ("auto", "has to be named"),
            ("nope", "unknown label"),
        ] {
            let error = parse_to(label).unwrap_err();
            assert!(error.contains(message), "{label}: {error}");
        }
    }
}
