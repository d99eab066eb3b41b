//! Examines all bytes of an input while it is being read for another purpose: whether they are text, whether
//! they are UTF-8 whatever they are said to be, and whether they can be UTF-16.

mod jis_lines;
mod units;
mod utf8_lines;

use simdtext::detect::{BinaryScan, ByteOrder};
use simdtext::sniff::{Utf8Tally, Utf8Verdict};
use simdtext::{Bom, Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};

use super::scan::Sampler;
use super::seven_bit::{Late, LateEscapes};
use crate::binary::{self, NotText};
use crate::charset::Charset;
use crate::input::Source;
use crate::read_fn::ReadFn;
use crate::utf32;
use jis_lines::JisLines;
pub(super) use units::UnitScan;
use utf8_lines::Utf8Lines;

/// How many bytes it takes to recognise any byte order mark.
const TELLING: usize = 4;

/// Byte-oriented text may have a stray control character in this many bytes. In UTF-16 they are far more frequent.
const NEARLY: u64 = 64;

pub(crate) struct Watch {
    /// The encoding that the input is said to be in, and after the first bytes that of its byte order mark,
    /// if it has one.
    charset: Charset,
    bom: Bom,
    /// The offset, in bytes.
    len: u64,
    head: Vec<u8>,
    has_begun: bool,
    /// `None` if the bytes can't decide that: in UTF-32, or because it is known.
    signs: Option<BinaryScan>,
    /// Whether there were so many signs that nothing that follows makes it text.
    is_found: bool,
    tally: Option<Utf8Tally>,
    /// For UTF-16 and UTF-32.
    units: Option<UnitScan>,
    /// How many of the bytes so far are control characters that byte-oriented text does not have; `None` if they are
    /// many. Counted in UTF-16 and UTF-32, without those at the end.
    controls: Option<u64>,
    /// How many NULs and Ctrl-Zs there are at the end.
    padding: u64,
    /// The last byte, if the end is padding.
    last: u8,
    /// `None` unless the input was taken for ASCII by its first bytes, or is said to be UTF-16.
    escapes: Option<LateEscapes>,
    /// For encodings in which ASCII bytes are ASCII.
    jis: Option<JisLines>,
    /// The same, for those other than UTF-8.
    utf8: Option<Utf8Lines>,
    sampler: Option<Sampler>,
}

/// What was seen in an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    pub(crate) not_text: Option<NotText>,
    pub(crate) verdict: Utf8Verdict,
    pub(crate) malformed: u64,
    pub(crate) first_malformed: u64,
    /// Whether there are only bytes that text in ASCII and its supersets has: no NUL and no other control
    /// character. UTF-16 hardly ever consists only of these.
    pub(crate) is_plain: bool,
    /// The same, but for one byte in 64 at most.
    pub(crate) is_nearly_plain: bool,
    /// Whether it is UTF-16 in the other byte order.
    pub(crate) is_swapped: bool,
    /// Where byte-oriented text begins within UTF-16.
    pub(crate) ascii_at: Option<u64>,
    /// Where UTF-16 in the other byte order begins within UTF-16.
    pub(crate) other_mark_at: Option<u64>,
    /// Where text in another encoding begins within what was taken for ASCII or is said to be UTF-16.
    pub(crate) late: Option<Late>,
    /// Where the first line in ISO-2022-JP begins to be that, within another encoding.
    pub(crate) jis_at: Option<u64>,
    /// Where the first line in UTF-8 begins, within another encoding.
    pub(crate) utf8_at: Option<u64>,
    /// The length, in bytes.
    pub(crate) len: u64,
    /// The encoding, by the byte order mark or as it was said.
    pub(crate) charset: Charset,
}

impl Watch {
    pub(crate) fn new(charset: Charset, bom: Bom) -> Self {
        Self {
            charset,
            bom,
            len: 0,
            head: Vec::new(),
            has_begun: false,
            signs: None,
            is_found: false,
            tally: None,
            units: None,
            controls: Some(0),
            padding: 0,
            last: 0,
            escapes: None,
            jis: None,
            utf8: None,
            sampler: None,
        }
    }

