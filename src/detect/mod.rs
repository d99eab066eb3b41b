//! Guesses the encoding of bytes that do not declare one, and says why.
//!
//! Call [`sniff::resolve`](crate::sniff::resolve) first: what a document or its transport declares is
//! worth more than any guess. [`detect`] looks, in this order, for
//!
//! 1. a byte order mark,
//! 2. UTF-16 and UTF-32 without a mark, by their units,
//! 3. signs that the bytes are not text ([`BinaryScan`]),
//! 4. escape sequences of ISO-2022-JP, and hardly anything malformed,
//! 5. only ASCII,
//! 6. valid UTF-8,
//! 7. the most plausible of all other encodings, if it is plausible at all.
//!
//! The last step compares, over a bounded sample, how likely the text would be in each encoding: for
//! single-byte encodings by how letters follow each other in 42 languages (where few of them are not ASCII,
//! in the words near these as well), for those of Chinese, Japanese and Korean by whether the text is well
//! formed and how common its characters are. GBK also stands for gb18030, unless there is a four-byte
//! character. `PERFORMANCE.md` in the repository says how often the guess is right, and how fast it is,
//! compared with other detectors.
//!
//! [`Detector`] takes bytes that come in pieces.
//!
//! ```
//! use simdtext::detect::{Options, detect};
//! use simdtext::sniff::{Evidence, Hints, resolve};
//! use simdtext::{EUC_JP, Unmappable};
//!
//! // A document as a crawler has it: the Content-Type, the host's top-level domain, and the body.
//! let text = "すべての人間は、生れながらにして自由であり、";
//! let body = EUC_JP.encode(text, Unmappable::Strict)?.bytes;
//! let decision = resolve(&Hints::new().transport("text/plain"), &body, true);
//! let encoding = match decision.evidence {
//!     // Nothing is declared, and it is not UTF-8. `None`: it is not text.
//!     Evidence::Fallback => detect(&body, true, &Options::new().tld("jp")).encoding,
//!     _ => Some(decision.encoding),
//! };
//! assert_eq!(encoding, Some(EUC_JP));
//! assert_eq!(EUC_JP.decode(&body).text, text);
//! # Ok::<(), simdtext::EncodeError>(())
//! ```
//!
//! [`detect`] allocates nothing but the tables of East Asian encodings, once per process. It takes time that is
//! linear in the length of the text (steps 2 to 6), and in that of the sample for the rest. Tested in
//! `tests/detect`.

mod all_pairs;
mod binary;
#[cfg(feature = "alloc")]
mod detector;
mod floor;
mod languages;
mod model;
mod multi_byte;
mod ranking;
mod sample;
mod shortlist;
mod single_byte;
mod tld;
mod unicode;

use core::fmt;

pub use binary::{Binary, BinaryScan, Sign, is_binary_control};
#[cfg(feature = "alloc")]
pub use detector::Detector;
pub use languages::language_name;
pub use ranking::{Candidate, MAX_CANDIDATES};
pub use shortlist::{MAX_SHORTLIST, Shortlist, Weighed, candidates_in};

use crate::encoding::{
    Encoding, GB18030, GBK, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};
use crate::output::ascii_len;
use crate::progress::{Bom, Status};
use crate::simd;
use crate::sniff::{Confidence, Evidence, is_utf8, selects_another_set};
use crate::unicode::validate_utf8;

use binary::is_textual;
use ranking::Ranking;
use sample::Sample;

/// Options for [`detect`].
///
/// ```
/// use simdtext::detect::Options;
///
/// let options = Options::new().tld("jp").allow_utf8(false);
/// assert_eq!(options.sample, 16 * 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Options<'a> {
    /// The top-level domain of the host that the text comes from, such as `jp`, in capital or small letters.
    /// The languages of that country are favoured.
    pub tld: Option<&'a str>,
    /// Whether UTF-8 may be the answer. (In browsers it may not, so that authors declare it.) If not, ASCII is
    /// windows-1252.
    pub allow_utf8: bool,
    /// How many bytes of a longer text are weighed: parts of its head, middle and tail. ASCII, UTF-8 and
    /// ISO-2022-JP are looked for in all of it.
    pub sample: usize,
}

