//! What a crate adds to a program: KB of the stripped executable, and seconds of processor time to build
//! it, with Cargo's profile `release` and one codegen unit. A program that uses none is built beside the others
//! and subtracted.
//!
//! `cargo bench --bench cost` takes some minutes; with `-- --save` the table goes to
//! `docs/performance/cost.tsv`, from which the report is drawn. `-- WORD` builds only the programs whose names
//! have it.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use simdtext_bench::tsv::{Tsv, about, root};
use wait4::Wait4 as _;

/// A name, what a program uses (as in `Cargo.toml`, where `SIMDTEXT` is the folder of this repository), and
/// how it makes text from bytes: an expression that is a `String`.
type Program = (&'static str, &'static str, &'static str);

const NOTHING: Program = (
    "nothing",
    "",
    "String::from_utf8_lossy(&bytes).into_owned()",
);

const DECODE: &str =
    "simdtext::Encoding::for_label(label.as_bytes()).unwrap().decode(&bytes).text.into_owned()";

/// Optimised for size; all others for speed.
const SMALL: &str = "simdtext, all encodings, opt-level s";

const PROGRAMS: [Program; 11] = [
    (
        "simdtext, all encodings",
        "simdtext = { path = 'SIMDTEXT' }",
        DECODE,
    ),
    (
        "simdtext, without AVX-512",
        "simdtext = { path = 'SIMDTEXT', default-features = false, \
         features = ['std', 'legacy-cjk', 'legacy-single-byte'] }",
        DECODE,
    ),
    (
        "simdtext, Unicode and single-byte without AVX-512",
        "simdtext = { path = 'SIMDTEXT', default-features = false, \
         features = ['std', 'legacy-single-byte'] }",
        DECODE,
    ),
    (
        "simdtext, Unicode without AVX-512",
        "simdtext = { path = 'SIMDTEXT', default-features = false, features = ['std'] }",
        DECODE,
    ),
    (SMALL, "simdtext = { path = 'SIMDTEXT' }", DECODE),
    (
        "simdtext, both ways",
        "simdtext = { path = 'SIMDTEXT' }",
        "{ let e = simdtext::Encoding::for_label(label.as_bytes()).unwrap(); let t = e.decode(&bytes).text; \
         String::from_utf8_lossy(&e.encode(&t, simdtext::Unmappable::Ncr).unwrap().bytes).into_owned() }",
    ),
    (
        "simdtext, with detection",
        "simdtext = { path = 'SIMDTEXT', features = ['detect'] }",
        "simdtext::detect::detect(&bytes, true, &Default::default()).encoding.unwrap().decode(&bytes).text.into_owned()",
    ),
    (
        "encoding_rs, all encodings",
        "encoding_rs = '=0.8.44'",
        "encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().decode(&bytes).0.into_owned()",
    ),
    (
        "encoding_rs, both ways, fast",
        "encoding_rs = { version = '=0.8.44', features = ['fast-legacy-encode'] }",
        "{ let e = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap(); let t = e.decode(&bytes).0; \
         String::from_utf8_lossy(&e.encode(&t).0).into_owned() }",
    ),
    (
        "encoding_rs and chardetng",
        "encoding_rs = '=0.8.44'\nchardetng = '1'",
        "{ use chardetng::*; let mut d = EncodingDetector::new(Iso2022JpDetection::Allow); d.feed(&bytes, true); \
         d.guess(None, Utf8Detection::Allow).decode(&bytes).0.into_owned() }",
    ),
    (
        "simdutf (C++), UTF-16LE only",
        "simdutf = '=0.7.0'",
        "{ let n = bytes.len(); let units: Vec<u16> = bytes.iter().map(|&byte| byte.into()).collect(); \
         let mut out = vec![0; 3 * n]; let n = unsafe { simdutf::convert_utf16le_to_utf8(units.as_ptr(), n, \
         out.as_mut_ptr()) }; out.truncate(n); String::from_utf8(out).unwrap() }",
    ),
];

/// A program that converts what it reads.
const MAIN: &str = "use std::io::*;
fn main() {
    let label = std::env::args().nth(1).unwrap_or_default();
    let mut bytes = Vec::new();
    stdin().read_to_end(&mut bytes).unwrap();
    let text: String = TEXT;
    print!(\"{text}\");
    let _ = label;
}
";

/// What each program must give back.
const SAMPLE: &str = "Every program reads this, and prints it.";

fn main() -> Result<(), String> {
    let mut table = Tsv::new(
        about("cargo bench --bench cost") + "; KB of 1000 bytes, seconds of processor time",
        &["program", "KB", "seconds"],
    );
    let (least, shortest) = build(&NOTHING)?;
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let is_wanted = |program: &&Program| {
        words.is_empty() || words.iter().any(|word| program.0.contains(&**word))
    };
    for program in PROGRAMS.iter().filter(is_wanted) {
        let (bytes, seconds) = build(program)?;
        let kilobytes = bytes.saturating_sub(least) as f64 / 1000.0;
        table.rows.push(vec![
            program.0.to_owned(),
            format!("{kilobytes:.0}"),
            format!("{:.1}", (seconds - shortest).max(0.0)),
        ]);
    }
    let save = std::env::args().any(|argument| argument == "--save");
    table.print("cost", save)
}

/// Builds a program from nothing, and returns its size and the seconds that took.
fn build((name, dependencies, text): &Program) -> Result<(u64, f64), String> {
    let folder = root().join("target/cost");
    let folder = folder.join(name.replace([' ', ',', '(', ')'], "_"));
    let told = |error: std::io::Error| format!("{name}: {error}");
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(told)?;
    }
    fs::create_dir_all(folder.join("src")).map_err(told)?;
    let dependencies = dependencies.replace("SIMDTEXT", &root().to_string_lossy());
    let opt_level = if *name == SMALL { "'s'" } else { "3" };
    let manifest = format!(
        "[package]\nname = \"program\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\n\n\
         [profile.release]\ncodegen-units = 1\nopt-level = {opt_level}\nstrip = true\n\n[workspace]\n"
    );
    fs::write(folder.join("Cargo.toml"), manifest).map_err(told)?;
    fs::write(folder.join("src/main.rs"), MAIN.replace("TEXT", text)).map_err(told)?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--target-dir", "target"]);
    let mut child = cargo.current_dir(&folder).spawn().map_err(told)?;
    let used = child.wait4().map_err(told)?;
    if !used.status.success() {
        return Err(format!("{name}: {}", used.status));
    }
    let path = folder.join("target/release/program");
    check(&path).map_err(|error| format!("{name}: {error}"))?;
    let seconds = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok((fs::metadata(path).map_err(told)?.len(), seconds))
}

/// Whether the program does what it is there for.
fn check(path: &Path) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let sample = path.with_extension("txt");
    fs::write(&sample, SAMPLE).map_err(told)?;
    let input = File::open(&sample).map_err(told)?;
    let output = Command::new(path).arg("utf-8").stdin(input).output();
    match String::from_utf8_lossy(&output.map_err(told)?.stdout) {
        printed if printed == SAMPLE => Ok(()),
        printed => Err(format!("printed {printed:?}")),
    }
}
