//! Makes a corpus of web archives in all encodings, of any size, with what must become of each record.
//!
//! ```sh
//! cargo run --release -p simdtext-corpus --example make_corpus -- DIR [MIB [TEXTS...]]
//! ```
//!
//! The texts are those of `samples/utf-8`, and of the folders that are named. There are archives of 16 MiB in each
//! compression until the size is reached, in MiB before compression, and a damaged one of each.

mod archive;
mod records;
mod texts;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use archive::{Packing, archive};
use records::Maker;
use texts::Texts;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args_os().skip(1);
    let out = PathBuf::from(
        args.next()
            .ok_or("usage: make_corpus DIR [MIB [TEXTS...]]")?,
    );
    let mib: usize = match args.next() {
        Some(text) => text.to_string_lossy().parse()?,
        None => 64,
    };
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples/utf-8");
    let more: Vec<PathBuf> = args.map(PathBuf::from).collect();
    let folders: Vec<&Path> = std::iter::once(&*samples)
        .chain(more.iter().map(|it| &**it))
        .collect();
    let texts = Texts::read(&folders, 64 * 1024)?;
    fs::create_dir_all(&out)?;
    let mut maker = Maker::new(&texts, 1);
    let mut records = 0;
    for (number, packing) in (0..mib.div_ceil(16)).zip(Packing::ALL.iter().cycle()) {
        let made = archive(&mut maker, *packing, (mib << 20).min(16 << 20), false);
        fs::write(
            out.join(format!("{number:04}.{}", packing.ending())),
            &made.bytes,
        )?;
        records += made.expected.len();
    }
    for packing in Packing::ALL {
        let made = archive(&mut maker, packing, 100_000, true);
        fs::write(
            out.join(format!("damaged.{}", packing.ending())),
            &made.bytes,
        )?;
        records += made.expected.len();
    }
    println!("{records} records");
    Ok(())
}
