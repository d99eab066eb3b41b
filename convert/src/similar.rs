//! Characters that an encoding lacks, and for which the Encoding Standard has its encoder write a similar one: the yen
//! sign becomes a backslash. Nothing is unmappable then, but the text is another one. Tested in
//! `cli/tests/cli/similar.rs`.

use simdtext::{EUC_JP, Encoding, ISO_2022_JP, SHIFT_JIS};

/// Whether text in the output's encoding may have similar characters in place of some.
pub(crate) fn has_similar(to: &'static Encoding) -> bool {
    to == SHIFT_JIS || to == EUC_JP || to == ISO_2022_JP
}

/// The characters of `text` that are written as similar ones, with their positions in bytes.
pub(crate) fn similar(text: &str, to: &'static Encoding) -> impl Iterator<Item = (usize, char)> {
    // Most texts have none, and looking at bytes is much faster.
    let may_have = has_similar(to) && text.bytes().any(|byte| matches!(byte, 0xC2 | 0xE2 | 0xEF));
    let chars = may_have.then(|| text.char_indices());
    let is_similar = move |ch| match ch {
        '\u{A5}' | '\u{203E}' => to != ISO_2022_JP,
        '\u{2212}' => true,
        '\u{FF61}'..='\u{FF9F}' => to == ISO_2022_JP,
        _ => false,
    };
    (chars.into_iter().flatten()).filter(move |(_, ch)| is_similar(*ch))
}
