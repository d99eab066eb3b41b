//! The values of an array by row, whatever its type.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{
    Array, BinaryArray, BinaryViewArray, FixedSizeBinaryArray, LargeBinaryArray, LargeStringArray,
    OffsetSizeTrait, StringArray, StringViewArray,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer};
use arrow_schema::DataType;

use crate::error::Error;

/// The kind of offsets of an array, which its output shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Small,
    Large,
    View,
}

/// The rows of an array of bytes or of text.
pub(crate) struct Rows<V> {
    values: V,
    /// The indexes into `values`, for a dictionary.
    keys: Option<Vec<usize>>,
    pub(crate) nulls: Option<NullBuffer>,
    pub(crate) len: usize,
}

/// An array of one kind of value.
pub(crate) trait Values<'a>: Copy + Sync {
    /// A value.
    type Value: ?Sized + AsRef<[u8]> + 'a;
    /// The name of the kind in errors.
    const KIND: &'static str;

    /// Returns the values of an array that is not a dictionary.
    fn of(array: &'a dyn Array) -> Option<Self>;
    fn form(self) -> Form;
    fn value(self, index: usize) -> &'a Self::Value;
    /// Returns the views and the buffers that they refer to, if the array has views.
    fn views(self) -> Option<(&'a [u128], &'a [Buffer])>;
    /// Returns the number of bytes of a range of values, if they are contiguous.
    fn span(self, values: Range<usize>) -> Option<usize>;
}

/// Returns the number of bytes between the offsets of the first and of the last value of a range.
fn span<O: OffsetSizeTrait>(offsets: &[O], values: &Range<usize>) -> Option<usize> {
    let (start, end) = (offsets.get(values.start)?, offsets.get(values.end)?);
    end.as_usize().checked_sub(start.as_usize())
}

