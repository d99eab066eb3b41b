//! What is known about each value besides its text.

use std::sync::{Arc, LazyLock};

use arrow_array::builder::{Int8Builder, UInt64Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, Int8Array, StringArray, UInt64Array};
use arrow_schema::DataType;
use simdtext::Encoding;

#[cfg(feature = "rayon")]
use crate::blocks::Blocks;
use crate::options::{Column, Columns};

/// How the encoding of a value is known: what the column `evidence` says.
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
    /// What they are called, in order.
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

/// The names of all encodings, each in the place that is its index.
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

/// The columns that were asked for, apart from the text.
pub(crate) struct Report {
    columns: Columns,
    encodings: Int8Builder,
    evidence: Int8Builder,
    errors: UInt64Builder,
    first_errors: UInt64Builder,
}

impl Report {
    pub(crate) fn new(columns: Columns, rows: usize) -> Self {
        let room = |column| if columns.has(column) { rows } else { 0 };
        Report {
            columns,
            encodings: Int8Builder::with_capacity(room(Column::Encoding)),
            evidence: Int8Builder::with_capacity(room(Column::Evidence)),
            errors: UInt64Builder::with_capacity(room(Column::Errors)),
            first_errors: UInt64Builder::with_capacity(room(Column::FirstErrorOffset)),
        }
    }

    pub(crate) fn push(&mut self, row: Row) {
        if self.columns.has(Column::Encoding) {
            let index = row.encoding.map(Encoding::index);
            self.encodings
                .append_option(index.and_then(|index| i8::try_from(index).ok()));
        }
        if self.columns.has(Column::Evidence) {
            self.evidence
                .append_option(row.known.map(|known| known as i8));
        }
        if self.columns.has(Column::Errors) {
            self.errors.append_option(row.errors);
        }
        if self.columns.has(Column::FirstErrorOffset) {
            self.first_errors.append_option(row.first_error);
        }
    }

    /// Appends the rows of `block`, and empties it.
    #[cfg(feature = "rayon")]
    fn append(&mut self, block: &mut Report) {
        if self.columns.has(Column::Encoding) {
            self.encodings.append_array(&block.encodings.finish());
        }
        if self.columns.has(Column::Evidence) {
            self.evidence.append_array(&block.evidence.finish());
        }
        if self.columns.has(Column::Errors) {
            self.errors.append_array(&block.errors.finish());
        }
        if self.columns.has(Column::FirstErrorOffset) {
            self.first_errors.append_array(&block.first_errors.finish());
        }
    }

    /// The columns in their order.
    pub(crate) fn finish(mut self) -> Vec<(Column, ArrayRef)> {
        let mut columns: Vec<(Column, ArrayRef)> = Vec::new();
        if self.columns.has(Column::Encoding) {
            let names = named(self.encodings.finish(), &ENCODINGS);
            columns.push((Column::Encoding, names));
        }
        if self.columns.has(Column::Evidence) {
            let names = named(self.evidence.finish(), &EVIDENCE);
            columns.push((Column::Evidence, names));
        }
        if self.columns.has(Column::Errors) {
            columns.push((Column::Errors, Arc::new(self.errors.finish())));
        }
        if self.columns.has(Column::FirstErrorOffset) {
            let offsets = Arc::new(self.first_errors.finish());
            columns.push((Column::FirstErrorOffset, offsets));
        }
        columns
    }
}

/// Output with a row of a report for each value.
pub(crate) struct Reported<C> {
    pub(crate) output: C,
    pub(crate) report: Report,
}

#[cfg(feature = "rayon")]
impl<C: Blocks> Blocks for Reported<C> {
    const MIN_ROUNDS: usize = C::MIN_ROUNDS;
    const MAX_BLOCK: usize = C::MAX_BLOCK;

    fn block(&self, input_len: usize) -> Self {
        Reported {
            output: self.output.block(input_len),
            report: Report::new(self.report.columns, 0),
        }
    }

    fn append(&mut self, blocks: &mut [&mut Self]) -> Result<(), usize> {
        for block in &mut *blocks {
            self.report.append(&mut block.report);
        }
        let mut outputs: Vec<_> = blocks.iter_mut().map(|block| &mut block.output).collect();
        self.output.append(&mut outputs)
    }
}

fn named(indices: Int8Array, names: &ArrayRef) -> ArrayRef {
    Arc::new(DictionaryArray::<Int8Type>::new(indices, Arc::clone(names)))
}

/// The rows of a column of a [`Report`] at `keys`; where these are `None`, nulls.
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
