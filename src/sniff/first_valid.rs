//! "UTF-8 if valid, else the first of a list that decodes without error", over a stream.
//!
//! [`FirstValid`] assumes nothing about the input and keeps none of it: its state is a decoder for each
//! encoding that has not failed yet. So a file of any size can be decided in a first pass and converted
//! in a second. Tested in `tests/sniff/mixed.rs`.

use core::fmt;

use crate::codec::ESC;
use crate::decoder::Decoder;
use crate::encoding::{ENCODINGS, Encoding, UTF_8};
use crate::progress::{Bom, Malformed, Status};

/// The number of bytes decoded at a time; the text is thrown away.
const ROOM: usize = 4096;

/// One of the encodings that a [`FirstValid`] tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Tried {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// The first malformed sequence, if there was one. Its offset is in bytes from the start of the
    /// stream.
    pub failed: Option<Malformed>,
}

/// Finds the first encoding of a list in which a stream has no malformed sequence. UTF-8 is tried
/// first, whether it is in the list or not.
///
/// An encoding in which every byte is a character, such as windows-1252, can't fail; encodings after it
/// in the list are never the answer and are not tried.
///
/// ISO-2022-JP consists of ASCII bytes: if it is in the list, ASCII with its escape sequences, none
/// malformed, counts as ISO-2022-JP and not as UTF-8.
///
/// A byte order mark decides nothing here, and is not an error in the encoding that it belongs to. If a
/// mark should win, call [`Encoding::for_bom`] first.
///
/// ```
/// use simdtext::sniff::FirstValid;
/// use simdtext::{SHIFT_JIS, UTF_8, WINDOWS_1252};
///
/// let mut first = FirstValid::new(&[SHIFT_JIS, WINDOWS_1252]);
/// first.feed(b"\x93");
/// first.feed(b"\xFA\x96{");
/// assert_eq!(first.finish(), Some(SHIFT_JIS));
/// let utf8 = first.tried().next().unwrap();
/// assert_eq!((utf8.encoding, utf8.failed.unwrap().offset), (UTF_8, 0));
///
/// assert_eq!(FirstValid::new(&[SHIFT_JIS]).decide(b"\xFF"), None);
/// ```
#[derive(Clone)]
pub struct FirstValid {
    /// Whether the stream is only ASCII so far, and whether it has an escape character.
    is_ascii: bool,
    has_escapes: bool,
    /// In the order of the list. There is room for all encodings, and none is in it twice.
    candidates: [Option<Attempt>; ENCODINGS],
}

#[derive(Clone)]
struct Attempt {
    tried: Tried,
    /// `None` if no input is malformed in this encoding.
    decoder: Option<Decoder>,
}

impl fmt::Debug for FirstValid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tried()).finish()
    }
}

impl FirstValid {
    /// Begins a stream that is UTF-8 or else one of `list`. Duplicates in the list are tried once.
    #[must_use]
    pub fn new(list: &[&'static Encoding]) -> Self {
        let mut candidates = [const { None }; ENCODINGS];
        let mut len = 0;
        for (i, encoding) in [UTF_8].iter().chain(list).copied().enumerate() {
            if i > 0 && (encoding == UTF_8 || list[..i - 1].contains(&encoding)) {
                continue;
            }
            let Some(slot) = candidates.get_mut(len) else {
                break;
            };
            let fails = can_fail(encoding);
            *slot = Some(Attempt {
                tried: Tried {
                    encoding,
                    failed: None,
                },
                decoder: fails.then(|| encoding.decoder(Bom::Strip)),
            });
            len += 1;
            if !fails {
                break;
            }
        }
        FirstValid {
            is_ascii: true,
            has_escapes: false,
            candidates,
        }
    }

    /// Takes the next bytes of the stream. Returns whether it needs more: `false` once nothing that follows can change
    /// the answer.
    ///
    /// ```
    /// use simdtext::sniff::FirstValid;
    /// use simdtext::{SHIFT_JIS, WINDOWS_1252};
    ///
    /// let mut first = FirstValid::new(&[SHIFT_JIS, WINDOWS_1252]);
    /// assert!(first.feed(b"caf\xE9"));
    /// assert!(!first.feed(b"\n"));
    /// assert_eq!(first.finish(), Some(WINDOWS_1252));
    /// ```
    pub fn feed(&mut self, chunk: &[u8]) -> bool {
        self.decode(chunk, false);
        !self.is_decided()
    }

    /// Ends the stream: an unfinished sequence at its end is malformed. Returns the first encoding in which
    /// nothing was malformed. This does not reset the state; begin a new stream with [`FirstValid::new`].
    pub fn finish(&mut self) -> Option<&'static Encoding> {
        self.decode(&[], true);
        self.first_valid_so_far()
    }

