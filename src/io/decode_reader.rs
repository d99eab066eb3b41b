//! [`DecodeReader`]: bytes in any encoding, read as UTF-8.

use std::boxed::Box;
use std::fmt;
use std::io::{self, BufRead, Read};
use std::string::String;
use std::vec::Vec;

use super::BUFFER_LEN;
use super::undecoded::Undecoded;
#[cfg(feature = "detect")]
use crate::detect;
use crate::encoding::{Encoding, UTF_8};
use crate::progress::{Bom, MIN_UTF8, Status};
#[cfg(feature = "detect")]
use crate::sniff::Evidence;
use crate::sniff::{self, Decision, Hints};
use crate::unicode::{from_utf8, trim_partial_utf8};

/// Reads text in any encoding as UTF-8.
///
/// Malformed sequences become U+FFFD, unless [`strict`](Self::strict) makes them errors. The
/// underlying reader needs no buffering. It is read once per 16 KiB, or more often if that gives no text,
/// and not again after it has reported its end.
///
/// ```
/// use simdtext::{SHIFT_JIS, io::DecodeReader};
/// use std::io::{BufRead, Read};
///
/// let file: &[u8] = b"\x93\xFA\x96{\r\n\x8C\xEA";
/// let mut reader = DecodeReader::new(file, SHIFT_JIS);
/// let mut line = String::new();
/// reader.read_line(&mut line)?;
/// assert_eq!(line, "日本\r\n");
/// line.clear();
/// reader.read_to_string(&mut line)?;
/// assert_eq!(line, "語");
/// # Ok::<(), std::io::Error>(())
/// ```
#[doc(alias = "DecodeReaderBytes")]
pub struct DecodeReader<R> {
    source: Undecoded<R>,
    decision: Option<Decision>,
    /// Decoded text that was not yet asked for: `output[start..end]`.
    output: Box<[u8]>,
    start: usize,
    end: usize,
}

