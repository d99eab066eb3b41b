//! Encoding of arrays.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use simdtext::{EncodeError, Encoding, Status, UTF_8, Unmappable};

use crate::blocks::{Blocks, Limits, Work};
use crate::decode::is_ascii_in;
use crate::error::Error;
use crate::labels::{Choice, Labels, LookedUp, Resolver};
use crate::options::{EncodeOptions, OnUnmappable};
use crate::output::{Collect, Contiguous, Growing, TooLong, Views};
use crate::rows::{Form, Keys, Rows, Strings};

/// Encodes an array of text: `Utf8`, `LargeUtf8`, `Utf8View`, or a dictionary of these.
///
/// The result is `Binary`, `LargeBinary`, `BinaryView`, or a dictionary of these with the same keys; with a
/// column of labels it is not a dictionary. It is null where the array is. In a `BinaryView`, texts whose bytes
/// encoding does not change share the buffers of the array.
///
/// With the feature `rayon`, an array of 1 MiB or more is encoded by several threads, as by
/// [`decode`](crate::decode()).
///
/// # Errors
///
/// Fails if the types or lengths don't fit, if the bytes are too long for their type (2 GiB in all with
/// `Binary`, and in each value with `BinaryView`), for [`Labels::Auto`], for the replacement encoding, which
/// has no encoder, and if the options say that unmappable characters or missing labels are errors.
///
/// ```
/// use arrow_array::StringArray;
/// use arrow_array::cast::AsArray;
/// use simdtext::SHIFT_JIS;
/// use simdtext_arrow::{EncodeOptions, OnUnmappable, encode};
///
/// let text = StringArray::from(vec!["日本", "€"]);
/// let options = EncodeOptions::new().on_unmappable(OnUnmappable::Ncr);
/// let bytes = encode(&text, SHIFT_JIS, &options)?;
/// assert_eq!(bytes.as_binary::<i32>().value(0), b"\x93\xFA\x96{");
/// assert_eq!(bytes.as_binary::<i32>().value(1), b"&#8364;");
/// # Ok::<(), simdtext_arrow::Error>(())
/// ```
pub fn encode<'l>(
    array: &dyn Array,
    labels: impl Into<Labels<'l>>,
    options: &EncodeOptions<'_>,
) -> Result<ArrayRef, Error> {
    encode_within(array, labels.into(), options, Limits::default())
}

pub(crate) fn encode_within(
    array: &dyn Array,
    labels: Labels<'_>,
    options: &EncodeOptions<'_>,
    limits: Limits,
) -> Result<ArrayRef, Error> {
    match array.as_any_dictionary_opt() {
        Some(dictionary) if !matches!(labels, Labels::Column(_)) => {
            // Errors in the type are about the dictionary.
            Rows::<Strings<'_>>::of(array)?;
            let keys = Keys::of(dictionary);
            let values = Rows::of(dictionary.values().as_ref())?.only(&keys.used);
            let bytes = encode_rows(&values, labels, options, limits)
                .map_err(|error| error.at_row(|value| keys.first_row(value)))?;
            Ok(dictionary.with_values(bytes))
        }
        _ => encode_rows(&Rows::of(array)?, labels, options, limits),
    }
}

fn encode_rows(
    rows: &Rows<Strings<'_>>,
    labels: Labels<'_>,
    options: &EncodeOptions<'_>,
    limits: Limits,
) -> Result<ArrayRef, Error> {
    let job = Job {
        rows,
        labels: Resolver::new(labels, rows.len, options.null_label, options.unknown_label)?,
        on_unmappable: options.on_unmappable,
        input_len: rows.total_len(),
        limits,
    };
    let (len, input_len) = (rows.len, job.input_len);
    match rows.form() {
        Form::Small => job.collect(Contiguous::<Vec<u8>, i32>::new(
            len,
            input_len,
            limits.text,
            options.reuse,
        )),
        Form::Large => job.collect(Contiguous::<Vec<u8>, i64>::new(
            len,
            input_len,
            usize::MAX,
            options.reuse,
        )),
        Form::View => job.collect(Views::<Vec<u8>>::new(len, rows.buffers(), limits.text)),
    }
}

/// The values to encode, and how.
struct Job<'a> {
    rows: &'a Rows<Strings<'a>>,
    labels: Resolver<'a>,
    on_unmappable: OnUnmappable,
    /// The number of bytes of all values.
    input_len: usize,
    limits: Limits,
}

impl<'a> Job<'a> {
    fn collect<C: Collect<Vec<u8>> + Blocks>(&self, mut output: C) -> Result<ArrayRef, Error> {
        let rows = Work {
            rows: self.rows,
            input_len: self.input_len,
            limits: self.limits,
        };
        rows.convert(&mut output, too_long, |rows, known, output| {
            self.encode(rows, known, output)
        })?;
        Ok(output.finish())
    }

    /// Encodes the values of some rows.
    fn encode<C: Collect<Vec<u8>>>(
        &self,
        rows: Range<usize>,
        known: &mut LookedUp<'a>,
        output: &mut C,
    ) -> Result<(), Error> {
        let on_unmappable = self.on_unmappable;
        for row in rows {
            let Some(text) = self.rows.get(row) else {
                output.null();
                continue;
            };
            let encoding = match self.labels.choose(row, known)? {
                Choice::Labelled(encoding) | Choice::Fallback(encoding) => encoding,
                Choice::Auto => return Err(Error::AutoEncode),
                Choice::Null => {
                    output.null();
                    continue;
                }
            };
            if let Some(view) = self.rows.view(row)
                && is_unchanged(encoding, text)
                && output.share(view, text.as_bytes(), 0)
            {
                continue;
            }
            let bytes = output.begin(text.len());
            match append(encoding, text, on_unmappable.into(), bytes) {
                Ok(()) => output.keep().map_err(|TooLong| too_long(row))?,
                Err(EncodeError::Unmappable { .. }) if on_unmappable == OnUnmappable::Null => {
                    output.null();
                }
                Err(error) => return Err(Error::Unencodable { row, error }),
            }
        }
        Ok(())
    }
}

/// The error for bytes that become too long for their type in this row.
fn too_long(row: usize) -> Error {
    Error::TooLong {
        row,
        cast_to: DataType::LargeUtf8,
    }
}

/// Returns whether encoding does not change the bytes of `text`.
fn is_unchanged(encoding: &'static Encoding, text: &str) -> bool {
    encoding == UTF_8 || text.is_ascii() && is_ascii_in(encoding, text.as_bytes())
}

fn append(
    encoding: &'static Encoding,
    text: &str,
    unmappable: Unmappable,
    bytes: &mut Growing<Vec<u8>>,
) -> Result<(), EncodeError> {
    let mut encoder = encoding
        .encoder()
        .ok_or(EncodeError::NoEncoder { encoding })?;
    let mut rest = text;
    loop {
        let progress = encoder.encode_to_vec(rest, bytes.buffer(), true, unmappable);
        rest = &rest[progress.read..];
        bytes.has_read(progress.read);
        match progress.status {
            Status::Unmappable { ch, offset } => {
                return Err(EncodeError::Unmappable {
                    encoding,
                    ch,
                    offset,
                });
            }
            Status::OutputFull => bytes.grow(rest.len() + rest.len() / 2 + 32),
            Status::InputEmpty | Status::Malformed(_) => return Ok(()),
        }
    }
}
