//! Counts what was recognised, and makes tables of it.

use std::time::Duration;

use simdtext::{Bom, Encoding};

use crate::detectors::{Answer, NAMES, answers};
use crate::texts::{SIZES, Sample};
use simdtext_bench::tsv::{self, Tsv};

/// The results for one sample.
pub(crate) struct Outcome {
    encoding: &'static Encoding,
    kind: &'static str,
    size: usize,
    len: usize,
    /// For each detector, whether it was right, and how long it took.
    by: Vec<(bool, Duration)>,
}

/// Calls all detectors with all samples.
pub(crate) fn measure(samples: &[Sample], peers: bool) -> Vec<Outcome> {
    let answers = answers(samples, peers);
    let outcomes = samples.iter().zip(answers).map(|(sample, answers)| {
        let text = sample.text();
        let answers = answers.iter();
        let by = answers.map(|it| (is_right(it, sample, &text), it.time));
        Outcome {
            encoding: sample.encoding,
            kind: sample.kind,
            size: sample.size,
            len: sample.bytes.len(),
            by: by.collect(),
        }
    });
    outcomes.collect()
}

/// Whether this is the encoding, or one that gives the same text.
fn is_right(answer: &Answer, sample: &Sample, text: &str) -> bool {
    let same = |encoding: &'static Encoding| {
        encoding == sample.encoding
            || encoding.decode_with_bom(&sample.bytes, Bom::Strip).text == text
    };
    answer.is_text || Encoding::for_label(answer.name.as_bytes()).is_some_and(same)
}

/// A table with a column for each detector that has answered.
fn head(about: &str, first: &str, second: &str, outcomes: &[Outcome]) -> Tsv {
    let detectors = outcomes.first().map_or(0, |outcome| outcome.by.len());
    let heading = [&[first, second], &NAMES[..detectors]].concat().join("\t");
    let command = tsv::about("cargo bench --bench detect");
    Tsv::new(format!("{command}; {about}"), &heading)
}

/// The percentage of samples that each detector recognised, if there are any. Without texts beside the checkout, there
/// are none of most sizes.
fn row(first: &str, outcomes: &[&Outcome]) -> Option<Vec<String>> {
    let detectors = outcomes.first()?.by.len();
    let percent = |detector: usize| {
        let right = outcomes.iter().filter(|outcome| outcome.by[detector].0);
        let share = right.count() as f64 / outcomes.len() as f64;
        format!("{:.1}", 100.0 * share)
    };
    let mut row = vec![first.to_owned(), outcomes.len().to_string()];
    row.extend((0..detectors).map(percent));
    Some(row)
}

/// The percentage of samples of 1 KiB or more that each detector recognised, by encoding.
pub(crate) fn by_encoding(outcomes: &[Outcome]) -> Tsv {
    let about = "per cent right, of 1 KiB and more";
    let mut table = head(about, "encoding", "samples", outcomes);
    let long = outcomes.iter().filter(|outcome| outcome.size >= 1024);
    let long: Vec<&Outcome> = long.collect();
    for encoding in Encoding::all() {
        let of = long.iter().copied();
        let of: Vec<&Outcome> = of.filter(|outcome| outcome.encoding == *encoding).collect();
        table.rows.extend(row(encoding.name(), &of));
    }
    table.rows.extend(row("all", &long));
    table
}

/// The percentage of samples that each detector recognised, by size and kind of text.
pub(crate) fn by_size(outcomes: &[Outcome]) -> Tsv {
    let mut table = head("per cent right", "text", "samples", outcomes);
    for kind in ["html", "dense"] {
        for size in SIZES {
            let of = outcomes.iter();
            let of = of.filter(|outcome| outcome.size == size && outcome.kind == kind);
            let of: Vec<&Outcome> = of.collect();
            table.rows.extend(row(&format!("{size} B {kind}"), &of));
        }
    }
    table
}

/// Microseconds per text, and megabytes per second.
pub(crate) fn speed(outcomes: &[Outcome]) -> Tsv {
    let about = "for a text, of all encodings together";
    let mut table = head(about, "text", "unit", outcomes);
    for size in SIZES {
        let of = || outcomes.iter().filter(|outcome| outcome.size == size);
        let Some(first) = of().next() else {
            continue;
        };
        let bytes: usize = of().map(|outcome| outcome.len).sum();
        let micros = |detector: usize| {
            let times = of().map(|outcome| outcome.by[detector].1);
            1e6 * times.sum::<Duration>().as_secs_f64()
        };
        let micros: Vec<f64> = (0..first.by.len()).map(micros).collect();
        for unit in ["µs", "MB/s"] {
            let value = |micros: &f64| match unit {
                "µs" => micros / of().count() as f64,
                _ => bytes as f64 / micros,
            };
            let values = micros.iter().map(|micros| format!("{:.1}", value(micros)));
            let front = [format!("{size} B"), unit.to_owned()];
            table.rows.push(front.into_iter().chain(values).collect());
        }
    }
    table
}