    /// Decides a stream that is all in one slice.
    ///
    /// ```
    /// use simdtext::sniff::FirstValid;
    /// use simdtext::{EUC_JP, SHIFT_JIS};
    ///
    /// let bytes = b"\x93\xFA\x96{";
    /// assert_eq!(FirstValid::new(&[EUC_JP, SHIFT_JIS]).decide(bytes), Some(SHIFT_JIS));
    /// ```
    #[must_use]
    pub fn decide(mut self, bytes: &[u8]) -> Option<&'static Encoding> {
        self.decode(bytes, true);
        self.first_valid_so_far()
    }

    /// The first encoding of the list in which nothing was malformed so far; ISO-2022-JP comes before all others if
    /// the stream is only ASCII so far, with escape characters.
    #[must_use]
    pub fn first_valid_so_far(&self) -> Option<&'static Encoding> {
        let is_escaped = self.is_ascii && self.has_escapes;
        let mut valid = self.tried().filter(|tried| tried.failed.is_none());
        let first = valid.next()?.encoding;
        let escaped = || valid.find(|tried| tried.encoding.is_iso_2022_jp());
        let escaped = is_escaped.then(escaped).flatten();
        Some(escaped.map_or(first, |tried| tried.encoding))
    }

    /// Whether more input can't change the answer, so that a caller may stop reading: all encodings
    /// have failed, or all before one that can't.
    ///
    /// ```
    /// use simdtext::sniff::FirstValid;
    ///
    /// let mut first = FirstValid::new(&[]);
    /// assert!(!first.is_decided());
    /// first.feed(b"\xFF");
    /// assert!(first.is_decided());
    /// ```
    #[must_use]
    pub fn is_decided(&self) -> bool {
        let mut candidates = self.candidates.iter().flatten();
        candidates.all(|candidate| candidate.tried.failed.is_some() || candidate.decoder.is_none())
    }

    /// The encodings that are tried, in order, and where each has failed, if it has.
    ///
    /// ```
    /// use simdtext::sniff::FirstValid;
    /// use simdtext::{SHIFT_JIS, UTF_8};
    ///
    /// let mut first = FirstValid::new(&[SHIFT_JIS]);
    /// first.feed(b"a\xFF");
    /// assert_eq!(first.tried().next().unwrap().encoding, UTF_8);
    /// ```
    pub fn tried(&self) -> impl Iterator<Item = Tried> + '_ {
        let candidates = self.candidates.iter().flatten();
        candidates.map(|candidate| candidate.tried)
    }

    fn decode(&mut self, chunk: &[u8], last: bool) {
        self.is_ascii &= chunk.is_ascii();
        self.has_escapes |= self.is_ascii && chunk.contains(&ESC);
        for candidate in self.candidates.iter_mut().flatten() {
            if candidate.tried.failed.is_none()
                && let Some(decoder) = &mut candidate.decoder
            {
                candidate.tried.failed = first_malformed(decoder, chunk, last);
            }
        }
    }
}

/// Decodes `src` and throws the text away. Stops at the first malformed sequence and returns it.
pub(super) fn first_malformed(
    decoder: &mut Decoder,
    mut src: &[u8],
    last: bool,
) -> Option<Malformed> {
    let mut text = [core::mem::MaybeUninit::uninit(); ROOM];
    loop {
        let progress = decoder.decode_to_utf8_strict_uninit(src, &mut text, last);
        src = src.get(progress.read..).unwrap_or_default();
        match progress.status {
            Status::Malformed(malformed) => return Some(malformed),
            Status::OutputFull => {}
            Status::InputEmpty | Status::Unmappable { .. } => return None,
        }
    }
}

/// Whether any input is malformed in this encoding.
fn can_fail(encoding: &'static Encoding) -> bool {
    let mut decoder = encoding.decoder(Bom::Keep);
    let every_byte: [u8; 256] = core::array::from_fn(|byte| byte as u8);
    !encoding.is_single_byte() || first_malformed(&mut decoder, &every_byte, true).is_some()
}

#[cfg(all(test, feature = "legacy-cjk", feature = "legacy-single-byte"))]
mod tests {
    use super::*;
    use crate::encoding::UTF_16BE;

    #[test]
    fn room_for_all_encodings() {
        assert_eq!(Encoding::all().len(), ENCODINGS);
        assert!(can_fail(UTF_16BE));
    }
}
