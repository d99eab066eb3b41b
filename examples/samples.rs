//! Converts every file of `samples/` to UTF-8 and shows the result:
//!
//! `cargo run --release --example samples`

use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use simdtext::{Bom, Encoding, Status};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.sort();
    let mut out = io::stdout().lock();
    let mut converted = 0;
    for file in &files {
        // The middle part of `ru.koi8-r.txt` is a label.
        let Some([_, label, "txt"]) = name_parts(file) else {
            continue;
        };
        let encoding = Encoding::for_label(label.as_bytes()).ok_or("a file without a label")?;
        show(&folder, file, encoding, &mut out)?;
        converted += 1;
    }
    writeln!(
        out,
        "{converted} files converted with {} kernels",
        simdtext::active_isa()
    )?;
    Ok(())
}

fn name_parts(file: &Path) -> Option<[&str; 3]> {
    let parts: Vec<&str> = file.file_name()?.to_str()?.split('.').collect();
    parts.try_into().ok()
}

/// Prints the first line of a file, and what is malformed in all of it.
fn show(
    folder: &Path,
    file: &Path,
    encoding: &'static Encoding,
    out: &mut impl Write,
) -> Result<(), Box<dyn Error>> {
    let bytes = fs::read(file)?;
    let mut decoder = encoding.decoder(Bom::Sniff);
    let room = decoder.max_utf8_len(bytes.len()).ok_or("too large")?;
    let mut text = String::with_capacity(room);
    let mut faults = Vec::new();
    let progress = decoder.decode_to_string_with(&bytes, &mut text, true, |malformed| {
        faults.push(malformed);
    });
    assert_eq!(
        progress.status,
        Status::InputEmpty,
        "there is room for all of it"
    );
    let name = file.strip_prefix(folder)?.display().to_string();
    let first_line = text.lines().next().unwrap_or_default();
    writeln!(
        out,
        "{name:28} {:14} {first_line}",
        decoder.encoding().name()
    )?;
    for malformed in faults {
        writeln!(out, "{:28} {malformed}", "")?;
    }
    Ok(())
}
