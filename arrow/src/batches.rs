//! Several arrays at once: the chunks of a column, or the columns of several batches.

use arrow_array::{Array, ArrayRef, StructArray};
#[cfg(feature = "rayon")]
use rayon::prelude::*;

use crate::blocks::Limits;
use crate::decode::decode_within;
use crate::encode::encode_within;
use crate::error::Error;
use crate::labels::Labels;
use crate::options::{DecodeOptions, EncodeOptions};

/// Decodes each array with its labels, as [`decode`](crate::decode()) does. With the feature `rayon`, arrays
/// are decoded in parallel, in the caller's rayon thread pool, or else in the global one.
///
/// # Errors
///
/// The first error in the order of the arrays. Its row is counted from the start of the first array.
///
/// ```
/// use arrow_array::{Array, BinaryArray};
/// use simdtext_arrow::{DecodeOptions, Labels, decode_batches};
///
/// let array = BinaryArray::from_vec(vec![&b"\xC4\xE3"[..]; 1000]);
/// let halves = [array.slice(0, 500), array.slice(500, 500)];
/// let batches = halves.each_ref().map(|half| (half as &dyn Array, Labels::from("gbk")));
/// let decoded = decode_batches(&batches, &DecodeOptions::new())?;
/// assert_eq!(decoded.iter().map(Array::len).sum::<usize>(), 1000);
/// # Ok::<(), simdtext_arrow::Error>(())
/// ```
pub fn decode_batches(
    batches: &[(&dyn Array, Labels<'_>)],
    options: &DecodeOptions<'_>,
) -> Result<Vec<StructArray>, Error> {
    each(batches, |array, labels, limits| {
        decode_within(array, labels, options, limits)
    })
}

/// Encodes each array with its labels, as [`encode`](crate::encode()) does; see [`decode_batches`].
///
/// # Errors
///
/// The first error in the order of the arrays. Its row is counted from the start of the first array.
pub fn encode_batches(
    batches: &[(&dyn Array, Labels<'_>)],
    options: &EncodeOptions<'_>,
) -> Result<Vec<ArrayRef>, Error> {
    each(batches, |array, labels, limits| {
        encode_within(array, labels, options, limits)
    })
}

fn each<T: Send>(
    batches: &[(&dyn Array, Labels<'_>)],
    convert: impl Fn(&dyn Array, Labels<'_>, Limits) -> Result<T, Error> + Sync,
) -> Result<Vec<T>, Error> {
    if let [(array, labels)] = batches {
        return Ok(vec![convert(*array, *labels, Limits::default())?]);
    }
    // If there are many, each of them is enough work for a thread.
    #[cfg(feature = "rayon")]
    let are_many = batches.len() >= 4 * rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    let are_many = true;
    let limits = if are_many {
        Limits::ONE_THREAD
    } else {
        Limits::default()
    };
    #[cfg(feature = "rayon")]
    let all = batches.par_iter();
    #[cfg(not(feature = "rayon"))]
    let all = batches.iter();
    let results: Vec<_> = all
        .map(|&(array, labels)| convert(array, labels, limits))
        .collect();
    let mut rows = 0;
    results
        .into_iter()
        .zip(batches)
        .map(|(result, (array, _))| {
            let result = result.map_err(|error| error.behind(rows));
            rows += array.len();
            result
        })
        .collect()
}
