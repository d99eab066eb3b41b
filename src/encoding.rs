//! The forty encodings of the standard, their names and their labels (section 4).

use core::fmt;
use core::hash::{Hash, Hasher};

use crate::codec::Codec;
use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::progress::Bom;

#[path = "../tables/labels.rs"]
mod table;

/// One of the forty encodings of the standard.
///
/// Encodings are statics ([`UTF_8`], [`SHIFT_JIS`], …) and are compared by which they are:
///
/// ```
/// use simdtext::{Encoding, SHIFT_JIS};
///
/// let encoding = Encoding::for_label(b" Windows-31J\n").unwrap();
/// assert!(encoding == SHIFT_JIS);
/// assert_eq!(encoding.name(), "Shift_JIS");
/// ```
pub struct Encoding {
    /// The row of `table::ENCODINGS`.
    row: u8,
    codec: Codec,
}

impl Encoding {
    /// *Get an encoding* (section 4.2): the encoding that a label means.
    ///
    /// ASCII white space around the label (tab, line feed, form feed, carriage return, space) is
    /// ignored, and so is the case of ASCII letters; nothing else is. `None` where no encoding
    /// has the label.
    ///
    /// ```
    /// use simdtext::{Encoding, WINDOWS_1252};
    ///
    /// assert_eq!(Encoding::for_label(b"Latin1"), Some(WINDOWS_1252));
    /// assert_eq!(Encoding::for_label(b"latin-1"), None);
    /// ```
    #[must_use]
    pub fn for_label(label: &[u8]) -> Option<&'static Encoding> {
        let label = label.trim_ascii();
        let mut lower = [0; LONGEST_LABEL];
        let lower = lower.get_mut(..label.len())?;
        lower.copy_from_slice(label);
        lower.make_ascii_lowercase();
        let found = table::LABELS
            .binary_search_by(|(candidate, _)| candidate.as_bytes().cmp(lower))
            .ok()?;
        Some(ALL[usize::from(table::LABELS[found].1)])
    }

    /// *BOM sniff* (section 6): the encoding whose byte order mark stands at the start of `bytes`,
    /// and the length of the mark in bytes.
    ///
    /// ```
    /// use simdtext::{Encoding, UTF_8, UTF_16LE};
    ///
    /// assert_eq!(Encoding::for_bom(b"\xEF\xBB\xBFtext"), Some((UTF_8, 3)));
    /// assert_eq!(Encoding::for_bom(b"\xFF\xFEt\0"), Some((UTF_16LE, 2)));
    /// assert_eq!(Encoding::for_bom(b"text"), None);
    /// ```
    #[must_use]
    pub fn for_bom(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
        match bytes {
            [0xEF, 0xBB, 0xBF, ..] => Some((UTF_8, 3)),
            [0xFE, 0xFF, ..] => Some((UTF_16BE, 2)),
            [0xFF, 0xFE, ..] => Some((UTF_16LE, 2)),
            _ => None,
        }
    }

    /// All forty encodings, in the order of the standard.
    #[must_use]
    pub fn all() -> &'static [&'static Encoding] {
        &ALL
    }

    /// The name, spelt as in the standard.
    #[must_use]
    pub fn name(&self) -> &'static str {
        table::ENCODINGS[usize::from(self.row)].0
    }

    /// The labels, in lower case, in the order of the standard.
    #[must_use]
    pub fn labels(&self) -> &'static [&'static str] {
        table::ENCODINGS[usize::from(self.row)].1
    }

    /// *Get an output encoding* (section 4.3): what forms and URLs are encoded with. UTF-8 for
    /// replacement, UTF-16BE and UTF-16LE; itself for any other.
    #[must_use]
    pub fn output_encoding(&'static self) -> &'static Encoding {
        match self.codec {
            Codec::Replacement | Codec::Utf16Be | Codec::Utf16Le => UTF_8,
            _ => self,
        }
    }

    /// Whether every byte decodes by itself to one character or to nothing: the 28 single-byte
    /// encodings of section 9, and x-user-defined.
    #[must_use]
    pub fn is_single_byte(&self) -> bool {
        matches!(self.codec, Codec::SingleByte(_) | Codec::XUserDefined)
    }

    /// Whether ASCII text is the same bytes in this encoding. False for UTF-16BE, UTF-16LE,
    /// ISO-2022-JP and replacement.
    #[must_use]
    pub fn is_ascii_compatible(&self) -> bool {
        !matches!(
            self.codec,
            Codec::Utf16Be | Codec::Utf16Le | Codec::Iso2022Jp | Codec::Replacement
        )
    }

    /// A streaming decoder from this encoding.
    #[must_use]
    pub fn decoder(&'static self, bom: Bom) -> Decoder {
        Decoder::new(self, bom)
    }

    /// A streaming encoder to this encoding; `None` for replacement, which has none.
    ///
    /// UTF-16BE and UTF-16LE do encode to UTF-16 here. The web's rule, which sends UTF-8 instead,
    /// is [`Encoding::output_encoding`].
    #[must_use]
    pub fn encoder(&'static self) -> Option<Encoder> {
        Encoder::new(self)
    }

    pub(crate) fn codec(&self) -> Codec {
        self.codec
    }
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

const LONGEST_LABEL: usize = {
    let mut longest = 0;
    let mut i = 0;
    while i < table::LABELS.len() {
        if table::LABELS[i].0.len() > longest {
            longest = table::LABELS[i].0.len();
        }
        i += 1;
    }
    longest
};

/// UTF-8 (section 8.1 of the standard).
pub static UTF_8: &Encoding = &Encoding {
    row: 0,
    codec: Codec::Utf8,
};
/// IBM866 (section 9 of the standard).
pub static IBM866: &Encoding = &Encoding {
    row: 1,
    codec: Codec::SingleByte(0),
};
/// ISO-8859-2 (section 9 of the standard).
pub static ISO_8859_2: &Encoding = &Encoding {
    row: 2,
    codec: Codec::SingleByte(1),
};
/// ISO-8859-3 (section 9 of the standard).
pub static ISO_8859_3: &Encoding = &Encoding {
    row: 3,
    codec: Codec::SingleByte(2),
};
/// ISO-8859-4 (section 9 of the standard).
pub static ISO_8859_4: &Encoding = &Encoding {
    row: 4,
    codec: Codec::SingleByte(3),
};
/// ISO-8859-5 (section 9 of the standard).
pub static ISO_8859_5: &Encoding = &Encoding {
    row: 5,
    codec: Codec::SingleByte(4),
};
/// ISO-8859-6 (section 9 of the standard).
pub static ISO_8859_6: &Encoding = &Encoding {
    row: 6,
    codec: Codec::SingleByte(5),
};
/// ISO-8859-7 (section 9 of the standard).
pub static ISO_8859_7: &Encoding = &Encoding {
    row: 7,
    codec: Codec::SingleByte(6),
};
/// ISO-8859-8 (section 9 of the standard).
pub static ISO_8859_8: &Encoding = &Encoding {
    row: 8,
    codec: Codec::SingleByte(7),
};
/// ISO-8859-8-I (section 9 of the standard).
pub static ISO_8859_8_I: &Encoding = &Encoding {
    row: 9,
    codec: Codec::SingleByte(7),
};
/// ISO-8859-10 (section 9 of the standard).
pub static ISO_8859_10: &Encoding = &Encoding {
    row: 10,
    codec: Codec::SingleByte(8),
};
/// ISO-8859-13 (section 9 of the standard).
pub static ISO_8859_13: &Encoding = &Encoding {
    row: 11,
    codec: Codec::SingleByte(9),
};
/// ISO-8859-14 (section 9 of the standard).
pub static ISO_8859_14: &Encoding = &Encoding {
    row: 12,
    codec: Codec::SingleByte(10),
};
/// ISO-8859-15 (section 9 of the standard).
pub static ISO_8859_15: &Encoding = &Encoding {
    row: 13,
    codec: Codec::SingleByte(11),
};
/// ISO-8859-16 (section 9 of the standard).
pub static ISO_8859_16: &Encoding = &Encoding {
    row: 14,
    codec: Codec::SingleByte(12),
};
/// KOI8-R (section 9 of the standard).
pub static KOI8_R: &Encoding = &Encoding {
    row: 15,
    codec: Codec::SingleByte(13),
};
/// KOI8-U (section 9 of the standard).
pub static KOI8_U: &Encoding = &Encoding {
    row: 16,
    codec: Codec::SingleByte(14),
};
/// macintosh (section 9 of the standard).
pub static MACINTOSH: &Encoding = &Encoding {
    row: 17,
    codec: Codec::SingleByte(15),
};
/// windows-874 (section 9 of the standard).
pub static WINDOWS_874: &Encoding = &Encoding {
    row: 18,
    codec: Codec::SingleByte(16),
};
/// windows-1250 (section 9 of the standard).
pub static WINDOWS_1250: &Encoding = &Encoding {
    row: 19,
    codec: Codec::SingleByte(17),
};
/// windows-1251 (section 9 of the standard).
pub static WINDOWS_1251: &Encoding = &Encoding {
    row: 20,
    codec: Codec::SingleByte(18),
};
/// windows-1252 (section 9 of the standard).
pub static WINDOWS_1252: &Encoding = &Encoding {
    row: 21,
    codec: Codec::SingleByte(19),
};
/// windows-1253 (section 9 of the standard).
pub static WINDOWS_1253: &Encoding = &Encoding {
    row: 22,
    codec: Codec::SingleByte(20),
};
/// windows-1254 (section 9 of the standard).
pub static WINDOWS_1254: &Encoding = &Encoding {
    row: 23,
    codec: Codec::SingleByte(21),
};
/// windows-1255 (section 9 of the standard).
pub static WINDOWS_1255: &Encoding = &Encoding {
    row: 24,
    codec: Codec::SingleByte(22),
};
/// windows-1256 (section 9 of the standard).
pub static WINDOWS_1256: &Encoding = &Encoding {
    row: 25,
    codec: Codec::SingleByte(23),
};
/// windows-1257 (section 9 of the standard).
pub static WINDOWS_1257: &Encoding = &Encoding {
    row: 26,
    codec: Codec::SingleByte(24),
};
/// windows-1258 (section 9 of the standard).
pub static WINDOWS_1258: &Encoding = &Encoding {
    row: 27,
    codec: Codec::SingleByte(25),
};
/// x-mac-cyrillic (section 9 of the standard).
pub static X_MAC_CYRILLIC: &Encoding = &Encoding {
    row: 28,
    codec: Codec::SingleByte(26),
};
/// GBK (section 10.1 of the standard).
pub static GBK: &Encoding = &Encoding {
    row: 29,
    codec: Codec::Gbk,
};
/// gb18030 (section 10.2 of the standard).
pub static GB18030: &Encoding = &Encoding {
    row: 30,
    codec: Codec::Gb18030,
};
/// Big5 (section 11.1 of the standard).
pub static BIG5: &Encoding = &Encoding {
    row: 31,
    codec: Codec::Big5,
};
/// EUC-JP (section 12.1 of the standard).
pub static EUC_JP: &Encoding = &Encoding {
    row: 32,
    codec: Codec::EucJp,
};
/// ISO-2022-JP (section 12.2 of the standard).
pub static ISO_2022_JP: &Encoding = &Encoding {
    row: 33,
    codec: Codec::Iso2022Jp,
};
/// Shift_JIS (section 12.3 of the standard).
pub static SHIFT_JIS: &Encoding = &Encoding {
    row: 34,
    codec: Codec::ShiftJis,
};
/// EUC-KR (section 13.1 of the standard).
pub static EUC_KR: &Encoding = &Encoding {
    row: 35,
    codec: Codec::EucKr,
};
/// replacement (section 14.1 of the standard).
pub static REPLACEMENT: &Encoding = &Encoding {
    row: 36,
    codec: Codec::Replacement,
};
/// UTF-16BE (section 14.3 of the standard).
pub static UTF_16BE: &Encoding = &Encoding {
    row: 37,
    codec: Codec::Utf16Be,
};
/// UTF-16LE (section 14.4 of the standard).
pub static UTF_16LE: &Encoding = &Encoding {
    row: 38,
    codec: Codec::Utf16Le,
};
/// x-user-defined (section 14.5 of the standard).
pub static X_USER_DEFINED: &Encoding = &Encoding {
    row: 39,
    codec: Codec::XUserDefined,
};

static ALL: [&Encoding; 40] = [
    UTF_8,
    IBM866,
    ISO_8859_2,
    ISO_8859_3,
    ISO_8859_4,
    ISO_8859_5,
    ISO_8859_6,
    ISO_8859_7,
    ISO_8859_8,
    ISO_8859_8_I,
    ISO_8859_10,
    ISO_8859_13,
    ISO_8859_14,
    ISO_8859_15,
    ISO_8859_16,
    KOI8_R,
    KOI8_U,
    MACINTOSH,
    WINDOWS_874,
    WINDOWS_1250,
    WINDOWS_1251,
    WINDOWS_1252,
    WINDOWS_1253,
    WINDOWS_1254,
    WINDOWS_1255,
    WINDOWS_1256,
    WINDOWS_1257,
    WINDOWS_1258,
    X_MAC_CYRILLIC,
    GBK,
    GB18030,
    BIG5,
    EUC_JP,
    ISO_2022_JP,
    SHIFT_JIS,
    EUC_KR,
    REPLACEMENT,
    UTF_16BE,
    UTF_16LE,
    X_USER_DEFINED,
];
