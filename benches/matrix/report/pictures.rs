//! The seven pictures of the report.

use super::SETTINGS;
use super::picture::{At, Axis, COLOURS, Colour, Drawn, Point, draw, pixels, times};
use super::published::{Published, digits, geometric_mean};
use super::worst;
use crate::operations::{LEGACY, buffers};
use crate::select::shown;
use simdtext_bench::corpus::WHOLE;
use simdtext_bench::tsv::Tsv;

pub(super) fn all(rows: &[Published]) -> Drawn {
    headline()?;
    encodings(rows)?;
    sizes(rows)?;
    buffers(rows)?;
    detection()?;
    cost()?;
    worst::picture(&worst::ten(rows))
}

/// The operations of the headline: of all 50, those that most programs call.
const HEADLINE: &str = "utf8-validate utf8-copy utf8-to-utf16 utf16-validate utf16-to-utf8 utf16le-to-utf8 \
     utf8-to-utf32 utf32-to-utf8 latin1-to-utf8 utf8-to-latin1 latin1-to-utf16 utf16-to-latin1 \
     utf8-lossy utf8-lossy-1 utf16le-lossy utf16-len-of-utf8 \
     legacy-to-utf8 legacy-to-utf16 utf8-to-legacy utf16-to-legacy";

/// Bars: how many times as long the best peer takes, by operation and set of kernels.
fn headline() -> Drawn {
    let means = Tsv::read("operations")?;
    let names = SETTINGS.iter().map(|setting| setting.name);
    let measured = |name: &&str| means.rows.iter().any(|row| row[1] == *name);
    let settings: Vec<(&str, Colour)> = names.filter(measured).zip(COLOURS).collect();
    let (top, step) = (62, 8 + 6 * pixels(settings.len()));
    let bottom = top + step * pixels(HEADLINE.split(' ').count());
    let title = "Times as fast as the best peer: geometric means over all texts, 64 KiB or whole";
    draw("headline", title, (900, bottom + 40), |picture| {
        picture.legend((160, 42), &settings);
        let x = Axis::new((0.0625, 16.0), (160, 870));
        let x = x.ticks(&[0.0625, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0], times);
        picture.columns(&x, top, bottom);
        for (operation, row) in HEADLINE.split(' ').zip(0..) {
            let y = top + row * step + 4;
            picture.text(operation, (150, y + (step - 8) / 2), At::End);
            for ((setting, colour), number) in settings.iter().zip(0..) {
                let of = |row: &[String]| row[0] == operation && row[1] == *setting;
                for mean in means.numbers("times", of) {
                    let y = y + 6 * number;
                    picture.bar((x.at(1.0), y), (x.at(mean), y + 5), colour);
                }
            }
        }
    })
}

/// A dot for each encoding and kind of text, decoding to and encoding from UTF-8, with the best set of
/// kernels.
fn encodings(rows: &[Published]) -> Drawn {
    let best = best_setting(rows);
    let mut names = LEGACY.map(|(encoding, _)| encoding).to_vec();
    names.dedup();
    let (top, step) = (66, 16);
    let bottom = top + step * pixels(names.len());
    let title =
        format!("Times as fast as the best peer, whole texts, {best}; GB/s of prose on the right");
    draw("encodings", &title, (900, bottom + 40), |picture| {
        let (dense, html) = (COLOURS[0], COLOURS[1]);
        let kinds = [("prose (dense)", dense), ("pages (html)", html)];
        picture.legend((130, 42), &kinds);
        for (heading, operation, left) in [
            ("to UTF-8", "legacy-to-utf8", 130),
            ("from UTF-8", "utf8-to-legacy", 530),
        ] {
            picture.text(heading, (left + 290, 42), At::End);
            let x = Axis::new((0.5, 64.0), (left, left + 290));
            let x = x.ticks(&[0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0], times);
            picture.columns(&x, top, bottom);
            for (encoding, number) in names.iter().zip(0..) {
                let y = top + step * number + step / 2;
                if left == 130 {
                    picture.text(encoding, (left - 8, y), At::End);
                }
                let of = |kind: &'static str| {
                    let rows = rows.iter().filter(|row| row.setting == best);
                    let rows = rows.map(|row| (row, &row.key));
                    let rows = rows.filter(move |(_, key)| {
                        key.operation == operation
                            && key.size == WHOLE
                            && key.encoding == *encoding
                            && key.kind == kind
                    });
                    rows.map(|(row, _)| row)
                };
                for (kind, colour) in [("html", html), ("dense", dense)] {
                    if let Some(mean) = geometric_mean(of(kind).filter_map(Published::times)) {
                        picture.dot((x.at(mean), y), colour, kind == "dense");
                    }
                }
                let speed = geometric_mean(of("dense").filter_map(Published::speed));
                let speed = speed.map_or("–".to_owned(), digits);
                picture.text(&speed, (left + 335, y), At::End);
            }
        }
    })
}