impl<R: Read> DecodeReader<R> {
    /// Reads `reader` as text in `encoding`; a byte order mark wins ([`Bom::Sniff`]).
    ///
    /// ```
    /// use std::io::Read;
    /// use simdtext::{KOI8_R, io::DecodeReader};
    ///
    /// let mut text = String::new();
    /// DecodeReader::new(&b"\xCD\xC9\xD2"[..], KOI8_R).read_to_string(&mut text)?;
    /// assert_eq!(text, "мир");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(reader: R, encoding: &'static Encoding) -> Self {
        Self::with_bom(reader, encoding, Bom::Sniff)
    }

    /// Reads `reader` as text in `encoding`, with this rule for byte order marks.
    ///
    /// ```
    /// use std::io::Read;
    /// use simdtext::{Bom, UTF_8, io::DecodeReader};
    ///
    /// let mut text = String::new();
    /// DecodeReader::with_bom(&b"\xEF\xBB\xBFa"[..], UTF_8, Bom::Keep).read_to_string(&mut text)?;
    /// assert_eq!(text, "\u{FEFF}a");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn with_bom(reader: R, encoding: &'static Encoding, bom: Bom) -> Self {
        Self {
            source: Undecoded::new(reader, encoding.decoder(bom)),
            decision: None,
            output: vec![0; BUFFER_LEN].into_boxed_slice(),
            start: 0,
            end: 0,
        }
    }

    /// Continues with another reader, from its start, as [`DecodeReader::new`] does; buffers,
    /// [`DecodeReader::strict`] and [`DecodeReader::utf8_pass_through`] stay, and nothing is allocated but the tables
    /// of East Asian encodings, once per process.
    ///
    /// ```
    /// use simdtext::{BIG5, EUC_JP, io::DecodeReader};
    /// use std::io::Read;
    ///
    /// let (mut reader, mut text) = (DecodeReader::new(&b"\xC6\xFC\xCB\xDC"[..], EUC_JP), String::new());
    /// reader.read_to_string(&mut text)?;
    /// reader.reset(b"\xA4\xA4", BIG5);
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!(text, "日本中");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn reset(&mut self, reader: R, encoding: &'static Encoding) {
        self.reset_with_bom(reader, encoding, Bom::Sniff);
    }

    /// Continues with another reader, as [`DecodeReader::reset`] does, with this rule for byte order marks.
    pub fn reset_with_bom(&mut self, reader: R, encoding: &'static Encoding, bom: Bom) {
        self.restart(reader);
        self.source.decoder.reset_to(encoding, bom);
    }

    fn restart(&mut self, reader: R) {
        (self.start, self.end) = (0, 0);
        self.decision = None;
        self.source.restart(reader);
    }

    /// Reads the first 16 KiB of `reader`, or all if there is less, and decides with [`sniff::resolve`]
    /// which encoding it is in. The decision does not depend on how many bytes each read returns, so a
    /// connection whose peer waits for an answer before it has sent 16 KiB blocks here: for such a stream
    /// call [`sniff::resolve`] with what has arrived, and [`DecodeReader::new`].
    ///
    /// # Errors
    ///
    /// Those of `reader`, except [`Interrupted`](io::ErrorKind::Interrupted). What was read before one is lost,
    /// so `reader` must not be one that reports [`WouldBlock`](io::ErrorKind::WouldBlock).
    ///
    /// ```
    /// use simdtext::io::DecodeReader;
    /// use simdtext::sniff::{Evidence, Hints};
    /// use std::io::Read;
    ///
    /// let hints = Hints::new().transport("text/plain; charset=koi8-r");
    /// let mut reader = DecodeReader::sniffing(&b"\xCD\xC9\xD2"[..], &hints)?;
    /// assert_eq!(reader.decision().unwrap().evidence, Evidence::Transport);
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!(text, "мир");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn sniffing(reader: R, hints: &Hints<'_>) -> io::Result<Self> {
        let mut sniffing = Self::new(reader, UTF_8);
        sniffing.begin(|head, complete| sniff::resolve(hints, head, complete))?;
        Ok(sniffing)
    }

    /// Continues with another reader, from its start, as [`DecodeReader::sniffing`] does; buffers,
    /// [`DecodeReader::strict`] and [`DecodeReader::utf8_pass_through`] stay, and nothing is allocated but the tables
    /// of East Asian encodings, once per process.
    ///
    /// # Errors
    ///
    /// Those of `reader`. After one, there is no text until another reader is set.
    ///
    /// ```
    /// use simdtext::io::DecodeReader;
    /// use simdtext::sniff::Hints;
    /// use simdtext::{EUC_KR, Encoding, UTF_8};
    /// use std::io::Read;
    ///
    /// let in_korea = Hints::new().fallback(EUC_KR);
    /// let documents: [(&[u8], &Encoding); 2] = [(b"\xC6\xF2\xC8\xAD", EUC_KR), ("평화".as_bytes(), UTF_8)];
    /// let (mut reader, mut text) = (DecodeReader::new(&b""[..], UTF_8), String::new());
    /// for (document, encoding) in documents {
    ///     reader.reset_sniffing(document, &in_korea)?;
    ///     text.clear();
    ///     reader.read_to_string(&mut text)?;
    ///     assert_eq!((text.as_str(), reader.encoding()), ("평화", encoding));
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn reset_sniffing(&mut self, reader: R, hints: &Hints<'_>) -> io::Result<()> {
        self.restart(reader);
        self.begin(|head, complete| sniff::resolve(hints, head, complete))
    }

    /// Begins a stream: `decide` gets its first bytes, and whether they are all.
    fn begin(&mut self, decide: impl FnOnce(&[u8], bool) -> Decision) -> io::Result<()> {
        let (head, complete) = self.source.read_head()?;
        let decision = decide(head, complete);
        // A byte order mark that the decision did not take for one is text.
        let bom = if decision.bom_len > 0 {
            Bom::Strip
        } else {
            Bom::Keep
        };
        self.source.decoder.reset_to(decision.encoding, bom);
        self.decision = Some(decision);
        Ok(())
    }

    /// With `true`, malformed sequences are errors of the kind
    /// [`InvalidData`](io::ErrorKind::InvalidData) around a [`DecodeError`](crate::DecodeError) with the offset in the
    /// stream. Text before one is given first; each is reported once, and reading continues after
    /// it.
    ///
    /// ```
    /// use simdtext::{DecodeError, UTF_8, io::DecodeReader};
    /// use std::io::Read;
    ///
    /// let mut reader = DecodeReader::new(&b"ab\xFF"[..], UTF_8).strict(true);
    /// let error = reader.read_to_string(&mut String::new()).unwrap_err();
    /// let error = error.downcast::<DecodeError>().unwrap();
    /// assert_eq!(error.malformed.offset, 2);
    /// ```
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.source.strict = strict;
        self
    }

    /// With `true`, UTF-8 is passed on unchanged and unchecked: malformed sequences are
    /// neither replaced nor errors, and the bytes read may not be text. For programs that look for bytes,
    /// such as search tools, and want a file that is UTF-8, or said to be, unchanged.
    ///
    /// Other encodings are decoded, and a byte order mark is still handled as usual.
    /// [`read_to_string`](Read::read_to_string) fails if what is passed on is malformed. Where reading has already
    /// begun, `true` and `false` hold from the next stream on.
    ///
    /// ```
    /// use simdtext::{UTF_8, io::DecodeReader};
    /// use std::io::Read;
    ///
    /// let mut found = Vec::new();
    /// let mut reader = DecodeReader::new(&b"\xEF\xBB\xBFna\xEFve"[..], UTF_8).utf8_pass_through(true);
    /// reader.read_to_end(&mut found)?;
    /// assert_eq!(found, b"na\xEFve");
    ///
    /// found.clear();
    /// reader.reset(b"\xFF\xFEn\0a\0\xEF\0", UTF_8);
    /// reader.read_to_end(&mut found)?;
    /// assert_eq!(found, "naï".as_bytes());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn utf8_pass_through(mut self, pass_through: bool) -> Self {
        self.source.pass_through = pass_through;
        self
    }
}

