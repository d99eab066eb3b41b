//! The streaming decoder. `call.rs` has the steps of a call, `lengths.rs` calculates how much room it needs,
//! `string.rs` decodes to a `String`, and `text.rs` to a `str`.

mod call;
mod lengths;
#[cfg(feature = "alloc")]
mod string;
mod text;

use core::fmt;
use core::mem::MaybeUninit;

use crate::codec::AnyDecoder;
use crate::drive::{ErrorMode, Queue};
use crate::encoding::Encoding;
use crate::output::{Utf8Out, Utf16Out};
use crate::progress::{Bom, Malformed, Progress};
use crate::simd::{self, Kernels, write_only};

/// Decodes a stream of bytes, piece by piece, and allocates nothing but the tables of East Asian encodings, once
/// per process.
///
/// Made by [`Encoding::decoder`]. Pass the input in pieces of any size and set `last` with the last one
/// (which may be empty). The text, the errors and their offsets never depend on how the input is cut or how
/// much room the output has. A call makes progress if `dst` has room for [`MIN_UTF8`](crate::MIN_UTF8) bytes or
/// [`MIN_UTF16`](crate::MIN_UTF16) code units.
///
/// | family | malformed input |
/// |---|---|
/// | `decode_to_utf8`, `decode_to_utf16`, `decode_to_str`, `decode_to_string`, `decode_all_to_string` | becomes U+FFFD |
/// | `…_strict` | is returned in [`Progress::status`], after each sequence; the next call continues after it |
/// | `…_with` | becomes U+FFFD, and a function is called for each sequence |
/// | `…_uninit` | like the function it is named after, but writes to a buffer that need not be initialised |
///
/// After a call with `last` that returned [`Status::InputEmpty`](crate::Status::InputEmpty), the next call
/// begins a new stream in the same configuration. If the call returned another status, call again with `last`
/// and the rest of the input.
///
/// ```
/// use simdtext::{Bom, SHIFT_JIS, Status};
///
/// let mut decoder = SHIFT_JIS.decoder(Bom::Sniff);
/// let mut text = String::with_capacity(64);
/// // The two bytes of 日 come in two pieces.
/// for (piece, last) in [(&b"\x93"[..], false), (b"\xFA\x96{", true)] {
///     let progress = decoder.decode_to_string(piece, &mut text, last);
///     assert_eq!(progress.status, Status::InputEmpty);
/// }
/// assert_eq!(text, "日本");
/// ```
#[derive(Clone)]
pub struct Decoder {
    /// The current encoding, which a byte order mark may have changed.
    encoding: &'static Encoding,
    /// The encoding that the decoder was made for.
    original: &'static Encoding,
    bom: Bom,
    /// Whether a byte order mark may still come.
    at_start: bool,
    before: Before,
    machine: AnyDecoder,
    queue: Queue,
    /// After [`Before::Error`], the offset up to which another malformed sequence is likely.
    near_error_until: u64,
    kernels: &'static Kernels,
}

/// What the next call must know of the calls before. One byte, because that is what short text has time to test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    Nothing,
    /// The end of a stream: the next call begins a new one.
    End,
    /// A malformed sequence, not far away.
    Error,
}

impl Before {
    #[inline(always)]
    fn end_if(is_end: bool) -> Self {
        if is_end { Before::End } else { Before::Nothing }
    }
}

impl Encoding {
    /// Makes a streaming decoder for this encoding.
    ///
    /// ```
    /// use simdtext::{BIG5, Bom};
    ///
    /// let mut text = String::new();
    /// BIG5.decoder(Bom::Sniff).decode_all_to_string(b"\xA4\xA4", &mut text);
    /// assert_eq!(text, "中");
    /// ```
    #[doc(alias(
        "new_decoder",
        "new_decoder_with_bom_removal",
        "new_decoder_without_bom_handling",
        "ucnv_open"
    ))]
    #[must_use]
    pub fn decoder(&'static self, bom: Bom) -> Decoder {
        Decoder::new(self, bom)
    }
}

impl Decoder {
    pub(crate) fn new(encoding: &'static Encoding, bom: Bom) -> Self {
        Self::with_kernels(encoding, bom, simd::active())
    }

