//! The summary, for people.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::Tally;

/// The maximum number of lines in a table.
const MAX_LINES: usize = 40;

pub(super) fn write(out: &mut impl Write, tally: &Tally) -> io::Result<()> {
    writeln!(
        out,
        "{} records: {} rows, {} rejected, {} skipped",
        tally.records,
        tally.rows,
        tally.rejected_in_all(),
        tally.skipped_in_all()
    )?;
    writeln!(
        out,
        "{} bytes became {} bytes of text, with {} malformed sequences",
        tally.bytes, tally.text_bytes, tally.malformed
    )?;
    let mut encodings: Vec<_> = tally.encodings.iter().collect();
    encodings.sort_by_key(|(_, it)| std::cmp::Reverse(it.rows));
    if !encodings.is_empty() {
        writeln!(
            out,
            "\n{:<16} {:>12} {:>16} {:>12}",
            "encoding", "rows", "bytes", "malformed"
        )?;
    }
    for (name, it) in encodings {
        writeln!(
            out,
            "{name:<16} {:>12} {:>16} {:>12}",
            it.rows, it.bytes, it.malformed
        )?;
    }
    for (title, counts) in [
        ("evidence", &tally.evidence),
        ("language", &tally.languages),
        ("rejected", &tally.rejected),
        ("skipped", &tally.skipped),
    ] {
        table(out, title, counts)?;
    }
    Ok(())
}

fn table(out: &mut impl Write, title: &str, counts: &BTreeMap<String, u64>) -> io::Result<()> {
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title:<16} {:>12}", "records")?;
    let mut sorted: Vec<_> = counts.iter().collect();
    sorted.sort_by_key(|(_, number)| std::cmp::Reverse(**number));
    for (name, number) in sorted.into_iter().take(MAX_LINES) {
        writeln!(out, "{name:<16} {number:>12}")?;
    }
    Ok(())
}
