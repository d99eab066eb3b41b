//! A report for people: a self-contained HTML page.

use std::fmt::{self, Display, Write};
use std::io::Write as _;
use std::path::Path;

use crate::error::Error;
use crate::noted::Noted;
use crate::run::{nameless, place};
use crate::tally::Tally;

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .25rem .75rem .25rem 0; vertical-align: top; border-bottom: 1px solid #8884; }
th { font-weight: 600; } .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.bar { width: 35%; } .bar i { display: block; height: .8rem; margin-top: .35rem; background: #3874c8; min-width: 1px; }
.text { overflow-wrap: anywhere; } mark { background: #e5533d; color: #fff; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 3rem; } .figures b { display: block; font-size: 1.5rem; }
small { color: #888; overflow-wrap: anywhere; }";

/// Text, escaped for HTML.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for ch in self.0.chars() {
            match ch {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\u{FFFD}' => f.write_str("<mark>\u{FFFD}</mark>")?,
                // Also those that change the direction of the text after them.
                ch if ch.is_control()
                    || matches!(ch, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}') =>
                {
                    f.write_char('\u{B7}')?;
                }
                ch => f.write_char(ch)?,
            }
        }
        Ok(())
    }
}

/// A number with spaces between its thousands.
struct Grouped(u64);

impl Display for Grouped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_char('\u{202F}')?;
            }
            f.write_char(digit)?;
        }
        Ok(())
    }
}

/// A number of bytes, in a suitable unit.
struct Bytes(u64);

impl Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit, name) = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
            .into_iter()
            .find(|(unit, _)| self.0 >= *unit)
            .unwrap_or((1, "bytes"));
        // In tenths, without floating-point errors.
        let tenths = u128::from(self.0) * 10 / u128::from(unit);
        match unit {
            1 => write!(f, "{} {name}", self.0),
            _ => write!(f, "{}.{} {name}", tenths / 10, tenths % 10),
        }
    }
}

/// Returns `part` of `whole` in thousandths of a percent.
fn share(part: u64, whole: u64) -> String {
    let share = u128::from(part) * 1000 / u128::from(whole.max(1));
    format!("{}.{}", share / 10, share % 10)
}

/// Returns the report as an HTML page.
#[must_use]
pub fn html(tally: &Tally) -> String {
    let mut page = String::new();
    // Writing to a string does not fail.
    let _ = write_page(&mut page, tally);
    page
}

/// Writes the report to a file, which appears only when it is complete.
///
/// # Errors
///
/// [`Error::Io`] if it can't be written.
pub fn write(path: &Path, tally: &Tally) -> Result<(), Error> {
    let mut file = nameless(path)?;
    file.write_all(html(tally).as_bytes())
        .map_err(Error::io(path))?;
    place(file, path)
}

fn write_page(page: &mut String, tally: &Tally) -> fmt::Result {
    write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Corpus</title>\n\
         <style>\n{STYLE}\n</style></head>\n<body>\n<h1>Corpus</h1>\n<div class=\"figures\">\n"
    )?;
    for (name, figure) in [
        ("records", Grouped(tally.records).to_string()),
        ("rows", Grouped(tally.rows).to_string()),
        ("rejected", Grouped(tally.rejected_in_all()).to_string()),
        ("skipped", Grouped(tally.skipped_in_all()).to_string()),
        ("decoded", Bytes(tally.bytes).to_string()),
        ("text", Bytes(tally.text_bytes).to_string()),
        ("malformed sequences", Grouped(tally.malformed).to_string()),
    ] {
        writeln!(page, "<div><b>{figure}</b>{name}</div>")?;
    }
    page.push_str("</div>\n");
    encodings(page, tally)?;
    let evidence = tally
        .evidence
        .iter()
        .map(|(name, number)| (name.clone(), *number));
    counts(
        page,
        "What the encodings are based on",
        "evidence",
        evidence,
    )?;
    let rejected = tally
        .rejected
        .iter()
        .map(|(name, number)| (name.clone(), *number));
    counts(page, "Rejected", "reason", rejected)?;
    let skipped = tally
        .skipped
        .iter()
        .map(|(name, number)| (name.clone(), *number));
    counts(page, "Skipped", "kind of record", skipped)?;
    let languages = tally
        .languages
        .iter()
        .map(|(name, number)| (name.clone(), *number));
    counts(page, "Guesses by language", "language", languages)?;
    margins(page, tally)?;
    let title = "Rows with the most malformed sequences";
    noted(page, title, "malformed", tally.worst())?;
    noted(
        page,
        "The least certain guesses",
        "margin, bits",
        tally.doubtful(),
    )?;
    page.push_str("</body></html>\n");
    Ok(())
}

