//! Empty arrays, limits, labels, sharing, and what is not supported.

use arrow_array::builder::BinaryViewBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, BinaryArray, BinaryViewArray, DictionaryArray, Int32Array, LargeBinaryArray,
    RecordBatch, StringArray, StringViewArray,
};
use arrow_schema::{ArrowError, DataType};
use simdtext::sniff::Hints;
use simdtext::{Bom, EUC_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_1251, WINDOWS_1252};

use super::{in_threads, rows_of, text_at};
use crate::blocks::Limits;
use crate::decode::decode_within;
use crate::encode::encode_within;
use crate::{
    Column, DecodeOptions, EncodeOptions, Error, Labels, OnMalformed, OnUnmappable,
    WithoutEncoding, decode, decode_batches, decode_text, encode, encode_batches,
};

const OPTIONS: fn() -> DecodeOptions<'static> = DecodeOptions::new;

#[test]
fn nothing_and_nulls_only() {
    for rows in [vec![], vec![None, None::<&[u8]>]] {
        let len = rows.len();
        let values = BinaryArray::from_opt_vec(rows.clone());
        let views = BinaryViewArray::from_iter(rows);
        let keys = Int32Array::from(vec![None; len]);
        let dictionary =
            DictionaryArray::<Int32Type>::new(keys, std::sync::Arc::new(values.slice(0, 0)));
        let labels = StringArray::from(vec!["unknown"; len]);
        for array in [&values as &dyn Array, &views, &dictionary] {
            for labels in [Labels::Auto, "gbk".into(), (&labels).into()] {
                let decoded = decode(array, labels, &OPTIONS()).unwrap();
                assert_eq!((decoded.len(), decoded.null_count()), (len, len));
                assert_eq!(rows_of(&decoded).len(), len);
            }
        }
    }
}

fn limit(text: usize) -> Limits {
    Limits {
        text,
        ..Limits::default()
    }
}

#[test]
fn text_past_the_limit_is_an_error() {
    let array = BinaryArray::from_vec(vec![b"\xE0\xE0", b"\xE0\xE0", b"\xE0\xE0"]);
    let fits = decode_within(&array, WINDOWS_1251.into(), &OPTIONS(), limit(12)).unwrap();
    assert_eq!(text_at(fits.column(0), 2).as_deref(), Some("аа"));
    let error = decode_within(&array, WINDOWS_1251.into(), &OPTIONS(), limit(11)).unwrap_err();
    let cast_to = DataType::LargeBinary;
    assert_eq!(error, Error::TooLong { row: 2, cast_to });
    assert!(error.to_string().contains("LargeBinary"), "{error}");

    let large = LargeBinaryArray::from_vec(vec![b"\xE0\xE0"; 3]);
    decode_within(&large, WINDOWS_1251.into(), &OPTIONS(), limit(1)).unwrap();

    // Each view has its own length.
    let views = BinaryViewArray::from_iter_values([b"\xE0\xE0"; 3]);
    decode_within(&views, WINDOWS_1251.into(), &OPTIONS(), limit(4)).unwrap();
    decode_within(&views, WINDOWS_1251.into(), &OPTIONS(), limit(3)).unwrap_err();

    let text = StringArray::from(vec!["ab", "cd"]);
    let error = encode_within(&text, UTF_16LE.into(), &EncodeOptions::new(), limit(7)).unwrap_err();
    assert!(error.to_string().contains("LargeUtf8"), "{error}");
}

#[test]
fn the_first_error_is_that_of_the_first_row() {
    // The text becomes too long in row 5, and row 6 is malformed.
    let mut values = vec![&b"\xB0\xA1"[..]; 8];
    values[6] = b"\xFF";
    let array = BinaryArray::from_vec(values);
    let options = OPTIONS().on_malformed(OnMalformed::Error);
    for (text, block) in [(15, 1), (15, 20), (15, 1000), (100, 1), (100, 20)] {
        let limits = Limits {
            text,
            one_thread: 0,
            block,
        };
        let decoded = in_threads(|| decode_within(&array, EUC_JP.into(), &options, limits));
        match decoded.unwrap_err() {
            Error::TooLong { row, .. } => assert_eq!((row, text), (5, 15)),
            Error::Malformed { row, .. } => assert_eq!((row, text), (6, 100)),
            error => panic!("{error}"),
        }
    }
}

