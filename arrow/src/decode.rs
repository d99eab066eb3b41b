//! Decoding of arrays.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, Fields};
use simdtext::unicode::from_utf8;
use simdtext::{Bom, DecodeError, Encoding, ISO_2022_JP, Malformed, Status, UTF_8};

use crate::blocks::{Blocks, Limits, Work};
use crate::decide::decide;
use crate::error::Error;
use crate::labels::{Labels, LookedUp, Resolver};
use crate::options::{Column, DecodeOptions, OnMalformed};
use crate::output::{Collect, Contiguous, Discard, Growing, TooLong, Views};
use crate::report::{Report, Reported, Row, gather, name_type};
use crate::rows::{Bytes, Form, Keys, Rows};

/// Decodes an array of bytes: `Binary`, `LargeBinary`, `BinaryView`, `FixedSizeBinary`, or a dictionary of
/// these.
///
/// The result has the fields of [`Column`] that [`DecodeOptions::columns`] chooses. It is null where the array
/// is; where only the encoding is missing, `text` and `encoding` are null.
///
/// The type of `text` corresponds to the array's: `Utf8` for `Binary` and `FixedSizeBinary`, `LargeUtf8` for
/// `LargeBinary`, `Utf8View` for `BinaryView`. In a `Utf8View`, values that are ASCII or UTF-8 share the
/// buffers of the array. Each value of a dictionary is decoded once, and `text` has the same keys; with a
/// column of labels `text` is not a dictionary, because one value may have several labels.
///
/// With the feature `rayon`, an array of 1 MiB or more is decoded by several threads: those of the caller's
/// rayon pool, or else of the global one.
///
/// # Errors
///
/// Fails if the types or lengths don't fit, if the text is too long for its type (2 GiB in all with `Utf8`, and
/// in each value with `Utf8View`), and if the options say that malformed values or missing labels are errors.
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::{Array, BinaryArray, StringArray};
/// use simdtext_arrow::{DecodeOptions, decode};
///
/// let bytes = BinaryArray::from_opt_vec(vec![Some(b"\x93\xFA\x96{"), None, Some(b"\xCD\xC9\xD2\xFF")]);
/// let labels = StringArray::from(vec!["sjis", "gbk", "koi8-r"]);
/// let decoded = decode(&bytes, &labels, &DecodeOptions::new())?;
/// let text = decoded.column_by_name("text").unwrap().as_string::<i32>();
/// assert_eq!((text.value(0), text.is_null(1), text.value(2)), ("日本", true, "мирЪ"));
/// # Ok::<(), simdtext_arrow::Error>(())
/// ```
pub fn decode<'l>(
    array: &dyn Array,
    labels: impl Into<Labels<'l>>,
    options: &DecodeOptions<'_>,
) -> Result<StructArray, Error> {
    decode_within(array, labels.into(), options, Limits::default())
}

/// Decodes an array of bytes to text alone: the field `text` of the result of [`decode`].
///
/// # Errors
///
/// Those of [`decode`].
///
/// ```
/// use arrow_array::cast::AsArray;
/// use arrow_array::LargeBinaryArray;
/// use simdtext_arrow::{DecodeOptions, decode_text};
///
/// let bytes = LargeBinaryArray::from_vec(vec![b"caf\xE9"]);
/// let text = decode_text(&bytes, "latin1", &DecodeOptions::new())?;
/// assert_eq!(text.as_string::<i64>().value(0), "café");
/// # Ok::<(), simdtext_arrow::Error>(())
/// ```
pub fn decode_text<'l>(
    array: &dyn Array,
    labels: impl Into<Labels<'l>>,
    options: &DecodeOptions<'_>,
) -> Result<ArrayRef, Error> {
    let options = options.columns([Column::Text]);
    let (_, columns, _) = decode(array, labels, &options)?.into_parts();
    // There is one column, the one that was requested.
    Ok(columns
        .into_iter()
        .next()
        .unwrap_or_else(|| Arc::new(arrow_array::NullArray::new(array.len()))))
}

pub(crate) fn decode_within(
    array: &dyn Array,
    labels: Labels<'_>,
    options: &DecodeOptions<'_>,
    limits: Limits,
) -> Result<StructArray, Error> {
    let nulls = array.logical_nulls();
    let columns = match array.as_any_dictionary_opt() {
        Some(dictionary) if !matches!(labels, Labels::Column(_)) => {
            // Errors in the type are about the dictionary.
            let whole = Rows::<Bytes<'_>>::of(array)?;
            let keys = Keys::of(dictionary);
            let values = Rows::of(dictionary.values().as_ref())?.only(&keys.used);
            let columns = decode_rows(&values, labels, options, limits)
                .map_err(|error| error.at_row(|value| keys.first_row(value)))?;
            let row_keys = || {
                (0..whole.len).map(|row| {
                    let is_valid = nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
                    is_valid.then(|| keys.keys[row])
                })
            };
            columns
                .into_iter()
                .map(|(column, values)| match column {
                    Column::Text => (column, dictionary.with_values(values)),
                    _ => (column, gather(&values, row_keys())),
                })
                .collect()
        }
        _ => decode_rows(&Rows::of(array)?, labels, options, limits)?,
    };
    Ok(assemble(columns, array.len(), nulls))
}