impl Default for Options<'_> {
    /// No host name, UTF-8 allowed, a sample of 16 KiB.
    fn default() -> Self {
        Options::new()
    }
}

impl<'a> Options<'a> {
    /// No host name, UTF-8 allowed, a sample of 16 KiB.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            tld: None,
            allow_utf8: true,
            sample: 16 * 1024,
        }
    }

    /// Sets [`Options::tld`].
    ///
    /// ```
    /// use simdtext::detect::Options;
    ///
    /// assert_eq!(Options::new().tld("jp").tld, Some("jp"));
    /// ```
    #[must_use]
    pub fn tld(self, tld: impl Into<Option<&'a str>>) -> Self {
        Options {
            tld: tld.into(),
            ..self
        }
    }

    /// Sets [`Options::allow_utf8`].
    ///
    /// ```
    /// use simdtext::WINDOWS_1252;
    /// use simdtext::detect::{Options, detect};
    ///
    /// let guess = detect(b"ASCII", true, &Options::new().allow_utf8(false));
    /// assert_eq!(guess.encoding, Some(WINDOWS_1252));
    /// ```
    #[must_use]
    pub const fn allow_utf8(self, allow_utf8: bool) -> Self {
        Options { allow_utf8, ..self }
    }

    /// Sets [`Options::sample`], in bytes.
    ///
    /// ```
    /// use simdtext::detect::Options;
    ///
    /// assert_eq!(Options::new().sample(4096).sample, 4096);
    /// ```
    #[must_use]
    pub const fn sample(self, sample: usize) -> Self {
        Options { sample, ..self }
    }

    /// The same options without a borrowed host name, for a [`Detector`] that outlives it. A domain that favours no
    /// language becomes `None`.
    ///
    /// ```
    /// use simdtext::detect::{Detector, Options};
    ///
    /// fn detector(host: &str) -> Detector<'static> {
    ///     let tld = host.rsplit('.').next();
    ///     Detector::new(&Options::new().tld(tld).into_static())
    /// }
    /// assert_eq!(Options::new().tld("JP").into_static().tld, Some("jp"));
    /// # let _ = detector("example.jp");
    /// ```
    #[must_use]
    pub fn into_static(self) -> Options<'static> {
        let known = self.tld.and_then(tld::label_and_language);
        Options {
            tld: known.map(|(label, _)| label),
            ..self
        }
    }
}

/// What [`detect`] found.
///
/// ```
/// use simdtext::UTF_8;
/// use simdtext::detect::{Options, detect};
/// use simdtext::sniff::{Confidence, Evidence};
///
/// let guess = detect("café".as_bytes(), true, &Options::new());
/// assert_eq!((guess.encoding, guess.evidence), (Some(UTF_8), Evidence::Utf8Valid));
/// assert_eq!(guess.confidence, Confidence::Certain);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Guess {
    /// The encoding. `None` if the bytes are not text ([`Reason::Binary`]), if they would not be
    /// plausible in any encoding ([`Reason::Implausible`]), and for UTF-32, which the standard does not
    /// have ([`Reason::Utf32`]).
    pub encoding: Option<&'static Encoding>,
    /// The kind of evidence: [`Evidence::Bom`], [`Evidence::Utf8Valid`], [`Evidence::Detected`], or
    /// [`Evidence::Fallback`] for ASCII, which proves nothing.
    pub evidence: Evidence,
    /// Certain with a byte order mark, and if the whole text is UTF-8.
    pub confidence: Confidence,
    /// Why, more precisely. Its `Display` is a phrase for people.
    pub reason: Reason,
    ranking: Ranking,
}

