//! The report: rows in `docs/performance/*.tsv`, and what is generated from them: the pictures beside them,
//! and parts of PERFORMANCE.md and README.md.
//!
//! A generated part is between the lines `<!-- begin NAME -->` and `<!-- end -->`. The text around it is
//! written by hand.

mod machine;
mod picture;
mod pictures;
pub(crate) mod published;
mod worst;

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::operations;
use crate::select::Selection;
use published::{Published, digits};
use simdtext_bench::corpus::WHOLE;
use simdtext_bench::tsv::{Tsv, about, root};

/// Milliseconds for comparing two functions, in settings that are only for comparison.
const BRIEF_CELL: u64 = 20;

/// The kernels to use: those of simdtext, and those of simdutf, which has several for each family of
/// processors. The other peers have a single set, or use AVX2.
struct Setting {
    name: &'static str,
    /// The kernels of simdtext.
    isa: &'static str,
    /// The kernels of simdutf.
    simdutf: &'static str,
    /// Whether there are targets for these kernels, so that all sizes are measured; if not, only enough to
    /// compare.
    main: bool,
    /// Whether the legacy encodings are measured. They always are with the best set.
    legacy: bool,
}

impl Setting {
    /// A setting with which everything is measured.
    const fn full(name: &'static str, isa: &'static str, simdutf: &'static str) -> Setting {
        Setting {
            name,
            isa,
            simdutf,
            main: true,
            legacy: true,
        }
    }

    const fn without_legacy(self) -> Self {
        Setting {
            legacy: false,
            ..self
        }
    }
}

/// The best first. simdutf's kernels for AVX-512 need VBMI2; on a machine without it, simdutf uses its AVX2
/// kernels.
const SETTINGS: [Setting; 6] = [
    Setting::full("NEON", "neon", "arm64"),
    Setting::full("AVX-512 VBMI2", "avx512_vbmi2", "icelake").without_legacy(),
    Setting::full("AVX-512", "avx512", "haswell").without_legacy(),
    Setting::full("AVX2", "avx2", "haswell"),
    Setting {
        main: false,
        ..Setting::full("SSE4", "sse4", "westmere").without_legacy()
    },
    Setting {
        main: false,
        ..Setting::full("scalar", "scalar", "fallback")
    },
];

impl Setting {
    /// The settings that this machine can run: on Arm the first and the last.
    fn available() -> impl Iterator<Item = &'static Setting> {
        let best = simdtext::active_isa();
        let from_best = SETTINGS
            .iter()
            .skip_while(move |setting| setting.isa != best);
        from_best.filter(move |setting| best != "neon" || ["neon", "scalar"].contains(&setting.isa))
    }

    /// The command line for a part of the report.
    fn arguments(&self, families: &[&str], cell: u64) -> Vec<String> {
        let best = self.isa == simdtext::active_isa();
        let legacy = |family: &str| family.starts_with("legacy") || family == "buffers";
        let families = families
            .iter()
            .filter(|family| best || self.legacy || !legacy(family));
        let mut arguments: Vec<String> = families.map(|family| (*family).to_owned()).collect();
        if arguments.is_empty() {
            return arguments;
        }
        if !best {
            arguments.extend(["--up-to", "1M"].map(str::to_owned));
        }
        let brief = !best && !self.main;
        if brief {
            arguments.push("--usual".to_owned());
        }
        let cell = if brief { cell.min(BRIEF_CELL) } else { cell };
        arguments.extend(["--cell".to_owned(), cell.to_string()]);
        arguments
    }

    fn file(&self, run: u32) -> PathBuf {
        let name = self.name.replace(' ', "-");
        folder().join(format!("{name}.{run}.tsv"))
    }
}

fn folder() -> PathBuf {
    root().join("target/performance")
}

/// Measures in a process for each instruction set, keeps the rows, and draws the report.
pub(crate) fn measure_all(selection: &Selection) -> Result<(), String> {
    let families = selection.families()?;
    let folder = folder();
    let io = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(io)?;
    }
    fs::create_dir_all(&folder).map_err(io)?;
    for run in 1..=selection.runs {
        // Some functions are up to three times as slow wherever the system keeps a certain copy of the program in memory.
        let program = folder.join(format!("matrix.{run}"));
        fs::copy(env::current_exe().map_err(io)?, &program).map_err(io)?;
        for setting in Setting::available() {
            let arguments = setting.arguments(&families, selection.cell);
            if arguments.is_empty() {
                continue;
            }
            println!("\n# {}, run {run}", setting.name);
            let mut command = Command::new(&program);
            command.args(arguments).arg("--tsv").arg(setting.file(run));
            command.env("SIMDTEXT_ISA", setting.isa);
            command.env("SIMDUTF_FORCE_IMPLEMENTATION", setting.simdutf);
            let status = command.status().map_err(io)?;
            if !status.success() {
                return Err(format!("the run with {} failed", setting.name));
            }
        }
    }
    let (rows, texts) = measured()?;
    let arguments = env::args().skip(1).filter(|word| word != "--bench");
    let arguments: Vec<String> = arguments.collect();
    let about = about(&format!(
        "cargo bench --bench matrix -- {}",
        arguments.join(" ")
    ));
    published::write(&rows, &families, &about)?;
    if families == operations::families() {
        machine::table(&about, &texts).write("machine")?;
    }
    render()
}

