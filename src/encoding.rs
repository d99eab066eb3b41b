//! The forty encodings of the standard, their names and their labels (section 4).

use core::cmp::Ordering;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::codec::Codec;

// The statics, and the lists of all names and labels: generated.
#[path = "../tables/encodings.rs"]
mod list;
mod lookup;
pub use list::*;
use list::{ALL, LABELS_OF, NAMES};

/// One of the forty encodings of the standard.
///
/// Encodings are statics ([`UTF_8`], [`SHIFT_JIS`], …) and are compared by identity:
///
/// ```
/// use simdtext::{Encoding, SHIFT_JIS};
///
/// let encoding = Encoding::for_label(b" Windows-31J\n").unwrap();
/// assert!(encoding == SHIFT_JIS);
/// assert_eq!(encoding.name(), "Shift_JIS");
/// ```
pub struct Encoding {
    /// The place in the list of the standard.
    row: u8,
    codec: Codec,
}

impl Encoding {
    /// *Get an encoding* (section 4.2): the encoding that a label means.
    ///
    /// ASCII white space around the label (tab, line feed, form feed, carriage return, space) is
    /// ignored, and so is the case of ASCII letters; nothing else is. `None` if no encoding
    /// has the label.
    ///
    /// ```
    /// use simdtext::{Encoding, WINDOWS_1252};
    ///
    /// assert_eq!(Encoding::for_label(b"Latin1"), Some(WINDOWS_1252));
    /// assert_eq!(Encoding::for_label(b"latin-1"), None);
    /// ```
    #[doc(alias("get_an_encoding", "for_label_no_replacement"))]
    #[must_use]
    pub fn for_label(label: &[u8]) -> Option<&'static Encoding> {
        lookup::encoding(lookup::row(label)?)
    }

    /// Whether a label is one of the standard's, and its encoding compiled in. The encodings of sections 9
    /// to 13 may be left out (features `legacy-single-byte` and `legacy-cjk`); [`Encoding::for_label`] returns
    /// `None` for their labels.
    ///
    /// ```
    /// use simdtext::{Encoding, LabelStatus, UTF_8};
    ///
    /// assert_eq!(Encoding::label_status(b"utf8"), LabelStatus::Known(UTF_8));
    /// assert_eq!(Encoding::label_status(b"latin-1"), LabelStatus::Unknown);
    /// let name = match Encoding::label_status(b"sjis") {
    ///     LabelStatus::Known(encoding) => encoding.name(),
    ///     LabelStatus::NotCompiledIn { name, .. } => name,
    ///     _ => panic!(),
    /// };
    /// assert_eq!(name, "Shift_JIS");
    /// ```
    #[must_use]
    pub fn label_status(label: &[u8]) -> LabelStatus {
        match lookup::row(label) {
            Some(row) => match lookup::encoding(row) {
                Some(encoding) => LabelStatus::Known(encoding),
                None => LabelStatus::NotCompiledIn {
                    name: NAMES[usize::from(row)],
                },
            },
            None => LabelStatus::Unknown,
        }
    }

    /// *BOM sniff* (section 6.1): the encoding whose byte order mark stands at the start of `bytes`,
    /// and the length of the mark in bytes.
    ///
    /// ```
    /// use simdtext::{Encoding, UTF_8, UTF_16LE};
    ///
    /// assert_eq!(Encoding::for_bom(b"\xEF\xBB\xBFtext"), Some((UTF_8, 3)));
    /// assert_eq!(Encoding::for_bom(b"\xFF\xFEt\0"), Some((UTF_16LE, 2)));
    /// assert_eq!(Encoding::for_bom(b"text"), None);
    /// ```
    #[doc(alias("bom_sniff", "ucnv_detectUnicodeSignature"))]
    #[must_use]
    pub fn for_bom(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
        match bytes {
            [0xEF, 0xBB, 0xBF, ..] => Some((UTF_8, 3)),
            [0xFE, 0xFF, ..] => Some((UTF_16BE, 2)),
            [0xFF, 0xFE, ..] => Some((UTF_16LE, 2)),
            _ => None,
        }
    }

    /// All encodings, in the order of the standard: forty, or those that are compiled in.
    ///
    /// ```
    /// use simdtext::{Encoding, UTF_8};
    ///
    /// assert!(Encoding::all().contains(&UTF_8));
    /// ```
    #[doc(alias = "ucnv_getAvailableName")]
    #[must_use]
    pub const fn all() -> &'static [&'static Encoding] {
        ALL
    }

    /// The place among the forty encodings of the standard, in its order, whether or not all are compiled in; the
    /// place in [`Encoding::all`] if they are. For tables with a row for each encoding.
    ///
    /// ```
    /// use simdtext::{Encoding, UTF_8};
    ///
    /// assert_eq!(Encoding::all()[UTF_8.index()], UTF_8);
    /// ```
    #[must_use]
    pub fn index(&self) -> usize {
        usize::from(self.row)
    }

    /// The name, spelt as in the standard.
    ///
    /// ```
    /// assert_eq!(simdtext::EUC_KR.name(), "EUC-KR");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        NAMES[usize::from(self.row)]
    }

    /// The labels, in lower case, in the order of the standard.
    ///
    /// ```
    /// assert_eq!(simdtext::MACINTOSH.labels(), ["csmacintosh", "mac", "macintosh", "x-mac-roman"]);
    /// ```
    #[doc(alias = "ucnv_getAlias")]
    #[must_use]
    pub fn labels(&self) -> &'static [&'static str] {
        LABELS_OF[usize::from(self.row)]
    }

    /// *Get an output encoding* (section 4.3): what forms and URLs are encoded with. UTF-8 for
    /// replacement, UTF-16BE and UTF-16LE; itself for any other.
    ///
    /// ```
    /// use simdtext::{SHIFT_JIS, UTF_8, UTF_16LE};
    ///
    /// assert_eq!(UTF_16LE.output_encoding(), UTF_8);
    /// assert_eq!(SHIFT_JIS.output_encoding(), SHIFT_JIS);
    /// ```
    #[doc(alias("get_an_output_encoding", "can_encode_everything"))]
    #[must_use]
    pub fn output_encoding(&'static self) -> &'static Encoding {
        match self.codec {
            Codec::Replacement | Codec::Utf16Be | Codec::Utf16Le => UTF_8,
            _ => self,
        }
    }

    /// Whether every byte decodes by itself to one character or to nothing: the single-byte
    /// encodings of section 9, and x-user-defined.
    ///
    /// ```
    /// use simdtext::{UTF_8, WINDOWS_1252};
    ///
    /// assert!(WINDOWS_1252.is_single_byte() && !UTF_8.is_single_byte());
    /// ```
    #[must_use]
    pub fn is_single_byte(&self) -> bool {
        matches!(self.codec, Codec::SingleByte(_) | Codec::XUserDefined)
    }

    /// Whether ASCII text is the same bytes in this encoding. False for UTF-16BE, UTF-16LE,
    /// ISO-2022-JP and replacement.
    ///
    /// ```
    /// use simdtext::{GBK, UTF_16LE};
    ///
    /// assert!(GBK.is_ascii_compatible() && !UTF_16LE.is_ascii_compatible());
    /// ```
    #[must_use]
    pub fn is_ascii_compatible(&self) -> bool {
        !matches!(
            self.codec,
            Codec::Utf16Be | Codec::Utf16Le | Codec::Iso2022Jp | Codec::Replacement
        )
    }

    /// ISO-2022-JP, if it is compiled in.
    pub(crate) fn iso_2022_jp() -> Option<&'static Encoding> {
        Encoding::for_label(b"iso-2022-jp")
    }

    pub(crate) fn is_iso_2022_jp(&self) -> bool {
        self.codec == Codec::Iso2022Jp
    }

    pub(crate) fn codec(&self) -> Codec {
        self.codec
    }
}

/// What is known about a label: [`Encoding::label_status`].
///
/// ```
/// use simdtext::{Encoding, KOI8_U, LabelStatus};
///
/// assert_eq!(Encoding::label_status(b"koi8-ru"), LabelStatus::Known(KOI8_U));
/// assert_eq!(Encoding::label_status(b"ebcdic"), LabelStatus::Unknown);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LabelStatus {
    /// A label of this encoding.
    Known(&'static Encoding),
    /// A label of an encoding that a feature leaves out.
    #[non_exhaustive]
    NotCompiledIn {
        /// The encoding's name, spelt as in the standard.
        name: &'static str,
    },
    /// No encoding of the standard has this label.
    Unknown,
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        // Not by address: a constant of another crate that names an encoding has a copy of its own.
        self.row == other.row
    }
}

impl Eq for Encoding {}

impl Hash for Encoding {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.row.hash(state);
    }
}

/// Encodings are in the order of the standard, as [`Encoding::all`] lists them.
impl Ord for Encoding {
    fn cmp(&self, other: &Self) -> Ordering {
        self.row.cmp(&other.row)
    }
}

impl PartialOrd for Encoding {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoding({})", self.name())
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