    /// Makes a decoder that uses other kernels than the process does, for tests.
    pub(crate) fn with_kernels(
        encoding: &'static Encoding,
        bom: Bom,
        kernels: &'static Kernels,
    ) -> Self {
        Decoder {
            encoding,
            original: encoding,
            bom,
            at_start: bom != Bom::Keep,
            before: Before::Nothing,
            machine: encoding.codec().decoder(),
            queue: Queue::default(),
            near_error_until: 0,
            kernels,
        }
    }

    /// Returns the encoding that is being decoded. If a byte order mark may change it ([`Bom::Sniff`]), it is
    /// final once three bytes have been read or the stream has ended.
    ///
    /// ```
    /// use simdtext::{Bom, GBK, UTF_8};
    ///
    /// let mut decoder = GBK.decoder(Bom::Sniff);
    /// assert_eq!(decoder.encoding(), GBK);
    /// let _ = decoder.decode_to_utf8(b"\xEF\xBB\xBFa", &mut [0; 8], false);
    /// assert_eq!(decoder.encoding(), UTF_8);
    /// ```
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns the number of bytes read since the start of the stream, including those held back.
    ///
    /// ```
    /// let mut decoder = simdtext::GBK.decoder(simdtext::Bom::Keep);
    /// let _ = decoder.decode_to_utf8(b"abc", &mut [0; 8], false);
    /// assert_eq!(decoder.total_read(), 3);
    /// ```
    #[must_use]
    pub fn total_read(&self) -> u64 {
        self.queue.offset + self.queue.held.len() as u64
    }

    /// Returns the bytes that were read and are not decoded yet, at most three: the front of a character, of
    /// an escape sequence or of a byte order mark, or bytes that follow a malformed sequence and belong to
    /// the next one.
    ///
    /// ```
    /// use simdtext::{Bom, UTF_8};
    ///
    /// let mut decoder = UTF_8.decoder(Bom::Keep);
    /// let _ = decoder.decode_to_utf8(b"a\xE6\x97", &mut [0; 8], false);
    /// assert_eq!(decoder.pending(), b"\xE6\x97");
    /// ```
    #[must_use]
    pub fn pending(&self) -> &[u8] {
        self.queue.held.as_slice()
    }

    /// Returns whether a byte order mark may still come, or has begun, so that the encoding may change, or
    /// the next bytes may be removed.
    ///
    /// ```
    /// use simdtext::{BIG5, Bom};
    ///
    /// let mut decoder = BIG5.decoder(Bom::Sniff);
    /// assert!(decoder.is_at_bom());
    /// let _ = decoder.decode_to_utf8(b"a", &mut [0; 8], false);
    /// assert!(!decoder.is_at_bom());
    /// ```
    #[must_use]
    pub fn is_at_bom(&self) -> bool {
        self.at_start
    }

    /// Returns whether a new decoder that does not look for a byte order mark would decode the rest of the
    /// stream in the same way: no bytes are [pending](Decoder::pending), no mark may come, and ISO-2022-JP is
    /// in its ASCII state.
    ///
    /// ```
    /// use simdtext::{Bom, ISO_2022_JP};
    ///
    /// let mut decoder = ISO_2022_JP.decoder(Bom::Keep);
    /// assert!(decoder.is_in_initial_state());
    /// let _ = decoder.decode_to_utf8(b"\x1B$BF|", &mut [0; 8], false);
    /// assert!(!decoder.is_in_initial_state());
    /// ```
    #[doc(alias = "latin1_byte_compatible_up_to")]
    #[must_use]
    pub fn is_in_initial_state(&self) -> bool {
        let machine_is_initial = match &self.machine {
            AnyDecoder::Iso2022Jp(machine) => machine.is_initial(),
            AnyDecoder::Replacement(machine) => machine.is_initial(),
            _ => true,
        };
        machine_is_initial && !self.at_start && self.queue.held.len() == 0
    }

