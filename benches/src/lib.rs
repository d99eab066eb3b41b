//! What the benchmarks share: their texts, and tables of what was measured.

pub mod corpus;
mod messages;
pub mod tsv;

/// The one in the middle, or the mean of the two there. Not a number, if there is none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    match values.len() {
        0 => f64::NAN,
        len => f64::midpoint(values[(len - 1) / 2], values[len / 2]),
    }
}