/// Readers that guess the encoding if nothing declares it.
#[cfg(feature = "detect")]
impl<R: Read> DecodeReader<R> {
    /// Decides as [`DecodeReader::sniffing`] does. If that comes to [`Evidence::Fallback`], guesses with
    /// [`detect::detect`] (feature `detect`) from the same bytes: the first 16 KiB, or all if there are
    /// fewer.
    ///
    /// A guess wins over [`Hints::fallback`], and its evidence is [`Evidence::Detected`]. ASCII is
    /// no evidence, so the fallback stays; it also stays if no encoding is plausible, as with binary data.
    /// Bytes that are valid UTF-8 never come to a guess, so
    /// without [`Options::allow_utf8`](detect::Options::allow_utf8) only UTF-8 with malformed
    /// sequences is taken for something else.
    ///
    /// # Errors
    ///
    /// As for [`DecodeReader::sniffing`].
    ///
    /// ```
    /// use simdtext::detect::Options;
    /// use simdtext::io::DecodeReader;
    /// use simdtext::sniff::{Evidence, Hints};
    /// use simdtext::{KOI8_R, Unmappable};
    /// use std::io::Read;
    ///
    /// let article = "Все люди рождаются свободными и равными в своём достоинстве и правах.";
    /// let file = KOI8_R.encode(article, Unmappable::Strict)?.bytes;
    /// let mut reader = DecodeReader::detecting(&*file, &Hints::default(), &Options::default())?;
    /// assert_eq!(reader.decision().unwrap().evidence, Evidence::Detected);
    /// assert_eq!(reader.encoding(), KOI8_R);
    /// let mut text = String::new();
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!(text, article);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn detecting(
        reader: R,
        hints: &Hints<'_>,
        options: &detect::Options<'_>,
    ) -> io::Result<Self> {
        let mut detecting = Self::new(reader, UTF_8);
        detecting.begin(|head, complete| resolve_or_guess(hints, options, head, complete))?;
        Ok(detecting)
    }

    /// Continues with another reader, from its start, as [`DecodeReader::detecting`] does; buffers,
    /// [`DecodeReader::strict`] and [`DecodeReader::utf8_pass_through`] stay, and nothing is allocated but the tables
    /// of East Asian encodings, once per process.
    ///
    /// # Errors
    ///
    /// Those of `reader`. After one, there is no text until another reader is set.
    ///
    /// ```
    /// use simdtext::detect::Options;
    /// use simdtext::io::DecodeReader;
    /// use simdtext::sniff::Hints;
    /// use simdtext::{EUC_JP, SHIFT_JIS, UTF_8, Unmappable};
    /// use std::io::Read;
    ///
    /// let article = "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。";
    /// let (mut reader, mut text) = (DecodeReader::new(&b""[..], UTF_8), String::new());
    /// let files = [SHIFT_JIS, EUC_JP, UTF_8].map(|it| (it, it.encode(article, Unmappable::Strict)));
    /// for (encoding, file) in &files {
    ///     let bytes = &*file.as_ref().unwrap().bytes;
    ///     reader.reset_detecting(bytes, &Hints::default(), &Options::default())?;
    ///     text.clear();
    ///     reader.read_to_string(&mut text)?;
    ///     assert_eq!((text.as_str(), reader.encoding()), (article, *encoding));
    /// }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn reset_detecting(
        &mut self,
        reader: R,
        hints: &Hints<'_>,
        options: &detect::Options<'_>,
    ) -> io::Result<()> {
        self.restart(reader);
        self.begin(|head, complete| resolve_or_guess(hints, options, head, complete))
    }
}