    /// Keeps a sample, too: the text may show that it is in another encoding than it is said to be in.
    pub(crate) fn for_sample(self) -> Self {
        Self {
            sampler: Some(Sampler::default()),
            ..self
        }
    }

    /// Looks for escape sequences, too: the input was taken for ASCII by its first bytes.
    pub(crate) fn for_ascii(self) -> Self {
        Self {
            escapes: Some(LateEscapes::default()),
            ..self
        }
    }

    /// Takes the next bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.len += bytes.len() as u64;
        let before = self.head.len();
        if before < binary::HEAD {
            let room = bytes.len().min(binary::HEAD - before);
            self.head.extend_from_slice(&bytes[..room]);
        }
        if let Some(sampler) = &mut self.sampler {
            sampler.feed(bytes);
        }
        if self.has_begun {
            self.look_at(bytes);
        } else if self.head.len() >= TELLING {
            self.begin(before);
            self.look_at(bytes);
        }
    }

    /// Whether nothing that follows is likely to change the verdict on UTF-8 and UTF-16, or the input is
    /// known not to be text.
    pub(crate) fn is_hopeless(&self) -> bool {
        match &self.tally {
            Some(tally) if self.charset.is_utf16() => {
                self.controls.is_none() || tally.is_hopeless()
            }
            Some(tally) => tally.is_hopeless(),
            None => true,
        }
    }

    /// Whether it is certain already that the input is not text.
    pub(crate) fn is_binary(&self) -> bool {
        self.is_found || self.format().is_some()
    }

    /// What was seen, after all of the input was fed.
    pub(crate) fn finish(&mut self) -> Seen {
        if !self.has_begun {
            self.begin(self.head.len());
        }
        let tally = self.tally.as_ref();
        Seen {
            not_text: self.not_text(),
            verdict: match (tally, self.charset) {
                (Some(tally), Charset::Standard(said)) => tally.finish(said),
                _ => Utf8Verdict::Other,
            },
            malformed: tally.map_or(0, Utf8Tally::malformed),
            first_malformed: tally.and_then(Utf8Tally::first_malformed).unwrap_or(0),
            is_plain: self.is_plain(),
            is_nearly_plain: self.controls().is_some_and(|it| it * NEARLY <= self.len),
            is_swapped: self.units.as_ref().is_some_and(UnitScan::is_swapped),
            ascii_at: self.units.as_ref().and_then(UnitScan::ascii_at),
            other_mark_at: self.units.as_ref().and_then(UnitScan::other_mark_at),
            late: (self.escapes.as_ref()).and_then(|escapes| escapes.finish(&self.head)),
            jis_at: self.jis.as_mut().and_then(JisLines::finish),
            utf8_at: self.utf8.as_mut().and_then(Utf8Lines::finish),
            len: self.len,
            charset: self.charset,
        }
    }

    /// How many control characters there are that byte-oriented text does not have; `None` if they are many. It may be
    /// padded at its end, but a single NUL belongs to a line end in UTF-16LE.
    fn controls(&self) -> Option<u64> {
        let is_padded = self.charset.is_utf16() && (self.padding > 1 || self.last != 0);
        Some(self.controls? + if is_padded { 0 } else { self.padding })
    }

    /// Whether every byte so far is one that byte-oriented text has.
    fn is_plain(&self) -> bool {
        self.controls() == Some(0)
    }

    /// The first bytes.
    pub(crate) fn head(&self) -> &[u8] {
        &self.head
    }

    /// The sample that was to be kept, after all of the input was fed, and whether it is all of the input.
    pub(crate) fn sample(&mut self) -> Option<(&[u8], bool)> {
        self.sampler.as_mut().map(Sampler::finish)
    }

    fn not_text(&self) -> Option<NotText> {
        let format = self.format().map(NotText::Magic);
        let signs = || Some(NotText::Signs(self.signs.as_ref()?.finish()?));
        // Byte-oriented text has malformed units, too, and is not binary.
        let units = || self.units.as_ref().filter(|_| !self.is_plain())?.not_text();
        let not_text = format.or_else(signs).or_else(units)?;
        Some(not_text.or_packed(&self.head).or_utf16(&self.head))
    }

    fn format(&self) -> Option<&'static str> {
        if self.signs.is_none() || self.charset.is_utf16() {
            return None;
        }
        binary::format_of(&self.head)
    }

    /// Takes the first `before` bytes, and decides what to look for.
    fn begin(&mut self, before: usize) {
        self.has_begun = true;
        self.charset = utf32::by_bom(self.charset, &self.head, self.bom);
        if let (Charset::Standard(_), Bom::Sniff, Some((marked, _))) =
            (self.charset, self.bom, Encoding::for_bom(&self.head))
        {
            self.charset = marked.into();
        }
        self.units = UnitScan::of(self.charset);
        if self.charset.is_utf16() {
            self.escapes = Some(LateEscapes::default());
        }
        if let Charset::Standard(encoding) = self.charset {
            self.signs = Some(BinaryScan::for_encoding(encoding));
            self.tally = (encoding != UTF_8).then(Utf8Tally::new);
            let is_ascii_based = self.units.is_none() && encoding != ISO_2022_JP;
            self.jis = is_ascii_based.then(JisLines::default);
            self.utf8 = (is_ascii_based && encoding != UTF_8).then(|| Utf8Lines::new(encoding));
        }
        let head = std::mem::take(&mut self.head);
        self.look_at(&head[..before]);
        self.head = head;
    }

    fn look_at(&mut self, bytes: &[u8]) {
        if let Some(signs) = &mut self.signs {
            self.is_found |= !signs.feed(bytes);
        }
        if let Some(tally) = &mut self.tally {
            tally.feed(bytes);
        }
        if let Some(escapes) = &mut self.escapes {
            escapes.feed(bytes);
        }
        if let Some(units) = &mut self.units {
            units.feed(bytes);
        }
        if let Some(jis) = &mut self.jis {
            jis.feed(bytes);
        }
        if let Some(utf8) = &mut self.utf8 {
            utf8.feed(bytes);
        }
        if let Some(controls) = self.controls
            && self.units.is_some()
        {
            let last = bytes.iter().rposition(|byte| !matches!(byte, 0 | 0x1A));
            let (text, padding) = bytes.split_at(last.map_or(0, |last| last + 1));
            let mut count = text.iter().filter(|byte| !is_plain(**byte)).count() as u64;
            if !text.is_empty() {
                count += std::mem::take(&mut self.padding);
            }
            self.padding += padding.len() as u64;
            self.last = padding.last().copied().unwrap_or(self.last);
            // Those at the beginning may be few in the end.
            self.controls = Some(controls + count).filter(|it| *it <= 16 + self.len / NEARLY);
        }
    }
}

/// Whether byte-oriented text may have this byte: all but NUL and control characters that such text hardly
/// has.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | 0x1B | 0x20..=0x7E | 0x80..)
}

/// The byte order and the length of units; `None` in a byte-oriented encoding.
fn byte_order(charset: Charset) -> Option<(ByteOrder, usize)> {
    match charset {
        Charset::Utf32(order) => Some((order, 4)),
        _ if charset == UTF_16LE => Some((ByteOrder::Little, 2)),
        _ if charset == UTF_16BE => Some((ByteOrder::Big, 2)),
        Charset::Standard(_) => None,
    }
}

impl<'a> Source<'a> {
    /// Passes all that is read to `watch`.
    pub(crate) fn watched<'w>(self, watch: &'w mut Watch) -> Source<'w>
    where
        'a: 'w,
    {
        let source: Source<'w> = self;
        let mut reader = source.reader;
        let reader = ReadFn(move |buffer: &mut [u8]| {
            let n = reader.read(buffer)?;
            watch.feed(&buffer[..n]);
            Ok(n)
        });
        Source {
            reader: Box::new(reader),
            ..source
        }
    }
}
