//! The options of callers.

use simdtext::sniff::Hints;
use simdtext::{Bom, Encoding, Unmappable, detect};

use crate::reuse::Reuse;

/// Options of [`decode`](crate::decode()). The defaults do what the Encoding Standard's *decode* (section 6)
/// does: a byte order mark wins over labels, and malformed sequences become U+FFFD.
///
/// ```
/// use simdtext::WINDOWS_1252;
/// use simdtext_arrow::{Column, DecodeOptions, OnMalformed, WithoutEncoding};
///
/// let options = DecodeOptions::new()
///     .on_malformed(OnMalformed::Null)
///     .null_label(WithoutEncoding::Auto)
///     .unknown_label(WithoutEncoding::Use(WINDOWS_1252))
///     .columns([Column::Text, Column::Errors]);
/// # let _ = options;
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DecodeOptions<'a> {
    pub(crate) on_malformed: OnMalformed,
    pub(crate) bom: Bom,
    pub(crate) null_label: WithoutEncoding,
    pub(crate) unknown_label: WithoutEncoding,
    pub(crate) hints: Hints<'a>,
    pub(crate) detection: detect::Options<'a>,
    pub(crate) columns: Columns,
    pub(crate) reuse: Option<&'a Reuse>,
}

impl Default for DecodeOptions<'_> {
    fn default() -> Self {
        DecodeOptions {
            on_malformed: OnMalformed::Replace,
            bom: Bom::Sniff,
            null_label: WithoutEncoding::Null,
            unknown_label: WithoutEncoding::Error,
            hints: Hints::new().late_meta(true),
            detection: detect::Options::new(),
            columns: Columns::ALL,
            reuse: None,
        }
    }
}

impl<'a> DecodeOptions<'a> {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what becomes of a malformed value; by default, each malformed sequence is replaced with U+FFFD.
    #[must_use]
    pub fn on_malformed(self, on_malformed: OnMalformed) -> Self {
        DecodeOptions {
            on_malformed,
            ..self
        }
    }

    /// Sets how to treat a byte order mark; by default it determines the encoding, and is removed.
    #[must_use]
    pub fn bom(self, bom: Bom) -> Self {
        DecodeOptions { bom, ..self }
    }

    /// Sets what becomes of a value whose label is null; by default its text is null.
    #[must_use]
    pub fn null_label(self, null_label: WithoutEncoding) -> Self {
        DecodeOptions { null_label, ..self }
    }

    /// Sets what becomes of a value whose label no encoding has; by default the call fails.
    #[must_use]
    pub fn unknown_label(self, unknown_label: WithoutEncoding) -> Self {
        DecodeOptions {
            unknown_label,
            ..self
        }
    }

    /// Sets what is known about the values that are decoded with [`Labels::Auto`](crate::Labels::Auto): the
    /// format, a Content-Type. By default nothing is, and all of an HTML document is searched for a declaration
    /// ([`Hints::late_meta`]). If nothing else determines the encoding, and detection finds nothing, the hints'
    /// fallback is used; without one the text is null.
    #[must_use]
    pub fn hints(self, hints: Hints<'a>) -> Self {
        DecodeOptions { hints, ..self }
    }

    /// Sets how the encoding of values that don't declare it is guessed.
    #[must_use]
    pub fn detection(self, detection: detect::Options<'a>) -> Self {
        DecodeOptions { detection, ..self }
    }

    /// Sets the fields of the result; by default all. Fields that are not requested are not computed: without
    /// the text, the errors and their offsets, nothing is decoded.
    #[must_use]
    pub fn columns(self, columns: impl Into<Columns>) -> Self {
        DecodeOptions {
            columns: columns.into(),
            ..self
        }
    }

    /// Writes the text to memory of earlier results that were dropped; by default all of it is new.
    #[must_use]
    pub fn reuse(self, reuse: &'a Reuse) -> Self {
        DecodeOptions {
            reuse: Some(reuse),
            ..self
        }
    }
}

/// What becomes of a malformed value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnMalformed {
    /// Each malformed sequence is replaced with U+FFFD.
    #[default]
    Replace,
    /// Its text is null; `errors` is 1, for the first malformed sequence.
    Null,
    /// The call fails with [`Error::Malformed`](crate::Error::Malformed).
    Error,
}

