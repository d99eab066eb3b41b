//! Searches files in any encoding for a regular expression, line by line:
//!
//! `cargo run --release -p simdtext-examples --example grep 'хлеб|bread' samples/*.txt`
//!
//! The encoding of a file is stated by its byte order mark, or by the middle part of its name if that is a
//! label (`ru.koi8-r.txt`), and is UTF-8 otherwise. Memory grows only with the longest line.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::Path;

use regex::Regex;
use simdtext::UTF_8;
use simdtext::io::DecodeReader;
use simdtext::sniff::Hints;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let pattern = args.next().ok_or("usage: grep PATTERN FILE…")?;
    let pattern = Regex::new(&pattern)?;
    let mut out = io::stdout().lock();
    // One reader and its buffers serve all files.
    let mut reader: Option<DecodeReader<File>> = None;
    for path in args {
        let file = File::open(&path).map_err(|error| format!("{path}: {error}"))?;
        let hints = Hints::new().override_label(label(&path)).fallback(UTF_8);
        match &mut reader {
            Some(reader) => reader.reset_sniffing(file, &hints)?,
            none => *none = Some(DecodeReader::sniffing(file, &hints)?),
        }
        if let Some(reader) = &mut reader {
            search(&pattern, &path, reader, &mut out)?;
        }
    }
    Ok(())
}

fn label(path: &str) -> Option<&str> {
    let name = Path::new(path).file_name()?.to_str()?;
    name.split('.').nth(1)
}

fn search(
    pattern: &Regex,
    path: &str,
    text: &mut DecodeReader<File>,
    out: &mut impl Write,
) -> io::Result<()> {
    let (mut line, mut number) = (String::new(), 0);
    while text.read_line(&mut line)? > 0 {
        number += 1;
        if pattern.is_match(&line) {
            writeln!(out, "{path}:{number}: {}", line.trim_end())?;
        }
        line.clear();
    }
    Ok(())
}
