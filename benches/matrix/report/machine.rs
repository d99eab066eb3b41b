//! The machine and the programs used for a measurement, as rows of a table.

use std::fs;

use crate::peers::{iconv, icu};
use simdtext_bench::tsv::{Tsv, first_line, root};

/// The crates whose versions are listed.
const CRATES: [&str; 4] = ["simdtext", "encoding_rs", "simdutf", "simdutf8"];

/// The features of the processor that are listed.
const FLAGS: &str = "avx2 avx512f avx512bw avx512dq avx512vl avx512vbmi avx512_vbmi2";

/// A field of the first processor in `/proc/cpuinfo`.
fn cpu(name: &str) -> Option<String> {
    let cpu = fs::read_to_string("/proc/cpuinfo").ok()?;
    let mut lines = cpu.lines().filter_map(|line| line.split_once(':'));
    lines.find_map(|(field, value)| (field.trim() == name).then(|| value.trim().to_owned()))
}

/// A row for each part of the machine and each program.
pub(super) fn table(about: &str, texts: &str) -> Tsv {
    let flags = cpu("flags").unwrap_or_default();
    let has = |name: &&str| flags.split(' ').any(|flag| flag == *name);
    let flags: Vec<&str> = FLAGS.split(' ').filter(has).collect();
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let family = ["cpu family", "model", "stepping"].map(|name| cpu(name).unwrap_or_default());
    let [family, model, stepping] = family;
    let processor = format!(
        "{} (family {family} model {model} stepping {stepping}), {cores} cores; {}",
        cpu("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
        flags.join(", "),
    );
    let title = "what the matrix was measured with".to_owned();
    let mut table = Tsv::new(title, "what\twhich");
    let rows = [
        ("processor", processor),
        ("system", first_line("uname", &["-s", "-r", "-m"])),
        ("compiler", first_line("rustc", &["--version"])),
        ("C++ compiler (simdutf)", first_line("c++", &["--version"])),
        ("versions", versions()),
        ("measured", about.to_owned()),
        ("texts", texts.to_owned()),
    ];
    let cells = rows.map(|(name, value)| vec![name.to_owned(), value]);
    table.rows.extend(cells);
    table
}

/// The versions of [`CRATES`] in the lock file.
fn versions() -> String {
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap_or_default();
    let version = |name: &str| {
        let package = format!("name = \"{name}\"\nversion = \"");
        let (_, after) = lock.split_once(&package)?;
        Some(format!("{name} {}", after.split('"').next()?))
    };
    let icu = icu::version().map(|version| format!("ICU {version}"));
    let glibc = iconv::version().map(|version| format!("glibc {version}"));
    let crates = CRATES.into_iter().filter_map(version);
    let versions: Vec<String> = crates.chain(icu).chain(glibc).collect();
    versions.join(", ")
}
