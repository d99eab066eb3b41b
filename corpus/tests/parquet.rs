//! Parquet as another reader sees it, beside the same run as JSON lines; and batches of Arrow.

use std::fs::{self, File};
use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Array, RecordBatch};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use simdtext_corpus::{Batches, Format, Options, RunOptions, Split, read, read_split, run, schema};

fn rows(batch: &RecordBatch) -> Vec<Value> {
    let mut rows = vec![serde_json::Map::new(); batch.num_rows()];
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        for (at, row) in rows.iter_mut().enumerate() {
            let value = if column.is_null(at) {
                Value::Null
            } else if let Some(column) = column.as_string_opt::<i32>() {
                column.value(at).into()
            } else if let Some(column) = column.as_primitive_opt::<Int64Type>() {
                column.value(at).into()
            } else if let Some(column) = column.as_primitive_opt::<Int32Type>() {
                column.value(at).into()
            } else if let Some(column) = column.as_boolean_opt() {
                column.value(at).into()
            } else {
                let errors = column.as_list::<i32>().value(at);
                let errors = errors.as_struct();
                let offsets = errors.column(0).as_primitive::<Int64Type>();
                let bytes = errors.column(1).as_string::<i32>();
                let pairs = offsets.iter().zip(bytes);
                pairs
                    .map(|(offset, bytes)| serde_json::json!({"offset": offset, "bytes": bytes}))
                    .collect()
            };
            row.insert(field.name().clone(), value);
        }
    }
    rows.into_iter().map(Value::Object).collect()
}

/// Without what is null or absent, which lines of JSON leave out.
fn bare(mut row: Value) -> Value {
    if let Some(row) = row.as_object_mut() {
        row.retain(|_, value| !value.is_null());
    }
    row
}

fn samples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples")
}

#[test]
fn parquet_has_what_json_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let (parquet, jsonl) = (folder.path().join("parquet"), folder.path().join("jsonl"));
    let mut tallies = Vec::new();
    for (out, format) in [(&parquet, Format::Parquet), (&jsonl, Format::Jsonl)] {
        let mut options = RunOptions::new(out);
        options.format = format;
        tallies.push(run(&[samples()], &Options::new(), &options, &|_| {}).expect("it ends well"));
    }
    assert_eq!(tallies[0], tallies[1]);
    let file = File::open(parquet.join("text/part-00000-000.parquet")).expect("it is there");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("it is Parquet");
    let of_parquet: Vec<_> = reader
        .build()
        .expect("it can be read")
        .flat_map(|batch| rows(&batch.expect("it can be read")))
        .map(bare)
        .collect();
    let text = fs::read_to_string(jsonl.join("text/part-00000-000.jsonl")).expect("it is there");
    let of_jsonl: Vec<_> = text
        .lines()
        .map(|line| bare(serde_json::from_str(line).expect("a line is JSON")))
        .collect();
    assert_eq!(of_parquet.len() as u64, tallies[0].rows);
    assert_eq!(of_parquet, of_jsonl);
    assert!(
        of_parquet
            .iter()
            .any(|it| it["first_errors"].as_array().is_some_and(|it| it.len() > 1))
    );
}

#[test]
fn batches_have_what_was_rejected_too() {
    let path = samples().join("LIST");
    let batches = |options: &Options| -> Vec<RecordBatch> {
        Batches::new(read_split(&Split::file(&path), options), options)
            .map(|batch| batch.expect("the columns are of one length"))
            .collect()
    };
    let whole = batches(&Options::new());
    assert_eq!(whole.len(), 1);
    assert_eq!(whole[0].schema(), schema());
    assert_eq!(rows(&whole[0])[0]["encoding"], "UTF-8");
    let row = rows(&batches(&Options::new().max_record(1))[0])[0].clone();
    assert_eq!(
        (&row["text"], &row["reason"]),
        (&Value::Null, &"too-large".into())
    );
    // All files of a folder.
    let paths = [samples(), samples().join("missing")];
    let of_folder: usize = read(&paths, &Options::new())
        .map(|batch| batch.expect("the columns are of one length").num_rows())
        .sum();
    let files = fs::read_dir(samples()).expect("there is a folder").count();
    let files = files - 1
        + fs::read_dir(samples().join("utf-8"))
            .expect("there is a folder")
            .count();
    assert_eq!(of_folder, files + 1);
}
