//! Characters that an encoding lacks, and for which the Encoding Standard has its encoder write a similar one: the yen
//! sign becomes a backslash, and private-use characters that GB 18030 had before 2022 become those that replaced them.
//! Nothing is unmappable then, but the text is another one. Tested in `cli/tests/cli/similar.rs`.

use std::iter;

use memchr::memchr;
use simdtext::{EUC_JP, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};

use crate::find::find;

/// Whether text in the output's encoding may have similar characters in place of some.
pub(crate) fn has_similar(to: &'static Encoding) -> bool {
    to == SHIFT_JIS || to == EUC_JP || to == ISO_2022_JP || is_gb(to)
}

fn is_gb(to: &'static Encoding) -> bool {
    to == GBK || to == GB18030
}

/// The characters of `text` that are written as similar ones, with their positions in bytes.
pub(crate) fn similar(text: &str, to: &'static Encoding) -> impl Iterator<Item = (usize, char)> {
    let mut from = if has_similar(to) { 0 } else { text.len() };
    iter::from_fn(move || {
        while let Some(at) = candidate(&text.as_bytes()[from..], to) {
            let at = from + at;
            let ch = text[at..].chars().next()?;
            from = at + ch.len_utf8();
            if is_similar(ch, to) {
                return Some((at, ch));
            }
        }
        from = text.len();
        None
    })
}

/// The first place in UTF-8 where one of these characters may be.
fn candidate(text: &[u8], to: &'static Encoding) -> Option<usize> {
    if is_gb(to) {
        // Only private-use characters begin with this byte.
        return memchr(0xEE, text);
    }
    let may_begin = |byte: u8, next: u8| {
        ((byte == 0xC2) & (next == 0xA5))
            | ((byte == 0xE2) & ((next == 0x80) | (next == 0x88)))
            | ((byte == 0xEF) & ((next == 0xBD) | (next == 0xBE)))
    };
    let begins = |rest: &[u8]| {
        matches!(
            rest,
            [0xC2, 0xA5, ..]
                | [0xE2, 0x80, 0xBE, ..]
                | [0xE2, 0x88, 0x92, ..]
                | [0xEF, 0xBD, 0xA1..=0xBF, ..]
                | [0xEF, 0xBE, ..=0x9F, ..]
        )
    };
    find(text, may_begin, begins)
}

fn is_similar(ch: char, to: &'static Encoding) -> bool {
    match ch {
        '\u{A5}' | '\u{203E}' => !is_gb(to) && to != ISO_2022_JP,
        '\u{2212}' => !is_gb(to),
        '\u{FF61}'..='\u{FF9F}' => to == ISO_2022_JP,
        // The table in the standard's gb18030 encoder.
        '\u{E78D}'..='\u{E796}'
        | '\u{E81E}'
        | '\u{E826}'
        | '\u{E82B}'
        | '\u{E82C}'
        | '\u{E832}'
        | '\u{E843}'
        | '\u{E854}'
        | '\u{E864}' => is_gb(to),
        _ => false,
    }
}
