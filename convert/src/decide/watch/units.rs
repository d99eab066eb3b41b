//! Examines all of an input in UTF-16 or UTF-32 for parts that are neither: data after the text, or lines
//! that were appended in a byte-oriented encoding (as `echo >>` does on Windows).
//!
//! Malformed units are rare in text, even if it is damaged, and emoji that were cut leave surrogates of one
//! kind; other data has malformed units everywhere, and of all kinds. Byte-oriented text has no malformed
//! units. But text in UTF-16 does not consist only of pairs of ASCII bytes for long: in the corpus (Chinese,
//! Japanese, Korean, Hindi and others) for 30 bytes at most. Tables of symbols (U+2220 to U+227E) do, and are
//! recognised because all their high bytes are the same. At the end a line in ASCII or UTF-8 is recognised from a few
//! bytes on, because its last unit would be one that ends with the byte of a line end. Tested in
//! `cli/tests/cli/binary.rs` and `cli/tests/cli/joined.rs`.

use simdtext::detect::{BinaryScan, ByteOrder};

use super::byte_order;
use crate::binary::NotText;
use crate::charset::Charset;

/// The number of units that are counted together.
const WINDOW: u64 = 256;
/// This many malformed units in two windows are not an accident;
const MALFORMED: u32 = 6;
/// in UTF-16 only if they are of this many of the eight kinds (D8xx to DFxx).
const KINDS: u32 = 4;
/// From this length in bytes on, a run of ASCII bytes within UTF-16 is taken for ASCII.
const ASCII: usize = 64;
/// How many of the last bytes are examined for lines in ASCII or UTF-8.
const TAIL: usize = 256;
/// A byte order mark, read in the other byte order.
const SWAPPED_MARK: u16 = 0xFFFE;

#[derive(Clone, Copy, Debug, Default)]
struct Window {
    malformed: u32,
    /// A bit for each kind of malformed unit.
    kinds: u32,
}

pub(crate) struct UnitScan {
    order: ByteOrder,
    /// The bytes of a unit: 2 or 4.
    width: usize,
    /// The number of units so far.
    units: u64,
    /// The first bytes of a unit that was cut.
    cut: Vec<u8>,
    /// Whether the previous unit was the first half of a surrogate pair.
    high: Option<u16>,
    window: Window,
    before: Window,
    malformed: u64,
    first: Option<u64>,
    found: bool,
    /// The byte order of the units of UTF-32.
    controls: BinaryScan,
    /// The number of bytes so far.
    len: u64,
    /// The last bytes, if all of them are such as ASCII text has and they are fewer than `ASCII`.
    run: Vec<u8>,
    ascii_at: Option<u64>,
    /// The last bytes, whatever they are.
    tail: Vec<u8>,
    /// Where there is a byte order mark of the other byte order in UTF-16.
    other_mark_at: Option<u64>,
    /// Whether there are line ends or spaces in UTF-16,
    has_spaces: bool,
    /// and whether there are in the other byte order.
    has_swapped_spaces: bool,
    /// How many units of the first window of UTF-16 text hardly has,
    odd: usize,
    /// and how many in the other byte order.
    swapped_odd: usize,
}

