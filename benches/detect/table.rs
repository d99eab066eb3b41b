//! Counts what was recognised, and makes tables of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use simdtext::{Bom, Encoding};

use crate::detectors::{Answer, Detectors};
use crate::texts::{SIZES, Sample};

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

fn head(first: &str, detectors: &Detectors) -> String {
    let names = detectors.list.iter().map(|detector| detector.name());
    let names: Vec<&str> = names.collect();
    format!(
        "| {first} | samples | {} |\n|---|---:|{}\n",
        names.join(" | "),
        "---:|".repeat(names.len())
    )
}

fn row(first: &str, outcomes: &[&Outcome], detectors: &Detectors) -> String {
    let cells: Vec<String> = (0..detectors.list.len())
        .map(|detector| percent(outcomes, detector))
        .collect();
    format!("| {first} | {} | {} |\n", outcomes.len(), cells.join(" | "))
}

/// Per cent recognised, for each encoding, of 1 KiB and more.
pub(crate) fn by_encoding(detectors: &Detectors, outcomes: &[Outcome]) -> String {
    let mut table = head("encoding", detectors);
    let long: Vec<&Outcome> = outcomes
        .iter()
        .filter(|outcome| outcome.size >= 1024 || outcome.size == 0)
        .collect();
    for encoding in Encoding::all() {
        let of: Vec<&Outcome> = long
            .iter()
            .copied()
            .filter(|outcome| outcome.encoding == *encoding)
            .collect();
        if !of.is_empty() {
            table += &row(encoding.name(), &of, detectors);
        }
    }
    table + &row("**all**", &long, detectors)
}

/// Per cent recognised, for each size and kind of text.
pub(crate) fn by_size(detectors: &Detectors, outcomes: &[Outcome]) -> String {
    let mut table = head("text", detectors);
    for kind in ["html", "dense"] {
        for size in SIZES {
            let of: Vec<&Outcome> = outcomes
                .iter()
                .filter(|outcome| outcome.size == size && outcome.kind == kind)
                .collect();
            table += &row(&format!("{size} B {kind}"), &of, detectors);
        }
    }
    table
}

/// Microseconds for a text, and megabytes in a second.
pub(crate) fn speed(detectors: &Detectors, outcomes: &[Outcome]) -> String {
    let mut sums: BTreeMap<(usize, usize), (u32, usize, Duration)> = BTreeMap::new();
    for outcome in outcomes {
        for (detector, (_, time)) in outcome.by.iter().enumerate() {
            let sum = sums.entry((outcome.size, detector)).or_default();
            *sum = (sum.0 + 1, sum.1 + outcome.len, sum.2 + *time);
        }
    }
    let mut table = head("text", detectors).replace(" samples ", " unit ");
    for size in SIZES {
        for unit in ["µs", "MB/s"] {
            let _ = write!(table, "| {size} B | {unit} |");
            for detector in 0..detectors.list.len() {
                let Some((count, bytes, time)) = sums.get(&(size, detector)) else {
                    table += " – |";
                    continue;
                };
                let micros = time.as_secs_f64() * 1e6;
                let value = if unit == "µs" {
                    micros / f64::from(*count)
                } else {
                    *bytes as f64 / micros
                };
                let _ = write!(table, " {value:.1} |");
            }
            table += "\n";
        }
    }
    table
}
