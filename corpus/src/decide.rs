//! Decides which encoding a record is in.
//!
//! Its own declarations and those of its transport win, in the order of browsers; then comes a guess. The
//! whole record is available, so a `meta` element far down in it counts as well.

use simdtext::detect::{self, BinaryScan, Reason as Why};
use simdtext::sniff::{self, Confidence, Evidence, Hints};
use simdtext::{Encoding, REPLACEMENT, UTF_8};

use crate::options::Options;
use crate::record::Origin;
use crate::rejected::{Reason, Rejection};

/// An encoding, and the evidence for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) encoding: &'static Encoding,
    pub(crate) evidence: &'static str,
    pub(crate) confidence: Confidence,
    /// For a guess, the language that makes it plausible.
    pub(crate) language: Option<&'static str>,
    /// For a guess, how much less plausible the next candidate is, in bits.
    pub(crate) margin: Option<u32>,
}

impl Decision {
    fn new(encoding: &'static Encoding, evidence: &'static str, confidence: Confidence) -> Self {
        Self {
            encoding,
            evidence,
            confidence,
            language: None,
            margin: None,
        }
    }
}

/// Decides about all bytes of a record.
pub(crate) fn decide(
    origin: &Origin,
    label: Option<&'static Encoding>,
    bytes: &[u8],
    options: &Options,
) -> Result<Decision, Rejection> {
    if bytes.is_empty() {
        return Err(Rejection::new(Reason::Empty, "it has no bytes"));
    }
    let complete = !origin.truncated;
    let transport = origin.content_type.as_deref();
    let hints = Hints::new()
        .override_label(label.map(Encoding::name))
        .transport(transport)
        .late_meta(true);
    let decision = sniff::resolve(&hints, bytes, complete);
    let is_known = match decision.evidence {
        Evidence::Fallback => false,
        // Valid UTF-8 may also be UTF-16, or binary data.
        Evidence::Utf8Valid => !bytes.contains(&0),
        _ => true,
    };
    // The byte order mark of UTF-32LE begins like that of UTF-16LE.
    let is_utf32 = bytes.starts_with(&[0xFF, 0xFE, 0, 0]) || bytes.starts_with(&[0, 0, 0xFE, 0xFF]);
    if !is_known || is_utf32 {
        return guess(origin, bytes, complete, options);
    }
    if decision.encoding == REPLACEMENT {
        let what = transport.unwrap_or("its declaration");
        let detail = format!("{what} names an encoding that is unsafe to decode");
        return Err(Rejection::new(Reason::Unsupported, detail));
    }
    let mut signs = BinaryScan::for_encoding(decision.encoding);
    signs.feed(bytes);
    if let Some(signs) = signs.finish() {
        return Err(Rejection::new(Reason::Binary, signs.to_string()));
    }
    if bytes.starts_with(b"%PDF-") {
        return Err(pdf());
    }
    Ok(Decision::new(
        decision.encoding,
        name(decision.evidence),
        decision.confidence,
    ))
}

fn guess(
    origin: &Origin,
    bytes: &[u8],
    complete: bool,
    options: &Options,
) -> Result<Decision, Rejection> {
    let hints = detect::Options::new().tld(top_level_domain(&origin.name));
    let guess = detect::detect(bytes, complete, &hints);
    if bytes.starts_with(b"%PDF-") {
        return Err(pdf());
    }
    let (reason, detail) = match guess.reason {
        Why::Ascii => {
            let confidence = if complete {
                Confidence::Certain
            } else {
                Confidence::Tentative
            };
            return Ok(Decision::new(UTF_8, "ascii", confidence));
        }
        Why::Binary(signs) => (Reason::Binary, signs.to_string()),
        Why::Utf32 { .. } => (Reason::Unsupported, guess.reason.to_string()),
        _ => (Reason::Implausible, guess.reason.to_string()),
    };
    match (guess.encoding, options.fallback) {
        (Some(encoding), _) => {
            let mut decision = Decision::new(encoding, name(guess.evidence), guess.confidence);
            if let Why::Plausible { language, margin } = guess.reason {
                decision.language = Some(language).filter(|it| !it.is_empty());
                decision.margin = Some(margin);
            }
            Ok(decision)
        }
        (None, Some(fallback)) if reason == Reason::Implausible => {
            Ok(Decision::new(fallback, "fallback", Confidence::Tentative))
        }
        (None, _) => Err(Rejection::new(reason, detail)),
    }
}

fn pdf() -> Rejection {
    Rejection::new(Reason::Binary, "it begins like a PDF document")
}

/// The name of the evidence, as in the converter's reports.
fn name(evidence: Evidence) -> &'static str {
    match evidence {
        Evidence::Bom => "bom",
        Evidence::Override => "label",
        Evidence::Transport => "transport",
        Evidence::Prescan => "prescan",
        Evidence::LateMeta => "late-meta",
        Evidence::Environment => "environment",
        Evidence::Utf8Valid => "utf-8",
        Evidence::Detected => "detected",
        _ => "fallback",
    }
}

/// Returns the last label of the host name in a URL.
fn top_level_domain(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    let host = host.split(':').next()?.trim_end_matches('.');
    let (_, label) = host.rsplit_once('.')?;
    (!label.is_empty()
        && label
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || it == b'-')
        && !label.bytes().all(|it| it.is_ascii_digit()))
    .then_some(label)
}

#[cfg(test)]
mod tests {
    use super::top_level_domain;

    #[test]
    fn domains() {
        for (url, expected) in [
            ("http://example.jp/a.b", Some("jp")),
            ("https://user:a@www.example.co.uk.:8080?x", Some("uk")),
            ("http://192.168.0.1/", None),
            ("http://[::1]/", None),
            ("http://localhost/", None),
            ("folder/file.txt", None),
            ("http://", None),
            ("", None),
        ] {
            assert_eq!(top_level_domain(url), expected, "{url}");
        }
    }
}
