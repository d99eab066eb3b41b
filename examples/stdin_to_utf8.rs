//! Reads text in any encoding from standard input and writes UTF-8:
//!
//! `cargo run --release --example stdin_to_utf8 [LABEL] < samples/ja.shift_jis.txt`
//!
//! `LABEL` is the encoding to use if the input does not declare one. The decision and its reason go to
//! standard error.

use std::env;
use std::error::Error;
use std::io;

use simdtext::Encoding;
use simdtext::io::DecodeReader;
use simdtext::sniff::Hints;

fn main() -> Result<(), Box<dyn Error>> {
    let fallback = match env::args().nth(1) {
        Some(label) => Some(
            Encoding::for_label(label.as_bytes())
                .ok_or_else(|| format!("{label}: not a label of the Encoding Standard"))?,
        ),
        None => None,
    };
    let hints = Hints::new().fallback(fallback);
    // Memory does not grow with the input: there are 16 KiB of it and 16 KiB of text at a time.
    let mut reader = DecodeReader::sniffing(io::stdin().lock(), &hints)?;
    if let Some(decision) = reader.decision() {
        eprintln!(
            "{} ({:?}, {:?})",
            decision.encoding, decision.evidence, decision.confidence
        );
    }
    let copied = io::copy(&mut reader, &mut io::stdout().lock());
    match copied {
        // The reader of the text has closed the pipe.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
        copied => copied?,
    };
    if reader.errors() > 0 {
        eprintln!("{} malformed sequences became U+FFFD", reader.errors());
    }
    Ok(())
}
