//! What `--from` can be: a label, or a way to find out.

use std::fmt;

use simdtext::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use crate::charset::Charset;
use crate::labels::{parse_charset, parse_label};

/// The encoding of the input, or how it is found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FromArg {
    Encoding(Charset),
    /// What the input says of itself, else what it looks like.
    Auto,
    /// UTF-8 if it is valid, else the first of these that decodes without a fault.
    FirstValid(Vec<&'static Encoding>),
}

impl FromArg {
    /// The encoding, where it was named.
    pub(crate) fn named(&self) -> Option<Charset> {
        match self {
            Self::Encoding(charset) => Some(*charset),
            Self::Auto | Self::FirstValid(_) => None,
        }
    }
}

impl fmt::Display for FromArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Encoding(charset) => charset.fmt(f),
            Self::Auto => f.write_str(AUTO),
            Self::FirstValid(list) => {
                let names: Vec<&str> = list.iter().map(|encoding| encoding.name()).collect();
                write!(f, "{AUTO}:{}", names.join(","))
            }
        }
    }
}

pub(crate) const AUTO: &str = "auto";

/// Reads the value of `--from`.
pub(crate) fn parse_from(value: &str) -> Result<FromArg, String> {
    if value.eq_ignore_ascii_case(AUTO) {
        return Ok(FromArg::Auto);
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
                    Err(message) => Err(format!("{label:?}: {message}")),
                })
                .collect();
            list.map(FromArg::FirstValid)
        }
        _ => parse_charset(value).map(FromArg::Encoding),
    }
}

/// Whether lines can be told apart in an encoding without decoding it.
pub(crate) fn has_lines(charset: Charset) -> bool {
    charset
        .standard()
        .is_some_and(|encoding| encoding != UTF_16LE && encoding != UTF_16BE)
}

#[cfg(test)]
mod tests {
    use super::{FromArg, parse_from};
    use crate::charset::{UTF_32BE, UTF_32LE};
    use simdtext::{EUC_JP, SHIFT_JIS, WINDOWS_1252};

    #[test]
    fn labels_and_lists() {
        for (value, from) in [
            ("auto", FromArg::Auto),
            ("AUTO", FromArg::Auto),
            ("latin1", FromArg::Encoding(WINDOWS_1252.into())),
            ("UTF-32", FromArg::Encoding(UTF_32LE)),
            ("utf-32be", FromArg::Encoding(UTF_32BE)),
            (
                "auto:sjis,euc-jp",
                FromArg::FirstValid(vec![SHIFT_JIS, EUC_JP]),
            ),
        ] {
            assert_eq!(parse_from(value), Ok(from), "{value}");
        }
        assert_eq!(
            FromArg::FirstValid(vec![SHIFT_JIS, EUC_JP]).to_string(),
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
