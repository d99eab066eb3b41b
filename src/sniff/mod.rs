//! Which encoding a document is in, as browsers decide it: evidence in, decision out.
//!
//! [`resolve`] weighs all evidence; each part is also available by itself. Nothing allocates, and no
//! hint or document causes a panic or takes more than linear time.
//!
//! # The order
//!
//! | evidence | what it is | confidence |
//! |---|---|---|
//! | [`Bom`](Evidence::Bom) | a byte order mark ([`Encoding::for_bom`]) | certain |
//! | [`Override`](Evidence::Override) | [`Hints::override_label`] | certain |
//! | [`Transport`](Evidence::Transport) | the charset of [`Hints::transport`] ([`MimeType`]) | certain |
//! | [`Prescan`](Evidence::Prescan) | what the document says of itself ([`prescan`], [`xml_encoding`], [`css_charset`]) | certain; tentative in HTML |
//! | [`LateMeta`](Evidence::LateMeta) | a `meta` element further on in HTML, if [`Hints::late_meta`] asks for it ([`late_meta`]) | tentative |
//! | [`Environment`](Evidence::Environment) | [`Hints::environment`]; not for XML, and for HTML no UTF-16 | tentative |
//! | [`Utf8Valid`](Evidence::Utf8Valid) | it is UTF-8 ([`is_utf8`]) | certain if the document is complete |
//! | [`Fallback`](Evidence::Fallback) | [`Hints::fallback`], or UTF-8 | tentative |
//!
//! Browsers use this order for HTML, XML, CSS, scripts and text (HTML's *encoding sniffing
//! algorithm*, CSS Syntax's *determine the fallback encoding*, Encoding's *decode*).
//!
//! - The byte order mark wins even over an override: it is part of the document, and *decode*, which all
//!   of these algorithms call, obeys it in any case.
//! - An unknown label, and a Content-Type value that is not a MIME type or has no charset, are not
//!   evidence: the next in the order decides.
//! - A `meta` tag after the first 1,024 bytes is for the HTML parser, which may *change the encoding while
//!   parsing*. With [`Hints::late_meta`] it is looked for in a document in memory; one that a script writes
//!   is not found.
//! - Other APIs of the web look at less: `XMLHttpRequest` takes what an HTML document declares for
//!   certain; its text responses, and scripts, look at nothing within the document but the byte
//!   order mark (use [`Format::Text`]); `TextDecoder` is given its encoding, and *UTF-8 decode* always
//!   uses UTF-8 (for these two see [`web`](crate::web) and [`hooks`](crate::hooks)).
//!
//! ```
//! use simdtext::sniff::{Confidence, Evidence, Hints, resolve};
//! use simdtext::{EUC_JP, UTF_8};
//!
//! let hints = Hints::new().transport("text/html; charset=EUC-JP");
//! let decision = resolve(&hints, b"<title>\xC6\xFC\xCB\xDC</title>", true);
//! assert_eq!(decision.encoding, EUC_JP);
//! assert_eq!(decision.evidence, Evidence::Transport);
//! assert_eq!(decision.confidence, Confidence::Certain);
//!
//! let decision = resolve(&hints, b"\xEF\xBB\xBF<title>\xE6\x97\xA5</title>", true);
//! assert_eq!((decision.encoding, decision.bom_len), (UTF_8, 3));
//! assert_eq!(decision.evidence, Evidence::Bom);
//! ```
//!
//! Tested in `tests/sniff`: cases as data, with the section each comes from.

mod content_type;
mod css;
mod declarations;
mod double_encoding;
mod first_valid;
mod format;
mod html;
mod late_meta;
mod meta_content;
mod metas;
mod segments;
mod utf8;
mod utf8_tally;
mod xml;

pub use content_type::{MimeType, ParameterValue};
pub use css::css_charset;
pub use declarations::{Declaration, Declarations, declarations};
pub use double_encoding::DoubleEncoding;
#[cfg(feature = "alloc")]
pub use double_encoding::undo_double_encoding;
pub use first_valid::{FirstValid, Tried};
pub use html::prescan;
pub use late_meta::{LATE_META_LEN, late_meta};
pub use meta_content::encoding_in_content;
#[cfg(feature = "detect")]
pub(crate) use segments::selects_another_set;
pub use segments::{Segment, SegmentReason, Segments};
pub use utf8::is_utf8;
pub use utf8_tally::{Utf8Tally, Utf8Verdict};
pub use xml::xml_encoding;

use core::fmt;

