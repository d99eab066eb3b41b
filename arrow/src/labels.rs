//! The labels of the values of an array.

use arrow_array::{Array, ArrayRef, LargeStringArray, StringArray, StringViewArray};
use simdtext::Encoding;

use crate::error::Error;
use crate::options::WithoutEncoding;
use crate::rows::{Rows, Strings};

/// The encodings of the values of an array. Made from an [`Encoding`], from a label such as `"gbk"`, or from an
/// array of labels, with `into()`.
///
/// Labels are those of the Encoding Standard, in any case. The label `auto` stands for [`Labels::Auto`], also
/// in a column.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Labels<'a> {
    /// The encoding of each value is detected: from a byte order mark, from a declaration in it, by being valid
    /// UTF-8, or else by how plausible it is as text ([`simdtext::sniff`] and [`simdtext::detect`]).
    Auto,
    /// All values are in this encoding.
    Encoding(&'static Encoding),
    /// All values are in the encoding with this label.
    Label(&'a str),
    /// The label of each value is in the same row of this array: of `Utf8`, `LargeUtf8`, `Utf8View`, or a
    /// dictionary of these.
    Column(&'a dyn Array),
}

impl From<&'static Encoding> for Labels<'_> {
    fn from(encoding: &'static Encoding) -> Self {
        Labels::Encoding(encoding)
    }
}

impl<'a> From<&'a str> for Labels<'a> {
    fn from(label: &'a str) -> Self {
        Labels::Label(label)
    }
}

impl<'a> From<&'a dyn Array> for Labels<'a> {
    fn from(column: &'a dyn Array) -> Self {
        Labels::Column(column)
    }
}

impl<'a> From<&'a ArrayRef> for Labels<'a> {
    fn from(column: &'a ArrayRef) -> Self {
        Labels::Column(column.as_ref())
    }
}

impl<'a> From<&'a StringArray> for Labels<'a> {
    fn from(column: &'a StringArray) -> Self {
        Labels::Column(column)
    }
}

impl<'a> From<&'a LargeStringArray> for Labels<'a> {
    fn from(column: &'a LargeStringArray) -> Self {
        Labels::Column(column)
    }
}

impl<'a> From<&'a StringViewArray> for Labels<'a> {
    fn from(column: &'a StringViewArray) -> Self {
        Labels::Column(column)
    }
}

/// How to treat a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The encoding of its label.
    Labelled(&'static Encoding),
    /// Its label determines no encoding, and the options say to use this one.
    Fallback(&'static Encoding),
    Auto,
    Null,
}

/// The labels, and what to do without one.
pub(crate) struct Resolver<'a> {
    labels: Resolved<'a>,
    null_label: WithoutEncoding,
    unknown_label: WithoutEncoding,
}

enum Resolved<'a> {
    All(Choice),
    Column(Rows<Strings<'a>>),
}

/// A cache of labels that were looked up, at indexes computed from them: a column has few, which it repeats.
pub(crate) struct LookedUp<'a>([(&'a str, Option<Choice>); 64]);

impl<'a> LookedUp<'a> {
    pub(crate) fn new() -> Self {
        // No encoding has the empty label.
        LookedUp([("", None); 64])
    }

    fn look_up(&mut self, label: &'a str) -> Option<Choice> {
        let bytes = label.as_bytes();
        let byte = |at: usize| bytes.get(at).copied().map_or(0, usize::from);
        // Most labels differ in their length, in the middle or at the end.
        let place = bytes.len() + 3 * byte(bytes.len() / 2) + 7 * byte(bytes.len().wrapping_sub(1));
        let (known, choice) = &mut self.0[place % 64];
        if *known != label {
            (*known, *choice) = (label, look_up(label));
        }
        *choice
    }
}

impl<'a> Resolver<'a> {
    /// Makes a resolver for an array of `len` values.
    pub(crate) fn new(
        labels: Labels<'a>,
        len: usize,
        null_label: WithoutEncoding,
        unknown_label: WithoutEncoding,
    ) -> Result<Self, Error> {
        let labels = match labels {
            Labels::Auto => Resolved::All(Choice::Auto),
            Labels::Encoding(encoding) => Resolved::All(Choice::Labelled(encoding)),
            Labels::Label(label) => {
                let otherwise = || {
                    without(unknown_label).ok_or_else(|| Error::UnknownLabel {
                        label: label.to_owned(),
                        row: None,
                    })
                };
                Resolved::All(look_up(label).map_or_else(otherwise, Ok)?)
            }
            Labels::Column(column) if column.len() != len => {
                return Err(Error::Length {
                    values: len,
                    labels: column.len(),
                });
            }
            Labels::Column(column) => {
                Resolved::Column(Rows::of(column).map_err(|_| Error::Type {
                    expected: "labels",
                    found: column.data_type().clone(),
                })?)
            }
        };
        Ok(Resolver {
            labels,
            null_label,
            unknown_label,
        })
    }

    /// Returns how to treat the value in `row`.
    pub(crate) fn choose(&self, row: usize, known: &mut LookedUp<'a>) -> Result<Choice, Error> {
        let column = match &self.labels {
            Resolved::All(choice) => return Ok(*choice),
            Resolved::Column(column) => column,
        };
        let Some(label) = column.get(row) else {
            return without(self.null_label).ok_or(Error::NullLabel { row });
        };
        let otherwise = || {
            without(self.unknown_label).ok_or_else(|| Error::UnknownLabel {
                label: label.to_owned(),
                row: Some(row),
            })
        };
        known.look_up(label).map_or_else(otherwise, Ok)
    }
}

fn look_up(label: &str) -> Option<Choice> {
    let encoding = Encoding::for_label(label.as_bytes()).map(Choice::Labelled);
    encoding.or_else(|| {
        label
            .trim_matches(|ch: char| ch.is_ascii_whitespace())
            .eq_ignore_ascii_case("auto")
            .then_some(Choice::Auto)
    })
}

/// Returns `None` if a missing label is an error.
fn without(encoding: WithoutEncoding) -> Option<Choice> {
    match encoding {
        WithoutEncoding::Error => None,
        WithoutEncoding::Null => Some(Choice::Null),
        WithoutEncoding::Auto => Some(Choice::Auto),
        WithoutEncoding::Use(encoding) => Some(Choice::Fallback(encoding)),
    }
}
