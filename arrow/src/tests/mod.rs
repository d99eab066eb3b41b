//! Arrays of every type, compared with a loop over their values.

mod edges;
mod random;
mod reuse;

#[cfg(feature = "rayon")]
use std::sync::LazyLock;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, UInt64Type};
use arrow_array::{Array, ArrayRef, StructArray};

use crate::blocks::Limits;
use crate::decode::decode_within;
use crate::encode::encode_within;
use crate::{DecodeOptions, EncodeOptions, Error, Labels};

/// Calls `work` with several threads, however many cores there are.
#[cfg(feature = "rayon")]
pub(crate) fn in_threads<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    static POOL: LazyLock<rayon::ThreadPool> = LazyLock::new(|| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .unwrap()
    });
    POOL.install(work)
}

#[cfg(not(feature = "rayon"))]
pub(crate) fn in_threads<R>(work: impl FnOnce() -> R) -> R {
    work()
}

/// Makes several threads convert even arrays of a few values.
const SMALL_BLOCKS: Limits = Limits {
    text: i32::MAX as usize,
    one_thread: 0,
    block: 40,
};

/// Calls `decode` on one thread and on several, and returns the result.
pub(crate) fn decode<'l>(
    array: &dyn Array,
    labels: impl Into<Labels<'l>>,
    options: &DecodeOptions<'_>,
) -> Result<StructArray, Error> {
    let labels = labels.into();
    let decoded = crate::decode(array, labels, options);
    let in_blocks = in_threads(|| decode_within(array, labels, options, SMALL_BLOCKS));
    if let Ok(in_blocks) = &in_blocks {
        in_blocks.to_data().validate_full().unwrap();
    }
    assert_eq!(decoded, in_blocks);
    decoded
}

/// Calls `encode` on one thread and on several, and returns the result.
pub(crate) fn encode<'l>(
    array: &dyn Array,
    labels: impl Into<Labels<'l>>,
    options: &EncodeOptions,
) -> Result<ArrayRef, Error> {
    let labels = labels.into();
    let encoded = crate::encode(array, labels, options);
    let in_blocks = in_threads(|| encode_within(array, labels, options, SMALL_BLOCKS));
    if let Ok(in_blocks) = &in_blocks {
        in_blocks.to_data().validate_full().unwrap();
    }
    assert_eq!(encoded, in_blocks);
    encoded
}

/// One row of the result of `decode`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Decoded {
    pub(crate) text: Option<String>,
    pub(crate) encoding: Option<String>,
    pub(crate) evidence: Option<String>,
    pub(crate) errors: Option<u64>,
    pub(crate) first_error_offset: Option<u64>,
}

/// Returns the text in `row` of an array of text or of a dictionary of it.
pub(crate) fn text_at(array: &dyn Array, row: usize) -> Option<String> {
    if array.is_null(row) {
        return None;
    }
    if let Some(dictionary) = array.as_any_dictionary_opt() {
        return text_at(dictionary.values(), dictionary.normalized_keys()[row]);
    }
    let text = match array.data_type() {
        arrow_schema::DataType::Utf8 => array.as_string::<i32>().value(row),
        arrow_schema::DataType::LargeUtf8 => array.as_string::<i64>().value(row),
        arrow_schema::DataType::Utf8View => array.as_string_view().value(row),
        other => panic!("{other} is not text"),
    };
    Some(text.to_owned())
}

/// Returns all rows of the result of `decode`, after arrow has validated its parts.
pub(crate) fn rows_of(decoded: &StructArray) -> Vec<Decoded> {
    decoded.to_data().validate_full().unwrap();
    let column = |name: &'static str| decoded.column_by_name(name).unwrap();
    let number = |name: &'static str, row| {
        let numbers: &ArrayRef = column(name);
        let numbers = numbers.as_primitive::<UInt64Type>();
        numbers.is_valid(row).then(|| numbers.value(row))
    };
    let name = |name: &'static str, row| {
        let names = column(name).as_dictionary::<Int8Type>();
        text_at(names, row)
    };
    (0..decoded.len())
        .map(|row| {
            let decoded_row = Decoded {
                text: text_at(column("text"), row),
                encoding: name("encoding", row),
                evidence: name("evidence", row),
                errors: number("errors", row),
                first_error_offset: number("first_error_offset", row),
            };
            assert!(decoded.is_valid(row) || decoded_row == Decoded::default());
            decoded_row
        })
        .collect()
}
