//! Characters that an encoding lacks, and for which the Encoding Standard has its encoder write a similar one: the yen
//! sign becomes a backslash. Nothing is unmappable then, but the text is another one. Tested in
//! `cli/tests/cli/similar.rs`.

use memchr::memchr;
use simdtext::{EUC_JP, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};

/// Whether text in the output's encoding may have similar characters in place of some.
pub(crate) fn has_similar(to: &'static Encoding) -> bool {
    to == SHIFT_JIS || to == EUC_JP || to == ISO_2022_JP || is_chinese(to)
}

fn is_chinese(to: &'static Encoding) -> bool {
    to == GBK || to == GB18030
}

/// The characters of `text` that are written as similar ones, with their positions in bytes.
pub(crate) fn similar(text: &str, to: &'static Encoding) -> impl Iterator<Item = (usize, char)> {
    // Most texts have none, and looking at bytes is much faster.
    let may_have = if is_chinese(to) {
        memchr(0xEE, text.as_bytes()).is_some()
    } else {
        has_similar(to) && text.bytes().any(|byte| matches!(byte, 0xC2 | 0xE2 | 0xEF))
    };
    let chars = may_have.then(|| text.char_indices());
    let is_similar = move |ch| match ch {
        '\u{A5}' | '\u{203E}' => to == SHIFT_JIS || to == EUC_JP,
        '\u{2212}' => !is_chinese(to),
        '\u{FF61}'..='\u{FF9F}' => to == ISO_2022_JP,
        // Private use characters, whose places in gb18030 others have taken since.
        '\u{E78D}'..='\u{E796}' => is_chinese(to),
        '\u{E81E}' | '\u{E826}' | '\u{E82B}' | '\u{E82C}' => is_chinese(to),
        '\u{E832}' | '\u{E843}' | '\u{E854}' | '\u{E864}' => is_chinese(to),
        _ => false,
    };
    (chars.into_iter().flatten()).filter(move |(_, ch)| is_similar(*ch))
}
