//! Bytes that come in pieces. Tested in `tests/detect/detector.rs`.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::fmt;

use super::binary::BinaryScan;
use super::{Guess, Options, Reason, detect, known, of_units, unicode};
use crate::encoding::Encoding;
use crate::sniff::Evidence;

/// Guesses the encoding of bytes that come in pieces. However they are cut, the answer is that of [`detect`]
/// for all of them in one piece.
///
/// The most plausible encoding is found from parts of the head, the middle and the tail of a text, and
/// where the middle is becomes known only at the end. So a detector keeps what it is fed, up to a
/// [limit](Detector::limit), unless the first bytes decide for all: a byte order mark, or signs of
/// binary data.
///
/// ```
/// use simdtext::detect::{Detector, Options};
/// use simdtext::{SHIFT_JIS, Unmappable};
///
/// let text = "すべての人間は、生れながらにして自由であり、";
/// let bytes = SHIFT_JIS.encode(text, Unmappable::Strict)?.bytes;
/// let mut detector = Detector::new(&Options::new());
/// for piece in bytes.chunks(5) {
///     if !detector.feed(piece) {
///         break;
///     }
/// }
/// assert_eq!(detector.finish().encoding, Some(SHIFT_JIS));
/// # Ok::<(), simdtext::EncodeError>(())
/// ```
#[doc(alias("EncodingDetector", "ucsdet_open"))]
#[derive(Clone)]
pub struct Detector<'a> {
    options: Options<'a>,
    limit: usize,
    /// What was fed, up to the limit.
    bytes: Vec<u8>,
    /// Whether there was more.
    is_cut: bool,
    scan: BinaryScan,
    /// Whether something other than padding follows the units that decide about UTF-16 and UTF-32.
    has_units: bool,
    looked_at_units: bool,
    decided: Option<Guess>,
}

impl<'a> Detector<'a> {
    /// A detector that was fed nothing and has no limit. It allocates nothing until it is fed.
    #[must_use]
    pub fn new(options: &Options<'a>) -> Self {
        Detector {
            options: *options,
            limit: usize::MAX,
            bytes: Vec::new(),
            is_cut: false,
            scan: BinaryScan::new(),
            has_units: false,
            looked_at_units: false,
            decided: None,
        }
    }

    /// Keeps no more than the first `bytes` bytes, and guesses from these: the answer for longer input is the
    /// one that [`detect`] gives for them when `complete` is false. Set it before feeding the detector.
    ///
    /// ```
    /// use simdtext::detect::{Detector, Options};
    ///
    /// let mut detector = Detector::new(&Options::new()).limit(1000);
    /// assert!(!detector.feed(&[0xE9; 5000]));
    /// ```
    #[must_use]
    pub fn limit(self, bytes: usize) -> Self {
        Detector {
            limit: bytes,
            ..self
        }
    }

    /// Makes room for the next `bytes` bytes, so that feeding them allocates nothing.
    ///
    /// # Errors
    ///
    /// There is not enough memory. The detector is as it was.
    ///
    /// ```
    /// use simdtext::detect::{Detector, Options};
    ///
    /// let mut detector = Detector::new(&Options::new());
    /// assert!(detector.try_reserve(usize::MAX).is_err());
    /// detector.try_reserve(3)?;
    /// detector.feed(b"abc");
    /// # Ok::<(), std::collections::TryReserveError>(())
    /// ```
    pub fn try_reserve(&mut self, bytes: usize) -> Result<(), TryReserveError> {
        let room = self.limit.saturating_sub(self.bytes.len());
        if self.decided.is_some() {
            return Ok(());
        }
        self.bytes.try_reserve(bytes.min(room))
    }

