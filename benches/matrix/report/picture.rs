//! Pictures: SVG files in `docs/performance`, of texts, lines, bars and dots.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::fs;

use crate::tsv::root;

/// Colours that keep apart for colour-blind readers, too (Okabe and Ito). The first is ours.
pub(super) const COLOURS: [&str; 6] = [
    "#D55E00", "#0072B2", "#009E73", "#E69F00", "#56B4E9", "#6E6E6E",
];
const DARK: &str = "#1E1E1E";
const GRID: &str = "#D7D7D7";

pub(super) type Drawn = Result<(), String>;
pub(super) type Point = (i32, i32);

/// The elements so far.
pub(super) struct Picture(RefCell<String>);

/// Makes `docs/performance/NAME.svg`.
pub(super) fn draw(
    name: &str,
    title: &str,
    (width, height): (u32, u32),
    content: impl FnOnce(&Picture),
) -> Drawn {
    let picture = Picture(RefCell::default());
    picture.write(title, (12, 18), 16, At::Start);
    content(&picture);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n{}</svg>\n",
        picture.0.into_inner()
    );
    let path = root().join(format!("docs/performance/{name}.svg"));
    fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))
}

/// Which end of a text is at its place.
#[derive(Clone, Copy)]
pub(super) enum At {
    Start,
    Middle,
    End,
}

impl Picture {
    fn add(&self, element: std::fmt::Arguments<'_>) {
        let _infallible = writeln!(self.0.borrow_mut(), "{element}");
    }

    pub(super) fn text(&self, text: &str, at: Point, from: At) {
        self.write(text, at, 13, from);
    }

    fn write(&self, text: &str, (x, y): Point, size: i32, from: At) {
        let anchor = match from {
            At::Start => "start",
            At::Middle => "middle",
            At::End => "end",
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\".35em\" font-size=\"{size}\" text-anchor=\"{anchor}\" \
             fill=\"{DARK}\">{text}</text>"
        ));
    }

    pub(super) fn line(&self, points: &[Point], colour: &str, width: u32) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let points = points.join(" ");
        self.add(format_args!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>"
        ));
    }

    /// A rectangle between two opposite corners.
    pub(super) fn bar(&self, from: Point, to: Point, colour: &str) {
        let (x, y) = (from.0.min(to.0), from.1.min(to.1));
        let (width, height) = (from.0.abs_diff(to.0), from.1.abs_diff(to.1));
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>"
        ));
    }

    /// A disc, or a ring.
    pub(super) fn dot(&self, (x, y): Point, colour: &str, filled: bool) {
        let inside = if filled { colour } else { "white" };
        self.add(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{inside}\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        ));
    }

    /// Names beside squares in their colours, from left to right.
    pub(super) fn legend(&self, (mut x, y): Point, names: &[(&str, &str)]) {
        for (name, colour) in names {
            self.bar((x, y - 5), (x + 10, y + 5), colour);
            self.text(name, (x + 15, y), At::Start);
            x += 35 + 8 * i32::try_from(name.chars().count()).unwrap_or(0);
        }
    }

    /// Lines across a chart where the ticks of its axes are, and their labels.
    pub(super) fn grid(&self, x: &Axis, y: &Axis) {
        for (value, label) in &x.ticks {
            let at = x.at(*value);
            self.line(&[(at, y.start), (at, y.end)], GRID, 1);
            self.text(label, (at, y.start.max(y.end) + 12), At::Middle);
        }
        for (value, label) in &y.ticks {
            let at = y.at(*value);
            self.line(&[(x.start, at), (x.end, at)], GRID, 1);
            self.text(label, (x.start - 6, at), At::End);
        }
    }

    /// Where both sides are as fast.
    pub(super) fn even(&self, from: Point, to: Point) {
        self.line(&[from, to], DARK, 2);
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
