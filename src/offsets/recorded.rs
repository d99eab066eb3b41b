//! Decoding that is remembered.

use alloc::collections::TryReserveError;
use alloc::string::String;
use core::mem::MaybeUninit;

use super::{OffsetMap, Place, has_states};
use crate::convert::{append_all, reserve_for};
use crate::decoder::Decoder;
use crate::encoding::Encoding;
use crate::progress::{Bom, Progress, Status};
use crate::simd::write_only;

impl OffsetMap {
    /// Forgets the document, and keeps the memory.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, GBK};
    ///
    /// let (mut map, mut text) = (OffsetMap::new(), String::new());
    /// map.decode(GBK, b"abc", &mut text, Bom::Sniff);
    /// map.clear();
    /// assert_eq!(map.source_len(), 0);
    /// ```
    pub fn clear(&mut self) {
        self.places.clear();
        self.states.clear();
        self.source_len = 0;
        self.text_len = 0;
        self.finished = false;
    }

    /// Decodes a whole document and appends its text to `text`, which grows as needed. Malformed
    /// sequences become U+FFFD; their number is returned. Offsets in the text count from the start of
    /// the document.
    ///
    /// The map forgets what it held before.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let (mut map, mut text) = (OffsetMap::new(), String::new());
    /// assert_eq!(map.decode(KOI8_R, b"\xCD\xC9\xD2", &mut text, Bom::Sniff), 0);
    /// assert_eq!(text, "мир");
    /// assert_eq!(map.source_offset(b"\xCD\xC9\xD2", 2), Some(1));
    /// ```
    pub fn decode(
        &mut self,
        encoding: &'static Encoding,
        source: &[u8],
        text: &mut String,
        bom: Bom,
    ) -> usize {
        self.clear();
        self.decode_all_to_string(&mut encoding.decoder(bom), source, text)
    }

    /// [`Decoder::decode_all_to_string`], recorded in the map: decodes `src`, the rest of a stream whose
    /// earlier pieces, if any, went through this map too.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{BIG5, Bom, ISO_8859_7, UTF_8};
    ///
    /// // One decoder, one map and one string for all documents.
    /// let (mut decoder, mut map) = (UTF_8.decoder(Bom::Sniff), OffsetMap::new());
    /// let mut text = String::new();
    /// for (encoding, document) in [(ISO_8859_7, &b"\xE1\xE2"[..]), (BIG5, b"\xA4\xA4\xA4\xE5")] {
    ///     text.clear();
    ///     decoder.reset_to(encoding, Bom::Sniff);
    ///     map.clear();
    ///     map.decode_all_to_string(&mut decoder, document, &mut text);
    ///     assert_eq!(map.source_offset(document, 0), Some(0));
    /// }
    /// assert_eq!((text.as_str(), map.encoding()), ("中文", BIG5));
    /// ```
    pub fn decode_all_to_string(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut String,
    ) -> usize {
        reserve_for(dst, src);
        append_all(decoder, src, dst, |decoder, src, dst| {
            self.decode_to_string(decoder, src, dst, true)
        })
        .0
    }

    /// [`Decoder::decode_to_string`], recorded in the map. All pieces of a stream must go through the same
    /// map. After the last one the next call begins a new document, as it does for the decoder.
    ///
    /// If the decoder has read something that the map has not seen, the map starts over from there: offsets
    /// in the source stay those of the decoder's stream, and offsets in the text count from that point.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, SHIFT_JIS};
    ///
    /// let source = b"Title\n\x93\xFA\x96{";
    /// let (mut decoder, mut map) = (SHIFT_JIS.decoder(Bom::Sniff), OffsetMap::new());
    /// let (mut title, mut body) = (String::with_capacity(16), String::with_capacity(16));
    /// let _ = decoder.decode_to_string(&source[..6], &mut title, false);
    /// let _ = map.decode_to_string(&mut decoder, &source[6..], &mut body, true);
    /// assert_eq!(map.source_range(source, 3..6), Some(8..10));
    /// assert_eq!(map.text_offset(source, 8), Some(3));
    /// ```
    pub fn decode_to_string(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> Progress {
        self.record(decoder, src, last, |decoder, src, _, last| {
            decoder.decode_to_string(src, dst, last)
        })
    }

    /// [`Decoder::decode_to_utf8`], recorded in the map as by [`OffsetMap::decode_to_string`].
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, SHIFT_JIS};
    ///
    /// let (mut decoder, mut map) = (SHIFT_JIS.decoder(Bom::Sniff), OffsetMap::new());
    /// let mut dst = [0; 64];
    /// let first = map.decode_to_utf8(&mut decoder, b"\x93", &mut dst, false);
    /// let second = map.decode_to_utf8(&mut decoder, b"\xFA\x96{", &mut dst, true);
    /// assert_eq!((first.written, second.written), (0, 6));
    /// assert_eq!(map.source_offset(b"\x93\xFA\x96{", 3), Some(2));
    /// ```
    pub fn decode_to_utf8(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
    ) -> Progress {
        self.decode_to_utf8_uninit(decoder, src, write_only(dst), last)
    }

