//! Encoding of arrays.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use arrow_schema::DataType;
use simdtext::{EncodeError, Encoding, Status, UTF_8, Unmappable};

use crate::decode::{Limit, is_ascii_in};
use crate::error::Error;
use crate::labels::{Choice, Labels, Resolver};
use crate::options::{EncodeOptions, OnUnmappable};
use crate::output::{Collect, Contiguous, Growing, TooLong, Views};
use crate::rows::{Form, Keys, Rows, Strings};

/// Encodes an array of text: `Utf8`, `LargeUtf8`, `Utf8View`, or a dictionary of these.
///
/// The result is `Binary`, `LargeBinary`, `BinaryView`, or a dictionary of these with the same keys; with a
/// column of labels it is no dictionary. It is null where the array is. In a `BinaryView`, texts that are
/// the same bytes in their encoding share the buffers of the array.
///
/// # Errors
///
/// Fails if the types or lengths don't fit, if the bytes are too long for their type (2 GiB in all with
/// `Binary`, and in each value with `BinaryView`), for [`Labels::Auto`], for the replacement encoding, which
/// nothing can be encoded to, and where the options ask for it.
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
    options: &EncodeOptions,
) -> Result<ArrayRef, Error> {
    encode_within(array, labels.into(), options, Limit::OFFSETS)
}

pub(crate) fn encode_within(
    array: &dyn Array,
    labels: Labels<'_>,
    options: &EncodeOptions,
    limit: Limit,
) -> Result<ArrayRef, Error> {
    match array.as_any_dictionary_opt() {
        Some(dictionary) if !matches!(labels, Labels::Column(_)) => {
            // Errors in the type are about the dictionary.
            Rows::<Strings<'_>>::of(array)?;
            let keys = Keys::of(dictionary);
            let values = Rows::of(dictionary.values().as_ref())?.only(&keys.used);
            let bytes = encode_rows(&values, labels, options, limit)
                .map_err(|error| error.at_row(|value| keys.first_row(value)))?;
            Ok(dictionary.with_values(bytes))
        }
        _ => encode_rows(&Rows::of(array)?, labels, options, limit),
    }
}

fn encode_rows(
    rows: &Rows<Strings<'_>>,
    labels: Labels<'_>,
    options: &EncodeOptions,
    limit: Limit,
) -> Result<ArrayRef, Error> {
    let labels = Resolver::new(labels, rows.len, options.null_label, options.unknown_label)?;
    let on_unmappable = options.on_unmappable;
    match rows.form() {
        Form::Small => {
            let output = Contiguous::<Vec<u8>, i32>::new(rows.len, rows.total_len(), limit.0);
            collect(rows, labels, on_unmappable, output)
        }
        Form::Large => {
            let output = Contiguous::<Vec<u8>, i64>::new(rows.len, rows.total_len(), usize::MAX);
            collect(rows, labels, on_unmappable, output)
        }
        Form::View => {
            let output = Views::<Vec<u8>>::new(rows.len, rows.buffers(), limit.0);
            collect(rows, labels, on_unmappable, output)
        }
    }
}

fn collect<C: Collect<Vec<u8>>>(
    rows: &Rows<Strings<'_>>,
    mut labels: Resolver<'_>,
    on_unmappable: OnUnmappable,
    mut output: C,
) -> Result<ArrayRef, Error> {
    for row in 0..rows.len {
        let Some(text) = rows.get(row) else {
            output.null();
            continue;
        };
        let encoding = match labels.choose(row)? {
            Choice::Labelled(encoding) | Choice::Fallback(encoding) => encoding,
            Choice::Auto => return Err(Error::AutoEncode),
            Choice::Null => {
                output.null();
                continue;
            }
        };
        if let Some(view) = rows.view(row)
            && is_unchanged(encoding, text)
            && output.share(view, text.as_bytes(), 0)
        {
            continue;
        }
        match append(
            encoding,
            text,
            on_unmappable.into(),
            output.begin(text.len()),
        ) {
            Ok(()) => output.keep().map_err(|TooLong| Error::TooLong {
                row,
                cast_to: DataType::LargeUtf8,
            })?,
            Err(EncodeError::Unmappable { .. }) if on_unmappable == OnUnmappable::Null => {
                output.null();
            }
            Err(error) => return Err(Error::Unencodable { row, error }),
        }
    }
    Ok(output.finish())
}

/// Whether the bytes of `text` are it in this encoding, too.
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
        let progress = encoder.encode_from_utf8_to_vec(rest, bytes.buffer(), true, unmappable);
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
