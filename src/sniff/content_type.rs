//! The value of a Content-Type header: MIME Sniffing's *parse a MIME type* (section 4.4), and
//! Fetch's *legacy extract an encoding*.
//!
//! Everything is borrowed from the value. Tested in `tests/sniff/content_type.txt`.

use core::fmt::{self, Write as _};

use crate::encoding::Encoding;

/// What a Content-Type value says: a MIME type, and its parameters.
///
/// Parsed as MIME Sniffing says: white space around the parts is ignored, a value may be quoted,
/// the first of two parameters with the same name counts, and a parameter that is not well-formed is
/// ignored.
///
/// ```
/// use simdtext::SHIFT_JIS;
/// use simdtext::sniff::MimeType;
///
/// let mime = MimeType::parse("Text/HTML; Charset=\"sh\\ift_jis\"; charset=utf-8").unwrap();
/// assert!(mime.is("text", "html"));
/// assert_eq!(mime.charset().unwrap().to_string(), "shift_jis");
/// assert_eq!(mime.encoding(), Some(SHIFT_JIS));
///
/// assert_eq!(MimeType::parse("charset=utf-8"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MimeType<'a> {
    type_: &'a str,
    subtype: &'a str,
    /// What follows the subtype; empty, or with a `;` first.
    parameters: &'a str,
}

impl<'a> MimeType<'a> {
    /// Parses the value of one Content-Type header. The characters stand for the bytes of the
    /// header (*isomorphic decode*). Takes time that is linear in the length of the value.
    ///
    /// `None` if it is not a MIME type: if the type or subtype is missing or contains something that is not an
    /// HTTP token code point.
    ///
    /// ```
    /// use simdtext::sniff::MimeType;
    ///
    /// let mime = MimeType::parse("Text/HTML; charset=gbk").unwrap();
    /// assert!(mime.is("text", "html"));
    /// assert!(MimeType::parse("html").is_none());
    /// ```
    #[must_use]
    pub fn parse(value: &'a str) -> Option<Self> {
        // Steps 1 to 9.
        let value = value.trim_matches(is_http_white_space);
        let (type_, rest) = value.split_once('/')?;
        let end = rest.find(';').unwrap_or(rest.len());
        let (subtype, parameters) = rest.split_at(end);
        let subtype = subtype.trim_end_matches(is_http_white_space);
        (is_token(type_) && is_token(subtype)).then_some(Self {
            type_,
            subtype,
            parameters,
        })
    }

    /// The part before the slash, as written: ASCII case does not matter.
    #[must_use]
    pub fn type_(&self) -> &'a str {
        self.type_
    }

    /// The part after the slash, as written: ASCII case does not matter.
    #[must_use]
    pub fn subtype(&self) -> &'a str {
        self.subtype
    }

    /// Whether this is the type and subtype, in any ASCII case.
    #[must_use]
    pub fn is(&self, type_: &str, subtype: &str) -> bool {
        self.type_.eq_ignore_ascii_case(type_) && self.subtype.eq_ignore_ascii_case(subtype)
    }

    /// The value of the first well-formed parameter of this name, in any ASCII case.
    ///
    /// ```
    /// use simdtext::sniff::MimeType;
    ///
    /// let mime = MimeType::parse("multipart/mixed; boundary=\"a;\\\"b\"").unwrap();
    /// assert_eq!(mime.parameter("BOUNDARY").unwrap().to_string(), "a;\"b");
    /// assert_eq!(mime.parameter("charset"), None);
    /// ```
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<ParameterValue<'a>> {
        let mut rest = self.parameters;
        // Step 11. Each iteration consumes the `;` and the parameter after it.
        while let Some(after) = rest.strip_prefix(';') {
            let after = after.trim_start_matches(is_http_white_space);
            let end = after.find([';', '=']).unwrap_or(after.len());
            let (found, after) = after.split_at(end);
            let Some(after) = after.strip_prefix('=') else {
                rest = after;
                continue;
            };
            let (value, after) = ParameterValue::split(after);
            rest = after;
            if let Some(value) = value
                && is_token(found)
                && found.eq_ignore_ascii_case(name)
            {
                return Some(value);
            }
        }
        None
    }

    /// The value of the `charset` parameter, whether or not it is a label.
    ///
    /// ```
    /// use simdtext::sniff::MimeType;
    ///
    /// let mime = MimeType::parse("text/html; charset=\"GBK\"").unwrap();
    /// assert!(mime.charset().unwrap().chars().eq("GBK".chars()));
    /// ```
    #[must_use]
    pub fn charset(&self) -> Option<ParameterValue<'a>> {
        self.parameter("charset")
    }

    /// Fetch's *legacy extract an encoding*: the encoding that the `charset` parameter is a label
    /// of.
    ///
    /// ```
    /// use simdtext::{KOI8_R, sniff::MimeType};
    ///
    /// let mime = MimeType::parse("text/plain; charset=koi8-r").unwrap();
    /// assert_eq!(mime.encoding(), Some(KOI8_R));
    /// ```
    #[must_use]
    pub fn encoding(&self) -> Option<&'static Encoding> {
        self.charset()?.encoding()
    }
}

