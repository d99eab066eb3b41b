//! Looks at all of an input in UTF-16 or UTF-32 for what is neither: data after the text, or lines that
//! were appended in an encoding of bytes (as `echo >>` does on Windows).
//!
//! Malformed units are rare in text, even where it is damaged, and cut off emoji leave surrogates of one
//! kind; other data has them everywhere, and of all kinds. Text in bytes has no malformed units, but no
//! text in UTF-16 goes on for long in nothing but pairs of ASCII: in the corpus (Chinese, Japanese, Korean,
//! Hindi and others) it does so for 30 bytes at the most. Tables of symbols do (U+2220 to U+227E), and are
//! told by their first bytes, which are all the same. Tested in `cli/tests/cli/binary.rs`.

use simdtext::detect::{BinaryScan, ByteOrder};

use crate::binary::NotText;
use crate::charset::Charset;
use crate::decide::watch::byte_order;

/// The units that are counted together.
const WINDOW: u64 = 256;
/// So many malformed units in two windows are no accident,
const MALFORMED: u32 = 6;
/// in UTF-16 if they are of so many of the eight kinds (D8xx to DFxx).
const KINDS: u32 = 4;
/// The length in bytes from which a run of ASCII text within UTF-16 is taken for ASCII.
const ASCII: usize = 64;

#[derive(Clone, Copy, Debug, Default)]
struct Window {
    malformed: u32,
    /// A bit for each kind.
    kinds: u32,
}

pub(crate) struct UnitScan {
    order: ByteOrder,
    /// Bytes of a unit, 2 or 4.
    width: usize,
    /// Units so far.
    units: u64,
    /// The first bytes of a unit that was cut.
    cut: Vec<u8>,
    /// The unit before was the first half of a pair.
    high: Option<u16>,
    window: Window,
    before: Window,
    malformed: u64,
    first: Option<u64>,
    found: bool,
    /// Of the units of UTF-32.
    controls: BinaryScan,
    /// Bytes so far.
    len: u64,
    /// The last bytes, as far as they are all such as ASCII has, and fewer than `ASCII`.
    run: Vec<u8>,
    ascii_at: Option<u64>,
}

impl UnitScan {
    /// `None` where it is an encoding of bytes.
    pub(crate) fn of(charset: Charset) -> Option<Self> {
        let (order, width) = byte_order(charset)?;
        Some(Self {
            order,
            width,
            units: 0,
            cut: Vec::with_capacity(4),
            high: None,
            window: Window::default(),
            before: Window::default(),
            malformed: 0,
            first: None,
            found: false,
            controls: BinaryScan::new(),
            len: 0,
            run: Vec::with_capacity(2 * ASCII),
            ascii_at: None,
        })
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        if self.width == 2 && self.ascii_at.is_none() {
            self.look_for_ascii(bytes);
        }
        self.len += bytes.len() as u64;
        if !self.found {
            self.look_at_units(bytes);
        }
    }

    /// Where there is something else among the text.
    pub(crate) fn not_text(&self) -> Option<NotText> {
        if self.found || self.is_too_much() {
            return Some(NotText::Units {
                count: self.malformed,
                offset: self.first.unwrap_or(0),
            });
        }
        let mut controls = self.controls.finish()?;
        controls.offset *= self.width as u64;
        Some(NotText::Signs(controls))
    }

    /// Where text in bytes begins, in bytes from the start.
    pub(crate) fn ascii_at(&self) -> Option<u64> {
        self.ascii_at
    }

    fn look_at_units(&mut self, mut bytes: &[u8]) {
        if !self.cut.is_empty() {
            let missing = (self.width - self.cut.len()).min(bytes.len());
            let (end, rest) = bytes.split_at(missing);
            self.cut.extend_from_slice(end);
            bytes = rest;
            if self.cut.len() < self.width {
                return;
            }
            let unit = std::mem::take(&mut self.cut);
            self.whole_units(&unit);
        }
        let (whole, cut) = bytes.split_at(bytes.len() - bytes.len() % self.width);
        self.whole_units(whole);
        self.cut.extend_from_slice(cut);
    }

    fn whole_units(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() && !self.found {
            // To the end of the window.
            let room = usize::try_from(WINDOW - self.units % WINDOW).unwrap_or(1) * self.width;
            let (part, rest) = bytes.split_at(room.min(bytes.len()));
            bytes = rest;
            if self.width == 2 {
                self.part_16(part);
            } else {
                self.part_32(part);
            }
            self.units += (part.len() / self.width) as u64;
            if self.units.is_multiple_of(WINDOW) {
                self.found = self.is_too_much();
                self.before = std::mem::take(&mut self.window);
            }
        }
    }

    fn part_16(&mut self, part: &[u8]) {
        let (pairs, _) = part.as_chunks::<2>();
        let at = match self.order {
            ByteOrder::Little => 1,
            ByteOrder::Big => 0,
        };
        let surrogates = pairs
            .iter()
            .fold(0, |count, pair| count + u32::from(pair[at] & 0xF8 == 0xD8));
        if surrogates == 0 && self.high.is_none() {
            return;
        }
        for (index, pair) in pairs.iter().enumerate() {
            let unit = match self.order {
                ByteOrder::Little => u16::from_le_bytes(*pair),
                ByteOrder::Big => u16::from_be_bytes(*pair),
            };
            let index = self.units + index as u64;
            match (self.high.take(), unit) {
                (Some(_), 0xDC00..=0xDFFF) => {}
                (high, unit) => {
                    if let Some(high) = high {
                        self.add(index - 1, high);
                    }
                    match unit {
                        0xD800..=0xDBFF => self.high = Some(unit),
                        0xDC00..=0xDFFF => self.add(index, unit),
                        _ => {}
                    }
                }
            }
        }
    }