impl UnitScan {
    /// `None` if the encoding is not UTF-16 or UTF-32.
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
            tail: Vec::with_capacity(2 * TAIL),
            other_mark_at: None,
            has_spaces: false,
            has_swapped_spaces: false,
            odd: 0,
            swapped_odd: 0,
        })
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        if self.width == 2 && self.ascii_at.is_none() {
            self.look_for_ascii(bytes);
            let last = &bytes[bytes.len().saturating_sub(TAIL)..];
            self.tail.extend_from_slice(last);
            self.tail.drain(..self.tail.len().saturating_sub(TAIL));
        }
        self.len += bytes.len() as u64;
        if !self.found {
            self.look_at_units(bytes);
        }
    }

    /// The sign that some of the input is not text, if there is one.
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

    /// Where byte-oriented text begins, in bytes from the start, after all of the input was fed.
    pub(crate) fn ascii_at(&self) -> Option<u64> {
        self.ascii_at.or_else(|| self.last_lines())
    }

    /// Where a byte order mark in the other byte order shows that another text begins.
    pub(crate) fn other_mark_at(&self) -> Option<u64> {
        self.other_mark_at
    }

    /// Where lines in ASCII or UTF-8 at the end begin. Their last byte is a line end, which is hardly ever the high
    /// byte of a unit, and seldom the low one.
    fn last_lines(&self) -> Option<u64> {
        let may_be = |byte: &u8| is_ascii_text(*byte) || !byte.is_ascii();
        let text = self.tail.iter().rev().take_while(|byte| may_be(byte));
        let text = &self.tail[self.tail.len() - text.count()..];
        // What comes before them is not valid UTF-8.
        let starts = (0..text.len()).filter(|at| std::str::from_utf8(&text[*at..]).is_ok());
        let lines = &text[starts.into_iter().next()?..];
        let least = match self.order {
            ByteOrder::Little => 4,
            ByteOrder::Big => 8,
        };
        let at = self.len - lines.len() as u64;
        let are_lines =
            lines.ends_with(b"\n") && lines.len() >= least && !is_one_block(lines, at, self.order);
        are_lines.then_some(at.next_multiple_of(2))
    }

    /// Whether it is UTF-16 in the other byte order, by its line ends and spaces. Swapped, these are U+0A00, which is
    /// no character, and U+2000, which is hardly ever used. If there are none, by a third of its units that text
    /// hardly has, where the other order has no such unit.
    pub(crate) fn is_swapped(&self) -> bool {
        if self.has_spaces || self.has_swapped_spaces {
            return !self.has_spaces;
        }
        let looked_at = self.units.min(WINDOW);
        self.swapped_odd == 0 && self.odd > 0 && 3 * self.odd as u64 >= looked_at
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
            // Count to the end of the window.
            let room = usize::try_from(WINDOW - self.units % WINDOW).unwrap_or(1) * self.width;
            let (part, rest) = bytes.split_at(room.min(bytes.len()));
            bytes = rest;
            match (self.width, self.order) {
                (2, ByteOrder::Little) => self.part_16(part, u16::from_le_bytes),
                (2, ByteOrder::Big) => self.part_16(part, u16::from_be_bytes),
                _ => self.part_32(part),
            }
            self.units += (part.len() / self.width) as u64;
            if self.units.is_multiple_of(WINDOW) {
                self.found = self.is_too_much();
                self.before = std::mem::take(&mut self.window);
            }
        }
    }

    fn part_16(&mut self, part: &[u8], unit_of: impl Fn([u8; 2]) -> u16) {
        let pairs = part.as_chunks::<2>().0.iter();
        let units = || pairs.clone().map(|pair| unit_of(*pair));
        let (mut spaces, mut swapped_spaces) = (false, false);
        let (mut has_mark, mut has_surrogates) = (false, false);
        for unit in units() {
            spaces |= (unit == 0x0A) | (unit == 0x20);
            swapped_spaces |= (unit == 0x0A00) | (unit == 0x2000);
            has_mark |= unit == SWAPPED_MARK;
            has_surrogates |= unit & 0xF800 == 0xD800;
        }
        self.has_spaces |= spaces;
        self.has_swapped_spaces |= swapped_spaces;
        if has_mark && self.other_mark_at.is_none() {
            // At the start it is about all of the text, and the user says what to do with it.
            let mut marks = (self.units..)
                .zip(units())
                .filter(|(at, unit)| *at > 0 && *unit == SWAPPED_MARK);
            self.other_mark_at = marks.next().map(|(at, _)| 2 * at);
        }
        if self.units < WINDOW {
            self.odd += units().filter(|unit| is_odd(*unit)).count();
            self.swapped_odd += units().filter(|unit| is_odd(unit.swap_bytes())).count();
        }
        if !has_surrogates && self.high.is_none() {
            return;
        }
        for (index, unit) in (self.units..).zip(units()) {
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
        // Units that are all ASCII are examined as bytes are.
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

    /// Jumps from one byte that ASCII text does not have to the next, and looks at few others.
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

    /// `start` is the offset of `bytes` in the input.
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

/// Whether more than half of the units are in one block, that is, have the same high byte.
fn is_one_block(run: &[u8], at: u64, order: ByteOrder) -> bool {
    let skipped = usize::from(at.is_multiple_of(2) == (order == ByteOrder::Little));
    let mut counts = [0_usize; 256];
    for byte in run.iter().skip(skipped).step_by(2) {
        counts[usize::from(*byte)] += 1;
    }
    counts.iter().any(|count| 4 * *count > run.len())
}

/// Whether text hardly has this unit: a control character, a rare ideograph (which Cyrillic and others are in the wrong
/// byte order), private use, or one that is Latin in the other byte order.
fn is_odd(unit: u16) -> bool {
    let is_swapped_latin = unit & 0xFF == 0 && !matches!(unit, 0x3000 | 0x4E00);
    is_swapped_latin
        || matches!(unit, 0..=8 | 0x0E..=0x1F | 0x80..=0x9F | 0x3400..=0x4DBF | 0xE000..=0xF8FF | 0xFFFE..)
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

    /// A multiplication and an addition are random enough for this.
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
