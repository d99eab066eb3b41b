//! Recognises bytes that are not text at all by their control characters.
//!
//! Text has few control characters: those that end lines and pages, overstrike and ring the bell (07 to
//! 0D), those with which ISO-2022-JP and terminals shift (SO, SI, ESC), DEL in some indexes. The rest of
//! C0, and NUL above all, are signs of something else: in compressed data every tenth byte is one of them,
//! and numbers and addresses are full of NUL.
//!
//! What counts is how many are close to each other, because binary data may follow a long header of text.
//! So they are counted in windows of [`WINDOW`] bytes; counts over all of the input only find those that
//! are spread thin. The figures behind the limits are in `docs/detection.md`. Tested in
//! `tests/detect/binary.rs`.

use core::fmt;

use crate::encoding::{Encoding, UTF_16BE, UTF_16LE};
use crate::simd;

/// The bytes, or units of UTF-16, that are counted together.
const WINDOW: usize = 256;
/// A window with this many NULs or more is binary.
const NULS: u64 = 4;
/// This many NULs in a row, or more, are a hole, as a crash or the rotation of a log leaves in text, and not
/// a sign of binary data.
const HOLE: u64 = 256;
/// Text may have two holes, and one more for each of this number of bytes.
const PER_HOLE: u64 = 4096;
/// A window with this many control characters or more is binary, if they are of [`KINDS`] kinds or more.
/// Separators in Hive's tables (01 to 03) and colour codes in chats may be frequent, but are of few kinds.
const SIGNS: u64 = 8;
/// The number of different control characters, see [`SIGNS`].
const KINDS: u32 = 5;
/// One NUL in this number of bytes, over the whole input, is accepted as an accident.
const PER_NUL: u64 = 8192;
/// By the number of different control characters: an input is binary if one in this number of bytes is a
/// control character, and if it is no longer than this. Longer ones may be tables with two or three separators.
const SPREAD: [(u64, u64); 7] = [
    (0, 0),
    (8, 16),
    (16, 48),
    (32, 128),
    (48, 512),
    (48, u64::MAX),
    (128, u64::MAX),
];

/// The sign that bytes are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Binary {
    /// The kind of sign.
    pub sign: Sign,
    /// The offset of the first one, in bytes from the start.
    pub offset: u64,
    /// How many there were when this was decided; later ones are not counted.
    pub count: u64,
}

/// A sign that bytes are not text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sign {
    /// NUL bytes, or units of UTF-16 that are 0.
    Nul,
    /// Control characters other than those of lines, pages, terminals and ISO-2022-JP.
    Control,
}

impl fmt::Display for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, plural) = match self.sign {
            Sign::Nul => ("NUL byte", "s"),
            Sign::Control => ("control character", "s"),
        };
        let plural = if self.count == 1 { "" } else { plural };
        let Binary { count, offset, .. } = self;
        write!(
            f,
            "{count} {sign}{plural} that text does not have, from offset {offset} on"
        )
    }
}

/// Looks for signs that bytes are not text, piece by piece.
///
/// It allocates nothing, and the result does not depend on how the input is cut. NUL and Ctrl-Z (1A) at
/// the end are padding, however long.
///
/// ```
/// use simdtext::detect::{BinaryScan, Sign};
///
/// let mut scan = BinaryScan::new();
/// scan.feed(b"A header\n");
/// scan.feed(b"\x01\0\0\0\x80\x3F\0\0\0\0\xA0\x40\0\0\x01\x02");
/// let binary = scan.finish().unwrap();
/// assert_eq!((binary.sign, binary.offset), (Sign::Nul, 10));
///
/// let mut scan = BinaryScan::new();
/// scan.feed(b"\x1B[1mbold\x1B[0m, and a last block that is filled up\n\0\0\0\0\0\0");
/// assert_eq!(scan.finish(), None);
/// ```
#[derive(Clone, Debug)]
pub struct BinaryScan {
    units: UnitKind,
    /// The first half of a unit that is cut between two pieces.
    half: Option<u8>,
    /// Bytes, or units, so far.
    len: u64,
    /// How many of the last ones may be padding.
    padding: Padding,
    window: Signs,
    /// The previous window.
    before: Signs,
    total: Signs,
    /// The number of runs of NUL that are as long as [`HOLE`] and not padding.
    holes: u64,
    in_holes: u64,
    has_nul: bool,
    first_nul: Option<u64>,
    first_control: Option<u64>,
    found: Option<Sign>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UnitKind {
    Bytes,
    Utf16Le,
    Utf16Be,
}

#[derive(Clone, Copy, Debug, Default)]
struct Padding {
    nuls: u64,
    ends: u64,
}

#[derive(Clone, Copy, Debug)]
struct Signs {
    nuls: u64,
    controls: u64,
    /// A bit for each C0 control character.
    kinds: u32,
}

/// Whether none of the bytes is a sign of binary data. Without kernels the answer may be `false` even then.
pub(super) fn is_textual(bytes: &[u8]) -> bool {
    (simd::active().textual_prefix())(bytes) == bytes.len()
}

impl Default for BinaryScan {
    fn default() -> Self {
        Self::new()
    }
}

impl BinaryScan {
    /// For bytes in an encoding that has ASCII in single bytes, or in an unknown encoding.
    #[must_use]
    pub const fn new() -> Self {
        Self::of_units(UnitKind::Bytes)
    }