#[derive(Clone, Copy)]
pub(crate) enum Bytes<'a> {
    Small(&'a BinaryArray),
    Large(&'a LargeBinaryArray),
    View(&'a BinaryViewArray),
    Fixed(&'a FixedSizeBinaryArray),
}

impl<'a> Values<'a> for Bytes<'a> {
    type Value = [u8];
    const KIND: &'static str = "bytes";

    fn of(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Binary => Bytes::Small(array.as_binary_opt()?),
            DataType::LargeBinary => Bytes::Large(array.as_binary_opt()?),
            DataType::BinaryView => Bytes::View(array.as_binary_view_opt()?),
            DataType::FixedSizeBinary(_) => Bytes::Fixed(array.as_fixed_size_binary_opt()?),
            _ => return None,
        })
    }

    fn form(self) -> Form {
        match self {
            Bytes::Small(_) | Bytes::Fixed(_) => Form::Small,
            Bytes::Large(_) => Form::Large,
            Bytes::View(_) => Form::View,
        }
    }

    fn value(self, index: usize) -> &'a [u8] {
        match self {
            Bytes::Small(array) => array.value(index),
            Bytes::Large(array) => array.value(index),
            Bytes::View(array) => array.value(index),
            Bytes::Fixed(array) => array.value(index),
        }
    }

    fn views(self) -> Option<(&'a [u128], &'a [Buffer])> {
        match self {
            Bytes::View(array) => Some((array.views(), array.data_buffers())),
            _ => None,
        }
    }

    fn span(self, values: Range<usize>) -> Option<usize> {
        match self {
            Bytes::Small(array) => span(array.value_offsets(), &values),
            Bytes::Large(array) => span(array.value_offsets(), &values),
            Bytes::View(_) | Bytes::Fixed(_) => None,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Strings<'a> {
    Small(&'a StringArray),
    Large(&'a LargeStringArray),
    View(&'a StringViewArray),
}

impl<'a> Values<'a> for Strings<'a> {
    type Value = str;
    const KIND: &'static str = "text";

    fn of(array: &'a dyn Array) -> Option<Self> {
        Some(match array.data_type() {
            DataType::Utf8 => Strings::Small(array.as_string_opt()?),
            DataType::LargeUtf8 => Strings::Large(array.as_string_opt()?),
            DataType::Utf8View => Strings::View(array.as_string_view_opt()?),
            _ => return None,
        })
    }

    fn form(self) -> Form {
        match self {
            Strings::Small(_) => Form::Small,
            Strings::Large(_) => Form::Large,
            Strings::View(_) => Form::View,
        }
    }

    fn value(self, index: usize) -> &'a str {
        match self {
            Strings::Small(array) => array.value(index),
            Strings::Large(array) => array.value(index),
            Strings::View(array) => array.value(index),
        }
    }

    fn views(self) -> Option<(&'a [u128], &'a [Buffer])> {
        match self {
            Strings::View(array) => Some((array.views(), array.data_buffers())),
            _ => None,
        }
    }

    fn span(self, values: Range<usize>) -> Option<usize> {
        match self {
            Strings::Small(array) => span(array.value_offsets(), &values),
            Strings::Large(array) => span(array.value_offsets(), &values),
            Strings::View(_) => None,
        }
    }
}

impl<'a, V: Values<'a>> Rows<V> {
    /// Returns the rows of `array`, which may be a dictionary.
    pub(crate) fn of(array: &'a dyn Array) -> Result<Self, Error> {
        let unsupported = || Error::Type {
            expected: V::KIND,
            found: array.data_type().clone(),
        };
        let (values, keys) = match array.as_any_dictionary_opt() {
            Some(dictionary) => {
                let values = dictionary.values();
                // Without values, keys can't be normalised; all of them are null then.
                let keys = if values.is_empty() {
                    vec![0; array.len()]
                } else {
                    dictionary.normalized_keys()
                };
                (V::of(values.as_ref()), Some(keys))
            }
            None => (V::of(array), None),
        };
        Ok(Rows {
            values: values.ok_or_else(unsupported)?,
            keys,
            nulls: array.logical_nulls(),
            len: array.len(),
        })
    }

    /// Returns these rows, with those outside of `used` null.
    pub(crate) fn only(mut self, used: &NullBuffer) -> Self {
        self.nulls = NullBuffer::union(self.nulls.as_ref(), Some(used));
        self
    }

    pub(crate) fn form(&self) -> Form {
        self.values.form()
    }

    fn index(&self, row: usize) -> usize {
        self.keys.as_ref().map_or(row, |keys| keys[row])
    }

    /// Returns the value of a row; `None` if it is null.
    pub(crate) fn get(&self, row: usize) -> Option<&'a V::Value> {
        let is_null = self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row));
        (!is_null).then(|| self.values.value(self.index(row)))
    }

    /// Returns the view of a row, if the array has views.
    pub(crate) fn view(&self, row: usize) -> Option<u128> {
        let (views, _) = self.values.views()?;
        views.get(self.index(row)).copied()
    }

    /// Returns the buffers that the views refer to.
    pub(crate) fn buffers(&self) -> &'a [Buffer] {
        self.values.views().map_or(&[], |(_, buffers)| buffers)
    }

    /// Returns the length of the value of a row in bytes, or 0 if it is null.
    pub(crate) fn value_len(&self, row: usize) -> usize {
        self.get(row).map_or(0, |value| value.as_ref().len())
    }

    /// Returns the number of bytes of a range of rows, nulls included, if they are contiguous.
    pub(crate) fn span(&self, rows: Range<usize>) -> Option<usize> {
        match self.keys {
            None => self.values.span(rows),
            Some(_) => None,
        }
    }

    /// Returns the number of bytes of all values.
    pub(crate) fn total_len(&self) -> usize {
        let has_nulls = self
            .nulls
            .as_ref()
            .is_some_and(|nulls| nulls.null_count() > 0);
        self.span(0..self.len)
            .filter(|_| !has_nulls)
            .unwrap_or_else(|| (0..self.len).map(|row| self.value_len(row)).sum())
    }
}

/// The keys of a dictionary, and which of its values they use.
pub(crate) struct Keys {
    pub(crate) keys: Vec<usize>,
    pub(crate) nulls: Option<NullBuffer>,
    pub(crate) used: NullBuffer,
}

impl Keys {
    pub(crate) fn of(dictionary: &dyn arrow_array::AnyDictionaryArray) -> Self {
        let values = dictionary.values().len();
        let nulls = dictionary.keys().nulls().cloned();
        let mut used = BooleanBufferBuilder::new(values);
        used.append_n(values, false);
        let keys = if values == 0 {
            vec![0; dictionary.keys().len()]
        } else {
            dictionary.normalized_keys()
        };
        for (row, &key) in keys.iter().enumerate() {
            if key < values && nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) {
                used.set_bit(key, true);
            }
        }
        Keys {
            keys,
            nulls,
            used: NullBuffer::new(used.finish()),
        }
    }

    /// Returns the first row that has this value.
    pub(crate) fn first_row(&self, value: usize) -> usize {
        let is_it = |&(row, &key): &(usize, &usize)| {
            key == value && self.nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row))
        };
        self.keys
            .iter()
            .enumerate()
            .find(is_it)
            .map_or(0, |(row, _)| row)
    }
}