use crate::encoding::{Encoding, UTF_8, UTF_16BE, UTF_16LE, X_USER_DEFINED};

/// How far into a document browsers look for what it declares, in bytes.
pub const HEAD_LEN: usize = 1024;

/// What is known about a document apart from its bytes. By default nothing.
///
/// ```
/// use simdtext::WINDOWS_1251;
/// use simdtext::sniff::{Format, Hints};
///
/// let content_type: Option<&str> = None;
/// let hints = Hints::new().transport(content_type).format(Format::Html).fallback(WINDOWS_1251);
/// assert_eq!(hints.fallback, Some(WINDOWS_1251));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Hints<'a> {
    /// The value of the Content-Type header that came with the document, such as
    /// `text/html; charset=gbk`.
    pub transport: Option<&'a str>,
    /// The format of the document.
    pub format: Format,
    /// A label chosen by the user for this document. Ignored if it is unknown.
    pub override_label: Option<&'a str>,
    /// The encoding given by what refers to the document: the encoding of the parent document or of the
    /// style sheet that imports this one, or the `charset` attribute of the link.
    pub environment: Option<&'static Encoding>,
    /// The encoding to use if nothing declares one: the user's setting, or what is usual in the user's
    /// language. `None` means UTF-8.
    pub fallback: Option<&'static Encoding>,
    /// Whether an HTML document whose first [`HEAD_LEN`] bytes declare nothing is searched further for a `meta`
    /// element, as the HTML parser would: up to [`LATE_META_LEN`], or as far as it is given.
    pub late_meta: bool,
}

impl<'a> Hints<'a> {
    /// Nothing is known.
    #[must_use]
    pub const fn new() -> Self {
        Hints {
            transport: None,
            format: Format::Unknown,
            override_label: None,
            environment: None,
            fallback: None,
            late_meta: false,
        }
    }

    /// Sets [`Hints::transport`].
    ///
    /// ```
    /// use simdtext::GBK;
    /// use simdtext::sniff::{Hints, resolve};
    ///
    /// let hints = Hints::new().transport("text/html; charset=gbk");
    /// assert_eq!(resolve(&hints, b"<p>", true).encoding, GBK);
    /// ```
    #[must_use]
    pub fn transport(self, content_type: impl Into<Option<&'a str>>) -> Self {
        Hints {
            transport: content_type.into(),
            ..self
        }
    }

    /// Sets [`Hints::format`].
    ///
    /// ```
    /// use simdtext::GBK;
    /// use simdtext::sniff::{Format, Hints, resolve};
    ///
    /// let hints = Hints::new().format(Format::Css);
    /// assert_eq!(resolve(&hints, b"@charset \"gbk\";", true).encoding, GBK);
    /// ```
    #[must_use]
    pub const fn format(self, format: Format) -> Self {
        Hints { format, ..self }
    }

    /// Sets [`Hints::override_label`].
    ///
    /// ```
    /// use simdtext::KOI8_U;
    /// use simdtext::sniff::{Hints, resolve};
    ///
    /// let hints = Hints::new().override_label("koi8-u");
    /// assert_eq!(resolve(&hints, b"<meta charset=gbk>", true).encoding, KOI8_U);
    /// ```
    #[must_use]
    pub fn override_label(self, label: impl Into<Option<&'a str>>) -> Self {
        Hints {
            override_label: label.into(),
            ..self
        }
    }

    /// Sets [`Hints::environment`].
    ///
    /// ```
    /// use simdtext::BIG5;
    /// use simdtext::sniff::{Format, Hints, resolve};
    ///
    /// let hints = Hints::new().format(Format::Css).environment(BIG5);
    /// assert_eq!(resolve(&hints, b"p {}", true).encoding, BIG5);
    /// ```
    #[must_use]
    pub fn environment(self, encoding: impl Into<Option<&'static Encoding>>) -> Self {
        Hints {
            environment: encoding.into(),
            ..self
        }
    }

    /// Sets [`Hints::fallback`].
    ///
    /// ```
    /// use simdtext::WINDOWS_1251;
    /// use simdtext::sniff::{Hints, resolve};
    ///
    /// let hints = Hints::new().fallback(WINDOWS_1251);
    /// assert_eq!(resolve(&hints, b"\xEC\xE8\xF0", true).encoding, WINDOWS_1251);
    /// ```
    #[must_use]
    pub fn fallback(self, encoding: impl Into<Option<&'static Encoding>>) -> Self {
        Hints {
            fallback: encoding.into(),
            ..self
        }
    }