#[test]
fn valid_values_of_views_are_shared() {
    let long = "a text that is longer than a view, ";
    let utf8 = format!("\u{FEFF}{long}ж");
    let mut builder = BinaryViewBuilder::new();
    builder.append_value(long);
    builder.append_value(&utf8);
    builder.append_value("short");
    builder.append_value([long.as_bytes(), b"\xE6"].concat());
    let array = builder.finish();
    let labels = StringArray::from(vec!["sjis", "utf-8", "gbk", "windows-1251"]);
    let text = decode_text(&array, &labels, &OPTIONS()).unwrap();
    let text = text.as_string_view();
    text.to_data().validate_full().unwrap();
    let want = [long, &utf8[3..], "short", &utf8[3..]];
    assert_eq!(text.iter().flatten().collect::<Vec<_>>(), want);
    // The first two are in the buffer of the input.
    assert_eq!(text.value(0).as_ptr(), array.value(0).as_ptr());
    assert_eq!(text.value(1).as_ptr(), array.value(1)[3..].as_ptr());
    assert_eq!(text.data_buffers().len(), 2);

    // Buffers that contain no value are not kept.
    let text = decode_text(&array.slice(3, 1), "windows-1251", &OPTIONS()).unwrap();
    assert_eq!(text.as_string_view().data_buffers().len(), 1);
    assert_eq!(
        text.as_string_view().data_buffers()[0].len(),
        long.len() + 2
    );

    let text = StringViewArray::from_iter_values([long, "€"]);
    let bytes = encode(&text, WINDOWS_1252, &EncodeOptions::new()).unwrap();
    assert_eq!(
        bytes.as_binary_view().value(0).as_ptr(),
        text.value(0).as_ptr()
    );
    assert_eq!(bytes.as_binary_view().value(1), b"\x80");
}

#[test]
fn many_blocks_of_views() {
    let values: Vec<_> = (0..300_usize)
        .map(|row| vec![0xE0; row * 97 % 30_000])
        .collect();
    let array = BinaryViewArray::from_iter_values(&values);
    let text = decode_text(&array, WINDOWS_1251, &OPTIONS()).unwrap();
    text.to_data().validate_full().unwrap();
    for (text, value) in text.as_string_view().iter().flatten().zip(&values) {
        assert_eq!(text, "а".repeat(value.len()));
    }
}

#[test]
fn labels_that_are_null_or_unknown() {
    let array = BinaryArray::from_vec(vec![b"\xE0", b"\xE0", b"\xE0"]);
    let labels = StringArray::from(vec![Some(" CP1251 "), None, Some("klingon")]);
    let unknown = decode(&array, &labels, &OPTIONS()).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "row 2: not a label of any encoding: \"klingon\""
    );
    let arrow = ArrowError::from(unknown.clone());
    assert!(arrow.to_string().contains("klingon"), "{arrow}");

    let options = OPTIONS()
        .null_label(WithoutEncoding::Null)
        .unknown_label(WithoutEncoding::Use(WINDOWS_1252));
    let rows = rows_of(&decode(&array, &labels, &options).unwrap());
    let evidence: Vec<_> = rows.iter().map(|row| row.evidence.as_deref()).collect();
    assert_eq!(evidence, [Some("label"), None, Some("fallback")]);
    let text: Vec<_> = rows.iter().map(|row| row.text.as_deref()).collect();
    assert_eq!(text, [Some("а"), None, Some("à")]);

    let strict = options.null_label(WithoutEncoding::Error);
    let error = decode(&array, &labels, &strict).unwrap_err();
    assert_eq!(error, Error::NullLabel { row: 1 });

    // The row is counted from the first of several arrays.
    let batches = [
        (&array as &dyn Array, "gbk".into()),
        (&array, (&labels).into()),
    ];
    let error = decode_batches(&batches, &OPTIONS()).unwrap_err();
    assert!(matches!(error, Error::UnknownLabel { row: Some(5), .. }));

    let error = decode(&array, "klingon", &OPTIONS()).unwrap_err();
    assert!(matches!(error, Error::UnknownLabel { row: None, .. }));
    let error = decode(&array, &StringArray::from(vec!["gbk"]), &OPTIONS()).unwrap_err();
    assert_eq!(
        error,
        Error::Length {
            values: 3,
            labels: 1
        }
    );
}

