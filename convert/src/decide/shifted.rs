//! Recognises text in seven-bit encodings that the standard maps to `replacement`. They look like ASCII, and
//! would be taken for it because nothing declares them to a browser.
//!
//! ISO-2022-KR (RFC 1557) and ISO-2022-CN (RFC 1922) designate their characters by an escape sequence and
//! shift to them with SO. HZ (RFC 1843) is ASCII with `~{` and `~}` in it. Other text may have these, too, so
//! it is taken for HZ only if a header says so. Tested in `cli/tests/cli/said_plainly.rs`.

use memchr::memmem::find;

/// SO, which shifts to the characters that were designated.
const SO: u8 = 0x0E;

/// The name of the encoding, if bytes that look like ASCII are clearly in one of these.
pub(super) fn undecodable(ascii: &[u8]) -> Option<&'static str> {
    if ascii.contains(&SO) {
        let mut from = 0;
        while let Some(escape) = find(&ascii[from..], b"\x1B$)") {
            let escape = from + escape;
            from = escape + 3;
            let starts_line = escape == 0 || matches!(ascii[escape - 1], b'\n' | b'\r');
            match ascii.get(from) {
                Some(b'C') if starts_line => return Some("ISO-2022-KR"),
                Some(b'A' | b'G' | b'E') => return Some("ISO-2022-CN"),
                _ => {}
            }
        }
    }
    let is_hz = find(ascii, b"~{").is_some() && find(ascii, b"~}").is_some() && says_hz(ascii);
    is_hz.then_some("HZ")
}

/// Whether there is `charset=hz-gb-2312` in any case, as in the header of a mail.
fn says_hz(text: &[u8]) -> bool {
    const CHARSET: &[u8] = b"charset=";
    let mut windows = text.windows(CHARSET.len()).enumerate();
    windows.any(|(at, window)| {
        window.eq_ignore_ascii_case(CHARSET) && {
            let label = &text[at + CHARSET.len()..];
            let label = label.strip_prefix(b"\"").unwrap_or(label);
            (label.get(..10)).is_some_and(|label| label.eq_ignore_ascii_case(b"hz-gb-2312"))
        }
    })
}
