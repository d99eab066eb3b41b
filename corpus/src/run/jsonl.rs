//! Rows as lines of JSON.

use std::io::{self, Write};

use serde::Serialize;

use crate::record::Origin;
use crate::row::{Rejected, Row};

#[derive(Serialize)]
struct Line<'a> {
    source: &'a str,
    record: u64,
    record_offset: u64,
    url: &'a str,
    content_type: Option<&'a str>,
    http_status: Option<u16>,
    warc_date: Option<&'a str>,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    malformed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_errors: Option<Vec<FirstError>>,
    bytes: Option<u64>,
    sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
}

#[derive(Serialize)]
struct FirstError {
    offset: u64,
    bytes: String,
}

fn line(origin: &Origin) -> Line<'_> {
    Line {
        source: &origin.source,
        record: origin.number,
        record_offset: origin.offset,
        url: &origin.name,
        content_type: origin.content_type.as_deref(),
        http_status: origin.status,
        warc_date: origin.date.as_deref(),
        truncated: origin.truncated,
        encoding: None,
        evidence: None,
        confidence: None,
        language: None,
        margin: None,
        text: None,
        malformed: None,
        first_errors: None,
        bytes: None,
        sha256: None,
        reason: None,
        detail: None,
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        for digit in [byte >> 4, byte & 0xF] {
            text.push(DIGITS[usize::from(digit)].into());
        }
    }
    text
}

fn write(out: &mut impl Write, line: &Line<'_>) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// Writes a row as one line.
pub(super) fn write_row(out: &mut impl Write, row: &Row) -> io::Result<()> {
    let first_errors = row.first_errors.iter().map(|malformed| FirstError {
        offset: malformed.offset,
        bytes: hex(malformed.bytes()),
    });
    let line = Line {
        encoding: Some(row.encoding.name()),
        evidence: Some(row.evidence),
        confidence: Some(row.confidence.to_string()),
        language: row.language,
        margin: row.margin,
        text: Some(&row.text),
        malformed: Some(row.malformed),
        first_errors: Some(first_errors.collect()),
        bytes: Some(row.bytes),
        sha256: Some(hex(&row.sha256)),
        ..line(&row.origin)
    };
    write(out, &line)
}

/// Writes a rejected record as one line.
pub(super) fn write_rejected(out: &mut impl Write, rejected: &Rejected) -> io::Result<()> {
    let line = Line {
        bytes: rejected.bytes.map(|(len, _)| len),
        sha256: rejected.bytes.map(|(_, sha256)| hex(&sha256)),
        reason: Some(rejected.rejection.reason.name()),
        detail: Some(&rejected.rejection.detail),
        ..line(&rejected.origin)
    };
    write(out, &line)
}
