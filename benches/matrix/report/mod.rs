//! PERFORMANCE.md: what `benches/PERFORMANCE.in.md` says, with tables and plots of what was measured
//! in the places that it marks.
//!
//! A mark is a line `{{NAME}}` or `{{NAME ARGUMENT}}`. The prose around the marks is written by
//! hand, and stays when the numbers are measured anew.

mod legacy_targets;
mod machine;
mod plots;
pub(crate) mod rows;
mod tables;
mod targets;

use std::env::{self, consts::ARCH};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::corpus::root;
use crate::select::Selection;
use rows::Row;

/// What was measured in one setting.
pub(crate) struct Table {
    pub(crate) setting: &'static Setting,
    pub(crate) rows: Vec<Row>,
}

/// Which kernels are used: ours, and those of simdutf, which has some for each family of
/// processors. The other peers have one set, or use what AVX2 has.
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    /// The processors that have it; empty for all.
    arch: &'static str,
    /// Ours.
    isa: &'static str,
    /// simdutf's.
    simdutf: &'static str,
    /// Whether targets are for it, and all sizes are measured; else enough to compare.
    pub(crate) main: bool,
    /// Whether the legacy encodings are measured. They are also where it is the best.
    legacy: bool,
}

/// Best first.
const SETTINGS: [Setting; 6] = [
    Setting {
        name: "NEON",
        arch: "aarch64",
        isa: "neon",
        simdutf: "arm64",
        main: true,
        legacy: true,
    },
    Setting {
        name: "AVX-512 VBMI2",
        arch: "x86_64",
        isa: "avx512_vbmi2",
        simdutf: "icelake",
        main: true,
        legacy: false,
    },
    // simdutf's kernels for AVX-512 need VBMI2; without it, it uses those for AVX2.
    Setting {
        name: "AVX-512",
        arch: "x86_64",
        isa: "avx512",
        simdutf: "haswell",
        main: true,
        legacy: false,
    },
    Setting {
        name: "AVX2",
        arch: "x86_64",
        isa: "avx2",
        simdutf: "haswell",
        main: true,
        legacy: true,
    },
    Setting {
        name: "SSE4",
        arch: "x86_64",
        isa: "sse4",
        simdutf: "westmere",
        main: false,
        legacy: false,
    },
    Setting {
        name: "scalar",
        arch: "",
        isa: "scalar",
        simdutf: "fallback",
        main: false,
        legacy: true,
    },
];

impl Setting {
    /// Those that this machine can.
    fn available() -> impl Iterator<Item = &'static Setting> {
        let best = simdtext::active_isa();
        SETTINGS
            .iter()
            .filter(|setting| ["", ARCH].contains(&setting.arch))
            .skip_while(move |setting| setting.isa != best)
    }

    /// Options before those of the command line, which may say otherwise.
    fn options(&self) -> Vec<&'static str> {
        let best = self.isa == simdtext::active_isa();
        let mut options = Vec::new();
        if !best {
            options.extend(["--up-to", "1M"]);
        }
        if !self.main && !best {
            options.extend(["--usual", "--cell", "20"]);
        }
        if !self.legacy && !best {
            for family in ["legacy", "legacy-trouble", "legacy-mixed", "legacy-rare"] {
                options.extend(["--without", family]);
            }
        }
        options
    }

    fn file(&self, run: u32) -> PathBuf {
        let name = self.name.replace(' ', "-");
        folder().join(format!("{name}.{run}.tsv"))
    }
}

fn folder() -> PathBuf {
    root().join("target/performance")
}

/// A table that another benchmark has written to its folder, if it was run; `options` run it.
fn written_by(bench: &str, part: &str, options: &str) -> String {
    written(
        bench,
        part,
        &format!("cargo bench --bench {bench}{options}"),
    )
}

/// The same, for any command.
fn written(folder: &str, part: &str, command: &str) -> String {
    let path = root().join(format!("target/{folder}/{part}.md"));
    fs::read_to_string(path).unwrap_or_else(|_| format!("Not measured here: `{command}`.\n"))
}

