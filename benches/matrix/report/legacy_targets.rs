//! What the project holds itself to in the encodings that are not UTF-8, and whether it does.

use std::fmt::Write as _;

use super::Table;
use super::rows::Row;
use super::targets::cell;
use crate::corpus::WHOLE;

struct Target {
    what: &'static str,
    operations: &'static [&'static str],
    encodings: &'static [&'static str],
    against: &'static str,
    /// Kinds of text, and what is wanted with AVX-512, AVX2 and plain Rust.
    texts: &'static [(&'static str, [f64; 3])],
}

const TO_UTF8: &[&str] = &["legacy-to-utf8"];
const TO_UTF16: &[&str] = &["legacy-to-utf16"];
const FROM_UTF8: &[&str] = &["utf8-to-legacy"];
const FROM_UTF16: &[&str] = &["utf16-to-legacy"];

const TWO_BYTE_SCRIPTS: &[&str] = &[
    "windows-1251",
    "KOI8-R",
    "ISO-8859-5",
    "windows-1253",
    "windows-1255",
    "windows-1256",
];
const NON_LATIN: &[&str] = &[
    "windows-1251",
    "KOI8-R",
    "ISO-8859-5",
    "windows-1253",
    "windows-1255",
    "windows-1256",
    "windows-874",
];
const LATIN: &[&str] = &["windows-1252", "windows-1250", "windows-1254", "ISO-8859-2"];
const TWO_BYTE_CODES: &[&str] = &["GBK", "gb18030", "Big5", "EUC-KR", "Shift_JIS", "EUC-JP"];

/// The means from UTF-16 are to be this much of those from UTF-8.
const FROM_UTF16_SHARE: f64 = 0.6;

const TARGETS: [Target; 15] = [
    Target {
        what: "single-byte → UTF-16, not Latin",
        operations: TO_UTF16,
        encodings: NON_LATIN,
        against: "encoding_rs",
        texts: &[("dense", [18.0, 8.0, 3.0]), ("html", [4.5, 3.5, 2.0])],
    },
    Target {
        what: "single-byte → UTF-16, not Latin",
        operations: TO_UTF16,
        encodings: NON_LATIN,
        against: "icu",
        texts: &[("dense", [6.0, 2.5, 1.2]), ("html", [5.0, 3.0, 2.0])],
    },
    Target {
        what: "single-byte → UTF-8, scripts of two bytes",
        operations: TO_UTF8,
        encodings: TWO_BYTE_SCRIPTS,
        against: "encoding_rs",
        texts: &[("dense", [14.0, 8.5, 6.0]), ("html", [5.5, 4.5, 4.0])],
    },
    Target {
        what: "single-byte → UTF-8, Thai",
        operations: TO_UTF8,
        encodings: &["windows-874"],
        against: "encoding_rs",
        texts: &[("dense", [7.5, 6.0, 5.5]), ("html", [3.8, 3.5, 3.5])],
    },
    Target {
        what: "windows-1252, 1250, 1254, ISO-8859-2 → UTF-8",
        operations: TO_UTF8,
        encodings: LATIN,
        against: "encoding_rs",
        texts: &[("dense", [3.5, 2.5, 2.2]), ("html", [3.2, 2.5, 2.2])],
    },
    Target {
        what: "GBK, gb18030, Big5, EUC-KR, Shift_JIS, EUC-JP → UTF-8",
        operations: TO_UTF8,
        encodings: TWO_BYTE_CODES,
        against: "encoding_rs",
        texts: &[("dense", [6.5, 6.5, 4.5]), ("html", [3.2, 3.2, 2.5])],
    },
    Target {
        what: "the same → UTF-16",
        operations: TO_UTF16,
        encodings: TWO_BYTE_CODES,
        against: "encoding_rs",
        texts: &[("dense", [6.5, 6.5, 3.8]), ("html", [2.7, 2.7, 2.1])],
    },
    Target {
        what: "ISO-2022-JP → UTF-8 and UTF-16",
        operations: &["legacy-to-utf8", "legacy-to-utf16"],
        encodings: &["ISO-2022-JP"],
        against: "encoding_rs",
        texts: &[("dense", [6.0, 6.0, 4.5]), ("html", [6.0, 6.0, 4.5])],
    },
    Target {
        what: "UTF-8 → GBK, gb18030, Big5, EUC-KR, Shift_JIS, EUC-JP",
        operations: FROM_UTF8,
        encodings: TWO_BYTE_CODES,
        against: "encoding_rs",
        texts: &[("dense", [6.5, 6.5, 4.0]), ("html", [2.8, 2.8, 2.4])],
    },
    Target {
        what: "UTF-8 → GBK, gb18030, Big5, EUC-KR, Shift_JIS, EUC-JP",
        operations: FROM_UTF8,
        encodings: TWO_BYTE_CODES,
        against: "icu",
        texts: &[("dense", [3.0, 3.0, 2.0]), ("html", [4.0, 4.0, 3.5])],
    },
    Target {
        what: "UTF-8 → single-byte, not Latin",
        operations: FROM_UTF8,
        encodings: NON_LATIN,
        against: "encoding_rs",
        texts: &[("dense", [8.0, 7.0, 3.0]), ("html", [3.5, 3.3, 2.8])],
    },
    Target {
        what: "UTF-8 → windows-1252",
        operations: FROM_UTF8,
        encodings: &["windows-1252"],
        against: "encoding_rs",
        texts: &[("dense", [1.8; 3]), ("html", [1.8; 3])],
    },
    Target {
        what: "UTF-8 → ISO-2022-JP",
        operations: FROM_UTF8,
        encodings: &["ISO-2022-JP"],
        against: "encoding_rs default",
        texts: &[("dense", [15.0; 3]), ("html", [12.0; 3])],
    },
    // The switch between the kernels for the one and for the other must not cost more than a tenth.
    Target {
        what: "two-byte → UTF-8, pages and prose in turn",
        operations: &["legacy-mixed-to-utf8"],
        encodings: TWO_BYTE_CODES,
        against: "simdtext, apart",
        texts: &[("mixed", [0.9; 3])],
    },
    Target {
        what: "the same → UTF-16",
        operations: &["legacy-mixed-to-utf16"],
        encodings: TWO_BYTE_CODES,
        against: "simdtext, apart",
        texts: &[("mixed", [0.9; 3])],
    },
];

