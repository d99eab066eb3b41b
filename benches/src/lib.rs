//! What the benchmarks share: their texts, and tables of results.

pub mod corpus;
mod messages;
pub mod tsv;

use simdtext::{Encoding, Unmappable};

/// A text in an encoding, with character references for characters that the encoding lacks.
pub fn encoded(encoding: &'static Encoding, text: &str) -> Result<Vec<u8>, String> {
    let encoded = encoding.encode(text, Unmappable::Ncr);
    let encoded = encoded.map_err(|error| format!("{encoding}: {error}"))?;
    Ok(encoded.bytes.into_owned())
}

/// The median, or NaN if there are no values.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        len => f64::midpoint(values[(len - 1) / 2], values[len / 2]),
    }
}
