//! The seven pictures of the report.

use plotters::style::RGBColor;

use super::picture::{At, Axis, COLOURS, Drawn, draw, times};
use super::published::{Published, digits, geometric_mean};
use super::{SETTINGS, worst};
use crate::corpus::WHOLE;
use crate::operations::{self, LEGACY, buffers::BUFFERS};
use crate::select::shown;
use crate::tsv::Tsv;

pub(super) fn all(rows: &[Published]) -> Drawn {
    headline()?;
    encodings(rows)?;
    sizes(rows)?;
    buffers(rows)?;
    detection()?;
    cost()?;
    worst::picture(&worst::ten(rows))
}

/// Of the headline: of 50 operations those that most programs call.
const HEADLINE: [&str; 20] = [
    "utf8-validate",
    "utf8-copy",
    "utf8-to-utf16",
    "utf16-validate",
    "utf16-to-utf8",
    "utf16le-to-utf8",
    "utf8-to-utf32",
    "utf32-to-utf8",
    "latin1-to-utf8",
    "utf8-to-latin1",
    "latin1-to-utf16",
    "utf16-to-latin1",
    "utf8-lossy",
    "utf8-lossy-1",
    "utf16le-lossy",
    "utf16-len-of-utf8",
    "legacy-to-utf8",
    "legacy-to-utf16",
    "utf8-to-legacy",
    "utf16-to-legacy",
];

/// Bars: how many times as long the best peer takes, by operation and set of kernels.
fn headline() -> Drawn {
    let means = Tsv::read("operations")?;
    let names: Vec<&str> = SETTINGS.iter().map(|setting| setting.name).collect();
    let measured = |name: &&str| means.rows.iter().any(|row| row[1] == *name);
    let settings: Vec<(&str, RGBColor)> = names.into_iter().filter(measured).zip(COLOURS).collect();
    let step = 8 + 6 * i32::try_from(settings.len()).unwrap_or(0);
    let (top, rows) = (62, i32::try_from(HEADLINE.len()).unwrap_or(0));
    let bottom = top + rows * step;
    let size = (900, u32::try_from(bottom + 40).unwrap_or(0));
    let title = "Times as fast as the best peer: geometric means over all texts, 64 KiB or whole";
    draw("headline", title, size, |picture| {
        picture.legend((160, 42), &settings)?;
        let x = Axis::new((0.0625, 16.0), (160, 870));
        let x = x.ticks(&[0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0], times);
        picture.grid(&x, &Axis::new((0.0, 1.0), (bottom, top)))?;
        for (row, operation) in (0..rows).zip(HEADLINE) {
            let y = top + row * step + 4;
            picture.text(operation, (150, y + (step - 8) / 2), At::End)?;
            for ((setting, colour), number) in settings.iter().zip(0..) {
                let of = |row: &&Vec<String>| row[0] == operation && row[1] == *setting;
                let mean = means
                    .rows
                    .iter()
                    .find(of)
                    .and_then(|row| row[3].parse().ok());
                if let Some(mean) = mean {
                    let y = y + 6 * number;
                    picture.bar((x.at(1.0), y), (x.at(mean), y + 5), *colour)?;
                }
            }
        }
        picture.even((x.at(1.0), top), (x.at(1.0), bottom))
    })
}

/// A dot for each encoding and kind of text, to UTF-8 and from it, with the best set of kernels.
fn encodings(rows: &[Published]) -> Drawn {
    let best = best_setting(rows);
    let whole = |operation: &str| {
        let of = |row: &&Published| {
            row.setting == best && row.key.operation == operation && row.key.size == WHOLE
        };
        rows.iter().filter(of).collect::<Vec<_>>()
    };
    let panels = [
        ("to UTF-8", whole("legacy-to-utf8")),
        ("from UTF-8", whole("utf8-to-legacy")),
    ];
    let mut names = LEGACY.map(|(encoding, _)| encoding).to_vec();
    names.dedup();
    let (top, step) = (66, 16);
    let bottom = top + step * i32::try_from(names.len()).unwrap_or(0);
    let size = (900, u32::try_from(bottom + 40).unwrap_or(0));
    let title =
        format!("Times as fast as the best peer, whole texts, {best}; GB/s of prose on the right");
    draw("encodings", &title, size, |picture| {
        let (dense, html) = (COLOURS[0], COLOURS[1]);
        picture.legend(
            (130, 42),
            &[("prose (dense)", dense), ("pages (html)", html)],
        )?;
        for ((name, rows), left) in panels.iter().zip([130, 530]) {
            picture.text(name, (left + 290, 42), At::End)?;
            let x = Axis::new((0.5, 64.0), (left, left + 290));
            let x = x.ticks(&[0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0], times);
            picture.grid(&x, &Axis::new((0.0, 1.0), (bottom, top)))?;
            picture.even((x.at(1.0), top), (x.at(1.0), bottom))?;
            for (encoding, number) in names.iter().zip(0..) {
                let y = top + step * number + step / 2;
                if left == 130 {
                    picture.text(encoding, (left - 8, y), At::End)?;
                }
                let of = |kind: &'static str| {
                    let rows = rows.iter();
                    rows.filter(move |row| row.key.encoding == *encoding && row.key.kind == kind)
                };
                for (kind, colour) in [("html", html), ("dense", dense)] {
                    let mean = geometric_mean(of(kind).filter_map(|row| row.times()));
                    if let Some(mean) = mean {
                        picture.dot((x.at(mean), y), colour, kind == "dense")?;
                    }
                }
                let speed = geometric_mean(of("dense").filter_map(|row| row.speed()));
                let speed = speed.map_or("–".to_owned(), digits);
                picture.text(&speed, (left + 335, y), At::End)?;
            }
        }
        Ok(())
    })
}