/// The operations that are shown by size of the text.
const BY_SIZE: &str =
    "utf8-validate utf8-to-utf16 utf16-to-utf8 utf8-to-utf32 latin1-to-utf8 utf8-lossy-1";

/// Lines: how many times as long the best peer takes, by size, with two sets of kernels.
fn sizes(rows: &[Published]) -> Drawn {
    let best = best_setting(rows);
    let title =
        "Times as fast as the best peer by length of the text: geometric means over the same texts";
    draw("sizes", title, (900, 420), |picture| {
        let names: Vec<_> = BY_SIZE.split(' ').zip(COLOURS).collect();
        picture.legend((60, 42), &names);
        for (setting, left) in [(best, 60), ("AVX2", 500)] {
            let x = Axis::new((8.0, f64::from(1 << 20)), (left, left + 380));
            let labelled = [8, 64, 512, 4096, 1 << 15, 1 << 18];
            let x = x.ticks(&labelled.map(f64::from), size_label);
            let y = Axis::new((0.5, 4.0), (380, 84));
            let y = y.ticks(&[0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0], times);
            picture.grid(&x, &y);
            picture.even((x.start, y.at(1.0)), (x.end, y.at(1.0)));
            picture.text(setting, (left + 380, 70), At::End);
            for (operation, colour) in &names {
                let points = by_size(rows, setting, operation).into_iter();
                let points: Vec<Point> = points
                    .map(|(size, mean)| (x.at(size), y.at(mean)))
                    .collect();
                picture.line(&points, colour, 2);
            }
        }
    })
}

/// Sizes up to 1 MiB and the means at each, over the texts that were measured at all of them.
fn by_size(rows: &[Published], setting: &str, operation: &str) -> Vec<(f64, f64)> {
    let of = |row: &&Published| {
        row.setting == setting && row.key.operation == operation && row.key.size <= 1 << 20
    };
    let rows: Vec<&Published> = rows.iter().filter(of).collect();
    let count = |row: &Published| {
        let text = row.key.text();
        rows.iter().filter(|row| row.key.text() == text).count()
    };
    let most = rows.iter().map(|row| count(row)).max().unwrap_or(0);
    let swept: Vec<&&Published> = rows.iter().filter(|row| count(row) == most).collect();
    let mut sizes: Vec<usize> = swept.iter().map(|row| row.key.size).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mean = |size: usize| {
        let there = swept.iter().filter(|row| row.key.size == size);
        let mean = geometric_mean(there.filter_map(|row| row.times()))?;
        Some((size as f64, mean))
    };
    sizes.into_iter().filter_map(mean).collect()
}

/// Six encodings: GB/s with output buffers of each size.
fn buffers(rows: &[Published]) -> Drawn {
    // They may have been measured on another machine than other rows.
    let mut drawn = rows.iter().filter(|row| row.key.operation == buffers::NAME);
    let best = drawn.next().map_or("", |row| &row.setting);
    let title =
        format!("GB/s of input by size of the output buffer, decoding 64 KiB to UTF-8, {best}");
    draw("buffers", &title, (900, 600), |picture| {
        let (ours, theirs) = (COLOURS[0], COLOURS[1]);
        picture.legend((50, 42), &[("simdtext", ours), ("encoding_rs", theirs)]);
        for ((encoding, language, kind), number) in buffers::DRAWN.into_iter().zip(0..) {
            let (left, top) = (50 + 290 * (number % 3), 84 + 270 * (number / 3));
            let x = Axis::new((16.0, f64::from(1 << 16)), (left, left + 250));
            let x = x.ticks(&[16.0, 128.0, 1024.0, 8192.0, 65536.0], size_label);
            let y = Axis::new((0.0625, 64.0), (top + 210, top));
            let y = y.ticks(&[0.25, 1.0, 4.0, 16.0, 64.0], |value| value.to_string());
            picture.grid(&x, &y);
            let heading = format!("{encoding} {language}, {}", kind.name());
            picture.text(&heading, (left, top - 12), At::Start);
            let of = |row: &&Published| {
                let key = &row.key;
                let text = (&*key.encoding, &*key.language, &*key.kind);
                row.setting == best
                    && key.operation == buffers::NAME
                    && text == (encoding, language, kind.name())
            };
            let points = |speed: fn(&Published) -> Option<f64>| -> Vec<Point> {
                let rows = rows.iter().filter(of);
                rows.filter_map(|row| Some((x.at(row.key.size as f64), y.at(speed(row)?))))
                    .collect()
            };
            picture.line(&points(Published::speed), ours, 2);
            picture.line(&points(|row| Some(row.peers.first()?.1)), theirs, 2);
        }
    })
}

