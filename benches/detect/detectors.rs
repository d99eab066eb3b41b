//! simdtext and its peers, after one function.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use std::{fs, hint};

use simdtext::Encoding;
use simdtext::detect::{Options, detect};

use crate::tsv::root;

/// What a detector says of bytes.
pub(crate) struct Answer {
    /// What it calls the encoding.
    pub(crate) name: String,
    /// The text as its own language decodes it, where that is not simdtext.
    pub(crate) text: Option<String>,
    pub(crate) time: Duration,
}

impl Answer {
    /// The encoding of the standard, if it is one.
    pub(crate) fn encoding(&self) -> Option<&'static Encoding> {
        Encoding::for_label(self.name.as_bytes())
    }
}

pub(crate) enum Detector {
    Simdtext,
    Chardetng,
    /// One of those that a process in Python asks.
    Python(&'static str),
}

impl Detector {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Detector::Simdtext => "simdtext",
            Detector::Chardetng => "chardetng",
            Detector::Python(name) => name,
        }
    }
}

pub(crate) struct Detectors {
    pub(crate) list: Vec<Detector>,
    python: Option<Python>,
}

struct Python {
    child: Child,
    input: ChildStdin,
    output: ChildStdout,
}

impl Drop for Python {
    fn drop(&mut self) {
        // It ends by itself when its input does; it is not waited for.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs in the process: lengths and bytes in, names, texts and nanoseconds out.
const SCRIPT: &str = include_str!("peers.py");

pub(crate) fn all(peers: bool) -> Detectors {
    let mut list = vec![Detector::Simdtext, Detector::Chardetng];
    let python = peers.then(start).and_then(|started| {
        started
            .map_err(|error| eprintln!("no peers in Python: {error}"))
            .ok()
    });
    if python.is_some() {
        let names = ["chardet", "charset-normalizer", "uchardet"];
        list.extend(names.map(Detector::Python));
    }
    Detectors { list, python }
}

/// Makes a virtual environment with the packages, once, and starts the script in it.
fn start() -> Result<Python, String> {
    let folder = root().join("target/detect/python");
    let python = folder.join("bin/python");
    if !python.is_file() {
        let parent = root().join("target/detect");
        fs::create_dir_all(&parent).map_err(|error| format!("{}: {error}", parent.display()))?;
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
        let packages = ["chardet==7.7.0", "charset-normalizer==3.5.2"];
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet"])
            .args(packages))?;
    }
    let mut child = Command::new(&python)
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{}: {error}", python.display()))?;
    let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        return Err("no pipes".to_owned());
    };
    Ok(Python {
        child,
        input,
        output,
    })
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(error) => Err(format!("{command:?}: {error}")),
    }
}

impl Detectors {
    /// The answer of each.
    pub(crate) fn answers(&mut self, bytes: &[u8]) -> Vec<Answer> {
        let mut answers = vec![timed(|| simdtext(bytes)), timed(|| chardetng(bytes))];
        if let Some(python) = &mut self.python {
            match python.ask(bytes) {
                Ok(more) => answers.extend(more),
                Err(error) => {
                    eprintln!("Python has stopped: {error}");
                    self.python = None;
                    self.list.truncate(2);
                }
            }
        }
        answers
    }
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
        text: None,
        time,
    }
}

impl Python {
    fn ask(&mut self, bytes: &[u8]) -> io::Result<Vec<Answer>> {
        let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        self.input.write_all(&len.to_le_bytes())?;
        self.input.write_all(bytes)?;
        self.input.flush()?;
        (0..3).map(|_| self.answer()).collect()
    }

    fn answer(&mut self) -> io::Result<Answer> {
        let mut time = [0; 8];
        self.output.read_exact(&mut time)?;
        let name = self.string()?;
        Ok(Answer {
            name,
            text: Some(self.string()?),
            time: Duration::from_nanos(u64::from_le_bytes(time)),
        })
    }

    fn string(&mut self) -> io::Result<String> {
        let mut len = [0; 4];
        self.output.read_exact(&mut len)?;
        let len = usize::try_from(u32::from_le_bytes(len)).map_err(io::Error::other)?;
        let mut bytes = vec![0; len];
        self.output.read_exact(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
