//! Comparisons: several functions that do the same work take turns in one process.
//!
//! A turn lasts about a millisecond and converts all pieces of the input, repeatedly. In each round every
//! function has one turn, and each round begins with a different function. Turns of the same round are
//! compared, so that anything that slows the machine for longer than a few milliseconds slows both sides of a
//! ratio. From round to round, input and output move to other positions in memory ([`PLACES`]). The reported
//! ratio is the median over the rounds; the reported time is the mean, over the positions, of the fastest
//! quarter of turns there. The clock is that of the thread, which does not advance while another program has
//! the processor.

use std::hint::black_box;
use std::ops::Range;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::operations::Outcome;
use crate::placed::{PLACES, Placed};

/// The duration of a turn.
const TURN: Duration = Duration::from_millis(1);

/// The number of rounds, as many at each position, whose turns of two functions take `cell` in total.
fn rounds(cell: Duration, turn: Duration) -> usize {
    let turns = cell.as_nanos() / turn.as_nanos().max(1);
    let times = (turns as f64 / (2 * PLACES.len()) as f64).round();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and 100"
    )]
    let times = times.clamp(1.0, 100.0) as usize;
    times * PLACES.len()
}

/// The input: one text, or many short ones, which are converted in turn so that branch predictors can't learn
/// them.
pub(crate) struct Pieces<T> {
    units: Placed<T>,
    ranges: Vec<Range<usize>>,
}

impl<T: Copy + Default> Pieces<T> {
    pub(crate) fn new(pieces: impl IntoIterator<Item = Vec<T>>) -> Self {
        let (mut units, mut ranges) = (Vec::new(), Vec::new());
        for piece in pieces {
            let start = units.len();
            units.extend_from_slice(&piece);
            ranges.push(start..units.len());
        }
        Pieces {
            units: Placed::of(&units),
            ranges,
        }
    }

    /// Changes each unit.
    pub(crate) fn map(mut self, mut change: impl FnMut(T) -> T) -> Self {
        let units = self.units.as_mut().iter_mut();
        units.for_each(|unit| *unit = change(*unit));
        self
    }

    fn iter(&self) -> impl Iterator<Item = &[T]> {
        let units = self.units.as_slice();
        self.ranges.iter().map(|range| &units[range.clone()])
    }

    fn longest(&self) -> usize {
        self.ranges.iter().map(Range::len).max().unwrap_or(0)
    }

    fn bytes(&self) -> usize {
        size_of_val(self.units.as_slice())
    }
}

/// The role of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The function of simdtext, with which the others are compared.
    Ours,
    /// Does the same as ours.
    Peer,
    /// Does similar work, and is measured if its output differs from that of simdtext in only a few
    /// characters.
    Alike,
    /// Does less work, and so shows a limit.
    Limit,
}

/// Reads a piece, writes the output to the front of a buffer, and returns the number of units written.
/// Functions that only inspect the input return their result.
trait Convert<S, D> {
    fn once(&self, src: &[S], dst: &mut [D]) -> usize;
    fn turn(&self, src: &Pieces<S>, dst: &mut [D], passes: u32) -> Duration;
}

impl<S: Copy + Default, D, F: Fn(&[S], &mut [D]) -> usize> Convert<S, D> for F {
    fn once(&self, src: &[S], dst: &mut [D]) -> usize {
        self(src, dst)
    }

    fn turn(&self, src: &Pieces<S>, dst: &mut [D], passes: u32) -> Duration {
        let pieces: Vec<&[S]> = src.iter().collect();
        let start = ThreadTime::now();
        for _ in 0..passes {
            for &piece in &pieces {
                black_box(self(black_box(piece), black_box(&mut *dst)));
            }
        }
        start.elapsed()
    }
}

struct Entrant<S, D> {
    name: &'static str,
    role: Role,
    convert: Box<dyn Convert<S, D>>,
}

/// Functions that convert the same pieces into the same buffer.
pub(crate) struct Contest<S, D> {
    src: Pieces<S>,
    dst: Placed<D>,
    /// Whether the output is what was written (conversions), or only the number returned.
    writes: bool,
    entrants: Vec<Entrant<S, D>>,
}

impl<S: Copy + Default, D: Copy + Default + PartialEq> Contest<S, D> {
    /// For functions that convert. `growth` is the maximum number of output units per unit of input.
    pub(crate) fn converting(src: Pieces<S>, growth: usize) -> Self {
        let dst = Placed::new(src.longest() * growth + 64);
        Contest {
            src,
            dst,
            writes: true,
            entrants: Vec::new(),
        }
    }

    /// For functions that only inspect the input, and return a number.
    pub(crate) fn looking(src: Pieces<S>) -> Self {
        let writes = false;
        Contest {
            writes,
            ..Self::converting(src, 0)
        }
    }

    pub(crate) fn enter(
        mut self,
        role: Role,
        name: &'static str,
        convert: impl Fn(&[S], &mut [D]) -> usize + 'static,
    ) -> Self {
        self.entrants.push(Entrant {
            name,
            role,
            convert: Box::new(convert),
        });
        self
    }

    pub(crate) fn ours(self, convert: impl Fn(&[S], &mut [D]) -> usize + 'static) -> Self {
        self.enter(Role::Ours, "simdtext", convert)
    }

    pub(crate) fn peer(
        self,
        name: &'static str,
        convert: impl Fn(&[S], &mut [D]) -> usize + 'static,
    ) -> Self {
        self.enter(Role::Peer, name, convert)
    }