fn assemble(
    columns: Vec<(Column, ArrayRef)>,
    len: usize,
    nulls: Option<NullBuffer>,
) -> StructArray {
    if columns.is_empty() {
        return StructArray::new_empty_fields(len, nulls);
    }
    let (fields, arrays): (Vec<_>, Vec<_>) = columns
        .into_iter()
        .map(|(column, array)| {
            let field = Field::new(column.name(), array.data_type().clone(), true);
            (field, array)
        })
        .unzip();
    StructArray::new(Fields::from(fields), arrays, nulls)
}

impl DecodeOptions<'_> {
    /// Returns the type of the result of [`decode`] for an array of type `input`; `None` if it would fail. For
    /// query engines, which ask before there is any data.
    ///
    /// ```
    /// use arrow_schema::DataType;
    /// use simdtext_arrow::{Column, DecodeOptions, Labels};
    ///
    /// let options = DecodeOptions::new().columns([Column::Text]);
    /// let DataType::Struct(fields) = options.data_type(&DataType::Binary, Labels::Auto).unwrap() else {
    ///     unreachable!()
    /// };
    /// assert_eq!(fields[0].data_type(), &DataType::Utf8);
    /// ```
    #[must_use]
    pub fn data_type<'l>(
        &self,
        input: &DataType,
        labels: impl Into<Labels<'l>>,
    ) -> Option<DataType> {
        let in_column = matches!(labels.into(), Labels::Column(_));
        let text = text_type(input, in_column)?;
        let all = [
            (Column::Text, text),
            (Column::Encoding, name_type()),
            (Column::Evidence, name_type()),
            (Column::Errors, DataType::UInt64),
            (Column::FirstErrorOffset, DataType::UInt64),
        ];
        let fields = all
            .into_iter()
            .filter(|(column, _)| self.columns.has(*column))
            .map(|(column, data_type)| Field::new(column.name(), data_type, true));
        Some(DataType::Struct(fields.collect()))
    }
}

fn text_type(input: &DataType, in_column: bool) -> Option<DataType> {
    Some(match input {
        DataType::Binary | DataType::FixedSizeBinary(_) => DataType::Utf8,
        DataType::LargeBinary => DataType::LargeUtf8,
        DataType::BinaryView => DataType::Utf8View,
        DataType::Dictionary(_, values) if matches!(**values, DataType::Dictionary(..)) => {
            return None;
        }
        DataType::Dictionary(_, values) if in_column => text_type(values, in_column)?,
        DataType::Dictionary(keys, values) => {
            DataType::Dictionary(keys.clone(), Box::new(text_type(values, in_column)?))
        }
        _ => return None,
    })
}

fn decode_rows(
    rows: &Rows<Bytes<'_>>,
    labels: Labels<'_>,
    options: &DecodeOptions<'_>,
    limits: Limits,
) -> Result<Vec<(Column, ArrayRef)>, Error> {
    let labels = Resolver::new(labels, rows.len, options.null_label, options.unknown_label)?;
    let job = Job {
        rows,
        labels,
        options,
        is_decoding: needs_decoding(options),
        input_len: rows.total_len(),
        limits,
    };
    if !options.columns.has(Column::Text) {
        return job.collect(Discard::<String>::default());
    }
    match rows.form() {
        Form::Small => job.collect(Contiguous::<String, i32>::new(
            rows.len,
            job.input_len,
            limits.text,
            options.reuse,
        )),
        Form::Large => job.collect(Contiguous::<String, i64>::new(
            rows.len,
            job.input_len,
            usize::MAX,
            options.reuse,
        )),
        Form::View => job.collect(Views::<String>::new(rows.len, rows.buffers(), limits.text)),
    }
}

/// The values to decode, and how.
struct Job<'a> {
    rows: &'a Rows<Bytes<'a>>,
    labels: Resolver<'a>,
    options: &'a DecodeOptions<'a>,
    is_decoding: bool,
    /// The number of bytes of all values.
    input_len: usize,
    limits: Limits,
}

impl<'a> Job<'a> {
    fn collect<C: Collect<String> + Blocks>(
        &self,
        output: C,
    ) -> Result<Vec<(Column, ArrayRef)>, Error> {
        let columns = self.options.columns;
        let mut result = Reported {
            output,
            report: Report::new(columns, self.rows.len),
        };
        let rows = Work {
            rows: self.rows,
            input_len: self.input_len,
            limits: self.limits,
        };
        rows.convert(&mut result, too_long, |rows, known, result| {
            self.decode(rows, known, result)
        })?;
        let mut arrays = Vec::with_capacity(5);
        if columns.has(Column::Text) {
            arrays.push((Column::Text, result.output.finish()));
        }
        arrays.extend(result.report.finish());
        Ok(arrays)
    }