#[test]
fn each_value_tells() {
    let sjis = SHIFT_JIS
        .encode("日本語の文章です。これは長い。", Default::default())
        .unwrap();
    let elf = b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3E";
    let late = [b"<p>", &[b' '; 2000][..], b"<meta charset=big5>\xA4\xA4"].concat();
    let array = BinaryArray::from_vec(vec![
        &sjis.bytes[..],
        b"plain",
        "naïve".as_bytes(),
        b"\xFF\xFEa\0",
        b"<meta charset=koi8-r>\xCD",
        elf,
        &late,
    ]);
    let rows = rows_of(&decode(&array, Labels::Auto, &OPTIONS()).unwrap());
    let found: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row.encoding.as_deref().unwrap_or("-"),
                row.evidence.as_deref().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            ("Shift_JIS", "detected"),
            ("UTF-8", "ascii"),
            ("UTF-8", "utf-8"),
            ("UTF-16LE", "bom"),
            ("KOI8-R", "prescan"),
            ("-", "binary"),
            ("Big5", "late-meta"),
        ]
    );
    assert_eq!(rows[5].text, None);
    // The label `auto` says so in a column.
    let labels = StringArray::from(vec!["auto", "AUTO", "auto", "auto", "auto", "auto", "auto"]);
    assert_eq!(rows_of(&decode(&array, &labels, &OPTIONS()).unwrap()), rows);
    // The hints' fallback is used if detection finds nothing.
    let hints = OPTIONS().hints(Hints::new().fallback(WINDOWS_1252));
    let rows = rows_of(&decode(&array, Labels::Auto, &hints).unwrap());
    assert_eq!(rows[5].evidence.as_deref(), Some("fallback"));

    // Without the text nothing is decoded.
    let columns = OPTIONS().columns([Column::Encoding]);
    let decoded = decode(&array, Labels::Auto, &columns).unwrap();
    assert_eq!(decoded.column_names(), ["encoding"]);
    let text = text_at(decoded.column(0), 4);
    assert_eq!(text.as_deref(), Some("KOI8-R"));
}

#[test]
fn byte_order_marks() {
    let array = BinaryArray::from_vec(vec![b"\xEF\xBB\xBFa\xFF"]);
    // The mark counts in offsets; with `Strip` only the mark of the label's encoding is one.
    let rows = rows_of(&decode(&array, EUC_JP, &OPTIONS()).unwrap());
    assert_eq!(rows[0].text.as_deref(), Some("a\u{FFFD}"));
    assert_eq!(rows[0].first_error_offset, Some(4));
    assert_eq!(rows[0].evidence.as_deref(), Some("bom"));
    let rows = rows_of(&decode(&array, EUC_JP, &OPTIONS().bom(Bom::Strip)).unwrap());
    assert_eq!(rows[0].encoding.as_deref(), Some("EUC-JP"));
    assert_eq!(rows[0].evidence.as_deref(), Some("label"));
    let rows = rows_of(&decode(&array, UTF_8, &OPTIONS().bom(Bom::Keep)).unwrap());
    assert_eq!(rows[0].text.as_deref(), Some("\u{FEFF}a\u{FFFD}"));
    let rows = rows_of(&decode(&array, UTF_8, &OPTIONS().bom(Bom::Strip)).unwrap());
    assert_eq!(rows[0].first_error_offset, Some(4));
}