    /// Compares the outputs, and then measures: two functions in `cell`, more in proportion.
    pub(crate) fn run(mut self, cell: Duration) -> Outcome {
        let mut entrants = std::mem::take(&mut self.entrants);
        assert_eq!(entrants[0].role, Role::Ours, "ours comes first");
        for at in (1..entrants.len()).rev() {
            let (first, other) = (&entrants[0], &entrants[at]);
            let (name, differ) = (other.name, self.differ(first, other));
            match other.role {
                Role::Peer if differ => return Err(format!("{} and {name} differ", first.name)),
                Role::Alike if differ => {
                    eprintln!("    {name} gives other output here and is left out");
                    entrants.remove(at);
                }
                _ => {}
            }
        }
        Ok(Some(self.measure(&entrants, cell)))
    }

    /// Whether the outputs of two functions differ in length or content; for one that is `Alike`, in more
    /// than one unit in a thousand.
    fn differ(&mut self, first: &Entrant<S, D>, other: &Entrant<S, D>) -> bool {
        let dst = self.dst.as_mut();
        let is_alike = other.role == Role::Alike;
        let allowed = |len: usize| if is_alike { len / 1000 } else { 0 };
        let differ = self.src.iter().any(|piece| {
            let len = first.convert.once(piece, dst);
            // Functions that only inspect the input write nothing.
            let written = if self.writes { len } else { 0 };
            let expected = dst[..written].to_vec();
            dst[..written].fill(D::default());
            let other_len = other.convert.once(piece, dst);
            let units = expected.iter().zip(&*dst).filter(|(a, b)| a != b).count();
            other_len != len || units > allowed(len)
        });
        dst.fill(D::default());
        differ
    }

    fn measure(mut self, entrants: &[Entrant<S, D>], cell: Duration) -> Measured {
        let dst = self.dst.as_mut();
        let passes = |entrant: &Entrant<S, D>| {
            let once = entrant.convert.turn(&self.src, dst, 1);
            // The first pass may have paid for page faults and cold caches.
            let once = once.min(entrant.convert.turn(&self.src, dst, 1));
            let passes = TURN.as_nanos() / once.as_nanos().max(20);
            u32::try_from(passes).unwrap_or(u32::MAX).max(1)
        };
        let passes: Vec<u32> = entrants.iter().map(passes).collect();
        let first = entrants[0].convert.turn(&self.src, dst, passes[0]);
        // The turns of each function, in order: round r was at position r modulo the number of positions.
        let mut times = vec![Vec::new(); entrants.len()];
        for round in 0..rounds(cell, first) {
            let (src, dst) = PLACES[round % PLACES.len()];
            self.src.units.place(src);
            self.dst.place_empty(dst);
            let dst = self.dst.as_mut();
            // The order rotates, also between rounds at the same position.
            let first = round + round / PLACES.len();
            for turn in 0..entrants.len() {
                let at = (first + turn) % entrants.len();
                let time = entrants[at].convert.turn(&self.src, dst, passes[at]);
                times[at].push(time.as_secs_f64() * 1e9 / f64::from(passes[at]));
            }
        }
        let entries = entrants.iter().zip(&times).map(|(entrant, theirs)| {
            let rounds = theirs.iter().zip(&times[0]);
            let ratios = sorted(rounds.map(|(theirs, ours)| theirs / ours).collect());
            Entry {
                name: entrant.name.to_owned(),
                role: entrant.role,
                ns: time(theirs),
                ratio: quantile(&ratios, 0.5),
                spread: (quantile(&ratios, 0.25), quantile(&ratios, 0.75)),
            }
        });
        Measured {
            bytes: self.src.bytes(),
            calls: self.src.ranges.len(),
            entries: entries.collect(),
        }
    }
}

/// The mean, over the positions, of the fastest quarter of turns there.
fn time(turns: &[f64]) -> f64 {
    let places = (0..PLACES.len()).map(|place| {
        let here = turns.iter().skip(place).step_by(PLACES.len()).copied();
        let here = sorted(here.collect());
        let fastest = &here[..here.len().div_ceil(4)];
        fastest.iter().sum::<f64>() / fastest.len() as f64
    });
    places.sum::<f64>() / PLACES.len() as f64
}

/// The result for one function.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) role: Role,
    /// Nanoseconds for all pieces: the mean of the fastest quarter of turns at each position.
    pub(crate) ns: f64,
    /// Its time divided by that of simdtext, as the median of the rounds. Above 1, simdtext is faster.
    pub(crate) ratio: f64,
    /// The quartiles of that ratio.
    pub(crate) spread: (f64, f64),
}

/// The results of a comparison.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    /// The number of bytes of input, in all pieces.
    pub(crate) bytes: usize,
    /// The number of pieces.
    pub(crate) calls: usize,
    /// The results of the functions; the first is simdtext's.
    pub(crate) entries: Vec<Entry>,
}

impl Measured {
    /// The fastest peer.
    pub(crate) fn best_peer(&self) -> Option<&Entry> {
        let is_peer = |entry: &&Entry| matches!(entry.role, Role::Peer | Role::Alike);
        let peers = self.entries.iter().filter(is_peer);
        peers.min_by(|a, b| a.ratio.total_cmp(&b.ratio))
    }

    /// GB/s of input.
    pub(crate) fn speed(&self, entry: &Entry) -> f64 {
        self.bytes as f64 / entry.ns
    }

    /// Nanoseconds per call.
    pub(crate) fn call(&self, entry: &Entry) -> f64 {
        entry.ns / self.calls as f64
    }
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// A quantile of sorted values.
fn quantile(values: &[f64], at: f64) -> f64 {
    let last = values.len().saturating_sub(1);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and the last index"
    )]
    let index = (at * last as f64).round() as usize;
    values.get(index).copied().unwrap_or(f64::NAN)
}