/// What the processes have measured, and with which texts.
fn measured() -> Result<(Vec<Published>, String), String> {
    let (mut rows, mut texts) = (Vec::new(), String::new());
    for setting in &SETTINGS {
        let paths = (1..).map(|run| setting.file(run));
        let mut runs = Vec::new();
        for path in paths.take_while(|path| path.is_file()) {
            let (of, run) = published::read_run(&path)?;
            runs.push(run);
            // Settings that include the legacy encodings list more texts.
            if of.len() > texts.len() {
                texts = of;
            }
        }
        rows.extend(published::merged(&runs));
    }
    Ok((rows, texts))
}

/// The report's name for the kernels that this process uses.
pub(crate) fn setting() -> &'static str {
    let isa = simdtext::active_isa();
    let setting = SETTINGS.iter().find(|setting| setting.isa == isa);
    setting.map_or(isa, |setting| setting.name)
}

/// Draws the pictures, and writes the generated parts of PERFORMANCE.md and README.md.
pub(crate) fn render() -> Result<(), String> {
    let rows = published::read()?;
    pictures::all(&rows)?;
    fill("PERFORMANCE.md", &rows)?;
    fill("README.md", &rows)
}

fn fill(name: &str, rows: &[Published]) -> Result<(), String> {
    let path = root().join(name);
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    let old = fs::read_to_string(&path).map_err(failed)?;
    let (mut new, mut inside) = (String::new(), false);
    for line in old.lines() {
        inside &= line != "<!-- end -->";
        if !inside {
            new.push_str(line);
            new.push('\n');
        }
        let begun = line.strip_prefix("<!-- begin ");
        if let Some(part) = begun.and_then(|line| line.strip_suffix(" -->")) {
            new.push_str(&made(part, rows)?);
            inside = true;
        }
    }
    if inside {
        return Err(format!("{name}: a part that does not end"));
    }
    fs::write(&path, new).map_err(failed)?;
    println!("{}", path.display());
    Ok(())
}

/// The contents of a generated part.
fn made(part: &str, rows: &[Published]) -> Result<String, String> {
    match part {
        "machine" => {
            let lines = Tsv::read("machine")?.rows;
            let lines = lines.iter().map(|line| line.join(" | "));
            let lines: String = lines.map(|line| format!("| {line} |\n")).collect();
            Ok(format!("| | |\n|---|---|\n{lines}"))
        }
        "behind" => Ok(worst::counts(rows)),
        "worst" => worst::table(&worst::ten(rows)),
        "six" => six(rows),
        _ => Err(format!("no part is called {part}")),
    }
}

/// The six figures in README.md's section on speed.
fn six(rows: &[Published]) -> Result<String, String> {
    let best = pictures::best_setting(rows);
    let means = Tsv::read("operations")?;
    let mean = |operation: &str| {
        let mut rows = means.rows.iter();
        let row = rows.find(|row| row[0] == operation && row[1] == best);
        let row = row.ok_or_else(|| format!("operations.tsv: no {operation}"))?;
        Ok::<_, String>(format!("**{} GB/s**, {} × the best peer", row[2], row[3]))
    };
    let decoded = |encoding: &str| {
        let of = |row: &&Published| {
            let key = &row.key;
            let text = (&*key.operation, &*key.encoding, &*key.kind, key.size);
            row.setting == best && text == ("legacy-to-utf8", encoding, "dense", WHOLE)
        };
        let row = rows.iter().find(of);
        let (speed, times) = row
            .and_then(|row| row.speed().zip(row.times()))
            .ok_or_else(|| format!("legacy.tsv: no {encoding}"))?;
        let speed = digits(speed);
        Ok::<_, String>(format!("**{speed} GB/s**, {times:.1} × the best peer"))
    };
    let right = Tsv::read("detection-encodings")?;
    let all = right.rows.last().ok_or("detection-encodings.tsv: empty")?;
    let share = |detector: &str| right.column(detector).map(|column| all[column].clone());
    Ok(format!(
        "- Is this UTF-8? {}\n- UTF-8 to UTF-16: {}\n- UTF-16 to UTF-8: {}\n\
         - windows-1251 to UTF-8, Russian prose: {}\n- Shift_JIS to UTF-8, Japanese prose: {}\n\
         - Which encoding is it? **{} %** recognised from 1 KiB on; chardetng {} %, uchardet {} %\n",
        mean("utf8-validate")?,
        mean("utf8-to-utf16")?,
        mean("utf16-to-utf8")?,
        decoded("windows-1251")?,
        decoded("Shift_JIS")?,
        share("simdtext")?,
        share("chardetng")?,
        share("uchardet")?,
    ))
}
