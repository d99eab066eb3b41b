//! Maps positions in decoded text to the bytes that they came from, and back (feature `alloc`).
//!
//! A search index contains UTF-8; the file that is shown to the user may be in another encoding. An
//! [`OffsetMap`] is filled while a document is decoded. It records one position for every [64
//! KiB](DEFAULT_SPACING), in 16 bytes, and nothing for a shorter document. Look-ups are exact: a look-up
//! decodes at most the bytes between two of these positions again, which takes up to some tens of
//! microseconds, so it needs the document.
//!
//! ```
//! use simdtext::offsets::OffsetMap;
//! use simdtext::{Bom, WINDOWS_1251};
//!
//! let file = b"\xCC\xEE\xF1\xEA\xE2\xE0: +25 \xB0C";
//! let (mut map, mut text) = (OffsetMap::new(), String::new());
//! map.decode(WINDOWS_1251, file, &mut text, Bom::Sniff);
//! assert_eq!(text, "Москва: +25 °C");
//!
//! let hit = text.find("°C").unwrap() as u64;
//! assert_eq!(hit, 18);
//! assert_eq!(map.source_range(file, hit..hit + 3), Some(12..14));
//! assert_eq!(map.text_offset(file, 12), Some(hit));
//! ```
//!
//! # What maps to what
//!
//! All offsets are in bytes, from the start of the text (UTF-8) and of the source, where a byte order
//! mark counts.
//!
//! | in the text | in the source |
//! |---|---|
//! | a byte of a character | the sequence that the character was decoded from |
//! | a byte of a U+FFFD written for a malformed sequence | that sequence, as [`Malformed`](crate::Malformed) has it |
//! | a byte of either character of a sequence that stands for two (in Big5) | that sequence |
//! | the end of the text | the end of the source |
//! | the next character | a byte order mark, an escape sequence, bytes that the replacement encoding drops |
//!
//! # Storing it
//!
//! [`OffsetMap::to_bytes`] and [`OffsetMap::from_bytes`] store a map and read it back, and so does serde
//! with the feature `serde`. The stored form has a version number.
//!
//! # What it can't do
//!
//! It maps the text that the decoder wrote. A caller that changes the text (line ends, case, an escape
//! for a malformed byte) must adjust the offsets. The map can't tell whether the source has changed
//! since: if it has, the results are wrong, but nothing panics.
//!
//! Tested in `tests/offsets` against a model that feeds a decoder byte by byte; `cargo bench --bench
//! indexing` measures what recording costs.

#[cfg(feature = "std")]
mod file;
mod lookup;
mod recorded;
mod saved;
mod walk;

use alloc::vec::Vec;
use core::fmt;

pub use saved::OffsetMapError;

use crate::codec::{AnyDecoder, Codec};
use crate::encoding::{Encoding, UTF_8};

/// The number of bytes of the source between two places that an [`OffsetMap`] remembers, unless
/// [`OffsetMap::with_spacing`] sets another number. Recording then adds less than a twentieth to the time that
/// decoding takes, even for UTF-8.
pub const DEFAULT_SPACING: usize = 64 * 1024;

/// The minimum for [`OffsetMap::with_spacing`], in bytes of the source: a place every few characters.
pub const MIN_SPACING: usize = 16;

/// Maps offsets in decoded text to offsets in its source, and back; see the [module](self).
///
/// ```
/// use simdtext::offsets::OffsetMap;
/// use simdtext::{Bom, EUC_JP};
///
/// let source = b"\xC6\xFC\xCB\xDC";
/// let (mut map, mut text) = (OffsetMap::new(), String::new());
/// map.decode(EUC_JP, source, &mut text, Bom::Sniff);
/// assert_eq!(text, "日本");
/// assert_eq!(map.source_range(source, 3..6), Some(2..4), "the bytes of 本");
/// ```
///
/// One map can serve one document after another: each decoding forgets the previous document and reuses
/// its memory.
#[derive(Clone)]
pub struct OffsetMap {
    /// Not a `usize`, because a map may have been stored on a machine where that is wider.
    spacing: u64,
    /// The decoder's encoding, once it is decided.
    encoding: &'static Encoding,
    /// Whether a byte order mark of that encoding was removed, if there was one.
    removes_bom: bool,
    /// In order. Before the first place, a look-up starts after the byte order mark.
    places: Vec<Place>,
    /// The decoder's state at each place; empty for an encoding whose decoder has no state.
    states: Vec<AnyDecoder>,
    /// Bytes decoded.
    source_len: u64,
    /// Bytes of text.
    text_len: u64,
    /// Whether the document is decoded to its end.
    finished: bool,
}

/// A place between two items. Bytes that the decoder held there come after it.
#[derive(Clone, Copy)]
struct Place {
    source: u64,
    text: u64,
}

impl OffsetMap {
    /// A map that remembers a place every [`DEFAULT_SPACING`] bytes of the source. Allocates nothing
    /// until a document is longer.
    #[must_use]
    pub fn new() -> Self {
        Self::with_spacing(DEFAULT_SPACING)
    }

    /// A map that remembers a place every `spacing` bytes of the source, at least [`MIN_SPACING`].
    ///
    /// A look-up decodes up to that many bytes again. A place takes 16 bytes of memory (32 in
    /// ISO-2022-JP and replacement), so with a spacing of 4096 the map is less than a hundredth of the
    /// text's size. Decoding pauses for a moment at each place.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let (mut map, mut text) = (OffsetMap::with_spacing(4096), String::new());
    /// map.decode(KOI8_R, &[0xCD; 10_000], &mut text, Bom::Sniff);
    /// assert_eq!((map.source_len(), map.text_len()), (10_000, 20_000));
    /// assert!(map.allocated() > 0);
    /// ```
    #[must_use]
    pub fn with_spacing(bytes: usize) -> Self {
        OffsetMap {
            spacing: bytes.max(MIN_SPACING) as u64,
            encoding: UTF_8,
            removes_bom: false,
            places: Vec::new(),
            states: Vec::new(),
            source_len: 0,
            text_len: 0,
            finished: false,
        }
    }

    /// The encoding of the document, which a byte order mark may have decided.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, GBK, UTF_8};
    ///
    /// let (mut map, mut text) = (OffsetMap::new(), String::new());
    /// map.decode(GBK, b"\xEF\xBB\xBFa", &mut text, Bom::Sniff);
    /// assert_eq!((map.encoding(), map.source_len(), map.text_len()), (UTF_8, 4, 1));
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// The length of the source so far, in bytes.
    #[must_use]
    pub fn source_len(&self) -> u64 {
        self.source_len
    }

    /// The length of the text so far, in bytes of UTF-8.
    #[must_use]
    pub fn text_len(&self) -> u64 {
        self.text_len
    }

    /// The number of bytes of memory allocated.
    #[must_use]
    pub fn allocated(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
            + self.states.capacity() * size_of::<AnyDecoder>()
    }
}

impl Default for OffsetMap {
    fn default() -> Self {
        Self::new()
    }
}

/// The number of places, not the places themselves.
impl fmt::Debug for OffsetMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OffsetMap")
            .field("encoding", &self.encoding)
            .field("source_len", &self.source_len)
            .field("text_len", &self.text_len)
            .field("finished", &self.finished)
            .field("spacing", &self.spacing)
            .field("places", &self.places.len())
            .finish_non_exhaustive()
    }
}

/// Whether a decoder of this encoding has a state between two items.
fn has_states(encoding: &'static Encoding) -> bool {
    matches!(encoding.codec(), Codec::Iso2022Jp | Codec::Replacement)
}
