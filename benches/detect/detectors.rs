//! simdtext and its peers, all called through one function.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, hint};

use simdtext::detect::{Options, detect};

use crate::texts::Sample;
use simdtext_bench::tsv::root;

/// The detectors in Rust, then those in Python, in the order of the script.
pub(crate) const NAMES: [&str; 5] = [
    "simdtext",
    "chardetng",
    "chardet",
    "charset-normalizer",
    "uchardet",
];

/// The answer of a detector about some bytes.
pub(crate) struct Answer {
    /// Its name for the encoding.
    pub(crate) name: String,
    /// Whether Python decodes the bytes to the right text with that name, if the detector is in Python.
    pub(crate) is_text: bool,
    pub(crate) time: Duration,
}

/// The answers about each sample, in the order of [`NAMES`]; without Python the last ones are missing.
pub(crate) fn answers(samples: &[Sample], peers: bool) -> Vec<Vec<Answer>> {
    let python = if peers { ask(samples) } else { Ok(Vec::new()) };
    let python = python.unwrap_or_else(|error| {
        eprintln!("no peers in Python: {error}");
        Vec::new()
    });
    let mut python = python.into_iter();
    let all = samples.iter().map(|Sample { bytes, .. }| {
        let mut answers = vec![timed(|| simdtext(bytes)), timed(|| chardetng(bytes))];
        answers.extend(python.by_ref().take(3));
        answers
    });
    all.collect()
}

fn simdtext(bytes: &[u8]) -> String {
    let guess = detect(hint::black_box(bytes), true, &Options::default());
    let name = guess.encoding.map_or("none", |encoding| encoding.name());
    name.to_owned()
}

fn chardetng(bytes: &[u8]) -> String {
    use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Allow);
    detector.feed(hint::black_box(bytes), true);
    detector.guess(None, Utf8Detection::Allow).name().to_owned()
}

/// The fastest of three.
fn timed(run: impl Fn() -> String) -> Answer {
    let mut time = Duration::MAX;
    let mut name = String::new();
    for _ in 0..3 {
        let start = Instant::now();
        name = run();
        time = time.min(start.elapsed());
    }
    Answer {
        name,
        is_text: false,
        time,
    }
}

/// A script that reads files of bytes and of their text from a folder. Prints nanoseconds, a name, and
/// whether the text is right.
const SCRIPT: &str = include_str!("peers.py");

/// The answers of the detectors in Python, sample by sample. The first call makes a virtual environment with
/// their packages.
fn ask(samples: &[Sample]) -> Result<Vec<Answer>, String> {
    let folder = root().join("target/detect");
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (environment, asked) = (folder.join("python"), folder.join("samples"));
    if asked.is_dir() {
        fs::remove_dir_all(&asked).map_err(told)?;
    }
    fs::create_dir_all(&asked).map_err(told)?;
    for (number, sample) in samples.iter().enumerate() {
        fs::write(asked.join(format!("{number}.bytes")), &sample.bytes).map_err(told)?;
        fs::write(asked.join(format!("{number}.text")), &*sample.text()).map_err(told)?;
    }
    let python = environment.join("bin/python");
    if !python.is_file() {
        run("python3".as_ref(), &["-m", "venv"], &environment)?;
        let packages = ["chardet==7.7.0", "charset-normalizer==3.5.2"];
        let install = ["-m", "pip", "install", "--quiet", packages[0]];
        run(&python, &install, packages[1].as_ref())?;
    }
    let printed = run(&python, &["-c", SCRIPT], &asked)?;
    let answer = |line: &str| {
        let mut cells = line.split('\t');
        Some(Answer {
            time: Duration::from_nanos(cells.next()?.parse().ok()?),
            name: cells.next()?.to_owned(),
            is_text: cells.next()? == "True",
        })
    };
    let answers: Option<Vec<Answer>> = printed.lines().map(answer).collect();
    answers.ok_or("the script prints something else".to_owned())
}

/// The output of a program.
fn run(program: &Path, arguments: &[&str], last: &Path) -> Result<String, String> {
    let mut command = Command::new(program);
    let output = command.args(arguments).arg(last).output();
    let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
    if !output.status.success() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{}: {} {error}", program.display(), output.status));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
