//! Finds out the encoding of bytes, by what they declare or by a guess.

use simdtext::Encoding;
use simdtext::detect::{Options, Reason, detect as guess};
use simdtext::sniff::{self, Confidence, Evidence, Format, LATE_META_LEN, resolve};

const UTF32_BOM_LEN: usize = 4;

/// What is known about the bytes beforehand.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// The Content-Type.
    pub content_type: Option<String>,
    /// 0 unknown, 1 HTML, 2 XML, 3 CSS, 4 text.
    pub format: u32,
    /// The number of the encoding that a user has chosen.
    pub chosen: Option<u32>,
    /// The number of the encoding of the document that refers to these bytes.
    pub environment: Option<u32>,
    /// The last label of a host name.
    pub tld: Option<String>,
    /// Whether these bytes are only the beginning.
    pub partial: bool,
}

/// The package's `detect()`, as lines of fields separated by tabs. The first line has the name of the encoding
/// (empty if it is not one of the standard's), the evidence, `certain` or nothing, a phrase, the length of the
/// byte order mark, and `binary` if the bytes look like binary data, or nothing. A line for each candidate
/// follows: name, language, by how many bits it is behind the first, number of malformed sequences.
#[must_use]
pub fn detect(bytes: &[u8], hints: &Hints) -> String {
    let chosen = hints.chosen.map(crate::encoding);
    let given = sniff::Hints::new()
        .transport(hints.content_type.as_deref())
        .format(match hints.format {
            1 => Format::Html,
            2 => Format::Xml,
            3 => Format::Css,
            4 => Format::Text,
            _ => Format::Unknown,
        })
        .override_label(chosen.map(Encoding::name))
        .environment(hints.environment.map(crate::encoding))
        .fallback(None)
        .late_meta(true);
    // Declarations are at the beginning. The guess examines all bytes, for valid UTF-8.
    let head = bytes.get(..LATE_META_LEN).unwrap_or(bytes);
    let decision = resolve(&given, head, !hints.partial && head.len() == bytes.len());
    let options = Options::new().tld(hints.tld.as_deref());
    let guess = guess(bytes, !hints.partial, &options);
    let is_utf32 = matches!(guess.reason, Reason::Utf32 { bom: true, .. });
    let is_binary = matches!(guess.reason, Reason::Binary(_));
    let mut bom_len = decision.bom_len;
    let (encoding, evidence, certain, reason): (Option<&Encoding>, _, _, String) =
        match decision.evidence {
            // In the standard, the byte order mark of UTF-32LE is that of UTF-16LE followed by a NUL, and
            // that of UTF-32BE is not a mark.
            Evidence::Bom | Evidence::Fallback if is_utf32 => {
                bom_len = UTF32_BOM_LEN;
                (None, "bom", true, guess.reason.to_string())
            }
            // Nothing is declared.
            Evidence::Fallback | Evidence::Utf8Valid | Evidence::Detected => (
                guess.encoding,
                match guess.evidence {
                    Evidence::Utf8Valid => "utf-8",
                    Evidence::Fallback => "ascii",
                    _ => "guess",
                },
                guess.confidence == Confidence::Certain,
                guess.reason.to_string(),
            ),
            evidence => {
                let (evidence, reason) = match evidence {
                    Evidence::Bom => ("bom", "byte order mark"),
                    Evidence::Override => ("override", "chosen by hand"),
                    Evidence::Transport => ("transport", "declared by the Content-Type"),
                    Evidence::Environment => ("environment", "the encoding of what refers to it"),
                    _ => ("declaration", "declared in the document"),
                };
                let certain = decision.confidence == Confidence::Certain;
                (
                    Some(decision.encoding),
                    evidence,
                    certain,
                    reason.to_owned(),
                )
            }
        };
    let mut lines = format!(
        "{}\t{evidence}\t{}\t{reason}\t{}\t{}\n",
        encoding.map_or("", |encoding| encoding.name()),
        if certain { "certain" } else { "" },
        bom_len,
        if is_binary { "binary" } else { "" },
    );
    let first = guess.candidates().next().map_or(0, |first| first.cost);
    for candidate in guess.candidates() {
        lines += &format!(
            "{}\t{}\t{}\t{}\n",
            candidate.encoding.name(),
            candidate.language,
            f64::from(candidate.cost.saturating_sub(first)) / 8.0,
            candidate.malformed,
        );
    }
    lines
}