    /// Begins a new stream in the same configuration, with the original encoding if a byte order mark had
    /// changed it. Bytes that were held back are dropped.
    ///
    /// ```
    /// let mut decoder = simdtext::GBK.decoder(simdtext::Bom::Sniff);
    /// let _ = decoder.decode_to_utf8(b"\xC4", &mut [0; 8], false);
    /// decoder.reset();
    /// assert_eq!((decoder.total_read(), decoder.pending()), (0, &b""[..]));
    /// ```
    pub fn reset(&mut self) {
        *self = Self::with_kernels(self.original, self.bom, self.kernels);
    }

    /// Begins a new stream in another encoding, with another rule for byte order marks. Allocates nothing but
    /// the tables of an East Asian encoding that is new to the process, so one decoder can serve all documents that a
    /// thread reads.
    ///
    /// ```
    /// use simdtext::{Bom, EUC_KR, KOI8_U, UTF_8};
    ///
    /// let mut decoder = UTF_8.decoder(Bom::Sniff);
    /// let mut text = String::new();
    /// for (encoding, document) in [(KOI8_U, &b"\xCD\xC9\xD2"[..]), (EUC_KR, b"\xC6\xF2\xC8\xAD")] {
    ///     text.clear();
    ///     decoder.reset_to(encoding, Bom::Sniff);
    ///     let errors = decoder.decode_all_to_string(document, &mut text);
    ///     assert_eq!((decoder.encoding(), errors), (encoding, 0));
    /// }
    /// assert_eq!(text, "평화");
    /// ```
    pub fn reset_to(&mut self, encoding: &'static Encoding, bom: Bom) {
        *self = Self::with_kernels(encoding, bom, self.kernels);
    }

    /// Decodes `src` (bytes) into `dst` (bytes of UTF-8). Malformed sequences become U+FFFD.
    ///
    /// ```
    /// use simdtext::{Bom, EUC_KR, MIN_UTF8, Status};
    ///
    /// let mut decoder = EUC_KR.decoder(Bom::Sniff);
    /// let mut src = &b"\xB0\xA1\xB0\xA2"[..];
    /// let mut dst = [0; MIN_UTF8];
    /// let mut text = Vec::new();
    /// loop {
    ///     let progress = decoder.decode_to_utf8(src, &mut dst, true);
    ///     text.extend_from_slice(&dst[..progress.written]);
    ///     src = &src[progress.read..];
    ///     if progress.status == Status::InputEmpty {
    ///         break;
    ///     }
    /// }
    /// assert_eq!(text, "가각".as_bytes());
    /// ```
    pub fn decode_to_utf8(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        self.decode_to_utf8_uninit(src, write_only(dst), last)
    }

    /// Decodes `src` (bytes) to UTF-8 like [`Decoder::decode_to_utf8`], into a buffer that need not be
    /// initialised. The first `written` bytes of the buffer are initialised afterwards.
    ///
    /// ```
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let mut text = Vec::with_capacity(16);
    /// let mut decoder = KOI8_R.decoder(Bom::Keep);
    /// let progress = decoder.decode_to_utf8_uninit(b"\xCD\xC9\xD2", text.spare_capacity_mut(), true);
    /// // SAFETY: the decoder has initialised that many bytes.
    /// unsafe { text.set_len(progress.written) };
    /// assert_eq!(text, "мир".as_bytes());
    /// ```
    pub fn decode_to_utf8_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> Progress {
        self.decode(src, &mut Utf8Out::new(dst), last, ErrorMode::Replace)
    }

    /// Decodes `src` (bytes) into `dst` (bytes of UTF-8), and stops after each malformed sequence with
    /// [`Status::Malformed`](crate::Status::Malformed). The next call continues after it, so callers can
    /// write anything in its place.
    ///
    /// ```
    /// use simdtext::{Bom, Status, UTF_8};
    ///
    /// let mut decoder = UTF_8.decoder(Bom::Keep);
    /// let (mut src, mut text) = (&b"a\xFFb"[..], String::new());
    /// let mut dst = [0; 16];
    /// loop {
    ///     let progress = decoder.decode_to_utf8_strict(src, &mut dst, true);
    ///     text.push_str(std::str::from_utf8(&dst[..progress.written]).unwrap());
    ///     src = &src[progress.read..];
    ///     match progress.status {
    ///         Status::Malformed(malformed) => text.push_str(&format!("<{:X?}>", malformed.bytes())),
    ///         _ => break,
    ///     }
    /// }
    /// assert_eq!(text, "a<[FF]>b");
    /// ```
    #[doc(alias = "decode_to_utf8_without_replacement")]
    pub fn decode_to_utf8_strict(&mut self, src: &[u8], dst: &mut [u8], last: bool) -> Progress {
        self.decode_to_utf8_strict_uninit(src, write_only(dst), last)
    }

