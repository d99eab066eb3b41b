//! What would happen on more cores: a model with few terms, each measured here.
//!
//! One file: every piece is read, converted and written. Reading and writing happen in order, one piece at
//! a time, beside each other and beside the conversion; so that with `n` cores a run takes as long as
//! the longest of: all work divided by `n`; all reading; all writing; all traffic at the speed of the
//! memory.
//!
//! Many files: what a file costs beside its bytes is work of the kernel, that is divided among the cores.

use std::fs::File;
use std::hint::black_box;
use std::io::Read;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use simdtext::{Bom, Encoding, WINDOWS_1251};

use crate::Bench;
use crate::big_file::write_text;
use crate::corpus::Kind;
use crate::timed::{command, median, run};

/// What is asked for.
const CORES: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// Bytes that are read, converted or written at a time.
const PIECE: usize = 256 << 10;

/// Bytes of a buffer whose copies do not fit into a cache.
const COPIED: usize = 256 << 20;

/// Bytes that the memory moves for each byte that is copied: it is read, and its place is read and
/// written.
const TRAFFIC_OF_COPY: f64 = 3.0;

/// Seconds for a byte of input.
struct Costs {
    read: f64,
    convert: f64,
    write: f64,
    /// Bytes of output.
    growth: f64,
    /// Bytes a second that the memory moves.
    memory: f64,
    cores: usize,
}

impl Costs {
    /// Seconds for a byte of input with so many cores, and what bounds it.
    fn with(&self, cores: usize) -> (f64, &'static str) {
        // Read from the page cache to a buffer, converted within the cache, and written to the page cache:
        // new pages are cleared first.
        let traffic = 1.0 + 3.0 * self.growth;
        // A machine with more cores has more memory channels: as many for each core as this one.
        let memory = self.memory * cores.max(self.cores) as f64 / self.cores as f64;
        let bounds = [
            (
                (self.read + self.convert + self.write) / cores as f64,
                "work",
            ),
            (self.read, "reading in order"),
            (self.write, "writing in order"),
            (traffic / memory, "memory"),
        ];
        let longest = bounds.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
        longest.unwrap_or((0.0, ""))
    }
}

pub(crate) fn measure(bench: &Bench) -> Result<String, String> {
    let text = bench
        .corpus
        .legacy_text("ru", Kind::Dense)
        .ok_or("no Russian text")?;
    let (from, to) = (bench.dir.join("model"), bench.dir.join("model.out"));
    let bytes = write_text(&from, "windows-1251", &text, bench.options.mib << 20)? as f64;
    let io = |error: std::io::Error| error.to_string();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let read = best(bench, || read_all(&from)).map_err(io)?.as_secs_f64() / bytes;
    let (convert, growth) = convert_alone(&text, WINDOWS_1251);
    let copied = {
        let mut runs = Vec::new();
        for _ in 0..bench.options.rounds {
            let mut copy = command("cp", ["--reflink=never"]);
            copy.arg(&from).arg(&to);
            runs.push(run(copy)?);
            std::fs::remove_file(&to).map_err(io)?;
        }
        median(&runs).as_secs_f64() / bytes
    };
    let costs = Costs {
        read,
        convert,
        write: (copied - read).max(0.0) * growth,
        growth,
        memory: memory_speed(cores),
        cores,
    };
    let mut measured = Vec::new();
    for jobs in [1, 2] {
        let mut runs = Vec::new();
        for _ in 0..bench.options.rounds {
            let mut convert = command(&bench.simdtext, ["convert", "-f", "windows-1251", "-j"]);
            convert.arg(jobs.to_string()).arg("-o").arg(&to).arg(&from);
            runs.push(run(convert)?);
            std::fs::remove_file(&to).map_err(io)?;
        }
        measured.push(median(&runs).as_secs_f64() / bytes);
    }
    std::fs::remove_file(&from).map_err(io)?;
    let mut table = format!(
        "One file in windows-1251 to UTF-8, by the model. Measured on one core: reading {:.1} GB/s, \
         converting {:.1} GB/s, writing {:.1} GB/s of output, {:.2} bytes of output for a byte; memory moves \
         {:.1} GB/s with {cores} cores.\n\n\
         | cores | GB/s of input | bound by | measured |\n|---|---|---|---|\n",
        1e-9 / costs.read,
        1e-9 / costs.convert,
        1e-9 * costs.growth / costs.write,
        costs.growth,
        costs.memory / 1e9,
    );
    for cores in CORES {
        let (seconds, bound) = costs.with(cores);
        let measured = measured
            .get(cores - 1)
            .map_or("–".to_owned(), |seconds| format!("{:.2}", 1e-9 / seconds));
        table.push_str(&format!(
            "| {cores} | {:.2} | {bound} | {measured} |\n",
            1e-9 / seconds
        ));
    }
    Ok(table)
}

/// The shortest time of some rounds.
fn best<E>(bench: &Bench, mut work: impl FnMut() -> Result<(), E>) -> Result<Duration, E> {
    let mut shortest = Duration::MAX;
    for _ in 0..bench.options.rounds {
        let begun = Instant::now();
        work()?;
        shortest = shortest.min(begun.elapsed());
    }
    Ok(shortest)
}

fn read_all(path: &Path) -> std::io::Result<()> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; PIECE];
    while file.read(&mut buffer)? > 0 {
        black_box(&buffer);
    }
    Ok(())
}

/// Seconds for a byte that is decoded in the cache, and bytes of output for each.
fn convert_alone(text: &str, encoding: &'static Encoding) -> (f64, f64) {
    let encoded = encoding
        .encode(text, simdtext::Unmappable::Ncr)
        .map(|encoded| encoded.bytes.into_owned())
        .unwrap_or_default();
    let piece = &encoded[..encoded.len().min(PIECE)];
    let mut dst = vec![0; 3 * piece.len()];
    let mut written = 0;
    let mut shortest = Duration::MAX;
    for _ in 0..200 {
        let begun = Instant::now();
        let mut decoder = encoding.decoder(Bom::Keep);
        written = decoder
            .decode_to_utf8(black_box(piece), &mut dst, true)
            .written;
        shortest = shortest.min(begun.elapsed());
    }
    let len = piece.len().max(1) as f64;
    (shortest.as_secs_f64() / len, written as f64 / len)
}

/// Bytes a second that the memory moves while all cores copy.
fn memory_speed(cores: usize) -> f64 {
    let mut buffers: Vec<_> = (0..cores)
        .map(|_| (vec![1_u8; COPIED], vec![0_u8; COPIED]))
        .collect();
    let mut shortest = Duration::MAX;
    for _ in 0..4 {
        let begun = Instant::now();
        thread::scope(|scope| {
            for (from, to) in &mut buffers {
                scope.spawn(|| to.copy_from_slice(black_box(from)));
            }
        });
        shortest = shortest.min(begun.elapsed());
    }
    TRAFFIC_OF_COPY * (cores * COPIED) as f64 / shortest.as_secs_f64()
}
