//! SVG pictures in `docs/performance`, made of texts, lines, bars and dots.

use std::fmt::Write as _;
use std::fs;

use simdtext_bench::tsv::root;

pub(super) type Colour = &'static str;
/// Colours that colour-blind readers can distinguish as well (Okabe and Ito). The first is simdtext's.
pub(super) const COLOURS: [Colour; 6] = [
    "#D55E00", "#0072B2", "#009E73", "#E69F00", "#56B4E9", "#6E6E6E",
];
const WHITE: Colour = "#FFFFFF";
const DARK: Colour = "#1E1E1E";
const GRID: Colour = "#D7D7D7";

pub(super) type Drawn = Result<(), String>;
pub(super) type Point = (i32, i32);

pub(super) struct Picture {
    svg: String,
}

/// Writes `docs/performance/NAME.svg`.
pub(super) fn draw(
    name: &str,
    title: &str,
    (width, height): Point,
    content: impl FnOnce(&mut Picture),
) -> Drawn {
    let mut picture = Picture {
        svg: format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n"
        ),
    };
    picture.bar((0, 0), (width, height), WHITE);
    picture.write(title, (12, 18), "13", At::Start);
    content(&mut picture);
    picture.svg.push_str("</svg>\n");
    let path = root().join(format!("docs/performance/{name}.svg"));
    fs::write(&path, picture.svg).map_err(|error| format!("{}: {error}", path.display()))
}

/// Which end of a text is at its position.
#[derive(Clone, Copy)]
pub(super) enum At {
    Start,
    Middle,
    End,
}

impl Picture {
    pub(super) fn text(&mut self, text: &str, at: Point, from: At) {
        self.write(text, at, "10.5", from);
    }

    fn write(&mut self, text: &str, (x, y): Point, size: &str, from: At) {
        let anchor = match from {
            At::Start => "start",
            At::Middle => "middle",
            At::End => "end",
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(
            self.svg,
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"{anchor}\" font-size=\"{size}\" \
             fill=\"{DARK}\">{text}</text>"
        );
    }

    pub(super) fn line(&mut self, points: &[Point], colour: Colour, width: u32) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let _ = writeln!(
            self.svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
            points.join(" ")
        );
    }

    /// Draws a rectangle between two opposite corners.
    pub(super) fn bar(&mut self, (x1, y1): Point, (x2, y2): Point, colour: Colour) {
        let (x, y) = (x1.min(x2), y1.min(y2));
        let (width, height) = (x1.abs_diff(x2), y1.abs_diff(y2));
        let _ = writeln!(
            self.svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\"/>"
        );
    }

    /// Draws a disc or, if not filled, a ring.
    pub(super) fn dot(&mut self, (x, y): Point, colour: Colour, filled: bool) {
        let inside = if filled { colour } else { WHITE };
        let _ = writeln!(
            self.svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{inside}\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
    }

    /// Draws names beside squares in their colours, from left to right.
    pub(super) fn legend(&mut self, (mut x, y): Point, names: &[(&str, Colour)]) {
        for (name, colour) in names {
            self.bar((x, y - 5), (x + 10, y + 5), colour);
            self.text(name, (x + 15, y), At::Start);
            x += 35 + 8 * pixels(name.chars().count());
        }
    }

    /// Draws the grid lines of a chart at the ticks of its axes, with labels.
    pub(super) fn grid(&mut self, x: &Axis, y: &Axis) {
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

    /// Draws the grid lines of columns, with a line where both sides are equally fast.
    pub(super) fn columns(&mut self, x: &Axis, top: i32, bottom: i32) {
        self.grid(x, &Axis::new((0.0, 1.0), (bottom, top)));
        self.even((x.at(1.0), top), (x.at(1.0), bottom));
    }

    /// Draws the line where both sides are equally fast.
    pub(super) fn even(&mut self, from: Point, to: Point) {
        self.line(&[from, to], DARK, 2);
    }
}

/// A number of things as pixels, one each.
pub(super) fn pixels(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(0)
}

/// An axis, which maps values to pixels.
pub(super) struct Axis {
    is_linear: bool,
    from: f64,
    to: f64,
    pub(super) start: i32,
    pub(super) end: i32,
    ticks: Vec<(f64, String)>,
}

impl Axis {
    /// A logarithmic axis, or a linear one if it starts at 0.
    pub(super) fn new((from, to): (f64, f64), (start, end): Point) -> Self {
        Axis {
            is_linear: from <= 0.0,
            from,
            to,
            start,
            end,
            ticks: Vec::new(),
        }
    }

    pub(super) fn linear(values: (f64, f64), pixels: Point) -> Self {
        Axis {
            is_linear: true,
            ..Axis::new(values, pixels)
        }
    }

    pub(super) fn ticks(self, ticks: &[f64], label: impl Fn(f64) -> String) -> Self {
        let ticks = ticks.iter().map(|&value| (value, label(value))).collect();
        Axis { ticks, ..self }
    }

    /// The pixel of a value. Values outside the axis get that of its end.
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

/// Formats a ratio as `0.25 ×`.
pub(super) fn times(value: f64) -> String {
    format!("{value} ×")
}
