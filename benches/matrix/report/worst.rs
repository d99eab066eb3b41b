//! The rows in which a peer is furthest ahead, and why.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::SETTINGS;
use super::picture::{At, Axis, COLOURS, Drawn, draw, times};
use super::published::{Published, digits};
use crate::select::shown;

/// By operation, and by encoding where there is one; the first that fits.
const REASONS: [(&str, &str, &str); 12] = [
    (
        "buffers-to-utf8",
        "",
        "most kernels stop where fewer than 64 bytes of room are left, and the state machine converts the rest one character at a time",
    ),
    (
        "utf8-to-legacy",
        "x-user-defined",
        "encoding_rs adds a constant in a loop of the caller; making an encoder and calling it costs us about 140 instructions",
    ),
    (
        "utf8-to-legacy-1",
        "x-user-defined",
        "as for 16 bytes: one constant is added, and every unmappable character ends our loop",
    ),
    (
        "utf8-to-legacy",
        "ISO-2022-JP",
        "an escape sequence and some pairs: making the encoder and the loop around the kernel take most of the time",
    ),
    (
        "utf8-to-legacy",
        "",
        "making an encoder and calling it cost about 140 instructions, and a short text has no more",
    ),
    (
        "utf8-to-utf16",
        "",
        "blocks of a short text have constants to load, and a branch for ASCII each",
    ),
    (
        "utf8-validate",
        "",
        "256 bytes are tested for ASCII together, and validated whole; the peers test 64",
    ),
    (
        "utf16-to-utf8",
        "",
        "the end of a text is a call of its own, and a masked block takes as long as a whole one",
    ),
    (
        "utf8-to-latin1",
        "",
        "simdutf's kernel is as good; text that is mostly ASCII runs at the speed of memory",
    ),
    (
        "latin1-to-utf8",
        "",
        "simdutf's kernel is as good; text that is mostly ASCII runs at the speed of memory",
    ),
    (
        "latin1-to-utf16",
        "",
        "std's conversion is a loop in the caller; ours is one, too, behind a comparison",
    ),
    (
        "utf16-to-latin1",
        "",
        "std's and encoding_rs's conversions are loops in the caller; ours is one, too, behind a comparison",
    ),
];

/// Of each operation and set of kernels the worst row, and of these the ten worst. Kernels that are there
/// for old processors are left out.
pub(super) fn ten(rows: &[Published]) -> Vec<&Published> {
    let main = |row: &&Published| SETTINGS.iter().any(|it| it.main && it.name == row.setting);
    let behind = rows.iter().filter(|row| row.behind == "clearly");
    let mut behind: Vec<&Published> = behind.filter(main).collect();
    let ratio = |row: &Published| row.times.unwrap_or(f64::MAX);
    behind.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let mut seen = HashSet::new();
    behind.retain(|row| seen.insert((&row.setting, &row.key.operation)));
    behind.truncate(10);
    behind
}

fn title(row: &Published) -> String {
    let key = &row.key;
    format!(
        "{}, {}, {}, {}",
        key.operation,
        key.text(),
        shown(key.size),
        row.setting
    )
}

pub(super) fn picture(ten: &[&Published]) -> Drawn {
    let bottom = 60 + 26 * i32::try_from(ten.len()).unwrap_or(0);
    let size = (900, u32::try_from(bottom + 40).unwrap_or(0));
    draw(
        "worst",
        "The ten worst rows: simdtext's speed over that of the best peer",
        size,
        |picture| {
            let x = Axis::new((0.0, 1.1), (420, 870)).ticks(&[0.0, 0.2, 0.4, 0.6, 0.8, 1.0], times);
            picture.grid(&x, &Axis::new((0.0, 1.0), (bottom, 48)))?;
            for (row, number) in ten.iter().zip(0..) {
                let (y, ratio) = (60 + 26 * number, row.times.unwrap_or(0.0));
                picture.text(&title(row), (x.start - 8, y + 8), At::End)?;
                picture.bar((x.start, y), (x.at(ratio), y + 16), COLOURS[4])?;
                picture.text(
                    &format!("{ratio:.2} of {}", row.peer),
                    (x.start + 8, y + 8),
                    At::Start,
                )?;
            }
            picture.even((x.at(1.0), 48), (x.at(1.0), bottom))
        },
    )
}

pub(super) fn table(ten: &[&Published]) -> String {
    let mut out = "| row | GB/s | best peer | × best | why |\n|---|--:|---|--:|---|\n".to_owned();
    for row in ten {
        let fits = |(operation, encoding, _): &&(&str, &str, &str)| {
            *operation == row.key.operation
                && (encoding.is_empty() || *encoding == row.key.encoding)
        };
        let why = REASONS
            .iter()
            .find(fits)
            .map_or("not known yet", |(.., why)| why);
        let speed = row.speed.map_or("–".to_owned(), digits);
        let times = row.times.unwrap_or(f64::NAN);
        let _ = writeln!(
            out,
            "| {} | {speed} | {} | {times:.2} | {why} |",
            title(row),
            row.peer
        );
    }
    out
}

/// How many rows are behind, with each set of kernels that has targets.
pub(super) fn counts(rows: &[Published], settings: &[&str]) -> String {
    let mut out =
        "| kernels | rows | clearly behind | behind in some runs |\n|---|--:|--:|--:|\n".to_owned();
    for setting in settings {
        let count = |behind: Option<&str>| {
            let of = |row: &&Published| {
                row.setting == *setting && behind.is_none_or(|it| row.behind == it)
            };
            rows.iter().filter(of).count()
        };
        if count(None) > 0 {
            let (clearly, unclear) = (count(Some("clearly")), count(Some("unclear")));
            let _ = writeln!(
                out,
                "| {setting} | {} | {clearly} | {unclear} |",
                count(None)
            );
        }
    }
    out
}
