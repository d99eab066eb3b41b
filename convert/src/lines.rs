//! Line numbers: LF, CR LF, and CR alone each end a line.

use simdtext::unicode::count_line_ends_utf8;

/// Counts the line ends of a text that arrives in pieces.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    ends: u64,
    after_cr: bool,
}

impl Lines {
    /// Takes the next piece of the text.
    pub(crate) fn advance(&mut self, text: &[u8]) {
        let [first, ..] = text else { return };
        self.ends += count_line_ends_utf8(text) as u64;
        // A CR LF across two pieces was counted with its CR.
        if self.after_cr && *first == b'\n' {
            self.ends -= 1;
        }
        self.after_cr = text.last() == Some(&b'\r');
    }

    /// Takes the lines of the next piece of the text, which does not begin between CR and LF.
    pub(crate) fn append(&mut self, next: Self) {
        self.ends += next.ends;
        self.after_cr = next.after_cr;
    }

    /// The number of the line that the next character is in, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.ends + 1
    }
}

#[cfg(test)]
mod tests {
    use super::Lines;

    /// The definition, one character at a time.
    fn plainly(text: &[u8]) -> u64 {
        let mut number = 1;
        for (i, byte) in text.iter().enumerate() {
            if *byte == b'\r' || (*byte == b'\n' && (i == 0 || text[i - 1] != b'\r')) {
                number += 1;
            }
        }
        number
    }

    #[test]
    fn all_short_texts_in_any_two_pieces() {
        for length in 0..7_u32 {
            for case in 0..3_usize.pow(length) {
                let mut rest = case;
                let text: Vec<u8> = (0..length)
                    .map(|_| {
                        let byte = b"\r\nx"[rest % 3];
                        rest /= 3;
                        byte
                    })
                    .collect();
                for cut in 0..=text.len() {
                    let mut lines = Lines::default();
                    lines.advance(&text[..cut]);
                    lines.advance(&text[cut..]);
                    assert_eq!(lines.number(), plainly(&text), "{text:?} cut at {cut}");
                }
            }
        }
    }

    #[test]
    fn long_texts() {
        for unit in [&b"\n"[..], b"\r\n", b"\r", b"ab\r\n", b"\n\r"] {
            let text = unit.repeat(3001);
            let mut lines = Lines::default();
            lines.advance(&text);
            assert_eq!(lines.number(), plainly(&text), "{unit:?}");
        }
    }
}