impl Guess {
    /// The encodings that were weighed against each other, most plausible first and at most
    /// [`MAX_CANDIDATES`]; empty if nothing had to be weighed.
    ///
    /// ```
    /// use simdtext::detect::{Options, detect};
    ///
    /// let guess = detect(b"\xEF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0", true, &Options::new());
    /// let first = guess.candidates().next().unwrap();
    /// assert_eq!(Some(first.encoding), guess.encoding);
    /// ```
    pub fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.ranking.iter()
    }
}

impl fmt::Debug for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Guess")
            .field("encoding", &self.encoding)
            .field("evidence", &self.evidence)
            .field("confidence", &self.confidence)
            .field("reason", &self.reason)
            .field("candidates", &self.ranking)
            .finish()
    }
}

/// The order of the bytes of a code unit. No variants will be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByteOrder {
    /// The lowest first: UTF-16LE, UTF-32LE.
    Little,
    /// The highest first: UTF-16BE, UTF-32BE.
    Big,
}

/// The reason for a [`Guess`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A byte order mark.
    Bom,
    /// Nothing but ASCII, which is the same in nearly all encodings.
    Ascii,
    /// Valid UTF-8 with characters that are not ASCII.
    Utf8,
    /// Escape sequences of ISO-2022-JP, and at least four characters for each malformed sequence. The end may be cut
    /// off.
    Escapes,
    /// Pairs of bytes that are plausible code units of UTF-16.
    CodeUnits,
    /// Four-byte characters, which only gb18030 has, and nothing malformed in the sample.
    FourBytes,
    /// The most plausible text.
    Plausible {
        /// The language that makes it so, two letters of ISO 639-1, which [`language_name`] turns into a name; empty
        /// for UTF-8, which is reported with this reason if it has malformed sequences.
        language: &'static str,
        /// How much less plausible the next candidate is, in bits.
        margin: u32,
    },
    /// UTF-32, which is not one of the standard's encodings.
    Utf32 {
        /// The order of its bytes.
        order: ByteOrder,
        /// Whether there is a byte order mark; otherwise the code units gave it away.
        bom: bool,
    },
    /// The bytes are not text, because of this sign.
    Binary(Binary),
    /// The bytes are not plausible as text in any encoding.
    Implausible,
}

/// The unit of a margin, in the singular or the plural.
fn bits(margin: u32) -> &'static str {
    if margin == 1 { "bit" } else { "bits" }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Reason::Bom => f.write_str("byte order mark"),
            Reason::Ascii => f.write_str("nothing but ASCII"),
            Reason::Utf8 => f.write_str("valid UTF-8"),
            Reason::Escapes => f.write_str("escape sequences of ISO-2022-JP"),
            Reason::CodeUnits => f.write_str("plausible code units"),
            Reason::Utf32 { order, bom } => {
                let order = match order {
                    ByteOrder::Little => "little",
                    ByteOrder::Big => "big",
                };
                let by = if bom {
                    "byte order mark"
                } else {
                    "plausible code units"
                };
                write!(f, "{by} of UTF-32, {order}-endian")
            }
            Reason::Binary(binary) => write!(f, "not text: {binary}"),
            Reason::Implausible => f.write_str("not plausible as text in any encoding"),
            Reason::FourBytes => f.write_str("well-formed sequences of four bytes"),
            Reason::Plausible {
                language: "",
                margin,
            } => write!(f, "most plausible by {margin} {}", bits(margin)),
            Reason::Plausible { language, margin } => {
                let name = language_name(language).unwrap_or(language);
                write!(f, "most plausible, as {name}, by {margin} {}", bits(margin))
            }
        }
    }
}

