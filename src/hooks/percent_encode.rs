//! The URL standard's *percent-encode after encoding* and its percent-encode sets (section 1.3 of
//! the URL standard).

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use super::encode_or_fail;
use crate::encoding::Encoding;

/// A *percent-encode set* of the URL standard: the characters that become `%` and two hexadecimal
/// digits. Every set holds all characters above U+007F; the ASCII ones differ.
///
/// ```
/// use simdtext::hooks::PercentEncodeSet;
///
/// let segment = PercentEncodeSet::PATH.with("/%");
/// assert!(segment.contains('/') && segment.contains('é'));
/// assert!(!segment.contains('a'));
/// let shouting = PercentEncodeSet::from_fn(|ch| ch == '!' || ch == '?');
/// assert!(shouting.contains('!') && !shouting.contains(' '));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PercentEncodeSet {
    /// Bit n: whether U+00nn is in the set.
    ascii: u128,
}

impl PercentEncodeSet {
    /// The *C0 control percent-encode set*: U+0000 to U+001F and U+007F.
    pub const C0_CONTROL: Self = Self {
        ascii: ((1 << 0x20) - 1) | (1 << 0x7F),
    };
    /// The *fragment percent-encode set*.
    pub const FRAGMENT: Self = Self::C0_CONTROL.with(" \"<>`");
    /// The *query percent-encode set*.
    pub const QUERY: Self = Self::C0_CONTROL.with(" \"#<>");
    /// The *special-query percent-encode set*.
    pub const SPECIAL_QUERY: Self = Self::QUERY.with("'");
    /// The *path percent-encode set*.
    pub const PATH: Self = Self::QUERY.with("?^`{}");
    /// The *userinfo percent-encode set*.
    pub const USERINFO: Self = Self::PATH.with("/:;=@[\\]|");
    /// The *component percent-encode set*: that of JavaScript's `encodeURIComponent()`.
    pub const COMPONENT: Self = Self::USERINFO.with("$%&+,");
    /// The *application/x-www-form-urlencoded percent-encode set*: everything but ASCII letters
    /// and digits, `*`, `-`, `.` and `_`.
    pub const APPLICATION_X_WWW_FORM_URLENCODED: Self = Self::COMPONENT.with("!'()~");

    /// The set of the ASCII characters for which `contains` is true, and of all others. The
    /// function is asked for U+0000 to U+007F only.
    #[must_use]
    pub fn from_fn(contains: impl Fn(char) -> bool) -> Self {
        let ascii = (0..0x80)
            .filter(|&byte| contains(char::from(byte)))
            .fold(0, |set, byte| set | (1 << byte));
        Self { ascii }
    }

    /// This set and these characters.
    #[must_use]
    pub const fn with(self, characters: &str) -> Self {
        let bytes = characters.as_bytes();
        let mut ascii = self.ascii;
        let mut i = 0;
        while i < bytes.len() {
            if bytes[i].is_ascii() {
                ascii |= 1 << bytes[i];
            }
            i += 1;
        }
        Self { ascii }
    }

    /// This set without these characters, those above U+007F excepted: they are in every set.
    #[must_use]
    pub const fn without(self, characters: &str) -> Self {
        let taken = Self { ascii: 0 }.with(characters);
        Self {
            ascii: self.ascii & !taken.ascii,
        }
    }

    /// Whether the character is in the set.
    ///
    /// ```
    /// use simdtext::hooks::PercentEncodeSet;
    ///
    /// assert!(PercentEncodeSet::QUERY.contains('#') && !PercentEncodeSet::QUERY.contains('a'));
    /// ```
    #[must_use]
    pub const fn contains(self, ch: char) -> bool {
        !ch.is_ascii() || (self.ascii >> (ch as u32)) & 1 == 1
    }
}

impl fmt::Debug for PercentEncodeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members = (0..0x80).map(char::from).filter(|&ch| self.contains(ch));
        f.write_str("PercentEncodeSet")?;
        f.debug_set().entries(members).finish()
    }
}

/// *Percent-encode after encoding* (URL standard, 1.3): encodes `input`, and writes the bytes whose
/// values are in the set as `%` and two upper-case hexadecimal digits, the others as they are. A
/// character that the encoding does not have becomes `%26%23`, its number and `%3B`, which is its
/// character reference, percent-encoded.
///
/// With `space_as_plus` each byte 20 becomes `+`. The URL standard asks for that with
/// [`PercentEncodeSet::APPLICATION_X_WWW_FORM_URLENCODED`] and with no other set.
///
/// The result is ASCII. Replacement, UTF-16BE and UTF-16LE, which the standard's caller must not
/// ask for, encode as UTF-8 ([`Encoding::output_encoding`]).
///
/// ```
/// use simdtext::hooks::{PercentEncodeSet, percent_encode_after_encoding};
/// use simdtext::{SHIFT_JIS, UTF_8};
///
/// let set = PercentEncodeSet::USERINFO;
/// assert_eq!(percent_encode_after_encoding(UTF_8, "Say what‽", set, false), "Say%20what%E2%80%BD");
/// assert_eq!(percent_encode_after_encoding(SHIFT_JIS, "≡", set, false), "%81%DF");
/// assert_eq!(percent_encode_after_encoding(SHIFT_JIS, "‽", set, false), "%26%238253%3B");
/// ```
#[must_use]
pub fn percent_encode_after_encoding(
    encoding: &'static Encoding,
    input: &str,
    percent_encode_set: PercentEncodeSet,
    space_as_plus: bool,
) -> String {
    let mut output = String::with_capacity(input.len());
    let Some(mut encoder) = encoding.output_encoding().encoder() else {
        unreachable!("an output encoding has an encoder");
    };
    let mut input_queue = input;
    let mut encode_output = Vec::new();
    loop {
        encode_output.clear();
        let potential_error = encode_or_fail(&mut encoder, &mut input_queue, &mut encode_output);
        for &byte in &encode_output {
            if space_as_plus && byte == b' ' {
                output.push('+');
            } else if percent_encode_set.contains(char::from(byte)) {
                percent_encode(byte, &mut output);
            } else {
                output.push(char::from(byte));
            }
        }
        let Some(ch) = potential_error else {
            return output;
        };
        output.push_str(&format!("%26%23{}%3B", u32::from(ch)));
    }
}

/// *Percent-encode* (URL standard, 1.3) a byte.
fn percent_encode(byte: u8, output: &mut String) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    output.push('%');
    output.push(char::from(DIGITS[usize::from(byte >> 4)]));
    output.push(char::from(DIGITS[usize::from(byte & 0xF)]));
}