    /// Takes the next bytes. Returns whether it needs more: `false` once nothing that follows can change the
    /// answer.
    pub fn feed(&mut self, bytes: &[u8]) -> bool {
        if self.decided.is_some() {
            return false;
        }
        let room = self.limit.saturating_sub(self.bytes.len());
        let taken = bytes.get(..room).unwrap_or(bytes);
        self.is_cut |= taken.len() < bytes.len();
        let before = self.bytes.len();
        self.bytes.extend_from_slice(taken);
        let is_binary = !self.scan.feed(taken);
        let completes = |len: usize| before < len && self.bytes.len() >= len;
        if (completes(BYTES_TO_TELL_MARK) || completes(BYTES_TO_TELL_UTF32)) && self.is_marked() {
            self.decided = Some(detect(&self.bytes, false, &self.options));
        }
        self.has_units = self.has_units || self.has_units_since(before);
        if self.decided.is_none() && is_binary && self.has_units && !self.looked_at_units {
            self.looked_at_units = true;
            let binary = self.scan.finish().map(Reason::Binary);
            self.decided = binary
                .filter(|_| of_units(&self.bytes, false).is_none())
                .map(|reason| known(None, Evidence::Detected, reason));
        }
        self.decided.is_none() && !self.is_cut
    }

    /// The guess for the bytes fed so far, if more follow. Takes as long as [`detect`] for all of them.
    ///
    /// ```
    /// use simdtext::UTF_8;
    /// use simdtext::detect::{Detector, Options};
    ///
    /// let mut detector = Detector::new(&Options::new());
    /// detector.feed("naï".as_bytes());
    /// assert_eq!(detector.guess().encoding, Some(UTF_8));
    /// ```
    #[must_use]
    pub fn guess(&self) -> Guess {
        self.answer(false)
    }

    /// The guess for the bytes fed, if nothing follows.
    ///
    /// ```
    /// use simdtext::UTF_8;
    /// use simdtext::detect::{Detector, Options};
    ///
    /// let mut detector = Detector::new(&Options::new());
    /// detector.feed("naïve".as_bytes());
    /// assert_eq!(detector.finish().encoding, Some(UTF_8));
    /// ```
    #[must_use]
    pub fn finish(&self) -> Guess {
        self.answer(!self.is_cut)
    }

    /// Forgets what it was fed, and keeps the memory for reuse.
    ///
    /// ```
    /// use simdtext::detect::{Detector, Options};
    ///
    /// let mut detector = Detector::new(&Options::new());
    /// detector.feed(b"\xFE\xFF\0a");
    /// detector.reset();
    /// assert!(detector.feed(b"a"));
    /// ```
    pub fn reset(&mut self) {
        self.bytes.clear();
        self.is_cut = false;
        self.scan = BinaryScan::new();
        (self.has_units, self.looked_at_units) = (false, false);
        self.decided = None;
    }

    fn answer(&self, complete: bool) -> Guess {
        self.decided
            .unwrap_or_else(|| detect(&self.bytes, complete, &self.options))
    }

    /// Whether it begins with a byte order mark, whatever follows.
    fn is_marked(&self) -> bool {
        let of_utf32 = unicode::utf32_bom(&self.bytes).is_some();
        let is_mark = of_utf32 || Encoding::for_bom(&self.bytes).is_some();
        is_mark && (!of_utf32 || self.bytes.len() >= BYTES_TO_TELL_UTF32)
    }

    /// Whether bytes from this offset on are in units after those that decide about UTF-16 and UTF-32, and
    /// are not padding.
    fn has_units_since(&self, offset: usize) -> bool {
        // The last bytes may be in an incomplete unit.
        let whole = self.bytes.len().saturating_sub(3);
        let from = offset.saturating_sub(3).max(BYTES_TO_TELL_UTF32);
        let late = self.bytes.get(from..whole).unwrap_or_default();
        late.iter().any(|byte| !matches!(byte, 0 | 0x1A))
    }
}

/// How much it was fed, not the bytes themselves.
impl fmt::Debug for Detector<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Detector")
            .field("options", &self.options)
            .field("limit", &self.limit)
            .field("kept_bytes", &self.bytes.len())
            .field("decided", &self.decided)
            .finish_non_exhaustive()
    }
}

/// The number of bytes that decide about each byte order mark, except whether it is that of UTF-32.
const BYTES_TO_TELL_MARK: usize = 4;

/// The number of bytes that decide whether it is that of UTF-32. This is more than it takes to decide about
/// UTF-16 and UTF-32 without a mark.
const BYTES_TO_TELL_UTF32: usize = 4 * (1 + unicode::MAX_UNITS);
