//! The streaming encoder. `encoder/state.rs` has its state between calls, and calculates how much room it
//! needs.

mod state;

use core::mem::MaybeUninit;

use crate::codec::source::TextSource;
use crate::codec::{AnyEncoder, Encode, on_machine};
use crate::drive::{self, Outcome};
use crate::encoding::Encoding;
use crate::output::ByteOut;
#[cfg(feature = "alloc")]
use crate::output::append_bytes;
use crate::output::run::{ToAscii, ToUtf8};
use crate::progress::{Progress, Status, Unmappable};
use crate::simd::short_encoded::MAX_INLINE_ASCII;
use crate::simd::{self, Kernels, is_leading_surrogate, surrogate_pair, write_only};

/// Encodes a stream of text, piece by piece, and allocates nothing but the tables of East Asian encodings, once
/// per process.
///
/// Made by [`Encoding::encoder`]. Give it the text in pieces of any size and set `last` with the
/// last one (which may be empty): ISO-2022-JP then writes its final escape sequence. How the text
/// is cut and how much room the output has never changes the bytes, the errors or their offsets. A call makes progress if
/// `dst` has room for [`MIN_ENCODED`](crate::MIN_ENCODED) bytes.
///
/// A stream should be either UTF-8 or UTF-16 from its first unit to its last: offsets count its
/// units, and a leading surrogate that UTF-8 follows is U+FFFD, as before any other character. After
/// a call with `last` that returned [`Status::InputEmpty`], the next call begins a new stream.
///
/// ```
/// use simdtext::{ISO_2022_JP, Status, Unmappable};
///
/// let mut encoder = ISO_2022_JP.encoder().unwrap();
/// let mut dst = [0; 32];
/// let first = encoder.encode_from_utf8("日", &mut dst, false, Unmappable::Strict);
/// let rest = &mut dst[first.written..];
/// let second = encoder.encode_from_utf8("本", rest, true, Unmappable::Strict);
/// assert_eq!(second.status, Status::InputEmpty);
/// assert_eq!(&dst[..first.written + second.written], b"\x1B$BF|K\\\x1B(B");
/// ```
#[derive(Clone)]
pub struct Encoder {
    encoding: &'static Encoding,
    machine: AnyEncoder,
    /// A leading surrogate at the end of the last piece, whose trailing surrogate may still follow.
    held: Option<u16>,
    /// The offset in the stream of the held surrogate, or of the next unit if none is held.
    offset: u64,
    /// Whether the stream is finished, so that the next call begins a new one.
    finished: bool,
    kernels: &'static Kernels,
}

/// How [`Encoder::encode_front`] ended.
enum FrontEnd {
    /// All of the text is encoded.
    All,
    /// There is no room for what comes next.
    Full,
    /// What comes next is for the loop.
    Other,
}

/// What a call did that encoded `read` units without an error. Made where it is returned: to copy it right after it was
/// written would take longer than 16 units.
#[inline(always)]
fn done(status: Status, read: usize, out: &ByteOut<'_>) -> Progress {
    Progress {
        status,
        read,
        written: out.len(),
        errors: 0,
    }
}

impl Encoding {
    /// A streaming encoder to this encoding; `None` for replacement, which has none.
    ///
    /// UTF-16BE and UTF-16LE do encode to UTF-16 here. The web's rule, which sends UTF-8 instead,
    /// is [`Encoding::output_encoding`].
    ///
    /// ```
    /// assert!(simdtext::UTF_16BE.encoder().is_some());
    /// assert!(simdtext::REPLACEMENT.encoder().is_none());
    /// ```
    #[doc(alias = "new_encoder")]
    #[must_use]
    pub fn encoder(&'static self) -> Option<Encoder> {
        Encoder::new(self)
    }
}

impl Encoder {
    pub(crate) fn new(encoding: &'static Encoding) -> Option<Self> {
        Self::with_kernels(encoding, simd::active())
    }

    /// An encoder that uses other kernels than the process does, for tests.
    pub(crate) fn with_kernels(
        encoding: &'static Encoding,
        kernels: &'static Kernels,
    ) -> Option<Self> {
        Some(Encoder {
            encoding,
            machine: encoding.codec().encoder()?,
            held: None,
            offset: 0,
            finished: false,
            kernels,
        })
    }