/// Decides by what is known, or else by a guess that is more than "ASCII".
#[cfg(feature = "detect")]
fn resolve_or_guess(
    hints: &Hints<'_>,
    options: &detect::Options<'_>,
    head: &[u8],
    complete: bool,
) -> Decision {
    let decision = sniff::resolve(hints, head, complete);
    if decision.evidence != Evidence::Fallback {
        return decision;
    }
    let guess = detect::detect(head, complete, options);
    let Some(encoding) = guess
        .encoding
        .filter(|_| guess.evidence != Evidence::Fallback)
    else {
        return decision;
    };
    Decision {
        encoding,
        evidence: guess.evidence,
        bom_len: 0,
        confidence: guess.confidence,
    }
}

impl<R> DecodeReader<R> {
    /// The encoding that is decoded. It does not change once three bytes, or the end, have been read.
    #[must_use]
    pub fn encoding(&self) -> &'static Encoding {
        self.source.decoder.encoding()
    }

    /// Which encoding was decided on, and why. `None` if the caller named it.
    #[must_use]
    pub fn decision(&self) -> Option<&Decision> {
        self.decision.as_ref()
    }

    /// The number of malformed sequences so far, including those in decoded text that is still buffered.
    ///
    /// ```
    /// use std::io::Read;
    /// use simdtext::{UTF_8, io::DecodeReader};
    ///
    /// let (mut reader, mut text) = (DecodeReader::new(&b"a\xFFb"[..], UTF_8), String::new());
    /// reader.read_to_string(&mut text)?;
    /// assert_eq!((&*text, reader.errors()), ("a\u{FFFD}b", 1));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    #[must_use]
    pub fn errors(&self) -> u64 {
        self.source.errors
    }

    /// The underlying reader.
    #[must_use]
    pub fn get_ref(&self) -> &R {
        &self.source.reader
    }

    /// The underlying reader. Bytes that are read from it here are missing from the text.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.source.reader
    }

    /// The underlying reader. Bytes and text that are still buffered are lost, as with `BufReader`.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.source.reader
    }

    fn buffered(&self) -> &[u8] {
        &self.output[self.start..self.end]
    }

    /// Appends what was passed on before the reader failed, and keeps the start of a character at its end for the
    /// next call. The buffer must be empty. Fails if that is not text: there is no room to keep all of it, and the
    /// next call would go on as if nothing were missing.
    fn keep_text(&mut self, bytes: &[u8], text: &mut String) -> io::Result<()> {
        let (whole, cut) = bytes.split_at(trim_partial_utf8(bytes));
        text.push_str(from_utf8(whole)?);
        self.output[..cut.len()].copy_from_slice(cut);
        (self.start, self.end) = (0, cut.len());
        Ok(())
    }
}

impl<R: Read> Read for DecodeReader<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if buf.is_empty() {
            return Ok(0);
        }
        if self.buffered().is_empty() && buf.len() >= self.output.len() {
            return self.source.decode_into(buf);
        }
        let available = self.fill_buf()?;
        let len = available.len().min(buf.len());
        buf[..len].copy_from_slice(&available[..len]);
        self.consume(len);
        Ok(len)
    }

    /// Appends the rest of the text, which needs no second validation. Where a shorter read has cut
    /// a character, what is left of it is not UTF-8, and the call fails.
    fn read_to_string(&mut self, text: &mut String) -> io::Result<usize> {
        let before = text.len();
        if self.source.passes()? {
            let mut bytes = Vec::new();
            if let Err(error) = self.read_to_end(&mut bytes) {
                self.keep_text(&bytes, text)?;
                return Err(error);
            }
            text.push_str(from_utf8(&bytes)?);
            return Ok(text.len() - before);
        }
        text.push_str(from_utf8(self.buffered())?);
        self.consume(usize::MAX);
        while !self.source.finished {
            // With less spare capacity than one character needs, the call might write nothing.
            text.reserve(MIN_UTF8);
            let strict = self.source.strict;
            let progress = self.source.step(|decoder, src, last| {
                if strict {
                    decoder.decode_to_string_strict(src, text, last)
                } else {
                    decoder.decode_to_string(src, text, last)
                }
            })?;
            if progress.status == Status::OutputFull {
                text.reserve(BUFFER_LEN);
            }
        }
        Ok(text.len() - before)
    }
}

impl<R: Read> BufRead for DecodeReader<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            let len = self.source.decode_into(&mut self.output)?;
            (self.start, self.end) = (0, len);
        }
        Ok(self.buffered())
    }

    fn consume(&mut self, amount: usize) {
        self.start = self.start.saturating_add(amount).min(self.end);
    }
}

impl<R: fmt::Debug> fmt::Debug for DecodeReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DecodeReader")
            .field("reader", &self.source.reader)
            .field("encoding", &self.encoding())
            .field("errors", &self.errors())
            .finish_non_exhaustive()
    }
}
