//! Pictures: SVG files in `docs/performance`, of texts, lines, bars and dots.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::tsv::root;

/// Colours that keep apart for colour-blind readers, too (Okabe and Ito). The first is ours.
pub(super) const COLOURS: [RGBColor; 6] = [
    RGBColor(213, 94, 0),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(110, 110, 110),
];
const DARK: RGBColor = RGBColor(30, 30, 30);
const GRID: RGBColor = RGBColor(215, 215, 215);
/// Of all texts but titles, in pixels.
const TEXT: i32 = 13;

pub(super) type Drawn = Result<(), String>;
pub(super) type Point = (i32, i32);

pub(super) struct Picture<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// Makes `docs/performance/NAME.svg`.
pub(super) fn draw(
    name: &str,
    title: &str,
    (width, height): (u32, u32),
    content: impl FnOnce(&Picture<'_>) -> Drawn,
) -> Drawn {
    let path = root().join(format!("docs/performance/{name}.svg"));
    let picture = Picture {
        area: SVGBackend::new(&path, (width, height)).into_drawing_area(),
    };
    picture
        .area
        .fill(&WHITE)
        .map_err(|error| error.to_string())?;
    picture.write(title, (12, 18), 16, At::Start)?;
    content(&picture)?;
    picture
        .area
        .present()
        .map_err(|error| format!("{}: {error}", path.display()))
}

/// What drawing on a picture in memory can fail with.
type Failure = DrawingAreaErrorKind<std::io::Error>;

fn told(failure: Failure) -> String {
    failure.to_string()
}

/// Which end of a text is at its place.
#[derive(Clone, Copy)]
pub(super) enum At {
    Start,
    Middle,
    End,
}

impl Picture<'_> {
    pub(super) fn text(&self, text: &str, at: Point, from: At) -> Drawn {
        self.write(text, at, TEXT, from)
    }

    fn write(&self, text: &str, at: Point, size: i32, from: At) -> Drawn {
        let horizontal = match from {
            At::Start => HPos::Left,
            At::Middle => HPos::Center,
            At::End => HPos::Right,
        };
        let style = TextStyle::from(("sans-serif", size).into_font());
        let style = style.color(&DARK).pos(Pos::new(horizontal, VPos::Center));
        let text = Text::new(text.to_owned(), at, style);
        self.area.draw(&text).map_err(told)
    }

    pub(super) fn line(&self, points: Vec<Point>, colour: RGBColor, width: u32) -> Drawn {
        let path = PathElement::new(points, colour.stroke_width(width));
        self.area.draw(&path).map_err(told)
    }

    pub(super) fn bar(&self, corner: Point, opposite: Point, colour: RGBColor) -> Drawn {
        let bar = Rectangle::new([corner, opposite], colour.filled());
        self.area.draw(&bar).map_err(told)
    }

    /// A disc, or a ring.
    pub(super) fn dot(&self, at: Point, colour: RGBColor, filled: bool) -> Drawn {
        let inside = if filled { colour } else { WHITE };
        self.area
            .draw(&Circle::new(at, 4, inside.filled()))
            .map_err(told)?;
        let ring = Circle::new(at, 4, colour.stroke_width(2));
        self.area.draw(&ring).map_err(told)
    }

    /// Names beside squares in their colours, from left to right.
    pub(super) fn legend(&self, (mut x, y): Point, names: &[(&str, RGBColor)]) -> Drawn {
        for (name, colour) in names {
            self.bar((x, y - 5), (x + 10, y + 5), *colour)?;
            self.text(name, (x + 15, y), At::Start)?;
            x += 35 + 8 * i32::try_from(name.chars().count()).unwrap_or(0);
        }
        Ok(())
    }

    /// Lines across a chart where the ticks of its axes are, and their labels.
    pub(super) fn grid(&self, x: &Axis, y: &Axis) -> Drawn {
        for (value, label) in &x.ticks {
            let at = x.at(*value);
            self.line(vec![(at, y.start), (at, y.end)], GRID, 1)?;
            self.text(label, (at, y.start.max(y.end) + 12), At::Middle)?;
        }
        for (value, label) in &y.ticks {
            let at = y.at(*value);
            self.line(vec![(x.start, at), (x.end, at)], GRID, 1)?;
            self.text(label, (x.start - 6, at), At::End)?;
        }
        Ok(())
    }

    /// Where both sides are as fast.
    pub(super) fn even(&self, from: Point, to: Point) -> Drawn {
        self.line(vec![from, to], DARK, 2)
    }
}

/// From values to pixels.
pub(super) struct Axis {
    is_linear: bool,
    from: f64,
    to: f64,
    pub(super) start: i32,
    pub(super) end: i32,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// By the logarithm, unless it starts at 0.
    pub(super) fn new((from, to): (f64, f64), (start, end): (i32, i32)) -> Self {
        Axis {
            is_linear: from <= 0.0,
            from,
            to,
            start,
            end,
            ticks: Vec::new(),
        }
    }

    pub(super) fn linear(values: (f64, f64), pixels: (i32, i32)) -> Self {
        Axis {
            is_linear: true,
            ..Axis::new(values, pixels)
        }
    }

    pub(super) fn ticks(self, ticks: &[f64], label: impl Fn(f64) -> String) -> Self {
        let ticks = ticks.iter().map(|&value| (value, label(value))).collect();
        Axis { ticks, ..self }
    }

    /// The pixel of a value; of what is outside, that of the end.
    pub(super) fn at(&self, value: f64) -> i32 {
        let value = value.clamp(self.from.min(self.to), self.to.max(self.from));
        let share = if self.is_linear {
            (value - self.from) / (self.to - self.from)
        } else {
            (value / self.from).ln() / (self.to / self.from).ln()
        };
        let pixel = f64::from(self.start) + share * f64::from(self.end - self.start);
        #[expect(clippy::cast_possible_truncation, reason = "between the ends")]
        let pixel = pixel.round() as i32;
        pixel
    }
}

/// `0.25 ×`.
pub(super) fn times(value: f64) -> String {
    format!("{value} ×")
}
