//! Reports what is malformed in a file, where, and on which line:
//!
//! `cargo run --release --example errors_report shift_jis samples/ja-damaged.shift_jis.txt`
//!
//! The file is read in pieces, into buffers on the stack.

use std::env;
use std::error::Error;
use std::fs::File;
use std::io::{self, Read, Write};

use simdtext::{Bom, Encoding, Status};

const USAGE: &str = "usage: errors_report LABEL FILE";

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    let (label, path) = (args.next().ok_or(USAGE)?, args.next().ok_or(USAGE)?);
    let encoding = Encoding::for_label(label.as_bytes())
        .ok_or_else(|| format!("{label}: not a label of the Encoding Standard"))?;
    let file = File::open(&path).map_err(|error| format!("{path}: {error}"))?;
    report(file, &path, encoding, &mut io::stdout().lock())
}

fn report(
    mut file: File,
    path: &str,
    encoding: &'static Encoding,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let mut decoder = encoding.decoder(Bom::Sniff);
    let (mut input, mut text) = ([0; 16 * 1024], [0; 16 * 1024]);
    let (mut line, mut errors) = (1, 0);
    loop {
        let len = file.read(&mut input)?;
        let mut src = &input[..len];
        loop {
            // A strict call stops after each malformed sequence, so the text before it is known.
            let progress = decoder.decode_to_utf8_strict(src, &mut text, len == 0);
            src = &src[progress.read..];
            let written = &text[..progress.written];
            line += written.iter().filter(|byte| **byte == b'\n').count();
            errors += progress.errors;
            match progress.status {
                Status::InputEmpty => break,
                Status::Malformed(malformed) => writeln!(out, "{path}:{line}: {malformed}")?,
                _ => {}
            }
        }
        if len == 0 {
            break;
        }
    }
    writeln!(
        out,
        "{path}: {errors} malformed sequences in {line} lines of {}",
        decoder.encoding()
    )?;
    Ok(())
}