/// Operations by size of the text.
const BY_SIZE: [&str; 6] = [
    "utf8-validate",
    "utf8-to-utf16",
    "utf16-to-utf8",
    "utf8-to-utf32",
    "latin1-to-utf8",
    "utf8-lossy-1",
];

/// Lines: how many times as long the best peer takes, by size, in two sets of kernels.
fn sizes(rows: &[Published]) -> Drawn {
    let best = best_setting(rows);
    let title =
        "Times as fast as the best peer by length of the text: geometric means over the same texts";
    draw("sizes", title, (900, 420), |picture| {
        let names: Vec<_> = BY_SIZE.into_iter().zip(COLOURS).collect();
        picture.legend((60, 42), &names)?;
        for (setting, left) in [(best, 60), ("AVX2", 500)] {
            let x = Axis::new((8.0, f64::from(1 << 20)), (left, left + 380));
            let labelled = [8, 64, 512, 4096, 1 << 15, 1 << 18];
            let x = x.ticks(&labelled.map(f64::from), size_label);
            let y =
                Axis::new((0.5, 4.0), (380, 84)).ticks(&[0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0], times);
            picture.grid(&x, &y)?;
            picture.even((x.start, y.at(1.0)), (x.end, y.at(1.0)))?;
            picture.text(setting, (left + 380, 70), At::End)?;
            for (operation, colour) in &names {
                let points = by_size(rows, setting, operation);
                let points: Vec<_> = points
                    .iter()
                    .map(|(size, mean)| (x.at(*size), y.at(*mean)))
                    .collect();
                picture.line(points, *colour, 2)?;
            }
        }
        Ok(())
    })
}