#[test]
fn columns_and_record_batches() {
    let array = BinaryArray::from_vec(vec![b"a\xFF"]);
    let columns = OPTIONS().columns([Column::FirstErrorOffset, Column::Errors]);
    let decoded = decode(&array, UTF_8, &columns).unwrap();
    assert_eq!(decoded.column_names(), ["errors", "first_error_offset"]);
    let batch = RecordBatch::from(decode(&array, UTF_8, &OPTIONS()).unwrap());
    assert_eq!((batch.num_rows(), batch.num_columns()), (1, 5));
    let none = decode(&array, UTF_8, &OPTIONS().columns([])).unwrap();
    assert_eq!((none.len(), none.num_columns()), (1, 0));
}

#[test]
fn texts_in_batches() {
    let text = StringArray::from(vec![Some("日本"), None, Some("мир")]);
    let views = StringViewArray::from_iter_values(["a", "мир"]);
    let labels = StringArray::from(vec!["gbk", "koi8-r"]);
    let batches = [
        (&text as &dyn Array, "sjis".into()),
        (&views, (&labels).into()),
        (&text, "gbk".into()),
    ];
    let options = EncodeOptions::new();
    for count in 0..=batches.len() {
        let some = &batches[..count];
        let one_by_one: Result<Vec<_>, _> = some
            .iter()
            .map(|&(array, labels)| encode(array, labels, &options))
            .collect();
        assert_eq!(encode_batches(some, &options), one_by_one);
    }
    // The row is counted from the first of several arrays.
    let batches = [batches[0], batches[1], (&text, "windows-1251".into())];
    let error = encode_batches(&batches, &options).unwrap_err();
    assert!(
        matches!(error, Error::Unencodable { row: 5, .. }),
        "{error}"
    );
}

#[test]
fn what_is_not_supported() {
    let numbers = Int32Array::from(vec![1]);
    let text = StringArray::from(vec!["a\u{20AC}"]);
    let error = decode(&numbers, UTF_8, &OPTIONS()).unwrap_err();
    assert_eq!(error.to_string(), "an array of Int32 does not hold bytes");
    let labels = &numbers as &dyn Array;
    let error = decode(&BinaryArray::from_vec(vec![b"a"]), labels, &OPTIONS()).unwrap_err();
    assert_eq!(error.to_string(), "an array of Int32 does not hold labels");
    assert_eq!(OPTIONS().data_type(&DataType::Int32, UTF_8), None);
    // arrow has dictionaries of dictionaries.
    let of = |values| DataType::Dictionary(Box::new(DataType::Int32), Box::new(values));
    let nested = of(of(DataType::Binary));
    assert_eq!(OPTIONS().data_type(&nested, UTF_8), None);
    let empty = arrow_array::new_empty_array(&nested);
    let error = decode(&empty, UTF_8, &OPTIONS()).unwrap_err();
    assert!(matches!(error, Error::Type { .. }), "{error}");
    let encode = |labels: Labels<'_>, options| encode(&text, labels, &options);
    let options = EncodeOptions::new();
    assert_eq!(
        encode(Labels::Auto, options).unwrap_err(),
        Error::AutoEncode
    );
    let error = encode("iso-2022-kr".into(), options).unwrap_err();
    assert_eq!(error.to_string(), "row 0: replacement has no encoder");
    let error = encode(SHIFT_JIS.into(), options).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row 0: character U+20AC at offset 1 is not in Shift_JIS"
    );
    let null = encode(SHIFT_JIS.into(), options.on_unmappable(OnUnmappable::Null)).unwrap();
    assert_eq!((null.len(), null.null_count()), (1, 1));
}