/// The value of a parameter of a [`MimeType`]; [`Display`](fmt::Display) and
/// [`chars`](Self::chars) give it without its quotes and backslashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ParameterValue<'a> {
    /// What is between the quotes, or all of it if there are none.
    raw: &'a str,
    quoted: bool,
}

impl<'a> ParameterValue<'a> {
    /// The value that `text` begins with, and the rest from the next `;` on. There is no value if it is
    /// empty without quotes, or contains something that is not an HTTP quoted-string token code point.
    fn split(text: &'a str) -> (Option<Self>, &'a str) {
        let quoted = text.strip_prefix('"');
        let (raw, after) = match quoted {
            Some(inside) => split_quoted(inside),
            None => text.split_at(text.find(';').unwrap_or(text.len())),
        };
        // After the quotes anything up to the next `;` is dropped.
        let rest = &after[after.find(';').unwrap_or(after.len())..];
        let raw = match quoted {
            Some(_) => raw,
            None => raw.trim_end_matches(is_http_white_space),
        };
        let value = Self {
            raw,
            quoted: quoted.is_some(),
        };
        let is_value = (value.quoted || !raw.is_empty()) && raw.chars().all(is_quoted_string_token);
        (is_value.then_some(value), rest)
    }

    /// The characters of the value. A backslash within quotes stands for the character after it; at
    /// the end of a value whose closing quote is missing it stands for itself.
    pub fn chars(&self) -> impl Iterator<Item = char> + use<'a> {
        let mut raw = self.raw.chars();
        let quoted = self.quoted;
        core::iter::from_fn(move || match raw.next() {
            Some('\\') if quoted => Some(raw.next().unwrap_or('\\')),
            other => other,
        })
    }

    /// *Get an encoding*: the encoding that the value is a label of.
    #[must_use]
    pub fn encoding(&self) -> Option<&'static Encoding> {
        // Without backslashes the value is a part of the input.
        if !self.quoted || !self.raw.contains('\\') {
            return Encoding::for_label(self.raw.as_bytes());
        }
        let is_white_space = |ch: char| ch.is_ascii_whitespace();
        let mut chars = self.chars().skip_while(|ch| is_white_space(*ch));
        let (mut label, mut len) = ([0; LABEL_ROOM], 0);
        for (place, ch) in label.iter_mut().zip(chars.by_ref()) {
            *place = u8::try_from(ch).ok()?;
            len += 1;
        }
        if !chars.all(is_white_space) {
            return None;
        }
        Encoding::for_label(&label[..len])
    }
}

impl fmt::Display for ParameterValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.chars().try_for_each(|ch| f.write_char(ch))
    }
}

/// More than the length of the longest label.
const LABEL_ROOM: usize = 32;

/// Infra's *collect an HTTP quoted string*, after the opening quote: what is inside, and the rest
/// after the closing quote.
fn split_quoted(text: &str) -> (&str, &str) {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return (&text[..at], &text[at + 1..]),
            _ => {}
        }
    }
    (text, "")
}

fn is_http_white_space(ch: char) -> bool {
    matches!(ch, '\t' | '\n' | '\r' | ' ')
}

/// Not empty, and HTTP token code points only.
fn is_token(text: &str) -> bool {
    let is_token_byte =
        |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !text.is_empty() && text.bytes().all(is_token_byte)
}

fn is_quoted_string_token(ch: char) -> bool {
    matches!(ch, '\t' | ' '..='~' | '\u{80}'..='\u{FF}')
}
