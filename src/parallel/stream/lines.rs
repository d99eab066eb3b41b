//! Line numbers of a text in pieces: LF, CR LF, and CR alone each end a line.

use crate::unicode::count_line_ends_utf8;

/// The line ends of the text so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    ends: u64,
    /// This field and the next two are about the text so far; all are false while it is empty.
    starts_with_lf: bool,
    ends_with_cr: bool,
    is_begun: bool,
}

impl Lines {
    pub(super) fn of(text: &[u8]) -> Self {
        Lines {
            ends: count_line_ends_utf8(text) as u64,
            starts_with_lf: text.first() == Some(&b'\n'),
            ends_with_cr: text.last() == Some(&b'\r'),
            is_begun: !text.is_empty(),
        }
    }

    /// The lines of this text followed by another.
    pub(super) fn and(self, next: Self) -> Self {
        if !self.is_begun || !next.is_begun {
            return if next.is_begun { next } else { self };
        }
        // A CR LF across the two texts was counted twice.
        let is_divided = self.ends_with_cr && next.starts_with_lf;
        Lines {
            ends: self.ends + next.ends - u64::from(is_divided),
            starts_with_lf: self.starts_with_lf,
            ends_with_cr: next.ends_with_cr,
            is_begun: true,
        }
    }

    /// The number, from 1, of the line that the next character is in.
    pub(super) fn number(self) -> u64 {
        self.ends + 1
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;
    use std::vec::Vec;

    /// The definition, one character at a time.
    fn plainly(text: &[u8]) -> u64 {
        let ends =
            |i: &usize| text[*i] == b'\r' || text[*i] == b'\n' && (*i == 0 || text[i - 1] != b'\r');
        1 + (0..text.len()).filter(ends).count() as u64
    }

    #[test]
    fn all_short_texts_in_any_three_pieces() {
        for length in 0..7_u32 {
            for case in 0..3_usize.pow(length) {
                let text: Vec<u8> = (0..length)
                    .map(|i| b"\r\nx"[case / 3_usize.pow(i) % 3])
                    .collect();
                for second in 0..=text.len() {
                    for first in 0..=second {
                        let lines = Lines::of(&text[..first]).and(Lines::of(&text[first..second]));
                        let lines = lines.and(Lines::of(&text[second..]));
                        let message = (&text, first, second);
                        assert_eq!(lines.number(), plainly(&text), "{message:?}");
                    }
                }
            }
        }
    }
}
