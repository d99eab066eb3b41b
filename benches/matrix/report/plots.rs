//! Plots, as SVG files in `docs/performance`.

use std::fs;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::rows::Row;
use crate::corpus::{prose, root};
use crate::select::shown;
use crate::timing::{Entry, Role};

const FOLDER: &str = "docs/performance";

/// Ours first; colours that keep apart for colour-blind readers too (Okabe and Ito).
const COLOURS: [RGBColor; 6] = [
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(230, 159, 0),
    RGBColor(120, 120, 120),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// GB/s for each language: a bar for each entrant. Returns the file's path in the repository.
pub(super) fn by_language(operation: &str, rows: &[&Row]) -> Result<String, String> {
    let rows: Vec<&Row> = rows
        .iter()
        .copied()
        .filter(|row| row.key.kind == prose(&row.key.language).name())
        .collect();
    let name = format!("{operation}.svg");
    draw(&name, |area| bars(area, operation, &rows))
}

/// GB/s by size: a line for each entrant.
pub(super) fn by_size(operation: &str, rows: &[&Row]) -> Result<String, String> {
    let name = format!("{operation}-sizes.svg");
    draw(&name, |area| lines(area, operation, rows))
}

fn draw(
    name: &str,
    plot: impl Fn(&Area<'_>) -> Result<(), Box<dyn std::error::Error>>,
) -> Result<String, String> {
    let failed = |error: Box<dyn std::error::Error>| format!("{name}: {error}");
    fs::create_dir_all(root().join(FOLDER)).map_err(|error| failed(error.into()))?;
    let file = format!("{FOLDER}/{name}");
    let path = root().join(&file);
    {
        let area = SVGBackend::new(&path, (900, 320)).into_drawing_area();
        area.fill(&WHITE).map_err(|error| failed(error.into()))?;
        plot(&area).map_err(failed)?;
        area.present().map_err(|error| failed(error.into()))?;
    }
    Ok(file)
}

fn entrants<'a>(rows: &[&'a Row]) -> Vec<&'a Entry> {
    let entries = rows.first().map(|row| row.measured.entries.iter());
    entries
        .into_iter()
        .flatten()
        .filter(|entry| entry.role != Role::Limit)
        .collect()
}

fn speed(row: &Row, name: &str) -> f64 {
    let entry = row.measured.entries.iter().find(|entry| entry.name == name);
    entry.map_or(0.0, |entry| row.measured.speed(entry))
}

fn bars(area: &Area<'_>, operation: &str, rows: &[&Row]) -> Result<(), Box<dyn std::error::Error>> {
    let entrants = entrants(rows);
    // ASCII is so much faster that the other bars would vanish.
    let others = rows
        .iter()
        .filter(|row| !["ascii", "en"].contains(&row.key.language.as_str()));
    let top = others
        .flat_map(|row| entrants.iter().map(|entry| speed(row, &entry.name)))
        .fold(0.1, f64::max);
    // The legend goes beside the bars.
    let slots = rows.len() as f64 * 1.18;
    let mut chart = ChartBuilder::on(area)
        .caption(
            format!(
                "{operation}: GB/s of input, 64 KiB of prose (ASCII and English cut off at the top)"
            ),
            ("sans-serif", 15),
        )
        .margin(8)
        .x_label_area_size(24)
        .y_label_area_size(44)
        .build_cartesian_2d(0.0..slots, 0.0..top * 1.1)?;
    let label = |at: &f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the number of a row"
        )]
        let row = (at - 0.5).round().max(0.0) as usize;
        rows.get(row)
            .map_or(String::new(), |row| row.key.language.clone())
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(220, 220, 220))
        .x_labels(0)
        .draw()?;
    let width = 0.8 / entrants.len() as f64;
    for (number, entry) in entrants.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let bars = rows.iter().enumerate().map(|(at, row)| {
            let left = at as f64 + 0.1 + number as f64 * width;
            let height = speed(row, &entry.name).min(top * 1.1);
            Rectangle::new([(left, 0.0), (left + width, height)], colour.filled())
        });
        chart
            .draw_series(bars)?
            .label(entry.name.clone())
            .legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 12, y + 4)], colour.filled()));
    }
    // The mesh can not put labels between its lines.
    let baseline = chart.as_coord_spec().clone();
    for at in 0..rows.len() {
        let middle = at as f64 + 0.5;
        let (x, y) = plotters::coord::CoordTranslate::translate(&baseline, &(middle, 0.0));
        let place = (
            x - 6 - 2 * i32::try_from(label(&middle).len().saturating_sub(2))?,
            y + 6,
        );
        area.draw(&Text::new(label(&middle), place, ("sans-serif", 13)))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .draw()?;
    Ok(())
}

fn lines(
    area: &Area<'_>,
    operation: &str,
    rows: &[&Row],
) -> Result<(), Box<dyn std::error::Error>> {
    let entrants = entrants(rows);
    let language = rows.first().map_or("", |row| &row.key.language);
    let sizes = rows.iter().map(|row| row.key.size as f64);
    let smallest = sizes.clone().fold(f64::MAX, f64::min);
    let greatest = sizes.fold(1.0, f64::max);
    let top = rows
        .iter()
        .flat_map(|row| entrants.iter().map(|entry| speed(row, &entry.name)))
        .fold(0.1, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(
            format!("{operation}: GB/s of input by size, {language}"),
            ("sans-serif", 15),
        )
        .margin(8)
        .margin_right(32)
        .x_label_area_size(28)
        .y_label_area_size(44)
        .build_cartesian_2d((smallest..greatest).log_scale().base(4.0), 0.0..top * 1.1)?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(220, 220, 220))
        .x_label_formatter(&|size| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a size of text"
            )]
            let size = size.round() as usize;
            shown(size)
        })
        .draw()?;
    for (number, entry) in entrants.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let points = rows
            .iter()
            .map(|row| (row.key.size as f64, speed(row, &entry.name)));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
            .label(entry.name.clone())
            .legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 12, y + 4)], colour.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .draw()?;
    Ok(())
}
