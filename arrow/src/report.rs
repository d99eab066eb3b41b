//! The columns about each value besides its text.

use std::sync::{Arc, LazyLock};

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int8Array, StringArray, UInt64Array};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::DataType;
use simdtext::Encoding;

#[cfg(feature = "rayon")]
use crate::blocks::Blocks;
use crate::options::{Column, Columns};
#[cfg(feature = "rayon")]
use crate::output::Growing;

/// How the encoding of a value is known: the value of the column `evidence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Known {
    Label,
    Bom,
    Transport,
    Prescan,
    LateMeta,
    Environment,
    Utf8,
    Ascii,
    Detected,
    Fallback,
    Binary,
    Utf32,
    Implausible,
}

impl Known {
    /// The names of the variants, in order.
    const NAMES: [&'static str; 13] = [
        "label",
        "bom",
        "transport",
        "prescan",
        "late-meta",
        "environment",
        "utf-8",
        "ascii",
        "detected",
        "fallback",
        "binary",
        "utf-32",
        "implausible",
    ];
}

static EVIDENCE: LazyLock<ArrayRef> =
    LazyLock::new(|| Arc::new(StringArray::from_iter_values(Known::NAMES)));

/// The names of all encodings, by index.
static ENCODINGS: LazyLock<ArrayRef> = LazyLock::new(|| {
    let names = Encoding::all().iter().map(|encoding| encoding.name());
    Arc::new(StringArray::from_iter_values(names))
});

/// The type of the columns `encoding` and `evidence`.
pub(crate) fn name_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Utf8))
}

/// One value of each column, apart from the text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Row {
    pub(crate) encoding: Option<&'static Encoding>,
    pub(crate) known: Option<Known>,
    pub(crate) errors: Option<u64>,
    pub(crate) first_error: Option<u64>,
}

/// The requested columns, apart from the text. Null is represented by the largest number of the type, which is
/// not an index or a count: this takes less time than keeping bits as well.
pub(crate) struct Report {
    columns: Columns,
    encodings: Vec<u8>,
    evidence: Vec<u8>,
    errors: Vec<u64>,
    first_errors: Vec<u64>,
}

impl Report {
    pub(crate) fn new(columns: Columns, rows: usize) -> Self {
        let room = |column| if columns.has(column) { rows } else { 0 };
        Report {
            columns,
            encodings: Vec::with_capacity(room(Column::Encoding)),
            evidence: Vec::with_capacity(room(Column::Evidence)),
            errors: Vec::with_capacity(room(Column::Errors)),
            first_errors: Vec::with_capacity(room(Column::FirstErrorOffset)),
        }
    }

    pub(crate) fn push(&mut self, row: Row) {
        if self.columns.has(Column::Encoding) {
            let index = row.encoding.map(Encoding::index);
            let index = index.and_then(|index| u8::try_from(index).ok());
            self.encodings.push(index.unwrap_or(u8::MAX));
        }
        if self.columns.has(Column::Evidence) {
            let index = row.known.map(|known| known as u8);
            self.evidence.push(index.unwrap_or(u8::MAX));
        }
        if self.columns.has(Column::Errors) {
            self.errors.push(row.errors.unwrap_or(u64::MAX));
        }
        if self.columns.has(Column::FirstErrorOffset) {
            self.first_errors.push(row.first_error.unwrap_or(u64::MAX));
        }
    }

    /// Appends the rows of `block`, and empties it.
    #[cfg(feature = "rayon")]
    fn append(&mut self, block: &mut Report) {
        self.encodings.append(&mut block.encodings);
        self.evidence.append(&mut block.evidence);
        self.errors.append(&mut block.errors);
        self.first_errors.append(&mut block.first_errors);
    }

    /// Returns the columns in their order.
    pub(crate) fn finish(self) -> Vec<(Column, ArrayRef)> {
        let mut columns: Vec<(Column, ArrayRef)> = Vec::new();
        if self.columns.has(Column::Encoding) {
            let names = named(indices(self.encodings), &ENCODINGS);
            columns.push((Column::Encoding, names));
        }
        if self.columns.has(Column::Evidence) {
            let names = named(indices(self.evidence), &EVIDENCE);
            columns.push((Column::Evidence, names));
        }
        if self.columns.has(Column::Errors) {
            columns.push((Column::Errors, numbers(self.errors)));
        }
        if self.columns.has(Column::FirstErrorOffset) {
            columns.push((Column::FirstErrorOffset, numbers(self.first_errors)));
        }
        columns
    }
}

/// Returns which values are not null, and replaces the others with 0.
fn take_nulls<T: Copy + Default + PartialEq>(values: &mut [T], null: T) -> Option<NullBuffer> {
    if !values.contains(&null) {
        return None;
    }
    let valid = BooleanBuffer::collect_bool(values.len(), |row| values[row] != null);
    for value in values {
        *value = if *value == null { T::default() } else { *value };
    }
    Some(NullBuffer::new(valid))
}

fn indices(mut values: Vec<u8>) -> Int8Array {
    let nulls = take_nulls(&mut values, u8::MAX);
    // All of them are small.
    let indices: Vec<i8> = values.into_iter().map(|index| index as i8).collect();
    Int8Array::new(indices.into(), nulls)
}

fn numbers(mut values: Vec<u64>) -> ArrayRef {
    let nulls = take_nulls(&mut values, u64::MAX);
    Arc::new(UInt64Array::new(values.into(), nulls))
}

/// Output with a row of a report for each value.
pub(crate) struct Reported<C> {
    pub(crate) output: C,
    pub(crate) report: Report,
}

#[cfg(feature = "rayon")]
impl<C: Blocks> Blocks for Reported<C> {
    const MIN_BLOCKS: usize = C::MIN_BLOCKS;
    const MAX_BLOCK: usize = C::MAX_BLOCK;
    type Bytes = C::Bytes;

    fn block(&self, input_len: usize) -> Self {
        Reported {
            output: self.output.block(input_len),
            report: Report::new(self.report.columns, 0),
        }
    }

    fn bytes(&mut self) -> Option<&mut Growing<C::Bytes>> {
        self.output.bytes()
    }

    fn append(&mut self, block: &mut Self) -> Result<(), usize> {
        self.report.append(&mut block.report);
        self.output.append(&mut block.output)
    }
}

fn named(indices: Int8Array, names: &ArrayRef) -> ArrayRef {
    Arc::new(DictionaryArray::<Int8Type>::new(indices, Arc::clone(names)))
}

/// Returns the rows of a column of a [`Report`] at `keys`; null if a key is `None`.
pub(crate) fn gather(column: &ArrayRef, keys: impl Iterator<Item = Option<usize>>) -> ArrayRef {
    if let Some(names) = column.as_dictionary_opt::<Int8Type>() {
        let indices = names.keys();
        let gathered = keys.map(|key| {
            key.filter(|&key| indices.is_valid(key))
                .map(|key| indices.value(key))
        });
        return named(gathered.collect(), names.values());
    }
    let numbers = column.as_primitive::<UInt64Type>();
    let gathered = keys.map(|key| {
        key.filter(|&key| numbers.is_valid(key))
            .map(|key| numbers.value(key))
    });
    Arc::new(gathered.collect::<UInt64Array>())
}
