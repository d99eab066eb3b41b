//! `simdtext list`: prints the encodings and their labels.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use simdtext::Encoding;

use crate::args::ListArgs;
use crate::json;
use crate::os::standard_output;

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    labels: &'static [&'static str],
    /// Whether `--to` accepts it.
    encoder: bool,
    single_byte: bool,
    ascii_compatible: bool,
}

pub(crate) fn run(args: &ListArgs) -> io::Result<()> {
    let mut out = BufWriter::new(standard_output()?);
    let width = Encoding::all()
        .iter()
        .map(|encoding| encoding.name().len())
        .max()
        .unwrap_or(0);
    for encoding in Encoding::all() {
        if args.json {
            let entry = Entry {
                name: encoding.name(),
                labels: encoding.labels(),
                encoder: encoding.encoder().is_some(),
                single_byte: encoding.is_single_byte(),
                ascii_compatible: encoding.is_ascii_compatible(),
            };
            json::write(&mut out, &entry)?;
        } else {
            let labels = encoding.labels().join(" ");
            writeln!(out, "{:width$}  {labels}", encoding.name())?;
        }
    }
    out.flush()
}