    /// For bytes that are said to be in this encoding: in UTF-16LE and UTF-16BE control characters are
    /// units, in all others bytes.
    #[must_use]
    pub fn for_encoding(encoding: &'static Encoding) -> Self {
        Self::of_units(if encoding == UTF_16LE {
            UnitKind::Utf16Le
        } else if encoding == UTF_16BE {
            UnitKind::Utf16Be
        } else {
            UnitKind::Bytes
        })
    }

    const fn of_units(units: UnitKind) -> Self {
        BinaryScan {
            units,
            half: None,
            len: 0,
            padding: Padding { nuls: 0, ends: 0 },
            window: Signs::NONE,
            before: Signs::NONE,
            total: Signs::NONE,
            holes: 0,
            in_holes: 0,
            has_nul: false,
            first_nul: None,
            first_control: None,
            found: None,
        }
    }

    /// Takes the next bytes. Returns whether it needs more: `false` once enough was found, whatever
    /// follows.
    ///
    /// ```
    /// use simdtext::detect::BinaryScan;
    ///
    /// let mut scan = BinaryScan::new();
    /// assert!(scan.feed(b"text"));
    /// assert!(scan.finish().is_none());
    /// ```
    pub fn feed(&mut self, bytes: &[u8]) -> bool {
        match self.units {
            UnitKind::Bytes => self.feed_bytes(bytes),
            UnitKind::Utf16Le => self.feed_units(bytes, u16::from_le_bytes),
            UnitKind::Utf16Be => self.feed_units(bytes, u16::from_be_bytes),
        }
        self.found.is_none()
    }

    /// The sign that the bytes fed so far are not text; `None` if there is none.
    #[must_use]
    pub fn finish(&self) -> Option<Binary> {
        let sign = self.found.or_else(|| self.verdict())?;
        let total = self.total.with(&self.window);
        let (first, count) = match sign {
            Sign::Nul => (
                self.first_nul,
                total.nuls.max(self.padding.nuls).max(self.in_holes),
            ),
            Sign::Control => (self.first_control, total.controls),
        };
        let width = if self.units == UnitKind::Bytes { 1 } else { 2 };
        Some(Binary {
            sign,
            offset: first.unwrap_or(0) * width,
            count,
        })
    }

    /// Whether there was a NUL, padding included.
    pub(super) fn has_nul(&self) -> bool {
        self.has_nul
    }

    /// The number of control characters that text does not have, without padding.
    pub(super) fn controls(&self) -> u64 {
        self.total.with(&self.window).controls
    }

    fn feed_bytes(&mut self, mut bytes: &[u8]) {
        while self.found.is_none() && !bytes.is_empty() {
            let textual = if self.is_padded() {
                0
            } else {
                (simd::active().textual_prefix())(bytes)
            };
            let (text, rest) = bytes.split_at(textual);
            self.pass(text.len());
            // To the end of the window: one sign is rarely alone.
            let room = WINDOW - self.filled();
            let (part, rest) = rest.split_at(room.min(rest.len()));
            bytes = rest;
            if self.found.is_none() {
                self.add(part);
            }
        }
    }

    /// Goes on over bytes that have no signs.
    fn pass(&mut self, len: usize) {
        let room = WINDOW - self.filled();
        if len < room {
            self.len += len as u64;
            return;
        }
        self.len += room as u64;
        self.end_window();
        let len = len - room;
        self.len += len as u64;
        if len >= WINDOW {
            self.before = Signs::NONE;
        }
    }

    /// Treats the low bytes of ASCII units like bytes.
    fn feed_units(&mut self, mut bytes: &[u8], unit: fn([u8; 2]) -> u16) {
        let narrow = |pair: [u8; 2]| u8::try_from(unit(pair)).unwrap_or(0xFF);
        if let (Some(first), Some((second, rest))) = (self.half, bytes.split_first()) {
            self.half = None;
            bytes = rest;
            self.feed_bytes(&[narrow([first, *second])]);
        }
        let (pairs, half) = bytes.as_chunks::<2>();
        if let Some(half) = half.first() {
            self.half = Some(*half);
        }
        for pairs in pairs.chunks(WINDOW) {
            if self.found.is_some() {
                return;
            }
            let mut low = [0; WINDOW];
            for (low, pair) in low.iter_mut().zip(pairs) {
                *low = narrow(*pair);
            }
            self.feed_bytes(&low[..pairs.len()]);
        }
    }

