//! Whether a text is UTF-8 as a whole, though a few bytes of it may be damaged.
//!
//! [`is_utf8`](super::is_utf8) requires every byte to be right. [`Utf8Tally`] counts: text in another
//! encoding contains hardly any well-formed sequences of UTF-8, so text with many of them and few
//! malformed ones is UTF-8, even if declared otherwise. It reads a stream in blocks and keeps a few
//! counters. Tested in `tests/sniff/utf8_tally.rs`; `docs/detection.md` says how often it is wrong, both
//! ways.

use crate::codec::utf8::Utf8;
use crate::codec::{Decode, Item};
use crate::encoding::Encoding;
use crate::output::utf8_prefix;
use crate::simd;
use crate::unicode::trim_partial_utf8;

/// Counts the non-ASCII characters and the malformed sequences in what may be UTF-8.
///
/// ```
/// use simdtext::WINDOWS_1252;
/// use simdtext::sniff::{Utf8Tally, Utf8Verdict};
///
/// let page = "Où êtes-vous passée, à Noël, l'été dernier\u{a0}? À Nîmes".as_bytes();
/// let mut tally = Utf8Tally::new();
/// tally.feed(page);
/// tally.feed(b"\xC3"); // cut in the middle of a character
/// assert_eq!(tally.finish(WINDOWS_1252), Utf8Verdict::Damaged);
/// assert_eq!((tally.malformed(), tally.first_malformed()), (1, Some(page.len() as u64)));
///
/// let mut tally = Utf8Tally::new();
/// tally.feed(b"O\xF9 \xEAtes-vous pass\xE9e"); // windows-1252
/// assert_eq!(tally.finish(WINDOWS_1252), Utf8Verdict::Other);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Utf8Tally {
    /// Characters that are not ASCII.
    well_formed: u64,
    malformed: u64,
    first_malformed: Option<u64>,
    /// Bytes fed so far.
    offset: u64,
    /// The beginning of a character cut by the end of a block.
    held: [u8; 4],
    held_len: usize,
    /// The counts since most of the text is skipped. `None` while all of it is counted.
    thinned: Option<Thinned>,
}

/// Counts of a part of the text.
#[derive(Clone, Copy, Debug, Default)]
struct Thinned {
    /// Where the first stretch begins, in bytes from the start of the stream.
    begin: u64,
    well_formed: u64,
    malformed: u64,
}

/// The result of a [`Utf8Tally`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Utf8Verdict {
    /// Nothing but ASCII.
    Ascii,
    /// All of it is well-formed, with [`Utf8Tally::min_valid`] characters or more that are not
    /// ASCII.
    Utf8,
    /// It has malformed sequences, but [`Utf8Tally::MIN_DAMAGED`] characters or more that are not
    /// ASCII, and [`Utf8Tally::MIN_RATIO`] of them or more for each malformed sequence: damaged
    /// UTF-8, and no other encoding. If only the last character is cut off, twice
    /// [`Utf8Tally::min_valid`] are enough.
    Damaged,
    /// Too short to tell: well-formed, or nearly so, with few characters that are not ASCII.
    Unclear,
    /// It is not UTF-8.
    Other,
}

/// The number of malformed sequences after which, if they outnumber the well-formed ones, most of the text is
/// skipped, because counting all of it would take longer than decoding it.
const HOPELESS: u64 = 64;

/// The number of characters that are read one by one after a malformed sequence.
const ONE_BY_ONE: u32 = 12;

/// The length of a stretch in bytes. When most of the text is skipped, only the start of each stretch is read.
const STRETCH: u64 = 8 * 1024;
/// The bytes at the start of a stretch that are read.
const LOOKED_AT: u64 = 128;

/// The number of malformed sequences after which the rest of a stretch is not read. Without this windows-1251 takes five
/// times as long; fewer make estimates too coarse.
const ENOUGH_MALFORMED: u64 = 16;

/// The number of well-formed characters that must have been read to outweigh the malformed beginning.
const MIN_THINNED_CHARACTERS: u64 = 32;

impl Utf8Tally {
    /// The fewest non-ASCII characters with which text can be [`Utf8Verdict::Damaged`].
    pub const MIN_DAMAGED: u64 = 8;
    /// The fewest non-ASCII characters for each malformed sequence in such text.
    pub const MIN_RATIO: u64 = 4;

