//! What a crate adds to a program: KB of the stripped executable, and seconds of processor time to build
//! it, with Cargo's profile `release` and one codegen unit. A program that uses none is built beside the others
//! and subtracted.
//!
//! `cargo bench --bench cost` takes some minutes; with `-- --save` the table goes to
//! `docs/performance/cost.tsv`, from which the report is drawn. `-- WORD` builds only the programs whose names
//! have it.

#[expect(dead_code, reason = "only the report reads")]
mod tsv;

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use tsv::{Tsv, about, root};
use wait4::Wait4 as _;

/// What a program uses, and how it makes text from bytes: an expression that is a `String`.
struct Program {
    name: &'static str,
    /// For `Cargo.toml`; `SIMDTEXT` is the folder of this repository.
    dependencies: &'static str,
    opt_level: &'static str,
    text: &'static str,
}

const NOTHING: Program = Program {
    name: "nothing",
    dependencies: "",
    opt_level: "3",
    text: "String::from_utf8_lossy(&bytes).into_owned()",
};

const DECODE: &str =
    "simdtext::Encoding::for_label(label.as_bytes()).unwrap().decode(&bytes).text.into_owned()";
const DECODE_ENCODING_RS: &str =
    "encoding_rs::Encoding::for_label(label.as_bytes()).unwrap().decode(&bytes).0.into_owned()";

const PROGRAMS: [Program; 11] = [
    Program {
        name: "simdtext, all encodings",
        dependencies: "simdtext = { path = 'SIMDTEXT' }",
        opt_level: "3",
        text: DECODE,
    },
    Program {
        name: "simdtext, without AVX-512",
        dependencies: "simdtext = { path = 'SIMDTEXT', default-features = false, \
                       features = ['std', 'legacy-cjk', 'legacy-single-byte'] }",
        opt_level: "3",
        text: DECODE,
    },
    Program {
        name: "simdtext, Unicode and single-byte without AVX-512",
        dependencies: "simdtext = { path = 'SIMDTEXT', default-features = false, \
                       features = ['std', 'legacy-single-byte'] }",
        opt_level: "3",
        text: DECODE,
    },
    Program {
        name: "simdtext, Unicode without AVX-512",
        dependencies: "simdtext = { path = 'SIMDTEXT', default-features = false, features = ['std'] }",
        opt_level: "3",
        text: DECODE,
    },
    Program {
        name: "simdtext, all encodings, opt-level s",
        dependencies: "simdtext = { path = 'SIMDTEXT' }",
        opt_level: "'s'",
        text: DECODE,
    },
    Program {
        name: "simdtext, both ways",
        dependencies: "simdtext = { path = 'SIMDTEXT' }",
        opt_level: "3",
        text: "{ let e = simdtext::Encoding::for_label(label.as_bytes()).unwrap(); let t = e.decode(&bytes).text; \
               String::from_utf8_lossy(&e.encode(&t, simdtext::Unmappable::Ncr).unwrap().bytes).into_owned() }",
    },
    Program {
        name: "simdtext, with detection",
        dependencies: "simdtext = { path = 'SIMDTEXT', features = ['detect'] }",
        opt_level: "3",
        text: "simdtext::detect::detect(&bytes, true, &Default::default()).encoding.unwrap().decode(&bytes).text.into_owned()",
    },
    Program {
        name: "encoding_rs, all encodings",
        dependencies: "encoding_rs = '=0.8.44'",
        opt_level: "3",
        text: DECODE_ENCODING_RS,
    },
    Program {
        name: "encoding_rs, both ways, fast",
        dependencies: "encoding_rs = { version = '=0.8.44', features = ['fast-legacy-encode'] }",
        opt_level: "3",
        text: "{ let e = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap(); let t = e.decode(&bytes).0; \
               String::from_utf8_lossy(&e.encode(&t).0).into_owned() }",
    },
    Program {
        name: "encoding_rs and chardetng",
        dependencies: "encoding_rs = '=0.8.44'\nchardetng = '1'",
        opt_level: "3",
        text: "{ use chardetng::*; let mut d = EncodingDetector::new(Iso2022JpDetection::Allow); d.feed(&bytes, true); \
               d.guess(None, Utf8Detection::Allow).decode(&bytes).0.into_owned() }",
    },
    Program {
        name: "simdutf (C++), UTF-16LE only",
        dependencies: "simdutf = '=0.7.0'",
        opt_level: "3",
        text: "{ let n = bytes.len(); let units: Vec<u16> = bytes.iter().map(|&byte| byte.into()).collect(); \
               let mut out = vec![0; 3 * n]; let n = unsafe { simdutf::convert_utf16le_to_utf8(units.as_ptr(), n, \
               out.as_mut_ptr()) }; out.truncate(n); String::from_utf8(out).unwrap() }",
    },
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
        words.is_empty() || words.iter().any(|word| program.name.contains(&**word))
    };
    for program in PROGRAMS.iter().filter(is_wanted) {
        let (bytes, seconds) = build(program)?;
        let kilobytes = bytes.saturating_sub(least) as f64 / 1000.0;
        table.rows.push(vec![
            program.name.to_owned(),
            format!("{kilobytes:.0}"),
            format!("{:.1}", (seconds - shortest).max(0.0)),
        ]);
    }
    let save = std::env::args().any(|argument| argument == "--save");
    table.print(save.then_some("cost"))
}

/// Builds a program from nothing, and returns its size and the seconds that took.
fn build(program: &Program) -> Result<(u64, f64), String> {
    let folder = root()
        .join("target/cost")
        .join(program.name.replace([' ', ',', '(', ')'], "_"));
    let told = |error: std::io::Error| format!("{}: {error}", program.name);
    if folder.is_dir() {
        fs::remove_dir_all(&folder).map_err(told)?;
    }
    fs::create_dir_all(folder.join("src")).map_err(told)?;
    let dependencies = program
        .dependencies
        .replace("SIMDTEXT", &root().to_string_lossy());
    let manifest = format!(
        "[package]\nname = \"program\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\n\n\
         [profile.release]\ncodegen-units = 1\nopt-level = {}\nstrip = true\n\n[workspace]\n",
        program.opt_level
    );
    fs::write(folder.join("Cargo.toml"), manifest).map_err(told)?;
    fs::write(
        folder.join("src/main.rs"),
        MAIN.replace("TEXT", program.text),
    )
    .map_err(told)?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--target-dir", "target"]);
    let mut child = cargo.current_dir(&folder).spawn().map_err(told)?;
    let used = child.wait4().map_err(told)?;
    if !used.status.success() {
        return Err(format!("{}: {}", program.name, used.status));
    }
    let path = folder.join("target/release/program");
    check(&path).map_err(|error| format!("{}: {error}", program.name))?;
    let seconds = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok((fs::metadata(path).map_err(told)?.len(), seconds))
}

/// Whether the program does what it is there for.
fn check(path: &Path) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let sample = path.with_extension("txt");
    fs::write(&sample, SAMPLE).map_err(told)?;
    let mut command = Command::new(path);
    command
        .arg("utf-8")
        .stdin(File::open(&sample).map_err(told)?);
    let printed = command.output().map_err(told)?.stdout;
    let printed = String::from_utf8_lossy(&printed);
    if printed == SAMPLE {
        Ok(())
    } else {
        Err(format!("printed {printed:?}"))
    }
}