    /// Encodes `src` (UTF-8) into `dst` (bytes); characters that the encoding does not have are handled as `unmappable`
    /// says. With [`Unmappable::Strict`] the call stops after each with [`Status::Unmappable`], and the next call
    /// continues after it, so callers can write anything in its place.
    ///
    /// ```
    /// use simdtext::{Status, Unmappable, WINDOWS_1252};
    ///
    /// let mut encoder = WINDOWS_1252.encoder().unwrap();
    /// let mut dst = [0; 32];
    /// let progress = encoder.encode_from_utf8("3 € ≠ 4", &mut dst, true, Unmappable::Ncr);
    /// assert_eq!(&dst[..progress.written], b"3 \x80 &#8800; 4");
    /// assert_eq!(progress.errors, 1);
    ///
    /// let progress = encoder.encode_from_utf8("3 € ≠ 4", &mut dst, true, Unmappable::Strict);
    /// assert_eq!(progress.status, Status::Unmappable { ch: '≠', offset: 6 });
    /// ```
    #[doc(alias = "encode_from_utf8_without_replacement")]
    pub fn encode_from_utf8(
        &mut self,
        src: &str,
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        self.encode_from_utf8_uninit(src, write_only(dst), last, unmappable)
    }

    /// [`Encoder::encode_from_utf8`] into a buffer that need not be initialised. The first
    /// `written` bytes are, afterwards.
    ///
    /// ```
    /// use simdtext::{KOI8_R, Unmappable};
    ///
    /// let mut bytes = Vec::with_capacity(16);
    /// let mut encoder = KOI8_R.encoder().unwrap();
    /// let room = bytes.spare_capacity_mut();
    /// let progress = encoder.encode_from_utf8_uninit("мир", room, true, Unmappable::Strict);
    /// // SAFETY: the encoder has initialised that many bytes.
    /// unsafe { bytes.set_len(progress.written) };
    /// assert_eq!(bytes, b"\xCD\xC9\xD2");
    /// ```
    pub fn encode_from_utf8_uninit(
        &mut self,
        src: &str,
        dst: &mut [MaybeUninit<u8>],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        self.encode_str(src, &mut ByteOut::new(dst), last, unmappable)
    }