    /// Begins a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes. They may be cut anywhere.
    pub fn feed(&mut self, mut bytes: &[u8]) {
        if self.thinned.is_some() {
            return self.feed_thinned(bytes);
        }
        if self.held_len > 0 {
            let held = self.held_len;
            let more = bytes.len().min(self.held.len() - held);
            self.held[held..held + more].copy_from_slice(&bytes[..more]);
            let len = match Utf8.step(&self.held[..held + more], false).0 {
                Item::Char(_, len) => {
                    self.well_formed += 1;
                    len
                }
                Item::Malformed(len) => {
                    self.count_malformed(self.offset - held as u64);
                    len
                }
                // It may still become a character.
                _ => {
                    self.held_len += more;
                    self.offset += more as u64;
                    return;
                }
            };
            self.held_len = 0;
            self.offset += (len - held) as u64;
            bytes = &bytes[len - held..];
        }
        while !bytes.is_empty() {
            let valid = utf8_prefix(simd::active(), bytes);
            self.well_formed += leads(valid.as_bytes());
            self.offset += valid.len() as u64;
            bytes = self.feed_one_by_one(&bytes[valid.len()..]);
            if self.is_plainly_other() {
                self.thinned = Some(Thinned {
                    begin: self.offset.next_multiple_of(STRETCH),
                    ..Thinned::default()
                });
                return self.feed_thinned(bytes);
            }
            // They may be the beginning of a character.
            if trim_partial_utf8(bytes) == 0 {
                self.held[..bytes.len()].copy_from_slice(bytes);
                self.held_len = bytes.len();
                self.offset += bytes.len() as u64;
                return;
            }
        }
    }

    /// The fewest non-ASCII characters with which well-formed text is [`Utf8Verdict::Utf8`], and not in the
    /// encoding that is `declared`. In some encodings longer text may look like UTF-8 than in others.
    #[must_use]
    pub fn min_valid(declared: &'static Encoding) -> u64 {
        // In these, letters are pairs of bytes that are common in UTF-8, or (in IBM866 and windows-874)
        // the lower-case Cyrillic and the Thai letters are A0 to BF and E0 to EF.
        if ["GBK", "gb18030", "EUC-JP", "IBM866", "windows-874"].contains(&declared.name()) {
            6
        } else if declared.is_single_byte() {
            2
        } else {
            4
        }
    }

    /// The verdict on all bytes fed so far, given the encoding that is `declared` for them. Does not change
    /// the tally.
    #[must_use]
    pub fn finish(&self, declared: &'static Encoding) -> Utf8Verdict {
        let (well_formed, malformed) = (self.well_formed(), self.malformed());
        // A few characters are not enough for an estimate.
        if self
            .thinned
            .is_some_and(|it| it.well_formed < MIN_THINNED_CHARACTERS)
        {
            return Utf8Verdict::Other;
        }
        match (well_formed, malformed) {
            (0, 0) => Utf8Verdict::Ascii,
            (_, 0) if well_formed >= Self::min_valid(declared) => Utf8Verdict::Utf8,
            (_, 0) => Utf8Verdict::Unclear,
            _ if well_formed >= Self::MIN_DAMAGED && well_formed / Self::MIN_RATIO >= malformed => {
                Utf8Verdict::Damaged
            }
            // Nothing but a character cut off at the end.
            (1.., 1) if self.held_len > 0 => {
                if well_formed >= 2 * Self::min_valid(declared) {
                    Utf8Verdict::Damaged
                } else {
                    Utf8Verdict::Unclear
                }
            }
            _ if well_formed >= 3 && well_formed / 2 >= malformed => Utf8Verdict::Unclear,
            _ => Utf8Verdict::Other,
        }
    }

    /// The number of well-formed characters that are not ASCII. An estimate if malformed sequences prevail.
    #[must_use]
    pub fn well_formed(&self) -> u64 {
        let thinned = self.thinned.map_or(0, |it| it.well_formed);
        self.well_formed + thinned * (STRETCH / LOOKED_AT)
    }

    /// The number of malformed sequences, including a character cut off at the end. An estimate if they
    /// prevail.
    #[must_use]
    pub fn malformed(&self) -> u64 {
        let thinned = self.thinned.map_or(0, |it| it.malformed);
        self.malformed + thinned * (STRETCH / LOOKED_AT) + u64::from(self.held_len > 0)
    }

