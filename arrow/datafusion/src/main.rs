//! A function of SQL for DataFusion: `web_decode(bytes)` finds out what each value is in, and
//! `web_decode(bytes, label)` decodes by a label, which may be a column.
//!
//! `cargo run` decodes a small table and prints it.

use std::sync::Arc;

use arrow_array::{RecordBatch, StringArray};
use arrow_schema::DataType;
use datafusion::common::{exec_err, plan_err};
use datafusion::error::{DataFusionError, Result};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use datafusion::prelude::SessionContext;
use simdtext_arrow::{DecodeOptions, EncodeOptions, Labels, WithoutEncoding, decode_text, encode};

#[derive(Debug, PartialEq, Eq, Hash)]
struct WebDecode {
    signature: Signature,
}

impl Default for WebDecode {
    fn default() -> Self {
        WebDecode {
            signature: Signature::variadic_any(Volatility::Immutable),
        }
    }
}

impl ScalarUDFImpl for WebDecode {
    fn name(&self) -> &str {
        "web_decode"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match types {
            [DataType::Binary, ..] => Ok(DataType::Utf8),
            [DataType::LargeBinary, ..] => Ok(DataType::LargeUtf8),
            [DataType::BinaryView, ..] => Ok(DataType::Utf8View),
            _ => plan_err!("web_decode takes bytes, and a label for them"),
        }
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let options = DecodeOptions::new().null_label(WithoutEncoding::Auto);
        let (bytes, label) = match &arguments.args[..] {
            [bytes] => (bytes, None),
            [bytes, label] => (bytes, Some(label)),
            _ => return exec_err!("web_decode takes bytes, and a label for them"),
        };
        let bytes = bytes.to_array(arguments.number_rows)?;
        let text = match label {
            None => decode_text(&bytes, Labels::Auto, &options),
            Some(ColumnarValue::Array(labels)) => decode_text(&bytes, labels, &options),
            Some(ColumnarValue::Scalar(label)) => match label.try_as_str() {
                Some(Some(label)) => decode_text(&bytes, label, &options),
                Some(None) | None if label.is_null() => decode_text(&bytes, Labels::Auto, &options),
                _ => return exec_err!("{} is no label", label),
            },
        };
        text.map(ColumnarValue::Array)
            .map_err(|error| DataFusionError::External(Box::new(error)))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let text = StringArray::from(vec![
        Some("日本語で書かれた文章"),
        Some("Как дела у соседей?"),
        None,
        Some("naïve"),
    ]);
    let written_in = StringArray::from(vec!["sjis", "cp1251", "gbk", "utf-8"]);
    let bytes = encode(&text, &written_in, &EncodeOptions::new())
        .map_err(|error| DataFusionError::External(Box::new(error)))?;
    let labels = StringArray::from(vec![Some("sjis"), Some("cp1251"), Some("gbk"), None]);
    let pages = RecordBatch::try_from_iter([("bytes", bytes), ("label", Arc::new(labels) as _)])?;
    let context = SessionContext::new();
    context.register_udf(ScalarUDF::from(WebDecode::default()));
    context.register_batch("pages", pages)?;
    let query = "SELECT label, web_decode(bytes, label) AS text, web_decode(bytes) AS guessed, \
                 web_decode(bytes, 'cp1251') = web_decode(bytes) AS is_cp1251 FROM pages";
    let rows = context.sql(query).await?.collect().await?;
    println!(
        "{}",
        datafusion::arrow::util::pretty::pretty_format_batches(&rows)?
    );
    Ok(())
}
