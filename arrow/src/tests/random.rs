//! Random arrays of all types, with nulls, slices and labels.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int16Type;
use arrow_array::{
    Array, ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, FixedSizeBinaryArray,
    Int16Array, LargeBinaryArray, LargeStringArray, StringArray, StringViewArray,
};
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use simdtext::{Bom, Encoding};

use super::{Decoded, decode, encode, rows_of, text_at};
use crate::{DecodeOptions, EncodeOptions, Labels, OnMalformed, OnUnmappable};

type Values = Vec<Option<Vec<u8>>>;

/// Bytes of every kind: ASCII, UTF-8, byte order marks, pairs, anything; short and long.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        vec(0x20_u8..0x7F, 0..30),
        "\\PC{0,12}".prop_map(String::into_bytes),
        vec(any::<u8>(), 0..12),
        vec(0xA1_u8..0xFF, 0..24),
        Just(b"\xEF\xBB\xBF".to_vec()),
        Just(b"\xFF\xFEa\0".to_vec()),
        Just(b"\x1B$B0!\x1B(B".to_vec()),
    ];
    vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

fn encoding() -> impl Strategy<Value = &'static Encoding> {
    proptest::sample::select(Encoding::all())
}

/// Returns these values in every form of array.
fn arrays(values: &Values) -> Vec<ArrayRef> {
    let slices = || values.iter().map(Option::as_deref);
    let mut distinct: Vec<Option<&[u8]>> = slices().collect();
    distinct.sort();
    distinct.dedup();
    // A value that no key uses, and nulls of both kinds.
    distinct.push(Some(b"\xFF\xFF unused"));
    let keys: Int16Array = slices()
        .enumerate()
        .map(|(row, value)| {
            let key = distinct.iter().position(|it| *it == value)?;
            (value.is_some() || row % 2 == 0).then_some(key as i16)
        })
        .collect();
    let dictionary = |values: ArrayRef| -> ArrayRef {
        Arc::new(DictionaryArray::<Int16Type>::new(keys.clone(), values))
    };
    vec![
        Arc::new(slices().collect::<BinaryArray>()),
        Arc::new(slices().collect::<LargeBinaryArray>()),
        Arc::new(slices().collect::<BinaryViewArray>()),
        dictionary(Arc::new(distinct.iter().collect::<BinaryArray>())),
        dictionary(Arc::new(distinct.iter().collect::<BinaryViewArray>())),
    ]
}