    /// Where the first malformed sequence begins, in bytes from the start of the stream.
    #[must_use]
    pub fn first_malformed(&self) -> Option<u64> {
        let cut = (self.held_len > 0).then(|| self.offset - self.held_len as u64);
        self.first_malformed.or(cut)
    }

    /// Whether malformed sequences prevail by so much that only a much longer text of damaged UTF-8
    /// could make up for them. A reader that needs an early answer may stop here.
    #[must_use]
    pub fn is_hopeless(&self) -> bool {
        self.thinned.is_some()
    }

    /// Reads on after a malformed sequence. In most encodings there are more of them nearby, so looking
    /// for the end of well-formed text takes longer than looking at each character. Returns what is left.
    fn feed_one_by_one<'b>(&mut self, mut bytes: &'b [u8]) -> &'b [u8] {
        let mut left = ONE_BY_ONE;
        while left > 0 && !bytes.is_empty() && !self.is_plainly_other() {
            let len = match Utf8.step(bytes, false).0 {
                Item::Char(ch, len) => {
                    self.well_formed += u64::from(!ch.is_ascii());
                    left -= 1;
                    len
                }
                Item::Malformed(len) => {
                    self.count_malformed(self.offset);
                    left = ONE_BY_ONE;
                    len
                }
                // The bytes end before that is known.
                _ => break,
            };
            self.offset += len as u64;
            bytes = bytes.get(len..).unwrap_or_default();
        }
        bytes
    }

    fn is_plainly_other(&self) -> bool {
        self.malformed >= HOPELESS && self.malformed > self.well_formed
    }

    fn count_malformed(&mut self, offset: u64) {
        self.malformed += 1;
        self.first_malformed.get_or_insert(offset);
    }

    /// Counts a part of the bytes, which stands for all of them.
    fn feed_thinned(&mut self, bytes: &[u8]) {
        let Some(thinned) = &mut self.thinned else {
            return;
        };
        let begin = self.offset;
        let end = begin + bytes.len() as u64;
        self.offset = end;
        self.held_len = 0;
        let mut stretch = (begin / STRETCH * STRETCH).max(thinned.begin);
        while stretch < end {
            let from = stretch.max(begin);
            let to = (stretch + LOOKED_AT).min(end);
            if from < to {
                let within = |offset: u64| usize::try_from(offset - begin).unwrap_or(usize::MAX);
                let part = bytes.get(within(from)..within(to)).unwrap_or_default();
                let (well_formed, malformed) = count(part);
                thinned.well_formed += well_formed;
                thinned.malformed += malformed;
            }
            stretch += STRETCH;
        }
    }
}

/// The number of non-ASCII characters in well-formed text.
fn leads(bytes: &[u8]) -> u64 {
    // Few bytes at a time, so that the sums fit into bytes and the loop can be vectorised.
    let leads = |chunk: &[u8]| chunk.iter().map(|byte| u8::from(*byte >= 0xC0)).sum::<u8>();
    bytes.chunks(255).map(|chunk| u64::from(leads(chunk))).sum()
}

/// The non-ASCII characters and the malformed sequences of a part of a text, which may be cut at both
/// ends.
fn count(bytes: &[u8]) -> (u64, u64) {
    let cut = bytes.iter().take(3).take_while(|byte| is_trail(**byte));
    let mut rest = bytes.get(cut.count()..).unwrap_or_default();
    let (mut well_formed, mut malformed) = (0, 0);
    while !rest.is_empty() {
        let len = match Utf8.step(rest, false).0 {
            Item::Char(ch, len) => {
                well_formed += u64::from(!ch.is_ascii());
                len
            }
            Item::Malformed(len) => {
                malformed += 1;
                len
            }
            // The part ends before that is known.
            _ => break,
        };
        rest = rest.get(len..).unwrap_or_default();
        if malformed == ENOUGH_MALFORMED {
            // The rest will be similar.
            let (all, seen) = (bytes.len() as u64, (bytes.len() - rest.len()) as u64);
            return (well_formed * all / seen, malformed * all / seen);
        }
    }
    (well_formed, malformed)
}

fn is_trail(byte: u8) -> bool {
    (0x80..=0xBF).contains(&byte)
}
