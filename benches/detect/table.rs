//! Counts what was recognised, and makes tables of it.

use std::time::Duration;

use simdtext::{Bom, Encoding};

use crate::detectors::{Answer, Detectors};
use crate::texts::{SIZES, Sample};
use crate::tsv::{self, Tsv};

/// Of one sample.
pub(crate) struct Outcome {
    encoding: &'static Encoding,
    kind: &'static str,
    size: usize,
    len: usize,
    /// For each detector whether it was right, and the time it took.
    by: Vec<(bool, Duration)>,
}

/// Asks all detectors about all samples.
pub(crate) fn measure(detectors: &mut Detectors, samples: &[Sample], list: bool) -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for sample in samples {
        let answers = detectors.answers(&sample.bytes);
        let text = sample.encoding.decode_with(&sample.bytes, Bom::Strip).text;
        let by: Vec<_> = answers
            .iter()
            .map(|answer| (is_right(answer, sample, &text), answer.time))
            .collect();
        if list && !by[0].0 {
            let names: Vec<&str> = answers.iter().map(|answer| answer.name.as_str()).collect();
            let Sample {
                name, kind, size, ..
            } = sample;
            println!("{} {name} {kind} {size}: {names:?}", sample.encoding);
            let guess = simdtext::detect::detect(&sample.bytes, true, &Default::default());
            for candidate in guess.candidates().take(3) {
                println!("    {candidate:?}");
            }
        }
        outcomes.push(Outcome {
            encoding: sample.encoding,
            kind: sample.kind,
            size: sample.size,
            len: sample.bytes.len(),
            by,
        });
    }
    outcomes
}

/// Whether it is the encoding, or one that gives the same text.
fn is_right(answer: &Answer, sample: &Sample, text: &str) -> bool {
    let same = |encoding: &'static Encoding| {
        encoding == sample.encoding || encoding.decode_with(&sample.bytes, Bom::Strip).text == text
    };
    answer.encoding().is_some_and(same) || answer.text.as_deref() == Some(text)
}

fn percent(outcomes: &[&Outcome], detector: usize) -> String {
    let with = outcomes
        .iter()
        .filter_map(|outcome| outcome.by.get(detector));
    let (count, right) = with.fold((0_usize, 0_usize), |(count, right), (is_right, _)| {
        (count + 1, right + usize::from(*is_right))
    });
    if count == 0 {
        return "–".to_owned();
    }
    format!("{:.1}", 100.0 * right as f64 / count as f64)
}

/// A table with a column for each detector.
fn head(about: &str, first: &str, second: &str, detectors: &Detectors) -> Tsv {
    let names = detectors.list.iter().map(|detector| detector.name());
    let heading: Vec<&str> = [first, second].into_iter().chain(names).collect();
    let command = tsv::about("cargo bench --bench detect");
    Tsv::new(format!("{command}; {about}"), &heading)
}

fn row(first: &str, outcomes: &[&Outcome], detectors: &Detectors) -> Vec<String> {
    let cells = (0..detectors.list.len()).map(|detector| percent(outcomes, detector));
    let front = [first.to_owned(), outcomes.len().to_string()];
    front.into_iter().chain(cells).collect()
}

/// Per cent recognised, for each encoding, of 1 KiB and more.
pub(crate) fn by_encoding(detectors: &Detectors, outcomes: &[Outcome]) -> Tsv {
    let mut table = head(
        "per cent right, of 1 KiB and more",
        "encoding",
        "samples",
        detectors,
    );
    let long: Vec<&Outcome> = outcomes
        .iter()
        .filter(|outcome| outcome.size >= 1024)
        .collect();
    for encoding in Encoding::all() {
        let of = long.iter().copied();
        let of: Vec<&Outcome> = of.filter(|outcome| outcome.encoding == *encoding).collect();
        if !of.is_empty() {
            table.rows.push(row(encoding.name(), &of, detectors));
        }
    }
    table.rows.push(row("all", &long, detectors));
    table
}

/// Per cent recognised, for each size and kind of text.
pub(crate) fn by_size(detectors: &Detectors, outcomes: &[Outcome]) -> Tsv {
    let mut table = head("per cent right", "text", "samples", detectors);
    for kind in ["html", "dense"] {
        for size in SIZES {
            let of = outcomes.iter();
            let of = of.filter(|outcome| outcome.size == size && outcome.kind == kind);
            let of: Vec<&Outcome> = of.collect();
            table
                .rows
                .push(row(&format!("{size} B {kind}"), &of, detectors));
        }
    }
    table
}

/// Microseconds for a text, and megabytes in a second.
pub(crate) fn speed(detectors: &Detectors, outcomes: &[Outcome]) -> Tsv {
    let mut table = head(
        "for a text, of all encodings together",
        "text",
        "unit",
        detectors,
    );
    for size in SIZES {
        let of = || outcomes.iter().filter(|outcome| outcome.size == size);
        let bytes: usize = of().map(|outcome| outcome.len).sum();
        let micros = |detector: usize| {
            let times = of().filter_map(|outcome| outcome.by.get(detector));
            times.map(|(_, time)| time.as_secs_f64() * 1e6).sum::<f64>()
        };
        let micros: Vec<f64> = (0..detectors.list.len()).map(micros).collect();
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