    fn part_32(&mut self, part: &[u8]) {
        let (units, _) = part.as_chunks::<4>();
        // Those that are ASCII are looked at as bytes are.
        let mut low = [0xFF; WINDOW as usize];
        for (index, unit) in units.iter().enumerate() {
            let unit = match self.order {
                ByteOrder::Little => u32::from_le_bytes(*unit),
                ByteOrder::Big => u32::from_be_bytes(*unit),
            };
            if char::from_u32(unit).is_none() {
                self.add(self.units + index as u64, 0);
            }
            low[index] = u8::try_from(unit).unwrap_or(0xFF);
        }
        self.controls.feed(&low[..units.len()]);
    }

    fn add(&mut self, index: u64, unit: u16) {
        self.first.get_or_insert(index * self.width as u64);
        self.malformed += 1;
        self.window.malformed += 1;
        self.window.kinds |= 1 << (unit >> 8 & 7);
    }

    fn is_too_much(&self) -> bool {
        let kinds = (self.window.kinds | self.before.kinds).count_ones();
        self.window.malformed + self.before.malformed >= MALFORMED
            && (self.width == 4 || kinds >= KINDS)
    }

    /// Jumps from one byte that ASCII does not have to the next, and looks at few others.
    fn look_for_ascii(&mut self, bytes: &[u8]) {
        let joined = bytes.len().min(ASCII);
        let mut run = std::mem::take(&mut self.run);
        let start = self.len - run.len() as u64;
        run.extend_from_slice(&bytes[..joined]);
        self.ascii_at = self.ascii_in(&run, start);
        if self.ascii_at.is_none() && bytes.len() > joined {
            self.ascii_at = self.ascii_in(bytes, self.len);
            run.clear();
            run.extend_from_slice(&bytes[bytes.len() - joined..]);
        }
        let textual = run.iter().rev().take(ASCII - 1);
        let kept = textual.take_while(|byte| is_ascii_text(**byte)).count();
        run.drain(..run.len() - kept);
        self.run = run;
    }

    /// `start` is where `bytes` begin in the input.
    fn ascii_in(&self, bytes: &[u8], start: u64) -> Option<u64> {
        let mut from = 0;
        while let Some(run) = bytes.get(from..from + ASCII) {
            match run.iter().rposition(|byte| !is_ascii_text(*byte)) {
                Some(other) => from += other + 1,
                None => {
                    let at = start + from as u64;
                    if !is_one_block(run, at, self.order) {
                        return Some(at);
                    }
                    from += ASCII / 2;
                }
            }
        }
        None
    }
}

/// Whether half of the units are of one block: their high bytes are the same.
fn is_one_block(run: &[u8], at: u64, order: ByteOrder) -> bool {
    let skipped = usize::from(at.is_multiple_of(2) == (order == ByteOrder::Little));
    let mut counts = [0_usize; 128];
    for byte in run.iter().skip(skipped).step_by(2) {
        counts[usize::from(byte & 0x7F)] += 1;
    }
    counts.iter().any(|count| *count >= ASCII / 4)
}

fn is_ascii_text(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7E)
}

#[cfg(test)]
mod tests {
    use simdtext::{UTF_16BE, UTF_16LE};

    use super::UnitScan;
    use crate::charset::Charset;

    fn encoded(text: &str, charset: Charset) -> Vec<u8> {
        let is_little = charset == UTF_16LE;
        let units = text.encode_utf16();
        let pairs = units.map(|unit| {
            if is_little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        });
        pairs.flatten().collect()
    }

    fn scan(bytes: &[u8], charset: Charset, piece: usize) -> (bool, Option<u64>) {
        let mut scan = UnitScan::of(charset).expect("it has units");
        for piece in bytes.chunks(piece) {
            scan.feed(piece);
        }
        (scan.not_text().is_some(), scan.ascii_at())
    }

    /// Multiplied and added to, which is noise enough.
    fn noise(len: usize) -> Vec<u8> {
        let mut state = 1_u32;
        let bytes = std::iter::repeat_with(|| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state.to_be_bytes()[0]
        });
        bytes.take(len).collect()
    }

    #[test]
    fn what_follows_text_however_it_is_cut() {
        let line = "appended by a program that writes bytes, and not by this one\r\n";
        let symbols: String = ('\u{2220}'..='\u{227E}').collect();
        for charset in [Charset::from(UTF_16LE), UTF_16BE.into()] {
            for text in ["Text \u{1F600}.\r\n", "文字は続く。\u{2605}", &symbols] {
                let text = encoded(&text.repeat(50), charset);
                let len = text.len() as u64;
                let cut_emoji = encoded("gr\u{1F600}", charset);
                let cut_emoji = cut_emoji[..6].repeat(200);
                for piece in [1, 2, 3, 63, 64, 65, 1000, 100_000] {
                    assert_eq!(scan(&text, charset, piece), (false, None));
                    assert_eq!(scan(&cut_emoji, charset, piece), (false, None));
                    let with_noise = [&text[..], &noise(2000)].concat();
                    assert!(scan(&with_noise, charset, piece).0);
                    let with_line = [&text[..], line.repeat(3).as_bytes()].concat();
                    let (is_binary, at) = scan(&with_line, charset, piece);
                    assert!(!is_binary);
                    assert!(at.is_some_and(|at| at.abs_diff(len) < 96), "{at:?}");
                }
            }
        }
    }
}