/// Sizes up to 1 MiB and the means there, of the texts that were measured at each of them.
fn by_size(rows: &[Published], setting: &str, operation: &str) -> Vec<(f64, f64)> {
    let of = |row: &&Published| {
        row.setting == setting && row.key.operation == operation && row.key.size <= 1 << 20
    };
    let rows: Vec<&Published> = rows.iter().filter(of).collect();
    let count = |row: &Published| {
        rows.iter()
            .filter(|other| other.key.text() == row.key.text())
            .count()
    };
    let most = rows.iter().map(|row| count(row)).max().unwrap_or(0);
    let swept: Vec<&&Published> = rows.iter().filter(|row| count(row) == most).collect();
    let mut sizes: Vec<usize> = swept.iter().map(|row| row.key.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mean = |size: usize| {
        let there = swept.iter().filter(|row| row.key.size == size);
        Some((
            size as f64,
            geometric_mean(there.filter_map(|row| row.times()))?,
        ))
    };
    sizes.into_iter().filter_map(mean).collect()
}

/// Six encodings: GB/s through output buffers of each size.
fn buffers(rows: &[Published]) -> Drawn {
    let best = best_setting(rows);
    let title =
        format!("GB/s of input by size of the output buffer, decoding 64 KiB to UTF-8, {best}");
    draw("buffers", &title, (900, 600), |picture| {
        picture.legend(
            (50, 42),
            &[("simdtext", COLOURS[0]), ("encoding_rs", COLOURS[1])],
        )?;
        for ((encoding, language, kind), number) in BUFFERS.into_iter().zip(0..) {
            let (left, top) = (50 + 290 * (number % 3), 84 + 270 * (number / 3));
            let of = |row: &&Published| {
                let key = &row.key;
                let text = (&*key.encoding, &*key.language, &*key.kind);
                row.setting == best
                    && key.operation == operations::buffers::NAME
                    && text == (encoding, language, kind.name())
            };
            let rows: Vec<&Published> = rows.iter().filter(of).collect();
            let x = Axis::new((16.0, f64::from(1 << 16)), (left, left + 250));
            let x = x.ticks(&[16.0, 128.0, 1024.0, 8192.0, 65536.0], size_label);
            let y = Axis::new((0.0625, 64.0), (top + 210, top));
            let y = y.ticks(&[0.25, 1.0, 4.0, 16.0, 64.0], |value| value.to_string());
            picture.grid(&x, &y)?;
            picture.text(
                &format!("{encoding} {language}, {}", kind.name()),
                (left, top - 12),
                At::Start,
            )?;
            for (ours, colour) in [(true, COLOURS[0]), (false, COLOURS[1])] {
                let point = |row: &&Published| {
                    let peer = row.peers.first().map(|(_, speed)| *speed);
                    let speed = if ours { row.speed() } else { peer };
                    Some((x.at(row.key.size as f64), y.at(speed?)))
                };
                picture.line(rows.iter().filter_map(point).collect(), colour, 2)?;
            }
        }
        Ok(())
    })
}

/// Lines from short texts to long ones: how often each detector is right, and how long it takes.
fn detection() -> Drawn {
    let (right, time) = (Tsv::read("detection-sizes")?, Tsv::read("detection-speed")?);
    let detectors = [
        "simdtext",
        "chardetng",
        "chardet",
        "charset-normalizer",
        "uchardet",
    ];
    let title = "Detection: texts recognised, and time for one text, of 64 B, 256 B, 1 KiB, 4 KiB and 64 KiB";
    draw("detection", title, (900, 460), |picture| {
        let names: Vec<_> = detectors.into_iter().zip(COLOURS).collect();
        picture.legend((60, 42), &names)?;
        let x = Axis::new((5.0, 30_000.0), (60, 870));
        let x = x.ticks(&[10.0, 100.0, 1000.0, 10_000.0], |value| {
            format!("{value} µs")
        });
        let y = Axis::linear((60.0, 100.0), (420, 70));
        let y = y.ticks(&[60.0, 70.0, 80.0, 90.0, 100.0], |value| {
            format!("{value} %")
        });
        picture.grid(&x, &y)?;
        for (detector, colour) in names {
            let mut points = Vec::new();
            for (size, label) in [
                ("64", "64 B"),
                ("256", ""),
                ("1024", ""),
                ("4096", ""),
                ("65536", "64 KiB"),
            ] {
                let cell = |table: &Tsv, row: &Vec<String>| {
                    let column = table.column(detector).ok()?;
                    row[column].parse::<f64>().ok()
                };
                let of = |table: &Tsv, text: &dyn Fn(&str) -> bool, unit: &str| -> Vec<f64> {
                    let rows = table
                        .rows
                        .iter()
                        .filter(|row| text(&row[0]) && (unit.is_empty() || row[1] == unit));
                    rows.filter_map(|row| cell(table, row)).collect()
                };
                let share = of(&right, &|text| text.split(' ').next() == Some(size), "");
                let micros = of(&time, &|text| text == format!("{size} B"), "µs");
                let (Some(micros), false) = (micros.first(), share.is_empty()) else {
                    continue;
                };
                let at = (
                    x.at(*micros),
                    y.at(share.iter().sum::<f64>() / share.len() as f64),
                );
                points.push(at);
                match label {
                    "64 B" => picture.text(label, (at.0 - 8, at.1), At::End)?,
                    _ => picture.text(label, (at.0, at.1 + 14), At::Middle)?,
                }
            }
            picture.line(points.clone(), colour, 2)?;
            for at in points {
                picture.dot(at, colour, true)?;
            }
        }
        Ok(())
    })
}

/// Bars: what a crate adds to a program, in KB and in seconds of building it.
fn cost() -> Drawn {
    let table = Tsv::read("cost")?;
    let bottom = 70 + 26 * i32::try_from(table.rows.len()).unwrap_or(0);
    let size = (900, u32::try_from(bottom + 20).unwrap_or(0));
    draw(
        "cost",
        "What a crate adds to a program: KB of machine code and data, seconds to build it",
        size,
        |picture| {
            for (name, left, colour) in [("KB", 290, COLOURS[0]), ("seconds", 620, COLOURS[1])] {
                let column = table.column(name)?;
                let values = table
                    .rows
                    .iter()
                    .map(|row| row[column].parse().unwrap_or(0.0));
                let values: Vec<f64> = values.collect();
                let x = Axis::new(
                    (0.0, values.iter().copied().fold(1.0, f64::max)),
                    (left, left + 220),
                );
                picture.text(name, (left, 48), At::Start)?;
                for ((row, value), number) in table.rows.iter().zip(values).zip(0..) {
                    let y = 70 + 26 * number;
                    if left == 290 {
                        picture.text(&row[0], (left - 8, y + 8), At::End)?;
                    }
                    picture.bar((left, y), (x.at(value), y + 16), colour)?;
                    picture.text(&row[column], (x.at(value) + 6, y + 8), At::Start)?;
                }
            }
            Ok(())
        },
    )
}

/// The best of the sets of kernels that were measured.
pub(super) fn best_setting(rows: &[Published]) -> &str {
    rows.first().map_or("", |row| &row.setting)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a size of text"
)]
fn size_label(size: f64) -> String {
    shown(size as usize)
        .replace("KiB", "K")
        .replace(" B", "")
        .replace(' ', "")
}