/// Measures, in a process for each instruction set, and renders.
pub(crate) fn measure_all(selection: &Selection) -> Result<(), String> {
    let folder = folder();
    let io = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(io)?;
    }
    fs::create_dir_all(&folder).map_err(io)?;
    let program = env::current_exe().map_err(io)?;
    for run in 1..=selection.runs {
        for setting in Setting::available() {
            let options = setting.options();
            let arguments = || {
                let options = options.iter().copied().map(str::to_owned);
                options.chain(selection.arguments.iter().cloned())
            };
            if Selection::parse(arguments())?.operations().count() == 0 {
                continue;
            }
            println!("\n# {}, run {run}", setting.name);
            let mut command = Command::new(&program);
            command
                .args(arguments())
                .env("SIMDTEXT_ISA", setting.isa)
                .env("SIMDUTF_FORCE_IMPLEMENTATION", setting.simdutf);
            let status = command
                .arg("--tsv")
                .arg(setting.file(run))
                .status()
                .map_err(io)?;
            if !status.success() {
                return Err(format!("the run with {} failed", setting.name));
            }
        }
    }
    let arguments: Vec<String> = env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let about = machine::about(&arguments);
    fs::write(folder.join("machine.md"), about).map_err(io)?;
    render()
}

/// Writes PERFORMANCE.md and its plots from the files of the last run.
pub(crate) fn render() -> Result<(), String> {
    let (mut tables, mut texts) = (Vec::new(), String::new());
    for setting in &SETTINGS {
        let runs = (1..).map(|run| setting.file(run));
        let paths: Vec<PathBuf> = runs.take_while(|path| path.is_file()).collect();
        if !paths.is_empty() {
            let (of, rows) = rows::read(&paths)?;
            // The settings with legacy encodings name more texts.
            if of.len() > texts.len() {
                texts = of;
            }
            tables.push(Table { setting, rows });
        }
    }
    if tables.is_empty() {
        return Err("nothing has been measured: --report does".to_owned());
    }
    let machine = fs::read_to_string(folder().join("machine.md")).unwrap_or_default();
    let template = root().join("benches/PERFORMANCE.in.md");
    let template = fs::read_to_string(&template)
        .map_err(|error| format!("{}: {error}", template.display()))?;
    let mut out = String::new();
    for line in template.lines() {
        let mark = line
            .strip_prefix("{{")
            .and_then(|line| line.strip_suffix("}}"));
        match mark.map(|mark| mark.split_once(' ').unwrap_or((mark, ""))) {
            None => {
                out.push_str(line);
                out.push('\n');
            }
            Some(("machine", _)) => {
                out.push_str(&machine);
                out.push_str(&format!("| texts | {texts} |\n"));
            }
            Some(("targets", _)) => out.push_str(&targets::table(&tables)),
            Some(("legacy-targets", _)) => out.push_str(&legacy_targets::table(&tables)),
            Some(("losses", _)) => out.push_str(&tables::losses(&tables)),
            Some(("family", family)) => out.push_str(&tables::family(&tables, family)?),
            Some(("sizes", operation)) => out.push_str(&tables::sizes(&tables, operation)?),
            Some((bench @ "commands", part)) => {
                out.push_str(&written_by(bench, part, &format!(" -- {part}")));
            }
            Some((bench @ "detect", part)) => out.push_str(&written_by(bench, part, "")),
            Some((bench @ "indexing", part)) => {
                out.push_str(&written_by(bench, part, &format!(" -- --{part}")));
            }
            Some(("js", part)) => out.push_str(&written("js", part, "npm run bench, in js/")),
            Some(("settings", _)) => out.push_str(&tables::settings(&tables)),
            Some(_) => return Err(format!("PERFORMANCE.in.md: {line}?")),
        }
    }
    let path = root().join("PERFORMANCE.md");
    fs::write(&path, out).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}