fn bar(page: &mut String, part: u64, most: u64) -> fmt::Result {
    let width = share(part, most);
    write!(
        page,
        "<td class=\"bar\"><i style=\"width:{width}%\"></i></td>"
    )
}

fn encodings(page: &mut String, tally: &Tally) -> fmt::Result {
    let mut sorted: Vec<_> = tally.encodings.iter().collect();
    sorted.sort_by_key(|(_, it)| std::cmp::Reverse(it.rows));
    let most = sorted.first().map_or(0, |(_, it)| it.rows);
    page.push_str(
        "<h2>Encodings</h2>\n<table><tr><th>encoding<th class=\"n\">rows<th class=\"n\">%<th><th class=\"n\">bytes\
         <th class=\"n\">rows with malformed, per thousand</tr>\n",
    );
    for (name, it) in sorted {
        write!(
            page,
            "<tr><td>{}<td class=\"n\">{}<td class=\"n\">{}",
            Escaped(name),
            Grouped(it.rows),
            share(it.rows, tally.rows)
        )?;
        bar(page, it.rows, most)?;
        let per_thousand = u128::from(it.rows_malformed) * 10_000 / u128::from(it.rows.max(1));
        writeln!(
            page,
            "<td class=\"n\">{}<td class=\"n\">{}.{}</tr>",
            Bytes(it.bytes),
            per_thousand / 10,
            per_thousand % 10
        )?;
    }
    page.push_str("</table>\n");
    Ok(())
}

fn counts(
    page: &mut String,
    title: &str,
    of: &str,
    counts: impl Iterator<Item = (String, u64)>,
) -> fmt::Result {
    let mut sorted: Vec<_> = counts.collect();
    sorted.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    table(page, title, of, &sorted)
}

fn table(page: &mut String, title: &str, of: &str, rows: &[(String, u64)]) -> fmt::Result {
    let Some(most) = rows.iter().map(|(_, number)| *number).max() else {
        return Ok(());
    };
    writeln!(
        page,
        "<h2>{title}</h2>\n<table><tr><th>{of}<th class=\"n\">records<th></tr>"
    )?;
    for (name, number) in rows {
        write!(
            page,
            "<tr><td>{}<td class=\"n\">{}",
            Escaped(name),
            Grouped(*number)
        )?;
        bar(page, *number, most)?;
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
    Ok(())
}

fn margins(page: &mut String, tally: &Tally) -> fmt::Result {
    let rows: Vec<_> = tally
        .margins
        .iter()
        .map(|(from, number)| {
            let to = from.saturating_mul(4).max(1);
            (format!("{from} to {}", to - 1), *number)
        })
        .collect();
    table(
        page,
        "Guesses by margin",
        "bits by which the next encoding is less plausible",
        &rows,
    )
}

fn noted(page: &mut String, title: &str, of: &str, records: &[Noted]) -> fmt::Result {
    if records.is_empty() {
        return Ok(());
    }
    writeln!(
        page,
        "<h2>{title}</h2>\n<table><tr><th class=\"n\">{of}<th>encoding<th>record, and some of its text</tr>"
    )?;
    for it in records {
        writeln!(
            page,
            "<tr><td class=\"n\">{}<td>{}<br><small>{}</small><td><div class=\"text\"><bdi>{}</bdi></div>\
             <small>{} · {}, record {}</small></tr>",
            Grouped(it.rank),
            Escaped(&it.encoding),
            Escaped(&it.evidence),
            Escaped(&it.context),
            Escaped(&it.url),
            Escaped(&it.source),
            it.record
        )?;
    }
    page.push_str("</table>\n");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Escaped, Grouped, html, share};
    use crate::tally::Tally;

    #[test]
    fn figures() {
        assert_eq!(Grouped(0).to_string(), "0");
        assert_eq!(Grouped(1_234_567).to_string(), "1\u{202F}234\u{202F}567");
        assert_eq!(Bytes(1023).to_string(), "1023 bytes");
        assert_eq!(Bytes(1536).to_string(), "1.5 KiB");
        assert_eq!(Bytes(u64::MAX).to_string(), "17179869183.9 GiB");
        assert_eq!(share(1, 3), "33.3");
        assert_eq!(share(0, 0), "0.0");
    }

    #[test]
    fn nothing_of_a_record_is_markup() {
        let text = "<script>\"&\u{202E}\u{1}";
        assert_eq!(
            Escaped(text).to_string(),
            "&lt;script&gt;&quot;&amp;\u{B7}\u{B7}"
        );
        assert!(html(&Tally::default()).ends_with("</html>\n"));
    }
}