/// Which of a target's three numbers is for a setting.
fn column(table: &Table) -> Option<usize> {
    match table.setting.name {
        "AVX2" => Some(1),
        "scalar" => Some(2),
        name if name.starts_with("AVX-512") => Some(0),
        _ => None,
    }
}

/// A line for each target and kind of text. From UTF-16 they follow from those from UTF-8.
pub(super) fn table(tables: &[Table]) -> String {
    let measured = |table: &&Table| table.rows.iter().any(|row| !row.key.encoding.is_empty());
    let tables: Vec<(&Table, usize)> = tables
        .iter()
        .filter(measured)
        .filter_map(|table| Some((table, column(table)?)))
        .collect();
    if tables.is_empty() {
        return "Not measured.\n".to_owned();
    }
    let mut out = "| conversion | against | text |".to_owned();
    for (table, _) in &tables {
        let _ = write!(out, " {} |", table.setting.name);
    }
    let _ = writeln!(out, "\n|---|---|---|{}", "---|".repeat(tables.len()));
    for target in &TARGETS {
        line(
            &mut out,
            &tables,
            target,
            target.what,
            target.operations,
            1.0,
        );
        if target.operations == FROM_UTF8 {
            let what = target.what.replace("UTF-8", "UTF-16");
            let share = FROM_UTF16_SHARE;
            line(&mut out, &tables, target, &what, FROM_UTF16, share);
        }
    }
    out
}

fn line(
    out: &mut String,
    tables: &[(&Table, usize)],
    target: &Target,
    what: &str,
    operations: &[&str],
    share: f64,
) {
    for (kind, wanted) in target.texts {
        let holds = |row: &&Row| {
            row.key.kind == *kind
                && operations.contains(&row.key.operation.as_str())
                && target.encodings.contains(&row.key.encoding.as_str())
                && row.key.size == WHOLE
        };
        let _ = write!(out, "| {what} | {} | {kind} |", target.against);
        for (table, column) in tables {
            let rows = table.rows.iter().filter(holds);
            let cell = cell(rows, Some(target.against), share * wanted[*column]);
            let _ = write!(out, " {cell} |");
        }
        out.push('\n');
    }
}