    /// Sets [`Hints::late_meta`].
    ///
    /// ```
    /// use simdtext::GBK;
    /// use simdtext::sniff::{Evidence, Format, Hints, resolve};
    ///
    /// let page = [&[b' '; 2000][..], b"<meta charset=gbk>"].concat();
    /// let hints = Hints::new().format(Format::Html).late_meta(true);
    /// let decision = resolve(&hints, &page, true);
    /// assert_eq!((decision.encoding, decision.evidence), (GBK, Evidence::LateMeta));
    /// ```
    #[must_use]
    pub const fn late_meta(self, late_meta: bool) -> Self {
        Hints { late_meta, ..self }
    }
}

/// The format of a document, which decides where it may declare its encoding.
///
/// ```
/// use simdtext::sniff::Format;
///
/// assert_eq!(Format::from_head(b"<!doctype html>"), Format::Html);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// To be found out from the transport's MIME type, or else from the first bytes.
    #[default]
    Unknown,
    /// HTML: `meta` elements.
    Html,
    /// XML: the XML declaration.
    Xml,
    /// A style sheet: `@charset`.
    Css,
    /// Plain text, a script, or anything else that declares nothing.
    Text,
}

/// What [`resolve`] decided, and why.
///
/// ```
/// use simdtext::sniff::{Confidence, Evidence, Hints, resolve};
///
/// let decision = resolve(&Hints::new(), b"\xFF\xFEa\0", true);
/// assert_eq!((decision.evidence, decision.bom_len), (Evidence::Bom, 2));
/// assert_eq!(decision.confidence, Confidence::Certain);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Decision {
    /// The encoding to decode the document with.
    pub encoding: &'static Encoding,
    /// What decided.
    pub evidence: Evidence,
    /// The length of the byte order mark in bytes: 2 or 3 with [`Evidence::Bom`], else 0. A decoder
    /// with [`Bom::Sniff`](crate::Bom::Sniff) removes it by itself.
    pub bom_len: usize,
    /// Whether the decision may turn out to be wrong.
    pub confidence: Confidence,
}

/// What a [`Decision`] rests on. [The order](self#the-order) says which win over which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evidence {
    /// A byte order mark.
    Bom,
    /// [`Hints::override_label`].
    Override,
    /// [`Hints::transport`].
    Transport,
    /// What the document declares: a `meta` element, an XML declaration, `@charset`.
    Prescan,
    /// What a `meta` element declares after the first [`HEAD_LEN`] bytes of an HTML document.
    LateMeta,
    /// [`Hints::environment`].
    Environment,
    /// A guess from the frequency of bytes. [`resolve`] makes none.
    Detected,
    /// The document is UTF-8, and not only ASCII ([`is_utf8`]). For a complete document this counts as
    /// certain, although a few bytes of another encoding may be valid UTF-8 by chance.
    Utf8Valid,
    /// Nothing: [`Hints::fallback`], or UTF-8.
    Fallback,
}

impl fmt::Display for Evidence {
    /// A phrase for people, such as `byte order mark`.
    ///
    /// ```
    /// use simdtext::sniff::Evidence;
    ///
    /// assert_eq!(Evidence::Prescan.to_string(), "declaration in the document");
    /// ```
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Evidence::Bom => "byte order mark",
            Evidence::Override => "label chosen by the caller",
            Evidence::Transport => "charset of the Content-Type",
            Evidence::Prescan => "declaration in the document",
            Evidence::LateMeta => "late declaration in the document",
            Evidence::Environment => "encoding of the referring document",
            Evidence::Detected => "guess from the bytes",
            Evidence::Utf8Valid => "valid UTF-8",
            Evidence::Fallback => "fallback",
        })
    }
}

impl fmt::Display for Confidence {
    /// `certain` or `tentative`, as HTML calls them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Confidence::Certain => "certain",
            Confidence::Tentative => "tentative",
        })
    }
}

/// Whether a [`Decision`] may turn out to be wrong. No variants will be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confidence {
    /// Nothing that follows in the document changes it.
    Certain,
    /// The best answer so far. A declaration in HTML is tentative because the parser may find another
    /// one later.
    Tentative,
}