    /// Decodes `src` (bytes) to UTF-8 like [`Decoder::decode_to_utf8_strict`], into a buffer that need not be
    /// initialised.
    ///
    /// ```
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let mut text = Vec::with_capacity(16);
    /// let mut decoder = KOI8_R.decoder(Bom::Keep);
    /// let progress = decoder.decode_to_utf8_strict_uninit(b"\xCD\xC9\xD2", text.spare_capacity_mut(), true);
    /// // SAFETY: the decoder has initialised that many bytes.
    /// unsafe { text.set_len(progress.written) };
    /// assert_eq!(text, "мир".as_bytes());
    /// ```
    pub fn decode_to_utf8_strict_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
    ) -> Progress {
        self.decode(src, &mut Utf8Out::new(dst), last, ErrorMode::Stop)
    }

    /// Decodes `src` (bytes) into `dst` (bytes of UTF-8). Malformed sequences become U+FFFD, and `on_error`
    /// is called for each one after its U+FFFD has been written.
    ///
    /// ```
    /// use simdtext::{Bom, UTF_8};
    ///
    /// let mut offsets = Vec::new();
    /// let mut dst = [0; 32];
    /// let progress = UTF_8.decoder(Bom::Keep).decode_to_utf8_with(
    ///     b"a\xFFb\xC3",
    ///     &mut dst,
    ///     true,
    ///     |malformed| offsets.push(malformed.offset),
    /// );
    /// assert_eq!(progress.errors, 2);
    /// assert_eq!(offsets, [1, 3]);
    /// ```
    pub fn decode_to_utf8_with(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        last: bool,
        on_error: impl FnMut(Malformed),
    ) -> Progress {
        self.decode_to_utf8_with_uninit(src, write_only(dst), last, on_error)
    }

    /// Decodes `src` (bytes) to UTF-8 like [`Decoder::decode_to_utf8_with`], into a buffer that need not be
    /// initialised.
    ///
    /// ```
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let mut text = Vec::with_capacity(16);
    /// let mut decoder = KOI8_R.decoder(Bom::Keep);
    /// let progress = decoder.decode_to_utf8_with_uninit(b"\xCD\xC9\xD2", text.spare_capacity_mut(), true, |_| {});
    /// // SAFETY: the decoder has initialised that many bytes.
    /// unsafe { text.set_len(progress.written) };
    /// assert_eq!(text, "мир".as_bytes());
    /// ```
    pub fn decode_to_utf8_with_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
        mut on_error: impl FnMut(Malformed),
    ) -> Progress {
        let error_mode = ErrorMode::Tell(&mut on_error);
        self.decode(src, &mut Utf8Out::new(dst), last, error_mode)
    }

    /// Decodes `src` (bytes) into `dst` (native-endian code units of UTF-16). Malformed sequences
    /// become U+FFFD. Half a surrogate pair is never written.
    ///
    /// ```
    /// use simdtext::{Bom, GB18030};
    ///
    /// let mut dst = [0; 8];
    /// let src = b"\x94\x39\xDA\x33";
    /// let progress = GB18030.decoder(Bom::Keep).decode_to_utf16(src, &mut dst, true);
    /// assert_eq!(dst[..progress.written], [0xD83D, 0xDCA9]);
    /// ```
    #[doc(alias = "ucnv_toUnicode")]
    pub fn decode_to_utf16(&mut self, src: &[u8], dst: &mut [u16], last: bool) -> Progress {
        self.decode_to_utf16_uninit(src, write_only(dst), last)
    }

    /// Decodes `src` (bytes) to UTF-16 like [`Decoder::decode_to_utf16`], into a buffer that need not be
    /// initialised.
    ///
    /// ```
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let mut units = Vec::with_capacity(16);
    /// let mut decoder = KOI8_R.decoder(Bom::Keep);
    /// let progress = decoder.decode_to_utf16_uninit(b"\xCD\xC9", units.spare_capacity_mut(), true);
    /// // SAFETY: the decoder has initialised that many units.
    /// unsafe { units.set_len(progress.written) };
    /// assert_eq!(units, [0x43C, 0x438]);
    /// ```
    pub fn decode_to_utf16_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u16>],
        last: bool,
    ) -> Progress {
        self.decode(src, &mut Utf16Out::new(dst), last, ErrorMode::Replace)
    }

    /// Decodes `src` (bytes) into `dst` (native-endian code units of UTF-16), and stops after each malformed
    /// sequence with [`Status::Malformed`](crate::Status::Malformed), like
    /// [`Decoder::decode_to_utf8_strict`].
    ///
    /// ```
    /// use simdtext::{Bom, Status, UTF_8};
    ///
    /// let mut dst = [0; 8];
    /// let progress = UTF_8.decoder(Bom::Keep).decode_to_utf16_strict(b"a\xFFb", &mut dst, true);
    /// assert!(matches!(progress.status, Status::Malformed(malformed) if malformed.offset == 1));
    /// assert_eq!((progress.read, progress.written), (2, 1));
    /// ```
    #[doc(alias = "decode_to_utf16_without_replacement")]
    pub fn decode_to_utf16_strict(&mut self, src: &[u8], dst: &mut [u16], last: bool) -> Progress {
        self.decode_to_utf16_strict_uninit(src, write_only(dst), last)
    }

    /// Decodes `src` (bytes) to UTF-16 like [`Decoder::decode_to_utf16_strict`], into a buffer that need not
    /// be initialised.
    ///
    /// ```
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let mut units = Vec::with_capacity(16);
    /// let mut decoder = KOI8_R.decoder(Bom::Keep);
    /// let progress = decoder.decode_to_utf16_strict_uninit(b"\xCD\xC9", units.spare_capacity_mut(), true);
    /// // SAFETY: the decoder has initialised that many units.
    /// unsafe { units.set_len(progress.written) };
    /// assert_eq!(units, [0x43C, 0x438]);
    /// ```
    pub fn decode_to_utf16_strict_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u16>],
        last: bool,
    ) -> Progress {
        self.decode(src, &mut Utf16Out::new(dst), last, ErrorMode::Stop)
    }

    /// Decodes `src` (bytes) into `dst` (native-endian code units of UTF-16). Malformed sequences become
    /// U+FFFD, and `on_error` is called for each one, like [`Decoder::decode_to_utf8_with`].
    ///
    /// ```
    /// use simdtext::{Bom, UTF_8};
    ///
    /// let (mut dst, mut offsets) = ([0; 8], Vec::new());
    /// let mut decoder = UTF_8.decoder(Bom::Keep);
    /// let progress = decoder.decode_to_utf16_with(b"a\xFFb", &mut dst, true, |it| offsets.push(it.offset));
    /// assert_eq!(dst[..progress.written], [0x61, 0xFFFD, 0x62]);
    /// assert_eq!(offsets, [1]);
    /// ```
    pub fn decode_to_utf16_with(
        &mut self,
        src: &[u8],
        dst: &mut [u16],
        last: bool,
        on_error: impl FnMut(Malformed),
    ) -> Progress {
        self.decode_to_utf16_with_uninit(src, write_only(dst), last, on_error)
    }

    /// Decodes `src` (bytes) to UTF-16 like [`Decoder::decode_to_utf16_with`], into a buffer that need not be
    /// initialised.
    ///
    /// ```
    /// use simdtext::{Bom, KOI8_R};
    ///
    /// let mut units = Vec::with_capacity(16);
    /// let mut decoder = KOI8_R.decoder(Bom::Keep);
    /// let progress = decoder.decode_to_utf16_with_uninit(b"\xCD\xC9", units.spare_capacity_mut(), true, |_| {});
    /// // SAFETY: the decoder has initialised that many units.
    /// unsafe { units.set_len(progress.written) };
    /// assert_eq!(units, [0x43C, 0x438]);
    /// ```
    pub fn decode_to_utf16_with_uninit(
        &mut self,
        src: &[u8],
        dst: &mut [MaybeUninit<u16>],
        last: bool,
        mut on_error: impl FnMut(Malformed),
    ) -> Progress {
        let error_mode = ErrorMode::Tell(&mut on_error);
        self.decode(src, &mut Utf16Out::new(dst), last, error_mode)
    }

    /// Starts in the middle of a stream: the next byte is at `offset`, in bytes from the start of the stream,
    /// and no byte order mark is looked for. Offsets of malformed sequences are counted from the start of the
    /// stream as well.
    ///
    /// ```
    /// use simdtext::{Bom, SHIFT_JIS, Status};
    ///
    /// let mut decoder = SHIFT_JIS.decoder(Bom::Sniff).at_offset(1_000_000);
    /// let progress = decoder.decode_to_utf8_strict(b"a\xFF", &mut [0; 8], true);
    /// let Status::Malformed(malformed) = progress.status else { panic!() };
    /// assert_eq!(malformed.offset, 1_000_001);
    /// ```
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Self {
        self.queue.offset = offset;
        self.at_start = false;
        self
    }

    /// Returns the offset in the stream of the next item: held bytes count as not read.
    #[cfg(feature = "alloc")]
    pub(crate) fn item_offset(&self) -> u64 {
        self.queue.offset
    }

    /// Returns the offset in the stream at which the next call begins to read. After the end of one stream
    /// that is the start of the next.
    #[cfg(feature = "alloc")]
    pub(crate) fn next_offset(&self) -> u64 {
        if self.before == Before::End {
            0
        } else {
            self.total_read()
        }
    }

    /// Returns the state between the items before [`Decoder::item_offset`] and those after it. Together with
    /// that offset it is all that is needed to continue from there.
    #[cfg(feature = "alloc")]
    pub(crate) fn machine(&self) -> AnyDecoder {
        self.machine
    }

    /// Starts in the middle of a stream like [`Decoder::at_offset`], in this state.
    #[cfg(feature = "alloc")]
    pub(crate) fn in_state(mut self, machine: AnyDecoder) -> Self {
        self.machine = machine;
        self
    }

    /// Empties the I/O queue after `malformed`: drops what is held back and skips `unread`, the rest of the
    /// input. The state stays.
    #[cfg(feature = "alloc")]
    pub(crate) fn drop_unread(&mut self, unread: &[u8], malformed: Option<Malformed>) {
        let held = self.queue.held.len();
        self.queue.held.drop_front(held);
        self.queue.offset += (held + unread.len()) as u64;
        let lead = malformed.filter(|malformed| malformed.len == 1);
        if let (AnyDecoder::Iso2022Jp(machine), Some(lead)) = (&self.machine, lead)
            && machine.is_lead(lead.bytes[0])
            && let Some(escape @ [0x1B]) = unread.get(..1)
        {
            // Trail byte, the case 0x1B: the byte is read, and the state is escape start.
            self.queue.offset -= 1;
            self.queue.held.extend(escape);
        }
    }

    /// Returns whether a byte order mark at the start of a stream would be removed.
    #[cfg(feature = "alloc")]
    pub(crate) fn removes_bom(&self) -> bool {
        self.bom != Bom::Keep
    }
}

/// What the methods of the same names return.
///
/// ```
/// use simdtext::{Bom, SHIFT_JIS};
///
/// let mut decoder = SHIFT_JIS.decoder(Bom::Keep);
/// let _ = decoder.decode_to_utf8(b"a\x93", &mut [0; 8], false);
/// assert_eq!(
///     format!("{decoder:?}"),
///     "Decoder { encoding: Encoding(Shift_JIS), bom: Keep, total_read: 2, pending: [93], is_at_bom: false, \
///      is_in_initial_state: false }"
/// );
/// ```
impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder")
            .field("encoding", &self.encoding())
            .field("bom", &self.bom)
            .field("total_read", &self.total_read())
            .field("pending", &format_args!("{:02X?}", self.pending()))
            .field("is_at_bom", &self.is_at_bom())
            .field("is_in_initial_state", &self.is_in_initial_state())
            .finish()
    }
}

/// A decoder is made for each text, however short, and moved to where it is kept.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Decoder>() <= 64);