    /// Encodes `src` (UTF-8) and appends to `dst` within its spare capacity: the vector never grows
    /// ([`Encoder::encode_all_to_vec`] makes it grow). `written` counts the bytes that are appended.
    ///
    /// ```
    /// use simdtext::{EUC_KR, Unmappable};
    ///
    /// let mut encoder = EUC_KR.encoder().unwrap();
    /// let mut bytes = Vec::with_capacity(encoder.max_len_from_utf8("평화".len()).unwrap());
    /// let progress = encoder.encode_to_vec("평화", &mut bytes, true, Unmappable::Ncr);
    /// assert_eq!((&bytes[..], progress.written), (&b"\xC6\xF2\xC8\xAD"[..], 4));
    /// ```
    #[doc(alias(
        "encode_from_utf8_to_vec",
        "encode_from_utf8_to_vec_without_replacement"
    ))]
    #[cfg(feature = "alloc")]
    pub fn encode_to_vec(
        &mut self,
        src: &str,
        dst: &mut alloc::vec::Vec<u8>,
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        append_bytes(dst, |out| self.encode_str(src, out, last, unmappable))
    }

    pub(crate) fn encode_str(
        &mut self,
        src: &str,
        out: &mut ByteOut<'_>,
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        self.begin();
        if self.held.is_some() {
            return self.encode_str_after_held(src, out, last, unmappable);
        }
        // UTF-8 can be cut to fit into less room, and copied. By way of the machine, 64 bytes take 1.4 times as long.
        if let AnyEncoder::Utf8(_) = self.machine {
            if src.len() > out.room() {
                let read = src.run(self.kernels, ToUtf8, out);
                self.offset += read as u64;
                return done(Status::OutputFull, read, out);
            }
            if src.try_short(ToUtf8, out) {
                self.offset += src.len() as u64;
                self.finished = last;
                return done(Status::InputEmpty, src.len(), out);
            }
        }
        self.encode(src, out, last, unmappable)
    }

    /// Encodes a surrogate that UTF-16 has left, which stays unpaired, and then `src`.
    #[cold]
    fn encode_str_after_held(
        &mut self,
        src: &str,
        out: &mut ByteOut<'_>,
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        let held = match self.encode_held(&[], out, true, unmappable) {
            Some(held) if held.status != Status::InputEmpty => return held,
            Some(held) => held.errors,
            None => 0,
        };
        let mut progress = self.encode_rest(src, out, last, unmappable);
        progress.errors += held;
        progress
    }

    /// Encodes `src` (native-endian code units of UTF-16) into `dst` (bytes), like [`Encoder::encode_from_utf8`].
    ///
    /// A leading surrogate at the end of `src` is held until the next call. A surrogate without its
    /// other half is U+FFFD: an ordinary character for a Unicode encoding or gb18030, an unmappable
    /// one for any other.
    ///
    /// ```
    /// use simdtext::{UTF_8, Unmappable};
    ///
    /// let mut encoder = UTF_8.encoder().unwrap();
    /// let mut dst = [0; 8];
    /// let first = encoder.encode_from_utf16(&[0xD83D], &mut dst, false, Unmappable::Strict);
    /// assert_eq!((first.read, first.written), (1, 0));
    /// let second = encoder.encode_from_utf16(&[0xDCA9], &mut dst, true, Unmappable::Strict);
    /// assert_eq!(&dst[..second.written], "💩".as_bytes());
    /// ```
    #[doc(alias("encode_from_utf16_without_replacement", "ucnv_fromUnicode"))]
    pub fn encode_from_utf16(
        &mut self,
        src: &[u16],
        dst: &mut [u8],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        self.encode_from_utf16_uninit(src, write_only(dst), last, unmappable)
    }

    /// [`Encoder::encode_from_utf16`] into a buffer that need not be initialised. The first
    /// `written` bytes are, afterwards.
    ///
    /// ```
    /// use simdtext::{KOI8_R, Unmappable};
    ///
    /// let mut bytes = Vec::with_capacity(16);
    /// let mut encoder = KOI8_R.encoder().unwrap();
    /// let room = bytes.spare_capacity_mut();
    /// let progress = encoder.encode_from_utf16_uninit(&[0x43C, 0x438], room, true, Unmappable::Strict);
    /// // SAFETY: the encoder has initialised that many bytes.
    /// unsafe { bytes.set_len(progress.written) };
    /// assert_eq!(bytes, b"\xCD\xC9");
    /// ```
    pub fn encode_from_utf16_uninit(
        &mut self,
        src: &[u16],
        dst: &mut [MaybeUninit<u8>],
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        self.begin();
        let out = &mut ByteOut::new(dst);
        if self.held.is_some() {
            return self.encode_utf16_after_held(src, out, last, unmappable);
        }
        let (read, end) = self.encode_front(src, out, last);
        match end {
            FrontEnd::All => done(Status::InputEmpty, read, out),
            FrontEnd::Full => done(Status::OutputFull, read, out),
            FrontEnd::Other => self.encode_utf16_rest(src, read, out, last, unmappable),
        }
    }

    /// Encodes what is left of `src` after `read` units, and holds a leading surrogate at its end.
    #[inline(never)]
    pub(crate) fn encode_utf16_rest(
        &mut self,
        src: &[u16],
        read: usize,
        out: &mut ByteOut<'_>,
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        let rest = src.get(read..).unwrap_or_default();
        let mut progress = self.encode_rest(rest, out, last, unmappable);
        progress.read += read;
        // The loop leaves a leading surrogate at the end of a piece unread.
        if let (Status::InputEmpty, Some(&[unit])) = (progress.status, src.get(progress.read..))
            && is_leading_surrogate(unit)
        {
            self.held = Some(unit);
            progress.read += 1;
        }
        progress
    }

    /// Encodes the held surrogate together with the start of `src`, and then the rest of `src`.
    #[cold]
    fn encode_utf16_after_held(
        &mut self,
        src: &[u16],
        out: &mut ByteOut<'_>,
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        let held = match self.encode_held(src, out, last, unmappable) {
            Some(held) if held.status == Status::InputEmpty => held,
            Some(held) => return held,
            // Nothing decides yet what becomes of it.
            None => return done(Status::InputEmpty, 0, out),
        };
        let mut progress = self.encode_utf16_rest(src, held.read, out, last, unmappable);
        progress.errors += held.errors;
        progress
    }

    /// Encodes the held surrogate together with the start of `src`, if there is one and `src` decides what
    /// becomes of it.
    fn encode_held(
        &mut self,
        src: &[u16],
        out: &mut ByteOut<'_>,
        last: bool,
        unmappable: Unmappable,
    ) -> Option<Progress> {
        let lead = self.held?;
        let pair = src.first().and_then(|&trail| surrogate_pair(lead, trail));
        if src.is_empty() && !last {
            return None;
        }
        let start = self.offset;
        let mut text = [0; 4];
        let text = pair
            .unwrap_or(char::REPLACEMENT_CHARACTER)
            .encode_utf8(&mut text);
        let mut progress = self.encode_rest(&*text, out, false, unmappable);
        if progress.status == Status::OutputFull {
            return Some(progress);
        }
        progress.read = usize::from(pair.is_some());
        self.offset = start + 1 + progress.read as u64;
        self.held = None;
        Some(progress)
    }

    /// Whether both encode the same text to the same bytes from here on. Encoders differ only in the state of
    /// ISO-2022-JP.
    #[cfg(feature = "rayon")]
    pub(crate) fn is_in_state_of(&self, other: &Self) -> bool {
        use crate::codec::AnyEncoder::Iso2022Jp;
        match (&self.machine, &other.machine) {
            (Iso2022Jp(own), Iso2022Jp(others)) => own == others,
            _ => true,
        }
    }

    #[inline(always)]
    fn begin(&mut self) {
        if self.finished {
            self.reset();
        }
    }

    /// Encodes `text`: its front in line or by one call of a kernel, which is often all, and the rest by the loop. As a call,
    /// 16 units take an eighth longer.
    #[inline(always)]
    fn encode<T: TextSource>(
        &mut self,
        text: T,
        out: &mut ByteOut<'_>,
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        let (read, end) = self.encode_front(text, out, last);
        match end {
            FrontEnd::All => done(Status::InputEmpty, read, out),
            FrontEnd::Full => done(Status::OutputFull, read, out),
            FrontEnd::Other => {
                let mut progress = self.encode_rest(text.skip(read), out, last, unmappable);
                progress.read += read;
                progress
            }
        }
    }

    /// Encodes the front of `text` in line or by one call of a kernel. Returns the number of units read.
    #[inline(always)]
    fn encode_front<T: TextSource>(
        &mut self,
        text: T,
        out: &mut ByteOut<'_>,
        last: bool,
    ) -> (usize, FrontEnd) {
        let kernels = self.kernels;
        let room = out.room();
        if room <= MAX_INLINE_ASCII && room < text.units() && self.try_front(text, room, out) {
            self.offset += room as u64;
            return (room, FrontEnd::Full);
        }
        let (read, full, owes_escape) = on_machine!(AnyEncoder, &mut self.machine, machine => {
            let (read, full) = if kernels.inline_short && machine.try_short(text, out) {
                (text.units(), false)
            } else {
                drive::encode_run(machine, kernels, text, out)
            };
            let mut owes_escape = false;
            // The loop would take longer than all of a short text.
            if last && read > 0 && read == text.units() && let Some((escape, next)) = machine.finish() {
                owes_escape = !out.put(escape);
                if !owes_escape {
                    *machine = next;
                }
            }
            (read, full, owes_escape)
        });
        self.offset += read as u64;
        let is_all = read == text.units() && read > 0 && !owes_escape;
        if is_all {
            self.finished = last;
            (read, FrontEnd::All)
        } else if full {
            self.finished = false;
            (read, FrontEnd::Full)
        } else {
            (read, FrontEnd::Other)
        }
    }

    /// Encodes the first `room` units to as many bytes if they are ASCII, of which pages are full, and so is what follows;
    /// or else nothing. Returns whether it did.
    #[inline(always)]
    fn try_front<T: TextSource>(&self, text: T, room: usize, out: &mut ByteOut<'_>) -> bool {
        self.kernels.inline_short
            && self.machine.keeps_ascii()
            && text
                .before_ascii(room)
                .is_some_and(|front| front.try_short(ToAscii, out))
    }

    /// Encodes what is left. This is a function of its own so that short text does not pay for its stack
    /// frame.
    #[inline(never)]
    fn encode_rest<T: TextSource>(
        &mut self,
        text: T,
        out: &mut ByteOut<'_>,
        last: bool,
        unmappable: Unmappable,
    ) -> Progress {
        let (machine, kernels) = (&mut self.machine, self.kernels);
        let Outcome {
            status,
            read,
            errors,
        } = drive::encode(machine, kernels, text, self.offset, last, out, unmappable);
        self.offset += read as u64;
        self.finished = last && status == Status::InputEmpty;
        Progress {
            status,
            read,
            written: out.len(),
            errors,
        }
    }
}