/// Returns what a loop makes of one value.
fn expected(bytes: Option<&[u8]>, encoding: Option<&'static Encoding>) -> Decoded {
    let (Some(bytes), Some(encoding)) = (bytes, encoding) else {
        return Decoded::default();
    };
    let decoded = encoding.decode_with_bom(bytes, Bom::Sniff);
    let peer = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).unwrap();
    let (text, used, has_errors) = peer.decode(bytes);
    assert_eq!(
        (&*decoded.text, decoded.encoding.name()),
        (&*text, used.name())
    );
    assert_eq!(decoded.errors > 0, has_errors);
    let has_bom = Encoding::for_bom(bytes).is_some();
    Decoded {
        text: Some(text.into_owned()),
        encoding: Some(used.name().to_owned()),
        evidence: Some(if has_bom { "bom" } else { "label" }.to_owned()),
        errors: Some(decoded.errors as u64),
        first_error_offset: decoded.first_error.map(|malformed| malformed.offset),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn one_encoding(values in vec(weighted(0.8, bytes()), 0..20), encoding in encoding()) {
        let want: Vec<_> = values.iter().map(|value| expected(value.as_deref(), Some(encoding))).collect();
        for array in arrays(&values) {
            let decoded = decode(&array, encoding, &DecodeOptions::new()).unwrap();
            prop_assert_eq!(&rows_of(&decoded), &want, "{}", array.data_type());
            let foretold = DecodeOptions::new().data_type(array.data_type(), encoding);
            prop_assert_eq!(Some(decoded.data_type()), foretold.as_ref());
        }
    }

    #[test]
    fn slices_and_columns_of_labels(
        rows in vec((weighted(0.8, bytes()), weighted(0.9, encoding())), 1..30),
        cut in any::<(prop::sample::Index, prop::sample::Index, prop::sample::Index)>(),
    ) {
        let (values, encodings): (Values, Vec<_>) = rows.into_iter().unzip();
        let len = values.len();
        // A slice of a slice.
        let (from, skip) = (cut.0.index(len), cut.1.index(len));
        let skip = skip.min(len - from);
        let kept = cut.2.index(len - from - skip + 1);
        let begin = from + skip;
        let names = encodings.iter().map(|encoding| encoding.map(Encoding::name));
        let columns: [ArrayRef; 4] = [
            Arc::new(names.clone().collect::<StringArray>()),
            Arc::new(names.clone().collect::<LargeStringArray>()),
            Arc::new(names.clone().collect::<StringViewArray>()),
            Arc::new(names.collect::<DictionaryArray<Int16Type>>()),
        ];
        let want: Vec<_> = values.iter().zip(&encodings)
            .map(|(value, encoding)| expected(value.as_deref(), *encoding))
            .skip(begin).take(kept).collect();
        for (at, array) in arrays(&values).into_iter().enumerate() {
            let part = array.slice(from, len - from).slice(skip, kept);
            let column = columns[at % 4].slice(begin, kept);
            let decoded = decode(&part, &column, &DecodeOptions::new()).unwrap();
            prop_assert_eq!(&rows_of(&decoded), &want, "{}", array.data_type());
            let foretold = DecodeOptions::new().data_type(array.data_type(), &column);
            prop_assert_eq!(Some(decoded.data_type()), foretold.as_ref());
        }
    }

    #[test]
    fn malformed_values_are_null_or_an_error(
        values in vec(weighted(0.8, bytes()), 0..12),
        encoding in encoding(),
    ) {
        let want: Vec<_> = values.iter().map(|value| expected(value.as_deref(), Some(encoding))).collect();
        let first = want.iter().position(|row| row.first_error_offset.is_some());
        for array in arrays(&values) {
            let options = DecodeOptions::new().on_malformed(OnMalformed::Null);
            let decoded = rows_of(&decode(&array, encoding, &options).unwrap());
            for (decoded, want) in decoded.iter().zip(&want) {
                prop_assert_eq!(decoded.first_error_offset, want.first_error_offset);
                prop_assert_eq!(&decoded.encoding, &want.encoding);
                let is_clean = want.first_error_offset.is_none();
                prop_assert_eq!(&decoded.text, &want.text.clone().filter(|_| is_clean));
            }
            let strict = decode(&array, encoding, &options.on_malformed(OnMalformed::Error));
            match strict {
                Ok(_) => prop_assert_eq!(first, None),
                Err(crate::Error::Malformed { row, error }) => {
                    // In a dictionary, another value may come first.
                    let of_row = want[row].first_error_offset;
                    prop_assert_eq!(of_row, Some(error.malformed.offset));
                    let is_dictionary = array.as_any_dictionary_opt().is_some();
                    prop_assert!(is_dictionary || Some(row) == first);
                }
                Err(error) => prop_assert!(false, "{error}"),
            }
        }
    }

    #[test]
    fn fixed_size(values in vec(weighted(0.8, any::<[u8; 7]>()), 1..12), encoding in encoding()) {
        let slices = values.iter().map(|value| value.as_ref().map(|value| &value[..]));
        let array = FixedSizeBinaryArray::try_from_sparse_iter_with_size(slices.clone(), 7).unwrap();
        let want: Vec<_> = slices.map(|value| expected(value, Some(encoding))).collect();
        let decoded = decode(&array, encoding, &DecodeOptions::new()).unwrap();
        prop_assert_eq!(rows_of(&decoded), want);
    }

    #[test]
    fn encoding_and_back(texts in vec(weighted(0.8, "\\PC{0,30}"), 0..20), encoding in encoding()) {
        let slices = || texts.iter().map(Option::as_deref);
        let array: StringArray = slices().collect();
        let arrays: [ArrayRef; 4] = [
            Arc::new(array),
            Arc::new(slices().collect::<LargeStringArray>()),
            Arc::new(slices().collect::<StringViewArray>()),
            Arc::new(slices().collect::<DictionaryArray<Int16Type>>()),
        ];
        let options = EncodeOptions::new().on_unmappable(OnUnmappable::Ncr);
        for array in &arrays {
            let Ok(bytes) = encode(array, encoding, &options) else {
                prop_assert!(encoding.encoder().is_none());
                continue;
            };
            bytes.to_data().validate_full().unwrap();
            let keep = DecodeOptions::new().bom(Bom::Keep);
            let decoded = decode(&bytes, Labels::Encoding(encoding), &keep).unwrap();
            for (row, text) in texts.iter().enumerate() {
                let text = text.as_ref().map(|text| {
                    let bytes = encoding.encode(text, simdtext::Unmappable::Ncr).unwrap().bytes;
                    encoding.decode_with_bom(&bytes, Bom::Keep).text.into_owned()
                });
                prop_assert_eq!(text_at(decoded.column(0), row), text);
            }
        }
    }
}