/// Guesses the encoding of `bytes`. If `complete` is true they are the whole text; otherwise more follows,
/// and a character may be cut off at the end.
///
/// ```
/// use simdtext::detect::{Options, detect};
/// use simdtext::sniff::Evidence;
/// use simdtext::{UTF_8, WINDOWS_1251};
///
/// let russian = WINDOWS_1251.encode("Все люди рождаются свободными", Default::default())?;
/// let guess = detect(&russian.bytes, true, &Options::default());
/// assert_eq!((guess.encoding, guess.evidence), (Some(WINDOWS_1251), Evidence::Detected));
/// assert_eq!(guess.candidates().next().unwrap().language, "ru");
///
/// let guess = detect("naïve".as_bytes(), true, &Options::default());
/// assert_eq!((guess.encoding, guess.evidence), (Some(UTF_8), Evidence::Utf8Valid));
/// assert_eq!(guess.reason.to_string(), "valid UTF-8");
///
/// let guess = detect(b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E", true, &Options::default());
/// assert_eq!(guess.encoding, None);
/// # Ok::<(), simdtext::EncodeError>(())
/// ```
#[doc(alias("ucsdet_detect", "chardet", "uchardet"))]
#[must_use]
pub fn detect(bytes: &[u8], complete: bool, options: &Options<'_>) -> Guess {
    if let Some(order) = unicode::utf32_bom(bytes) {
        return known(None, Evidence::Bom, Reason::Utf32 { order, bom: true });
    }
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return known(Some(encoding), Evidence::Bom, Reason::Bom);
    }
    let mut controls = 0;
    // Most texts have none of these signs.
    if !is_textual(bytes) {
        let mut scan = BinaryScan::new();
        scan.feed(bytes);
        // Without ASCII there may be no NUL, but then there are other control characters.
        if (scan.has_nul() || scan.controls() > 0)
            && let Some(guess) = of_units(bytes, complete)
        {
            return guess;
        }
        if let Some(binary) = scan.finish() {
            return known(None, Evidence::Detected, Reason::Binary(binary));
        }
        controls = scan.controls();
    }
    if ascii_len(simd::active(), bytes) == bytes.len() {
        if is_iso_2022_jp(bytes) {
            return known(Some(ISO_2022_JP), Evidence::Detected, Reason::Escapes);
        }
        let encoding = if options.allow_utf8 {
            UTF_8
        } else {
            WINDOWS_1252
        };
        return known(Some(encoding), Evidence::Fallback, Reason::Ascii);
    }
    // Not ASCII, as the step before has found: if all is valid UTF-8, that needs no second check.
    let is_utf8 = || validate_utf8(bytes).is_ok() || !complete && is_utf8(bytes, complete);
    if options.allow_utf8 && is_utf8() {
        let guess = known(Some(UTF_8), Evidence::Utf8Valid, Reason::Utf8);
        return Guess {
            confidence: if complete {
                Confidence::Certain
            } else {
                Confidence::Tentative
            },
            ..guess
        };
    }
    weigh(bytes, controls, options)
}

/// A guess that needs no weighing. A byte order mark is certain.
fn known(encoding: Option<&'static Encoding>, evidence: Evidence, reason: Reason) -> Guess {
    Guess {
        encoding,
        evidence,
        confidence: if evidence == Evidence::Bom {
            Confidence::Certain
        } else {
            Confidence::Tentative
        },
        reason,
        ranking: Ranking::default(),
    }
}

/// UTF-32 or UTF-16 without a byte order mark, to the end of it.
fn of_units(bytes: &[u8], complete: bool) -> Option<Guess> {
    if let Some(order) = unicode::utf32(bytes, complete) {
        let reason = Reason::Utf32 { order, bom: false };
        return Some(known(None, Evidence::Detected, reason));
    }
    let encoding = match unicode::utf16(bytes, complete)? {
        ByteOrder::Little => UTF_16LE,
        ByteOrder::Big => UTF_16BE,
    };
    let mut scan = BinaryScan::for_encoding(encoding);
    scan.feed(bytes);
    Some(match scan.finish() {
        Some(binary) => known(None, Evidence::Detected, Reason::Binary(binary)),
        None => known(Some(encoding), Evidence::Detected, Reason::CodeUnits),
    })
}