/// What becomes of a value whose label is null or unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WithoutEncoding {
    /// The call fails.
    Error,
    /// The result is null.
    Null,
    /// The encoding is detected, as with [`Labels::Auto`](crate::Labels::Auto).
    Auto,
    /// This encoding is used.
    Use(&'static Encoding),
}

/// A field of the result of [`decode`](crate::decode()), in their order there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum Column {
    /// `text`: the text.
    Text,
    /// `encoding`: the name of the encoding that was decoded, as the standard spells it.
    Encoding,
    /// `evidence`: how it is known.
    Evidence,
    /// `errors`: the number of malformed sequences.
    Errors,
    /// `first_error_offset`: the offset of the first malformed sequence in the value, in bytes; null if there
    /// is none.
    FirstErrorOffset,
}

impl Column {
    /// Returns the name of the field.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Column::Text => "text",
            Column::Encoding => "encoding",
            Column::Evidence => "evidence",
            Column::Errors => "errors",
            Column::FirstErrorOffset => "first_error_offset",
        }
    }
}

/// A set of [`Column`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Columns(u8);

impl Columns {
    /// All columns.
    pub const ALL: Columns = Columns(0b1_1111);

    /// Returns whether `column` is in the set.
    #[must_use]
    pub fn has(self, column: Column) -> bool {
        self.0 & 1 << column as u8 != 0
    }
}

impl FromIterator<Column> for Columns {
    fn from_iter<I: IntoIterator<Item = Column>>(columns: I) -> Self {
        Columns(
            columns
                .into_iter()
                .fold(0, |set, column| set | 1 << column as u8),
        )
    }
}

impl<const N: usize> From<[Column; N]> for Columns {
    fn from(columns: [Column; N]) -> Self {
        columns.into_iter().collect()
    }
}

/// Options of [`encode`](crate::encode()).
#[derive(Clone, Copy, Debug)]
pub struct EncodeOptions<'a> {
    pub(crate) on_unmappable: OnUnmappable,
    pub(crate) null_label: WithoutEncoding,
    pub(crate) unknown_label: WithoutEncoding,
    pub(crate) reuse: Option<&'a Reuse>,
}

impl Default for EncodeOptions<'_> {
    fn default() -> Self {
        EncodeOptions {
            on_unmappable: OnUnmappable::Error,
            null_label: WithoutEncoding::Null,
            unknown_label: WithoutEncoding::Error,
            reuse: None,
        }
    }
}

impl<'a> EncodeOptions<'a> {
    /// Returns the defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what becomes of a text with characters that its encoding lacks; by default the call fails.
    #[must_use]
    pub fn on_unmappable(self, on_unmappable: OnUnmappable) -> Self {
        EncodeOptions {
            on_unmappable,
            ..self
        }
    }

    /// Sets what becomes of a text whose label is null; by default its bytes are null.
    /// [`WithoutEncoding::Auto`] is an error.
    #[must_use]
    pub fn null_label(self, null_label: WithoutEncoding) -> Self {
        EncodeOptions { null_label, ..self }
    }

    /// Sets what becomes of a text whose label no encoding has; by default the call fails.
    /// [`WithoutEncoding::Auto`] is an error.
    #[must_use]
    pub fn unknown_label(self, unknown_label: WithoutEncoding) -> Self {
        EncodeOptions {
            unknown_label,
            ..self
        }
    }

    /// Writes the bytes to memory of earlier results that were dropped; by default all of it is new.
    #[must_use]
    pub fn reuse(self, reuse: &'a Reuse) -> Self {
        EncodeOptions {
            reuse: Some(reuse),
            ..self
        }
    }
}

/// What becomes of a text with a character that its encoding lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OnUnmappable {
    /// The call fails with [`Error::Unencodable`](crate::Error::Unencodable).
    #[default]
    Error,
    /// The result is null.
    Null,
    /// The character becomes a decimal numeric character reference, such as `&#8364;`.
    Ncr,
    /// This character is encoded instead, or `?` if the encoding lacks it as well.
    Replace(char),
    /// The character is omitted.
    Skip,
}

impl From<OnUnmappable> for Unmappable {
    fn from(on_unmappable: OnUnmappable) -> Self {
        match on_unmappable {
            OnUnmappable::Error | OnUnmappable::Null => Unmappable::Strict,
            OnUnmappable::Ncr => Unmappable::Ncr,
            OnUnmappable::Replace(ch) => Unmappable::Replace(ch),
            OnUnmappable::Skip => Unmappable::Skip,
        }
    }
}