    /// How much of the window was seen.
    fn filled(&self) -> usize {
        // A remainder fits in any integer.
        (self.len % WINDOW as u64) as usize
    }

    /// Bytes of one window.
    fn add(&mut self, part: &[u8]) {
        if part.is_empty() {
            return;
        }
        if part.iter().fold(0, |all, byte| all | byte) == 0 {
            self.has_nul = true;
            self.padding.nuls += part.len() as u64;
            self.len += part.len() as u64;
        } else {
            self.add_signs(part);
        }
        if self.filled() == 0 {
            self.end_window();
        }
    }

    fn is_padded(&self) -> bool {
        self.padding.nuls + self.padding.ends > 0
    }

    fn add_signs(&mut self, part: &[u8]) {
        for byte in part {
            match *byte {
                0 => {
                    self.has_nul = true;
                    self.padding.nuls += 1;
                }
                0x1A => {
                    self.padding.ends += 1;
                }
                byte => {
                    if self.is_padded() {
                        self.take_padding();
                    }
                    if is_binary_control(byte) {
                        self.first_control.get_or_insert(self.len);
                        self.window.controls += 1;
                        self.window.kinds |= 1 << byte;
                    }
                }
            }
            self.len += 1;
        }
    }

    /// Counts what was taken for padding, because something follows it.
    fn take_padding(&mut self) {
        let Padding { nuls, ends } = core::mem::take(&mut self.padding);
        if nuls >= HOLE && ends == 0 {
            self.holes += 1;
            self.in_holes += nuls;
            return;
        }
        let start = self.len - nuls - ends;
        if nuls > 0 {
            self.first_nul.get_or_insert(start);
        }
        if ends > 0 {
            self.first_control.get_or_insert(start);
        }
        self.window.nuls += nuls;
        self.window.controls += ends;
        self.window.kinds |= u32::from(nuls > 0) | u32::from(ends > 0) << 0x1A;
    }

    fn end_window(&mut self) {
        let window = core::mem::replace(&mut self.window, Signs::NONE);
        if window.kinds == 0 {
            self.before = window;
            return;
        }
        self.total = self.total.with(&window);
        self.found = window.verdict(&self.before);
        self.before = window;
    }

    /// The verdict on all of the input.
    fn verdict(&self) -> Option<Sign> {
        let total = self.total.with(&self.window);
        let len = self.len - self.padding.nuls - self.padding.ends - self.in_holes;
        if len == 0 {
            return (self.padding.nuls > 0).then_some(Sign::Nul);
        }
        if let Some(sign) = self.window.verdict(&self.before) {
            return Some(sign);
        }
        let kinds = total.kinds.count_ones() as usize;
        let (per_sign, longest) = SPREAD[kinds.min(SPREAD.len() - 1)];
        if total.nuls > len / PER_NUL || self.holes > 2 + len / PER_HOLE {
            Some(Sign::Nul)
        } else if len <= longest && total.controls * per_sign >= len {
            Some(Sign::Control)
        } else {
            None
        }
    }
}

impl Signs {
    const NONE: Self = Signs {
        nuls: 0,
        controls: 0,
        kinds: 0,
    };

    /// The verdict on this window and the one before, so that it does not matter where windows begin.
    fn verdict(&self, before: &Self) -> Option<Sign> {
        let nuls = self.nuls + before.nuls;
        let signs = nuls + self.controls + before.controls;
        let kinds = (self.kinds | before.kinds).count_ones();
        if nuls >= NULS {
            Some(Sign::Nul)
        } else if signs >= SIGNS && kinds >= KINDS {
            Some(Sign::Control)
        } else {
            None
        }
    }

    fn with(self, window: &Self) -> Self {
        Signs {
            nuls: self.nuls + window.nuls,
            controls: self.controls + window.controls,
            kinds: self.kinds | window.kinds,
        }
    }
}

/// Whether a byte is a control character that text does not have: NUL to ACK (00 to 06), and DLE to US
/// (10 to 1F) except ESC (1B). The rest of C0 ends lines and pages, moves the cursor of a terminal, or shifts
/// in ISO-2022-JP.
///
/// A text may nevertheless contain a few; [`BinaryScan`] decides how many. NUL counts here.
///
/// ```
/// use simdtext::detect::is_binary_control;
///
/// let in_text = (0..=0xFF).filter(|byte| !is_binary_control(*byte));
/// assert!(in_text.eq((0x07..=0x0F).chain([0x1B]).chain(0x20..=0xFF)));
/// ```
#[must_use]
#[inline(always)]
pub const fn is_binary_control(byte: u8) -> bool {
    // As in the kernel.
    (byte < 0x07) | ((byte & 0xF0 == 0x10) & (byte != 0x1B))
}
