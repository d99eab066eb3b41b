//! The rows in which a peer is furthest ahead, with reasons.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::SETTINGS;
use super::picture::{At, Axis, COLOURS, Drawn, draw, pixels, times};
use super::published::{Published, precise};
use simdtext_bench::tsv::Tsv;

/// The worst row of each operation and set of kernels, and the ten worst of these. Kernels for old processors
/// are left out.
pub(super) fn ten(rows: &[Published]) -> Vec<&Published> {
    let main = |row: &&Published| SETTINGS.iter().any(|it| it.main && it.name == row.setting);
    let behind = rows.iter().filter(|row| row.behind == "clearly");
    let mut behind: Vec<&Published> = behind.filter(main).collect();
    let ratio = |row: &Published| row.times().unwrap_or(f64::MAX);
    behind.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let mut seen = HashSet::new();
    behind.retain(|row| seen.insert((&row.setting, &row.key.operation)));
    behind.truncate(10);
    behind
}

fn title(row: &Published) -> String {
    format!("{}, {}", row.key.title(), row.setting)
}

pub(super) fn picture(ten: &[&Published]) -> Drawn {
    let bottom = 60 + 26 * pixels(ten.len());
    let heading = "The ten worst rows: simdtext's speed over that of the best peer";
    draw("worst", heading, (900, bottom + 40), |picture| {
        let x = Axis::new((0.0, 1.1), (420, 870)).ticks(&[0.0, 0.2, 0.4, 0.6, 0.8, 1.0], times);
        picture.columns(&x, 48, bottom);
        for (row, number) in ten.iter().zip(0..) {
            let (y, ratio) = (60 + 26 * number, row.times().unwrap_or(0.0));
            picture.text(&title(row), (x.start - 8, y + 8), At::End);
            picture.bar((x.start, y), (x.at(ratio), y + 16), COLOURS[4]);
            let label = format!("{ratio:.2} of {}", row.peer);
            picture.text(&label, (x.start + 8, y + 8), At::Start);
        }
    })
}

pub(super) fn table(ten: &[&Published]) -> Result<String, String> {
    // Reasons are listed by operation and, if there is one, by encoding; the first match counts.
    let reasons = Tsv::read("reasons")?.rows;
    let mut out = "| row | GB/s | best peer | × best | why |\n|---|--:|---|--:|---|\n".to_owned();
    for row in ten {
        let mut fitting = reasons.iter().filter(|reason| {
            reason[0] == row.key.operation && ["", &row.key.encoding].contains(&&*reason[1])
        });
        let why = fitting.next().map_or("not known yet", |reason| &reason[2]);
        let speed = row.speed().map_or("–".to_owned(), precise);
        let (title, peer) = (title(row), &row.peer);
        let times = row.times().unwrap_or(f64::NAN);
        let _ = writeln!(out, "| {title} | {speed} | {peer} | {times:.2} | {why} |");
    }
    Ok(out)
}

/// The number of rows in which a peer is faster, for each set of kernels with targets.
pub(super) fn counts(rows: &[Published]) -> String {
    let mut out =
        "| kernels | rows | clearly behind | behind in some runs |\n|---|--:|--:|--:|\n".to_owned();
    for setting in SETTINGS.iter().filter(|it| it.main).map(|it| it.name) {
        let of = || rows.iter().filter(|row| row.setting == setting);
        let count = |behind| of().filter(|row| row.behind == behind).count();
        let (all, clearly, unclear) = (of().count(), count("clearly"), count("unclear"));
        if all > 0 {
            let _ = writeln!(out, "| {setting} | {all} | {clearly} | {unclear} |");
        }
    }
    out
}