/// Lines from short texts to long ones: how often each detector is right, and how long it takes.
fn detection() -> Drawn {
    let (right, time) = (Tsv::read("detection-sizes")?, Tsv::read("detection-speed")?);
    let detectors = "simdtext chardetng chardet charset-normalizer uchardet";
    let title = "Detection: texts recognised, and time for one text, of 64 B, 256 B, 1 KiB, 4 KiB and 64 KiB";
    draw("detection", title, (900, 460), |picture| {
        let names: Vec<_> = detectors.split(' ').zip(COLOURS).collect();
        picture.legend((60, 42), &names);
        let x = Axis::new((5.0, 30_000.0), (60, 870));
        let x = x.ticks(&[10.0, 100.0, 1000.0, 10_000.0], |it| format!("{it} µs"));
        let y = Axis::linear((60.0, 100.0), (420, 70));
        let y = y.ticks(&[60.0, 70.0, 80.0, 90.0, 100.0], |it| format!("{it} %"));
        picture.grid(&x, &y);
        for (detector, colour) in names {
            let mut points = Vec::new();
            for size in [64, 256, 1024, 4096, 65536] {
                let of_size = |row: &[String]| row[0].starts_with(&format!("{size} B"));
                let shares = right.numbers(detector, of_size);
                let micros = time.numbers(detector, |row| of_size(row) && row[1] == "µs");
                let (Some(&micros), false) = (micros.first(), shares.is_empty()) else {
                    continue;
                };
                let share = shares.iter().sum::<f64>() / shares.len() as f64;
                let (x, y) = (x.at(micros), y.at(share));
                points.push((x, y));
                match size {
                    64 => picture.text("64 B", (x - 8, y), At::End),
                    65536 => picture.text("64 KiB", (x, y + 14), At::Middle),
                    _ => {}
                }
            }
            picture.line(&points, colour, 2);
            for at in points {
                picture.dot(at, colour, true);
            }
        }
    })
}

/// Bars: what a crate adds to a program, in KB and in seconds to build it.
fn cost() -> Drawn {
    let table = Tsv::read("cost")?;
    let title = "What a crate adds to a program: KB of machine code and data, seconds to build it";
    let height = 90 + 26 * pixels(table.rows.len());
    draw("cost", title, (900, height), |picture| {
        for (row, number) in table.rows.iter().zip(0..) {
            picture.text(&row[0], (282, 78 + 26 * number), At::End);
        }
        for (name, left, colour) in [("KB", 290, COLOURS[0]), ("seconds", 620, COLOURS[1])] {
            picture.text(name, (left, 48), At::Start);
            let values = table.numbers(name, |_| true);
            let most = values.iter().copied().fold(1.0, f64::max);
            let x = Axis::new((0.0, most), (left, left + 220));
            for (value, number) in values.into_iter().zip(0..) {
                let (end, y) = (x.at(value), 70 + 26 * number);
                picture.bar((left, y), (end, y + 16), colour);
                picture.text(&value.to_string(), (end + 6, y + 8), At::Start);
            }
        }
    })
}

/// The best set of kernels that was measured.
pub(super) fn best_setting(rows: &[Published]) -> &str {
    rows.first().map_or("", |row| &row.setting)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a size of text"
)]
fn size_label(size: f64) -> String {
    let size = shown(size as usize);
    size.replace("KiB", "K").replace(" B", "").replace(' ', "")
}