/// Decides which encoding a document is in.
///
/// `head` is the beginning of the document in bytes, or all of it if `complete` is true. The standards
/// look at no more than [`HEAD_LEN`] bytes; more bytes make the answer to "is this UTF-8?" better, at
/// the speed of validation.
///
/// See [the module](self) for the order of evidence, and an example.
///
/// ```
/// use simdtext::SHIFT_JIS;
/// use simdtext::sniff::{Evidence, Hints, resolve};
///
/// let decision = resolve(&Hints::new(), b"<meta charset=sjis>", false);
/// assert_eq!((decision.encoding, decision.evidence), (SHIFT_JIS, Evidence::Prescan));
/// ```
#[doc(alias(
    "encoding_sniffing_algorithm",
    "autodetect_encoding",
    "detect_encodings"
))]
#[must_use]
pub fn resolve(hints: &Hints<'_>, head: &[u8], complete: bool) -> Decision {
    if let Some((encoding, bom_len)) = Encoding::for_bom(head) {
        return Decision {
            encoding,
            evidence: Evidence::Bom,
            bom_len,
            confidence: Confidence::Certain,
        };
    }
    let (encoding, evidence, confidence) = without_bom(hints, head, complete);
    Decision {
        encoding,
        evidence,
        bom_len: 0,
        confidence,
    }
}

impl Hints<'_> {
    fn format_of(&self, mime: Option<MimeType<'_>>, head: &[u8]) -> Format {
        let of_mime = mime.map_or(Format::Unknown, |mime| Format::from_mime_type(&mime));
        match (self.format, of_mime) {
            (Format::Unknown, Format::Unknown) => Format::from_head(head),
            (Format::Unknown, of_mime) => of_mime,
            (known, _) => known,
        }
    }
}

impl Format {
    /// What a document of this kind declares in its first bytes.
    fn declared_in(self, head: &[u8]) -> Option<&'static Encoding> {
        match self {
            Self::Html => prescan(head),
            Self::Xml => xml_encoding(head),
            Self::Css => css_charset(head),
            Self::Text | Self::Unknown => None,
        }
    }

    /// XML is UTF-8 if it does not declare anything else. An HTML document takes its parent's
    /// encoding unless that is UTF-16BE or UTF-16LE (*encoding sniffing algorithm*, step 6).
    fn takes_environment(self, environment: &'static Encoding) -> bool {
        match self {
            Self::Xml => false,
            Self::Html => !is_utf16(environment),
            Self::Css | Self::Text | Self::Unknown => true,
        }
    }
}

fn is_utf16(encoding: &'static Encoding) -> bool {
    encoding == UTF_16BE || encoding == UTF_16LE
}

/// The encoding that a document's ASCII bytes declare. Because they are ASCII, the document can't be
/// UTF-16, and the standards take that for UTF-8.
fn declared(encoding: &'static Encoding) -> &'static Encoding {
    if is_utf16(encoding) { UTF_8 } else { encoding }
}

/// The encoding that a `meta` element declares, which is read as ASCII.
fn declared_by_meta(encoding: &'static Encoding) -> Option<&'static Encoding> {
    if encoding == X_USER_DEFINED {
        // If that encoding is compiled in.
        return Encoding::for_label(b"windows-1252");
    }
    Some(declared(encoding))
}

/// The part that is searched for declarations.
fn first_bytes(head: &[u8]) -> &[u8] {
    head.get(..HEAD_LEN).unwrap_or(head)
}

fn without_bom(
    hints: &Hints<'_>,
    head: &[u8],
    complete: bool,
) -> (&'static Encoding, Evidence, Confidence) {
    use Confidence::{Certain, Tentative};

    let label = hints.override_label.map(str::as_bytes);
    if let Some(encoding) = label.and_then(Encoding::for_label) {
        return (encoding, Evidence::Override, Certain);
    }
    let mime = hints.transport.and_then(MimeType::parse);
    if let Some(encoding) = mime.and_then(|mime| mime.encoding()) {
        return (encoding, Evidence::Transport, Certain);
    }
    let format = hints.format_of(mime, head);
    if let Some(encoding) = format.declared_in(head) {
        // HTML's parser may find another declaration later.
        let confidence = if format == Format::Html {
            Tentative
        } else {
            Certain
        };
        return (encoding, Evidence::Prescan, confidence);
    }
    if hints.late_meta
        && format == Format::Html
        && let Some(encoding) = late_meta(head)
    {
        return (encoding, Evidence::LateMeta, Tentative);
    }
    let environment = hints.environment.filter(|it| format.takes_environment(it));
    if let Some(encoding) = environment {
        return (encoding, Evidence::Environment, Tentative);
    }
    if is_utf8(head, complete) {
        let confidence = if complete { Certain } else { Tentative };
        return (UTF_8, Evidence::Utf8Valid, confidence);
    }
    let fallback = hints.fallback.unwrap_or(UTF_8);
    (fallback, Evidence::Fallback, Tentative)
}