/// The most plausible of all encodings that are not recognised by other means.
fn weigh(bytes: &[u8], controls: u64, options: &Options<'_>) -> Guess {
    let mut sample = Sample::new(bytes, options.sample);
    let mut ranking = Ranking {
        expected: options.tld.and_then(tld::label_and_language).map(|it| it.1),
        ..Ranking::default()
    };
    let neighbours = single_byte::Neighbours::of(&mut sample);
    let start = neighbours.foreign_cost();
    multi_byte::rank(&sample, options.allow_utf8, start, &mut ranking);
    single_byte::rank(&neighbours, &mut ranking);
    let best = ranking.iter().next();
    if best.is_some_and(|best| !floor::is_plausible(best, &neighbours, &sample, controls)) {
        return Guess {
            ranking,
            ..known(None, Evidence::Detected, Reason::Implausible)
        };
    }
    let len: usize = sample.pieces.iter().map(|piece| piece.len()).sum();
    if len < bytes.len() {
        ranking = single_byte::tell_apart(bytes, &ranking);
    }
    let mut candidates = ranking.iter();
    let best = candidates.next().copied();
    let (mut encoding, language, cost) = best.map_or((WINDOWS_1252, "en", 0), |best| {
        (best.encoding, best.language, best.cost)
    });
    let second = candidates.next().map_or(cost, |second| second.cost);
    let mut reason = Reason::Plausible {
        language,
        margin: (second - cost) / 8,
    };
    let is_sound = best.is_some_and(|best| best.malformed == 0);
    if encoding == GBK && is_sound && sample.pieces.iter().any(|piece| has_four_bytes(piece)) {
        encoding = GB18030;
        reason = Reason::FourBytes;
    }
    Guess {
        encoding: Some(encoding),
        evidence: Evidence::Detected,
        confidence: Confidence::Tentative,
        reason,
        ranking,
    }
}

/// Whether this ASCII has an escape sequence for another set, and nothing in it is malformed in ISO-2022-JP, or little
/// for that many characters: where the way back to ASCII is lost, words of ASCII follow, and the spaces between them
/// are malformed. The end may be cut off.
fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    // Up to the first escape sequence nothing is shifted.
    let plain = (simd::active().unshifted_prefix())(bytes);
    let rest = bytes.get(plain..).unwrap_or_default();
    let special = |byte: &&u8| matches!(byte, 0x0E | 0x0F | 0x1B);
    let first = rest.iter().find(special);
    if first != Some(&0x1B) || !selects_another_set(rest) {
        return false;
    }
    let mut decoder = ISO_2022_JP.decoder(Bom::Keep);
    let mut text = [0; 1024];
    let (mut characters, mut malformed, mut rest) = (0, 0, rest);
    loop {
        let progress = decoder.decode_to_utf8(rest, &mut text, false);
        let written = text.get(..progress.written).unwrap_or_default();
        // Each U+FFFD is one, too.
        let others = written.iter().filter(|byte| **byte >= 0xC0).count();
        characters += others.saturating_sub(progress.errors);
        malformed += progress.errors;
        rest = rest.get(progress.read..).unwrap_or_default();
        if progress.status != Status::OutputFull {
            return malformed == 0 || characters >= PER_MALFORMED * malformed;
        }
    }
}

/// How many characters of ISO-2022-JP there must be for each malformed sequence.
const PER_MALFORMED: usize = 4;

/// Whether well-formed GBK has a four-byte character.
fn has_four_bytes(mut piece: &[u8]) -> bool {
    while let [lead, rest @ ..] = piece {
        piece = match (lead, rest.first()) {
            (0x00..=0x80 | 0xFF, _) => rest,
            (_, Some(b'0'..=b'9')) => return true,
            _ => rest.get(1..).unwrap_or_default(),
        };
    }
    false
}