    /// Decodes the values of some rows.
    fn decode<C: Collect<String>>(
        &self,
        rows: Range<usize>,
        known: &mut LookedUp<'a>,
        Reported { output, report }: &mut Reported<C>,
    ) -> Result<(), Error> {
        for row in rows {
            let Some(bytes) = self.rows.get(row) else {
                output.null();
                report.push(Row::default());
                continue;
            };
            let decision = decide(self.labels.choose(row, known)?, bytes, self.options);
            let mut about = Row {
                encoding: decision.encoding,
                known: decision.known,
                ..Row::default()
            };
            match decision.encoding {
                None => output.null(),
                Some(_) if !self.is_decoding => {}
                Some(encoding) => {
                    let view = self.rows.view(row);
                    let source = Source {
                        encoding,
                        bytes,
                        mark: decision.mark,
                        view,
                    };
                    let found = source.decode(row, self.options.on_malformed, output)?;
                    about.errors = Some(found.errors);
                    about.first_error = found.first.map(|malformed| malformed.offset);
                }
            }
            report.push(about);
        }
        Ok(())
    }
}

/// Returns whether a requested column depends on more than the encoding.
fn needs_decoding(options: &DecodeOptions<'_>) -> bool {
    options.on_malformed == OnMalformed::Error
        || [Column::Text, Column::Errors, Column::FirstErrorOffset]
            .iter()
            .any(|column| options.columns.has(*column))
}

/// A value and its encoding.
struct Source<'a> {
    encoding: &'static Encoding,
    bytes: &'a [u8],
    /// The length of its byte order mark in bytes.
    mark: usize,
    view: Option<u128>,
}

/// The malformed sequences in a value.
#[derive(Clone, Copy, Debug, Default)]
struct Faults {
    errors: u64,
    first: Option<Malformed>,
}

impl Source<'_> {
    /// Decodes the value to `output`.
    fn decode<C: Collect<String>>(
        &self,
        row: usize,
        on_malformed: OnMalformed,
        output: &mut C,
    ) -> Result<Faults, Error> {
        let content = &self.bytes[self.mark..];
        if let Some(view) = self.view
            && let Some(text) = unchanged(self.encoding, content)
            && let Ok(skip) = u32::try_from(self.mark)
            && output.share(view, text, skip)
        {
            return Ok(Faults::default());
        }
        let stop = on_malformed != OnMalformed::Replace;
        let faults = self.append(content, stop, output.begin(content.len()));
        match (faults.first, on_malformed) {
            (Some(malformed), OnMalformed::Error) => {
                let error = DecodeError {
                    encoding: self.encoding,
                    malformed,
                };
                return Err(Error::Malformed { row, error });
            }
            (Some(_), OnMalformed::Null) => output.null(),
            _ => output.keep().map_err(|TooLong| too_long(row))?,
        }
        Ok(faults)
    }

    /// Appends the text of `content`; with `stop`, only up to the first malformed sequence.
    fn append(&self, content: &[u8], stop: bool, text: &mut Growing<String>) -> Faults {
        let mut decoder = self.encoding.decoder(Bom::Keep).at_offset(self.mark as u64);
        let mut faults = Faults::default();
        let mut rest = content;
        loop {
            // Only the first malformed sequence is worth a stop.
            let progress = if faults.first.is_none() {
                decoder.decode_to_string_strict(rest, text.buffer(), true)
            } else {
                decoder.decode_to_string(rest, text.buffer(), true)
            };
            rest = &rest[progress.read..];
            text.has_read(progress.read);
            faults.errors += progress.errors as u64;
            match progress.status {
                Status::Malformed(malformed) => {
                    faults.first = Some(malformed);
                    if stop {
                        return faults;
                    }
                    text.make_room(rest.len());
                    text.buffer().push(char::REPLACEMENT_CHARACTER);
                }
                Status::OutputFull => {
                    // Room for the rest and what the decoder holds, if they grow as text usually does.
                    text.grow(rest.len() + rest.len() / 2 + 32);
                }
                Status::InputEmpty | Status::Unmappable { .. } => return faults,
            }
        }
    }
}

/// The error for text that becomes too long for its type in this row.
fn too_long(row: usize) -> Error {
    Error::TooLong {
        row,
        cast_to: DataType::LargeBinary,
    }
}

/// Returns `bytes` as text, if decoding would not change them.
fn unchanged<'a>(encoding: &'static Encoding, bytes: &'a [u8]) -> Option<&'a str> {
    if encoding != UTF_8 && !(bytes.is_ascii() && is_ascii_in(encoding, bytes)) {
        return None;
    }
    from_utf8(bytes).ok()
}

/// Returns whether these ASCII bytes are the same characters in this encoding.
pub(crate) fn is_ascii_in(encoding: &'static Encoding, ascii: &[u8]) -> bool {
    if encoding == ISO_2022_JP {
        !ascii.iter().any(|byte| matches!(byte, 0x0E | 0x0F | 0x1B))
    } else {
        encoding.is_ascii_compatible()
    }
}