    /// [`OffsetMap::decode_to_utf8`] into a buffer that need not be initialised. The first `written` bytes of
    /// the buffer are initialised afterwards.
    ///
    /// ```
    /// use core::mem::MaybeUninit;
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let (mut map, mut decoder) = (OffsetMap::new(), KOI8_R.decoder(Bom::Sniff));
    /// let mut dst = [MaybeUninit::uninit(); 64];
    /// let progress = map.decode_to_utf8_uninit(&mut decoder, b"\xCD\xC9\xD2", &mut dst, true);
    /// assert_eq!((progress.written, map.text_len()), (6, 6));
    /// ```
    pub fn decode_to_utf8_uninit(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> Progress {
        self.record(decoder, src, last, |decoder, src, written, last| {
            let dst = dst.get_mut(written..).unwrap_or_default();
            decoder.decode_to_utf8_uninit(src, dst, last)
        })
    }

    /// Makes room for recording the next `bytes` bytes that `decoder` decodes, so that the map allocates
    /// nothing for them.
    ///
    /// # Errors
    ///
    /// There is not enough memory. The map is as it was.
    ///
    /// ```
    /// use simdtext::offsets::OffsetMap;
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let (mut map, mut decoder) = (OffsetMap::with_spacing(64), KOI8_R.decoder(Bom::Sniff));
    /// assert!(map.try_reserve(&decoder, usize::MAX).is_err());
    /// map.try_reserve(&decoder, 1000)?;
    /// let _ = map.decode_to_utf8(&mut decoder, &[0xCD; 1000], &mut [0; 2000], true);
    /// # Ok::<(), std::collections::TryReserveError>(())
    /// ```
    pub fn try_reserve(&mut self, decoder: &Decoder, bytes: usize) -> Result<(), TryReserveError> {
        // Places are a little closer than the spacing where the decoder held bytes back.
        let spacing = usize::try_from(self.spacing).unwrap_or(usize::MAX);
        let places = bytes / (spacing / 2) + 2;
        self.places.try_reserve(places)?;
        if has_states(decoder.encoding()) {
            self.states.try_reserve(places)?;
        }
        Ok(())
    }

    /// Calls `decode` for parts of `src` that each end where a place is due. It is also told how much was
    /// written before.
    fn record(
        &mut self,
        decoder: &mut Decoder,
        src: &[u8],
        last: bool,
        mut decode: impl FnMut(&mut Decoder, &[u8], usize, bool) -> Progress,
    ) -> Progress {
        let start = decoder.next_offset();
        if self.finished || start != self.source_len {
            self.clear();
            self.source_len = start;
            if decoder.item_offset() > 0 && start > 0 {
                self.remember(decoder);
            }
        }
        let mut done = Progress {
            status: Status::InputEmpty,
            read: 0,
            written: 0,
            errors: 0,
        };
        loop {
            let rest = src.get(done.read..).unwrap_or_default();
            if self.until_next_place() == 0 && !rest.is_empty() {
                self.remember(decoder);
            }
            let part = rest.get(..self.until_next_place().max(1)).unwrap_or(rest);
            let is_last = part.len() == rest.len();
            let progress = decode(decoder, part, done.written, last && is_last);
            done.status = progress.status;
            done.read += progress.read;
            done.written += progress.written;
            done.errors += progress.errors;
            self.source_len += progress.read as u64;
            self.text_len += progress.written as u64;
            if is_last || progress.status != Status::InputEmpty {
                break;
            }
        }
        self.encoding = decoder.encoding();
        self.removes_bom = decoder.removes_bom();
        self.finished = last && done.status == Status::InputEmpty;
        done
    }

    /// Bytes of the source.
    fn until_next_place(&self) -> usize {
        let since = self.source_len - self.places.last().map_or(0, |place| place.source);
        usize::try_from(self.spacing.saturating_sub(since)).unwrap_or(usize::MAX)
    }

    #[cold]
    fn remember(&mut self, decoder: &Decoder) {
        self.places.push(Place {
            source: decoder.item_offset(),
            text: self.text_len,
        });
        if has_states(decoder.encoding()) {
            self.states.push(decoder.machine());
        }
    }
}
