//! The cases of `resolve.txt`, and how their hints are written.

use simdtext::Encoding;
use simdtext::sniff::{Format, Hints, resolve};

use crate::cases;

#[test]
fn cases() {
    cases::check("resolve.txt", 80, |case| {
        let (hints, complete) = hints(&case.fields[1]);
        let decision = resolve(&hints, &case.input(), complete);
        format!(
            "{} {:?} {:?} {}",
            decision.encoding, decision.evidence, decision.confidence, decision.bom_len
        )
    });
}

/// `name=value` and `name="value"` with spaces between them, and whether `complete` is among them.
fn hints(text: &str) -> (Hints<'_>, bool) {
    let (mut hints, mut complete) = (Hints::default(), false);
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find([' ', '=']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        let after = after.strip_prefix('=').unwrap_or(after);
        let (value, after) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').expect("a closing quote"),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        let encoding = || Encoding::for_label(value.as_bytes());
        match name {
            "none" => {}
            "complete" => complete = true,
            "format" => hints.format = format(value),
            "transport" => hints.transport = Some(value),
            "override" => hints.override_label = Some(value),
            "environment" => hints.environment = Some(encoding().expect("a label")),
            "fallback" => hints.fallback = Some(encoding().expect("a label")),
            _ => panic!("no such hint: {name}"),
        }
        rest = if name == "complete" {
            rest[end..].trim_start()
        } else {
            after.trim_start()
        };
    }
    (hints, complete)
}

fn format(name: &str) -> Format {
    match name {
        "html" => Format::Html,
        "xml" => Format::Xml,
        "css" => Format::Css,
        "text" => Format::Text,
        _ => panic!("no such format: {name}"),
    }
}
